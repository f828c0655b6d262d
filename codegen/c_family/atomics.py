"""Atomics and fences: every kind, order and scope that the language supports soundly; the others are refused.

Kinds without an instruction are done by compare-and-swap: floats on their bits, elements of 8 and 16 bits on
the word that contains them. An order that the language lacks is composed of fences around a relaxed atomic: a
release has one before, an acquire one after, a sequentially consistent one both.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...ir.record import record
from ...ir.types import BY_NAME, U32, U64, DType
from ..kernel.nodes import Buffer, Instruction
from ..kernel.variance import WORKGROUP_LANE, Variance
from .arithmetic import pair
from .context import Context, Pending
from .dialect import Dialect
from .memory import is_packed, part_bits, part_value, word_and_shift

_SPLIT = "end the kernel there, so that the next one sees all"


class _Ordered(metaclass=record):
    """The ordering of one atomic: words for its templates, and the fences before and after it."""

    words: Mapping[str, str]
    before: str = ""
    after: str = ""


def atomic(c: Context, instruction: Instruction) -> None:
    """Replaces an element atomically. The old value is broadcast where all lanes execute the atomic
    together."""
    buffer, position, _ = instruction.operands
    assert isinstance(buffer, Buffer)
    ordered = _ordered(c, instruction.attributes["order"], instruction.attributes["scope"])
    at, dtype = c.names[position], buffer.dtype
    if not c.uniform:
        c.names[instruction.result] = _between_fences(c, instruction, ordered, at)
        return
    strict = instruction.attributes["order"] != "relaxed"
    if strict:
        _synchronize(c)
    else:
        c.order_accesses(set(), {buffer})
    told = f"{c.scratch(dtype, 'told', 1)}[{c.index(0)}]"
    with c.lane_zero():
        c.line(f"{told} = {_between_fences(c, instruction, ordered, at)};")
    c.names[instruction.result] = c.uniform_load(dtype, told)
    if strict:
        _synchronize(c)


def atomic_dtypes(dialect: Dialect) -> frozenset[str]:
    """Returns the dtypes whose elements kernels can add to atomically."""
    widths = {4, *((8,) if dialect.atomic_retry64 else ()), *((1, 2) if dialect.packed else ())}
    return frozenset(name for name in dialect.types if name != "bool" and BY_NAME[name].itemsize in widths)


def _synchronize(c: Context) -> None:
    """Extends one lane's order to all lanes: their earlier accesses come before, their later ones after."""
    c.line(c.dialect.barrier)
    c.pending = Pending()


def _ordered(c: Context, order: str, scope: str) -> _Ordered:
    d = c.dialect
    if scope not in d.scopes:
        raise c.refuse(f"no atomics at {scope} scope", f"use scope {' or '.join(d.scopes)}")
    if order in d.orders:
        words = {"order": d.orders[order], "failure": d.failures.get(order, ""), "scope": d.scopes[scope]}
        return _Ordered(words)
    fence_ = (d.strict_fences if order == "sequential" else d.fences).get(scope, "BARRIER")
    if fence_ == "BARRIER":
        raise c.refuse(f"no {order} atomics", "use order relaxed and a barrier")
    relaxed = _ordered(c, "relaxed", scope).words
    return _Ordered(relaxed, "" if order == "acquire" else fence_, "" if order == "release" else fence_)


def _between_fences(c: Context, instruction: Instruction, ordered: _Ordered, at: str) -> str:
    if ordered.before:
        c.line(ordered.before)
    old = _atomic(c, instruction, ordered.words, at)
    if ordered.after:
        c.line(ordered.after)
    return old


def _atomic(c: Context, instruction: Instruction, words: Mapping[str, str], at: str) -> str:
    """Returns the name of the old value."""
    buffer, _, operand = instruction.operands
    assert isinstance(buffer, Buffer)
    dtype, kind, value, d = buffer.dtype, instruction.attributes["kind"], c.names[operand], c.dialect
    words = {**words, "space": d.spaces.get(buffer.space, "")}
    if is_packed(c, buffer):
        return _atomic_part(c, kind, buffer, at, value, words)
    place, type_ = f"{c.names[buffer]}[{at}]", c.type_of(dtype)
    kinds = _instructions(c, dtype)
    if kind in kinds:
        return c.let(dtype, c.own(kinds[kind].format(place=place, x=value, type=type_, **words)))
    word = {4: U32, 8: U64}.get(dtype.itemsize)
    retry = d.atomic_retry64 if word is U64 else d.atomic_retry
    if word is None or not retry:
        raise c.refuse(f"no atomics on {dtype.name}", "use a 32-bit dtype")
    old = c.fresh("old")
    stored = c.bits_as(type_, old)
    following = c.bits_as(c.type_of(word), pair(c, kind, dtype, stored, value))
    _retry(c, retry, word, old, {**words, "place": place}, following)
    return c.let(dtype, stored)


def _instructions(c: Context, dtype: DType) -> Mapping[str, str]:
    """Returns the kinds with an instruction in the language."""
    if dtype.is_float:
        return c.dialect.float_atomics.get(dtype.name, {})
    if dtype.itemsize == 4:
        return c.dialect.atomics
    return c.dialect.atomics64 if dtype.itemsize == 8 else {}


def _atomic_part(c: Context, kind: str, buffer: Buffer, at: str, value: str, words: Mapping[str, str]) -> str:
    """Replaces an element that is a part of a word, by replacing the word with its other parts unchanged."""
    place, shift = word_and_shift(c, buffer, at)
    shift, old, dtype = c.let_type(c.type_of(U32), shift), c.fresh("old"), buffer.dtype
    mask = c.unsigned((1 << (8 * dtype.itemsize)) - 1)
    stored = part_value(c, dtype, f"(({old} >> {shift}) & {mask})")
    following = part_bits(c, dtype, pair(c, kind, dtype, f"({stored})", value))
    following = f"({old} & ~({mask} << {shift})) | ({following} << {shift})"
    _retry(c, c.dialect.atomic_retry, U32, old, {**words, "place": place}, following)
    return c.let(dtype, stored)


def _retry(
    c: Context, template: tuple[str, ...], word: DType, old: str, words: Mapping[str, str], following: str
) -> None:
    for line in template:
        c.line(c.own(line.format(old=old, next=following, type=c.type_of(word), **words)))


# Fences ----------------------------------------------------------------------------------------------
def barrier(c: Context, instruction: Instruction) -> None:
    c.line(c.dialect.barrier)


def fence(c: Context, instruction: Instruction) -> None:
    """Writes a fence; where lanes execute it together, its order is every lane's."""
    scope, d = instruction.attributes["scope"], c.dialect
    spelled = d.fences.get(scope)
    if spelled is None:
        raise c.refuse(f"no fence of scope {scope}", _SPLIT)
    if spelled == "BARRIER":
        if Variance(c.kernel).control[instruction] & WORKGROUP_LANE or c.dealt:
            raise c.refuse(
                f"a fence of scope {scope} is a barrier in {d.name}, and this one is under control flow "
                "that varies by lane",
                "move it where all lanes pass",
            )
        c.line(d.barrier)
    elif spelled and c.uniform:
        _synchronize(c)
        c.line(spelled)
        _synchronize(c)
    elif spelled:
        c.line(spelled)
