"""Containers and keywords of calls: what the entry and its twin in Python match, hold and make."""

from __future__ import annotations

import collections
import gc
import sys
import threading
import types
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest

from jitframe.runtime.cpu.entry.arguments import (
    DictArgument,
    FixedMember,
    FloatArgument,
    RecordArgument,
    SameArgument,
    ScalarArgument,
    SequenceArgument,
    Slot,
    TypedArgument,
)
from jitframe.runtime.cpu.entry.callables import entry_add_variant, entry_calls
from jitframe.runtime.cpu.entry.variant import (
    OutputArgument,
    OutputArray,
    OutputConstant,
    ResultForm,
    Variant,
)
from jitframe.tracing.native.arguments import slot_offsets
from tests.plan.bound import At, bound_plan, launch
from tests.runtime_cpu.support import described, is_slow

X, Y = np.arange(100, dtype="f4"), np.arange(6.0)


class Pair(NamedTuple):
    first: Any
    second: Any


@dataclass
class Plain:
    place: Any
    speed: Any = 1.0


class Derived(Plain):
    pass


class Slotted:
    __slots__ = ("first", "second")


class Both(Slotted):
    """Slots and a dict."""


def slotted(kind=Slotted, **held):
    made = kind()
    for name, value in held.items():
        setattr(made, name, value)
    return made


@pytest.fixture
def accepts(new_entry, runtime):
    """Whether an entry of one argument, of so many arrays, answers calls with these values."""

    def make(argument, arrays):
        program = runtime.encode(bound_plan((), arrays, arrays, 0, (), ()), [])
        entry = new_entry()
        entry_add_variant(entry, Variant((argument,), program, (OutputConstant("taken"),)))
        return lambda value: entry(value) == "taken"

    return make


PAIR = (described(X), SameArgument(None))
SEQUENCES = {
    "tuple": (SequenceArgument(tuple, PAIR), (X, None), [[X, None], Pair(X, None), X, None]),
    "list": (SequenceArgument(list, PAIR), [X, None], [(X, None), {0: X, 1: None}]),
    "named tuple": (SequenceArgument(Pair, PAIR), Pair(X, None), [(X, None), [X, None]]),
}


@pytest.mark.parametrize("name", SEQUENCES)
def test_sequences_of_exactly_their_class_and_members(accepts, name):
    argument, value, others = SEQUENCES[name]
    takes = accepts(argument, 1)
    kind = type(value)
    assert takes(value)
    made = [(), (X,), (X, None, None), (X, 0), (Y, None), (None, X)]
    others = others + [tuple.__new__(Pair, each) if kind is Pair else kind(each) for each in made]
    assert not any(map(takes, others))
    assert takes(value)


def test_dicts_of_exactly_these_keys_in_this_order(accepts):
    takes = accepts(DictArgument(("place", 12345678), PAIR), 1)
    assert takes({"place": X, 12345678: None})
    assert takes({"".join(["pl", "ace"]): X, int("12345678"): None}), "equal keys that are other objects"
    others = [
        {}, {"place": X}, {12345678: None, "place": X}, {"place": X, 12345678: None, 1: None},
        {"place": X, 12345678.0: None}, {"places": X, 12345678: None}, {"place": None, 12345678: X},
        collections.OrderedDict([("place", X), (12345678, None)]),
        types.MappingProxyType({"place": X, 12345678: None}),
    ]  # fmt: skip
    assert not any(map(takes, others))


def test_keys_that_could_run_code_are_compared_by_identity(accepts):
    class Key:
        def __hash__(self):
            return 1

        def __eq__(self, other):
            raise AssertionError("the entry compares")

    key = Key()
    takes = accepts(DictArgument((key,), PAIR[:1]), 1)
    assert takes({key: X}) and not takes({Key(): X})
    takes = accepts(DictArgument((True,), PAIR[:1]), 1)
    assert takes({True: X}) and not takes({1: X})


def test_a_mutated_container_is_seen(accepts):
    takes = accepts(DictArgument(("w",), (SequenceArgument(list, PAIR),)), 1)
    held = [X, None]
    value = {"w": held}
    assert takes(value)
    held.append(X)
    assert not takes(value)
    held.pop()
    assert takes(value)
    held[0] = Y
    assert not takes(value)
    held[0] = X * 2
    value["b"] = None
    assert not takes(value)
    del value["b"]
    assert takes(value)


def test_records_by_class_attributes_and_static_fields(accepts):
    takes = accepts(RecordArgument(Plain, ("place", "speed"), (), (described(X), FixedMember(3))), 1)
    assert takes(Plain(X, 3)) and takes(Plain(X * 2, int("3")))
    extra, other_order, fewer = Plain(X, 3), Plain(X, 3), Plain(X, 3)
    extra.more = 1
    other_order.__dict__ = {"speed": 3, "place": X}
    del fewer.speed
    for value in (
        Plain(X, 4), Plain(X, True), Plain(X, 3.0), Plain(Y, 3), Derived(X, 3), extra, other_order, fewer,
    ):  # fmt: skip
        assert not takes(value)


def test_records_with_slots(accepts):
    offsets = slot_offsets(Slotted)
    assert list(offsets) == ["first", "second"]
    first, second = offsets.values()
    both = (Slot(first, True), Slot(second, True))
    takes = accepts(RecordArgument(Slotted, None, both, PAIR), 1)
    assert takes(slotted(first=X, second=None))
    for value in (
        slotted(first=X),
        slotted(),
        slotted(first=None, second=X),
        slotted(Both, first=X, second=None),
    ):
        assert not takes(value)
    one = (Slot(first, True), Slot(second, False))
    takes = accepts(RecordArgument(Slotted, None, one, PAIR[:1]), 1)
    assert takes(slotted(first=X)) and not takes(slotted(first=X, second=None))
    takes = accepts(RecordArgument(Both, ("more",), both, (SameArgument(1), *PAIR)), 1)
    assert takes(slotted(Both, first=X, second=None, more=1))
    assert not takes(slotted(Both, first=X, second=None, more=2)) and not takes(
        slotted(Both, first=X, second=None)
    )


def test_typed_arguments_and_equal_objects(accepts):
    takes = accepts(
        SequenceArgument(tuple, (TypedArgument(float), SameArgument("word"), SameArgument(1000))), 0
    )
    assert takes((1.5, "".join(["wo", "rd"]), int("1000"))) and takes((float("nan"), "word", 1000))
    for value in ((1, "word", 1000), (1.5, b"word", 1000), (1.5, "words", 1000), (1.5, "word", 1000.0)):
        assert not takes(value)


@pytest.mark.parametrize("value", [np.float64(-0.1), np.int64(-(1 << 40)), np.uint64(1 << 63), np.int64(7)])
def test_numpy_scalars(new_entry, scalar_reader, value):
    entry = new_entry()
    entry_add_variant(entry, scalar_reader(ScalarArgument(0, value.dtype)))
    assert entry(value)[0] == value.view("i8")
    for other in (value.item(), np.float32(1), np.array(value), value.astype("i4")):
        assert is_slow(entry(other))


def test_narrow_numpy_scalars(new_entry, scalar_reader):
    for value, expected in (
        (np.float32(1.5), 0x3FC00000), (np.int8(-3), -3), (np.uint8(253), 253), (np.int16(-300), -300),
        (np.float16(1), 0x3C00), (np.bool_(True), 1),
    ):  # fmt: skip
        entry = new_entry()
        entry_add_variant(entry, scalar_reader(ScalarArgument(0, value.dtype)))
        assert entry(value)[0] == expected


def test_keywords_by_name_in_the_order_of_the_call(new_entry, copying):
    x, y = np.arange(4.0), np.arange(4.0) * 2
    arguments = (described(x), described(y), FloatArgument(0, "f64"))
    outputs = (OutputArgument(0), OutputArgument(1), OutputArgument(2), OutputArray(x.dtype, (4,)))
    form = ResultForm(tuple, (None,) * 4)
    entry = new_entry()
    # f(x, *, factor, other): called with factor first.
    variant = copying(
        arguments, outputs, 32, 1, form=form, keywords=("factor", "other"), places=(0, 2, 1), source=1
    )
    entry_add_variant(entry, variant)
    result = entry(x, factor=2.5, other=y)
    assert result[0] is x and result[1] is y and result[2] == 2.5
    np.testing.assert_array_equal(result[3], y)
    options = {"".join(["fac", "tor"]): 1.0, "other": y}
    assert not is_slow(entry(x, **options))
    for args, kwargs in (
        ((x, 2.5, y), {}), ((x,), {"other": y, "factor": 2.5}), ((x,), {"factor": 2.5, "others": y}),
        ((x, y), {"factor": 2.5}), ((), {"x": x, "factor": 2.5, "other": y}),
        ((x,), {"factor": 2, "other": y}),
    ):  # fmt: skip
        assert is_slow(entry(*args, **kwargs))
    assert entry_calls(entry) == (2, 6)


def made_of_two(members):
    first, second = members
    return [first, second, "made"]


def unable(members):
    raise AttributeError(f"nothing is made of {len(members)}")


def test_results_in_containers(new_entry, copying):
    members = (
        ResultForm(list, (None, OutputConstant("fixed"))),
        ResultForm(dict, (None, ResultForm(tuple, ())), ("a", 2)),
        ResultForm(made_of_two, (None, OutputConstant("b"))),
        ResultForm(Pair, (None, None)),
        ResultForm(Plain, (None, OutputConstant(7)), ("place", "speed")),
        ResultForm(Slotted, (None,), ("second",)),
    )
    outputs = (
        OutputArray(X.dtype, X.shape), *[OutputArgument(0)] * 4, OutputConstant(None), OutputArgument(0),
    )  # fmt: skip
    entry = new_entry()
    entry_add_variant(entry, copying((described(X),), outputs, X.nbytes, form=ResultForm(tuple, members)))
    listed, mapped, made, pair, plain, slots = entry(X)
    assert made[0] is X and made[1:] == ["b", "made"]
    np.testing.assert_array_equal(listed[0], X)
    assert listed[1] == "fixed" and listed[0] is not X
    assert list(mapped) == ["a", 2] and mapped["a"] is X and mapped[2] == ()
    assert type(pair) is Pair and pair.first is X and pair.second is X
    assert type(plain) is Plain and vars(plain) == {"place": None, "speed": 7}
    assert type(slots) is Slotted and slots.second is X and not hasattr(slots, "first")


@pytest.mark.parametrize(
    "failing",
    [ResultForm(Slotted, (None,), ("missing",)), ResultForm(unable, (None,))],
    ids=["record", "called"],
)
def test_a_result_that_cannot_be_made_leaves_nothing_behind(new_entry, copying, runtime, failing):
    outputs = (OutputArray(X.dtype, X.shape), OutputArgument(0))
    form = ResultForm(tuple, (None, failing))
    entry = new_entry()
    entry_add_variant(entry, copying((described(X),), outputs, X.nbytes, form=form))
    before = sys.getrefcount(X), runtime.statistics()["live_bytes"]
    for _ in range(10):
        with pytest.raises(AttributeError):
            entry(X)
    gc.collect()
    assert (sys.getrefcount(X), runtime.statistics()["live_bytes"]) == before


@pytest.mark.parametrize("release_gil", [False, True])
def test_references_are_stable(new_entry, copying, runtime, release_gil):
    token, key = object(), "a key that is in no table"
    record = Plain(X, token)
    slots = slotted(first=X, second=token)
    offsets = slot_offsets(Slotted)
    arguments = (
        DictArgument((key,), (SequenceArgument(list, (described(X), SameArgument(token))),)),
        RecordArgument(Plain, ("place", "speed"), (), (described(X), FixedMember(token))),
        RecordArgument(
            Slotted,
            None,
            tuple(Slot(each, True) for each in offsets.values()),
            (described(X), SameArgument(token)),
        ),
        SequenceArgument(Pair, (described(X), described(X))),
    )
    form = ResultForm(
        tuple,
        (
            ResultForm(Pair, (None, None)),
            ResultForm(dict, (None,), (key,)),
            ResultForm(Plain, (None,), ("place",)),
            ResultForm(made_of_two, (None, None)),
        ),
    )
    outputs = (OutputArray(X.dtype, X.shape), *[OutputArgument(number) for number in (0, 1, 2, 0, 1)])
    entry = new_entry()
    variant = copying(arguments, outputs, X.nbytes, form=form, release_gil=release_gil)
    entry_add_variant(entry, variant)
    held, pair = [X, token], Pair(X, X)
    mapping = {key: held}
    watched = (
        X,
        token,
        key,
        record,
        slots,
        held,
        mapping,
        pair,
        Plain,
        Pair,
        Slotted,
        X.dtype,
        entry,
        variant,
    )

    def measured():
        gc.collect()
        return [sys.getrefcount(thing) for thing in watched], runtime.statistics()["live_bytes"]

    assert not is_slow(entry(mapping, record, slots, pair))
    before = measured()
    for _ in range(20_000):
        entry(mapping, record, slots, pair)
        entry(mapping, record, slots, (X, X))  # matches to the last argument
        held.append(1)
        entry(mapping, record, slots, pair)
        held.pop()
    assert measured() == before


def test_members_outlive_a_run_that_lets_others_change_their_container(new_entry, copying):
    """The copy is of an array whose only other reference the container may give up meanwhile."""
    n = 1 << 20
    entry = new_entry()
    variant = copying(
        (SequenceArgument(list, (described(np.empty(n)),)),),
        (OutputArray(np.dtype("f8"), (n,)),),
        8 * n,
        release_gil=True,
    )
    entry_add_variant(entry, variant)
    held = [np.ones(n)]
    stop = threading.Event()

    def replace():
        while not stop.is_set():
            held[0] = np.ones(n)

    other = threading.Thread(target=replace)
    other.start()
    try:
        for _ in range(60):
            assert (entry(held) == 1).all()
    finally:
        stop.set()
        other.join()
    assert entry_calls(entry)[1] == 0


def test_writes_into_members_and_their_overlap(new_entry, runtime, kernels):
    """f({"x": x, "y": y}): x[:] = y + 1 in place."""

    memory = np.arange(300, dtype="f4")
    x, y = memory[:100], memory[100:200]
    slots = (At(1), At(0), 100, 100, 0x3F800000)
    plan = bound_plan(("add_scalar",), 2, 2, 0, (launch(0, slots, 1),), ())
    program = runtime.encode(plan, [kernels.address("add_scalar")])
    entry = new_entry()
    argument = DictArgument(("x", "rest"), (described(x, True), SequenceArgument(tuple, (described(y),))))
    entry_add_variant(entry, Variant((argument,), program, (OutputArgument(0),)))
    assert entry({"x": x, "rest": (y,)}) is x
    np.testing.assert_array_equal(x, np.arange(101, 201))
    assert is_slow(entry({"x": memory[50:150], "rest": (y,)})), "a partial overlap"
    assert is_slow(entry({"x": x, "rest": (x,)}))
    assert not is_slow(entry({"x": memory[200:300], "rest": (y,)}))
