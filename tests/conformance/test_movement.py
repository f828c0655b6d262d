"""Views, copies, arrays put together, writes into parts, arrays from nothing: every element at its place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jitframe.arrays.indexing import parse_index
from jitframe.arrays.views import View
from jitframe.functions import creation, joining, movement
from jitframe.ir import ops
from jitframe.ir.node import Graph, Node
from jitframe.ir.types import BF16, BOOL, BY_NUMPY_NAME, F16, F32, I8, I16, I32, U8, U16, DType
from tests.conformance.check import Case, Outcome, different_bits, outcomes, settle
from tests.conformance.devices import ARRAY_DTYPES, THOROUGHLY, Target
from tests.foundations.values import interesting

DTYPES = tuple(dtype.numpy_name for dtype in ARRAY_DTYPES)


def seen(op: str, view: Callable[..., View], *arguments: Any) -> Case:
    """A view of the first parameter, in memory of its own."""

    def build(graph: Graph, given: list[Node]) -> Node:
        return graph.make(ops.copy, view(given[0].shape, *arguments).apply(graph, given[0]))

    return Case(op, build)


def at(*items: Any) -> Case:
    """`x[items]`."""
    return seen("slice", lambda shape: parse_index(items, shape))


def written(*items: Any, transposed: bool = False) -> Case:
    """`x.copy()[items] = y[items]`, through a transposition where that is said."""

    def build(graph: Graph, given: list[Node]) -> Node:
        base, other = given
        view = movement.transpose(base.shape) if transposed else View.of(base.shape)
        view = view.join(parse_index(items, view.shape))
        return view.update(graph, base, view.apply(graph, other))

    return Case("update", build)


def joined(op: Callable[..., Node], *arguments: Any) -> Case:
    """Both parameters, and the first one reversed, put together."""

    def build(graph: Graph, given: list[Node]) -> Node:
        reversed_one = movement.flip(given[0].shape).apply(graph, given[0])
        return op(graph, [*given, reversed_one], *arguments)

    return Case("concatenate", build)


def rolled(shift: int, axis: int | None) -> Case:
    return Case("wrap", lambda graph, given: joining.roll(graph, given[0], shift, axis))


CASES: dict[tuple[int, ...], list[Case]] = {
    (): [
        seen("reshape", movement.reshape, (1, 1)),
        seen("broadcast", movement.broadcast_to, (3, 4)),
        joined(joining.stack),
        Case("copy", lambda graph, given: graph.make(ops.copy, given[0])),
    ],
    (4097,): [
        at(slice(None, None, -1)), at(slice(None, None, 3)), at(slice(5, 5)), at(slice(-1, 0, -2)), at(-1),
        at(slice(1, None)), seen("broadcast", movement.broadcast_to, (3, 4097)),
        seen("window", movement.sliding_window, 7),
        seen("reshape", movement.reshape, (17, -1)), written(slice(2, None, 5)),
        written(slice(None, None, -3)), written(7), written(slice(0, 0)), rolled(7, None),
        joined(joining.concatenate), joined(joining.stack, 1),
    ],
    (129, 67): [
        seen("permute", movement.transpose), seen("reshape", movement.reshape, (67, 129)),
        seen("window", movement.diagonal, 3), seen("window", movement.sliding_window, (2, 5)),
        seen("reshape", lambda shape: movement.transpose(shape).join(movement.ravel(shape[::-1]))),
        at(slice(3, 100, 7), slice(None, None, -1)), at(slice(None), 5), at(-1, slice(1, -1)),
        written(slice(1, -1), slice(1, -1)), written(slice(None, None, 2), -1),
        written(slice(0, 67), slice(None, None, -2), transposed=True), joined(joining.concatenate, 1),
        joined(joining.stack, 0), rolled(-3, 1),
    ],
    (6, 33, 5): [
        seen("permute", movement.transpose, (2, 0, 1)), seen("permute", movement.swapaxes, 0, 1),
        seen("permute", movement.moveaxis, 0, 2), seen("slice", movement.flip, (0, 2)),
        at(slice(None), None, slice(4, None, -2)), joined(joining.concatenate, 1),
    ],
    (2, 3, 4, 5): [
        seen("permute", movement.transpose, (3, 1, 0, 2)), seen("permute", movement.transpose),
        seen("reshape", movement.reshape, (6, 20)), at(..., slice(None, None, -1), 2), at(0, -1, 1),
        written(1, slice(None), slice(1, 3), slice(None, None, -1)),
    ],
    (0, 7): [
        seen("permute", movement.transpose), at(slice(None), slice(2, 5)), joined(joining.concatenate, 0),
    ],
}  # fmt: skip
FEW: dict[tuple[int, ...], list[Case]] = {
    (129, 67): [
        seen("permute", movement.transpose), at(slice(3, 100, 7), slice(None, None, -1)),
        written(slice(1, -1), slice(1, -1)), joined(joining.concatenate, 1),
    ],
    (6, 33, 5): CASES[6, 33, 5][:2],
}  # fmt: skip


@THOROUGHLY
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_element_is_at_its_place(target: Target, dtype: str, thorough: bool) -> None:
    target.require(dtype)
    for shape, cases in (CASES if target.tries_all(thorough, dtype) else FEW).items():
        values = np.random.default_rng(2).permutation(interesting(dtype))
        arrays = np.resize(values, shape), np.resize(values[::-1], shape)
        settle(target, dtype, outcomes(target, cases, arrays), arrays, bits)


def bits(_target: Target, outcome: Outcome, _arrays: Any) -> str:
    assert outcome.ours is not None
    return different_bits(outcome.ours, outcome.theirs)


def iota(shape: tuple[int, ...], axis: int, dtype: Any) -> Case:
    return Case("iota", lambda graph, _given: creation.iota(graph, shape, axis, dtype))


@pytest.mark.parametrize("dtype", [name for name in DTYPES if name != "bool"])
def test_arrays_from_nothing(target: Target, dtype: str) -> None:
    target.require(dtype)
    kind = BY_NUMPY_NAME[dtype]
    cases = [
        iota((257,), 0, kind), iota((33, 5), 0, kind), iota((2, 3, 4), 1, kind),
        Case("full", lambda graph, _given: creation.full(graph, (3, 67), 113, kind)),
        Case("eye", lambda graph, _given: creation.eye(graph, 5, 7, 1, kind)),
    ]  # fmt: skip
    settle(target, dtype, outcomes(target, cases, ()), (), bits)


def test_several_dtypes_in_one_kernel(target: Target) -> None:
    """Elements of one, four and, where the device has them, eight bytes side by side."""
    kinds = [BOOL, U8, I32, F32, *(kind for kind in ARRAY_DTYPES if kind.bits == 64)]
    _add_up(target, [kind for kind in kinds if kind.numpy_name in target.dtypes], 4)


def test_narrow_dtypes_in_one_kernel(target: Target) -> None:
    """Elements of one and two bytes, which some devices pack into words."""
    kinds = [I8, I16, U16, F16, BF16, F32]
    assert {kind.numpy_name for kind in kinds} <= set(target.dtypes)
    _add_up(target, kinds, 6)


def _add_up(target: Target, kinds: list[DType], count: int) -> None:
    """The first `count` dtypes' arrays added in float32, and cast to each dtype."""
    values = np.arange(1003) % 101
    arrays = tuple(values.astype(kind.numpy_name) for kind in kinds[:count])

    def mixed(kind: Any) -> Case:
        def build(graph: Graph, given: list[Node]) -> Node:
            wide = [graph.make(ops.cast, each, attributes=(F32,)) for each in given if each.dtype is not F32]
            total = given[-1]
            for each in wide:
                total = graph.make(ops.add, total, each)
            return total if kind is F32 else graph.make(ops.cast, total, attributes=(kind,))

        return Case("cast", build)

    made = outcomes(target, [mixed(kind) for kind in kinds], arrays)
    settle(target, "mixed", [_in_range(each) for each in made], arrays, bits)


def _in_range(outcome: Outcome) -> Outcome:
    """Without the sums that an 8-bit result cannot hold, for which NumPy's cast has no one value."""
    if outcome.ours is None or outcome.theirs.dtype.itemsize > 1 or outcome.theirs.dtype == bool:
        return outcome
    return Outcome(outcome.case, outcome.ours[:20], outcome.theirs[:20])
