"""Concrete values: Python code needs one while a trace is made, for a size, a condition or a text.

Some values are known: they depend only on numbers and arrays that the trace has made itself, as `np.arange(n)
% 2 == 0` does, and are the same at every call of its program. Some depend on scalar arguments alone, which
become static. For all others the trace is cut: the call computes the graph so far, and the trace goes on for
that value. Or the trace is abandoned, and Python answers the call.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

import numpy

from ...api.frame import LazyValue, innermost_frame
from ...errors import WATCHES, JitframeError, user_line
from ...ir.interpret import complete
from ...ir.node import Node, topological
from ...ir.types import BOOL

if TYPE_CHECKING:
    from ..arguments.signature import Call
    from .traced_frame import TraceFrame


class Cutter(Protocol):
    """The interface that computes a value in the middle of a trace (see `programs.cuts`)."""

    call: Call

    def value(self, node: Node, purpose: str) -> numpy.ndarray: ...

    def has_drawn(self, number: int) -> bool: ...


MOST_ELEMENTS = 4096
"""The trace computes no larger array that starts uninitialized, such as the room of a list: each query would
copy it."""


class LeftToPython(BaseException):
    """Ends a trace or a run, so that Python answers the call. `always`: all such calls; `error`: the
    exception that ended it; `in_vain`: the reason is not an operation that a trace lacks; `race`: the
    comparison for many signatures; `short_ns`: Python has won for good where it takes less."""

    def __init__(
        self,
        reason: str = "",
        always: bool = True,
        error: Exception | None = None,
        in_vain: bool = False,
        race: Any = None,
        short_ns: int = 0,
    ) -> None:
        self.reason = reason if error is None else told(error)
        self.always = always
        self.error = error
        self.in_vain = in_vain
        self.race = race
        self.short_ns = short_ns


def told(error: Exception) -> str:
    """Returns the text of an exception as a part of another sentence."""
    return error.message if isinstance(error, JitframeError) else f"{type(error).__name__}: {error}"


def known_value(frame: TraceFrame, node: Node) -> numpy.ndarray | None:
    """Returns the value of a node of the frame's graph, which is read-only; None where it has none yet."""
    if not is_known(node, frame.known, frame.unknown, frame.leaf_value):
        return None
    complete((node,), frame.known)
    value = numpy.asarray(frame.known[node]).view()
    value.flags.writeable = False
    return value


def is_known(
    node: Node,
    values: dict[Node, numpy.ndarray],
    unknown: set[Node],
    leaf_value: Callable[[Node], numpy.ndarray | None],
) -> bool:
    """Whether all leaves that a node depends on are known. Adds values of leaves to `values`, and nodes
    without one to `unknown`."""
    pending, seen = [node], {node}
    while pending:
        each = pending.pop()
        if each in values:
            continue
        family = each.op.family
        is_room = each.op.source == "undefined" and each.size > MOST_ELEMENTS
        if each in unknown or is_room or family == "control":
            unknown.add(node)
            return False
        if family == "leaf" and each.op.source != "constant":
            value = leaf_value(each)
            if value is None:
                unknown.update((node, each))
                return False
            values[each] = value
            continue
        fresh = [source for source in each.inputs if source not in seen]
        seen.update(fresh)
        pending += fresh
    return True


def value_by_arguments(frame: TraceFrame, node: Node) -> numpy.ndarray | None:
    """Returns the value of a node in this call that depends on scalar arguments alone, which then become
    static; None where it depends on arrays."""
    found: dict[int, numpy.ndarray] = {}
    values = _values(frame, node, found)
    if values is None or not found:
        return None
    frame.root.wanted.update(found)
    complete((node,), values)
    value = numpy.asarray(values[node]).view()
    value.flags.writeable = False
    return value


def is_decided_by_float(frame: TraceFrame, node: Node) -> bool:
    """Whether a node depends on scalar arguments alone, and floats among them, which vary more than integers
    and flags do."""
    found: dict[int, numpy.ndarray] = {}
    values = _values(frame, node, found)
    return values is not None and any(value.dtype.kind in "fc" for value in found.values())


def _values(
    frame: TraceFrame, node: Node, found: dict[int, numpy.ndarray]
) -> dict[Node, numpy.ndarray] | None:
    """Returns values of the leaves that a node depends on; adds those of arguments to `found`, by leaf."""

    def leaf_value(leaf: Node) -> numpy.ndarray | None:
        scalars, index = frame.root.scalars, leaf.attribute("index")
        if leaf.op.source == "scalar" and index in scalars:
            value = frame.graph.scalar_values[index]
            try:
                found[scalars[index]] = array = numpy.asarray(value, leaf.dtype.numpy_name)
            except OverflowError:  # an integer of Python's own
                found[scalars[index]] = array = numpy.asarray(value)
            return array
        return frame.leaf_value(leaf, value_by_arguments)

    values = dict(frame.known)
    return values if is_known(node, values, set(), leaf_value) else None


def cut(frame: TraceFrame, node: Node, purpose: str) -> numpy.ndarray | None:
    """Cuts the trace for the value of a node; None for a node that varies in a region."""
    root = frame.root
    if root.cuts is None:
        return None
    if root.hooks is not None and not innermost_frame().runs:  # type: ignore[union-attr] # of this trace
        return None  # a captured branch, which the call may not take: no value is computed for it
    if not frame.enclosing:
        return root.cuts.value(node, purpose)
    outer, moved = frame.enclosing[-1], _enclosing_node(frame, node)
    if moved is None:
        return None
    known = known_value(outer, moved)
    known = value_by_arguments(outer, moved) if known is None else known
    return cut(outer, moved, purpose) if known is None else known


def _enclosing_node(frame: TraceFrame, node: Node) -> Node | None:
    """Returns the enclosing frame's node for a node of a region; None where it depends on the region."""
    graph, made = frame.enclosing[-1].graph, dict[Node, Node]()
    for each in topological((node,)):
        if each.op.family == "control":
            return None
        if each.op.source in ("constant", "scalar") or each.op.family != "leaf":
            made[each] = graph.like(each, tuple([made[source] for source in each.inputs]), each.attributes)
        else:
            found = frame.outside(each)
            if found is None:
                return None
            frame.rely_on(each)
            made[each] = found
    return made[node]


def refusal(array: Any, purpose: str) -> str:
    """Returns the error where Python code needs the value of a traced array."""
    frame = array._cell.frame
    inside = frame.name if frame.enclosing else "a jitted function"
    what = f"{array._described()} is needed now for {purpose}, but inside {inside} it has no value yet"
    if not frame.enclosing:
        return f"{what}. Use NumPy or math functions on it, or return it and convert the result outside"
    if purpose.startswith("a condition"):
        advice = "Write np.where(condition, x, y) or jf.cond(condition, then, otherwise, *operands)"
    elif "index" in purpose or purpose.startswith("the bounds"):
        advice = (
            "Sizes, positions and ranges of what is compiled as one loop must be known before it: use "
            "x.shape or values from outside of the loop, x[i + np.arange(n)] for x[i : i + n]"
        )
    else:
        advice = "Use NumPy or math functions on it, carry it through the loop and convert it outside"
    return f"{what}. {advice}; or write a Python loop, which is cut where a value is needed"


def leave(
    frame: TraceFrame, reason: str, always: bool = True, short_ns: int = 0, is_late: bool = False
) -> None:
    """Ends the trace where Python may answer the call, or where `is_late`; `always`: all calls with such
    arguments, or, where Python takes no less than `short_ns`, until its time is known. A trace that goes on
    records the reason."""
    root = frame.root
    if root.cuts is not None and root.cuts.call.has_called:
        return
    line = user_line()
    reason = reason if line is None else f"{reason}, at {line}"
    if root.may_leave or is_late:
        left = LeftToPython(reason, always, short_ns=short_ns)
        for watch in WATCHES.active[-1:]:
            watch.first = watch.first or left  # a bare `except:` of the function catches it
        raise left
    root.left = root.left or (reason, always)


def leave_late(root: TraceFrame) -> None:
    """Abandons a trace that has taken too long in comparison with Python, or for an explanation."""
    if time.thread_time_ns() > root.traced_until_ns:
        reason = f"its loops and branches take too long to trace{unrolled(root)}"
        leave(root, reason, always=False, is_late=True)


def unrolled(root: TraceFrame) -> str:
    """Returns why the first of the loops that are unrolled is, as part of a sentence."""
    for place, reason in root.unrolled_loops.items():
        return f" (the loop at {place} is unrolled: {reason})"
    return ""


def is_of_mask(value: Any) -> bool:
    """Whether it is a masked selection (see `masked`, which few programs load)."""
    return bool(getattr(type(value), "_is_of_mask", False))


def holds_chosen(values: Any) -> bool:
    """Whether there is what a mask has chosen, whose number of elements may be open."""
    return any(
        is_of_mask(value) or (value.__class__ in (list, tuple) and holds_chosen(value))
        for value in values
        if not isinstance(value, LazyValue)
    )


def holds_length(arguments: tuple[Any, ...], options: dict[str, Any]) -> bool:
    """Whether there is a number of the trace, which may be an open length."""
    given = [*arguments, *options.values()]
    for each in given:
        if each.__class__ in (tuple, list):
            given += each
        elif isinstance(each, LazyValue) and getattr(each, "_kind", None):
            return True
    return False


def as_array(value: Any) -> Any:
    """Returns the array of a masked selection; other values unchanged."""
    return value.array() if is_of_mask(value) else value


def masks_in(index: Any) -> list[Any]:
    """Returns the traced masks in an index, and the positions from masked selections."""
    items = index if index.__class__ is tuple else (index,)
    return [
        item for item in items if (isinstance(item, LazyValue) and item._dtype is BOOL) or is_of_mask(item)
    ]


def has_open_number(item: Any) -> bool:
    """Whether a masked selection has an unknown number of elements."""
    return item.is_open if is_of_mask(item) else item._known() is None


def is_stand_in(value: Any) -> bool:
    """Whether it is the stand-in for a random generator; few programs load the module of its class."""
    return getattr(type(value), "__module__", "") == "jitframe.tracing.standins.generators"
