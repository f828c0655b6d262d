"""The table of guards in docs/retracing.md: the next call sees each change, by the guard that is named."""

from __future__ import annotations

import functools
import sys
import types
from pathlib import Path

import numpy as np
import pytest

import jitframe as jf
from jitframe.tracing.environment.guards import GuardKind, check
from tests.jit.same import assert_same

PAGE = Path(__file__).resolve().parents[2] / "docs/retracing.md"
X = np.arange(1.0, 4.0)


class Base:
    bias = 1.0

    def shifted(self, x):
        return x + self.bias


class Other:
    bias = 4.0
    gain = 2.0

    def shifted(self, x):
        return x - self.bias


class Slotted:
    __slots__ = ("bias", "gain")

    def __init__(self):
        self.gain = 2.0


def module(name, **contents):
    made = types.ModuleType(name)
    made.__file__ = f"{name}.py"
    vars(made).update(contents)
    return made


def own(function, **names):
    """The function with globals of its own, and those."""
    space = {"np": np, "__name__": __name__, **names}
    made = types.FunctionType(
        function.__code__, space, function.__name__, function.__defaults__, function.__closure__
    )
    made.__kwdefaults__ = function.__kwdefaults__
    return made, space


def globals_bound(function, change, **names):
    made, space = own(function, **names)
    return made, lambda: change(space)


def changes():
    """Of each row: a function of an array, what changes, and further arguments."""

    def gained(x):
        return x * gain  # noqa: F821

    yield "a global is bound anew", *globals_bound(gained, lambda space: space.update(gain=3.0), gain=2.0)

    def missing(x):
        try:
            return x * gain
        except NameError:
            return x + 1

    yield "a global appears that was not there", *globals_bound(missing, lambda space: space.update(gain=3.0))

    def absolute(x):
        return x * max(2.0, 3.0)

    yield "a global hides a builtin", *globals_bound(absolute, lambda space: space.update(max=min))

    inner = module("inner", gain=2.0)

    def of_module(x):
        return x * inner.gain

    yield "an attribute of a module", of_module, lambda: setattr(inner, "gain", 3.0)

    watched = module("watched", gain=2.0)
    kind = type("Kind", (types.ModuleType,), {"__module__": "types"})
    yield (
        "the class of a module",
        lambda x: x * watched.gain,
        lambda: (setattr(watched, "__class__", kind), setattr(watched, "gain", 3.0)),
    )

    sys.modules["jitframe_guarded"] = module("jitframe_guarded", gain=2.0)

    def imports(x):
        import jitframe_guarded

        return x * jitframe_guarded.gain

    yield (
        "the module that an import finds",
        imports,
        lambda: sys.modules.update(jitframe_guarded=module("jitframe_guarded", gain=3.0)),
    )

    def enclosing(factor):
        def bind(new):
            nonlocal factor
            factor = new

        return lambda x: x * factor, lambda: bind(3.0)

    yield "a variable of an enclosing function", *enclosing(2.0)
    scaled, bind = enclosing(2.0)
    yield "a variable of a helper's enclosing function", lambda x: scaled(x) + 1, bind

    def root(x, y=2.0):
        return x * y

    yield "the code of the function", root, lambda: setattr(root, "__code__", (lambda x, y: x + y).__code__)

    def defaulted(x, y=2.0):
        return x * y

    yield "the defaults of the function", defaulted, lambda: setattr(defaulted, "__defaults__", (3.0,))
    yield from helpers()
    yield from objects()
    yield from containers()


def helpers():
    def coded(x):
        return x * 2

    yield (
        "the code of a helper",
        lambda x: coded(x),
        lambda: setattr(coded, "__code__", (lambda x: x * 3).__code__),
    )

    def one(x, y=2.0):
        return x * y

    yield "the defaults of a helper", lambda x: one(x), lambda: setattr(one, "__defaults__", (3.0,))

    def none(x, y):
        return x * y

    def tries(x):
        try:
            return none(x)
        except TypeError:
            return x + 1

    yield "defaults that were not there", tries, lambda: setattr(none, "__defaults__", (3.0,))

    def named(x, *, y=2.0):
        return x * y

    yield (
        "the keyword defaults of a helper",
        lambda x: named(x),
        lambda: setattr(named, "__kwdefaults__", {"y": 3.0}),
    )

    def unnamed(x, *, y):
        return x * y

    def tries_keyword(x):
        try:
            return unnamed(x)
        except TypeError:
            return x + 1

    yield (
        "keyword defaults that were not there",
        tries_keyword,
        lambda: setattr(unnamed, "__kwdefaults__", {"y": 3.0}),
    )

    def item(x, *, y=2.0):
        return x * y

    yield "one keyword default", lambda x: item(x), lambda: item.__kwdefaults__.update(y=3.0)

    def carries(x):
        return x

    carries.gain = 2.0
    yield "an attribute of a function", lambda x: x * carries.gain, lambda: setattr(carries, "gain", 3.0)

    def bare(x):
        return x

    yield (
        "a first attribute of a function",
        lambda x: x * getattr(bare, "gain", 2.0),
        lambda: setattr(bare, "gain", 3.0),
    )

    def replaced(x):
        return x

    replaced.gain = 2.0
    yield (
        "all attributes of a function",
        lambda x: x * replaced.gain,
        lambda: setattr(replaced, "__dict__", {"gain": 3.0}),
    )

    def product(x, y):
        return x * y

    partial = functools.partial(product, 2.0)
    yield (
        "the function and arguments of a partial",
        lambda x: partial(x),
        lambda: partial.__setstate__((product, (3.0,), {}, None)),
    )
    keyword = functools.partial(product, y=2.0)
    yield "a keyword of a partial", lambda x: keyword(x), lambda: keyword.keywords.update(y=3.0)


def objects():
    class Model(Base):
        gain = 2.0

        def __init__(self):
            self.weight = 2.0

    def reads(model):
        return lambda x: model.shifted(x) * model.gain * getattr(model, "weight", 1.0)

    first, second, third, fourth, fifth = (Model() for _ in range(5))
    yield "an attribute of an object", reads(first), lambda: setattr(first, "weight", 3.0)
    yield "an attribute that hides one of the class", reads(second), lambda: setattr(second, "gain", 3.0)
    yield "all attributes of an object", reads(third), lambda: setattr(third, "__dict__", {"weight": 3.0})
    slotted, empty = Slotted(), Slotted()
    yield "a slot of an object", lambda x: x * slotted.gain, lambda: setattr(slotted, "gain", 3.0)
    yield (
        "a slot that was empty",
        lambda x: x * getattr(empty, "bias", 1.0),
        lambda: setattr(empty, "bias", 3.0),
    )
    yield "the class of an object", reads(fourth), lambda: setattr(fourth, "__class__", Other)
    yield (
        "the class of an argument",
        lambda x, model: model.shifted(x) * model.gain,
        lambda: setattr(fifth, "__class__", Other),
        fifth,
    )

    class Changed(Base):
        gain = 2.0

    changed = Changed()
    yield "an attribute of a class", reads(changed), lambda: setattr(Changed, "gain", 3.0)

    class Below:
        bias = 1.0

    class Inherits(Below):
        pass

    inherits = Inherits()
    yield "an attribute of a base class", lambda x: x * inherits.bias, lambda: setattr(Below, "bias", 3.0)

    class Hides(Base):
        gain = 1.0

    hides = Hides()
    yield (
        "a method that hides one of a base class",
        reads(hides),
        lambda: setattr(Hides, "shifted", lambda self, x: x * 7),
    )

    class Moves(Base):
        gain = 1.0

    moves = Moves()
    yield "the bases of a class", reads(moves), lambda: setattr(Moves, "__bases__", (Other,))


def containers():
    elements, lengths = [2.0, 5.0], [2.0]
    yield "an element of a list", lambda x: x * elements[0], lambda: elements.__setitem__(0, 3.0)
    yield "the length of a list", lambda x: x * len(lengths), lambda: lengths.append(1.0)
    items, ordered, first = {"a": 2.0, 3: 1.0}, {"a": 2.0, "b": 5.0}, {}
    yield "an item of a dict", lambda x: x * items["a"] * items[3], lambda: items.update(a=3.0)

    def in_order(x):
        for value in ordered.values():
            x = x * 2 + value
        return x

    yield "the order of a dict", in_order, lambda: ordered.update(a=ordered.pop("a"))
    yield "a first item of a dict", lambda x: x * first.get("a", 2.0), lambda: first.update(a=3.0)
    members, sizes = {"a", "b"}, {"a"}
    yield (
        "a member of a set",
        lambda x: x * (2.0 if "a" in members else 3.0),
        lambda: (members.remove("a"), members.add("c")),
    )
    yield "the size of a set", lambda x: x * len(sizes), lambda: sizes.add("b")


def table():
    """The rows of the page's last table."""
    lines = PAGE.read_text().partition("| what changes | guard |")[2].splitlines()[2:]
    rows = [line.strip("| ").split(" | ") for line in lines if line.startswith("|")]
    return dict(rows)


PYTHON_LOOKS = {"a member of a set", "the size of a set", "a slot that was empty"}
"""Native code looks at neither sets nor empty slots."""
CASES = {name: rest for name, *rest in changes()}


def test_the_page_lists_what_is_tested():
    assert list(table()) == list(dict.fromkeys(table()))
    assert set(table()) == set(CASES)
    assert set(table().values()) == {name for name in vars(GuardKind) if name.isupper()}


@pytest.mark.parametrize("change", CASES)
def test_a_change_is_seen_at_the_next_call(change):
    function, apply, *arguments = CASES[change]
    jitted = jf.jit(function)
    for _ in range(4):
        assert_same(jitted(X, *arguments), function(X, *arguments))
    kind = table()[change]
    assert bool(jitted.stats()["native_calls"]) == (change not in PYTHON_LOOKS)
    program, before = jitted.program(X, *arguments), function(X, *arguments)
    apply()
    expected = function(X, *arguments)
    assert change.startswith("the class of a module") or not np.array_equal(expected, before)
    found = check(program.guards)
    assert found is not None and found.kind == getattr(GuardKind, kind)
    for _ in range(4):
        assert_same(jitted(X, *arguments), expected)
