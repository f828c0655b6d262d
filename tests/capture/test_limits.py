"""Captured programs at their limits: loops that are interrupted, recursion without end, a new process."""

from __future__ import annotations

import _thread
import inspect
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import TraceError
from tests.interrupts import run_and_interrupt

ROOT = Path(__file__).parents[2]


def endless(x):
    while True:
        x = x * 0.5 + 1
        if x[0] < 0:
            break
    return x


def long(x):
    total = 0.0
    for i in range(10**12):
        total += x[i % 3]
    return total


@pytest.mark.parametrize("function", [endless, long])
def test_a_loop_is_interrupted_within_a_tenth_of_a_second(function):
    """Of processor time, as the machine may be busy with other things; the least of some tries."""
    jitted, x, waited = jf.jit(function), np.ones(3), []
    jitted.program(x)
    for _ in range(4):
        sent = []

        def interrupt(sent=sent):
            sent.append(time.process_time())
            _thread.interrupt_main()

        with pytest.raises(KeyboardInterrupt):
            run_and_interrupt(lambda: jitted(x), 0.1, interrupt)
        waited.append(time.process_time() - sent[0])
        if waited[-1] < 0.1:
            break
    assert min(waited) < 0.1


def without_end(x):
    return without_end(x + 1) if x[0] > -1 else x


def test_recursion_without_end_is_an_error(strict):
    def function(x):
        return function(x + 1)

    with pytest.raises(TraceError, match="calls itself without end"):
        jf.jit(function)(np.ones(2))
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + 400)  # each call asks for a value, which may be cut for
    try:
        with pytest.raises((TraceError, RecursionError)):
            jf.jit(without_end)(np.ones(2))
    finally:
        sys.setrecursionlimit(before)
    assert jf.jit(endless)(np.array([-9.0]))[0] < 0  # the next call is as ever


@pytest.mark.parametrize("turns", [0, 1, 2])
def test_loops_of_few_turns(turns):
    def bounded(x, n):
        for i in range(n[0]):
            x = x * 2 + i
        return x

    def counted(x, n):
        count = 0
        while count < n[0]:
            count += 1
            x[count] = count
        return x

    def rows(m, n):
        total = np.zeros(2)
        for row in m[:, :2]:
            total = total + row
        return total

    n = np.array([turns])
    for function in (bounded, counted):
        for _ in range(2):
            np.testing.assert_array_equal(jf.jit(function)(np.ones(4), n), function(np.ones(4), n))
    m = np.arange(4.0 * turns).reshape(turns, 4)
    np.testing.assert_array_equal(jf.jit(rows)(m, n), rows(m, n))


def test_the_else_of_a_loop_without_break_runs():
    def function(x):
        a = x.sum()
        for i in range(3):
            if x[i] > 2:
                a = a + 1
        else:
            a = a * 10
        while a > 100:
            a = a / 2
        else:
            a = -a
        return a

    x = np.array([3.0, 1.0, 4.0])
    assert jf.jit(function)(x) == function(x)


PROGRAM = """
import json
import numpy as np
import jitframe as jf


@jf.jit
def edit_distance(a, b):
    d = np.zeros((len(a) + 1, len(b) + 1), dtype=np.int64)
    d[:, 0], d[0] = np.arange(len(a) + 1), np.arange(len(b) + 1)
    for i in range(len(a)):
        for j in range(len(b)):
            cost = 0 if a[i] == b[j] else 1
            d[i + 1, j + 1] = min(d[i, j + 1] + 1, d[i + 1, j] + 1, d[i, j] + cost)
    return d[-1, -1]


found = int(edit_distance(np.arange(30) % 7, np.arange(40) % 5))
print(json.dumps({"found": found, **edit_distance.stats()}))
"""


@pytest.mark.more
def test_a_new_process_compiles_nothing(tmp_path):
    """Two processes, of a second each."""
    file = tmp_path / "program.py"
    file.write_text(PROGRAM, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "JITFRAME_CACHE_DIR": str(tmp_path / "cache")}
    outcomes = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, str(file)], capture_output=True, text=True, env=environment, check=True
        )
        outcomes.append(json.loads(done.stdout.splitlines()[-1]))
    first, second = outcomes
    assert first["found"] == second["found"] and first["kernels"] == second["kernels"] > 0
    assert first["compiled"] > 0 and second["compiled"] == 0
