"""Regions of a trace: the body of a loop or an arm of a condition, traced into a graph of its own.

A region's values are its own; values from around it come in by value, as further parameters (invariants). It
writes to nothing outside of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy

from ...api.frame import LazyValue, entered, operand
from ...arrays.promotion import NUMBERS, Operand, Weak, kind_of
from ...errors import DTypeError, ShapeError, TraceError
from ...functions import loop_nodes
from ...functions.operands import cast, shape_text, strong, truth
from ...ir.node import Graph, Node, Region
from ...ir.types import I64, DType
from ..arguments.trees import LEAF, Tree, flatten, unflatten
from ..environment.class_view import original_of
from .cells import Cell
from .concrete import known_value
from .traced import ARRAY, NUMBER, SCALAR, TracedArray
from .traced_frame import TraceFrame, ValueOf, current_trace

if TYPE_CHECKING:
    from ...api.random_stream import Stream

_ROUNDS = 3
"""Most traces of a loop's body until the dtypes of what it carries are known."""


class TurnsNeededError(BaseException):
    """The body of a loop draws from a generator of jitframe's, and its turns are not counted."""


class RegionFrame(TraceFrame):
    """Makes the values of one region."""

    def __init__(self, name: str, parent: TraceFrame) -> None:
        graph = Graph()
        # Scalars are numbered over the whole trace.
        graph.scalar_values = parent.graph.scalar_values
        super().__init__(name, graph, parent.device)
        self.enclosing = (*parent.enclosing, parent)
        self.copied = parent.copied
        self.lines = parent.lines
        self.inputs: list[Node] = []
        """The region's parameters."""
        self.root.graphs.append(graph)

    def stream(self, generator: Stream) -> Stream:
        known = self.streams.get(id(generator))
        if known is None:
            if self.turn is None:
                raise TurnsNeededError
            with entered(self):
                made = generator._derived(generator._words(), self.turn(), self)
            known = self.streams[id(generator)] = generator, made
            self.root.taken.append(lambda: self.streams.pop(id(generator)))
        found: Stream = known[1]
        return found

    def input(self, like: Node) -> Node:
        """A new parameter of the region."""
        node = self.graph.parameter(len(self.inputs), like.shape, like.dtype)
        self.inputs.append(node)
        return node

    def counter(self, turns: tuple[int, int] | None) -> TracedArray:
        """A new parameter that is the number of the present iteration. `turns`: the first one, and how many
        there are, where that is known while tracing."""
        node = self.graph.parameter(len(self.inputs), (), I64)
        self.inputs.append(node)
        made = TracedArray(Cell(self, node), None, NUMBER)
        self.turn = lambda: made
        if turns is not None:
            first, count = turns
            self.turns = count, lambda: made - first if first else made
        return made

    def body_arguments(self, tree: Tree, values: Sequence[_Value]) -> Any:
        """What its body is given, for values from around it: each is a new parameter."""
        inside = [TracedArray(Cell(self, self.input(each.node)), None, each.kind) for each in values]
        return unflatten(tree, inside)

    def adopt(self, graph: Graph, value: LazyValue) -> Operand:
        parent = self.enclosing[-1]
        if isinstance(value, TracedArray):
            if value._cell.frame is self:
                return value._operand(graph)
            given = (
                value._operand(parent.graph)
                if value._cell.frame is parent
                else parent.adopt(parent.graph, value)
            )
        else:
            given = parent.adopt(parent.graph, value)
        if isinstance(given, Weak):
            return Weak(self.invariant(given.node))
        assert isinstance(given, Node), given
        return self.invariant(given)

    def invariant(self, node: Node) -> Node:
        """What a node of the surrounding graph is inside."""
        if node.op.source in ("constant", "scalar"):
            return self.graph.make(node.op, attributes=node.attributes)
        found = self.invariants.get(node)
        if found is None:
            found = self.invariants[node] = self.input(node)
            if node.dtype.is_integer and not node.shape:
                ranges = self.root.ranges
                ranges.known[found] = ranges.of(self.enclosing[-1], node)
        return found

    def inside(self, node: Node, within: TraceFrame) -> Node:
        return node if within is self else self.invariant(self.enclosing[-1].inside(node, within))

    def leaf_value(self, leaf: Node, value_of: ValueOf | None = None) -> numpy.ndarray | None:
        if leaf.op.source == "scalar":
            return super().leaf_value(leaf)
        outer = next((outer for outer, inner in self.invariants.items() if inner is leaf), None)
        return None if outer is None else (value_of or known_value)(self.enclosing[-1], outer)

    def trusted(self, graph: Graph, array: numpy.ndarray) -> Node:
        if not array.ndim:
            return super().trusted(graph, array)
        parent = self.enclosing[-1]
        return self.invariant(parent.trusted(parent.graph, array))


class _Value:
    """A leaf of what goes into or comes out of a region."""

    __slots__ = ("kind", "node")

    def __init__(self, node: Node, kind: int) -> None:
        self.node = node
        self.kind = kind


def value_of(frame: TraceFrame, leaf: Any, what: str) -> _Value:
    """What the user gave as a value of the trace; `what` says where, in messages."""
    if not isinstance(leaf, (LazyValue, numpy.ndarray, numpy.generic)) and leaf.__class__ not in NUMBERS:
        raise TraceError(
            f"{what} holds a {type(leaf).__name__}; only arrays and numbers, and tuples, lists and dicts "
            "of them"
        )
    graph = frame.begin()
    given = operand(frame, graph, leaf)
    if isinstance(given, Node):
        kind = leaf._kind if isinstance(leaf, TracedArray) else ARRAY if given.shape else SCALAR
        return _Value(given, kind)
    return _Value(given.node if isinstance(given, Weak) else strong(graph, given), NUMBER)


def values_of(frame: TraceFrame, given: Any, what: str) -> tuple[Tree, list[_Value]]:
    """What the user gave as a tree, and its leaves as values of the trace."""
    leaves: list[Any] = []
    tree = flatten(given, leaves)
    return tree, [value_of(frame, leaf, what) for leaf in leaves]


def outside_value(frame: TraceFrame, node: Node, kind: int = ARRAY) -> TracedArray:
    """A value of the trace around a region."""
    frame.note(node)
    return TracedArray(Cell(frame, node), None, kind)


def _outside(frame: TraceFrame, tree: Tree, nodes: Sequence[Node], values: Sequence[_Value]) -> Any:
    """What a region gave, of the kinds of these values."""
    return unflatten(tree, [outside_value(frame, node, each.kind) for node, each in zip(nodes, values)])


def run_region(
    region: RegionFrame, body: Callable[..., Any], arguments: Sequence[Any]
) -> tuple[Tree, list[_Value]]:
    """Traces a body into a region: the tree and the values that it returns."""
    with entered(region):
        return values_of(region, body(*arguments), f"what {region.name} returns")


def trace_loop(lower: Any, upper: Any, body: Callable[..., Any], initial: Any) -> Any:
    """`fori_loop` inside a trace."""
    frame = current_trace()
    bounds = [_bound(frame, bound) for bound in (lower, upper)]
    turns = _turns(lower, upper)
    ranges = frame.root.ranges
    first, last = (ranges.of_operand(frame, bound) for bound in bounds)

    def made(carried: Sequence[_Value], tree: Tree) -> tuple[RegionFrame, Tree, list[_Value]]:
        region = RegionFrame("the body of jf.fori_loop", frame)
        counter = region.counter(turns)
        ranges.known[counter._cell.node] = first[0], max(first[0], last[1] - 1)
        return region, *run_region(region, body, (counter, region.body_arguments(tree, carried)))

    tree, carried, region, nodes = _settled(frame, "jf.fori_loop", initial, made)
    if region.draws:
        from .draws import Repeated  # few loops draw

        assert turns is not None
        frame.draws.append(Repeated(turns[1], tuple(region.draws)))
    found = loop_nodes.loop(
        frame.begin(), bounds[0], bounds[1], Region(region.graph, tuple(region.inputs), tuple(nodes)),
        [value.node for value in carried], list(region.invariants),
    )  # fmt: skip
    return _outside(frame, tree, found, carried)


def _turns(lower: Any, upper: Any) -> tuple[int, int] | None:
    """Of a loop whose bounds are known while tracing, the first turn's number and how many there are."""
    first, last = [each._known() if isinstance(each, TracedArray) else each for each in (lower, upper)]
    if first is None or last is None:
        return None
    first, last = int(first), int(last)
    return first, max(last - first, 0)


def trace_while(condition: Callable[[Any], Any], body: Callable[[Any], Any], initial: Any) -> Any:
    """`while_loop` inside a trace."""
    frame = current_trace()
    before = len(frame.root.taken)
    try:
        return _trace_while(frame, condition, body, initial, lambda _: None)
    except TurnsNeededError:
        frame.root.take_back(before)

    def counted(state: Any) -> Any:
        return body(state[0]), state[1] + 1

    return _trace_while(frame, lambda state: condition(state[0]), counted, (initial, 0), _turn)[0]


def _turn(state: Any) -> Callable[[], Any]:
    """The number of the present turn, which is carried."""
    return lambda: state[1]


def _trace_while(
    frame: TraceFrame,
    condition: Callable[[Any], Any],
    body: Callable[[Any], Any],
    initial: Any,
    turn: Callable[[Any], Callable[[], Any] | None],
) -> Any:
    """`turn`: of what is carried, what gives the number of the present turn."""

    def made(carried: Sequence[_Value], tree: Tree) -> tuple[RegionFrame, Tree, list[_Value]]:
        region = RegionFrame("the body of jf.while_loop", frame)
        inside = region.body_arguments(tree, carried)
        region.turn = turn(inside)
        return region, *run_region(region, body, (inside,))

    tree, carried, region, nodes = _settled(frame, "jf.while_loop", initial, made)
    test = RegionFrame("the condition of jf.while_loop", frame)
    inside = test.body_arguments(tree, carried)
    test.turn = turn(inside)
    predicate = _predicate(test, run_region(test, condition, (inside,)))
    invariants = list(dict.fromkeys((*region.invariants, *test.invariants)))
    for each in (region, test):
        _align(each, len(carried), invariants)
    found = loop_nodes.while_loop(
        frame.begin(), Region(test.graph, tuple(test.inputs), (predicate,)),
        Region(region.graph, tuple(region.inputs), tuple(nodes)),
        [value.node for value in carried], invariants,
    )  # fmt: skip
    return _outside(frame, tree, found, carried)


def _predicate(test: RegionFrame, returned: tuple[Tree, list[_Value]]) -> Node:
    tree, values = returned
    if tree is not LEAF:
        raise TraceError(
            f"jf.while_loop: the condition must return one value, true or false; it returns {_shape_of(tree)}"
        )
    (value,) = values
    if value.node.shape:
        raise ShapeError(
            "jf.while_loop: the condition must be one value, not an array of shape "
            f"{shape_text(value.node.shape)}; use .any() or .all()"
        )
    return truth(test.graph, value.node)


Made = Callable[[Sequence[_Value], Tree], tuple[RegionFrame, Tree, list[_Value]]]
"""Traces a body that is given these values to carry: its frame, and what it returns."""


def _settled(
    frame: TraceFrame, name: str, initial: Any, made: Made
) -> tuple[Tree, list[_Value], RegionFrame, list[Node]]:
    """Traces a loop's body until what it carries has the dtypes that it returns: the tree and the values that
    are carried, the body's frame and its results."""
    tree, carried = values_of(frame, initial, f"what {name} starts with")
    before = len(frame.root.taken)
    for _ in range(_ROUNDS):
        frame.root.take_back(before)
        region, result_tree, results = made(carried, tree)
        if result_tree != tree:
            raise TraceError(
                f"{name}: the body must return what it is given to carry, in the same tuples, lists and "
                f"dicts; it is given {_shape_of(tree)} and returns {_shape_of(result_tree)}"
            )
        raised = [_raised(frame, value, result) for value, result in zip(carried, results, strict=True)]
        if all(new is old for new, old in zip(raised, carried, strict=True)):
            break
        carried = raised
    nodes = [_agreed(region, result, value) for result, value in zip(results, carried, strict=True)]
    return tree, carried, region, nodes


def _bound(frame: TraceFrame, bound: Any) -> Operand:
    graph = frame.begin()
    given = operand(frame, graph, bound)
    node = given.node if isinstance(given, Weak) else given
    if not isinstance(node, Node):
        node = strong(graph, given)
    if node.shape or not node.dtype.is_integer:
        raise DTypeError(
            f"jf.fori_loop: a bound is {node.dtype.numpy_name}{list(node.shape) or ''}; it must be one "
            "integer. Write int(x) around it"
        )
    return given


def _raised(frame: TraceFrame, value: _Value, result: _Value) -> _Value:
    """A Python number that a loop starts with takes the dtype of what the body makes of it."""
    if value.kind != NUMBER or result.node.shape:
        return value
    if result.kind == NUMBER and _rank(result.node.dtype) <= _rank(value.node.dtype):
        return value
    if result.node.dtype is value.node.dtype and result.kind == value.kind:
        return value
    return _Value(cast(frame.begin(), value.node, result.node.dtype), result.kind)


def _rank(dtype: DType) -> int:
    return kind_of(dtype)


def _agreed(frame: TraceFrame, result: _Value, wanted: _Value) -> Node:
    """A Python number in the dtype that is wanted; other values as they are."""
    return cast(frame.graph, result.node, wanted.node.dtype) if result.kind == NUMBER else result.node


def trace_cond(
    predicate: Any, then: Callable[..., Any], orelse: Callable[..., Any], operands: Sequence[Any]
) -> Any:
    """`cond` inside a trace."""
    frame = current_trace()
    tree, given = values_of(frame, tuple(operands), "what jf.cond is given")
    regions, trees, results = [], [], []
    for function, which in ((then, "first"), (orelse, "second")):
        region = RegionFrame(f"the {which} function of jf.cond", frame)
        region.turn = lambda: 0
        found, values = run_region(region, function, region.body_arguments(tree, given))
        regions.append(region)
        trees.append(found)
        results.append(values)
    if trees[0] != trees[1]:
        raise TraceError(
            "jf.cond: both functions must return the same tuples, lists and dicts; the first returns "
            f"{_shape_of(trees[0])}, the second {_shape_of(trees[1])}"
        )
    invariants = list(dict.fromkeys(node for region in regions for node in region.invariants))
    for region in regions:
        _align(region, len(given), invariants)
    wanted = [_common(first, second) for first, second in zip(*results, strict=True)]
    arms = [
        Region(
            region.graph, tuple(region.inputs), tuple(_agreed(region, v, w) for v, w in zip(values, wanted))
        )
        for region, values in zip(regions, results, strict=True)
    ]
    graph = frame.begin()
    test = operand(frame, graph, predicate)
    made = loop_nodes.cond(graph, test, arms[0], arms[1], [*(value.node for value in given), *invariants])
    return _outside(frame, trees[0], made, wanted)


def _align(region: RegionFrame, own: int, invariants: Sequence[Node]) -> None:
    """Gives both arms the same parameters: what either of them uses."""
    for node in invariants:
        region.invariant(node)
    region.inputs[own:] = [region.invariants[node] for node in invariants]


def _common(first: _Value, second: _Value) -> _Value:
    """Of two results, the one whose dtype a Python number takes."""
    if first.kind == NUMBER and (second.kind != NUMBER or _rank(second.node.dtype) > _rank(first.node.dtype)):
        return second
    return first


def _shape_of(tree: Tree) -> str:
    """A tree as the user would write it."""
    if not isinstance(tree, tuple):
        return "*"
    kind, keys, members = tree
    inner = [_shape_of(member) for member in members]
    if kind not in (tuple, list, dict):
        return f"{original_of(kind).__name__}({', '.join(inner)})"
    if kind is dict:
        return "{" + ", ".join(f"{key!r}: {each}" for key, each in zip(keys, inner, strict=True)) + "}"
    if kind is list:
        return f"[{', '.join(inner)}]"
    return f"({', '.join(inner)}{',' if len(inner) == 1 else ''})"
