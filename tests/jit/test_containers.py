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
from jitframe.errors import ArgumentError, DTypeError, FallbackWarning, TraceError
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
        cyclic,
    ],
)
@pytest.mark.filterwarnings("ignore::jitframe.errors.FallbackWarning")
def test_what_cannot_be_made_anew_is_pythons(function, strict):
    jitted = jf.jit(function)
    with pytest.raises(TraceError, match=r"of its own, which would be the same one|holds itself"):
        jitted(X)
    jf.settings.configure(strict=False)
    first, second = jitted(X), jitted(X)
    assert repr(second).split(" at 0x")[0] == repr(function(X)).split(" at 0x")[0]
    assert (first[1] if isinstance(first, tuple) else first) is not (
        second[1] if isinstance(second, tuple) else second
    )


def _one_list(x):
    made = [x, 1.0]
    return made, {"again": made}


def _one_row(x):
    return [[x[0]] * 2] * 3


def _one_record(x):
    made = State(x, 2.0)
    return made, made


def _stored_and_returned(kept, x):
    made = Other(x)
    kept.first, kept.second = made, [made]
    kept.added.append(made)
    return made


@pytest.mark.parametrize(
    "function", [_one_list, _one_row, _one_record, lambda x: [Other(x)] * 2, _stored_and_returned]
)
def test_one_container_in_two_places_is_one(function, strict):
    jitted = jf.jit(function)
    expected = _identities(function)
    assert len(set(expected)) < len(expected)
    for _ in range(3):
        assert _identities(jitted) == expected


def _identities(function):
    """The containers that a call leaves, each by the place of its first one."""
    kept = types.SimpleNamespace(first=None, second=None, added=[])
    stores = getattr(function, "__name__", "") == "_stored_and_returned"
    pending = [function(kept, X) if stores else function(X), kept]
    found = []
    while pending:
        value = pending.pop(0)
        members = (
            value.values() if isinstance(value, dict) else value if isinstance(value, (tuple, list)) else None
        )
        members = vars(value).values() if members is None and hasattr(value, "__dict__") else members
        if members is not None:
            found.append(value)
            pending += [] if any(value is each for each in found[:-1]) else members
    return [next(n for n, each in enumerate(found) if each is value) for value in found]


@dataclasses.dataclass
class Knot:
    name: str
    weight: float
    parent: Knot | None = None
    children: list = dataclasses.field(default_factory=list)


def _tree(count):
    root = last = Knot("root", 1.0)
    for number in range(count):
        last.children.append(Knot(f"{number}", float(number), last))
        last = last.children[0]
    return root


@pytest.mark.parametrize("count", [3, 2000])
def test_records_that_hold_each_other(count):
    @jf.jit
    def grown(knot, x):
        made = Knot("new", knot.weight * 2, knot)
        knot.children.append(made)
        return made, knot.children[0].weight + x, knot.children[0].parent is knot

    for _ in range(3):
        root = _tree(count)
        made, weight, is_parent = grown(root, X)
        assert made is root.children[-1] and made.parent is root and len(root.children) == 2
        assert made.weight == 2.0 and is_parent
        np.testing.assert_array_equal(weight, X)


class Value:
    """A number that knows of what it was computed."""

    def __init__(self, data, *sources):
        self.data, self.sources, self.uses = data, sources, []
        for each in sources:
            each.uses.append(self)


def test_objects_that_hold_each_other_are_met_by_identity(strict):
    @jf.jit
    def places(end, *looked_for):
        seen, pending = {}, [end]
        while pending:
            value = pending.pop()
            if value not in seen:
                seen[value] = len(seen)
                pending += value.sources
        return [seen.get(each) for each in looked_for], end.data

    for number in range(6):  # apart from each other at first
        assert places(Value(float(number)))[1] == number
    first, second = Value(1.0), Value(2.0)
    third = Value(3.0, first, second)
    end = Value(4.0, third, first)
    assert places(end, first, second, third, end) == places.__wrapped__(end, first, second, third, end)


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


def test_one_thing_given_twice(strict):
    def function(one, other, x):
        one["w"] = one["w"] + x
        return other["w"] * 2

    jitted = jf.jit(function)
    apart = {"w": np.ones(3)}
    assert_same(jitted({"w": np.ones(3)}, apart, np.ones(3)), np.full(3, 2.0))
    with pytest.raises(TraceError, match="that it is given twice"):
        jitted(apart, apart, np.ones(3))
    jf.settings.configure(strict=False)
    with pytest.warns(FallbackWarning, match="given twice"):
        assert_same(jitted(apart, apart, np.ones(3)), np.full(3, 4.0))


def test_what_is_only_read_may_be_given_twice(strict):
    tied = {"w": np.ones(3)}

    @jf.jit
    def reads(blocks, x):
        for block in blocks:
            x = x * block["in"]["w"] + block["out"]["w"]
        return x

    assert_same(reads([{"in": tied, "out": tied}], np.ones(3)), np.full(3, 2.0))

    def changes(blocks, kept):
        for block in blocks:
            kept["sum"] = kept["sum"] + block["in"]["w"]

    changes = jf.jit(changes)
    kept = {"sum": np.zeros(3)}
    changes([{"in": tied, "out": tied}], kept)
    assert_same(kept["sum"], np.ones(3))
    inside = [{"in": tied, "out": kept}]
    with pytest.raises(TraceError, match="that it is given twice"):
        changes(inside, kept)
    assert_same(kept["sum"], np.ones(3))


@pytest.mark.parametrize("given", [[1, 2.5], [np.ones(2), 3], {"a": 1.0, "b": [2, 3]}, [[1, 2], [3]]])
def test_a_container_that_is_returned_is_the_one_given(given, strict):
    def function(given, x):
        return given, [given, x * 2], {"again": given}

    jitted = jf.jit(function)
    for _ in range(40):  # by the native entry as well
        one, (two, _), three = jitted(given, np.ones(2))
        assert one is two is three["again"] is given


def test_a_container_in_an_argument_is_the_one_given(strict):
    jitted = jf.jit(lambda given, x: (given["rows"], [*given["rows"]], x + 1))
    given = {"rows": [1, 2]}
    for _ in range(40):
        rows, copied, _ = jitted(given, np.ones(2))
        assert rows is given["rows"] and copied == rows and copied is not rows
