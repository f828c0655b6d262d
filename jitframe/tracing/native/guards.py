"""Guards for the native entry: look-ups in dicts, and words of objects' memory.

The offset of an attribute is searched for in the object at hand and used only where it is unique, so nothing
is assumed about the layout of an interpreter's version.
"""

from __future__ import annotations

import ctypes
import types
from collections.abc import Iterable
from functools import cache
from typing import Any

from ...runtime.cpu.entry.variant import ABSENT, AnyGuard, ElementGuard, ItemsGuard, WordGuard
from ...runtime.cpu.entry.variant import Guard as NativeGuard
from ...runtime.cpu.native_library.described import native
from ...runtime.cpu.native_library.layout import read_word
from ..environment.guards import MISSING, Guard, GuardKind

_WORD = ctypes.sizeof(ctypes.c_void_p)
_MANAGED_DICT = 1 << 4
_MANAGED_WORDS = 4
"""The words in front of an object in which CPython may store its dict."""


def native_guards(guards: Iterable[Guard]) -> tuple[AnyGuard, ...] | None:
    """Returns the guards for the native entry; None where it cannot check one of them."""
    made = []
    for guard in guards:
        found = _native(guard)
        if found is None:
            return None
        made.append(found)
    return tuple(made)


def _native(guard: Guard) -> AnyGuard | None:
    expected = ABSENT if guard.expected is MISSING else guard.expected
    if guard.kind == GuardKind.ITEM:
        # A subclass of dict or of str may look up in its own way.
        plain = type(guard.mapping) is dict and type(guard.key) is str
        return NativeGuard(expected, mapping=guard.mapping, key=guard.key) if plain else None
    if guard.kind == GuardKind.ITEMS:
        return ItemsGuard(guard.mapping, guard.expected)
    if guard.kind == GuardKind.ELEMENT:
        plain = type(guard.mapping) is list and guard.key >= 0
        return ElementGuard(guard.expected, guard.mapping, guard.key) if plain else None
    if guard.kind == GuardKind.CLASS:
        return WordGuard(guard.mapping, native.Object.offset("kind"), id(expected), expected)
    if guard.kind == GuardKind.CELL:
        offset = _cell_offset()
        word = 0 if expected is ABSENT else id(expected)
        return None if offset is None else WordGuard(guard.mapping, offset, word, expected)
    if guard.kind == GuardKind.LENGTH:
        kind: Any = type(guard.mapping)  # mypy does not take a class of its own for hashable
        offset = _length_offset(kind)
        return None if offset is None else WordGuard(guard.mapping, offset, guard.expected)
    if guard.kind == GuardKind.ATTRIBUTE and expected is not ABSENT:
        offset = _offset_of(guard.mapping, guard.key, expected)
        if offset is None:
            return None
        # Functions without defaults keep null.
        word = 0 if expected is None and isinstance(guard.mapping, types.FunctionType) else id(expected)
        return WordGuard(guard.mapping, offset, word, expected)
    return None


@cache
def _cell_offset() -> int | None:
    """Returns the offset of the content of a closure's cell."""
    samples = [types.CellType(value) for value in (object(), object())]
    words = range(1, types.CellType.__basicsize__ // _WORD)
    return _common_offset([(cell, id(cell.cell_contents)) for cell in samples], words)


@cache
def _length_offset(kind: type) -> int | None:
    """Returns the offset of the length of a container, which may be empty."""
    if kind is list:
        samples: list[Any] = [list(range(count)) for count in (3, 11, 200)]
    elif kind is dict:
        samples = [dict.fromkeys(range(count)) for count in (3, 11, 200)]
    else:
        return None
    return _common_offset(
        [(sample, len(sample)) for sample in samples], range(1, kind.__basicsize__ // _WORD)
    )


@cache
def _function_offset(name: str) -> int | None:
    def first(x: int = 1, *, y: int = 2) -> int:
        return x

    def second(x: int = 2, *, y: int = 1) -> int:
        return x + 1

    samples = [(each, id(getattr(each, name))) for each in (first, second)]
    return _common_offset(samples, range(1, types.FunctionType.__basicsize__ // _WORD))


def _common_offset(samples: list[tuple[Any, int]], words: range) -> int | None:
    found = [
        _WORD * each
        for each in words
        if all(read_word(id(owner) + _WORD * each) == word for owner, word in samples)
    ]
    return found[0] if len(found) == 1 else None


def _offset_of(owner: Any, name: str, expected: Any) -> int | None:
    kind = type(owner)
    if isinstance(owner, types.FunctionType) and name != "__dict__":
        return _function_offset(name)
    if name == "__dict__":
        if kind.__flags__ & _MANAGED_DICT:
            return _common_offset([(owner, id(expected))], range(-_MANAGED_WORDS, 0))
        offset = kind.__dictoffset__
        return offset if offset > 0 and read_word(id(owner) + offset) == id(expected) else None
    return _common_offset([(owner, id(expected))], range(2, kind.__basicsize__ // _WORD))
