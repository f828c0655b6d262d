"""Makes the nodes of loops and conditions over regions, and checks that their types agree."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..arrays.promotion import Operand
from ..errors import DTypeError, ShapeError
from ..ir import ops
from ..ir.node import Graph, Node, Region
from ..ir.types import BOOL, I64
from .operands import as_node, truth


def loop(
    graph: Graph,
    lower: Operand,
    upper: Operand,
    region: Region,
    initial: Sequence[Node],
    invariant: Sequence[Node],
    independent: bool = False,
) -> list[Node]:
    """The carried values after `region(index, *carried, *invariant)` ran for each index from lower to
    upper - 1.

    `independent`: the program declares that iterations do not depend on each other.
    """
    for position, (node, result) in enumerate(zip(initial, region.results, strict=True)):
        _check_agree("fori_loop", f"carried value {position}", "given", node, "returned", result)
    bounds = as_node(graph, lower, I64), as_node(graph, upper, I64)
    op = ops.parallel_loop if independent else ops.loop
    made = graph.make(op, *bounds, *initial, *invariant, attributes=(region,))
    return [graph.make(ops.item, made, attributes=(position,)) for position in range(len(region.results))]


Step = Callable[[Graph, Node, list[Node], list[Node]], Sequence[Node]]
"""(graph of the body, index, carried values, invariant ones) -> the next carried values."""


def repeated(
    graph: Graph,
    lower: Operand,
    upper: Operand,
    initial: Sequence[Node],
    invariant: Sequence[Node],
    step: Step,
) -> list[Node]:
    """`loop` with a body that the function `step` builds."""
    body = Graph(graph)
    index = body.parameter(0, (), I64)
    names = [body.parameter(k, node.shape, node.dtype) for k, node in enumerate((*initial, *invariant), 1)]
    nodes = step(body, index, names[: len(initial)], names[len(initial) :])
    return loop(graph, lower, upper, Region(body, (index, *names), tuple(nodes)), initial, invariant)


def while_loop(
    graph: Graph, condition: Region, body: Region, initial: Sequence[Node], invariant: Sequence[Node]
) -> list[Node]:
    """The carried values after `body(*carried, *invariant)` ran while `condition` of the same held."""
    for position, (node, result) in enumerate(zip(initial, body.results, strict=True)):
        _check_agree("while_loop", f"carried value {position}", "given", node, "returned", result)
    made = graph.make(ops.while_, *initial, *invariant, attributes=(body, condition))
    return [graph.make(ops.item, made, attributes=(position,)) for position in range(len(body.results))]


def at(graph: Graph, x: Node, index: Node) -> Node:
    """The part of `x` at one position of its first axis, which must be in range."""
    return graph.make(ops.gather, x, index, attributes=((0,), 0, (True,), (0,), 0))


def put(graph: Graph, whole: Node, part: Node, index: Node) -> Node:
    """Replaces the part of `whole` at one position of its first axis, which must be in range."""
    return graph.make(ops.scatter, whole, part, index, attributes=((0,), 0, "set", (True,), (0,), True, 0))


Write = Callable[[Graph, list[Node]], Sequence[Node]]
"""(graph of the region, carried values and invariant ones) -> its results."""


def repeated_while(
    graph: Graph, condition: Write, body: Write, initial: Sequence[Node], invariant: Sequence[Node]
) -> list[Node]:
    """`while_loop` with regions that functions build."""

    def region(write: Write) -> Region:
        inner = Graph(graph)
        own = [inner.parameter(k, node.shape, node.dtype) for k, node in enumerate((*initial, *invariant))]
        return Region(inner, tuple(own), tuple(write(inner, own)))

    return while_loop(graph, region(condition), region(body), initial, invariant)


def cond(
    graph: Graph, predicate: Operand, then: Region, orelse: Region, operands: Sequence[Node]
) -> list[Node]:
    """The results of `then` where the predicate holds, else those of `orelse`."""
    if len(then.results) != len(orelse.results):
        raise ShapeError(
            f"cond: the first function returns {len(then.results)} values and the second "
            f"{len(orelse.results)}"
        )
    for position, (yes, no) in enumerate(zip(then.results, orelse.results, strict=True)):
        _check_agree("cond", f"result {position}", "of the first function", yes, "of the second", no)
    test = truth(graph, predicate)
    assert test.dtype is BOOL
    if test.shape:
        raise ShapeError(f"cond: the predicate must be one value, not an array of shape {test.shape}")
    node = graph.make(ops.cond, test, *operands, attributes=(then, orelse))
    return [graph.make(ops.item, node, attributes=(position,)) for position in range(len(then.results))]


def _check_agree(function: str, what: str, which_x: str, x: Node, which_y: str, y: Node) -> None:
    if x.shape == y.shape and x.dtype is y.dtype:
        return
    kind = ShapeError if x.shape != y.shape else DTypeError
    raise kind(
        f"{function}: {what} is {x.dtype}{list(x.shape)} {which_x} and {y.dtype}{list(y.shape)} {which_y}"
    )
