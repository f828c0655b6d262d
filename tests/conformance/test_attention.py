"""Attention on devices: heads that share keys, masks, windows, and more keys than a block has."""

from __future__ import annotations

import numpy as np
import pytest

from jitframe.functions.attention import attention
from jitframe.functions.operands import spread
from jitframe.ir.node import Graph, Node
from tests.conformance.check import Case, outcomes
from tests.conformance.devices import THOROUGHLY, Target

TOLERANCES = {"float16": 2e-3, "bfloat16": 2e-2, "float32": 2e-6, "float64": 1e-12}


def built(first: int | None, width: int | None, masked: bool) -> Case:
    def build(graph: Graph, given: list[Node]) -> Node:
        q, keys, values, mask = given
        seen = spread(graph, mask, (*q.shape[:4], keys.shape[2])) if masked else None
        return attention(graph, q, keys, values, 0.3, first, width, seen)

    return Case("attention", build)


CASES = [
    built(first, width, masked)
    for first, width in ((None, None), (5, None), (300, 40), (0, 1))
    for masked in (False, True)
]


@THOROUGHLY
@pytest.mark.parametrize("kind", ["bool", "float"])
@pytest.mark.parametrize("dtype", TOLERANCES)
def test_attention_on_devices(target: Target, dtype: str, kind: str, thorough: bool) -> None:
    """Few queries and more than a tile has; a NaN reaches the queries that see it alone."""
    target.require(dtype)
    numbers = np.random.default_rng(4)
    for queries in (3, 70) if target.tries_all(thorough) else (9,):
        shapes = ((1, 2, 2, queries, 5), (1, 2, 310, 5), (1, 2, 310, 7))
        arrays = [np.asarray(numbers.normal(size=shape), dtype) for shape in shapes]
        arrays[1][0, 1, 280, 2] = np.nan
        wide = {"float16": "float32", "bfloat16": "float32"}.get(dtype, dtype)
        mask = numbers.normal(size=(queries, 310)).astype(wide)
        mask[1] = -np.inf
        arrays.append(mask if kind == "float" else mask > 0)
        for outcome in outcomes(target, CASES if target.tries_all(thorough) else CASES[4:6], arrays):
            assert outcome.ours is not None, outcome.refusal
            assert outcome.ours.dtype == outcome.theirs.dtype
            ours, theirs = (np.asarray(each, "f8") for each in (outcome.ours, outcome.theirs))
            np.testing.assert_allclose(ours, theirs, rtol=TOLERANCES[dtype], atol=TOLERANCES[dtype])
