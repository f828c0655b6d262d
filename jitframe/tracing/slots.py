"""The slots of jitted functions: places outside whose values are inputs and results of a call (see
`environment.outside_state`)."""

from __future__ import annotations

import enum
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

import numpy

from ..api.frame import is_tensor
from ..errors import TraceError
from .arguments.signature import Call, Static, kind_of_leaf
from .arguments.trees import LEAF, compare_linked_by_identity, flatten, flatten_objects, is_flattened
from .arguments.value_key import Same
from .environment.guards import Guard
from .environment.outside_state import Slot, Store
from .environment.user_code import UserCode

MOST_SLOTS = 256
MOST_NUMBERS = 200
"""The most scalars in the list or dict of one slot."""
GROUPS_KEPT = 256
MOST_FORMS = 8
"""The most structures of slots' values that are traced: lists in them grow."""
OBJECTS_BEFORE_PARTS, MOST_OBJECTS = 4, 16
FAILURES = 2
"""An attribute becomes an input after its value has changed so many times."""
_PLAIN = (numpy.ndarray, numpy.generic, bool, int, float, complex, str, type(None), tuple, list, dict)


def add_slots(call: Call, slots: Sequence[Slot]) -> None:
    """Adds the values of slots (places outside the function) to a call's leaves."""
    if len(call.slots) + len(slots) > MOST_SLOTS:
        raise TraceError(
            f"the function changes more than {MOST_SLOTS} attributes of objects from outside; keep what "
            "changes in arrays"
        )
    leaves = list(call.leaves)
    trees = []
    for slot in slots:
        before = len(leaves)
        trees.append(flatten(slot.read(), leaves))
        if len(leaves) - before > MOST_NUMBERS:
            raise TraceError(
                f"the function changes {slot.name}, which holds {len(leaves) - before} values; keep them in "
                "an array"
            )
    new = leaves[len(call.leaves) :]
    call.kinds += tuple(map(kind_of_leaf, new))
    call.leaves = leaves
    call.slots += tuple(slots)
    call.state += tuple(trees)
    tensor = next((leaf for leaf in new if is_tensor(leaf)), None)
    if tensor is not None and not call.tensors:
        call.tensors = True
        call.device = call.device if call.asked else tensor._frame.device


class States:
    """The slots of a function's calls, by the structure of the arguments and the objects among them."""

    def __init__(self) -> None:
        self._slots: OrderedDict[Hashable, tuple[Slot, ...]] = OrderedDict()
        self._forms: dict[Hashable, set[Hashable]] = {}
        self._given: set[Hashable] = set()
        """Structures of the arguments of calls that append to lists among them."""
        self._objects: dict[type, set[int]] = {}
        """Identities of the objects for which calls were traced."""
        self._failures: dict[tuple[int, str], tuple[Any, int]] = {}

    def apply(self, call: Call) -> None:
        """Adds the slots of calls like this one."""
        slots = self._slots.get(_group(call)) if self._slots else None
        if slots is not None:
            try:
                add_slots(call, slots)
            except TraceError:
                pass  # as the trace will find

    def note(self, call: Call, stores: Iterable[Store]) -> None:
        """Records the slots and stores that a trace has found."""
        if any(store.path is not None and store.key is None and not store.path.of_slot for store in stores):
            self._given.add((call.positional, call.keywords))
        if not call.slots:
            return
        group = _group(call)
        self._slots[group] = tuple([slot for number, slot in enumerate(call.slots) if number in call.met])
        self._forms.setdefault(group, set()).add(call.state)
        if len(self._slots) > GROUPS_KEPT:
            self._forms.pop(self._slots.popitem(last=False)[0])

    def check_forms(self, call: Call) -> None:
        """Raises TraceError where the slots of such calls have values of another structure each time."""
        if len(self._given) >= MOST_FORMS:
            raise TraceError(
                f"lists that the function appends to had another length in each of {MOST_FORMS} calls; "
                "return what is new, or fill an array"
            )
        if len(self._forms.get(_group(call), ())) >= MOST_FORMS:
            names = ", ".join(slot.name for slot, tree in zip(call.slots, call.state) if tree is not LEAF)
            raise TraceError(
                f"what {names or 'the function'} holds outside had another structure in each of {MOST_FORMS} "
                "calls, as where lists grow; keep the values in an array, or change the list outside"
            )

    def note_objects(self, call: Call, bind: Callable[..., Call]) -> None:
        """Records the objects of a call that is to be traced. Where there are many of a class, their
        attributes become arguments, as those of registered classes are, unless they refer to each other:
        `bind` binds the call anew. Raises TraceError where they cannot."""
        while True:
            apart = [each for each in (*call.arguments, *call.options.values()) if is_flattened(type(each))]
            if not (apart and compare_linked_by_identity(apart)):
                break
            call.become(bind(call.arguments, call.options))
        users, static = UserCode(), call.signature.static_values(call)
        for leaf, kind in zip(call.leaves, call.kinds, strict=True):
            cls = type(leaf)
            is_object = isinstance(kind, Static) and isinstance(kind.key, Same) and users.class_(cls)
            if not is_object or isinstance(leaf, enum.Enum) or id(leaf) in static:
                continue
            seen = self._objects.setdefault(cls, set())
            seen.add(id(leaf))
            if len(seen) == OBJECTS_BEFORE_PARTS:
                flatten_objects(leaf)
            elif len(seen) > MOST_OBJECTS:
                raise TraceError(
                    f"the function was traced for {MOST_OBJECTS} objects of class {cls.__name__}, whose "
                    "attributes cannot be arguments; pass these, or arrays of them"
                )

    def note_failures(self, call: Call, guards: Iterable[Guard]) -> None:
        """Makes slots of attributes that change between calls, as the failing guards show."""
        for guard in guards:
            place = id(guard.owner), guard.key
            if place not in self._failures and len(self._failures) > GROUPS_KEPT:
                self._failures.clear()
            _, count = self._failures.get(place, (None, 0))
            self._failures[place] = guard.owner, count + 1
            slot = Slot(guard.owner, guard.key, guard.name)
            if count + 1 >= FAILURES and len(call.slots) < MOST_SLOTS and isinstance(slot.get(), _PLAIN):
                add_slots(call, [slot])


def _group(call: Call) -> Hashable:
    objects = [kind for kind in call.kinds if isinstance(kind, Static) and isinstance(kind.key, Same)]
    return call.positional, call.keywords, tuple(objects)
