"""What happens when jitframe's modules are taken out of `sys.modules`, as reloaders and test runners do:
functions that were jitted before still work, and load what they need when they need it.

Modules that are only missing are put back. Where jitframe was imported again, a new copy has the names, and
what this one loaded by them would be the new one's: functions are jitted anew by that one then.
"""

from __future__ import annotations

import sys
from types import ModuleType

_NAME = __name__.partition(".")[0]
_package = sys.modules[_NAME]
_known: dict[str, ModuleType] = {}
"""The modules of this copy, by name, as far as they were noted."""
_noted = 0
"""How many modules of any kind there were when they were noted last."""


def successor() -> ModuleType | None:
    """The copy of jitframe that has taken this one's place; None where none has."""
    found = sys.modules.get(_NAME)
    return None if found is None or found is _package else found


def keep_modules() -> None:
    """Notes the modules of this copy, and puts those back that are missing or in whose place others are."""
    global _noted
    modules = sys.modules
    if successor() is not None:
        return
    for name, module in tuple(_known.items()):  # a signal's handler may call this meanwhile
        if modules.get(name) is not module:
            modules[name] = module
    if len(modules) != _noted:
        inside = f"{_NAME}."
        _known[_NAME] = modules[_NAME] = _package
        _known.update([(name, each) for name, each in tuple(modules.items()) if name.startswith(inside)])
        _noted = len(modules)
