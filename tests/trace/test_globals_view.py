"""The table of idioms: what a traced function reads is traced right, or is an error with its line."""

from __future__ import annotations

import contextlib
import functools
import inspect
import math
import operator
import traceback
from collections import OrderedDict, deque, namedtuple
from functools import partial, reduce
from math import sqrt
from types import SimpleNamespace

import numpy as np
import numpy.linalg as la
import pytest
from numpy import exp as e

from jitframe.errors import TraceError
from jitframe.tracing.environment.copied import copy_function
from tests.trace import idiom_helpers
from tests.trace.fake_mapper import FakeMapper, Jitted, Recorded, Traced, marked_line
from tests.trace.idiom_helpers import root_of_root, weighted
from tests.trace.star_import_helpers import distance

X = np.array([1.0, 4.0, 9.0])

gain = 2.5
weights = np.array([0.5, 0.25, 0.125])
pair = (np.array([1.0, 1.0, 2.0]), 3.0)
table_of_functions = {"root": lambda x: np.sqrt(x), "twice": lambda x: 2 * x}
list_of_functions = [idiom_helpers.root, lambda x: x + gain]
nested_settings = {"inner": {"weights": [weights, 2.0]}}
Point = namedtuple("Point", "a b")
point = Point(np.array([1.0, 2.0, 3.0]), 2.0)
allowed = {"root", "twice"}
options = SimpleNamespace(rate=0.5, offset=weights)
dot = weights.dot
iterator = iter([1.0, 2.0])
queue = deque([1.0])
ordered = OrderedDict(a=1.0)
counter = 0


def helper(x):
    return np.sqrt(x) * gain


def helper_of_helper(x):
    return helper(x) + sqrt(2.0)


def twice(function):
    @functools.wraps(function)
    def wrapper(x):
        return function(function(x))

    return wrapper


@twice
def decorated(x):
    return np.sqrt(x) + 1


@functools.lru_cache
def cached(x):
    return np.exp(-x)


@contextlib.contextmanager
def scope(x):
    yield np.sqrt(x)


class Scaler:
    def __init__(self, factor):
        self.factor = factor

    def __call__(self, x):
        return np.sqrt(x) * self.factor

    @staticmethod
    def root(x):
        return np.sqrt(x)

    @classmethod
    def doubled(cls, x):
        return cls(2.0)(x)


scaler = Scaler(np.array([1.0, 2.0, 3.0]))
jitted = Jitted(helper)
bound = scaler.__call__
plus_pair = partial(lambda x, y, z: np.sqrt(x) + y * z, y=weights, z=2.0)


def make_closure(offset, array):
    def inner(x):
        return np.sqrt(x) * offset + array

    return inner


def make_recursive():
    def power(x, n):
        return x if n == 0 else np.sqrt(power(x, n - 1))

    return lambda x: power(x, 3)


def make_mutual():
    def even(x, n):
        return x if n == 0 else odd(np.sqrt(x), n - 1)

    def odd(x, n):
        return x + shift if n == 0 else even(x * shift, n - 1)

    shift = 2.0
    return lambda x: even(x, 3) + odd(x, 2) * shift


def zeros_then_fill(x):
    out = np.zeros(3)
    for i in range(3):
        out[i] = x[i] * 2
    return out


def class_inside(x):
    class Local:
        factor = gain

        def __init__(self, x):
            self.root = np.sqrt(x)

        def value(self):
            return self.root * self.factor

    return Local(x).value()


def derived_inside(x):
    class Derived(Scaler):
        def __call__(self, x):
            return super().__call__(x) + 1

    return Derived(3.0)(x)


def try_inside(x):
    try:
        return undefined_name * x
    except NameError as error:
        return np.sqrt(x) * len(str(error))


def generator_inside(x):
    def parts():
        for i in range(3):
            yield np.sqrt(x) * i

    return reduce(operator.add, parts())


def import_inside(x):
    from math import sqrt as root

    import numpy as inner
    from numpy.linalg import norm

    import tests.trace.idiom_helpers as helpers

    return inner.sqrt(x) * root(2.0) + norm(x) * helpers.scale


def with_inside(x):
    with scope(x) as root, contextlib.suppress(ZeroDivisionError):
        return root + 1


def thousand_reads(x):
    total = 0
    for _ in range(1000):
        total = total + gain
    return np.sqrt(x) * total


def nonlocal_inside(x):
    total = x

    def add(y):
        nonlocal total
        total = total + y

    for _ in range(3):
        add(np.sqrt(x))
    return total


def match_inside(x):
    match point:
        case Point(a=first, b=second):
            return np.sqrt(x) * first + second


def default_array(x, w=weights, *, k=pair):
    return np.sqrt(x) * w + k[0]


IDIOMS = {
    "zeros then fill": zeros_then_fill,
    "math.sqrt": lambda x: math.sqrt(x[1]) + x,
    "from math import sqrt": lambda x: sqrt(x[1]) + x,
    "from numpy import exp as e": lambda x: e(-x),
    "star import": lambda x: distance(x),
    "submodule by name": lambda x: la.norm(x),
    "np.linalg.norm": lambda x: np.linalg.norm(x) * x,
    "np.array of values": lambda x: np.array([x[0], x[1] * 2]),
    "np.full with a traced value": lambda x: np.full(3, x.sum()),
    "np.pi": lambda x: x * np.pi + math.pi,
    "builtins": lambda x: max(float(x[0]), float(x[1])) * len(x),
    "helper": lambda x: helper(x),
    "helper of helper": lambda x: helper_of_helper(x),
    "helper imported by name": lambda x: root_of_root(x[1]),
    "helper in another module": lambda x: idiom_helpers.root_of_root(x[1]),
    "helper with its own global": lambda x: idiom_helpers.scaled(x),
    "helper with a default array": lambda x: weighted(x),
    "scalar of another module": lambda x: idiom_helpers.scale * x,
    "array of another module": lambda x: idiom_helpers.table * x,
    "class of another module": lambda x: idiom_helpers.Settings.factor * np.sqrt(x),
    "closure": make_closure(1.5, weights),
    "recursion through a cell": make_recursive(),
    "two functions sharing a cell": make_mutual(),
    "nested function": lambda x: (lambda y: np.sqrt(y) + gain)(x),
    "list comprehension": lambda x: np.array([np.sqrt(x[i]) * gain for i in range(3)]),
    "dict comprehension": lambda x: {i: np.sqrt(x[i]) for i in range(3)}[2],
    "generator": generator_inside,
    "map with a lambda": lambda x: reduce(operator.add, map(lambda y: np.sqrt(y), x)),  # noqa: C417
    "default and keyword-only default arrays": default_array,
    "partial": lambda x: plus_pair(x),
    "decorated helper": lambda x: decorated(x),
    "lru_cache": lambda x: cached(x) if isinstance(x, Traced) else np.exp(-x),
    "context manager": with_inside,
    "class made here": lambda x: Scaler(2.0)(x),
    "global callable object": lambda x: scaler(x),
    "global bound method": lambda x: bound(x),
    "staticmethod": lambda x: Scaler.root(x),
    "classmethod": lambda x: Scaler.doubled(x),
    "builtin method of a global array": lambda x: dot(x) * x,
    "jitted function": lambda x: jitted(x) if isinstance(x, Traced) else helper(x),
    "dict of functions": lambda x: table_of_functions["root"](x) + table_of_functions.get("twice")(x),
    "list of functions": lambda x: list_of_functions[1](x) + list_of_functions[0](x[1]),
    "tuple of arrays": lambda x: pair[0] * x + pair[1],
    "nested containers": lambda x: nested_settings["inner"]["weights"][0] * x,
    "namedtuple": lambda x: point.a * x + point.b,
    "namedtuple in match": match_inside,
    "set": lambda x: np.sqrt(x) if "root" in allowed else x,
    "simple namespace": lambda x: x * options.rate + options.offset,
    "hidden array": lambda x: x @ weights,
    "class inside": class_inside,
    "class derived inside": derived_inside,
    "try and except": try_inside,
    "import inside": import_inside,
    "f-string": lambda x: x * len(f"{gain:.1f}{math.__name__}"),
    "nonlocal inside": nonlocal_inside,
    "a thousand reads": thousand_reads,
    "isinstance": lambda x: (
        np.sqrt(x) if isinstance(scaler, Scaler) and isinstance(gain, (int, float)) else x
    ),
    "__import__": lambda x: __import__("numpy").sqrt(x),
    "getattr": lambda x: getattr(np, "sqrt")(x) + getattr(idiom_helpers, "missing", 1.0),  # noqa: B009
}


@pytest.mark.parametrize("idiom", IDIOMS)
def test_idiom_is_traced_as_python_runs_it(idiom):
    function = IDIOMS[idiom]
    expected = function(X)
    recorded = Recorded(function)
    result = recorded(X)
    assert type(result) is Traced, "the value left the trace on the way"
    np.testing.assert_array_equal(result.value, expected)
    assert recorded.stale() is None
    assert not recorded.reads.opaque


def stores_global(x):
    global counter
    counter = 1  # here
    return x


def increments_global(x):
    global counter
    counter += 1  # here
    return x


def deletes_global(x):
    global counter
    del counter  # here
    return x


def uses_random(x):
    return x + np.random.normal(size=3)  # here


def uses_exec(x):
    exec("y = 1")  # here
    return x


def uses_eval(x):
    return eval("x + 1")  # here


def uses_globals(x):
    globals()["gain"] = 3.0  # here
    return x


def stores_module_attribute(x):
    idiom_helpers.scale = 5.0  # here
    return x


def appends_to_global_list(x):
    list_of_functions.append(x)  # here
    return x


def stores_in_global_dict(x):
    table_of_functions["new"] = x  # here
    return x


def uses_dict_subclass(x):
    return x * ordered["a"]  # here


def uses_iterator(x):
    return x * next(iterator)  # here


def uses_deque(x):
    return x * queue[0]  # here


def uses_dispatch(x):
    return dispatched(x)


@functools.singledispatch
def dispatched(x):
    return x


@dispatched.register
def _(x: float):
    return x + 1


def make_nonlocal_store():
    total = 0

    def inner(x):
        nonlocal total
        total = x  # here
        return x

    return inner


def make_random_in_closure():
    random = np.random

    def inner(x):
        return x + random.normal(size=3)  # here

    return inner


ERRORS = {
    "global store": (stores_global, "stores to the global 'counter'"),
    "global increment": (increments_global, "stores to the global 'counter'"),
    "global delete": (deletes_global, "deletes the global 'counter'"),
    "np.random": (uses_random, "jf.random"),
    "np.random in a closure": (make_random_in_closure(), "jf.random"),
    "exec": (uses_exec, r"exec\(\) runs code that cannot be traced"),
    "eval": (uses_eval, r"eval\(\) runs code that cannot be traced"),
    "globals": (uses_globals, r"globals\(\) runs code that cannot be traced"),
    "module attribute store": (stores_module_attribute, "changes tests.trace.idiom_helpers.scale"),
    "append to a global list": (appends_to_global_list, "a list made outside"),
    "store into a global dict": (stores_in_global_dict, "a dict made outside"),
    "dict subclass": (
        uses_dict_subclass,
        "ordered is a OrderedDict, whose changes cannot be watched; make it a plain",
    ),
    "iterator": (uses_iterator, "iterator is a list_iterator, whose changes cannot be watched"),
    "deque": (uses_deque, "queue is a deque, whose changes cannot be watched"),
    "nonlocal store": (make_nonlocal_store(), "stores to 'total', a variable of the function around it"),
}


@pytest.mark.parametrize("case", ERRORS)
def test_error_names_the_line(case):
    function, message = ERRORS[case]
    before = dict(globals())
    with pytest.raises(TraceError, match=message) as raised:
        Recorded(function)(X)
    assert raised.value.line.line == marked_line(function)
    assert raised.value.line.file == __file__
    assert all(globals()[name] is value for name, value in before.items())
    assert scaler.__dict__.keys() == {"factor"}
    assert idiom_helpers.scale == 3.0
    assert options.rate == 0.5
    assert len(list_of_functions) == 2
    assert len(table_of_functions) == 2


def test_copy_keeps_what_describes_the_function():
    def documented(x: float, /, y: int = 2, *, z: str = "a") -> float:
        """What it does."""
        return missing_name + x  # noqa: F821  # here

    copied = copy_function(documented, FakeMapper()).function
    assert copied is not documented
    assert copied.__code__ is documented.__code__
    assert inspect.signature(copied) == inspect.signature(documented)
    for attribute in ("__name__", "__qualname__", "__module__", "__doc__", "__annotations__"):
        assert getattr(copied, attribute) == getattr(documented, attribute)
    with pytest.raises(NameError, match="name 'missing_name' is not defined") as raised:
        copied(1.0)
    last = traceback.extract_tb(raised.tb)[-1]
    assert (last.filename, last.lineno, last.name) == (__file__, marked_line(documented), "documented")


def test_a_branch_not_taken_is_not_an_error():
    def guarded(x):
        global counter
        if x is None:
            counter = 1
            return np.random.normal()
        return np.sqrt(x)

    np.testing.assert_array_equal(Recorded(guarded)(X).value, np.sqrt(X))


def test_endless_recursion_ends_as_in_python():
    def endless(x):
        return endless(x)

    with pytest.raises(RecursionError):
        Recorded(endless)(X)


def test_unsupported_wrapper_of_a_library_is_an_error():
    with pytest.raises(TraceError, match="WeakKeyDictionary, whose changes cannot be watched"):
        Recorded(uses_dispatch)(X)


def test_library_functions_are_called_as_they_are():
    copied = copy_function(lambda: (reduce, traceback.extract_tb, operator.add), FakeMapper())
    assert copied.function() == (reduce, traceback.extract_tb, operator.add)


def test_objects_that_cannot_be_watched_are_listed():
    thing = contextlib.ExitStack()
    recorded = Recorded(lambda x: x if thing is None else x + 1)
    recorded(X)
    assert recorded.reads.opaque == [("thing", thing)]
