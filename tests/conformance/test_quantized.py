"""Products of a few vectors with a quantized matrix: groups of several vectors of lanes, and parts of one."""

from __future__ import annotations

import numpy as np
import pytest

from jitframe.ir import ops
from jitframe.ir.node import Graph, Node
from tests.conformance.check import Case, outcomes
from tests.conformance.devices import THOROUGHLY, Target


def built(count: int, units: int) -> Case:
    def build(graph: Graph, given: list[Node]) -> Node:
        node = graph.make(ops.dequantized_dot, *given, attributes=(count, units))
        return graph.make(ops.item, node, attributes=(0,))

    return Case("dequantized_dot", build)


def operands(count: int, units: int, packed: bool) -> list[np.ndarray]:
    """19 rows: the last ones fill no group of rows."""
    random, rows, places = np.random.default_rng(3), 19, 8 if packed else 1
    total = 3 * max(units, 16)
    x = random.normal(size=(count, total * places)).astype(np.float32)
    q = random.integers(0, 256, (rows, total * (4 if packed else 1))).astype(np.uint8)
    scale = random.uniform(0.5, 1.5, (rows, total // units)).astype(np.float32)
    return [x, q if packed else q.view(np.int8), scale]


@THOROUGHLY
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("units", [4, 16, 32])
def test_products_on_devices(target: Target, packed: bool, units: int, thorough: bool) -> None:
    for count in (1, 3, 8) if target.tries_all(thorough) else (3,):
        arrays = operands(count, units, packed)
        for outcome in outcomes(target, [built(count, units)], arrays):
            assert outcome.ours is not None, outcome.refusal
            theirs = np.asarray(outcome.theirs)
            np.testing.assert_allclose(outcome.ours, theirs, rtol=0, atol=1e-5 * abs(theirs).max())
