"""The verifier's rules of memory, constants and synchronisation: each returns the fault in words, or ""."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...ir.types import BOOL, INDEX, DType
from .nodes import Buffer, Instruction

ATTRIBUTES: dict[str, frozenset[str]] = {
    "constant": frozenset(("dtype", "value")),
    "cast": frozenset(("dtype",)),
    "bitcast": frozenset(("dtype",)),
    "group_id": frozenset(("dtype",)),
    "lane_id": frozenset(("dtype",)),
    "store": frozenset(("masked", "stream")),
    "allocate": frozenset(("dtype", "size", "space")),
    "table": frozenset(("dtype", "values")),
    "atomic": frozenset(("kind", "scope", "order")),
    "barrier": frozenset(("id",)),
    "fence": frozenset(("scope",)),
    "subgroup_reduce": frozenset(("dtype", "kind")),
    "call": frozenset(("function",)),
    "for": frozenset(("kind", "short", "appends")),
    "if": frozenset(("rare",)),
}
"""The attributes of each instruction that has any."""

FENCE_SCOPES = ("thread", "workgroup", "device", "system")
ATOMIC_KINDS = {
    "add": "iuf",
    "min": "iuf",
    "max": "iuf",
    "exchange": "iuf",
    "and": "iu",
    "or": "iu",
    "xor": "iu",
}
ATOMIC_ORDERS = ("relaxed", "acquire", "release", "acquire_release", "sequential")
_PYTHON_TYPES: dict[str, type] = {"bool": bool, "int": int, "uint": int, "index": int, "float": float}


def constant_problem(value: Any, dtype: DType) -> str:
    """Why a Python number is no constant of a dtype."""
    if type(value) is not _PYTHON_TYPES[dtype.kind]:
        return f"a constant of {dtype.name} is a Python {_PYTHON_TYPES[dtype.kind].__name__}, not {value!r}"
    if dtype.is_integer:
        assert isinstance(value, int)
        low = -(1 << (dtype.bits - 1)) if dtype.is_signed else 0
        high = (1 << (dtype.bits - (1 if dtype.is_signed else 0))) - 1
        if not low <= value <= high:
            return f"the constant {value} does not fit {dtype.name}"
    return ""


def _buffer_problem(instruction: Instruction) -> str:
    name, operands = instruction.op.name, instruction.operands
    if not operands or not isinstance(operands[0], Buffer):
        return f"{name} takes a buffer first"
    if any(isinstance(v, Buffer) for v in operands[1:]):
        return f"{name} takes one buffer"
    if len(operands) < 2 or operands[1].dtype is not INDEX:
        return f"{name} takes an index as its position"
    return ""


def _results_problem(instruction: Instruction, due: tuple[DType, ...]) -> str:
    found = tuple(v.dtype for v in instruction.results)
    if found != due:
        names = [", ".join(dtype.name for dtype in dtypes) for dtypes in (due, found)]
        return f"{instruction.op.name} gives ({names[0]}), not ({names[1]})"
    return ""


def load_problem(instruction: Instruction) -> str:
    problem = _buffer_problem(instruction)
    if problem:
        return problem
    buffer, _, *mask = instruction.operands
    assert isinstance(buffer, Buffer)
    if len(mask) > 1:
        return f"load takes 2 or 3 operands, not {len(instruction.operands)}"
    if mask and mask[0].dtype is not BOOL:
        return f"a mask is a bool, not {mask[0].dtype.name}"
    if buffer.access == "out":
        return "load from a buffer of access out"
    return _results_problem(instruction, (buffer.dtype,))


def store_problem(instruction: Instruction) -> str:
    problem = _buffer_problem(instruction)
    if problem:
        return problem
    buffer, operands, attributes = instruction.operands[0], instruction.operands, instruction.attributes
    assert isinstance(buffer, Buffer)
    flags = [word for word in ("masked", "stream") if attributes.get(word)]
    due = 3 + len(flags)
    if len(operands) != due:
        return f"store takes {due} operands here, not {len(operands)}"
    for word, value in zip(flags, operands[3:], strict=True):
        if value.dtype is not BOOL:
            return f"the {word} operand of a store is a bool, not {value.dtype.name}"
    if buffer.access == "in":
        return f"store to a {'table' if buffer.space == 'table' else 'buffer of access in'}"
    if operands[2].dtype is not buffer.dtype:
        return f"store of {operands[2].dtype.name} to a buffer of {buffer.dtype.name}"
    return _results_problem(instruction, ())


def atomic_problem(instruction: Instruction) -> str:
    problem = _buffer_problem(instruction)
    if problem:
        return problem
    buffer, operands, attributes = instruction.operands[0], instruction.operands, instruction.attributes
    assert isinstance(buffer, Buffer)
    kind = attributes.get("kind")
    if len(operands) != 3:
        return f"atomic takes 3 operands, not {len(operands)}"
    if kind not in ATOMIC_KINDS:
        return f"no atomic is called {kind}"
    if buffer.dtype.kind[0] not in ATOMIC_KINDS[kind]:
        return f"atomic {kind} does not admit {buffer.dtype.name}"
    if buffer.access != "inout" or buffer.space not in ("global", "shared"):
        return f"atomic on {buffer.space} memory of access {buffer.access}"
    if operands[2].dtype is not buffer.dtype:
        return f"atomic of {operands[2].dtype.name} on a buffer of {buffer.dtype.name}"
    if attributes.get("scope") not in FENCE_SCOPES[1:]:
        return f"no scope of atomics is called {attributes.get('scope')}"
    if attributes.get("order") not in ATOMIC_ORDERS:
        return f"no memory order is called {attributes.get('order')}"
    return _results_problem(instruction, (buffer.dtype,))


def barrier_problem(instruction: Instruction) -> str:
    identifier = instruction.attributes.get("id")
    if type(identifier) is not int or identifier < 0:
        return f"a barrier's id is a number from 0, not {identifier!r}"
    return _results_problem(instruction, ())


def fence_problem(instruction: Instruction) -> str:
    scope = instruction.attributes.get("scope")
    return "" if scope in FENCE_SCOPES else f"no fence has the scope {scope}"


def exit_problem(instruction: Instruction) -> str:
    return _results_problem(instruction, ())


def allocate_problem(instruction: Instruction) -> str:
    size, space = instruction.attributes.get("size"), instruction.attributes.get("space")
    if type(size) is not int or size < 1:
        return f"allocate takes a positive number of elements, not {size!r}"
    if space not in ("private", "shared"):
        return f"allocate in {space} memory: private or shared"
    return _made_problem(instruction, space)


def table_problem(instruction: Instruction) -> str:
    values, dtype = instruction.attributes.get("values"), instruction.attributes["dtype"]
    if not isinstance(values, tuple) or not values:
        return "a table holds at least one value"
    for value in values:
        problem = constant_problem(value, dtype)
        if problem:
            return problem
    return _made_problem(instruction, "table")


def _made_problem(instruction: Instruction, space: str) -> str:
    value = instruction.results[0]
    if not isinstance(value, Buffer) or value.space != space:
        return f"{instruction.op.name} makes a buffer in {space} memory"
    return "memory holds i32 or i64, not index" if value.dtype is INDEX else ""


EFFECT_PROBLEMS: dict[str, Callable[[Instruction], str]] = {
    "load": load_problem,
    "store": store_problem,
    "atomic": atomic_problem,
    "barrier": barrier_problem,
    "fence": fence_problem,
    "exit": exit_problem,
}
MEMORY_PROBLEMS: dict[str, Callable[[Instruction], str]] = {
    "allocate": allocate_problem,
    "table": table_problem,
}
