"""Builds the results of one call from the outputs of its plan and the arguments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy

from ...api.frame import is_tensor
from ...runtime.cpu.execution.runtime import Buffer
from ..arguments.trees import LEAF, unflatten
from ..values.draws import Argument
from .results import (
    ConstantResult,
    DonatedMemory,
    GivenArgument,
    GivenContainer,
    Leaf,
    NewArray,
    NewScalar,
    SameResult,
    ViewOfInput,
)

if TYPE_CHECKING:
    from ...arrays.views import View
    from ...tensors.tensor import Tensor
    from ...tensors.transfers import Value
    from ..arguments.signature import Call
    from .program import Program


class Returned:
    """Builds each leaf of a result: Tensors where the call was given Tensors, ndarrays otherwise.

    Where the outputs are is said by `FromHost`, and by a class like it for devices.
    """

    def __init__(self, program: Program, call: Call, arrays: Sequence[Value]) -> None:
        self.program = program
        self.call = call
        self.arrays = arrays
        self.ndarrays: dict[int, numpy.ndarray] = {}
        """Outputs as ndarrays, by number: several leaves may be views of one."""
        self.tensors: dict[int, Tensor] = {}

    def result(self) -> Any:
        results = self.program.results
        for source, give, words in results.words:
            owner = self.call.leaves[source.leaf] if isinstance(source, Argument) else source.value
            give(owner, self._ndarray(words))
        if results.failed is not None:
            self._raise_failed(results.failed)
        made: list[Any] = []
        for leaf in results.leaves:
            made.append(made[leaf.position] if isinstance(leaf, SameResult) else self._leaf(leaf))
        value = made[0] if results.tree is LEAF else unflatten(results.tree, made)
        if results.stores:
            from ..environment.outside_state import put_back  # few functions store outside

            value, stored = value
            put_back(results.stores, stored, self.call)
        return value

    def _raise_failed(self, output: int) -> None:
        """Raises the exception of the function for these values, if any."""
        dtype = numpy.dtype(self.program.outputs[output].dtype.numpy_name)
        number = int(self._number(output, dtype).item())
        if number:
            self.program.results.raise_failed(number)

    def _leaf(self, leaf: Leaf) -> Any:
        call = self.call
        if isinstance(leaf, NewArray):
            if call.tensors:
                whole = self._whole_tensor(leaf)
                return whole if leaf.view is None else _tensor_view(whole, leaf.view, self._picked(leaf))
            base = self._whole_ndarray(leaf)
            return base if leaf.view is None else _shown(leaf.view, base, self._picked(leaf))
        if isinstance(leaf, NewScalar):
            if call.tensors and not leaf.python:
                return _tensor_of(self._value(leaf.output, leaf.dtype))
            number = self._number(leaf.output, leaf.dtype)
            return number.item() if leaf.python else number[()]
        if isinstance(leaf, GivenArgument):
            return call.leaves[leaf.leaf]
        if isinstance(leaf, GivenContainer):
            return leaf.path.of(call)
        if isinstance(leaf, DonatedMemory):
            given = call.leaves[leaf.leaf]
            return _tensor_of(self.arrays[leaf.parameter]) if is_tensor(given) else given
        if isinstance(leaf, ViewOfInput):
            source = self.program.inputs[leaf.parameter].leaf
            if source is not None and is_tensor(call.leaves[source]):
                return _tensor_view(call.leaves[source], leaf.view, self._picked(leaf))
            array = _shown(leaf.view, self.arrays[leaf.parameter], self._picked(leaf))  # type: ignore[arg-type]
            return self._copied(array) if call.tensors else array
        assert isinstance(leaf, ConstantResult)
        return leaf.value

    def _whole_tensor(self, leaf: NewArray) -> Tensor:
        known = self.tensors.get(leaf.output)
        if known is None:
            known = self.tensors[leaf.output] = self._tensor(leaf)
        return known

    def _whole_ndarray(self, leaf: NewArray) -> numpy.ndarray:
        known = self.ndarrays.get(leaf.output)
        if known is None:
            known = self.ndarrays[leaf.output] = self._ndarray(leaf)
        return known

    def _picked(self, leaf: NewArray | ViewOfInput) -> list[int]:
        return [int(self._number(output, dtype)) for output, dtype in leaf.picks]

    # Outputs by location

    def _value(self, output: int, dtype: numpy.dtype) -> Value:
        """Returns an output of one element."""
        raise NotImplementedError

    def _number(self, output: int, dtype: numpy.dtype) -> numpy.ndarray:
        """Returns an output of one element, on the host."""
        raise NotImplementedError

    def _ndarray(self, leaf: NewArray) -> numpy.ndarray:
        """Returns the whole output."""
        raise NotImplementedError

    def _tensor(self, leaf: NewArray) -> Tensor:
        """Returns the whole output."""
        raise NotImplementedError

    def _copied(self, array: numpy.ndarray) -> Tensor:
        """Returns a new Tensor with the present values of an array."""
        raise NotImplementedError


class FromHost(Returned):
    """The results of a call that ran on the host."""

    def __init__(
        self, program: Program, call: Call, arrays: Sequence[Value], buffers: Sequence[Buffer]
    ) -> None:
        super().__init__(program, call, arrays)
        self.buffers = buffers

    def _number(self, output: int, dtype: numpy.dtype) -> numpy.ndarray:
        known = self.ndarrays.get(output)
        return self.buffers[output].ndarray(dtype, ()) if known is None else known

    _value = _number

    def _ndarray(self, leaf: NewArray) -> numpy.ndarray:
        return self.buffers[leaf.output].into_ndarray(leaf.dtype, leaf.shape, leaf.strides)

    def _tensor(self, leaf: NewArray) -> Tensor:
        return _tensor_of(self._whole_ndarray(leaf))

    def _copied(self, array: numpy.ndarray) -> Tensor:
        return _tensor_of(array.copy())


def _shown(view: View | None, array: numpy.ndarray, picked: Sequence[int]) -> numpy.ndarray:
    return array.view() if view is None else view.show(array, picked)


def _tensor_of(value: Value) -> Tensor:
    from ...tensors.tensor import Tensor  # few programs have any

    return Tensor._of(value)


def _tensor_view(tensor: Tensor, view: View | None, picked: Sequence[int]) -> Tensor:
    from .tensors import tensor_view  # as above

    return tensor_view(tensor, view, picked)
