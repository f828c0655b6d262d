"""The state of generating one kernel: the LLVM value of each kernel value, and the lanes that code is written
for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ...ir.record import fresh, mutable, record
from ..kernel.nodes import Block, Buffer, Function, Instruction, Kernel, Value, walk
from .arithmetic import Machine
from .spelling import bytes_of, stored_type, vector
from .target import UnsupportedKernel, VectorTarget
from .writer import Operand, Writer, integer

if TYPE_CHECKING:
    from .long_bodies import LongBodies


class Affine(metaclass=record):
    """An index that is base + lane * step: `base` is lane 0's value, both are scalars."""

    base: Operand
    step: Operand


class Memory(metaclass=record):
    """The memory of a buffer: its address, and the number of interleaved lanes (a private array of each
    lane)."""

    address: Operand
    lanes: int = 1
    of_workgroup: bool = False
    """Whether the lanes are all of the workgroup's; else those of a vector."""
    constant: bool = False
    """Whether no code writes it while the kernel runs."""


class Window(metaclass=record):
    """A load at `root` + `offset`, whose siblings in its block lie between `low` and `high`."""

    root: Value
    offset: int
    low: int
    high: int


class Interleaved(metaclass=record):
    """Loads of one block at `root` + `low`, `root` + `low` + 1, ..., with no store between them, or stores
    with no load."""

    root: Value
    low: int
    members: tuple[Instruction, ...]
    """In the order of their positions."""
    writer: Instruction
    """The instruction at which all are written: the first load, the last store."""


Handler = Callable[["Context", Instruction], None]


class Context(metaclass=mutable):
    """Handlers of instructions read operands with `operand` and `index`, and write results with `define`."""

    kernel: Kernel
    target: VectorTarget
    writer: Writer
    machine: Machine
    handlers: dict[str, Handler]
    windows: dict[Instruction, Window]
    """Loads that may read contiguous vectors in place of strided elements."""
    interleaved: dict[Instruction, Interleaved]
    """Accesses that may take contiguous vectors in place of strided elements."""
    functions: Mapping[str, Function] = fresh(factory=dict)
    """What the kernel calls, by name."""
    called_texts: dict[str, str] = fresh(factory=dict)
    """The functions written so far, by symbol."""
    long: LongBodies | None = None
    """How long bodies are written, of a kernel that has some."""
    joined: Mapping[Instruction, Instruction] = fresh(factory=dict)
    """By the last `or` that joins loads to words, the first load."""
    first_parts: frozenset[Instruction] = frozenset()
    """These first loads."""
    words: dict[str, Operand] = fresh(factory=dict)
    """Words that were loaded as such, by the text of their first part."""
    values: dict[Value, Operand | Affine] = fresh(factory=dict)
    memory: dict[Buffer, Memory] = fresh(factory=dict)
    width: int = 1
    """Lanes of the code: 1 outside lanes loops, and in their scalar remainders."""
    in_lanes: bool = False
    mask: Operand | None = None
    """Active lanes; None when all are."""
    whole: Operand | None = None
    """Whether the outermost mask has all lanes."""
    outer: Operand | None = None
    """The outermost mask."""
    few: Operand | None = None
    """The number of lanes in the outermost mask: the first ones."""
    streams: bool = False
    """Whether a streaming store was written."""
    lane: Operand | Affine = fresh(factory=lambda: integer(0))
    """The value of lane_id."""
    first_lane: Operand = fresh(factory=lambda: integer(0))
    """The workgroup's lane that runs as lane 0 of a vector."""
    group: Operand = fresh(factory=lambda: integer(0))
    exit_label: str = ""
    scratch: Operand | None = None
    """Memory that inactive lanes access in place of their own."""

    # Values ------------------------------------------------------------------------------------------
    def index(self, value: Value) -> Operand | Affine:
        return self.values[value]

    def operand(self, value: Value) -> Operand:
        """Returns the value as a scalar or vector; an affine index becomes a vector here."""
        found = self.values[value]
        return self.lanes_of(found) if isinstance(found, Affine) else found

    def lanes_of(self, index: Affine, kind: str = "i64") -> Operand:
        """Returns an affine index as a vector of integers of type `kind`, wrapped to it."""
        w = self.writer
        base, step = (
            w.convert("trunc", x, kind)
            if kind != "i64" and x.literal is None
            else Operand(x.text, kind, 1, x.depth, x.literal)
            for x in (index.base, index.step)
        )
        if step.literal is not None:
            offsets = w.iota(self.width, kind, step.literal)
        else:
            offsets = w.binary("mul", w.iota(self.width, kind), step)
        return w.binary("add", offsets, base)

    def define(self, instruction: Instruction, *results: Operand | Affine) -> None:
        for value, result in zip(instruction.results, results, strict=True):
            self.values[value] = result

    def uniform(self, value: Value, what: str) -> Operand:
        """Returns the value, which must be uniform."""
        found = self.values[value]
        if isinstance(found, Affine) or found.width != 1:
            raise UnsupportedKernel(f"{self.kernel.name}: {what} varies by lane")
        return found

    def spread(self, value: Value) -> Operand:
        """Returns the value in every lane."""
        return self.writer.splat(self.operand(value), self.width)

    # Blocks ------------------------------------------------------------------------------------------
    def run(self, block: Block, *arguments: Operand | Affine) -> tuple[Operand, ...]:
        """Writes a block with its parameters bound; returns the yielded or returned values."""
        for parameter, argument in zip(block.parameters, arguments, strict=True):
            self.values[parameter] = argument
        if self.long is not None and block in self.long.blocks:
            self.long.write(self, block)
        else:
            for instruction in block.instructions:
                if instruction.op.name in ("yield", "return"):
                    break
                self.write(instruction)
        return tuple(self.operand(value) for value in block.yielded)

    def write(self, instruction: Instruction) -> None:
        name = instruction.op.name
        handler = self.handlers.get(name)
        if handler is None:
            raise UnsupportedKernel(f"{self.kernel.name}: no LLVM form of {name}; expand it first")
        handler(self, instruction)

    def called(self, instruction: Instruction) -> Block | None:
        """Returns the body of an instruction that is a call."""
        if instruction.op.name != "call":
            return None
        return self.functions[instruction.attributes["function"]].body

    def walk(self, block: Block) -> Iterator[Instruction]:
        """Yields the instructions written for a block without rare branches; the body of a called function
        counts once."""
        bodies: dict[int, Block] = {}
        pending = [block]
        while pending:
            for instruction in walk(pending.pop(0), rare=False):
                yield instruction
                if (body := self.called(instruction)) is not None and id(body) not in bodies:
                    bodies[id(body)] = body
                    pending.append(body)

    @contextmanager
    def lanes(
        self, width: int, mask: Operand | None, whole: Operand | None = None, few: Operand | None = None
    ) -> Iterator[None]:
        """Sets the lanes of the code inside: `width` lanes under a mask of the first `few`; `whole`: whether
        it has all lanes."""
        kept = self.width, self.in_lanes, self.mask, self.outer, self.whole, self.few
        self.width, self.in_lanes, self.mask, self.outer, self.whole, self.few = (
            width,
            True,
            mask,
            mask,
            whole,
            few,
        )
        yield
        self.width, self.in_lanes, self.mask, self.outer, self.whole, self.few = kept

    @contextmanager
    def masked(self, mask: Operand | None) -> Iterator[None]:
        kept = self.mask
        self.mask = mask
        yield
        self.mask = kept

    def active(self) -> Operand:
        """Returns the mask as a vector."""
        return self.mask or Operand("splat (i1 true)" if self.width > 1 else "true", "i1", self.width)

    def narrowed(self, condition: Operand) -> Operand:
        """Returns the active lanes where the condition is true."""
        if self.mask is None:
            return self.writer.splat(condition, self.width)
        return self.writer.binary("and", self.mask, condition)

    # Stack -------------------------------------------------------------------------------------------
    def stack(self, type_: str, count: int, align: int = 64) -> Operand:
        """Allocates memory for the whole call: `count` elements, aligned to a cache line."""
        operand = Operand(self.writer.name(), "ptr")
        self.writer.allocations.append(f"  {operand.text} = alloca [{count} x {type_}], align {align}")
        return operand

    def put(self, cell: Operand, place: Operand, value: Operand, aligned: bool = False) -> None:
        """Store lanes of a value into memory made by `stack`, from `place` on. `aligned`: places are
        multiples of the lanes."""
        w, stored = self.writer, stored_type(value.type)
        address = self.element(cell, stored, place)
        if stored != value.type:
            value = w.convert("zext", value, stored)
        w.line(f"store {value.spelled}, ptr {address.text}, align {_align(stored, value.width, aligned)}")

    def get(self, cell: Operand, place: Operand, type_: str, width: int, aligned: bool = False) -> Operand:
        """Loads `width` lanes that `put` stored, in registers of `type_`."""
        w, stored = self.writer, stored_type(type_)
        address = self.element(cell, stored, place)
        text = f"load {vector(stored, width)}, ptr {address.text}, align {_align(stored, width, aligned)}"
        loaded = w.effect(text, stored, width)
        return loaded if stored == type_ else w.convert("trunc", loaded, type_)

    def element(self, base: Operand, type_: str, position: Operand) -> Operand:
        """Returns the address of an element."""
        if position.width == 1:
            return self.writer.element(base, type_, position)
        base = self.writer.splat(base, 1)
        return self.writer.pure(
            f"getelementptr {type_}, ptr {base.text}, {position.spelled}",
            "ptr",
            position.width,
            (base, position),
        )


def _align(type_: str, width: int, aligned: bool) -> int:
    """Returns the alignment of lanes in memory that begins at a cache line."""
    return min(64, bytes_of(type_) * width) if aligned else bytes_of(type_)
