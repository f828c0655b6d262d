"""Graph IR: frozen, interned nodes. Within one `Graph`, `is` means equal.

A node has an op, inputs and attributes; its shape, of concrete integers, and dtype follow from them. Source
lines, names and devices live beside the graph, never in it, so equal programs make equal graphs.

>>> graph = Graph()
>>> x = graph.parameter(0, (3,), F32)
>>> graph.make(ops.add, x, x) is graph.make(ops.add, x, x)
True
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property
from typing import Any, Literal, TypeVar

from .record import identity_record
from .types import F32, PART_OF, WITH_PARTS, Bits, DType, Kind, Number, is_common, normalized

__all__ = ["F32", "Attributes", "Given", "Graph", "Node", "Op", "Region", "Shape", "Walk", "topological"]

Shape = tuple[int, ...]
Attributes = tuple[Hashable, ...]
Given = tuple[Any, ...]
"""Attributes whose types `infer` has checked."""
Family = Literal[
    "leaf", "elementwise", "movement", "gather", "reduce", "scan", "contract", "update", "control", "item"
]
Source = Literal["inputs", "array", "scalar", "constant", "index", "undefined"]
Shift = Literal["", "linear", "cyclic"]
Inferred = tuple[Shape, DType]
Rule = TypeVar("Rule", bound=Callable[..., Any])


def _no_repetition(_node: Node) -> str:
    return ""


def _folds(_node: Node) -> bool:
    return True


def _is_no_square(_node: Node) -> bool:
    return False


class Op(metaclass=identity_record):
    """The definition of one operation. A pass that has to know more adds a field; only laws name ops."""

    name: str
    family: Family
    infer: Callable[..., Inferred]
    """(input nodes, attributes) -> (shape, dtype); asserts what the callers must have ensured."""
    reference: Callable[..., Any]
    """(input ndarrays, attributes, node) -> ndarray: the semantics, by NumPy."""
    attribute_names: tuple[str, ...] = ()
    structure: Callable[..., tuple[Hashable, tuple[int, ...]]] | None = None
    """(`structure.Axes`, node, axes of the inputs) -> (structure of the attributes, axes of the result)."""
    sized: Callable[..., Attributes] | None = None
    """(node, sizes of the result's axes, `symbolize.Numbers`) -> the attributes with a `Size` for every
    number that `structure` took. None: `shape` is the result's shape, the rest stays."""
    source: Source = "inputs"
    """The source of the value: inputs, an array or scalar of the call, a constant, a position, nothing."""
    instruction: str | None = None
    """The kernel instruction of an elementwise op."""
    index_map: Callable[..., Any] | None = None
    """Of movement: (node, index map of the result) -> index map of the input; see `index`."""
    folds: Callable[[Node], bool] = _folds
    """Of movement: whether loops can follow the index map of this node; where not, it needs memory."""
    repeats: bool = False
    """Of movement: whether the result repeats its input along further axes."""
    repetition: Callable[[Node], str] = _no_repetition
    """Of movement: the reason for which an element of a fused input would be computed again, if any."""
    renames: bool = False
    """Of movement: whether its elements are the input's, in their order: in memory, an alias of it."""
    complete: bool = False
    """Of movement: whether every element of the input is in the result."""
    shift: Shift = ""
    """Of movement: whether it reads its input at shifted positions, and starts again at the input's end."""
    keeps_order: bool = False
    """Whether NumPy lays out its result in memory like its operands of the same rank (elementwise ops do)."""
    permuted: Callable[..., Node | None] | None = None
    """(graph, node, axes) -> the node with permuted axes, made of permuted inputs; None: impossible."""
    index_arrays: int = 0
    """The index of the first input that is an array of run-time positions; 0: there are none."""
    converts: bool = False
    """Of elementwise ops: whether the result is the input, as another dtype."""
    copies: bool = False
    """Of elementwise ops: whether the result is a copy of the input in memory of its own."""
    is_square: Callable[[Node], bool] = _is_no_square
    """Of elementwise ops: whether this node is a square, so that it is never -0.0."""
    small: bool = False
    """Of contractions: whether the matrices are so small that a kernel multiplies whole ones."""
    by_kernel: bool = False
    """Of contractions: whether a kernel multiplies the matrices also where there is a library."""
    in_panels: bool = False
    """Of contractions: whether the last operand is prepared in memory for the kernel."""
    fills_margins: bool = False
    """Of contractions: whether the right operand is windows of an image, whose zeros need no memory."""
    cost: int = 1
    """The rough cost of one element in additions: 1 arithmetic, 8 division, 20 and more transcendental."""
    commutative: bool = False
    kinds: frozenset[Kind] = frozenset(("bool", "int", "uint", "float", "complex"))
    """The kinds of dtype that the last operand may have."""
    title: str = ""
    """The name in explanations, where it is not the op's own."""
    formula: Callable[[Node, list[str]], str] | None = None
    """(node, formulas of its inputs) -> its formula in explanations. None: name(inputs)."""
    interval: Callable[..., tuple[int, int]] | None = None
    """Of integers: (node, (least, greatest) of each input) -> those of the result, in unbounded integers."""
    interval_of: int = 0
    """The index of the first input that `interval` is given."""
    overflow: Callable[..., Node] | None = None
    """Of integers: (graph, node) -> whether the result overflows its dtype."""
    terms: Callable[..., tuple[tuple[Node, int], ...] | None] | None = None
    """Of integers: (node, known values of nodes) -> the inputs whose sum it is, with factors."""
    results: Callable[[Node], list[Inferred]] | None = None
    """Of control: shape and dtype of each result, which `item` reads."""
    memory_operands: Callable[[Node], tuple[Node, ...]] | None = None
    """Of control: the inputs that are read from memory."""
    launches: bool = False
    """Of control: whether it launches kernels of its own, and has no regions."""
    views: bool = False
    """Of control: whether it reads operands in place, through movement."""
    has_regions: bool = False
    """Whether its attributes start with a region, whose results are its own: see `verify`."""
    bounds: int = 0
    """Of control: the number of leading inputs that are bounds of a loop, which may be anywhere."""
    independent: bool = False
    """Of control: whether the program declares that a loop's iterations are independent."""
    carries: bool = False
    """Of control: whether its initial arrays' memory may be reused for its results."""
    lower: Callable[..., None] | None = None
    """Of control: (lowering, node, scope) -> None, appends steps of a plan; see `codegen.lower.program`."""
    lower_chain: Callable[..., None] | None = None
    """Control with prologues and epilogues: (lowering, groups, context, scope, fusion); `passes.chains`."""
    library: Any = None
    """Of control: the core axes of its library function, a `linear_algebra.Signature`."""
    fault: Callable[[Node, int, int], tuple[str, str]] | None = None
    """Of ops that a run checks: (node, index of its fault word, the word) -> the kind of error, and its
    message; see `errors_of_runs`. Such a node has a `site`."""
    nested: Callable[..., Any] | None = None
    """Of control: (nest writer, node, memory of arrays it changes) -> scalars; see `codegen.lower.loops`."""
    of_scalars: Callable[..., Any] | None = None
    """Of scalar regions: (kernel writer, node, inputs) -> results; see `codegen.lower.scalar_regions`."""
    kept: bool = True
    """Whether plans with this op are stored on disk: its meaning is that of this version of jitframe."""
    decompose: Callable[..., Node] | None = None
    """(graph, inputs, attributes) -> it by other ops: for devices without it, or without `instruction`."""
    of_complex: Callable[..., Node] | None = None
    """(graph, inputs, attributes) -> the value where inputs are complex, by ops of real numbers: complex
    inputs are `pair` nodes, and so is the result where it is complex; see `passes.split_complex`."""
    vjp: Callable[..., tuple[Node | None, ...]] | None = None
    """(graph, node, cotangent) -> what each input adds to its cotangent; see `derivatives`."""
    batch: Callable[..., Node] | None = None
    """(graph, node, stacked inputs, size) -> the op on each element of stacks; see `batching`."""

    def defines(self, field: str) -> Callable[[Rule], Rule]:
        """Decorates the function of a field of this op, which is defined apart from the record."""

        def take(function: Rule) -> Rule:
            assert getattr(self, field) is None, f"{self.name} has a {field} already"
            object.__setattr__(self, field, function)
            return function

        return take

    def __repr__(self) -> str:
        return f"<op {self.name}>"


class Node:
    """One value of the graph. Made by `Graph.make` only; compared and hashed by identity."""

    __slots__ = ("attributes", "dtype", "groups", "inputs", "op", "shape")
    attributes: Given
    """The attributes that the op's inference has checked."""
    groups: Any
    """The cache of `structure.groups_of`, for reshapes."""

    def __init__(
        self, op: Op, inputs: tuple[Node, ...], attributes: Attributes, shape: Shape, dtype: DType
    ) -> None:
        self.op = op
        self.inputs = inputs
        self.attributes = attributes
        self.shape = shape
        self.dtype = dtype

    def attribute(self, name: str) -> Any:
        return self.attributes[self.op.attribute_names.index(name)]

    @property
    def size(self) -> int:
        size = 1
        for extent in self.shape:
            size *= extent
        return size

    def __repr__(self) -> str:
        return f"<{self.op.name} {self.dtype}{list(self.shape)}>"


class Region:
    """A graph with positional parameters: the body of a loop or one arm of a cond. Equal bodies are equal."""

    __slots__ = ("_hash", "_key", "graph", "parameters", "results")

    def __init__(self, graph: Graph, parameters: tuple[Node, ...], results: tuple[Node, ...]) -> None:
        self.graph = graph
        self.parameters = parameters
        self.results = results
        places: dict[Node, int] = {}
        entries: list[Hashable] = []
        for node in topological((*parameters, *results)):
            places[node] = len(entries)
            entries.append((node.op, node.attributes, *(places[source] for source in node.inputs)))
        self._key = (tuple(entries), len(parameters), tuple(places[node] for node in results))
        self._hash = hash(self._key)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Region) and self._hash == other._hash and self._key == other._key

    def __hash__(self) -> int:
        return self._hash


class Graph:
    """Makes nodes, each once. The graph of a region shares the run-time scalars of the enclosing graph."""

    __slots__ = ("_interned", "_numbers", "fit", "scalar_values")

    is_recorded_once = True
    """Whether a program runs many times for one recording: many operations then cost as one library call."""

    def __init__(self, parent: Graph | None = None) -> None:
        self._interned: dict[Any, Node] = {}
        self.fit: Callable[[Attributes], Attributes] | None = parent.fit if parent else None
        """Changes attributes before a node is made of them, for a device that lacks some dtypes; raises for a
        number that does not fit."""
        self._numbers: dict[Any, int] = parent._numbers if parent else {}
        self.scalar_values: list[Any] = parent.scalar_values if parent else []
        """The values of the run-time scalars made by `number`, by their index."""

    def __len__(self) -> int:
        return len(self._interned)

    def known_value(self, node: Node) -> Any:
        """Returns the array of a node, where the graph has its value; None elsewhere."""
        return None

    def number_value(self, node: Node) -> Any:
        """Returns the number of a run-time scalar of the program; None for a scalar given from outside."""
        index = node.attribute("index")
        return self.scalar_values[index] if index in self._numbers.values() else None

    def make(self, op: Op, *inputs: Node, attributes: Attributes = ()) -> Node:
        """The node `op(inputs, attributes)`: the one already there, or a new one."""
        key = (op, inputs, attributes)
        node = self._interned.get(key)
        if node is None:
            fitting = attributes if self.fit is None else self.fit(attributes)
            if fitting is attributes:
                shape, dtype = op.infer(inputs, attributes)
                node = Node(op, inputs, attributes, shape, dtype)
            else:
                node = self.make(op, *inputs, attributes=fitting)
            self._interned[key] = node
        return node

    def like(self, node: Node, inputs: tuple[Node, ...], attributes: Attributes) -> Node:
        """A node of another graph, with inputs of this one and attributes. Where these are its own it is the
        node itself, unless an equal one is there: nothing of it is inferred again."""
        if inputs == node.inputs and attributes is node.attributes:
            return self._interned.setdefault((node.op, inputs, attributes), node)
        return self.make(node.op, *inputs, attributes=attributes)

    def result(
        self, key: Hashable, function: Callable[..., Node], operands: Sequence[Any], arguments: Sequence[Any]
    ) -> Node:
        """`function(self, *operands, *arguments)`; `key` tells the function and the arguments from others."""
        return function(self, *operands, *arguments)

    def parameter(self, index: int, shape: Shape, dtype: DType, layout: str | None = None) -> Node:
        """Input number `index`. `layout` has one letter for each axis; see `ops.leaves`."""
        layout = contiguous_layout(len(shape)) if layout is None else layout
        return self.make(LEAVES["parameter"], attributes=(index, shape, dtype, layout))

    def scalar(self, index: int, dtype: DType) -> Node:
        """A rank-0 value known only at run time."""
        return self.make(LEAVES["scalar"], attributes=(index, dtype))

    def constant(self, value: Number, dtype: DType) -> Node:
        """A rank-0 value that stands in the kernel. Told apart by dtype and bits (0.0 is not -0.0)."""
        if dtype.is_complex:
            value, part = complex(value), PART_OF[dtype]
            return self.make(PAIR, self.constant(value.real, part), self.constant(value.imag, part))
        value = normalized(value, dtype)
        return self.make(LEAVES["constant"], attributes=(Bits(value), dtype))

    def number(self, value: Number, dtype: DType, common: bool = True) -> Node:
        """A Python number met in a program: a constant where it is a common one, else a run-time scalar.

        Numbers that depend on sizes (`x.shape[0]`, `1 / (n - 1)`) thereby never reach a kernel; give
        `common=False` where a number is known to be a size, which may happen to be 1 or 2.
        """
        if dtype.is_complex:
            value, part = complex(value), PART_OF[dtype]
            x, y = self.number(value.real, part, common), self.number(value.imag, part, common)
            return self.make(PAIR, x, y)
        value = normalized(value, dtype)
        if self.fit is not None:
            self.fit((Bits(value), dtype))
        if common and is_common(value):
            return self.constant(value, dtype)
        return self.scalar(self.number_index(value, dtype), dtype)

    def number_index(self, value: bool | int | float, dtype: DType) -> int:
        """Returns the index of a number among the run-time scalars of its kind; adds it where it is new."""
        key = (value if value and value == value else Bits(value), dtype)
        index = self._numbers.get(key)
        if index is None:
            index = len(self.scalar_values)
            self.scalar_values.append(value)
            self._numbers[key] = index  # last: an exception in between leaves a value that nobody asks for
        return index


def contiguous_layout(rank: int) -> str:
    return "m" * (rank - 1) + "1" if rank else ""


def is_contiguous(parameter: Node) -> bool:
    """Whether a parameter lies in memory in C order, without gaps."""
    return bool(parameter.attribute("layout") == contiguous_layout(len(parameter.shape)))


def users_of(order: Iterable[Node]) -> dict[Node, list[Node]]:
    """The nodes that read each node, once for each operand, where `order` has inputs before users."""
    users: dict[Node, list[Node]] = {}
    for node in order:
        users[node] = []
        for source in node.inputs:
            users[source].append(node)
    return users


def topological(outputs: Iterable[Node]) -> list[Node]:
    """Every node the outputs need, inputs before users, without recursion."""
    order: dict[Node, None] = {}
    pending = [*outputs][::-1]
    while pending:
        node = pending.pop()
        while node not in order:
            for source in node.inputs:
                if source not in order:
                    pending.append(node)
                    node = source
                    break
            else:
                order[node] = None
                break
    return list(order)


class Walk:
    """The graph of some outputs: its nodes, inputs first, and the users of each, found when asked for."""

    def __init__(self, outputs: Iterable[Node]) -> None:
        self.outputs = tuple(outputs)

    @cached_property
    def order(self) -> list[Node]:
        return topological(self.outputs)

    @cached_property
    def users(self) -> dict[Node, list[Node]]:
        return users_of(self.order)

    def has(self, *families: Family) -> bool:
        return any(node.op.family in families for node in self.order)


def _infer_parameter(_inputs: tuple[Node, ...], attributes: Attributes) -> Inferred:
    _index, shape, dtype, layout = attributes
    assert isinstance(shape, tuple) and isinstance(dtype, DType) and len(str(layout)) == len(shape)
    return shape, dtype


def _infer_rank_zero(_inputs: tuple[Node, ...], attributes: Attributes) -> Inferred:
    dtype = attributes[1]
    assert isinstance(dtype, DType)
    return (), dtype


def _given(*_: Any) -> Any:
    raise AssertionError("parameters and scalars are given by the caller")


def _constant_value(_inputs: Any, _attributes: Attributes, node: Node) -> Any:
    import numpy

    bits: Bits = node.attributes[0]
    with numpy.errstate(all="ignore"):
        return numpy.asarray(bits.value, dtype=node.dtype.numpy_name)


def _parameter_structure(axes: Any, node: Node, _sources: Any) -> tuple[Hashable, tuple[int, ...]]:
    index, shape, dtype, layout = node.attributes
    axes.parameter(index)
    return (index, dtype, layout), tuple([axes.number(extent) for extent in shape])


def _scalar_structure(axes: Any, node: Node, _sources: Any) -> tuple[Hashable, tuple[int, ...]]:
    return (axes.scalar(node.attributes[0]), node.attributes[1]), ()


def _constant_structure(_axes: Any, node: Node, _sources: Any) -> tuple[Hashable, tuple[int, ...]]:
    return node.attributes, ()


def _sized_scalar(node: Node, _shape: Shape, renumbering: Any) -> Attributes:
    return (renumbering.scalar(node.attributes[0]), node.attributes[1])


def _infer_pair(inputs: tuple[Node, ...], _attributes: Attributes) -> Inferred:
    assert inputs[0].shape == inputs[1].shape and inputs[0].dtype is inputs[1].dtype, inputs
    return inputs[0].shape, WITH_PARTS[inputs[0].dtype]


def _pair_value(inputs: Any, _attributes: Attributes, node: Node) -> Any:
    import numpy

    array = numpy.empty(node.shape, node.dtype.numpy_name)
    array.real, array.imag = inputs
    return array


# Complex numbers of these real and imaginary parts. Complex constants and run-time scalars are such pairs.
PAIR = Op("pair", "elementwise", _infer_pair, _pair_value, kinds=frozenset(("float",)))

LEAVES: dict[str, Op] = {
    op.name: op
    for op in (
        # layout: a letter for each axis; 0: stride 0; 1: stride of one element; m: merges with the next axis
        # (stride = next stride * next extent); s: any other, known at run time; 2: stride of two elements.
        Op(
            "parameter", "leaf", _infer_parameter, _given, ("index", "shape", "dtype", "layout"),
            _parameter_structure, source="array",
        ),
        Op(
            "scalar", "leaf", _infer_rank_zero, _given, ("index", "dtype"), structure=_scalar_structure,
            sized=_sized_scalar, source="scalar",
        ),
        Op(
            "constant", "leaf", _infer_rank_zero, _constant_value, ("value", "dtype"),
            structure=_constant_structure, source="constant",
        ),
    )
}  # fmt: skip
