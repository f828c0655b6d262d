"""The kinds of fields of steps: which fields hold regions, buffers and sizes, for any step.

A field's kind is what its annotation in `nodes` says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal

from ...ir.expr import Expr
from .nodes import SYNTAX, Axis, BufferRef, Step

Kind = Literal[
    "int", "str", "Name", "DType", "Buffer", "Buffer | None", "BufferRef", "Size", "Bound", "Condition",
    "Swaps",
    "tuple[BufferRef, ...]", "tuple[Index, ...]", "tuple[Scalar, ...]", "tuple[Size, ...]", "tuple[int, ...]",
    "tuple[Axis, ...]", "tuple[Step, ...]",
]  # fmt: skip

FIELDS: dict[type[Step], dict[str, Kind]] = {step: dict(step.__annotations__) for step in SYNTAX}
"""The kind of every field of every step, in the order of the record."""
REGION: Kind = "tuple[Step, ...]"
REGIONS: dict[type[Step], tuple[str, ...]] = {
    step: tuple(name for name, kind in fields.items() if kind == REGION) for step, fields in FIELDS.items()
}


def regions(step: Step) -> tuple[tuple[Step, ...], ...]:
    """The steps inside a step."""
    return tuple([getattr(step, name) for name in REGIONS[type(step)]])


def all_steps(steps: tuple[Step, ...]) -> Iterator[Step]:
    """Returns every step, those of regions after the step that contains them."""
    for step in steps:
        yield step
        for region in regions(step):
            yield from all_steps(region)


# Buffers -------------------------------------------------------------------------------------------------
def buffers_of(step: Step) -> set[int]:
    """Returns every buffer that a step names, nested steps included."""
    found: set[int] = set()
    for name, kind in FIELDS[type(step)].items():
        found.update(_buffers(kind, getattr(step, name)))
    return found


def _buffers(kind: Kind, value: Any) -> Iterator[int]:
    if kind in ("Buffer", "Buffer | None"):
        if value is not None:
            yield value
    elif kind == "Swaps":
        for pair in value:
            yield from pair
    elif kind == REGION:
        for step in value:
            yield from buffers_of(step)
    elif kind == "tuple[BufferRef, ...]":
        for ref in value:
            yield ref.buffer
    elif isinstance(value, BufferRef):
        yield value.buffer


def renamed(step: Step, names: Mapping[int, int]) -> Step:
    """Renumbers the buffers of a step, nested steps included."""
    fields = FIELDS[type(step)].items()
    return type(step)(*[_renamed(kind, getattr(step, name), names) for name, kind in fields])


def _renamed(kind: Kind, value: Any, names: Mapping[int, int]) -> Any:
    if kind in ("Buffer", "Buffer | None"):
        return names.get(value, value)
    if kind == "Swaps":
        return tuple([tuple([names.get(each, each) for each in pair]) for pair in value])
    if kind == REGION:
        return tuple([renamed(each, names) for each in value])
    if kind == "tuple[BufferRef, ...]":
        return tuple([_renamed("BufferRef", each, names) for each in value])
    if isinstance(value, BufferRef) and value.buffer in names:
        return BufferRef(names[value.buffer], value.offset)
    return value


# Sizes ---------------------------------------------------------------------------------------------------
def binder(value: Any, place: Callable[[Expr], int]) -> Callable[[tuple[int, ...]], Any] | None:
    """Returns a function that replaces the expressions of a value by integers, given the values at their
    indices; None where it has no expressions."""
    kind = type(value)
    if kind is Expr:
        if value.value is not None:
            constant = value.value
            return lambda values: constant
        number = place(value)
        return lambda values: values[number]
    if kind is tuple:
        made = [binder(each, place) for each in value]
        if not any(made):
            return None
        parts = list(zip(made, value, strict=True))
        return lambda values: tuple([each if bind is None else bind(values) for bind, each in parts])
    if kind in _RECORDS:
        fields = [getattr(value, name) for name in value.__slots__]
        made = [binder(field, place) for field in fields]
        if not any(made):
            return None
        parts = list(zip(made, fields, strict=True))
        return lambda values: kind(*[each if bind is None else bind(values) for bind, each in parts])
    return None


_RECORDS = frozenset((*SYNTAX, BufferRef, Axis))
"""Records that contain sizes."""
