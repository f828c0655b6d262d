"""Graphs lowered for machines of many lanes, and run: by the kernel interpreter, on OpenCL and on WebGPU."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from jitframe.arrays.layout import layout_of, run_time_strides
from jitframe.codegen.kernel.verify import verify
from jitframe.codegen.lower.machine import Machine, machine_for, processor_for
from jitframe.codegen.lower.program import lower_program
from jitframe.codegen.plan.bind import PlanTemplate, scalar_bits
from jitframe.codegen.plan.nodes import Plan
from jitframe.codegen.plan.verify import verify_plan
from jitframe.compilation.evaluate import enumerate_scalars
from jitframe.errors import BackendError
from jitframe.ir.expr import evaluate as evaluate_expr
from jitframe.ir.interpret import evaluate
from jitframe.ir.node import Graph, Node, topological
from jitframe.ir.passes import run_passes
from jitframe.ir.structure import find_structure
from jitframe.ir.symbolize import symbolize
from jitframe.ir.types import BY_NUMPY_NAME
from jitframe.runtime.executor import execute
from tests.plan.reference_driver import ReferenceDriver
from tests.pocl import UNOPTIMIZED

FACTS = {"device.stream_bytes": 1 << 40, "device.threads": 2}
WEBGPU = machine_for(256, 16384, 8, library_products=False)
"""What every WebGPU device has."""
SMALL = machine_for(64, 8192, 8, library_products=False)
"""Two teams: few enough lanes for the interpreter."""
COMPILED = processor_for(8, library_products=False)
"""A processor whose kernels another compiler reads."""


class Problem:
    """A graph with the arrays it is computed from."""

    def __init__(self) -> None:
        self.graph = Graph()
        self.parameters: list[Node] = []
        self.arrays: list[np.ndarray[Any, Any]] = []

    def parameter(self, array: np.ndarray[Any, Any]) -> Node:
        node = self.graph.parameter(
            len(self.arrays), array.shape, BY_NUMPY_NAME[str(array.dtype)], layout_of(array)
        )
        self.parameters.append(node)
        self.arrays.append(array)
        return node

    def meant(self, outputs: Sequence[Node]) -> list[np.ndarray[Any, Any]]:
        """The outputs' values by the graph interpreter."""
        given: dict[Node, Any] = dict(zip(self.parameters, self.arrays, strict=True))
        for node in self.graph._interned.values():
            if node.op.name == "scalar":
                value = self.graph.scalar_values[node.attribute("index")]
                given[node] = np.asarray(value, node.dtype.numpy_name)
        with np.errstate(all="ignore"):
            return evaluate(outputs, given)

    def strides(self) -> list[tuple[int, ...]]:
        pairs = zip(self.parameters, self.arrays, strict=True)
        return [run_time_strides(array, node.attribute("layout")) for node, array in pairs]


def lower(
    outputs: Sequence[Node],
    strides: Sequence[Sequence[int]],
    machine: Machine,
    written: Sequence[Node] = (),
) -> tuple[Plan, list[int], tuple[int, ...]]:
    """The verified plan, the numbers it was made for, and the graph's scalars that it takes, in order.

    The first outputs go to the memory of the parameters `written`, the others are the plan's.
    """
    roots = (*outputs, *written)
    structure = find_structure(roots)
    sizes = [*structure.sizes, *(s for index in structure.parameters for s in strides[index])]
    _, symbolic = symbolize(roots)
    found = dict(enumerate_scalars(symbolic))
    answers: dict[Any, bool] = {}

    def decide(condition: Any) -> bool:
        return answers.setdefault(condition, bool(evaluate_expr(condition, sizes)))

    final = run_passes(symbolic[: len(outputs)], decide, limits=machine.limits)
    layouts = {
        node.attribute("index"): node.attribute("layout")
        for node in topological(symbolic)
        if node.op.name == "parameter"
    }
    program = lower_program(
        final,
        len(structure.sizes),
        len(strides),
        [found[index] for index in range(len(found))],
        decide,
        layouts,
        dict(enumerate(symbolic[len(outputs) :])),
        machine,
    )
    for kernel in program.plan.kernels:
        verify(kernel, allow_fma=machine.fma)
    verify_plan(program.plan)
    return program.plan, sizes, structure.scalars


class Interpreter(ReferenceDriver):
    """The reference driver with the transfers that devices have."""

    def upload(self, target: tuple[Any, int], data: memoryview) -> None:
        target[0][: data.nbytes] = np.frombuffer(data, np.uint8)

    def download(self, source: tuple[Any, int], out: memoryview) -> None:
        out.cast("B")[:] = source[0][: out.nbytes].tobytes()


@cache
def driver_of(backend: str, *options: str) -> Any:
    """A backend's first device, or why there is none (a str)."""
    try:
        return importlib.import_module(f"jitframe.runtime.drivers.{backend}").open(0, *options)
    except BackendError as problem:
        return str(problem)


def driver_of_lanes(backend: str) -> Any:
    """The same for kernels of many lanes."""
    driver = driver_of(backend)
    is_processor = backend == "opencl" and not isinstance(driver, str) and driver.facts.kind == "cpu"
    return driver_of(backend, UNOPTIMIZED) if is_processor else driver


def run(
    driver: Any,
    problem: Problem,
    outputs: Sequence[Node],
    machine: Machine,
    written: Sequence[Node] = (),
) -> list[np.ndarray[Any, Any]]:
    """The outputs' values as a driver computes them; arrays of a problem are contiguous.

    The first outputs are written to the parameters `written`.
    """
    plan, sizes, order = lower(outputs, problem.strides(), machine, written)
    bound = PlanTemplate(plan).bind(sizes, FACTS)
    types = dict(enumerate_scalars(outputs))
    bits = [scalar_bits(problem.graph.scalar_values[index], types[index]) for index in order]
    inputs = []
    for array in problem.arrays:
        memory = driver.allocate(array.nbytes)
        driver.upload((memory, 0), memoryview(np.ascontiguousarray(array).reshape(-1).view(np.uint8)))
        inputs.append(memory)
    made = execute(bound, driver, inputs, bits)
    places = [inputs[node.attribute("index")] for node in written] + made
    results = []
    for node, memory in zip(outputs, places, strict=True):
        out = np.empty(tuple(map(int, node.shape)), node.dtype.numpy_name)
        driver.download((memory, 0), memoryview(out.reshape(-1).view(np.uint8)))
        results.append(out)
    for memory in (*inputs, *made):
        driver.free(memory)
    return results
