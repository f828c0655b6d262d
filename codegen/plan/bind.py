"""Binding a plan: numbers and device facts in, a `BoundPlan` of plain integers out.

>>> template = PlanTemplate(plan)
>>> bound = template.bind([1000], {"device.threads": 2})

The first binding walks the expressions; the second compiles them into one Python function, which pays from
there on and would double the cost of a first call.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ...ir.expr import Expr, compile_exprs, evaluate
from ...ir.types import BF16, F16, DType
from .bound import (
    BoundAlloc,
    BoundBatch,
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
from .nodes import (
    Alloc,
    Bound,
    BufferRef,
    Callback,
    Check,
    Cond,
    Copy,
    Faults,
    Free,
    Gemm,
    Launch,
    Loop,
    LoopIndex,
    Plan,
    Scalar,
    ScalarRef,
    Step,
    While,
    Zero,
)

_SLOT_MASK = (1 << 64) - 1
_Values = tuple[int, ...]
_Make = Callable[[_Values], BoundStep]
_NO_FACTS: Mapping[str, int] = {}


ITERATION_NS = 20
"""What the steps of a loop cost at least, however small their launches."""
UNKNOWN_LOOP_NS = 100_000
"""What a loop of unknown count adds to the estimate: enough that other Python threads run beside it."""


class OutOfBounds(Exception):
    """A run noted a position out of bounds: in word number `word`, the index `index` (see `lower.writer`)."""

    def __init__(self, word: int, spelled: int) -> None:
        self.word = word
        self.spelled = spelled
        self.index = -(spelled >> 1) - 1 if spelled & 1 else spelled >> 1
        super().__init__(f"index {self.index} is out of bounds (word {word})")


class PlanCheckError(ValueError):
    """A check of the plan failed for the numbers it was bound to."""


_PACKED = {
    "bool": "<?", "i8": "<b", "i16": "<h", "i32": "<i", "i64": "<q", "u8": "<B", "u16": "<H", "u32": "<I",
    "u64": "<Q", "f16": "<e", "f32": "<f", "f64": "<d",
}  # fmt: skip


def scalar_bits(value: Any, dtype: DType) -> int:
    """The eight bytes of a scalar's slot as an unsigned number: its value in the low bytes, then zeros."""
    if dtype.name in _PACKED:
        try:
            return int.from_bytes(struct.pack(_PACKED[dtype.name], value), "little")
        except OverflowError:
            if not dtype.is_float:
                raise
    # struct refuses floats that round to infinity; NumPy rounds as casts do.
    with np.errstate(over="ignore"):
        if dtype is F16:
            return int(np.float16(value).view(np.uint16))
        single = int(np.float32(value).view(np.uint32))
    if dtype is not BF16:
        return single
    return single >> 16 if value != value else single + 0x7FFF + (single >> 16 & 1) >> 16


class PlanTemplate:
    """A plan of one structure, ready to be bound to any numbers."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._exprs: list[Expr] = []
        self._place: dict[Expr, int] = {}
        self._checks: list[tuple[int, str]] = []
        self._compiled: Callable[[Sequence[int], dict[str, int]], _Values] | None = None
        self._bindings = 0
        self._cost = self._cost_of(plan.steps)
        self._steps = self._makers(plan.steps)

    def bind(self, numbers: Sequence[int], facts: Mapping[str, int] = _NO_FACTS) -> BoundPlan:
        """The plan for these numbers; raises PlanCheckError where a check on them fails."""
        values = self._values(numbers, dict(facts))
        for place, message in self._checks:
            if not values[place]:
                raise PlanCheckError(message)
        plan = self.plan
        steps = tuple([make(values) for make in self._steps])
        cost = max(0, self._cost(values))
        return BoundPlan(
            plan.kernels, len(plan.buffers), plan.inputs, len(plan.scalars), steps, plan.outputs, cost
        )

    def _values(self, numbers: Sequence[int], facts: dict[str, int]) -> _Values:
        self._bindings += 1
        if self._bindings == 1:
            return tuple([evaluate(expr, numbers, facts) for expr in self._exprs])
        if self._compiled is None:
            self._compiled = compile_exprs(self._exprs)
        return self._compiled(numbers, facts)

    def _expr(self, expr: Expr) -> int:
        """The place of an expression among the values of a binding."""
        place = self._place.get(expr)
        if place is None:
            place = self._place[expr] = len(self._exprs)
            self._exprs.append(expr)
        return place

    def _cost_of(self, steps: tuple[Step, ...]) -> Callable[[_Values], int]:
        """The estimated time of steps; a loop of unknown count is taken to run long."""
        launches: Counter[int] = Counter()
        others: list[Callable[[_Values], int]] = []
        for step in steps:
            if isinstance(step, Launch | Gemm):
                launches[self._expr(step.cost_ns)] += 1
            elif isinstance(step, Loop | While | Cond):
                others.append(_COSTS[type(step)](self, step))
        counted = tuple(launches.items())
        return lambda values: (
            sum([values[place] * count for place, count in counted])
            + sum([other(values) for other in others])
        )

    def _loop_cost(self, step: Loop) -> Callable[[_Values], int]:
        body = self._cost_of(step.body)
        if not isinstance(step.lower, Expr) or not isinstance(step.upper, Expr):
            return lambda values: max(ITERATION_NS, body(values)) + UNKNOWN_LOOP_NS
        count = self._expr(_count(step))
        return lambda values: max(ITERATION_NS, body(values)) * max(0, values[count])

    def _while_cost(self, step: While) -> Callable[[_Values], int]:
        condition, body = self._cost_of(step.condition), self._cost_of(step.body)
        return lambda values: max(ITERATION_NS, condition(values) + body(values)) + UNKNOWN_LOOP_NS

    def _cond_cost(self, step: Cond) -> Callable[[_Values], int]:
        then, orelse = self._cost_of(step.then), self._cost_of(step.orelse)
        return lambda values: max(then(values), orelse(values))

    # Slots --------------------------------------------------------------------------------------------
    def _buffer(self, ref: BufferRef) -> Callable[[_Values], BufferSlot]:
        if ref.offset.value is not None:
            fixed = BufferSlot(ref.buffer, ref.offset.value * self.plan.buffers[ref.buffer].dtype.itemsize)
            return lambda values: fixed
        buffer = ref.buffer
        place, itemsize = self._expr(ref.offset), self.plan.buffers[buffer].dtype.itemsize
        return lambda values: BufferSlot(buffer, values[place] * itemsize)

    def _slot(self, slot: Expr | Scalar) -> BoundSlot | int:
        """A slot that is the same in every binding, or the place of its value."""
        if isinstance(slot, Expr):
            return self._expr(slot) if slot.value is None else ValueSlot(slot.value & _SLOT_MASK)
        if isinstance(slot, ScalarRef):
            return ScalarSlot(slot.index)
        if isinstance(slot, LoopIndex):
            return LoopIndexSlot(slot.depth)
        return ValueSlot(scalar_bits(slot.value, slot.dtype))

    def _bound_of(self, slot: Bound) -> Callable[[_Values], BoundSlot | LoadSlot]:
        if isinstance(slot, BufferRef):
            source, nbytes = self._buffer(slot), self.plan.buffers[slot.buffer].dtype.itemsize
            return lambda values: LoadSlot(source(values), nbytes)
        found = self._slot(slot)
        if not isinstance(found, int):
            return lambda values: found
        return lambda values: ValueSlot(values[found] & _SLOT_MASK)

    # Steps --------------------------------------------------------------------------------------------
    def _makers(self, steps: tuple[Step, ...]) -> list[_Make]:
        made = []
        for step in steps:
            if isinstance(step, Check) and isinstance(step.condition, Expr):
                self._checks.append((self._expr(step.condition), step.message))
            else:
                made.append(_MAKERS[type(step)](self, step))
        return made

    def _alloc(self, step: Alloc) -> _Make:
        held = self.plan.buffers[step.buffer]
        buffer, place, itemsize = step.buffer, self._expr(held.elements), held.dtype.itemsize
        beside = step.beside
        return lambda values: BoundAlloc(buffer, values[place] * itemsize, beside)

    def _free(self, step: Free) -> _Make:
        bound = BoundFree(step.buffer)
        return lambda values: bound

    def _launch(self, step: Launch) -> _Make:
        kernel, groups = step.kernel, self._expr(step.groups)
        buffers = [self._buffer(ref) for ref in step.buffers]
        rest = [self._slot(slot) for slot in (*step.indices, *step.scalars)]

        def make(values: _Values) -> BoundLaunch:
            slots: list[BoundSlot] = [buffer(values) for buffer in buffers]
            for slot in rest:
                slots.append(ValueSlot(values[slot] & _SLOT_MASK) if isinstance(slot, int) else slot)
            return BoundLaunch(kernel, tuple(slots), values[groups])

        return make

    def _gemm(self, step: Gemm) -> _Make:
        m, n, k, lda, ldb, ldc = (
            self._expr(e) for e in (step.m, step.n, step.k, step.lda, step.ldb, step.ldc)
        )
        a, b, c = self._buffer(step.a), self._buffer(step.b), self._buffer(step.c)
        name, transpose_a, transpose_b = step.dtype.name, step.transpose_a, step.transpose_b
        axes = [tuple(self._expr(e) for e in (axis.count, axis.a, axis.b, axis.c)) for axis in step.batch]
        return lambda v: BoundGemm(
            name, transpose_a, transpose_b, v[m], v[n], v[k], a(v), v[lda], b(v), v[ldb], c(v), v[ldc],
            tuple([BoundBatch(v[count], v[x], v[y], v[z]) for count, x, y, z in axes]),
        )  # fmt: skip

    def _copy(self, step: Copy) -> _Make:
        target, source = self._buffer(step.target), self._buffer(step.source)
        place, itemsize = self._expr(step.elements), self.plan.buffers[step.target.buffer].dtype.itemsize
        return lambda values: BoundCopy(target(values), source(values), values[place] * itemsize)

    def _loop(self, step: Loop) -> _Make:
        lower, upper = self._bound_of(step.lower), self._bound_of(step.upper)
        body, swaps = self._makers(step.body), step.swaps
        return lambda values: BoundLoop(lower(values), upper(values), _all(body, values), swaps)

    def _while(self, step: While) -> _Make:
        predicate = self._buffer(step.predicate)
        condition, body, swaps = self._makers(step.condition), self._makers(step.body), step.swaps
        return lambda values: BoundWhile(
            predicate(values), _all(condition, values), _all(body, values), swaps
        )

    def _cond(self, step: Cond) -> _Make:
        predicate = self._buffer(step.predicate)
        then, orelse = self._makers(step.then), self._makers(step.orelse)
        return lambda values: BoundCond(predicate(values), _all(then, values), _all(orelse, values))

    def _callback(self, step: Callback) -> _Make:
        name, buffers = step.name, [self._buffer(ref) for ref in step.buffers]
        return lambda values: BoundCallback(name, tuple([buffer(values) for buffer in buffers]))

    def _check(self, step: Check) -> _Make:
        assert isinstance(step.condition, BufferRef)
        predicate, message = self._buffer(step.condition), step.message
        return lambda values: BoundCheck(predicate(values), message)

    def _zero(self, step: Zero) -> _Make:
        target = self._buffer(step.target)
        place, itemsize = self._expr(step.elements), self.plan.buffers[step.target.buffer].dtype.itemsize
        return lambda values: BoundZero(target(values), values[place] * itemsize)

    def _faults(self, step: Faults) -> _Make:
        held = self.plan.buffers[step.buffer]
        buffer, itemsize, place = step.buffer, held.dtype.itemsize, self._expr(held.elements)
        return lambda values: BoundFaults(buffer, values[place], itemsize)


def _all(makers: list[_Make], values: _Values) -> tuple[BoundStep, ...]:
    return tuple([make(values) for make in makers])


_MAKERS: dict[type, Callable[[PlanTemplate, Any], _Make]] = {
    Alloc: PlanTemplate._alloc,
    Free: PlanTemplate._free,
    Launch: PlanTemplate._launch,
    Gemm: PlanTemplate._gemm,
    Copy: PlanTemplate._copy,
    Loop: PlanTemplate._loop,
    While: PlanTemplate._while,
    Cond: PlanTemplate._cond,
    Callback: PlanTemplate._callback,
    Check: PlanTemplate._check,
    Zero: PlanTemplate._zero,
    Faults: PlanTemplate._faults,
}


_COSTS: dict[type[Step], Callable[[PlanTemplate, Any], Callable[[_Values], int]]] = {
    Loop: PlanTemplate._loop_cost,
    While: PlanTemplate._while_cost,
    Cond: PlanTemplate._cond_cost,
}


def _count(step: Loop) -> Expr:
    assert isinstance(step.lower, Expr)
    assert isinstance(step.upper, Expr)
    return step.upper - step.lower
