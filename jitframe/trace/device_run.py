"""Runs a traced program on a device that is not the host: arguments there, results back or left there.

Tensors stay on the device throughout. ndarrays are uploaded at each call; results for ndarrays, and what was
written to them, are downloaded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy

from .. import evaluate
from ..runtime.device import CPU, DeviceArray
from ..tensor import Tensor
from ..transfers import Value, announce
from ..views import Permute, View, inverse
from .results import (
    ConstantResult,
    GivenArgument,
    Leaf,
    NewArray,
    NewScalar,
    SameResult,
    ViewOfInput,
    shown,
)
from .tensors import tensor_view
from .trees import LEAF, unflatten

if TYPE_CHECKING:
    from .program import Program
    from .signature import Call


def run_on_device(program: Program, call: Call) -> Any:
    """Computes, writes back, and makes the results."""
    device = program.device
    arrays = program.arrays(call)
    outputs: list[DeviceArray] = []
    if program.ready is not None:
        inputs = [_input(program, call, number, array) for number, array in enumerate(arrays)]
        blocks = evaluate.run_on(device, program.ready, inputs, program.scalar_bits(call), program.line)
        outputs = [
            DeviceArray(block, tuple(map(int, node.shape)), numpy.dtype(node.dtype.numpy_name))
            for block, node in zip(blocks, program.outputs, strict=True)
        ]
    for parameter, output in program.results.writes:
        numpy.copyto(arrays[parameter], outputs[output].download())
    for parameter, output in program.results.settles:
        program.settle(call, parameter, outputs[output])
    return _Made(program, call, arrays, outputs).result()


def _input(program: Program, call: Call, number: int, array: Value) -> DeviceArray:
    """A parameter's array on the device."""
    if isinstance(array, DeviceArray):
        return array
    known = program.kept_inputs.get(number)
    if known is not None and not known.is_lost:
        return known
    fixed = program.inputs[number].fixed
    if not (call.asked or fixed):
        name = program.input_name(call, number)
        announce(
            array.dtype,
            array.shape,
            CPU,
            program.device,
            f"jf.asarray({name}, device={program.device.name!r})",
        )
    made = program.device.upload(array)
    if fixed:
        program.kept_inputs[number] = made
    return made


class _Made:
    """What one call returns: ndarrays, or Tensors on the device where a Tensor was given."""

    def __init__(
        self, program: Program, call: Call, arrays: Sequence[Value], outputs: Sequence[DeviceArray]
    ) -> None:
        self.program = program
        self.call = call
        self.arrays = arrays
        self.outputs = outputs
        self.tensors: dict[int, Tensor] = {}
        """Outputs as Tensors, by number."""
        self.hosted: dict[int, numpy.ndarray] = {}
        """Outputs as ndarrays, by number: results may be views of one."""

    def result(self) -> Any:
        made: list[Any] = []
        for leaf in self.program.results.leaves:
            made.append(made[leaf.position] if isinstance(leaf, SameResult) else self._leaf(leaf))
        tree = self.program.results.tree
        return made[0] if tree is LEAF else unflatten(tree, made)

    def _leaf(self, leaf: Leaf) -> Any:
        tensors = self.call.tensors
        if isinstance(leaf, NewArray):
            return self._as_tensor(leaf) if tensors else self._as_ndarray(leaf)
        if isinstance(leaf, NewScalar):
            value = self.outputs[leaf.output]
            if tensors and not leaf.python:
                return Tensor._of(value)
            scalar = value.download()[()]
            return scalar.item() if leaf.python else scalar
        if isinstance(leaf, GivenArgument):
            return self.call.leaves[leaf.leaf]
        if isinstance(leaf, ViewOfInput):
            source = self.program.inputs[leaf.parameter].leaf
            if source is not None and isinstance(self.call.leaves[source], Tensor):
                return tensor_view(self.call.leaves[source], leaf.view, self._picked(leaf))
            array = shown(leaf.view, self.arrays[leaf.parameter], self._picked(leaf))  # type: ignore[arg-type]
            return Tensor._of(self.program.device.upload(array)) if tensors else array
        assert isinstance(leaf, ConstantResult)
        return leaf.value

    def _picked(self, leaf: NewArray | ViewOfInput) -> list[int]:
        return [int(self.outputs[output].download()) for output, _ in leaf.picks]

    def _as_ndarray(self, leaf: NewArray) -> numpy.ndarray:
        base = self.hosted.get(leaf.output)
        if base is None:
            base = self.outputs[leaf.output].download()
            if leaf.strides is not None:
                base = numpy.ndarray(leaf.shape, leaf.dtype, base, 0, leaf.strides)
            self.hosted[leaf.output] = base
        return base if leaf.view is None else shown(leaf.view, base, self._picked(leaf))

    def _as_tensor(self, leaf: NewArray) -> Tensor:
        """The tensor that shows an output, whose axes are stored in the order of NumPy's strides."""
        stored = self.tensors.get(leaf.output)
        if stored is None:
            stored = self.tensors[leaf.output] = Tensor._of(self.outputs[leaf.output])
        view = View.of(stored.shape)
        if leaf.strides is not None:
            strides = leaf.strides
            order = tuple(sorted(range(len(strides)), key=lambda axis: (-strides[axis], axis)))
            view = view.then(Permute(inverse(order)))
        if leaf.view is not None:
            view = view.join(leaf.view)
        return tensor_view(stored, view, self._picked(leaf)) if view.steps else stored
