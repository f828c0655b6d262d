"""Library objects that a traced function is given or reads, and stand-ins for objects that a trace cannot
use.

Changes of a library object's attributes happen once, while tracing: a function that makes such changes is not
compiled. A `Refused` stands for an object that a trace cannot handle.
"""

from __future__ import annotations

from typing import Any, NoReturn

from ...api.frame import LazyValue
from ...errors import JitframeError, TraceError
from .guards import MISSING, getattr_plainly

_OF_THREADS = frozenset((
    "asyncio", "concurrent", "logging", "multiprocessing", "queue", "socket", "threading",
))  # fmt: skip
"""Modules whose objects other threads change meanwhile: their changes are not undone."""


class LibraryObjects:
    """The library objects of one trace, with their attributes at its start."""

    def __init__(self) -> None:
        self._noted: list[tuple[str, dict[str, Any], dict[str, Any]]] = []

    def note(self, name: str, value: Any) -> None:
        """Records the attributes of an object that the function calls `name`."""
        held = getattr_plainly(value, "__dict__")
        if isinstance(held, dict) and type(value).__module__.partition(".")[0] not in _OF_THREADS:
            self._noted.append((name, held, dict(held)))

    def put_back(self) -> str | None:
        """Restores the attributes of the objects, but keeps values that they have cached in addition; returns
        the name of a changed object."""
        found = None
        for name, held, before in self._noted:
            for attribute, value in tuple(held.items()):
                was = before.get(attribute, MISSING)
                if was is value or (was is MISSING and not _is_of_trace(value)):
                    continue
                found = name
                if was is MISSING:
                    del held[attribute]
                else:
                    held[attribute] = was
        return found

    def check(self) -> None:
        """Raises TraceError where an object was changed, after restoring it."""
        name = self.put_back()
        if name is not None:
            raise TraceError(
                f"the function changes {name!r}, an object of a library that was made outside it; that would "
                "happen once, not at each call. Return the values and store them outside"
            )


def _is_of_trace(value: Any) -> bool:
    if isinstance(value, (tuple, list)):
        return any(map(_is_of_trace, value))
    return isinstance(value, LazyValue)


class Refused:
    """The stand-in for an unsupported object; its first use raises its error."""

    __slots__ = ("_error", "_message")

    def __init__(self, message: str, error: type[JitframeError] = TraceError) -> None:
        object.__setattr__(self, "_message", message)
        object.__setattr__(self, "_error", error)

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise object.__getattribute__(self, "_error")(object.__getattribute__(self, "_message"))

    __getattr__ = __setattr__ = __delattr__ = _refuse
    __call__ = __iter__ = __next__ = __len__ = __contains__ = __getitem__ = __setitem__ = __delitem__ = (
        _refuse
    )
    __bool__ = __int__ = __float__ = __complex__ = __index__ = __str__ = __format__ = __enter__ = _refuse
    __add__ = __sub__ = __mul__ = __truediv__ = __floordiv__ = __mod__ = __pow__ = __matmul__ = _refuse
    __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rfloordiv__ = __rmod__ = __rpow__ = __rmatmul__ = (
        _refuse
    )
    __and__ = __or__ = __xor__ = __lshift__ = __rshift__ = __rand__ = __ror__ = __rxor__ = _refuse
    __neg__ = __pos__ = __abs__ = __invert__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __array__ = __array_ufunc__ = __array_function__ = _refuse

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"Refused({object.__getattribute__(self, '_message')!r})"
