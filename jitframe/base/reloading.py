"""Support for removing jitframe's modules from `sys.modules`, as reloaders and test runners do: functions
jitted before still work, and load the modules they need on demand.

Modules that are only missing are put back. Where jitframe was imported again, a new copy has the names, and
what this one loaded by them would be the new one's: functions are jitted anew by that one then.
"""

from __future__ import annotations

import sys
from types import ModuleType

_NAME = __name__.partition(".")[0]
_package = sys.modules[_NAME]
_known: dict[str, ModuleType] = {}
"""The modules of this copy by name, as last recorded."""
_noted = 0
"""The number of all modules when they were last recorded."""


def successor() -> ModuleType | None:
    """The newer copy of jitframe that has replaced this one; None if there is none."""
    module = sys.modules.get(_NAME)
    return None if module is None or module is _package else module


def keep_modules() -> None:
    """Records the modules of this copy, and restores those that are missing or replaced."""
    global _noted
    modules = sys.modules
    if successor() is not None:
        return
    for name, module in tuple(_known.items()):  # a signal handler may call this in between
        if modules.get(name) is not module:
            modules[name] = module
    if len(modules) != _noted:
        inside = f"{_NAME}."
        _known[_NAME] = modules[_NAME] = _package
        _known.update([(name, each) for name, each in tuple(modules.items()) if name.startswith(inside)])
        _noted = len(modules)
