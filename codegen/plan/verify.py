"""The plan verifier: lifetimes of buffers, arguments against kernel parameters, known symbols.

>>> verify_plan(plan)                    # raises PlanError, the printed plan with the line marked
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NoReturn

from ...ir.expr import Expr, lift
from ...ir.types import BOOL, I32, I64, U32, U64, DType
from .libraries import problem_of
from .nodes import (
    Alloc,
    Bound,
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
    Scalar,
    ScalarRef,
    Size,
    Step,
    While,
    Zero,
)
from .text import marked_plan

FACT_PREFIX = "device."


class PlanError(AssertionError):
    """A plan that breaks a rule: what is wrong, and the printed plan with the line marked."""


def verify_plan(plan: Plan) -> None:
    """Check a whole plan; raises PlanError at the first fault."""
    _Verifier(plan).run()


class _Verifier:
    """One check of one plan: which buffers are alive and which hold something, step by step."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.step: int | None = None
        self.count = 0
        self.depth = 0
        self.alive: set[int] = set(range(plan.inputs))
        self.ended: set[int] = set()
        self.filled: set[int] = set(range(plan.inputs))

    def fail(self, message: str) -> NoReturn:
        raise PlanError(f"plan: {message}\n{marked_plan(self.plan, self.step)}")

    def require(self, condition: bool, message: str) -> None:
        if not condition:
            self.fail(message)

    def run(self) -> None:
        plan = self.plan
        self.require(0 <= plan.inputs <= len(plan.buffers), "more inputs than buffers")
        for buffer in plan.buffers:
            self.expr(buffer.elements)
        self.steps(plan.steps)
        self.step = None
        self.require(len(set(plan.outputs)) == len(plan.outputs), "a buffer is an output twice")
        for output in plan.outputs:
            self.require(output >= plan.inputs, f"input @{output} cannot be an output: the caller has it")
            self.require(output in self.alive, f"output @{output} is not alive at the end")
            self.require(output in self.filled, f"nothing writes output @{output}")
        for buffer_id in sorted(self.alive - set(range(plan.inputs)) - set(plan.outputs)):
            self.fail(f"@{buffer_id} is never freed")

    def steps(self, steps: Iterable[Step]) -> None:
        for step in steps:
            self.step = self.count
            self.count += 1
            _CHECKS[type(step)](self, step)

    # Parts --------------------------------------------------------------------------------------------
    def expr(self, expr: Size) -> None:
        pending: list[Expr] = [lift(expr)]
        while pending:
            node = pending.pop()
            pending += node.operands
            if node.kind != "symbol":
                continue
            if isinstance(node.payload, int):
                known = 0 <= node.payload < self.plan.sizes
                self.require(known, f"{node!r} of a plan of {self.plan.sizes} sizes")
            else:
                known = node.payload.startswith(FACT_PREFIX)
                self.require(known, f"{node!r} is neither a number nor a fact {FACT_PREFIX}*")

    def known(self, buffer: int) -> None:
        self.require(0 <= buffer < len(self.plan.buffers), f"there is no buffer @{buffer}")

    def use(self, ref: BufferRef, *, reads: bool = False, writes: bool = False) -> DType:
        """Check that a buffer may be used here; its dtype."""
        buffer = ref.buffer
        self.known(buffer)
        self.expr(ref.offset)
        if buffer not in self.alive:
            when = "after it was freed" if buffer in self.ended else "before it is allocated"
            self.fail(f"@{buffer} is used {when}")
        self.require(not reads or buffer in self.filled, f"@{buffer} is read before anything wrote it")
        if writes:
            self.filled.add(buffer)
        return self.plan.buffers[buffer].dtype

    def scalar_dtype(self, scalar: Scalar) -> DType:
        if isinstance(scalar, ConstantScalar):
            return scalar.dtype
        if isinstance(scalar, LoopIndex):
            return self.loop_index(scalar)
        assert isinstance(scalar, ScalarRef), scalar
        self.require(0 <= scalar.index < len(self.plan.scalars), f"there is no scalar %{scalar.index}")
        return self.plan.scalars[scalar.index]

    def loop_index(self, index: LoopIndex) -> DType:
        self.require(0 <= index.depth < self.depth, f"loop {index.depth} where {self.depth} loops are open")
        self.require(index.dtype.is_integer, f"a loop's counter is no {index.dtype.name}")
        return index.dtype

    # Steps --------------------------------------------------------------------------------------------
    def alloc(self, step: Alloc) -> None:
        self.known(step.buffer)
        self.require(step.buffer >= self.plan.inputs, f"input @{step.buffer} is the caller's")
        if step.aligned_with is not None:
            self.use(BufferRef(step.aligned_with))
        fresh = step.buffer not in self.alive and step.buffer not in self.ended
        self.require(fresh, f"@{step.buffer} is allocated twice")
        self.alive.add(step.buffer)

    def free(self, step: Free) -> None:
        self.known(step.buffer)
        self.require(step.buffer >= self.plan.inputs, f"input @{step.buffer} is the caller's")
        twice = step.buffer in self.ended
        self.require(
            step.buffer in self.alive,
            f"@{step.buffer} is freed {'twice' if twice else 'before it is allocated'}",
        )
        self.alive.remove(step.buffer)
        self.ended.add(step.buffer)

    def launch(self, step: Launch) -> None:
        self.require(0 <= step.kernel < len(self.plan.kernels), f"there is no kernel {step.kernel}")
        kernel = self.plan.kernels[step.kernel]
        given = (len(step.buffers), len(step.indices), len(step.scalars))
        due = (len(kernel.buffers), len(kernel.indices), len(kernel.scalars))
        self.require(
            given == due, f"kernel {kernel.name} takes {due} buffers, indices and scalars, not {given}"
        )
        for ref, parameter in zip(step.buffers, kernel.buffers, strict=True):
            dtype = self.use(ref, reads=parameter.access == "in")
            right = dtype is parameter.dtype
            self.require(
                right, f"@{ref.buffer} holds {dtype.name}, kernel {kernel.name} takes {parameter.dtype.name}"
            )
        for ref, parameter in zip(step.buffers, kernel.buffers, strict=True):
            self.use(ref, writes=parameter.access != "in")
        for index in step.indices:
            if isinstance(index, LoopIndex):
                self.loop_index(index)
            else:
                self.expr(index)
        for scalar, value in zip(step.scalars, kernel.scalars, strict=True):
            dtype = self.scalar_dtype(scalar)
            self.require(
                dtype is value.dtype,
                f"a scalar of {dtype.name} where kernel {kernel.name} takes {value.dtype.name}",
            )
        for expr in (step.groups, step.cost_ns, step.bytes_moved):
            self.expr(expr)

    def library_call(self, step: LibraryCall) -> None:
        problem = problem_of(step)
        self.require(not problem, problem)
        for size in (*step.sizes, step.cost_ns):
            self.expr(size)
        for axis in step.batch:
            for size in (axis.count, *axis.strides):
                self.expr(size)
        for ref in step.faults:
            dtype = self.use(ref, reads=True, writes=True)
            self.require(dtype in (U32, U64), f"faults are words, not {dtype.name}")
        for refs, written in ((step.operands, False), (step.results, True), (step.workspace, True)):
            for ref in refs:
                dtype = self.use(ref, reads=not written, writes=written)
                right = dtype is step.dtype or refs is step.workspace
                self.require(
                    right, f"@{ref.buffer} holds {dtype.name} in a {step.function} of {step.dtype.name}"
                )

    def copy(self, step: Copy) -> None:
        self.expr(step.elements)
        source, target = self.use(step.source, reads=True), self.use(step.target, writes=True)
        self.require(source is target, f"copy of {source.name} to {target.name}")

    def loop(self, step: Loop) -> None:
        for bound in (step.lower, step.upper):
            self.bound(bound)
        here, alive = self.step, set(self.alive)
        self.depth += 1
        self.steps(step.body)
        self.depth -= 1
        self.step = here
        self.repeated(step, alive)

    def bound(self, bound: Bound) -> None:
        if isinstance(bound, Expr | int):
            self.expr(bound)
            return
        dtype = self.use(bound, reads=True) if isinstance(bound, BufferRef) else self.scalar_dtype(bound)
        self.require(
            dtype is I64 or (dtype is I32 and not isinstance(bound, ScalarRef)),
            f"a loop bound is an expression or an integer of i64, not {dtype.name}",
        )

    def while_(self, step: While) -> None:
        here, alive = self.step, set(self.alive)
        self.steps(step.condition)
        self.step = here
        self.require(self.alive == alive, "a condition frees what it allocates, and nothing else")
        dtype = self.use(step.predicate, reads=True)
        self.require(dtype is BOOL, f"a predicate is a bool, not {dtype.name}")
        swapped = [buffer for pair in step.swaps for buffer in pair]
        self.require(step.predicate.buffer not in swapped, "the predicate of a while is swapped")
        self.steps(step.body)
        self.step = here
        self.repeated(step, alive)

    def repeated(self, step: Loop | While, alive: set[int]) -> None:
        self.require(self.alive == alive, "a loop's body frees what it allocates, and nothing else")
        for first, second in step.swaps:
            self.swap(first, second)

    def swap(self, first: int, second: int) -> None:
        for buffer in (first, second):
            self.use(BufferRef(buffer))
            self.require(buffer >= self.plan.inputs, f"input @{buffer} is the caller's")
        x, y = self.plan.buffers[first], self.plan.buffers[second]
        self.require(x == y, f"@{first} and @{second} are swapped but differ in dtype or size")
        if self.filled & {first, second}:
            self.filled |= {first, second}

    def cond(self, step: Cond) -> None:
        dtype = self.use(step.predicate, reads=True)
        self.require(dtype is BOOL, f"a predicate is a bool, not {dtype.name}")
        here, before = self.step, (set(self.alive), set(self.ended), set(self.filled))
        self.steps(step.then)
        after = (self.alive, self.ended, self.filled)
        self.alive, self.ended, self.filled = before
        self.steps(step.orelse)
        self.step = here
        self.require(self.alive == after[0], "the two sides of an if leave different buffers alive")
        self.ended |= after[1]
        self.filled &= after[2]

    def callback(self, step: Callback) -> None:
        for ref in step.operands:
            self.use(ref, reads=True)
        for ref in step.results:
            self.use(ref, writes=True)

    def check(self, step: Check) -> None:
        if isinstance(step.condition, Expr):
            self.expr(step.condition)
            return
        dtype = self.use(step.condition, reads=True)
        self.require(dtype is BOOL, f"a check is a bool, not {dtype.name}")

    def zero(self, step: Zero) -> None:
        self.expr(step.elements)
        self.use(step.target, writes=True)

    def faults(self, step: Faults) -> None:
        dtype = self.use(BufferRef(step.buffer), reads=True)
        self.require(dtype in (U32, U64), f"faults are words, not {dtype.name}")


_CHECKS: dict[type, Callable[[_Verifier, Any], None]] = {
    Alloc: _Verifier.alloc,
    Free: _Verifier.free,
    Launch: _Verifier.launch,
    LibraryCall: _Verifier.library_call,
    Copy: _Verifier.copy,
    Loop: _Verifier.loop,
    While: _Verifier.while_,
    Cond: _Verifier.cond,
    Callback: _Verifier.callback,
    Check: _Verifier.check,
    Zero: _Verifier.zero,
    Faults: _Verifier.faults,
}
