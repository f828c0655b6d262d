"""Bounds of integers hold for all that NumPy computes, wrapping around included."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import UnsupportedError
from jitframe.functions.integer_ranges import is_never_negative, range_of
from jitframe.ir import ops
from jitframe.ir.interpret import evaluate
from jitframe.ir.node import Graph, Node
from jitframe.ir.types import I8, I16, I64, U8

RANGES = ((-128, 127), (-3, 4), (0, 5), (0, 127), (100, 120), (-120, -100), (0, 0), (-1, -1))
BINARY = (
    ops.add, ops.sub, ops.mul, ops.minimum, ops.maximum, ops.floordiv, ops.floormod,
    ops.bitwise_and, ops.bitwise_or, ops.bitwise_xor,
)  # fmt: skip


def bounded(graph: Graph, index: int, low: int, high: int) -> Node:
    x = graph.parameter(index, (high - low + 1,), I8)
    for op, limit in ((ops.maximum, low), (ops.minimum, high)):
        number = graph.make(ops.broadcast, graph.constant(limit, I8), attributes=(x.shape, ()))
        x = graph.make(op, x, number)
    return x


@pytest.mark.parametrize("op", BINARY, ids=lambda op: op.name)
def test_bounds_hold_for_every_pair(op: object) -> None:
    for (a, b), (c, d) in product(RANGES, RANGES):
        graph = Graph()
        x, y = bounded(graph, 0, a, b), bounded(graph, 1, c, d)
        shape = (*x.shape, *y.shape)
        spread = [graph.make(ops.broadcast, each, attributes=(shape, (k,))) for k, each in enumerate((x, y))]
        node = graph.make(op, *spread)  # type: ignore[arg-type]
        given = {
            graph.parameter(0, x.shape, I8): np.arange(a, b + 1, dtype=np.int8),
            graph.parameter(1, y.shape, I8): np.arange(c, d + 1, dtype=np.int8),
        }
        (values,) = evaluate([node], given)
        low, high = range_of(graph, node)
        assert low <= values.min() and values.max() <= high, (op, a, b, c, d, low, high)
        assert not is_never_negative(graph, node) or values.min() >= 0


def test_what_wraps_around_may_be_anything() -> None:
    graph = Graph()
    x = graph.make(ops.iota, attributes=((200,), 0, I16))
    assert range_of(graph, x) == (0, 199)
    assert range_of(graph, graph.make(ops.mul, x, x)) == (-(1 << 15), (1 << 15) - 1)
    wide = graph.make(ops.cast, x, attributes=(I64,))
    assert range_of(graph, graph.make(ops.mul, wide, wide)) == (0, 199**2)
    assert not is_never_negative(graph, graph.make(ops.cast, x, attributes=(I8,)))
    small = graph.parameter(0, (3,), U8)
    assert is_never_negative(
        graph, graph.make(ops.add, *[graph.make(ops.cast, small, attributes=(I16,))] * 2)
    )
    assert not is_never_negative(graph, graph.make(ops.add, *[bounded(graph, 1, 0, 127)] * 2))


def test_powers_of_exponents_that_may_wrap_around_are_refused(strict: None) -> None:
    @jf.jit
    def power(x: np.ndarray, e: np.ndarray) -> np.ndarray:
        e = e.astype(np.int64)
        return np.asarray(x ** (e * e * e))

    x, small = np.arange(4), np.arange(4, dtype=np.uint8)
    np.testing.assert_array_equal(power(x, small), x ** small.astype(np.int64) ** 3)
    with pytest.raises(UnsupportedError, match="may hold negative ones"):
        power(x, small.astype(np.uint32))


def test_a_lazy_power_looks_at_its_exponents_each_time() -> None:
    x = jf.asarray(np.arange(4))
    for _ in range(4):
        np.testing.assert_array_equal((x ** jf.asarray(np.arange(4))).numpy(), np.arange(4) ** np.arange(4))
        with pytest.raises(UnsupportedError, match="may hold negative ones"):
            x ** jf.asarray(np.arange(4) - 1)
