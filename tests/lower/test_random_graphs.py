"""What is compiled equals what is meant, bit for bit, on random graphs with odd sizes and strides."""

from __future__ import annotations

from collections import OrderedDict

import numpy as np
import pytest

from jitframe.codegen.plan.bind import scalar_bits
from jitframe.compilation import evaluate as evaluation
from jitframe.compilation.evaluate import prepare, run
from jitframe.ir.interpret import evaluate
from jitframe.ir.passes import groups

from .random_graphs import Maker, RandomGraph


def compiled(made: RandomGraph) -> list[np.ndarray]:
    ready = prepare(made.outputs, made.strides)
    bits = {node.attributes[0]: scalar_bits(value, node.dtype) for node, value in made.scalars}
    scalars = [bits.get(index, 0) for index in range(len(made.graph.scalar_values))]
    buffers = run(ready, [array.ctypes.data for array in made.arrays], scalars)
    return [
        buffer.ndarray(node.dtype.numpy_name, node.shape)
        for buffer, node in zip(buffers, made.outputs, strict=True)
    ]


def meant(made: RandomGraph) -> list[np.ndarray]:
    given = dict(zip(made.parameters, made.arrays, strict=True))
    given.update({node: np.asarray(value, node.dtype.numpy_name) for node, value in made.scalars})
    with np.errstate(all="ignore"):
        return evaluate(made.outputs, given)


def check(seed: int) -> None:
    made = Maker(seed).make()
    for node, ours, theirs in zip(made.outputs, compiled(made), meant(made), strict=True):
        np.testing.assert_array_equal(ours, theirs, err_msg=f"seed {seed}: {node}")


@pytest.mark.parametrize("start", range(0, 200, 20))
def test_compiled_equals_meant(start: int) -> None:
    for seed in range(start, start + 20):
        check(seed)


@pytest.mark.parametrize("start", range(200, 400, 50))
def test_rows_cut_into_blocks(start: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reductions and scans by blocks, of rows as short as those of the graphs."""
    monkeypatch.setattr(groups, "LONG_ROW", 2)
    monkeypatch.setattr(evaluation, "_families", OrderedDict())
    for seed in range(start, start + 50):
        check(seed)
