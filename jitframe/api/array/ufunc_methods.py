"""The methods of NumPy's ufuncs: `reduce`, `accumulate`, `reduceat`, `outer` and `at`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy

from ...arrays.indexing import normalize_axes
from ...arrays.promotion import from_numpy, promote
from ...base.boundary import guarded
from ...base.importing import load
from ...errors import ArgumentError, DTypeError, UnsupportedError
from ...functions.complex_numbers import of_real_numbers
from ...functions.operands import as_node, cast, truth
from ...functions.scans import scanned
from ...ir.types import BOOL
from .. import reductions
from ..calls import call
from ..creation.constructors import asarray
from ..indexing.writing import combine_at
from ..movement import as_lazy
from ..namespace import BY_NUMPY, FUNCTIONS, lookup
from ..registry import Fold
from ..signature import UFUNC_METHODS, bind, check_reduction, optional_dtype, single_output

Public = Callable[..., Any]


def _reduction(ufunc: Any, fold: Fold) -> Public:
    """Returns the public function of `ufunc.reduce`."""
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
    """Returns the function of a ufunc's method; None where that is not supported."""
    if ufunc.nout != 1 or (ufunc.nin != 2 and method != "at"):
        return None
    if method not in _METHODS or ufunc.signature is not None or lookup(ufunc) is None:
        return None
    if ufunc is numpy.ldexp and method not in ("outer", "at"):
        return None  # results are no exponents
    found = _found.get((ufunc, method))
    if found is None:
        name = f"{ufunc.__name__}.{method}"
        found = _found[ufunc, method] = guarded(partial(_METHODS[method], ufunc), name)
    return found


_found: dict[tuple[Any, str], Public] = {}


def _folding() -> Any:
    """Returns the module above this one that folds by traced loops."""
    return load("jitframe.tracing.loops.ufunc_folding")


def _reduce(ufunc: Any, *given: Any, **options: Any) -> Any:
    x, _, bound = _bound(ufunc, "reduce", given, options)
    check_reduction(bound)
    fold = BY_NUMPY[ufunc].declared.fold
    _check_dtype(ufunc, x, bound, fold)
    cast_first = bound.get("dtype") is not None and fold is not None and not fold.takes_dtype
    started = bound.get("initial") is not None and fold is not None and not fold.takes_initial
    if fold is None or cast_first or started:
        folded = _folding().reduced(ufunc, x, bound)
        return folded if folded.shape or bound.get("out") is not None else folded[()]
    bound.setdefault("axis", 0)
    if bound.get("dtype", 0) is None:
        del bound["dtype"]  # few of them have it
    return _reduction(ufunc, fold)(x, **bound)


def _check_dtype(ufunc: Any, x: Any, bound: dict[str, Any], fold: Fold | None) -> None:
    """Raises where a ufunc has no loop for complex numbers, and its truths none for `dtype=`."""
    if fold is not None and x._dtype.is_complex and not any(each.startswith("DD") for each in ufunc.types):
        raise of_real_numbers(ufunc.__name__, x._dtype)
    if fold is not None and fold.of_truths and optional_dtype(bound.get("dtype")) not in (None, BOOL):
        raise DTypeError(
            f"{ufunc.__name__}: No loop matching the specified signature and casting was found: results are "
            f"bools, and dtype={bound['dtype']!r} was given; use .astype() on the result"
        )


def _accumulate(ufunc: Any, *given: Any, **options: Any) -> Any:
    x, _, bound = _bound(ufunc, "accumulate", given, options)
    axis, dtype = _one_axis("accumulate", x, bound), optional_dtype(bound.get("dtype"))
    fold = BY_NUMPY[ufunc].declared.fold
    _check_dtype(ufunc, x, bound, fold)
    if fold is None or not (fold.cumulative or fold.scan):
        return _folding().accumulated(ufunc, x, axis, bound.get("dtype"), bound.get("out"))
    if fold.cumulative:
        return FUNCTIONS[fold.cumulative].call(x, axis=axis, dtype=bound.get("dtype"), out=bound.get("out"))

    def accumulated(graph: Any, operand: Any) -> Any:
        node = truth(graph, operand) if fold.of_truths else operand
        return scanned(graph, node if dtype is None else cast(graph, node, dtype), fold.scan, axis)

    return call(accumulated, (x,), out=single_output(bound.get("out")), dtype=dtype, whole=True)


def _reduce_at(ufunc: Any, *given: Any, **options: Any) -> Any:
    x, (indices,), bound = _bound(ufunc, "reduceat", given, options, 2)
    bound["axis"] = _one_axis("reduceat", x, bound)
    return _folding().reduced_at(ufunc, x, indices, bound)


def _one_axis(method: str, x: Any, bound: dict[str, Any]) -> int:
    """Returns the axis of a method: the only one of a tuple, or of all."""
    axis, rank = bound.get("axis", 0), len(x.shape)
    check_reduction(bound)
    axes = range(rank) if axis is None else normalize_axes(axis, rank or 1)
    if not rank:
        raise DTypeError(f"cannot {method} on a scalar")
    if len(axes) != 1:
        raise ArgumentError(f"{method} does not allow multiple axes")
    return axes[0]


_NONE = object()
_KEPT_BY = (
    frozenset(("add", "subtract", "multiply", "bitwise_and", "bitwise_or", "bitwise_xor")),
    frozenset(("add", "multiply", "maximum", "minimum", "fmax", "fmin")),
)
"""Ufuncs whose result does not change where intermediate numbers are cast to the dtype of `out=`, which is of
integers (the lower bits) or of floats (rounded once, or in order)."""


def _bound(
    ufunc: Any, method: str, given: tuple[Any, ...], options: dict[str, Any], needed: int = 1
) -> tuple[Any, list[Any], dict[str, Any]]:
    """Returns the array, the required arguments after it, and the others by name."""
    name, names = f"{ufunc.__name__}.{method}", UFUNC_METHODS[method]
    # NumPy gives what it was given by name both ways.
    twice = dict(zip(names, given, strict=False))
    options = {each: value for each, value in options.items() if twice.get(each, _NONE) is not value}
    bound = bind(name, names, given, options)
    for each in names[:needed]:
        if each not in bound:
            raise DTypeError(f"{name}() missing required argument '{each}'")
    x, *more = (bound.pop(each) for each in names[:needed])
    x, out = as_lazy(x), single_output(bound.get("out"))
    if isinstance(getattr(out, "dtype", None), numpy.dtype) and bound.get("dtype") is None:
        target = from_numpy(out.dtype)
        wanted = promote(target, x._dtype)  # an output is an operand, too
        if wanted is not target and ufunc.__name__ not in _KEPT_BY[target.is_inexact]:
            raise UnsupportedError(
                f"{name}: out= is of {out.dtype}, and the operation of {wanted.numpy_name}: NumPy's result "
                f"depends on its buffers; assign the result to out[...]"
            )
        x = call(lambda graph, node: as_node(graph, node, wanted), (x,))
    return x, more, bound


def _outer(ufunc: Any, a: Any, b: Any, /, **options: Any) -> Any:
    """Applies `ufunc` to every pair of an element of `a` and one of `b`."""
    x, y = (as_lazy(each) if hasattr(each, "shape") else asarray(each) for each in (a, b))
    return ufunc(x.reshape((*x.shape, *(1,) * len(y.shape))), y, **options)


_METHODS: dict[str, Public] = {
    "reduce": _reduce, "accumulate": _accumulate, "reduceat": _reduce_at, "outer": _outer, "at": combine_at,
}  # fmt: skip
