"""What calls change outside: attributes of objects, items of dicts and lists, also those they are given."""

from __future__ import annotations

import copy
import enum
import threading
from dataclasses import dataclass

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import FallbackWarning, TraceError
from tests.jit.same import assert_same


def plain(value):
    """A value as nested lists with types, to be compared."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, np.round(value, 9).tolist()
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [plain(each) for each in value]
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if hasattr(value, "__dict__"):
        return type(value).__name__, plain(vars(value))
    return type(value).__name__, round(float(value), 9) if isinstance(value, (float, np.floating)) else value


def vectors(turn):
    return (np.arange(3.0) + turn,)


def check(make, function, traces, calls=6, arguments=vectors, native=True):
    """The function and the jitted one, called again and again on an object each, leave the same."""
    one, other, jitted = make(), make(), jf.jit(function)
    for turn in range(calls):
        expected = function(one, *arguments(turn))
        assert plain(jitted(other, *arguments(turn))) == plain(expected), turn
        assert plain(other) == plain(one), turn
    stats = jitted.stats()
    assert stats["traces"] == traces
    assert stats["interpreted"] <= (0 if native else 1)  # Python's run of a short call is timed
    assert bool(stats["native_calls"]) == native


class Counter:
    def __init__(self):
        self.count, self.total, self.weights = 0, 0.0, np.ones(3)

    def step(self, x):
        self.count += 1
        self.total += x.sum()
        self.last = x * 2
        self.weights = self.weights - 0.1 * x
        return self.weights.sum() * self.count


def test_attributes():
    check(Counter, Counter.step, traces=2)


class Layer:
    def __init__(self):
        self.weights, self.bias = np.arange(9.0).reshape(3, 3) / 9, np.zeros(3)

    def forward(self, x):
        self.x = x
        return x @ self.weights + self.bias

    def backward(self, g):
        back = g @ self.weights.T
        self.weights -= 0.1 * np.outer(self.x, g)
        self.bias = self.bias - 0.1 * g
        return back


class Net:
    def __init__(self):
        self.layers, self.loss, self.cache = [Layer(), Layer()], 0.0, {}

    def step(self, x):
        h = x
        for layer in self.layers:
            h = np.tanh(layer.forward(h))
        self.loss = self.loss + (h**2).sum()
        g = h
        for layer in reversed(self.layers):
            g = layer.backward(g)
        self.cache["h"] = h
        return h


def test_objects_in_objects():
    check(Net, Net.step, traces=2)


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self):
        self.a, self.b = np.zeros(3), 0


def test_slots():
    def step(thing, x):
        thing.a = thing.a + x
        thing.b = thing.b + 1
        return thing.a.sum() + thing.b

    one, other, jitted = Slotted(), Slotted(), jf.jit(step)
    for turn in range(4):
        assert_same(jitted(one, *vectors(turn)), step(other, *vectors(turn)))
        assert_same(one.a, other.a)
        assert (one.b, jitted.stats()["traces"]) == (other.b, 1)


class Doubling:
    def __init__(self):
        self._value = 1.0

    @property
    def value(self):
        return self._value

    @value.setter
    def value(self, new):
        self._value = new * 2

    def step(self, x):
        self.value = self.value + x[0]
        return self.value


class Watched:
    def __init__(self):
        self.names = ()

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)
        if name != "names":
            object.__setattr__(self, "names", (*self.names, name))

    def step(self, x):
        self.x = x.sum()
        return len(self.names)


def test_properties_and_setattr():
    check(Doubling, Doubling.step, traces=2)  # of a Python float, then of NumPy's
    check(Watched, Watched.step, traces=3, calls=3, native=False)  # a tuple that grows


class Looping:
    def __init__(self):
        self.value, self.count, self.table = 0.0, 0, np.zeros(4)

    def step(self, x):
        for i in range(len(x)):
            if x[i] > 1:
                self.value = self.value + x[i]
                self.count += 1
            self.table[i % 4] += x[i]
        return self.value


@pytest.mark.parametrize("length", [3, 3000])
def test_loops_carry_them(length):
    check(Looping, Looping.step, traces=2, arguments=lambda turn: (np.arange(length) % 7.0 + turn,))


class Kalman:
    def __init__(self):
        self.x, self.p, self.begun = np.zeros(2), np.eye(2), False

    def update(self, z):
        if not self.begun:
            self.x, self.begun = np.array([z[0], 0.0]), True
            return self.x
        f, h = np.array([[1, 1.0], [0, 1]]), np.array([[1.0, 0]])
        self.x, self.p = f @ self.x, f @ self.p @ f.T + 0.01 * np.eye(2)
        gain = self.p @ h.T / (h @ self.p @ h.T + 0.1)
        self.x = self.x + (gain * (z[0] - self.x[0]))[:, 0]
        self.p = (np.eye(2) - gain @ h) @ self.p
        return self.x


def test_a_filter():
    check(Kalman, Kalman.update, traces=2)


@dataclass
class Body:
    place: np.ndarray
    mass: float


def bodies():
    return [Body(np.ones(3), 1.0), Body(np.zeros(3), 2.0)]


def test_what_is_given():
    def moved(given, x):
        for body in given:
            body.place = body.place + x * body.mass
        return given[0].place.sum()

    def swapped(given, x):
        given[0], given[1] = given[1], given[0]
        return x.sum()

    def updated(given, x):
        given["w"] = given["w"] * 0.5 + x
        given["n"] += 1
        return given

    check(bodies, moved, traces=1)
    check(bodies, swapped, traces=1)
    check(lambda: {"w": np.ones(3), "n": 0}, updated, traces=1)
    given = bodies()
    first, second = given
    jf.jit(swapped)(given, np.ones(3))
    assert given[0] is second and given[1] is first
    weights = {"w": np.ones(3), "n": 0}
    assert jf.jit(updated)(weights, np.ones(3)) is weights


PARAMETERS = {"w": np.ones(3), "layers": [{"b": np.zeros(2)}]}


def test_a_dict_from_outside(monkeypatch):
    def step(x):
        PARAMETERS["w"] = PARAMETERS["w"] + x
        PARAMETERS["layers"][0]["b"] = PARAMETERS["layers"][0]["b"] + x[:2]
        PARAMETERS["last"] = x
        return PARAMETERS["w"].sum()

    begin = PARAMETERS

    def run(function):
        kept = copy.deepcopy(begin)
        monkeypatch.setitem(globals(), "PARAMETERS", kept)
        return [function(*vectors(turn)) for turn in range(4)], kept

    jitted = jf.jit(step)
    (expected, wanted), (found, left) = run(step), run(jitted)
    assert plain(found) == plain(expected) and plain(left) == plain(wanted)
    assert jitted.stats()["traces"] == 2  # without the key "last", with it


class Fitted:
    def __init__(self):
        self.losses, self.weights = [], np.zeros(3)

    def fit(self, x, turns):
        for _ in range(turns):
            gradient = self.weights - x
            self.weights = self.weights - 0.1 * gradient
            self.losses.append((gradient**2).sum())
        return self


@pytest.mark.parametrize("turns", [5, 2000])
def test_lists_are_appended_to(turns):
    check(Fitted, lambda model, x: model.fit(x, turns).weights, traces=1, calls=4)
    losses = []
    jf.jit(lambda x: losses.append(x.sum()) or len(losses))(np.ones(3))
    assert losses == [3.0]


def test_lists_that_grow_from_call_to_call():
    """Only the end of a list outside is of interest, unless the function asks for more of it."""
    seen, last, given = [], [0.0], [1.0]
    add = jf.jit(lambda x: seen.append(x.sum()))
    follow = jf.jit(lambda x: last.append(last[-1] + x.sum()))
    append = jf.jit(lambda values, x: values.append(x.sum()))
    vectors = [np.full(3, turn) for turn in range(20)]
    assert [add(x) for x in vectors] == [None] * 20
    with pytest.warns(FallbackWarning, match="as where lists grow"):
        assert [follow(x) for x in vectors] == [None] * 20
    with pytest.warns(FallbackWarning, match="another length in each of 8 calls"):
        assert [append(given, x) for x in vectors] == [None] * 20
    assert seen == [3 * turn for turn in range(20)] and given == [1.0, *seen]
    assert last == np.cumsum([0.0, *seen]).tolist()
    assert [each.stats()["interpreted"] for each in (add, follow, append)] == [0, 12, 12]


def test_many_objects_of_a_class():
    class Particle:
        def __init__(self, number):
            self.place, self.speed, self.steps = np.full(3, number), np.arange(3.0), 0

    def step(particle, dt):
        particle.place = particle.place + particle.speed * dt
        particle.steps += 1
        return particle

    particles, jitted = [Particle(float(number)) for number in range(40)], jf.jit(step)
    for particle in particles:
        assert jitted(particle, 0.5) is particle
    assert (jitted.stats()["traces"], jitted.stats()["interpreted"]) == (5, 0)
    for number, particle in enumerate(particles):
        assert_same(particle.place, number + np.arange(3.0) * 0.5)
        assert particle.steps == 1


class Color(enum.Enum):
    RED, GREEN, BLUE, WHITE, BLACK = range(5)


class Choice:
    def __init__(self, value):
        self.value = value


def test_what_stays_compared_by_identity():
    chosen = jf.jit(lambda x, color: x + 1 if color is Color.RED else x * 2)
    for color in (*Color, Color.RED):
        assert (chosen(np.ones(2), color) == 2).all()
    choices = [Choice(float(number)) for number in range(20)]
    static = jf.jit(lambda x, choice: x * choice.value, static_argnums=1)
    assert [static(np.ones(2), choice)[0] for choice in choices] == list(range(20))
    assert static.stats()["interpreted"] == 0


CURRENT = Body(np.ones(3), 1.0)


def test_what_is_given_and_read_outside(strict):
    """One way sees what is stored by the other."""
    seen = []

    def through_the_object(body, x):
        CURRENT.place = CURRENT.place + x
        return body.place.sum()

    def through_the_list(values, x):
        seen.append(x.sum())
        return len(values)

    moved, listed = jf.jit(through_the_object), jf.jit(through_the_list)
    assert moved(Body(np.zeros(3), 1.0), np.ones(3)) == 0.0 and listed([], np.ones(3)) == 0
    with pytest.raises(TraceError, match="twice, or reads from outside as well"):
        moved(CURRENT, np.ones(3))
    with pytest.raises(TraceError, match="twice, or reads from outside as well"):
        listed(seen, np.ones(3))
    jf.settings.configure(strict=False)
    with pytest.warns(FallbackWarning):
        assert moved(CURRENT, np.ones(3)) == 9.0
    with pytest.warns(FallbackWarning):
        assert listed(seen, np.ones(3)) == 2


class Linked:
    def __init__(self, other=None):
        self.other, self.x = other, np.ones(2)


def test_objects_that_hold_each_other():
    class Itself:
        def __init__(self):
            self.me, self.x = self, np.ones(2)

    function = jf.jit(lambda thing, x: thing.me.x + x)
    with pytest.warns(FallbackWarning, match="traced for 16 objects of class Itself"):
        assert all((function(Itself(), np.ones(2)) == 2).all() for _ in range(20))
    added = jf.jit(lambda thing, x: thing.x + x + (0 if thing.other is None else thing.other.x))
    for _ in range(6):
        assert (added(Linked(), np.ones(2)) == 2).all()
    ring = Linked()
    ring.other = ring
    assert (added(ring, np.ones(2)) == 3).all() and (added(Linked(Linked()), np.ones(2)) == 3).all()


def test_large_lists_that_are_changed_are_pythons():
    table = [0.0] * 300

    def count(x):
        table[3] = table[3] + x.sum()

    counting = jf.jit(count)
    with pytest.warns(FallbackWarning, match="which holds 300 values; keep them in an array"):
        counting(np.ones(3))
    counting(np.ones(3))
    assert table[3] == 6.0 and counting.stats()["interpreted"] == 2


def test_what_others_store_is_an_input_in_the_end():
    class Model:
        def __init__(self):
            self.weights = np.ones((3, 3))

        def forward(self, x):
            self.x = x * 1.0
            return self.weights @ self.x

        def backward(self, g):
            self.weights = self.weights - 0.1 * np.outer(g, self.x)
            return self.weights.sum()

    forward, backward = jf.jit(Model.forward), jf.jit(Model.backward)
    one, other = Model(), Model()
    for turn in range(8):
        assert_same(forward(one, *vectors(turn)), other.forward(*vectors(turn)))
        assert plain(backward(one, np.ones(3))) == plain(other.backward(np.ones(3)))
    assert max(forward.stats()["traces"], backward.stats()["traces"]) <= 3


def test_an_argument_is_stored_itself():
    class Holder:
        pass

    holder, x = Holder(), np.ones(3)
    jf.jit(lambda thing, x: setattr(thing, "x", x))(holder, x)
    assert holder.x is x


def test_what_is_stored_before_an_exception_stays():
    def function(kept, x):
        kept["sum"] = x.sum()
        if x[0] > 0:
            raise KeyError("positive")
        kept["end"] = 1

    kept, jitted = {}, jf.jit(function)
    with pytest.raises(KeyError, match="positive"):
        jitted(kept, np.ones(3))
    assert kept == {"sum": 3.0}
    jitted(kept, -np.ones(3))
    assert kept == {"sum": -3.0, "end": 1}

    def raises(kept):
        kept["k"] = 1
        raise KeyError("never")

    kept = {}
    with pytest.raises(KeyError, match="never"):
        jf.jit(raises)(kept)
    assert kept == {"k": 1}


@pytest.mark.parametrize("device", ["opencl", "webgpu"])
def test_on_devices(device):
    class Model:
        def __init__(self):
            self.weights, self.count = jf.ones(3, dtype="float32", device=device), 0

        def step(self, x):
            self.weights = self.weights * 2 + x
            self.count += 1
            return self.weights

    try:
        model = Model()
    except jf.errors.BackendError:
        pytest.skip(f"no {device} here")
    step = jf.jit(Model.step)
    for turn in range(3):
        step(model, jf.ones(3, dtype="float32", device=device))
        assert model.weights.numpy().tolist() == [2.0 ** (turn + 2) - 1] * 3 and model.count == turn + 1
    assert str(model.weights.device).startswith(device)


def test_threads_share_no_state_of_theirs():
    jitted, left = jf.jit(Counter.step), []

    def work():
        counter = Counter()
        for turn in range(20):
            jitted(counter, *vectors(turn))
        left.append((counter.count, round(counter.total, 6)))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert left == [(20, 630.0)] * 4
