"""Compares what a function does to tensors with what it does to ndarrays.

In each test the first comparison of a function on masks, on integers and on floats runs compiled kernels;
those after it run the graph's interpreter, which is a hundred times quicker to start: what they are about is
which graph a call makes, and tests/conformance compiles every operation on every dtype. `make test-all`
compiles all.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from types import FunctionType
from typing import Any

import numpy
import pytest

import jitframe as jf
from jitframe.api.creation.constructors import asarray
from jitframe.errors import JitframeError, UnsupportedError
from jitframe.ir.interpret import evaluate
from jitframe.ir.node import topological
from jitframe.ir.types import BY_NUMPY_NAME
from jitframe.tensors.segments import Program
from jitframe.tensors.tensor import Tensor

COMPILE_ALL = bool(os.environ.get("JITFRAME_TESTS_COMPILE_ALL"))

DTYPES = ("bool", "uint8", "int32", "int64", "float32", "float64")
SUPPORTED_NAMES = frozenset(BY_NUMPY_NAME)

_FLOATS = [
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.5, 3.7, -7.25, 1e-30, -1e30, 6.0, numpy.inf, -numpy.inf,
    numpy.nan,
]  # fmt: skip
_VALUES: dict[str, list[Any]] = {
    "bool": [False, True, True, False],
    "uint8": [0, 1, 2, 3, 7, 100, 128, 200, 255],
    "int32": [0, 1, -1, 2, -3, 7, -100, 2**31 - 1, -(2**31), 65537],
    "int64": [0, 1, -1, 2, -3, 7, -100, 2**63 - 1, -(2**63), 2**33 + 1],
    "float32": [*_FLOATS, 1e-45, 3.4e38],
    "float64": [*_FLOATS, 5e-324, 1.7e308],
}


def values(dtype: str) -> numpy.ndarray:
    """All telling values of a dtype."""
    return numpy.array(_VALUES[dtype], dtype)


def pairs(x: str, y: str) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Every value of one dtype with every value of another."""
    first, second = numpy.meshgrid(values(x), values(y), indexing="ij")
    return numpy.ascontiguousarray(first), numpy.ascontiguousarray(second)


def small(dtype: str, shape: tuple[int, ...], seed: int = 0) -> numpy.ndarray:
    """Random values whose sums and products stay small."""
    drawn = numpy.random.default_rng(seed).normal(size=shape) * 3
    return (numpy.abs(drawn) if dtype == "uint8" else drawn).astype(dtype)


def tensors(value: Any) -> Any:
    """The same nested arguments with tensors in place of ndarrays."""
    if isinstance(value, numpy.ndarray):
        return asarray(value)
    if isinstance(value, (list, tuple)):
        return type(value)(map(tensors, value))
    return value


def assert_same(found: Any, expected: Any, exact: bool = True) -> None:
    """Equal dtype, shape and values: bit for bit (NaNs of any kind being equal), or within a few ulp."""
    if isinstance(expected, (tuple, list)):
        assert len(found) == len(expected)
        for each, wanted in zip(found, expected, strict=True):
            assert_same(each, wanted, exact)
        return
    assert isinstance(found, Tensor)
    result, expected = found.numpy(), numpy.asarray(expected)
    assert found.dtype == expected.dtype == result.dtype
    assert found.shape == expected.shape == result.shape
    if not exact and expected.dtype.kind == "f":
        numpy.testing.assert_allclose(result, expected, rtol=8 * numpy.finfo(expected.dtype).eps)
        return
    numpy.testing.assert_array_equal(result, expected)
    if expected.dtype.kind == "f":
        numbers = ~numpy.isnan(expected)
        numpy.testing.assert_array_equal(numpy.signbit(result)[numbers], numpy.signbit(expected)[numbers])


_run_compiled = Program.run
_compiled: set[tuple[str, ...]] = set()


def _run_interpreted(program: Program, arguments: Sequence[Any]) -> Sequence[Any]:
    """The values of a part of a lazy graph by each op's meaning in NumPy; compiled where that refuses, where
    the device keeps its own arrays, or where known values are written to."""
    if not program.device.is_host or program.writes:
        return _run_compiled(program, arguments)
    given: dict[Any, Any] = {}
    numbers = arguments[len(program.layouts) :]
    for node in topological(program.outputs):
        if node.op.source == "array":
            given[node] = arguments[node.attribute("index")]
        elif node.op.source == "scalar":
            given[node] = numpy.asarray(numbers[node.attribute("index")], node.dtype.numpy_name)
    try:
        found = evaluate(program.outputs, given)
    except (ArithmeticError, LookupError, TypeError, ValueError):
        return _run_compiled(program, arguments)
    return [
        numpy.array(each, node.dtype.numpy_name, order="C").reshape(node.shape)
        for node, each in zip(program.outputs, found, strict=True)
    ]


def _names(function: Callable[..., Any]) -> Iterator[str]:
    """What tells a function from others, and a lambda by the functions that it calls."""
    yield getattr(function, "__qualname__", repr(function))
    if isinstance(function, FunctionType):
        yield str(function.__code__.co_firstlineno)
        for cell in function.__closure__ or ():
            if callable(cell.cell_contents):
                yield from _names(cell.cell_contents)
        for default in function.__defaults__ or ():
            if callable(default):
                yield from _names(default)


def is_new(function: Callable[..., Any], arguments: Sequence[Any]) -> bool:
    """Whether the test that runs compares it for the first time on arrays of such a kind."""
    kinds = {array.dtype.kind for array in arguments if isinstance(array, numpy.ndarray)}
    kind = "float" if kinds & {"f", "c"} else "integer" if kinds & {"i", "u"} else "mask"
    names = (os.environ["PYTEST_CURRENT_TEST"].partition("[")[0], kind, *_names(function))
    new = names not in _compiled
    _compiled.add(names)
    return new


@contextmanager
def interpreted() -> Iterator[None]:
    """No part of a lazy graph is compiled: for what a test also compiles in a jitted function."""
    if not COMPILE_ALL:
        Program.run = _run_interpreted  # type: ignore[method-assign]
    try:
        yield
    finally:
        Program.run = _run_compiled  # type: ignore[method-assign]


def check_compiled(functions: Sequence[Callable[..., Any]], *arguments: Any, exact: bool = True) -> None:
    """One jitted program of those functions that NumPy has a result for gives these results."""
    expected, taken = [], []
    with numpy.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for function in functions:
            try:
                result = numpy.asarray(function(*arguments))
            except (TypeError, ValueError, OverflowError, IndexError):
                continue
            if result.dtype.name in SUPPORTED_NAMES:
                expected.append(result)
                taken.append(function)
        if taken:
            found = jf.jit(lambda *given: [function(*given) for function in taken])(*tensors(arguments))
            assert_same(found, expected, exact)


def check(function: Callable[..., Any], *arguments: Any, exact: bool = True) -> None:
    """`function` on tensors gives what it gives on ndarrays; where NumPy refuses, so do we; where NumPy's
    result has a dtype that we do not have, UnsupportedError."""
    with numpy.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            expected = function(*arguments)
        except (TypeError, ValueError, OverflowError, IndexError) as error:
            kind = next(
                each for each in (OverflowError, IndexError, ValueError, TypeError) if isinstance(error, each)
            )
            with pytest.raises((kind, UnsupportedError)) as caught:
                function(*tensors(arguments))
            assert isinstance(caught.value, JitframeError)
            return
        several = expected if isinstance(expected, (tuple, list)) else [expected]
        if any(numpy.asarray(each).dtype.name not in SUPPORTED_NAMES for each in several):
            with pytest.raises(UnsupportedError):
                function(*tensors(arguments))
            return
        with nullcontext() if is_new(function, arguments) else interpreted():
            assert_same(function(*tensors(arguments)), expected, exact)
