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
"""The modules that import `logging`: a thread that forks holds its lock while it waits for jitframe's
threads."""


class _Thread(_local):
    loading = 0
    """The number of modules that this thread is importing: it has to import their dependencies itself."""


_thread = _Thread()
_importing = new_reentrant_lock()
"""Allows one of jitframe's threads to import at a time: Python resolves a deadlock of two importing threads
by giving one a partially initialized module."""


def _in_turn(work: Callable[[], ModuleType]) -> ModuleType:
    def alone() -> ModuleType:
        with _importing:
            return work()

    return on_own_thread(alone)


def load(name: str) -> ModuleType:
    """Returns a module by its full name, importing it on one of jitframe's own threads if necessary."""
    if _thread.loading or name in sys.modules:
        return import_module(name)
    return _in_turn(lambda: import_module(name))


def _import(
    name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0
) -> ModuleType:
    """The import statement of jitframe's modules."""
    # Frames of functions have no mapping of their locals.
    if locals is None and level and not _thread.loading:
        package = globals["__package__"].rsplit(".", level - 1)[0]
        whole = f"{package}.{name}" if name else package
        module = sys.modules.get(whole)
        known = module is not None and module.__dict__.keys() >= set(fromlist or ())
        if not known and not whole.startswith(_LOGGING):
            return _in_turn(lambda: builtins.__import__(name, globals, locals, fromlist, level))
    return builtins.__import__(name, globals, locals, fromlist, level)


_BUILTINS = {**vars(builtins), "__import__": _import}


class Loader(SourceFileLoader):
    """Gives a module its import statement, and the submodules of a package this loader."""

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
    """Makes `Loader` load a package's modules that Python's own finder of files would find.

    Modules in archives, of frozen applications, or found by a custom finder are loaded as usual.
    """
    for folder in folders:
        if type(sys.path_importer_cache.get(folder)) is FileFinder:
            sys.path_importer_cache[folder] = _finder(folder)


def submodules(package: str) -> Callable[[str], Any]:
    """Returns the `__getattr__` of a package whose modules are loaded on first access."""

    def found(name: str) -> Any:
        try:
            return load(f"{package}.{name}")
        except ModuleNotFoundError:
            raise AttributeError(f"module {package!r} has no attribute {name!r}") from None

    return found
