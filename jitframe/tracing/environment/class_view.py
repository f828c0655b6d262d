"""A user's class as a trace sees it: a subclass of it whose attributes, own and inherited, are mapped.

Being a subclass, its instances pass for instances of the original; being flat (every attribute that a user's
class in the method resolution order defines is looked up through the mapping), no method runs unmapped.
`super()` is mapped to go on in the original order and map what it finds.
"""

from __future__ import annotations

import abc
import functools
import gc
import sys
import types
from typing import Any, Final, Protocol

from jitframe.errors import TraceError

from .globals_view import Rebind
from .guards import GuardKind

# What Python itself keeps in a class, and the hooks that the view answers itself.
_NOT_MAPPED: Final = frozenset({
    "__dict__", "__weakref__", "__module__", "__qualname__", "__doc__", "__slots__", "__class__",
    "__annotations__", "__annotate__", "__annotate_func__", "__annotations_cache__", "__type_params__",
    "__abstractmethods__", "_abc_impl", "__subclasshook__", "__class_getitem__", "__orig_bases__",
    "__getattribute__", "__setattr__", "__delattr__", "__del__", "__reduce__", "__reduce_ex__",
    "__dataclass_fields__", "__dataclass_params__", "__match_args__", "__parameters__",
    "__firstlineno__", "__static_attributes__", "__slotnames__",
    "__protocol_attrs__", "__non_callable_proto_members__", "_is_protocol", "_is_runtime_protocol",
})  # fmt: skip

ORIGINAL: Final = "__jitframe_original__"


def original_of(thing: Any) -> Any:
    """The class that a stand-in stands for; anything else unchanged.

    A stand-in for a class keeps it under `__jitframe_original__`, where `isinstance` in traced code finds it.
    """
    if isinstance(thing, tuple):
        return tuple(original_of(member) for member in thing)
    if isinstance(thing, types.UnionType):
        return tuple(original_of(member) for member in thing.__args__)
    if isinstance(thing, type):
        # Not getattr: a class that traced code derives from a view is nobody's stand-in.
        return vars(thing).get(ORIGINAL, thing)
    return getattr(thing, ORIGINAL, thing)


def dict_of_class(cls: type) -> dict[str, Any]:
    """The dict that a class's `__dict__` is a proxy of: guards need the dict itself."""
    (contents,) = gc.get_referents(cls.__dict__)
    assert type(contents) is dict, f"the __dict__ of {cls!r} is no longer a proxy of one dict"
    return contents


def is_mappable(cls: type) -> bool:
    """Whether a user's class can be mapped: plain and abstract classes and protocols, no other metaclass."""
    return type(cls) in (type, *_KINDS)


class _Quiet:
    """The next class after each view in its method resolution order: it hides the view from the user's
    `__init_subclass__`."""

    __slots__ = ()

    def __init_subclass__(cls, **arguments: Any) -> None:
        if ORIGINAL not in vars(cls):
            super().__init_subclass__(**arguments)


class ClassView(abc.ABCMeta):
    """The class of all class views.

    A view has the user's class as its only base, so that their instances have equal layouts and may change
    from one class to the other. Classes that traced code derives from a view are ordinary.
    """

    def mro(cls) -> list[type]:
        """Python's method resolution order with `_Quiet` after the view."""
        order = super().mro()
        if ORIGINAL in vars(cls):
            order.insert(1, _Quiet)
        return order

    def __setattr__(cls, name: str, value: Any) -> None:
        cls._refuse_change(name)
        super().__setattr__(name, value)

    def __delattr__(cls, name: str) -> None:
        cls._refuse_change(name)
        super().__delattr__(name)

    def _refuse_change(cls, name: str) -> None:
        # ABCMeta and `copyreg`, which `copy.copy` calls, store the names that are let through.
        if ORIGINAL in vars(cls) and name not in ("__abstractmethods__", "_abc_impl", "__slotnames__"):
            raise TraceError(
                f"the traced function stores to {cls.__qualname__}.{name}, of a class made outside it; "
                f"that would happen once, not at each call. Return the value and store it outside."
            )


class ProtocolView(ClassView, type(Protocol)):  # type: ignore[misc]
    """The class of the views of classes that derive from a Protocol."""


_KINDS: Final[dict[type, type[ClassView]]] = {abc.ABCMeta: ClassView, type(Protocol): ProtocolView}


class MappedAttribute:
    """Stands in a class view for one attribute of a user's class: mapped and guarded at its first read."""

    __slots__ = ("_name", "_owner", "_raw", "_read", "_rebinder", "_value")

    def __init__(self, owner: type, name: str, raw: Any, rebinder: Rebind) -> None:
        self._owner = owner
        self._name = name
        self._raw = raw
        self._rebinder = rebinder
        self._read = False
        self._value: Any = None

    def resolved(self) -> Any:
        """The mapped attribute, before it is bound to an instance."""
        if not self._read:
            qualified = f"{self._owner.__qualname__}.{self._name}"
            self._rebinder.reads.item(dict_of_class(self._owner), self._name, self._raw, qualified)
            self._value = map_attribute(qualified, self._raw, self._rebinder)
            self._read = True
        return self._value

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        value = self.resolved()
        get = getattr(type(value), "__get__", None)
        return value if get is None else get(value, instance, owner)


class MappedProperty(MappedAttribute):
    """A MappedAttribute whose descriptor handles stores itself."""

    __slots__ = ()

    def __set__(self, instance: Any, value: Any) -> None:
        self.resolved().__set__(instance, value)

    def __delete__(self, instance: Any) -> None:
        self.resolved().__delete__(instance)


def map_attribute(name: str, raw: Any, rebinder: Rebind) -> Any:
    """Maps a class attribute and keeps its kind of descriptor."""
    if isinstance(raw, (staticmethod, classmethod)):
        return type(raw)(rebinder.rebind(name, raw.__func__))
    if type(raw) is property:
        get, set_, delete = (
            None if f is None else rebinder.rebind(name, f) for f in (raw.fget, raw.fset, raw.fdel)
        )
        return property(get, set_, delete, raw.__doc__)
    if type(raw) is functools.cached_property:
        mapped = functools.cached_property(rebinder.rebind(name, raw.func))
        mapped.__set_name__(object, raw.attrname or name)
        return mapped
    if type(raw) is functools.partialmethod:
        return functools.partialmethod(rebinder.rebind(name, raw.func), *raw.args, **raw.keywords)
    if type(raw) is functools.singledispatchmethod:
        raise TraceError(
            f"{name} is a singledispatchmethod, whose functions cannot be traced; use isinstance"
        )
    if (
        hasattr(type(raw), "__get__")
        and not isinstance(raw, types.FunctionType)
        and not rebinder.user.class_(type(raw))
    ):
        return raw
    return rebinder.rebind(name, raw)


def class_view(cls: type, hooks: dict[str, Any], rebinder: Rebind) -> type:
    """The view of a user's class. `hooks` are further entries: the attribute access of outside objects."""
    namespace: dict[str, Any] = {
        "__slots__": (),
        "__module__": cls.__module__,
        "__qualname__": cls.__qualname__,
        "__doc__": cls.__doc__,
        ORIGINAL: cls,
    }
    rebinder.reads.record(GuardKind.ATTRIBUTE, cls, "__mro__", cls.__mro__, f"{cls.__qualname__}.__bases__")
    for owner in cls.__mro__:
        if not rebinder.user.class_(owner):
            continue
        contents = dict_of_class(owner)
        # An attribute added to the class later could hide one that was read.
        rebinder.reads.record(GuardKind.LENGTH, contents, None, len(contents), owner.__qualname__)
        for name, raw in contents.items():
            if name in _NOT_MAPPED or name in namespace or isinstance(raw, types.MemberDescriptorType):
                continue
            kind = MappedProperty if hasattr(type(raw), "__set__") else MappedAttribute
            # None marks an operation as absent (`__hash__`), which Python must see when it makes the class.
            namespace[name] = None if raw is None else kind(owner, name, raw, rebinder)
    namespace.update(hooks)
    if hasattr(cls, "__del__"):
        # Tracing makes short-lived objects; what the user does when one ends belongs to real ones.
        namespace["__del__"] = lambda self: None
    return _KINDS.get(type(cls), ClassView)(cls.__name__, (cls,), namespace)


class SuperView:
    """The result of `super()` in traced code: the next definition in the original order, mapped and bound."""

    __slots__ = ("_after", "_rebinder", "_subject")

    def __init__(self, after: type, subject: Any, rebinder: Rebind) -> None:
        self._after = after
        self._subject = subject
        self._rebinder = rebinder

    def __getattribute__(self, name: str) -> Any:
        after = object.__getattribute__(self, "_after")
        subject = object.__getattribute__(self, "_subject")
        rebinder = object.__getattribute__(self, "_rebinder")
        of_class = isinstance(subject, type) and issubclass(subject, after)
        order = (subject if of_class else type(subject)).__mro__
        for owner in order[order.index(after) + 1 :]:
            if owner is _Quiet or name not in vars(owner):
                continue
            raw = vars(owner)[name]
            qualified = f"{owner.__qualname__}.{name}"
            if owner is not object:
                rebinder.reads.item(dict_of_class(owner), name, raw, qualified)
            value = map_attribute(qualified, raw, rebinder)
            get = getattr(type(value), "__get__", None)
            if get is None:
                return value
            return get(value, None if of_class else subject, subject if of_class else type(subject))
        return getattr(super(after, subject), name)


def mapped_super(rebinder: Rebind) -> Any:
    """The `super` of traced code: without arguments it reads the caller's `__class__` and first argument."""

    def super_of(*arguments: Any) -> Any:
        if not arguments:
            frame = sys._getframe(1)
            names = frame.f_locals
            arguments = (names["__class__"], names[frame.f_code.co_varnames[0]])
        if len(arguments) == 1:
            return super(*arguments)
        return SuperView(original_of(arguments[0]), arguments[1], rebinder)

    return super_of
