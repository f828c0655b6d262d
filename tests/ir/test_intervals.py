"""Bounds of the integers that ops make of bounded ones."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from jitframe.ir import ops
from jitframe.ir.node import Graph
from jitframe.ir.types import I64

BINARY = [
    ops.add, ops.sub, ops.mul, ops.floordiv, ops.floormod, ops.minimum, ops.maximum, ops.bitwise_and,
    ops.bitwise_or, ops.bitwise_xor, ops.shift_left, ops.shift_right,
]  # fmt: skip
SPANS = [(low, high) for low in (-9, -4, -1, 0, 1, 3, 7) for high in (-9, -4, -1, 0, 1, 3, 7) if low <= high]


@pytest.mark.parametrize("op", BINARY, ids=lambda op: op.name)
def test_results_of_bounded_integers_are_bounded(op):
    graph = Graph()
    node = graph.make(op, graph.parameter(0, (), I64), graph.parameter(1, (), I64))
    for x, y in itertools.product(SPANS, SPANS):
        least, greatest = op.interval(node, x, y)
        if op.name.startswith("shift") and y[0] < 0:
            continue
        values = [np.arange(low, high + 1, dtype=np.int64) for low, high in (x, y)]
        with np.errstate(all="ignore"):
            found = op.reference([values[0][:, None], values[1][None]], (), node)
        assert least <= found.min() and found.max() <= greatest, (op.name, x, y)


def test_halves_of_sums_of_bounded_integers_are_bounded_alike():
    graph = Graph()
    node = graph.make(ops.floordiv, graph.parameter(0, (), I64), graph.parameter(1, (), I64))
    assert ops.floordiv.interval(node, (-20, 20), (2, 2)) == (-10, 10)
    assert ops.shift_right.interval(node, (-20, 20), (1, 3)) == (-10, 10)
    assert ops.abs.interval(node, (3, 5)) == (3, 5)
