"""Indices and views, read and written through, equal NumPy's; strides and view-or-copy too."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

from jitframe.arrays.indexing import parse_index
from jitframe.arrays.layout import contiguous_strides
from jitframe.arrays.promotion import from_numpy
from jitframe.arrays.views import View
from jitframe.errors import BoundsError, JitframeError
from jitframe.functions import movement
from jitframe.ir import ops
from jitframe.ir.interpret import evaluate
from jitframe.ir.node import Graph
from jitframe.ir.types import I64
from jitframe.tensors.tensor import Tensor
from tests.functions.compare import tensors

shapes = st.lists(st.integers(0, 5), min_size=0, max_size=4).map(tuple)
positions = st.integers(-7, 7)
items = st.one_of(
    positions,
    st.builds(
        slice,
        st.none() | positions,
        st.none() | positions,
        st.none() | st.sampled_from([-3, -2, -1, 1, 2, 3]),
    ),
    st.none(),
    st.just(Ellipsis),
    positions.map(np.int64),
    positions.map(np.array),
)
view_items = items.filter(lambda item: not isinstance(item, np.ndarray))  # of which NumPy makes copies
indices = items | st.lists(items, max_size=5).map(tuple)

NO_INDEX = (
    "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are "
    "valid indices"
)


def numbered(shape: tuple[int, ...]) -> np.ndarray:
    return np.arange(int(np.prod(shape))).reshape(shape)


def outcome(function: Any) -> Any:
    """The value, or the kind of error and its first line."""
    try:
        return function()
    except (IndexError, ValueError) as error:
        return IndexError if isinstance(error, IndexError) else ValueError, str(error).split("\n")[0]


@given(shapes, indices)
@settings(max_examples=400, deadline=None)
def test_reading(shape: tuple[int, ...], index: Any) -> None:
    array = numbered(shape)
    expected = outcome(lambda: array[index])
    found = outcome(lambda: tensors(array)[index])
    if isinstance(expected, tuple):
        assert found == expected
    else:
        np.testing.assert_array_equal(found.numpy(), expected)
        assert found.shape == np.shape(expected)


@given(shapes, indices, st.integers(0, 3), st.data())
@settings(max_examples=400, deadline=None)
def test_writing(shape: tuple[int, ...], index: Any, dropped: int, data: st.DataObject) -> None:
    array = numbered(shape)
    target = outcome(lambda: np.shape(array[index]))
    if target[:1] == (IndexError,):
        with pytest.raises(BoundsError) as caught:
            tensors(array)[index] = 0
        assert str(caught.value).split("\n")[0] == target[1]
        return
    # Values of fewer axes, of extents 1, and of the wrong extent.
    value_shape = tuple(
        data.draw(st.sampled_from([extent, 1, extent, extent, extent + 1])) for extent in target[dropped:]
    )
    value = -1 - np.arange(int(np.prod(value_shape)), dtype="f8").reshape(value_shape)
    tensor = tensors(array)
    refused = outcome(lambda: array.__setitem__(index, value))
    if refused is not None:
        with pytest.raises(ValueError, match="could not broadcast") as wrong:
            tensor[index] = value
        assert str(wrong.value).split("\n")[0].rstrip() == refused[1].rstrip()
        return
    tensor[index] = value
    np.testing.assert_array_equal(tensor.numpy(), array)


@st.composite
def paths(draw: st.DrawFn, writable: bool) -> tuple[np.ndarray, View, np.ndarray]:
    """An array, a path of views, and what NumPy shows through it."""
    array = numbered(draw(shapes))
    seen, view = array, View.of(array.shape)
    for _ in range(draw(st.integers(0, 4))):
        kind = draw(
            st.sampled_from(["index", "transpose", "reshape", "flip", *([] if writable else ["broadcast"])])
        )
        if kind == "index":
            index = tuple(draw(st.lists(view_items, max_size=4)))
            try:
                after = seen[index if Ellipsis in index else (*index, ...)]
            except IndexError:
                continue
            step = parse_index(index, seen.shape)
        elif kind == "transpose":
            axes = tuple(draw(st.permutations(range(seen.ndim))))
            after, step = seen.transpose(axes), movement.transpose(seen.shape, axes)
        elif kind == "flip":
            if not seen.ndim:
                continue  # NumPy makes a scalar of it
            after, step = np.flip(seen), movement.flip(seen.shape)
        elif kind == "broadcast":
            wanted = (2, *(3 if extent == 1 else extent for extent in seen.shape))
            after, step = np.broadcast_to(seen, wanted), movement.broadcast_to(seen.shape, wanted)
        else:
            sizes = [factor for factor in range(1, seen.size + 1) if seen.size % factor == 0] or [0]
            wanted = (draw(st.sampled_from(sizes)), -1) if seen.size else (3, 0)
            after, step = seen.reshape(wanted), movement.reshape(seen.shape, wanted)
            if writable and seen.size and not np.shares_memory(after, seen):
                continue
        seen, view = after, view.join(step)
    return array, view, seen


@given(paths(writable=False))
@settings(max_examples=300, deadline=None)
def test_paths_show_what_numpy_shows(path: tuple[np.ndarray, View, np.ndarray]) -> None:
    array, view, seen = path
    graph = Graph()
    base = graph.parameter(0, array.shape, I64)
    assert view.shape == seen.shape
    np.testing.assert_array_equal(evaluate([view.apply(graph, base)], {base: array})[0], seen)


@given(paths(writable=True))
@settings(max_examples=300, deadline=None)
def test_paths_are_written_through(path: tuple[np.ndarray, View, np.ndarray]) -> None:
    array, view, seen = path
    graph = Graph()
    base, value = graph.parameter(0, array.shape, I64), graph.parameter(1, view.shape, I64)
    fresh = -1 - np.arange(seen.size).reshape(seen.shape)
    result = view.update(graph, base, value)
    given_values = {base: array.copy(), value: fresh}
    seen[...] = fresh
    np.testing.assert_array_equal(evaluate([result], given_values)[0], array)


@given(paths(writable=False))
@settings(max_examples=400, deadline=None)
def test_strides_are_numpys(path: tuple[np.ndarray, View, np.ndarray]) -> None:
    array, view, seen = path
    strides = view.strides(contiguous_strides(array.shape, array.itemsize))
    if not seen.size:
        return
    assert (strides is not None) == np.shares_memory(array, seen)
    if strides is None:
        return
    for extent, stride, expected in zip(seen.shape, strides, seen.strides, strict=True):
        assert extent == 1 or stride == expected
    address = array.__array_interface__["data"][0] + view.offset(
        contiguous_strides(array.shape, array.itemsize)
    )
    assert address == seen.__array_interface__["data"][0]


def test_only_written_views_cost_an_update() -> None:
    graph = Graph()
    base = graph.parameter(0, (4, 3), I64)
    value = graph.parameter(1, (4, 3), I64)
    assert parse_index((slice(None), ...), (4, 3)).update(graph, base, value) is value
    assert (
        parse_index(slice(1, 4), (4, 3)).update(graph, base, graph.parameter(2, (3, 3), I64)).op is ops.update
    )
    # A slice that takes all of it by chance is a slice still: the program's structure must not depend on
    # sizes.
    assert parse_index(slice(0, 4), (4, 3)).steps


@pytest.mark.parametrize(
    ("index", "message"),
    [
        (3, "index 3 is out of bounds for axis 0 with size 3"),
        ((0, -5), "index -5 is out of bounds for axis 1 with size 4"),
        ((0, 0, 0), "too many indices for array: array is 2-dimensional, but 3 were indexed"),
        ((..., ...), "an index can only have a single ellipsis ('...')"),
        ("a", NO_INDEX),
        (1.0, NO_INDEX),
    ],
)  # fmt: skip
def test_index_errors(index: Any, message: str) -> None:
    array = np.zeros((3, 4))
    with pytest.raises(IndexError) as numpys:
        array[index]
    with pytest.raises(BoundsError) as ours:
        tensors(array)[index]
    assert str(ours.value).split("\n")[0] == str(numpys.value) == message


def test_other_index_errors() -> None:
    x = tensors(np.zeros((3, 4)))
    for index, kind, message in (
        (slice(None, None, 0), ValueError, "slice step cannot be zero"),
        (slice(1.5), TypeError, "slice indices must be integers or None or have an __index__ method"),
    ):  # fmt: skip
        with pytest.raises(kind) as caught:
            x[index]
        assert isinstance(caught.value, JitframeError)
        assert str(caught.value).split("\n")[0] == message


def test_a_tensor_is_an_index() -> None:
    x = tensors(np.arange(5))
    assert x[x[2]].item() == 2
    assert x[: x[3]].tolist() == [0, 1, 2]


def test_assigned_numbers_convert_as_numpy_does() -> None:
    for dtype in ("int32", "uint8", "float32", "bool"):
        for value in (2.7, True, -1, 300, float("nan"), float("inf"), 1e30, np.float64(2.7), np.int64(300)):
            array = np.zeros(3, dtype)
            tensor: Tensor = tensors(array)
            try:
                with np.errstate(all="ignore"):
                    array[1] = value
            except (ValueError, OverflowError) as error:
                kind = OverflowError if isinstance(error, OverflowError) else ValueError
                with pytest.raises(kind):
                    tensor[1] = value
                continue
            tensor[1] = value
            assert tensor._dtype is from_numpy(dtype)
            if not (isinstance(value, float) and dtype == "uint8"):
                np.testing.assert_array_equal(tensor.numpy(), array)
