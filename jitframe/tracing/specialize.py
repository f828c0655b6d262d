"""Specialization: scalar arguments that the trace needs as Python numbers become static automatically.

A size, an axis, the bounds of a `range` or a condition needs a concrete value. A value that depends on scalar
arguments alone is computed, and these scalars are recorded. At its end the function is traced again with them
static, and calls of the same structure start from there.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING

import numpy

from ..errors import SpecializationWarning, warn_user
from .arguments.signature import Call, Static
from .arguments.trees import static_key

if TYPE_CHECKING:
    pass

VALUES_BEFORE_CAPTURE = 4
"""The most values of one scalar that are traced before loops and conditions that depend on it are
captured."""
_SCALARS = (bool, int, float, complex, numpy.generic)
VALUES_BEFORE_WARNING = 64
"""The most values of one scalar that are traced before the user is warned."""


class Specializations:
    """The leaves of a function's calls that are static because a trace needed their values."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._leaves: dict[Hashable, dict[int, set[Hashable]]] = {}
        """The values met of each leaf, by the structure of the arguments and the leaf's number."""
        self._left: set[tuple[Hashable, int]] = set()
        """Leaves that become static only where a trace needs their values again."""

    def apply(self, call: Call) -> None:
        """Makes the leaves of a call static that traces of such calls needed."""
        structure = _structure(call)
        known = self._leaves.get(structure) if self._leaves else None
        if known:
            specialize(call, [number for number in known if (structure, number) not in self._left])

    def are_many(self, call: Call) -> bool:
        """Whether many values of a scalar of such calls were traced."""
        known = self._leaves.get(_structure(call), {})
        return any(len(values) >= VALUES_BEFORE_WARNING for values in known.values())

    def leave(self, call: Call) -> bool:
        """Leaves scalars that vary to the next trace, which may not need their values; returns whether there
        are any."""
        structure = _structure(call)
        known = self._leaves.get(structure, {})
        varied = [number for number, values in known.items() if len(values) >= VALUES_BEFORE_CAPTURE]
        self._left.update((structure, number) for number in varied)
        return bool(varied)

    def note(self, call: Call, leaves: Iterable[int]) -> None:
        """Records the leaves that the trace of a call has made static in addition."""
        structure = _structure(call)
        known = self._leaves.setdefault(structure, {})
        for number in leaves:
            known.setdefault(number, set())
            self._left.discard((structure, number))
        for number, values in known.items():
            if len(values) < VALUES_BEFORE_WARNING and isinstance(call.kinds[number], Static):
                values.add(call.kinds[number])
                if len(values) == VALUES_BEFORE_WARNING:
                    self._warn(call.names[number])

    def _warn(self, argument: str) -> None:
        warn_user(
            f"{self._name} was traced for {VALUES_BEFORE_WARNING} values of {argument!r}, which a size, an "
            "axis or a condition in it depends on; each further one takes a trace as well, though no new "
            "kernel as a rule. Where there are many, keep the value in arrays: x[i + np.arange(n)] in place "
            "of x[i : i + n], jf.fori_loop in place of range, np.where in place of if; or pass "
            "np.asarray(value)",
            SpecializationWarning,
        )


def specialize(call: Call, leaves: Iterable[int]) -> None:
    """Makes leaves of a call static, where they are scalars."""
    kinds, names = list(call.kinds), None
    for number in leaves:
        leaf = call.leaves[number]
        if isinstance(leaf, _SCALARS) and not isinstance(kinds[number], Static):
            names = call.names if names is None else names
            kinds[number] = Static(static_key(leaf, names[number]))
    call.kinds = tuple(kinds)


def _structure(call: Call) -> Hashable:
    return call.positional, call.keywords, call.slots, call.state
