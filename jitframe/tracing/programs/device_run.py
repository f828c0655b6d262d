"""Runs a traced program on a device other than the host: uploads arguments, downloads results.

Tensors stay on the device throughout. ndarrays are uploaded at each call; results for ndarrays, and arrays
that were written to, are downloaded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy

from ...arrays.views import Permute, View, inverse
from ...compilation import evaluate
from ...ir.node import Node
from ...runtime.device import CPU, DeviceArray
from ...tensors.tensor import Tensor
from ...tensors.transfers import Value, announce, announce_host_calls
from .results import NewArray
from .returned import Returned
from .tensors import tensor_view

if TYPE_CHECKING:
    from ..arguments.signature import Call
    from .program import Program


def run_on_device(program: Program, call: Call) -> Any:
    """Runs the program, writes back, and returns the results."""
    arrays = program.arrays(call)
    outputs = outputs_on_device(program, call, arrays)
    for parameter, output in program.results.writes:
        numpy.copyto(arrays[parameter], outputs[output].download())
    for parameter, output in program.results.settles:
        program.settle(call, parameter, outputs[output])
    return _FromDevice(program, call, arrays, outputs).result()


def outputs_on_device(program: Program, call: Call, arrays: Sequence[Value]) -> list[DeviceArray]:
    """Returns the program's outputs, computed on the device."""
    ready = program.ready
    if ready is None:
        return []
    inputs = [_input(program, call, number, array) for number, array in enumerate(arrays)]
    announce_host_calls(ready.bound, program.device)
    blocks = evaluate.run_on(program.device, ready, inputs, program.scalar_bits(call), program.line)
    return [
        DeviceArray(block, tuple(map(int, node.shape)), numpy.dtype(node.dtype.numpy_name))
        for block, node in zip(blocks, program.outputs, strict=True)
    ]


def _input(program: Program, call: Call, number: int, array: Value) -> DeviceArray:
    """Returns a parameter's array on the device."""
    if isinstance(array, DeviceArray):
        return array
    known = program.kept_inputs.get(number)
    if known is not None and not known.is_lost:
        return known
    fixed = program.inputs[number].fixed
    if program.inputs[number].drawn and not call.asked:
        announce(
            array.dtype, array.shape, CPU, program.device,
            "jf.random.default_rng(seed), which draws on the device",
        )  # fmt: skip
    elif not (call.asked or fixed):
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


def computed_on_device(
    program: Program,
    call: Call,
    ready: evaluate.Ready,
    nodes: Sequence[Node],
    arrays: Sequence[Value],
    bits: Sequence[int],
) -> list[numpy.ndarray]:
    """Returns the values of some nodes, computed on the device from the program's inputs."""
    inputs = [_input(program, call, number, array) for number, array in enumerate(arrays)]
    blocks = evaluate.run_on(program.device, ready, inputs, bits, program.line)
    return [
        DeviceArray(block, tuple(map(int, node.shape)), numpy.dtype(node.dtype.numpy_name)).download()
        for block, node in zip(blocks, nodes, strict=True)
    ]


class _FromDevice(Returned):
    """The results of a call that ran on a device."""

    def __init__(
        self, program: Program, call: Call, arrays: Sequence[Value], outputs: Sequence[DeviceArray]
    ) -> None:
        super().__init__(program, call, arrays)
        self.outputs = outputs

    def _value(self, output: int, dtype: numpy.dtype) -> DeviceArray:
        return self.outputs[output]

    def _number(self, output: int, dtype: numpy.dtype) -> numpy.ndarray:
        return self.outputs[output].download()

    def _ndarray(self, leaf: NewArray) -> numpy.ndarray:
        array = self.outputs[leaf.output].download()
        return (
            array if leaf.strides is None else numpy.ndarray(leaf.shape, leaf.dtype, array, 0, leaf.strides)
        )

    def _tensor(self, leaf: NewArray) -> Tensor:
        """Returns the tensor of an output, whose axes are stored in the order of NumPy's strides."""
        stored = Tensor._of(self.outputs[leaf.output])
        if leaf.strides is None:
            return stored
        strides = leaf.strides
        order = tuple(sorted(range(len(strides)), key=lambda axis: (-strides[axis], axis)))
        return tensor_view(stored, View.of(stored.shape).then(Permute(inverse(order))))

    def _copied(self, array: numpy.ndarray) -> Tensor:
        return Tensor._of(self.program.device.upload(array))
