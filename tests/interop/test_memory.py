"""Memory shared with NumPy and by DLPack, and what is pickled and copied: no copy where none is asked for."""

from __future__ import annotations

import array
import copy
import functools
import mmap
import pickle
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import ArgumentError, DTypeError

X = np.arange(6.0).reshape(2, 3)


class Exporter:
    """A library's array that is known by DLPack alone."""

    def __init__(self, values: np.ndarray) -> None:
        self.values = values
        self.asked: list[dict[str, Any]] = []

    def __dlpack__(self, **options: Any) -> Any:
        self.asked.append(options)
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.values.__dlpack_device__()


@jf.jit
def scaled(x: Any) -> Any:
    return np.sqrt(x) * 2 + 1


def test_numpy_reads_the_memory_of_a_tensor() -> None:
    for x in (jf.asarray(X), jf.asarray(X) + 1):
        seen = np.array(x, copy=False)
        assert np.shares_memory(seen, x.numpy()) and not seen.flags.writeable
        assert np.shares_memory(np.asarray(x), np.asarray(x)) and np.shares_memory(np.from_dlpack(x), seen)
        fresh = np.array(x, copy=True)
        assert fresh.flags.writeable and not np.shares_memory(fresh, seen)
        with pytest.raises(ArgumentError, match="a cast needs a copy"):
            np.asarray(x, dtype="float32", copy=False)
        if sys.version_info >= (3, 12):
            view = memoryview(x)
            assert view.readonly and np.shares_memory(np.asarray(view), seen)


def test_dlpack_of_a_tensor() -> None:
    x = jf.asarray(X)
    assert x.__dlpack_device__() == (1, 0)
    assert np.shares_memory(np.from_dlpack(x), x.numpy())
    assert not np.shares_memory(np.from_dlpack(x, copy=True), x.numpy())
    np.testing.assert_array_equal(np.from_dlpack(x, device="cpu"), X)
    x.__dlpack__(max_version=(1, 1), copy=False)
    x.__dlpack__()  # a copy: capsules before version 1 cannot say that they are read-only
    with pytest.raises(BufferError):
        x.__dlpack__(copy=False)
    with pytest.raises(BufferError):
        x.__dlpack__(dl_device=(2, 0))
    with pytest.raises(TypeError):
        x.__dlpack__(None)


def test_dlpack_of_others() -> None:
    other = Exporter(X.copy())
    for take in (jf.from_dlpack, jf.asarray):
        held = take(other, copy=False)
        assert np.shares_memory(held.numpy(), other.values)
        for asked in (None, True):
            assert not np.shares_memory(take(other, copy=asked).numpy(), other.values)
    assert other.asked[0]["max_version"] >= (1, 0)
    there = jf.from_dlpack(other, device="cpu")
    other.values[0, 0] = 7
    assert there.numpy()[0, 0] == 0
    with pytest.raises(DTypeError, match="has no __dlpack__"):
        jf.from_dlpack([1, 2])


def test_buffers_are_arguments() -> None:
    flat = X.ravel().copy()
    buffers = {
        "memoryview": memoryview(flat), "array": array.array("d", flat), "bytearray": bytearray(b"\x01\x04"),
    }  # fmt: skip
    for name, buffer in buffers.items():
        held = jf.asarray(buffer, copy=False)
        assert np.shares_memory(held.numpy(), np.asarray(buffer)), name
        assert not np.shares_memory(jf.asarray(buffer).numpy(), np.asarray(buffer)), name
        if name != "bytearray":
            np.testing.assert_array_equal(scaled(buffer), np.sqrt(flat) * 2 + 1)
    np.testing.assert_array_equal(scaled(memoryview(flat + 3)), np.sqrt(flat + 3) * 2 + 1)
    with pytest.raises(ArgumentError, match="a list cannot be taken without a copy"):
        jf.asarray([1.0, 2.0], copy=False)


def test_memory_maps(tmp_path: Path) -> None:
    file = tmp_path / "values"
    written = np.memmap(file, "float64", "w+", shape=(64, 3))
    written[:] = np.arange(192.0).reshape(64, 3)
    written.flush()
    read = np.memmap(file, "float64", "r", shape=(64, 3))
    for values in (written, read):
        np.testing.assert_array_equal(scaled(values), np.sqrt(np.asarray(values)) * 2 + 1)
        assert np.shares_memory(jf.asarray(values, copy=False).numpy(), values)
        np.testing.assert_array_equal(jf.asarray(values).numpy(), values)
    with file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        held = np.frombuffer(mapped, "float64")
        np.testing.assert_array_equal(jf.asarray(held, copy=False).sum().numpy(), held.sum())
        del held


def test_tensors_are_pickled_and_copied() -> None:
    for x in (jf.asarray(X), jf.asarray(X)[:, ::2] + 1, jf.asarray(3), jf.zeros((0, 2), "int8")):
        values = x.numpy()
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            np.testing.assert_array_equal(pickle.loads(pickle.dumps(x, protocol)), values, strict=True)
        for copied in (copy.copy(x), copy.deepcopy([x])[0]):
            assert type(copied) is jf.Tensor and copied is not x
            np.testing.assert_array_equal(copied.numpy(), values, strict=True)
    x = jf.asarray(X)
    deep = copy.deepcopy(x)
    x[0, 0] = 9
    assert deep[0, 0] == 0
    buffers: list[Any] = []
    text = pickle.dumps(jf.ones(4096), protocol=5, buffer_callback=buffers.append)
    assert len(text) < 500 and len(buffers) == 1, "out of band"
    np.testing.assert_array_equal(pickle.loads(text, buffers=buffers), np.ones(4096))


def plain(x: Any) -> Any:
    return x * 3


jitted_elsewhere = jf.jit(plain, fastmath=True)
renamed = jf.jit(plain, static_argnames="x")


def test_jitted_functions_are_pickled_by_name() -> None:
    assert pickle.loads(pickle.dumps(scaled)) is scaled
    assert copy.copy(scaled) is scaled and copy.deepcopy({"f": scaled})["f"] is scaled
    again = pickle.loads(pickle.dumps(renamed))  # its name is the plain function's
    assert again._jit.function is plain and again._jit.signature.choices == renamed._jit.signature.choices
    assert pickle.loads(pickle.dumps(jitted_elsewhere))._jit.fastmath
    partial = pickle.loads(pickle.dumps(functools.partial(scaled, 4.0)))
    assert partial() == 5


def test_local_functions_are_pickled_by_cloudpickle() -> None:
    cloudpickle = pytest.importorskip("cloudpickle")
    offset = 5.0

    @jf.jit(static_argnames="n")
    def local(x: Any, n: int) -> Any:
        return x * n + offset

    again = cloudpickle.loads(cloudpickle.dumps(local))
    assert type(again) is type(local) and again._jit.signature.choices == local._jit.signature.choices
    np.testing.assert_array_equal(again(np.ones(3), 2), [7.0, 7, 7])
    assert copy.deepcopy(local) is local


def test_notebooks_show_what_is_known() -> None:
    x = jf.asarray(np.arange(4000.0).reshape(1000, 4)) + 1
    before = x._repr_html_()
    for fact in ("1000×4", "float64", "cpu", "31.2 KiB", "not computed yet"):
        assert fact in before
    assert "<pre>" not in before and x._value is None, "nothing was computed for it"
    x.numpy()
    after = x._repr_html_()
    assert (
        "<td>computed</td>" in after
        and "3.997e+03, 3.998e+03" in after
        and "..." in after
        and len(after) < 1500
    )
    assert "no axes" in jf.asarray(1)._repr_html_()
    assert "&lt;" not in jf.asarray([1 + 2j])._repr_html_()
