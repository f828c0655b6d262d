"""Loops and conditions that depend on array values."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy

from .errors import ShapeError
from .frame import LazyValue, current_frame
from .trace.regions import trace_cond, trace_loop
from .trace.traced_frame import TraceFrame
from .trace.trees import flatten, unflatten


def fori_loop(lower: Any, upper: Any, body: Callable[[Any, Any], Any], init: Any) -> Any:
    """`body(i, carried)` for each i from `lower` to `upper - 1`, one result carried to the next; the last
    one.

    `init` is an array, a number, or nested tuples, lists and dicts of them; the body returns the same, in
    the same
    shapes and dtypes. It carries values: what it was given at the start is not changed.

    >>> import numpy as np
    >>> fori_loop(0, 3, lambda i, x: x * 2 + i, np.ones(2))
    array([12., 12.])
    """
    if isinstance(current_frame(), TraceFrame):
        return trace_loop(lower, upper, body, init)
    leaves: list[Any] = []
    tree = flatten(init, leaves)
    carried = unflatten(tree, [copy.copy(leaf) if _is_array(leaf) else leaf for leaf in leaves])
    for index in range(int(lower), int(upper)):
        carried = body(index, carried)
    return carried


def cond(predicate: Any, then: Callable[..., Any], orelse: Callable[..., Any], *operands: Any) -> Any:
    """`then(*operands)` where the predicate, one bool, holds, else `orelse(*operands)`.

    Both functions return the same shapes and dtypes. They are given values: writing to them changes nothing
    outside.

    >>> import numpy as np
    >>> cond(np.bool_(True), lambda x: x + 1, lambda x: x - 1, np.zeros(2))
    array([1., 1.])
    """
    frame = current_frame()
    if isinstance(frame, TraceFrame) and isinstance(predicate, LazyValue):
        return trace_cond(predicate, then, orelse, operands)
    if getattr(predicate, "shape", ()) != ():
        raise ShapeError(f"cond: the predicate must be one value, not an array of shape {predicate.shape}")
    leaves: list[Any] = []
    tree = flatten(operands, leaves)
    given = unflatten(tree, [copy.copy(leaf) if _is_array(leaf) else leaf for leaf in leaves])
    result: Any = (then if predicate else orelse)(*given)
    return result


def _is_array(value: Any) -> bool:
    return isinstance(value, (LazyValue, numpy.ndarray))
