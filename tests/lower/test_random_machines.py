"""Random graphs lowered for machines of many lanes and few buffers mean what the graph means, bit for bit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from jitframe.codegen.lower.machine import Machine, machine_for, processor_for
from jitframe.codegen.plan.bind import PlanTemplate, scalar_bits
from jitframe.codegen.plan.peak import estimate_peak_bytes
from jitframe.ir.interpret import evaluate
from jitframe.ir.node import Node
from jitframe.ir.record import replace
from jitframe.runtime.executor import execute

from ..plan.reference_driver import ReferenceDriver
from ..plan.test_lowered import memory
from .machines import FACTS, lower
from .random_graphs import Maker, RandomGraph

MOST_ELEMENTS = 1000
SELECT = 4
"""Buffers of the one operation that reads three arrays."""
TEAMS = machine_for(64, 8192, 8, library_products=False, writers=128)
MACHINES = {
    "64 lanes": TEAMS,
    "32 lanes": machine_for(32, 8192, 8, library_products=False),
    "64 lanes that shuffle": replace(TEAMS, shuffles=True),
    "one lane": Machine(tile=64, library_products=False, streams=False),
    "a processor's compiler": replace(processor_for(8, library_products=False), tile=64),
    **{f"{limit} buffers": replace(TEAMS, most_buffers=limit) for limit in (3, 4, 6)},
}


def interpreted(made: RandomGraph) -> list[np.ndarray]:
    given = dict(zip(made.parameters, made.arrays, strict=True))
    given.update({node: np.asarray(value, node.dtype.numpy_name) for node, value in made.scalars})
    with np.errstate(all="ignore"):
        return [np.array(value) for value in evaluate(made.outputs, given)]


def is_small(made: RandomGraph) -> bool:
    """Whether the interpreter is fast enough; its memory starts at an array's address."""
    backwards = any(stride < 0 for array in made.arrays for stride in array.strides)
    return not backwards and sum(array.size for array in made.arrays) <= MOST_ELEMENTS


def launched(made: RandomGraph, machine: Machine, written: Sequence[Node] = ()) -> list[np.ndarray]:
    """The memory of the plan's outputs after a run; it writes to the graph's arrays where told to."""
    plan, numbers, order = lower(made.outputs, made.strides, machine, written)
    for kernel in plan.kernels:
        assert len(kernel.buffers) <= max(machine.most_buffers or 99, SELECT), kernel.name
        assert kernel.workgroup in (1, 64, machine.lanes)
    bits = {node.attributes[0]: scalar_bits(value, node.dtype) for node, value in made.scalars}
    bound = PlanTemplate(plan).bind(numbers, FACTS)
    driver = ReferenceDriver()
    results = execute(bound, driver, [memory(a) for a in made.arrays], [bits[index] for index in order])
    assert driver.peak_bytes == estimate_peak_bytes(bound)
    return results


@pytest.mark.parametrize("name", list(MACHINES))
def test_lowered_for_a_machine_means_what_the_graph_means(name: str) -> None:
    runs = 0
    for seed in range(40):
        made = Maker(seed).make()
        if not is_small(made):
            continue
        runs += 1
        for node, found, due in zip(
            made.outputs, launched(made, MACHINES[name]), interpreted(made), strict=True
        ):
            ours = found[: due.nbytes].view(due.dtype).reshape(due.shape)
            np.testing.assert_array_equal(ours, due, err_msg=f"{name}, seed {seed}: {node}")
    assert runs >= 10


@pytest.mark.parametrize("name", ["64 lanes", "4 buffers"])
def test_results_written_over_arguments(name: str) -> None:
    runs = 0
    for seed in range(120):
        made = Maker(seed).make()
        targets = {}
        for node in made.outputs:
            for parameter in made.parameters:
                alike = (parameter.shape, parameter.dtype) == (node.shape, node.dtype)
                if alike and "0" not in parameter.attribute("layout") and parameter not in targets.values():
                    targets.setdefault(node, parameter)
        if not targets or not is_small(made):
            continue
        runs += 1
        made.outputs.sort(key=lambda node: node not in targets)
        due = interpreted(made)
        written = [targets[node] for node in made.outputs if node in targets]
        results = launched(made, MACHINES[name], written)
        for node, parameter, wanted in zip(made.outputs, written, due, strict=False):
            ours = made.arrays[made.parameters.index(parameter)]
            np.testing.assert_array_equal(ours, wanted, err_msg=f"{name}, seed {seed}: {node}")
        for found, wanted in zip(results, due[len(written) :], strict=True):
            ours = found[: wanted.nbytes].view(wanted.dtype).reshape(wanted.shape)
            np.testing.assert_array_equal(ours, wanted, err_msg=f"{name}, seed {seed}")
    assert runs >= 8
