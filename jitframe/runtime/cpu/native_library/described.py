"""Descriptions of the native sources for Python: offsets of the fields of their structs, and their constants.

It is read off the sources, and kept beside the image that was made of them: a process that finds both loads
no source.
"""

from __future__ import annotations

from typing import Any

Structs = dict[str, tuple[int, dict[str, int]]]
"""Of each struct its size and the offsets of its fields; of a struct in a struct, also `outer.inner`."""


class Layout:
    """A struct as it lies in memory."""

    __slots__ = ("_fields", "_size")

    def __init__(self, size: int, fields: dict[str, int]) -> None:
        self._size = size
        self._fields = fields

    def fields(self) -> dict[str, int]:
        """Name of each field -> offset in bytes."""
        return self._fields

    def offset(self, field: str) -> int:
        return self._fields[field]

    def size(self) -> int:
        return self._size


class Described:
    """The structs and the numbers of the native sources, as attributes of their names."""

    def learn(self, structs: Structs, constants: dict[str, int]) -> None:
        """What the sources say; known from now on."""
        known: dict[str, Any] = self.__dict__
        known.update(constants)
        known.update({name: Layout(size, fields) for name, (size, fields) in structs.items()})

    def __getattr__(self, name: str) -> Any:
        if self.__dict__:
            raise AttributeError(f"the native sources have no {name}")
        from .native_sources import description  # nobody has learned it from what is stored

        self.learn(*description())
        return getattr(self, name)


native = Described()
