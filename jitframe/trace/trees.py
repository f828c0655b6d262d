"""Arguments and results as trees: nested tuples, lists and dicts whose leaves are arrays, numbers and other
objects."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any

Tree = Hashable
"""LEAF, or (kind of container, keys of a dict or None, trees of the members)."""

LEAF = "leaf"


def flatten(value: Any, leaves: list[Any]) -> Tree:
    """Appends the leaves of a value, in order, and gives its tree."""
    kind = type(value)
    if kind is tuple or kind is list:
        return kind, None, tuple([flatten(member, leaves) for member in value])
    if kind is dict:
        return kind, tuple(value), tuple([flatten(member, leaves) for member in value.values()])
    if isinstance(value, tuple) and hasattr(kind, "_fields"):
        return kind, None, tuple([flatten(member, leaves) for member in value])
    leaves.append(value)
    return LEAF


def unflatten(tree: Tree, leaves: Iterable[Any]) -> Any:
    """A value of this tree with other leaves."""
    remaining = iter(leaves)
    return _built(tree, lambda: next(remaining))


def _built(tree: Tree, take: Callable[[], Any]) -> Any:
    if tree is LEAF:
        return take()
    kind, keys, members = tree  # type: ignore[misc]
    made = [_built(member, take) for member in members]
    if kind is dict:
        return dict(zip(keys, made, strict=True))
    if kind is list:
        return made
    return tuple(made) if kind is tuple else tuple.__new__(kind, made)


def leaf_names(value: Any, name: str) -> list[str]:
    """How the user would write each leaf of a value called `name`: `params['w'][0]`."""
    kind = type(value)
    if kind is dict:
        return [inner for key, member in value.items() for inner in leaf_names(member, f"{name}[{key!r}]")]
    if isinstance(value, tuple) and hasattr(kind, "_fields"):
        return [
            inner
            for field, member in zip(kind._fields, value, strict=True)  # type: ignore[attr-defined]
            for inner in leaf_names(member, f"{name}.{field}")
        ]
    if kind is tuple or kind is list:
        return [
            inner for index, member in enumerate(value) for inner in leaf_names(member, f"{name}[{index}]")
        ]
    return [name]
