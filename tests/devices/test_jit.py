"""Jitted functions on devices: what moves, what stays, what is written back."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.runtime.discovery import registry
from jitframe.tensors import segments as parts
from tests.devices.conftest import live_bytes
from tests.devices.test_transfers import traffic

WEIGHTS = np.full(4, 2, np.float32)


def array() -> np.ndarray:
    return (np.arange(12, dtype=np.float32).reshape(3, 4) - 2) / 4


def _whole(x: Any) -> Any:
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def _several(x: Any) -> Any:
    return {"sum": x.sum(), "rows": [x[0], x[1] * 2], "count": x.shape[0], "none": None}


def _written(x: Any) -> Any:
    x[1:] *= 2
    x[0] = x[1]
    return x.sum(axis=0)


def _views(x: Any) -> Any:
    y = x * 1
    return y, y[1], y.T[::2], x[0]


def _transposed(x: Any) -> Any:
    return x.T + 1, np.sqrt(np.abs(x)).T


def _reads_global(x: Any) -> Any:
    return x * WEIGHTS + np.array([1, 2, 3, 4], np.float32)


def _loop(x: Any) -> Any:
    y = jf.fori_loop(0, 3, lambda k, y: y * x + k, x)
    return jf.cond(y[0, 0] > 0, lambda z: z + 1, lambda z: z - 1, y)


def _number(x: Any) -> Any:
    return float(x.shape[0]) * x, x.ndim


FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    function.__name__.strip("_"): function
    for function in (_whole, _several, _written, _views, _transposed, _reads_global, _loop, _number)
}


def flat(result: Any) -> list[Any]:
    if isinstance(result, dict):
        return [leaf for key in sorted(result) for leaf in flat(result[key])]
    if isinstance(result, (list, tuple)):
        return [leaf for member in result for leaf in flat(member)]
    return [result]


def same(found: Any, right: Any) -> None:
    if isinstance(right, (np.ndarray, np.generic, jf.Tensor)):
        np.testing.assert_allclose(np.asarray(found), np.asarray(right), rtol=2e-6, atol=1e-6)
    else:
        assert found == right


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS.keys())
def test_ndarrays_in_ndarrays_out(function: Callable[[Any], Any], device: str, nothing_leaks: None) -> None:
    given, plain = array(), array()
    there = jf.jit(function, device=device)
    expected = function(plain)
    for _ in range(2):
        result = there(given)
        for found, right in zip(flat(result), flat(expected), strict=True):
            assert type(found) is type(right)
            same(found, right)
            if isinstance(right, np.ndarray):
                assert found.strides == right.strides
                assert found.flags.writeable
        same(given, plain)
        expected = function(plain)
    assert there.stats()["traces"] == 1


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS.keys())
@pytest.mark.parametrize("named", [True, False], ids=["device=", "by the Tensor"])
def test_tensors_in_tensors_out(
    function: Callable[[Any], Any], named: bool, device: str, nothing_leaks: None
) -> None:
    x, plain = jf.asarray(array(), device=device), jf.asarray(array())
    there = jf.jit(function, device=device) if named else jf.jit(function)
    for _ in range(2):
        result, expected = there(x), jf.jit(function)(plain)
        for found, right in zip(flat(result), flat(expected), strict=True):
            same(found, right)
            if isinstance(right, jf.Tensor):
                assert found.device == device
        same(x, plain)
    assert x.device == device
    assert there.stats()["traces"] == 1


def test_tensors_of_the_host_move_where_they_are_told_to(device: str, nothing_leaks: None) -> None:
    x = jf.asarray(array())
    result = jf.jit(lambda x: x * 2, device=device)(x)
    assert (result.device, x.device) == (device, "cpu")
    same(result, array() * 2)
    result = jf.jit(_written, device=device)(x)
    assert (result.device, x.device) == (device, "cpu"), "what is written to stays where it is"
    plain = array()
    same(result, _written(plain))
    same(x, plain)
    back = jf.jit(_whole, device="cpu")(jf.asarray(array(), device=device))
    assert back.device == "cpu"


def test_data_stays_on_the_device() -> None:
    x = jf.asarray(array(), device="interpreter")
    step = jf.jit(lambda x: x * 2 + 1)
    traffic("interpreter")
    for _ in range(3):
        x = step(x)
    x[0] = step(x[0])
    step(x)
    assert traffic("interpreter") == []
    x.numpy()
    assert traffic("interpreter") == [("down", 48)]


def test_what_the_trace_made_is_moved_once() -> None:
    x = jf.asarray(array(), device="interpreter")
    made = jf.jit(lambda x: x + np.array([1, 2, 3, 4], np.float32))
    made(x)
    traffic("interpreter")
    made(x)
    assert traffic("interpreter") == []


def test_arrays_read_from_outside_are_read_at_each_call(device: str, nothing_leaks: None) -> None:
    weights = np.ones(4, np.float32)
    scaled = jf.jit(lambda x: x * weights, device=device)
    same(scaled(array()), array())
    weights[:] = 3
    same(scaled(array()), array() * 3)
    assert scaled.stats()["traces"] == 1


def test_tensors_read_from_outside_follow(device: str, nothing_leaks: None) -> None:
    weights = jf.asarray(np.full(4, 2, np.float32))
    scaled = jf.jit(lambda x: x * weights)
    same(scaled(jf.asarray(array(), device=device)), array() * 2)
    weights += 1
    same(scaled(jf.asarray(array(), device=device)), array() * 3)
    there = jf.asarray(np.full(4, 5, np.float32), device=device)
    same(jf.jit(lambda x: x * there)(array()), array() * 5)


def test_one_function_on_several_devices(device: str) -> None:
    function = jf.jit(lambda x, y: np.sqrt(x * x + y))
    for name in ("cpu", device, "interpreter:2", "cpu", device):
        x = jf.asarray(array(), device=name)
        result = function(x, np.ones(4, np.float32))
        assert result.device == name
        same(result, np.sqrt(array() ** 2 + 1))
    assert function(array(), 1.0).dtype == np.float32
    assert function.stats()["traces"] == 2 + len({"cpu", device, "interpreter:2"}) - 1


def test_overlapping_arguments_are_written_back_as_numpy_has_it(device: str, nothing_leaks: None) -> None:
    def shift(x: Any, y: Any) -> None:
        x[...] = y + 1
        y *= 2

    memory, plain = array().ravel(), array().ravel()
    jf.jit(shift, device=device)(memory[:-1], memory[1:])
    shift(plain[:-1], plain[1:])
    same(memory, plain)
    wide, right = array(), array()
    jf.jit(_written, device=device)(wide.T[::-1])
    _written(right.T[::-1])
    same(wide, right)


def test_numbers_are_read_at_each_call(device: str) -> None:
    function = jf.jit(lambda x, a, n: x * a + n, device=device)
    for a, n in ((2.0, 1), (0.25, 7), (-3.5, -2)):
        same(function(array(), a, n), array() * np.float32(a) + n)
    assert function.stats()["traces"] == 1


def test_a_trace_has_one_device() -> None:
    inside = {
        "to_device": jf.jit(lambda x: x.to_device("interpreter:1")),
        "zeros": jf.jit(lambda x: x + jf.zeros(3, device="interpreter:1")),
    }
    x = jf.asarray([1.0, 2.0, 3.0], device="interpreter")
    messages = {}
    for name, function in inside.items():
        with pytest.raises(jf.errors.UnsupportedError) as caught:
            function(x)
        messages[name] = caught.value.message
    assert messages == {
        "to_device": "to_device('interpreter:1') inside a jitted function, which runs on interpreter; move "
        "arrays before the call, or its results after it",
        "zeros": "zeros: device='interpreter:1' inside a jitted function, which runs on interpreter; make "
        "the array outside and pass it as an argument",
    }
    assert jf.jit(lambda x: x.to_device("interpreter") + jf.zeros(3, device="interpreter"))(x).tolist() == [
        1,
        2,
        3,
    ]
    assert jf.jit(lambda x: (x * 2, x.device))(x)[1] == "interpreter"


def test_an_error_leaves_arguments_as_they_were() -> None:
    def doubled(x: Any) -> Any:
        x *= 2
        return np.broadcast_to(x[:1], (5000,)) + 1.0

    memory = np.ones(3000)
    with jf.backends.fake("small", memory_bytes=1 << 16, largest_buffer=1 << 15):
        before = registry.device("small").statistics().live
        with pytest.raises(jf.errors.OutOfMemoryError):
            jf.jit(doubled, device="small")(memory)
        assert (memory == 1).all()
        assert registry.device("small").statistics().live == before


def test_numbers_of_a_trace_take_dtypes_that_the_device_has() -> None:
    def function(x: Any, n: Any, a: Any) -> Any:
        k = 3 if isinstance(n, int) else 4
        made = np.zeros(3)
        made[1] = n
        return (
            x * (int(a) + float(n) * k),
            n / 2,
            n // 2,
            a * 2,
            made,
            np.arange(3),
            np.array([a, n]),
            n > 2,
            3 * n,
        )

    results = jf.jit(function, device="interpreter:1")(np.ones(3, np.float32), 5, 2.5)
    dtypes = ["float32", "float", "int", "float", "float32", "int32", "float32", "bool", "int"]
    assert [str(getattr(each, "dtype", type(each).__name__)) for each in results] == dtypes
    wanted = function(np.ones(3, np.float32), 5, 2.5)
    assert [np.asarray(each).tolist() for each in results] == [np.asarray(each).tolist() for each in wanted]
    with pytest.raises(OverflowError, match="Python integer 4294967296 out of bounds for int32"):
        jf.jit(lambda x, n: x + n, device="interpreter:1")(np.ones(3, np.float32), 1 << 32)


def test_arguments_that_were_not_computed_yet_are_computed_together(monkeypatch: pytest.MonkeyPatch) -> None:
    x = jf.asarray(np.ones(3, np.float32), device="interpreter")
    runs = []
    run = parts.Part.run
    monkeypatch.setattr(parts.Part, "run", lambda *given: runs.append(given) or run(*given))
    shared = jf.exp(x)
    result = jf.jit(lambda a, b: a + b)(shared * 2, shared * 3)
    np.testing.assert_allclose(result.numpy(), np.exp(np.ones(3)) * 5, rtol=1e-6)
    assert len(runs) == 1


def test_arguments_of_the_first_call_do_not_wait_for_garbage_collection(device: str) -> None:
    found = registry.device(device)
    before = live_bytes(found)
    gc.disable()
    try:
        x = jf.asarray(array(), device=device)
        double = jf.jit(lambda x: x * 2)
        y = double(x)
        del x, y
        assert found.statistics().live == before
    finally:
        gc.enable()


def test_clear_lets_devices_forget_their_kernels(device: str) -> None:
    def ready() -> int:
        with registry.device(device).using() as driver:
            count = getattr(driver, "kernel_count", None)
            if count is None:
                pytest.skip("it keeps no kernels")
            return int(count())

    jitted = jf.jit(lambda x: np.sqrt(x) * 3 + 0.5, device=device)
    x = np.ones(7, np.float32)
    kept = jitted(x)
    assert ready() > 0
    compiled = jf.cache.stats()["compiled"]
    jf.clear()
    assert ready() == 0
    for each in (kept, jitted(x)):
        np.testing.assert_array_equal(np.asarray(each), x * 3 + np.float32(0.5))
    assert jf.cache.stats()["compiled"] == compiled
