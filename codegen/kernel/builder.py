"""Writing kernels: a builder that appends typed instructions, sharing equal pure ones within a block.

>>> build = KernelBuilder("double")
>>> source, target = build.buffer(F32, "in"), build.buffer(F32, "out")
>>> extent = build.index()
>>> with build.loop(build.constant(0), extent, kind="lanes") as (i,):
...     value = build.load(source, i)
...     build.store(target, i, build.add(value, value))
>>> kernel = build.finish()
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from ...ir.types import BOOL, F32, I64, INDEX, DType
from .nodes import (
    Access,
    Block,
    Buffer,
    Function,
    Instruction,
    Kernel,
    Operand,
    Space,
    Value,
    constant_number,
)  # fmt: skip
from .ops import KERNEL_OPS, PURE
from .scopes import Scopes

__all__ = ["F32", "KernelBuilder"]

_PYTHON_TYPE: dict[str, Callable[[Any], bool | float]] = {
    "bool": bool, "int": int, "uint": int, "index": int, "float": float,
}  # fmt: skip


class KernelBuilder:
    """Builds one kernel. Equal pure instructions visible from the current block are made once."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._buffers: list[Buffer] = []
        self._indices: list[Value] = []
        self._scalars: list[Value] = []
        self._blocks: list[Block] = [Block()]
        self._known: Scopes[Value] = Scopes()
        self._barriers = 0

    # Parameters -------------------------------------------------------------------------------------
    @property
    def buffers(self) -> tuple[Buffer, ...]:
        """The buffers so far."""
        return tuple(self._buffers)

    def buffer(self, dtype: DType, access: Access) -> Buffer:
        made = Buffer(dtype, "global", access)
        self._buffers.append(made)
        return made

    def _value(self, dtype: DType) -> Value:
        """A value that no instruction makes."""
        value = Value(dtype)
        value.build = self
        return value

    def index(self) -> Value:
        value = self._value(INDEX)
        self._indices.append(value)
        return value

    def scalar(self, dtype: DType) -> Value:
        value = self._value(dtype)
        self._scalars.append(value)
        return value

    # Instructions -----------------------------------------------------------------------------------
    def constant(self, value: bool | float, dtype: DType = INDEX) -> Value:
        """A constant, made in the dtype's Python type: bool, int or float."""
        number = _PYTHON_TYPE[dtype.kind](value)
        if number != value and not dtype.is_float:
            raise ValueError(f"{value!r} is no constant of {dtype.name}")
        return self.emit("constant", (), {"dtype": dtype, "value": number})

    def emit(
        self, name: str, operands: Sequence[Value] = (), attributes: dict[str, Any] | None = None
    ) -> Value:
        """Appends one single-result instruction by name and returns its value."""
        op = KERNEL_OPS[name]
        operands = tuple(operands)
        attributes = attributes or {}
        key = None
        if name in PURE:
            # repr tells 0.0 from -0.0 and 1 from True and 1.0.
            key = (name, tuple(id(v) for v in operands), repr(sorted(attributes.items(), key=_first)))
            known = self._known.get(key)
            if known is not None:
                return known
        dtype = self._result_type(op.rule, operands, attributes)
        instruction = Instruction(op, operands, (dtype,), attributes)
        self._append(instruction)
        if key is not None:
            self._known.put(key, instruction.result, len(self._blocks) - 1)
        return instruction.result

    @staticmethod
    def _result_type(rule: str, operands: tuple[Value, ...], attributes: dict[str, Any]) -> DType:
        if rule == "compare":
            return BOOL
        if rule == "select":
            return operands[1].dtype
        if rule == "attribute":
            dtype: DType = attributes["dtype"]
            return dtype
        return operands[0].dtype

    def _operands(self, x: Operand, y: Operand) -> tuple[Value, Value]:
        """Two values; a number is a constant of the other one's dtype."""
        if not isinstance(x, Value):
            assert isinstance(y, Value)
            return self.constant(x, y.dtype), y
        return x, y if isinstance(y, Value) else self.constant(y, x.dtype)

    def binary(self, name: str, x: Operand, y: Operand) -> Value:
        """An instruction on two values, or a value and a number."""
        return self.emit(name, self._operands(x, y))

    def add(self, x: Operand, y: Operand) -> Value:
        """x + y; index additions of the constant 0 vanish."""
        x, y = self._operands(x, y)
        if x.dtype is INDEX:
            if constant_number(x) == 0:
                return y
            if constant_number(y) == 0:
                return x
        return self.emit("add", (x, y))

    def mul(self, x: Operand, y: Operand) -> Value:
        """x * y; index products with the constants 0 and 1 vanish."""
        x, y = self._operands(x, y)
        if x.dtype is INDEX:
            if constant_number(x) == 1 or constant_number(y) == 0:
                return y
            if constant_number(y) == 1 or constant_number(x) == 0:
                return x
        return self.emit("mul", (x, y))

    def sub(self, x: Operand, y: Operand) -> Value:
        return self.binary("sub", x, y)

    def minimum(self, x: Operand, y: Operand) -> Value:
        return self.binary("minimum", x, y)

    def maximum(self, x: Operand, y: Operand) -> Value:
        return self.binary("maximum", x, y)

    def select(self, condition: Value, then: Operand, orelse: Operand) -> Value:
        return self.emit("select", (condition, *self._operands(then, orelse)))

    def group_id(self) -> Value:
        return self.emit("group_id", (), {"dtype": INDEX})

    def lane_id(self) -> Value:
        return self.emit("lane_id", (), {"dtype": INDEX})

    def cast(self, value: Value, dtype: DType) -> Value:
        return value if value.dtype is dtype else self.emit("cast", (value,), {"dtype": dtype})

    def as_index(self, value: Value, depth: int = 8) -> Value:
        """Converts a 64-bit integer to an index. Sums and products are converted term by term, so that their
        steps in loops stay visible: truncation to 32 bits commutes with these."""
        made = value.producer
        if value.dtype is not I64 or not isinstance(made, Instruction) or not depth:
            return self.cast(value, INDEX)
        if made.op.name == "cast" and made.operands[0].dtype is INDEX:
            return made.operands[0]
        if made.op.name in ("add", "sub", "mul"):
            return self.emit(made.op.name, [self.as_index(operand, depth - 1) for operand in made.operands])
        number = constant_number(value)
        return self.cast(value, INDEX) if number is None else self.constant(number)

    def bitcast(self, value: Value, dtype: DType) -> Value:
        return value if value.dtype is dtype else self.emit("bitcast", (value,), {"dtype": dtype})

    def _index(self, value: Value | int) -> Value:
        return value if isinstance(value, Value) else self.constant(value)

    def load(self, buffer: Buffer, position: Value | int, mask: Value | None = None) -> Value:
        operands = buffer, self._index(position)
        return self.emit("load", operands if mask is None else (*operands, mask))

    def store(
        self,
        buffer: Buffer,
        position: Value | int,
        value: Value,
        mask: Value | None = None,
        stream: Value | None = None,
    ) -> None:
        operands: tuple[Value, ...] = (buffer, self._index(position), value)
        attributes: dict[str, Any] = {}
        if mask is not None:
            operands += (mask,)
            attributes["masked"] = True
        if stream is not None:
            operands += (stream,)
            attributes["stream"] = True
        self._append(Instruction(KERNEL_OPS["store"], operands, (), attributes))

    def allocate(self, dtype: DType, size: int, space: Space = "private") -> Buffer:
        return self._memory("allocate", Buffer(dtype, space), {"dtype": dtype, "size": size, "space": space})

    def table(self, dtype: DType, values: Sequence[int | float]) -> Buffer:
        return self._memory("table", Buffer(dtype, "table", "in"), {"dtype": dtype, "values": tuple(values)})

    def _memory(self, name: str, buffer: Buffer, attributes: dict[str, Any]) -> Buffer:
        instruction = Instruction(KERNEL_OPS[name], (), (), attributes)
        instruction.results = (buffer,)
        buffer.producer = instruction
        self._append(instruction)
        return buffer

    def barrier(self, identifier: int | None = None) -> None:
        """`identifier`: a number that no barrier before has unless one is given."""
        number = self._barriers if identifier is None else identifier
        self._barriers = max(self._barriers, number + 1)
        self._append(Instruction(KERNEL_OPS["barrier"], (), (), {"id": number}))

    def fence(self, scope: str) -> None:
        self._append(Instruction(KERNEL_OPS["fence"], (), (), {"scope": scope}))

    def atomic(
        self,
        kind: str,
        buffer: Buffer,
        position: Value,
        value: Value,
        scope: str = "device",
        order: str = "relaxed",
    ) -> Value:
        """Replaces an element by `kind(element, value)` atomically and returns the old value."""
        return self.emit("atomic", (buffer, position, value), {"kind": kind, "scope": scope, "order": order})

    def shuffle_down(self, value: Value, distance: Value) -> Value:
        """The value of the lane `distance` (an index, equal in all lanes) further on in the subgroup."""
        return self.emit("subgroup_shuffle_down", (value, distance))

    def subgroup_reduce(self, kind: str, value: Value) -> Value:
        """Every lane's value combined over the subgroup: `kind` is add, min or max."""
        return self.emit("subgroup_reduce", (value,), {"dtype": value.dtype, "kind": kind})

    def exit(self) -> None:
        """End this lane of the workgroup here."""
        self._append(Instruction(KERNEL_OPS["exit"], ()))

    def call(self, function: Function, operands: Sequence[Value]) -> tuple[Value, ...]:
        """Returns the results of a function, which has to be given to `finish`."""
        attributes = {"function": function.name}
        instruction = Instruction(KERNEL_OPS["call"], tuple(operands), function.results, attributes)
        self._append(instruction)
        return instruction.results

    def repeat(
        self,
        instruction: Instruction,
        operands: tuple[Value, ...],
        fills: Sequence[Callable[..., Sequence[Value]]] = (),
    ) -> tuple[Value, ...]:
        """Appends a copy of an instruction with other operands; `fills` write its blocks as in `carry`."""
        op = instruction.op
        if op.name in PURE:
            return (self.emit(op.name, operands, instruction.attributes),)
        blocks = tuple(
            self._block(tuple(v.dtype for v in block.parameters), fill)
            for block, fill in zip(instruction.blocks, fills, strict=True)
        )
        types = tuple(v.dtype for v in instruction.results)
        made = Instruction(op, operands, types, dict(instruction.attributes), blocks)
        made.results = tuple(_like(v, made) for v in instruction.results)
        self._append(made)
        return made.results

    # Structure --------------------------------------------------------------------------------------
    @contextmanager
    def loop(
        self,
        lower: Value | int,
        upper: Value | int,
        step: Value | int = 1,
        kind: str = "serial",
        short: bool = False,
    ) -> Iterator[tuple[Value, ...]]:
        """A loop that carries nothing: `with build.loop(lower, upper) as (i,): ...`."""
        attributes = {"kind": kind, "short": True} if short else {"kind": kind}
        bounds = self._bounds(lower, upper, step)
        block = Block((self._value(INDEX),))
        self._enter(block)
        yield block.parameters
        self._leave()
        self._append(Instruction(KERNEL_OPS["for"], bounds, (), attributes, (block,)))

    def _bounds(self, *values: Value | int) -> tuple[Value, ...]:
        return tuple(map(self._index, values))

    def carry(
        self,
        lower: Value | int,
        upper: Value | int,
        initial: Sequence[Value],
        body: Callable[..., Sequence[Value]],
        step: Value | int = 1,
        kind: str = "serial",
        appends: bool = False,
    ) -> tuple[Value, ...]:
        """A serial or unrolled loop: `body(i, *carried)` returns the next carried values.

        `appends`: they are positions where chosen elements are appended (see `nodes`).
        """
        bounds = self._bounds(lower, upper, step)
        block = self._block((INDEX, *(v.dtype for v in initial)), body)
        attributes = {"kind": kind, "appends": True} if appends else {"kind": kind}
        return self._structured("for", (*bounds, *initial), initial, attributes, (block,))

    def reduce(
        self,
        lower: Value | int,
        upper: Value | int,
        identity: Sequence[Value],
        term: Callable[[Value], Sequence[Value]],
        combine: Callable[..., Sequence[Value]],
        step: Value | int = 1,
    ) -> tuple[Value, ...]:
        """A lanes loop that reduces: `term(i)` gives terms, `combine(*acc, *terms)` the accumulators."""
        bounds, types = self._bounds(lower, upper, step), tuple(v.dtype for v in identity)
        blocks = (self._block((INDEX,), term), self._block(types + types, combine))
        return self._structured("for", (*bounds, *identity), identity, {"kind": "lanes"}, blocks)

    def scan(
        self,
        lower: Value | int,
        upper: Value | int,
        initial: Sequence[Value],
        term: Callable[[Value], Sequence[Value]],
        combine: Callable[..., Sequence[Value]],
        emit: Callable[..., Sequence[Value]],
    ) -> tuple[Value, ...]:
        """A scan: `emit(i, *prefixes)` uses the combination of terms 0 to i; returns the last prefixes."""
        types = tuple(v.dtype for v in initial)
        blocks = (
            self._block((INDEX,), term),
            self._block(types + types, combine),
            self._block((INDEX, *types), emit),
        )
        operands = (*self._bounds(lower, upper, 1), *initial)
        return self._structured("for", operands, initial, {"kind": "scan"}, blocks)

    def branch(
        self,
        condition: Value,
        then: Callable[[], Sequence[Value]],
        orelse: Callable[[], Sequence[Value]],
        rare: bool = False,
    ) -> tuple[Value, ...]:
        """`if condition: then() else: orelse()`; both return values of equal types.

        `rare`: hardly any lane takes `then`, and `orelse` computes nothing.
        """
        blocks = (self._block((), then), self._block((), orelse))
        attributes = {"rare": True} if rare else {}
        return self._structured("if", (condition,), blocks[0].yielded, attributes, blocks)

    @contextmanager
    def when(self, condition: Value) -> Iterator[None]:
        """`if condition:` without results and without an else."""
        block = Block()
        self._enter(block)
        yield
        self._leave()
        self._append(Instruction(KERNEL_OPS["if"], (condition,), (), {}, (block, Block())))

    def otherwise(self) -> AbstractContextManager[None] | None:
        """Opens the else of the `when` at the end of the block; None where the block ends otherwise."""
        last = next(reversed(self._blocks[-1].instructions), None)
        if last is None or last.op.name != "if" or last.results or last.blocks[1].instructions:
            return None
        return self._otherwise(last)

    @contextmanager
    def _otherwise(self, instruction: Instruction) -> Iterator[None]:
        block = Block()
        self._enter(block)
        yield
        self._leave()
        instruction.blocks = (instruction.blocks[0], block)

    def repeat_while(
        self, initial: Sequence[Value], condition: Callable[..., Value], body: Callable[..., Sequence[Value]]
    ) -> tuple[Value, ...]:
        types = tuple(v.dtype for v in initial)
        blocks = (self._block(types, lambda *c: (condition(*c),)), self._block(types, body))
        return self._structured("while", tuple(initial), initial, {}, blocks)

    def finish(self, workgroup: int = 1, functions: Sequence[Function] = ()) -> Kernel:
        """Returns the kernel, for workgroups of so many lanes, with the functions that it calls."""
        return Kernel(
            self.name,
            tuple(self._buffers),
            tuple(self._indices),
            tuple(self._scalars),
            self._blocks[0],
            workgroup,
            tuple(functions),
        )

    def function(
        self, name: str, parameters: Sequence[Value], body: Callable[..., Sequence[Value]]
    ) -> Function:
        """A function of a kernel, written by a builder of its own: `body(*parameters)` gives its results."""
        block = self._blocks[0]
        block.parameters = tuple(parameters)
        for value in parameters:
            value.build = self
        self._append(Instruction(KERNEL_OPS["return"], tuple(body(*parameters))))
        return Function(name, block)

    def _structured(
        self,
        name: str,
        operands: tuple[Value, ...],
        results: Sequence[Value],
        attributes: dict[str, Any],
        blocks: tuple[Block, ...],
    ) -> tuple[Value, ...]:
        types = tuple(v.dtype for v in results)
        instruction = Instruction(KERNEL_OPS[name], operands, types, attributes, blocks)
        self._append(instruction)
        return instruction.results

    def _block(self, types: tuple[DType, ...], fill: Callable[..., Sequence[Value]]) -> Block:
        block = Block(tuple(map(self._value, types)))
        self._enter(block)
        yielded = tuple(fill(*block.parameters))
        if yielded:
            self._append(Instruction(KERNEL_OPS["yield"], yielded))
        self._leave()
        return block

    def _append(self, instruction: Instruction, level: int = -1) -> None:
        """Appends to the open block, or to the open one of a level."""
        self._blocks[level].instructions.append(instruction)
        for value in instruction.results:
            value.build = self

    def _enter(self, block: Block) -> None:
        self._blocks.append(block)
        self._known.enter()

    def _leave(self) -> None:
        self._blocks.pop()
        self._known.leave()


def _first(item: tuple[str, Any]) -> str:
    return item[0]


def _like(value: Value, producer: Instruction) -> Value:
    if isinstance(value, Buffer):
        made: Value = Buffer(value.dtype, value.space, value.access)
        made.producer = producer
        return made
    return Value(value.dtype, producer)
