"""Arrays on pool buffers: owned like NumPy's own, alive as long as anything sees them, freed wherever."""

from __future__ import annotations

import ctypes
import gc
import pickle
import threading

import numpy as np
import pytest

from jitframe.runtime.cpu.entry.arguments import ArrayArgument, FloatArgument
from jitframe.runtime.cpu.entry.callables import entry_add_variant, make_entry, native_entry_works
from jitframe.runtime.cpu.entry.variant import OutputArray, Variant
from jitframe.runtime.cpu.native_library.layout import array_layout
from tests.plan.bound import alloc, bound_plan, launch
from tests.runtime_cpu.sample_kernels import add_scalar_slots

pytestmark = pytest.mark.skipif(
    not native_entry_works(), reason="the native entry is off or does not work here"
)

MAKE = """
def adder(n):
    x = np.arange(n, dtype="f4")
    steps = (alloc(1, 4 * n), launch(0, sample_kernels.add_scalar_slots(n, 64), -(-n // 64)))
    plan = bound_plan(("add_scalar",), 2, 1, 1, steps, (1,))
    program = runtime.encode(plan, [kernels.address("add_scalar")])
    entry = make_entry("add", lambda *args: "slow")
    arguments = (ArrayArgument(x.dtype, x.shape, x.strides), FloatArgument(0, "f32"))
    entry_add_variant(entry, Variant(arguments, program, (OutputArray(x.dtype, x.shape),)))
    return entry, x
"""


@pytest.fixture
def adder(runtime, kernels):
    """A native `x + s` on n elements, with an x for it."""

    def make(n: int):
        x = np.arange(n, dtype="f4")
        steps = (alloc(1, 4 * n), launch(0, add_scalar_slots(n, 64), -(-n // 64)))
        program = runtime.encode(
            bound_plan(("add_scalar",), 2, 1, 1, steps, (1,)), [kernels.address("add_scalar")]
        )
        entry = make_entry("add", lambda *args: "slow")
        arguments = (ArrayArgument(x.dtype, x.shape, x.strides), FloatArgument(0, "f32"))
        entry_add_variant(entry, Variant(arguments, program, (OutputArray(x.dtype, x.shape),)))
        return entry, x

    gc.collect()
    faults = runtime.statistics()["faults"]
    yield make
    assert runtime.statistics()["faults"] == faults


def handler_name(array: np.ndarray) -> str | None:
    return np._core.multiarray.get_handler_name(array)


def test_an_output_owns_its_memory(adder):
    entry, x = adder(1000)
    out = entry(x, 1.0)
    assert out.flags.owndata and out.flags.writeable and out.flags.aligned and out.base is None
    assert handler_name(out) == "jitframe_pool"
    assert out.ctypes.data % 64 == 0
    np.testing.assert_array_equal(out, x + 1)


def test_memory_goes_back_when_the_last_view_dies(adder, runtime):
    entry, x = adder(1000)
    before = runtime.statistics()["live_bytes"]
    out = entry(x, 1.0)
    view = out[10:20].reshape(2, 5).T
    del out
    assert runtime.statistics()["live_bytes"] == before + 4096
    assert view[0, 0] == 11
    del view
    assert runtime.statistics()["live_bytes"] == before


def test_outputs_are_fresh(adder):
    entry, x = adder(100)
    outs = [entry(x, float(k)) for k in range(50)]
    for k, out in enumerate(outs):
        np.testing.assert_array_equal(out, x + k)


def test_resize_in_place(adder, runtime):
    entry, x = adder(16)
    before = runtime.statistics()["live_bytes"]
    out = entry(x, 1.0)
    for n in (20, 5000, 3, 100_000, 0, 7):
        kept = min(len(out), n)
        expected = out[:kept].copy()
        out.resize(n, refcheck=False)
        np.testing.assert_array_equal(out[:kept], expected)
        assert (out[kept:] == 0).all()
    assert handler_name(out) == "jitframe_pool"
    del out
    assert runtime.statistics()["live_bytes"] == before


def test_pickle_copy_and_arithmetic(adder):
    entry, x = adder(300)
    out = entry(x, 2.0)
    again = pickle.loads(pickle.dumps(out, protocol=5))
    np.testing.assert_array_equal(again, out)
    np.testing.assert_array_equal(out.copy() * 2 + out.astype("f8"), 3 * (x + 2.0))
    assert handler_name(out.copy()) != "jitframe_pool"
    out += 1
    out.sort()
    assert memoryview(out)[0] == 3


def test_freed_in_another_thread(adder, runtime):
    entry, x = adder(1000)
    before = runtime.statistics()["live_bytes"]
    held = [entry(x, 1.0) for _ in range(20)]

    def drop():
        while held:
            held.pop()

    thread = threading.Thread(target=drop)
    thread.start()
    thread.join()
    assert runtime.statistics()["live_bytes"] == before


def test_an_array_outlives_its_function_and_its_runtime_module(in_subprocess):
    out = in_subprocess(
        MAKE
        + """
import gc, sys
entry, x = adder(100_000)
out = entry(x, 1.0)
view = out[5:]
del entry, runtime, kernels, out
for name in [name for name in sys.modules if name.startswith("jitframe")]:
    del sys.modules[name]
gc.collect()
print(float(view.sum()) == float((x[5:] + 1).sum()))
import builtins
builtins.kept_to_the_end = view
"""
    )
    assert out.split() == ["True"]


def test_an_array_of_the_parent_lives_and_dies_in_the_child(in_subprocess):
    out = in_subprocess(
        MAKE
        + """
import os
entry, x = adder(50_000)
out = entry(x, 1.0)
child = os.fork()
if child == 0:
    ok = bool((out == x + 1).all())
    more = entry(out, 2.0)
    ok = ok and bool((more == x + 3).all())
    del out, more
    again = entry(x, 4.0)
    os._exit(0 if ok and bool((again == x + 4).all()) else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), bool((out == x + 1).all()))
"""
    )
    assert out.split() == ["0", "True"]


def test_without_the_handler_field_a_capsule_is_the_base(in_subprocess):
    """The portable form: what a NumPy with another layout would get."""
    out = in_subprocess(
        MAKE
        + """
from jitframe.runtime.cpu.native_library.layout import write_word
write_word(runtime.library.field("python", "array_handler_offset"), 0)
entry, x = adder(1000)
before = runtime.statistics()["live_bytes"]
out = entry(x, 1.0)
print(type(out.base).__name__, out.flags.owndata, bool((out == x + 1).all()))
view = out[3:]
del out
print(runtime.statistics()["live_bytes"] - before)
del view
print(runtime.statistics()["live_bytes"] - before)
"""
    )
    assert out.split() == ["PyCapsule", "False", "True", "4096", "0"]


def test_the_layout_of_arrays_is_verified():
    layout = array_layout()
    assert layout.known
    array = np.empty(100)
    capsule = ctypes.c_void_p.from_address(id(array) + layout.handler_offset).value
    assert ctypes.pythonapi.PyCapsule_IsValid(ctypes.c_void_p(capsule), b"mem_handler") == 1


def test_a_buffer_handed_over_to_an_array(runtime):
    gc.collect()
    before = runtime.statistics()["live_bytes"]
    buffer = runtime.allocate(48)
    address = buffer.address
    array = buffer.into_ndarray("f8", (2, 3), (8, 16))
    assert array.flags.owndata and array.flags.f_contiguous and array.ctypes.data == address
    assert handler_name(array) == "jitframe_pool"
    with pytest.raises(ValueError, match="does not fit into 48 bytes"):
        buffer.into_ndarray("f8", (2, 3))
    del buffer
    assert runtime.statistics()["live_bytes"] == before + 64
    del array
    assert runtime.statistics()["live_bytes"] == before
    for shape, strides in (((7,), None), ((2,), (48,)), ((2,), (-8,))):
        with pytest.raises(ValueError, match="does not fit into 48 bytes"):
            runtime.allocate(48).into_ndarray("f8", shape, strides)


def test_buffers_as_arrays(runtime):
    gc.collect()
    buffer = runtime.allocate(48)
    array = buffer.ndarray("f8", (2, 3))
    array[:] = 5
    assert array.flags.writeable and array.ctypes.data == buffer.address
    fixed = buffer.ndarray(np.dtype("f4"), (2,), strides=(8,), offset=4, readonly=True)
    assert not fixed.flags.writeable and fixed.ctypes.data == buffer.address + 4
    before = runtime.statistics()["live_bytes"]
    del buffer, fixed
    gc.collect()
    assert runtime.statistics()["live_bytes"] == before and (array == 5).all()
    del array
    gc.collect()
    assert runtime.statistics()["live_bytes"] == before - 64
    with pytest.raises((ValueError, TypeError)):
        runtime.allocate(8).ndarray("f8", (2,))
    assert runtime.allocate(0).ndarray("f4", (0, 3)).shape == (0, 3)
