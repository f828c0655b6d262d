"""Functions of lists whose lengths are traced values, as traced code (see `counted_lists`, `list_pools`)."""

from __future__ import annotations

from typing import Any


def append(values: Any, parts: Any) -> None:
    if values.is_full():
        if values.is_last():
            values.lengthen()
        else:
            source, target, count = values.move()
            for place in range(count):
                values.copy(source + place, target + place)
    values.put(parts)


def extend(values: Any, more: Any) -> None:
    for each in more:
        values.append(each)


def bound(place: Any, least: Any, most: Any, count: Any) -> Any:
    """Clamps a bound of a slice of `count` items."""
    if place < 0:
        place = max(place + count, least)
    return min(place, most)


def part(made: Any, at: Any, start: Any, stop: Any, step: Any, count: Any) -> None:
    """Appends the items of a slice with a step that is a known number; a bound of None: the end."""
    least, most = (0, count) if step > 0 else (-1, count - 1)
    first, behind = (least, most) if step > 0 else (most, least)
    if start is not None:
        first = bound(start, least, most, count)
    if stop is not None:
        behind = bound(stop, least, most, count)
    for place in range(first, behind, step):
        made.append(at(place))


def reverse(values: Any, count: Any) -> None:
    for place in range(count // 2):
        values[place], values[count - 1 - place] = values[count - 1 - place], values[place]


def chosen(made: Any, mask: Any, values: Any, count: Any) -> None:
    """Appends the values where a mask holds."""
    for place in range(count):
        if mask[place]:
            made.append(values[place])


def copy_rows(values: Any, whole: Any, width: Any) -> None:
    """Copies lists of one length to the rows of an array."""
    for place in range(len(values)):
        row = values[place]
        for each in range(width):
            whole[place, each] = row[each]


def place_of(values: Any, value: Any) -> Any:
    for place in range(len(values)):
        if values[place] == value:
            return place
    return -1


def count_of(values: Any, value: Any) -> Any:
    found = 0
    for each in values:
        if each == value:
            found += 1
    return found
