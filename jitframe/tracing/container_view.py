"""Copies of the user's lists, dicts and sets for a trace: they read like the originals, writing raises."""

from __future__ import annotations

from typing import Any, NoReturn

from jitframe.errors import TraceError


def _refuse_change(container: Any, *_: Any, **__: Any) -> NoReturn:
    raise TraceError(
        f"a {container.kind} made outside the traced function is changed inside it; the change would happen "
        f"once, not at each call. Build a new {container.kind} inside the function, or change it outside."
    )


class ListView(list[Any]):
    """The mapped elements of a list from outside the trace."""

    __slots__ = ()
    kind = "list"
    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse_change
    append = extend = insert = pop = remove = clear = sort = reverse = _refuse_change


class DictView(dict[Any, Any]):
    """The mapped items of a dict from outside the trace."""

    __slots__ = ()
    kind = "dict"
    __setitem__ = __delitem__ = __ior__ = _refuse_change
    update = pop = popitem = clear = setdefault = _refuse_change


class SetView(set[Any]):
    """The mapped members of a set from outside the trace."""

    __slots__ = ()
    kind = "set"
    __ior__ = __iand__ = __isub__ = __ixor__ = _refuse_change
    add = discard = remove = pop = clear = update = _refuse_change
    intersection_update = difference_update = symmetric_difference_update = _refuse_change
