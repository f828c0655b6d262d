"""Stand-ins for the functions of `math`, with its exceptions; some are composed of others."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from ...api.namespace import BY_MATH, scalar_function
from ...base.boundary import guarded
from ...errors import ArgumentError
from ..values.python_numbers import MATH, Rule, checked
from ..values.traced import NUMBER, TracedArray
from .library_functions import LibraryFunction


def math_stand_in(name: str, value: Callable[..., Any]) -> LibraryFunction:
    """The stand-in for a function of `math`."""
    if value not in BY_MATH:
        # Functions that are not composed get the values of traced numbers, which may cut the trace.
        return LibraryFunction(name, value, guarded(_COMPOSED.get(value, value), name), python=True)
    call = guarded(scalar_function(value), name)
    rule = MATH.get(value)
    if rule is not None:
        call = _with_result(call, rule)
    if value is math.log:
        call = _with_base(call)
    return LibraryFunction(name, value, call, python=True)


def _with_result(call: Callable[..., Any], rule: Rule) -> Callable[..., Any]:
    """A function of `math` that raises Python's exceptions where it has no result."""

    def function(*arguments: Any) -> Any:
        return checked(rule, arguments, call(*arguments))

    return function


def _with_base(log: Callable[..., Any]) -> Callable[..., Any]:
    """`math.log`, which may be given a base: the quotient of two logarithms there as well."""

    def function(x: Any, *base: Any) -> Any:
        return log(x) / log(*base) if base else log(x)

    return function


def _prod(iterable: Iterable[Any], /, *, start: Any = 1) -> Any:
    for each in iterable:
        start = start * each
    return start


def _dist(p: Iterable[Any], q: Iterable[Any], /) -> Any:
    first, second = list(p), list(q)
    if len(first) != len(second):
        raise ArgumentError("both points must have the same number of dimensions")
    hypot = math_stand_in("hypot", math.hypot)
    return hypot(*[x - y for x, y in zip(first, second, strict=True)])


def _isclose(a: Any, b: Any, *, rel_tol: Any = 1e-09, abs_tol: Any = 0.0) -> Any:
    finite = math_stand_in("isfinite", math.isfinite)
    apart = abs(a - b)
    near = (apart <= abs(rel_tol * b)) | (apart <= abs(rel_tol * a)) | (apart <= abs_tol)
    found = (a == b) | (near & finite(a) & finite(b))
    if isinstance(found, TracedArray):
        found._kind = NUMBER
    return found


_COMPOSED: dict[Any, Callable[..., Any]] = {math.prod: _prod, math.dist: _dist, math.isclose: _isclose}
