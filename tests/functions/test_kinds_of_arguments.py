"""Arguments of kinds that functions do not take: NumPy's class, the user's line, and nothing computed."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.api.index import ENTRIES
from jitframe.api.namespace import FUNCTIONS
from jitframe.api.numpy_names import numpy_object
from jitframe.errors import JitframeError, KindError, UnknownDeviceError, UnsupportedError

MATRIX = np.arange(6.0).reshape(2, 3)
WHOLE = np.arange(6).reshape(2, 3)

MISTAKES: dict[str, Callable[[Any, Any], Any]] = {
    "casting is an array": lambda np, x: np.sin(x, casting=np.ones(2)),
    "casting and a dtype are given": lambda np, x: np.sin(x, dtype="u1", casting=np.ones(2)),
    "order is an array": lambda np, x: np.add(x, x, order=np.ones(2)),
    "out is a tuple of several": lambda np, x: np.sin(x, (1, 1)),
    "out is named, a tuple of several": lambda np, x: np.sin(x, out=(1, 1)),
    "out of a reduction is a tuple": lambda np, x: np.sum(x, out=(1, 1)),
    "where is of numbers": lambda np, x: np.sin(x, out=np.zeros((2, 3)), where=np.ones(5)),
    "where of a reduction is of numbers": lambda np, x: np.max(x, where=np.ones(5)),
    "where has another shape": lambda np, x: np.sum(x, where=np.ones(5, bool)),
    "initial is a list": lambda np, x: np.sum(x, initial=[1.0]),
    "axis is a list": lambda np, x: np.add.reduce(x, [0]),
    "axis of a loop is a list": lambda np, x: np.hypot.reduce(x, [0]),
    "several axes of accumulate": lambda np, x: np.add.accumulate(x, (0, 1)),
    "axis of a scan is none there": lambda np, x: np.add.accumulate(x[0, 0], 1),
    "dtype of a loop is none": lambda np, x: np.hypot.reduce(x, dtype="nothing"),
    "keepdims of a loop is a text": lambda np, x: np.hypot.reduce(x, keepdims="x"),
    "axes are a number": lambda np, x: np.transpose(x, 1.5),
    "sorter is a bool": lambda np, x: np.searchsorted(x[0], x, sorter=True),
    "repeats are a text": lambda np, x: np.repeat(x, "f4"),
    "an axis that size has not": lambda np, x: np.size(x, 5),
    "sums over axes that are none": lambda np, x: np.tensordot(x, x[0], 2),
    "an output of the wrong shape and dtype": lambda np, x: np.cumsum(x, 0, out=np.zeros(2, int)),
    "an output and a dtype": lambda np, x: np.concatenate([x, x], out=np.zeros((4, 3)), dtype=float),
    "texts as numbers": lambda np, x: np.asarray([1, "a"], float) + x,
    "a complex number as float": lambda np, x: np.copysign(x, 1 + 2j, dtype="f8"),
    "axis of reduceat is a range": lambda np, x: np.add.reduceat(x, [0], range(2)),
    "a complex order": lambda np, x: np.linalg.norm(x, 1 + 2j, 0),
    "indices of reduceat are floats": lambda np, x: np.add.reduceat(x, [[0.5]]),
    "two operands of at": lambda np, x: np.add.at(x, 0),
    "bits of floats of another shape": lambda np, x: np.bitwise_and(x, np.ones(7)),
}


@pytest.mark.parametrize("call", MISTAKES.values(), ids=MISTAKES)
def test_the_class_is_numpys(call: Callable[[Any, Any], Any], strict) -> None:
    with pytest.raises((IndexError, ValueError, TypeError)) as theirs:
        call(np, MATRIX.copy())
    builtin = next(each for each in (IndexError, ValueError, TypeError) if isinstance(theirs.value, each))
    for run in (lambda: call(jf, jf.asarray(MATRIX)), lambda: jf.jit(lambda x: call(np, x))(MATRIX.copy())):
        with pytest.raises(builtin) as ours:
            run()
        assert isinstance(ours.value, JitframeError)
        assert ours.value.line is not None and ours.value.line.file == __file__


@pytest.mark.parametrize("points", [(1,), [], np.ones(2), np.array(["a"]), "x", None])
def test_numbers_of_points(points: Any) -> None:
    for window in (jf.hanning, jf.blackman, lambda M: jf.kaiser(M, 2.0)):
        with pytest.raises(KindError, match="M is an integer, not"):
            window(points)
    with pytest.raises(KindError):
        jf.fft.fftfreq(points)


def test_numbers_of_points_that_are_numpys() -> None:
    for points in (np.float32(3), np.array(3.0), np.bool_(True), np.int8(4)):
        np.testing.assert_allclose(jf.hanning(points).numpy(), np.hanning(points), atol=1e-7)


def test_devices_that_are_none() -> None:
    with pytest.raises(UnknownDeviceError, match="there is no device 'x'") as caught:
        jf.zeros(3, device="x")
    assert isinstance(caught.value, ValueError)
    with pytest.raises(ValueError, match="a device is given by its name"):
        jf.zeros(3, device=(1, 2))


REDUCTIONS: list[Callable[[Any], Any]] = [
    lambda np_: np_.add.reduce(WHOLE, 1),
    lambda np_: np_.hypot.reduce(MATRIX, 0, None, None, True),
    lambda np_: np_.add.reduce(MATRIX, (0, 1), keepdims=True),
    lambda np_: np_.multiply.accumulate(WHOLE, 1),
    lambda np_: np_.subtract.accumulate(WHOLE, 1),
    lambda np_: np_.maximum.accumulate(WHOLE[0], None),
    lambda np_: np_.maximum.accumulate(WHOLE[0], (0,)),
    lambda np_: np_.add.reduceat(WHOLE, [0, 2], 1),
    lambda np_: np_.add.reduceat(WHOLE, indices=[0, 1], axis=0),
    lambda np_: np_.add.outer(WHOLE[0], [1.5, 2.5]),
    lambda np_: np_.maximum.outer(np.float32([1.0, -1.0]), 0),
    lambda np_: np_.hypot.reduce(np.float64(3.0), axis=0, initial=4.0),
]


@pytest.mark.parametrize("call", REDUCTIONS)
def test_methods_of_ufuncs_take_numpys_arguments(call: Callable[[Any], Any]) -> None:
    expected, found = call(np), call(jf)
    assert found.shape == np.shape(expected) and found.dtype == expected.dtype
    np.testing.assert_array_equal(found.numpy(), expected)


def test_methods_of_ufuncs_name_their_arguments() -> None:
    for call, said in (
        (lambda: jf.add.reduce(), "add.reduce() missing required argument 'array'"),
        (lambda: jf.add.reduce(MATRIX, axs=1), "unexpected keyword argument 'axs'"),
        (lambda: jf.add.outer(MATRIX), "missing 1 required positional argument: 'b'"),
        (lambda: jf.add.at(jf.zeros(3)), "missing 1 required positional argument: 'index'"),
        (lambda: jf.add.accumulate(MATRIX, 0, None, None, 1), "takes at most 4 positional arguments"),
    ):
        with pytest.raises(TypeError, match=re.escape(said)) as caught:
            call()
        assert isinstance(caught.value, JitframeError)


def test_folds_into_outputs_are_computed_in_their_dtype() -> None:
    x = np.array([[0, 3], [5, 1], [2, 4]], np.uint8)
    for function in (np.subtract.accumulate, np.subtract.reduce, np.floor_divide.accumulate):
        expected = np.zeros((3, 2) if "acc" in function.__name__ else 2)
        found = jf.asarray(expected)
        with np.errstate(all="ignore"):
            function(x, 0, out=expected)
        function(jf.asarray(x), 0, out=found)
        np.testing.assert_array_equal(found.numpy(), expected)


def test_conditions_that_numpy_makes_bools_of() -> None:
    x = np.arange(3.0)
    for where in ([1, 0, 1], (True, False, True), 0, 1.5, np.float32(2), np.bool_(False)):
        np.testing.assert_array_equal(np.sum(jf.asarray(x), where=where).numpy(), np.sum(x, where=where))
        expected, found = np.full(3, 9.0), jf.full(3, 9.0)
        np.negative(x, out=expected, where=where)
        np.negative(jf.asarray(x), out=found, where=where)
        np.testing.assert_array_equal(found.numpy(), expected)


def test_axes_of_a_number() -> None:
    """NumPy's C functions take a number for one element."""
    number, lazy = np.array(3.0), jf.asarray(3.0)
    for function in (
        lambda x: np.repeat(x, 2, 0), lambda x: np.take(x, [0, 0], 0), lambda x: np.squeeze(x, -1),
        lambda x: np.argsort(x, 0), lambda x: np.compress([True], x, 0),
    ):  # fmt: skip
        np.testing.assert_array_equal(function(lazy).numpy(), function(number))
        with pytest.raises(IndexError):
            np.repeat(lazy, 2, 1)


def test_norms_of_nothing() -> None:
    for shape in ((2, 0), (0, 2)):
        for order in (1, 2, np.inf):
            assert jf.linalg.norm(jf.zeros(shape), order).numpy() == np.linalg.norm(np.zeros(shape), order)
    assert jf.linalg.norm(jf.zeros(0), np.inf).numpy() == 0


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda rng: rng.normal([0.0, 1.0], 2.0, size=1), ValueError),
        (lambda rng: rng.exponential([1.0, 2.0], 1), ValueError),
        (lambda rng: rng.uniform(1.0, 0.0), ValueError),
        (lambda rng: rng.normal(1 + 2j), TypeError),
        (lambda rng: rng.poisson(None), TypeError),
        (lambda rng: rng.normal("x"), ValueError),
        (lambda rng: rng.normal(1.0, axs=2), TypeError),
        (lambda rng: rng.beta(1.0), TypeError),
        (lambda rng: rng.integers(0, 5, size="x"), TypeError),
        (lambda rng: rng.spawn(2**62), (ValueError, OverflowError)),
        (lambda rng: rng.spawn("x"), TypeError),
    ],
)
def test_parameters_of_draws(call: Callable[[Any], Any], error: Any) -> None:
    if "2**62" not in inspect.getsource(call):
        with pytest.raises(error):
            call(np.random.default_rng(1))
    with pytest.raises(error) as caught:
        call(jf.random.default_rng(1))
    assert isinstance(caught.value, JitframeError)
    assert caught.value.line is not None and caught.value.line.file == __file__


def test_operations_of_sparse_matrices() -> None:
    matrix = jf.sparse.COO(np.ones(2), np.array([0, 1]), np.array([0, 1]), (2, 2))
    for call in (
        lambda: matrix.sum("x"), lambda: matrix.sum(axs=0), lambda: matrix @ "x", lambda: matrix / object(),
        lambda: jf.sparse.COO(np.ones(2)),
    ):  # fmt: skip
        with pytest.raises(JitframeError) as caught:
            call()
        assert caught.value.line is not None and caught.value.line.file == __file__


def test_arguments_of_ufuncs_are_numpys() -> None:
    """Each name that NumPy's ufunc takes is one here, in the same place."""
    for name, called in [(each, called) for each in ENTRIES for called in FUNCTIONS[each].numpy]:
        theirs = numpy_object(called)
        if not isinstance(theirs, np.ufunc):
            continue
        ours = inspect.signature(FUNCTIONS[name].call).parameters
        for place, each in enumerate(inspect.signature(theirs).parameters.values()):
            if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY):
                assert each.name in ours, f"np.{called}({each.name}=)"
            if each.kind == each.POSITIONAL_OR_KEYWORD and theirs.nout == 1:
                assert [*ours].index(each.name) == place, f"np.{called}: the place of {each.name}"


METHODS = ("sum", "max", "mean", "std", "cumsum", "argmax", "all", "take", "sort", "searchsorted", "trace")


def test_arguments_of_methods_are_numpys() -> None:
    """The names that the first lines of their descriptions have."""
    for name in dir(np.ndarray):
        first = (getattr(np.ndarray, name).__doc__ or "").strip().split("\n")[0]
        found = re.fullmatch(rf"a\.{name}\((.*)\)", first)
        ours = getattr(jf.Tensor, name, None)
        if name.startswith("_") or found is None or not callable(ours):
            assert name not in METHODS, name
            continue
        parameters = inspect.signature(ours).parameters
        for each in re.findall(r"(\w+)=", found[1]):
            assert each in parameters, f"ndarray.{name}({each}=)"


def test_a_scale_is_one_number():
    x = jf.asarray(np.ones((2, 3, 4)))
    with pytest.raises(KindError, match="scale is .* not one number"):
        jf.nn.scaled_dot_product_attention(x, x, x, scale=((0,),))


def test_more_derivatives_than_a_polynomial_has():
    assert jf.polyder([1.0, 2.0, 3.0], 2**64).shape == np.polyder([1.0, 2.0, 3.0], 50).shape


def test_a_mean_fits_the_array_whose_nans_are_left_out():
    with pytest.raises(ValueError, match=r"mean broadcasts an array of shape \(3,\) to \(2,1,3\)"):
        jf.nanvar(np.arange(3.0), axis=-1, mean=np.ones((2, 1, 3)))


def test_classes_are_no_operands(strict: None) -> None:
    for function in (lambda x: int**x, lambda x: x + int):
        with pytest.raises(UnsupportedError, match="NumPy makes an array of objects"):
            jf.jit(function)(np.ones(2))
