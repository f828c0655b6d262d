"""One process per peer: several libraries' thread pools in one process slow each other down many times."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np

from .cases import select
from .peers import PeerAbsent, Prepared, load, prepare
from .timing import repeats, rest, timer, warmed


class PeerFailure(RuntimeError):
    """What a peer raised in its process, as one line."""


class Service:
    """What a peer's process does for the harness; each method is one request."""

    def __init__(self, name: str) -> None:
        self.peer = load(name)
        self.run: Callable[[int], float] | None = None
        self.count = 1

    def version(self) -> str:
        return self.peer.version

    def make_ready(self, case_name: str, reference: Path) -> tuple[bool, float | None]:
        """Warms and verifies one case: whether the peer spells it, and its error."""
        self.run = None  # frees the previous case's arrays
        prepared = self._prepared(case_name)
        if prepared is None:
            return False, None
        (case,) = select(case_name)
        error = warmed(case, prepared, np.load(reference, mmap_mode="r"))
        self.run = timer(prepared)
        self.count = repeats(self.run)
        return True, error

    def time(self) -> float:
        """Seconds per call; a few untimed calls first wake threads and caches."""
        assert self.run is not None
        self.run(max(1, self.count // 4))
        seconds = self.run(self.count) / self.count
        rest()
        return seconds

    def count_kernels(self, case_name: str) -> int | None:
        (case,) = select(case_name)
        if self.peer.count_kernels is None:
            return None
        return self.peer.count_kernels(case.formula, case.arguments())

    def _prepared(self, case_name: str) -> Prepared | None:
        (case,) = select(case_name)
        return prepare(self.peer, case, case.arguments())


def serve(name: str, pipe: Connection) -> None:
    """Answers requests until the pipe closes; an exception is an answer too."""
    service: Service | None = None
    while True:
        try:
            method, arguments = pipe.recv()
        except EOFError:
            return
        try:
            service = service or Service(name)
            pipe.send((True, getattr(service, method)(*arguments)))
        except Exception as failure:  # whatever a peer raises is reported, the others go on
            kind = "" if isinstance(failure, PeerAbsent) else f"{type(failure).__name__}: "
            pipe.send((False, (f"{kind}{failure}".splitlines() or [kind])[0][:200]))


@dataclass(eq=False)
class Worker:
    """The harness's end of one peer's process."""

    name: str
    pipe: Connection
    process: Any

    @classmethod
    def start(cls, name: str) -> Worker:
        context = get_context("spawn")
        here, there = context.Pipe()
        process = context.Process(target=serve, args=(name, there), daemon=True)
        process.start()
        there.close()
        return cls(name, here, process)

    def ask(self, method: str, *arguments: Any) -> Any:
        """The answer of `Service.method`; PeerFailure with its reason, or when the process has died."""
        try:
            self.pipe.send((method, arguments))
            succeeded, answer = self.pipe.recv()
        except (EOFError, BrokenPipeError, ConnectionResetError):
            self.process.join()
            raise PeerFailure(f"its process died with exit code {self.process.exitcode}") from None
        if not succeeded:
            raise PeerFailure(answer)
        return answer

    def stop(self) -> None:
        self.pipe.close()
        self.process.join()
