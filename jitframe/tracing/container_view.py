"""Copies of the user's lists, dicts and sets for a trace: they read like the originals, writing raises."""

from __future__ import annotations

from typing import Any, NoReturn

from jitframe.errors import TraceError


def _refusing(name: str) -> Any:
    """The method of that name."""

    def refuse_change(container: Any, *_: Any, **__: Any) -> NoReturn:
        raise TraceError(
            f"a {container.kind} made outside the traced function is changed inside it; the change would "
            f"happen once, not at each call. Build a new {container.kind} inside the function, or change it "
            "outside."
        )

    refuse_change.__name__ = name
    return refuse_change


class ListView(list[Any]):
    """The mapped elements of a list from outside the trace."""

    __slots__ = ()
    kind = "list"
    __setitem__ = _refusing("__setitem__")
    __delitem__ = _refusing("__delitem__")
    __iadd__ = _refusing("__iadd__")
    __imul__ = _refusing("__imul__")
    append = _refusing("append")
    extend = _refusing("extend")
    insert = _refusing("insert")
    pop = _refusing("pop")
    remove = _refusing("remove")
    clear = _refusing("clear")
    sort = _refusing("sort")
    reverse = _refusing("reverse")


class DictView(dict[Any, Any]):
    """The mapped items of a dict from outside the trace."""

    __slots__ = ()
    kind = "dict"
    __setitem__ = _refusing("__setitem__")
    __delitem__ = _refusing("__delitem__")
    __ior__ = _refusing("__ior__")
    update = _refusing("update")
    pop = _refusing("pop")
    popitem = _refusing("popitem")
    clear = _refusing("clear")
    setdefault = _refusing("setdefault")


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
