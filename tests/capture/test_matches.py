"""`match` statements, identity with bools, and texts of errors that seldom come, in compiled loops."""

from __future__ import annotations

import numpy as np
import pytest

import jitframe as jf

_rng = np.random.default_rng(2)
K = _rng.integers(0, 8, 200)
X = _rng.random(200) * 5
BAD = X.copy()
BAD[77] = -1.5


def machine(codes, x):
    state, acc = 0, 0.0
    for c, v in zip(codes, x):
        match c:
            case 0:
                state = 0
            case 1 | 2:
                state += 1
            case k if k > 5:
                acc += v * k
            case 3 | 4 if state > 0:
                acc -= v
            case _:
                acc += 1
    return state, acc


def vm(ops):
    a = b = 0
    for i in range(len(ops)):
        match (ops[i], a > b):
            case (0, True):
                a -= 1
            case (0, False):
                a += 2
            case (1, _):
                b += 1
            case (x, _) if x > 4:
                b += int(x)
            case _:
                a, b = b, a
    return a, b


def early(n):
    match n[0]:
        case 1:
            return n * 10
        case 2 | 4:
            return n * 20
        case k if k > 10:
            return -n
        case _:
            return n


def breaks(k):
    n = 0
    for c in k:
        match c:
            case 7:
                break
            case 1:
                continue
            case other:
                n += other
    return n, c


def seq(x):
    p = (x[0], x[1], x[2])
    match p:
        case (a, b):
            return a + b
        case [a, b, c]:
            return a * b - c


def is_true(x):
    n = 0
    for v in x:
        flag = float(v) > 2
        if flag is True:
            n += 1
        if flag is not False:
            n += 10
        if (v > 2) is True:
            n += 1000
    return n


def deadf(x):
    t = 0.0
    for i, v in enumerate(x):
        if v < 0:
            raise ValueError(f"negative value {v} at {i}: {v:.3f}")
        t += v**0.5
    return t


def deadf2(x):
    y = x.copy()
    for i in range(len(x)):
        if not 0 <= y[i] < 100:
            raise ValueError(f"item {i!r} is {y[i]:.2e}, of {len(x)}")
        y[i] = y[i] * 2
    return y


def formatted(x):
    y = x * 2
    for i in range(len(x)):
        if y[i] < 0:
            raise ValueError("item %d is %.2e, of %s" % (i, y[i], x.shape))  # noqa: UP031
        if y[i] == 3:
            message = "%(value)g is three" % {"value": y[i]}  # noqa: UP031
            raise ValueError(message)
    if y.sum() > 1e3:
        raise ValueError("%d is too much" % y.sum())  # noqa: UP031
    return y


CASES = [
    (machine, (K, X)),
    (vm, (K,)),
    (early, (np.array([4, 2]),)),
    (early, (np.array([14, 2]),)),
    (breaks, (K,)),
    (seq, (X,)),
    (is_true, (X,)),
    (deadf, (X,)),
    (deadf, (BAD,)),
    (deadf2, (BAD,)),
    (formatted, (X,)),
    (formatted, (BAD,)),
    (formatted, (np.full(3, 1.5),)),
    (formatted, (np.full(3, 500.0),)),
]


def called(function, arguments):
    """What a call gives, or the error that it raises."""
    try:
        return repr(function(*arguments))
    except ValueError as error:
        return str(error).partition("\n")[0]


@pytest.mark.parametrize(("function", "arguments"), CASES, ids=[each.__name__ for each, _ in CASES])
def test_program(function, arguments):
    """Every call is Python's, by a program without cuts."""
    jitted = jf.jit(function)
    for _ in range(3):
        assert called(jitted, arguments) == called(function, arguments)
    assert not jitted.program(*arguments).segments
