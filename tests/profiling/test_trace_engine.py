"""Traces are opened by the engine of Chrome's DevTools, which is not ours: it finds what was written.

`tools/install_trace_engine.sh` installs it from the npm registry.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jitframe as jf

FOLDER = Path(__file__).with_name("trace_engine")
ENGINE = FOLDER / "node_modules" / "@paulirish" / "trace_engine"


@pytest.fixture(scope="module")
def node() -> str:
    program = shutil.which("node")
    if program is None:
        pytest.skip("no node, which runs the trace engine")
    if not ENGINE.exists():
        pytest.skip("no trace engine: tools/install_trace_engine.sh installs it")
    return program


def opened(node: str, path: Path) -> dict[str, Any]:
    done = subprocess.run(
        [node, "read.mjs", str(path)], cwd=FOLDER, capture_output=True, text=True, timeout=500, check=False
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_trace_is_opened(node: str, tmp_path: Path) -> None:
    function = jf.jit(lambda x: np.exp(x).sum() + x)
    values = np.ones((64, 32), np.float32)
    there = jf.asarray(values, device="opencl")
    backend = jf.backends.get("opencl")
    with jf.profile() as profile:
        function(values)
        with backend.stream("side") as stream, stream.activate():
            function(there)
        function(there).numpy()
    path = tmp_path / "trace.json"
    profile.save(path)
    found = opened(node, path)
    assert found["isGeneric"], "it takes it for a trace of some program, not of a web page"
    rows = {(each["process"], each["name"]): each for each in found["threads"]}
    assert {process for process, _ in rows} == {"host", "device cpu", "device opencl"}
    assert {name for process, name in rows if process == "device opencl"} == {"queue", "side"}
    for key, row in rows.items():
        wanted = sorted(slices(profile.trace(), *key), key=lambda each: (each[2], -each[3]))
        got = [(each["name"], each["cat"], each["ts"], each["dur"], each["args"]) for each in row["slices"]]
        assert got == wanted and wanted, key
    (host,) = {each["depth"] for key, each in rows.items() if key[0] == "host"}
    assert host >= 2, "launches lie in what asked for them"


def slices(trace: dict[str, Any], process: str, thread: str) -> list[tuple[Any, ...]]:
    """The slices of a row, by its names."""
    named = [each for each in trace["traceEvents"] if each["ph"] == "M"]
    (pid,) = [
        each["pid"] for each in named if each["name"] == "process_name" and each["args"]["name"] == process
    ]
    (tid,) = [
        each["tid"]
        for each in named
        if each["name"] == "thread_name" and each["pid"] == pid and each["args"]["name"] == thread
    ]
    return [
        (each["name"], each["cat"], each["ts"], each["dur"], each["args"])
        for each in trace["traceEvents"]
        if each["ph"] == "X" and (each["pid"], each["tid"]) == (pid, tid)
    ]
