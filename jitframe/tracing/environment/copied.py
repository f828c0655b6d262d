"""`copy_function`: the copy of a user's callable that one trace runs."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .guards import Reads
from .rebind import Mapper, Rebinder
from .user_code import Identities, UserCode

if TYPE_CHECKING:
    from ..arguments.signature import Call
    from .outside_state import Changes, Containers, Path, Slot, Store


class Copied:
    """The copy of a callable for one trace, with everything that the copy read from outside.

    `function` runs over the mapping; `reads` fills up while it runs. Call `finish` after the trace and
    before its result is used.
    """

    __slots__ = ("_rebinder", "function")

    function: Callable[..., Any]

    def __init__(self, rebinder: Rebinder) -> None:
        self._rebinder = rebinder

    @property
    def reads(self) -> Reads:
        """The guards and opaque objects so far."""
        return self._rebinder.reads

    @property
    def has_handlers(self) -> bool:
        """Whether some code that was copied has a `try` or a `with`."""
        return self._rebinder.handlers.are_there

    @property
    def identities(self) -> Identities:
        """Implements `is` in copied code."""
        return self._rebinder.identities

    def adopt(self, name: str, value: Any) -> Any:
        """The stand-in for an argument that is no array, such as `self`: its attributes are mapped and
        guarded.

        The caller guards the identity of the argument itself.
        """
        return self._rebinder.rebind(name, value)

    def traced(self, function: types.FunctionType) -> Callable[..., Any]:
        """The copy of a function of jitframe's that is written to be traced."""
        return self._rebinder.copy(function)

    def class_(self, cls: type) -> type:
        """Returns the view of the class of an object that the traced code is given."""
        view: type = self._rebinder.rebind(cls.__name__, cls)
        return view if isinstance(view, type) else cls

    def is_outside(self, thing: Any) -> bool:
        """Whether this is the stand-in for an object from outside the trace."""
        return self._rebinder.is_outside(thing)

    def original(self, thing: Any) -> Any:
        """Returns the user's own object for one in the trace's result: no class view may leave the trace.

        Give a stand-in class or object and get what it stands for; an instance that traced code made
        becomes, in place, one of the user's class. What it holds is the caller's to go through.
        """
        return self._rebinder.original(thing)

    def source_of(self, thing: Any) -> Any:
        """Returns the user's own object in place of one that the trace read, for code that runs outside of
        the trace."""
        return self._rebinder.source_of(thing)

    def has_read(self, thing: Any) -> bool:
        """Whether the traced code has read this object from outside."""
        return self._rebinder.has_read(thing)

    # Changes outside (see `outside_state`)

    @property
    def _changes(self) -> Changes | None:
        """None where no slot was given and no store was recorded."""
        return self._rebinder.__dict__.get("changes")

    def give(self, slot: Slot, value: Any, number: int) -> None:
        """Sets the trace's value of a slot of the call, and the slot's number."""
        self._rebinder.changes.give(slot, value, number)

    @property
    def containers(self) -> Containers:
        """The containers among the arguments, which the function may change."""
        return self._rebinder.changes.containers

    def path(self, value: Any) -> Path | None:
        """Returns the path from a call to a list, dict or record among its arguments or slots."""
        return None if self._changes is None else self._changes.containers.path(value)

    @property
    def in_slots(self) -> list[Any]:
        """The stand-ins for lists, dicts and records in slots, and for objects whose attributes are slots: no
        closure refers to them."""
        if self._changes is None:
            return []
        owners = [self._rebinder.rebind_quietly(name, owner) for name, owner in self._changes.owners]
        return [*self._changes.in_slots, *owners]

    @property
    def met(self) -> frozenset[int]:
        """Numbers of the slots that the traced code has used."""
        return frozenset() if self._changes is None else frozenset(self._changes.met)

    def wanted(self) -> list[Slot]:
        """Returns the places outside that the traced code stores to and that have to become slots."""
        if self._changes is None:
            return []
        self._changes.want_stored(self.reads)
        return self._changes.wanted

    def stores(self, call: Call) -> list[tuple[Store, Any]]:
        """Returns the stores of the traced code outside, each with its value. Raises TraceError for stores
        that a program cannot make."""
        found = self._rebinder.stored_to_objects()
        return found if self._changes is None else self._changes.stores(call, self.read_containers, found)

    @property
    def read_containers(self) -> frozenset[int]:
        """The identities of the containers and objects that were read from outside."""
        return self._rebinder.read_containers

    def finish(self) -> None:
        """Raises TraceError if the traced code changed anything outside itself."""
        self._rebinder.finish()

    def enter(self) -> None:
        """Marks the start of the trace."""
        self._rebinder.handlers.enter()

    def leave(self) -> None:
        """Restores library objects after an abandoned trace."""
        self._rebinder.handlers.leave()
        self._rebinder.library_objects.put_back()


def copy_function(
    function: Callable[..., Any],
    mapper: Mapper,
    *,
    rewritten: Callable[[str, types.CodeType], types.CodeType] | None = None,
    hooks: tuple[str, Any] | None = None,
    begin: Callable[[Copied], None] | None = None,
) -> Copied:
    """Copies a callable for one trace.

    `rewritten` gives the code that runs in place of a function's, which reads `hooks` by their name. `begin`
    gives values of slots before the function's closure is read.
    The function's own package counts as the user's, so that an installed library can jit its own code.
    """
    own = getattr(function, "__module__", None)
    package = own.partition(".")[0] if isinstance(own, str) else ""
    user = UserCode("" if package in ("builtins", "numpy", "jitframe") else package)
    rebinder = Rebinder(mapper, user, rewritten)
    rebinder.hooks = hooks
    copied = Copied(rebinder)
    if begin is not None:
        begin(copied)
    if isinstance(function, types.FunctionType):
        copied.function = rebinder.root(function)
    else:
        name = getattr(function, "__name__", type(function).__name__)
        copied.function = rebinder.rebind(name, function)
    return copied
