"""Binding a plan: sizes and device facts in, the same plan with plain integers out.

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
from ...ir.record import replace
from ...ir.types import BF16, F16, DType
from .kinds import binder
from .nodes import Check, Cond, Launch, LibraryCall, Loop, Plan, PlanBuffer, Step, While

_Values = tuple[int, ...]
_NO_FACTS: Mapping[str, int] = {}


ITERATION_NS = 20
"""What the steps of a loop cost at least, however small their launches."""
UNKNOWN_LOOP_NS = 100_000
"""The estimate of a loop of unknown count: enough that other Python threads run meanwhile."""


class OutOfBounds(Exception):
    """A run has recorded a fault: in word number `word`, a position out of bounds (`index`, see
    `lower.writer`), or a failed check or library call; `Op.fault` says which."""

    def __init__(self, word: int, spelled: int) -> None:
        self.word = word
        self.spelled = spelled
        self.index = -(spelled >> 1) - 1 if spelled & 1 else spelled >> 1
        super().__init__(f"index {self.index} is out of bounds (word {word})")


class PlanCheckError(ValueError):
    """A check of the plan failed for the sizes it was bound to."""


_PACKED = {
    "bool": "<?", "i8": "<b", "i16": "<h", "i32": "<i", "i64": "<q", "u8": "<B", "u16": "<H", "u32": "<I",
    "u64": "<Q", "f16": "<e", "f32": "<f", "f64": "<d",
}  # fmt: skip


def scalar_bits(value: Any, dtype: DType) -> int:
    """Returns the eight bytes of a scalar's slot as an unsigned number: its value in the low bytes, then
    zeros."""
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
    """A plan of one structure, ready to be bound to any sizes."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self._exprs: list[Expr] = []
        self._place: dict[Expr, int] = {}
        self._checks: list[tuple[int, str]] = []
        self._compiled: Callable[[Sequence[int], dict[str, int]], _Values] | None = None
        self._bindings = 0
        self._cost = self._cost_of(plan.steps)
        self._steps = binder(self._without_checks(plan.steps), self._expr)
        self._sizes = [self._expr(buffer.elements) for buffer in plan.buffers]

    def bind(self, sizes: Sequence[int], facts: Mapping[str, int] = _NO_FACTS) -> Plan:
        """Returns the plan for these sizes; raises PlanCheckError where a check on them fails."""
        values = self._values(sizes, dict(facts))
        for place, message in self._checks:
            if not values[place]:
                raise PlanCheckError(message)
        plan = self.plan
        steps = plan.steps if self._steps is None else self._steps(values)
        buffers = tuple(
            [PlanBuffer(buffer.dtype, values[place]) for buffer, place in zip(plan.buffers, self._sizes)]
        )
        cost = max(0, self._cost(values))
        return Plan(0, plan.kernels, plan.inputs, plan.scalars, buffers, steps, plan.outputs, cost)

    def _values(self, sizes: Sequence[int], facts: dict[str, int]) -> _Values:
        self._bindings += 1
        if self._bindings == 1:
            return tuple([evaluate(expr, sizes, facts) for expr in self._exprs])
        if self._compiled is None:
            self._compiled = compile_exprs(self._exprs)
        return self._compiled(sizes, facts)

    def _expr(self, expr: Expr) -> int:
        """Returns the index of an expression among the values of a binding."""
        place = self._place.get(expr)
        if place is None:
            place = self._place[expr] = len(self._exprs)
            self._exprs.append(expr)
        return place

    def _without_checks(self, steps: tuple[Step, ...]) -> tuple[Step, ...]:
        """Returns the steps that run; checks of sizes are made at the binding."""
        kept: list[Step] = []
        for step in steps:
            if isinstance(step, Check) and isinstance(step.condition, Expr):
                self._checks.append((self._expr(step.condition), step.message))
            elif isinstance(step, Loop):
                kept.append(replace(step, body=self._without_checks(step.body)))
            elif isinstance(step, While):
                condition, body = self._without_checks(step.condition), self._without_checks(step.body)
                kept.append(replace(step, condition=condition, body=body))
            elif isinstance(step, Cond):
                then, orelse = self._without_checks(step.then), self._without_checks(step.orelse)
                kept.append(replace(step, then=then, orelse=orelse))
            else:
                kept.append(step)
        return tuple(kept)

    # Estimates ----------------------------------------------------------------------------------------
    def _cost_of(self, steps: tuple[Step, ...]) -> Callable[[_Values], int]:
        """Estimates the time of steps; a loop of unknown count counts as long."""
        launches: Counter[int] = Counter()
        others: list[Callable[[_Values], int]] = []
        for step in steps:
            if isinstance(step, Launch | LibraryCall):
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
        count = self._expr(step.upper - step.lower)
        return lambda values: max(ITERATION_NS, body(values)) * max(0, values[count])

    def _while_cost(self, step: While) -> Callable[[_Values], int]:
        condition, body = self._cost_of(step.condition), self._cost_of(step.body)
        return lambda values: max(ITERATION_NS, condition(values) + body(values)) + UNKNOWN_LOOP_NS

    def _cond_cost(self, step: Cond) -> Callable[[_Values], int]:
        then, orelse = self._cost_of(step.then), self._cost_of(step.orelse)
        return lambda values: max(then(values), orelse(values))


_COSTS: dict[type[Step], Callable[[PlanTemplate, Any], Callable[[_Values], int]]] = {
    Loop: PlanTemplate._loop_cost,
    While: PlanTemplate._while_cost,
    Cond: PlanTemplate._cond_cost,
}
