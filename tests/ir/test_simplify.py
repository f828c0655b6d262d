"""Rules of movement ops, reductions, updates as before/after pairs; constants; reshapes moved to memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from jitframe.compilation.evaluate import compute
from jitframe.ir import ops
from jitframe.ir.interpret import evaluate
from jitframe.ir.node import Graph, Node, topological
from jitframe.ir.passes.hoist_reshapes import hoist_reshapes
from jitframe.ir.passes.simplify import simplify
from jitframe.ir.passes.sink_reshapes import sink_reshapes
from jitframe.ir.structure import Size
from jitframe.ir.symbolize import symbolize
from jitframe.ir.text import graph_text
from jitframe.ir.types import BOOL, F32, F64, I32, I64, DType
from tests.lower.random_graphs import Maker

from .graphs import loop_program
from .test_laws import run, same_bits


class Program:
    """Short spellings for the graphs of these tests."""

    def __init__(self) -> None:
        self.graph = Graph()
        self.arrays: list[np.ndarray] = []

    def array(self, *shape: int, dtype: DType = F32, layout: str | None = None) -> Node:
        values = np.random.default_rng(len(self.arrays)).integers(-9, 9, shape).astype(dtype.numpy_name)
        self.arrays.append(values)
        return self.graph.parameter(len(self.arrays) - 1, shape, dtype, layout)

    def make(self, op: object, *inputs: Node, attributes: tuple = ()) -> Node:
        return self.graph.make(op, *inputs, attributes=attributes)  # type: ignore[arg-type]

    def reshape(self, x: Node, *shape: int) -> Node:
        return self.make(ops.reshape, x, attributes=(shape,))

    def permute(self, x: Node, *axes: int) -> Node:
        return self.make(ops.permute, x, attributes=(axes,))

    def spread(self, x: Node, shape: tuple[int, ...], *axes: int) -> Node:
        return self.make(ops.broadcast, x, attributes=(shape, axes))

    def reduce(self, x: Node, kind: str, *axes: int) -> Node:
        return self.make(ops.reduce, x, attributes=(kind, axes))

    def slice(self, x: Node, starts: tuple, steps: tuple, shape: tuple) -> Node:
        return self.make(ops.slice_, x, attributes=(starts, steps, shape))

    def cast(self, x: Node, dtype: DType) -> Node:
        return self.make(ops.cast, x, attributes=(dtype,))

    def number(self, value: float, shape: tuple[int, ...], dtype: DType = F32) -> Node:
        return self.spread(self.graph.constant(value, dtype), shape)


Pair = Callable[[Program], tuple[Node, Node]]


def permute_of_permute(p: Program) -> tuple[Node, Node]:
    x = p.array(2, 3, 4)
    return p.permute(p.permute(x, 2, 0, 1), 1, 0, 2), p.permute(x, 0, 2, 1)


def permute_back(p: Program) -> tuple[Node, Node]:
    x = p.array(2, 3, 4)
    return p.permute(p.permute(x, 2, 0, 1), 1, 2, 0), x


def permute_of_broadcast(p: Program) -> tuple[Node, Node]:
    x = p.array(3, 4)
    return p.permute(p.spread(x, (2, 3, 5, 4), 1, 3), 3, 0, 1, 2), p.spread(
        p.permute(x, 1, 0), (4, 2, 3, 5), 0, 2
    )


def broadcast_of_broadcast(p: Program) -> tuple[Node, Node]:
    x = p.array(3)
    return p.spread(p.spread(x, (3, 4), 0), (2, 3, 4), 1, 2), p.spread(x, (2, 3, 4), 1)


def slice_of_everything(p: Program) -> tuple[Node, Node]:
    x = p.array(3, 4)
    return p.slice(x, (0, 0), (1, 1), (3, 4)), x


def slice_of_repeated(p: Program) -> tuple[Node, Node]:
    x = p.array(3)
    return p.slice(p.spread(x, (9, 3), 1), (1, 0), (2, 1), (4, 3)), p.spread(x, (4, 3), 1)


def kept_axis_and_back(p: Program) -> tuple[Node, Node]:
    x = p.array(3, 4)
    total = p.reduce(x, "sum", 1)
    return p.reshape(p.reshape(total, 3, 1), 3), total


def reshape_of_reshape(p: Program) -> tuple[Node, Node]:
    x = p.array(6, 4)
    return p.reshape(p.reshape(x, 24), 2, 12), p.reshape(x, 2, 12)


def reshape_of_scalar_broadcast(p: Program) -> tuple[Node, Node]:
    return p.reshape(p.number(2.0, (6, 4)), 3, 8), p.number(2.0, (3, 8))


def reshape_of_broadcast(p: Program) -> tuple[Node, Node]:
    x = p.array(5)
    return p.reshape(p.spread(x, (2, 6, 5), 2), 12, 5), p.spread(x, (12, 5), 1)


def reshape_of_broadcast_of_split(p: Program) -> tuple[Node, Node]:
    x = p.array(6)
    return p.reshape(p.spread(x, (5, 6), 1), 5, 2, 3), p.spread(p.reshape(x, 2, 3), (5, 2, 3), 1, 2)


def update_of_everything(p: Program) -> tuple[Node, Node]:
    x, y = p.array(3, 4), p.array(3, 4)
    return p.make(ops.update, x, y, attributes=((0, 0), (1, 1))), y


def copy_of_sum(p: Program) -> tuple[Node, Node]:
    x = p.array(3)
    return p.make(ops.copy, p.make(ops.add, x, x)), p.make(ops.add, x, x)


def reduce_of_permute(p: Program) -> tuple[Node, Node]:
    x = p.array(3, 4, 5)
    return p.reduce(p.permute(x, 2, 0, 1), "sum", 1, 2), p.reduce(x, "sum", 0, 1)


def reduce_of_reduce(p: Program) -> tuple[Node, Node]:
    x = p.array(3, 4, 5, dtype=I32)
    return p.reduce(p.reduce(x, "sum", 1), "sum", 1), p.reduce(x, "sum", 1, 2)


def any_of_any(p: Program) -> tuple[Node, Node]:
    x = p.array(3, 4, 5, dtype=BOOL)
    return p.reduce(p.reduce(x, "any", 0), "any", 0, 1), p.reduce(x, "any", 0, 1, 2)


def folded_chain(p: Program) -> tuple[Node, Node]:
    x = p.array(3)
    half = p.make(ops.div, p.number(1.0, (3,)), p.number(2.0, (3,)))
    value = p.make(ops.sub, p.make(ops.mul, half, half), p.number(1.0, (3,)))
    return p.make(ops.mul, x, value), p.make(ops.mul, x, p.number(-0.75, (3,)))


def folded_comparison(p: Program) -> tuple[Node, Node]:
    x, y = p.array(3), p.array(3)
    test = p.make(ops.lt, p.number(1, (3,), I64), p.number(2, (3,), I64))
    return p.make(ops.select, test, x, y), x


def folded_cast(p: Program) -> tuple[Node, Node]:
    x = p.array(3, dtype=F64)
    return p.make(ops.add, x, p.cast(p.number(0.5, (3,)), F64)), p.make(ops.add, x, p.number(0.5, (3,), F64))


def scalars_stay_scalars(p: Program) -> tuple[Node, Node]:
    x = p.array(3)
    first, second = p.graph.scalar(0, F32), p.graph.scalar(1, F32)
    apart = p.make(ops.mul, p.spread(first, (3,)), p.spread(second, (3,)))
    return p.make(ops.mul, x, apart), p.make(ops.mul, x, p.spread(p.make(ops.mul, first, second), (3,)))


PAIRS: tuple[Pair, ...] = (
    permute_of_permute, permute_back, permute_of_broadcast, broadcast_of_broadcast, slice_of_everything,
    slice_of_repeated, kept_axis_and_back, reshape_of_reshape, reshape_of_scalar_broadcast,
    reshape_of_broadcast, reshape_of_broadcast_of_split, update_of_everything, copy_of_sum, reduce_of_permute,
    reduce_of_reduce, any_of_any, folded_chain, folded_comparison, folded_cast, scalars_stay_scalars,
)  # fmt: skip


def values_of(p: Program, outputs: tuple[Node, ...] | list[Node]) -> list[np.ndarray]:
    given = {}
    for node in topological(outputs):
        if node.op.name == "parameter":
            given[node] = p.arrays[node.attribute("index")]
        elif node.op.name == "scalar":
            given[node] = np.asarray(1.1 + node.attribute("index"), node.dtype.numpy_name)
    return evaluate(outputs, given)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.__name__)
def test_pairs_of_concrete_and_symbolized_graphs(pair: Pair) -> None:
    p = Program()
    before, after = pair(p)
    assert before is not after
    assert simplify(p.graph, [before]) == (after,)
    same_bits(*values_of(p, [after]), *values_of(p, [before]))
    _, (symbolic,) = symbolize([before])
    (simplified,) = simplify(Graph(), [symbolic])
    assert graph_text(simplify(Graph(), [simplified])) == graph_text([simplified])
    assert [node.op.name for node in topological([simplified])] == [
        node.op.name for node in topological([after])
    ]
    assert all(isinstance(extent, Size) for node in topological([simplified]) for extent in node.shape)


def two_sums(p: Program) -> Node:
    return p.reduce(p.reduce(p.array(3, 4, 5), "sum", 1), "sum", 1)


def slice_from_a_size(p: Program) -> Node:
    return p.slice(p.array(9), (1,), (1,), (8,))


def strided_update(p: Program) -> Node:
    return p.make(ops.update, p.array(9), p.array(4), attributes=((1,), (2,)))


def swapped_sum(p: Program) -> Node:
    return p.reduce(p.permute(p.array(3, 4, 5), 0, 2, 1), "sum", 1, 2)


def infinite_cast(p: Program) -> Node:
    return p.make(ops.add, p.array(3, dtype=I32), p.cast(p.number(float("inf"), (3,)), I32))


@pytest.mark.parametrize(
    "make",
    [two_sums, slice_from_a_size, strided_update, swapped_sum, infinite_cast],
    ids=lambda make: make.__name__,
)
def test_what_must_stay_stays(make: Callable[[Program], Node]) -> None:
    p = Program()
    node = make(p)
    (after,) = simplify(p.graph, [node])
    assert len(topological([after])) >= len(topological([node])) - 1
    assert sum(each.op.name in ("reduce", "slice", "update", "cast") for each in topological([after])) == sum(
        each.op.name in ("reduce", "slice", "update", "cast") for each in topological([node])
    )


def test_reshapes_compose_by_structure_and_not_by_chance() -> None:
    """(a, b) -> (a * b) -> (c, d) with a == c now is no identity: the plan must serve a != c too."""

    def program(a: int, b: int, c: int, d: int) -> tuple[Program, Node]:
        p = Program()
        x = p.array(a, b)
        flat = p.reshape(x, a * b)
        return p, p.make(ops.add, p.reshape(p.make(ops.neg, flat), c, d), p.array(c, d))

    for sizes in ((4, 6, 4, 6), (4, 6, 6, 4), (4, 6, 2, 12), (3, 8, 8, 3)):
        p, node = program(*sizes)
        (found,) = compute(p.graph, [node], p.arrays)
        same_bits(found, *values_of(p, [node]))


def test_a_removed_parameter_leaves_the_strides_of_the_others_in_place() -> None:
    """select(c, x, x) needs no c, but the plan is still bound with the strides of c."""
    rng = np.random.default_rng(0)
    for stride in (2, 3):
        mask = (rng.random((6 * stride, 7)) < 0.5)[::stride, :5]
        x, y = rng.normal(size=(6, 11))[:, :5], rng.normal(size=(6, 9))[:, :5]
        graph = Graph()
        nodes = [
            graph.parameter(0, (6, 5), BOOL, "s1"),
            *(graph.parameter(k, (6, 5), F64, "s1") for k in (1, 2)),
        ]
        node = graph.make(ops.add, graph.make(ops.select, nodes[0], nodes[1], nodes[1]), nodes[2])
        (found,) = compute(graph, [node], [mask, x, y])
        same_bits(found, x + y)


def test_regions_are_simplified_too() -> None:
    graph = Graph()
    outputs = loop_program(graph)
    assert simplify(graph, outputs) == outputs
    doubled = Graph()
    changed = simplify(doubled, simplify(doubled, outputs))
    assert graph_text(changed) == graph_text(outputs)


# Reshapes ------------------------------------------------------------------------------------------------
def shapes_of(outputs: tuple[Node, ...], name: str) -> list[tuple[int, ...]]:
    return [node.shape for node in topological(outputs) if node.op.name == name]


def test_a_reshape_moves_to_a_contiguous_parameter() -> None:
    p = Program()
    x, scale, z = p.array(24), p.graph.scalar(0, F32), p.array(4, 6)
    inner = p.make(ops.mul, p.make(ops.exp, x), p.spread(scale, (24,)))
    before = p.make(ops.add, p.reshape(inner, 4, 6), z)
    (after,) = hoist_reshapes(p.graph, [before])
    moved = p.make(ops.mul, p.make(ops.exp, p.reshape(x, 4, 6)), p.spread(scale, (4, 6)))
    assert after is p.make(ops.add, moved, z)
    same_bits(*values_of(p, [after]), *values_of(p, [before]))


def test_a_reshape_moves_through_a_product_to_its_result() -> None:
    p = Program()
    x, y = p.array(4, 5), p.array(5, 6)
    product = p.make(ops.dot, x, y)
    before = p.make(ops.neg, p.reshape(p.make(ops.tanh, product), 24))
    (after,) = hoist_reshapes(p.graph, [before])
    assert after is p.make(ops.neg, p.make(ops.tanh, p.reshape(product, 24)))


def test_a_reshape_moves_to_the_array_whose_row_it_is_of() -> None:
    """Rows at positions of the program and at known ones, rows of rows, and functions of them."""
    p = Program()
    x = p.array(5, 2, 4, 6)
    i, j = p.graph.scalar(0, I64), p.graph.scalar(1, I64)
    row = ((0,), 0, (False,), (0,), 0)
    inner = p.make(ops.gather, p.make(ops.gather, x, i, attributes=row), j, attributes=row)
    before = p.make(ops.neg, p.reshape(p.make(ops.exp, inner), 24))
    flat = p.reshape(x, 5, 2, 24)
    (after,) = hoist_reshapes(p.graph, [before])
    moved = p.make(ops.gather, p.make(ops.gather, flat, i, attributes=row), j, attributes=row)
    assert after is p.make(ops.neg, p.make(ops.exp, moved))
    third = p.make(ops.slice_, x, attributes=((2, 0, 0, 0), (1, 1, 1, 1), (1, 2, 4, 6)))
    (after,) = hoist_reshapes(p.graph, [p.make(ops.neg, p.reshape(third, 8, 6))])
    window = ((2, 0, 0), (1, 1, 1), (1, 8, 6))
    moved = p.make(ops.slice_, p.reshape(x, 5, 8, 6), attributes=window)
    assert after is p.make(ops.neg, p.reshape(moved, 8, 6))


def part_of_rows(p: Program) -> tuple[Node, ...]:
    part = p.make(ops.slice_, p.array(5, 4, 6), attributes=((2, 1, 0), (1, 1, 1), (1, 2, 6)))
    return (p.make(ops.neg, p.reshape(part, 12)),)


def two_rows(p: Program) -> tuple[Node, ...]:
    rows = p.make(ops.slice_, p.array(5, 4, 6), attributes=((2, 0, 0), (1, 1, 1), (2, 4, 6)))
    return (p.make(ops.neg, p.reshape(rows, 48)),)


def column(p: Program) -> tuple[Node, ...]:
    at = p.graph.scalar(0, I64)
    taken = p.make(ops.gather, p.array(4, 5, 6), at, attributes=((1,), 0, (False,), (0,), 0))
    return (p.make(ops.neg, p.reshape(taken, 24)),)


def strided_operand(p: Program) -> tuple[Node, ...]:
    x = p.array(4, 6, layout="s1")
    return (p.make(ops.neg, p.reshape(p.make(ops.exp, x), 24)),)


def value_used_twice(p: Program) -> tuple[Node, ...]:
    grown = p.make(ops.exp, p.array(4, 6))
    return (p.make(ops.neg, p.reshape(grown, 24)), p.make(ops.neg, grown))


def value_that_is_an_output(p: Program) -> tuple[Node, ...]:
    grown = p.make(ops.exp, p.array(4, 6))
    return (p.make(ops.neg, p.reshape(grown, 24)), grown)


def reshape_that_is_an_output(p: Program) -> tuple[Node, ...]:
    return (p.reshape(p.make(ops.exp, p.array(4, 6)), 24),)


@pytest.mark.parametrize(
    "make",
    [
        strided_operand,
        value_used_twice,
        value_that_is_an_output,
        reshape_that_is_an_output,
        part_of_rows,
        two_rows,
        column,
    ],
    ids=lambda make: make.__name__,
)
def test_a_reshape_stays_where_moving_it_costs(make: Callable[[Program], tuple[Node, ...]]) -> None:
    p = Program()
    outputs = make(p)
    assert hoist_reshapes(p.graph, outputs) == outputs


def test_a_reshape_of_a_product_moves_behind_what_is_made_of_it() -> None:
    """Past numbers, repeated values, arrays in memory and other products; a product that others use, too."""
    p = Program()
    first, second = (p.make(ops.dot, p.array(4, 5), p.array(5, 6)) for _ in range(2))
    bias, rest = p.array(4), p.array(4, 2, 3)

    def spread(shape: tuple[int, ...]) -> Node:
        return p.graph.make(ops.broadcast, bias, attributes=(shape, (0,)))

    opened = p.reshape(first, 4, 2, 3)
    before = p.make(ops.add, p.make(ops.add, opened, spread((4, 2, 3))), rest)
    before = p.make(ops.mul, p.make(ops.tanh, before), p.reshape(second, 4, 2, 3))
    after = sink_reshapes(p.graph, [before, opened])
    inside = p.make(ops.add, p.make(ops.add, first, spread((4, 6))), p.reshape(rest, 4, 6))
    inside = p.make(ops.mul, p.make(ops.tanh, inside), second)
    assert after == (p.reshape(inside, 4, 2, 3), opened)
    same_bits(values_of(p, [after[0]])[0], values_of(p, [before])[0])


def test_a_reshape_of_a_product_stays_before_what_would_be_copied() -> None:
    p = Program()
    opened = p.reshape(p.make(ops.dot, p.array(4, 5), p.array(5, 6)), 4, 2, 3)
    along = p.graph.make(ops.broadcast, p.array(3), attributes=((4, 2, 3), (2,)))
    turned = p.array(4, 2, 3, layout="ss1")
    outputs = tuple(p.make(ops.add, opened, each) for each in (along, p.make(ops.exp, turned)))
    assert sink_reshapes(p.graph, outputs) == outputs


# Random graphs --------------------------------------------------------------------------------------------
def results(outputs: Sequence[Node], values: dict[tuple, np.ndarray]) -> list[np.ndarray]:
    leaves = [node for node in topological(outputs) if node.op.name in ("parameter", "scalar")]
    return evaluate(outputs, {node: values[node.op, node.attributes] for node in leaves})


@pytest.mark.parametrize("start", range(0, 1000, 100))
def test_simplified_equals_meant(start: int) -> None:
    for seed in range(start, start + 100):
        made = Maker(seed).make()
        values = {(node.op, node.attributes): array for node, array in zip(made.parameters, made.arrays)}
        values.update(
            ((node.op, node.attributes), np.asarray(value, node.dtype.numpy_name))
            for node, value in made.scalars
        )
        simplified = simplify(Graph(), made.outputs)
        assert len(simplified) == len(made.outputs)
        wanted = results(made.outputs, values)
        for outputs in (simplified, hoist_reshapes(Graph(), simplified), sink_reshapes(Graph(), simplified)):
            for found, expected in zip(results(outputs, values), wanted, strict=True):
                same_bits(found, expected)
        assert graph_text(simplify(Graph(), simplified)) == graph_text(simplified), seed


def test_simplification_is_linear() -> None:
    """A chain of 20,000 nodes that all vanish, and one that all stay."""
    p = Program()
    x = node = p.array(4)
    for _ in range(10_000):
        node = p.make(ops.neg, p.make(ops.neg, node))
    assert simplify(Graph(), [p.make(ops.add, node, x)])[0].op is ops.add
    assert len(topological(simplify(Graph(), [node]))) == 1
    assert run([x], {x: p.arrays[0]})[0] is p.arrays[0]
