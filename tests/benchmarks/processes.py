"""The rows that need fresh processes: first calls, import, a new size, peak memory."""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from . import loop_formulas, loops
from .lines import Line

ROOT = Path(__file__).resolve().parents[2]
CACHE_VARIABLES: dict[str, dict[str, str]] = {
    "jitframe": {"JITFRAME_CACHE_DIR": ""},
    "numba": {"NUMBA_CACHE_DIR": ""},
    "drjit": {"DRJIT_CACHE_DIR": ""},
    "jax": {
        "JAX_COMPILATION_CACHE_DIR": "",
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
    },
    "torch.compile": {"TORCHINDUCTOR_CACHE_DIR": ""},
}
"""Peer -> environment of its disk cache; an empty value is replaced by the folder."""
COMPILED_FIRST = {"JITFRAME_COMPILE_IN_BACKGROUND": "off"}
NO_SETTINGS: Mapping[str, str] = {}
IMPORTED = {
    "jitframe": "jitframe",
    "numba": "numba",
    "drjit": "drjit",
    "jax": "jax",
    "torch": "torch",
    "numexpr": "numexpr",
    "tinygrad": "tinygrad",
}
IMPORT_ROUNDS = 21
COLD_ROUNDS = 9
FILLING_RUNS = 4
"""Warm means: the last of so many further processes (Dr.Jit's key varies from process to process)."""
LOOP_ROUNDS = 3
SLOW_SECONDS = 1.0
"""A peer whose first call takes longer is measured once, not COLD_ROUNDS times."""
MEASURED_MEMORY = ("jitframe", "numpy", "numba", "drjit", "jax", "torch.compile", "numexpr")


def child(module: str, *options: str, environment: dict[str, str] | None = None) -> dict[str, Any]:
    """Runs one module of `fresh` in a new process; RuntimeError with its last line when it fails."""
    done = subprocess.run(
        [sys.executable, "-m", f"tests.benchmarks.fresh.{module}", *options],
        cwd=ROOT,
        # Modules' code is kept beside them, as users have it, whatever this process was told.
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "", **(environment or {})},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise RuntimeError((done.stderr.strip().splitlines() or [f"exit {done.returncode}"])[-1][:200])
    return json.loads(done.stdout.strip().splitlines()[-1])


def cache_environment(peer: str, folder: Path) -> dict[str, str]:
    return {name: value or str(folder) for name, value in CACHE_VARIABLES[peer].items()}


def cold_and_warm(
    peer: str, work: Path, *options: str, settings: Mapping[str, str] = NO_SETTINGS
) -> tuple[float, float, bool]:
    """Median seconds of the chain's first call, cache empty and filled; whether the latter took llvmlite."""
    primed = Path(tempfile.mkdtemp(prefix=f"{peer}-primed", dir=work))
    if peer == "jitframe":  # its runtime image is made once per machine: present in both measurements
        child("first_call", peer, "increment16", environment=cache_environment(peer, primed))
    cold, warm = [], []
    for number in range(COLD_ROUNDS):
        folder = work / f"{peer}-{number}"
        shutil.copytree(primed, folder)
        environment = {**cache_environment(peer, folder), **settings}
        cold.append(child("first_call", peer, "chain100k", *options, environment=environment)["seconds"])
        for _ in range(FILLING_RUNS):
            again = child("first_call", peer, "chain100k", environment=environment)
        warm.append(again["seconds"])
        shutil.rmtree(folder)
        if cold[-1] > SLOW_SECONDS:
            break
    return statistics.median(cold), statistics.median(warm), again["llvmlite"]


def first_calls(peers: Sequence[str]) -> list[Line]:
    cold: dict[str, float] = {}
    started: dict[str, float] = {}
    compiled: dict[str, float] = {}
    warm: dict[str, float] = {}
    failures: dict[str, str] = {}
    remarks: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as work:
        for peer in peers:
            if peer not in CACHE_VARIABLES:
                continue
            try:
                options = ["--llvmlite"] if peer == "jitframe" else []
                cold[peer], seconds, llvmlite = cold_and_warm(peer, Path(work), *options)
                if peer == "jitframe":
                    started[peer] = cold_and_warm(peer, Path(work), "--llvm")[0]
                    compiled[peer] = cold_and_warm(peer, Path(work), *options, settings=COMPILED_FIRST)[0]
            except RuntimeError as failure:
                failures[peer] = str(failure)
                continue
            if peer == "jitframe" and llvmlite:
                remarks[peer] = f"it imported llvmlite (the call took {seconds * 1e3:.2g} ms)"
            else:
                warm[peer] = seconds
    return [
        Line(
            "firstcold",
            "first call of the chain, fresh process, cache empty, LLVM loaded and started",
            started,
            {"15 ms": 15e-3},
            failures=failures,
        ),
        Line(
            "firststart",
            "the same, LLVM loaded but not started",
            cold,
            {"15 ms": 15e-3},
            failures=failures,
        ),
        Line(
            "firstcompiled",
            "the same where the call waits for its kernel, LLVM loaded but not started",
            compiled,
            {},
            failures=failures,
        ),
        Line(
            "firstwarm",
            "first call of the chain, fresh process, cache warm",
            warm,
            {"4 ms, llvmlite not imported": 4e-3},
            failures=failures | remarks,
        ),
    ]


LONG_FUNCTIONS = {
    "arithmetic_100": ("100 operations of arithmetic", 60e-3),
    "functions_100": ("100 operations, 30 of them transcendental", 60e-3),
    "standardised_100": ("100 operations, 20 of them reductions along rows", 60e-3),
    "mixed_2000": ("2,000 mixed operations", 2.0),
}
"""Name in `long_formulas` -> what it is, and the most seconds that its first call is to take."""


def long_functions(peers: Sequence[str]) -> list[Line]:
    """Rounds go through the functions in turn: a noisy moment hits all alike."""
    if "jitframe" not in peers:
        return []
    samples: dict[str, list[float]] = {name: [] for name in LONG_FUNCTIONS}
    failures: dict[str, str] = {}
    for _ in range(COLD_ROUNDS):
        for name in LONG_FUNCTIONS:
            if name in failures:
                continue
            try:
                with tempfile.TemporaryDirectory() as folder:
                    environment = {**cache_environment("jitframe", Path(folder)), **COMPILED_FIRST}
                    samples[name].append(child("long_function", name, environment=environment)["seconds"])
            except RuntimeError as failure:
                failures[name] = str(failure)
    return [
        Line(
            f"compile-{name}",
            f"first call of {title}, cache empty, after another function's",
            {"jitframe": statistics.median(samples[name])} if samples[name] else {},
            {f"below {seconds:.3g} s" if seconds >= 1 else f"below {seconds * 1e3:.3g} ms": seconds},
            failures={"jitframe": failures[name]} if name in failures else {},
        )
        for name, (title, seconds) in LONG_FUNCTIONS.items()
    ]


def first_calls_of_loops(peers: Sequence[str]) -> list[Line]:
    """Each program, by a function that waits for its kernels: medians of what a first call takes beyond a
    second one, with an empty cache and with a filled one."""
    if "jitframe" not in peers:
        return []
    found: list[Line] = []
    for case in loops.CASES:
        if case.formula not in loop_formulas.LOOPS:
            continue
        samples: dict[bool, list[float]] = {False: [], True: []}
        failures: dict[str, str] = {}
        try:
            for _ in range(LOOP_ROUNDS):
                with tempfile.TemporaryDirectory() as folder:
                    environment = {**cache_environment("jitframe", Path(folder)), **COMPILED_FIRST}
                    child("first_call", "jitframe", "increment16", environment=environment)
                    for warm in (False, True):
                        options = ["--unverified"] if warm else ["--unverified", "--llvm"]
                        made = child("first_call", "jitframe", case.name, *options, environment=environment)
                        samples[warm].append(made["beyond"])
        except RuntimeError as failure:
            failures["jitframe"] = str(failure)
        for warm, state, text, most in ((False, "empty", "0.4 s", 0.4), (True, "filled", "20 ms", 20e-3)):
            values = {"jitframe": statistics.median(samples[warm])} if samples[warm] else {}
            title = f"first call beyond a second one, cache {state}: {case.title}"
            found.append(Line(f"first-{state}-{case.name}", title, values, {text: most}, failures=failures))
    return found


def imports(peers: Sequence[str]) -> list[Line]:
    """Rounds go through the peers in turn, as the in-process rows do."""
    samples: dict[str, list[float]] = {}
    decorated: list[float] = []
    failures: dict[str, str] = {}
    for _ in range(IMPORT_ROUNDS):
        for peer in peers:
            if peer not in IMPORTED or peer in failures:
                continue
            try:
                samples.setdefault(peer, []).append(child("import_time", IMPORTED[peer])["seconds"])
            except RuntimeError as failure:
                failures[peer] = str(failure)
        if "jitframe" in peers:
            decorated.append(child("import_time", "jitframe", "--decorate")["seconds"])
    medians = {peer: statistics.median(values) for peer, values in samples.items() if values}
    own = {"jitframe": statistics.median(decorated)} if decorated else {}
    return [
        Line("import", "import, above NumPy's", medians, {"15 ms": 15e-3}, failures=failures),
        Line(
            "decorate", "import and the first decoration, which loads what calls need", own, {"60 ms": 0.06}
        ),
    ]


def new_sizes(peers: Sequence[str]) -> list[Line]:
    """How many compiles eleven new sizes cause, once one size of the same schedule class has run."""
    if "jitframe" not in peers:
        return []
    values: dict[str, float] = {}
    failures: dict[str, str] = {}
    try:
        with tempfile.TemporaryDirectory() as folder:
            environment = cache_environment("jitframe", Path(folder))
            values["jitframe"] = child("new_sizes", environment=environment)["compiled"]
    except RuntimeError as failure:
        failures["jitframe"] = str(failure)
    title = "compiles caused by eleven new sizes"
    return [Line("newsize", title, values, {"none": 0}, "compiles", failures=failures)]


def peak_memory(peers: Sequence[str]) -> list[Line]:
    values: dict[str, float] = {}
    failures: dict[str, str] = {}
    for peer in peers:
        if peer not in MEASURED_MEMORY:
            continue
        try:
            values[peer] = child("peak_memory", peer)["arrays"]
        except RuntimeError as failure:
            failures[peer] = str(failure)
    title = "peak memory of the chain at 64 M above its inputs, previous result held"
    return [Line("memory", title, values, {"2.3 arrays": 2.3}, "arrays", failures=failures)]


ROWS: dict[str, Callable[[Sequence[str]], list[Line]]] = {
    "first": first_calls,
    "compile": long_functions,
    "import": imports,
    "newsize": new_sizes,
    "memory": peak_memory,
}
"""Row name -> what measures it."""
LOOP_ROWS = {"firstloops": first_calls_of_loops}
"""The same, of the suite of loops."""
