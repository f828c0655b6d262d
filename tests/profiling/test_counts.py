"""What is counted in kernels is what the interpreter does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np
import pytest

import jitframe as jf
from jitframe.codegen.kernel import interpret as interpreter
from jitframe.codegen.kernel.nodes import REDUCTION_LANES, Instruction, Kernel, walk
from jitframe.codegen.plan.nodes import Alloc, Launch
from jitframe.ir.record import replace
from jitframe.profiling.counts import _COUNTED, work_of
from tests.backends.written import axpy, group_sums, transpose


def test_by_hand() -> None:
    work = work_of(axpy().kernel, (1000,), 16)
    assert (work.operations, work.loaded, work.stored) == (2000, (4000, 4000), (0, 4000))
    assert work.exact and work.moved((4000, 4000)) == 12000 and work.moved((100, 4000)) == 8100
    work = work_of(transpose().kernel, (30, 21, 3), 24)
    assert (work.operations, work.loaded, work.stored, work.exact) == (0, (2520, 0), (0, 2520), True)
    assert work_of(axpy().kernel, (1000,), 0).loaded == (0, 0)


def test_many_workgroups_are_sampled() -> None:
    work = work_of(axpy().kernel, (64 * 100_000 - 7,), 100_000)
    assert work.operations == 2 * (64 * 100_000 - 7) and work.stored == (0, 4 * (64 * 100_000 - 7))


class Observed(interpreter._Lane):
    """A lane that counts what it does."""

    operations = 0
    touched: ClassVar[Counter[tuple[int, str]]] = Counter()

    def access(self, memory: Any, position: int, how: str) -> None:
        type(self).touched[id(memory), how] += 1
        super().access(memory, position, how)


def counted(prepare: Callable[[Instruction], Any]) -> Callable[[Instruction], Any]:
    """What makes a step of an instruction, which is counted as well."""

    def counting(instruction: Instruction) -> Any:
        step = prepare(instruction)
        if instruction.op.name not in _COUNTED or not instruction.result.dtype.is_float:
            return step

        def both(lane: Any) -> None:
            Observed.operations += 2 if instruction.op.name == "fma" else 1
            step(lane)

        return both

    return counting


def observed(
    kernel: Kernel, buffers: Sequence[Any], indices: Sequence[int], scalars: Sequence[Any], groups: int
) -> tuple[int, list[int], list[int]]:
    """Operations, and bytes loaded and stored of each buffer, by the interpreter."""
    Observed.operations, Observed.touched = 0, Counter()
    memories: list[Any] = []
    made = interpreter.Memory

    def remember(*given: Any) -> Any:
        memories.append(made(*given))
        return memories[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(interpreter, "_Lane", Observed)
        patch.setattr(interpreter, "prepare", counted(interpreter.prepare))
        patch.setattr(interpreter, "Memory", remember)
        interpreter.interpret(kernel, buffers, indices, scalars, range(groups))
    loaded = [Observed.touched[id(each), "read"] for each in memories[: len(buffers)]]
    stored = [Observed.touched[id(each), "write"] for each in memories[: len(buffers)]]
    sizes = [each.dtype.itemsize for each in kernel.buffers]
    return (
        Observed.operations,
        [count * size for count, size in zip(loaded, sizes, strict=True)],
        [count * size for count, size in zip(stored, sizes, strict=True)],
    )


def test_written_kernels_as_interpreted() -> None:
    numbers = np.arange(100, dtype=np.int32)
    found = observed(group_sums().kernel, [numbers, np.zeros(4, np.int32)], [100], [], 4)
    work = work_of(group_sums().kernel, (100,), 4)
    assert (work.operations, list(work.loaded), list(work.stored)) == found and work.exact


def _plan_of(function: Any, tensor: Any) -> Any:
    jitted = jf.jit(function)
    jitted(tensor)
    ((program,),) = jitted._jit.programs.values()
    # A plan that was kept on disk names its kernels only.
    return replace(program.ready.bound, kernels=tuple(program.ready.template.lowered.plan.kernels))


def _softmax(x: Any) -> Any:
    exponentials = np.exp(x - x.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


@pytest.mark.parametrize("device", ["cpu", "opencl"])
@pytest.mark.parametrize(
    ("function", "shape"),
    [
        (lambda x: x * 2 + 1, (100,)),
        (_softmax, (5, 33)),
        (lambda x: np.sum(x * x, axis=0), (17, 9)),
        (lambda x: x[1:, :-1] + x[:-1, 1:].T[:8, :8].sum(), (9, 12)),
        (lambda x: np.cumsum(x, axis=1), (4, 50)),
    ],
    ids=["map", "softmax", "columns", "shifted", "scan"],
)
def test_lowered_kernels_as_interpreted(function: Any, shape: tuple[int, ...], device: str) -> None:
    """All but what hangs on values: a maximum looks for NaN, and branches."""
    given = np.random.default_rng(1).normal(size=shape).astype(np.float32)
    tensor = jf.asarray(given, device=device)
    plan = _plan_of(function, tensor)
    memory = {0: given.reshape(-1).copy()}
    for step in plan.steps:
        if isinstance(step, Alloc):
            memory[step.buffer] = np.zeros(plan.buffers[step.buffer].nbytes, np.uint8)
        if not isinstance(step, Launch):
            continue
        kernel = plan.kernels[step.kernel]
        indices = list(step.indices)
        buffers = []
        for slot, buffer in zip(step.buffers, kernel.buffers, strict=True):
            held = memory[slot.buffer].view(np.uint8)[
                slot.offset * plan.buffers[slot.buffer].dtype.itemsize :
            ]
            buffers.append(held.view(buffer.dtype.numpy_name))
        scalars = [np.asarray(each.value, each.dtype.numpy_name)[()] for each in step.scalars]
        operations, loaded, stored = observed(kernel, buffers, indices, scalars, step.groups)
        work = work_of(kernel, tuple(indices), step.groups)
        assert (list(work.loaded), list(work.stored)) == (loaded, stored) or not work.exact
        if work.exact:
            # The interpreter also joins the accumulators of a reduction, and the lanes of a scan, by turns.
            kinds = {each.attributes["kind"] for each in walk(kernel.body) if each.op.name == "for"}
            joins = operations - work.operations
            assert joins >= 0 and (joins % (REDUCTION_LANES - 1) == 0 or "scan" in kinds)
