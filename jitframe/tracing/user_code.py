"""Which functions, classes and modules are the user's own, and so are traced through rather than called."""

from __future__ import annotations

import functools
import os
import sys
import types
from typing import Any

# The standard library's folder, and that of its compiled modules (sysconfig, which knows both, takes a
# millisecond to import).
_STANDARD = tuple(
    {os.path.join(os.path.dirname(os.__file__), "")}
    | {os.path.join(os.path.dirname(path), "") for path in sys.path if path.endswith("lib-dynload")}
)
_INSTALLED = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")


@functools.lru_cache(maxsize=4096)
def _is_user_file(file: str) -> bool:
    return not (
        file.startswith("<frozen") or file.startswith(_STANDARD) or any(part in file for part in _INSTALLED)
    )


class UserCode:
    """Tells the user's own code from libraries: neither the standard library, nor installed, nor jitframe.

    `packages` are top-level packages that count as the user's although they are installed.
    """

    def __init__(self, packages: frozenset[str] = frozenset()) -> None:
        self._packages = packages

    def module_name(self, name: str | None) -> bool:
        """Whether the module of this name is the user's; one that was never imported is."""
        if name is None:
            return True
        top = name.partition(".")[0]
        if top in self._packages:
            return True
        if top == "jitframe" or top in sys.builtin_module_names:
            return False
        if getattr(sys, "frozen", False) and top in sys.stdlib_module_names:
            return False  # a frozen application has all modules in one place
        module = sys.modules.get(name)
        return module is None or self._has_user_file(module)

    def module(self, module: types.ModuleType) -> bool:
        """Whether a module is the user's."""
        return self.module_name(module.__name__) and self._has_user_file(module)

    def function(self, function: types.FunctionType) -> bool:
        """Whether a function's code is the user's."""
        return self.code(function.__code__, function.__globals__.get("__name__"))

    def code(self, code: types.CodeType, name: Any) -> bool:
        """Whether code that runs in the module of that name is the user's."""
        top = name.partition(".")[0] if isinstance(name, str) else ""
        if top in self._packages:
            return True
        if top == "jitframe":
            return False
        file = code.co_filename
        # Generated code (dataclasses, a console, a notebook) belongs to the module it was made for, and so
        # does frozen code, whose files have no folders.
        return self.module_name(name) if not os.path.isabs(file) else _is_user_file(file)

    def class_(self, cls: type) -> bool:
        """Whether a class was defined by the user."""
        return cls.__module__ != "builtins" and self.module_name(cls.__module__)

    def _has_user_file(self, module: types.ModuleType) -> bool:
        if module.__name__.partition(".")[0] in self._packages:
            return True
        file = getattr(module, "__file__", None)
        if file is not None:
            return _is_user_file(file)
        # A namespace package has folders but no file; a module made by hand or a console has neither.
        folders = list(getattr(module, "__path__", ()))
        return all(_is_user_file(os.path.join(folder, "")) for folder in folders)
