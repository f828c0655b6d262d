"""sort, argsort and what is made of them are NumPy's: every dtype, axis, length and order."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.codegen.lower import sorting
from jitframe.codegen.lower.sorting import chunks, words
from jitframe.errors import ArgumentError, AxisError, DTypeError, ShapeError
from jitframe.ir.types import DTYPES
from jitframe.runtime.cpu.kernels.target import host_machine
from tests.foundations.values import interesting
from tests.functions.compare import check, small, tensors, values

NAMES = tuple(dtype.numpy_name for dtype in DTYPES if dtype.name != "bf16")
LENGTHS = (0, 1, 2, 3, 15, 16, 17, 31, 33, 63, 64, 65, 127, 257, 1000, 1025)


def patterns(length: int) -> dict[str, np.ndarray]:
    """Orders of float64 that sorts have trouble with, or make use of."""
    drawn = np.random.default_rng(length).standard_normal(length) * 40
    rising = np.sort(drawn)
    with_nan = drawn.copy()
    with_nan[::3] = np.nan
    with_nan[1::5] = -0.0
    with_nan[2::5] = 0.0
    return {
        "drawn": drawn, "rising": rising, "falling": rising[::-1], "constant": np.full(length, 3.0),
        "organ pipe": np.concatenate([rising[::2], rising[1::2][::-1]]), "few": drawn.round(-1),
        "nan": with_nan, "all nan": np.full(length, np.nan), "two": np.where(drawn > 0, 1.0, -1.0),
    }  # fmt: skip


def cast(array: np.ndarray, dtype: str) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        kept = array if np.dtype(dtype).kind == "f" else np.nan_to_num(array)
        return (np.abs(kept) if np.dtype(dtype).kind == "u" else kept).astype(dtype)


@pytest.mark.parametrize("dtype", NAMES)
def test_every_length_and_order(dtype: str) -> None:
    """In few programs, whose calls take other sizes: the elements, stable and not, and their positions."""
    functions: list[Callable[[Any], Any]] = [jf.jit(np.sort), jf.jit(lambda x: np.sort(x, stable=True))]
    positions = jf.jit(np.argsort)
    for length in LENGTHS:
        for name, array in patterns(length).items():
            given = cast(array, dtype)
            expected = np.sort(given, kind="stable")
            for function in functions:
                np.testing.assert_array_equal(function(given), expected, f"{name} {length}")
            signs = np.signbit(functions[1](given)) if given.dtype.kind == "f" else False
            np.testing.assert_array_equal(signs, np.signbit(expected) if given.dtype.kind == "f" else False)
            found = positions(given)
            assert found.dtype == np.int64
            np.testing.assert_array_equal(found, np.argsort(given, kind="stable"), f"{name} {length}")


@pytest.mark.parametrize(
    ("dtype", "by_pivots"),
    [(dtype, False) for dtype in ("float32", "int64", "uint8", "float16", "bool")]
    + [("float32", True), ("int64", True)],
)
@pytest.mark.parametrize("rows", [1, 3])
def test_long_rows_are_sorted_in_chunks(
    dtype: str, by_pivots: bool, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same for rows that several threads share, here from fewer elements on."""
    if by_pivots and not host_machine().append_bits:
        pytest.skip("this processor's vectors append nothing")
    monkeypatch.setattr(chunks, "CHUNK", 100)
    if not by_pivots:
        monkeypatch.setattr(words, "LEAST_SPLIT_BITS", 128)
    jf.clear()
    both = jf.jit(lambda x: (np.sort(x), np.argsort(x)))
    explained = str(both.explain(np.zeros((rows, 1001), dtype)))
    assert ("move_to_ranges" in explained) == by_pivots
    narrow = host_machine().append_bits < 512  # too few words with positions
    assert ("move_by_digit" in explained) == (not by_pivots or narrow or dtype == "int64")
    for length in (200, 999, 1001, 5000):
        for name, array in patterns(rows * length).items():
            given = cast(array, dtype).reshape(rows, length)
            found = both(given)
            np.testing.assert_array_equal(found[0], np.sort(given), f"{name} {length}")
            np.testing.assert_array_equal(found[1], np.argsort(given, kind="stable"), f"{name} {length}")
    jf.clear()


@pytest.mark.parametrize("dtype", ["int32", "float32", "uint64", "float64"])
def test_splits_that_go_wrong(dtype: str) -> None:
    """Few distinct values, one value in most places, powers of two: pivots that split nothing."""
    sort = jf.jit(np.sort)
    random = np.random.default_rng(3)
    for length in (1000, 40_000, 150_000):
        powers = 2.0 ** random.integers(0, 31, length)
        few, mostly = random.integers(0, 3, length), np.where(random.random(length) < 0.01, powers, 7)
        sawtooth, steps = np.arange(length) % 16, np.arange(length) // (length // 9)
        for array in (powers, few, mostly, sawtooth, steps, np.zeros(length), np.sort(powers)[::-1]):
            given = array.astype(dtype)
            np.testing.assert_array_equal(sort(given), np.sort(given))


@pytest.mark.parametrize("dtype", ["int64", "float64"])
def test_what_the_first_digits_leave_out_of_order(dtype: str) -> None:
    """Wide keys are sorted by their first digits, then put in order, or by all digits where that is long."""
    both = jf.jit(lambda x: (np.sort(x), np.argsort(x)))
    random = np.random.default_rng(5)
    for length in (200, 1000, 20_000):
        far, near = np.array([1 << 60]), (1 << 40) + np.arange(length)
        for rest in (near, near[::-1], random.permutation(near), np.repeat(near[::-20], 20)[:length]):
            array = np.concatenate([rest[:50], far, rest[50:], -far, rest[:7]])
            given = array.view(dtype) if dtype == "float64" else array
            found = both(given)
            np.testing.assert_array_equal(found[0], np.sort(given))
            np.testing.assert_array_equal(found[1], np.argsort(given, kind="stable"))


def test_positions_beside_wide_keys() -> None:
    """Keys of 64 bits leave no room for positions in a word."""
    both = jf.jit(lambda x: (np.sort(x), np.argsort(x)))
    for length in (70, 3000, 150_000):
        array = np.random.default_rng(1).integers(-50, 50, length) * (1 << 40)
        for given in (array, array.astype("f8"), array.astype("f4")):
            found = both(given)
            np.testing.assert_array_equal(found[0], np.sort(given))
            np.testing.assert_array_equal(found[1], np.argsort(given, kind="stable"))


@pytest.mark.parametrize("dtype", NAMES)
def test_telling_values(dtype: str) -> None:
    """Infinities, denormals, zeros of both signs and the ends of integers."""
    given = np.random.default_rng(0).permutation(np.repeat(interesting(dtype), 2))
    for length in (9, 40, len(given)):
        check(lambda x: (np.sort(x, stable=True), np.argsort(x, stable=True)), given[:length])


def descending(x: np.ndarray, axis: int = -1) -> np.ndarray:
    """The positions of the order reversed, equal elements in theirs."""
    flipped = np.argsort(np.flip(x, axis), axis=axis, kind="stable")
    return np.flip(x.shape[axis] - 1 - flipped, axis)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "uint64", "bool"])
def test_descending(dtype: str) -> None:
    for length in (5, 40, 100, 1000):
        for array in patterns(length).values():
            given = cast(array, dtype)
            order = descending(given)
            np.testing.assert_array_equal(jf.argsort(given, descending=True).numpy(), order)
            for stable in (False, True):
                found = jf.sort(given, descending=True, stable=stable).numpy()
                np.testing.assert_array_equal(found, given[order])


def test_axes_and_views() -> None:
    array = small("float32", (6, 70, 5))
    for axis in (0, 1, 2, -1, -2, None):
        check(lambda x, a=axis: (np.sort(x, axis=a), np.argsort(x, axis=a)), array)
        check(lambda x, a=axis: np.sort(x[::-1, 3:60:2, ::-2].transpose(2, 0, 1), axis=a), array)
    check(lambda x: np.sort(np.broadcast_to(x[:, :1], x.shape)), array)
    for shape in ((0,), (3, 0), (0, 3), (1, 1), (4, 1), (1, 4)):
        check(lambda x: (np.sort(x), np.argsort(x, axis=0), np.sort(x, axis=None)), small("int32", shape))
    for bad in (3, -4):
        check(lambda x, a=bad: np.sort(x, axis=a), array)
        check(lambda x, a=bad: np.argsort(x, axis=a), array)
    check(np.sort, np.array(3.0))
    check(lambda x: np.sort(x, axis=None), np.array(3.0))


def test_what_stands_around_a_sort() -> None:
    """Programs with sorts in loops, conditions and other steps, and those that use what is sorted twice."""
    x = small("float64", (300,))

    def program(x: Any) -> Any:
        s = np.sort(np.exp(x))
        return s[:10] * 2, s.sum(), s[::-1] - s, x[np.argsort(-x)]

    for found, expected in zip(jf.jit(program)(x), program(x), strict=True):
        np.testing.assert_allclose(found, expected)

    def looped(x: Any) -> Any:
        return jf.fori_loop(0, 5, lambda i, v: jf.sort(v * -0.5), x)

    expected = x
    for _ in range(5):
        expected = np.sort(expected * -0.5)
    np.testing.assert_array_equal(jf.jit(looped)(x), expected)
    found = jf.jit(lambda x: jf.cond(x[0] > 0, jf.sort, lambda v: jf.sort(v, descending=True), x))(x)
    np.testing.assert_array_equal(found, np.sort(x) if x[0] > 0 else np.sort(x)[::-1])


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_numbers(dtype: str) -> None:
    """By real parts, then by imaginary ones; those with NaN last, by which part it is."""
    random = np.random.default_rng(4)
    drawn = random.integers(-2, 3, (2, 60)).astype("f8")
    drawn[:, ::7] = np.nan
    drawn[0, 3::9], drawn[1, 5::11] = np.nan, np.inf
    array = (drawn[0] + 0j).astype(dtype)
    array.imag = drawn[1]
    check(lambda x: (np.sort(x), np.argsort(x, stable=True), np.sort_complex(x)), array)
    check(lambda x: np.sort(x.reshape(3, 20), axis=0), array)
    for each in (array, np.nan_to_num(array)):
        check(lambda x: (np.median(x), np.unique(x, return_counts=True)[1]), each)
    found = jf.jit(lambda x: np.argsort(x[::-1])[:5])(array)
    np.testing.assert_array_equal(found, np.argsort(array[::-1], stable=True)[:5])
    for real in ("int8", "uint16", "int32", "float32", "bool"):
        check(np.sort_complex, random.integers(0, 5, (3, 7)).astype(real))
    with pytest.raises(DTypeError, match="a must be an array of real numbers"):
        jf.quantile(array, 0.5)


def test_methods_and_what_they_write() -> None:
    array = small("int32", (4, 60))

    def in_place(x: Any) -> Any:
        y = x.copy()
        y.sort()
        z = x.copy()
        z[1:].sort(axis=0)
        z[0].partition(7)
        return (
            y,
            z[1:],
            z[0].min(),
            x.argsort(axis=0, kind="stable"),
            x.argsort(kind="stable"),
            y.argpartition(3)[:, 3],
        )

    expected = in_place(array)
    for found, meant in zip(jf.jit(in_place)(array), expected, strict=True):
        np.testing.assert_array_equal(found, meant)
    for found, meant in zip(in_place(jf.asarray(array)), expected, strict=True):
        np.testing.assert_array_equal(found.numpy(), meant)

    @jf.jit
    def written(x: Any) -> None:
        x.sort(axis=0)

    given = array.copy()
    written(given)
    np.testing.assert_array_equal(given, np.sort(array, axis=0))
    view = array.copy()
    written(view[:, ::2])
    np.testing.assert_array_equal(view[:, ::2], np.sort(array[:, ::2], axis=0))
    np.testing.assert_array_equal(view[:, 1::2], array[:, 1::2])


def test_lexsort() -> None:
    random = np.random.default_rng(3)
    keys = [
        random.integers(0, 4, (200,)),
        random.integers(0, 3, (200,)).astype("f4"),
        random.random(200) < 0.5,
    ]
    for count in (1, 2, 3):
        check(lambda *k: np.lexsort(k), *keys[:count])
    check(lambda x: np.lexsort(x), random.integers(0, 3, (3, 100)))
    planes = random.integers(0, 3, (2, 5, 40))
    for axis in (0, 1, -1):
        check(lambda x, a=axis: np.lexsort(x, axis=a), planes)
    found = jf.jit(lambda a, b: np.lexsort((a, b)))(*keys[:2])
    np.testing.assert_array_equal(found, np.lexsort(keys[:2]))
    with pytest.raises(ShapeError, match="all keys need to be the same shape"):
        jf.lexsort((tensors(keys[0]), tensors(keys[1][:3])))
    with pytest.raises(DTypeError, match="need sequence of keys"):
        jf.lexsort(())


def test_partitions() -> None:
    """Where NumPy leaves an order open, only what it promises is compared."""
    array = small("float32", (3, 101))
    for axis, kth in itertools.product((0, 1, -1), (0, 1, 2, -1, (0, 2))):
        found = np.partition(tensors(array), kth, axis=axis).numpy()
        places = np.partition(array, kth, axis=axis)
        np.testing.assert_array_equal(np.take(found, kth, axis), np.take(places, kth, axis))
        order = np.argpartition(tensors(array), kth, axis=axis).numpy()
        np.testing.assert_array_equal(np.take_along_axis(array, order, axis), found)
    x = tensors(array)
    with pytest.raises(ArgumentError, match=r"kth\(=101\) out of bounds \(101\)"):
        np.partition(x, 101)
    with pytest.raises(DTypeError, match="Partition index must be integer"):
        np.partition(x, 1.5)  # type: ignore[call-overload]


def test_top_k() -> None:
    array = small("float64", (5, 80)).round()
    for k, axis, largest in ((1, -1, True), (7, 1, True), (3, 0, False), (80, 1, False), (0, 1, True)):
        values, positions = jf.jit(lambda x, k=k, a=axis, g=largest: jf.top_k(x, k, axis=a, largest=g))(array)
        order = descending(array, axis) if largest else np.argsort(array, axis=axis, kind="stable")
        order = np.take(order, range(k), axis)
        np.testing.assert_array_equal(positions, order)
        np.testing.assert_array_equal(values, np.take_along_axis(array, order, axis))
    with pytest.raises(ArgumentError, match="top_k: k is 81, and axis 1 has 80 elements"):
        jf.top_k(array, 81)


def test_refused() -> None:
    x = tensors(np.arange(4.0))
    for arguments, message in (
        ({"kind": "bubble"}, "sort kind must be one of"),
        ({"order": "f0"}, "Cannot specify order when the array has no fields"),
        (
            {"kind": "stable", "stable": True},
            "`kind` and keyword parameters can't be provided at the same time",
        ),
    ):
        for function in (jf.sort, jf.argsort):
            with pytest.raises(ArgumentError, match=message):
                function(x, **arguments)  # type: ignore[arg-type]
    with pytest.raises(AxisError, match="axis 1 is out of bounds for array of dimension 1"):
        jf.sort(x, axis=1)


def test_no_size_is_in_a_kernel() -> None:
    """Other lengths of one kind take the same plan."""
    function = jf.jit(np.sort)
    for length in (sorting.SHORT - 1, 5000, 200_000):
        kernels = [kernel.source("kernel") for kernel in function.explain(np.zeros(length)).kernels]
        again = [kernel.source("kernel") for kernel in function.explain(np.zeros(length - 7)).kernels]
        assert kernels == again and all(kernels)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_values_of_either_sign(dtype: str) -> None:
    check(lambda x: np.sort(x, kind="stable"), values(dtype))
