"""Loops and conditions that depend on array values."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy

from ...api import movement
from ...api.frame import LazyValue, current_frame
from ...base.arguments import count, integer, shown
from ...base.boundary import guarded
from ...errors import ArgumentError, DTypeError, ShapeError, TraceError
from ...tensors.tensor import compute
from ..arguments.trees import deconstruct, flatten, reconstruct, unflatten
from ..values.region_loops import trace_cond, trace_loop, trace_while
from ..values.traced_frame import TraceFrame
from .scans import describe, pair, trace_scan


@guarded
def fori_loop(lower: Any, upper: Any, body: Callable[[Any, Any], Any], init: Any) -> Any:
    """`body(i, carried)` for each i from `lower` to `upper - 1`, one result carried to the next.

    `init` is an array, a number, or nested tuples, lists, dicts and dataclasses of them; the body returns the
    same, in the same shapes and dtypes. It carries values: what it was given at the start is not changed. The
    bounds are integers, also computed ones. Inside a jitted function it is one native loop, however long.

    >>> import numpy as np
    >>> jf.fori_loop(0, 3, lambda i, x: x * 2 + i, np.ones(2))
    array([12., 12.])
    """
    _check_functions("fori_loop", body=body)
    if isinstance(current_frame(), TraceFrame):
        return trace_loop(lower, upper, body, init)
    carried = _copied(init)
    for index in range(integer(lower, "fori_loop: a bound"), integer(upper, "fori_loop: a bound")):
        carried = body(index, carried)
    return carried


@guarded
def while_loop(cond: Callable[[Any], Any], body: Callable[[Any], Any], init: Any) -> Any:
    """`body(carried)` again and again while `cond(carried)` holds, one result carried to the next.

    What is carried is as in `fori_loop`. `cond` returns one value, true or false.

    >>> import numpy as np
    >>> jf.while_loop(lambda x: x.sum() < 100, lambda x: x * 2, np.ones(3))
    array([64., 64., 64.])
    """
    _check_functions("while_loop", cond=cond, body=body)
    if isinstance(current_frame(), TraceFrame):
        return trace_while(cond, body, init)
    carried = _copied(init)
    while _holds(cond(carried), "while_loop: the condition"):
        carried = body(carried)
    return carried


@guarded
def scan(
    f: Callable[[Any, Any], Any], init: Any, xs: Any = None, length: int | None = None, reverse: bool = False
) -> tuple[Any, Any]:
    """`carry, y = f(carry, x)` for each `x` along the first axis of `xs`: the last `carry`, the stacked `y`.

    `init`, `xs` and `y` are arrays, numbers, or nested tuples, lists, dicts and dataclasses of them. Without
    `xs`, `f` is given None `length` times. With `reverse` it goes from the last position to the first one,
    and each `y` stands where its `x` stood. Inside a jitted function it is one native loop: a step costs what
    `f` costs, however long `xs` is.

    >>> import numpy as np
    >>> jf.scan(lambda total, x: (total + x, total), np.float64(0), np.array([1.0, 2.0, 3.0]))
    (np.float64(6.0), array([0., 1., 3.]))
    """
    _check_functions("scan", f=f)
    steps = _length(xs, length)
    frame = current_frame()
    if isinstance(frame, TraceFrame):
        return trace_scan(f, init, xs, steps, reverse)
    form, leaves = deconstruct(xs)
    carried, stacks = _copied(init), _Stacks()
    for position in range(steps - 1, -1, -1) if reverse else range(steps):
        carried, found = pair(f(carried, reconstruct(form, [leaf[position] for leaf in leaves])))
        stacks.add(found)
    return carried, stacks.joined(reverse)


def _length(xs: Any, length: int | None) -> int:
    """Returns the number of steps of a scan."""
    extents = set() if length is None else {count(length, "scan: length")}
    for leaf in deconstruct(xs)[1]:
        shape = getattr(leaf, "shape", ())
        if not shape:
            raise ShapeError(f"scan: xs holds {describe(leaf)}, which has no first axis to go along")
        extents.add(int(shape[0]))
    if len(extents) > 1:
        found = " and ".join(map(str, sorted(extents)))
        raise ShapeError(f"scan: the first axes of xs, and length, must agree; there are {found}")
    if not extents:
        raise ArgumentError("scan: without xs it needs length, the number of steps")
    return extents.pop()


_AT_ONCE = 64
"""The results of a scan outside of a trace are joined so many at a time: lazy ones become one kernel."""


class _Stacks:
    """The collected results of the steps of a scan outside of a trace."""

    def __init__(self) -> None:
        self.form: Any = None
        self.parts: list[list[Any]] = []
        self.blocks: list[list[Any]] = []

    def add(self, found: Any) -> None:
        form, leaves = deconstruct(found)
        if self.form is None:
            self.form = form
            self.parts, self.blocks = [[] for _ in leaves], [[] for _ in leaves]
        if form != self.form:
            raise TraceError("jf.scan: the function collects other containers at some steps than at others")
        for parts, blocks, leaf in zip(self.parts, self.blocks, leaves, strict=True):
            parts.append(leaf)
            if len(parts) == _AT_ONCE:
                blocks.append(_stacked(parts))
                parts.clear()

    def joined(self, reverse: bool) -> Any:
        if self.form is None:
            raise ShapeError(
                "scan: there is no step, so nothing tells what it would collect; see that xs has one"
            )
        made = []
        for parts, blocks in zip(self.parts, self.blocks, strict=True):
            whole = _concatenated([*blocks, *([_stacked(parts)] if parts else [])])
            made.append(whole[::-1] if reverse else whole)
        return reconstruct(self.form, made)


def _stacked(parts: list[Any]) -> Any:
    if any(isinstance(part, LazyValue) for part in parts):
        block = movement.stack(parts)
        compute(block)
        return block
    return numpy.stack([numpy.asarray(part) for part in parts])


def _concatenated(blocks: list[Any]) -> Any:
    while len(blocks) > 1:
        groups = [blocks[first : first + _AT_ONCE] for first in range(0, len(blocks), _AT_ONCE)]
        blocks = [
            movement.concat(group) if isinstance(group[0], LazyValue) else numpy.concatenate(group)
            for group in groups
        ]
    return blocks[0]


@guarded
def cond(predicate: Any, then: Callable[..., Any], orelse: Callable[..., Any], *operands: Any) -> Any:
    """`then(*operands)` where the predicate, one bool, holds, else `orelse(*operands)`.

    Both functions return the same shapes and dtypes. They are given values: writing to them changes nothing
    outside.

    >>> import numpy as np
    >>> jf.cond(np.bool_(True), lambda x: x + 1, lambda x: x - 1, np.zeros(2))
    array([1., 1.])
    """
    _check_functions("cond", then=then, orelse=orelse)
    frame = current_frame()
    if isinstance(frame, TraceFrame) and isinstance(predicate, LazyValue):
        return trace_cond(predicate, then, orelse, operands)
    taken = then if _holds(predicate, "cond: the predicate") else orelse
    result: Any = taken(*_copied(operands))
    return result


def _check_functions(name: str, **functions: Any) -> None:
    for argument, function in functions.items():
        if not callable(function):
            raise DTypeError(f"{name}: {argument} is a function, not {shown(function)}")


def _holds(predicate: Any, what: str) -> bool:
    if predicate is None or isinstance(predicate, (str, bytes)):
        raise DTypeError(f"{what} must be one bool, not {shown(predicate)}")
    if getattr(predicate, "shape", ()) != ():
        raise ShapeError(f"{what} must be one value, not an array of shape {predicate.shape}")
    return bool(predicate)


def _copied(values: Any) -> Any:
    """Copies the arrays in containers: bodies may write to the values that they carry."""
    leaves: list[Any] = []
    tree = flatten(values, leaves)
    return unflatten(tree, [copy.copy(leaf) if _is_array(leaf) else leaf for leaf in leaves])


def _is_array(value: Any) -> bool:
    return isinstance(value, (LazyValue, numpy.ndarray))
