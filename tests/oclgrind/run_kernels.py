"""A program to run under oclgrind: generated kernels through the OpenCL driver, or some that are broken.

oclgrind --data-races python -m tests.oclgrind.run_kernels sound_64|race|outside
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import jitframe as jf
from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.nodes import Kernel
from jitframe.codegen.kernel.parse import parse_kernel
from jitframe.codegen.lower.scatter import counting_sort
from jitframe.ir.record import replace
from jitframe.ir.types import F32, I32
from jitframe.runtime.discovery import registry
from jitframe.runtime.drivers import opencl
from jitframe.runtime.memory import pool
from tests.c_family.kernels import workgroup_sum
from tests.plan.plans import AXPY
from tests.runtime_gpu.driver_contract import (
    random_graphs_mean_what_is_meant,
    several_outputs_and_scalars,
    softmax_of_the_graph,
    two_views_of_one_memory,
    workgroups_meet_at_barriers,
)
from tests.runtime_gpu.subject import Law, Subject, float_bits, put, random_floats, run, slots


def main() -> None:
    # Memory has the size that was asked for, so that the first byte past it is seen.
    pool.size_class = lambda nbytes: max(nbytes, 4)
    PROGRAMS[sys.argv[1]]()


def sound(lanes: int) -> None:
    """All of it gives the interpreter's bits."""
    subject = opened()
    subject.driver.use(replace(subject.driver.facts.hints, preferred_workgroup=lanes))  # type: ignore[attr-defined]
    for law in LAWS:
        law(subject)
        print("ran", law.__name__)


def opened() -> Subject:
    driver = opencl.open(0)
    assert "Oclgrind" in driver.facts.version, f"this is {driver.facts.version}"
    return Subject(driver, driver.dialect)


def atomics(subject: Subject) -> None:
    """Sums of floats and counts that all workgroups add to."""
    build = KernelBuilder("atomics")
    x, total, count = build.buffer(F32, "in"), build.buffer(F32, "inout"), build.buffer(I32, "inout")
    tile, extent = build.index(), build.index()
    begin = build.mul(build.group_id(), tile)
    end = build.emit("minimum", (build.add(begin, tile), extent))
    zero = build.constant(0)
    with build.loop(begin, end, kind="lanes") as (i,):
        build.atomic("add", total, zero, build.load(x, i))
        build.atomic("add", count, zero, build.constant(1, I32))
    arrays = [np.ones(300, np.float32), np.zeros(1, np.float32), np.zeros(1, np.int32)]
    run(subject, build.finish(), arrays, slots(50, 300), 6)


def programs() -> None:
    """Whole programs as users write them, scheduled for a GPU."""
    assert "Oclgrind" in registry.device("opencl").facts.version
    counting_sort.LEAST_ELEMENTS, counting_sort.CHUNK = 100, 64  # there thousands take minutes
    for name, (program, *shapes) in USED.items():
        arrays = [random_floats(math.prod(s), seed).reshape(s) for seed, s in enumerate(shapes)]
        here, there = (program(*(jf.asarray(a, device=d) for a in arrays)) for d in ("cpu", "opencl"))
        np.testing.assert_allclose(there.numpy(), here.numpy(), rtol=1e-5, atol=2e-5)
        print("ran", name)


def softmax(x: jf.Tensor) -> jf.Tensor:
    powers = jf.exp(x - jf.max(x, axis=-1, keepdims=True))
    return powers / jf.sum(powers, axis=-1, keepdims=True)


def layer_norm(x: jf.Tensor, weight: jf.Tensor) -> jf.Tensor:
    mean = jf.mean(x, axis=-1, keepdims=True)
    variance = jf.mean((x - mean) ** 2, axis=-1, keepdims=True)
    return (x - mean) / jf.sqrt(variance + 1e-5) * weight


@jf.jit
def added(x: Any, at: Any) -> Any:
    """Every row of `x` is added to once for each position, in their order."""
    np.add.at(x, at, np.cos(at)[:, None].astype(np.float32))
    return x


@jf.jit
def assigned(x: Any, y: Any) -> Any:
    """So many elements that a kernel finds the last for each place first."""
    x[(y * 9).astype(np.int32) % 50] = y
    return x


USED: dict[str, Any] = {
    "elementwise": (lambda x, y: jf.where(x > y, jf.tanh(x), y * 2), (13, 77), (77,)),
    "softmax": (softmax, (7, 300)),
    "softmax of short rows": (softmax, (200, 3)),
    "layer norm": (layer_norm, (5, 130), (130,)),
    "sum of all": (jf.sum, (70, 90)),
    "sums of columns": (lambda x: jf.sum(x, axis=0), (300, 41)),
    "sums in the middle": (lambda x: jf.max(x, axis=1), (3, 50, 7)),
    "transposed": (lambda x, y: jf.permute_dims(x, (1, 0)) + y, (37, 50), (50, 37)),
    "product": (jf.matmul, (33, 70), (70, 45)),
    "product and more": (lambda x, y: jf.exp(x @ y) + 1, (5, 17), (17, 130)),
    "dot products": (jf.vecdot, (9, 100), (9, 100)),
    "rows added at positions": (lambda x, y: added(x, (y * 3).astype(np.int32) % 7), (7, 5), (60,)),
    "rows sorted by position": (lambda x, y: added(x, (y * 40).astype(np.int32) % 90), (90, 3), (150,)),
    "assigned at positions": (assigned, (50,), (1100,)),
    "slices": (lambda x: x[1:, ::2] - x[:-1, ::2], (21, 30)),
}


def race() -> None:
    """The sum by halves without its barriers."""
    kernel = workgroup_sum()
    kernel.body.instructions[:] = [each for each in kernel.body.instructions if each.op.name != "barrier"]
    driver = opened().driver
    views = [(put(driver, random_floats(64)), 0), (put(driver, np.zeros(1, np.float32)), 0)]
    driver.launch(driver.compile(renamed(kernel, "racing")), views, slots(64), 1)
    driver.synchronize()


def outside() -> None:
    """One element more than there is, read and written."""
    driver = opened().driver
    views = [(put(driver, random_floats(100)), 0), (driver.allocate(400), 0)]
    driver.launch(driver.compile(parse_kernel(AXPY)), views, slots(101, 101, float_bits(1), 0), 1)
    driver.synchronize()


def renamed(kernel: Kernel, name: str) -> Kernel:
    return Kernel(name, kernel.buffers, kernel.indices, kernel.scalars, kernel.body, kernel.workgroup)


LAWS: tuple[Law, ...] = (
    softmax_of_the_graph,
    several_outputs_and_scalars,
    workgroups_meet_at_barriers,
    two_views_of_one_memory,
    random_graphs_mean_what_is_meant,
    atomics,
)
PROGRAMS: dict[str, Callable[[], None]] = {
    **{f"sound_{lanes}": partial(sound, lanes) for lanes in (32, 64, 256)},
    "programs": programs,
    "race": race,
    "outside": outside,
}

if __name__ == "__main__":
    main()
