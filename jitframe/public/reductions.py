"""Reductions of arrays over axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

from ..arguments import flag
from ..errors import ArgumentError, DTypeError
from ..frame import LazyValue, call
from ..functions import averages, nan_reductions, scans, searching
from ..functions import reductions as nodes
from ..functions.operands import as_node, strong
from ..ir.types import DType
from ..promotion import cast_error, from_numpy, promote
from .signature import Signature, optional_dtype, single_output

Public = Callable[..., Any]

# The names of arguments after the array; behind "*" those that are given by name alone.
_SUMS = ("axis", "dtype", "out", "keepdims", "initial", "where")
_EXTREMES = ("axis", "out", "keepdims", "initial", "where")
_RANGES = ("axis", "out", "keepdims")
_MEANS = ("axis", "dtype", "out", "keepdims", "*", "where")
_TRUTHS = ("axis", "out", "keepdims", "*", "where")
_POSITIONS = ("axis", "out", "*", "keepdims")
_SCANS = ("axis", "dtype", "out")
_CUMULATIVE = ("*", "axis", "dtype", "include_initial", "out")
_SPREADS = ("axis", "dtype", "out", "ddof", "keepdims", "*", "where", "mean", "correction")


def lifted(function: Callable[..., Any], name: str, names: tuple[str, ...], array: str = "a") -> Public:
    """The public function of one on nodes, with the arguments of NumPy's called `names` after the array."""
    either = names.index("*") if "*" in names else len(names)
    signature = Signature(name, (array, *names[:either]), names[either + 1 :], 1)

    def public(*given: Any, **options: Any) -> Any:
        bound = signature.bind(given, options)
        x, out = bound.pop(array), single_output(bound.pop("out", None))
        if bound.get("axis").__class__ is list:
            raise DTypeError("axis is an integer or a tuple of them, not a list")
        if "keepdims" in bound:
            bound["keepdims"] = flag(bound["keepdims"], "keepdims")
        if "correction" in bound:
            if bound.get("ddof"):
                raise ArgumentError("ddof and correction can't be provided simultaneously.")
            bound["ddof"] = bound.pop("correction")
        if "dtype" in bound:
            bound["dtype"] = optional_dtype(bound["dtype"])
        if out is not None and name in _IN_OUTPUT:
            x = _in_output(x, out, bound)

        # These may be arrays of the program, too.
        given_values = {each: bound.pop(each, unset) for each, unset in _UNSET.items()}
        values = {each: value for each, value in given_values.items() if value is not _UNSET[each]}

        def reduced(graph: Any, operand: Any, *more: Any) -> Any:
            return function(graph, operand, **bound, **dict(zip(values, more, strict=True)))

        key = (function, *bound.items()) if _is_plain(bound) else None
        return call(reduced, (x, *values.values()), out=out, dtype=bound.get("dtype"), key=key, whole=True)

    public.__name__ = public.__qualname__ = name
    public.__doc__ = function.__doc__
    public.signature = signature  # type: ignore[attr-defined]
    return public


_IN_OUTPUT = frozenset((
    "sum", "prod", "mean", "cumsum", "cumprod", "max", "min", "nansum", "nanprod", "nanmean", "nancumsum",
    "nancumprod", "nanmax", "nanmin",
))  # fmt: skip
"""What is computed in the dtype of `out=`, where that holds all that the array's does."""


def _in_output(x: Any, out: Any, bound: dict[str, Any]) -> Any:
    """The array that is reduced, where the result goes to `out`."""
    dtype = getattr(out, "dtype", None)
    if bound.get("dtype") is not None or not isinstance(dtype, numpy.dtype):
        return x
    if not isinstance(x, LazyValue):
        x = call(strong, (x,))
    target = from_numpy(dtype)
    if target is x._dtype or not target.is_float or promote(target, x._dtype) is not target:
        return x
    return call(lambda graph, node: as_node(graph, node, target), (x,))


_UNSET = {"where": True, "initial": None, "mean": None}
_PLAIN = frozenset((int, bool, type(None), DType))


def _is_plain(bound: dict[str, Any]) -> bool:
    """Whether arguments are compared by what they say: axes, flags and dtypes."""
    for value in bound.values():
        if value.__class__ not in _PLAIN and not (
            value.__class__ is tuple and _PLAIN.issuperset(map(type, value))
        ):
            return False
    return True


def _finding(function: Callable[..., Any], name: str) -> Public:
    """Positions: what they are written to holds no other numbers than they are."""
    found = lifted(function, name, _POSITIONS)

    def public(*given: Any, **options: Any) -> Any:
        out = options.get("out", given[2] if len(given) > 2 else None)
        dtype = getattr(out, "dtype", None)
        if dtype is not None and numpy.dtype(dtype).kind == "f":
            raise cast_error(dtype, "int64", "safe", f": the out= of {name}")
        return found(*given, **options)

    public.__name__ = public.__qualname__ = name
    public.__doc__ = function.__doc__
    public.signature = found.signature  # type: ignore[attr-defined]
    return public


sum = lifted(nodes.sum, "sum", _SUMS)
prod = lifted(nodes.prod, "prod", _SUMS)
mean = lifted(nodes.mean, "mean", _MEANS)
var = lifted(nodes.var, "var", _SPREADS)
std = lifted(nodes.std, "std", _SPREADS)
max = lifted(nodes.max_, "max", _EXTREMES)
min = lifted(nodes.min_, "min", _EXTREMES)
ptp = lifted(nodes.ptp, "ptp", _RANGES)
all = lifted(nodes.all_, "all", _TRUTHS)
any = lifted(nodes.any_, "any", _TRUTHS)
count_nonzero = lifted(nodes.count_nonzero, "count_nonzero", ("axis", "*", "keepdims"))
argmax = _finding(searching.argmax, "argmax")
argmin = _finding(searching.argmin, "argmin")
nanargmax = _finding(searching.nanargmax, "nanargmax")
nanargmin = _finding(searching.nanargmin, "nanargmin")
cumsum = lifted(scans.cumsum, "cumsum", _SCANS)
cumprod = lifted(scans.cumprod, "cumprod", _SCANS)
nancumsum = lifted(scans.nancumsum, "nancumsum", _SCANS)
nancumprod = lifted(scans.nancumprod, "nancumprod", _SCANS)
cumulative_sum = lifted(scans.cumulative_sum, "cumulative_sum", _CUMULATIVE, "x")
cumulative_prod = lifted(scans.cumulative_prod, "cumulative_prod", _CUMULATIVE, "x")
nansum = lifted(nan_reductions.nansum, "nansum", _SUMS)
nanprod = lifted(nan_reductions.nanprod, "nanprod", _SUMS)
nanmean = lifted(nan_reductions.nanmean, "nanmean", _MEANS)
nanvar = lifted(nan_reductions.nanvar, "nanvar", _SPREADS)
nanstd = lifted(nan_reductions.nanstd, "nanstd", _SPREADS)
nanmax = lifted(nan_reductions.nanmax, "nanmax", _EXTREMES)
nanmin = lifted(nan_reductions.nanmin, "nanmin", _EXTREMES)


def average(
    a: Any, axis: Any = None, weights: Any = None, returned: bool = False, *, keepdims: Any = False
) -> Any:
    """The mean of elements times `weights`; with `returned`, the sums of weights too.

    Weights that sum to zero give NaN or infinity (NumPy raises ZeroDivisionError).
    """
    keepdims = keepdims is not numpy._NoValue and flag(keepdims, "keepdims")

    def averaged(graph: Any, x: Any, *more: Any) -> Any:
        weights = more[0] if more else None
        both = averages.average(graph, x, weights, axis=axis, keepdims=keepdims)
        return both if returned else both[0]

    return call(averaged, (a,) if weights is None else (a, weights))
