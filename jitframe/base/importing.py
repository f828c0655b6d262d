"""Finds and reads jitframe's own modules as Python's finder of files does, in less time.

A first decoration loads nearly a hundred modules. Python looks for each under five suffixes in a listing of
its folder, and takes paths and headers apart in Python code. Here a name is taken for what it mostly is,
a source file whose code lies in `__pycache__` and was made of the file as it is now. Whatever is otherwise is
left to Python's finder and loader, which are the base classes: code that is stale, missing, checked by hashes
or made elsewhere, extensions, folders without sources. Nothing is kept that Python itself does not keep.

Only jitframe's folders are found here: `sys.path_importer_cache` names the finder of each folder, and other
imports do not pass by.

What functions of these modules import when they are first called is imported on a thread of jitframe's
own: no interrupt leaves half a module, no forked child waits for one that its parent was importing, and the
stack is large enough.
"""

from __future__ import annotations

import builtins
import marshal
import os
import sys
from _thread import _local
from importlib import import_module
from importlib.machinery import (
    BYTECODE_SUFFIXES,
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    ModuleSpec,
    SourceFileLoader,
    SourcelessFileLoader,
)
from importlib.util import MAGIC_NUMBER, cache_from_source
from io import open_code
from types import CodeType, ModuleType
from typing import Any

from .background import apart

_USUAL = (
    (ExtensionFileLoader, EXTENSION_SUFFIXES),
    (SourceFileLoader, SOURCE_SUFFIXES),
    (SourcelessFileLoader, BYTECODE_SUFFIXES),
)
_CHECKED_BY_TIME = MAGIC_NUMBER + bytes(4)
"""How code starts that is valid for a source of one time and size, which follow."""


_LOGGING = ("jitframe.backends", "jitframe.tensors.waiting")
"""What loads `logging`: a thread that forks holds its lock while it waits for threads of jitframe's own."""


class _Thread(_local):
    loading = 0
    """How many modules it is in the middle of: what they need, it has to import itself."""


_thread = _Thread()


def load(name: str) -> ModuleType:
    """A module by its whole name, imported on a thread of jitframe's own if it was not."""
    if _thread.loading or name in sys.modules:
        return import_module(name)
    return apart(lambda: import_module(name))


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
            return apart(lambda: builtins.__import__(name, globals, locals, fromlist, level))
    return builtins.__import__(name, globals, locals, fromlist, level)


_BUILTINS = {**vars(builtins), "__import__": _import}


class Loader(SourceFileLoader):
    """Reads a module's code from the file `kept` where that is valid."""

    def __init__(self, name: str, path: str, kept: str) -> None:
        super().__init__(name, path)
        self.kept = kept

    def exec_module(self, module: ModuleType) -> None:
        module.__dict__["__builtins__"] = _BUILTINS
        _thread.loading += 1
        try:
            super().exec_module(module)
        finally:
            _thread.loading -= 1

    def get_code(self, fullname: str) -> CodeType | None:
        try:
            look = os.stat(self.path)
            with open_code(self.kept) as file:
                content = file.read()
        except OSError:
            return super().get_code(fullname)
        stamp = (int(look.st_mtime) & 0xFFFFFFFF) | (look.st_size & 0xFFFFFFFF) << 32
        if content[:16] == _CHECKED_BY_TIME + stamp.to_bytes(8, "little"):
            code = marshal.loads(memoryview(content)[16:])
            if code.__class__ is CodeType and code.co_filename == self.path:
                return code
        return super().get_code(fullname)


class Finder(FileFinder):
    """Finds the modules and packages of one folder."""

    def __init__(self, folder: str) -> None:
        super().__init__(folder, *_USUAL)
        name = os.path.join(folder, "name")
        self.kept, _, self.suffix = cache_from_source(f"{name}.py").rpartition("name")

    def find_spec(self, fullname: str, target: ModuleType | None = None) -> ModuleSpec | None:
        name = fullname.rpartition(".")[2]
        path = f"{self.path}{os.sep}{name}"
        source = f"{path}.py"
        if os.path.isfile(source):
            return _spec(fullname, source, f"{self.kept}{name}{self.suffix}")
        source = f"{path}{os.sep}__init__.py"
        if os.path.isfile(source):
            inner = sys.path_importer_cache[path] = Finder(path)
            spec = _spec(fullname, source, f"{inner.kept}__init__{inner.suffix}")
            spec.submodule_search_locations = [path]
            return spec
        return super().find_spec(fullname, target)


def _spec(name: str, source: str, kept: str) -> ModuleSpec:
    spec = ModuleSpec(name, Loader(name, source, kept), origin=source)
    spec.has_location = True
    spec.cached = kept
    return spec


def install(folders: list[str]) -> None:
    """Takes over those folders of a package that Python's finder of files would look into: not those of an
    archive, of a frozen application, or of someone who has a finder of their own.

    Where names of files may differ in case Python compares them with a listing: that is left to it.
    """
    if sys.platform != "linux" or not sys.implementation.cache_tag:
        return
    for folder in folders:
        if type(sys.path_importer_cache.get(folder)) is FileFinder:
            sys.path_importer_cache[folder] = Finder(folder)
