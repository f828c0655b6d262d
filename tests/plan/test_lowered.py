"""Plans that graphs are lowered to: they verify, survive printing, and are interpreted without a race.

Neither a compiler nor a device takes part: random graphs, lowered, interpreted kernel by kernel, equal the
interpreted graph.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

from jitframe.codegen.kernel.verify import verify
from jitframe.codegen.lower.program import lower_program
from jitframe.codegen.plan.bind import PlanTemplate, scalar_bits
from jitframe.codegen.plan.nodes import Plan
from jitframe.codegen.plan.parse import parse_plan
from jitframe.codegen.plan.peak import estimate_peak_bytes
from jitframe.codegen.plan.text import plan_text
from jitframe.codegen.plan.verify import verify_plan
from jitframe.ir.expr import evaluate as evaluate_expr
from jitframe.ir.interpret import evaluate as evaluate_graph
from jitframe.ir.node import Graph, Walk, topological
from jitframe.ir.passes.legalize import legalize
from jitframe.ir.structure import find_structure
from jitframe.ir.symbolize import symbolize
from jitframe.runtime.executor import execute
from tests.lower.random_graphs import Maker, RandomGraph
from tests.plan.reference_driver import ReferenceDriver

FACTS = {"device.stream_bytes": 1 << 12, "device.threads": 2}
MOST_ELEMENTS = 1000


def lowered(made: RandomGraph) -> tuple[Plan, list[int], tuple[int, ...]]:
    """The plan of a random graph, the numbers it was made for, and the scalars it takes in order."""
    structure = find_structure(made.outputs)
    sizes = [*structure.sizes, *(s for index in structure.parameters for s in made.strides[index])]
    _, symbolic = symbolize(tuple(made.outputs))
    found = {n.attributes[0]: n.attributes[1] for n in topological(symbolic) if n.op.name == "scalar"}
    program = lower_program(
        legalize(Graph(), Walk(symbolic)),
        len(structure.sizes),
        len(made.strides),
        [found[index] for index in range(len(found))],
        lambda condition: bool(evaluate_expr(condition, sizes)),
    )
    return program.plan, sizes, structure.scalars


def memory(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The bytes an array of strides from zero on spans."""
    if array.size == 0:
        return np.zeros(0, np.uint8)
    steps = zip(array.shape, array.strides, strict=True)
    span = sum((extent - 1) * stride for extent, stride in steps) + array.itemsize
    return np.ctypeslib.as_array((ctypes.c_uint8 * span).from_address(array.ctypes.data))


@pytest.mark.parametrize("start", range(0, 60, 10))
def test_lowered_plans_verify_and_mean_what_the_graph_means(start: int) -> None:
    run = 0
    for seed in range(start, start + 10):
        made = Maker(seed).make()
        plan, sizes, scalars = lowered(made)
        for kernel in plan.kernels:
            verify(kernel)
        verify_plan(plan)
        text = plan_text(plan)
        assert plan_text(parse_plan(text)) == text
        # The reference driver's memory starts at the address; a negative stride would leave it.
        backwards = any(stride < 0 for array in made.arrays for stride in array.strides)
        if backwards or sum(array.size for array in made.arrays) > MOST_ELEMENTS:
            continue
        run += 1
        bits = {node.attributes[0]: scalar_bits(value, node.dtype) for node, value in made.scalars}
        bound = PlanTemplate(plan).bind(sizes, FACTS)
        driver = ReferenceDriver()
        outputs = execute(bound, driver, [memory(a) for a in made.arrays], [bits[index] for index in scalars])
        assert driver.peak_bytes == estimate_peak_bytes(bound)
        given = dict(zip(made.parameters, made.arrays, strict=True))
        given.update({node: np.asarray(value, node.dtype.numpy_name) for node, value in made.scalars})
        with np.errstate(all="ignore"):
            meant = evaluate_graph(made.outputs, given)
        for node, found, wanted in zip(made.outputs, outputs, meant, strict=True):
            ours = found[: wanted.nbytes].view(wanted.dtype).reshape(wanted.shape)
            np.testing.assert_array_equal(ours, wanted, err_msg=f"seed {seed}: {node}")
    assert run >= 3
