"""Numbers and lists of Python's made of arrays: `x.item()`, `x.tolist()`, `int(x[i])`, and their texts."""

from __future__ import annotations

import dataclasses
import pprint

import numpy as np
import pytest

import jitframe as jf

X = np.random.default_rng(0).integers(-9, 9, 120) / 2


def called(function, *arguments):
    try:
        return repr(function(*arguments))
    except (IndexError, TypeError, ValueError) as error:
        return type(error).__mro__[-3 if isinstance(error, IndexError) else -2]


def compared(function, *arguments):
    jitted = jf.jit(function)
    for _ in range(2):
        assert called(jitted, *arguments) == called(function, *arguments)
    return jitted


def positive(x):
    total = 0.0
    for i in range(len(x)):
        value = x[i].item()
        if value > 0:
            total += value
    return total


def by_position(x):
    table, found = x.reshape(10, 12), []
    for i in range(10):
        for j in range(12):
            if table.item(i, j) > table.T.item(5):
                found.append(table.item((i, -j)))
    return found, table.item(-1)


def halved(x):
    error, count = 1.0, 0
    while error > 1e-3 and count < 100:
        x = x * 0.5
        error = np.abs(x).max().item()
        count += 1
    return x, count, error


def ranks(x):
    ranks = np.zeros(len(x))
    for rank, i in enumerate(np.argsort(x, kind="stable")):
        ranks[i.item()] = rank
    return ranks, x[x.argmax().item()]


def of_types(x):
    small = x.astype(np.int8)
    return (x > 0)[1].item(), small[2].item(), x.astype("f4").sum().item(), (x + 1j)[0].item(), x[:1].item()


def listed(x):
    total = 0.0
    for value in x.tolist():
        if value > 0:
            total += value
    return total, sum(x.tolist()), (x > 0).tolist(), x.astype("f4").tolist()


def in_lists(x):
    table, total = x.reshape(10, 12).tolist(), 0.0
    for row in table:
        for value in row:
            if value > 0:
                total += value
    table[3][2] = 7.0
    return table, total, max(table[1])


@pytest.mark.parametrize("function", [positive, by_position, halved, ranks, of_types, listed, in_lists])
def test_traced(function):
    """The program is one, without cuts, and its numbers are of Python's types."""
    assert not compared(function, X).program(X).segments


def test_no_item():
    compared(lambda x: x.item(), X)
    compared(lambda x: x.item(1, 2), X)
    compared(lambda x: x.item(1.5), X)
    compared(lambda x: x.item(200), X)
    compared(lambda x: x.item(len(x) + int(x[0] ** 2)), X)


def test_integers_of_more_bits():
    """An integer of 64 bits without a sign may be beyond those that programs have."""

    def converted(x):
        return int(x[1]) + 1, x[1].item(), x.tolist(), float(x[1])

    def largest(x):
        best = 0
        for i in range(len(x)):
            best = max(best, int(x[i]))
        return best

    for x in (np.array([1, 2, 3] * 40, np.uint64), np.array([1, 2**63 + 5, 3] * 40, np.uint64)):
        compared(converted, x)
        compared(largest, x)


@dataclasses.dataclass
class Reading:
    value: float


TEXTS = {
    "list": lambda x: str([x[0] + 1]),
    "of a list": lambda x: str(x[:2].tolist()),
    "tuple": lambda x: repr((x[0], x.sum(), x[:2])),
    "format": lambda x: f"{[x[0]]} {{}} {f'{ ({1: x[0].item()}) }'}",
    "percent": lambda x: "%s" % [x[0]],
    "dataclass": lambda x: repr(Reading(x[1])),
    "pprint": lambda x: pprint.pformat([x[0] + 1]),
    "join": lambda x: ",".join(map(repr, x[:3])),
}


@pytest.mark.parametrize("name", TEXTS)
def test_texts_of_what_holds_values(name):
    """`repr` of a value of the trace, which lists and tuples ask for, is that of its value."""
    compared(TEXTS[name], X)


def test_a_text_in_a_loop():
    def told(x):
        texts = []
        for value in x:
            if value > 3:
                texts.append(str([value]))
        return texts

    compared(told, X)


NUMBERS = {
    "float": float,
    "int": int,
    "complex": complex,
    "bool": bool,
    "item": lambda x: x.item(),
    "of a sum": lambda x: float(x + 1),
    "condition": lambda x: 1 if x else 0,
}


@pytest.mark.filterwarnings("ignore:Conversion of an array with ndim:DeprecationWarning")
@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("shape", [(), (1,), (1, 1), (2,), (0,)])
def test_arrays_of_one_element_are_numbers_where_they_are_in_numpy(name, shape):
    """NumPy 2.4 takes no array with axes for a number, except for its truth and `item()`."""
    compared(NUMBERS[name], np.full(shape, 4.0))
