"""Loops and conditions over regions: `jf.fori_loop`, `jf.while_loop` and `jf.cond` inside a trace."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...api.calls import operand
from ...arrays.promotion import Operand, Weak, kind_of
from ...errors import DTypeError, ShapeError, TraceError
from ...functions import loop_nodes
from ...functions.operands import cast, shape_text, strong, truth
from ...ir.node import Node, Region
from ..arguments.trees import LEAF, Tree, unflatten
from ..environment.class_view import original_of
from .regions import IterationsNeededError, RegionFrame, RegionValue, outside_value, run_region, values_of
from .traced import NUMBER, TracedArray
from .traced_frame import TraceFrame, current_trace

_ROUNDS = 3
"""The most traces of a loop's body until the dtypes of its carried values are settled."""


def _outside(frame: TraceFrame, tree: Tree, nodes: Sequence[Node], values: Sequence[RegionValue]) -> Any:
    """Returns a region's results, of the kinds of these values."""
    return unflatten(tree, [outside_value(frame, node, value.kind) for node, value in zip(nodes, values)])


def trace_loop(lower: Any, upper: Any, body: Callable[..., Any], initial: Any) -> Any:
    """`fori_loop` inside a trace."""
    frame = current_trace()
    bounds = [_bound(frame, bound) for bound in (lower, upper)]
    iterations = _iterations(lower, upper)
    ranges = frame.root.ranges
    first, last = (ranges.of_operand(frame, bound) for bound in bounds)

    def made(carried: Sequence[RegionValue], tree: Tree) -> tuple[RegionFrame, Tree, list[RegionValue]]:
        region = RegionFrame("the body of jf.fori_loop", frame)
        counter = region.counter(iterations)
        ranges.known[counter._cell.node] = first[0], max(first[0], last[1] - 1)
        return region, *run_region(region, body, (counter, region.body_arguments(tree, carried)))

    tree, carried, region, nodes = _settled(frame, "jf.fori_loop", initial, made)
    if region.draws:
        from .draws import Repeated  # few loops draw

        assert iterations is not None
        frame.draws.append(Repeated(iterations[1], tuple(region.draws)))
    found = loop_nodes.loop(
        frame.begin(), bounds[0], bounds[1], Region(region.graph, tuple(region.inputs), tuple(nodes)),
        [value.node for value in carried], list(region.invariants),
    )  # fmt: skip
    return _outside(frame, tree, found, carried)


def _iterations(lower: Any, upper: Any) -> tuple[int, int] | None:
    """Returns the first iteration's number and the count of a loop whose bounds are known while tracing."""
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
    except IterationsNeededError:
        frame.root.take_back(before)

    def counted(state: Any) -> Any:
        return body(state[0]), state[1] + 1

    return _trace_while(frame, lambda state: condition(state[0]), counted, (initial, 0), _iteration)[0]


def _iteration(state: Any) -> Callable[[], Any]:
    """Returns the number of the present iteration, which is carried."""
    return lambda: state[1]


def _trace_while(
    frame: TraceFrame,
    condition: Callable[[Any], Any],
    body: Callable[[Any], Any],
    initial: Any,
    iteration: Callable[[Any], Callable[[], Any] | None],
) -> Any:
    """`iteration`: returns the number of the present iteration from the carried values."""

    def made(carried: Sequence[RegionValue], tree: Tree) -> tuple[RegionFrame, Tree, list[RegionValue]]:
        region = RegionFrame("the body of jf.while_loop", frame)
        inside = region.body_arguments(tree, carried)
        region.iteration = iteration(inside)
        return region, *run_region(region, body, (inside,))

    tree, carried, region, nodes = _settled(frame, "jf.while_loop", initial, made)
    test = RegionFrame("the condition of jf.while_loop", frame)
    inside = test.body_arguments(tree, carried)
    test.iteration = iteration(inside)
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


def _predicate(test: RegionFrame, returned: tuple[Tree, list[RegionValue]]) -> Node:
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


Made = Callable[[Sequence[RegionValue], Tree], tuple[RegionFrame, Tree, list[RegionValue]]]
"""Traces a body with these carried values: returns its frame, and its results."""


def _settled(
    frame: TraceFrame, name: str, initial: Any, made: Made
) -> tuple[Tree, list[RegionValue], RegionFrame, list[Node]]:
    """Traces a loop's body until its carried values have the dtypes that it returns; returns the tree and the
    carried values, the body's frame and its results."""
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


def _raised(frame: TraceFrame, value: RegionValue, result: RegionValue) -> RegionValue:
    """Promotes a Python number that a loop starts with to the dtype of the body's result."""
    if value.kind != NUMBER or result.node.shape:
        return value
    if result.kind == NUMBER and kind_of(result.node.dtype) <= kind_of(value.node.dtype):
        return value
    if result.node.dtype is value.node.dtype and result.kind == value.kind:
        return value
    return RegionValue(cast(frame.begin(), value.node, result.node.dtype), result.kind)


def _agreed(frame: TraceFrame, result: RegionValue, wanted: RegionValue) -> Node:
    """Casts a Python number to the required dtype; returns other values unchanged."""
    return cast(frame.graph, result.node, wanted.node.dtype) if result.kind == NUMBER else result.node


def trace_cond(
    predicate: Any, then: Callable[..., Any], orelse: Callable[..., Any], operands: Sequence[Any]
) -> Any:
    """`cond` inside a trace."""
    frame = current_trace()
    tree, region_values = values_of(frame, tuple(operands), "what jf.cond is given")
    regions, trees, results = [], [], []
    for function, which in ((then, "first"), (orelse, "second")):
        region = RegionFrame(f"the {which} function of jf.cond", frame)
        region.iteration = lambda: 0
        found, values = run_region(region, function, region.body_arguments(tree, region_values))
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
        _align(region, len(region_values), invariants)
    wanted = [_common(first, second) for first, second in zip(*results, strict=True)]
    arms = [
        Region(
            region.graph, tuple(region.inputs), tuple(_agreed(region, v, w) for v, w in zip(values, wanted))
        )
        for region, values in zip(regions, results, strict=True)
    ]
    graph = frame.begin()
    test = operand(frame, graph, predicate)
    nodes = loop_nodes.cond(
        graph, test, arms[0], arms[1], [*(value.node for value in region_values), *invariants]
    )
    return _outside(frame, trees[0], nodes, wanted)


def _align(region: RegionFrame, own: int, invariants: Sequence[Node]) -> None:
    """Gives both arms the same parameters: those that either of them uses."""
    for node in invariants:
        region.invariant(node)
    region.inputs[own:] = [region.invariants[node] for node in invariants]


def _common(first: RegionValue, second: RegionValue) -> RegionValue:
    """Returns the one of two results whose dtype a Python number takes."""
    if first.kind == NUMBER and (
        second.kind != NUMBER or kind_of(second.node.dtype) > kind_of(first.node.dtype)
    ):
        return second
    return first


def _shape_of(tree: Tree) -> str:
    """Describes a tree in the user's notation."""
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
