"""Calls with Tensors that the native entry answers, and those that it leaves to Python."""

from __future__ import annotations

import gc
import sys
import threading

import numpy as np
import pytest

import jitframe as jf
from jitframe.runtime.cpu.entry.callables import entry_calls

WARM = 40
"""Calls after which a variant has been made."""


def warm(function, *arguments):
    for _ in range(WARM):
        function(*arguments)
    return function


def is_native(function, *arguments) -> bool:
    before = entry_calls(function)[0]
    function(*arguments)
    return entry_calls(function)[0] == before + 1


def tensor(*shape, dtype="f8", order="C"):
    values = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
    return jf.asarray(np.asarray(values, order=order))


DTYPES = ("b1", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16")


def test_tensors_of_every_dtype_come_back_as_tensors():
    function = jf.jit(lambda x, y: (x + y, x))
    for dtype in DTYPES:
        x, y = tensor(2, 3, dtype=dtype), tensor(3, dtype=dtype)
        warm(function, x, y)
        total, same = function(x, y)
        assert is_native(function, x, y), dtype
        assert type(total) is jf.Tensor and same is x
        assert total.dtype == (x + y).dtype and total.shape == (2, 3) and total.base is None
        np.testing.assert_array_equal(total.numpy(), x.numpy() + y.numpy())
        np.testing.assert_array_equal((total * 2).numpy(), (x.numpy() + y.numpy()) * 2)  # used lazily
        total[:1] = 0
        assert not total.numpy()[0].any()  # it owns its memory


@pytest.mark.parametrize("shape", [(), (0,), (3, 0, 2), (1,), (4, 5)])
def test_shapes_scalars_and_orders(shape):
    function = jf.jit(lambda x: {"twice": x * 2, "sum": x.sum(), "list": [x.size]})
    for order in "CF":
        x = tensor(*shape, order=order)
        warm(function, x)
        assert is_native(function, x)
        made, expected = function(x), x * 2
        assert type(made["sum"]) is jf.Tensor and made["sum"].shape == () and made["list"] == [x.size]
        assert made["twice"]._strides == expected._strides
        np.testing.assert_array_equal(made["twice"].numpy(), expected.numpy())
        assert float(made["sum"]) == float(x.sum())


def test_values_of_other_layouts_and_kinds_are_not_taken_for_those_seen():
    function = jf.jit(lambda x, y: x * 2 + y)
    a = np.arange(6.0).reshape(2, 3)
    x = jf.asarray(a)
    warm(function, x, x)
    others = [
        (jf.asarray(np.asfortranarray(a)), x), (x, jf.asarray(a.astype("f4"))), (x, x.T.copy().T),
        (jf.asarray(np.ones((4, 3)))[1:3], x), (x + 1, x), (a, x), (a, a), (x, 2.0),
    ]  # fmt: skip
    for given in others:
        found = function(*given)
        expected = [np.asarray(each.numpy() if isinstance(each, jf.Tensor) else each) for each in given]
        assert isinstance(found, jf.Tensor) == any(isinstance(each, jf.Tensor) for each in given)
        np.testing.assert_array_equal(np.asarray(found), expected[0] * 2 + expected[1])
    assert is_native(function, x, x)


def test_a_tensor_written_between_calls_is_read_anew():
    function = jf.jit(lambda x: x + 1)
    x = jf.zeros(3)
    warm(function, x)
    x[1] = 5  # no value for now: the call asks for it
    np.testing.assert_array_equal(function(x).numpy(), [1, 6, 1])
    assert is_native(function, x)
    x += 1
    x.numpy()
    assert is_native(function, x)
    np.testing.assert_array_equal(function(x).numpy(), [2, 7, 2])


def test_what_waits_for_its_value_is_computed_and_answered_natively():
    function = jf.jit(lambda x, y: x * y)
    x = jf.asarray([1.0, 2.0])
    warm(function, x + 1, x)
    before = entry_calls(function)[0]
    for number in range(5):
        np.testing.assert_array_equal(function(x + number, x).numpy(), (x + number).numpy() * x.numpy())
    assert entry_calls(function)[0] == before + 5
    both = function(x + 7, x * 3)  # which are computed together
    np.testing.assert_array_equal(both.numpy(), [24, 54])
    with pytest.raises(jf.errors.ArgumentError):
        function(given_away(), x)


def given_away():
    x = jf.zeros(2)
    jf.jit(lambda x: x + 1, donate=0)(x)
    return x


def test_a_tensor_that_the_function_reads_is_watched():
    weights = jf.asarray([1.0, 2.0])
    function = jf.jit(lambda x: x * weights)
    a = np.ones(2)
    warm(function, a)
    assert is_native(function, a) and type(function(a)) is np.ndarray
    weights[:] = 3
    np.testing.assert_array_equal(function(a), [3, 3])
    warm(function, a)
    weights += 1
    weights.numpy()
    np.testing.assert_array_equal(function(a), [4, 4])


def test_writes_donations_views_and_results_that_show_an_argument_stay_as_they_are():
    def add_one(x):
        x += 1
        return x

    function, x = jf.jit(add_one), jf.zeros(2)
    warm(function, x)
    np.testing.assert_array_equal(x.numpy(), np.full(2, WARM))
    giving = jf.jit(lambda x: x + 1, donate=0)
    for _ in range(WARM):
        x = giving(x)
    np.testing.assert_array_equal(x.numpy(), np.full(2, 2 * WARM))
    kept = x
    giving(x)
    with pytest.raises(jf.errors.ArgumentError):
        kept.numpy()
    first, y = jf.jit(lambda x: x[:1]), jf.zeros(2)
    warm(first, y)
    shown = first(y)
    shown[0] = 7
    np.testing.assert_array_equal(y.numpy(), [7, 0])
    turned = jf.jit(lambda x: (x * 2).T)
    z = tensor(2, 3)
    warm(turned, z)
    assert turned(z)._strides == (z * 2).T._strides
    np.testing.assert_array_equal(turned(z).numpy(), (z.numpy() * 2).T)


def test_an_array_in_a_tensors_memory_is_not_written_to_natively():
    def fill(a, x):
        a[:] = x * 2
        return x.sum()

    function = jf.jit(fill)
    a, b = np.zeros(3), np.arange(3.0)
    x = jf.asarray(b, copy=False)
    warm(function, a, x)
    assert is_native(function, a, x)
    assert not is_native(function, b, x)


def test_monitored_devices_know_the_line_of_each_tensor():
    function, x = jf.jit(lambda x: x + 1), jf.ones(3)
    warm(function, x)
    cpu = jf.backends.get("cpu")
    cpu.monitor(True)
    try:
        assert not is_native(function, x)
        assert function(x)._line is not None
    finally:
        cpu.monitor(False)


def test_nothing_is_kept_and_nothing_lost():
    function, x = jf.jit(lambda x: [x + 1, x.sum()]), jf.ones(3)
    warm(function, x)
    value = x._value
    gc.collect()
    before = sys.getrefcount(value), sys.getrefcount(x), sys.getrefcount(jf.Tensor)
    for _ in range(100):
        function(x)
    assert (sys.getrefcount(value), sys.getrefcount(x), sys.getrefcount(jf.Tensor)) == before
    made = function(x)[0]
    assert sys.getrefcount(made._value) == sys.getrefcount((x + 1).block_until_ready()._value)
    assert gc.is_tracked(made)


def test_a_tensor_that_another_thread_replaces_keeps_its_array_for_the_run():
    function = jf.jit(lambda x: np.sqrt(np.exp(np.sin(x))).sum())
    x = jf.ones(20_000)
    expected = float(warm(function, x)(x))
    stop = threading.Event()

    def replace():
        while not stop.is_set():
            x._settle(np.ones(20_000))

    thread = threading.Thread(target=replace)
    thread.start()
    try:
        found = {float(function(x)) for _ in range(300)}
    finally:
        stop.set()
        thread.join()
    assert found == {expected}


def test_an_ndarray_shares_memory_with_the_tensor_that_shows_it():
    a = np.arange(4.0)
    x, y = jf.asarray(a, copy=False), jf.asarray(a)
    assert np.shares_memory(x, a) and np.may_share_memory(a, x)
    assert not np.shares_memory(y, a) and not jf.shares_memory(x + 1, a)
