"""Tensors as arguments and results of jitted functions: shared memory, views, and donation."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy

from ...arrays.views import Pick, View
from ...errors import AliasError, ArgumentError
from ...tensors.tensor import Tensor

if TYPE_CHECKING:
    from ..arguments.signature import Call
    from .inputs import Input
    from .results import Results


def tensor_view(tensor: Tensor, view: View | None, picked: Sequence[int] = ()) -> Tensor:
    """Returns the view of a tensor along a path, which gathers these positions."""
    path = View.of(tensor.shape)
    positions = iter(picked)
    for step in view.steps if view is not None else ():
        if not isinstance(step, Pick):
            path = path.then(step)
            continue
        tensor = (tensor._view(path) if path.steps else tensor)[step.index(positions)]
        path = View.of(tensor.shape)
    return tensor._view(path)


def check_shared(call: Call, inputs: Sequence[Input], results: Results, hidden: Sequence[Tensor]) -> None:
    """Raises where a Tensor is written to that shares its memory with another one that the function reads."""
    names = call.names
    given = [(number, leaf) for number, leaf in enumerate(call.leaves) if isinstance(leaf, Tensor)]
    for parameter, _ in results.settles:
        written = inputs[parameter].leaf
        assert written is not None
        memory = _memory(call.leaves[written])
        others = [names[number] for number, leaf in given if number != written and _memory(leaf) is memory]
        others += ["a Tensor that the function reads" for tensor in hidden if _memory(tensor) is memory]
        if others:
            raise AliasError(
                f"{names[written]!r} is written to, and shows the same memory as {others[0]!r}: a write to "
                "one would have to show in the other. Pass a copy of one, x.copy(), or the whole array, and "
                "write to slices of it inside the function"
            )


def _memory(tensor: Tensor) -> Tensor:
    return tensor if tensor.base is None else tensor.base


_OWN_REFERENCES = 3
"""The references to an array that nobody else has: from its list, from `own_memory`, and from the counting
call."""


def check_donated(call: Call) -> None:
    """Raises where a donated Tensor is an argument twice."""
    seen: dict[int, int] = {}
    for number, leaf in enumerate(call.leaves):
        if not isinstance(leaf, Tensor):
            continue
        first = seen.setdefault(id(leaf), number)
        if first != number and (first in call.donated or number in call.donated):
            names = call.names
            raise ArgumentError(
                f"the Tensor {names[first]!r} is given away, and is passed as {names[number]!r} too; "
                "pass a copy there, or take it out of donate"
            )


def give_away(call: Call) -> None:
    """Invalidates the donated Tensors."""
    for number in call.donated:
        leaf = call.leaves[number]
        if isinstance(leaf, Tensor):
            leaf._give_away(f"{call.names[number]!r} of {call.signature.name}")


def own_memory(arrays: list[Any], parameter: int) -> numpy.ndarray:
    """Returns a donated parameter's array, or a copy where others share its memory."""
    array: numpy.ndarray = arrays[parameter]
    if array.flags.owndata and array.flags.writeable and sys.getrefcount(array) <= _OWN_REFERENCES:
        return array
    return array.copy()
