"""Wrong and odd arguments: an error of ours that is also NumPy's and names the user's line."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.api.index import ENTRIES
from jitframe.api.namespace import FUNCTIONS
from jitframe.api.numpy_names import numpy_object
from jitframe.errors import (
    ArgumentError,
    AxisError,
    BoundsError,
    DTypeError,
    JitframeError,
    KindError,
    NumberError,
    ShapeError,
    UnsupportedError,
    ZeroError,
)
from tests.functions import crawl

MATRIX = np.arange(6.0).reshape(2, 3)
HUGE = 10**9


def names_of(function: Any) -> tuple[set[str], list[str], bool]:
    """The arguments that a function takes by name, those that it takes by position, in order, and whether any
    number of them."""
    signature = getattr(function, "signature", None)
    if signature is not None:
        return {*signature.names, *signature.named}, [*signature.names], False
    found = inspect.signature(function).parameters.values()
    by_name = {each.name for each in found if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)}
    by_place = [
        each.name for each in found if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)
    ]
    return by_name, by_place, any(each.kind == each.VAR_POSITIONAL for each in found)


# By position or by any name: `*operands, **options`, read as NumPy reads them.
READ_APART = {
    "einsum": ("out", "optimize"), "pad": ("mode",), "sinc": (), "fix": ("out",), "isposinf": ("out",),
    "isneginf": ("out",),
}  # fmt: skip

BY_PLACE = {"a_min": "min", "a_max": "max"}
"""Names of the array API standard in the places of NumPy's, which are names as well."""


def test_signatures_are_numpys() -> None:
    """Every argument that NumPy takes by name has that name here, and the same place."""
    for function, called in (
        (FUNCTIONS[name], called) for name in ENTRIES for called in FUNCTIONS[name].numpy
    ):
        theirs = numpy_object(called)
        if isinstance(theirs, (np.ufunc, type)):
            continue
        by_name, by_place, any_number = names_of(function.call)
        place = 0
        for each in inspect.signature(theirs).parameters.values():
            if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY) and called not in READ_APART:
                assert each.name in by_name, f"np.{called}({each.name}=)"
            if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD) and not any_number:
                assert place < len(by_place), f"np.{called}: {each.name} has no place"
                if each.kind == each.POSITIONAL_OR_KEYWORD:
                    assert by_place[place] == BY_PLACE.get(each.name, each.name), (
                        f"np.{called}: {by_place[place]} in the place of {each.name}"
                    )
                place += 1


def test_names_that_are_read_apart() -> None:
    x = jf.asarray(MATRIX)
    assert jf.sinc(x=x).shape == np.fix(x, out=None).shape == (2, 3)
    for name in ("trunc", "isposinf", "isneginf"):
        assert getattr(jf, name)(x=x, out=None).shape == (2, 3)
    moved = jf.jit(lambda a: np.moveaxis(a, source=0, destination=1))(MATRIX)
    np.testing.assert_array_equal(moved, MATRIX.T)


class WithArray:
    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.array([1.0, 2.0, 3.0], dtype)


MISTAKES: list[tuple[Callable[[Any], Any], type[JitframeError], str]] = [
    (lambda x: np.tril(x[0, 0]), DTypeError, "tril and triu take an array of at least one axis"),
    (lambda x: jf.indices((-1, 2)), ArgumentError, "negative dimensions are not allowed"),
    (lambda x: jf.zeros((2**62, 2**62)), ArgumentError, "array is too big: shape is"),
    (lambda x: np.mean(x, axis=1.5), DTypeError, "axis is an integer, not 1.5"),
    (lambda x: np.sum(x, axis="x"), DTypeError, "axis is an integer, not 'x'"),
    (lambda x: np.sum(x, axis=[0]), DTypeError, "axis is an integer or a tuple of them, not [0]"),
    (
        lambda x: jf.sum(x, axs=0),
        DTypeError,
        "sum() got an unexpected keyword argument 'axs'; perhaps axis; its parameters are (a, axis=None",
    ),
    (lambda x: np.roll(x, 1.5), DTypeError, "shift is an integer, not 1.5"),
    (lambda x: jf.concat(5), DTypeError, "arrays to join are given as a list or tuple"),
    (lambda x: jf.concat([x, x], axis="x"), DTypeError, "axis is an integer, not 'x'"),
    (lambda x: np.reshape(x, None), DTypeError, "shape is a sequence of integers or a single integer"),
    (lambda x: x.reshape(None), DTypeError, "shape is a sequence of integers or a single integer"),
    (
        lambda x: x.reshape(3, 2, odr="C"),
        DTypeError,
        "reshape() got an unexpected keyword argument 'odr'; its "
        "parameters are (*shape, order='C', copy=None)",
    ),
    (
        lambda x: jf.jit(static_argnum=0),
        DTypeError,
        "keyword argument 'static_argnum'; perhaps static_argnums",
    ),
    (lambda x: x.to_device("cpu", strem=None), DTypeError, "keyword argument 'strem'; perhaps stream"),
    (lambda x: jf.cache.prune(to_byts=1), DTypeError, "keyword argument 'to_byts'; perhaps to_bytes"),
    (lambda x: x.item("a"), DTypeError, "'str' object cannot be interpreted as an integer, in item("),
    (lambda x: x.copy("x"), ArgumentError, "order must be one of 'C', 'F', 'A', or 'K' (got 'x')"),
    (lambda x: np.ravel(x, order=1), DTypeError, "order must be one of"),
    (lambda x: np.sum(x, keepdims="x"), DTypeError, "keepdims is True or False, not 'x'"),
    (lambda x: np.sum(x, out=np.zeros(2)), ShapeError, "out= has the shape (2,), and the result ()"),
    (lambda x: np.cumsum(x, dtype=jf.ones(3)), DTypeError, "an array is no dtype"),
    (lambda x: jf.arange(0, 5, 0), ZeroError, "arange: the step must not be zero"),
    (lambda x: jf.arange(0, np.inf), ArgumentError, "arange: the length from 0 to inf by 1 is no finite"),
    (lambda x: jf.linspace(0, 1, -1), ArgumentError, "num must not be negative, and -1 was given"),
    (lambda x: np.take(x, [0], mode=1.5), DTypeError, "clipmode must be one of 'clip', 'raise', or 'wrap'"),
    (lambda x: np.copyto(x, x, where=np.ones(2, bool)), ShapeError, "could not broadcast where mask"),
    (lambda x: np.nan_to_num(x, nan=np.ones(2)), ShapeError, "could not broadcast input array"),
    (lambda x: np.add(x, 2**40, dtype=np.int32, casting="unsafe"), NumberError, "out of bounds for int32"),
    (lambda x: np.histogram(x, weights=np.ones(2)), ShapeError, "weights should have the same shape as a."),
    (
        lambda x: np.interp(x, [0.0, 1.0], [2.0, 3.0], left=[1.0, 2.0]),
        DTypeError,
        "left and right are single numbers",
    ),
    (
        lambda x: np.unravel_index(jf.asarray([1]), (2, 0)),
        ArgumentError,
        "no position is in an array of shape (2, 0)",
    ),
    (lambda x: np.histogram(x, bins=[[0, 1], [2, 3]]), ShapeError, "`bins` must be 1d, when an array"),
    (lambda x: x.fill([1.0]), ArgumentError, "fill takes one value"),
    (lambda x: np.delete(x, [1.5]), BoundsError, "arrays used as indices must be of integer"),
    (lambda x: np.expand_dims(x, axis=9), AxisError, "axis 9 is out of bounds"),
    (lambda x: jf.zeros(3, order=0), DTypeError, "order must be 'F' or 'C', a str, not int"),
    (lambda x: jf.zeros(3, like=1), DTypeError, "zeros: like= is an array, not 1"),
    (
        lambda x: jf.sin(np.ma.masked_array([1.0, 2.0], [True, False])),
        UnsupportedError,
        "masked arrays are not supported",
    ),
    (
        lambda x: np.log10(x, out=np.ma.zeros(x.shape)),
        UnsupportedError,
        "out= is a masked array, whose mask NumPy writes, too; write to its .data",
    ),
    (
        lambda x: np.round(jf.zeros(0, int), -3, out=np.zeros(0, "i2")),
        DTypeError,
        "dtype('float64') to dtype('int16')",
    ),
    (lambda x: np.cumulative_prod(x[0], out=..., include_initial=True), KindError, "not Ellipsis"),
    (lambda x: x == __import__("decimal").Decimal(1), UnsupportedError, "is not compared with a Decimal"),
]


@pytest.mark.parametrize(("call", "ours", "message"), MISTAKES)
def test_mistakes(call: Any, ours: type[JitframeError], message: str) -> None:
    with pytest.raises(ours) as caught:
        call(jf.asarray(MATRIX))
    assert message in caught.value.message
    assert caught.value.line is not None and caught.value.line.file == __file__


SIZES: list[tuple[Callable[[Any], Any], str]] = [
    (lambda x: jf.as_strided(x, (-1,), (8,)), "negative dimensions are not allowed"),
    (lambda x: np.split(x, HUGE), "array split does not result in an equal division"),
    (lambda x: np.split(jf.zeros(HUGE), HUGE), "split: 1000000000 parts; each would be an array"),
    (lambda x: np.array_split(x, HUGE), "array_split: 1000000000 parts"),
    (lambda x: np.hsplit(x, HUGE), "array split does not result in an equal division"),
    (lambda x: jf.unstack(jf.zeros(HUGE)), "unstack: 1000000000 parts"),
    (lambda x: jf.zeros(2**61), "array is too big"),
    (lambda x: jf.ones((1,) * 65), "shape has 65 axes; maximum supported dimension is 64"),
    (lambda x: jf.full((2**40, 2**40), 1.0), "array is too big"),
    (lambda x: jf.arange(2**64), "array is too big"),
    (lambda x: jf.arange(0, 1e300), "array is too big"),
    (lambda x: jf.linspace(0, 1, 2**62), "array is too big"),
    (lambda x: np.tile(x, 2**62), "array is too big"),
    (lambda x: np.repeat(x, 2**62), "array is too big"),
    (lambda x: jf.eye(2**40), "array is too big"),
    (lambda x: jf.tri(2**40), "array is too big"),
    (lambda x: jf.indices((2**40, 2**40)), "array is too big"),
    (lambda x: np.pad(x, 2**61), "array is too big"),
    (lambda x: np.diag(x[0], 2**40), "array is too big"),
    (lambda x: np.resize(x, (2**40, 2**40)), "array is too big"),
    (lambda x: jf.bincount(jf.asarray([1, 2]), minlength=2**62), "array is too big"),
    (lambda x: np.histogram(x, bins=2**62), "array is too big"),
    (lambda x: jf.meshgrid(jf.zeros(2**32), jf.zeros(2**32)), "array is too big"),
    (lambda x: jf.zeros((2**40, 1)) + jf.zeros(2**40), "array is too big"),
    (lambda x: np.broadcast_to(x, (2**40, 2**40, 2, 3)), "array is too big"),
    (lambda x: np.diff(x, n=-1), "n must not be negative, and -1 was given"),
]


@pytest.mark.parametrize(("call", "message"), SIZES)
def test_sizes_are_checked_before_anything_is_made(call: Any, message: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        call(jf.asarray(MATRIX))
    assert message in caught.value.message


def test_many_differences_end_where_nothing_is_left() -> None:
    assert jf.diff(jf.asarray(MATRIX), n=HUGE).shape == np.diff(MATRIX, n=10).shape == (2, 0)


def test_many_periods_of_padding_are_few_operations() -> None:
    x = np.arange(3.0)
    for mode in ("wrap", "reflect", "symmetric"):
        padded = np.pad(jf.asarray(x), 30_000, mode)
        np.testing.assert_array_equal(padded[:50].numpy(), np.pad(x, 30_000, mode)[:50])
        assert np.pad(jf.asarray(x), HUGE, mode).shape == (2 * HUGE + 3,)


def test_objects_that_numpy_converts() -> None:
    x = jf.asarray(np.arange(3.0))
    for function in (lambda a: a + WithArray(), lambda a: WithArray() - a, lambda a: np.add(a, WithArray())):
        np.testing.assert_array_equal(function(x).numpy(), function(x.numpy()))
        np.testing.assert_array_equal(jf.jit(function)(x.numpy()), function(x.numpy()))


def test_what_a_function_of_the_users_raises_stays_as_it_is() -> None:
    def fails(value: Any) -> Any:
        raise ValueError("mine")

    with pytest.raises(ValueError, match="^mine$") as caught:
        np.piecewise(jf.asarray(MATRIX), [MATRIX > 1], [fails])
    assert not isinstance(caught.value, JitframeError)


def test_results_that_go_to_an_output_are_computed_in_its_dtype() -> None:
    x = np.array([2.0**24, 1.0, 1.0, 1.0], np.float32)
    for function in (np.sum, np.mean, np.prod):
        expected, found = np.zeros(()), jf.zeros(())
        function(x, out=expected)
        function(jf.asarray(x), out=found)
        assert found.numpy() == expected
    assert np.min(jf.asarray(np.array([3, 2])), initial=1.5, out=jf.zeros(())).numpy() == 1.5


GRIDS: list[Callable[[Any], Any]] = [
    lambda t: np.mgrid[0:t:5j],
    lambda t: np.mgrid[0:t:5j, -1:t:3j],
    lambda t: np.ogrid[0:t:5j, -1:t:3j],
    lambda t: np.ogrid[t : t + 1 : 1j],
    lambda t: np.mgrid[0:4, 1:2:0.25],
    lambda t: np.ogrid[0:4, 1:2:0.25][1] + t,
    lambda t: np.mgrid[[slice(t), slice(1, t, 0.5)]],
    lambda t: [each + t for each in np.ogrid[[slice(4), slice(3)]]],
]


@pytest.mark.parametrize("function", GRIDS)
def test_grids_of_traced_ends(function: Callable[[Any], Any]) -> None:
    expected, found = function(2.5), jf.jit(function)(2.5)
    for mine, theirs in zip(found, expected, strict=True):
        np.testing.assert_allclose(mine, theirs)
        assert np.shape(mine) == np.shape(theirs)


def test_grids_that_are_none(strict) -> None:
    with pytest.raises(DTypeError, match="np.mgrid takes slices, start:stop:step, not 3"):
        jf.jit(lambda x: np.mgrid[3] + x)(1.0)
    np.testing.assert_array_equal(jf.jit(lambda n: np.ogrid[0:n])(3), np.ogrid[0:3])


LOOPS: list[tuple[Callable[[Any], Any], str]] = [
    (lambda x: jf.fori_loop(0, 3, 5, x), "fori_loop: body is a function, not 5"),
    (lambda x: jf.while_loop(1, 2, x), "while_loop: cond is a function, not 1"),
    (lambda x: jf.scan(3, x, x), "scan: f is a function, not 3"),
    (
        lambda x: jf.scan(lambda c, v: (c, c), x, None, -3),
        "scan: length must not be negative, and -3 was given",
    ),
    (lambda x: jf.scan(lambda c, v: (c, c), x, None, 2.5), "scan: length is an integer, not 2.5"),
    (lambda x: jf.cond(True, 3, 4, x), "cond: then is a function, not 3"),
    (lambda x: jf.cond("a", abs, abs, x), "cond: the predicate must be one bool, not 'a'"),
    (
        lambda x: jf.fori_loop(0, 2, lambda i: i, x),
        "takes 1 positional argument but 2 were given, in fori_loop(",
    ),
]


@pytest.mark.parametrize(("call", "message"), LOOPS)
def test_loops_of_what_is_no_function(call: Callable[[Any], Any], message: str) -> None:
    for run in (call, jf.jit(call)):
        with pytest.raises(JitframeError) as caught:
            run(np.ones(3))
        assert message in caught.value.message
        assert caught.value.line is not None and caught.value.line.file == __file__


def test_bounds_and_lengths_of_loops() -> None:
    with pytest.raises(DTypeError, match="fori_loop: a bound is an integer, not 2.5"):
        jf.fori_loop(0, 2.5, lambda i, x: x, np.ones(3))
    with pytest.raises(NumberError, match="out of bounds for int64"):
        jf.jit(lambda x: jf.fori_loop(0, 2**70, lambda i, y: y + 1, x))(np.ones(3))
    with pytest.raises(ArgumentError, match="array is too big: jf.scan: what is collected"):
        jf.jit(lambda x: jf.scan(lambda c, v: (c, c), x, None, 2**62))(np.ones(3))


MISSPELLED: list[tuple[Callable[[Any], Any], str]] = [
    (
        lambda x: np.sqrt(x, axs=1),
        "sqrt() got an unexpected keyword argument 'axs'; its parameters are (x, /, out=None, *",
    ),
    (
        lambda x: np.size(x, axs=1),
        "size() got an unexpected keyword argument 'axs'; perhaps axis; its parameters are (a, axis=None)",
    ),
    (lambda x: np.ravel(x, ordr=1), "ravel() got an unexpected keyword argument 'ordr'"),
    (lambda x: np.moveaxis(x, src=0, dst=0), "moveaxis() got an unexpected keyword argument 'src'"),
    (
        lambda x: np.add.reduce(x, axs=1),
        "got an unexpected keyword argument 'axs'",
    ),
    (lambda x: np.add.outer(x, x, axs=1), "got an unexpected keyword argument 'axs'"),
    (
        lambda x: np.shape(x, 1),
        "shape() takes 1 positional argument but 2 were given; its parameters are (a)",
    ),
]


@pytest.mark.parametrize(("call", "message"), MISSPELLED)
def test_misspelled_options_in_traced_functions(call: Callable[[Any], Any], message: str) -> None:
    with pytest.raises(DTypeError) as caught:
        jf.jit(call)(np.ones(3))
    assert message in caught.value.message


def test_average_keeps_axes_where_any_flag_asks_for_it() -> None:
    assert np.average(jf.asarray(MATRIX), axis=0, keepdims=1).shape == (1, 3)


def test_trapezoid_of_places_with_more_axes() -> None:
    y, x = np.array([1.0, 2.0, 4.0]), np.array([[[0.0, 1.0, 3.0]], [[0.0, 2.0, 3.0]]])
    for axis in (0, -1):
        for given in (x, np.stack([x, x + 1])):
            try:
                expected = np.trapezoid(y, given, axis=axis)
            except ValueError:
                with pytest.raises(ShapeError):
                    jf.trapezoid(jf.asarray(y), given, axis=axis)
                continue
            found = jf.trapezoid(jf.asarray(y), given, axis=axis)
            assert found.shape == expected.shape
            np.testing.assert_allclose(found.numpy(), expected)


KNOWN = frozenset(("REFUSED",))
"""NumPy also takes much that is meant for something else; what is refused has an error that says so."""


def wrong(calls: int, seed: int, known: frozenset[str] = KNOWN) -> list[str]:
    findings, _ = crawl.crawl(calls, seed, enormous=False)
    return [f"{each.call}: {each.what}" for each in findings if each.what.split(" ")[0] not in known]


def test_calls_with_odd_arguments() -> None:
    """1.5 seconds: 1,500 calls with all kinds of arguments."""
    assert wrong(1500, 1) == []


@pytest.mark.slow
def test_many_calls_with_odd_arguments() -> None:
    # NumPy refuses some odd values that change nothing, or mean the same; and of an argument that is wrong in
    # several ways it tells one or the other.
    assert wrong(60_000, 2, KNOWN | {"LENIENT", "DIFFERS", "CLASS"}) == []


def test_bytes_of_a_traced_array_are_seen() -> None:
    def overwritten(x: Any) -> Any:
        np.frombuffer(x, np.int32, 2, 8)[:] = 7
        return x + 0

    found = jf.jit(overwritten)(np.arange(6, dtype=np.int32))
    np.testing.assert_array_equal(found, overwritten(np.arange(6, dtype=np.int32)))


def test_modes_of_copies_are_those_of_numpy() -> None:
    x = np.arange(3.0)
    for mode in np._CopyMode:
        found = jf.jit(lambda x, m=mode: np.array(x, copy=m) * 2)(x)
        np.testing.assert_array_equal(found, x * 2)
    shared = jf.jit(lambda x: np.array(x, copy=np._CopyMode.IF_NEEDED))(x)
    assert np.shares_memory(shared, x)
    assert not np.shares_memory(jf.jit(lambda x: np.array(x, copy=np._CopyMode.ALWAYS))(x), x)
