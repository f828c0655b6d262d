"""Tensors as arguments and results of jitted functions: which share memory, and what their views are."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from typing import TYPE_CHECKING

from ...arrays.views import Pick, View
from ...errors import AliasError
from ...tensors.tensor import Tensor

if TYPE_CHECKING:
    from ..arguments.signature import Call
    from .program import Input
    from .results import Results


def tensor_view(tensor: Tensor, view: View | None, picked: Sequence[int] = ()) -> Tensor:
    """A tensor seen along a path, which picks these positions."""
    path = View.of(tensor.shape)
    positions = iter(picked)
    for step in view.steps if view is not None else ():
        if not isinstance(step, Pick):
            path = path.then(step)
            continue
        index: list[int | slice] = [slice(None)] * len(path.shape)
        for axis, extent in zip(step.attributes[0], step.extents or repeat(0)):
            first = next(positions)
            index[axis] = slice(first, first + extent) if step.extents else first
        tensor = (tensor._view(path) if path.steps else tensor)[(*index, ...)]
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
        others += ["a Tensor that the function reads" for each in hidden if _memory(each) is memory]
        if others:
            raise AliasError(
                f"{names[written]!r} is written to, and shows the same memory as {others[0]!r}: a write to "
                "one would have to show in the other. Pass a copy of one, x.copy(), or the whole array, and "
                "write to slices of it inside the function"
            )


def _memory(tensor: Tensor) -> Tensor:
    return tensor if tensor.base is None else tensor.base
