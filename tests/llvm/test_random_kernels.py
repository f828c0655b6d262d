"""Random structured kernels: what runs equals the kernel interpreter, at every level, on bits."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.interpret import interpret
from jitframe.codegen.kernel.nodes import Buffer, Kernel, Value
from jitframe.codegen.kernel.verify import verify
from jitframe.ir.types import F32, F64, I32, I64, INDEX, U8, DType

from .llvm_harness import LEVELS, Compiled, same_bits

DTYPES = [F32, F64, I32, I64, U8]
_BINARY = {
    "float": ["add", "sub", "mul", "div", "minimum", "maximum", "copysign", "fmod"],
    "int": [
        "add",
        "sub",
        "mul",
        "minimum",
        "maximum",
        "and",
        "or",
        "xor",
        "floordiv",
        "floormod",
        "shift_right",
    ],
}
_UNARY = {"float": ["neg", "abs", "floor", "ceil", "trunc", "rint"], "int": ["neg", "abs", "not"]}
_ORDER = ["eq", "ne", "lt", "le", "gt", "ge"]


class Author:
    """Writes a random kernel: a lanes loop whose body is straight code, branches and inner loops."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.build = KernelBuilder("random")
        self.types = [self.random.choice(DTYPES) for _ in range(3)]
        self.inputs = [self.build.buffer(dtype, "in") for dtype in self.types]
        self.outputs = [self.build.buffer(dtype, "out") for dtype in self.types]
        self.extent, self.inner, self.offset = (self.build.index() for _ in range(3))
        self.scalar = self.build.scalar(self.types[0])

    def kernel(self) -> Kernel:
        build = self.build
        with build.loop(build.constant(0), self.extent, kind="lanes") as (i,):
            values = [build.load(source, build.add(i, self.offset)) for source in self.inputs]
            values += [self.scalar, build.cast(i, I64)]
            values = self.statements(values, i, depth=2)
            for target in self.outputs:
                build.store(target, i, self.cast(self.random.choice(values), target.dtype))
        return build.finish()

    def cast(self, value: Value, dtype: DType) -> Value:
        return self.build.cast(value, dtype)

    def statements(self, values: list[Value], i: Value, depth: int) -> list[Value]:
        values = list(values)
        for _ in range(self.random.randrange(2, 6)):
            makers = [self.operation] * 4 + ([self.branch, self.loop, self.repeat] if depth else [])
            values += self.random.choice(makers)(values, i, depth)
        return values

    def operation(self, values: list[Value], i: Value, depth: int) -> list[Value]:
        value = self.random.choice(values)
        kind = "float" if value.dtype.is_float else "int"
        if self.random.random() < 0.25 and not (value.dtype.kind == "uint" and kind == "float"):
            return [self.build.emit(self.random.choice(_UNARY[kind]), (value,))]
        other = self.cast(self.random.choice(values), value.dtype)
        if self.random.random() < 0.25:
            condition = self.build.emit(self.random.choice(_ORDER), (value, other))
            return [self.build.emit("select", (condition, value, other))]
        return [self.build.emit(self.random.choice(_BINARY[kind]), (value, other))]

    def condition(self, values: list[Value]) -> Value:
        value = self.random.choice(values)
        other = self.cast(self.random.choice(values), value.dtype)
        return self.build.emit(self.random.choice(_ORDER), (value, other))

    def branch(self, values: list[Value], i: Value, depth: int) -> list[Value]:
        result = self.random.choice(values).dtype

        def side() -> list[Value]:
            inside = self.statements(values, i, depth - 1)
            source: Buffer = self.random.choice(self.inputs)
            inside.append(self.build.load(source, self.build.add(i, self.offset)))
            return [self.cast(self.random.choice(inside[-3:]), result)]

        return list(self.build.branch(self.condition(values), side, side))

    def loop(self, values: list[Value], i: Value, depth: int) -> list[Value]:
        """A loop to a uniform or a varying bound, carrying a uniform and a varying value."""
        build = self.build
        first = [self.random.choice(values), self.scalar]
        upper = self.inner
        if self.random.random() < 0.4:
            three = build.constant(3, I64)
            upper = build.cast(build.emit("floormod", (self.cast(values[-1], I64), three)), INDEX)

        def body(j: Value, *carried: Value) -> list[Value]:
            inside = self.statements([*values, *carried, build.cast(j, I64)], i, depth - 1)
            return [self.cast(self.random.choice(inside), value.dtype) for value in carried]

        return list(build.carry(build.constant(0), upper, first, body))

    def repeat(self, values: list[Value], i: Value, depth: int) -> list[Value]:
        """A while loop of a few rounds, as many as a lane's own number says."""
        build = self.build
        four, one = build.constant(4, I64), build.constant(1, I64)
        source = self.random.choice([values[-1], self.scalar])
        rounds = build.emit("floormod", (self.cast(source, I64), four))

        def body(left: Value, value: Value) -> list[Value]:
            inside = self.statements([*values, value], i, depth - 1)
            return [build.sub(left, one), self.cast(inside[-1], value.dtype)]

        start = self.random.choice(values)
        return [
            build.repeat_while(
                [rounds, start], lambda left, _: build.emit("gt", (left, build.constant(0, I64))), body
            )[1]
        ]


def arrays(author: Author, size: int) -> tuple[list[np.ndarray[Any, Any]], list[np.ndarray[Any, Any]]]:
    generator = np.random.default_rng(size)
    sources = [
        (generator.random(size + 2) * 40 - (0 if dtype is U8 else 20)).astype(dtype.numpy_name)
        for dtype in author.types
    ]
    return sources, [np.zeros(size, dtype.numpy_name) for dtype in author.types]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("seed", range(60))
def test_compiled_equals_interpreted(seed: int) -> None:
    author = Author(seed)
    kernel = author.kernel()
    verify(kernel)
    compiled = [Compiled(kernel, level) for level in LEVELS]
    for size, inner in ((0, 1), (1, 0), (21, 3)):
        sources, expected = arrays(author, size)
        interpret(kernel, [*sources, *expected], [size, inner, 2], [3], range(1))
        for level, run in zip(LEVELS, compiled, strict=True):
            outs = [np.zeros_like(array) for array in expected]
            run([*sources, *outs], [size, inner, 2], [3])
            for out, due in zip(outs, expected, strict=True):
                assert same_bits(out, due), (level, size)
