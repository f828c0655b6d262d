"""Reductions over each axis and all: integers and extremes exactly, float sums with the processor's bits."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest

from jitframe.functions import nan_reductions, reductions, searching
from jitframe.ir import ops
from jitframe.ir.types import I32, I64
from tests.conformance.check import Case, Outcome, different_bits, outcomes, settle
from tests.conformance.devices import ARRAY_DTYPES, THOROUGHLY, Target, require

INTEGERS = tuple(dtype.numpy_name for dtype in ARRAY_DTYPES if dtype.is_integer)
FLOATS = tuple(dtype.numpy_name for dtype in ARRAY_DTYPES if dtype.is_float)
SUMMED = ("float32", "float64")
"""Functions sum 16-bit floats in float32."""

SHAPES: dict[tuple[int, ...], list[tuple[int, ...]]] = {
    (1,): [(0,)], (31,): [(0,)], (33,): [(0,)], (257,): [(0,)], (4097,): [(0,)], (70_001,): [(0,)],
    (300_007,): [(0,)],
    (3, 5): [(0,), (1,), (0, 1)], (129, 257): [(0,), (1,), (0, 1)], (5, 4097): [(0,), (1,), (0, 1)],
    (4097, 3): [(0,), (1,), (0, 1)], (2, 70_003): [(0,), (1,)], (70_003, 2): [(0,), (1,)],
    (0, 4): [(0,), (1,), (0, 1)], (4, 0): [(0,), (1,)],
    (5, 7, 33): [(0,), (1,), (2,), (0, 2), (0, 1, 2)], (2, 3, 4, 37): [(1, 3), (0, 1, 2, 3)],
}  # fmt: skip
"""For each shape the axes that are reduced."""
FEW = ((33,), (129, 257))
SOME = (*FEW, (70_001,), (2, 70_003), (70_003, 2), (5, 7, 33))


def reduced(kind: str, axes: tuple[int, ...]) -> Case:
    return Case(
        f"reduce {kind}", lambda graph, given: graph.make(ops.reduce, *given, attributes=(kind, axes))
    )


def cases(kinds: Sequence[str], shape: tuple[int, ...]) -> list[Case]:
    return [reduced(kind, axes) for axes in SHAPES[shape] for kind in kinds]


def all_kinds(
    target: Target, kinds: Sequence[str], shape: tuple[int, ...], arrays: Sequence[np.ndarray]
) -> list[Outcome]:
    """Those over the same axes are one program, in which they share their loops."""
    by_axes = [[reduced(kind, axes) for kind in kinds] for axes in SHAPES[shape]]
    return [outcome for several in by_axes for outcome in outcomes(target, several, arrays)]


def found(shape: tuple[int, ...]) -> list[Case]:
    """Positions over the same axes, none of them empty."""

    def finding(kind: str, axes: tuple[int, ...]) -> Case:
        dtype = I32 if kind == "argmin" else I64
        return Case(
            f"find {kind}", lambda graph, given: graph.make(ops.find, *given, attributes=(kind, axes, dtype))
        )

    nonempty = [axes for axes in SHAPES[shape] if all(shape[axis] for axis in axes)]
    return [finding(kind, axes) for axes in nonempty for kind in ("argmax", "argmin")]


def prefixes(shape: tuple[int, ...], kinds: Sequence[str]) -> list[Case]:
    """Scans along each axis."""

    def scanning(kind: str, axis: int) -> Case:
        return Case(
            f"scan {kind}", lambda graph, given: graph.make(ops.scan, *given, attributes=(kind, axis))
        )

    return [scanning(kind, axis) for axis in range(len(shape)) for kind in kinds]


def _position_shapes(target: Target, dtype: str, thorough: bool) -> Sequence[tuple[int, ...]]:
    if thorough or (target.device.is_host and target.tries_all(thorough, dtype)):
        return tuple(SHAPES)
    return FEW if target.tries_all(thorough, dtype) else FEW[-1:]


def mixed(dtype: str, shape: tuple[int, ...]) -> np.ndarray:
    """Values of many sizes; integers use their whole range, so that sums and products wrap."""
    random = np.random.default_rng(len(shape))
    if dtype == "bool":
        return random.random(shape) < 0.9
    if dtype in INTEGERS:
        return random.integers(*_range(dtype), shape, dtype, endpoint=True)
    return (random.standard_normal(shape) * 10.0 ** random.integers(-3, 4, shape)).astype(dtype)


def _range(dtype: str) -> tuple[int, int]:
    return np.iinfo(dtype).min, np.iinfo(dtype).max


def bits(_target: Target, outcome: Outcome, _arrays: Sequence[np.ndarray]) -> str:
    assert outcome.ours is not None
    return different_bits(outcome.ours, outcome.theirs)


@THOROUGHLY
@pytest.mark.parametrize("dtype", INTEGERS)
def test_integers_exactly(target: Target, dtype: str, thorough: bool) -> None:
    target.require(dtype)
    for shape in SHAPES if target.tries_all(thorough, dtype) else FEW:
        arrays = (mixed(dtype, shape),)
        kinds = ("sum", "prod", "max", "min", "bit_xor", *(("bit_and", "bit_or") if thorough else ()))
        found = all_kinds(target, kinds, shape, arrays)
        settle(target, dtype, found, arrays, bits)


@THOROUGHLY
@pytest.mark.parametrize("dtype", INTEGERS)
def test_positions_exactly(target: Target, dtype: str, thorough: bool) -> None:
    """The first of equal elements: there are few different ones."""
    target.require(dtype)
    for shape in _position_shapes(target, dtype, thorough):
        arrays = (np.random.default_rng(3).integers(0, 50, shape).astype(dtype),)
        settle(target, dtype, outcomes(target, found(shape), arrays), arrays, bits)


@THOROUGHLY
@pytest.mark.parametrize("dtype", FLOATS)
def test_positions_in_numpys_order(target: Target, dtype: str, thorough: bool) -> None:
    """NaN before all, zeros of both signs equal, subnormals told apart."""
    target.require(dtype)
    for shape in _position_shapes(target, dtype, thorough):
        if 0 in shape:
            continue
        values = (
            np.random.default_rng(2).choice(np.array([0.0, -0.0, 1e-45, -1e-45, 1.0]), shape).astype(dtype)
        )
        values[np.random.default_rng(5).random(shape) < 0.0005] = np.nan
        wanted = [(name, axis) for axis in (None, len(shape) - 1, 0) for name in ("argmax", "argmin")]

        def position(name: str, axis: int | None) -> Case:
            function = getattr(searching, name)
            return Case(f"find {name}", lambda graph, given: function(graph, given[0], axis))

        several = outcomes(target, [position(*each) for each in wanted], (values,))
        for (name, axis), outcome in zip(wanted, several, strict=True):
            assert np.array_equal(outcome.theirs, getattr(np, name)(values, axis=axis))
        settle(target, dtype, several, (values,), bits)


@THOROUGHLY
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_extremes_of_numbers_exactly(target: Target, dtype: str, thorough: bool) -> None:
    """Among NaNs, of which some rows hold nothing else; infinities and zeros of both signs."""
    target.require(dtype)

    def extreme(name: str, axis: int | None) -> Case:
        function = getattr(nan_reductions, name)
        return Case(name, lambda graph, given: function(graph, given[0], axis))

    for shape in _position_shapes(target, dtype, thorough):
        if 0 in shape:
            continue
        random = np.random.default_rng(4)
        values = random.choice(np.array([np.nan, np.nan, 0.0, -0.0, -np.inf, -1e-7, -3.5, 2.25]), shape)
        values[0] = np.nan
        values.flat[-1] = np.inf
        arrays = (values.astype(dtype),)
        wanted = [(name, axis) for axis in (None, len(shape) - 1, 0) for name in ("nanmax", "nanmin")]
        several = outcomes(target, [extreme(*each) for each in wanted], arrays)
        settle(target, dtype, several, arrays, bits)
        for outcome, (name, axis) in zip(several, wanted, strict=True):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", RuntimeWarning)
                numpys = getattr(np, name)(arrays[0], axis=axis)
            np.testing.assert_array_equal(outcome.theirs, numpys)


@THOROUGHLY
@pytest.mark.parametrize("dtype", INTEGERS)
def test_prefixes_of_integers_exactly(target: Target, dtype: str, thorough: bool) -> None:
    target.require(dtype)
    for shape in _position_shapes(target, dtype, thorough):
        arrays = (mixed(dtype, shape),)
        cases = prefixes(shape, ("sum", "prod", "max", "min") if thorough else ("sum", "max"))
        settle(target, dtype, outcomes(target, cases, arrays), arrays, bits)


@cache
def _prefixes_on_the_processor(dtype: str, shape: tuple[int, ...]) -> list[np.ndarray]:
    found = outcomes(require("cpu"), prefixes(shape, ("sum",)), (mixed(dtype, shape),))
    return [outcome.ours for outcome in found if outcome.ours is not None]


@THOROUGHLY
@pytest.mark.parametrize("dtype", FLOATS)
def test_prefixes_have_the_processors_bits(target: Target, dtype: str, thorough: bool) -> None:
    """And those are compared with NumPy's in `tests/functions/test_scans.py`."""
    target.require(dtype)
    for shape in (*_position_shapes(target, dtype, thorough), (2, 70_003), (70_003, 2)):
        arrays = (mixed(dtype, shape),)
        found = outcomes(target, prefixes(shape, ("sum",)), arrays)
        known = _prefixes_on_the_processor(dtype, shape)
        expected = [
            Outcome(outcome.case, outcome.ours, there, outcome.refusal)
            for outcome, there in zip(found, known, strict=True)
        ]
        settle(target, dtype, expected, arrays, bits)


@THOROUGHLY
def test_bools(target: Target, thorough: bool) -> None:
    for shape in SHAPES if target.tries_all(thorough) else FEW:
        arrays = (mixed("bool", shape),)
        found = all_kinds(target, ("all", "any", "max", "min"), shape, arrays)
        settle(target, "bool", found, arrays, bits)


@THOROUGHLY
@pytest.mark.parametrize("dtype", FLOATS)
def test_extremes_keep_nan_and_infinities(target: Target, dtype: str, thorough: bool) -> None:
    target.require(dtype)
    for shape in SHAPES if target.tries_all(thorough, dtype) else FEW:
        values = mixed(dtype, shape)
        special = np.random.default_rng(9).random(shape)
        values[special < 0.0002] = np.nan
        values[special > 0.999] = np.inf
        values[special > 0.9995] = -np.inf
        settle(target, dtype, all_kinds(target, ("max", "min"), shape, (values,)), (values,), bits)


def _moderate(kind: str, dtype: str, shape: tuple[int, ...]) -> np.ndarray:
    """Values of many sizes for a sum; for a product such that none of its parts leaves the range."""
    if kind == "sum":
        return mixed(dtype, shape)
    count = max(float(np.prod(shape)), 1.0)
    return np.exp(np.random.default_rng(4).standard_normal(shape) * 3 / np.sqrt(count)).astype(dtype)


@cache
def _on_the_processor(kind: str, dtype: str, shape: tuple[int, ...]) -> list[np.ndarray]:
    """What the processor makes of the float sums or products of a shape."""
    found = outcomes(require("cpu"), cases((kind,), shape), (_moderate(kind, dtype, shape),))
    return [outcome.ours for outcome in found if outcome.ours is not None]


@THOROUGHLY
@pytest.mark.parametrize("dtype", SUMMED)
@pytest.mark.parametrize("kind", ["sum", "prod"])
def test_sums_have_the_processors_bits(target: Target, kind: str, dtype: str, thorough: bool) -> None:
    """And those lie as near to the true sum as `test_sums_are_accurate` says."""
    target.require(dtype)
    few = SOME if (dtype, kind) == ("float32", "sum") else FEW
    for shape in SHAPES if target.tries_all(thorough) else few:
        arrays = (_moderate(kind, dtype, shape),)
        found = outcomes(target, cases((kind,), shape), arrays)
        known = _on_the_processor(kind, dtype, shape)
        assert len(known) == len(found)
        expected = [
            Outcome(outcome.case, outcome.ours, there, outcome.refusal)
            for outcome, there in zip(found, known, strict=True)
        ]
        settle(target, dtype, expected, arrays, bits)


@pytest.mark.parametrize("dtype", SUMMED)
@pytest.mark.parametrize("kind", ["sum", "prod"])
def test_sums_are_accurate(kind: str, dtype: str) -> None:
    """The processor's sums and products, by which the other devices' are measured."""
    eps = float(np.finfo(dtype).eps)
    for shape, several in SHAPES.items():
        values = _moderate(kind, dtype, shape).astype(np.longdouble)
        for axes, ours in zip(several, _on_the_processor(kind, dtype, shape), strict=True):
            count = float(np.prod([values.shape[axis] for axis in axes]))
            true = values.sum(axes) if kind == "sum" else values.prod(axes)
            bound = 2 * np.sqrt(count) * eps * np.abs(values).sum(axes)
            bound = bound if kind == "sum" else (count + 1) * eps * np.abs(true)
            assert (np.abs(ours - true) <= bound).all(), (shape, axes)


@pytest.mark.parametrize("dtype", ["int16", "int32", "float16", "float32", "float64"])
def test_numpys_reductions(target: Target, dtype: str) -> None:
    """What is composed of reductions: means, ranges, keepdims, counts. Exact where it is integers."""
    target.require(dtype)
    arrays = (np.random.default_rng(1).integers(0, 17, (33, 129)).astype(dtype),)
    made = [
        Case("reduce max", lambda graph, given: reductions.ptp(graph, given[0], 1)),
        Case("reduce min", lambda graph, given: reductions.min_(graph, given[0], 0, keepdims=True)),
        Case("reduce any", lambda graph, given: reductions.any_(graph, given[0], 1)),
        Case("reduce all", lambda graph, given: reductions.all_(graph, given[0])),
    ]
    settle(target, dtype, outcomes(target, made, arrays), arrays, bits)
