"""Library calls on the processor for devices whose libraries lack a function: operands are downloaded,
results are uploaded."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy

from ..codegen.plan.bind import OutOfBounds
from ..codegen.plan.kinds import all_steps
from ..codegen.plan.libraries import FUNCTIONS, workspace_words
from ..codegen.plan.nodes import (
    Alloc,
    BufferRef,
    Faults,
    Free,
    LibraryCall,
    Plan,
    PlanBuffer,
    Zero,
)
from ..ir.record import replace
from ..ir.types import U64
from .cpu.execution.runtime import runtime

if TYPE_CHECKING:
    from .executor import _Run


MOST_ELEMENTS = (1 << 31) - 1
"""The most elements of an operand or result of a device's library, which counts with 32 bits."""


def is_for_host(step: LibraryCall, functions: frozenset[str]) -> bool:
    """Whether the calls of a bound step run on the processor, for a device with these library functions.
    Calls on empty arrays do, as devices' libraries refuse them."""
    if not FUNCTIONS[step.function].on_host:
        return False
    return step.function not in functions or not all(0 < count <= MOST_ELEMENTS for count in _counts(step))


def host_calls(plan: Plan, functions: frozenset[str]) -> Iterator[LibraryCall]:
    """Returns the steps of a bound plan that run on the processor, for a device with these library
    functions."""
    for step in all_steps(plan.steps):
        if isinstance(step, LibraryCall) and is_for_host(step, functions):
            yield step


def moved_elements(step: LibraryCall) -> tuple[int, int]:
    """Returns the elements that a step downloads, and that it uploads."""
    counts, operands = _counts(step), len(step.operands)
    return sum(counts[:operands]), sum(counts[operands:])


def _counts(step: LibraryCall) -> list[int]:
    calls = math.prod([axis.count for axis in step.batch])
    return [calls * count for count in FUNCTIONS[step.function].elements(step.sizes)]


def call_on_host(run: _Run, step: LibraryCall) -> None:
    """Runs the calls of a step with contiguous operands and results. Raises OutOfBounds, with the word of the
    run's, where one failed."""
    itemsize, counts = step.dtype.itemsize, _counts(step)
    operands, results = len(step.operands), len(step.results)
    read = [
        run.driver.read(run.view(ref), count * itemsize) if count else b""
        for ref, count in zip(step.operands, counts, strict=False)
    ]
    arrays = [numpy.frombuffer(each, numpy.uint8) for each in read]
    program = runtime().encode(_alone(step, counts), [])
    try:
        buffers = runtime().run(program, [array.ctypes.data for array in arrays])
    except OutOfBounds as fault:
        raise OutOfBounds(step.faults[0].offset, fault.spelled) from None
    assert len(buffers) == results, buffers
    for ref, buffer, count in zip(step.results, buffers, counts[operands:], strict=True):
        if count:
            value: Any = buffer.ndarray("u1", (count * itemsize,))
            run.driver.upload(run.view(ref), memoryview(value))


def _alone(step: LibraryCall, counts: list[int]) -> Plan:
    """Returns the plan of a single step, whose results are its outputs."""
    operands, results = len(step.operands), len(step.results)
    refs = [BufferRef(number, 0) for number in range(operands + results + 2)]
    words = sum(workspace_words(step).values())
    buffers = (
        *[PlanBuffer(step.dtype, count) for count in counts],
        PlanBuffer(U64, words),
        PlanBuffer(U64, 1),
    )
    *buffer_refs, workspace, fault = refs
    own = buffer_refs[operands:]
    call = replace(
        step,
        operands=tuple(buffer_refs[:operands]),
        results=tuple(own),
        workspace=(workspace,),
        faults=(fault,),
    )
    return Plan(
        0,
        (),
        operands,
        (),
        buffers,
        (
            *[Alloc(ref.buffer) for ref in (*own, workspace, fault)],
            Zero(fault, 1),
            call,
            Free(workspace.buffer),
            Faults(fault.buffer),
            Free(fault.buffer),
        ),
        tuple([ref.buffer for ref in own]),
        step.cost_ns,
    )
