"""The suite itself: no op is left out, the tables name what there is, and both kinds of mistake are told."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from jitframe.ir import ops
from jitframe.ir.node import Graph, Node, topological
from jitframe.ir.ops import complex_numbers
from jitframe.ir.types import BY_NUMPY_NAME
from tests.conformance import (
    check,
    elementwise,
    test_attention,
    test_compositions,
    test_linear_algebra,
    test_movement,
    test_quantized,
    test_reductions,
    test_scalar_functions,
    test_selection,
    test_sorting,
)
from tests.conformance.check import Case, Outcome, settle
from tests.conformance.devices import ARRAY_DTYPES, BACKENDS, Target, ops_in, parameters, require
from tests.conformance.tables import COMPOSED_WITHIN, GAPS, MISSING_DTYPES, ULP
from tests.conformance.test_control import parallel_program, while_program
from tests.conformance.test_written_kernels import scaled_and_added
from tests.ir.graphs import loop_program


def made_by(cases: Sequence[Case], arrays: Sequence[np.ndarray]) -> set[str]:
    graph = Graph()
    given = parameters(graph, arrays)
    return ops_in([case.build(graph, given) for case in cases])


def test_every_op_is_tried() -> None:
    graph = Graph()
    x, bound = parameters(graph, [np.zeros(70, np.float32), np.zeros((), np.float32)])
    tried = ops_in(loop_program(Graph())) | ops_in(while_program(graph, x, bound))
    for dtype in ARRAY_DTYPES:
        name = dtype.numpy_name
        for count in (1, 2, 3):
            cases = elementwise.plain_cases(dtype, count)
            tried |= made_by(cases, elementwise.arguments(name, count)) if cases else set()
        tried |= made_by(elementwise.cast_cases(dtype, ("float32", "float64", "int64")), [np.zeros(3, name)])
    tried |= made_by(*elementwise.random_words())
    tried |= {op.name for count in (1, 2) for op in elementwise.math_ops(count)}
    for shape, cases in (*test_movement.CASES.items(), *test_selection.CASES.items()):
        tried |= made_by(cases, [np.zeros(shape, np.float32)] * 2)
    tried |= made_by([test_movement.iota((3,), 0, BY_NUMPY_NAME["int32"])], ())
    tried |= made_by(test_reductions.cases(("sum",), (3, 5)), [np.zeros((3, 5), np.float32)])
    tried |= made_by(test_reductions.found((3, 5)), [np.zeros((3, 5), np.int32)])
    tried |= made_by(test_reductions.prefixes((3, 5), ("sum",)), [np.zeros((3, 5), np.int32)])
    convolved = Case("image_dot", lambda graph, given: graph.make(ops.image_dot, *given))
    tried |= made_by([convolved], [np.zeros((2, 3), np.float32), np.zeros((3, 2), np.float32)])
    matrices = Case("dot", lambda graph, given: test_compositions.product(graph, *given))
    tried |= made_by([matrices], [np.zeros((2, 3), np.float32), np.zeros((3, 2), np.float32)])
    small = Case("small_dot", lambda graph, given: test_compositions.small_products(graph, *given))
    tried |= made_by([small], [np.zeros((2, 2, 3), np.float32), np.zeros((2, 3, 2), np.float32)])
    packed = Case("packed_dot", lambda graph, given: test_compositions.packed_products(graph, *given))
    tried |= made_by([packed], [np.zeros((2, 3, 4, 5), np.float32), np.zeros((2, 4, 5, 3), np.float32)])
    images = Case("window_dot", lambda graph, given: test_compositions.window_products(graph, *given))
    tried |= made_by([images], [np.zeros((2, 3, 3), np.float32), np.zeros((4, 5), np.float32)])
    squares = Case("winograd_dot", lambda graph, given: test_compositions.transformed_products(graph, *given))
    tried |= made_by([squares], [np.zeros((2, 3, 3, 3), np.float32), np.zeros((3, 4, 5), np.float32)])
    panels = Case("panel_dot", lambda graph, given: test_compositions.panel_products(graph, *given))
    tried |= made_by([panels], [np.zeros((2, 4), np.float32), np.zeros((4, 3), np.float32)])
    orders = [test_sorting.built(0, False, positions) for positions in (False, True)]
    tried |= made_by(orders, [np.zeros((3, 5), np.float32)])
    tried |= made_by(
        [test_sorting.selected(False)], [np.zeros((3, 5), np.float32), np.zeros((3, 1), np.int64)]
    )
    tried |= made_by(
        [test_sorting.partitioned(False, False)], [np.zeros((3, 5), np.float32), np.zeros(3, np.float32)]
    )
    rows = [(1, 1, 1, 2, 3), (1, 1, 4, 3), (1, 1, 4, 3), (2, 4)]
    tried |= made_by(test_attention.CASES[:1], [np.zeros(shape, np.float32) for shape in rows])
    tried |= made_by([test_quantized.built(2, 4)], test_quantized.operands(2, 4, True))
    written = Case("custom", lambda graph, given: scaled_and_added(graph, *given))
    tried |= made_by([written], [np.zeros(70, np.float32)] * 2)
    places = parameters(graph, [np.zeros(4, np.float32), np.zeros(4, np.int32)])
    tried |= ops_in(parallel_program(graph, *places))
    scalars = Graph()
    functions = test_scalar_functions.built(scalars, parameters(scalars, [np.zeros(3, np.int32)] * 2))
    tried |= ops_in(functions)
    given = Graph()
    factored = [test_linear_algebra.operands(op, ()) for op in test_linear_algebra.LIBRARY]
    for op, arrays in zip(test_linear_algebra.LIBRARY, factored, strict=True):
        made = test_linear_algebra.results(given, op, parameters(given, arrays))
        tried |= {node.op.name for node in topological(made)}
    positive = Case("checked", lambda graph, given: test_linear_algebra.checked(graph, *given))
    tried |= made_by([positive], [np.zeros(3, np.float32)])
    # Complex ones are none of a kernel's (tests/complex), and tests register ops of theirs.
    own = {op.name for op in ops.OPS.values() if not op.infer.__module__.startswith("tests.")}
    own -= {op.name for op in (*complex_numbers.OPS, ops.callback)}  # host functions: tests/jit
    assert own and own <= tried, own - tried


def test_the_tables_name_what_there_is() -> None:
    assert set(ULP) == set(COMPOSED_WITHIN) == set(BACKENDS)
    assert set(MISSING_DTYPES) <= set(BACKENDS)
    assert all(name in ops.OPS for table in ULP.values() for name in table)
    names = {dtype.numpy_name for dtype in ARRAY_DTYPES}
    assert all(names > set(missing) and all(missing.values()) for missing in MISSING_DTYPES.values())
    for (backend, _op, dtype), reason in GAPS.items():
        assert backend in BACKENDS and dtype in {*names, "mixed"} and reason


def fault(_target: Target, outcome: Outcome, _arrays: Sequence[np.ndarray]) -> str:
    return "" if np.array_equal(outcome.ours, outcome.theirs) else "another value"


def negation(_graph: Graph, given: list[Node]) -> Node:
    return _graph.make(ops.neg, *given)


@pytest.mark.parametrize(
    ("right", "declared", "said"),
    [
        (True, False, None),
        (False, True, None),
        (False, False, "cpu, float32:\nneg: another value"),
        (True, True, "cpu, float32:\nneg: declared as a gap (a reason), and it works"),
    ],
)
def test_gaps_are_strict(
    monkeypatch: pytest.MonkeyPatch, right: bool, declared: bool, said: str | None
) -> None:
    monkeypatch.setattr(check, "GAPS", {("cpu", "neg", "float32"): "a reason"} if declared else {})
    values = np.arange(3, dtype=np.float32)
    outcome = Outcome(Case("neg", negation), values, values if right else values + 1)
    if said is None:
        settle(require("cpu"), "float32", [outcome], (), fault)
        return
    with pytest.raises(AssertionError) as caught:
        settle(require("cpu"), "float32", [outcome], (), fault)
    assert str(caught.value).startswith(said)


def test_an_error_beyond_the_tolerance_is_told() -> None:
    case = Case("exp", lambda graph, given: graph.make(ops.exp, *given))
    given = np.linspace(-3, 3, 101, dtype=np.float32)
    right = np.exp(given)
    off = right.copy()
    off[17] += 4 * np.spacing(off[17])
    cpu = require("cpu")
    assert check.by_bits_or_ulp(cpu, Outcome(case, right, right), (given,)) == ""
    told = check.by_bits_or_ulp(cpu, Outcome(case, off, right), (given,))
    assert told.endswith(f"ulp off at ({float(given[17])!r},)")
    exact = Outcome(Case("add", negation), off, right)
    assert "1 of 101 differ, the first at 17" in check.by_bits_or_ulp(cpu, exact, (given,))
