"""Objects and classes of the user's in traced code: read, called and made as in Python, changed never."""

from __future__ import annotations

import abc
import argparse
import enum
import functools
import gc
import math
from dataclasses import dataclass, field, replace
from typing import ClassVar, NamedTuple

import numpy as np
import pytest

from jitframe.errors import TraceError
from jitframe.tracing.environment.copied import copy_function
from tests.trace.fake_mapper import FakeMapper, Recorded, Traced, marked_line

X = np.array([1.0, 4.0, 9.0])


class Layer(abc.ABC):
    made = 0
    known: ClassVar[list[type]] = []

    def __init_subclass__(cls, **arguments):
        super().__init_subclass__(**arguments)
        Layer.known.append(cls)

    @abc.abstractmethod
    def forward(self, x): ...

    def __call__(self, x):
        return self.forward(x)


class Affine(Layer):
    def __init__(self, w, b):
        self.w = w
        self.b = b

    def forward(self, x):
        return np.sqrt(x) * self.w + self.b

    @property
    def norm(self):
        return math.sqrt(self.w @ self.w)

    @functools.cached_property
    def total(self):
        return np.sqrt(self.w).sum()

    def __getattr__(self, name):
        if name == "half":
            return np.sqrt(0.25)
        raise AttributeError(name)


class Shifted(Affine):
    def forward(self, x):
        return super().forward(x) + super(Shifted, self).forward(x) + self.half  # noqa: UP008

    def __len__(self):
        return 3


@dataclass
class Parameters:
    rate: float
    offset: np.ndarray
    history: list = field(default_factory=list)

    def apply(self, x):
        return np.sqrt(x) * self.rate + self.offset


@dataclass(frozen=True, slots=True)
class Fixed:
    rate: float
    offset: object

    def apply(self, x):
        return np.sqrt(x) * self.rate + self.offset


class Sides(NamedTuple):
    left: object
    right: object

    def both(self):
        return np.sqrt(self.left) + self.right


class Mode(enum.Enum):
    FAST = 1
    EXACT = 2


class Stop(Exception):
    pass


class Finalized:
    ended = 0

    def __init__(self, value):
        self.value = value

    def __del__(self):
        type(self).ended += 1


class Diverted:
    def __getattribute__(self, name):
        return 1.0


class OwnList(list):
    pass


affine = Affine(np.array([1.0, 2.0, 3.0]), 2.0)
shifted = Shifted(np.array([1.0, 2.0, 3.0]), 1.0)
parameters = Parameters(0.5, np.array([1.0, 2.0, 3.0]))
fixed = Fixed(0.5, np.array([1.0, 2.0, 3.0]))
sides = Sides(np.array([1.0, 2.0, 3.0]), 2.0)
mode = Mode.FAST
arguments = argparse.Namespace(rate=2.0)
finalized = Finalized(2.0)
diverted = Diverted()
own_list = OwnList([1.0])


def catches(x):
    try:
        raise Stop("enough")
    except Stop:
        return np.sqrt(x)


USES = {
    "method": lambda x: affine.forward(x),
    "call of an abstract base": lambda x: affine(x),
    "property": lambda x: x * affine.norm,
    "cached property": lambda x: x * affine.total + affine.total,
    "__getattr__": lambda x: x * affine.half,
    "super": lambda x: shifted(x),
    "special method": lambda x: np.sqrt(x) * len(shifted),
    "object made here": lambda x: Shifted(x, 2.0)(x),
    "property of an object made here": lambda x: x * Affine(x, 1.0).norm,
    "dataclass from outside": lambda x: parameters.apply(x),
    "dataclass made here": lambda x: Parameters(2.0, x).apply(x),
    "dataclass replaced": lambda x: replace(Fixed(2.0, x), rate=3.0).apply(x),
    "frozen dataclass with slots": lambda x: fixed.apply(x),
    "frozen dataclass with slots made here": lambda x: Fixed(2.0, x).apply(x),
    "named tuple": lambda x: sides.both() * x,
    "named tuple made here": lambda x: Sides(x, right=x).both(),
    "named tuple unpacked": lambda x: next(side * np.sqrt(x) for side in sides),
    "enumeration": lambda x: np.sqrt(x) if mode is Mode.FAST else x,
    "exception": catches,
    "namespace of arguments": lambda x: x * arguments.rate,
    "isinstance of an object from outside": lambda x: np.sqrt(x) if isinstance(shifted, (int, Affine)) else x,
    "isinstance of an object made here": lambda x: (
        np.sqrt(x) if isinstance(Affine(x, x), Affine | int) else x
    ),
    "type": lambda x: np.sqrt(x) if type(affine) is Affine and issubclass(Shifted, Layer) else x,
    "type called": lambda x: type(affine)(x, 1.0)(x),
    "hasattr": lambda x: np.sqrt(x) if hasattr(affine, "w") and not hasattr(affine, "v") else x,
    "repr": lambda x: np.sqrt(x) * len(repr(Fixed(1.0, 2.0)) + f"{mode}"),
    "vars": lambda x: vars(affine)["w"] * x,
    "method taken from the class": lambda x: Affine.forward(affine, x),
    "object with a finalizer": lambda x: x * Finalized(2.0).value,
}


@pytest.mark.parametrize("use", USES)
def test_use_is_traced_as_python_runs_it(use):
    function = USES[use]
    recorded = Recorded(function)
    result = recorded(X)
    affine.__dict__.pop("total", None)
    assert type(result) is Traced, "the value left the trace on the way"
    np.testing.assert_array_equal(result.value, function(X))
    affine.__dict__.pop("total", None)
    assert recorded.stale() is None


def stores_class_attribute(x):
    Affine.made = 1  # here
    return x


def appends_to_history(x):
    parameters.history.append(x)  # here
    return x


def deletes_attribute(x):
    del affine.w  # here
    return x


def uses_diverted(x):
    return x * diverted.w  # here


def uses_own_list(x):
    return x * own_list[0]  # here


ERRORS = {
    "class attribute": (stores_class_attribute, r"stores to Affine.made", stores_class_attribute),
    "in its list": (appends_to_history, r"a list made outside", appends_to_history),
    "deletion": (deletes_attribute, r"deletes an attribute of affine", deletes_attribute),
    "__getattribute__": (
        uses_diverted,
        r"diverted is a Diverted, .*: its class defines __getattribute__",
        uses_diverted,
    ),
    "list subclass": (
        uses_own_list,
        r"own_list is a OwnList, .*: its class derives from list",
        uses_own_list,
    ),
}


@pytest.mark.parametrize("case", ERRORS)
def test_change_is_an_error_and_changes_nothing(case):
    function, message, place = ERRORS[case]
    with pytest.raises(TraceError, match=message) as raised:
        Recorded(function)(X)
    if place is not None:
        assert raised.value.line.line == marked_line(place)
    assert Affine.made == 0
    assert not parameters.history
    assert affine.w[2] == 3.0


def test_tracing_neither_registers_classes_nor_finalizes_objects():
    before = list(Layer.known)
    ended = Finalized.ended
    Recorded(lambda x: Shifted(x, 2.0)(x) * finalized.value * Finalized(1.0).value)(X)
    assert Layer.known == before
    assert Finalized.ended == ended


def test_class_derived_inside_is_registered_as_in_python():
    before = len(Layer.known)

    def derives(x):
        class Local(Affine):
            pass

        return Local(x, 1.0)(x)

    with pytest.raises(TraceError, match="a list made outside"):
        Recorded(derives)(X)
    assert len(Layer.known) == before


def test_argument_object_is_adopted():
    def method(self, x):
        return np.sqrt(x) * self.w if isinstance(self, Affine) else x

    mapper = FakeMapper()
    copied = copy_function(method, mapper)
    subject = copied.adopt("self", affine)
    np.testing.assert_array_equal(copied.function(subject, Traced(X)).value, method(affine, X))
    copied.finish()
    assert [name for name, _ in mapper.hidden] == ["self.w"]
    assert copied.original(subject) is affine
    assert copied.original(X) is X


@pytest.mark.parametrize(
    "make",
    [
        lambda x: Parameters(2.0, x),
        lambda x: Fixed(2.0, x),
        lambda x: Sides(x, x),
        lambda x: Shifted(x, x),
    ],
)
def test_object_made_in_a_trace_leaves_as_one_of_the_users_class(make):
    copied = copy_function(make, FakeMapper())
    made = copied.function(X)
    kind = type(make(X))
    assert type(made) is not kind
    assert isinstance(made, kind)
    assert copied.original(made) is made
    assert type(made) is kind
    if kind is not Sides and kind is not Shifted:
        np.testing.assert_array_equal(made.apply(X), make(X).apply(X))


def test_class_views_go_with_the_trace():
    Recorded(lambda x: Shifted(x, 2.0)(x))(X)
    gc.collect()
    assert all(
        "__jitframe_original__" not in vars(cls)
        for cls in (*Affine.__subclasses__(), *Shifted.__subclasses__())
    )
