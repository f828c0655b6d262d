"""A program's results for the native entry: new arrays and numbers, views, containers."""

from __future__ import annotations

import collections
from collections.abc import Sequence
from functools import partial

import numpy

from ...arrays.layout import contiguous_strides
from ...arrays.views import Permute, Reshape, Slice, View
from ...ir.types import I64
from ...runtime.cpu.entry.variant import (
    Output,
    OutputArgument,
    OutputArray,
    OutputConstant,
    OutputNumber,
    OutputPlace,
    OutputSame,
    OutputScalar,
    OutputView,
    ResultForm,
)
from ..arguments.returned_rows import RowsForm, reconstruct
from ..arguments.signature import Call
from ..arguments.trees import Again, Fixed, Tree, count_leaves, unflatten
from ..programs.program import Program
from ..programs.results import (
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
from .arguments import NotNative
from .outside import OutsideOf


class NativeOutputs:
    """The results of calls like this one; Tensors where it returned some. Raises NotNative."""

    def __init__(self, program: Program, call: Call, outside: OutsideOf) -> None:
        self._program = program
        self._call = call
        self._outside = outside
        self.made: list[Output] = []
        """The base arrays of views first, then the leaves of the result."""
        self.buffers: list[int] = []
        """The program's outputs that the new arrays are."""
        leaves = program.results.leaves
        self._bases: dict[int, int] = {}
        """The positions of base arrays, by the program's outputs."""
        arrays = [leaf for leaf in leaves if isinstance(leaf, NewArray)]
        uses = collections.Counter(leaf.output for leaf in arrays)
        for leaf in arrays:
            is_base = uses[leaf.output] > 1 or (leaf.view is not None and _array(leaf) is None)
            if is_base and leaf.output not in self._bases:
                self._bases[leaf.output] = len(self.made)
                self._add_new(leaf.output, OutputArray(leaf.dtype, leaf.shape, leaf.strides))
        for number in self._looked_at(leaves):
            node = program.outputs[number]
            self._bases[number] = len(self.made)
            self._add_new(number, OutputArray(numpy.dtype(node.dtype.numpy_name), node.shape))
        if self._bases and call.tensors:
            raise NotNative
        for each in leaves:
            self._add(each)
        self._check()

    def _looked_at(self, leaves: Sequence[Leaf]) -> list[int]:
        """Returns the outputs that are computed only for the faults that they note."""
        used = {leaf.output for leaf in leaves if isinstance(leaf, (NewArray, NewScalar))}
        outputs = enumerate(self._program.outputs)
        return [number for number, node in outputs if node.op.fault is not None and number not in used]

    def _check(self) -> None:
        """Checks that all outputs of the program are used, except a last one that holds the code of a
        failure."""
        program, count = self._program, len(self.buffers)
        failed = program.results.failed
        if failed is not None and (failed != count or program.outputs[failed].dtype is not I64):
            raise NotNative
        wanted = len(program.outputs) - len(program.results.writes) - (failed is not None)
        if sorted(self.buffers) != list(range(wanted)) or not self.made:
            raise NotNative

    def _add_new(self, output: int, made: Output) -> None:
        self.buffers.append(output)
        self.made.append(made)

    def _add(self, leaf: Leaf) -> None:
        if isinstance(leaf, NewArray):
            self._add_array(leaf)
        elif isinstance(leaf, NewScalar):
            self._add_new(leaf.output, self._scalar(leaf))
        elif isinstance(leaf, (GivenArgument, DonatedMemory)):
            self.made.append(OutputArgument(leaf.leaf))
        elif isinstance(leaf, SameResult):
            self.made.append(OutputSame(len(self._bases) + leaf.position))
        elif isinstance(leaf, ConstantResult):
            self.made.append(OutputConstant(leaf.value))
        elif isinstance(leaf, GivenContainer):
            self.made.append(OutputPlace(self._outside.place(leaf.path)))
        elif isinstance(leaf, ViewOfInput) and not (self._call.tensors or leaf.picks):
            self.made.append(self._view_of_input(leaf))
        else:
            raise NotNative

    def _add_array(self, leaf: NewArray) -> None:
        base = self._bases.get(leaf.output)
        if base is None:
            array = _array(leaf)
            assert array is not None
            if self._call.tensors and leaf.view is not None:
                raise NotNative  # a view of a Tensor
            self._add_new(leaf.output, _in_tensor(array) if self._call.tensors else array)
        elif leaf.view is None:
            self.made.append(OutputSame(base))
        else:
            if leaf.picks:
                raise NotNative
            strides = (
                contiguous_strides(leaf.shape, leaf.dtype.itemsize) if leaf.strides is None else leaf.strides
            )
            self.made.append(_view(OutputSame(base), leaf.dtype, leaf.shape, strides, leaf.view))

    def _scalar(self, leaf: NewScalar) -> Output:
        if leaf.python:
            if leaf.dtype not in (numpy.float64, numpy.int64, numpy.bool_, numpy.complex128):
                raise NotNative
            return OutputNumber(leaf.dtype)
        return _in_tensor(OutputArray(leaf.dtype, ())) if self._call.tensors else OutputScalar(leaf.dtype)

    def _view_of_input(self, leaf: ViewOfInput) -> Output:
        source = self._program.inputs[leaf.parameter]
        array = source.array if source.leaf is None else self._call.leaves[source.leaf]
        if type(array) is not numpy.ndarray:
            raise NotNative
        of = OutputConstant(array) if source.leaf is None else OutputArgument(source.leaf)
        return _view(of, array.dtype, array.shape, array.strides, leaf.view)


def _view(
    of: OutputSame | OutputArgument | OutputConstant,
    dtype: numpy.dtype,
    shape: tuple[int, ...],
    strides: tuple[int, ...],
    view: View | None,
) -> OutputView:
    """Encodes a view by slices, permutations and reshapes. Raises NotNative for other views, and for empty
    ones."""
    begin = 0
    for step in () if view is None else view.steps:
        if not isinstance(step, (Slice, Permute, Reshape)):
            raise NotNative
        if isinstance(step, Slice):
            begin += sum(start * stride for start, stride in zip(step.starts, strides, strict=True))
        following = step.strides(shape, strides)
        if following is None:
            raise NotNative
        shape, strides = step.result(shape), following
    if 0 in shape:
        raise NotNative
    return OutputView(of, dtype, shape, strides, begin)


def _in_tensor(array: OutputArray) -> OutputArray:
    from .tensors import tensor_holder  # few programs have any

    holder = tensor_holder(array.dtype, array.shape, array.strides)
    return OutputArray(array.dtype, array.shape, array.strides, holder)


def _array(leaf: NewArray) -> OutputArray | None:
    """Returns a new array; of a permuted or reshaped view, the whole array with other strides. None for other
    views."""
    view = leaf.view
    if view is None:
        return OutputArray(leaf.dtype, leaf.shape, leaf.strides)
    if not all(isinstance(step, (Permute, Reshape)) for step in view.steps):
        return None
    strides = contiguous_strides(leaf.shape, leaf.dtype.itemsize) if leaf.strides is None else leaf.strides
    shown_strides = view.strides(strides)
    return None if shown_strides is None else OutputArray(leaf.dtype, view.shape, shown_strides)


def native_form(tree: Tree) -> ResultForm | None:
    """Returns the form of the result around the outputs. Raises NotNative."""
    try:
        form = _member_form(tree)
    except _SharedContainer:
        form = ResultForm(partial(unflatten, tree), (None,) * count_leaves(tree))
    if isinstance(form, OutputConstant):
        raise NotNative
    return form


class _SharedContainer(Exception):
    """A container occurs twice in the result, which only Python code can build."""


def _member_form(tree: Tree) -> ResultForm | OutputConstant | None:
    if isinstance(tree, str):
        return None
    if isinstance(tree, Fixed):
        return OutputConstant(tree.value)
    if isinstance(tree, Again):
        raise _SharedContainer
    kind, keys, members = tree
    forms = tuple([_member_form(member) for member in members])
    if kind is RowsForm:
        return ResultForm(partial(reconstruct, keys), forms)
    return ResultForm(kind, forms, keys or ())
