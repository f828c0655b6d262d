"""Estimates of memory: equal to what the pool's peak rises by, on devices that are here for real."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.backends import Backend
from jitframe.errors import ArgumentError, DTypeError
from jitframe.runtime.cpu.execution.runtime import runtime
from jitframe.runtime.cpu.native_library.layout import write_word

from .test_limits import settle
from .test_memory import created

NAMES = ("cpu", "opencl", "webgpu")
X = jf.ArraySpec((300, 401), "float32")
SQUARE = jf.ArraySpec((200, 200), "float32")


@pytest.fixture(params=NAMES)
def backend(request: pytest.FixtureRequest) -> Backend:
    created(request.param).shutdown()
    return jf.backends.get(request.param)


def softmax(x: Any) -> Any:
    shifted = np.exp(x - x.max(axis=-1, keepdims=True))
    return shifted / shifted.sum(axis=-1, keepdims=True)


def temporaries(x: Any) -> Any:
    first = np.cumsum(np.sqrt(np.abs(x)), axis=1)
    return np.cumsum(first / first[:, -1:], axis=0), first.sum()


def layers(x: Any, y: Any) -> Any:
    return np.tanh(np.tanh(x @ y) @ y) + x.sum(axis=-1, keepdims=True)


def looping(x: Any) -> Any:
    return jf.fori_loop(0, 5, lambda step, held: np.cumsum(held, axis=0) * np.float32(0.5), x)


def until(x: Any) -> Any:
    return jf.while_loop(lambda held: held.sum() > 1, lambda held: np.cumsum(held, axis=1) * 0 + held / 4, x)


def deciding(x: Any) -> Any:
    return jf.cond(x.sum() > 0, lambda: np.cumsum(np.cumsum(x, axis=0), axis=1), lambda: x * 2)


def sorting(x: Any) -> Any:
    return np.sort(x, axis=-1), np.argsort(x[:10])


def positions(x: Any) -> Any:
    return x[np.argmax(x, axis=0) % 300] + 1


def nothing(x: Any) -> Any:
    return x


CASES: dict[str, tuple[Callable[..., Any], tuple[jf.ArraySpec, ...]]] = {
    "softmax": (softmax, (X,)),
    "temporaries": (temporaries, (X,)),
    "layers": (layers, (SQUARE, SQUARE)),
    "loop": (looping, (X,)),
    "while": (until, (X,)),
    "cond": (deciding, (X,)),
    "positions": (positions, (X,)),
    "nothing": (nothing, (X,)),
    "small": (softmax, (jf.ArraySpec((3, 5), "float32"),)),
}


def reset_peak(backend: Backend) -> int:
    """Lets the pool's peak begin anew; what is live."""
    settle()
    backend.device.synchronize()
    with backend.device.using() as driver:
        live = driver.statistics().live
        if backend.device.is_host:
            write_word(runtime().library.field("pool", "peak_bytes"), live)
        else:
            driver._pool._counts.peak = live  # type: ignore[attr-defined]
    return live


@pytest.mark.parametrize("name", CASES)
def test_the_peak_is_what_the_pool_sees(name: str, backend: Backend) -> None:
    function, specs = CASES[name]
    jitted = jf.jit(function)
    generator = np.random.default_rng(0)
    arrays = [generator.random(spec.shape).astype(spec.dtype) for spec in specs]
    if backend.name == "cpu":
        given: list[Any] = arrays
        estimate = jf.estimate_memory(jitted, *specs)["cpu"]
    else:
        given = [jf.asarray(array, device=backend.name) for array in arrays]
        there = [jf.ArraySpec(spec.shape, spec.dtype, backend.name) for spec in specs]
        estimate = jf.estimate_memory(jitted, *there)[backend.name]
    assert estimate.input_bytes == sum(array.nbytes for array in arrays)
    jitted(*given)
    live = reset_peak(backend)
    result = jitted(*given)
    assert backend.statistics().peak_bytes - live == estimate.peak_bytes
    assert jitted.stats()["traces"] == 1, "the call runs what was estimated"
    del result
    assert estimate.library_bytes == 0 or name == "layers"


@pytest.mark.parametrize("name", ["opencl", "webgpu"])
def test_ndarrays_are_moved_there_and_back(name: str) -> None:
    created(name).shutdown()
    backend = jf.backends.get(name)
    jitted = jf.jit(temporaries, device=name)
    estimates = jf.estimate_memory(jitted, X)
    x = np.random.default_rng(0).random(X.shape).astype(np.float32)
    jitted(x)
    live = reset_peak(backend)
    jitted(x)
    assert backend.statistics().peak_bytes - live == estimates[name].peak_bytes
    assert estimates[name].input_bytes == 0
    assert estimates["cpu"].input_bytes == x.nbytes and estimates["cpu"].peak_bytes == x.nbytes + 4


def test_nothing_is_allocated() -> None:
    before = runtime().statistics()
    huge = jf.ArraySpec((1 << 36,), "float32")
    estimate = jf.estimate_memory(lambda x, y: np.sqrt(x) + y, huge, y=huge)["cpu"]
    assert estimate.input_bytes == 1 << 39 and 1 << 38 <= estimate.peak_bytes <= (1 << 38) * 9 // 8
    after = runtime().statistics()
    assert (after["hits"], after["misses"]) == (before["hits"], before["misses"])


def test_functions_that_write_to_their_arguments() -> None:
    def update(x: Any, y: Any) -> None:
        x += np.cumsum(y, axis=0)

    estimate = jf.estimate_memory(update, X, X)["cpu"]
    x, y = np.ones(X.shape, np.float32), np.ones(X.shape, np.float32)
    jitted = jf.jit(update)
    jitted(x, y)
    live = reset_peak(jf.backends.get("cpu"))
    jitted(x, y)
    assert jf.backends.get("cpu").statistics().peak_bytes - live == estimate.peak_bytes


def test_libraries_are_a_bound_of_their_own() -> None:
    columns = jf.ArraySpec((24, 24), "float32")  # so few that no kernel of our own takes them of so few rows
    estimate = jf.estimate_memory(layers, jf.ArraySpec((60, 24), "float32"), columns)["cpu"]
    assert estimate.library_bytes == runtime().threads * (32 << 20)
    parts = estimate.input_bytes + estimate.peak_bytes + estimate.library_bytes
    assert estimate.total_bytes == parts


def test_specs_that_no_array_has() -> None:
    with pytest.raises(ArgumentError, match="an extent is a whole number from 0 on"):
        jf.estimate_memory(softmax, jf.ArraySpec((3, -1), "float32"))
    with pytest.raises(DTypeError, match="dtype='float31' is no dtype; give one such as 'float32'"):
        jf.estimate_memory(softmax, jf.ArraySpec((3,), "float31"))
    with pytest.raises(jf.errors.UnsupportedError, match="arrays of complex256 are not supported"):
        jf.estimate_memory(softmax, jf.ArraySpec((3,), "complex256"))
    with pytest.raises(ArgumentError, match="has no place in this process's addresses"):
        jf.estimate_memory(softmax, jf.ArraySpec((1 << 60,), "float32"))
    with pytest.raises(jf.errors.BackendError, match="there is no device"):
        jf.estimate_memory(softmax, jf.ArraySpec((3,), "float32", "nowhere"))


# Language models -------------------------------------------------------------------------------------------
def test_published_figures() -> None:
    """Llama 2 7B has 6,738,415,616 parameters: 13.48 GB in 16 bits; its cache takes 512 KiB a position.
    Llama 3 8B has 8,030,261,248, with 8 heads of keys: 128 KiB a position."""
    llama_2 = jf.estimate_inference_memory(4096, 11008, 32, 32000, 32, 32, 4096, 2)
    assert llama_2.parameters == 6_738_415_616
    assert llama_2.weights == 13_476_831_232 and llama_2.kv_cache == 4096 * (512 << 10)
    llama_3 = jf.estimate_inference_memory(4096, 14336, 32, 128256, 32, 8, 8192, 2)
    assert llama_3.parameters == 8_030_261_248 and llama_3.kv_cache == 8192 * (128 << 10)


def test_widths_and_batches() -> None:
    whole = jf.estimate_inference_memory(4096, 11008, 32, 32000, 32, 32, 2048, 2, batch=4)
    quarter = jf.estimate_inference_memory(4096, 11008, 32, 32000, 32, 32, 2048, 0.5, batch=4)
    assert quarter.weights * 4 == whole.weights and quarter.kv_cache == whole.kv_cache
    narrow = jf.estimate_inference_memory(4096, 11008, 32, 32000, 32, 32, 2048, 2, batch=4, kv_bytes=1)
    assert narrow.kv_cache * 2 == whole.kv_cache
    one = jf.estimate_inference_memory(4096, 11008, 32, 32000, 32, 32, 2048, 2)
    assert (whole.kv_cache, whole.activations) == (4 * one.kv_cache, 4 * one.activations)
    assert one.total_bytes == one.weights + one.kv_cache + one.activations
    assert one.total_gb() == one.total_bytes / 1e9


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"hidden": 0}, "hidden=0; it is a whole number from 1 on"),
        ({"heads": 30}, "hidden=4096 is no multiple of heads=30"),
        ({"kv_heads": 5}, "heads=32 is no multiple of kv_heads=5"),
        ({"bytes_per_weight": 0}, "bytes_per_weight=0; a number has up to 16 bytes"),
        ({"batch": 1.5}, "batch=1.5; it is a whole number"),
    ],
)
def test_numbers_that_no_model_has(wrong: dict[str, Any], message: str) -> None:
    shapes: dict[str, Any] = {
        "hidden": 4096, "intermediate": 11008, "layers": 32, "vocab": 32000, "heads": 32, "kv_heads": 32,
        "seq_len": 1, "bytes_per_weight": 2,
    }  # fmt: skip
    with pytest.raises(ArgumentError, match=message):
        jf.estimate_inference_memory(**shapes | wrong)
