"""Random graphs on every device: the bits that the interpreter of graphs gives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jitframe.ir import ops
from jitframe.ir.types import BY_NUMPY_NAME, DType
from tests.conformance.devices import Target, meant
from tests.conformance.tables import ULP
from tests.lower.random_graphs import DTYPES, INTEGERS, NARROW, Maker, RandomGraph

FEW, MANY = 12, 400


def check(target: Target, made: RandomGraph) -> None:
    ours = target.run(made.graph, made.outputs, made.arrays)
    theirs = meant(made.graph, made.outputs, made.arrays)
    for node, here, there in zip(made.outputs, ours, theirs, strict=True):
        np.testing.assert_array_equal(here, there, err_msg=str(node))


SETS = (DTYPES, INTEGERS, NARROW)


def graph(target: Target, seed: int, several: tuple[DType, ...] = DTYPES) -> RandomGraph:
    """Of the device's dtypes, and of ops that are exact there: what follows an op may be a comparison."""
    dtypes = tuple(dtype for dtype in several if dtype.numpy_name in target.dtypes)
    inexact = tuple(ops.OPS[name] for name in ULP[target.backend])
    return Maker(seed, dtypes=dtypes, without=inexact, strided=target.device.is_host).make()


_TARGET = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.differing_executors]


@settings(max_examples=FEW, suppress_health_check=_TARGET)
@given(seed=st.integers(0, 1 << 32))
def test_random_graphs(target: Target, seed: int) -> None:
    check(target, graph(target, seed, SETS[seed % 3]))


@pytest.mark.slow
@pytest.mark.timeout(1800)  # PoCL compiles for a second or so for each graph
@settings(max_examples=MANY, suppress_health_check=_TARGET)
@given(seed=st.integers(0, 1 << 32))
def test_many_random_graphs(target: Target, seed: int) -> None:
    check(target, graph(target, seed, SETS[seed % 3]))


def test_the_graphs_have_every_dtype_of_the_device(target: Target) -> None:
    """Over some seeds, so that `test_random_graphs` is what it says."""
    for several in SETS:
        seen = {array.dtype.name for seed in range(60) for array in graph(target, seed, several).arrays}
        assert seen == {name for name in target.dtypes if BY_NUMPY_NAME[name] in several}
