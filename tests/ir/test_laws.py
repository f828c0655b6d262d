"""Every law of simplification, applied and run: it changes the graph as it says, and no bit of any result."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from jitframe.ir import ops
from jitframe.ir.interpret import evaluate
from jitframe.ir.node import Graph, Node, topological
from jitframe.ir.passes.laws import LAWS
from jitframe.ir.passes.simplify import simplify
from jitframe.ir.rewrite import Law, Pattern, Term, Variable
from jitframe.ir.types import BOOL, F32, F64, I32, I64, U8, DType

DTYPES = (BOOL, U8, I32, I64, F32, F64)
CASES = [
    pytest.param(law, dtype, id=f"{law} {dtype.name}")
    for law in LAWS
    for dtype in DTYPES
    if law.admits(dtype.kind)
]


def special(dtype: DType) -> np.ndarray:
    """Values where algebra goes wrong."""
    if dtype is BOOL:
        return np.array([False, True])
    if dtype.is_float:
        info = np.finfo(dtype.numpy_name)
        values = [
            0.0,
            0.5,
            1.0,
            1.5,
            2.0,
            3.0,
            np.pi,
            1e10,
            info.max,
            info.tiny,
            info.smallest_subnormal,
            np.inf,
        ]
        return np.array([*values, *(-np.array(values)), np.nan], dtype.numpy_name)
    limits = np.iinfo(dtype.numpy_name)
    near = {limits.min, limits.min + 1, limits.max - 1, limits.max, 0, 1, 2, 3, 100}
    return np.array(sorted(near | {-1, -2, -100} if limits.min else near), dtype.numpy_name)


def variables(term: Term) -> list[Variable]:
    if isinstance(term, Variable):
        return [term]
    if isinstance(term, Pattern):
        return list(dict.fromkeys(v for inner in term.arguments for v in variables(inner)))
    return []


def instance(graph: Graph, term: Term, given: dict[Variable, Node], dtype: DType) -> Node:
    """The graph that a side of a law stands for, its operands of one dtype."""
    if isinstance(term, Variable):
        return given[term]
    if isinstance(term, Pattern):
        kinds = [
            BOOL if term.op is ops.select and not place else dtype for place in range(len(term.arguments))
        ]
        inputs = [
            instance(graph, inner, given, kind) for inner, kind in zip(term.arguments, kinds, strict=True)
        ]
        return graph.make(term.op, *inputs)
    shape = next(iter(given.values())).shape
    return graph.make(ops.broadcast, graph.constant(term, dtype), attributes=(shape, ()))


def parameters(graph: Graph, law: Law, dtype: DType) -> tuple[dict[Variable, Node], dict[Node, np.ndarray]]:
    """A parameter for each variable, and values such that all combinations of special ones occur."""
    names = variables(law.before)
    dtypes = {name: BOOL if name.name == "c" else dtype for name in names}
    grid = np.meshgrid(*(special(dtypes[name]) for name in names), indexing="ij")
    columns = [np.ascontiguousarray(column.ravel()) for column in grid]
    given = {name: graph.parameter(place, columns[0].shape, dtypes[name]) for place, name in enumerate(names)}
    return given, {given[name]: column for name, column in zip(names, columns, strict=True)}


def same_bits(found: np.ndarray, wanted: np.ndarray) -> None:
    """Equal dtype, shape and bits; NaNs of any kind are equal."""
    found, wanted = np.asarray(found), np.asarray(wanted)
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
    np.testing.assert_array_equal(found, wanted)
    if found.dtype.kind == "f":
        number = ~np.isnan(wanted)
        np.testing.assert_array_equal(np.signbit(found)[number], np.signbit(wanted)[number])


def run(outputs: list[Node] | tuple[Node, ...], values: dict[Node, np.ndarray]) -> list[np.ndarray]:
    by_index = {node.attribute("index"): value for node, value in values.items()}
    given = {
        node: by_index[node.attribute("index")]
        for node in topological(outputs)
        if node.op.name == "parameter"
    }
    return evaluate(outputs, given)


@pytest.mark.parametrize(("law", "dtype"), CASES)
def test_a_law_changes_the_graph_and_no_bit(law: Law, dtype: DType) -> None:
    graph = Graph()
    given, values = parameters(graph, law, dtype)
    before = instance(graph, law.before, given, dtype)
    target = Graph()
    (after,) = simplify(target, [before])
    assert after is not target.make(before.op, *simplify(target, before.inputs), attributes=before.attributes)
    (wanted,) = simplify(target, [instance(graph, law.after, given, before.dtype)])
    assert after is wanted
    same_bits(*run([after], values), *run([before], values))


@pytest.mark.parametrize("law", [law for law in LAWS if law.before.op.commutative], ids=str)
def test_laws_of_commutative_ops_hold_both_ways(law: Law) -> None:
    dtype = next(dtype for dtype in DTYPES if law.admits(dtype.kind))
    graph = Graph()
    given, _ = parameters(graph, law, dtype)
    arguments = law.before.arguments
    sides = [
        instance(graph, Pattern(law.before.op, order), given, dtype) for order in (arguments, arguments[::-1])
    ]
    first, second = simplify(Graph(), sides)
    mirrored = first.op.commutative and first.inputs == second.inputs[::-1]
    assert first is second or mirrored


NO_LAWS = {
    "x + 0.0": (ops.add, 0.0),
    "x * 0.0": (ops.mul, 0.0),
    "x - -0.0": (ops.sub, -0.0),
    "min(x, -inf)": (ops.minimum, -np.inf),
    "x ** 2": (ops.pow, 2.0),
    "x ** 0.5": (ops.pow, 0.5),
}


@pytest.mark.parametrize("name", list(NO_LAWS))
def test_what_is_not_exact_stays(name: str) -> None:
    op, value = NO_LAWS[name]
    graph = Graph()
    x = graph.parameter(0, (5,), F32)
    node = graph.make(op, x, graph.make(ops.broadcast, graph.constant(value, F32), attributes=((5,), ())))
    assert simplify(graph, [node]) == (node,)


@pytest.mark.parametrize("op", [ops.eq, ops.ne, ops.le, ops.ge, ops.sub], ids=lambda op: op.name)
def test_floats_are_compared_with_themselves(op: object) -> None:
    graph = Graph()
    x = graph.parameter(0, (5,), F64)
    node = graph.make(op, x, x)  # type: ignore[arg-type]
    assert simplify(graph, [node]) == (node,)


def test_casts_of_casts_join_exactly_where_nothing_is_lost() -> None:
    """All chains of three dtypes: joined ones keep every bit, and those that could lose are kept."""
    joined = []
    for first, middle, last in itertools.product(DTYPES, repeat=3):
        graph = Graph()
        values = special(first)
        if first.is_float:
            values = values[np.isfinite(values) & (np.abs(values) < 100)]
        x = graph.parameter(0, values.shape, first)
        before = graph.make(ops.cast, graph.make(ops.cast, x, attributes=(middle,)), attributes=(last,))
        (after,) = simplify(Graph(), [before])
        same_bits(*run([after], {x: values}), *run([before], {x: values}))
        if sum(node.op is ops.cast for node in topological([after])) < 2 and middle not in (first, last):
            joined.append((first.name, middle.name, last.name))
    assert ("i32", "f64", "i32") in joined
    assert ("f32", "f64", "f32") in joined
    assert ("i64", "i32", "u8") in joined
    assert ("u8", "f32", "f64") in joined
    assert not {("i64", "f64", "i64"), ("f64", "f32", "f64"), ("i32", "f32", "f64"), ("f32", "i32", "f32"),
                ("i64", "u8", "i64"), ("i32", "f64", "u8"), ("f32", "f64", "i32")} & set(joined)  # fmt: skip
