"""A user's module as a trace sees it: reading an attribute maps and guards it, writing one is an error."""

from __future__ import annotations

import types
from typing import Any, NoReturn

from jitframe.errors import TraceError

from .globals_view import Rebind
from .guards import MISSING


class ModuleView(types.ModuleType):
    """Stands for a module of the user's."""

    def __init__(self, module: types.ModuleType, rebinder: Rebind) -> None:
        super().__init__(module.__name__)
        own = types.ModuleType.__getattribute__(self, "__dict__")
        own.clear()
        own["module"] = module
        own["rebinder"] = rebinder

    def __getattribute__(self, name: str) -> Any:
        if name == "__class__":
            return types.ModuleType
        own = types.ModuleType.__getattribute__(self, "__dict__")
        module: types.ModuleType = own["module"]
        rebinder: Rebind = own["rebinder"]
        qualified = f"{module.__name__}.{name}"
        contents = vars(module)
        if name == "__dict__":
            return rebinder.rebind(qualified, contents)
        value = contents.get(name, MISSING)
        rebinder.reads.item(contents, name, value, qualified)
        if value is MISSING:
            # A module-level __getattr__ answers, or Python's own AttributeError is raised.
            value = getattr(module, name)
        return rebinder.rebind(qualified, value)

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        _refuse_change(self, name)

    def __delattr__(self, name: str) -> NoReturn:
        _refuse_change(self, name)


def _refuse_change(view: ModuleView, name: str) -> NoReturn:
    raise TraceError(
        f"the traced function changes {view.__name__}.{name}; that would happen once, not at each call. "
        f"Return the value and store it outside."
    )
