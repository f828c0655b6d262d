"""The native entry and its twin in Python: what they answer themselves, what goes to the slow callable."""

from __future__ import annotations

import gc
import pickle
import struct
import types

import numpy as np
import pytest

from jitframe.runtime.cpu.entry.arguments import ComplexArgument, FloatArgument, IntArgument, SameArgument
from jitframe.runtime.cpu.entry.callables import (
    entry_add_variant,
    entry_calls,
    entry_clear,
)
from jitframe.runtime.cpu.entry.native_entry import MOST_VARIANTS
from jitframe.runtime.cpu.entry.variant import (
    ABSENT,
    Guard,
    ItemsGuard,
    OutputArgument,
    OutputArray,
    OutputSame,
    OutputScalar,
    Variant,
    tuple_of,
)
from jitframe.runtime.cpu.execution.runtime import byte_range
from jitframe.tracing.environment.guards import MISSING, GuardKind
from jitframe.tracing.environment.guards import Guard as TracedGuard
from jitframe.tracing.native.guards import native_guards
from tests.plan.bound import At, bound_plan, launch
from tests.runtime_cpu.support import described, is_slow


def test_what_matches_is_answered_without_the_slow_callable(new_entry, add_variant):
    x = np.arange(100, dtype="f4")
    entry = new_entry()
    assert is_slow(entry(x, 2.0))
    entry_add_variant(entry, add_variant(x))
    np.testing.assert_array_equal(entry(x, 2.0), x + 2)
    np.testing.assert_array_equal(entry(x * 3, -1.5), x * 3 - np.float32(1.5))
    assert entry_calls(entry) == (2, 1)


class Derived(np.ndarray):
    pass


class DerivedFloat(float):
    pass


X = np.arange(100, dtype="f4")
UNALIGNED = np.frombuffer(b"\0" * 401, "u1")[1:].view("f4")
MISMATCHES = {
    "no arguments": (),
    "too few": (X,),
    "too many": (X, 1.0, 1.0),
    "a list": ([1.0] * 100, 1.0),
    "another dtype": (X.astype("f8"), 1.0),
    "another kind of the same size": (X.view("i4"), 1.0),
    "another byte order": (X.astype(">f4"), 1.0),
    "another shape": (X[:99], 1.0),
    "more axes": (X.reshape(10, 10), 1.0),
    "other strides": (np.arange(200, dtype="f4")[::2], 1.0),
    "negative strides": (X[::-1], 1.0),
    "unaligned": (UNALIGNED, 1.0),
    "a subclass": (X.view(Derived), 1.0),
    "an int": (X, 1),
    "a bool": (X, True),
    "a NumPy float": (X, np.float64(1.0)),
    "a subclass of float": (X, DerivedFloat(1.0)),
    "a 0-d array": (X, np.array(1.0)),
    "None": (None, None),
    "swapped": (1.0, X),
}


@pytest.mark.parametrize("case", MISMATCHES)
def test_what_does_not_match_goes_to_the_slow_callable_as_it_came(new_entry, add_variant, case):
    entry = new_entry()
    entry_add_variant(entry, add_variant(X))
    arguments = MISMATCHES[case]
    result = entry(*arguments)
    assert is_slow(result) and all(got is given for got, given in zip(result[1], arguments, strict=True))
    assert entry_calls(entry) == (0, 1)


def test_keywords_go_to_the_slow_callable(new_entry, add_variant):
    entry = new_entry()
    entry_add_variant(entry, add_variant(X))
    assert entry(X, s=1.0)[2] == {"s": 1.0}
    assert entry(*[X, 1.0]) is not None and entry_calls(entry) == (1, 1)


def test_a_dtype_object_of_its_own_still_matches(new_entry, add_variant):
    """Unpickled arrays have one."""
    entry = new_entry()
    entry_add_variant(entry, add_variant(X))
    again = pickle.loads(pickle.dumps(X))
    np.testing.assert_array_equal(entry(again, 1.0), X + 1)
    assert entry_calls(entry) == (1, 0)


def test_the_most_recent_variant_comes_first_and_all_are_found(new_entry, add_variant):
    entry = new_entry()
    arrays = [np.arange(n, dtype="f4") for n in range(1, 11)]
    for x in arrays:
        entry_add_variant(entry, add_variant(x))
    for _ in range(3):
        for x in arrays:
            np.testing.assert_array_equal(entry(x, 1.0), x + 1)
    assert entry_calls(entry) == (30, 0)
    entry_clear(entry)
    assert is_slow(entry(arrays[0], 1.0))


def test_the_least_recently_used_variant_goes(new_entry, add_variant):
    entry = new_entry()
    arrays = [np.arange(n, dtype="f4") for n in range(1, MOST_VARIANTS + 3)]
    for x in arrays:
        entry_add_variant(entry, add_variant(x))
        entry(arrays[0], 1.0)
    assert not is_slow(entry(arrays[0], 1.0)) and not is_slow(entry(arrays[-1], 1.0))
    assert is_slow(entry(arrays[1], 1.0)) and is_slow(entry(arrays[2], 1.0))


def bits(dtype: str, value: float) -> int:
    code, width = {"f4": ("<f", 4), "f8": ("<d", 8)}[dtype]
    return int.from_bytes(struct.pack(code, value)[:width], "little", signed=dtype == "f8")


@pytest.mark.parametrize("value", [0.0, -0.0, 1.5, -0.1, 1e-45, 3e38, float("inf"), float("nan")])
def test_float_arguments(new_entry, scalar_reader, value):
    for dtype in ("f32", "f64"):
        entry = new_entry()
        entry_add_variant(entry, scalar_reader(FloatArgument(0, dtype)))
        expected = bits("f8", value) if dtype == "f64" else int(np.float32(value).view("u4"))
        assert entry(value)[0] == expected


@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_parts_of_complex_numbers(new_entry, scalar_reader, dtype):
    for name, part in (("real", 1.5), ("imag", -0.1)):
        given = ComplexArgument(**{"real": None, "imag": None, name: 0}, dtype=dtype)
        entry = new_entry()
        entry_add_variant(entry, scalar_reader(given))
        assert entry(1.5 - 0.1j)[0] == (
            bits("f8", part) if dtype == "f64" else int(np.float32(part).view("u4"))
        )
        assert is_slow(entry(1.5)) and is_slow(entry(np.complex128(1.5)))


def test_a_float_beyond_f32_is_infinite(new_entry, scalar_reader):
    entry = new_entry()
    entry_add_variant(entry, scalar_reader(FloatArgument(0, "f32")))
    assert entry(1e39)[0] == int(np.float32(np.inf).view("u4"))


LIMITS = {
    "i8": (-128, 127), "u8": (0, 255), "i32": (-(1 << 31), (1 << 31) - 1), "u32": (0, (1 << 32) - 1),
    "i64": (-(1 << 63), (1 << 63) - 1), "u64": (0, (1 << 63) - 1),
}  # fmt: skip


@pytest.mark.parametrize("dtype", LIMITS)
def test_int_arguments_must_fit(new_entry, scalar_reader, dtype):
    entry = new_entry()
    entry_add_variant(entry, scalar_reader(IntArgument(0, dtype)))
    least, most = LIMITS[dtype]
    for value in {least, most, 0, 1, most // 3}:
        assert entry(value)[0] == value
    for value in (least - 1, most + 1, 1 << 70, -(1 << 70), True, 1.0, np.int64(1), None):
        assert is_slow(entry(value)), value


def test_ints_as_floats(new_entry, scalar_reader):
    for value in (0, 1, -7, 1 << 24, (1 << 24) + 1, (1 << 53) + 1, -(1 << 63)):
        for dtype, code in (("f32", "f4"), ("f64", "f8")):
            entry = new_entry()
            entry_add_variant(entry, scalar_reader(IntArgument(0, dtype)))
            expected = bits("f8", value) if code == "f8" else int(np.float32(float(value)).view("u4"))
            assert entry(value)[0] == expected
            assert is_slow(entry(1 << 63)) and is_slow(entry(2.0))


def test_same_arguments_are_compared_by_identity(new_entry, copying):
    token = object()
    x = np.arange(4, dtype="i8")
    variant = copying(
        (SameArgument(None), described(x), SameArgument(True), SameArgument(token)),
        (OutputArray(x.dtype, (4,)),),
        32,
    )
    entry = new_entry()
    entry_add_variant(entry, variant)
    assert entry(None, x, True, token).tolist() == [0, 1, 2, 3]
    for arguments in ((0, x, True, token), (None, x, 1, token), (None, x, True, object())):
        assert is_slow(entry(*arguments))


def test_outputs_of_every_kind(new_entry, copying):
    x, y = np.arange(6, dtype="f8").reshape(2, 3), np.zeros(2)
    kinds = (
        OutputArgument(1),
        OutputArray(x.dtype, (3, 2), (8, 24)),
        OutputSame(1),
        OutputArgument(0),
    )
    entry = new_entry()
    entry_add_variant(entry, copying((described(x), described(y)), kinds, 48, form=tuple_of(4)))
    result = entry(x, y)
    assert type(result) is tuple and result[0] is y and result[3] is x and result[1] is result[2]
    np.testing.assert_array_equal(result[1], x.T)
    assert result[1].strides == (8, 24)


@pytest.mark.parametrize("dtype", ["f4", "f8", "i4", "i8", "u1", "?"])
def test_a_scalar_output_is_a_numpy_scalar(new_entry, copying, runtime, dtype):
    x = np.array([5], dtype)
    entry = new_entry()
    entry_add_variant(entry, copying((described(x),), (OutputScalar(x.dtype),), x.itemsize))
    gc.collect()
    live = runtime.statistics()["live_bytes"]
    result = entry(x)
    assert type(result) is x.dtype.type and result == x[0]
    gc.collect()
    assert runtime.statistics()["live_bytes"] == live


@pytest.mark.parametrize("shape", [(0,), (3, 0, 2), (), (1,), (1, 1, 1)])
def test_shapes_without_or_with_one_element(new_entry, copying, shape):
    x = np.ones(shape, "f4")
    entry = new_entry()
    entry_add_variant(entry, copying((described(x),), (OutputArray(x.dtype, shape),), x.nbytes))
    result = entry(x)
    assert type(result) is np.ndarray and result.shape == shape and (result == x).all()
    assert entry_calls(entry) == (1, 0)


def test_a_guard_on_a_name_in_a_namespace(new_entry, add_variant):
    first, second = object(), object()
    namespace = {"scale": first}
    guards = (Guard(first, mapping=namespace, key="scale"), Guard(ABSENT, mapping=namespace, key="missing"))
    entry = new_entry()
    entry_add_variant(entry, add_variant(X, guards=guards))
    assert not is_slow(entry(X, 1.0))
    namespace["scale"] = second
    assert is_slow(entry(X, 1.0))
    namespace["scale"] = first
    assert not is_slow(entry(X, 1.0))
    namespace["missing"] = None
    assert is_slow(entry(X, 1.0))
    namespace.clear()
    assert is_slow(entry(X, 1.0))


def test_a_guard_on_a_closures_cell(new_entry, add_variant):
    first, second = object(), object()
    cell, empty = types.CellType(first), types.CellType()
    entry = new_entry()
    guards = native_guards(
        [TracedGuard(cell, None, first, GuardKind.CELL), TracedGuard(empty, None, MISSING, GuardKind.CELL)]
    )
    entry_add_variant(entry, add_variant(X, guards=guards))
    assert not is_slow(entry(X, 1.0))
    cell.cell_contents = second
    assert is_slow(entry(X, 1.0))
    cell.cell_contents = first
    empty.cell_contents = None
    assert is_slow(entry(X, 1.0))
    del empty.cell_contents
    assert not is_slow(entry(X, 1.0))


def test_a_guard_on_all_items_of_a_dict(new_entry, add_variant):
    first, second = object(), object()
    items = {"a": first, 2: second}
    entry = new_entry()
    entry_add_variant(entry, add_variant(X, guards=(ItemsGuard(items, ("a", first, 2, second)),)))
    assert not is_slow(entry(X, 1.0))
    items["a"] = items.pop("a")  # the same items in another order
    assert is_slow(entry(X, 1.0))
    items[2] = items.pop(2)
    assert not is_slow(entry(X, 1.0))
    items[2] = first
    assert is_slow(entry(X, 1.0))
    items[2] = second
    items["c"] = second
    assert is_slow(entry(X, 1.0))


def test_a_guard_on_words(new_entry, add_variant):
    owners = [types.CellType(number) for number in range(5)]
    guards = native_guards([TracedGuard(each, None, each.cell_contents, GuardKind.CELL) for each in owners])
    for count in range(1, 6):
        entry = new_entry()
        entry_add_variant(entry, add_variant(X, guards=guards[:count]))
        assert not is_slow(entry(X, 1.0))
        for each in owners[:count]:
            kept, each.cell_contents = each.cell_contents, "another"
            assert is_slow(entry(X, 1.0))
            each.cell_contents = kept
        assert not is_slow(entry(X, 1.0))


def test_hidden_inputs_are_read_at_each_call(new_entry, copying):
    x, hidden = np.zeros(3), np.arange(4.0)
    entry = new_entry()
    variant = copying((described(x),), (OutputArray(hidden.dtype, (4,)),), 32, hidden=(hidden,), source=1)
    entry_add_variant(entry, variant)
    assert entry(x).tolist() == [0, 1, 2, 3]
    hidden *= 10
    assert entry(x).tolist() == [0, 10, 20, 30]
    hidden.resize(5, refcheck=False)
    assert is_slow(entry(x))


def test_written_arguments(new_entry, runtime, kernels):
    """f(x, y): x[:] = y + 1 in place, returned."""
    memory = np.arange(300, dtype="f4")
    x, y = memory[:100], memory[100:200]
    slots = (At(1), At(0), 100, 100, 0x3F800000)
    plan = bound_plan(("add_scalar",), 2, 2, 0, (launch(0, slots, 1),), ())
    program = runtime.encode(plan, [kernels.address("add_scalar")])
    entry = new_entry()
    entry_add_variant(entry, Variant((described(x, True), described(y)), program, (OutputArgument(0),)))
    assert entry(x, y) is x
    np.testing.assert_array_equal(x, np.arange(101, 201))
    assert is_slow(entry(memory[50:150], y)), "a partial overlap"
    assert is_slow(entry(memory[199:299], y)), "one element"
    assert is_slow(entry(x, x))
    assert not is_slow(entry(memory[200:300], y)), "neighbours do not overlap"
    fixed = x.copy()
    fixed.flags.writeable = False
    assert is_slow(entry(fixed, y)), "a read-only array is not written"
    assert entry_calls(entry) == (2, 4)


def test_overlap_counts_bytes_with_strides(new_entry, runtime):
    memory = np.zeros(100)
    backwards, forwards = memory[40:20:-1], memory[45:65]
    program = runtime.encode(bound_plan((), 2, 2, 0, (), ()), [])
    entry = new_entry()
    entry_add_variant(
        entry, Variant((described(backwards, True), described(forwards)), program, (OutputArgument(0),))
    )
    assert not is_slow(entry(backwards, forwards))
    assert not is_slow(entry(backwards, memory[41:61])), "begins where the other one ends"
    assert is_slow(entry(backwards, memory[40:60]))
    assert is_slow(entry(backwards, memory[2:22]))
    assert not is_slow(entry(backwards, memory[1:21]))


def test_a_hidden_input_that_overlaps_a_written_argument(new_entry, runtime):
    memory = np.zeros(20)
    x, hidden = memory[:10], memory[10:]
    program = runtime.encode(bound_plan((), 2, 2, 0, (), ()), [])
    entry = new_entry()
    variant = Variant((described(x, True),), program, (OutputArgument(0),), hidden=(hidden,))
    entry_add_variant(entry, variant)
    assert entry(x) is x
    assert is_slow(entry(memory[5:15]))


@pytest.mark.parametrize(
    ("shape", "strides", "itemsize", "expected"),
    [
        ((3,), (8,), 8, (0, 24)),
        ((3,), (-8,), 8, (-16, 8)),
        ((2, 3), (-24, 8), 8, (-24, 24)),
        ((0, 5), (8, 8), 8, (0, 0)),
        ((), (), 4, (0, 4)),
        ((4,), (0,), 4, (0, 4)),
    ],
)
def test_byte_ranges(shape, strides, itemsize, expected):
    assert byte_range(shape, strides, itemsize) == expected
