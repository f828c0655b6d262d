"""Hypothesis strategies of kernels: well typed, in bounds, free of races, most instructions among them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st

from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.nodes import Buffer, Function, Kernel, Value
from jitframe.codegen.kernel.ops import ARITHMETIC, COMPARISONS, MATH
from jitframe.codegen.kernel.scalars import from_number, storage_dtype, to_storage
from jitframe.codegen.kernel.verify import KIND_LETTER
from jitframe.ir.types import BF16, BOOL, F16, F32, F64, I8, I32, I64, U8, U32, DType

ELEMENTS = (F32, F64, I32, I64, U8, BOOL, F16, BF16, I8, U32)
EXTENT = 5
"""Elements of every buffer of a random kernel; its first index parameter."""

_ELEMENTWISE = [op for op in (ARITHMETIC | MATH).values() if op.kinds != "x"]
_FLOATS = [0.0, -0.0, 1.0, -1.5, 0.1, 3e38, -1e-45, 65504.0, float("inf"), float("-inf"), float("nan")]

Scope = dict[DType, list[Value]]


def number(dtype: DType) -> st.SearchStrategy[Any]:
    """Constants of a dtype, the awkward ones often."""
    if dtype is BOOL:
        return st.booleans()
    if dtype.is_float:
        return st.sampled_from(_FLOATS)
    low = -(1 << (dtype.bits - 1)) if dtype.is_signed else 0
    high = (1 << (dtype.bits - (1 if dtype.is_signed else 0))) - 1
    return st.sampled_from([0, 1, 2, 7, dtype.bits, low, high])


class Writer:
    """Writes one random kernel; every choice is drawn."""

    def __init__(self, draw: Callable[[st.SearchStrategy[Any]], Any]) -> None:
        self.draw = draw
        self.build = KernelBuilder("random")
        self.in_rare = 0
        self.sources = [
            self.build.buffer(d, "in") for d in draw(st.lists(st.sampled_from(ELEMENTS), max_size=3))
        ]
        self.extent = self.build.index()
        self.functions: list[Function] = []
        self.scalars = [self.build.scalar(d) for d in draw(st.lists(st.sampled_from(ELEMENTS), max_size=2))]

    def choose(self, options: Sequence[Any]) -> Any:
        return self.draw(st.sampled_from(options))

    def count(self, most: int) -> int:
        return int(self.draw(st.integers(0, most)))

    def kernel(self) -> Kernel:
        targets = [self.build.buffer(self.choose(ELEMENTS), "out") for _ in range(1 + self.count(1))]
        total = self.build.buffer(self.choose(ELEMENTS), "inout")
        scope: Scope = {}
        for scalar in self.scalars:
            scope.setdefault(scalar.dtype, []).append(scalar)
        self.define_functions()
        self.statements(scope, None, 2)
        with self.build.loop(self.build.constant(0), self.extent, kind="lanes") as (i,):
            inner = copied(scope)
            self.statements(inner, i, 3)
            for target in targets:
                self.store(target, i, inner, scope)
        with self.build.when(self.value(scope, BOOL)):
            self.store(total, self.build.constant(self.count(EXTENT - 1)), scope, scope)
        return self.build.finish(functions=self.functions)

    def define_functions(self) -> None:
        """Some functions, each of which may call those before it."""
        outer = self.build, self.sources, self.extent
        for number in range(self.count(2)):
            parameters = [Value(self.choose(ELEMENTS)) for _ in range(1 + self.count(2))]
            self.build, self.sources = KernelBuilder("function"), []
            self.functions.append(self.build.function(f"f{number}", parameters, self.function_body))
        self.build, self.sources, self.extent = outer

    def function_body(self, *parameters: Value) -> list[Value]:
        self.extent = self.build.constant(EXTENT)
        results = [self.choose(ELEMENTS) for _ in range(1 + self.count(1))]
        return self.filled(extended({}, parameters), results, None, 2)

    def call(self, scope: Scope, position: Value | None, depth: int) -> Sequence[Value]:
        if not self.functions:
            return ()
        function = self.choose(self.functions)
        return self.build.call(function, [self.value(scope, each.dtype) for each in function.parameters])

    def store(self, target: Buffer, position: Value, scope: Scope, outside: Scope) -> None:
        """A store, masked by a value of `scope` or not, streaming by one of `outside` the loop or not."""
        mask = self.value(scope, BOOL) if self.count(3) == 0 else None
        stream = self.value(outside, BOOL) if self.count(3) == 0 else None
        self.build.store(target, position, self.value(scope, target.dtype), mask, stream)

    def value(self, scope: Scope, dtype: DType) -> Value:
        """A value of a dtype: one in scope, or a constant."""
        known = scope.get(dtype, [])
        if known and self.count(4):
            return self.choose(known)
        return self.build.constant(from_python(self.draw(number(dtype)), dtype), dtype)

    def statements(self, scope: Scope, position: Value | None, depth: int) -> None:
        forms = [
            self.operation,
            self.operation,
            self.comparison,
            self.select,
            self.conversion,
            self.load,
            self.table,
        ]
        if depth:
            forms += [self.branch, self.rare_branch, self.carry, self.reduce, self.repeat_while]
            forms += [] if self.in_rare else [self.private]
        forms += [] if self.in_rare else [self.call]  # a function may have private memory
        for _ in range(1 + self.count(3)):
            for made in self.choose(forms)(scope, position, depth):
                scope.setdefault(made.dtype, []).append(made)

    # Forms: each returns the values it made -----------------------------------------------------------
    def operation(self, scope: Scope, position: Value | None, depth: int) -> Sequence[Value]:
        op = self.choose(_ELEMENTWISE)
        dtypes = [d for d in ELEMENTS if KIND_LETTER[d.kind] in op.kinds]
        if not dtypes:
            return ()
        dtype = self.choose([d for d in dtypes if d in scope] or dtypes)
        return (self.build.emit(op.name, [self.value(scope, dtype) for _ in range(op.arity or 0)]),)

    def comparison(self, scope: Scope, position: Value | None, depth: int) -> Sequence[Value]:
        dtype = self.choose(ELEMENTS)
        operands = [self.value(scope, dtype), self.value(scope, dtype)]
        return (self.build.emit(self.choose(list(COMPARISONS)), operands),)

    def select(self, scope: Scope, position: Value | None, depth: int) -> Sequence[Value]:
        dtype = self.choose(ELEMENTS)
        operands = [self.value(scope, BOOL), self.value(scope, dtype), self.value(scope, dtype)]
        return (self.build.emit("select", operands),)

    def conversion(self, scope: Scope, position: Value | None, depth: int) -> Sequence[Value]:
        source = self.choose(list(scope) or ELEMENTS)
        value = self.value(scope, source)
        same_width = [d for d in ELEMENTS if d.bits == source.bits]
        if self.count(1):
            return (self.build.bitcast(value, self.choose(same_width)),)
        return (self.build.cast(value, self.choose(ELEMENTS)),)

    def load(self, scope: Scope, position: Value | None, depth: int) -> Sequence[Value]:
        if not self.sources:
            return ()
        source = self.choose(self.sources)
        mask = self.value(scope, BOOL) if self.count(2) == 0 else None
        place = position if position is not None else self.build.constant(self.count(EXTENT - 1))
        return (self.build.load(source, place, mask),)

    def table(self, scope: Scope, position: Value | None, depth: int) -> Sequence[Value]:
        dtype = self.choose([d for d in ELEMENTS if d is not BOOL])
        values = [from_python(self.draw(number(dtype)), dtype) for _ in range(3)]
        return (self.build.load(self.build.table(dtype, values), self.build.constant(self.count(2))),)

    def private(self, scope: Scope, position: Value | None, depth: int) -> Sequence[Value]:
        dtype = self.choose(ELEMENTS)
        memory = self.build.allocate(dtype, 2)
        place = self.build.constant(self.count(1))
        self.build.store(memory, place, self.value(scope, dtype))
        return (self.build.load(memory, place),)

    def types(self) -> list[DType]:
        return [self.choose(ELEMENTS) for _ in range(self.count(2))]

    def filled(self, scope: Scope, types: list[DType], position: Value | None, depth: int) -> list[Value]:
        """The values of a block: some statements in a scope of their own, then a value of each dtype."""
        inner = copied(scope)
        self.statements(inner, position, depth - 1)
        return [self.value(inner, dtype) for dtype in types]

    def branch(self, scope: Scope, position: Value | None, depth: int) -> Sequence[Value]:
        types = self.types()
        return self.build.branch(
            self.value(scope, BOOL),
            lambda: self.filled(scope, types, position, depth),
            lambda: self.filled(scope, types, position, depth),
        )

    def rare_branch(self, scope: Scope, position: Value | None, depth: int) -> Sequence[Value]:
        """A branch that only computes, beside values made before it."""
        types = self.types()
        condition, others = self.value(scope, BOOL), [self.value(scope, dtype) for dtype in types]
        self.in_rare += 1
        made = self.build.branch(
            condition, lambda: self.filled(scope, types, position, depth), lambda: others, rare=True
        )
        self.in_rare -= 1
        return made

    def carry(self, scope: Scope, position: Value | None, depth: int) -> Sequence[Value]:
        initial = [self.value(scope, dtype) for dtype in self.types()]
        kind = self.choose(["serial", "unroll"])
        upper = self.build.constant(self.count(3)) if kind == "unroll" else self.extent

        def body(i: Value, *carried: Value) -> list[Value]:
            return self.filled(extended(scope, carried), [v.dtype for v in initial], i, depth)

        return self.build.carry(
            self.build.constant(0), upper, initial, body, self.build.constant(1 + self.count(2)), kind
        )

    def reduce(self, scope: Scope, position: Value | None, depth: int) -> Sequence[Value]:
        types = [self.choose(ELEMENTS), *self.types()]
        initial = [self.value(scope, dtype) for dtype in types]

        def combine(*values: Value) -> list[Value]:
            return [self.value(extended({}, values), dtype) for dtype in types]

        return self.build.reduce(
            self.build.constant(self.count(1)),
            self.extent,
            initial,
            lambda i: self.filled(scope, types, i, depth),
            combine,
        )

    def repeat_while(self, scope: Scope, position: Value | None, depth: int) -> Sequence[Value]:
        types = self.types()
        initial = [self.build.constant(0, I64), *[self.value(scope, dtype) for dtype in types]]
        limit = self.build.constant(self.count(3), I64)

        def body(counter: Value, *carried: Value) -> list[Value]:
            following = self.build.add(counter, self.build.constant(1, I64))
            return [following, *self.filled(extended(scope, carried), types, position, depth)]

        return self.build.repeat_while(
            initial, lambda counter, *_: self.build.emit("lt", (counter, limit)), body
        )


def from_python(value: Any, dtype: DType) -> Any:
    """A number as `constant` takes it."""
    return float(value) if dtype.is_float else value


def copied(scope: Scope) -> Scope:
    return {dtype: list(values) for dtype, values in scope.items()}


def extended(scope: Scope, values: Sequence[Value]) -> Scope:
    inner = copied(scope)
    for value in values:
        inner.setdefault(value.dtype, []).append(value)
    return inner


@st.composite
def kernels(draw: Callable[[st.SearchStrategy[Any]], Any]) -> Kernel:
    """A random kernel with one index parameter, the extent, for buffers of EXTENT elements."""
    return Writer(draw).kernel()


def arguments(kernel: Kernel, seed: int) -> tuple[list[np.ndarray[Any, Any]], list[Any]]:
    """Buffers and scalars for a random kernel."""
    generator = np.random.default_rng(seed)
    buffers = []
    for buffer in kernel.buffers:
        numbers = generator.integers(-3, 4, EXTENT) / (2 if buffer.dtype.is_float else 1)
        held = [to_storage(from_number(n, buffer.dtype), buffer.dtype) for n in numbers]
        buffers.append(np.array(held, storage_dtype(buffer.dtype)))
    scalars = [from_number(generator.integers(-3, 4), scalar.dtype) for scalar in kernel.scalars]
    return buffers, scalars
