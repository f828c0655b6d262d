"""A user's function copied so that every name it reads goes through a mapping and is recorded as a guard.

    copied = copy_function(function, mapper)
    result = copied.function(*traced_arguments)
    copied.finish()                       # raises if the function changed anything outside itself
    check(copied.reads.guards) is None    # at a later call: may this trace be used again?

CPython's LOAD_GLOBAL looks a name up with `globals[name]` when the globals are a dict subclass, so
`__missing__` sees the first read of each name; the result is stored, and later reads run at the speed of a
plain dict. Functions, classes and comprehensions made by the copy inherit its globals, hence the mapping.
"""

from __future__ import annotations

import builtins
import dis
import sys
import types
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final, Protocol

from jitframe.errors import TraceError

from .guards import MISSING, Reads
from .user_code import CLASS_OF, UserCode, lines_where

if TYPE_CHECKING:
    from .outside_state import Changes

_STORE_GLOBAL: Final = dis.opmap["STORE_GLOBAL"]
_DELETE_GLOBAL: Final = dis.opmap["DELETE_GLOBAL"]
_REGISTRY: Final = "__warningregistry__"
"""The global in which `warnings` notes what a library has told about a function that calls it."""


class Rebind(Protocol):
    """The methods of the rebinder that a view calls."""

    reads: Reads
    user: UserCode

    @property
    def changes(self) -> Changes:
        """The changes that the trace makes outside."""

    def rebind(self, name: str, value: Any) -> Any:
        """The stand-in for an object read under `name`; raises TraceError where there can be none."""

    def rebind_quietly(self, name: str, value: Any) -> Any:
        """Like `rebind`, but an object that cannot be handled becomes a Refused, which raises when used."""


class GlobalsView(dict[str, Any]):
    """The globals of one module as a trace sees them.

    Its own items are what was read so far, already mapped. STORE_GLOBAL writes into them behind
    `__setitem__`, so a store is found by comparing with what was put there.
    """

    __slots__ = ("_codes", "_given", "_rebinder", "_source", "_source_builtins")

    def __init__(self, source: dict[str, Any], source_builtins: dict[str, Any], rebinder: Rebind) -> None:
        # `__builtins__` makes new frames use the view below; `__name__` becomes `__module__` of what the
        # copy defines.
        self._given: dict[str, Any] = {"__builtins__": BuiltinsView(self, rebinder)}
        if "__name__" in source:
            self._given["__name__"] = source["__name__"]
        super().__init__(self._given)
        self._source = source
        self._source_builtins = source_builtins
        self._rebinder = rebinder
        self._codes: list[types.CodeType] = []

    @property
    def source(self) -> dict[str, Any]:
        """The real globals."""
        return self._source

    def __missing__(self, name: str) -> Any:
        """Reads a name as LOAD_GLOBAL does (globals, then builtins), guards it, and maps what it found."""
        reads = self._rebinder.reads
        source = self._source
        value = source.get(name, MISSING)
        reads.item(source, name, value, name)
        if value is MISSING:
            source = self._source_builtins
            value = source.get(name, MISSING)
            reads.item(source, name, value, name)
            if value is MISSING:
                raise KeyError(name)
        mapped = self._rebinder.rebind(name, value)
        self._given[name] = mapped
        super().__setitem__(name, mapped)
        return mapped

    def put(self, name: str, value: Any) -> None:
        """Adds a global that only rewritten code can name."""
        self._given[name] = value
        super().__setitem__(name, value)

    def hold(self, code: types.CodeType) -> None:
        """Registers code that runs over this view; deleting a global is refused here, before it can run."""
        self._codes.append(code)
        for inner in _with_nested(code):
            # Instructions are two bytes wide, and the bytes of caches read as zero.
            if _DELETE_GLOBAL in inner.co_code[::2]:
                names = [name for name in inner.co_names if lines_where(inner, _DELETE_GLOBAL, name)]
                raise TraceError(
                    f"the traced function deletes the global {names[0]!r}; do that outside it",
                    line=lines_where(inner, _DELETE_GLOBAL, names[0])[0],
                )

    def finish(self) -> None:
        """Raises if the traced code stored to a global."""
        for name, value in self.items():
            if self._given.get(name, MISSING) is value or name == _REGISTRY:
                continue
            lines = [line for code in self._codes for line in lines_where(code, _STORE_GLOBAL, name)]
            raise TraceError(
                f"the traced function stores to the global {name!r}; that would happen once, not at each "
                f"call. Return the value and store it outside.",
                line=lines[0] if lines else None,
            )


class BuiltinsView(dict[str, Any]):
    """The builtins of frames that run over a GlobalsView."""

    __slots__ = ("_view",)

    def __init__(self, view: GlobalsView, rebinder: Rebind) -> None:
        # The import statement reads `__import__` without asking `__missing__`.
        super().__init__({"__import__": mapped_import(rebinder), CLASS_OF: rebinder.rebind("type", type)})
        self._view = view

    def __missing__(self, name: str) -> Any:
        """Also serves class bodies, whose LOAD_NAME up to 3.12 reads globals without `__missing__`."""
        return self._view[name]


def mapped_import(rebinder: Rebind) -> Callable[..., Any]:
    """`__import__` for traced code: the import itself is Python's own, its result is mapped."""

    def import_mapped(
        name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0
    ) -> Any:
        source = globals.source if isinstance(globals, GlobalsView) else globals
        module = builtins.__import__(name, source, locals, fromlist, level)
        if sys.modules.get(module.__name__) is module:
            rebinder.reads.item(sys.modules, module.__name__, module, module.__name__)
        return rebinder.rebind_quietly(module.__name__, module)

    return import_mapped


def _with_nested(code: types.CodeType) -> Iterable[types.CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _with_nested(constant)
