"""A bound plan as the words that the native executor interprets."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

import numpy as np

from ...codegen.plan.bound import (
    BoundAlloc,
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
from ...ir.record import mutable
from ...ir.types import BY_NAME
from .blas import Blas
from .described import native

# Below this estimate, offering a launch to the workers costs more than they can save.
SHARED_ABOVE_NS = 10_000
# Below this one, sleeping workers are woken when it shows that there is enough to do.
SHORT_BELOW_NS = 200_000
# Multiplications from which BLAS divides one product among threads of its own: then a batch is not shared.
LONE_PRODUCT = 1 << 18
MOST_THREADS = 1 << 20
"""No limit but how many there are."""
_TRANSPOSE, _NO_TRANSPOSE = 112, 111


class Program(metaclass=mutable):
    """An encoded plan. `address` is what native code calls it; the memory lives as long as this object."""

    inputs: int
    scalars: int
    buffers: int
    outputs: int
    output_bytes: tuple[int, ...]
    output_words: tuple[int, ...]
    frame_words: int
    address: int
    python_gemm: bool
    memory: np.ndarray

    @property
    def runs(self) -> int:
        """How often it has been run."""
        return ctypes.c_int64.from_address(self.address + native.Program.offset("runs")).value


class _Encoder:
    def __init__(self, plan: BoundPlan, addresses: Sequence[int], blas: Blas) -> None:
        self.plan = plan
        self.addresses = addresses
        self.blas = blas
        self.scalar_base = 1 + plan.buffers
        self.counter_base = self.scalar_base + plan.scalars
        self.depth = 0
        self.deepest = 0
        self.most_slots = 0
        self.python_gemm = False

    def buffer(self, number: int, owned: bool = False) -> int:
        """The frame word of a buffer; `owned` ones may be freed and swapped, so a caller's cannot be."""
        if not (self.plan.inputs if owned else 0) <= number < self.plan.buffers:
            what = "not a buffer that the plan owns" if owned else "no buffer"
            raise ValueError(
                f"buffer {number} is {what}: {self.plan.inputs} inputs, {self.plan.buffers} buffers"
            )
        return 1 + number

    def pair(self, slot: BoundSlot) -> tuple[int, int]:
        """Frame word and addend whose sum is the slot's value."""
        if isinstance(slot, BufferSlot):
            return self.buffer(slot.buffer), slot.byte_offset
        if isinstance(slot, ValueSlot):
            return 0, signed(slot.bits)
        if isinstance(slot, ScalarSlot):
            if not 0 <= slot.index < self.plan.scalars:
                raise ValueError(f"scalar {slot.index} of {self.plan.scalars}")
            return self.scalar_base + slot.index, 0
        assert isinstance(slot, LoopIndexSlot)
        if not 0 <= slot.depth < self.depth:
            raise ValueError(f"loop index {slot.depth} inside {self.depth} loops")
        return self.counter_base + self.depth - 1 - slot.depth, 0

    def steps(self, steps: Sequence[BoundStep]) -> list[int]:
        words: list[int] = []
        for step in steps:
            operation, operands, body = self.step(step)
            words += [operation, len(operands) + len(body), *operands, *body]
        return words

    def step(self, step: BoundStep) -> tuple[int, list[int], list[int]]:
        """Operation, operands, and the words of nested steps."""
        if isinstance(step, BoundAlloc):
            if step.nbytes < 0:
                raise ValueError(f"alloc of {step.nbytes} bytes")
            beside = 0 if step.beside is None else self.buffer(step.beside)
            return native.ALLOC, [self.buffer(step.buffer, owned=True), step.nbytes, beside], []
        if isinstance(step, BoundFree):
            return native.FREE, [self.buffer(step.buffer, owned=True)], []
        if isinstance(step, BoundLaunch):
            return native.LAUNCH, self._launch(step), []
        if isinstance(step, BoundGemm):
            return native.GEMM, self._gemm(step), []
        if isinstance(step, BoundCopy):
            return native.COPY, [*self.pair(step.target), *self.pair(step.source), step.nbytes], []
        if isinstance(step, BoundLoop):
            return self._loop(step)
        if isinstance(step, BoundZero):
            return native.ZERO, [*self.pair(step.target), step.nbytes], []
        if isinstance(step, BoundFaults):
            if step.itemsize != 8:
                raise ValueError(f"faults are words of 8 bytes here, not {step.itemsize}")
            self.most_slots = max(self.most_slots, 2)
            return native.FAULTS, [self.buffer(step.buffer), 0, step.count], []
        if isinstance(step, BoundWhile):
            return self._while(step)
        assert isinstance(step, BoundCond)
        then, orelse = self.steps(step.then), self.steps(step.orelse)
        return native.COND, [*self.pair(step.predicate), len(then), len(orelse)], then + orelse

    def _launch(self, step: BoundLaunch) -> list[int]:
        if not 0 <= step.kernel < len(self.addresses):
            raise ValueError(f"kernel {step.kernel} of {len(self.addresses)}")
        self.most_slots = max(self.most_slots, len(step.slots))
        pairs = [word for slot in step.slots for word in self.pair(slot)]
        return [signed(self.addresses[step.kernel]), step.groups, len(step.slots), *pairs]

    def _gemm(self, step: BoundGemm) -> list[int]:
        call = self.blas.gemm(step.dtype)
        self.python_gemm |= call.through_python
        transposed = [_TRANSPOSE if flag else _NO_TRANSPOSE for flag in (step.transpose_a, step.transpose_b)]
        operands = []
        for slot, leading in ((step.a, step.lda), (step.b, step.ldb), (step.c, step.ldc)):
            operands += [*self.pair(slot), max(leading, 1)]
        size = BY_NAME[step.dtype].itemsize
        axes = [
            word for axis in step.batch for word in (axis.count, size * axis.a, size * axis.b, size * axis.c)
        ]
        shared = not call.through_python and step.m * step.n * step.k <= LONE_PRODUCT
        return [
            signed(call.address), call.kind, *transposed, step.m, step.n, step.k, *operands, int(shared),
            len(step.batch), *axes,
        ]  # fmt: skip

    def _loop(self, step: BoundLoop) -> tuple[int, list[int], list[int]]:
        bounds = [*self._bound(step.lower), *self._bound(step.upper)]
        swaps = self._swaps(step)
        counter = self.counter_base + self.depth
        self.depth += 1
        self.deepest = max(self.deepest, self.depth)
        body = self.steps(step.body)
        self.depth -= 1
        return native.LOOP, [counter, *bounds, len(body), len(step.swaps), *swaps], body

    def _bound(self, bound: BoundSlot | LoadSlot) -> list[int]:
        """Frame word and addend, and whether their sum is the address of the value."""
        if not isinstance(bound, LoadSlot):
            return [*self.pair(bound), 0]
        if bound.nbytes != 8:
            raise ValueError(f"a loop bound of {bound.nbytes} bytes")
        return [*self.pair(bound.source), 1]

    def _swaps(self, step: BoundLoop | BoundWhile) -> list[int]:
        return [self.buffer(number, owned=True) for pair in step.swaps for number in pair]

    def _while(self, step: BoundWhile) -> tuple[int, list[int], list[int]]:
        swaps = self._swaps(step)
        condition, body = self.steps(step.condition), self.steps(step.body)
        head = [*self.pair(step.predicate), len(condition), len(body), len(step.swaps)]
        return native.WHILE, [*head, *swaps], condition + body


def allocated_bytes(steps: Sequence[BoundStep]) -> dict[int, int]:
    """The size of each buffer that the steps allocate, the least where there are several or a swap."""
    found: dict[int, int] = {}

    def note(buffer: int, nbytes: int) -> None:
        found[buffer] = min(found.get(buffer, nbytes), nbytes)

    for step in steps:
        if isinstance(step, BoundAlloc):
            note(step.buffer, step.nbytes)
        inner: tuple[BoundStep, ...] = ()
        if isinstance(step, BoundLoop):
            inner = step.body
        elif isinstance(step, BoundWhile):
            inner = step.condition + step.body
        elif isinstance(step, BoundCond):
            inner = step.then + step.orelse
        for buffer, nbytes in allocated_bytes(inner).items():
            note(buffer, nbytes)
        for first, second in step.swaps if isinstance(step, BoundLoop | BoundWhile) else ():
            least = min(found.get(first, 0), found.get(second, 0))
            found[first] = found[second] = least
    return found


def signed(bits: int) -> int:
    """Eight bytes as the signed number of the same bits."""
    if not -(1 << 63) <= bits < 1 << 64:
        raise ValueError(f"{bits} does not fit into 8 bytes")
    return bits - (1 << 64) if bits >> 63 > 0 else bits


def encode(
    plan: BoundPlan, addresses: Sequence[int], blas: Blas, failure_flag: int, threads: int = MOST_THREADS
) -> Program:
    """Check a plan and lay it out; raises ValueError for one that breaks a rule of bound plans.

    `threads`: how many a launch may have at most, those of a library aside.
    """
    if plan.kernels and len(addresses) != len(plan.kernels):
        raise ValueError(f"{len(plan.kernels)} kernels, {len(addresses)} addresses")
    if len(set(plan.outputs)) != len(plan.outputs):
        raise ValueError(f"outputs {plan.outputs} name a buffer twice")
    encoder = _Encoder(plan, addresses, blas)
    words = encoder.steps(plan.steps)
    output_words = [encoder.buffer(number, owned=True) for number in plan.outputs]
    kept = [number < plan.inputs or number in plan.outputs for number in range(plan.buffers)]
    slot_base = encoder.counter_base + encoder.deepest
    frame_words = slot_base + encoder.most_slots
    # The struct, the code, the outputs and a byte for each buffer lie one after the other in one array.
    code_at = native.Program.size() // 8
    outputs_at = code_at + len(words)
    kept_at = outputs_at + len(output_words)
    memory = np.zeros(kept_at + -(-len(kept) // 8), np.int64)
    address: int = memory.__array_interface__["data"][0]
    values = {
        "code": address + 8 * code_at, "code_words": len(words), "buffers": plan.buffers,
        "inputs": plan.inputs, "scalars": plan.scalars, "frame_words": frame_words, "slot_base": slot_base,
        "outputs": address + 8 * outputs_at, "output_count": len(plan.outputs),
        "kept": address + 8 * kept_at, "failed": failure_flag,
        "threads": threads if plan.cost_ns == 0 or plan.cost_ns >= SHARED_ABOVE_NS else 1,
        "short": 0 < plan.cost_ns < SHORT_BELOW_NS,
    }  # fmt: skip
    for name, value in values.items():
        memory[native.Program.offset(name) // 8] = value
    memory[code_at:kept_at] = words + output_words
    memory[kept_at:].view(np.bool_)[: len(kept)] = kept
    sizes = allocated_bytes(plan.steps)
    output_bytes = tuple(sizes.get(number, 0) for number in plan.outputs)
    return Program(
        plan.inputs, plan.scalars, plan.buffers, len(plan.outputs), output_bytes,
        tuple(output_words), frame_words, address, encoder.python_gemm, memory,
    )  # fmt: skip
