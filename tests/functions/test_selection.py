"""Indexing with arrays of positions and masks, read and written, equals NumPy's: values, shapes, errors."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import jitframe as jf
from jitframe.errors import BoundsError, JitframeError
from tests.functions.compare import tensors
from tests.functions.test_indexing import numbered, outcome

positions = st.integers(-4, 4)
slices = st.builds(slice, st.none() | positions, st.none() | positions, st.sampled_from([None, 1, 2, -1, -2]))
index_shapes = st.sampled_from([(), (0,), (1,), (2,), (3,), (2, 1), (1, 3), (2, 3)])
dtypes = st.sampled_from([np.int64, np.int32, np.uint8])


@st.composite
def index_arrays(draw: st.DrawFn) -> np.ndarray:
    shape, dtype = draw(index_shapes), draw(dtypes)
    least = 0 if dtype is np.uint8 else -4
    size = int(np.prod(shape))
    values = draw(st.lists(st.integers(least, 3), min_size=size, max_size=size))
    return np.array(values, dtype).reshape(shape)


@st.composite
def selections(draw: st.DrawFn) -> tuple[tuple[int, ...], Any]:
    """A shape, and an index with arrays and masks among other items."""
    shape = tuple(draw(st.lists(st.integers(0, 4), min_size=1, max_size=4)))
    items: list[Any] = []
    axis = 0
    dots = draw(st.booleans())
    while axis < len(shape):
        kind = draw(st.sampled_from(["array", "array", "mask", "slice", "int", "new", "rest", "list"]))
        if kind == "rest":
            break
        if kind == "new":
            items.append(None)
            continue
        if kind == "mask":
            rank = draw(st.integers(0, min(2, len(shape) - axis)))
            extents = shape[axis : axis + rank]
            if draw(st.integers(0, 9)) == 0:
                extents = tuple(extent + 1 for extent in extents)
            size = int(np.prod(extents))
            flags = draw(st.lists(st.booleans(), min_size=size, max_size=size))
            items.append(np.array(flags, bool).reshape(extents))
            axis += rank
            continue
        if kind == "array":
            items.append(draw(index_arrays()))
        elif kind == "list":
            items.append(draw(st.lists(st.integers(-3, 3), max_size=3)))
        elif kind == "slice":
            items.append(draw(slices))
        else:
            items.append(draw(st.integers(-4, 4)))
        axis += 1
    if dots:
        items.insert(draw(st.integers(0, len(items))), ...)
    return shape, items[0] if len(items) == 1 and draw(st.booleans()) else tuple(items)


def lazily(index: Any, lazy: bool) -> Any:
    """The index with its arrays as tensors."""
    if not lazy:
        return index
    if isinstance(index, tuple):
        return tuple(lazily(item, True) for item in index)
    return tensors(index) if isinstance(index, np.ndarray) else index


def same_error(found: Any, expected: Any) -> None:
    """The same kind; the same text but for the index named, where several are out of bounds."""
    assert isinstance(found, tuple) and found[0] is expected[0], (found, expected)
    if "is out of bounds" not in expected[1]:
        assert found[1].rstrip() == expected[1].rstrip()


EXAMPLES = {"few": 25, "many": pytest.param(500, marks=pytest.mark.slow)}
"""Every structure is compiled; the default run has a few."""


@pytest.mark.parametrize("examples", EXAMPLES.values(), ids=EXAMPLES)
def test_reading(examples: int) -> None:
    settings(max_examples=examples, deadline=None)(given(selections(), st.booleans())(check_reading))()


def check_reading(given_: tuple[tuple[int, ...], Any], lazy: bool) -> None:
    shape, index = given_
    array = numbered(shape)
    expected = outcome(lambda: array[index])
    found = outcome(lambda: tensors(array)[lazily(index, lazy)].numpy())
    if isinstance(expected, tuple):
        same_error(found, expected)
        return
    np.testing.assert_array_equal(found, expected)
    assert found.shape == np.shape(expected)


@pytest.mark.parametrize("examples", EXAMPLES.values(), ids=EXAMPLES)
def test_writing(examples: int) -> None:
    drawn = given(selections(), st.booleans(), st.integers(0, 3), st.data())
    settings(max_examples=examples, deadline=None)(drawn(check_writing))()


def check_writing(given_: Any, lazy: bool, dropped: int, data: st.DataObject) -> None:
    shape, index = given_
    array = numbered(shape)
    target = outcome(lambda: np.shape(array[index]))
    if target[:1] == (IndexError,):
        tensor = tensors(array)

        def write() -> None:
            tensor[lazily(index, lazy)] = 0
            tensor.numpy()

        same_error(outcome(write), target)
        return
    value_shape = tuple(data.draw(st.sampled_from([extent, 1, extent])) for extent in target[dropped:])
    value = -1 - np.arange(int(np.prod(value_shape)), dtype="f8").reshape(value_shape)
    tensor = tensors(array)
    array[index] = value
    tensor[lazily(index, lazy)] = value
    np.testing.assert_array_equal(tensor.numpy(), array)


@pytest.mark.parametrize("examples", EXAMPLES.values(), ids=EXAMPLES)
def test_changing_in_place_counts_each_place_once(examples: int) -> None:
    settings(max_examples=examples, deadline=None)(given(selections())(check_changing))()


def check_changing(given_: tuple[tuple[int, ...], Any]) -> None:
    shape, index = given_
    array = numbered(shape)
    if isinstance(outcome(lambda: array[index]), tuple):
        return
    tensor = tensors(array)
    array[index] += 10
    tensor[index] += 10
    np.testing.assert_array_equal(tensor.numpy(), array)


def test_the_last_of_several_wins() -> None:
    places = np.random.default_rng(0).integers(-50, 50, 100_000)
    expected, tensor = np.zeros(50), tensors(np.zeros(50))
    expected[places] = np.arange(100_000.0)
    tensor[places] = np.arange(100_000.0)
    np.testing.assert_array_equal(tensor.numpy(), expected)
    rows, by_rows = np.zeros((50, 3)), tensors(np.zeros((50, 3)))
    rows[places] = np.arange(300_000.0).reshape(-1, 3)
    by_rows[places] = np.arange(300_000.0).reshape(-1, 3)
    np.testing.assert_array_equal(by_rows.numpy(), rows)


@pytest.mark.parametrize(
    "index",
    [
        [0, 5],
        (slice(None), [1, -9]),
        (0, np.array([7])),
        ([0, 1], [0, 1, 2]),
        np.ones((3, 4), bool),
        (np.array([True, False]),),
        np.array([1.5]),
        ([0], [0], [0]),
    ],
)
def test_errors_are_numpys(index: Any) -> None:
    array = np.zeros((3, 5))
    with pytest.raises(IndexError) as numpys:
        array[index]
    with pytest.raises(BoundsError) as ours:
        tensors(array)[index]
    assert str(ours.value).split("\n")[0] == str(numpys.value)


def test_positions_of_a_tensor_are_looked_at_when_it_is_read() -> None:
    x = tensors(np.zeros((3, 5)))
    chosen = x[:, tensors(np.array([1, -9])) * 1]
    with pytest.raises(BoundsError) as caught:
        chosen.numpy()
    assert str(caught.value).split("\n")[0] == "index -9 is out of bounds for axis 1 with size 5"
    assert isinstance(caught.value, JitframeError)


@pytest.mark.parametrize("place", [(), (slice(None),)], ids=["no axis", "an axis"])
def test_an_ellipsis_stands_between_arrays(place: tuple[slice, ...]) -> None:
    """NumPy puts the axes of separated arrays first, also where the ellipsis between them is no axis."""
    array = numbered((3, 4) if not place else (3, 5, 4))
    index = (None, np.array([0, 2]), Ellipsis, np.array([1, 3]))
    assert array[index].shape[0] == 2
    np.testing.assert_array_equal(tensors(array)[index].numpy(), array[index])
    np.testing.assert_array_equal(jf.jit(lambda x: x[index])(array), array[index])


@pytest.mark.parametrize("position", [1, [5], [-9, 0]], ids=str)
def test_positions_are_looked_at_where_nothing_is_read(position: Any) -> None:
    array = np.zeros((0, 1))
    for index in (np.array(position), tensors(np.array(position)) + 0):
        with pytest.raises(BoundsError, match="out of bounds for axis 1 with size 1"):
            tensors(array)[..., index]
