"""Stand-ins for the classes of `collections` and the functions of `heapq` and `bisect`, and for `list` and
`set`."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Sequence
from typing import Any

from ...api.frame import LazyValue, innermost_frame
from ..arguments.growing_deque import GrowingDeque
from ..arguments.growing_dict import GrowingCounter, GrowingDefaultDict, Keyed
from ..arguments.growing_list import GrowingList, is_listed
from ..arguments.growing_set import GrowingSet
from ..values.traced_frame import TraceFrame, run_traced
from . import sequences


def captures() -> bool:
    """Whether loops and conditions are captured here."""
    frame = innermost_frame()
    return isinstance(frame, TraceFrame) and frame.root.hooks is not None


class ContainerClass:
    """The stand-in for a container class, whose instances loops may change; `made(...)` makes one."""

    stands_for_type = True

    def __init__(self, original: type, growing: type, made: Callable[..., Any]) -> None:
        self.__jitframe_original__ = original
        self._kinds = original, growing
        self._made = made

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        made = self._made(*arguments, **options) if captures() else None
        return self.__jitframe_original__(*arguments, **options) if made is None else made

    def __instancecheck__(self, value: Any) -> bool:
        return isinstance(value, self._kinds)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__jitframe_original__, name)

    def __getitem__(self, item: Any) -> Any:
        return self.__jitframe_original__[item]  # type: ignore[index]

    def __eq__(self, other: object) -> bool:
        return getattr(other, "__jitframe_original__", other) is self.__jitframe_original__

    def __hash__(self) -> int:
        return hash(self.__jitframe_original__)

    def __mro_entries__(self, bases: Any) -> tuple[type, ...]:
        return (self.__jitframe_original__,)


def _deque(iterable: Any = (), maxlen: int | None = None) -> Any:
    if not isinstance(iterable, GrowingList) or iterable.counter is None:
        return GrowingDeque(iterable, maxlen)
    growing_deque = GrowingDeque((), maxlen)
    run_traced(sequences.extend, growing_deque, iterable)
    return growing_deque


def _default_dict(*arguments: Any, **options: Any) -> Any:
    return GrowingDefaultDict(*arguments) if len(arguments) == 1 and not options else None


def _set(iterable: Any = ()) -> Any:
    if not isinstance(iterable, (LazyValue, GrowingList)) and not is_listed(iterable):
        return GrowingSet(iterable)
    growing_set = GrowingSet()
    run_traced(sequences.add_all, growing_set, iterable)
    return growing_set


def _list(iterable: Any = ()) -> Any:
    if is_listed(iterable):
        return _counted().list_of(iterable)
    if isinstance(iterable, Keyed) and iterable.table is not None:
        iterable = iterable.table.keys()
    return iterable.copy() if isinstance(iterable, GrowingList) and iterable.counter is not None else None


def _counter(*arguments: Any, **options: Any) -> Any:
    return None if arguments or options else GrowingCounter()


_NONE = "index out of range"


class Heap:
    """The interface of a list for heap functions: its items by positions that are certainly in range."""

    def __init__(self, values: GrowingList) -> None:
        self.values = values

    def pop(self) -> Any:
        return _counted().pop(self.values, False, _NONE)

    def first(self) -> Any:
        _counted().has_some(self.values, _NONE)
        return self.at(0)

    def within(self, place: Any) -> Any:
        return _counted().within(self.values, place)

    def certain(self, place: Any) -> Any:
        return _counted().certain(self.values, place)

    def at(self, place: Any) -> Any:
        return _counted().read_at(self.values, place)

    def put(self, place: Any, value: Any) -> None:
        _counted().write_at(self.values, place, value)


class SequenceFunction:
    """The stand-in for a function of `heapq` or `bisect`: traced code where values decide."""

    def __init__(self, original: Callable[..., Any], code: Callable[..., Any], of_heaps: bool) -> None:
        self.__jitframe_original__ = original
        self._code = code
        self._of_heaps = of_heaps

    def __call__(self, values: Any, *rest: Any, **options: Any) -> Any:
        if not captures() or not self._decided_by_values(values, rest, options):
            return self.__jitframe_original__(values, *rest, **options)
        if not self._of_heaps:
            return run_traced(self._code, values, *rest, **options)
        items = [*values.items, *rest] if values.counter is None else ()
        if not _counted().become_counted(values, items):
            return self.__jitframe_original__(values, *rest)
        return run_traced(self._code, Heap(values), *rest)

    def _decided_by_values(self, values: Any, rest: Sequence[Any], options: dict[str, Any]) -> bool:
        if isinstance(values, GrowingList):
            if values.counter is not None or values.array is not None:
                return "key" not in options
            items: Any = list.__getitem__(values, slice(None))
        else:
            items = () if self._of_heaps else values
        traced = isinstance(items, LazyValue) or _holds_traced((*items, *rest, *options.values()))
        return traced and (not self._of_heaps or isinstance(values, GrowingList)) and "key" not in options

    def __repr__(self) -> str:
        return repr(self.__jitframe_original__)


def _holds_traced(values: Sequence[Any]) -> bool:
    return any(
        isinstance(value, LazyValue) or (isinstance(value, tuple) and _holds_traced(value))
        for value in values
    )


def _counted() -> Any:
    from ..lists import counted_lists  # few heaps are of values

    return counted_lists


_HEAPS = "heappush", "heappop", "heapify", "heapreplace", "heappushpop"
_SORTED = {"bisect_left": "bisect_left", "bisect_right": "bisect_right", "bisect": "bisect_right"}
_known: dict[int, Any] = {
    id(original): ContainerClass(original, growing, made)
    for original, growing, made in (
        (deque, GrowingDeque, _deque),
        (defaultdict, GrowingDefaultDict, _default_dict),
        (Counter, GrowingCounter, _counter),
        (set, GrowingSet, _set),
        (list, GrowingList, _list),
    )
}


def stand_in_of(value: Any) -> Any:
    """Returns the stand-in for a function or class of these modules; others are themselves."""
    found = _known.get(id(value))
    if found is None and callable(value) and not isinstance(value, type):
        name = value.__name__
        if name in _HEAPS:
            found = SequenceFunction(value, getattr(sequences, name), True)
        elif name in _SORTED:
            found = SequenceFunction(value, getattr(sequences, _SORTED[name]), False)
        _known[id(value)] = value if found is None else found
    return value if found is None else found
