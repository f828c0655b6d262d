"""NumPy's functions of positions and masks give and write what NumPy's own do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import ArgumentError, JitframeError, UnsupportedError
from tests.functions.compare import interpreted

X = np.arange(12.0).reshape(3, 4)
ORDER = np.argsort(-np.sin(X), axis=1)


def assert_equal(found: Any, expected: Any) -> None:
    if isinstance(expected, tuple):
        assert len(found) == len(expected)
        for mine, its in zip(found, expected, strict=True):
            assert_equal(mine, its)
        return
    value = np.asarray(found)
    assert isinstance(found, jf.Tensor) and value.dtype == expected.dtype
    np.testing.assert_array_equal(value, expected)


READ = {
    "take": lambda x: np.take(x, [1, -1]),
    "take rows": lambda x: np.take(x, [[1, -1]], axis=0),
    "take one": lambda x: np.take(x, 1, axis=1),
    "take modulo": lambda x: np.take(x, [7, -9], axis=1, mode="wrap"),
    "take nearest": lambda x: np.take(x, [7, -9], axis=1, mode="clip"),
    "take none": lambda x: np.take(x, [], axis=0),
    "take_along_axis": lambda x: np.take_along_axis(x, ORDER, 1),
    "take_along_axis of a tensor": lambda x: np.take_along_axis(x, np.argmax(x, axis=0, keepdims=True), 0),
    "take_along_axis flat": lambda x: np.take_along_axis(x, ORDER.ravel(), None),
    "take_along_axis broadcast": lambda x: np.take_along_axis(x, ORDER[:1], -1),
    "nonzero": np.nonzero,
    "argwhere": lambda x: np.argwhere(x > 3),
    "flatnonzero": np.flatnonzero,
    "where": lambda x: np.where(x > 3),
    "compress": lambda x: np.compress([True, False, True], x, axis=0),
    "compress flat": lambda x: np.compress([False, True], x),
    "extract": lambda x: np.extract(x > 5, x),
    "ix_": lambda x: x[np.ix_(np.array([0, 2]), np.array([True, False, True, False]))],
}

WRITE = {
    "put": lambda a: np.put(a, [1, 1, -1], [9.0, 8.0]),
    "put one": lambda a: np.put(a, [[1, 5]], 3),
    "put modulo": lambda a: np.put(a, [13, -14], [1.0, 2.0], mode="wrap"),
    "put_along_axis": lambda a: np.put_along_axis(a, ORDER[:, :2], -5.0, 1),
    "put_along_axis flat": lambda a: np.put_along_axis(a, np.array([3, 3]), np.array([1.0, 2.0]), None),
    "putmask": lambda a: np.putmask(a, a > 5, [1.0, 2.0, 3.0]),
    "copyto": lambda a: np.copyto(a, -1.0, where=a > 8),
    "copyto all": lambda a: np.copyto(a, a[0] * 2),
    "place": lambda a: np.place(a, a > 3, [7.0, 6.0]),
    "place one": lambda a: np.place(a, a > 3, [1.0]),
    "add.at": lambda a: np.add.at(a, (slice(None), [1, 1, 2]), 2.0),
    "add.at slice": lambda a: np.add.at(a, slice(1, 3), 2.0),
    "subtract.at column": lambda a: np.subtract.at(a, (..., 1), a[:, 0]),
    "hypot.at row": lambda a: np.hypot.at(a, 1, 2.0),
    "negative.at": lambda a: np.negative.at(a, slice(None, None, 2)),
    "divide.at mask": lambda a: np.divide.at(a, a > 8, 2.0),
    "subtract.at": lambda a: np.subtract.at(a, [1, 1], a[0]),
    "multiply.at": lambda a: np.multiply.at(a, ([1, 1, 2], [1, 1, 0]), [2.0, 3.0, 4.0]),
    "maximum.at": lambda a: np.maximum.at(a, ([0, 0], [0, 0]), [3.0, 9.0]),
    "minimum.at": lambda a: np.minimum.at(a, 2, 9.0),
}


@pytest.mark.parametrize("name", READ)
def test_reading(name: str) -> None:
    assert_equal(READ[name](jf.asarray(X)), READ[name](X))


def test_at_a_mask_in_a_jitted_function() -> None:
    expected, found = X.copy(), X.copy()
    np.subtract.at(expected, X > 8, 2.0)
    jf.jit(lambda a, mask: np.subtract.at(a, mask, 2.0))(found, X > 8)
    np.testing.assert_array_equal(found, expected)
    numbers, lazy = np.arange(3), jf.asarray(np.arange(3))
    for array in (numbers, lazy):  # quotients are cut to integers
        np.divide.at(array, slice(2), 2)
    np.testing.assert_array_equal(lazy, numbers)


@pytest.mark.parametrize("name", WRITE)
def test_writing(name: str) -> None:
    expected, found = X.copy(), jf.asarray(X)
    WRITE[name](expected)
    WRITE[name](found)
    assert_equal(found, expected)


JITTED = [name for name in WRITE if name != "place"] + [
    name
    for name in READ
    if not name.startswith(("nonzero", "argwhere", "flatnonzero", "where", "compress", "extract", "ix_"))
]


@pytest.mark.parametrize("name", JITTED)
def test_under_jit(name: str) -> None:
    function = WRITE.get(name) or READ[name]

    def program(a: Any) -> Any:
        return function(a)

    mine, its = X.copy(), X.copy()
    expected = program(its)
    found = jf.jit(program)(mine)
    np.testing.assert_array_equal(mine, its)
    if expected is not None:
        np.testing.assert_array_equal(found, expected)
        assert found.dtype == expected.dtype


def test_sums_at_positions_are_numpys_in_their_order() -> None:
    rng = np.random.default_rng(0)
    places, values = rng.integers(-100, 100, 50_000), rng.standard_normal(50_000).astype(np.float32)
    expected, found = np.zeros(100, np.float32), jf.zeros(100, dtype=np.float32)
    np.add.at(expected, places, values)
    np.add.at(found, places, values)
    np.testing.assert_array_equal(found.numpy(), expected)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda a: np.take(a, [12]), "index 12 is out of bounds for axis 0 with size 12"),
        (lambda a: np.take(a, [4], axis=1), "index 4 is out of bounds for axis 1 with size 4"),
        (lambda a: np.take(a, [1], mode="x"), "clipmode must be one of 'clip', 'raise', or 'wrap' (got 'x')"),
        (
            lambda a: np.take_along_axis(a, np.array([1]), 1),
            "`indices` and `arr` must have the same number of dimensions",
        ),
        (lambda a: np.compress(a > 1, a), "condition must be a 1-d array"),
        (lambda a: np.ix_(a), "Cross index must be 1 dimensional"),
        (lambda a: np.putmask(a, np.array([True]), 1.0), "putmask: mask and data must be the same size"),
    ],
)
def test_errors_are_numpys(call: Any, message: str) -> None:
    with pytest.raises((ValueError, IndexError)) as numpys:
        call(X.copy())
    with pytest.raises(JitframeError) as ours:
        call(jf.asarray(X))
    assert str(ours.value).split("\n")[0] == str(numpys.value) == message
    assert isinstance(ours.value, IndexError if isinstance(numpys.value, IndexError) else ValueError)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda a: np.take(a, [1.5]), "take: positions are integers, not float64"),
        (
            lambda a: np.copyto(a.astype(int), 1.5),
            "Cannot cast array data from dtype('float64') to dtype('int64') according to the rule "
            "'same_kind'; casting='unsafe' allows it",
        ),
        (
            lambda a: np.add.at(a.astype(int), [0], 1.5),
            "Cannot cast ufunc 'add' output from dtype('float64') to dtype('int64') with casting rule "
            "'same_kind'",
        ),
        (
            lambda a: np.power.at(a, [0], 1.5),
            "np.power.at on float64; supported are add, divide, maximum, minimum, multiply, subtract",
        ),
        (
            lambda a: np.subtract.at(a > 0, [0], True),
            "np.subtract.at on bool; supported are add, bitwise_and, bitwise_or, bitwise_xor, logical_and, "
            "logical_or, logical_xor, maximum, minimum, multiply",
        ),
    ],
)
def test_what_is_refused(call: Any, message: str) -> None:
    with pytest.raises(JitframeError) as caught:
        call(jf.asarray(X))
    assert str(caught.value).split("\n")[0] == message


AT = {
    "b": (
        np.add, np.multiply, np.maximum, np.minimum, np.bitwise_and, np.bitwise_or, np.bitwise_xor,
        np.logical_and, np.logical_or, np.logical_xor,
    ),
    "iu": (
        np.add, np.subtract, np.multiply, np.maximum, np.minimum, np.bitwise_and, np.bitwise_or,
        np.bitwise_xor, np.floor_divide, np.remainder, np.left_shift, np.right_shift,
    ),
    "f": (np.add, np.subtract, np.multiply, np.maximum, np.minimum, np.divide),
}  # fmt: skip


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int32", "int64", "uint64", "float32", "float64"])
def test_elements_are_combined_one_after_another(dtype: str) -> None:
    """Several values for one element, in their order; integers divided by zero are NumPy's."""
    random = np.random.default_rng(5)
    places = random.integers(-20, 20, 300)
    drawn = [
        random.integers(0 if dtype[0] in "ub" else -9, 2 if dtype == "bool" else 9, n) for n in (20, 300)
    ]
    base, values = (each.astype(dtype) for each in drawn)
    for ufunc in next(several for kinds, several in AT.items() if base.dtype.kind in kinds):
        shift = ufunc in (np.left_shift, np.right_shift)
        given = np.abs(values) % 3 if shift else values
        expected, found = base.copy(), jf.asarray(base)
        jitted = base.copy()
        with np.errstate(all="ignore"):
            ufunc.at(expected, places, given)
            with interpreted():
                ufunc.at(found, places, given)
                lazily = found.numpy()
            jf.jit(lambda a, i, v, ufunc=ufunc: ufunc.at(a, i, v))(jitted, places, given)
        np.testing.assert_array_equal(lazily, expected, err_msg=ufunc.__name__)
        np.testing.assert_array_equal(jitted, expected, err_msg=ufunc.__name__)
    if dtype == "bool":
        expected, found = base.copy(), jf.asarray(base)
        np.logical_xor.at(expected, [0, 1, 1, 2], [0.0, 2.0, -1.0, np.nan])
        np.logical_xor.at(found, [0, 1, 1, 2], [0.0, 2.0, -1.0, np.nan])
        np.testing.assert_array_equal(found.numpy(), expected)


VALUES_OF_THEIR_OWN_DTYPE = {
    "a number that float32 lacks": (lambda a: np.multiply.at(a, 0, 0.1), "f4"),
    "and twice": (lambda a: np.multiply.at(a, [0, 0], 0.1), "f4"),
    "of float16": (lambda a: np.multiply.at(a, [1, 1], np.float32(0.1)), "f2"),
    "a number that it holds": (lambda a: np.divide.at(a, [2, 2], 3), "f4"),
    "an extreme": (lambda a: np.maximum.at(a, [0, 1], 2.6), "f4"),
    "an integer beside uint64": (lambda a: np.add.at(a, [0, 0], 1), "u8"),
    "one that no integer holds": (lambda a: np.logical_or.at(a, 3, -(2**70)), "f4"),
    "one that NumPy has no ufunc for": (lambda a: np.hypot.at(a, 0, 2**64), "f4"),
}


@pytest.mark.filterwarnings("ignore:.*runs as plain Python")
@pytest.mark.parametrize("case", VALUES_OF_THEIR_OWN_DTYPE)
def test_numbers_have_a_dtype_of_their_own(case: str) -> None:
    """In `ufunc.at`, which casts the result of each combination."""
    function, dtype = VALUES_OF_THEIR_OWN_DTYPE[case]
    base = (np.array([7, 5, 10, 0]) / 3 if dtype[0] == "f" else np.array([2**60 + 1, 2, 3, 0])).astype(dtype)
    results = []
    for called in (function, jf.jit(function)):
        array = base.copy()
        try:
            called(array)
        except AttributeError:
            array[:] = 9  # of an object that has no method of the ufunc's name
        results.append(array)
    np.testing.assert_array_equal(*results)


def test_numbers_that_elements_hold_are_combined(strict: None) -> None:
    found = jf.jit(lambda a: np.divide.at(a, [2, 2], 3))
    array = np.array([1, 2, 10, 0], "f4")
    found(array)
    assert array[2] == np.float32(np.float32(10 / 3) / 3)
    with pytest.raises(UnsupportedError, match="float32 and float64 are combined in another dtype"):
        jf.jit(lambda a: np.multiply.at(a, [2, 2], 0.1))(array)


FLAGS = np.array([[0, 3, 1], [0, 0, 2], [4, 0, 0]])


@pytest.mark.parametrize("size", [0, 2, 5, 7])
def test_so_many_positions(size: int) -> None:
    """The first ones in C order, then the value that fills."""
    whole = np.stack(np.nonzero(FLAGS))[:, :size]
    expected = np.full((2, size), -1)
    expected[:, : whole.shape[1]] = whole
    kept = np.full(size, 9)
    kept[: whole.shape[1]] = FLAGS[tuple(whole)]

    def positions(x: Any) -> Any:
        return jf.nonzero(x, size=size, fill_value=-1)

    def chosen(x: Any) -> Any:
        return jf.extract(x > 0, x, size=size, fill_value=9)

    def rows(x: Any) -> Any:
        return jf.compress(x[:, 2] > 0, x, axis=0, size=size, fill_value=0)

    for value in (FLAGS, jf.asarray(FLAGS)):
        np.testing.assert_array_equal(np.stack([np.asarray(e) for e in jf.jit(positions)(value)]), expected)
        np.testing.assert_array_equal(np.asarray(jf.jit(chosen)(value)), kept)
        few = np.zeros((size, 3), FLAGS.dtype)
        few[: min(size, 2)] = FLAGS[: min(size, 2)]
        np.testing.assert_array_equal(np.asarray(jf.jit(rows)(value)), few)
    lazy = jf.where(jf.asarray(FLAGS) > 0, size=size, fill_value=-1)
    np.testing.assert_array_equal(np.stack([each.numpy() for each in lazy]), expected)
    np.testing.assert_array_equal(
        jf.argwhere(jf.asarray(FLAGS), size=size, fill_value=-1).numpy(), expected.T
    )


def test_positions_in_an_array_of_no_axes() -> None:
    assert jf.unravel_index(0, ()) == jf.unravel_index(jf.asarray([0]), ()) == ()
    with pytest.raises(ArgumentError, match="index 1 is out of bounds for array with size 1"):
        jf.unravel_index([0, 1], ())
