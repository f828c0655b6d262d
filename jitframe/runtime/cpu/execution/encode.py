"""Encodes a bound plan as words for the native executor."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ....codegen.plan.bind import scalar_bits
from ....codegen.plan.kinds import regions
from ....codegen.plan.libraries import workspace_words
from ....codegen.plan.nodes import (
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
    ScalarRef,
    Step,
    While,
    Zero,
)
from ....ir.record import mutable
from ..libraries.blas import Blas
from ..libraries.host_functions import host_adapter
from ..native_library.described import native

# Below this estimate, offering a launch to the workers costs more than they can save.
SHARED_ABOVE_NS = 10_000
# Below this one, sleeping workers are woken when it shows that there is enough to do.
SHORT_BELOW_NS = 200_000
MOST_THREADS = 1 << 20
"""No limit."""


class Program(metaclass=mutable):
    """An encoded plan. Native code uses its `address`; the memory lives as long as this object."""

    inputs: int
    scalars: int
    buffers: int
    outputs: int
    output_bytes: tuple[int, ...]
    output_words: tuple[int, ...]
    frame_words: int
    address: int
    calls_python: bool
    """Whether a library call goes through Python."""
    memory: np.ndarray

    @property
    def runs(self) -> int:
        """The number of its runs."""
        return ctypes.c_int64.from_address(self.address + native.Program.offset("runs")).value


class _Encoder:
    def __init__(self, plan: Plan, addresses: Sequence[int], blas: Blas) -> None:
        self.plan = plan
        self.addresses = addresses
        self.blas = blas
        self.scalar_base = 1 + len(plan.buffers)
        self.counter_base = self.scalar_base + len(plan.scalars)
        self.depth = 0
        self.deepest = 0
        self.most_slots = 0
        self.calls_python = False

    def buffer(self, number: int, owned: bool = False) -> int:
        """Returns the frame word of a buffer; `owned` ones may be freed and swapped, unlike a caller's."""
        inputs, buffers = self.plan.inputs, len(self.plan.buffers)
        if not (inputs if owned else 0) <= number < buffers:
            what = "not a buffer that the plan owns" if owned else "no buffer"
            raise ValueError(f"buffer {number} is {what}: {inputs} inputs, {buffers} buffers")
        return 1 + number

    def pair(self, value: Any) -> tuple[int, int]:
        """Returns frame word and addend whose sum is an address, or the bits of a value."""
        if isinstance(value, BufferRef):
            word = self.buffer(value.buffer)
            return word, value.offset * self.plan.buffers[value.buffer].dtype.itemsize
        if isinstance(value, ScalarRef):
            if not 0 <= value.index < len(self.plan.scalars):
                raise ValueError(f"scalar {value.index} of {len(self.plan.scalars)}")
            return self.scalar_base + value.index, 0
        if isinstance(value, LoopIndex):
            if not 0 <= value.depth < self.depth:
                raise ValueError(f"loop index {value.depth} inside {self.depth} loops")
            return self.counter_base + self.depth - 1 - value.depth, 0
        if isinstance(value, ConstantScalar):
            value = scalar_bits(value.value, value.dtype)
        return 0, signed(value)

    def pairs(self, values: Iterable[Any]) -> list[int]:
        return [word for value in values for word in self.pair(value)]

    def steps(self, steps: Sequence[Step]) -> list[int]:
        words: list[int] = []
        for step in steps:
            operation, encode = _OPERATIONS[type(step)]
            operands = encode(self, step)
            words += [getattr(native, operation), len(operands), *operands]
            if isinstance(step, LibraryCall):
                self.most_slots = max(self.most_slots, 2)
                for ref in step.faults:  # later steps do not run on the results of a failed call
                    words += [native.FAULTS, 4, *self.pair(ref), 1, ref.offset]
        return words

    def alloc(self, step: Alloc) -> list[int]:
        nbytes = self.plan.buffers[step.buffer].nbytes if 0 <= step.buffer < len(self.plan.buffers) else 0
        if nbytes < 0:
            raise ValueError(f"alloc of {nbytes} bytes")
        aligned_with = 0 if step.aligned_with is None else self.buffer(step.aligned_with)
        return [self.buffer(step.buffer, owned=True), nbytes, aligned_with]

    def free(self, step: Free) -> list[int]:
        return [self.buffer(step.buffer, owned=True)]

    def launch(self, step: Launch) -> list[int]:
        if not 0 <= step.kernel < len(self.addresses):
            raise ValueError(f"kernel {step.kernel} of {len(self.addresses)}")
        slots = (*step.buffers, *step.indices, *step.scalars)
        self.most_slots = max(self.most_slots, len(slots))
        return [signed(self.addresses[step.kernel]), step.groups, len(slots), *self.pairs(slots)]

    def library_call(self, step: LibraryCall) -> list[int]:
        encoded_call = self.blas.encoded(step)
        self.calls_python |= encoded_call.through_python
        refs = (*step.operands, *step.results, *step.workspace, *step.faults)
        if len(refs) > native.MOST_ADDRESSES:
            raise ValueError(f"{len(refs)} operands, results and workspaces of a {step.function}")
        sizes = [self.plan.buffers[ref.buffer].dtype.itemsize for ref in refs]
        calls = math.prod([axis.count for axis in step.batch])
        parts, apart = self.parts(step, calls) if encoded_call.shared else (calls, 0)
        words = [
            signed(encoded_call.adapter),
            int(encoded_call.shared),
            parts,
            calls,
            len(refs),
            *self.pairs(refs),
        ]
        workspace = range(len(refs) - len(step.faults))[len(step.operands) + len(step.results) :]
        words += [apart if place in workspace else 0 for place in range(len(refs))]
        words.append(len(step.batch))
        for axis in step.batch:
            strides = (*axis.strides, *[0] * (len(refs) - len(axis.strides)))
            words += [axis.count, *(stride * size for stride, size in zip(strides, sizes, strict=True))]
        return words + encoded_call.words

    def callback(self, step: Callback) -> list[int]:
        """Encodes a call of an adapter like one of a library."""
        refs = (*step.operands, *step.results)
        if step.name != HOST or len(refs) > native.MOST_ADDRESSES:
            raise ValueError(f"a callback {step.name!r} of {len(refs)} operands and results")
        self.calls_python = True
        self.most_slots = max(self.most_slots, 2)
        words = [signed(host_adapter(self.blas)), 0, 1, 1, len(refs), *self.pairs(refs)]
        return [*words, *([0] * len(refs)), 0, 0]

    def parts(self, step: LibraryCall, calls: int) -> tuple[int, int]:
        """Returns into how many parts calls are divided for threads, and the distance of their workspaces,
        one for each part, if there are any."""
        needed = 8 * sum(workspace_words(step).values())
        if not needed:
            return calls, 0
        (ref,) = step.workspace
        return max(1, min(calls, self.plan.buffers[ref.buffer].nbytes // needed)), needed

    def copy(self, step: Copy) -> list[int]:
        nbytes = step.elements * self.plan.buffers[step.target.buffer].dtype.itemsize
        return [*self.pair(step.target), *self.pair(step.source), nbytes]

    def zero(self, step: Zero) -> list[int]:
        return [*self.pair(step.target), step.elements * self.plan.buffers[step.target.buffer].dtype.itemsize]

    def faults(self, step: Faults) -> list[int]:
        noted = self.plan.buffers[step.buffer]
        if noted.dtype.itemsize != 8:
            raise ValueError(f"faults are words of 8 bytes here, not {noted.dtype.itemsize}")
        self.most_slots = max(self.most_slots, 2)
        return [self.buffer(step.buffer), 0, noted.elements, 0]

    def loop(self, step: Loop) -> list[int]:
        bounds = [*self.bound(step.lower), *self.bound(step.upper)]
        counter = self.counter_base + self.depth
        self.depth += 1
        self.deepest = max(self.deepest, self.depth)
        body = self.steps(step.body)
        self.depth -= 1
        return [counter, *bounds, len(body), *self.swaps(step), *body]

    def bound(self, bound: Any) -> list[int]:
        """Returns frame word and addend, and whether their sum is the address of the value."""
        if not isinstance(bound, BufferRef):
            return [*self.pair(bound), 0]
        nbytes = self.plan.buffers[bound.buffer].dtype.itemsize
        if nbytes != 8:
            raise ValueError(f"a loop bound of {nbytes} bytes")
        return [*self.pair(bound), 1]

    def swaps(self, step: Loop | While) -> list[int]:
        return [len(step.swaps), *(self.buffer(each, owned=True) for pair in step.swaps for each in pair)]

    def while_(self, step: While) -> list[int]:
        swaps = self.swaps(step)
        condition, body = self.steps(step.condition), self.steps(step.body)
        return [*self.pair(step.predicate), len(condition), len(body), *swaps, *condition, *body]

    def cond(self, step: Cond) -> list[int]:
        then, orelse = self.steps(step.then), self.steps(step.orelse)
        return [*self.pair(step.predicate), len(then), len(orelse), *then, *orelse]


def _in_python(_encoder: _Encoder, step: Step) -> list[int]:
    raise ValueError(f"{type(step).__name__} is a step of the Python executor")


_OPERATIONS: dict[type[Step], tuple[str, Callable[[_Encoder, Any], list[int]]]] = {
    Alloc: ("ALLOC", _Encoder.alloc),
    Free: ("FREE", _Encoder.free),
    Launch: ("LAUNCH", _Encoder.launch),
    LibraryCall: ("CALL", _Encoder.library_call),
    Copy: ("COPY", _Encoder.copy),
    Loop: ("LOOP", _Encoder.loop),
    While: ("WHILE", _Encoder.while_),
    Cond: ("COND", _Encoder.cond),
    Callback: ("CALL", _Encoder.callback),
    Check: ("", _in_python),
    Zero: ("ZERO", _Encoder.zero),
    Faults: ("FAULTS", _Encoder.faults),
}
"""For each step the native executor's name of it, and its words and their number."""


def allocated_bytes(plan: Plan) -> dict[int, int]:
    """Returns the size of each buffer that a plan allocates, the smallest one after a swap."""
    found: dict[int, int] = {}

    def look(steps: Sequence[Step]) -> None:
        for step in steps:
            if isinstance(step, Alloc):
                found[step.buffer] = plan.buffers[step.buffer].nbytes
            for region in regions(step):
                look(region)
            for first, second in step.swaps if isinstance(step, Loop | While) else ():
                least = min(found.get(first, 0), found.get(second, 0))
                found[first] = found[second] = least

    look(plan.steps)
    return found


def signed(bits: int) -> int:
    """Eight bytes as the signed number of the same bits."""
    if not -(1 << 63) <= bits < 1 << 64:
        raise ValueError(f"{bits} does not fit into 8 bytes")
    return bits - (1 << 64) if bits >> 63 > 0 else bits


def encode(
    plan: Plan, addresses: Sequence[int], blas: Blas, failure_flag: int, threads: int = MOST_THREADS
) -> Program:
    """Checks and encodes a plan; raises ValueError for one that breaks a rule of bound plans.

    `threads`: the most threads of a launch, those of a library excluded.
    """
    if plan.kernels and len(addresses) != len(plan.kernels):
        raise ValueError(f"{len(plan.kernels)} kernels, {len(addresses)} addresses")
    if len(set(plan.outputs)) != len(plan.outputs):
        raise ValueError(f"outputs {plan.outputs} name a buffer twice")
    encoder = _Encoder(plan, addresses, blas)
    words = encoder.steps(plan.steps)
    output_words = [encoder.buffer(number, owned=True) for number in plan.outputs]
    kept = [number < plan.inputs or number in plan.outputs for number in range(len(plan.buffers))]
    slot_base = encoder.counter_base + encoder.deepest
    frame_words = slot_base + encoder.most_slots
    # The struct, the code, the outputs and a byte for each buffer lie one after the other in one array.
    code_at = native.Program.size() // 8
    outputs_at = code_at + len(words)
    kept_at = outputs_at + len(output_words)
    memory = np.zeros(kept_at + -(-len(kept) // 8), np.int64)
    address: int = memory.__array_interface__["data"][0]
    values = {
        "code": address + 8 * code_at, "code_words": len(words), "buffers": len(plan.buffers),
        "inputs": plan.inputs, "scalars": len(plan.scalars), "frame_words": frame_words,
        "slot_base": slot_base,
        "outputs": address + 8 * outputs_at, "output_count": len(plan.outputs),
        "kept": address + 8 * kept_at, "failed": failure_flag,
        "threads": threads if plan.cost_ns == 0 or plan.cost_ns >= SHARED_ABOVE_NS else 1,
        "short": 0 < plan.cost_ns < SHORT_BELOW_NS,
    }  # fmt: skip
    for name, value in values.items():
        memory[native.Program.offset(name) // 8] = value
    memory[code_at:kept_at] = words + output_words
    memory[kept_at:].view(np.bool_)[: len(kept)] = kept
    sizes = allocated_bytes(plan)
    output_bytes = tuple(sizes.get(number, 0) for number in plan.outputs)
    return Program(
        plan.inputs, len(plan.scalars), len(plan.buffers), len(plan.outputs), output_bytes,
        tuple(output_words), frame_words, address, encoder.calls_python, memory,
    )  # fmt: skip
