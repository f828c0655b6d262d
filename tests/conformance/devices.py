"""The devices that the suite runs on, and how a graph is run there and by the reference interpreter."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from jitframe.arrays.narrow import fit_to
from jitframe.compilation.evaluate import compute, enumerate_scalars, prepare, run_on, scalar_bits
from jitframe.errors import BackendError
from jitframe.ir.interpret import evaluate
from jitframe.ir.node import Graph, Node, Region, topological
from jitframe.ir.types import BY_NUMPY_NAME, DTYPES
from jitframe.runtime.device import Device, DeviceArray
from jitframe.runtime.discovery import registry
from jitframe.runtime.discovery.built_in import BUILT_IN
from jitframe.runtime.driver import Driver
from jitframe.settings import configure, restore
from tests.conformance.tables import ALIKE, SLOW_COMPILERS, ULP

DEFAULT_LIMITS = "webgpu-default-limits"
BACKENDS = tuple(entry.name for entry in reversed(BUILT_IN))
TEMPLATE = Path(__file__).resolve().parents[2] / "examples" / "template_backend.py"
NAMES = tuple(os.environ.get("JITFRAME_CONFORMANCE", "").split()) or (*BACKENDS, DEFAULT_LIMITS, "template")
"""The processor, all backends, WebGPU once more within the limits that every browser has, and the template of
backends; or the devices that JITFRAME_CONFORMANCE names, of whatever backend is installed."""

ARRAY_DTYPES = DTYPES
"""The dtypes that arrays may have."""


@dataclass(frozen=True)
class Target:
    """A device under test. `backend` is its row in the tables of tolerances and gaps."""

    name: str
    backend: str
    device: Device

    @property
    def dtypes(self) -> tuple[str, ...]:
        """NumPy's names of the dtypes that arrays may have there."""
        return tuple(dtype.numpy_name for dtype in ARRAY_DTYPES if self.device.has(dtype))

    def tries_all(self, thorough: bool, dtype: str = "") -> bool:
        """Whether a test runs all of its cases, or some: where each kernel takes long to compile, and of a
        dtype whose kernels are much like another's."""
        return thorough or not (self.backend in SLOW_COMPILERS or dtype in ALIKE)

    def require(self, dtype: str) -> None:
        """Skip the test where the device has no such dtype; which those are is asserted elsewhere."""
        assert dtype in BY_NUMPY_NAME, f"{dtype!r} is no dtype on any device"
        if dtype not in self.dtypes:
            pytest.skip(f"{self.name} has no {dtype}")

    def graph(self) -> Graph:
        """A graph in which dtypes that the device lacks become those that stand for them: int64 is int32."""
        graph = Graph()
        graph.fit = fit_to(self.device.narrows)
        return graph

    def run(self, graph: Graph, outputs: Sequence[Node], arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
        """The outputs' values, computed by the device from its own copies of the arrays."""
        if self.device.is_host:
            return compute(graph, outputs, arrays)
        ready = prepare(outputs, [()] * len(arrays), device=self.device)
        bits = [0] * len(graph.scalar_values)
        for index, dtype in enumerate_scalars(outputs):
            bits[index] = scalar_bits(graph.scalar_values[index], dtype)
        blocks = run_on(self.device, ready, [self.device.upload(array) for array in arrays], bits)
        made = [
            DeviceArray(block, tuple(map(int, node.shape)), np.dtype(node.dtype.numpy_name))
            for block, node in zip(blocks, outputs, strict=True)
        ]
        return [each.download() for each in made]


@cache
def find(name: str) -> Target | str:
    """The device of a name in `NAMES`, or why it is not here. A backend that breaks is no absent device."""
    try:
        if name == "template":
            template_backend()
        elif name in BACKENDS[1:] or name == DEFAULT_LIMITS:
            importlib.import_module(f"jitframe.runtime.drivers.{name.partition('-')[0]}").enumerate()
        if name == DEFAULT_LIMITS:
            return _within_default_limits()
        backend = name.partition(":")[0]
        return Target(name, backend if backend in ULP else "cpu", registry.device(name))
    except BackendError as problem:
        return problem.message


@cache
def template_backend() -> ModuleType:
    """The template as an installed package has it, with its backend registered."""
    specification = importlib.util.spec_from_file_location("template_backend", TEMPLATE)
    assert specification is not None and specification.loader is not None
    module = sys.modules["template_backend"] = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    registry.register(module.ENTRY)
    return module


def _within_default_limits() -> Target:
    before = configure(webgpu_limits="default")
    try:
        driver: Driver = importlib.import_module("jitframe.runtime.drivers.webgpu").open(0)
    finally:
        restore(before)
    return Target(DEFAULT_LIMITS, "webgpu", Device(DEFAULT_LIMITS, driver.facts, lambda: driver))


def require(name: str) -> Target:
    """The device, or a skip with the reason."""
    found = find(name)
    if isinstance(found, str):
        pytest.skip(found)
    return found


THOROUGHLY = pytest.mark.parametrize(
    "thorough", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["some", "all"]
)
"""For a test that leaves out some of its cases where compilers are slow, but not in the slow set."""


def parameters(graph: Graph, arrays: Sequence[np.ndarray]) -> list[Node]:
    """A parameter for each array, contiguous, in their order."""
    return [
        graph.parameter(position, array.shape, BY_NUMPY_NAME[array.dtype.name])
        for position, array in enumerate(arrays)
    ]


def meant(graph: Graph, outputs: Sequence[Node], arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The outputs' values by the interpreter of graphs."""
    given: dict[Node, np.ndarray] = {}
    for node in topological(outputs):
        if node.op.name == "parameter":
            given[node] = arrays[node.attribute("index")]
        elif node.op.name == "scalar":
            value = graph.scalar_values[node.attribute("index")]
            given[node] = np.asarray(value, node.dtype.numpy_name)
    with np.errstate(all="ignore"):
        return [np.asarray(value) for value in evaluate(outputs, given)]


def ops_in(outputs: Sequence[Node]) -> set[str]:
    """Names of the ops in a graph, regions included."""
    found: set[str] = set()
    pending: list[Sequence[Node]] = [outputs]
    while pending:
        for node in topological(pending.pop()):
            found.add(node.op.name)
            pending.extend(region.results for region in node.attributes if isinstance(region, Region))
    return found
