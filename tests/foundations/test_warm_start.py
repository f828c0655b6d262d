"""F6: a process that finds its kernels on disk answers without LLVM, without other processes, and rightly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

PROGRAM = """
import json, os, sys

forbidden = []
def audit(event, arguments):
    if event in ("subprocess.Popen", "os.fork", "os.posix_spawn", "os.exec", "os.system"):
        forbidden.append(event)
sys.addaudithook(audit)

import numpy as np, jitframe as jf

@jf.jit
def chain(x, w, s):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return np.tanh(e / e.sum(axis=1, keepdims=True) @ w) * s + np.sin(x[:, :1])

x = np.arange(77 * 33, dtype=np.float32).reshape(77, 33) % 7
w = np.ones((33, 5), np.float32)
results = [chain(x, w, 2.5) for _ in range(20)]
calls = chain.stats()
for found in results:
    np.testing.assert_allclose(found, chain.__wrapped__(x, w, np.float32(2.5)), rtol=2e-6)
@jf.jit
def fitted(a, b):
    return np.linalg.solve(a @ a.T + 1, b) * 2, np.linalg.svd(a, full_matrices=False).S

a = np.cos(np.arange(144.0)).reshape(12, 12) + 4 * np.eye(12)
solved = [fitted(a, a[0]) for _ in range(3)]
np.testing.assert_allclose(solved[0][0], np.linalg.solve(a @ a.T + 1, a[0]) * 2)
lazily = (jf.asarray(x) * 3 + 1).sum(axis=0).numpy()
np.testing.assert_allclose(lazily, (x * 3 + 1).sum(axis=0), rtol=1e-6)
LOWERING = ("jitframe.codegen.lower.program", "jitframe.ir.passes", "jitframe.codegen.llvm")
print(json.dumps({
    "bits": [
        result.tobytes().hex()
        for result in (*results[:2], *results[-2:], lazily, *solved[0], *solved[-1])
    ],
    "llvmlite": sorted(name for name in sys.modules if name.startswith("llvmlite"))[:3],
    "lowering": sorted(name for name in sys.modules if name.startswith(LOWERING)),
    "forbidden": forbidden,
    "cache": jf.cache.stats(),
    "calls": calls,
}))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("warm"))


def test_a_second_process_needs_no_llvm(folder, in_process):
    cold = in_process(PROGRAM, JITFRAME_CACHE_DIR=folder)
    assert cold["cache"]["compiled"] >= 3 and cold["llvmlite"], "the first process compiles"
    warm = in_process(PROGRAM, JITFRAME_CACHE_DIR=folder)
    assert warm["llvmlite"] == [] and warm["forbidden"] == []
    counts = warm["cache"]
    assert counts["compiled"] == 0 and counts["misses"] == 0 and counts["faults"] == 0
    assert counts["disk_hits"] == cold["cache"]["compiled"] and counts["seconds_saved"] > 0
    assert warm["bits"] == cold["bits"]
    assert cold["lowering"] and not warm["lowering"], "the first process keeps the plans that it makes"


def test_without_a_cache_the_results_are_the_same(folder, in_process):
    kept = in_process(PROGRAM, JITFRAME_CACHE_DIR=folder)
    elsewhere = Path(folder) / "untouched"
    off = in_process(PROGRAM, JITFRAME_CACHE="off", JITFRAME_CACHE_DIR=str(elsewhere))
    assert off["bits"] == kept["bits"]
    assert off["cache"]["compiled"] >= 3 and off["cache"]["disk_hits"] == 0
    assert not elsewhere.exists(), "a cache that is off writes nothing"


def test_without_the_native_entry_the_results_are_the_same(folder, in_process):
    native = in_process(PROGRAM, JITFRAME_CACHE_DIR=folder)
    python = in_process(PROGRAM, JITFRAME_CACHE_DIR=folder, JITFRAME_NATIVE_ENTRY="off")
    assert native["calls"]["native_calls"] == 2 and native["calls"]["python_calls"] == 18
    assert python["bits"] == native["bits"]


def test_a_process_after_a_clear_compiles_again(folder, in_process):
    in_process(PROGRAM, JITFRAME_CACHE_DIR=folder)
    removed = in_process("import jitframe as jf; print(jf.cache.clear())", JITFRAME_CACHE_DIR=folder)
    again = in_process(PROGRAM, JITFRAME_CACHE_DIR=folder)
    assert removed >= 3 and again["cache"]["compiled"] >= 3


IMPORTS = """
import json, sys
import jitframe
print(json.dumps(sorted(sys.modules)))
"""


def test_importing_reads_none_of_the_heavy_modules(in_process):
    loaded = {name.partition(".")[0] for name in in_process(IMPORTS)}
    heavy = {
        "llvmlite",
        "networkx",
        "rich",
        "typer",
        "platformdirs",
        "dataclasses",
        "subprocess",
        "tempfile",
        "inspect",
    }
    without = json.loads(
        json.dumps(in_process("import json, sys, numpy; print(json.dumps(sorted(sys.modules)))"))
    )
    assert not (loaded & heavy) - set(without)
