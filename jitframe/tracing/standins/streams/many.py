"""Many numbers of PCG64 at once, bit for bit NumPy's, by kernels on all threads.

State number i is A^i times the first one plus (1 + A + ... + A^(i-1)) times the increment, so none depends on
its predecessor (F. Brown, Random Number Generation with Arbitrary Strides, 1994). The states are a matrix:
the state in front of each row follows from the first state and a table of rows, and the states of a row from
that one and a table of columns. NumPy makes all other draws, and raises all errors.
"""

from __future__ import annotations

import ctypes
import functools
import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from ....base.locks import new_lock
from ....codegen.plan.bind import scalar_bits
from ....compilation import evaluate
from ....functions.formula import Term
from ....ir.node import Graph, Node
from ....ir.types import F64, I64, U32, U64, DType
from .pcg64 import MULTIPLIER

LEAST = 1 << 17
"""The least count of numbers for which the kernels are called, after NumPy has drawn half as many."""
COLUMNS = 512
"""The width of the matrix; the table of columns stays in the L1 cache."""
_INVERSE = pow(MULTIPLIER, -1, 1 << 128)
_WORD, _HALF, _STATE = (1 << 64) - 1, (1 << 32) - 1, (1 << 128) - 1
Value = int | float


# Powers of the multiplier ---------------------------------------------------------------------------------
def _power(count: int) -> tuple[int, int]:
    """A^count, and the sum of the powers below it."""
    power, total, step, sums = 1, 0, MULTIPLIER, 1
    while count:
        if count & 1:
            power, total = power * step & _STATE, (total * step + sums) & _STATE
        step, sums = step * step & _STATE, sums * (step + 1) & _STATE
        count >>= 1
    return power, total


def _table(first: int, count: int, apart: int) -> numpy.ndarray:
    """For steps first, first + apart, ...: the halves of the power, then those of the sum."""
    rows = numpy.empty((4, count), numpy.uint64)
    (power, total), (step, sums) = _power(first), _power(apart)
    for place in range(count):
        rows[:, place] = power >> 64, power & _WORD, total >> 64, total & _WORD
        power, total = power * step & _STATE, (total * step + sums) & _STATE
    return rows


@functools.cache
def _columns() -> numpy.ndarray:
    """The table of columns; a word is made of the state after its step."""
    return _table(1, COLUMNS, 1)


class _Rows:
    """The table of rows, which grows."""

    lock = new_lock()
    table = numpy.empty((4, 0), numpy.uint64)

    @classmethod
    def of(cls, count: int) -> list[numpy.ndarray]:
        """Returns the first rows, one array for each half."""
        with cls.lock:
            have = cls.table.shape[1]
            if have < count:
                more = _table(have * COLUMNS, max(count - have, have), COLUMNS)
                cls.table = numpy.concatenate([cls.table, more], axis=1)
            return [half[:count] for half in cls.table]


# Programs -------------------------------------------------------------------------------------------------
Pair = tuple[Term, Term]
"""A number of 128 bits: its high half and its low one."""


def _times(x: Pair, y: Pair) -> Pair:
    (high, low), (other_high, other_low) = x, y
    x0, x1, y0, y1 = low & _HALF, low >> 32, other_low & _HALF, other_low >> 32
    first = x1 * y0 + (x0 * y0 >> 32)
    second = x0 * y1 + (first & _HALF)
    upper = x1 * y1 + (first >> 32) + (second >> 32)
    return upper + high * other_low + low * other_high, low * other_low


def _plus(x: Pair, y: Pair) -> Pair:
    low = x[1] + y[1]
    return x[0] + y[0] + (low < x[1]).to(U64), low


class _Program:
    """A formula on arrays and scalars, compiled once for all sizes."""

    def __init__(self, write: Callable[..., Sequence[Term]], scalars: Sequence[DType] = ()) -> None:
        self._write, self._scalars = write, tuple(scalars)
        self._ready: dict[tuple[tuple[int, ...], ...], tuple[Any, list[Node]]] = {}
        evaluate.at_forget.append(self._ready.clear)

    def __call__(self, arrays: Sequence[numpy.ndarray], values: Sequence[Value] = ()) -> list[numpy.ndarray]:
        shapes = tuple([array.shape for array in arrays])
        known = self._ready.get(shapes)
        if known is None:
            if len(self._ready) >= _MOST_SIZES:
                self._ready.clear()
            known = self._ready[shapes] = self._made(arrays)
        ready, nodes = known
        bits = [scalar_bits(value, dtype) for value, dtype in zip(values, self._scalars, strict=True)]
        buffers = evaluate.run(ready, [array.ctypes.data for array in arrays], bits)
        return [
            buffer.into_ndarray(node.dtype.numpy_name, tuple(map(int, node.shape)))
            for buffer, node in zip(buffers, nodes, strict=True)
        ]

    def _made(self, arrays: Sequence[numpy.ndarray]) -> tuple[Any, list[Node]]:
        graph = Graph()
        kinds = {numpy.dtype(numpy.uint64): U64, numpy.dtype(numpy.uint32): U32}
        terms = [
            Term(graph, graph.parameter(number, array.shape, kinds[array.dtype]))
            for number, array in enumerate(arrays)
        ]
        numbers = [Term(graph, graph.scalar(place, dtype)) for place, dtype in enumerate(self._scalars)]
        nodes = [term.node for term in self._write(*terms, *numbers)]
        return evaluate.prepare(nodes, [()] * len(arrays)), nodes


_MOST_SIZES = 64


def _write_rows(a: Term, b: Term, c: Term, d: Term, *words: Term) -> Sequence[Term]:
    """The states in front of the rows."""
    state_high, state_low, more, less = [word.spread(a.node.shape) for word in words]
    return _plus(_times((a, b), (state_high, state_low)), _times((c, d), (more, less)))


def _write_columns(c: Term, d: Term, *words: Term) -> Sequence[Term]:
    """The contributions of the increment up to each column."""
    more, less = [word.spread(c.node.shape) for word in words]
    return _times((c, d), (more, less))


def _words(*given: Term) -> Term:
    """The words of the states in front of rows, powers and contributions of the increment up to columns."""
    rows, columns = given[0].node.shape[0], given[2].node.shape[1]
    high, low, a, b, c, d = [term.spread((rows, columns)) for term in given]
    high, low = _plus(_times((a, b), (high, low)), (c, d))
    mixed, turn = high ^ low, high >> 58
    return (mixed >> turn) | (mixed << ((turn.like(64) - turn) & 63))


def _unit(*given: Term) -> Term:
    return (_words(*given) >> 11).to(F64) * 2.0**-53


def _write_uniform(*given: Term) -> Sequence[Term]:
    *states, low, extent = given
    unit = _unit(*states)
    return (low.spread(unit.node.shape) + extent.spread(unit.node.shape) * unit,)


def _write_integers(halves: Term, low: Term, count: Term, least: Term) -> Sequence[Term]:
    """An integer for each half of a word, and whether it is rejected (see `distributions.below`)."""
    shape = halves.node.shape
    product = halves.to(U64) * count.spread(shape)
    low_half = product & _HALF
    return low.spread(shape) + (product >> 32).to(I64), low_half < least.spread(shape)


_ROWS = _Program(_write_rows, (U64,) * 4)
_COLUMNS = _Program(_write_columns, (U64,) * 2)
_RANDOM = _Program(lambda *given: (_unit(*given),))
_UNIFORM = _Program(_write_uniform, (F64, F64))
_DRAWN_WORDS = _Program(lambda *given: (_words(*given),))
_INTEGERS = _Program(_write_integers, (I64, U64, U64))


def _drawn(
    words: Sequence[int], count: int, program: _Program, values: Sequence[Value] = ()
) -> numpy.ndarray:
    """Returns the result of a program for each of so many words."""
    rows = -(-count // COLUMNS)
    high, low = _ROWS(_Rows.of(rows), words)
    a, b, more, less = _columns()
    increments = _COLUMNS([more, less], words[2:])
    tables = [each.reshape(1, COLUMNS) for each in (a, b, *increments)]
    (array,) = program([high.reshape(rows, 1), low.reshape(rows, 1), *tables], values)
    return array.reshape(-1)[:count]


# Methods --------------------------------------------------------------------------------------------------
class _Stream:
    """A generator over PCG64 while it draws; its lock is held."""

    def __init__(self, generator: numpy.random.Generator) -> None:
        self._source: Any = generator.bit_generator
        self._whole = self._source.state
        self.state, self.increment = self._whole["state"]["state"], self._whole["state"]["inc"]
        self.half, self.has_half = self._whole["uinteger"], bool(self._whole["has_uint32"])

    @property
    def words(self) -> list[int]:
        return [half for each in (self.state, self.increment) for half in (each >> 64, each & _WORD)]

    def advance(self, words: int) -> None:
        power, total = _power(words)
        self.state = (power * self.state + total * self.increment) & _STATE

    def retreat(self, words: int) -> None:
        """None, or one."""
        if words:
            self.state = (self.state - self.increment) * _INVERSE & _STATE

    def give_back(self) -> None:
        whole = {**self._whole, "state": {"state": self.state, "inc": self.increment}}
        self._source.state = {**whole, "uinteger": self.half, "has_uint32": int(self.has_half)}


def _random(stream: _Stream, count: int) -> numpy.ndarray:
    array = _drawn(stream.words, count, _RANDOM)
    stream.advance(count)
    return array


def _uniform(stream: _Stream, count: int, low: float, high: float) -> numpy.ndarray | None:
    extent = high - low
    if not (math.isfinite(low) and 0 <= extent < math.inf) or not _multiplies_and_adds():
        return None
    array = _drawn(stream.words, count, _UNIFORM, (low, extent))
    stream.advance(count)
    return array


@functools.cache
def _multiplies_and_adds() -> bool:
    """Whether NumPy rounds the product of `low + extent * unit`, which its compiler decides."""
    low, high, size = 0.1, 0.7, 256
    first, second = (numpy.random.Generator(numpy.random.PCG64(1)) for _ in range(2))
    return bool((first.uniform(low, high, size) == low + (high - low) * second.random(size)).all())


def _integers(stream: _Stream, size: int, low: int, high: int) -> numpy.ndarray | None:
    """NumPy takes one half of a word after the other, the low one first, and rejects those that would favor a
    number. A half left of an earlier word precedes these."""
    count, shift = high - low, int(stream.has_half)
    if not 1 < count <= _HALF or low < -(1 << 63) or high > 1 << 63:
        return None
    least = ((1 << 32) - count) % count
    kept = 1 - least / (1 << 32)
    halves = math.ceil((size + 6 * math.sqrt(size * (1 - kept))) / kept)
    stream.retreat(shift)
    drawn = _drawn(stream.words, -(-(halves + shift) // 2), _DRAWN_WORDS).view(numpy.uint32)
    if shift:
        drawn[1] = stream.half
    array, refused = _INTEGERS([drawn[shift:]], (low, count, least))
    taken = size
    if least:
        at = numpy.flatnonzero(refused)
        while taken - int(numpy.searchsorted(at, taken)) < size:
            taken = size + int(numpy.searchsorted(at, taken))
            if taken > len(array):
                return None
        _close_up(array, [*at[: taken - size].tolist(), taken])
    total = taken + shift
    stream.advance(-(-total // 2))
    stream.half, stream.has_half = int(drawn[(total - 1) | 1]), bool(total % 2)
    return array[:size]


def _close_up(array: numpy.ndarray, places: Sequence[int]) -> None:
    """Removes elements in place: all places but the last one, which is the end of the kept elements."""
    first, width = array.ctypes.data, array.itemsize
    for number, (place, following) in enumerate(itertools.pairwise(places)):
        target = first + (place - number) * width
        ctypes.memmove(target, first + (place + 1) * width, (following - place - 1) * width)


def _asked_random(dtype: Any = numpy.float64) -> tuple[Any, ...] | None:
    return () if numpy.dtype(dtype) == numpy.float64 else None


def _asked_uniform(low: Any = 0.0, high: Any = 1.0) -> tuple[Any, ...] | None:
    numbers = all(type(each) in (int, float, numpy.float64) for each in (low, high))
    return (float(low), float(high)) if numbers else None


def _asked_integers(
    low: Any, high: Any = None, dtype: Any = numpy.int64, endpoint: Any = False
) -> tuple[Any, ...] | None:
    if any(type(each) not in (int, numpy.int64, type(None)) for each in (low, high)) or low is None:
        return None
    if numpy.dtype(dtype) != numpy.int64 or endpoint not in (True, False):
        return None
    low, high = (0, low) if high is None else (low, high)
    return int(low), int(high) + bool(endpoint)


_METHODS: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "random": (_asked_random, _random),
    "uniform": (_asked_uniform, _uniform),
    "integers": (_asked_integers, _integers),
}
"""The parser of each method's arguments, which returns None where NumPy draws, and its implementation."""


def drawn(name: str, generator: Any, options: dict[str, Any]) -> numpy.ndarray | None:
    """Returns the result of a generator's method; None where NumPy is to draw, before anything was drawn."""
    if name not in _METHODS or type(generator) is not numpy.random.Generator:
        return None
    if type(generator.bit_generator) is not numpy.random.PCG64:
        return None
    given = dict(options)
    size = given.pop("size", None)
    if type(size) not in (int, tuple) or math.prod(shape := size if type(size) is tuple else (size,)) < LEAST:
        return None
    asked, draw = _METHODS[name]
    values = asked(**given)
    if values is None or any(type(extent) is not int or extent < 0 for extent in shape):
        return None
    with generator.bit_generator.lock:
        stream = _Stream(generator)
        array: numpy.ndarray | None = draw(stream, math.prod(shape), *values)
        if array is None:
            return None
        stream.give_back()
    return array.reshape(shape)
