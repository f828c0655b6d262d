"""A plan bound to one set of sizes: every number resolved, ready for a device's executor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...ir.record import record

if TYPE_CHECKING:
    from ..kernel.nodes import Kernel


class BufferSlot(metaclass=record):
    """The address of a buffer plus an offset in bytes."""

    buffer: int
    byte_offset: int = 0


class ValueSlot(metaclass=record):
    """Eight bytes known when the plan was bound: an extent, a stride, a scalar's bits."""

    bits: int


class ScalarSlot(metaclass=record):
    """The bits of a scalar argument, known at each call."""

    index: int


class LoopIndexSlot(metaclass=record):
    """The counter of an enclosing `BoundLoop`; depth 0 is the innermost."""

    depth: int = 0


class LoadSlot(metaclass=record):
    """The signed integer that lies in a buffer when a loop starts; a bound of that loop."""

    source: BufferSlot
    nbytes: int = 8


BoundSlot = BufferSlot | ValueSlot | ScalarSlot | LoopIndexSlot


class BoundAlloc(metaclass=record):
    buffer: int
    nbytes: int
    beside: int | None = None
    """A buffer whose place in a cache line large memory should have."""


class BoundFree(metaclass=record):
    buffer: int


class BoundLaunch(metaclass=record):
    """Run `groups` workgroups of kernel number `kernel` with the given slots."""

    kernel: int
    slots: tuple[BoundSlot, ...]
    groups: int


class BoundBatch(metaclass=record):
    """So many products, their matrices so many elements apart."""

    count: int
    a: int
    b: int
    c: int


class BoundGemm(metaclass=record):
    """c[m, n] = op(a)[m, k] @ op(b)[k, n], row-major, leading dimensions in elements.

    `batch`: the axes, from outside in, along which there are more such products.
    """

    dtype: str
    transpose_a: bool
    transpose_b: bool
    m: int
    n: int
    k: int
    a: BufferSlot
    lda: int
    b: BufferSlot
    ldb: int
    c: BufferSlot
    ldc: int
    batch: tuple[BoundBatch, ...] = ()


class BoundCopy(metaclass=record):
    target: BufferSlot
    source: BufferSlot
    nbytes: int


class BoundLoop(metaclass=record):
    """for index in range(lower, upper): body, then swap the named pairs of buffers, one after the other."""

    lower: BoundSlot | LoadSlot
    upper: BoundSlot | LoadSlot
    body: tuple[BoundStep, ...]
    swaps: tuple[tuple[int, int], ...] = ()


class BoundWhile(metaclass=record):
    """Run `condition`; while the byte at `predicate` is not zero: body, swap the pairs, `condition` again."""

    predicate: BufferSlot
    condition: tuple[BoundStep, ...]
    body: tuple[BoundStep, ...]
    swaps: tuple[tuple[int, int], ...] = ()


class BoundCond(metaclass=record):
    """Run `then` where the byte at `predicate` is not zero, else `orelse`."""

    predicate: BufferSlot
    then: tuple[BoundStep, ...]
    orelse: tuple[BoundStep, ...] = ()


class BoundCallback(metaclass=record):
    """Call the host function `name` on buffers; a native executor hands such a plan to the Python one."""

    name: str
    buffers: tuple[BufferSlot, ...]


class BoundCheck(metaclass=record):
    """Stop with `message` where the byte at `predicate` is zero."""

    predicate: BufferSlot
    message: str


class BoundZero(metaclass=record):
    target: BufferSlot
    nbytes: int


class BoundFaults(metaclass=record):
    """Stop where one of `count` words of `itemsize` bytes is not 0."""

    buffer: int
    count: int
    itemsize: int


BoundStep = (
    BoundAlloc
    | BoundFree
    | BoundLaunch
    | BoundGemm
    | BoundCopy
    | BoundLoop
    | BoundWhile
    | BoundCond
    | BoundCallback
    | BoundCheck
    | BoundZero
    | BoundFaults
)


class BoundPlan(metaclass=record):
    """What runs in which order: buffers 0..inputs-1 are the caller's, `outputs` outlive the run."""

    kernels: tuple[Kernel, ...]
    buffers: int
    inputs: int
    scalars: int
    steps: tuple[BoundStep, ...]
    outputs: tuple[int, ...]
    cost_ns: int = 0


def largest_buffer(steps: Sequence[BoundStep]) -> int:
    """The bytes of the largest buffer that steps allocate."""
    largest = 0
    for step in steps:
        if isinstance(step, BoundAlloc):
            largest = max(largest, step.nbytes)
        elif isinstance(step, BoundLoop):
            largest = max(largest, largest_buffer(step.body))
        elif isinstance(step, BoundWhile):
            largest = max(largest, largest_buffer(step.condition), largest_buffer(step.body))
        elif isinstance(step, BoundCond):
            largest = max(largest, largest_buffer(step.then), largest_buffer(step.orelse))
    return largest
