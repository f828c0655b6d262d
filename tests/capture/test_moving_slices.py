"""Slices that move with a loop's counter, `x[i : i + 3]`: the loop is kept, and they are views."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import jitframe as jf
from jitframe.ir.node import topological
from tests.capture.test_users_programs import same

N = 200
X = np.random.default_rng(5).random(N)
A = X.reshape(20, 10)
CASES = []


def case(argument):
    """Lists a function with its argument."""

    def listed(function):
        CASES.append((function, argument))
        return function

    return listed


@case(X)
def sums(x):
    out = np.zeros(N)
    for i in range(len(x) - 3):
        out[i] = x[i : i + 4].sum()
    return out


@case((X * 9).astype(np.int32))
def centered(x):
    out = np.zeros(N, np.int32)
    for i in range(1, len(x) - 1):
        out[i] = x[i - 1 : i + 2].max()
    return out


@case(X)
def blocks(x):
    out = np.zeros(N // 2)
    for k in range(N // 2):
        out[k] = np.sum(x[k * 2 : (k + 1) * 2]) + x[2 * k : 2 * k + 2][1]
    return out


@case(X[::-1])
def with_steps(x):
    out = []
    for i in range(0, len(x) - 5, 2):
        out.append(x[i : i + 5 : 2].prod() + x[i : i + 4][::-1][0])
    return np.array(out)


@case(X)
def backward(x):
    out = np.zeros(N)
    for i in range(N - 3):
        out[i] = x[N - i - 3 : N - i].min()
    return out


@case(X)
def added_to(x):
    y = np.zeros_like(x)
    for i in range(len(x) - 2):
        y[i : i + 2] += x[i : i + 2] * 2
    return y


@case(X)
def onto_itself(x):
    for i in range(len(x) - 4):
        x[i + 1 : i + 4] = x[i : i + 3] + 1
    return x


@case(X)
def seen_through_a_view(x):
    y, total = x.copy(), 0.0
    for i in range(N - 3):
        shown = y[i : i + 3]
        y[i + 1] = 5.0 + i
        total += shown[1] + shown.sum()
        shown[2] = 7.0
    return y, total


@case(A)
def of_two_axes(a):
    out = np.zeros_like(a)
    for i in range(1, 19):
        for j in range(1, 9):
            out[i, j] = a[i - 1 : i + 2, j - 1 : j + 2].mean()
    return out


@case(np.random.default_rng(6).random((70, 2, 5)))
def axes_that_are_apart(a):
    out = np.zeros_like(a)
    for i in range(69):
        for j in range(4):
            out[i : i + 2, :, j : j + 2] += a[i : i + 2, ::-1, j : j + 2]
    return out


@case(A)
def beside_other_items(a):
    total = np.zeros((2, 3))
    for i in range(N):
        k = i % 19
        total += a[k : k + 2, ..., 1:4] + a[k : k + 2, [0, 2, 4]] + a[k : k + 2, None, i % 10]
    return total


@case(X.astype(np.complex64).reshape(100, 2).repeat(2, axis=0))
def rows(a):
    total = a[0]
    for i in range(N - 1):
        total = total + a[i : i + 2].sum(axis=0)
    return total


@case(np.zeros((N, 0)))
def without_elements(a):
    out = np.zeros((N, 2, 0))
    for i in range(N - 1):
        out[i] = a[i : i + 2] + 1
    return out


@pytest.mark.parametrize(("function", "argument"), CASES, ids=[each.__name__ for each, _ in CASES])
def test_kept(function, argument):
    """Compiling takes some tenths of a second."""
    jitted = jf.jit(function)
    mine, its = copy.deepcopy(argument), copy.deepcopy(argument)
    same(jitted(mine), function(its))
    same(mine, its)
    program = jitted.program(copy.deepcopy(argument))
    nodes = topological(program.outputs)
    assert any(node.op.name == "loop" for node in nodes) and len(nodes) < 100
    assert not program.unrolled_loops


@pytest.mark.parametrize("device", ["opencl", "webgpu"])
def test_on_devices(device):
    """One program of several, as each is compiled for the device."""
    if device not in {each.name for each in jf.devices() if each.available}:
        pytest.skip(f"no {device} here")

    def several(x, a):
        return sums(x), added_to(x), of_two_axes(a)

    given = X.astype(np.float32), A.astype(np.float32)
    for mine, its in zip(jf.jit(several, device=device)(*given), several(*given), strict=True):
        np.testing.assert_allclose(np.asarray(mine), its, rtol=1e-4)


def test_in_functions_of_loops():
    @jf.jit
    def returned(x):
        def body(i, total):
            return total + x[i : i + 3]

        return jf.fori_loop(0, N - 2, body, np.zeros(3))

    np.testing.assert_allclose(returned(X), sum(X[i : i + 3] for i in range(N - 2)))


def test_an_array_from_around_a_loop_is_not_written_to():
    def function(x):
        out = np.zeros(N)

        def body(i, total):
            out[i : i + 3] = x[i]
            return total

        return jf.fori_loop(0, N - 3, body, 0.0)

    with pytest.raises(jf.errors.TraceError, match="made outside"):
        jf.jit(function)(X)
