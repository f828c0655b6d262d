"""Calls with containers and keywords that native code answers, and those that it must not."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import pytest

import jitframe as jf
from tests.jit.same import assert_same

X, Y = np.arange(4.0), np.linspace(1, 2, 4)


@dataclass
class State:
    place: Any
    speed: Any
    steps: int = field(default=2, metadata={"static": True})

    @jf.jit
    def moved(self, by, scale=1.0):
        place = self.place
        for _ in range(self.steps):
            place = place + self.speed * by * scale
        return dataclasses.replace(self, place=place)

    @property
    def energy(self):
        return np.sum(self.speed * self.speed)


@dataclass(frozen=True, slots=True)
class Frozen:
    inner: State
    more: tuple


class Point(NamedTuple):
    x: Any
    y: Any


def answered(function, *args, **kwargs):
    """The result of the fourth call, after which native code has answered two."""
    jitted = function if hasattr(function, "stats") else jf.jit(function)
    before = jitted.stats()["native_calls"]
    for _ in range(4):
        result = jitted(*args, **kwargs)
    assert jitted.stats()["native_calls"] == before + 2
    return result


def parts(value):
    """What a container holds, of the container's own classes."""
    if dataclasses.is_dataclass(value):
        return type(value), [parts(getattr(value, each.name)) for each in dataclasses.fields(value)]
    if isinstance(value, dict):
        return type(value), [(key, parts(member)) for key, member in value.items()]
    return (type(value), [*map(parts, value)]) if isinstance(value, (tuple, list)) else value


def assert_alike(found, expected):
    if isinstance(expected, tuple) and isinstance(expected[0], type):
        assert found[0] is expected[0] and len(found[1]) == len(expected[1])
        for one, other in zip(found[1], expected[1], strict=True):
            assert_alike(one, other)
    elif isinstance(expected, tuple):
        assert found[0] == expected[0]
        assert_alike(found[1], expected[1])
    else:
        assert_same(found, expected)


CALLS = {
    "tuple": (lambda p: p[0] + p[1], ((X, Y),)),
    "list": (lambda p: [p[0] + p[1], p[1]], ([X, Y],)),
    "dict": (lambda p: {"sum": p["x"] + p[1], "y": p[1]}, ({"x": X, 1: Y},)),
    "named tuple": (lambda p: Point(p.y, p.x * 2), (Point(X, Y),)),
    "dataclass": (lambda s: (s.energy, s.place * s.steps), (State(X, Y, 3),)),
    "dataclass to dataclass": (lambda s: State(s.place + 1, s.speed), (State(X, 2.0),)),
    "frozen": (
        lambda f, k: Frozen(f.inner, (f.more[0] * k, f.inner.place)), (Frozen(State(X, Y), (X,)), 3.0),
    ),
    "nested": (
        lambda p, n: {"layers": [{k: v * n for k, v in layer.items()} for layer in p["layers"]]},
        ({"layers": [{"w": X, "b": 1.5}, {"w": Y, "b": 2}]}, 2),
    ),
    "words": (lambda p: p["x"] if p["mode"] == "as it is" else -p["x"], ({"x": X, "mode": "other"},)),
    "numbers made": (lambda p: (p["a"] + 1.5, p["n"] * 2, p["n"] > 1), ({"a": 2.0, "n": 3},)),
    "empty": (lambda p, x: x + len(p["none"]), ({"none": []}, X)),
    "bools": (lambda p: p["x"] * p["on"], ({"x": X, "on": True},)),
    "numbers": (lambda p: p["x"] * p["a"] + p["b"], ({"x": X, "a": np.float64(1.5), "b": np.int64(3)},)),
    "unused": (lambda p: p["x"] + 1, ({"x": X, "unused": 1.5, "y": Y},)),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_containers_are_answered_natively(name):
    function, arguments = CALLS[name]
    assert_alike(parts(answered(function, *arguments)), parts(function(*arguments)))


def large(x):
    found = []
    for each in x:
        if each > 2:
            found.append(each)
    return found


def large_numbers(x):
    return [(int(each), float(each)) for each in x if each > 2]


def counts(x):
    found = {}
    for each in x:
        key = int(each) % 3
        found[key] = found.get(key, 0) + 1
    return found


def rests(x):
    found = set()
    for each in x:
        found.add(int(each) % 3)
    return found


def one_list_twice(x):
    sums = [x.sum(), 3]
    return sums, {"again": sums}


def a_complex_number(x):
    return complex(x[0], x[1])


@pytest.mark.parametrize(
    "function",
    [large, large_numbers, rests, one_list_twice, a_complex_number, counts],
    ids=lambda f: f.__name__,
)
def test_what_only_python_makes_is_answered_natively(function):
    """Python competes for such calls, and would win where they are short."""
    jitted = jf.jit(function)
    for _ in range(4):
        found, expected = jitted(X), function(X)
        assert found == expected and repr(found) == repr(expected)
    assert jitted.stats()["native_calls"] == 2
    assert function is not one_list_twice or found[0] is found[1]["again"]


def turned_by(x, z):
    return x * z


def its_size(x, z):
    return x * z.imag, x + abs(z)


def unused(x, z):
    return x + 1


@pytest.mark.parametrize("function", [turned_by, its_size, unused])
@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])
def test_complex_numbers_are_given_natively(function, dtype):
    jitted, x = jf.jit(function), X.astype(dtype)
    for z in (1 + 2j, -0.5j, 3 - 1j, complex(0.0, -0.0)):
        for found, expected in zip(jitted(x, z), function(x, z), strict=True):
            np.testing.assert_allclose(found, expected, rtol=1e-6)
            assert found.dtype == expected.dtype
    assert jitted.stats()["native_calls"] == 2


SHOWN = {
    "turned": lambda x: (x * 2).T,
    "reshaped": lambda x: np.stack((x, x + 1), axis=-1).reshape(-1),
    "a new axis": lambda x: (x + 1)[:, None],
    "both": lambda x: (x + 1)[None].transpose(2, 0, 1).reshape(x.shape[::-1]),
    "several": lambda x: ((x + 1).ravel(), (x - 1).T, x.sum(axis=0)),
}


@pytest.mark.parametrize("name", SHOWN)
@pytest.mark.parametrize("shape", [(3, 4), (1, 4), (0, 4)], ids=str)
def test_new_arrays_are_shown_turned_and_reshaped_natively(name, shape):
    x = np.arange(12.0).reshape(3, 4)[: shape[0]]
    found, expected = answered(SHOWN[name], x), SHOWN[name](x)
    for one, other in zip(*((each,) if isinstance(each, np.ndarray) else each for each in (found, expected))):
        assert_same(one, other)
        assert one.flags.c_contiguous == other.flags.c_contiguous
        assert one.flags.f_contiguous == other.flags.f_contiguous and one.flags.writeable


def test_numbers_in_containers_are_read_at_each_call():
    jitted = jf.jit(lambda p: p["x"] * p["n"][0])
    for number in (2.0, 3.0, -0.5, 4.0):
        assert_same(jitted({"x": X, "n": [number]}), X * number)
    assert jitted.stats()["native_calls"] == 2


def test_what_a_container_holds_is_read_at_each_call():
    jitted = jf.jit(lambda p: p["a"][0] - p["b"])
    p = {"a": [X], "b": Y}
    for _ in range(2):
        assert_same(jitted(p), X - Y)
    p["a"][0] = Y * 3
    assert_same(jitted(p), Y * 3 - Y)
    p["b"] = np.float64(2)
    assert_same(jitted(p), Y * 3 - 2)
    p["a"].insert(0, X)
    assert_same(jitted(p), X - 2)
    p["a"][0] = np.arange(5)
    assert_same(jitted(p), np.arange(5) - np.float64(2))
    del p["b"]
    with pytest.raises(KeyError):
        jitted(p)


def test_the_order_of_keys_matters():
    @jf.jit
    def jitted(p):
        first, second = p.values()
        return first - second

    for _ in range(4):
        assert_same(jitted({"x": X, "y": Y}), X - Y)
        assert_same(jitted({"y": Y, "x": X}), Y - X)
    assert jitted.stats()["native_calls"] == 4


def test_keys_that_are_equal_and_no_str():
    jitted = jf.jit(lambda p: p[(1, 2)] + p[None])
    for _ in range(3):
        assert_same(jitted({tuple(range(1, 3)): X, None: Y}), X + Y)
    assert_same(jitted({(1.0, 2): X, None: Y}), X + Y)


@pytest.mark.parametrize("others", [{"b": Y, "c": 3.0}, {"c": 3.0, "b": Y}, {"b": Y}])
def test_keywords(others):
    def function(a, b, c=2.0):
        return a * c + b

    assert_same(answered(function, X, **others), function(X, **others))
    assert_same(answered(function, a=X, **others), function(X, **others))
    assert_same(answered(function, **others, a=X), function(X, **others))


def test_keyword_only_and_any_keywords():
    def function(a, *rest, scale, shift=0.0, **more):
        return a * scale + shift + sum(rest) + more.get("last", 1) - more.get("first", 2)

    for args, kwargs in (
        ((X,), {"scale": 2.0}), ((X, Y, Y), {"scale": Y, "shift": 1.0}),
        ((X, Y), {"last": X, "scale": 1.5, "first": Y}), ((X, Y), {"first": X, "last": Y, "scale": 1.5}),
    ):  # fmt: skip
        assert_same(answered(function, *args, **kwargs), function(*args, **kwargs))


def test_several_orders_of_keywords_of_one_function():
    jitted = jf.jit(lambda a, b, c: a - b * c)
    for _ in range(3):
        assert_same(jitted(X, Y, 2.0), X - Y * 2)
        assert_same(jitted(c=2.0, b=Y, a=X), X - Y * 2)
        assert_same(jitted(b=X, a=Y, c=2.0), Y - X * 2)
        assert_same(jitted(X, c=2.0, b=Y), X - Y * 2)
    assert jitted.stats()["traces"] == 1 and jitted.stats()["native_calls"] == 7
    with pytest.raises(TypeError, match="got an unexpected keyword argument 'd'"):
        jitted(X, Y, 2.0, d=2.0)
    with pytest.raises(TypeError, match="multiple values for argument 'a'"):
        jitted(X, Y, a=2.0)


def test_static_keywords_by_value():
    @jf.jit(static_argnames=("count", "mode"))
    def function(x, *, count, mode):
        return x * count if mode == "scaled" else x + count

    for count, mode in ((1000, "scaled"), (1001, "scaled"), (1000, "moved")):
        found = answered(function, X, count=int(str(count)), mode=str(mode))
        assert_same(found, X * count if mode == "scaled" else X + count)
    assert function.stats()["traces"] == 3


def test_methods_of_a_dataclass_and_its_static_fields():
    state = State(X, Y)
    found = answered(State.moved, state, 0.5, scale=2.0)
    assert type(found) is State and found.steps == 2
    assert_same(found.place, X + Y * 0.5 * 2.0 + Y * 0.5 * 2.0)
    before = State.moved.stats()
    state.steps = 1
    assert_same(state.moved(0.5, scale=2.0).place, X + Y * 0.5 * 2.0)
    assert State.moved.stats()["traces"] == before["traces"] + 1
    state.place = X * 2
    for _ in range(2):
        assert_same(state.moved(0.5, scale=2.0).place, X * 2 + Y * 0.5 * 2.0)
    assert State.moved.stats()["native_calls"] == before["native_calls"] + 1
    state.extra = X
    assert_same(state.moved(0.5, scale=2.0).place, X * 2 + Y * 0.5 * 2.0)
    assert State.moved.stats()["traces"] == before["traces"] + 2


def test_attributes_that_a_class_computes_are_not_read_natively():
    class Computed:
        def __init__(self, place):
            self.__dict__["place"] = place

        @property
        def place(self):
            return self.__dict__["place"]

        @place.setter
        def place(self, value):
            self.__dict__["place"] = value

    jf.register_container(Computed)
    jitted = jf.jit(lambda c: c.place)
    for _ in range(3):
        assert_same(jitted(Computed(X)), X)
    assert jitted.stats()["native_calls"] == 0


def test_writes_into_arrays_of_containers():
    @jf.jit
    def function(p, *, by):
        p["x"] += by
        p["l"][0][1:] = p["x"][:-1]
        return p["l"][0]

    p = {"x": np.zeros(4), "l": [np.ones(4)]}
    for count in range(1, 6):
        assert function(p, by=1.0) is p["l"][0]
        assert_same(p["x"], np.full(4, float(count)))
        assert_same(p["l"][0], np.array([1.0, count, count, count]))
    assert function.stats()["native_calls"] == 3
    read_only = {"x": np.zeros(4), "l": [np.ones(4)]}
    read_only["x"].flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        function(read_only, by=1.0)


def test_members_that_overlap():
    def plain(p):
        p["x"][1:] = p["y"][:-1] * 2
        return p["y"] + 0

    jitted = jf.jit(plain)
    for make in (
        lambda memory: {"x": memory[:4], "y": memory[4:]}, lambda memory: {"x": memory[:4], "y": memory[2:6]},
        lambda memory: {"x": memory[:4], "y": memory[:4]},
    ):  # fmt: skip
        for _ in range(4):
            found, expected = np.arange(8.0), np.arange(8.0)
            assert_same(jitted(make(found)), plain(make(expected)))
            assert_same(found, expected)
    assert jitted.stats()["native_calls"] == 2


def test_tensors_in_containers():
    jitted = jf.jit(lambda p: p["x"] + 1)
    for _ in range(3):
        assert type(jitted({"x": jf.asarray(X)})) is jf.Tensor
        assert_same(jitted({"x": X}), X + 1)
    assert jitted.stats()["native_calls"] == 2


def test_donated_members():
    @jf.jit(donate="p")
    def function(p):
        return {"x": p["x"] * 2}

    x = X.copy()
    p = {"x": x}
    for count in range(1, 5):
        p = function(p)
        assert p["x"] is x
        assert_same(x, X * 2**count)
    assert function.stats()["native_calls"] == 2


def test_deep_containers_go_through_python():
    value: Any = X
    for _ in range(60):
        value = [value]
    jitted = jf.jit(lambda p: p)
    for _ in range(3):
        found = jitted(value)
        for _ in range(60):
            (found,) = found
        assert_same(found, X)
    assert jitted.stats()["native_calls"] == 0


def test_many_members():
    jitted = jf.jit(lambda p: {name: member + 1 for name, member in p.items()})
    for count in (1, 256, 1000):
        before = jitted.stats()["native_calls"]
        for _ in range(3):
            found = jitted({f"w{number}": X for number in range(count)})
            assert len(found) == count
        assert_same(found[f"w{count - 1}"], X + 1)
        assert jitted.stats()["native_calls"] == before + 1


def test_many_members_that_are_written():
    """Their overlap is looked for among all of them."""

    @jf.jit
    def add(xs, y):
        for x in xs:
            x += y

    memory = np.zeros((90, 4), np.float32)
    y = np.ones(4, np.float32)
    order = np.random.default_rng(0).permutation(90)
    rows = [memory[number] for number in order]
    for _ in range(4):
        add(rows, y)
    assert_same(memory, np.full((90, 4), 4, np.float32))
    assert add.stats()["native_calls"] == 2
    rows[7] = memory[order[61]]
    add(rows, y)
    assert_same(memory[order[61]], np.full(4, 6, np.float32))
    assert_same(memory[order[7]], np.full(4, 4, np.float32))
    add([*rows[:61], memory[order[7]], *rows[212:]], memory[order[13]])
    assert_same(memory[order[13]], np.full(4, 10, np.float32))


def test_calls_without_arguments():
    """What they return is made anew at each call."""
    table = np.arange(3.0)

    @jf.jit
    def gate():
        return np.array([[0, 1], [1, 0]]), np.eye(2), table * 2, 1.5, "x"

    for turn in range(40):
        table[0] = turn
        swap, identity, doubled, number, text = gate()
        assert swap.tolist() == [[0, 1], [1, 0]] and identity.tolist() == [[1.0, 0.0], [0.0, 1.0]]
        assert doubled.tolist() == [2.0 * turn, 2.0, 4.0] and (number, text) == (1.5, "x")
        swap[0, 0] = identity[0, 0] = 7
    assert gate.stats()["native_calls"] > 15
