"""Workgroups of several lanes on one thread: loop fission at barriers. The kernel is split at its barriers,
and each section runs for all lanes, vectorized over them.

Values that live across a barrier are kept in cells: an array over the lanes, or one element where all lanes
agree. Control flow around barriers is the same for all lanes, so it runs once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from ...ir.record import fresh, mutable, record
from ..kernel.nodes import Block, Buffer, Instruction, Value, used, walk
from ..kernel.ops import PURE
from ..kernel.variance import WORKGROUP_LANE, Variance
from .context import Affine, Context, Memory
from .lanes import lane_count
from .loops import counted, either
from .spelling import memory_type, register_type
from .target import UnsupportedKernel
from .writer import Operand, integer

_SPLITTING = frozenset(("barrier", "exit"))
_INDEX_ARITHMETIC = frozenset(("lane_id", "add", "sub", "mul", "neg"))


def run_workgroup(c: Context) -> None:
    """Writes the body of a kernel whose workgroups have several lanes."""
    workgroup = _Workgroup(c, Variance(c.kernel), Counter(used(c.kernel.body.instructions)))
    workgroup.block(c.kernel.body)


class _Cell(metaclass=record):
    """The storage of a value across a barrier: an element for every lane if `wide`, else one."""

    address: Operand
    wide: bool


class _Workgroup(metaclass=mutable):
    c: Context
    variance: Variance
    uses: Counter[Value]
    cells: dict[Value, _Cell] = fresh(factory=dict)
    repeated: dict[Value, Instruction] = fresh(factory=dict)
    """Index arithmetic on lane_id, recomputed where it is used, so that positions stay contiguous."""

    # Splitting ---------------------------------------------------------------------------------------
    def block(self, block: Block) -> None:
        """Writes a block that all lanes run together."""
        pending: list[Instruction] = []
        for instruction in block.instructions:
            if instruction.op.name == "yield":
                break
            if self._runs_once(instruction):
                # Pure instructions do not wait for earlier effects of the lanes, unless they depend on these.
                if any(value in each.results for each in pending for value in instruction.operands):
                    self._lanes(pending)
                    pending = []
                self._once(instruction)
            elif _splits(instruction):
                self._lanes(pending)
                pending = []
                self._together(instruction)
            elif self._repeatable(instruction):
                self.repeated[instruction.results[0]] = instruction
            else:
                pending.append(instruction)
        self._lanes(pending)

    def varies(self, value: Value) -> bool:
        return bool(self.variance.of(value) & WORKGROUP_LANE)

    def _runs_once(self, instruction: Instruction) -> bool:
        op = instruction.op
        if op.name in ("allocate", "table"):
            return True
        return op.name in PURE and not any(self.varies(value) for value in instruction.results)

    def _repeatable(self, instruction: Instruction) -> bool:
        if instruction.op.name not in _INDEX_ARITHMETIC or instruction.results[0].dtype.kind != "index":
            return False
        return all(value in self.repeated or value in self.c.values for value in instruction.operands)

    # All lanes together ------------------------------------------------------------------------------
    def _once(self, instruction: Instruction) -> None:
        c = self.c
        if instruction.op.name == "allocate" and instruction.attributes["space"] == "private":
            buffer = instruction.results[0]
            assert isinstance(buffer, Buffer)
            lanes = c.kernel.workgroup
            address = c.stack(memory_type(buffer.dtype), instruction.attributes["size"] * lanes)
            c.memory[buffer] = Memory(address, lanes, of_workgroup=True)
            return
        for value in instruction.operands:
            if value not in c.values:
                c.values[value] = self.scalar(value)
        c.write(instruction)
        for value in instruction.operands:
            if value in self.cells:
                del c.values[value]

    def scalar(self, value: Value) -> Operand:
        """Returns a uniform value."""
        if self.varies(value):
            raise UnsupportedKernel(f"{self.c.kernel.name}: lanes disagree on the way to a barrier or exit")
        operand = self.c.values.get(value)
        if isinstance(operand, Operand):
            return operand
        return self.c.get(self.cells[value].address, integer(0), register_type(value.dtype), 1)

    def _together(self, instruction: Instruction) -> None:
        name = instruction.op.name
        if name in _SPLITTING:
            self.c.write(instruction)
        elif name == "if":
            self._if(instruction)
        elif name == "while":
            self._while(instruction)
        else:
            self._for(instruction)

    def _if(self, instruction: Instruction) -> None:
        condition = self.scalar(instruction.operands[0])
        for value in instruction.results:
            self._make_cell(value)

        def run(block: Block) -> tuple[Operand, ...]:
            self.block(block)
            self._copy(block.yielded, instruction.results)
            return ()

        then, orelse = instruction.blocks
        either(self.c.writer, condition, lambda: run(then), lambda: run(orelse))

    def _for(self, instruction: Instruction) -> None:
        lower, upper, step = (self.scalar(value) for value in instruction.operands[:3])
        (block,) = instruction.blocks
        carried = block.parameters[1:]
        self._carry(carried, instruction.results, instruction.operands[3:])

        def body(k: Operand) -> tuple[Operand, ...]:
            self.c.values[block.parameters[0]] = k
            self.block(block)
            self._copy(block.yielded, carried)
            return ()

        counted(self.c.writer, lower, upper, step, body)

    def _while(self, instruction: Instruction) -> None:
        w, (condition, body) = self.c.writer, instruction.blocks
        self._carry(body.parameters, instruction.results, instruction.operands)
        for own, shared in zip(condition.parameters, body.parameters, strict=True):
            self.cells[own] = self.cells[shared]
        head, inside, after = w.label("while"), w.label("body"), w.label("after")
        w.jump(head)
        w.start(head)
        w.enter_branch()
        self.block(condition)
        w.branch(self.scalar(condition.yielded[0]), inside, after)
        w.start(inside)
        self.block(body)
        self._copy(body.yielded, body.parameters)
        w.jump(head)
        w.leave()
        w.start(after)

    def _carry(self, carried: Sequence[Value], results: Sequence[Value], first: Sequence[Value]) -> None:
        """Allocates cells for a loop's carried values, which hold its results in the end."""
        for value, result in zip(carried, results, strict=True):
            self._make_cell(value, result)
        self._copy(first, carried)

    def _copy(self, sources: Sequence[Value], targets: Sequence[Value]) -> None:
        """Copies sources to targets, for every lane at once."""
        if targets:
            self._lanes([], tuple(zip(sources, targets, strict=True)))

    # Lane by lane ------------------------------------------------------------------------------------
    def _lanes(self, run: list[Instruction], copies: Iterable[tuple[Value, Value]] = ()) -> None:
        """Runs instructions for all lanes, then copies values into cells."""
        c, copies = self.c, tuple(copies)
        if not run and not copies:
            return
        inside = Counter(used(run))
        values = [
            value for instruction in run for value in instruction.results if not isinstance(value, Buffer)
        ]
        kept = [value for value in values if self.uses[value] > inside[value]]
        for value in kept:
            self._make_cell(value)
        defined, outside = frozenset(values), dict(c.values)

        def step(k: Operand) -> tuple[Operand, ...]:
            with c.lanes(width, None):
                c.first_lane = k
                c.lane = Affine(k, integer(1)) if width > 1 else k
                for value in (*inside, *(source for source, _ in copies)):
                    if value not in defined:
                        self._bring(value, k)
                for instruction in run:
                    c.write(instruction)
                moved = [(c.operand(source), target) for source, target in copies]
                for operand, value in (*((c.operand(value), value) for value in kept), *moved):
                    self._keep(value, operand, k)
            return ()

        width = lane_count(c, Block((), run))
        while c.kernel.workgroup % width:
            width //= 2
        counted(c.writer, integer(0), integer(c.kernel.workgroup), integer(width), step)
        c.values.clear()
        c.values.update(outside)

    def _bring(self, value: Value, k: Operand) -> None:
        """Makes a value from outside available to the lanes from k on."""
        c = self.c
        if isinstance(value, Buffer) or value in c.values:
            return
        again = self.repeated.get(value)
        if again is not None:
            for operand in again.operands:
                self._bring(operand, k)
            c.write(again)
        elif (cell := self.cells.get(value)) is not None:
            place, width = (k, c.width) if cell.wide else (integer(0), 1)
            c.values[value] = c.get(cell.address, place, register_type(value.dtype), width)

    def _make_cell(self, *values: Value) -> None:
        """Makes one cell for values that are equal at different times."""
        if values[0] not in self.cells:
            wide = any(self.varies(value) for value in values)
            count = self.c.kernel.workgroup if wide else 1
            cell = _Cell(self.c.stack(memory_type(values[0].dtype), count), wide)
            self.cells.update(dict.fromkeys(values, cell))

    def _keep(self, value: Value, operand: Operand, k: Operand) -> None:
        c, w, cell = self.c, self.c.writer, self.cells[value]
        if cell.wide:
            operand = w.splat(operand, c.width)
        elif operand.width > 1:
            operand = w.shuffle(operand, (0,))
        c.put(cell.address, k if cell.wide else integer(0), operand)


def _splits(instruction: Instruction) -> bool:
    """Whether it is a barrier or exit, or control flow that contains one."""
    inner = (each for block in instruction.blocks for each in walk(block))
    return instruction.op.name in _SPLITTING or any(each.op.name in _SPLITTING for each in inner)
