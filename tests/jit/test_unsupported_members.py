"""Arrays of dtypes without programs (texts, Python's objects) among attributes and items: where the function
does not compute with them, they are no obstacle."""

from __future__ import annotations

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import UnsupportedError
from tests.jit.same import assert_same

pytestmark = pytest.mark.usefixtures("strict")


class Filter:
    """A filter as users write them: no measurement yet is an array of None."""

    def __init__(self, size=3):
        self.x = np.ones(size)
        self.z = np.array([[None] * size]).T
        self.names = np.array(["east", "north", "up"])
        self.steps = 0

    def predict(self):
        self.x = self.x * 0.5
        self.steps += 1

    def update(self, z):
        self.z = z * 2
        self.x = self.x + self.z
        return self.x.sum()

    def named(self):
        return self.names, self.x * 2

    def computed_with(self):
        return self.x + self.z


def state(it):
    return it.x.tolist(), it.z.tolist(), it.names.tolist(), it.steps


@pytest.mark.parametrize("is_new", [False, True])
@pytest.mark.parametrize(
    ("method", "arguments"),
    [(Filter.predict, ()), (Filter.update, (np.arange(3.0),)), (Filter.named, ())],
)
def test_members_that_are_not_computed_with(method, arguments, is_new):
    jitted, mine, its = jf.jit(method), Filter(), Filter()
    for _ in range(8):
        if is_new:  # its attributes are arguments from the fifth one on
            mine, its = Filter(), Filter()
        found, expected = jitted(mine, *arguments), method(its, *arguments)
        if method is Filter.named:
            assert found[0] is mine.names
            found, expected = found[1], expected[1]
        assert_same(found, expected)
        assert state(mine) == state(its)
    assert jitted.stats()["traces"] <= 5


def test_calls_are_native():
    jitted, it = jf.jit(Filter.predict), Filter()
    for _ in range(60):
        jitted(it)
    assert jitted.stats()["native_calls"] > 30 and it.steps == 60 and it.x[0] == 0.5**60


@pytest.mark.parametrize("is_new", [False, True])
def test_members_that_are_computed_with_are_refused(is_new):
    jitted, it = jf.jit(Filter.computed_with), Filter()
    for _ in range(6):
        it = Filter() if is_new else it
        with pytest.raises(UnsupportedError, match="self.z.*arrays of object are not supported"):
            jitted(it)


def test_members_of_containers():
    def scaled(table, x):
        return {"names": table["names"], "x": x * table["factor"]}

    table = {"names": np.array(["a", "b"]), "factor": 3.0}
    found = jf.jit(scaled)(table, np.ones(2))
    assert found["names"] is table["names"] and found["x"].tolist() == [3.0, 3.0]
    with pytest.raises(UnsupportedError, match=r"table\['names'\].*<U1"):
        jf.jit(lambda table, x: x[table["names"] == "a"])(table, np.ones(2))
