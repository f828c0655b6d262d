"""Functions of Python's as traced code: those of `heapq` and `bisect` on sequences, reductions, merge sort,
look-ups in hash tables, and powers by a modulus.

Heaps are those of CPython's `heapq` (J. W. J. Williams, Heapsort, CACM 7, 1964), with the same comparisons.
`heap` gives items by position, without checks; `within` clamps a position into range, also where its result
is unused, and `certain` gives one that is always in range.
"""

from __future__ import annotations

from typing import Any

from ...errors import NumberError

_OF_PYTHON = NumberError("pow() of a negative exponent, or by 0")

try:
    min(())
except ValueError as error:
    _NONE = str(error)  # the wording depends on Python's version


def _up(heap: Any, place: Any, item: Any, least: Any = 0) -> None:
    """Moves an item up from a place towards the root."""
    while place > least:
        place = heap.certain(place)
        parent = heap.within((place - 1) >> 1)
        other = heap.at(parent)
        if not item < other:
            break
        heap.put(place, other)
        place = parent
    heap.put(place, item)


def _down(heap: Any, place: Any, count: Any, item: Any) -> None:
    """Moves an item down from a place: smaller children move up to a leaf, from which the item moves up."""
    start = place
    while 2 * heap.certain(place) + 1 < count:
        place = heap.certain(place)
        child = 2 * place + 1
        if child + 1 < count and not heap.at(child) < heap.at(child + 1):
            child += 1
        child = heap.within(child)
        heap.put(place, heap.at(child))
        place = child
    _up(heap, place, item, start)


def heappush(heap: Any, item: Any) -> None:
    heap.values.append(item)
    _up(heap, heap.within(len(heap.values) - 1), item)


def heappop(heap: Any) -> Any:
    found = heap.at(0)  # which is the last one where there is one alone, and is put there again
    last = heap.pop()
    _down(heap, 0, len(heap.values), last)
    return found


def heapreplace(heap: Any, item: Any) -> Any:
    found = heap.first()
    _down(heap, 0, len(heap.values), item)
    return found


def heappushpop(heap: Any, item: Any) -> Any:
    if len(heap.values) > 0 and heap.values[0] < item:
        return heapreplace(heap, item)
    return item


def heapify(heap: Any) -> None:
    count = len(heap.values)
    for place in range(count // 2 - 1, -1, -1):
        _down(heap, heap.within(place), count, heap.at(place))


def bisect_left(a: Any, x: Any, lo: Any = 0, hi: Any = None) -> Any:
    high = len(a) if hi is None else hi
    while lo < high:
        middle = (lo + high) // 2
        if a[middle] < x:
            lo = middle + 1
        else:
            high = middle
    return lo


def bisect_right(a: Any, x: Any, lo: Any = 0, hi: Any = None) -> Any:
    high = len(a) if hi is None else hi
    while lo < high:
        middle = (lo + high) // 2
        if x < a[middle]:
            high = middle
        else:
            lo = middle + 1
    return lo


# Reductions of a generator: `pairs(item)` are tests, and functions of values, for an item.


def total(iterable: Any, pairs: Any, start: Any = 0) -> Any:
    for item in iterable:
        for holds, value in pairs(item):
            if holds:
                start = start + value()
    return start


def any_of(iterable: Any, pairs: Any) -> Any:
    for item in iterable:
        for holds, value in pairs(item):
            if holds and value():
                return True
    return False


def all_of(iterable: Any, pairs: Any) -> Any:
    for item in iterable:
        for holds, value in pairs(item):
            if holds and not value():
                return False
    return True


def largest(iterable: Any, pairs: Any) -> Any:
    some = False
    best = 0
    for item in iterable:
        for holds, value in pairs(item):
            if holds:
                new = value()
                if not some or new > best:
                    best = new
                some = True
    if not some:
        raise ValueError(_NONE.replace("min", "max"))
    return best


def smallest(iterable: Any, pairs: Any) -> Any:
    some = False
    best = 0
    for item in iterable:
        for holds, value in pairs(item):
            if holds:
                new = value()
                if not some or new < best:
                    best = new
                some = True
    if not some:
        raise ValueError(_NONE)
    return best


def best_by(values: Any, key: Any, least: Any) -> Any:
    """Returns the first item whose key is extreme."""
    if len(values) == 0:
        raise ValueError(_NONE if least else _NONE.replace("min", "max"))
    place, best = 0, key(values[0])
    for other in range(1, len(values)):
        new = key(values[other])
        if (new < best) if least else (new > best):
            place, best = other, new
    return values[place]


def is_in(values: Any, value: Any) -> Any:
    return any(each == value for each in values)


def extend(values: Any, more: Any) -> None:
    for each in more:
        values.append(each)


# Hash tables (see `hash_tables`)


def find(search: Any) -> Any:
    """Returns the slot of a key and its entry, or the first free slot and -1."""
    place, rest = search.start()
    entry = search.entry(place)
    while search.goes_on(entry):
        place, rest = search.next(place, rest)
        entry = search.entry(place)
    return place, entry


def find_among_gaps(search: Any) -> Any:
    """Like `find`, in a table from which entries were removed: their slots may be used again."""
    place, rest = search.start()
    entry = search.entry(place)
    gap = -1
    while search.goes_on(entry):
        gap = search.gap(gap, place, entry)
        place, rest = search.next(place, rest)
        entry = search.entry(place)
    return search.place(gap, place, entry), entry


def fill_again(table: Any) -> None:
    """Inserts all entries into their slots, in order."""
    for place in range(table.take_all()):
        if table.is_there(place):
            search = table.search_at(place)
            slot, _ = find(search)
            table.put_back(search, place, slot)


def make_room(table: Any) -> None:
    if table.has_many_gaps():
        fill_again(table)


def close_gaps(table: Any) -> None:
    if table.has_gaps():
        fill_again(table)


def add_all(values: Any, more: Any) -> None:
    for each in more:
        values.add(each)


# Set operations


def add_common(found: Any, members: Any, other: Any) -> None:
    for key in members:
        if key in other:
            found.add(key)


def add_others(found: Any, members: Any, other: Any) -> None:
    for key in members:
        if key not in other:
            found.add(key)


def are_all_in(members: Any, other: Any) -> Any:
    return all(key in other for key in members)


def are_none_in(members: Any, other: Any) -> Any:
    return all(key not in other for key in members)


# Sorting (see `sorting`): items are compared by `key(item)`, which `check(key)` validates.


def extend_with_keys(pairs: Any, values: Any, key: Any) -> None:
    for value in values:
        pairs.append((key(value), value))


def take_back(items: Any, pairs: Any) -> None:
    for place in range(len(pairs)):
        items.put(place, pairs[place][1])


def merge_sort(items: Any, spare: Any, key: Any, reverse: Any, check: Any) -> None:
    """Merges sorted runs of doubling length; equal items keep their order."""
    count = len(items.values)
    for place in range(count):
        check(key(items.at(place)))
    width = 1
    while width < count:
        for start in range(0, count, 2 * width):
            middle = min(start + width, count)
            stop = min(start + 2 * width, count)
            left, right = start, middle
            for place in range(start, stop):
                if left >= middle:
                    later = True
                elif right >= stop:
                    later = False
                elif reverse:
                    later = key(items.at(left)) < key(items.at(right))
                else:
                    later = key(items.at(right)) < key(items.at(left))
                if later:
                    spare.put(place, items.at(right))
                    right += 1
                else:
                    spare.put(place, items.at(left))
                    left += 1
        for place in range(count):
            items.put(place, spare.at(place))
        width *= 2


def power_modulo(base: Any, exponent: Any, modulus: Any, raise_unless: Any) -> Any:
    """Python's `pow` with three arguments, by squaring; of a negative exponent, or without a modulus, Python
    answers."""
    raise_unless((exponent >= 0) & (modulus != 0), _OF_PYTHON)
    found, base = 1 % modulus, base % modulus
    while exponent > 0:
        if exponent & 1:
            found = found * base % modulus
        exponent >>= 1
        if exponent > 0:
            base = base * base % modulus
    return found
