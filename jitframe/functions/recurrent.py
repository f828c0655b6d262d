"""Recurrent layers on nodes: one native loop over time, in whose steps a product and one fused kernel for the
gates stand. The products of the inputs are made before it, all at once, unless `ir/passes/step_products.py`
moves them into the steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..ir import ops
from ..ir.node import Graph, Node
from ..ir.types import I64
from .elementwise import add, divide, multiply, subtract
from .joining import part
from .loop_nodes import at, put, repeated
from .operands import cast, constant, filled, reshaped, spread
from .products import matmul

Cell = Callable[[Graph, Node, Node, Sequence[Node], Sequence[Node]], tuple[Node, ...]]
"""(graph, products of the input, products of the state, the state, biases of the state) -> the new state,
whose first part is the output."""


def sigmoid(graph: Graph, x: Node) -> Node:
    """1 / (1 + exp(-x)); exp becomes infinite where the result is 0."""
    one = constant(graph, 1, x)
    return divide(graph, one, add(graph, one, graph.make(ops.exp, graph.make(ops.neg, x))))


def tanh(graph: Graph, x: Node) -> Node:
    return graph.make(ops.tanh, x)


def relu(graph: Graph, x: Node) -> Node:
    return graph.make(ops.maximum, x, filled(graph, 0, x))


def _gates(graph: Graph, x: Node, count: int) -> list[Node]:
    extent = x.shape[-1] // count
    return [part(graph, x, 1, number * extent, (number + 1) * extent) for number in range(count)]


def simple_cell(function: Callable[[Graph, Node], Node]) -> Cell:
    """h = function(W x + U h + b)."""

    def cell(
        graph: Graph, given: Node, kept: Node, _state: Sequence[Node], _bias: Sequence[Node]
    ) -> tuple[Node, ...]:
        return (function(graph, add(graph, given, kept)),)

    return cell


def long_short_cell(
    graph: Graph, given: Node, kept: Node, state: Sequence[Node], _bias: Sequence[Node]
) -> tuple[Node, ...]:
    """Gates of input and forgetting, the candidate, the gate of output (S. Hochreiter and J. Schmidhuber,
    "Long short-term memory", Neural Computation 9, 1997; F. Gers et al., 2000)."""
    taken, left, new, shown = _gates(graph, add(graph, given, kept), 4)
    memory = add(
        graph,
        multiply(graph, sigmoid(graph, left), state[1]),
        multiply(graph, sigmoid(graph, taken), tanh(graph, new)),
    )
    return multiply(graph, sigmoid(graph, shown), tanh(graph, memory)), memory


def gated_cell(
    graph: Graph, given: Node, kept: Node, state: Sequence[Node], bias: Sequence[Node]
) -> tuple[Node, ...]:
    """Gates of reset and update, the candidate (K. Cho et al., "Learning phrase representations using RNN
    encoder-decoder for statistical machine translation", EMNLP 2014), reset after the product."""
    if bias:
        kept = add(graph, kept, spread(graph, bias[0], kept.shape))
    ours, theirs = _gates(graph, given, 3), _gates(graph, kept, 3)
    reset, update = (sigmoid(graph, add(graph, x, y)) for x, y in zip(ours[:2], theirs[:2], strict=True))
    new = tanh(graph, add(graph, ours[2], multiply(graph, reset, theirs[2])))
    return (add(graph, new, multiply(graph, update, subtract(graph, state[0], new))),)


def direction(
    graph: Graph, cell: Cell, x: Node, weights: Sequence[Node], state: Sequence[Node], bias: Sequence[Node],
    lengths: Node | None, backward: bool,
) -> tuple[Node, ...]:  # fmt: skip
    """One layer in one direction: the outputs [time, batch, units], then the state at the end.

    `weights`: of the input [gates, inputs] and of the state [gates, units]; `bias`: what is added to the
    products of the input, then what the cell adds to those of the state, none or one each. Beyond its length
    a row of the batch keeps its state, and its outputs are 0.
    """
    time, batch, inputs = x.shape
    flat = reshaped(graph, x, (time * batch, inputs))
    products = matmul(graph, flat, _transposed(graph, weights[0]))
    if bias:
        products = add(graph, products, spread(graph, bias[0], products.shape))
    products = reshaped(graph, products, (time, batch, weights[0].shape[0]))
    empty = graph.make(ops.undefined, attributes=((time, *state[0].shape), x.dtype))
    nodes = [products, weights[1], *bias[1:]]
    nodes += [] if lengths is None else [cast(graph, lengths, I64)]

    if backward:
        nodes.append(graph.number(time - 1, I64, common=False))

    def step(body: Graph, index: Node, carried: list[Node], known: list[Node]) -> list[Node]:
        outputs, *kept = carried
        rows, matrix, *rest = known
        now = subtract(body, rest.pop(), index) if backward else index
        length = rest.pop() if lengths is not None else None
        products = matmul(body, kept[0], _transposed(body, matrix))
        made = cell(body, at(body, rows, now), products, kept, rest)
        output = made[0]
        if length is not None:
            there = body.make(ops.gt, length, spread(body, now, length.shape))
            there = spread(body, reshaped(body, there, (batch, 1)), output.shape)
            made = tuple(body.make(ops.select, there, new, old) for new, old in zip(made, kept, strict=True))
            output = body.make(ops.select, there, output, filled(body, 0, output))
        return [put(body, outputs, output, now), *made]

    return tuple(repeated(graph, 0, time, [empty, *state], nodes, step))


def _transposed(graph: Graph, x: Node) -> Node:
    return graph.make(ops.permute, x, attributes=((1, 0),))
