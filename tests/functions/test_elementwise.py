"""Elementwise functions equal NumPy's: every dtype, every pair, Python numbers on either side."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.special

from jitframe.api.creation.constructors import asarray
from jitframe.errors import DTypeError, NumberError, UnsupportedError
from tests.conformance.devices import THOROUGHLY
from tests.functions.compare import DTYPES, assert_same, check, pairs, tensors, values

EXACT_UNARY = (
    np.negative, np.positive, np.absolute, np.fabs, np.sqrt, np.square, np.floor, np.ceil, np.trunc,
    np.rint, np.sign,
    np.isnan, np.isinf, np.isfinite, np.logical_not, np.invert, np.round, np.copy,
)  # fmt: skip
OTHER_UNARY = (
    np.exp, np.log, np.sin, np.cos, np.tanh, scipy.special.erf, np.tan, np.arcsin, np.arccos, np.arctan,
    scipy.special.erfc, scipy.special.gamma, np.exp2, np.expm1, np.log2, np.log10, np.log1p, np.sinh, np.cosh,
    np.arcsinh, np.arccosh, np.arctanh, np.cbrt,
)  # fmt: skip
BINARY = (
    np.add, np.subtract, np.multiply, np.divide, np.floor_divide, np.remainder, np.equal, np.not_equal,
    np.less,
    np.less_equal, np.greater, np.greater_equal, np.logical_and, np.logical_or, np.logical_xor,
    np.bitwise_and,
    np.bitwise_or, np.bitwise_xor, np.left_shift, np.right_shift, np.copysign, np.fmod, divmod,
    np.gcd, np.lcm,
)  # fmt: skip
OPERATORS = (
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.eq,
    operator.ne, operator.lt, operator.le, operator.gt, operator.ge, operator.and_, operator.or_,
    operator.xor,
    operator.lshift, operator.rshift, np.where, np.copysign,
)  # fmt: skip
NUMBERS = (
    True, False, 0, 1, -1, 2, 3, 300, -200, 2**31, 2**40, 0.0, -0.0, 0.5, 2.5, -1e30, np.nan, np.inf,
)  # fmt: skip


def name(function: Callable[..., Any]) -> str:
    return function.__name__


@pytest.mark.parametrize("dtype", DTYPES)
def test_functions_of_one_array(dtype: str) -> None:
    for function in EXACT_UNARY:
        check(function, values(dtype))
    for function in OTHER_UNARY:
        if getattr(scipy.special, name(function), None) is function and dtype in ("bool", "uint8"):
            # SciPy 1.18 computes them in float32, those before in float64.
            found = function(asarray(values(dtype)))
            assert_same(found, function(values(dtype).astype(np.float64)), exact=False)
        else:
            check(function, values(dtype), exact=False)


@pytest.mark.parametrize("y", DTYPES)
@pytest.mark.parametrize("x", DTYPES)
def test_functions_of_two_arrays(x: str, y: str) -> None:
    first, second = pairs(x, y)
    for function in BINARY:
        check(function, first, second)
    for function in (np.hypot, np.logaddexp, np.logaddexp2):
        check(function, first, second, exact=False)
    for function in (np.minimum, np.maximum):
        # Which zero is the smaller of 0.0 and -0.0 depends on NumPy's build: adding 0.0 makes them one.
        check(lambda *each, function=function: function(*each) + np.uint8(0), first, second)
    check(lambda a, b: np.where(a == b, a, b), first, second)
    check(lambda a, b: np.where(a, a, b[0]), first, second)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_logarithms_of_sums(dtype: type[np.floating]) -> None:
    """Within two ulp of the true value, or of 1/2 where the operands nearly cancel."""
    random = np.random.default_rng(7)
    x = np.concatenate([random.uniform(-9, 9, 3000), random.uniform(-700, 700, 1000)]).astype(dtype)
    y = np.concatenate([random.uniform(-9, 9, 3000), x[3000:] + random.uniform(-40, 40, 1000)]).astype(dtype)
    for function in (np.logaddexp, np.logaddexp2):
        true = function(x.astype(np.longdouble), y.astype(np.longdouble))
        got = function(asarray(x), asarray(y)).numpy()
        assert got.dtype == dtype
        unit = np.spacing(np.maximum(np.abs(true), 0.5).astype(dtype))
        assert (np.abs(got - true) <= 2 * unit).all()
    inf, nan = np.inf, np.nan
    x = np.array([inf, inf, -inf, -inf, nan, 0, nan, inf, 1e4], dtype)
    y = np.array([inf, -inf, inf, -inf, 0, nan, inf, nan, 1e4], dtype)
    for function in (np.logaddexp, np.logaddexp2):
        with np.errstate(all="ignore"):
            want = function(x, y)
        np.testing.assert_array_equal(function(asarray(x), asarray(y)).numpy(), want)


@pytest.mark.parametrize("dtype", DTYPES)
def test_sinc(dtype: str) -> None:
    """As NumPy's where that is accurate; at whole numbers the zeros are exact."""
    x = values(dtype)
    with np.errstate(all="ignore"):
        want = np.sinc(x)
        whole = (x == np.rint(x)) & (x != 0) if x.dtype.kind == "f" else x != 0
    got = np.sinc(asarray(x)).numpy()
    assert got.dtype == want.dtype
    infinite = ~np.isfinite(x)
    assert np.isnan(got[infinite]).all()
    assert (got[whole & ~infinite] == 0).all()
    np.testing.assert_allclose(got[~whole], want[~whole], rtol=1e-5 if dtype == "float32" else 1e-13)


def choose(x: Any, y: Any) -> Any:
    if isinstance(x, np.ndarray) and isinstance(y, int):
        x.dtype.type(y)  # NumPy before 2.5 wraps integers that do not fit, without a word
    return np.where(np.asarray(x) > 0 if isinstance(x, np.ndarray) else x > 0, x, y)


@THOROUGHLY
@pytest.mark.parametrize("dtype", DTYPES)
def test_python_numbers_are_weak(dtype: str, thorough: bool) -> None:
    """A seventh of all in the fast set: every function, and every number."""
    start = DTYPES.index(dtype)
    cases = list(itertools.product(OPERATORS, NUMBERS))
    for function, number in cases if thorough else cases[start::7]:
        if function in (operator.lshift, operator.rshift) and isinstance(number, int) and number > 63:
            continue  # int64 arrays: NumPy's own result is not defined
        called = choose if function is np.where else function
        check(lambda array, f=called, number=number: f(array, number), values(dtype))
        if called is not choose:
            check(lambda array, f=called, number=number: f(number, array), values(dtype))


@pytest.mark.parametrize("dtype", DTYPES)
def test_numpy_scalars_are_strong(dtype: str) -> None:
    for kind, function in itertools.product(
        DTYPES, (operator.add, operator.truediv, operator.lt, np.maximum)
    ):
        scalar = np.dtype(kind).type(3)
        check(lambda array, function=function, scalar=scalar: function(array, scalar), values(dtype))
        check(lambda array, function=function, scalar=scalar: function(scalar, array), values(dtype))
        check(
            lambda array, function=function, scalar=scalar: function(array, np.array(scalar)), values(dtype)
        )


@pytest.mark.parametrize("dtype", DTYPES)
def test_powers_of_known_exponents(dtype: str) -> None:
    whole = dtype.startswith(("i", "u", "b"))
    for e in (-2, -1, 0, 1, 2, 3, 5, 31, True, -1.0, 0.0, 0.5, 1.0, 2.0, 2.5, 3.0):
        exact = (whole and isinstance(e, int)) or e in (-1, 0, 0.5, 1, 2)
        for function in (operator.pow, np.power):
            check(lambda array, function=function, e=e: function(array, e), values(dtype), exact=exact)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_angles_of_points(dtype: str) -> None:
    check(np.arctan2, *pairs(dtype, dtype), exact=False)
    check(np.arctan2, *pairs("int32", "float64"), exact=False)
    check(lambda array: np.arctan2(2, array), values(dtype), exact=False)
    check(np.arctan2, np.arange(9, dtype="i1"), np.arange(9, dtype="u1"), exact=False)
    check(lambda array: np.copysign(array, 1), np.array([True, False]))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_powers_of_arrays(dtype: str) -> None:
    check(operator.pow, *pairs(dtype, dtype), exact=False)
    check(operator.pow, *pairs("int32", "float64"), exact=False)
    check(lambda array: 2**array, values(dtype), exact=False)


def test_integer_powers_of_what_may_be_negative_are_refused() -> None:
    x = asarray(np.arange(3))
    assert (x**x).tolist() == [1, 1, 4]  # these are known
    x = x - 1
    with pytest.raises(UnsupportedError) as caught:
        x**x
    assert str(caught.value).splitlines()[0] == (
        "power: an array of int64 as exponents of integers may hold negative ones, for which NumPy has an "
        "error and a compiled function none; cast them with .astype(np.uint8), or write "
        "x.astype(np.float64) ** y"
    )


@pytest.mark.parametrize("dtype", DTYPES)
def test_clip(dtype: str) -> None:
    array = values(dtype) + np.array(0, dtype) if dtype != "bool" else values(dtype)
    for bounds in (
        (0, 2),
        (None, 1),
        (1, None),
        (-1, 300),
        (0.5, 2.5),
        (3, 1),
        (float("nan"), 1.0),
        (None, None),
    ):
        check(lambda x, bounds=bounds: np.clip(x, *bounds) + np.uint8(0), array)
    check(lambda x, low: np.clip(x, low, 2) + np.uint8(0), array, np.array([[1], [0]], dtype))
    check(lambda x: x.clip(max=1) + np.uint8(0), array)


@pytest.mark.parametrize("source", DTYPES)
def test_casts(source: str) -> None:
    for target in DTYPES:
        array = values(source)
        if source.startswith("float") and not target.startswith("float"):
            # What NumPy makes of NaN and of values out of range depends on its build.
            array = array[
                np.isfinite(array) & (np.abs(array) < 100) & (array >= 0 if target == "uint8" else True)
            ]
        check(lambda x, target=target: x.astype(target), array)


@pytest.mark.parametrize(
    ("x", "y"),
    [
        ((3,), (3,)),
        ((3,), (1,)),
        ((4, 1), (3,)),
        ((4, 1, 2), (3, 1)),
        ((), (2, 3)),
        ((0, 3), (1,)),
        ((1, 1), (5, 4)),
    ],
)
def test_broadcasting(x: tuple[int, ...], y: tuple[int, ...]) -> None:
    first = np.arange(np.prod(x, dtype=int), dtype="f4").reshape(x)
    second = np.arange(np.prod(y, dtype=int), dtype="f8").reshape(y)
    check(operator.sub, first, second)
    check(operator.sub, second, first)
    check(operator.lt, first, second)


def test_shapes_that_do_not_broadcast() -> None:
    check(operator.add, np.zeros(3), np.zeros(4))
    with pytest.raises(
        ValueError, match=r"operands could not be broadcast together with shapes \(2,3\) \(4,\)"
    ):
        asarray(np.zeros((2, 3))) + np.zeros(4)


def test_lists_and_mixed_operands() -> None:
    check(lambda x: x + [1, 2, 3], np.arange(3.0))  # noqa: RUF005 (addition is meant)
    check(lambda x: [1.5, 2, 3] * x, np.arange(3))
    check(lambda x, y: np.add(x, [y[0], y[1], y[2]]), np.arange(3.0), np.arange(3))
    array = np.arange(3.0)
    for result in (array + asarray(array), asarray(array) + array, np.float32(2) * asarray(array)):
        assert type(result).__name__ == "Tensor"


@pytest.mark.parametrize("function", [np.add, np.subtract, np.multiply, np.divide, np.floor_divide, np.power])
def test_in_place(function: Callable[..., Any]) -> None:
    symbol = {np.add: operator.iadd, np.subtract: operator.isub, np.multiply: operator.imul,
              np.divide: operator.itruediv, np.floor_divide: operator.ifloordiv,
              np.power: operator.ipow}[function]  # fmt: skip
    for dtype in ("int32", "float32", "uint8", "float64"):
        for other in (2, 2.5, np.ones((3, 1), dtype), np.ones(4, "float64"), np.ones((2, 3, 4)), np.int64(2)):
            if function is np.power and isinstance(other, np.ndarray) and dtype in ("int32", "uint8"):
                continue

            def update(x: Any, other: Any = other) -> Any:
                same = x
                x = symbol(x, other)
                assert x is same
                return x

            with np.errstate(all="ignore"):
                array = np.arange(12).reshape(3, 4).astype(dtype) + np.array(1, dtype)
                # NumPy's run comes first and changes its argument: each side gets its own.
                exact = function is not np.power
                check(lambda x, update=update: update(x.copy()), array, exact=exact)


def test_ufunc_arguments() -> None:
    x = tensors(np.arange(3.0))
    out = tensors(np.zeros(3))
    assert np.add(x, 1, out=out) is out
    assert out.tolist() == [1, 2, 3]
    assert np.add.reduce(x).item() == 3
    with pytest.raises(
        UnsupportedError, match=r"^add: where= without out= leaves the other elements undefined; give out="
    ):
        np.add(x, 1, where=x > 0)
    array = np.zeros(3)
    assert np.add(x, 1, out=array) is array
    assert array.tolist() == [1, 2, 3]


def test_messages() -> None:
    octets = tensors(np.arange(3, dtype=np.uint8))
    for function, kind, message in (
        (lambda: octets + 300, NumberError, "Python integer 300 out of bounds for uint8"),
        (lambda: octets.astype(bool) - octets.astype(bool), DTypeError,
         "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` "
         "operator, or the "
         "logical_xor function instead."),
        (lambda: octets ** -np.arange(3), UnsupportedError, None),
    ):  # fmt: skip
        with pytest.raises(kind) as caught:
            function()
        text, place = str(caught.value).split("\n")
        assert message is None or text == message
        assert place.startswith(f"  at {__file__}:")
