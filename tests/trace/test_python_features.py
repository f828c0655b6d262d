"""Features of the language that reach objects otherwise than by a plain name: traced as Python runs them."""

from __future__ import annotations

import collections
import copy
import dataclasses
import functools
import math
import operator
import re
from typing import ClassVar, Generic, Protocol, TypeVar

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import TraceError
from tests.trace.fake_mapper import Recorded, Traced, marked_line

X = np.array([1.0, 4.0, 9.0])
T = TypeVar("T")


class Box(Generic[T]):
    def __init__(self, value: T):
        self.value = value

    def root(self):
        return np.sqrt(self.value)


class HasRoot(Protocol):
    def root(self): ...


class Rooted(HasRoot):
    def __init__(self, value):
        self.value = value

    def root(self):
        return math.sqrt(self.value[1])


class MadeByNew:
    def __new__(cls, value):
        made = super().__new__(cls)
        made.value = np.sqrt(value)
        return made


class Guarded:
    def __init__(self, value):
        self.x = value

    @property
    def x(self):
        return self._x

    @x.setter
    def x(self, value):
        self._x = np.sqrt(value)

    @x.deleter
    def x(self):
        del self._x


class Registry:
    known: ClassVar[dict] = {}

    def __init_subclass__(cls, name=None):
        Registry.known[name] = cls


class Registered(Registry, name="registered"):
    def root(self, x):
        return np.sqrt(x)


class RootDescriptor:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, instance, owner=None):
        return self if instance is None else np.sqrt(getattr(instance, self.name))

    def __set__(self, instance, value):
        setattr(instance, self.name, value)


class Described:
    root = RootDescriptor()

    def __init__(self, value):
        self.root = value


@dataclasses.dataclass(slots=True)
class SlottedPair:
    left: object
    right: object


@dataclasses.dataclass(frozen=True, slots=True)
class FrozenPair:
    left: object
    right: object


class Sequence:
    def __init__(self, value):
        self.value = value

    def __add__(self, other):
        return Sequence(np.sqrt(self.value) + other.value)

    def __iter__(self):
        return iter([self.value])

    def __getitem__(self, index):
        return self.value[index]

    def __contains__(self, item):
        return True

    def __bool__(self):
        return False

    def __enter__(self):
        return np.sqrt(self.value)

    def __exit__(self, *_):
        return False


class Top:
    def go(self, x):
        return np.sqrt(x)

    def scaled(self, factor, x):
        return np.sqrt(x) * factor

    doubled = functools.partialmethod(scaled, 2.0)


class Left(Top):
    def go(self, x):
        return super().go(x) + 1


class Right(Top):
    def go(self, x):
        return super().go(x) * 2


class Bottom(Left, Right):
    def go(self, x):
        return super().go(x) - 1

    @classmethod
    def gone(cls, x):
        return super().__new__(cls).go(x)


class Linked:
    def __init__(self):
        self.value = 2.0
        self.children = [self]


@functools.total_ordering
class Ordered:
    def __init__(self, value):
        self.value = value

    def __lt__(self, other):
        return self.value < other.value

    def __eq__(self, other):
        return self.value == other.value


class Meta(type):
    pass


class WithMeta(metaclass=Meta):
    factor = 2.0


class Dispatching:
    @functools.singledispatchmethod
    def root(self, x):
        return np.sqrt(x)


described = Described(X)
slotted_pair = SlottedPair(X, 2.0)
frozen_pair = FrozenPair(X, 2.0)
sequence = Sequence(X)
bottom = Bottom()
linked = Linked()
ordered = [Ordered(2.0), Ordered(1.0)]
pattern = re.compile("a+")
bottom_go = bottom.go
value_of = operator.attrgetter("value")
with_meta = WithMeta()
dispatching = Dispatching()


def compose(*functions):
    return functools.reduce(lambda first, second: lambda x: second(first(x)), functions)


pipeline = compose(np.sqrt, lambda x: x + 1, Top().go)


def property_set_and_deleted(x):
    guarded = Guarded(x)
    guarded.x = x * 2
    root = guarded.x
    del guarded.x
    return root if not hasattr(guarded, "x") else None


def yields(x):
    yield from (np.sqrt(value) for value in x)


def coroutine(x):
    async def root(x):
        return np.sqrt(x)

    running = root(x)
    try:
        running.send(None)
    except StopIteration as end:
        return end.value


def many(*arguments, **keywords):
    return np.sqrt(arguments[0]) * keywords["factor"]


def default_read_outside(x):
    def inner(y, weights=sequence.value):
        return np.sqrt(y) * weights

    return inner(x)


def three_deep(x):
    def first():
        def second():
            return np.sqrt(x) * math.pi

        return second

    return first()()


def unpacks(x):
    first, *rest = x
    return np.sqrt(first) + rest[0]


def dataclass_inside(x):
    @dataclasses.dataclass
    class Local:
        value: object

        def root(self):
            return np.sqrt(self.value)

    return Local(x).root()


def namedtuple_inside(x):
    pair = collections.namedtuple("pair", "a b")
    return np.sqrt(pair(x, 1).a)


def exception_groups(x):
    root = None
    try:
        try:
            1 / 0  # noqa: B018
        except ZeroDivisionError as error:
            raise ValueError("chained") from error
    except* ValueError:
        root = np.sqrt(x)
    finally:
        root = root + 1
    return root


def enters(x):
    with sequence as root:
        return root * np.sqrt(x)


def copies(x):
    first = copy.copy(described)
    first.root = x
    return first.root + copy.copy(slotted_pair).left + copy.copy(frozen_pair).right + copy.copy(Box(x)).root()


FEATURES = {
    "generic class": lambda x: Box(x).root(),
    "subscripted generic class": lambda x: Box[int](x).root(),
    "class of a protocol": lambda x: Rooted(x).root() * x,
    "__new__": lambda x: MadeByNew(x).value,
    "property set and deleted": property_set_and_deleted,
    "registry of classes": lambda x: Registry.known["registered"]().root(x),
    "descriptor of an outside object": lambda x: described.root * x,
    "descriptor of an object made here": lambda x: Described(x).root,
    "operator": lambda x: (sequence + Sequence(x)).value,
    "iteration": lambda x: next(np.sqrt(value) for value in sequence),
    "index": lambda x: sequence[0] * x,
    "truth and membership": lambda x: np.sqrt(x) if 3 in sequence and not sequence else None,
    "with": enters,
    "diamond": lambda x: bottom.go(x),
    "diamond made here": lambda x: Bottom().go(x),
    "super in a classmethod": lambda x: Bottom.gone(x),
    "partialmethod": lambda x: bottom.doubled(x),
    "alias of a bound method": lambda x: bottom_go(x),
    "pipeline of closures": lambda x: pipeline(x),
    "attrgetter": lambda x: value_of(sequence) * x,
    "cycle": lambda x: np.sqrt(x) * linked.children[0].value,
    "ordering": lambda x: np.sqrt(x) * min(ordered).value,
    "identity": lambda x: np.sqrt(x) if bottom is bottom and bottom == bottom else None,
    "generator": lambda x: list(yields(x))[1],
    "coroutine": coroutine,
    "arguments": lambda x: many(x, factor=2.0),
    "walrus": lambda x: (root := np.sqrt(x)) + root,
    "default read outside": default_read_outside,
    "three deep": three_deep,
    "unpacking": unpacks,
    "dataclass inside": dataclass_inside,
    "namedtuple inside": namedtuple_inside,
    "exception groups": exception_groups,
    "copies": copies,
    "pattern": lambda x: np.sqrt(x) if pattern.match("aa") else None,
}


@pytest.mark.parametrize("feature", FEATURES)
def test_feature_is_traced_as_python_runs_it(feature):
    function = FEATURES[feature]
    recorded = Recorded(function)
    # The plain run comes first: the copy module leaves a note in a class that it copies for the first time.
    expected = function(X)
    result = recorded(X)
    assert type(result) is Traced, "the value left the trace on the way"
    np.testing.assert_array_equal(result.value, expected)
    assert recorded.stale() is None
    assert not recorded.reads.opaque


def uses_metaclass(x):
    return x * WithMeta.factor  # here


def uses_object_of_metaclass(x):
    return x * with_meta.factor  # here


def uses_singledispatchmethod(x):
    return dispatching.root(x)  # here


def stores_global_in_class_body(x):
    class Local:
        global stored
        stored = 3  # here

    return x


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (uses_metaclass, "the class WithMeta .* has the metaclass Meta"),
        (uses_object_of_metaclass, "the class WithMeta .* has the metaclass Meta"),
        (uses_singledispatchmethod, "is a singledispatchmethod, whose functions cannot be traced"),
        (stores_global_in_class_body, "stores to the global 'stored'"),
    ],
)
def test_unsupported_feature_is_an_error_with_its_line(function, message):
    with pytest.raises(TraceError, match=message) as raised:
        Recorded(function)(X)
    assert raised.value.line.line == marked_line(function)


def test_hasattr_of_traced_values_is_that_of_what_numpy_has():
    names = ("__array_interface__", "__len__", "__iter__", "shape", "is_integer", "bit_length", "nothing")

    def function(x, y, n):
        return [[hasattr(each, name) for name in names] for each in (x, x[0], y, n)]

    given = np.ones(3), 2.0, 3
    assert jf.jit(function)(*given) == function(*given)
