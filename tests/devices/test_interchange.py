"""Device memory shared with other libraries, on the stand-in for CUDA that its driver is tested on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.codegen.c_family import CUDA
from jitframe.runtime.device import Device
from jitframe.runtime.discovery import registry
from jitframe.runtime.drivers import cuda
from tests.runtime_gpu import fake_cupy
from tests.runtime_gpu.launches import Spellings

MEMOS = (cuda._cupy, cuda._library, cuda._nvrtc)


class Foreign:
    """An array as another library has it, with the memory of a tensor."""

    def __init__(self, tensor: Any, **changes: Any) -> None:
        self.interface = tensor.__cuda_array_interface__
        self.__cuda_array_interface__ = {**self.interface, **changes}

    def __dlpack_device__(self) -> tuple[int, int]:
        return 2, 0


@pytest.fixture
def gpus(monkeypatch: pytest.MonkeyPatch) -> Iterator[fake_cupy.Gpus]:
    """A stand-in for CuPy, and a `cuda` on top of it."""
    spellings = Spellings(CUDA)
    monkeypatch.setattr(registry, "_devices", dict[tuple[str, int], Device]())
    with spellings.watched():
        for memo in MEMOS:
            memo.cache_clear()
        registry.forget_found()
        yield fake_cupy.install(monkeypatch, spellings)
    for memo in MEMOS:
        memo.cache_clear()
    registry.forget_found()


def test_a_tensor_is_read_where_it_is(gpus: Any) -> None:
    x = jf.asarray(np.arange(4, dtype=np.float32), device="cuda") * 2
    interface = x.__cuda_array_interface__
    assert {name: interface[name] for name in ("shape", "typestr", "version", "strides")} == {
        "shape": (4,), "typestr": "<f4", "version": 3, "strides": None
    }  # fmt: skip
    address, read_only = interface["data"]
    assert read_only
    x += 1
    assert x.tolist() == [1, 3, 5, 7]
    assert gpus.bytes_at(address).view(np.float32)[:4].tolist() == [0, 2, 4, 6], "what was handed over stays"


def test_an_array_of_another_library_becomes_a_tensor(gpus: Any) -> None:
    given = jf.asarray(np.arange(6, dtype=np.float32).reshape(2, 3), device="cuda")
    array = Foreign(given)
    address = array.interface["data"][0]
    taken, copied = jf.asarray(array, copy=False), jf.asarray(array)
    assert (taken.device, copied.device, taken.shape) == ("cuda", "cuda", (2, 3))
    assert taken.__cuda_array_interface__["data"][0] == address
    assert copied.__cuda_array_interface__["data"][0] != address
    assert (taken * 2).tolist() == [[0, 2, 4], [6, 8, 10]]
    live = registry.device("cuda").statistics().live
    del taken
    assert registry.device("cuda").statistics().live <= live
    assert given.tolist() == [[0, 1, 2], [3, 4, 5]], "it was not freed with the tensor"
    assert jf.asarray(array, device="cpu").tolist() == given.tolist()
    with pytest.raises(jf.errors.ArgumentError, match="one after another"):
        jf.asarray(Foreign(given, strides=(4, 8)))
    with pytest.raises(jf.errors.UnsupportedError, match="arrays of complex256 are not supported"):
        jf.asarray(Foreign(given, typestr="<c32"))


def test_other_tensors_have_no_such_memory() -> None:
    for device in ("cpu", "interpreter"):
        x = jf.asarray([1.0], device=device)
        assert not hasattr(x, "__cuda_array_interface__")
