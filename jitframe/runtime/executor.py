"""The Python executor: runs a bound plan on any device, step by step, through a handful of driver methods.

outputs = execute(bound, driver, inputs, scalars)       # inputs, outputs: the driver's memory objects
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import product as combinations
from typing import TYPE_CHECKING, Any, Protocol

from ..codegen.kernel.nodes import Kernel
from ..codegen.plan.bind import OutOfBounds, PlanCheckError, scalar_bits
from ..codegen.plan.libraries import FUNCTIONS
from ..codegen.plan.nodes import (
    HOST,
    Alloc,
    BufferRef,
    Callback,
    Check,
    Cond,
    ConstantScalar,
    Copy,
    Faults,
    Free,
    Launch,
    LibraryCall,
    Loop,
    LoopIndex,
    Plan,
    PlanBuffer,
    ScalarRef,
    Step,
    While,
    Zero,
)
from ..ir.ops.callbacks import host_function
from ..ir.record import replace
from .host_calls import call_on_host, is_for_host

if TYPE_CHECKING:
    from .driver import DeviceFacts

View = tuple[Any, int]
"""A driver's memory object and an offset into it in bytes."""

Defer = Callable[[Any, PlanBuffer], None]
"""Takes over the memory in which a run recorded faults."""


class PlanDriver(Protocol):
    """The executor's interface of a device; work is done in order."""

    @property
    def facts(self) -> DeviceFacts: ...

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

    def call(self, step: LibraryCall, operands: Sequence[View], results: Sequence[View]) -> None:
        """A call of a library, or those along the one axis of the step's batch (see `driver.Driver`)."""
        ...


def call_host(driver: PlanDriver, operands: list[View], results: list[View]) -> None:
    """Calls a host function on copies of its operands (see `ir.ops.callbacks`)."""
    handle, active, token, *arrays = operands
    function = host_function(int.from_bytes(driver.read(handle, 4), "little"))
    width = function.token.itemsize
    before = int.from_bytes(driver.read(token, width), "little")
    is_active = driver.read(active, 1) != b"\0"
    memories = [
        driver.read(view, math.prod(shape) * dtype.itemsize) if is_active and 0 not in shape else b""
        for view, (shape, dtype) in zip(arrays, function.operands, strict=True)
    ]
    made = function.call(is_active, before, memories)
    for view, value in zip(results, made, strict=True):
        if value.size:
            driver.upload(view, memoryview(value.reshape(-1).view("u1")))


Callbacks = Mapping[str, Callable[[PlanDriver, list[View], list[View]], None]]
"""A plan's callbacks by name: (driver, places of the operands, places of the results)."""


_CALLBACKS: Callbacks = {HOST: call_host}


def execute(
    bound: Plan,
    driver: PlanDriver,
    inputs: Sequence[Any],
    scalars: Sequence[int],
    callbacks: Callbacks = _CALLBACKS,
    defer: Defer | None = None,
    begins: Sequence[int] = (),
    checkpoint: Callable[[], None] | None = None,
) -> list[Any]:
    """Run a plan on the caller's memory and the bits of its scalars; returns the outputs' memory. `begins`:
    where each input begins in its memory, in bytes; at the start unless given. `checkpoint` is called before
    each iteration of loops, which end with what it raises.

    Whatever a step raises, all memory that the run allocated is freed first. Positions out of bounds raise
    OutOfBounds; with `defer`, the memory where they are noted is handed to that instead, and is its own.
    """
    if len(inputs) != bound.inputs or len(scalars) != len(bound.scalars):
        taken = f"{bound.inputs} inputs and {len(bound.scalars)} scalars"
        raise ValueError(f"the plan takes {taken}, not {len(inputs)} inputs and {len(scalars)} scalars")
    run = _Run(bound, driver, inputs, scalars, callbacks, defer, begins, checkpoint or _go_on)
    try:
        run.steps(bound.steps)
    except BaseException:
        run.release()
        raise
    return [run.memory[buffer] for buffer in bound.outputs]


def _go_on() -> None:
    return


class _Run:
    """One run of one plan: the memory of each buffer, and the counters of the open loops."""

    def __init__(
        self,
        bound: Plan,
        driver: PlanDriver,
        inputs: Sequence[Any],
        scalars: Sequence[int],
        callbacks: Callbacks,
        defer: Defer | None,
        begins: Sequence[int],
        checkpoint: Callable[[], None],
    ) -> None:
        self.plan = bound
        self.driver = driver
        self.defer = defer
        self.checkpoint = checkpoint
        self.deferred: set[int] = set()
        """Buffers that were handed over."""
        self.scalars = scalars
        self.callbacks = callbacks
        self.memory: dict[int, Any] = dict(enumerate(inputs))
        self.begins = {buffer: begin for buffer, begin in enumerate(begins) if begin}
        """Offsets of inputs in their memory, which no step swaps or frees."""
        self.owned: set[int] = set()
        self.counters: list[int] = []
        self.handles = [driver.compile(kernel) for kernel in bound.kernels]

    def release(self) -> None:
        for buffer in sorted(self.owned):
            self.driver.free(self.memory[buffer])
        self.owned.clear()

    def steps(self, steps: Sequence[Step]) -> None:
        for step in steps:
            _STEPS[type(step)](self, step)

    # Fields -------------------------------------------------------------------------------------------
    def view(self, ref: BufferRef, moved: int = 0) -> View:
        """Returns the place of a reference, moved by so many elements."""
        begin = self.begins.get(ref.buffer, 0)
        return self.memory[ref.buffer], begin + (ref.offset + moved) * self.itemsize(ref)

    def itemsize(self, ref: BufferRef) -> int:
        return self.plan.buffers[ref.buffer].dtype.itemsize

    def bits(self, value: Any) -> int:
        """Returns the eight bytes of a size, a scalar or a counter, as an unsigned number."""
        if isinstance(value, int):
            return value & _MASK
        if isinstance(value, ScalarRef):
            return self.scalars[value.index] & _MASK
        if isinstance(value, LoopIndex):
            return self.counters[-1 - value.depth] & _MASK
        assert isinstance(value, ConstantScalar), f"{value} is no value"
        return scalar_bits(value.value, value.dtype)

    def integer(self, bound: Any) -> int:
        if isinstance(bound, BufferRef):
            return int.from_bytes(
                self.driver.read(self.view(bound), self.itemsize(bound)), "little", signed=True
            )
        bits = self.bits(bound)
        return bits - (1 << 64) if bits >> 63 else bits

    # Steps --------------------------------------------------------------------------------------------
    def alloc(self, step: Alloc) -> None:
        self.memory[step.buffer] = self.driver.allocate(self.plan.buffers[step.buffer].nbytes)
        self.owned.add(step.buffer)

    def free(self, step: Free) -> None:
        if step.buffer in self.deferred:
            return
        self.owned.remove(step.buffer)
        self.driver.free(self.memory.pop(step.buffer))

    def launch(self, step: Launch) -> None:
        if step.groups <= 0:
            return
        buffers = [self.view(ref) for ref in step.buffers]
        values = [self.bits(value) for value in (*step.indices, *step.scalars)]
        packed = b"".join(value.to_bytes(8, "little") for value in values)
        self.driver.launch(self.handles[step.kernel], buffers, packed, step.groups)

    def library_call(self, step: LibraryCall) -> None:
        """The driver calls along at most one axis of a batch."""
        if FUNCTIONS[step.function].on_host:
            if is_for_host(step, self.driver.facts.library_functions):
                call_on_host(self, step)
            else:
                results = [self.view(ref) for ref in (*step.results, *step.faults)]
                self.driver.call(step, [self.view(ref) for ref in step.operands], results)
            return
        axes, inner = step.batch[:-1], step.batch[-1:]
        one = replace(step, batch=inner)
        refs = (*step.operands, *step.results)
        for at in combinations(*[range(axis.count) for axis in axes]):
            views = [
                self.view(ref, sum(i * axis.strides[place] for i, axis in zip(at, axes, strict=True)))
                for place, ref in enumerate(refs)
            ]
            self.driver.call(one, views[: len(step.operands)], views[len(step.operands) :])

    def copy(self, step: Copy) -> None:
        nbytes = step.elements * self.itemsize(step.target)
        if nbytes > 0:
            self.driver.copy(self.view(step.target), self.view(step.source), nbytes)

    def loop(self, step: Loop) -> None:
        for counter in range(self.integer(step.lower), self.integer(step.upper)):
            self.checkpoint()
            self.counters.append(counter)
            self.steps(step.body)
            self.counters.pop()
            self.swap(step.swaps)

    def swap(self, pairs: Sequence[tuple[int, int]]) -> None:
        for first, second in pairs:
            self.memory[first], self.memory[second] = self.memory[second], self.memory[first]

    def while_(self, step: While) -> None:
        self.steps(step.condition)
        while self.driver.read(self.view(step.predicate), 1) != b"\0":
            self.checkpoint()
            self.steps(step.body)
            self.swap(step.swaps)
            self.steps(step.condition)

    def cond(self, step: Cond) -> None:
        taken = self.driver.read(self.view(step.predicate), 1) != b"\0"
        self.steps(step.then if taken else step.orelse)

    def callback(self, step: Callback) -> None:
        operands, results = ([self.view(ref) for ref in refs] for refs in (step.operands, step.results))
        self.callbacks[step.name](self.driver, operands, results)

    def check(self, step: Check) -> None:
        assert isinstance(step.condition, BufferRef), step
        if self.driver.read(self.view(step.condition), 1) == b"\0":
            raise PlanCheckError(step.message)

    def zero(self, step: Zero) -> None:
        nbytes = step.elements * self.itemsize(step.target)
        if nbytes > 0:
            self.driver.upload(self.view(step.target), memoryview(bytes(nbytes)))

    def faults(self, step: Faults) -> None:
        memory, words = self.memory[step.buffer], self.plan.buffers[step.buffer]
        if self.defer is not None:
            self.owned.remove(step.buffer)
            self.deferred.add(step.buffer)
            self.defer(memory, words)
        else:
            raise_faults(self.driver.read((memory, 0), words.nbytes), words.dtype.itemsize)


def raise_faults(words: bytes, itemsize: int) -> None:
    """Raises OutOfBounds where a word is not 0."""
    for number in range(len(words) // itemsize):
        spelled = int.from_bytes(words[number * itemsize : (number + 1) * itemsize], "little")
        if spelled:
            raise OutOfBounds(number, spelled)


_MASK = (1 << 64) - 1
_STEPS: dict[type, Callable[[_Run, Any], None]] = {
    Alloc: _Run.alloc,
    Free: _Run.free,
    Launch: _Run.launch,
    LibraryCall: _Run.library_call,
    Copy: _Run.copy,
    Loop: _Run.loop,
    While: _Run.while_,
    Cond: _Run.cond,
    Callback: _Run.callback,
    Check: _Run.check,
    Zero: _Run.zero,
    Faults: _Run.faults,
}
