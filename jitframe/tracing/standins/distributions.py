"""Distributions of `scipy.stats` in a trace: the functions of the normal distribution take traced values."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy

from ... import api
from ...base.boundary import guarded
from .library_functions import LibraryFunction

_ROOT = math.sqrt(2 * math.pi)
_LOG_ROOT = math.log(_ROOT)


class DistributionView:
    """The stand-in for a distribution: its other attributes are the distribution's own."""

    def __init__(self, original: Any, laws: dict[str, Callable[..., Any]]) -> None:
        self._original = original
        self._laws = laws

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._original, name)
        law = self._laws.get(name)
        if law is not None:
            found = LibraryFunction(name, found, guarded(law, name), has_values=True)
        self.__dict__[name] = found
        return found

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return self._original(*arguments, **options)


def _law(formula: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """Makes a function of values of `formula(standardized, scale)`, in double precision as SciPy's; NaN where
    the scale is not positive."""

    def function(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
        given, middle, width = (_double(each) for each in (x, loc, scale))
        found = formula((given - middle) / width, width)
        return numpy.where(width > 0, found, math.nan)[()]

    return function


def _double(value: Any) -> Any:
    return api.movement.as_lazy(value).astype(numpy.float64)


_NORMAL = {
    "pdf": _law(lambda x, scale: numpy.exp(-(x**2) / 2) / _ROOT / scale),
    "logpdf": _law(lambda x, scale: -(x**2) / 2 - _LOG_ROOT - numpy.log(scale)),
    "cdf": _law(lambda x, scale: api.special.ndtr(x)),
    "sf": _law(lambda x, scale: api.special.ndtr(-x)),
}
_views: dict[int, DistributionView] = {}


def distribution_view(value: Any) -> DistributionView:
    """Returns the stand-in for `scipy.stats.norm`."""
    known = _views.get(id(value))
    if known is None:
        known = _views[id(value)] = DistributionView(value, _NORMAL)
    return known
