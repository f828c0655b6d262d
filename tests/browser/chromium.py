"""A headless Chromium that does what it is asked for: batches of calls, exchanged with a page over HTTP."""

from __future__ import annotations

import json
import queue
import shutil
import struct
import subprocess
import threading
import time
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

PAGE = Path(__file__).with_name("page.html")
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
START_SECONDS = 300.0
ANSWER_SECONDS = 300.0

Message = tuple[Any, memoryview]
"""What JSON says, and the bytes that come with it."""


class BrowserProblem(Exception):
    """The browser did not start, or went away."""


def find_chromium() -> str | None:
    """The program's path."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


def packed(header: Any, parts: Sequence[bytes | memoryview]) -> bytes:
    text = json.dumps(header).encode()
    return b"".join((struct.pack("<I", len(text)), text, *parts))


def unpacked(body: bytes) -> Message:
    (length,) = struct.unpack_from("<I", body)
    return json.loads(body[4 : 4 + length]), memoryview(body)[4 + length :]


class Browser:
    """One page in one browser. `hello` is what the page tells of its adapter."""

    def __init__(self, program: str, folder: Path) -> None:
        self._batches: queue.Queue[bytes] = queue.Queue()
        self._answers: queue.Queue[bytes] = queue.Queue()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{self._server.server_address[1]}/"
        self._log = folder / "chromium.log"
        options = (
            *("--headless=new", "--no-sandbox", "--disable-gpu-sandbox", "--no-first-run"),
            *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
            *("--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", f"--user-data-dir={folder}"),
        )
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [program, *options, address], stdout=log, stderr=log, stdin=subprocess.DEVNULL
            )
        try:
            self.hello = unpacked(self._answer(START_SECONDS))[0]
        except BrowserProblem:
            self.close()
            raise

    def close(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._batches.put(b"")
        self._server.shutdown()
        self._server.server_close()

    def ask(self, header: Any, parts: Sequence[bytes | memoryview]) -> Message:
        """The page's answer to one batch."""
        self._batches.put(packed(header, parts))
        return unpacked(self._answer(ANSWER_SECONDS))

    def _answer(self, seconds: float) -> bytes:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                return self._answers.get(timeout=0.2)
            except queue.Empty:
                if self._process.poll() is not None:
                    break
        code = self._process.poll()
        state = "no answer" if code is None else f"it ended with status {code}"
        raise BrowserProblem(f"{state}; its log ends with:\n{self._log.read_text(errors='replace')[-2000:]}")

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        batches, answers = self._batches, self._answers

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True
            wbufsize = -1

            def do_GET(self) -> None:
                if self.path == "/":
                    self._reply(PAGE.read_bytes(), "text/html")
                else:
                    self.send_error(404)

            def do_POST(self) -> None:
                answers.put(self.rfile.read(int(self.headers["Content-Length"])))
                self._reply(batches.get(), "application/octet-stream")

            def _reply(self, body: bytes, kind: str) -> None:
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
                self.wfile.flush()

            def log_message(self, *_: Any) -> None:
                pass

        return Handler
