"""Loops whose iterations are elementwise run in kernels, for each element; others stay steps of a plan."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from tests.interrupts import run_and_interrupt


def escape(re, im):
    x, y = np.zeros_like(re), np.zeros_like(re)
    count = np.zeros(re.shape, dtype=np.int64)
    for _ in range(50):
        inside = x * x + y * y <= 4.0
        x, y = np.where(inside, x * x - y * y + re, x), np.where(inside, 2.0 * x * y + im, y)
        count += inside
    return count, x


def by_index(x, step, n):
    """The counter is read, and a number from outside."""
    for i in range(n):
        x = x * 0.5 + i * step
    return x


def along_an_axis(x, row, n):
    """An array that stays is repeated along an axis, and another one is computed before the loop."""
    scale = np.sqrt(row + 1)
    for _ in range(n):
        x = x * scale + row
    return x


def exchanged(a, b, n):
    for _ in range(n):
        a, b = b, a + 1
    return a, b


def flags(x, n):
    done = x > 1
    for _ in range(n):
        x = np.where(done, x, x * 1.5)
        done = done | (x > 1)
    return x, done


def in_place(x, n):
    """The caller's array."""
    for _ in range(n):
        x *= 1.25
        x -= 1
    return x.sum()


def newton(x, n):
    root = x
    for _ in range(n):
        root = 0.5 * (root + x / root)
    return root


def nested(x, n):
    for _ in range(n):
        for _ in range(20):
            x = np.cos(x)
        x = x - 0.25
    return x


def by_masks(c, n):
    z = np.zeros_like(c)
    count = np.zeros(c.shape, dtype=np.int64)
    for _ in range(n):
        inside = abs(z) <= 2
        z[inside] = z[inside] ** 2 + c[inside]
        count[inside] += 1
    return count, z.real, z.imag


def until_found(x, n):
    """The flags are carried; the counter is read where an element goes on."""
    going = np.ones(x.shape, bool)
    when = np.zeros(x.shape, dtype=np.int64)
    for i in range(n):
        x = np.where(going, x * 1.01, x)
        when = np.where(going, i, when)
        going &= x < 2
    return x, when, going


def outside_kept(x, n):
    for _ in range(n):
        x = np.where(x > 2, x, x * 1.01)
    return x


def at_times(x, n):
    """The condition may hold again."""
    for i in range(n):
        x = np.where(np.sin(x * 0 + i) > 0, x + 1, x)
    return x


def counted_further(x, n):
    """Elements that stay are counted."""
    count = np.zeros(x.shape, dtype=np.int64)
    for _ in range(n):
        x = np.where(x < 2, x * 1.01, x)
        count += x > 1
    return x, count


rng = np.random.default_rng(4)
RE, IM = rng.uniform(-2, 1, (17, 33)), rng.uniform(-1, 1, (17, 33))
ELEMENTWISE: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (escape, (RE, IM)),
    (escape, (RE.astype(np.float32), IM.astype(np.float32))),
    *((by_index, (RE, 0.25, n)) for n in (0, 1, 9, 200)),
    (along_an_axis, (RE, np.abs(IM[0]), 100)),
    (exchanged, (np.arange(70), np.arange(70)[::-1].copy(), 131)),
    (flags, (np.abs(RE), 100)),
    (in_place, (IM[:, ::2], 100)),
    (newton, (np.abs(RE) + 1, 100)),
    (newton, (np.linspace(1, 2, 5), 100)),
    (nested, (IM, 60)),
]
LEAVING = [
    (escape, (RE, IM)),
    (by_masks, (RE + 1j * IM, 100)),
    (by_masks, (RE + 1j * IM, 300)),
    *((until_found, (np.abs(RE) + 0.1, n)) for n in (1, 7, 255, 600)),
    (outside_kept, (np.abs(RE), 300)),
]
"""Elements whose iterations end early."""
STAYING = [(at_times, (RE, 300)), (counted_further, (np.abs(RE), 200)), (by_index, (RE, 0.25, 200))]


def with_sums(x, n):
    """Elements need each other."""
    for _ in range(n):
        x = x / x.sum()
    return x


def with_neighbours(x, n):
    for _ in range(n):
        x = x + np.roll(x, 1)
    return x


def with_positions(x, n):
    """A row for each iteration."""
    total = np.zeros(x.shape[1])
    for i in range(n):
        total = total + x[i]
    return total


def name_of(each: Any) -> str:
    return getattr(each, "__name__", "")


OTHERS = [(with_sums, (np.abs(RE), 100)), (with_neighbours, (IM, 100)), (with_positions, (RE, 17))]


def agree(function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    ours, theirs = ([np.copy(each) if np.ndim(each) else each for each in arguments] for _ in range(2))
    found, expected = jf.jit(function)(*ours), function(*theirs)
    for one, other in zip(np.atleast_1d(found), np.atleast_1d(expected), strict=True):
        assert np.asarray(one).dtype == np.asarray(other).dtype
    np.testing.assert_allclose(np.asarray(found, float), np.asarray(expected, float), rtol=1e-6, atol=1e-9)
    for one, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9)


@pytest.mark.parametrize(
    ("function", "arguments"), ELEMENTWISE, ids=lambda each: getattr(each, "__name__", "")
)
def test_elementwise_loops(function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    agree(function, arguments)


@pytest.mark.parametrize(("function", "arguments"), LEAVING + STAYING, ids=name_of)
def test_loops_that_elements_leave(function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    agree(function, arguments)


def test_an_element_leaves_with_its_last_change() -> None:
    for function, arguments in LEAVING:
        if arguments[-1] is IM or arguments[-1] >= 100:
            said = str(jf.jit(function).explain(*arguments).text())
            assert "while a condition holds" in said, function.__name__
    for function, arguments in STAYING:
        said = str(jf.jit(function).explain(*arguments).text())
        assert "function of elements" in said and "while a condition holds" not in said, function.__name__


def test_results_of_an_element_are_computed_once() -> None:
    """One of them goes to memory that all of them read, element by element."""
    said = str(jf.jit(escape).explain(RE, IM).text())
    assert said.count("kernel 3 apply") == 1 and "kernel 4" not in said


@pytest.mark.parametrize(("function", "arguments"), OTHERS, ids=name_of)
def test_other_loops(function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    agree(function, arguments)


def test_a_kernel_runs_many_iterations() -> None:
    for function, arguments in ((escape, (RE, IM)), (by_index, (RE, 0.25, 200)), (nested, (IM, 60))):
        assert "function of elements" in str(jf.jit(function).explain(*arguments)), function.__name__
    for function, arguments in OTHERS:
        assert "function of elements" not in str(jf.jit(function).explain(*arguments)), function.__name__


@pytest.mark.parametrize("iterations", [255, 256, 257, 512, 1000])
def test_loops_of_several_blocks(iterations: int) -> None:
    agree(by_index, (RE, 1e-3, iterations))
    agree(exchanged, (np.arange(5), np.arange(5) * 2, iterations))


def test_a_long_loop_is_interrupted() -> None:
    """Signals are seen between kernels."""
    long = jf.jit(newton)
    x = np.full(100, 2.0)
    long(x, 300)
    with pytest.raises(KeyboardInterrupt):
        run_and_interrupt(lambda: long(x, 1 << 40))
