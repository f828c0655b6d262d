"""Bound plans as tests of executors write them: memory by its bytes, launches by their slots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from jitframe.codegen.plan.kinds import FIELDS, REGION
from jitframe.codegen.plan.nodes import (
    Alloc,
    Axis,
    BufferRef,
    Copy,
    Launch,
    LibraryCall,
    LoopIndex,
    Plan,
    PlanBuffer,
    ScalarRef,
    Zero,
)
from jitframe.ir.record import replace
from jitframe.ir.types import BY_NAME, I32, I64, U8, U64, DType

Step = Any


@dataclass(frozen=True)
class At:
    """A place in a buffer, so many bytes behind its beginning; `load`: the integer of so many bytes there."""

    buffer: int
    nbytes: int = 0
    load: int = 0


def load(place: At, nbytes: int = 8) -> At:
    return At(place.buffer, place.nbytes, nbytes)


def counter(depth: int = 0) -> LoopIndex:
    return LoopIndex(depth, I64)


@dataclass(frozen=True)
class Sized:
    """A step with the size of the memory that it is about, in bytes."""

    step: Any
    nbytes: int


def alloc(buffer: int, nbytes: int, beside: int | None = None) -> Sized:
    return Sized(Alloc(buffer, beside), nbytes)


def copy(target: At, source: At, nbytes: int) -> Sized:
    return Sized(Copy(target, source, 0), nbytes)  # type: ignore[arg-type]


def zero(target: At, nbytes: int) -> Sized:
    return Sized(Zero(target, 0), nbytes)  # type: ignore[arg-type]


def launch(kernel: int, slots: Sequence[Any], groups: int) -> Launch:
    """Slots in the order of the kernel's parameters."""
    return Launch(kernel, (), tuple(slots), (), groups, 0, 0)


def gemm(
    dtype: str, transpose_a: bool, transpose_b: bool, m: int, n: int, k: int, a: At, lda: int, b: At,
    ldb: int, c: At, ldc: int, batch: tuple[Axis, ...] = (),
) -> LibraryCall:  # fmt: skip
    return LibraryCall(
        "gemm", BY_NAME[dtype], (a, b), (c,), (int(transpose_a), int(transpose_b)),  # type: ignore[arg-type]
        (m, n, k, lda, ldb, ldc), (), batch, 0,
    )  # fmt: skip


def axis(count: int, *strides: int) -> Axis:
    return Axis(count, strides)


def bound_plan(
    kernels: Sequence[Any], buffers: int, inputs: int, scalars: int, steps: Sequence[Step],
    outputs: Sequence[int], cost_ns: int = 0,
) -> Plan:  # fmt: skip
    """The plan of such steps. Its buffers hold bytes, but where a library or a loop's bound reads others."""
    found = _Found()
    found.look(steps)
    table = []
    for number in range(buffers):
        dtype = found.dtypes.get(number, U8)
        table.append(PlanBuffer(dtype, found.sizes.get(number, 0) // dtype.itemsize))
    made = tuple(found.made(step) for step in steps)
    return Plan(0, tuple(kernels), inputs, (U64,) * scalars, tuple(table), made, tuple(outputs), cost_ns)


class _Found:
    def __init__(self) -> None:
        self.sizes: dict[int, int] = {}
        self.dtypes: dict[int, DType] = {}

    def look(self, steps: Sequence[Step]) -> None:
        for step in steps:
            if isinstance(step, Sized):
                if isinstance(step.step, Alloc):
                    self.sizes[step.step.buffer] = step.nbytes
                continue
            if isinstance(step, LibraryCall):
                for place in (*step.operands, *step.results):
                    self.dtypes[place.buffer] = step.dtype
            for name, kind in FIELDS[type(step)].items():
                value = getattr(step, name)
                if kind == REGION:
                    self.look(value)
                elif isinstance(value, At) and value.load:
                    self.dtypes[value.buffer] = {8: I64, 4: I32}[value.load]

    def made(self, step: Step) -> Any:
        if isinstance(step, Sized):
            inner = step.step
            if isinstance(inner, Alloc):
                return inner
            step = replace(inner, elements=step.nbytes // self._itemsize(inner.target.buffer))
        changed: dict[str, Any] = {}
        for name, kind in FIELDS[type(step)].items():
            value = getattr(step, name)
            if kind == REGION:
                changed[name] = tuple(self.made(each) for each in value)
            elif isinstance(value, At):
                changed[name] = self._ref(value)
            elif isinstance(value, tuple) and any(isinstance(each, At) for each in value):
                changed[name] = tuple(self._ref(each) if isinstance(each, At) else each for each in value)
        return replace(step, **changed) if changed else step

    def _itemsize(self, buffer: int) -> int:
        return self.dtypes.get(buffer, U8).itemsize

    def _ref(self, place: At) -> BufferRef:
        return BufferRef(place.buffer, place.nbytes // self._itemsize(place.buffer))


def scalar(index: int) -> ScalarRef:
    return ScalarRef(index)
