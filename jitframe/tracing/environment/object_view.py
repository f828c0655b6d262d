"""Objects from outside a trace, of the user's classes: their attributes are mapped and guarded when read.

The stand-in is an instance of the class's view. It holds the values that the traced code stores to it, and
the values of its slots (see `outside_state`); other reads go to the original. Objects that the traced code
makes itself are plain instances of the class view and behave as in Python.
"""

from __future__ import annotations

import copyreg
import functools
import types
from collections.abc import Iterator
from typing import Any

from ...api.frame import LazyValue
from ...errors import TraceError
from .class_view import class_view, original_of
from .globals_view import Rebind
from .guards import MISSING, GuardKind, getattr_plainly, in_classes, own_attributes
from .outside_state import Store, put_attribute


class ObjectViews:
    """The class views and stand-in objects of one trace."""

    def __init__(self, rebinder: Rebind) -> None:
        self._rebinder = rebinder
        self._classes: dict[type, type] = {}
        # id of the stand-in -> (stand-in, original, name); the stand-in is held, so its id stays its own.
        self._outside: dict[int, tuple[Any, Any, str]] = {}
        self._cached: dict[tuple[int, str], Any] = {}

    def class_(self, cls: type) -> type:
        """Returns the view of a user's class, made once."""
        view = self._classes.get(cls)
        if view is None:
            view = self._classes[cls] = class_view(cls, self._hooks(cls), self._rebinder)
        return view

    def object_(self, name: str, original: Any) -> Any:
        """Returns the stand-in for an object from outside."""
        cls = type(original)
        if isinstance(cls.__getattribute__, types.FunctionType):
            raise TraceError(_unwatchable(name, cls, "its class defines __getattribute__"))
        view = self.class_(cls)
        make: Any = (
            types.SimpleNamespace.__new__ if issubclass(cls, types.SimpleNamespace) else object.__new__
        )
        try:
            standin = make(view)
        except TypeError as error:
            raise TraceError(
                _unwatchable(name, cls, f"its class derives from {_builtin_base(cls)}")
            ) from error
        self._outside[id(standin)] = (standin, original, name)
        reads = self._rebinder.reads
        reads.record(GuardKind.CLASS, original, None, cls, f"{name}.__class__")
        contents = getattr(original, "__dict__", None)
        if contents is not None:
            reads.record(GuardKind.ATTRIBUTE, original, "__dict__", contents, f"{name}.__dict__")
        for attribute, value in self._rebinder.changes.attributes(original).items():
            if value is not MISSING:
                put_attribute(standin, attribute, value)
        return standin

    def is_outside(self, thing: Any) -> bool:
        """Whether this is the stand-in for an object from outside."""
        return id(thing) in self._outside

    def original(self, thing: Any) -> Any:
        """Returns the user's own object for one that leaves the trace; other values unchanged.

        That is a stand-in's original, or an object that traced code made, turned in place into an instance
        of the user's class.
        """
        known = self._outside.get(id(thing))
        if known is not None:
            return known[1]
        if isinstance(thing, type):
            return original_of(thing)
        cls = original_of(type(thing))
        if cls is not type(thing):
            object.__setattr__(thing, "__class__", cls)
        return thing

    def stores(self) -> Iterator[tuple[Store, Any]]:
        """Returns the attributes of objects from outside that have other values at the end of the trace."""
        changes = self._rebinder.changes
        for standin, original, name in self._outside.values():
            given = changes.attributes(original)
            now = own_attributes(standin)
            if any(attribute not in now for attribute, value in given.items() if value is not MISSING):
                raise TraceError(_deletes(name))
            for attribute, value in now.items():
                if given.get(attribute, MISSING) is not value:
                    changes.store(original, attribute, f"{name}.{attribute}")
                    yield Store(original, None, attribute), value

    def _hooks(self, cls: type) -> dict[str, Any]:
        """Returns the methods by which a class view reads, writes and copies the attributes of its
        instances."""
        outside = self._outside
        rebinder = self._rebinder

        def read(self_: Any, name: str) -> Any:
            known = outside.get(id(self_))
            return object.__getattribute__(self_, name) if known is None else self._read(known, name)

        def changed_by(method: str) -> Any:
            def change(self_: Any, name: str, *value: Any) -> None:
                known = outside.get(id(self_))
                if known is not None:
                    if not value:
                        raise TraceError(_deletes(known[2]))
                    if isinstance(value[0], LazyValue) and getattr(self_, name, None) is value[0]:
                        return  # as `self.x += y` ends: the array that is there was written to
                    if _is_plain(in_classes(cls, name)):
                        rebinder.changes.store(known[1], name, f"{known[2]}.{name}")
                user_method = getattr(cls, method)
                if isinstance(user_method, types.FunctionType):
                    user_method = rebinder.rebind(f"{cls.__qualname__}.{method}", user_method)
                user_method(self_, name, *value)

            return change

        def reduce(self_: Any, protocol: Any) -> Any:
            known = outside.get(id(self_))
            return object.__reduce_ex__(self_, protocol) if known is None else _copied_state(self_, known[1])

        hooks = {
            "__reduce_ex__": reduce,
            "__setattr__": changed_by("__setattr__"),
            "__delattr__": changed_by("__delattr__"),
        }
        if not isinstance(cls.__getattribute__, types.FunctionType):
            hooks["__getattribute__"] = read
        return hooks

    def _read(self, known: tuple[Any, Any, str], name: str) -> Any:
        """Reads an attribute of an outside object in Python's order: data descriptor, own dict, class."""
        standin, original, path = known
        if name == "__class__":
            return type(standin)
        qualified = f"{path}.{name}"
        contents = getattr(original, "__dict__", None)
        own = own_attributes(standin)
        if name == "__dict__":
            mapped = self._rebinder.rebind(qualified, contents)
            return {**mapped, **own} if own else mapped
        raw = in_classes(type(original), name)
        reads = self._rebinder.reads
        if name in own and _is_plain(raw):
            return own[name]
        if isinstance(raw, types.MemberDescriptorType):
            value = getattr_plainly(original, name)
            reads.record(GuardKind.ATTRIBUTE, original, name, value, qualified, original)
            if value is MISSING:
                raise AttributeError(name)
            return self._rebinder.rebind(qualified, value)
        if hasattr(type(raw), "__set__"):
            return object.__getattribute__(standin, name)
        if contents is not None:
            value = contents.get(name, MISSING)
            reads.item(contents, name, value, qualified, original)
            if value is not MISSING:
                return self._rebinder.rebind(qualified, value)
        if isinstance(raw, functools.cached_property):
            return self._computed_once(standin, name, qualified, raw)
        if raw is MISSING:
            raise AttributeError(f"{type(original).__name__!r} object has no attribute {name!r}")
        return object.__getattribute__(standin, name)

    def _computed_once(
        self, standin: Any, name: str, qualified: str, raw: functools.cached_property[Any]
    ) -> Any:
        """Computes a cached property that was not read outside yet: its value lives as long as the trace."""
        place = (id(standin), name)
        if place not in self._cached:
            self._cached[place] = self._rebinder.rebind(qualified, raw.func)(standin)
        return self._cached[place]


def _is_plain(raw: Any) -> bool:
    """Whether an object stores attributes of a name whose class attribute is this."""
    return isinstance(raw, types.MemberDescriptorType) or not hasattr(type(raw), "__set__")


def _copied_state(standin: Any, original: Any) -> tuple[Any, ...]:
    """Returns the state that the copy module copies: the mapped attributes, as an object of the trace's
    own."""
    cls = type(original)
    if isinstance(cls.__getstate__, types.FunctionType):
        state = standin.__getstate__()
    else:
        names = [
            name
            for owner in cls.__mro__
            for name, raw in vars(owner).items()
            if isinstance(raw, types.MemberDescriptorType) and getattr(standin, name, MISSING) is not MISSING
        ]
        slots = {name: getattr(standin, name) for name in names}
        attributes = {**getattr(original, "__dict__", {}), **getattr_plainly(standin, "__dict__", {})}
        contents = {name: getattr(standin, name) for name in attributes} or None
        state = (contents, slots) if slots else contents
    return copyreg.__newobj__, (type(standin),), state  # type: ignore[attr-defined]


def is_instance_mapped(mapped: Any) -> Any:
    """`isinstance` or `issubclass` of traced code: a class view stands for the class it views, a stand-in for
    its type."""

    def is_kind(thing: Any, kinds: Any) -> Any:
        is_class = isinstance(thing, type) or getattr(type(thing), "stands_for_type", False)
        return mapped(original_of(thing) if is_class else thing, original_of(kinds))

    return is_kind


def _builtin_base(cls: type) -> str:
    return next(base.__name__ for base in cls.__mro__ if not base.__flags__ & (1 << 9))


def _unwatchable(name: str, cls: type, reason: str) -> str:
    return (
        f"{name} is a {cls.__qualname__}, and what it holds cannot be watched for changes: {reason}. "
        f"Pass what the function needs from it as arguments."
    )


def _deletes(path: str) -> str:
    return (
        f"the traced function deletes an attribute of {path}, an object made outside it; set it to None, or "
        "delete it outside"
    )
