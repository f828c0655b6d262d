"""Views of a user's modules, lists, dicts and sets for the trace: reads return traced values, writes raise.

A write to a list or dict that removes no item requests a slot for the content, or for the end of the list
(see `outside_state`), and the trace is repeated.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any, NoReturn

from jitframe.errors import TraceError

from .globals_view import Rebind
from .guards import MISSING


def _refusing(name: str, keeps: bool = False, adds: bool = False) -> Any:
    """Makes a refusing method of that name; `keeps`: it removes no item; `adds`: it appends items."""

    def refuse_change(container: Any, *_: Any, **__: Any) -> NoReturn:
        if keeps or adds:
            container.want(adds)
        raise TraceError(
            f"a {container.kind} made outside the traced function is changed inside it; the change would "
            f"happen once, not at each call. Build a new {container.kind} inside the function, or change it "
            "outside."
        )

    refuse_change.__name__ = name
    return refuse_change


class ListView(list[Any]):
    """The mapped elements of a list from outside the trace."""

    __slots__ = ("want",)
    want: Callable[[bool], None]
    kind = "list"
    __setitem__ = _refusing("__setitem__", keeps=True)
    __delitem__ = _refusing("__delitem__")
    __iadd__ = _refusing("__iadd__", adds=True)
    __imul__ = _refusing("__imul__")
    append = _refusing("append", adds=True)
    extend = _refusing("extend", adds=True)
    insert = _refusing("insert")
    pop = _refusing("pop")
    remove = _refusing("remove")
    clear = _refusing("clear")
    sort = _refusing("sort")
    reverse = _refusing("reverse", keeps=True)


class DictView(dict[Any, Any]):
    """The mapped items of a dict from outside the trace."""

    __slots__ = ("want",)
    want: Callable[[bool], None]
    kind = "dict"
    __setitem__ = _refusing("__setitem__", keeps=True)
    __delitem__ = _refusing("__delitem__")
    __ior__ = _refusing("__ior__", keeps=True)
    update = _refusing("update", keeps=True)
    pop = _refusing("pop")
    popitem = _refusing("popitem")
    clear = _refusing("clear")
    setdefault = _refusing("setdefault", keeps=True)


class SetView(set[Any]):
    """The mapped members of a set from outside the trace."""

    __slots__ = ()
    kind = "set"
    __ior__ = _refusing("__ior__")
    __iand__ = _refusing("__iand__")
    __isub__ = _refusing("__isub__")
    __ixor__ = _refusing("__ixor__")
    add = _refusing("add")
    discard = _refusing("discard")
    remove = _refusing("remove")
    pop = _refusing("pop")
    clear = _refusing("clear")
    update = _refusing("update")
    intersection_update = _refusing("intersection_update")
    difference_update = _refusing("difference_update")
    symmetric_difference_update = _refusing("symmetric_difference_update")


class ModuleView(types.ModuleType):
    """The stand-in for a user's module."""

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
