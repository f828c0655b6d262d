"""Arguments that are given away: Tensors that cannot be used afterwards, memory that a result may take."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy

from ...api.frame import is_tensor
from ...errors import ArgumentError

if TYPE_CHECKING:
    from ..arguments.signature import Call

_OWN_REFERENCES = 3
"""To an array that nobody else knows: of the list it is in, of `own_memory`, and of the call that counts."""


def check_donated(call: Call) -> None:
    """Raises where a Tensor is given away that is an argument twice."""
    seen: dict[int, int] = {}
    for number, leaf in enumerate(call.leaves):
        if not is_tensor(leaf):
            continue
        first = seen.setdefault(id(leaf), number)
        if first != number and (first in call.donated or number in call.donated):
            names = call.names
            raise ArgumentError(
                f"the Tensor {names[first]!r} is given away, and is passed as {names[number]!r} too; "
                "pass a copy there, or take it out of donate"
            )


def give_away(call: Call) -> None:
    """Takes the values from the Tensors that were given away."""
    for number in call.donated:
        leaf = call.leaves[number]
        if is_tensor(leaf):
            leaf._give_away(f"{call.names[number]!r} of {call.signature.name}")


def own_memory(arrays: list[Any], parameter: int) -> numpy.ndarray:
    """A parameter's array that was given away, or a copy where its memory is somebody else's too."""
    array: numpy.ndarray = arrays[parameter]
    if array.flags.owndata and array.flags.writeable and sys.getrefcount(array) <= _OWN_REFERENCES:
        return array
    return array.copy()
