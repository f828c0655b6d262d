"""DLPack of device memory on the stand-ins for CuPy and HIP: capsules by the letter of dlpack.h."""

from __future__ import annotations

import ctypes
import gc
import struct
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import jitframe as jf
from jitframe.runtime.discovery import registry
from jitframe.runtime.memory import dlpack

from .test_interchange import gpus

__all__ = ["gpus"]
X = np.arange(12, dtype=np.float32).reshape(3, 4)
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
_new = ctypes.pythonapi.PyCapsule_New
_new.restype, _new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class Seen:
    """A capsule as a C program reads it."""

    def __init__(self, capsule: Any, versioned: bool) -> None:
        self.place = _pointer(capsule, b"dltensor_versioned" if versioned else b"dltensor")
        at = self.place
        self.flags, deleter = None, at + 56
        if versioned:
            self.version = struct.unpack("<II", ctypes.string_at(at, 8))
            (self.flags,) = struct.unpack("<Q", ctypes.string_at(at + 24, 8))
            deleter, at = at + 16, at + 32
        fields = struct.unpack("<QiiiBBHQQQ", ctypes.string_at(at, 48))
        self.address, kind, number, axes, *self.type, shape, strides, self.offset = fields
        self.device = kind, number
        self.shape, self.strides = (
            (ctypes.c_int64 * axes).from_address(each)[:] for each in (shape, strides)
        )
        (self.deleter,) = struct.unpack("<Q", ctypes.string_at(deleter, 8))

    def delete(self) -> None:
        ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self.deleter)(self.place)


def taken_over(capsule: Any, versioned: bool) -> None:
    ctypes.pythonapi.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
    ctypes.pythonapi.PyCapsule_SetName(capsule, b"used_dltensor_versioned" if versioned else b"used_dltensor")


def test_a_tensor_is_handed_over_where_it_is(gpus: Any) -> None:
    x = jf.asarray(X, device="cuda") * 2
    assert x.__dlpack_device__() == (2, 0)
    capsule = x.__dlpack__(stream=2, max_version=(1, 1))
    seen = Seen(capsule, True)
    assert seen.version == (1, 0) and seen.flags == 1, "read-only, and no copy"
    assert (seen.device, seen.type, seen.shape, seen.strides, seen.offset) == (
        (2, 0),
        [2, 32, 1],
        [3, 4],
        [4, 1],
        0,
    )
    assert seen.address == x.__cuda_array_interface__["data"][0]
    assert gpus.waits == [2], "the consumer's stream waits for the work so far"
    np.testing.assert_array_equal(gpus.bytes_at(seen.address).view(np.float32)[:12], X.ravel() * 2)
    live = registry.device("cuda").statistics().live
    taken_over(capsule, True)
    x += 1
    del capsule
    x = x.numpy()
    gc.collect()
    np.testing.assert_array_equal(gpus.bytes_at(seen.address).view(np.float32)[:12], X.ravel() * 2)
    seen.delete()
    assert not dlpack._handed_over
    assert registry.device("cuda").statistics().live < live


def test_what_nobody_takes_dies_with_its_capsule(gpus: Any) -> None:
    x = jf.asarray(X, device="cuda")
    for options in ({}, {"max_version": (1, 0)}):
        capsule = x.__dlpack__(**options)
        assert len(dlpack._handed_over) == 1
        del capsule
        assert not dlpack._handed_over


def test_copies_and_versions(gpus: Any) -> None:
    """A capsule that cannot say that it is read-only holds a copy."""
    x = jf.asarray(X, device="cuda")
    own = x.__cuda_array_interface__["data"][0]
    for options, flags in (
        ({}, None),
        ({"max_version": (0, 8)}, None),
        ({"max_version": (1, 0), "copy": True}, 2),
    ):
        capsule = x.__dlpack__(**options)
        seen = Seen(capsule, flags is not None)
        assert seen.flags == flags and seen.address != own
        assert gpus.waits.pop() == 1, "CUDA's legacy default stream"
        np.testing.assert_array_equal(gpus.bytes_at(seen.address).view(np.float32)[:12], X.ravel())
    x.__dlpack__(stream=-1)
    assert not gpus.waits
    with pytest.raises(BufferError, match=r"ask for max_version=\(1, 0\), or a copy"):
        x.__dlpack__(copy=False)
    with pytest.raises(BufferError, match=r"as a copy on the host, not on DLPack's device \(2, 1\)"):
        x.__dlpack__(dl_device=(2, 1))
    with pytest.raises(BufferError):
        x.__dlpack__(dl_device=(1, 0), copy=False, max_version=(1, 0))
    np.testing.assert_array_equal(np.from_dlpack(x, device="cpu"), X)


@pytest.mark.parametrize(
    ("dtype", "code"),
    [(np.bool_, 6), (np.int8, 0), (np.uint64, 1), (np.float16, 2), (np.float64, 2), (ml_dtypes.bfloat16, 4)],
)
def test_every_dtype_goes_there_and_back(gpus: Any, dtype: Any, code: int) -> None:
    values = np.array([0, 1, 3]).astype(dtype)
    x = jf.asarray(values, device="cuda")
    assert Seen(x.__dlpack__(max_version=(1, 0)), True).type == [code, 8 * values.itemsize, 1]
    again = jf.from_dlpack(Foreign(x), copy=False)
    assert again.dtype == values.dtype and again.numpy().tobytes() == values.tobytes()


class Foreign:
    """Another library's array: a tensor's capsule and no other protocol."""

    def __init__(self, tensor: Any, old: bool = False) -> None:
        self.tensor, self.old = tensor, old
        self.streams: list[int] = []

    def __dlpack__(self, *, stream: int, **options: Any) -> Any:
        if self.old and options:
            raise TypeError("__dlpack__() got an unexpected keyword argument 'max_version'")
        self.streams.append(stream)
        return self.tensor.__dlpack__(stream=stream, **options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.tensor.__dlpack_device__()


@pytest.mark.parametrize("old", [False, True])
def test_an_array_of_another_library_becomes_a_tensor(gpus: Any, old: bool) -> None:
    given = jf.asarray(X, device="cuda")
    address = given.__cuda_array_interface__["data"][0]
    foreign = Foreign(given, old)
    taken, copied = jf.from_dlpack(foreign, copy=False), jf.from_dlpack(foreign)
    assert foreign.streams == [registry.device("cuda").driver.interface.stream_address] * 2  # type: ignore[attr-defined]
    assert (taken.device, copied.device, taken.shape) == ("cuda", "cuda", (3, 4))
    if not old:
        assert taken.__cuda_array_interface__["data"][0] == address
    assert copied.__cuda_array_interface__["data"][0] != address
    assert len(dlpack._handed_over) == 1, "the copy gave it back"
    np.testing.assert_array_equal((taken + 1).numpy(), X + 1)
    same = jf.asarray(foreign, copy=False)
    np.testing.assert_array_equal(same.numpy(), X)
    np.testing.assert_array_equal(jf.from_dlpack(foreign, device="cpu").numpy(), X)
    del taken, same
    gc.collect()
    registry.device("cuda").statistics()
    assert not dlpack._handed_over
    np.testing.assert_array_equal(given.numpy(), X)


def test_capsules_that_do_not_fit(gpus: Any) -> None:
    x = jf.asarray(X, device="cuda")
    capsule = x.__dlpack__(max_version=(1, 0))
    dlpack.take(capsule)
    with pytest.raises(jf.errors.ArgumentError, match="one that was read before"):
        dlpack.take(capsule)

    def changed(at: int, kind: str, value: int) -> Any:
        capsule = x.__dlpack__(max_version=(1, 0))
        place = _pointer(capsule, b"dltensor_versioned")
        ctypes.memmove(place + at, struct.pack(kind, value), struct.calcsize(kind))
        return capsule

    with pytest.raises(jf.errors.ArgumentError, match="of version 2: versions up to 1 are known"):
        dlpack.take(changed(0, "<I", 2))
    with pytest.raises(jf.errors.ArgumentError, match="of type 5, 32 bits and 1 lanes is not supported"):
        dlpack.take(changed(52, "<B", 5))
    capsule = x.__dlpack__(max_version=(1, 0))
    (strides,) = struct.unpack("<Q", ctypes.string_at(_pointer(capsule, b"dltensor_versioned") + 64, 8))
    ctypes.c_int64.from_address(strides).value = 8
    with pytest.raises(jf.errors.ArgumentError, match="one after another"):
        dlpack.take(capsule)
    del capsule
    assert not dlpack._handed_over, "each was given back"
    with pytest.raises(jf.errors.DTypeError, match="a list has no __dlpack__"):
        jf.from_dlpack([1])


def test_the_hosts_arrays() -> None:
    """From there it is asarray's meaning of a copy; memory of the host stays there."""
    x = np.arange(4.0)
    copied, same = jf.from_dlpack(x), jf.from_dlpack(x, copy=False)
    x[0] = 7
    assert copied.tolist() == [0, 1, 2, 3] and same.tolist() == [7, 1, 2, 3]
    tensor = jf.asarray([1.0])
    assert jf.from_dlpack(tensor) is tensor
