"""Calls of the native entry and its twin in Python: references, threads, exceptions, collection."""

from __future__ import annotations

import gc
import sys
import threading
import types
import weakref

import numpy as np
import pytest

from jitframe.runtime.cpu.entry.arguments import FloatArgument, SameArgument
from jitframe.runtime.cpu.entry.callables import (
    entry_add_variant,
    entry_calls,
    entry_clear,
    make_entry,
    native_entry_works,
)
from jitframe.runtime.cpu.entry.native_entry import native_entry_class
from jitframe.runtime.cpu.entry.variant import OutputArgument, OutputArray, OutputSame, Variant, tuple_of
from jitframe.tracing.environment.guards import Guard as TracedGuard
from jitframe.tracing.environment.guards import GuardKind
from jitframe.tracing.native.guards import native_guards
from tests.plan.bound import alloc, bound_plan, launch
from tests.runtime_cpu.sample_kernels import add_scalar_slots
from tests.runtime_cpu.support import described, is_slow
from tests.threads import at_once

X = np.arange(100, dtype="f4")


def test_exceptions_of_the_slow_callable_and_of_the_run(new_entry, runtime):
    def failing(*args):
        raise LookupError("from the slow callable")

    x = np.zeros(3)
    entry = new_entry(failing)
    with pytest.raises(LookupError, match="from the slow callable"):
        entry(x)
    program = runtime.encode(bound_plan((), 2, 1, 0, (alloc(1, 1 << 60),), (1,)), [])
    entry_add_variant(entry, Variant((described(x),), program, (OutputArray(x.dtype, (3,)),)))
    with pytest.raises(MemoryError):
        entry(x)


@pytest.mark.parametrize("release_gil", [False, True])
def test_references_are_stable_over_many_calls(new_entry, release_gil, runtime, kernels):
    x, token, hidden = np.arange(16, dtype="f4"), object(), np.zeros(2)
    namespace, cell = {"token": token}, types.CellType(token)
    steps = (alloc(2, 64), launch(0, add_scalar_slots(16, 16, 0, 2), 1))
    arguments = (described(x), FloatArgument(0, "f32"), SameArgument(token))
    outputs = (OutputArray(x.dtype, (16,)), OutputArgument(0), OutputSame(0))
    program = runtime.encode(
        bound_plan(("add_scalar",), 3, 2, 1, steps, (2,)), [kernels.address("add_scalar")]
    )
    guards = native_guards([
        TracedGuard(namespace, "token", token),
        TracedGuard(namespace, None, ("token", token), GuardKind.ITEMS),
        TracedGuard(cell, None, token, GuardKind.CELL),
    ])  # fmt: skip
    entry = new_entry(lambda *args: args[0])
    variant = Variant(arguments, program, outputs, guards, (hidden,), tuple_of(3), release_gil=release_gil)
    entry_add_variant(entry, variant)
    value = 1.25
    watched = (x, token, hidden, namespace, cell, value, x.dtype, entry, variant)
    count = 100_000

    def measured():
        gc.collect()
        return [sys.getrefcount(thing) for thing in watched], runtime.statistics()["live_bytes"]

    entry(x, value, token)
    before = measured()
    for _ in range(count):
        entry(x, value, token)
        entry(x, 1)
    assert measured() == before
    assert entry_calls(entry) == (count + 1, count)


def test_an_entry_and_what_it_holds_are_collected(new_entry, add_variant):
    """Also in a cycle: the slow callable usually refers to the entry."""

    class Token:
        pass

    token = Token()
    holder = []
    entry = new_entry(lambda *args: holder)
    holder.append(entry)
    entry_add_variant(entry, add_variant(X))
    entry.token = token
    gone = weakref.ref(token)
    holder = token = entry = None
    gc.collect()
    assert gone() is None


def test_a_base_gives_methods_and_binding(new_entry, add_variant):
    class Jitted:
        """Documented."""

        def describe(self):
            return f"jitted {self.__name__}"

        def __get__(self, instance, owner=None):
            return self if instance is None else types.MethodType(self, instance)

    entry = new_entry(base=Jitted)
    assert (
        entry.describe() == "jitted sample"
        and isinstance(entry, Jitted)
        and type(entry).__doc__ == "Documented."
    )
    holder = type("Holder", (), {"method": entry})()
    assert holder.method(1)[1] == (holder, 1)
    entry_add_variant(entry, add_variant(X))
    assert not is_slow(entry(X, 1.0))


def test_calls_of_one_entry_from_many_threads(new_entry, add_variant):
    x = np.arange(20_000, dtype="f4")
    entry = new_entry()
    entry_add_variant(entry, add_variant(x, release_gil=True))

    def work(value):
        for k in range(100):
            np.testing.assert_array_equal(entry(x, float(value + k)), x + np.float32(value + k))
            if k % 10 == 0:
                entry(None)

    at_once(work, 4)
    assert entry_calls(entry) == (400, 40)


def test_a_variant_can_be_added_and_dropped_while_calls_run(new_entry, add_variant):
    x = np.arange(200_000, dtype="f4")
    entry = new_entry(lambda *args: "slow")
    stop = threading.Event()
    wrong = []

    def work():
        while not stop.is_set():
            result = entry(x, 1.0)
            if isinstance(result, np.ndarray) and result[-1] != x[-1] + 1:
                wrong.append(1)

    caller = threading.Thread(target=work)
    caller.start()
    for _ in range(25):
        entry_add_variant(entry, add_variant(x, release_gil=True))
        entry_clear(entry)
        gc.collect(1)  # the young ones: what was dropped just now
    stop.set()
    caller.join()
    assert not wrong


VARIANT_ERRORS = {
    "2 arrays for a program of 1 inputs": {
        "arguments": (described(X), described(X), FloatArgument(0, "f32"))
    },
    "scalars [] for a program of 1": {"arguments": (described(X),)},
    "0 new outputs for a program of 1": {"outputs": (OutputArgument(0),)},
    "output 0 is the same as 0, which does not come before it": {
        "outputs": (OutputSame(0), OutputArray(X.dtype, X.shape)),
        "form": tuple_of(2),
    },
    "output 1 is argument 2 of 2": {
        "outputs": (OutputArray(X.dtype, X.shape), OutputArgument(2)),
        "form": tuple_of(2),
    },
    "1 outputs for 2 places": {"form": tuple_of(2)},
    "buffers (1,) of 1 new outputs": {"buffers": (1,)},
    "places (0, 0) of 2 arguments": {"places": (0, 0)},
}


@pytest.mark.parametrize("message", VARIANT_ERRORS)
def test_a_variant_that_does_not_fit_its_program_is_refused(add_program, message):
    values = {
        "arguments": (described(X), FloatArgument(0, "f32")),
        "program": add_program(100),
        "outputs": (OutputArray(X.dtype, X.shape),),
    }
    with pytest.raises(ValueError) as caught:
        Variant(**{**values, **VARIANT_ERRORS[message]})
    assert str(caught.value) == message


@pytest.mark.more
def test_the_native_entry_can_be_turned_off(in_subprocess):
    text = """
    from jitframe.runtime.cpu.entry.callables import entry_calls
    entry = make_entry("f", lambda *args, **options: (args, options))
    print(entry(1, by=2), entry_calls(entry), hasattr(entry, "_memory"))
    """
    answered = "((1,), {'by': 2}) (0, 1)"
    assert in_subprocess(text, JITFRAME_NATIVE_ENTRY="off").strip() == f"{answered} False"
    assert in_subprocess(text).strip() == f"{answered} {native_entry_works()}"


def test_an_entry_without_its_init_does_not_crash():
    if not native_entry_works():
        pytest.skip("the native entry is off or does not work here")
    kind = native_entry_class()
    raw = kind.__new__(kind)
    with pytest.raises(TypeError):
        raw(1)


def test_the_native_entry_is_what_this_platform_gets():
    """CPython 3.11 to 3.13 with a GIL on x86-64 Linux must not fall back without anyone noticing."""
    if sys.platform != "linux" or "t" in sys.abiflags:
        pytest.skip("not a platform that was tested")
    assert isinstance(make_entry("f", print), native_entry_class())
    assert native_entry_works()
