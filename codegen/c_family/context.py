"""The state of generating one kernel: the text so far, names of values, helper functions, arrays."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from ...ir.types import BOOL, F32, INDEX, U32, DType
from ..kernel.nodes import Block, Buffer, Instruction, Kernel, Value, walk
from .dialect import Dialect, UnsupportedKernel
from .literals import literal

Handler = Callable[["Context", Instruction], None]
_OWN = re.compile(r"#(\w+)")


@dataclass(slots=True)
class Pending:
    """Memory that some lane touched since the last barrier: other lanes may not rely on it."""

    reads: set[Value] = field(default_factory=set)
    writes: set[Value] = field(default_factory=set)

    def conflicts(self, reads: set[Value], writes: set[Value]) -> bool:
        return bool(self.writes & (reads | writes) or self.reads & writes)

    def copy(self) -> Pending:
        return Pending(set(self.reads), set(self.writes))

    def union(self, other: Pending) -> Pending:
        return Pending(self.reads | other.reads, self.writes | other.writes)


@dataclass(slots=True)
class Context:
    """The state of generating one kernel in one dialect, for hardware workgroups of `threads` lanes."""

    kernel: Kernel
    dialect: Dialect
    handlers: dict[str, Handler]
    index_bits: int
    threads: int
    spread: bool
    """Whether several hardware lanes run a kernel of one lane: lanes loops are distributed, and all lanes
    execute the rest alike."""
    names: dict[Value, str] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    helpers: dict[str, list[str]] = field(default_factory=dict)
    constants: list[str] = field(default_factory=list)
    shared: dict[str, tuple[str, int]] = field(default_factory=dict)
    """Arrays in shared memory: type and size."""
    in_shared: set[Value] = field(default_factory=set)
    """Private arrays of a distributed kernel that lanes loops write: the lanes that run it share them."""
    atomic: set[Value] = field(default_factory=set)
    """Buffers declared for atomics."""
    vectored: set[Value] = field(default_factory=set)
    """Buffers declared as arrays of vectors (see `Vectors.single`)."""
    stored_only: set[Value] = field(default_factory=set)
    """Values that only stores read."""
    shuffles: bool = False
    """Whether lanes exchange values within their subgroups."""
    pending: Pending = field(default_factory=Pending)
    dealt: bool = False
    """Whether the code is inside a distributed lanes loop, where lanes diverge."""
    _indent: int = 1
    _count: int = 0

    # Text --------------------------------------------------------------------------------------------
    def line(self, text: str) -> None:
        self.lines.append("  " * self._indent + text)

    @contextmanager
    def indented(self) -> Iterator[None]:
        self._indent += 1
        yield
        self._indent -= 1

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        self.line(head)
        with self.indented():
            yield
        self.line("}")

    @contextmanager
    def loop(self, counter: str, lower: str, upper: str, step: str) -> Iterator[None]:
        """A counting loop over indices."""
        template, type_ = self.dialect.loop, self.type_of(INDEX)
        with self.block(template.format(type=type_, name=counter, lower=lower, upper=upper, step=step)):
            yield

    @contextmanager
    def lane_zero(self) -> Iterator[None]:
        """Guards code that one lane runs for all."""
        with self.block(f"if ({self.lane} == {self.index(0)}) {{"):
            yield

    def assign(self, targets: Sequence[str], sources: Sequence[str], dtypes: Sequence[DType]) -> None:
        """Assigns the next values of variables, all at once."""
        moved = [(t, s, d) for t, s, d in zip(targets, sources, dtypes) if t != s]
        taken = {target for target, _, _ in moved}
        for target, source in [(t, self.let(d, s) if s in taken else s) for t, s, d in moved]:
            self.line(f"{target} = {source};")

    def fresh(self, letter: str = "v") -> str:
        self._count += 1
        return f"{letter}{self._count}"

    # Types and values --------------------------------------------------------------------------------
    def type_of(self, dtype: DType) -> str:
        return self.dialect.type_of(dtype, self.index_bits)

    def memory_type(self, dtype: DType) -> str:
        """Returns the type of an element in private and shared arrays."""
        return self.dialect.memory_types.get(dtype.name) or self.type_of(dtype)

    def literal(self, dtype: DType, value: bool | float) -> str:
        return self.own(literal(self.dialect, dtype, value, self.index_bits))

    def index(self, value: int) -> str:
        return self.literal(INDEX, value)

    def unsigned(self, value: int) -> str:
        return self.literal(U32, value)

    def operands(self, instruction: Instruction) -> list[str]:
        """Returns the operands' texts; never all literals where the compiler would evaluate them."""
        texts = [self.names[v] for v in instruction.operands]
        if self.dialect.evaluates_constants and texts and all(map(is_constant, instruction.operands)):
            texts[0] = self.let(instruction.operands[0].dtype, texts[0])
        return texts

    def let(self, dtype: DType, value: str) -> str:
        """Declares a new name for a value."""
        return self.let_type(self.type_of(dtype), value)

    def let_type(self, type_: str, value: str) -> str:
        name = self.fresh()
        self.line(self.dialect.let.format(type=type_, name=name, value=value))
        return name

    def variable(self, dtype: DType, value: str | None = None) -> str:
        name, d = self.fresh("c"), self.dialect
        template = d.unset if value is None else d.variable
        self.line(template.format(type=self.type_of(dtype), name=name, value=value))
        return name

    def define(self, instruction: Instruction, value: str) -> None:
        self.names[instruction.result] = self.let(instruction.result.dtype, value)

    def bind(self, values: Sequence[Value], names: Sequence[str]) -> None:
        self.names.update(zip(values, names, strict=True))

    def select(self, condition: str, then: str, orelse: str) -> str:
        return self.dialect.select.format(condition=condition, then=then, orelse=orelse)

    def convert(self, type_: str, x: str) -> str:
        return self.dialect.convert.format(type=type_, x=x)

    def bits_as(self, type_: str, x: str) -> str:
        return self.dialect.bitcast.format(type=type_, x=x)

    # Helper functions of a kernel --------------------------------------------------------------------
    def to_f32(self, source: DType, x: str) -> str:
        """A number of another dtype rounded to the nearest f32."""
        type_ = self.type_of(F32)
        if source is not U32 or self.dialect.converts_u32:
            return self.convert(type_, x)
        # Of two halves the sum alone is rounded.
        high, low = f"x >> {self.unsigned(16)}", f"x & {self.unsigned(0xFFFF)}"
        scaled = f"{self.convert(type_, high)} * {self.literal(F32, 65536.0)}"
        body = [f"return {scaled} + {self.convert(type_, low)};"]
        return f"{self.helper('f32_of_u32', F32, (('x', U32),), body)}({x})"

    def own(self, text: str) -> str:
        """Expands the #functions in a spelling, and adds their definitions."""
        for name in _OWN.findall(text):
            if name not in self.helpers:
                self.helpers[name] = [self.own(line) for line in self.dialect.own[name]]
        return _OWN.sub(r"\1", text)

    def helper(
        self, name: str, result: DType, parameters: Sequence[tuple[str, DType]], body: Sequence[str]
    ) -> str:
        """Adds a function once; returns its name."""
        if name not in self.helpers:
            d = self.dialect
            spelled = ", ".join(d.parameter.format(type=self.type_of(t), name=n) for n, t in parameters)
            head = d.function.format(type=self.type_of(result), name=name, parameters=spelled)
            self.helpers[name] = [self.own(head), *("  " + self.own(line) for line in body), "}"]
        return name

    def let_line(self, dtype: DType, name: str, value: str) -> str:
        """Returns a declaration for a helper's body."""
        return self.dialect.let.format(type=self.type_of(dtype), name=name, value=value)

    # Blocks ------------------------------------------------------------------------------------------
    def run(self, block: Block) -> list[str]:
        """Writes a block's instructions; returns the texts of the yielded values."""
        for instruction in block.instructions:
            self.handlers[instruction.op.name](self, instruction)
        return [self.names[v] for v in block.yielded]

    # Barriers ----------------------------------------------------------------------------------------
    @property
    def lane(self) -> str:
        return "lane"

    @property
    def uniform(self) -> bool:
        """Whether all hardware lanes are here and execute the same code, for one lane of the kernel."""
        return self.spread and not self.dealt

    def order_accesses(self, reads: set[Value], writes: set[Value]) -> None:
        """Inserts a barrier before an access that must follow another lane's."""
        if self.pending.conflicts(reads, writes):
            self.line(self.dialect.barrier)
            self.pending = Pending()
        self.pending.reads |= reads
        self.pending.writes |= writes

    def sees(self, buffer: Value) -> bool:
        """Whether a buffer is memory that other lanes access."""
        return isinstance(buffer, Buffer) and (
            buffer.space in ("global", "shared") or buffer in self.in_shared
        )

    def touched(self, block: Block) -> tuple[set[Value], set[Value]]:
        """Returns the memory that a block reads and writes and other lanes access."""
        reads: set[Value] = set()
        writes: set[Value] = set()
        for instruction in walk(block):
            name = instruction.op.name
            if name in ("load", "store", "atomic") and self.sees(instruction.operands[0]):
                (reads if name == "load" else writes).add(instruction.operands[0])
        return reads, writes

    def scratch(self, dtype: DType, use: str, size: int) -> str:
        """Returns an array in shared memory for one use, of the largest size requested."""
        name = f"{use}_{dtype.name}"
        type_ = self.memory_type(dtype)
        known = self.shared.get(name, (type_, 0))[1]
        self.shared[name] = (type_, max(known, size))
        return name

    def uniform_load(self, dtype: DType, place: str) -> str:
        """Returns a value that one lane stored in shared memory, read by all lanes after a barrier."""
        name = self.fresh()
        for template in self.dialect.uniform_load:
            self.line(template.format(type=self.memory_type(dtype), name=name, place=place))
        return self.from_memory(dtype, name)

    def from_memory(self, dtype: DType, element: str) -> str:
        """Converts an element of an array to a register value."""
        if dtype is BOOL and self.memory_type(dtype) != self.type_of(dtype):
            return f"({element} != 0)"
        return element

    def to_memory(self, dtype: DType, value: str) -> str:
        if dtype is BOOL and self.memory_type(dtype) != self.type_of(dtype):
            return self.select(value, "1", "0")
        return value

    def refuse(self, what: str, advice: str) -> UnsupportedKernel:
        return UnsupportedKernel(f"{self.dialect.device}, kernel {self.kernel.name}: {what}; {advice}")


def is_constant(value: Value) -> bool:
    return isinstance(value.producer, Instruction) and value.producer.op.name == "constant"
