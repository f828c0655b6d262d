"""What `reduce`, `reduceat`, `accumulate` and `outer` of NumPy's ufuncs are."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy

from ..base.boundary import guarded
from ..base.importing import load
from ..errors import ArgumentError, DTypeError
from ..functions import elementwise, movement
from ..functions import reductions as nodes
from ..functions.operands import cast, truth
from ..functions.scans import scanned
from . import reductions
from .frame import LazyValue, call
from .namespace import lookup
from .signature import bind, optional_dtype, single_output

Public = Callable[..., Any]


def _bitwise(kind: str, name: str, logical: bool = False) -> Public:
    def function(graph: Any, x: Any, **options: Any) -> Any:
        return nodes.bitwise(graph, truth(graph, x) if logical else x, kind, **options)

    return _extreme(function, name)


def _sum(function: Public, name: str) -> Public:
    return guarded(reductions.sums(function, f"{name}.reduce"))


def _extreme(function: Public, name: str) -> Public:
    return guarded(reductions.extremes(function, f"{name}.reduce"))


_REDUCE: dict[Any, Public] = {
    numpy.add: _sum(nodes.sum, "add"),
    numpy.multiply: _sum(nodes.prod, "multiply"),
    numpy.maximum: _extreme(nodes.max_, "maximum"),
    numpy.minimum: _extreme(nodes.min_, "minimum"),
    numpy.logical_and: _extreme(nodes.all_, "logical_and"),
    numpy.logical_or: _extreme(nodes.any_, "logical_or"),
    numpy.logical_xor: _bitwise("bit_xor", "logical_xor", logical=True),
    numpy.bitwise_and: _bitwise("bit_and", "bitwise_and"),
    numpy.bitwise_or: _bitwise("bit_or", "bitwise_or"),
    numpy.bitwise_xor: _bitwise("bit_xor", "bitwise_xor"),
}


def _log_sum(graph: Any, x: Any, power: Any, logarithm: Any, **options: Any) -> Any:
    """The logarithm of a sum of powers, from the largest of them on, so that none overflows."""
    node = elementwise.in_floating(graph, x)
    largest = nodes.max_(graph, node, initial=-math.inf, **{**options, "keepdims": True})
    finite = elementwise.where(graph, elementwise.isfinite(graph, largest), largest, 0.0)
    summed = nodes.sum(graph, power(graph, elementwise.subtract(graph, node, finite)), **options)
    shift = (
        finite
        if options.get("keepdims")
        else movement.reshape(finite.shape, summed.shape).apply(graph, finite)
    )
    return elementwise.add(graph, logarithm(graph, summed), shift)


_REDUCE[numpy.logaddexp] = _extreme(
    partial(_log_sum, power=elementwise.exp, logarithm=elementwise.log), "logaddexp"
)
_REDUCE[numpy.logaddexp2] = _extreme(
    partial(_log_sum, power=elementwise.exp2, logarithm=elementwise.log2), "logaddexp2"
)
_ACCUMULATE: dict[Any, Public | str] = {
    numpy.add: reductions.cumsum, numpy.multiply: reductions.cumprod, numpy.maximum: "max",
    numpy.minimum: "min", numpy.logical_and: "min", numpy.logical_or: "max",
}  # fmt: skip
_LOGICAL = (numpy.logical_and, numpy.logical_or)


def find(ufunc: Any, method: str) -> Public | None:
    """The function that a method of a ufunc is; None where that is not supported."""
    if ufunc.nin != 2 or ufunc.nout != 1 or ufunc.signature is not None or lookup(ufunc) is None:
        return None
    if method == "reduce":
        return partial(_reduce, ufunc)
    if method == "accumulate":
        return partial(_accumulate, ufunc)
    if method == "reduceat":
        return partial(_reduce_at, ufunc)
    if method == "outer":
        return partial(_outer, ufunc)
    return None


def _folding() -> Any:
    """The room above this one folds by loops that it traces."""
    return load("jitframe.tracing.ufunc_folding")


def _reduce(ufunc: Any, x: Any, **options: Any) -> Any:
    function = _REDUCE.get(ufunc)
    cast_first = options.get("dtype") is not None and ufunc not in (numpy.add, numpy.multiply)
    started = options.get("initial") is not None and ufunc in (numpy.logaddexp, numpy.logaddexp2)
    if function is None or cast_first or started:
        return _folding().reduced(ufunc, x, **options)
    options.setdefault("axis", 0)
    if options.get("dtype", 0) is None:
        del options["dtype"]  # few of them have it
    return function(x, **options)


def _accumulate(ufunc: Any, x: Any, **options: Any) -> Any:
    bound = bind(f"{ufunc.__name__}.accumulate", ("axis", "dtype", "out"), (), options)
    axis, dtype = bound.get("axis", 0), optional_dtype(bound.get("dtype"))
    if not x.shape:
        raise DTypeError("cannot accumulate on a scalar")
    if not hasattr(axis, "__index__"):
        raise ArgumentError("accumulate does not allow multiple axes")
    function = _ACCUMULATE.get(ufunc)
    if function is None:
        return _folding().accumulated(ufunc, x, axis, bound.get("dtype"), bound.get("out"))
    if not isinstance(function, str):
        return function(x, axis=axis, dtype=bound.get("dtype"), out=bound.get("out"))

    def accumulated(graph: Any, operand: Any) -> Any:
        node = truth(graph, operand) if ufunc in _LOGICAL else operand
        return scanned(graph, node if dtype is None else cast(graph, node, dtype), function, axis)

    return call(accumulated, (x,), out=single_output(bound.get("out")), dtype=dtype)


def _reduce_at(ufunc: Any, x: Any, indices: Any, *given: Any, **options: Any) -> Any:
    bound = bind(f"{ufunc.__name__}.reduceat", ("axis", "dtype", "out"), given, options)
    return _folding().reduced_at(ufunc, x, indices, bound)


def _outer(ufunc: Any, x: Any, y: Any, **options: Any) -> Any:
    """`ufunc` of every element of `x` with every one of `y`."""
    if not isinstance(x, LazyValue):
        x = numpy.asarray(x)
    rank = len(y.shape) if isinstance(y, LazyValue) else numpy.ndim(y)
    return ufunc(x.reshape((*x.shape, *(1,) * rank)), y, **options)
