"""Launches with known results: kernels that graphs become, and kernels written for a workgroup.

A graph is lowered for a GPU and its plan run by the interpreter of kernels; each launch is kept with the
arrays before and after it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any
from unittest.mock import patch

import numpy as np

from jitframe.codegen.c_family import Dialect, Source, UnsupportedKernel, generate
from jitframe.codegen.c_family.threads import choose_threads
from jitframe.codegen.kernel.interpret import interpret
from jitframe.codegen.kernel.nodes import Kernel
from jitframe.codegen.kernel.ops import MATH
from jitframe.codegen.kernel.scalars import from_storage, storage_dtype
from jitframe.codegen.lower.scatter import counting_sort
from jitframe.codegen.lower.scatter.last_writer_scatter import LEAST_ELEMENTS
from jitframe.codegen.math import MathFeatures, expand_math
from jitframe.compilation.evaluate import prepare
from jitframe.functions import division, elementwise, products, reductions
from jitframe.functions.linear_algebra import library_call
from jitframe.functions.operands import cast
from jitframe.ir import ops
from jitframe.ir.node import Graph, Node
from jitframe.ir.ops import fourier
from jitframe.ir.record import replace
from jitframe.ir.types import BY_NUMPY_NAME, F16, I64, U8
from jitframe.runtime.device import Device
from jitframe.runtime.driver import DeviceFacts
from jitframe.runtime.executor import View, execute

from ..backends.written import halves
from ..c_family import test_workgroups as workgroups
from ..c_family.kernels import TILE, awkward, several_outputs, softmax, transpose, workgroup_sum
from ..kernel import calling, leaving
from ..plan.reference_driver import ReferenceDriver

Arrays = tuple[np.ndarray, ...]


@dataclass(frozen=True)
class Case:
    """One launch: the arrays before it and after it."""

    name: str
    kernel: Kernel
    threads: int
    indices: tuple[int, ...]
    words: tuple[int, ...]
    """The scalars' bits."""
    groups: int
    before: Arrays
    after: Arrays

    def source(self, dialect: Dialect) -> Source | None:
        """The kernel in a language; None where that refuses it."""
        try:
            return generate(self.kernel, dialect, threads=self.threads)
        except UnsupportedKernel:
            return None


def written(
    name: str,
    kernel: Kernel,
    arrays: Sequence[np.ndarray],
    indices: Sequence[int] = (),
    scalars: Sequence[Any] = (),
    groups: int = 1,
    threads: int | None = None,
) -> Case:
    """A launch with the interpreter's result."""
    after = [array.copy() for array in arrays]
    # CUDA, HIP and MSL all have fma, and take every math function's own body.
    expanded = expand_math(kernel, MathFeatures(fma=True), frozenset(MATH))
    interpret(expanded, after, indices, scalars, range(groups))
    words = [
        int.from_bytes(np.asarray(value, storage_dtype(scalar.dtype)).tobytes(), "little")
        for value, scalar in zip(scalars, kernel.scalars, strict=True)
    ]
    threads = threads or choose_threads(kernel, 64)
    before = tuple(array.copy() for array in arrays)
    return Case(name, kernel, threads, tuple(indices), tuple(words), groups, before, tuple(after))


# Graphs ----------------------------------------------------------------------------------------------
_FACTS = DeviceFacts("a GPU", "", "gpu", frozenset(), "", most_threads=64, atomics=frozenset(("i32", "u32")))
GPU = Device("gpu", _FACTS, lambda: None)  # type: ignore[arg-type, return-value]
SHUFFLING = Device("gpu", replace(_FACTS, subgroup_lanes=32), lambda: None)  # type: ignore[arg-type, return-value]
CRAMPED = Device("gpu", replace(_FACTS, shared_bytes=8192), lambda: None)  # type: ignore[arg-type, return-value]
"""Long rows do not fit into its shared memory."""


class Recorder:
    """A plan driver that interprets kernels and keeps each launch."""

    def __init__(self, name: str) -> None:
        self._inner = ReferenceDriver()
        self._name = name
        self.cases: list[Case] = []
        self.allocate, self.free = self._inner.allocate, self._inner.free
        self.copy, self.read, self.call = self._inner.copy, self._inner.read, self._inner.call
        self.compile, self.upload = self._inner.compile, self._inner.upload

    def launch(self, handle: Kernel, buffers: Sequence[View], values: bytes, groups: int) -> None:
        arrays = []
        for (memory, offset), parameter in zip(buffers, handle.buffers, strict=True):
            whole = (len(memory) - offset) // parameter.dtype.itemsize * parameter.dtype.itemsize
            arrays.append(memory[offset : offset + whole].view(storage_dtype(parameter.dtype)))
        count = len(handle.indices)
        indices = np.frombuffer(values, np.int64)[:count].tolist()
        scalars = [
            from_storage(np.frombuffer(values[8 * at :], storage_dtype(scalar.dtype), 1)[0], scalar.dtype)
            for at, scalar in enumerate(handle.scalars, count)
        ]
        case = written(f"{self._name}-{handle.name}", handle, arrays, indices, scalars, groups)
        for array, after in zip(arrays, case.after, strict=True):
            array[:] = after
        self.cases.append(case)


def graph_cases(
    name: str, build: Callable[..., Sequence[Node]], arrays: Sequence[np.ndarray], device: Device = GPU
) -> list[Case]:
    """The launches of a graph's plan on a GPU."""
    graph = Graph()
    given = [
        graph.parameter(number, array.shape, BY_NUMPY_NAME[array.dtype.name])
        for number, array in enumerate(arrays)
    ]
    ready = prepare(build(graph, *given), [()] * len(arrays), device=device)
    words = []
    for index in ready.scalars:
        value = graph.scalar_values[index]
        words.append(int.from_bytes(np.asarray(value).tobytes(), "little"))
    driver = Recorder(name)
    execute(ready.bound, driver, [array.ravel().view(np.uint8) for array in arrays], words)
    return driver.cases


def chain(graph: Graph, x: Node, y: Node) -> list[Node]:
    """Arithmetic with every awkward value, a choice, an exponential."""
    scaled = elementwise.multiply(graph, elementwise.add(graph, x, y), y)
    chosen = elementwise.where(graph, elementwise.less(graph, x, y), scaled, elementwise.maximum(graph, x, y))
    return [elementwise.divide(graph, chosen, elementwise.exp(graph, x))]


def mixture(graph: Graph, halves: Node, flags: Node, levels: Node, wide: Node) -> list[Node]:
    """16-bit floats, truths, bytes and 64-bit integers in one loop."""
    doubled = elementwise.multiply(graph, halves, cast(graph, levels, F16))
    flagged = elementwise.where(graph, flags, doubled, halves)
    parts = division.floor_divide(graph, wide, cast(graph, levels, I64))
    return [
        flagged,
        elementwise.logical_and(graph, flags, elementwise.greater(graph, halves, cast(graph, levels, F16))),
        elementwise.bitwise_xor(graph, levels, cast(graph, wide, U8)),
        elementwise.add(graph, parts, cast(graph, flags, I64)),
    ]


def layer_norm(graph: Graph, x: Node, scale: Node, shift: Node) -> list[Node]:
    centred = elementwise.subtract(graph, x, reductions.mean(graph, x, axis=-1, keepdims=True))
    spread = reductions.mean(graph, elementwise.square(graph, centred), axis=-1, keepdims=True)
    normal = elementwise.divide(graph, centred, elementwise.sqrt(graph, elementwise.add(graph, spread, 1e-5)))
    return [elementwise.add(graph, elementwise.multiply(graph, normal, scale), shift)]


def turned(graph: Graph, x: Node) -> list[Node]:
    return [elementwise.add(graph, graph.make(ops.permute, x, attributes=((1, 0),)), 1.0)]


def scattered(kind: str) -> Callable[..., Sequence[Node]]:
    """Elements put at positions, or combined with what is there; several go to one place."""

    def build(graph: Graph, base: Node, value: Node, index: Node) -> list[Node]:
        attributes = ((0,), 0, kind, (False,), (0,), False, 0)
        return [graph.make(ops.scatter, base, value, index, attributes=attributes)]

    return build


def transformed(kinds: fourier.Kinds, *fresh: int) -> Callable[..., Sequence[Node]]:
    """Rows of pairs of floats, or of floats."""

    def build(graph: Graph, x: Node) -> list[Node]:
        return list(library_call(graph, kinds["backward", False].op, (x,), fresh))

    return build


@cache
def long_sum() -> tuple[Case, ...]:
    """So many numbers that blocks of them are summed first; the interpreter takes seconds."""
    x = np.random.default_rng(9).normal(size=70_000).astype(np.float32)
    found = graph_cases("long", lambda graph, x: [reductions.sum(graph, x)], [x])
    assert len(found) == 2
    return tuple(found)


@cache
def cases() -> tuple[Case, ...]:
    random = np.random.default_rng(8)

    def normal(*shape: int) -> np.ndarray:
        return random.normal(0, 3, shape).astype(np.float32)

    rough = [awkward(random, 203), awkward(random, 203)]
    few = random.integers(0, 200, 150).astype(np.uint8)
    mixed = [normal(150).astype(np.float16), few > 100, few, random.integers(-(1 << 62), 1 << 62, 150)]
    at = random.integers(-7, 7, LEAST_ELEMENTS).astype(np.int32)
    # The interpreter takes minutes for thousands.
    with patch.multiple(counting_sort, LEAST_ELEMENTS=90, CHUNK=50):
        in_bins = [
            *graph_cases("sorted", scattered("add"), [normal(7), normal(90), at[:90]]),
            *graph_cases("sorted-rows", scattered("mul"), [normal(7, 3), normal(90, 3), at[:90]]),
        ]
    assert len({case.kernel.name for case in in_bins if case.kernel.name.endswith("_bins")}) == 3
    found = [
        *graph_cases("chain", chain, rough),
        *graph_cases("double", chain, [array.astype(np.float64) for array in rough]),
        *graph_cases("mixture", mixture, mixed),
        *graph_cases("norm", layer_norm, [normal(6, 75), normal(75), normal(75)]),
        *graph_cases("sum", lambda graph, x: [reductions.sum(graph, x)], [normal(20000)]),
        *graph_cases("norm-shuffled", layer_norm, [normal(6, 75), normal(75), normal(75)], SHUFFLING),
        *graph_cases("sum-shuffled", lambda graph, x: [reductions.sum(graph, x)], [normal(20000)], SHUFFLING),
        *graph_cases("mean", lambda graph, x: [reductions.mean(graph, x, axis=0)], [normal(40, 33)]),
        *graph_cases("turned", turned, [normal(37, 50)]),
        *in_bins,
        *graph_cases("added", scattered("add"), [normal(7, 3), normal(90, 3), at[:90]]),
        *graph_cases("counted", scattered("add"), [few[:20].astype(np.int32), at[:90] + 1, at[:90]]),
        *graph_cases("assigned", scattered("set"), [normal(20), normal(len(at)), at]),
        *graph_cases(
            "product", lambda graph, x, y: [products.matmul(graph, x, y)], [normal(19, 35), normal(35, 21)]
        ),
        *graph_cases("rows", transformed(fourier.fft), [normal(5, 30, 2)]),
        *graph_cases("reals", transformed(fourier.rfft, 19, 2), [normal(3, 36)]),
        *graph_cases("to-reals", transformed(fourier.irfft_odd, 15), [normal(3, 8, 2)]),
        *graph_cases("prime", transformed(fourier.ifft), [normal(2, 29, 2)]),
        *graph_cases("long", transformed(fourier.fft), [normal(1, 630, 2)], CRAMPED),
    ]
    assert sum(case.kernel.name.startswith("fft_630_") for case in found) == 2
    kernel, indices, groups = softmax(5, 137)
    x = normal(5 * 137)
    for threads in (1, 32, 64, 256):
        found.append(
            written(f"softmax-{threads}", kernel, [x, np.zeros_like(x)], indices, (), groups, threads)
        )
    turning = [37, 50, -(-50 // TILE)]
    found.append(
        written("transpose", transpose(), [normal(1850), np.zeros(1850, np.float32)], turning, (), 3 * 4)
    )
    found.append(written("halves", workgroup_sum(), [normal(300), np.zeros(5, np.float32)], [300], (), 5))
    outputs = [np.zeros(203, dtype) for dtype in (np.float32, bool, np.int32, np.uint8)]
    found.append(
        written("outputs", several_outputs(), [rough[0], *outputs], [50, 203], [1.5, -4], 5, threads=7)
    )
    found.append(
        written("backwards", workgroups.private_array(), [normal(500), np.zeros(500, np.float32)], [5, 100],
                threads=96)
    )  # fmt: skip
    work = random.uniform(0, 90, 333).astype(np.float32)
    found.append(
        written("memory", workgroups.through_memory(), [work, np.zeros(3, np.float32)], [333], threads=128)
    )
    skipped = [normal(100), *(np.zeros(100, np.float32) for _ in range(3))]
    found.append(written("skipped", workgroups.skipped_loop(), skipped, [100, 2], threads=64))
    for name, build in leaving.KERNELS.items():
        found.append(written(f"exit-{name}", build(), leaving.arrays(), [13], (), 3))
    for name, make in calling.KERNELS.items():
        found.append(written(f"calls-{name}", make().kernel, calling.arrays(), [13], (), 2))
    found.append(written("branches", halves().kernel, [random.integers(-90, 90, 16, np.int32)], [13], (), 2))
    return tuple(found)
