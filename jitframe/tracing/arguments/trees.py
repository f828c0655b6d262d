"""Arguments and results as trees: nested tuples, lists, dicts and records whose leaves are arrays, numbers
and other objects. Records are dataclasses, attrs classes, and classes that the user registered."""

from __future__ import annotations

import types
import weakref
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any, Final, TypeAlias, TypeVar

import numpy

from ...base.boundary import guarded
from ...errors import ArgumentError, DTypeError, TraceError
from .growing_list import GrowingList, is_keyed
from .returned_rows import RowsForm
from .returned_rows import reconstruct as put_together_rows
from .value_key import holds_attributes_only, value_key

Branch: TypeAlias = "tuple[type, Any, tuple[Tree, ...]]"
"""Kind of container, keys of a dict or fields of a record, trees of the members."""
Tree: TypeAlias = "str | Fixed | Again | Branch"
"""LEAF, a `Fixed`, an `Again`, or a branch."""

LEAF: Final = "leaf"

Deconstructed: TypeAlias = "tuple[Tree, tuple[bool, ...]]"
"""A tree, and which of its leaves are None."""

_Class = TypeVar("_Class", bound=type)
_registered: weakref.WeakSet[type] = weakref.WeakSet()
_flattened: weakref.WeakSet[type] = weakref.WeakSet()
_whole: weakref.WeakSet[type] = weakref.WeakSet()
MOST_LEAVES = 200
MOST_LINKED = 20_000
"""The search for linked objects visits at most so many."""
_HEAP_TYPE = 1 << 9
"""The flag of classes that are made by `class` or at run time."""
_CONTAINERS = frozenset((list, tuple, dict))
_DIVERTING = ("__getattribute__", "__getattr__", "__setattr__", "__eq__")
_STRINGS = frozenset((str,))
_NO_RECORDS = frozenset((numpy.ndarray, float, int, bool, str, type(None)))


class Fixed:
    """A member whose value belongs to the tree: a field declared with `metadata={"static": True}`."""

    __slots__ = ("key", "value")

    def __init__(self, value: Any, name: str) -> None:
        self.value = value
        self.key = static_key(value, name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Fixed) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


class Again:
    """A member that is a container seen before in the tree, counted by the order in which containers end."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number = number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Again) and self.number == other.number

    def __hash__(self) -> int:
        return hash(self.number)


class SeenContainers:
    """The containers of a value that is flattened: one that occurs twice becomes one object again."""

    def __init__(self) -> None:
        self._seen: dict[int, tuple[Any, int | None]] = {}
        self._count = 0

    def again(self, value: Any) -> Again | None:
        """The placeholder of a container seen before; None of others. Raises TraceError inside of it."""
        if id(value) not in self._seen:
            return None
        number = self._seen[id(value)][1]
        if number is None:
            raise TraceError("a list, dict or object that the function has made holds itself")
        return Again(number)

    def begin(self, value: Any) -> None:
        """Enters a container whose members follow."""
        self._seen[id(value)] = value, None

    def end(self, value: Any) -> None:
        """Leaves a container whose members have been seen."""
        self._seen[id(value)] = value, self._count
        self._count += 1


class Keys(tuple[Any, ...]):
    """Keys of a dict that are not all strings: 1, 1.0 and True are equal as keys, and not the same."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Keys) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> Hashable:
        return tuple([value_key(key) for key in self])


def _keys(mapping: dict[Any, Any]) -> tuple[Any, ...]:
    return tuple(mapping) if _STRINGS.issuperset(map(type, mapping)) else Keys(mapping)


@guarded
def register_container(cls: _Class) -> _Class:
    """Lets instances of a class be arguments and results of jitted functions by what their attributes hold.

    Dataclasses and attrs classes need no registering. An instance is rebuilt without calling `__init__`. Use
    it as a decorator.

    >>> @jf.register_container
    ... class Particles:
    ...     def __init__(self, place, speed):
    ...         self.place, self.speed = place, speed
    """
    if not isinstance(cls, type):
        raise DTypeError(f"register_container takes a class, not a {type(cls).__name__}")
    if not holds_attributes_only(cls):
        raise DTypeError(
            f"register_container: {cls.__name__} derives from a builtin class, whose contents are not among "
            "its attributes; hold that as an attribute"
        )
    _registered.add(cls)
    return cls


def flatten_objects(example: Any) -> None:
    """Flattens instances of a class as those of registered ones, where they resemble the example: trees of
    few numbers and arrays."""
    cls = type(example)
    diverts = any(name in vars(each) for each in cls.__mro__[:-1] for name in _DIVERTING)
    if diverts or cls in _whole or not holds_attributes_only(cls):
        return
    _registered.add(cls)
    _flattened.add(cls)
    leaves: list[Any] = []
    try:
        flatten(example, leaves)
        fits = len(leaves) <= MOST_LEAVES
    except RecursionError:
        fits = False
    if not fits:
        compare_by_identity(cls)
    else:
        compare_linked_by_identity([example])


def is_flattened(kind: type) -> bool:
    """Whether `flatten_objects` has accepted a class, or one that it derives from."""
    return any(base in _flattened for base in kind.__mro__)


def compare_by_identity(*classes: type) -> None:
    """Compares instances of classes by identity from now on."""
    for cls in classes:
        _registered.discard(cls)
        _flattened.discard(cls)
        _whole.add(cls)


def compare_linked_by_identity(values: Iterable[Any]) -> bool:
    """Compares by identity from now on the instances of classes that link to others of their class, as nodes
    of trees and linked lists do; returns whether there is a new such class."""
    holds: dict[type, set[type]] = {}
    seen: dict[int, Any] = {}
    pending: list[tuple[type | None, Any]] = [(None, value) for value in values]
    while pending and len(seen) < MOST_LINKED:
        holder, value = pending.pop()
        kind = type(value)
        members = _members_of(value, kind)
        if members is None:
            continue
        is_object = kind not in _CONTAINERS
        if is_object:
            holds.setdefault(kind, set())
            if holder is not None:
                holds[holder].add(kind)
        if id(value) not in seen:
            seen[id(value)] = value
            pending += [(kind if is_object else holder, member) for member in members]
    linked = [kind for kind in holds if is_record(kind) and kind in _reached(kind, holds)]
    compare_by_identity(*linked)
    return bool(linked)


def _members_of(value: Any, kind: type) -> Iterable[Any] | None:
    """Returns the members of a container or of an object of the user's classes; None of other values."""
    if kind is dict:
        return value.values()  # type: ignore[no-any-return]
    if kind in _CONTAINERS:
        return value  # type: ignore[no-any-return]
    is_users = (
        kind.__flags__ & _HEAP_TYPE and not issubclass(kind, (type, tuple)) and holds_attributes_only(kind)
    )
    return contents(value).values() if is_users else None


def _reached(kind: type, holds: dict[type, set[type]]) -> set[type]:
    """Returns the classes whose instances are reachable from those of a class."""
    found: set[type] = set()
    pending = [kind]
    while pending:
        new = holds[pending.pop()] - found
        found |= new
        pending += new
    return found


def is_record(kind: type) -> bool:
    """Whether instances of a class are flattened into their attributes."""
    if kind in _NO_RECORDS or kind in _whole:
        return False
    if hasattr(kind, "__dataclass_fields__") or hasattr(kind, "__attrs_attrs__"):
        return holds_attributes_only(kind)
    return any(base in _registered for base in kind.__mro__)


def contents(value: Any) -> dict[str, Any]:
    """Returns the attribute values of a record, in the order in which they were set."""
    found = {name: getattr(value, name) for name in tuple(getattr(value, "__dict__", ()))}
    for owner in reversed(type(value).__mro__):
        for name, raw in vars(owner).items():
            if isinstance(raw, types.MemberDescriptorType) and name != "__dict__" and hasattr(value, name):
                found[name] = getattr(value, name)
    return found


def _fixed_fields(kind: type) -> frozenset[str]:
    fields = getattr(kind, "__dataclass_fields__", None)
    several = getattr(kind, "__attrs_attrs__", ()) if fields is None else fields.values()
    return frozenset(field.name for field in several if field.metadata.get("static"))


def flatten(
    value: Any,
    leaves: list[Any],
    whole: Callable[[Any], bool] | None = None,
    parts: Callable[[Any], bool] | None = None,
    apart: Callable[[Any], tuple[Hashable, list[Any]] | None] | None = None,
    seen: SeenContainers | None = None,
) -> Tree:
    """Appends the leaves of a value, in order, and returns its tree."""
    kind = type(value)
    if whole is not None and whole(value):
        leaves.append(value)
        return LEAF
    if seen is not None:
        again = seen.again(value)
        if again is not None:
            return again
    may_be_apart = apart is not None and (
        value.__class__ is list or is_keyed(value) or hasattr(kind, "_may_be_none")
        or hasattr(kind, "_constants") or hasattr(kind, "_classes") or hasattr(kind, "_is_of_mask")
    )  # fmt: skip
    rows = apart(value) if apart is not None and may_be_apart else None
    keys: Any = None
    members: Iterable[Any]
    if rows is not None:
        kind, (keys, members) = RowsForm, rows
    elif kind is tuple or kind is list or kind is GrowingList:
        kind, members = value.__class__, value
    elif value.__class__ is dict and (kind is dict or is_keyed(value)):
        kind, keys, members = dict, _keys(value), value.values()
    elif isinstance(value, tuple) and hasattr(kind, "_fields"):
        members = value
    elif is_record(kind) or (parts is not None and parts(value)):
        children = contents(value)
        fixed = _fixed_fields(kind)
        keys, members = _keys(children), children.values()
        if fixed:
            members = [
                Fixed(member, f"{kind.__name__}.{name}") if name in fixed else member
                for name, member in children.items()
            ]
    else:
        leaves.append(value)
        return LEAF
    seen_here = None if issubclass(kind, tuple) else seen
    if seen_here is not None:
        seen_here.begin(value)
    made = tuple(
        [
            member if member.__class__ is Fixed else flatten(member, leaves, whole, parts, apart, seen)
            for member in members
        ]
    )
    if seen_here is not None:
        seen_here.end(value)
    return kind, keys, made


def unflatten(
    tree: Tree,
    leaves: Iterable[Any],
    classes: Callable[[type], type] | None = None,
    fixed: Callable[[Any], Any] | None = None,
) -> Any:
    """Builds a value of this tree with other leaves."""
    return _built(tree, iter(leaves), classes, fixed, [])


def _built(
    tree: Tree,
    leaves: Iterator[Any],
    classes: Callable[[type], type] | None,
    fixed: Callable[[Any], Any] | None,
    containers: list[Any],
) -> Any:
    """Builds a value of the tree; appends its containers to those before."""
    if isinstance(tree, str):
        return next(leaves)
    if isinstance(tree, Fixed):
        return tree.value if fixed is None else fixed(tree.value)
    if isinstance(tree, Again):
        return containers[tree.number]
    kind, keys, members = tree
    made: Any = [_built(member, leaves, classes, fixed, containers) for member in members]
    if kind is tuple:
        return tuple(made)
    if kind is dict:
        made = dict(zip(keys, made, strict=True))
    elif kind is list:
        made = made if classes is None else GrowingList(made)
    elif kind is RowsForm:
        made = put_together_rows(keys, made)
    else:
        if classes is not None:
            kind = classes(kind)
        if issubclass(kind, tuple):
            return tuple.__new__(kind, made)
        record = object.__new__(kind)
        for name, member in zip(keys, made, strict=True):
            object.__setattr__(record, name, member)
        made = record
    containers.append(made)
    return made


def count_leaves(tree: Tree) -> int:
    """Returns the number of leaves of this tree."""
    if not isinstance(tree, tuple):
        return int(tree is LEAF)
    return sum([count_leaves(member) for member in tree[2]])


def deconstruct(value: Any) -> tuple[Deconstructed, list[Any]]:
    """Returns a form, from which `reconstruct` rebuilds the value, and its leaves; None is no leaf."""
    leaves: list[Any] = []
    tree = flatten(value, leaves)
    absent = tuple([leaf is None for leaf in leaves])
    return (tree, absent), [leaf for leaf in leaves if leaf is not None]


def reconstruct(form: Deconstructed, leaves: Iterable[Any]) -> Any:
    """Rebuilds a value from the form that `deconstruct` returned, with other leaves."""
    tree, absent = form
    given = iter(leaves)
    return unflatten(tree, [None if missing else next(given) for missing in absent])


def leaf_names(value: Any, name: str, tree: Tree) -> list[str]:
    """Returns the user's notation of each leaf of a value called `name`, of this tree: `params['w'][0]`."""
    if tree is LEAF:
        return [name]
    kind = type(value)
    members: Iterable[tuple[str, Any]]
    if kind is dict:
        members = ((f"{name}[{key!r}]", member) for key, member in value.items())
    elif isinstance(value, tuple) and hasattr(kind, "_fields"):
        members = ((f"{name}.{field}", member) for field, member in zip(kind._fields, value, strict=True))
    elif kind is tuple or kind is list:
        members = ((f"{name}[{index}]", member) for index, member in enumerate(value))
    else:
        members = ((f"{name}.{field}", member) for field, member in contents(value).items())
    return [
        inner
        for (place, member), inside in zip(members, tree[2], strict=True)  # type: ignore[index]
        if not isinstance(inside, Fixed)
        for inner in leaf_names(member, place, inside)
    ]


def static_key(value: Any, name: str) -> Hashable:
    """Returns a key that is equal for static arguments that a trace cannot tell apart (see `value_key`)."""
    kind = type(value)
    if kind is int or kind is str:
        return kind, value
    if isinstance(value, numpy.ndarray):
        raise ArgumentError(
            f"the static argument {name!r} is an array; arrays are traced, take it out of static_argnums "
            "and static_argnames"
        )
    if kind is not slice:  # as good as a tuple, also where Python does not hash it
        try:
            hash(value)
        except TypeError:
            raise ArgumentError(
                f"the static argument {name!r} is a {kind.__name__}, which cannot be hashed; "
                f"{_hashable_form(kind)}"
            ) from None
    return value_key(value)


def _hashable_form(kind: type) -> str:
    if hasattr(kind, "__dataclass_fields__"):
        return (
            "declare it with @dataclass(frozen=True), or only its static fields with "
            "metadata={'static': True}"
        )
    if kind in (list, set, bytearray):
        return f"make it a {'frozenset' if kind is set else 'bytes' if kind is bytearray else 'tuple'}"
    return "make it a tuple"
