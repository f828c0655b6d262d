"""Library functions on stacks of matrices, and values that a run checks, on each device."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from jitframe.codegen.plan.bind import OutOfBounds
from jitframe.errors import JitframeError
from jitframe.ir import ops
from jitframe.ir.node import Graph, Node, Op
from jitframe.ir.ops import complex_linear_algebra, fourier, linear_algebra, small_matrices
from jitframe.ir.types import F32
from tests.conformance.devices import Target, meant, parameters

ALL = (*linear_algebra.OPS, *complex_linear_algebra.OPS, *small_matrices.OPS, *fourier.OPS)
LIBRARY = tuple(op for op in ALL if op.library is not None)
EXTENTS = {"n": 5, "m": 7, "p": 3, "b": 4, "c": 2, "k": 3}


def operands(op: Op, stack: tuple[int, ...]) -> list[np.ndarray]:
    """Matrices of full rank; square ones are symmetric and positive definite. Rows to be transformed."""
    random = np.random.default_rng(len(op.name))
    found = []
    for core in op.library.operands:
        made = random.standard_normal((*stack, *[EXTENTS[letter] for letter in core]))
        if core == "nn":
            made = made @ np.swapaxes(made, -1, -2) + EXTENTS["n"] * np.eye(EXTENTS["n"])
        elif core == "nnc":
            parts = made[..., 0] + 1j * made[..., 1]
            parts = parts @ np.conj(np.swapaxes(parts, -1, -2)) + EXTENTS["n"] * np.eye(EXTENTS["n"])
            made = complex_linear_algebra.pairs_of(parts)
        found.append(np.array(made, np.float32, order="C"))
    return found


def results(graph: Graph, op: Op, given: Sequence[Node]) -> list[Node]:
    fresh: tuple[int, ...] = (min(EXTENTS["n"], EXTENTS["m"]),) * len(op.library.fresh)
    if op in fourier.OPS:
        kind = next(each for each in fourier.KINDS if each.op is op)
        reals = kind.reals(graph.make(op, *given, attributes=((), 0)))
        fresh = {"": (), "mc": (reals // 2 + 1, 2), "n": (reals,)}[op.library.fresh]
    made = graph.make(op, *given, attributes=(fresh, 0))
    assert op.results is not None
    return [graph.make(ops.item, made, attributes=(place,)) for place in range(len(op.results(made)))]


@pytest.mark.parametrize("stack", [(), (3, 2), (0,)], ids=str)
def test_every_library_function(target: Target, stack: tuple[int, ...]) -> None:
    """The results are those of NumPy's library, whatever is computed from them and whatever they are from."""
    graph = target.graph()
    arrays: list[np.ndarray] = []
    outputs: list[Node] = []
    for op in LIBRARY:
        arrays += operands(op, stack)
    given = parameters(graph, arrays)
    rest = iter(given)
    for op in LIBRARY:
        doubled = [graph.make(ops.add, each, each) for each in (next(rest) for _ in op.library.operands)]
        outputs += [graph.make(ops.neg, each) for each in results(graph, op, doubled)]
    # What completes the left vectors of a matrix with more rows than columns, no value decides.
    free = {
        each.inputs[0] for each in outputs if each.inputs[0].inputs[0].op is small_matrices.small_svd_full
    }
    pairs = zip(target.run(graph, outputs, arrays), meant(graph, outputs, arrays), strict=True)
    for output, (ours, theirs) in zip(outputs, pairs, strict=True):
        if output.inputs[0] in free:
            ours, theirs = ours[..., : EXTENTS["n"]], theirs[..., : EXTENTS["n"]]
        # Vectors of either sign are right: NumPy computes in float64, and LAPACK may come to the other one.
        np.testing.assert_allclose(np.abs(ours), np.abs(theirs), rtol=1e-3, atol=1e-3)


def checked(graph: Graph, x: Node) -> Node:
    zero = graph.make(ops.broadcast, graph.constant(0, F32), attributes=(x.shape, ()))
    bad = graph.make(ops.lt, x, zero)
    return graph.make(
        ops.add, graph.make(ops.checked, x, bad, attributes=("linear algebra", "below 0", 0)), x
    )


def test_a_value_that_a_run_checks(target: Target) -> None:
    graph = target.graph()
    array = np.arange(3000, dtype=np.float32).reshape(30, 100)
    (given,) = parameters(graph, [array])
    output = checked(graph, given)
    (found,) = target.run(graph, [output], [array])
    np.testing.assert_array_equal(found, array * 2)
    array[29, 98] = -1
    with pytest.raises((JitframeError, OutOfBounds), match="below 0"):
        target.run(graph, [output], [array])


def test_a_library_call_that_fails_in_the_midst_of_a_program(target: Target) -> None:
    graph = target.graph()
    array = np.zeros((4, 5, 5), np.float32)
    array[:2] = np.eye(5)
    (given,) = parameters(graph, [array])
    (solved,) = results(graph, ops.solve, [given, given])
    output = graph.make(ops.add, solved, solved)
    for _ in range(2):
        with pytest.raises(np.linalg.LinAlgError, match="Singular matrix"):
            target.run(graph, [output], [array])
