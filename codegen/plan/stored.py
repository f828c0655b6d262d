"""Serialization of plans: nested tuples of plain values, without the kernels.

>>> unpacked(packed(plan)) == replace(plan, kernels=())
True
"""

from __future__ import annotations

from typing import Any

from ...ir.expr import Expr, restored
from ...ir.record import replace
from ...ir.types import BY_NAME, DType
from .nodes import SYNTAX, Axis, BufferRef, ConstantScalar, LoopIndex, Plan, PlanBuffer, ScalarRef

_RECORDS: tuple[Any, ...] = (
    Plan, PlanBuffer, BufferRef, ScalarRef, ConstantScalar, LoopIndex, Axis, *SYNTAX,
)  # fmt: skip
_NUMBER = {kind: number for number, kind in enumerate(_RECORDS)}
_TUPLE, _DTYPE, _EXPR = -1, -2, -3
"""The first items of tuples that represent no record."""

Packed = tuple[Any, ...]


class PackedError(ValueError):
    """The given value was not made by `packed`."""


def packed(value: Any) -> Packed:
    """Packs a plan without its kernels, or a tuple of plans, expressions and plain values."""
    packer = _Packer()
    made = packer.value(value)
    return tuple(packer.rows), made


def unpacked(given: Packed) -> Any:
    """Returns the value that was packed. Raises PackedError for other input."""
    try:
        rows, value = given
        exprs: list[Expr] = []
        for kind, operands, payload in rows:
            exprs.append(restored(kind, tuple([exprs[number] for number in operands]), payload))
        return _unpacked(value, exprs)
    except (TypeError, ValueError, IndexError, KeyError) as problem:
        raise PackedError(f"no stored plan ({type(problem).__name__}: {problem})") from None


class _Packer:
    def __init__(self) -> None:
        self.rows: list[Packed] = []
        """Each expression once, after its operands: kind, their numbers, payload."""
        self.numbering: dict[Expr, int] = {}

    def value(self, value: Any) -> Any:
        kind = type(value)
        if kind is Expr:
            return (_EXPR, self.expr(value))
        if kind is tuple:
            return (_TUPLE, *[self.value(each) for each in value])
        if kind is DType:
            return (_DTYPE, value.name)
        if kind is Plan:
            value = replace(value, kernels=())
        if kind in _NUMBER:
            return (_NUMBER[kind], *[self.value(getattr(value, name)) for name in kind.__slots__])
        assert value is None or kind in (int, float, bool, str, bytes), value
        return value

    def expr(self, expr: Expr) -> int:
        """The number of an expression. Without recursion: the cost of a long loop is a sum of thousands."""
        numbering, pending = self.numbering, [expr]
        while pending:
            current = pending[-1]
            missing = [each for each in current.operands if each not in numbering]
            if missing or current in numbering:
                pending.pop() if current in numbering else pending.extend(reversed(missing))
                continue
            pending.pop()
            numbering[current] = len(self.rows)
            operands = tuple([numbering[operand] for operand in current.operands])
            self.rows.append((current.kind, operands, current.payload))
        return numbering[expr]


def _unpacked(value: Any, exprs: list[Expr]) -> Any:
    if type(value) is not tuple:
        return value
    first = value[0]
    if first == _EXPR:
        return exprs[value[1]]
    if first == _DTYPE:
        return BY_NAME[value[1]]
    members = [_unpacked(each, exprs) if type(each) is tuple else each for each in value[1:]]
    return tuple(members) if first == _TUPLE else _RECORDS[first](*members)
