"""Dataclasses, named tuples, attrs and registered classes as arguments and results; `self` of methods."""

from __future__ import annotations

import collections
import dataclasses
import types
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import ArgumentError, DTypeError, TraceError
from tests.jit.same import assert_same

X = np.arange(4.0)


@dataclass
class State:
    place: np.ndarray
    speed: float = 1.0

    def energy(self):
        return np.sum(self.place * self.place) * self.speed

    @property
    def doubled(self):
        return self.place * 2


@dataclass(frozen=True, slots=True)
class Frozen:
    inner: State
    more: tuple


@dataclass
class Model:
    weights: np.ndarray
    layers: int = field(metadata={"static": True})

    @jf.jit
    def forward(self, x):
        for _ in range(self.layers):
            x = x * self.weights
        return x


class Point(NamedTuple):
    x: np.ndarray
    y: float

    def norm(self):
        return np.sqrt(self.x * self.x + self.y)


@jf.register_container
class Particles:
    def __init__(self, place):
        self.place = place
        self.made = "by __init__"


def test_fields_are_arguments_read_at_each_call():
    jitted = jf.jit(lambda s, x: State(s.place * s.speed + x, s.speed * 2))
    for speed in (2.0, 3.0):
        found = jitted(State(X, speed), X)
        assert type(found) is State
        assert_same(found.place, X * speed + X)
        assert_same(found.speed, speed * 2)
    assert jitted.stats()["traces"] == 1


def test_methods_and_properties_of_an_argument_are_traced():
    jitted = jf.jit(lambda s: (s.energy(), s.doubled))
    assert_same(jitted(State(X, 2.0)), (np.sum(X * X) * 2.0, X * 2))


def test_nested_frozen_with_slots():
    jitted = jf.jit(lambda f: dataclasses.replace(f, more=(f.inner.place + f.more[0], f.more[1])))
    found = jitted(Frozen(State(X), (X, {"k": 3.0})))
    assert type(found) is Frozen and type(found.inner) is State
    assert_same(found.more, (X + X, {"k": 3.0}))


def test_named_tuples_keep_their_class_and_methods():
    jitted = jf.jit(lambda p: (Point(p.x + 1, p.y), p.norm(), p._replace(y=2.0)))
    point, norm, replaced = jitted(Point(X, 4.0))
    assert type(point) is Point and type(replaced) is Point
    assert_same(norm, Point(X, 4.0).norm())
    assert_same(tuple(point), (X + 1, 4.0))


def test_self_of_a_dataclass_is_read_at_each_call():
    model = Model(X, 2)
    before = Model.forward.stats()["traces"]
    assert_same(model.forward(X), X * X * X)
    model.weights = X + 1
    assert_same(model.forward(X), X * (X + 1) * (X + 1))
    assert Model.forward.stats()["traces"] == before + 1
    model.layers = 1
    assert_same(model.forward(X), X * (X + 1))
    assert Model.forward.stats()["traces"] == before + 2


def test_a_part_of_an_argument_may_be_static():
    def function(config, params):
        for _ in range(params["steps"][0]):
            config = config + params["w"]
        return config

    jitted = jf.jit(function, static_argnames="params['steps'][0]")
    for steps in (1, 3, 1):
        assert_same(jitted(X, {"w": X, "steps": [steps]}), X + steps * X)
    assert jitted.stats()["traces"] == 2
    assert_same(jf.jit(function)(X, {"w": X, "steps": [2]}), X + 2 * X)


def test_attributes_beside_the_fields_are_kept():
    state = State(X)
    state.extra = X + 1
    found = jf.jit(lambda s: (s.extra * 2, s))(state)
    assert_same(found[0], (X + 1) * 2)
    assert_same(found[1].extra, X + 1)


def test_registered_classes():
    def push(p, by):
        made = Particles(p.place + by)
        made.before = p
        return made

    found = jf.jit(push)(Particles(X), 2.0)
    assert type(found) is Particles and type(found.before) is Particles
    assert_same(found.place, X + 2.0)
    assert found.made == "by __init__"
    with pytest.raises(DTypeError, match=r"^register_container: Listed derives from a builtin class"):
        jf.register_container(type("Listed", (list,), {}))


def test_attrs_classes():
    attrs = pytest.importorskip("attrs")
    cls = attrs.make_class(
        "Pair", {"a": attrs.field(), "n": attrs.field(metadata={"static": True})}, slots=True
    )
    jitted = jf.jit(lambda p: p.a * 2 if p.n else p.a)
    assert_same(jitted(cls(X, 1)), X * 2)
    assert_same(jitted(cls(X, 0)), X)


class Other:
    def __init__(self, x, inner=None):
        self.x, self.inner = x, inner


def test_each_call_makes_objects_of_its_own():
    given = Other(1)

    def function(x, other):
        return Other(x + 1, [Other(x.sum(), other), Other("a", None)])

    jitted = jf.jit(function)
    for _ in range(3):
        made = jitted(X, given)
        assert type(made) is Other and type(made.inner[0]) is Other and made.inner[0].inner is given
        assert_same((made.x, made.inner[0].x, made.inner[1].x), (X + 1, X.sum(), "a"))
        assert not hasattr(made, "changed")
        made.changed = made.inner[1].changed = True
    assert jitted.stats()["interpreted"] == 0


def cyclic(x):
    made = Other(x + 1)
    made.inner = made
    return made


@pytest.mark.parametrize(
    "function",
    [
        lambda x: (x, {1, 2}),
        lambda x: (x, collections.deque([x.sum()])),
        lambda x: (x, bytearray(b"ab")),
        lambda x: (x, collections.OrderedDict(a=x)),
        lambda x: (x, collections.defaultdict(list, a=[x])),
        lambda x: (x, types.SimpleNamespace(a=x)),
        lambda x: [Other(x)] * 2,
        cyclic,
    ],
)
@pytest.mark.filterwarnings("ignore::jitframe.errors.FallbackWarning")
def test_what_cannot_be_made_anew_is_pythons(function, strict):
    jitted = jf.jit(function)
    with pytest.raises(TraceError, match=r"of its own, which would be the same one|in two places"):
        jitted(X)
    jf.settings.configure(strict=False)
    first, second = jitted(X), jitted(X)
    assert repr(second).split(" at 0x")[0] == repr(function(X)).split(" at 0x")[0]
    assert (first[1] if isinstance(first, tuple) else first) is not (
        second[1] if isinstance(second, tuple) else second
    )


CONFIG = State(X, 3.0)


def test_an_object_from_outside_comes_back_itself():
    assert jf.jit(lambda x: (CONFIG, x + CONFIG.speed))(X)[0] is CONFIG


@pytest.mark.parametrize(
    "change",
    [
        lambda p: p.pop("w"),
        lambda p: p["l"].clear(),
        lambda p: p["s"].__dict__.clear(),
    ],
)
def test_what_takes_items_away_is_refused(change, strict):
    @jf.jit
    def function(p):
        change(p)
        return p["x"]

    with pytest.raises(TraceError, match="takes items from the (dict|list|State) .p.*, which was made"):
        function({"s": State(X), "w": X, "l": [X], "x": X})


def test_writes_into_the_arrays_of_a_container_reach_the_caller():
    @jf.jit
    def function(s):
        s.place += 1
        s.place[0] = s.speed

    state = State(X.copy(), 5.0)
    function(state)
    assert_same(state.place, np.array([5.0, 2.0, 3.0, 4.0]))


def test_static_values_that_cannot_be_hashed():
    with pytest.raises(
        ArgumentError, match=r"the static argument 's' is a State, which cannot be hashed; declare"
    ):
        jf.jit(lambda x, s: x, static_argnames="s")(X, CONFIG)
    with pytest.raises(ArgumentError, match=r"the static argument 's' is a set, .*; make it a frozenset"):
        jf.jit(lambda x, s: x, static_argnames="s")(X, {1})


HELD = [1.0, 2.0]


def test_a_list_from_outside_comes_back_itself():
    jitted = jf.jit(lambda x, other: (x + 1, HELD, Other(x, other.inner)))
    given = Other(1, [3.0])
    for _ in range(2):
        _, held, made = jitted(X, given)
        assert held is HELD and made.inner is given.inner
