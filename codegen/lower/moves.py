"""Copy elision: a copy of memory that is dead afterwards takes over that memory."""

from __future__ import annotations

from collections.abc import Container, Sequence

from ..plan.kinds import buffers_of, renamed
from ..plan.nodes import Alloc, Copy, PlanBuffer, Step


def without_moves(
    steps: Sequence[Step], buffers: Sequence[PlanBuffer], kept: Container[int]
) -> tuple[list[Step], dict[int, int]]:
    """Removes copies of a whole buffer that is dead afterwards and not `kept`: copy(T, S) -> nothing, with S
    for T from there on, where these steps allocate both.

    Returns the steps, and the buffer that replaces each one.
    """
    uses = [buffers_of(step) for step in steps]
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    allocated: dict[int, int] = {}
    for position, (step, numbers) in enumerate(zip(steps, uses, strict=True)):
        if isinstance(step, Alloc):
            allocated[step.buffer] = position
            numbers = numbers - {step.buffer}
        for number in numbers:
            first.setdefault(number, position)
            last[number] = position
    names: dict[int, int] = {}
    gone: set[int] = set()
    for position, step in enumerate(steps):
        if not isinstance(step, Copy) or step.target.offset.value != 0 or step.source.offset.value != 0:
            continue
        target, source = step.target.buffer, step.source.buffer
        if source not in allocated or target not in allocated or source in kept:
            continue
        is_whole = buffers[target] == buffers[source] and step.elements == buffers[source].elements
        if is_whole and first[target] == position == last[source]:
            names[target] = names.get(source, source)
            gone |= {position, allocated[target]}
    if not names:
        return list(steps), names
    return [renamed(step, names) for position, step in enumerate(steps) if position not in gone], names
