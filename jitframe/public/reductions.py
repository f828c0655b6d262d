"""Reductions of arrays over axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..frame import call
from ..functions import reductions as nodes
from ..functions import scans, searching
from .signature import bind, optional_dtype, single_output

Public = Callable[..., Any]

_SUMS = ("axis", "dtype", "out", "keepdims")
_EXTREMES = ("axis", "out", "keepdims")
_SCANS = ("axis", "dtype", "out")
_CUMULATIVE = ("axis", "dtype", "include_initial", "out")
_SPREADS = ("axis", "dtype", "out", "ddof", "keepdims", "correction")


def _lifted(function: Callable[..., Any], name: str, names: tuple[str, ...]) -> Public:
    def public(x: Any, /, *given: Any, **options: Any) -> Any:
        bound = bind(name, names, given, options)
        out = single_output(bound.pop("out", None))
        if "correction" in bound:
            bound["ddof"] = bound.pop("correction")
        if "dtype" in bound:
            bound["dtype"] = optional_dtype(bound["dtype"])

        def reduced(graph: Any, operand: Any) -> Any:
            return function(graph, operand, **bound)

        return call(reduced, (x,), out=out, dtype=bound.get("dtype"))

    public.__name__ = public.__qualname__ = name
    public.__doc__ = function.__doc__
    return public


sum = _lifted(nodes.sum, "sum", _SUMS)
prod = _lifted(nodes.prod, "prod", _SUMS)
mean = _lifted(nodes.mean, "mean", _SUMS)
var = _lifted(nodes.var, "var", _SPREADS)
std = _lifted(nodes.std, "std", _SPREADS)
max = _lifted(nodes.max_, "max", _EXTREMES)
min = _lifted(nodes.min_, "min", _EXTREMES)
ptp = _lifted(nodes.ptp, "ptp", _EXTREMES)
all = _lifted(nodes.all_, "all", _EXTREMES)
any = _lifted(nodes.any_, "any", _EXTREMES)
count_nonzero = _lifted(nodes.count_nonzero, "count_nonzero", ("axis", "keepdims"))
argmax = _lifted(searching.argmax, "argmax", _EXTREMES)
argmin = _lifted(searching.argmin, "argmin", _EXTREMES)
nanargmax = _lifted(searching.nanargmax, "nanargmax", _EXTREMES)
nanargmin = _lifted(searching.nanargmin, "nanargmin", _EXTREMES)
cumsum = _lifted(scans.cumsum, "cumsum", _SCANS)
cumprod = _lifted(scans.cumprod, "cumprod", _SCANS)
nancumsum = _lifted(scans.nancumsum, "nancumsum", _SCANS)
nancumprod = _lifted(scans.nancumprod, "nancumprod", _SCANS)
cumulative_sum = _lifted(scans.cumulative_sum, "cumulative_sum", _CUMULATIVE)
cumulative_prod = _lifted(scans.cumulative_prod, "cumulative_prod", _CUMULATIVE)
