"""Guards: whatever the user changes outside a traced function after the trace is found, by name."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

from jitframe.errors import TraceError
from jitframe.tracing.environment.guards import MISSING, Guard, GuardKind, check, contents_of
from tests.trace import idiom_helpers
from tests.trace.fake_mapper import Recorded

X = np.array([1.0, 4.0, 9.0])

gain = 2.5
weights = np.array([0.5, 0.25, 0.125])
layers = [weights, 2.0]
functions = {"root": np.sqrt}
allowed = {"root"}
options = SimpleNamespace(rate=0.5)


def helper(x):
    return np.sqrt(x) * gain


class Base:
    bias = 1.0

    def shift(self, x):
        return x + self.bias


class Model(Base):
    factor = 2.0

    def __init__(self):
        self.w = np.array([1.0, 2.0, 3.0])

    def __call__(self, x):
        return self.shift(np.sqrt(x) * self.w * self.factor)


class Slotted:
    __slots__ = ("w",)

    def __init__(self):
        self.w = 2.0


model = Model()
slotted = Slotted()


def reads_missing(x):
    try:
        return x * not_there_yet
    except NameError:
        return np.sqrt(x)


@pytest.fixture(autouse=True)
def restored_layers():
    before = list(layers)
    yield
    layers[:] = before


def test_no_guard_fails_while_nothing_changes():
    for function in (helper, lambda x: helper(x) + idiom_helpers.root_of_root(x[0]), lambda x: model(x)):
        recorded = Recorded(function)
        recorded(X)
        assert recorded.guards
        assert recorded.stale() is None


def changes(monkeypatch):
    """Each: how it is called, a function that reads something, and how that something changes."""
    here = globals()
    yield "global", helper, lambda: monkeypatch.setitem(here, "gain", 2.0), "gain"
    yield "global of a helper", lambda x: helper(x), lambda: monkeypatch.setitem(here, "gain", 2.0), "gain"
    yield "helper", lambda x: helper(x), lambda: monkeypatch.setitem(here, "helper", lambda x: x), "helper"
    yield "code of a helper", lambda x: helper(x), lambda: set_code(monkeypatch), "helper"
    yield "module", helper, lambda: monkeypatch.setitem(here, "np", math), "np"
    yield (
        "attribute of a module",
        lambda x: idiom_helpers.scale * x,
        lambda: monkeypatch.setattr(idiom_helpers, "scale", 4.0),
        "tests.trace.idiom_helpers.scale",
    )
    yield (
        "global of a helper elsewhere",
        lambda x: idiom_helpers.scaled(x),
        lambda: monkeypatch.setattr(idiom_helpers, "scale", 4.0),
        "scale",
    )
    yield (
        "hidden array rebound",
        lambda x: x * weights,
        lambda: monkeypatch.setitem(here, "weights", X),
        "weights",
    )
    yield (
        "builtin hidden by a global",
        lambda x: x * float(2),
        lambda: monkeypatch.setitem(here, "float", int),
        "float",
    )
    yield (
        "name that appears",
        reads_missing,
        lambda: monkeypatch.setitem(here, "not_there_yet", 2.0),
        "not_there_yet",
    )
    yield "element of a list", lambda x: x * layers[0], lambda: layers.__setitem__(1, 3.0), "layers[1]"
    yield "list that grows", lambda x: x * layers[0], lambda: layers.append(1.0), "layers"
    yield (
        "item of a dict",
        lambda x: functions["root"](x),
        lambda: monkeypatch.setitem(functions, "root", np.exp),
        "functions",
    )
    yield (
        "dict that grows",
        lambda x: functions["root"](x),
        lambda: monkeypatch.setitem(functions, "e", 1),
        "functions",
    )
    yield "attribute of an object", lambda x: model(x), lambda: monkeypatch.setattr(model, "w", X), "model.w"
    yield (
        "attribute that hides one of the class",
        lambda x: model(x),
        lambda: monkeypatch.setattr(model, "bias", 2.0),
        "model.bias",
    )
    yield (
        "attribute of a class",
        lambda x: model(x),
        lambda: monkeypatch.setattr(Model, "factor", 3.0),
        "Model.factor",
    )
    yield (
        "attribute of a base class",
        lambda x: model(x),
        lambda: monkeypatch.setattr(Base, "bias", 3.0),
        "Base.bias",
    )
    yield (
        "attribute read from the class",
        lambda x: x * Model.factor,
        lambda: monkeypatch.setattr(Model, "factor", 3.0),
        "Model.factor",
    )
    yield (
        "method",
        lambda x: model(x),
        lambda: monkeypatch.setattr(Base, "shift", lambda self, x: x),
        "Base.shift",
    )
    yield (
        "method added below",
        lambda x: model(x),
        lambda: monkeypatch.setattr(Model, "shift", lambda self, x: x, raising=False),
        "Model",
    )
    yield "all attributes", lambda x: model(x), lambda: replace_dict(monkeypatch), "model.__dict__"
    yield "slot", lambda x: x * slotted.w, lambda: monkeypatch.setattr(slotted, "w", 3.0), "slotted.w"
    yield (
        "namespace",
        lambda x: x * options.rate,
        lambda: monkeypatch.setattr(options, "rate", 3.0),
        "options.rate",
    )


def set_code(monkeypatch):
    monkeypatch.setattr(helper, "__code__", (lambda x: x).__code__)


def replace_dict(monkeypatch):
    monkeypatch.setattr(model, "__dict__", {"w": X})


CHANGES = [name for name, *_ in changes(pytest.MonkeyPatch())]


@pytest.mark.parametrize("change", CHANGES)
def test_change_outside_is_found(change, monkeypatch):
    function, apply, name = next(rest for first, *rest in changes(monkeypatch) if first == change)
    recorded = Recorded(function)
    recorded(X)
    assert recorded.stale() is None
    apply()
    found = recorded.stale()
    assert found is not None
    assert found.name == name
    # Traced again, it follows Python.
    if change not in ("module", "code of a helper"):
        np.testing.assert_array_equal(recorded(X).value, function(X))
        assert recorded.stale() is None


def test_members_of_a_set(monkeypatch):
    monkeypatch.setitem(globals(), "allowed", {"root"})
    recorded = Recorded(lambda x: np.sqrt(x) if "root" in allowed else x)
    recorded(X)
    allowed.add("other")
    assert recorded.stale().kind == GuardKind.LENGTH
    allowed.discard("root")
    assert recorded.stale().kind == GuardKind.MEMBER


def test_closure_cell_rebound():
    factor = 2.0

    def inner(x):
        return np.sqrt(x) * factor

    recorded = Recorded(inner)
    recorded(X)
    assert recorded.stale() is None
    factor = 3.0
    assert recorded.stale().kind == GuardKind.CELL
    np.testing.assert_array_equal(recorded(X).value, np.sqrt(X) * 3.0)
    del factor
    assert recorded.stale().name == "factor"
    with pytest.raises(NameError, match="factor"):
        recorded(X)
    factor = 4.0
    np.testing.assert_array_equal(recorded(X).value, np.sqrt(X) * factor)


def test_array_changed_in_place_is_read_again():
    hidden = np.array([1.0, 2.0, 3.0])
    recorded = Recorded(lambda x: x * hidden + weights)
    recorded(X)
    assert [name for name, _ in recorded.hidden] == ["hidden", "weights"]
    assert recorded.hidden[0][1] is hidden and recorded.hidden[1][1] is weights
    hidden[0] = 7.0
    # No guard: the array itself is an input, read at each call.
    assert recorded.stale() is None
    np.testing.assert_array_equal(recorded(X).value, X * hidden + weights)


def test_each_array_is_one_hidden_input():
    alias = weights
    recorded = Recorded(lambda x: x * weights + alias * layers[0])
    recorded(X)
    assert len(recorded.hidden) == 1


def test_each_look_up_is_guarded_once():
    recorded = Recorded(lambda x: sum([x * gain for _ in range(10)]) + helper(x))
    recorded(X)
    places = [(guard.kind, id(guard.mapping), guard.key) for guard in recorded.guards]
    assert len(places) == len(set(places))
    assert [guard.name for guard in recorded.guards].count("gain") == 1


def test_change_while_tracing_is_an_error(monkeypatch):
    monkeypatch.setitem(globals(), "gain", gain)
    outside = Outside(globals())

    def reads_then_changes(x):
        first = gain
        outside["gain"] = first + 1
        return x * first

    with pytest.raises(TraceError, match="gain changed while the function that reads it was being traced"):
        Recorded(reads_then_changes)(X)


class Outside(BaseException):
    """Exceptions are handed to the trace as they are, so this one can reach round it."""

    def __init__(self, target):
        self.target = target

    def __setitem__(self, name, value):
        self.target[name] = value


def test_check_reports_the_first_failure():
    mapping = {"a": 1.0, "b": 2.0}
    cell = (lambda: mapping).__closure__[0]
    guards = [
        Guard(mapping, "a", mapping["a"]),
        Guard(cell, None, mapping, GuardKind.CELL),
        Guard(mapping, "c", MISSING),
        Guard([1, 2], 1, 2, GuardKind.ELEMENT),
        Guard(mapping, "b", mapping["b"]),
    ]
    assert check(guards) is None
    assert all(guard.holds() for guard in guards)
    mapping["b"] = float("2.5")
    mapping["c"] = None
    assert check(guards) is guards[2]
    assert contents_of(cell) is mapping
    assert not Guard([1], 1, 2, GuardKind.ELEMENT).holds()
