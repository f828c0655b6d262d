"""The Python executor: runs a bound plan on any device, step by step, through a handful of driver methods.

outputs = execute(bound, driver, inputs, scalars)       # inputs, outputs: the driver's memory objects
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product as combinations
from typing import Any, Protocol

from ..codegen.kernel.nodes import Kernel
from ..codegen.plan.bind import OutOfBounds, PlanCheckError
from ..codegen.plan.bound import (
    BoundAlloc,
    BoundCallback,
    BoundCheck,
    BoundCond,
    BoundCopy,
    BoundFaults,
    BoundFree,
    BoundGemm,
    BoundLaunch,
    BoundLoop,
    BoundPlan,
    BoundSlot,
    BoundStep,
    BoundWhile,
    BoundZero,
    BufferSlot,
    LoadSlot,
    LoopIndexSlot,
    ScalarSlot,
    ValueSlot,
)
from ..ir.record import replace
from ..ir.types import BY_NAME

View = tuple[Any, int]
"""A driver's memory object and an offset into it in bytes."""

Defer = Callable[[Any, BoundFaults], None]
"""Takes over the memory in which a run noted positions out of bounds."""

Callbacks = Mapping[str, Callable[[list[View]], None]]
_NO_CALLBACKS: Callbacks = {}


class PlanDriver(Protocol):
    """What a device must do for the executor; work is done in the order it was asked for."""

    def allocate(self, nbytes: int) -> Any: ...

    def free(self, memory: Any) -> None: ...

    def copy(self, target: View, source: View, nbytes: int) -> None: ...

    def upload(self, target: View, data: memoryview) -> None: ...

    def read(self, source: View, nbytes: int) -> bytes:
        """Bytes of device memory, after all work before."""
        ...

    def compile(self, kernel: Kernel) -> Any:
        """A handle to launch the kernel by; the driver keeps it for the next time."""
        ...

    def launch(self, handle: Any, buffers: Sequence[View], values: bytes, groups: int) -> None:
        """Run `groups` workgroups; `values`: the eight-byte slots after the buffers, little-endian."""
        ...

    def gemm(self, step: BoundGemm, a: View, b: View, c: View) -> None:
        """A product, or those along the one axis of the step's batch."""
        ...


def execute(
    bound: BoundPlan,
    driver: PlanDriver,
    inputs: Sequence[Any],
    scalars: Sequence[int],
    callbacks: Callbacks = _NO_CALLBACKS,
    defer: Defer | None = None,
    begins: Sequence[int] = (),
) -> list[Any]:
    """Run a plan on the caller's memory and the bits of its scalars; returns the outputs' memory. `begins`:
    where each input begins in its memory, in bytes; at the start unless given.

    Whatever a step raises, all memory that the run allocated is freed first. Positions out of bounds raise
    OutOfBounds; with `defer`, the memory where they are noted is handed to that instead, and is its own.
    """
    if len(inputs) != bound.inputs or len(scalars) != bound.scalars:
        given = f"{len(inputs)} inputs and {len(scalars)} scalars"
        raise ValueError(f"the plan takes {bound.inputs} inputs and {bound.scalars} scalars, not {given}")
    run = _Run(bound, driver, inputs, scalars, callbacks, defer, begins)
    try:
        run.steps(bound.steps)
    except BaseException:
        run.release()
        raise
    return [run.memory[buffer] for buffer in bound.outputs]


class _Run:
    """One run of one plan: the memory behind each buffer id, and the counters of the open loops."""

    def __init__(
        self,
        bound: BoundPlan,
        driver: PlanDriver,
        inputs: Sequence[Any],
        scalars: Sequence[int],
        callbacks: Callbacks,
        defer: Defer | None,
        begins: Sequence[int],
    ) -> None:
        self.driver = driver
        self.defer = defer
        self.deferred: set[int] = set()
        """Buffers that are somebody else's now."""
        self.scalars = scalars
        self.callbacks = callbacks
        self.memory: dict[int, Any] = dict(enumerate(inputs))
        self.begins = {buffer: begin for buffer, begin in enumerate(begins) if begin}
        """Of inputs that do not begin with their memory, which no step swaps or gives back."""
        self.owned: set[int] = set()
        self.counters: list[int] = []
        self.handles = [driver.compile(kernel) for kernel in bound.kernels]

    def release(self) -> None:
        for buffer in sorted(self.owned):
            self.driver.free(self.memory[buffer])
        self.owned.clear()

    def steps(self, steps: Sequence[BoundStep]) -> None:
        for step in steps:
            _STEPS[type(step)](self, step)

    # Slots --------------------------------------------------------------------------------------------
    def view(self, slot: BufferSlot) -> View:
        return self.memory[slot.buffer], slot.byte_offset + self.begins.get(slot.buffer, 0)

    def bits(self, slot: BoundSlot) -> int:
        """The eight bytes of a slot that is no buffer, as an unsigned number."""
        match slot:
            case ValueSlot(bits):
                return bits & _MASK
            case ScalarSlot(index):
                return self.scalars[index] & _MASK
            case LoopIndexSlot(depth):
                return self.counters[-1 - depth] & _MASK
        raise AssertionError(f"{slot} is no value")

    def integer(self, slot: BoundSlot | LoadSlot) -> int:
        if isinstance(slot, LoadSlot):
            return int.from_bytes(
                self.driver.read(self.view(slot.source), slot.nbytes), "little", signed=True
            )
        bits = self.bits(slot)
        return bits - (1 << 64) if bits >> 63 else bits

    # Steps --------------------------------------------------------------------------------------------
    def alloc(self, step: BoundAlloc) -> None:
        self.memory[step.buffer] = self.driver.allocate(step.nbytes)
        self.owned.add(step.buffer)

    def free(self, step: BoundFree) -> None:
        if step.buffer in self.deferred:
            return
        self.owned.remove(step.buffer)
        self.driver.free(self.memory.pop(step.buffer))

    def launch(self, step: BoundLaunch) -> None:
        if step.groups <= 0:
            return
        buffers = [self.view(slot) for slot in step.slots if isinstance(slot, BufferSlot)]
        values = [self.bits(slot) for slot in step.slots[len(buffers) :]]
        packed = b"".join(value.to_bytes(8, "little") for value in values)
        self.driver.launch(self.handles[step.kernel], buffers, packed, step.groups)

    def gemm(self, step: BoundGemm) -> None:
        """The driver multiplies along one axis of a batch at most."""
        *axes, inner = step.batch or (None,)
        itemsize = BY_NAME[step.dtype].itemsize
        one = replace(step, batch=() if inner is None else (inner,))
        for at in combinations(*[range(axis.count) for axis in axes]):
            views = []
            for slot, name in ((step.a, "a"), (step.b, "b"), (step.c, "c")):
                memory, offset = self.view(slot)
                moved = sum(i * getattr(axis, name) for i, axis in zip(at, axes, strict=True))
                views.append((memory, offset + moved * itemsize))
            self.driver.gemm(one, *views)

    def copy(self, step: BoundCopy) -> None:
        if step.nbytes > 0:
            self.driver.copy(self.view(step.target), self.view(step.source), step.nbytes)

    def loop(self, step: BoundLoop) -> None:
        for counter in range(self.integer(step.lower), self.integer(step.upper)):
            self.counters.append(counter)
            self.steps(step.body)
            self.counters.pop()
            self.swap(step.swaps)

    def swap(self, pairs: Sequence[tuple[int, int]]) -> None:
        for first, second in pairs:
            self.memory[first], self.memory[second] = self.memory[second], self.memory[first]

    def while_(self, step: BoundWhile) -> None:
        self.steps(step.condition)
        while self.driver.read(self.view(step.predicate), 1) != b"\0":
            self.steps(step.body)
            self.swap(step.swaps)
            self.steps(step.condition)

    def cond(self, step: BoundCond) -> None:
        taken = self.driver.read(self.view(step.predicate), 1) != b"\0"
        self.steps(step.then if taken else step.orelse)

    def callback(self, step: BoundCallback) -> None:
        self.callbacks[step.name]([self.view(slot) for slot in step.buffers])

    def check(self, step: BoundCheck) -> None:
        if self.driver.read(self.view(step.predicate), 1) == b"\0":
            raise PlanCheckError(step.message)

    def zero(self, step: BoundZero) -> None:
        if step.nbytes > 0:
            self.driver.upload(self.view(step.target), memoryview(bytes(step.nbytes)))

    def faults(self, step: BoundFaults) -> None:
        memory = self.memory[step.buffer]
        if self.defer is not None:
            self.owned.remove(step.buffer)
            self.deferred.add(step.buffer)
            self.defer(memory, step)
        else:
            raise_faults(self.driver.read((memory, 0), step.count * step.itemsize), step.itemsize)


def raise_faults(words: bytes, itemsize: int) -> None:
    """Raises OutOfBounds where a word is not 0."""
    for number in range(len(words) // itemsize):
        spelled = int.from_bytes(words[number * itemsize : (number + 1) * itemsize], "little")
        if spelled:
            raise OutOfBounds(number, spelled)


_MASK = (1 << 64) - 1
_STEPS: dict[type, Callable[[_Run, Any], None]] = {
    BoundAlloc: _Run.alloc,
    BoundFree: _Run.free,
    BoundLaunch: _Run.launch,
    BoundGemm: _Run.gemm,
    BoundCopy: _Run.copy,
    BoundLoop: _Run.loop,
    BoundWhile: _Run.while_,
    BoundCond: _Run.cond,
    BoundCallback: _Run.callback,
    BoundCheck: _Run.check,
    BoundZero: _Run.zero,
    BoundFaults: _Run.faults,
}
