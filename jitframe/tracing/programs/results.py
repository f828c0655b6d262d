"""The results of a traced function as instructions: the outputs to compute, and how to build the returned
objects from them.

NumPy's aliasing is kept: a view of an argument is returned as a view of it, two outputs that share memory
share it.
"""

from __future__ import annotations

import enum
import types
from collections.abc import Callable
from copy import copy
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy

from ...api.frame import is_tensor
from ...arrays.layout import contiguous_strides, in_c_order
from ...arrays.views import Pick, Slice, View
from ...errors import AliasError, TraceError
from ...ir.node import Graph, Node
from ...ir.ops import permuted
from ...ir.record import fresh, mutable, record
from ..arguments.returned_rows import RowsForm, with_classes
from ..arguments.signature import is_own
from ..arguments.trees import LEAF, Again, Fixed, Keys, SeenContainers, Tree, flatten
from ..arguments.value_key import holds_attributes_only
from ..environment.class_view import original_of
from ..environment.library_objects import Refused
from ..lists.row_values import deconstruct
from ..values.cells import Cell
from ..values.concrete import as_array, is_stand_in
from ..values.draws import Argument, External
from ..values.parameter import Parameter
from ..values.traced import ARRAY, NUMBER, TracedArray
from ..values.traced_frame import TraceFrame

if TYPE_CHECKING:
    from ..arguments.signature import Call
    from ..environment.copied import Copied
    from ..environment.outside_state import Path, Store


class NewArray(metaclass=record):
    """A new ndarray of an output; strides in bytes, None for C order."""

    output: int
    dtype: numpy.dtype
    shape: tuple[int, ...]
    strides: tuple[int, ...] | None = None
    view: View | None = None
    """The view of the output."""
    picks: tuple[tuple[int, numpy.dtype], ...] = ()
    """The outputs with the positions that the view gathers, and their dtypes."""


class NewScalar(metaclass=record):
    """An output as a NumPy scalar or a Python number."""

    output: int
    dtype: numpy.dtype
    python: bool


class GivenArgument(metaclass=record):
    """An argument itself."""

    leaf: int


class DonatedMemory(metaclass=record):
    """The memory of a donated argument; of an ndarray, the argument itself."""

    leaf: int
    parameter: int


class ViewOfInput(metaclass=record):
    """A view of a parameter's array."""

    parameter: int
    view: View | None
    picks: tuple[tuple[int, numpy.dtype], ...] = ()


class GivenContainer(metaclass=record):
    """A list, dict or record among the arguments."""

    path: Path


class SameResult(metaclass=record):
    """The same object as an earlier leaf of the result."""

    position: int


class ConstantResult(metaclass=record):
    """An object known while tracing."""

    value: Any


Leaf = (
    NewArray | NewScalar | GivenArgument | GivenContainer | DonatedMemory | ViewOfInput | SameResult
    | ConstantResult
)  # fmt: skip


class Results(metaclass=mutable):
    """The outputs to compute, the result's tree and leaves, and the parameters to write back: (parameter,
    output)."""

    outputs: list[Node] = fresh(factory=list)
    tree: Tree = LEAF
    leaves: list[Leaf] = fresh(factory=list)
    touched: list[int] = fresh(factory=list)
    """Parameters that were written to, even with their final value unchanged: overlaps with them matter."""
    settles: list[tuple[int, int]] = fresh(factory=list)
    """Tensor parameters and the outputs with their new values."""
    writes: list[tuple[int, int]] = fresh(factory=list)
    """Parameters and the outputs that are written to their memory: the last outputs."""
    failed: int | None = None
    """The output with the number of the error that is raised, from 1 on, or 0."""
    errors: tuple[Exception, ...] = ()
    has_handlers: bool = False
    """Whether handlers of the user's catch some exception that a run may raise."""
    stores: tuple[Store, ...] = ()
    """The call's stores outside: the result is a pair of the returned value and these values."""
    read: frozenset[int] = frozenset()
    """The identities of containers read from outside, which the arguments must not contain."""
    donated: list[tuple[int, Node]] = fresh(factory=list)
    """Donated parameters, and the results in their memory."""

    words: list[tuple[External | Argument, Callable[..., None], NewArray]] = fresh(factory=list)
    """NumPy's generators that the program draws from itself, and functions that store their words."""

    def raise_failed(self, number: int) -> None:
        """Raises one of the errors, counted from 1."""
        error = self.errors[number - 1]
        raise copy(error).with_traceback(error.__traceback__)

    def add_output(self, node: Node) -> int:
        """Adds an output that is not a result, before those in the memory of arguments."""
        place = len(self.outputs) - len(self.writes)
        self.outputs.insert(place, node)
        self.writes = [(parameter, output + (output >= place)) for parameter, output in self.writes]
        return place


class _Builder:
    def __init__(
        self, frame: TraceFrame, given: dict[int, int], free: list[int], donated: frozenset[int]
    ) -> None:
        self.frame = frame
        self.donated = donated
        """Leaf numbers of donated arguments: a Tensor among them is unusable afterwards."""
        self.given = given
        """Leaf numbers of the arguments, by the identity of the traced value."""
        self.free = free
        """Parameters whose memory may hold a result."""
        self.results = Results()
        self.uses: dict[int, int] = {}
        self.bases: dict[int, int] = {}
        """Outputs with the whole content of a cell, by the cell's identity."""
        self.returned_draws: set[int] = set()
        """Parameters with draws of random generators that are results themselves."""

    def output(self, node: Node) -> int:
        self.results.outputs.append(node)
        return len(self.results.outputs) - 1

    def leaf(self, value: TracedArray) -> Leaf:
        cell = value._cell
        dtype = numpy.dtype(value._dtype.numpy_name)
        if value._kind == NUMBER and id(value) in self.given:
            return GivenArgument(self.given[id(value)])
        if value._kind != ARRAY:
            return NewScalar(self.output(value._node(self.frame.graph)), dtype, value._kind == NUMBER)
        source = None if cell.source is None else self.frame.parameters[cell.source]
        if source is not None and not source.made and not self._is_gone(source):
            leaf = self.given.get(id(value))
            if leaf is not None:
                return GivenArgument(leaf)
            return ViewOfInput(cell.source, value._path, self._picks(value._path))  # type: ignore[arg-type]
        if self.uses[id(cell)] == 1:
            return self._alone(value, dtype)
        number = self.bases.get(id(cell))
        if number is None:
            number = self.bases[id(cell)] = self.output(_stored(self.frame.graph, cell))
        dtype = numpy.dtype(cell.node.dtype.numpy_name)
        strides = _byte_strides(cell, dtype)
        return NewArray(number, dtype, cell.node.shape, strides, value._path, self._picks(value._path))

    def _is_gone(self, source: Parameter) -> bool:
        """Whether a parameter's array is invalid after the call."""
        return source.tensor is not None and source.leaf in self.donated

    def _picks(self, path: View | None) -> tuple[tuple[int, numpy.dtype], ...]:
        """Returns the outputs with the positions that a view gathers."""
        if path is None:
            return ()
        return tuple(
            (self.output(index), numpy.dtype(index.dtype.numpy_name))
            for step in path.steps
            if isinstance(step, Pick)
            for index in step.indices
        )

    def _alone(self, value: TracedArray, dtype: numpy.dtype) -> Leaf:
        """Returns an output that shares its memory with no other: only the viewed elements are computed."""
        cell, path = value._cell, value._path
        graph = self.frame.graph
        given_away = self._donated(value) if path is None else None
        if given_away is not None:
            return given_away
        drawn = self._draw(cell) if path is None else None
        if drawn is not None:
            return ViewOfInput(drawn, None)
        if path is None:
            return NewArray(
                self.output(_stored(graph, cell)), dtype, cell.node.shape, _byte_strides(cell, dtype)
            )
        from ...arrays.complex_views import Complexes, Part, Reals  # as above
        from ...arrays.reinterpret import Bitcast

        cut = max(
            (
                number + 1
                for number, step in enumerate(path.steps)
                if isinstance(step, (Slice, Pick, Bitcast, Part, Reals, Complexes))
            ),
            default=0,
        )
        if not cut:
            number = self.output(_stored(graph, cell))
            return NewArray(number, dtype, cell.node.shape, _byte_strides(cell, dtype), path)
        part = View.of(path.source)
        for step in path.steps[:cut]:
            part = part.then(step)
        rest = View(part.shape, path.steps[cut:], path.shape)
        # A copy of a slice lies in C order, in which the remaining steps may need a copy: then all of it is
        # computed.
        if rest.strides(contiguous_strides(part.shape)) is None:
            return NewArray(self.output(path.apply(graph, cell.node)), dtype, path.shape)
        number = self.output(part.apply(graph, cell.node))
        return NewArray(number, dtype, part.shape, None, rest if rest.steps else None)

    def _draw(self, cell: Cell) -> int | None:
        """Returns the parameter of a draw that is returned as it is: its array is new at each call, and the
        first result that asks for it need not be a copy."""
        if cell.node.op.source != "array" or cell.strides is not None or not self.frame.device.is_host:
            return None
        number: int = cell.node.attribute("index")
        if not self.frame.parameters[number].drawn or number in self.returned_draws:
            return None
        if self.frame.cuts is not None and self.frame.cuts.has_drawn(number):
            return None
        self.returned_draws.add(number)
        return number

    def _donated(self, value: TracedArray) -> DonatedMemory | None:
        """Returns a result in the memory of a donated argument of the same shape, strides and dtype."""
        cell = value._cell
        for number in self.free:
            parameter = self.frame.parameters[number]
            same = parameter.node.shape == cell.node.shape and parameter.node.dtype is cell.node.dtype
            if same and (cell.source, cell.strides) == (None, parameter.cell.strides):
                self.free.remove(number)
                self.results.donated.append((number, cell.node))
                assert parameter.leaf is not None
                return DonatedMemory(parameter.leaf, number)
        return None


def _stored(graph: Graph, cell: Cell) -> Node:
    """Returns the cell's content with its axes in memory order."""
    order = _memory_order(cell)
    if order is None:
        return cell.node
    return permuted(graph, cell.node, order)


def _memory_order(cell: Cell) -> tuple[int, ...] | None:
    """Returns the axes from the slowest to the fastest; None for C order."""
    strides = cell.strides
    if strides is None or cell.source is not None:
        return None
    order = tuple(sorted(range(len(strides)), key=lambda axis: (-strides[axis], axis)))
    assert in_c_order(
        tuple(cell.node.shape[axis] for axis in order), tuple(strides[axis] for axis in order)
    ), strides
    return order


def _byte_strides(cell: Cell, dtype: numpy.dtype) -> tuple[int, ...] | None:
    if cell.strides is None or cell.source is not None:
        return None
    return tuple(stride * dtype.itemsize for stride in cell.strides)


def build_results(
    frame: TraceFrame,
    value: Any,
    given: dict[int, int],
    call: Call,
    checks: Any = None,
) -> Results:
    """Builds the results from what the function returned in a call; `checks`: the exceptions that traced
    values decide about."""
    free: list[int] = []
    builder = _Builder(frame, given, free, call.donated)
    results = builder.results
    found: list[Any] = []
    stored = frame.copied.stores(call)
    if stored:
        value = value, tuple([each for _, each in stored])
        results.stores = tuple([store for store, _ in stored])
        results.read = frame.copied.read_containers
    whole = partial(_is_whole, frame.copied)
    tree = flatten(value, found, whole, partial(_is_made_here, frame.copied), deconstruct, SeenContainers())
    results.tree = _with_original_types(frame, tree)
    found = [*map(as_array, found)]
    for leaf in {id(leaf): leaf for leaf in found}.values():
        if isinstance(leaf, TracedArray):
            builder.uses[id(leaf._cell)] = builder.uses.get(id(leaf._cell), 0) + 1
    if call.donated and frame.device.is_host:
        free += _free_memory(frame, found, call.donated)
    positions: dict[int, int] = {}
    for position, leaf in enumerate(found):
        if isinstance(leaf, TracedArray):
            _check_alive(frame, leaf)
            earlier = positions.setdefault(id(leaf), position)
            results.leaves.append(SameResult(earlier) if earlier < position else builder.leaf(leaf))
        elif isinstance(leaf, Refused) and id(leaf) in given:
            results.leaves.append(GivenArgument(given[id(leaf)]))
        elif is_stand_in(leaf) or is_own(type(leaf)):
            results.leaves.append(_generator(frame, leaf))
        elif (path := frame.copied.path(leaf)) is not None:
            results.leaves.append(GivenContainer(path))
        else:
            results.leaves.append(ConstantResult(_constant(frame, call, leaf)))
    failed = None if checks is None else checks.node()
    if failed is not None:
        results.failed, results.errors = builder.output(failed), tuple(checks.errors)
    _write_back(frame, builder)
    return results


def _write_back(frame: TraceFrame, builder: _Builder) -> None:
    """Adds the new content of arguments that the function has written to."""
    results = builder.results
    results.touched = [
        number
        for number, parameter in enumerate(frame.parameters)
        if parameter.cell.version and not parameter.made
    ] + [number for number, _ in results.donated]
    written = [
        number
        for number in results.touched
        if frame.parameters[number].cell.node is not frame.parameters[number].node
    ]
    contents = {number: frame.parameters[number].cell.node for number in written}
    contents.update(results.donated)
    by_donation = {number for number, _ in results.donated}
    # New values of Tensors come before outputs in the memory of arguments.
    in_memory = {
        number: frame.parameters[number].tensor is None or number in by_donation for number in contents
    }
    for number in sorted(contents, key=in_memory.__getitem__):
        parameter = frame.parameters[number]
        kind = results.writes if in_memory[number] else results.settles
        kind.append((number, builder.output(contents[number])))
        array = parameter.array
        if parameter.tensor is None and isinstance(array, numpy.ndarray) and not has_own_elements(array):
            raise AliasError(
                f"{parameter.cell.name!r} is written to, and several of its elements may lie in the same "
                f"place: {array.dtype}{list(array.shape)} with strides {array.strides}; pass a copy"
            )


def _is_whole(copied: Copied, value: Any) -> bool:
    """Whether a returned container is one of the caller's, which gets it itself."""
    return copied.is_outside(value) or copied.path(value) is not None


def _is_made_here(copied: Copied, value: Any) -> bool:
    """Whether an object is of one of the user's classes and was made by the function."""
    kind = type(value)
    if original_of(kind) is kind or copied.is_outside(value):
        return False
    return not isinstance(value, (enum.Enum, type, BaseException)) and holds_attributes_only(kind)


def _generator(frame: TraceFrame, standin: Any) -> Leaf:
    """Returns a random generator that the function was given."""
    if is_own(type(standin)):
        from ..values.streams import source_of  # few functions return one

        source: Any = source_of(frame, standin)
    else:
        source = standin.returned()
    return ConstantResult(source.value) if hasattr(source, "value") else GivenArgument(source.leaf)


def _free_memory(frame: TraceFrame, results: list[Any], donated: frozenset[int]) -> list[int]:
    """Returns the donated parameters that the function neither writes to nor returns."""
    shown = {leaf._cell.source for leaf in results if isinstance(leaf, TracedArray)}
    return [
        number
        for number, parameter in enumerate(frame.parameters)
        if parameter.leaf in donated
        and number not in shown
        and not parameter.cell.version
        and not parameter.region
        and (parameter.tensor is not None or parameter.array.flags.writeable)  # type: ignore[union-attr]
        and isinstance(parameter.array, numpy.ndarray)
        and has_own_elements(parameter.array)
    ]


def has_own_elements(array: numpy.ndarray) -> bool:
    """Whether all elements of an array certainly have distinct addresses."""
    axes = sorted((abs(stride), extent) for extent, stride in zip(array.shape, array.strides) if extent > 1)
    beyond = array.itemsize
    for stride, extent in axes:
        if stride < beyond:
            return 0 in array.shape
        beyond = stride * (extent - 1) + beyond
    return True


def _with_original_types(frame: TraceFrame, tree: Tree) -> Tree:
    """Replaces the trace's views of named tuples and records in a tree by the user's classes."""
    if isinstance(tree, str):
        return tree
    if isinstance(tree, Again):
        return tree
    if isinstance(tree, Fixed):
        return Fixed(frame.copied.original(tree.value), "a static field")
    kind, keys, members = tree
    original = kind if kind in (tuple, list, dict, RowsForm) else frame.copied.original(kind)
    if kind is RowsForm:
        keys = with_classes(keys, frame.copied.original)
    if isinstance(keys, Keys):
        keys = Keys(key._python_value() if isinstance(key, TracedArray) else key for key in keys)
    return original, keys, tuple(_with_original_types(frame, member) for member in members)


def _check_alive(frame: TraceFrame, value: TracedArray) -> None:
    if value._cell.frame is not frame or value._within not in (None, frame):
        raise value._leaked()
    if value._cell.ties:
        value._check_ties()


_CONSTANT = (
    type, types.NoneType, types.ModuleType, types.BuiltinFunctionType, types.EllipsisType,
    types.NotImplementedType, slice, numpy.ndarray, numpy.ufunc,
)  # fmt: skip
"""Types of objects that each call may return again, although they are not compared by value."""


def _constant(frame: TraceFrame, call: Call, value: Any) -> Any:
    if is_tensor(value):
        return value
    if isinstance(value, (set, frozenset)) and any(isinstance(member, TracedArray) for member in value):
        raise TraceError("a set of arrays is returned; return a tuple, list or dict of them")
    if isinstance(value, Refused):
        value._refuse()
    copied = frame.copied
    original = copied.original(value)
    if original is not value or isinstance(value, _CONSTANT) or _is_compared_by_value(type(value)):
        return original
    original = copied.source_of(value)  # of a list from outside the list itself
    is_given = any(value is leaf for leaf in call.leaves)
    if original is value and not is_given and not copied.has_read(value):
        raise TraceError(
            f"the function returns a {type(value).__name__} of its own, which would be the same one at each "
            "call; return a tuple, list, dict, or an object of a class of yours"
        )
    return original


def _is_compared_by_value(kind: type) -> bool:
    """Whether equal instances of a class are interchangeable: hashable values do not change."""
    by_identity = kind.__hash__ is object.__hash__  # type: ignore[comparison-overlap] # to mypy methods of a class and of `object` differ
    return kind.__hash__ is not None and not by_identity
