"""What calls read and store outside of their arguments, by the native entry and by its twin in Python."""

from __future__ import annotations

import gc
import sys

import numpy as np
import pytest

from jitframe.runtime.cpu.entry.arguments import (
    DictArgument,
    FloatArgument,
    Outside,
    OutsideStore,
    Place,
    Root,
    SequenceArgument,
    StoreKind,
)
from jitframe.runtime.cpu.entry.callables import entry_add_variant
from jitframe.runtime.cpu.entry.variant import (
    ElementGuard,
    OutputArray,
    OutputConstant,
    OutputPlace,
    OutputScalar,
    ResultForm,
    Variant,
    tuple_of,
)
from tests.runtime_cpu.support import described, is_slow

X = np.arange(4, dtype="f4")


class Thing:
    def __init__(self):
        self.x, self.t = X * 1, 0.5


class Slotted:
    __slots__ = ("x",)


def pair_of(count):
    return ResultForm(tuple, (None, tuple_of(count)))


def stored(place, key, kind=StoreKind.IN_DICT):
    return OutsideStore(kind, key, place)


@pytest.fixture
def stepping(new_entry, add_program):
    """`thing.x = thing.x + thing.t`, with "done" as the result; the entry, and the thing."""
    thing, entry = Thing(), new_entry()
    outside = Outside(
        ((thing, "x"), (thing, "t")),
        (described(X), FloatArgument(0, "f32")),
        (stored(Place(Root.OBJECT, thing), "x"),),
        (thing,),
    )
    outputs = OutputConstant("done"), OutputArray(X.dtype, X.shape)
    entry_add_variant(entry, Variant((), add_program(4), outputs, form=pair_of(1), outside=outside))
    return entry, thing


def test_attributes_are_read_and_stored_at_each_call(stepping):
    entry, thing = stepping
    assert [entry(), entry()] == ["done", "done"] and (thing.x == X + 1).all()
    thing.t, thing.x = 2.0, X * 3
    assert entry() == "done" and (thing.x == X * 3 + 2).all()


def test_what_is_there_must_be_as_expected(stepping):
    entry, thing = stepping
    for name, value in (("t", 1), ("x", X[:2]), ("x", None)):
        before = getattr(thing, name)
        setattr(thing, name, value)
        assert is_slow(entry()) and getattr(thing, name) is value
        setattr(thing, name, before)
    del thing.t
    assert is_slow(entry())
    thing.t = 1.0
    assert entry() == "done"


def test_nothing_is_kept(stepping):
    entry, thing = stepping
    entry()
    gc.collect()
    counts = []
    for _ in range(3):
        before = thing.x
        entry()
        thing.t = "no number"
        entry()
        thing.t = 0.5
        counts.append((sys.getrefcount(before), sys.getrefcount(thing.x), sys.getrefcount(thing)))
    assert counts == [counts[0]] * 3 and counts[0][0] == 2


def copied(copying, arguments, outside, outputs, form):
    return copying(arguments, outputs, X.nbytes, form=form, outside=outside)


def test_items_ends_and_slots(new_entry, copying):
    kept, given, thing = {"a": None}, [], Slotted()
    outside = Outside(
        stores=(
            stored(Place(Root.OBJECT, thing), "x", StoreKind.IN_SLOT),
            stored(Place(Root.ARGUMENT, 0, ((True, "inner"),)), "new", StoreKind.ITEM),
            stored(Place(Root.OBJECT, given), None, StoreKind.AT_END),
            stored(Place(Root.OBJECT, kept), "a", StoreKind.ITEM),
        )
    )  # fmt: skip
    argument = DictArgument(("x", "inner"), (described(X), DictArgument((), ())))
    outputs = (
        OutputPlace(Place(Root.ARGUMENT, 0, ((True, "inner"),))), OutputArray(X.dtype, X.shape),
        OutputConstant(1), OutputConstant(2), OutputConstant(3), OutputConstant(4),
    )  # fmt: skip
    form = ResultForm(tuple, (None, ResultForm(tuple, (None, None, ResultForm(list, (None, None)), None))))
    entry = new_entry()
    entry_add_variant(entry, copied(copying, (argument,), outside, outputs, form))
    value = {"x": X, "inner": {}}
    inner = value["inner"]
    assert entry(value) is inner and inner == {"new": 1}
    assert (thing.x == X).all() and given == [2, 3] and kept == {"a": 4}
    assert is_slow(entry(value)), "other keys now"
    assert entry({"x": X, "inner": {}}) == {"new": 1} and given == [2, 3, 2, 3]


def test_no_container_is_changed_in_two_ways(new_entry, copying):
    mine, read = [1], [2]
    pair = SequenceArgument(tuple, (described(X), SequenceArgument(list, ()), SequenceArgument(list, ())))
    place = Place(Root.ARGUMENT, 0, ((True, 1),))
    outside = Outside(stores=(stored(place, None, StoreKind.AT_END),), owners=(mine,), read=(id(read),))
    outputs = OutputArray(X.dtype, X.shape), OutputConstant(7)
    form = ResultForm(tuple, (None, ResultForm(tuple, (ResultForm(list, (None,)),))))
    entry = new_entry()
    entry_add_variant(entry, copied(copying, (pair,), outside, outputs, form))
    one, other = [], []
    assert (entry((X, one, other)) == X).all() and (one, other) == ([7], [])
    one.clear()
    assert is_slow(entry((X, one, one))) and one == []
    mine.clear()
    assert is_slow(entry((X, one, mine))) and is_slow(entry((X, mine, one)))
    read.clear()
    assert is_slow(entry((X, one, read))) and one == []
    assert not is_slow(entry((X, one, other))) and one == [7]


def test_all_places_are_found_before_one_is_changed(new_entry, copying):
    argument = DictArgument(("x", "inner"), (described(X), DictArgument(("n",), (FloatArgument(0, "f64"),))))
    inner = Place(Root.ARGUMENT, 0, ((True, "inner"),))
    outside = Outside(
        stores=(stored(Place(Root.ARGUMENT, 0), "inner", StoreKind.ITEM), stored(inner, "n", StoreKind.ITEM))
    )
    outputs = OutputArray(X.dtype, X.shape), OutputConstant("other"), OutputConstant(2.0)
    entry = new_entry()
    variant = copying((argument,), outputs, X.nbytes, scalars=1, form=pair_of(2), outside=outside)
    entry_add_variant(entry, variant)
    before = {"n": 1.0}
    value = {"x": X, "inner": before}
    assert not is_slow(entry(value)) and value["inner"] == "other" and before == {"n": 2.0}


def test_an_error_of_storing_is_raised(new_entry, copying):
    class Refusing(dict):
        def __setitem__(self, key, value):
            raise KeyError("refused")

    kept, last = Refusing(), []
    outside = Outside(
        stores=(
            stored(Place(Root.OBJECT, kept), "a", StoreKind.ITEM),
            stored(Place(Root.OBJECT, last), None, StoreKind.AT_END),
        )
    )
    form = ResultForm(tuple, (None, ResultForm(tuple, (None, ResultForm(list, (None,))))))
    outputs = OutputArray(X.dtype, X.shape), OutputConstant(1), OutputConstant(2)
    entry = new_entry()
    entry_add_variant(entry, copied(copying, (described(X),), outside, outputs, form))
    counts = []
    for _ in range(3):
        with pytest.raises(KeyError, match="refused"):
            entry(X)
        counts.append(sys.getrefcount(kept))
    assert last == [] and counts == [counts[0]] * 3


def test_elements_of_lists_are_guarded(new_entry, copying):
    layers = ["first", "second"]
    entry = new_entry()
    guards = (ElementGuard(layers[1], layers, 1),)
    entry_add_variant(
        entry, copying((described(X),), (OutputArray(X.dtype, X.shape),), X.nbytes, guards=guards)
    )
    assert not is_slow(entry(X))
    layers.append("third")
    assert not is_slow(entry(X))
    layers[1] = "another"
    assert is_slow(entry(X))
    del layers[1:]
    assert is_slow(entry(X))


def test_arrays_in_any_order_and_hidden_ones_that_are_written(new_entry, copying):
    hidden, other = X + 10, X + 20
    entry = new_entry()
    variant = copying(
        (described(X),), (OutputScalar(X.dtype),), X.nbytes, source=1, hidden=(hidden,), inputs=(1, 0),
        hidden_written=frozenset([0]),
    )  # fmt: skip
    entry_add_variant(entry, variant)
    assert entry(other) == 20
    assert is_slow(entry(hidden)), "its bytes are those of the one that is written"
    hidden.flags.writeable = False
    assert is_slow(entry(other))
