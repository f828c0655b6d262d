"""What a loop or condition on array values may change besides variables and arrays: lists, objects, closures,
classes; and what keeps its place meanwhile. Whatever cannot be compiled is cut, never wrong."""

from __future__ import annotations

import array
import itertools
from collections import Counter, defaultdict, deque

import numpy as np
import pytest

import jitframe as jf

ROWS = np.array([[3.0, 1.0, 4.0, 1.5], [1.0, 1.0, 4.0, 1.5], [0.0, 1.0, 2.0, 3.0]])


def of_a_deque(x):
    last = deque([0.0], maxlen=2)
    for value in x:
        if value > 2:
            last.append(value)
    return last[0], len(last)


def of_bytes(x):
    counts = bytearray(2)
    for value in x:
        if value > 2:
            counts[0] += 1
    return counts[0]


def of_an_array(x):
    counts = array.array("d", [0.0])
    for value in x:
        if value > 2:
            counts[0] += 1
    return counts[0]


def of_an_iterator(x):
    left = iter([1, 2, 3])
    first = next(left) if x[0] > 2 else 0
    return first + next(left)


def of_a_counter(x):
    numbers = itertools.count()
    for value in x:
        if value > 2:
            next(numbers)
    return next(numbers)


def of_a_generator(x):
    def numbers():
        yield from range(9)

    made = numbers()
    for value in x:
        if value > 2:
            next(made)
    return next(made)


def of_rows(x):
    pairs = zip(x, x * 2)
    total = 0.0
    if x[0] > 2:
        total = next(pairs)[1]
    return total


def of_dicts(x):
    sums, counts = defaultdict(float, a=0.0), Counter(a=0)
    for value in x:
        if value > 2:
            sums["a"] += value
            counts["a"] += 1
    return sums["a"], counts["a"]


def of_a_class(x):
    class Shared:
        count = 0

    for value in x:
        if value > 2:
            Shared.count += 1
    return Shared.count


def of_a_class_of_an_object(x):
    class Made:
        count = 0

    made = Made()
    for value in x:
        if value > 2:
            type(made).count += 1
    return made.count


def of_a_function(x):
    def noted():
        noted.count += 1

    noted.count = 0
    for value in x:
        if value > 2:
            noted()
    return noted.count


def of_defaults(x):
    def noted(by, *, seen=[0]):  # noqa: B006
        seen[0] += by
        return seen[0]

    noted(-noted(0))
    for value in x:
        if value > 2:
            noted(1)
    return noted(0)


def of_a_list_that_is_returned(x):
    found = [3, 1.0]
    if x[0] > 2:
        pass
    elif x[3] > 2:
        return found
    for _ in range(3):
        pass
    else:
        found[0] = -1
    return found


def of_a_list_in_a_tuple(x):
    found, n = [3, 1.0], 1
    pair = (found, n)
    if x[0] > 2:
        found[0] = -1
        pair = (found, 2)
    pair[0][1] = 8.0
    return found, pair


FUNCTIONS = [value for name, value in list(globals().items()) if name.startswith("of_")]


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_what_changes_is_as_python_has_it(function, strict) -> None:
    before = jf.settings.configure(strict=strict)
    try:
        jitted = jf.jit(function)
        for row in (*ROWS, *ROWS):
            assert jitted(row) == function(row)
    finally:
        jf.settings.restore(before)


def test_objects_of_classes_without_a_module() -> None:
    """`exec` in names without `__name__` makes classes that seem to be Python's own."""
    names: dict = {}
    exec("class Box:\n    n = 0", names)

    def function(x):
        box = names["Box"]()
        if x[0] > 2:
            box.n += 1
        return box.n

    assert [jf.jit(function)(row) for row in ROWS] == [1, 0, 0]


def test_an_array_that_may_be_another_is_read_after_a_write_in_an_arm() -> None:
    def function(x):
        u = x * 2
        v = u
        if x[0] > 0:
            v = u.copy()
            if x[1] > 2:
                return u, v
        u[1:2] = 7
        return u, v

    jitted = jf.jit(function)
    for row in (*ROWS, *-ROWS, ROWS[0] * 3):
        for found, expected in zip(jitted(row), function(row), strict=True):
            np.testing.assert_array_equal(found, expected)


def test_a_constant_that_an_arm_returns_is_used_in_it() -> None:
    """The kernel that puts it into memory comes after one that uses it."""

    def function(x):
        a, s, u = 0.0, 0.0, x * 2
        if x[0] > 2:
            s = 1.0
            u[1:3] = x[1:3] + s
            a = u[0] + u[1]
        return a, s, u

    jitted = jf.jit(function)
    for row in ROWS:
        for found, expected in zip(jitted(row), function(row), strict=True):
            np.testing.assert_array_equal(found, expected)


class Gate:
    """What a model of the module keeps, in an attribute of its class."""

    rate, state = 0.0, 0.0

    def update(self, dt):
        self.state += dt * (self.rate * (1 - self.state) - self.state)


class Cell:
    gate = Gate()

    def __init__(self):
        self.voltage = 0.0

    def step(self, current, dt):
        self.gate.rate = 0.1 * np.exp(-self.voltage / 20)
        self.voltage += dt * (current - self.gate.state**3 * (self.voltage - 115))
        self.gate.update(dt)


def of_objects_of_the_module(currents):
    cell = Cell()
    found = np.empty((2, len(currents)))
    for i in range(len(currents)):
        cell.step(currents[i], 0.05)
        found[:, i] = cell.voltage, cell.gate.state
    return found


def test_loops_over_what_objects_of_the_module_keep(strict):
    """They are met in the loop first: no variable of the function leads to them."""
    currents, jitted = np.where(np.arange(300) > 100, 20.0, 0.0), jf.jit(of_objects_of_the_module)
    for _ in range(2):
        Cell.gate.rate, Cell.gate.state = 0.0, 0.25
        expected, left = of_objects_of_the_module(currents), (Cell.gate.rate, Cell.gate.state)
        Cell.gate.rate, Cell.gate.state = 0.0, 0.25
        np.testing.assert_allclose(jitted(currents), expected, rtol=1e-12)
        np.testing.assert_allclose((Cell.gate.rate, Cell.gate.state), left, rtol=1e-12)
    Cell.gate.state = 0.25
    assert len(jitted.explain(currents).kernels) < 5  # the loop is one, and not unrolled


def clipped(x, most, kind):
    whole = x.astype(kind)
    if whole.max() > most:
        whole = np.minimum(whole, kind(most))
    elif whole.dtype != kind:
        whole = whole.astype(kind)
    return whole


def levels(x):
    kind = np.int64
    return clipped(x * 10, 7, kind)


def test_types_of_numbers_may_be_variables(strict):
    x, jitted = np.linspace(0, 1, 9), jf.jit(levels)
    for _ in range(2):
        found = jitted(x)
        assert found.dtype == np.int64 and found.tolist() == levels(x).tolist()
    assert not jitted.explain(x).before
