"""Every name of NumPy's works on lazy arrays; none makes an object array."""

from __future__ import annotations

import math
import pickle
from typing import Any

import numpy as np
import pytest
import scipy.special

import jitframe as jf
from jitframe.api.creation.constructors import asarray
from jitframe.api.index import ENTRIES
from jitframe.api.namespace import BY_MATH, BY_NUMPY, FUNCTIONS, SCALAR_TYPES, lookup, scalar_function
from jitframe.backends.operations import arguments
from jitframe.errors import UnsupportedError
from jitframe.runtime.device import CPU
from jitframe.tensors.tensor import Tensor

UFUNCS = sorted(name for name in dir(np) if isinstance(getattr(np, name), np.ufunc))
DISPATCHED = sorted(
    name
    for module, prefix in ((np, ""), (np.linalg, "linalg."), (np.fft, "fft."))
    for name in (f"{prefix}{each}" for each in dir(module))
    if hasattr(_found := getattr(module, name.rpartition(".")[2]), "_implementation") and callable(_found)
)


def find(name: str) -> Any:
    found: Any = np
    for part in name.split("."):
        found = getattr(found, part)
    return found


def test_ufuncs() -> None:
    for name in UFUNCS:
        ufunc = getattr(np, name)
        of_integers = name.startswith(("bitwise", "left", "right", "invert", "gcd", "lcm"))
        x = asarray(np.ones((2, 2), "i4" if of_integers else "f4"))
        arguments = (x, asarray(np.ones((2, 2), "i4"))) if name == "ldexp" else (x,) * ufunc.nin
        if lookup(ufunc) is not None:
            results = ufunc(*arguments)
            several = results if isinstance(results, tuple) else (results,)
            assert all(isinstance(each, Tensor) for each in several), name
            continue
        assert name == "isnat", name
        with pytest.raises(TypeError, match="only defined for np.datetime64"):  # NumPy's, which answers
            ufunc(*arguments)


_ABOUT_ARRAYS = ("ndim", "shape", "size", "iscomplexobj", "isrealobj", "may_share_memory")


_LEFT_TO_NUMPY = {
    "array2string", "array_repr", "array_str", "busday_count", "busday_offset", "datetime_as_string",
    "is_busday", "save", "savetxt", "savez", "savez_compressed",
}  # fmt: skip
"""Files, texts and dates."""


def test_functions_that_dispatch() -> None:
    names = {name for name in DISPATCHED if find(name) not in BY_NUMPY and name not in _ABOUT_ARRAYS}
    assert names == _LEFT_TO_NUMPY


_OF_INTEGERS = ("bincount", "packbits")


@pytest.mark.filterwarnings("ignore:numpy.fix is deprecated")
def test_supported_functions_meet_numpys_protocol() -> None:
    """The call by which a backend is asked, written with NumPy's function."""
    for function, name in [(each, name) for each in FUNCTIONS.values() for name in each.numpy]:
        numpys = find(name)
        if isinstance(numpys, np.ufunc) or not hasattr(numpys, "_implementation") or function.kind == "dtype":
            continue
        given = arguments(function.name, CPU, np.dtype("u1" if name in _OF_INTEGERS else "f4"))
        plain = _plain(given)
        result, expected = numpys(*given), numpys(*plain)
        if result is None:  # it writes to the first
            result, expected = given[0], plain[0]
        for found, wanted in zip(_several(result), _several(expected), strict=True):
            assert isinstance(found, Tensor) or not _tensors(given), name
            assert np.shape(found) == np.shape(wanted)
            assert found.dtype == np.asarray(wanted).dtype
            if name != "empty_like":
                # NumPy's sinc is no exact zero at 1: it rounds pi * x before the sine is taken.
                np.testing.assert_allclose(np.asarray(found), wanted, rtol=1e-6, atol=1e-6)


def _tensors(value: Any) -> list[Any]:
    if isinstance(value, (list, tuple)):
        return [found for each in value for found in _tensors(each)]
    return [value] if isinstance(value, Tensor) else []


def _several(value: Any) -> Any:
    """The arrays of a result, of lists in it too."""
    return (
        [each for member in value for each in _several(member)]
        if isinstance(value, (list, tuple))
        else [value]
    )


def _plain(value: Any) -> Any:
    if isinstance(value, Tensor):
        return value.numpy().copy()
    return type(value)(map(_plain, value)) if isinstance(value, (list, tuple)) else value


def test_arrays_of_tensors_are_no_object_arrays() -> None:
    x = asarray(np.arange(3.0))
    for made in (np.array([x, x]), np.array([x[0], x[1]]), np.asarray(x), np.array(x), np.full(2, x[1])):
        assert made.dtype == np.float64


def test_attributes_of_ndarray() -> None:
    x = asarray(np.ones((2, 2)))
    for name in (name for name in dir(np.ndarray) if not name.startswith("_")):
        try:
            getattr(x, name)
        except UnsupportedError as error:
            assert isinstance(error, AttributeError)  # noqa: PT017 (NumPy decides whether it raises)
            assert str(error).startswith(f"ndarray.{name} is not supported on jitframe arrays; ")  # noqa: PT017


def test_math_functions_make_python_numbers_of_rank_zero() -> None:
    x = asarray(np.float32(0.7))
    for function in BY_MATH:
        ours = scalar_function(function)
        value = 1.7 if function is math.acosh else 0.7
        pairs = (math.pow, math.fmod, math.copysign, math.atan2, math.hypot)
        arguments = (value, value) if function in pairs else (value,)
        expected = function(*(float(np.float32(each)) for each in arguments))
        found = ours(*(asarray(np.float32(each)) for each in arguments))
        np.testing.assert_allclose(found.numpy(), expected, rtol=1e-14)
        assert found.dtype == np.asarray(expected).dtype
    three = [asarray(np.float64(side)) for side in (2.0, 3.0, 6.0)]
    assert float(scalar_function(math.hypot)(*three).numpy()) == 7.0
    with pytest.raises(TypeError) as caught:
        scalar_function(math.sqrt)(asarray(np.ones(3)))
    assert str(caught.value).split("\n")[0] == (
        "math.sqrt: only 0-dimensional arrays can be converted to Python scalars; use the NumPy function"
    )
    assert math.sqrt(x) == math.sqrt(np.float32(0.7))


def test_scipy_and_scalar_types() -> None:
    x = asarray(np.linspace(-2, 2, 9))
    for function in (scipy.special.erf, scipy.special.exp2, scipy.special.expm1, scipy.special.cbrt):
        np.testing.assert_allclose(function(x).numpy(), function(x.numpy()), rtol=1e-14)
    for function in (scipy.special.erfc, scipy.special.gamma, scipy.special.gammaln):
        np.testing.assert_allclose(function(x + 0.3).numpy(), function(x.numpy() + 0.3), rtol=1e-14)
    for kind, cast in SCALAR_TYPES.items():
        assert cast(x).dtype == kind


def test_names_are_functions_whatever_was_imported() -> None:
    for name in ENTRIES:
        assert name.partition(".")[0] == "linalg" or callable(getattr(jf, name)), name
    assert float(jf.trace(jf.asarray(np.eye(3)))) == 3  # a package has that name too


def test_numpys_names_for_ours() -> None:
    """`import jitframe as np`: every name of NumPy's for a function of ours is that function."""
    for name, (_, _, called) in ENTRIES.items():
        for alias in (each for each in called if "." not in each):
            assert getattr(jf, alias) is getattr(jf, name) and alias in jf.__all__, alias
    assert jf.concatenate is jf.concat and jf.arcsin is jf.asin and jf.mod is jf.remainder
    with pytest.raises(AttributeError, match=r"^module 'jitframe' has no attribute 'concatenates'$"):
        jf.concatenates  # noqa: B018


def test_dtypes_are_types_that_cast() -> None:
    """`jf.float32` is NumPy's dtype of that name by `==` and hash, and casts when it is called."""
    x = np.array([1.5, -2.0, 0.0])
    for name in (*(kind.__name__ for kind in SCALAR_TYPES), "complex64", "complex128"):
        ours, dtype = getattr(jf, name), np.dtype(name)
        assert ours == dtype and dtype == ours and hash(ours) == hash(dtype) and {ours: 1}[dtype] == 1
        assert ours != "no dtype" and ours != None and ours != [3] and ours != object()  # noqa: E711
        assert isinstance(dtype.type(1), ours) and not isinstance("1", ours)
        assert np.zeros(2, ours).dtype == jf.zeros(2, dtype=ours).dtype == np.dtype(ours) == dtype
        assert type(ours(1)) is dtype.type and pickle.loads(pickle.dumps(ours)) is ours
        assert ours.itemsize == dtype.itemsize and ours.kind == dtype.kind
        if name.startswith(("bool", "int", "float", "complex")):
            np.testing.assert_array_equal(ours(jf.asarray(x)), x.astype(name), strict=True)
            np.testing.assert_array_equal(jf.jit(lambda a, t=ours: t(a))(x), x.astype(name), strict=True)
    assert np.issubdtype(jf.float32, np.floating) and jf.result_type(jf.int8, jf.uint8) == jf.int16
    assert jf.float32 != jf.float64 and repr(jf.float32) == "jitframe.float32"


def test_stride_tricks_by_numpys_path() -> None:
    for name in ("as_strided", "sliding_window_view"):
        assert getattr(jf.lib.stride_tricks, name) is getattr(jf, name)
