"""Elementwise functions of Tensors: traced once for dtypes and a device, then applied as operations of lazy
graphs."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

from ...api.calls import call
from ...api.frame import STATE, LazyValue, entered, frame_of
from ...errors import WATCHES, first_refusal
from ...functions.operands import strong
from ...ir.node import Graph, Node
from ...ir.record import mutable
from ...ir.types import DType
from ..capturing import Capturing
from ..environment.copied import copy_function
from ..environment.guards import Guard, check
from ..jit import JittedFunction
from ..standins.mapper import TraceMapper
from ..values.traced_frame import TraceFrame
from .region import Elements, NotScalarError, applied, trace_elements
from .vectorize import separated

if TYPE_CHECKING:
    from ...runtime.device import Device
    from .vectorize import Vectorized

_STATIC = (bool, int, float, str, bytes, type(None))
KEPT = 16
"""The most traces kept for one set of dtypes: they differ in what the function reads from outside."""


class Template(metaclass=mutable):
    """A function traced for operands of some dtypes."""

    guards: tuple[Guard, ...]
    elements: Elements | None
    """The traced function; None where it is no operation of lazy graphs."""
    scalars: tuple[tuple[Any, DType], ...] = ()
    """Scalars that the function reads besides its operands."""

    def given(self, graph: Graph) -> list[Node]:
        return [graph.number(value, dtype, common=False) for value, dtype in self.scalars]


def lazily(made: Vectorized, where: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """Returns the results as lazy Tensors; None where that is impossible."""
    values, _ = separated(made.pyfunc, made.excluded, args, kwargs)
    fixed = [(index, value) for index, value in enumerate(args) if index in made.excluded]
    named = [(name, value) for name, value in kwargs.items() if name in made.excluded]
    if not all(type(value) in _STATIC for _, value in (*fixed, *named)):
        return None
    frame = frame_of((where, *values))
    dtypes = [_dtype_of(value) for value in values]
    masked = where is not True
    statics = tuple((key, type(value), repr(value)) for key, value in (*fixed, *named))
    key = (tuple(dtypes), frame.device, masked, len(args), tuple(kwargs), statics)
    template = _template(made, key, frame.device, dtypes, masked, args, kwargs)
    if template.elements is None:
        return None
    graph, nodes = applied(frame, template.elements, template.given, values, where)
    if not template.elements.is_tuple:
        return frame.wrap(graph, nodes[0])
    return tuple(frame.wrap_all(graph, nodes))


def _dtype_of(value: Any) -> DType:
    dtype: DType = value._dtype if isinstance(value, LazyValue) else call(strong, (value,))._dtype
    return dtype


def _template(
    made: Vectorized, key: Hashable, device: Device, dtypes: Sequence[DType], masked: bool,
    args: Sequence[Any], kwargs: dict[str, Any],
) -> Template:  # fmt: skip
    known = made.templates.setdefault(key, [])
    for each in known:
        if check(each.guards) is None:
            template: Template = each
            return template
    new = traced_template(made, device, dtypes, masked, args, kwargs)
    known.insert(0, new)
    del known[KEPT:]
    return new


def traced_template(
    made: Vectorized, device: Device, dtypes: Sequence[DType], masked: bool, args: Sequence[Any],
    kwargs: dict[str, Any],
) -> Template:  # fmt: skip
    """Traces the function by itself, with its control flow captured."""
    capturing = Capturing()
    capturing.keep_scalars()
    frame = TraceFrame(made.name, device=device, asked=True)
    rewritten, hooks = capturing.begin(frame)
    copied = frame.copied = copy_function(
        made.pyfunc, TraceMapper(frame, JittedFunction), rewritten=rewritten, hooks=hooks
    )
    _, one = separated(copied.function, made.excluded, args, kwargs)
    frames, watches = STATE.frames, WATCHES.active
    elements: Elements | None = None
    try:
        with entered(frame), first_refusal(frame.is_asked) as refusal:
            try:
                elements = trace_elements(frame, one, made.name, dtypes, made.otypes, masked)
            except NotScalarError:
                pass
            copied.finish()
            refusal.raise_first()
    finally:
        STATE.frames, WATCHES.active = frames, watches
        frame.ended = True
    guards = copied.reads.guards
    if elements is None or elements.is_checked or frame.parameters or frame.draws:
        return Template(guards, None)
    scalars = frame.graph.scalar_values
    return Template(
        guards, elements, tuple((scalars[node.attribute("index")], node.dtype) for node in elements.given)
    )


TraceFrame.entries.add(traced_template.__code__)
