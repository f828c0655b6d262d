"""Slices whose length a loop's counter or values decide: the loop is kept, and they are inner loops of it."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import jitframe as jf
from jitframe.ir.node import topological
from tests.capture.symbolic_programs import CASES
from tests.capture.test_users_programs import same


@pytest.mark.parametrize(("function", "arguments"), CASES, ids=[each.__name__ for each, _ in CASES])
def test_kept(function, arguments, strict):
    """Compiling takes some tenths of a second."""
    jitted = jf.jit(function)
    mine, its = copy.deepcopy(arguments), copy.deepcopy(arguments)
    same(jitted(*mine), function(*its))
    same(mine, its)
    program = jitted.program(*copy.deepcopy(arguments))
    assert not program.unrolled_loops
    assert len(topological(program.outputs)) < 100


def leaves_the_loop(x):
    for i in range(1, 30):
        last = x[:i]
    return last, last.sum()


def appended(x):
    out = []
    for i in range(1, 30):
        out.append(x[:i] * 2)
    return out


def one_or_another(x):
    total = 0.0
    for i in range(1, 30):
        part = x[:i] if x[i] > 0.5 else x[i:]
        total += part.sum()
    return total


def returned(x):
    for i in range(1, 30):
        if x[:i].sum() > 5:
            return x[:i]
    return x


def of_several_lengths(x):
    total = 0.0
    for i in range(30):
        total += (x[:i] * x[i : 2 * i]).sum() + (x[1:i] + x[: max(i - 1, 0)]).sum()
    return total


def sorted_parts(x):
    total = 0.0
    for i in range(1, 30):
        total += np.sort(x[:i])[0] + np.median(x[:i])
    return total


def carried(x):
    part, total = x[:1], 0.0
    for i in range(1, 30):
        total += part.sum()
        part = x[:i] + total
    return total


@pytest.mark.parametrize(
    "function",
    [leaves_the_loop, appended, one_or_another, returned, of_several_lengths, sorted_parts, carried],
)
def test_answered_otherwise(function):
    """Where more is asked of a slice than an inner loop does, the loop is unrolled, or Python answers."""
    x = np.random.default_rng(3).random(60)
    same(jf.jit(function)(x.copy()), function(x.copy()))


def of_none(x):
    total = 0.0
    for i in range(40):
        total += x[:i].max()
    return total


def beyond(x):
    total = 0.0
    for i in range(1, 40):
        total += x[:i][i // 2 + i % 7]
    return total


def of_unlike_lengths(x):
    for i in range(40):
        x[:i] = x[i:]
    return x


@pytest.mark.parametrize("function", [of_none, beyond, of_unlike_lengths])
def test_errors_are_those_of_python(function):
    x = np.random.default_rng(3).random(60)
    with pytest.raises((ValueError, IndexError)) as its:
        function(x.copy())
    with pytest.raises(its.type):
        jf.jit(function)(x.copy())


@pytest.mark.parametrize("device", ["opencl", "webgpu"])
def test_on_devices(device):
    """One program of several, as each is compiled for the device."""
    if device not in {each.name for each in jf.devices() if each.available}:
        pytest.skip(f"no {device} here")
    found = {function.__name__: function for function, _ in CASES}

    def several(x, a, b):
        lower = found["forward_substitution"](a, np.zeros_like(x), x)
        return lower, found["outer_products"](b), found["onto_itself"](x.copy())

    x = np.linspace(0.25, 0.75, 60, dtype=np.float32)
    a = np.eye(60, dtype=np.float32) + np.float32(0.01)
    for mine, its in zip(jf.jit(several, device=device)(x, a, a.copy()), several(x, a, a.copy())):
        if its is not None:
            np.testing.assert_allclose(np.asarray(mine), its, rtol=1e-4)


def test_is_one_kernel():
    """An inner loop is no launch of its own."""
    function, arguments = CASES[0]
    jitted = jf.jit(function)
    jitted(*copy.deepcopy(arguments))
    assert jitted.stats()["kernels"] <= 2  # the loop, and the copy into the argument
