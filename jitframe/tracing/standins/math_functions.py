"""Functions of `math` that are put together of others, on numbers that a program computes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from ...errors import ArgumentError
from ..values.traced import NUMBER, TracedArray


def composed(of: Callable[[Any], Callable[..., Any]]) -> dict[Any, Callable[..., Any]]:
    """These functions, of what `of` gives for others of `math`."""
    finite, hypot = of(math.isfinite), of(math.hypot)

    def prod(iterable: Iterable[Any], /, *, start: Any = 1) -> Any:
        for each in iterable:
            start = start * each
        return start

    def dist(p: Iterable[Any], q: Iterable[Any], /) -> Any:
        first, second = list(p), list(q)
        if len(first) != len(second):
            raise ArgumentError("both points must have the same number of dimensions")
        return hypot(*[x - y for x, y in zip(first, second, strict=True)])

    def isclose(a: Any, b: Any, *, rel_tol: Any = 1e-09, abs_tol: Any = 0.0) -> Any:
        apart = abs(a - b)
        near = (apart <= abs(rel_tol * b)) | (apart <= abs(rel_tol * a)) | (apart <= abs_tol)
        found = (a == b) | (near & finite(a) & finite(b))
        if isinstance(found, TracedArray):
            found._kind = NUMBER
        return found

    return {math.prod: prod, math.dist: dist, math.isclose: isclose}
