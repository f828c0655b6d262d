"""The table of static values in docs/retracing.md: values that differ have a trace each, others share one."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import functools
import math
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import jitframe as jf
from jitframe.tracing.arguments.value_key import value_key
from tests.jit.same import assert_same

PAGE = Path(__file__).resolve().parents[2] / "docs/retracing.md"
X = np.arange(1.0, 4.0)


class Pair(NamedTuple):
    first: Any
    second: Any = 0


@dataclasses.dataclass(frozen=True)
class Frozen:
    value: Any
    label: str = dataclasses.field(default="", compare=False)


@dataclasses.dataclass(frozen=True, slots=True)
class Slotted:
    value: Any


class Equal:
    """Of a hash and an equality of its own."""

    def __init__(self, value):
        self.value = value

    def __eq__(self, other):
        return isinstance(other, Equal) and self.value == other.value

    def __hash__(self):
        return hash(str(self.value).partition(".")[0])

    def method(self):
        return self.value


class Plain:
    def method(self):
        return 1


class Text(str):
    pass


class Number(int):
    pass


class Level(enum.IntEnum):
    LOW = 1


class Choice(enum.Enum):
    LOW = 1
    ALSO = 1.0


def function(*arguments):
    return arguments


def tagged(value, tag):
    value = type(value)(value)
    value.tag = tag
    return value


plain, other = Plain(), Plain()
EQUAL = Equal(1)
# Of each row of the page: values that have a trace each.
DIFFERENT = {
    "`int`, `bool`, `str`, `bytes`, `None`": [1, 1.0, True, None, "1", b"1"],
    "`float`, `complex`": [0.0, -0.0, 0j, complex(-0.0, 0.0), complex(0.0, -0.0), math.nan],
    "NumPy scalar": [np.float32(0.0), np.float32(-0.0), np.float64(0.0), np.int32(0), np.int64(0), 0],
    "dtype": [
        np.dtype("i4"), np.dtype(">i4"), np.dtype("i4", metadata={"a": 1}), np.dtype([("a", "i4")]),
        np.dtype([("b", "i4")]), np.dtype("q"), np.dtype("l"),
    ],
    "`range`": [range(0, 10, 3), range(0, 12, 3), range(0), range(1, 1)],
    "`slice`": [slice(1, 2), slice(1.0, 2), slice(True, 2), slice(2)],
    "`tuple`, named tuple": [(1,), (1.0,), (True,), ((1,),), (1, 0), Pair(1), Pair(1.0), Pair(True)],
    "`frozenset`": [frozenset((1,)), frozenset((1.0,)), frozenset((0, 8)), frozenset((8, 0))],
    "`Decimal`, `Fraction`, date and others of a library": [
        Decimal("1"), Decimal("1.0"), Fraction(1), 1, datetime.date(2020, 1, 1),
        datetime.datetime(2020, 1, 1),
    ],
    "frozen dataclass, other object with an `__eq__`": [
        Frozen(1), Frozen(1.0), Frozen(1, "a"), Slotted(1), Slotted(True), Equal(1), Equal(1.0), Equal([1]),
        Equal([1.0]), Equal({1: 2}), Equal({1.0: 2}), Frozen((Frozen(0.0),)), Frozen((Frozen(-0.0),)),
    ],
    "object derived from a builtin class": [
        Text("a"), "a", tagged(Text("a"), 1), tagged(Text("a"), 1.0), Number(1), tagged(Number(1), 2), 1,
    ],
    "`functools.partial`": [
        functools.partial(function, 1), functools.partial(function, 1.0), functools.partial(function),
        functools.partial(function, a=1), functools.partial(function, a=True),
    ],
    "bound method": [EQUAL.method, Equal(1.0).method, plain.method, other.method],
    "member of an enumeration, function, class, module, array inside": [
        Level.LOW, 1, Choice.LOW, function, Pair, Plain, np, math,
    ],
    "object without an `__eq__`": [plain, other],
}  # fmt: skip


def rows():
    lines = PAGE.read_text().partition("| static value | told apart by |")[2].partition("\n\n")[0]
    return [line.strip("| ").split(" | ")[0] for line in lines.splitlines()[2:]]


def test_the_page_lists_what_is_tested():
    assert rows() == list(DIFFERENT)


@pytest.mark.parametrize("row", DIFFERENT)
def test_values_that_differ_have_a_trace_each(row):
    values = DIFFERENT[row]
    seen = []
    jitted = jf.jit(lambda x, k: x + 1, static_argnames="k")
    for number, value in enumerate(values, 1):
        for _ in range(3):
            jitted(X, value)
        assert jitted.stats()["traces"] == number, (row, value, seen)
        seen.append(value)
    for value in values:
        jitted(X, value)
    assert jitted.stats()["traces"] == len(values)


@pytest.mark.parametrize(
    "make",
    [
        lambda: float("nan"), lambda: (float("nan"), 1), lambda: np.float32("nan"), lambda: range(2, 9, 3),
        lambda: Pair(1.5, "a"), lambda: frozenset((2.5, "a")), lambda: Decimal("1.10"),
        lambda: Fraction(1, 3), lambda: Frozen((1, "a"), "b"), lambda: Slotted(2.5), lambda: Equal([1, {2}]),
        lambda: tagged(Text("ab"), 2), lambda: functools.partial(function, 2.5, a=1), lambda: plain.method,
        lambda: Equal(1).method, lambda: np.dtype([("a", "f4"), ("b", "i2")]), lambda: slice(1, None, 2),
        lambda: complex(0.0, -0.0), lambda: datetime.timedelta(1), lambda: list[int], lambda: int | None,
    ],
)  # fmt: skip
def test_values_that_are_the_same_share_a_trace(make):
    jitted = jf.jit(lambda x, k: x + 1, static_argnames="k")
    first, second = make(), make()
    jitted(X, first)
    jitted(X, second)
    assert jitted.stats()["traces"] == 1


def test_what_a_trace_reads_of_a_static_value_is_the_calls_own():
    def repeated(x, k):
        for each in k:
            x = x * 2 + each / 3
        return x * k.stop

    jitted = jf.jit(repeated, static_argnames="k")
    unlisted = jf.jit(repeated)
    for value in (range(0, 10, 3), range(0, 12, 3)):
        for _ in range(3):
            assert_same(jitted(X, value), repeated(X, value))
            assert_same(unlisted(X, value), repeated(X, value))


def test_a_static_value_that_is_changed_in_place():
    def scaled(x, k):
        return x * k.value

    jitted, value = jf.jit(scaled, static_argnames="k"), Equal(2.0)
    for new in (2.0, 3.0, 3.0, 3.0, 5.0):
        value.value = new
        assert_same(jitted(X, value), X * new)
    inner = Frozen([1.0])
    assert value_key(Frozen(1)) == value_key(Frozen(1))
    before = value_key(inner)
    inner.value.append(2.0)
    assert value_key(inner) != before


def test_values_inside_themselves_and_deep_ones():
    first, second = Equal([]), Equal([])
    first.value.append(first)
    second.value.append(second)
    assert value_key(first) == value_key(second)
    deep = ()
    for _ in range(5000):
        deep = (deep,)
    assert value_key(deep) == value_key(deep)


def test_keys_of_dicts_by_types_and_bits():
    def doubled(parameters):
        [(key, value)] = parameters.items()
        return value * (2 if type(key) is int else 3)

    jitted = jf.jit(doubled)
    for _ in range(3):
        for key in (1, 1.0, True):
            assert_same(jitted({key: X}), doubled({key: X}))
    assert jitted.stats()["traces"] == 3


def test_keywords_come_in_the_calls_order():
    def polynomial(**coefficients):
        total = 0.0
        for each in coefficients.values():
            total = total * 2 + each
        return total

    jitted = jf.jit(polynomial)
    for _ in range(3):
        assert_same(jitted(a=X, b=X * 3), polynomial(a=X, b=X * 3))
        assert_same(jitted(b=X * 3, a=X), polynomial(b=X * 3, a=X))


def test_numpy_integers_that_are_static():
    def repeated(x, n):
        for _ in range(n):
            x = x + 1
        return x * n

    jitted = jf.jit(repeated, static_argnames="n")
    for n in (np.int64(3), np.uint8(2), np.int64(4)):
        for _ in range(3):
            assert_same(jitted(X, n), repeated(X, n))
