"""`x is True`, `x is y`: a bool of the trace stands for one of two objects; code must be told the right
one."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import TraceError
from tests.jit.same import assert_same

X = np.array([3.0, -1.0, 4.0, -1.5, 0.0, 2.0])


def of_an_argument(x, flag=True):
    return x + 1 if flag is True else x - 1


def in_a_helper(x, flag):
    return x * _sign(flag)


def _sign(up):
    if up is not False:
        return 1.0
    return -2.0


class Layer:
    def __init__(self, bias):
        self.bias = bias

    def __call__(self, x):
        return x + 1 if self.bias is True else x


def of_an_attribute(x, flag):
    return Layer(flag)(x)


def of_a_value(x, flag):
    positive = bool(x.sum() > 0)
    if positive is not False or flag is True:
        return x + 1
    return x - 1


def of_elements(x, flag):
    signs = np.zeros_like(x)
    for i in range(len(x)):
        positive = bool(x[i] > 0)
        if positive is True:
            signs[i] = 1
        elif positive is False:
            signs[i] = -1 if flag is True else -2
    return signs


def of_a_comparison(x, flag):
    above = int(x[0]) > 2
    return (x if above is False else -x), (x[0] > 2) is True


def with_the_constant_first(x, flag=True):
    positive = bool(x.sum() > 0)
    return (x + 1 if True is positive else x - 1), (x if False is not flag else -x)


def of_two_values(x, flag):
    first, third = bool(x[0] > 0), bool(x[2] > 3)
    return (x + 1 if first is third else x - 1), (x if third is not flag else -x), first is first


YES = True


def of_names(x, flag):
    yes = True
    return (x if flag is yes else -x), (x if flag is YES else -x), bool(x[0] > 0) is not YES


def of_numpy_bools(x, flag):
    some, every = np.any(x > 3), np.all(x > -10)
    return (x + 1 if some is every else x - 1), (x if some is np.True_ else -x), some is True, some is flag


def of_classes(x, flag):
    if x.__class__ is np.ndarray and x[0].__class__ is not np.ndarray:
        x = x + 1
    number = float(x[0])
    some = x if float is number.__class__ else -x
    other = x if number.__class__ == float else -x  # noqa: E721
    return some, other, x if x.__class__ is some.__class__ else -x, flag.__class__ is bool


def of_names_of_classes(x, flag):
    number = float(x[0])
    kinds = (np.ndarray, float) if flag else (int,)
    whole = issubclass(x.__class__, np.ndarray) + 2 * issubclass(x[0].__class__, np.floating)
    named = len(x.__class__.__name__), len(x[0].__class__.__name__), len(number.__class__.__name__)
    known = {np.ndarray: 2, float: 3}[x.__class__] * {np.ndarray: 2, float: 3}[number.__class__]
    return x.__class__ in kinds, whole, named, known, type(x).__module__, x * number.__class__(2)


def of_types_of_dtypes(x, flag):
    return x + 1 if x.dtype.type is np.float64 and np.float32 is not x.dtype.type else x - flag


def of_what_stands_for_others(x, flag):
    chosen = x[x > 1]
    kinds = [type(each) is kind for each, kind in ((chosen, np.ndarray), (range(2), range), (int, type))]
    made = zip(x, x), enumerate(x), reversed(x), range(int(x[2]) + 9)
    kinds += [
        isinstance(each, kind) for each, kind in zip(made, (zip, enumerate, reversed, range), strict=True)
    ]
    kinds += [isinstance(chosen, np.ndarray), chosen.__class__ is np.ndarray, hasattr(chosen, "append")]
    kinds += [isinstance(np.nonzero(x > 1)[0], np.ndarray), isinstance(range, type), isinstance(zip, type)]
    return kinds, [len(each.__class__.__name__) for each in (chosen, *made)]


NOTHING = object()


def of_what_is_no_bool(x, flag, y=NOTHING):
    if y is NOTHING:
        y = x
    return (y + 1 if flag else y - 1), x is y, x is None


@pytest.mark.parametrize("flag", [True, False])
@pytest.mark.parametrize(
    "function",
    [
        of_an_argument,
        in_a_helper,
        of_an_attribute,
        of_a_value,
        of_elements,
        of_a_comparison,
        with_the_constant_first,
        of_two_values,
        of_names,
        of_numpy_bools,
        of_what_is_no_bool,
        of_classes,
        of_names_of_classes,
        of_types_of_dtypes,
        of_what_stands_for_others,
    ],
)
def test_identity_with_true_and_false(function, flag):
    jitted = jf.jit(function)
    for x in (X, -X, X, -X):
        assert_same(jitted(x, flag), function(x, flag))
        assert_same(jitted(x, not flag), function(x, not flag))


@pytest.mark.parametrize("function", [of_an_argument, of_names, of_numpy_bools, of_two_values])
def test_arguments_that_are_bools_of_numpy(function):
    jitted = jf.jit(function)
    for flag in (np.True_, np.False_, True, False):
        assert_same(jitted(X, flag), function(X, flag))


def test_names_that_are_no_bools_cost_no_trace():
    """A comparison with a name for no bool leaves flags as they are: values, not static arguments."""

    def function(x, flag, y=NOTHING):
        return np.where(flag, x, -x) if y is NOTHING or type(y) is np.ndarray else y

    jitted = jf.jit(function)
    for flag in (True, False):
        assert_same(jitted(X, flag), function(X, flag))
    assert jitted.stats()["traces"] == 1


@dataclass
class Options:
    count: int = 2
    names: list = field(default_factory=list)


def of_objects(x, flag):
    positive = bool(x.sum() > 0)
    return np.where(positive, x, -x) * flag if Options() == Options(2) else x


def test_classes_of_objects_are_compared_as_they_are():
    """The methods of a dataclass have no source, and compare the class of `self`."""
    jitted = jf.jit(of_objects)
    for x in (X, -X):
        assert_same(jitted(x, True), of_objects(x, True))
    assert jitted.stats()["interpreted"] == 0


def test_defaults_and_flags_given_by_name():
    jitted = jf.jit(of_an_argument)
    assert_same(jitted(X), X + 1)
    assert_same(jitted(X, flag=False), X - 1)


def test_code_without_source():
    """No hook can be put in its place."""
    names: dict = {}
    exec(
        "def function(x):\n    found = bool(x.sum() > 0)\n    return x + 1 if found is True else x - 1\n",
        names,
    )
    jitted = jf.jit(names["function"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", jf.errors.FallbackWarning)
        for x in (X, -X, X):
            assert_same(jitted(x), names["function"](x))


class Holder:
    def __init__(self, array):
        self.array, self.count = array, 0

    def note(self, value):
        self.count = value


def are_the_same(a, b):
    return a is b


def unless_it_is_held(a, holder):
    held = holder.array
    return a if held is a else a + 1


def differences(a, b):
    if b is not a:
        a = a - b
    return a * 2


@pytest.mark.parametrize(
    ("function", "second"), [(are_the_same, np.array), (unless_it_is_held, Holder), (differences, np.array)]
)
@pytest.mark.filterwarnings("ignore::jitframe.errors.FallbackWarning")
def test_arrays_that_are_one_object_are(function, second):
    """Whether they are may differ from call to call."""
    jitted, x = jf.jit(function), np.arange(4.0)
    for same in (True, False, True, False, False):
        other = x if same else x.copy()
        other = Holder(other) if second is Holder else other
        np.testing.assert_array_equal(jitted(x, other), function(x, other))
    other_way = jf.jit(function)
    for same in (False, True):
        other = x if same else x.copy()
        other = Holder(other) if second is Holder else other
        np.testing.assert_array_equal(other_way(x, other), function(x, other))


def test_arrays_that_are_one_are_not_compared_in_a_trace(strict):
    x = np.arange(4.0)
    with pytest.raises(TraceError, match="two arrays are one object"):
        jf.jit(differences)(x, x)


def test_any_and_all_give_bools_whatever_the_items_are(strict):
    def noted(x, holder):
        first = x[0] >= 1 and x[1] >= 1
        return any(holder.note(value) for value in x), first, all([] for _ in x)

    x = np.array([3, 0, 2, 5])
    found, expected = jf.jit(noted)(x, Holder(x)), noted(x, Holder(x))
    assert found == expected and type(found[0]) is bool


def bound_anew_until_a_break(x, numbers):
    for _ in range(70):
        if x.sum() > 20:
            break
        numbers = numbers[:]
    numbers[1] = 7
    return x[0]


def bound_anew_in_a_while_loop(x, numbers):
    while x[0] > 2:
        numbers, x = list(numbers), x - 1
    numbers.append(7)
    return x[0]


def with_two_names(x, numbers):
    mine = [3, 1, 2]
    kept = mine
    while x[0] > 2:
        mine, x = [4, mine[1], 5], x - 1
    mine[0] = 9
    return x[0], kept[0], mine[0]


@pytest.mark.parametrize("function", [bound_anew_until_a_break, bound_anew_in_a_while_loop, with_two_names])
@pytest.mark.filterwarnings("ignore::jitframe.errors.FallbackWarning")
def test_a_list_that_a_loop_may_leave_in_its_place_is_changed_itself(function):
    jitted = jf.jit(function)
    for start in (0, 5, -9, 0):
        x = np.arange(8) + start
        ours, pythons = [3, 1.5, 2], [3, 1.5, 2]
        assert_same(jitted(x, ours), function(x, pythons))
        assert ours == pythons
