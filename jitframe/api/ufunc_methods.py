"""What `reduce`, `reduceat`, `accumulate` and `outer` of NumPy's ufuncs are."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy

from ..base.boundary import guarded
from ..base.importing import load
from ..errors import ArgumentError, DTypeError
from ..functions.operands import cast, truth
from ..functions.scans import scanned
from . import reductions
from .frame import LazyValue, call
from .namespace import BY_NUMPY, FUNCTIONS, lookup
from .registry import Fold
from .signature import bind, optional_dtype, single_output

Public = Callable[..., Any]


def _reduction(ufunc: Any, fold: Fold) -> Public:
    """The public function that `ufunc.reduce` is."""
    found = _reductions.get(ufunc)
    if found is None:
        function = fold.reduce

        def reduce(graph: Any, x: Any, **options: Any) -> Any:
            return function(graph, truth(graph, x), **options)

        of_parameters = reductions.sums if fold.takes_dtype else reductions.extremes
        public = of_parameters(reduce if fold.of_truths else function, f"{ufunc.__name__}.reduce")
        found = _reductions[ufunc] = guarded(public)
    return found


_reductions: dict[Any, Public] = {}


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
    return load("jitframe.tracing.loops.ufunc_folding")


def _reduce(ufunc: Any, x: Any, **options: Any) -> Any:
    fold = BY_NUMPY[ufunc].declared.fold
    cast_first = options.get("dtype") is not None and fold is not None and not fold.takes_dtype
    started = options.get("initial") is not None and fold is not None and not fold.takes_initial
    if fold is None or cast_first or started:
        return _folding().reduced(ufunc, x, **options)
    options.setdefault("axis", 0)
    if options.get("dtype", 0) is None:
        del options["dtype"]  # few of them have it
    return _reduction(ufunc, fold)(x, **options)


def _accumulate(ufunc: Any, x: Any, **options: Any) -> Any:
    bound = bind(f"{ufunc.__name__}.accumulate", ("axis", "dtype", "out"), (), options)
    axis, dtype = bound.get("axis", 0), optional_dtype(bound.get("dtype"))
    if not x.shape:
        raise DTypeError("cannot accumulate on a scalar")
    if not hasattr(axis, "__index__"):
        raise ArgumentError("accumulate does not allow multiple axes")
    fold = BY_NUMPY[ufunc].declared.fold
    if fold is None or not (fold.cumulative or fold.scan):
        return _folding().accumulated(ufunc, x, axis, bound.get("dtype"), bound.get("out"))
    if fold.cumulative:
        return FUNCTIONS[fold.cumulative].call(x, axis=axis, dtype=bound.get("dtype"), out=bound.get("out"))

    def accumulated(graph: Any, operand: Any) -> Any:
        node = truth(graph, operand) if fold.of_truths else operand
        return scanned(graph, node if dtype is None else cast(graph, node, dtype), fold.scan, axis)

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
