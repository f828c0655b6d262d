"""Loads from small tables at positions modulo the table's length, as permutations of registers where
native."""

from __future__ import annotations

from ..kernel.nodes import Buffer, Instruction, Value, constant_number
from .context import Context
from .spelling import memory_type, vector
from .writer import Operand, integer

_PERMUTATIONS = {
    ("float", 1): "call <16 x float> @llvm.x86.avx512.permvar.sf.512({table}, {index})",
    ("float", 2): "call <16 x float> @llvm.x86.avx512.vpermi2var.ps.512({table}, {index}, {upper})",
    ("double", 1): "call <8 x double> @llvm.x86.avx512.permvar.df.512({table}, {index})",
    ("double", 2): "call <8 x double> @llvm.x86.avx512.vpermi2var.pd.512({table}, {index}, {upper})",
}
"""By element and registers of the table: one instruction, which reads the low bits of the index alone."""


def lookup_index(instruction: Instruction) -> Value | None:
    """Returns the value whose low bits are a load's position, where those bits cover exactly the table."""
    if instruction.op.name != "load" or len(instruction.operands) != 2:
        return None
    table, position = instruction.operands
    if not isinstance(table, Buffer) or table.space != "table":
        return None
    bits = _operands(position, "cast")
    if len(bits) != 1 or len(pair := _operands(bits[0], "and")) != 2:
        return None
    assert isinstance(table.producer, Instruction)
    size = len(table.producer.attributes["values"])
    fits = size & (size - 1) == 0 and constant_number(pair[1]) == size - 1
    return pair[0] if fits and pair[0].dtype.bits == table.dtype.bits else None


def _operands(value: Value, name: str) -> tuple[Value, ...]:
    """Returns the operands of the instruction `name` that defines a value, else none."""
    made = value.producer
    return made.operands if isinstance(made, Instruction) and made.op.name == name else ()


def _some(found: Operand | None) -> Operand:
    assert found is not None
    return found


def permuted(c: Context, table: Buffer, index: Operand) -> Operand | None:
    """Returns the elements of a table at the low bits of every lane's index; None where no instruction does
    that."""
    type_, w, width = memory_type(table.dtype), c.writer, index.width
    assert isinstance(table.producer, Instruction)
    full = c.target.lanes(table.dtype.bits)
    registers, rest = divmod(len(table.producer.attributes["values"]), full)
    form = _PERMUTATIONS.get((type_, registers))
    if not c.target.has_permutations or form is None or rest or width == 1:
        return None
    if width > full:
        return w.by_halves(lambda half: _some(permuted(c, table, half)), index)
    address, kind, parts = c.memory[table].address, vector(type_, full), []
    for part in range(registers):
        place = c.element(address, kind, integer(part))
        parts.append(w.effect(f"load {kind}, ptr {place.text}, align 64", type_, full))
    spread = w.widened(index, full)
    text = form.format(table=parts[0].spelled, index=spread.spelled, upper=parts[-1].spelled)
    operand = w.effect(text, type_, full)
    return operand if width == full else w.shuffle(operand, range(width))
