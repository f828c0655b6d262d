"""Texts, members of enumerations and None that values decide about: states, labels, keys."""

from __future__ import annotations

import enum
from collections import Counter

import numpy as np
import pytest

import jitframe as jf

X = np.random.default_rng(0).random(200)
LOW = "low"


class Light(enum.Enum):
    RED = 2.0
    GREEN = 3.0
    AMBER = 0.5


def machine(x, high, low):
    state, entered, total = "idle", 0, np.float64(0)
    for v in x:
        if state == "idle":
            if v > high:
                state, entered = "active", entered + 1
        elif state == "active":
            total += v
            if v < low:
                state = "done" if entered > 5 else "idle"
    return entered, total, state


def with_none(x):
    signal, flips = None, 0
    for v in x:
        new = "buy" if v > 0.6 else ("sell" if v < 0.4 else signal)
        flips += new != signal
        signal = new
    return signal, flips, signal is None or signal == "sell"


def members(x):
    light, waits = Light.RED, 0.0
    for v in x:
        if light is Light.RED and v > 0.7:
            light = Light.GREEN
        elif light == Light.GREEN and v < 0.3:
            light = Light.AMBER
        elif light is Light.AMBER:
            light = Light.RED
        waits += light.value
    return waits, light, light.name


def until(x):
    i, status = 0, "running"
    while status == "running":
        i += 1
        if i >= len(x):
            status = "exhausted"
        elif x[i] > 0.99:
            status = "found"
    return status, i


def early(x):
    for i, v in enumerate(x):
        if v > 0.99:
            return "high", i
        if v < 0.005:
            return "low", i
    return "none", -1


def matched(x):
    mode, total = "up", 0.0
    for v in x:
        match mode:
            case "up":
                total += v
                mode = "down" if v > 0.9 else mode
            case "down":
                total -= v
                mode = "wait" if v < 0.1 else mode
            case _:
                mode = "up" if v > 0.5 else "wait"
    return total, mode


def labels(x):
    found = []
    for v in x:
        if v > 0.8:
            kind = "big"
        elif v > 0.4:
            kind = "mid"
        else:
            kind = "small"
        found.append(kind)
    return found


def log(x):
    events = []
    for i, v in enumerate(x):
        if v > 0.9:
            events.append((i, "peak", v))
        elif v < 0.1:
            events.append((i, "dip", v))
    kinds = 0
    for _, kind, _ in events:
        kinds += kind == "peak"
    return events, kinds


def counted(x):
    counts = {"low": 0, "mid": 0, "high": 0}
    for v in x:
        counts["low" if v < 0.3 else "mid" if v < 0.6 else "high"] += 1
    return counts


def counter(x):
    counts = Counter()
    for v in x:
        counts["low" if v < 0.3 else "high"] += 1
    return counts


def transitions(x):
    table = {("even", False): "even", ("even", True): "odd", ("odd", False): "odd", ("odd", True): "even"}
    state = "even"
    for v in x:
        state = table[state, bool(v > 0.5)]
    return state


def of_each(x):
    word = "low" if x.sum() > 1e3 else "high"
    return word.upper(), word + "!", word[0], word in ("low", "x"), "g" in word, word < "k", not word


def kinds(x):
    word = None
    for v in x:
        if v > 0.5:
            word = "high"
    return isinstance(word, str), word is None, {"word": word, "n": 1}, [word, 1], (word, word)


def listed(x):
    found = []
    for v in x:
        found.append("high" if v > 0.5 else None)
    return found, found.count("high"), "high" in found, found[0], found[-1]


def grouped(x):
    groups = {}
    for v in x:
        groups.setdefault("high" if v > 0.5 else "low", []).append(v)
    return groups


def two(x):
    a = "x" if x[0] > 0.5 else "y"
    b = "x" if x[1] > 0.5 else "z"
    return a == b, a != b, (a, b) == ("x", "z"), [a, b], len(a + "1")


def in_a_dict(x):
    state = {"mode": "a", "n": 0}
    for v in x:
        if v > 0.5:
            state["mode"] = "b"
        if state["mode"] == "b":
            state["n"] += 1
    return state


FUNCTIONS = [
    kinds, listed, grouped, two, in_a_dict,
    with_none, members, until, early, matched, labels, log, counted, counter, transitions, of_each,
]  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_constants_that_values_decide_about(function, strict):
    jitted = jf.jit(function)
    for x in (X, X[::-1].copy(), X[:3], X * 0.1):
        assert repr(jitted(x)) == repr(function(x))


def test_a_state_machine(strict):
    jitted = jf.jit(machine)
    for high, low in ((0.7, 0.3), (2.0, 0.0), (0.5, 0.5)):
        assert repr(jitted(X, high, low)) == repr(machine(X, high, low))
    assert jitted.stats()["traces"] == 1 and not jitted.program(X, 0.7, 0.3).segments


class Strategy:
    def __init__(self):
        self.state, self.entry, self.log, self.gain = "flat", None, [], 0.0

    def step(self, i, price):
        if self.state == "flat" and price > 0.8:
            self.state, self.entry = "long", price
            self.log.append(("enter", i))
        elif self.state == "long" and price < self.entry * 0.5:
            self.gain += price - self.entry
            self.state = "flat"
            self.log.append(("exit", i))


def test_attributes_that_are_texts():
    def run(strategy, prices):
        for i, price in enumerate(prices):
            strategy.step(i, price)
        return strategy.state, strategy.log

    jitted = jf.jit(run)
    for turn in range(8):
        one, other = Strategy(), Strategy()
        prices = X[turn:]
        assert repr(jitted(other, prices)) == repr(run(one, prices))
        assert repr(vars(other)) == repr(vars(one))


def test_what_is_printed(strict, capsys):
    def own(x):
        word = "low" if x.max() > 2 else "high"
        print("found", word)
        return word

    jf.jit(own)(X)
    assert capsys.readouterr().out == "found high\n"


def test_what_is_raised():
    def own(x):
        word = "early"
        for v in x:
            if v > 0.5:
                raise ValueError(word, f"at {word}")
            word = "late"
        return word

    jitted = jf.jit(own)
    for x in (X[X > 0.5], X):
        with pytest.raises(ValueError, match="late" if x[0] <= 0.5 else "early"):
            jitted(x)
    assert jitted(X * 0.1) == "late"


def identity(x):
    word = "low" if x.sum() > 1 else "high"
    return word is LOW


def number_of_a_text(x):
    return int("12" if x.sum() > 1 else "13")


def text_or_number(x):
    return "low" if x.sum() > 1 else 2.0


def text_of_texts(x):
    word = "low" if x.sum() > 1 else "high"
    return f"{word}: {len(word)}"


@pytest.mark.parametrize("function", [identity, number_of_a_text, text_or_number, text_of_texts])
def test_what_needs_the_constant_is_cut(function, strict):
    jitted = jf.jit(function)
    for x in (X, X * 0.0):
        assert repr(jitted(x)) == repr(function(x))
    assert jitted.program(X).segments
