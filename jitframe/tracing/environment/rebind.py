"""Stand-ins for objects that traced code reads from outside: one rule for each kind of object."""

from __future__ import annotations

import builtins
import collections.abc
import dis
import enum
import functools
import types
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np

from jitframe.errors import TraceError, forget

from ...ir.record import fresh, mutable
from .class_view import is_mappable, mapped_super
from .globals_view import GlobalsView, mapped_import
from .guards import END, MISSING, GuardKind, Reads, check, contents_of, same_contents
from .handlers import Handlers
from .library_objects import LibraryObjects, Refused
from .user_code import Identities, UserCode, lines_where

if TYPE_CHECKING:
    from .object_view import ObjectViews
    from .outside_state import Changes, Store


class Mapper(Protocol):
    """The interface of the tracer: stand-ins for NumPy, math, jitted functions and arrays.

    `map` and `inlined` must answer alike for the same object within a trace, and must not keep or change it.
    """

    def map(self, name: str, value: Any) -> Any:
        """A stand-in for an object, or the object itself where the general rules should decide.

        `name` is how the user's code reads it (`np`, `helpers.scale`, `model.weights[0]`). Raises
        TraceError where the object has no place in a trace. A stand-in for a class carries it as
        `__jitframe_original__`.
        """

    def inlined(self, value: Any) -> Any:
        """The function that a jitted object wraps, to be traced in its place; None for any other object."""

    def hidden_array(self, name: str, array: np.ndarray[Any, Any]) -> Any:
        """Returns the placeholder for an array that the function reads but was not given."""


# Immutable and without contents: an identity guard says all there is.
_ATOMS: Final = frozenset({
    type(None), bool, int, float, complex, str, bytes, range, slice, type(...), type(NotImplemented),
    types.CodeType, types.GenericAlias, types.UnionType,
})  # fmt: skip
# Change in place in ways that no guard can see, or hand out something else each time.
_UNWATCHABLE: Final = (
    dict, list, set, bytearray, memoryview, types.MappingProxyType, collections.abc.MutableMapping,
    collections.abc.MutableSequence, collections.abc.MutableSet, collections.abc.Iterator, weakref.ref,
)  # fmt: skip
# Functions of NumPy that the mapper leaves to NumPy's own protocols.
_NUMPY_FUNCTIONS: Final = (np.ufunc, type(np.sum))
# Their objects hold no arrays and no numbers that change.
_HARMLESS_MODULES: Final = frozenset(
    {"re", "datetime", "operator", "decimal", "fractions", "logging", "pathlib", "_thread"}
)
_WATCHED: Final = frozenset(
    {
        ("types", "SimpleNamespace"),
        ("argparse", "Namespace"),
        *(("jitframe.sparse.formats", name) for name in ("COO", "CSR", "CSC", "BSR")),
    }
)
"""Library classes whose objects are mapped and guarded as those of the user's classes are."""
_REFUSED_BUILTINS: Final = frozenset({builtins.exec, builtins.eval, builtins.globals})
_STORE_CELL: Final = dis.opmap["STORE_DEREF"]
# Above this, guarding every entry would cost more than the call; a tuple or an array needs one guard.
_LARGEST_CONTAINER: Final = 1000


class _Cell(metaclass=mutable):
    """A closure cell and the one that stands in for it; functions that share a cell share its stand-in."""

    name: str
    source: types.CellType
    code: types.CodeType
    library: bool  # first met in a function of a library
    copy: types.CellType = fresh(factory=types.CellType)
    given: Any = MISSING
    filled: bool = False


class Rebinder:
    """The stand-ins of one trace, each object mapped once."""

    def __init__(
        self,
        mapper: Mapper,
        user: UserCode,
        rewritten: Callable[[str, types.CodeType], types.CodeType] | None,
    ) -> None:
        """`rewritten`: returns the code that runs in place of a user's function."""
        self.reads = Reads()
        self.handlers = Handlers()
        self.identities = Identities()
        self._rewritten = rewritten
        self.hooks: tuple[str, Any] | None = None
        """A name, and the object that rewritten code reads by it."""
        self._mapper = mapper
        self.user = user
        # id -> (object, stand-in); the object is held, so its id stays its own.
        self._known: dict[int, tuple[Any, Any]] = {}
        self._views: dict[tuple[int, int], GlobalsView] = {}
        self._cells: dict[int, _Cell] = {}
        self._contents: list[tuple[Any, Any, str]] = []
        self.library_objects = LibraryObjects()
        self._rules: dict[type, Callable[[str, Any], Any]] = {
            types.FunctionType: self._function,
            types.MethodType: self._method,
            types.BuiltinFunctionType: self._builtin,
            types.MethodWrapperType: self._builtin,
            functools.partial: self._partial,
            functools._lru_cache_wrapper: self._cached_function,
            staticmethod: self._wrapped_method,
            classmethod: self._wrapped_method,
            types.ModuleType: self._module,
            np.ndarray: self._array,
            tuple: self._tuple,
            list: self._list,
            dict: self._dict,
            set: self._set,
            frozenset: self._frozen_set,
        }

    @functools.cached_property
    def _objects(self) -> ObjectViews:
        from .object_view import ObjectViews  # many functions read arrays and modules of libraries alone

        return ObjectViews(self)

    @functools.cached_property
    def changes(self) -> Changes:
        """The changes that the trace makes outside."""
        from .outside_state import Changes  # as above

        return Changes(self.is_outside)

    # ---- the interface of the views

    def rebind(self, name: str, value: Any) -> Any:
        """The stand-in for an object read under `name`; raises TraceError where there can be none."""
        known = self._known.get(id(value))
        if known is not None:
            return known[1]
        if "changes" in self.__dict__:
            mapped = self.changes.container(value)
            if mapped is not None:
                return self._remember(value, mapped)
        mapped = self._mapper.map(name, value)
        if value is builtins.isinstance or value is builtins.issubclass:
            from .object_view import is_instance_mapped  # see `_objects`

            mapped = is_instance_mapped(mapped)
        elif value is builtins.super:
            mapped = mapped_super(self)
        elif value is builtins.__import__:
            mapped = mapped_import(self)
        elif mapped is value and type(value) not in _ATOMS:
            mapped = self._rules.get(type(value), self._other)(name, value)
        return self._remember(value, mapped)

    def rebind_quietly(self, name: str, value: Any) -> Any:
        """Like `rebind`, but an object that cannot be handled becomes a Refused, which raises when used."""
        try:
            return self.rebind(name, value)
        except TraceError as error:
            forget(error)
            return Refused(error.args[0].partition("\n")[0])

    def copy(self, function: types.FunctionType) -> types.FunctionType:
        """Returns the copy of a function, whoever wrote it."""
        known = self._known.get(id(function))
        if known is not None and known[1] is not function:
            copied: types.FunctionType = known[1]
            return copied
        return self._copied(function.__name__, function)

    def root(self, function: types.FunctionType) -> types.FunctionType:
        """Returns the copy that a trace runs. A function that reads itself by its name finds another copy."""
        return self._copied(function.__name__, function, is_root=True)

    def original(self, thing: Any) -> Any:
        """Returns the user's own object for one that leaves the trace; other values unchanged."""
        return self._objects.original(thing)

    def source_of(self, thing: Any) -> Any:
        """Returns the user's object in place of a function, method, container or object that the trace read;
        other values unchanged."""
        for value, mapped in self._known.values():
            if mapped is thing:
                return value
        if isinstance(thing, types.MethodType):
            subject = self.source_of(thing.__self__)
            if subject is thing.__self__:
                return thing
            return getattr(subject, thing.__func__.__name__)
        subject = getattr(thing, "__self__", None)
        if isinstance(thing, types.BuiltinFunctionType) and not isinstance(subject, types.ModuleType):
            source = self.source_of(subject)
            return thing if source is subject else getattr(source, thing.__name__)
        return self.original(thing)

    def has_read(self, thing: Any) -> bool:
        """Whether the traced code has read this object from outside."""
        known = any(thing is value or thing is mapped for value, mapped in self._known.values())
        return known or any(guard.expected is thing for guard in self.reads.guards)

    def is_outside(self, thing: Any) -> bool:
        """Whether this is the stand-in for an object from outside."""
        return "_objects" in self.__dict__ and self._objects.is_outside(thing)

    def stored_to_objects(self) -> list[tuple[Store, Any]]:
        """Returns the changed attributes of objects from outside."""
        return list(self._objects.stores()) if "_objects" in self.__dict__ else []

    @property
    def read_containers(self) -> frozenset[int]:
        """The identities of the containers and objects that were read from outside."""
        return frozenset([id(value) for value, mapped in self._known.values() if value is not mapped])

    def finish(self) -> None:
        """Raises if the traced code changed anything outside itself, or what it read changed meanwhile."""
        for view in self._views.values():
            view.finish()
        for cell in self._cells.values():
            if contents_of(cell.copy) is not cell.given:
                lines = lines_where(cell.code, _STORE_CELL, cell.name)
                raise TraceError(
                    f"the traced function stores to {cell.name!r}, a variable of the function around it; "
                    f"that would happen once, not at each call. Return the value and store it outside.",
                    line=lines[0] if lines else None,
                )
        for container, given, name in self._contents:
            if not same_contents(container, given):
                raise TraceError(f"the traced function changes {name}, which was made outside it")
        self.library_objects.check()
        changed = check(self.reads.guards)
        if changed is not None:
            raise TraceError(f"{changed.name} changed while the function that reads it was being traced")

    # ---- one rule per kind of object

    def _function(self, name: str, function: types.FunctionType) -> Any:
        inner = getattr(function, "__wrapped__", None)
        decorated = isinstance(inner, types.FunctionType) and self.user.function(inner)
        # A library's wrapper around a user's function (contextlib.contextmanager) must call the copy of that.
        return self._copied(name, function) if decorated or self.user.function(function) else function

    def _copied(self, name: str, function: types.FunctionType, is_root: bool = False) -> types.FunctionType:
        code = function.__code__
        view = self._view(function.__globals__, getattr(function, "__builtins__", {}))
        view.hold(code)
        self.handlers.add(code)
        closure = function.__closure__ or ()
        library = bool(closure) and not self.user.function(function)
        cells = [
            self._cells.setdefault(id(cell), _Cell(variable, cell, code, library))
            for variable, cell in zip(code.co_freevars, closure, strict=True)
        ]
        running = code
        if self._rewritten is not None and not library:
            running = self._rewritten(function.__qualname__, code)
        free = {
            variable: value
            for variable, cell in zip(code.co_freevars, closure, strict=True)
            if (value := contents_of(cell)) is not MISSING
        }
        self.identities.add(running, function.__globals__, free)
        by_name = dict(zip(code.co_freevars, cells, strict=True))
        copies = tuple([by_name[variable].copy for variable in running.co_freevars]) or None
        copied = types.FunctionType(running, view, function.__name__, None, copies)
        reads = self.reads
        reads.record(GuardKind.ATTRIBUTE, function, "__code__", code, name)
        if not is_root:
            # Known before its cells are filled: a recursive function finds itself there.
            self._remember(function, copied)
            reads.record(GuardKind.ATTRIBUTE, function, "__dict__", function.__dict__, name)
            copied.__dict__.update(self._plain_dict(name, function.__dict__))
            self._contents.append(
                (copied.__dict__, dict(copied.__dict__), f"an attribute of the function {name}")
            )
        for cell in cells:
            self._fill(cell)
        if code.co_argcount:
            defaults = function.__defaults__
            reads.record(GuardKind.ATTRIBUTE, function, "__defaults__", defaults, f"defaults of {name}")
            if defaults is not None:
                copied.__defaults__ = tuple(
                    self.rebind_quietly(f"default of {name}", default) for default in defaults
                )
        if code.co_kwonlyargcount:
            keywords = function.__kwdefaults__
            reads.record(GuardKind.ATTRIBUTE, function, "__kwdefaults__", keywords, f"defaults of {name}")
            if keywords is not None:
                copied.__kwdefaults__ = self._plain_dict(f"default of {name}", keywords)
        copied.__qualname__ = function.__qualname__
        copied.__module__ = function.__module__
        copied.__doc__ = function.__doc__
        copied.__annotations__ = function.__annotations__
        return copied

    def _method(self, name: str, method: types.MethodType) -> Any:
        subject = self.rebind(name, method.__self__)
        return types.MethodType(self.rebind(name, method.__func__), subject)

    def _builtin(self, name: str, function: Any) -> Any:
        if function in _REFUSED_BUILTINS:
            return Refused(
                f"{function.__name__}() runs code that cannot be traced; write that code in the function"
            )
        subject = function.__self__
        if subject is None or isinstance(subject, (types.ModuleType, type)):
            return function
        mapped = self.rebind(name, subject)
        return function if mapped is subject else getattr(mapped, function.__name__)

    def _partial(self, name: str, value: functools.partial[Any]) -> Any:
        for each in ("func", "args", "keywords"):
            self.reads.record(GuardKind.ATTRIBUTE, value, each, getattr(value, each), name)
        keywords = self._plain_dict(name, value.keywords)
        arguments = [self.rebind_quietly(f"an argument of {name}", argument) for argument in value.args]
        return functools.partial(self.rebind(name, value.func), *arguments, **keywords)

    def _cached_function(self, name: str, value: Any) -> Any:
        # Its cache would keep traced values beyond the trace; the function itself gives the same results.
        return self.rebind(name, value.__wrapped__)

    def _wrapped_method(self, name: str, value: Any) -> Any:
        return type(value)(self.rebind(name, value.__func__))

    def _module(self, name: str, module: types.ModuleType) -> Any:
        if not self.user.module(module):
            return module
        self.reads.record(GuardKind.CLASS, module, None, type(module), name)
        from .views import ModuleView  # see `_objects`

        return ModuleView(module, self)

    def _array(self, name: str, array: np.ndarray[Any, Any]) -> Any:
        return self._mapper.hidden_array(name, array)

    def _tuple(self, name: str, value: tuple[Any, ...]) -> Any:
        mapped = tuple(self.rebind_quietly(f"{name}[{index}]", member) for index, member in enumerate(value))
        return value if all(new is old for new, old in zip(mapped, value, strict=True)) else mapped

    def _list(self, name: str, value: list[Any]) -> Any:
        self._limit(name, value)
        from .views import ListView

        view = ListView()
        view.want = lambda adds: self.changes.want(value, END if adds else None, name)
        self._remember(value, view)
        self.reads.sequence(value, name)
        list.extend(
            view, (self.rebind_quietly(f"{name}[{index}]", member) for index, member in enumerate(value))
        )
        self._contents.append((view, list(view), name))
        return view

    def _dict(self, name: str, value: dict[Any, Any]) -> Any:
        self._limit(name, value)
        from .views import DictView  # see `_objects`

        view = DictView()
        view.want = lambda _: self.changes.want(value, None, name)
        self._remember(value, view)
        self.reads.dictionary(value, name)
        for key, member in value.items():
            dict.__setitem__(view, key, self.rebind_quietly(f"{name}[{key!r}]", member))
        self._contents.append((view, dict(view), name))
        return view

    def _set(self, name: str, value: set[Any]) -> Any:
        self._limit(name, value)
        self.reads.members(value, name)
        from .views import SetView  # see `_objects`

        view = SetView()
        set.update(view, (self.rebind_quietly(f"a member of {name}", member) for member in value))
        self._contents.append((view, set(view), name))
        return view

    def _frozen_set(self, name: str, value: frozenset[Any]) -> Any:
        return frozenset(self.rebind_quietly(f"a member of {name}", member) for member in value)

    def _other(self, name: str, value: Any) -> Any:
        """Maps classes, jitted functions and the user's objects; other objects stay as they are."""
        if isinstance(value, type):
            return self._class(name, value)
        if isinstance(value, (np.generic, np.dtype, enum.Enum, BaseException, *_NUMPY_FUNCTIONS)):
            return value
        if isinstance(value, np.ndarray):
            raise TraceError(
                f"{name} is a {type(value).__qualname__}; use numpy.asarray to make it a plain array"
            )
        inlined = self._mapper.inlined(value)
        if inlined is not None:
            return (
                self.copy(inlined) if isinstance(inlined, types.FunctionType) else self.rebind(name, inlined)
            )
        kind = type(value)
        users = any(self.user.class_(base) for base in kind.__mro__)
        if isinstance(value, tuple):
            return self._named_tuple(name, value, self._class(name, kind))
        if users or (kind.__module__, kind.__qualname__) in _WATCHED:
            self._class(name, kind)
            return self._objects.object_(name, value)
        if isinstance(value, _UNWATCHABLE):
            raise TraceError(
                f"{name} is a {kind.__qualname__}, whose changes cannot be watched; make it a plain dict, "
                f"list, tuple or array, or pass it as an argument"
            )
        if kind.__module__ not in _HARMLESS_MODULES:
            self.reads.opaque.append((name, value))
            self.library_objects.note(name, value)
        return value

    def _class(self, name: str, cls: type) -> type:
        if not self.user.class_(cls) or issubclass(cls, (BaseException, enum.Enum)):
            # Exceptions stay what they are, so that one raised outside the trace is still caught inside it.
            return cls

        if not is_mappable(cls):
            raise TraceError(
                f"the class {cls.__qualname__} ({name}) has the metaclass {type(cls).__qualname__}, under "
                f"which its methods cannot be traced; pass what the function needs from it as arguments"
            )
        return self._objects.class_(cls)

    def _named_tuple(self, name: str, value: tuple[Any, ...], kind: type) -> Any:
        mapped = self._tuple(name, tuple(value))
        unchanged = kind is type(value) and all(new is old for new, old in zip(mapped, value, strict=True))
        return value if unchanged else tuple.__new__(kind, mapped)

    # ---- pieces

    def _view(self, source: dict[str, Any], source_builtins: dict[str, Any]) -> GlobalsView:
        place = (id(source), id(source_builtins))
        view = self._views.get(place)
        if view is None:
            view = self._views[place] = GlobalsView(source, source_builtins, self)
            if self.hooks is not None:
                view.put(*self.hooks)
        return view

    def _fill(self, cell: _Cell) -> None:
        if cell.filled:
            return
        cell.filled = True
        value = contents_of(cell.source)
        self.reads.record(GuardKind.CELL, cell.source, None, value, cell.name)
        if isinstance(value, types.FunctionType) and value.__closure__ and not self.user.function(value):
            # A piece of a library's wrapper: it may hold functions of the user's in its turn.
            cell.given = cell.copy.cell_contents = self.copy(value)
        elif cell.library and type(value) is set:
            # Its own bookkeeping, such as which objects are being printed.
            cell.given = cell.copy.cell_contents = value
        elif value is not MISSING:
            cell.given = self.rebind_quietly(cell.name, value)
            cell.copy.cell_contents = cell.given

    def _plain_dict(self, name: str, value: dict[str, Any]) -> dict[str, Any]:
        self.reads.dictionary(value, name)
        return {key: self.rebind_quietly(f"{name}.{key}", member) for key, member in value.items()}

    def _limit(self, name: str, value: Any) -> None:
        if len(value) > _LARGEST_CONTAINER:
            raise TraceError(
                f"{name} is a {type(value).__name__} of {len(value)} entries, each of which would be checked "
                f"at each call; make it a tuple or a NumPy array, or pass it as an argument"
            )

    def _remember(self, value: Any, mapped: Any) -> Any:
        self._known[id(value)] = (value, mapped)
        return mapped
