"""Imports jitframe's modules on threads of its own.

What functions of these modules import when they are first called is imported on a thread of jitframe's
own: no interrupt leaves half a module, no forked child waits for one that its parent was importing, and the
stack is large enough. The import statement of a module is the `__import__` of its builtins, which a loader
sets before the module's code runs; everything else is Python's own finder of files and its loader.
"""

from __future__ import annotations

import builtins
import sys
from _thread import _local
from collections.abc import Callable
from importlib import import_module
from importlib.machinery import (
    BYTECODE_SUFFIXES,
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    SourceFileLoader,
    SourcelessFileLoader,
)
from types import ModuleType
from typing import Any

from .background import on_own_thread
from .locks import new_reentrant_lock

_LOGGING = ("jitframe.backends", "jitframe.tensors.waiting")
"""What loads `logging`: a thread that forks holds its lock while it waits for threads of jitframe's own."""


class _Thread(_local):
    loading = 0
    """How many modules it is in the middle of: what they need, it has to import itself."""


_thread = _Thread()
_importing = new_reentrant_lock()
"""Of two threads that wait for each other's modules Python gives one half a module: one of ours imports at a
time."""


def _in_turn(work: Callable[[], ModuleType]) -> ModuleType:
    def alone() -> ModuleType:
        with _importing:
            return work()

    return on_own_thread(alone)


def load(name: str) -> ModuleType:
    """A module by its whole name, imported on a thread of jitframe's own if it was not."""
    if _thread.loading or name in sys.modules:
        return import_module(name)
    return _in_turn(lambda: import_module(name))


def _import(
    name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0
) -> ModuleType:
    """The import statement of jitframe's modules."""
    # Functions have no mapping of their locals.
    if locals is None and level and not _thread.loading:
        package = globals["__package__"].rsplit(".", level - 1)[0]
        whole = f"{package}.{name}" if name else package
        found = sys.modules.get(whole)
        known = found is not None and found.__dict__.keys() >= set(fromlist or ())
        if not known and not whole.startswith(_LOGGING):
            return _in_turn(lambda: builtins.__import__(name, globals, locals, fromlist, level))
    return builtins.__import__(name, globals, locals, fromlist, level)


_BUILTINS = {**vars(builtins), "__import__": _import}


class Loader(SourceFileLoader):
    """Gives a module its import statement, and the modules of a package this loader."""

    def exec_module(self, module: ModuleType) -> None:
        module.__dict__["__builtins__"] = _BUILTINS
        for folder in getattr(module, "__path__", ()):
            sys.path_importer_cache[folder] = _finder(folder)
        _thread.loading += 1
        try:
            super().exec_module(module)
        finally:
            _thread.loading -= 1


def _finder(folder: str) -> FileFinder:
    return FileFinder(
        folder,
        (ExtensionFileLoader, EXTENSION_SUFFIXES),
        (Loader, SOURCE_SUFFIXES),
        (SourcelessFileLoader, BYTECODE_SUFFIXES),
    )


def install(folders: list[str]) -> None:
    """Has a package's modules loaded by `Loader` where Python's finder of files would look for them: not
    those of an archive, of a frozen application, or of someone who has a finder of their own."""
    for folder in folders:
        if type(sys.path_importer_cache.get(folder)) is FileFinder:
            sys.path_importer_cache[folder] = _finder(folder)


def submodules(package: str) -> Callable[[str], Any]:
    """The `__getattr__` of a package whose modules are loaded when they are first asked for."""

    def found(name: str) -> Any:
        try:
            return load(f"{package}.{name}")
        except ModuleNotFoundError:
            raise AttributeError(f"module {package!r} has no attribute {name!r}") from None

    return found
