"""Compiling generated text with llvmlite and calling it on arrays, some of them at the edge of a page."""

from __future__ import annotations

import ctypes
import itertools
import mmap
import struct
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import llvmlite.binding as llvm
import numpy as np
import pytest

from jitframe.codegen.kernel.nodes import Kernel
from jitframe.codegen.llvm import generate, vector_target

PROCESSORS = {"sse2": "x86-64", "avx2": "x86-64-v3", "avx512": "x86-64-v4"}
_NEEDS = {
    "sse2": (),
    "avx2": ("avx2", "fma", "f16c"),
    "avx512": ("avx512f", "avx512bw", "avx512vl", "avx512dq"),
}


@cache
def initialized() -> llvm.Target:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(llvm.get_default_triple())


def runnable_levels() -> list[str]:
    features = llvm.get_host_cpu_features()
    return [level for level, needs in _NEEDS.items() if all(features.get(need) for need in needs)]


LEVELS = runnable_levels()


def fast(chosen: Callable[..., bool], *several: Sequence[Any]) -> list[Any]:
    """All combinations; in the fast set those that are chosen."""
    return [
        pytest.param(*each, marks=() if chosen(*each) else pytest.mark.slow, id="-".join(map(str, each)))
        for each in itertools.product(*several)
    ]


def machine(level: str) -> llvm.TargetMachine:
    return initialized().create_target_machine(
        cpu=PROCESSORS[level], features="", opt=2, reloc="pic", codemodel="small"
    )


def text_of(kernel: Kernel, level: str, **options: Any) -> str:
    return generate(kernel, vector_target(level), **options)


def object_of(kernel: Kernel, level: str) -> bytes:
    """The object file of a kernel."""
    emitter = machine(level)
    module = llvm.parse_assembly(text_of(kernel, level))
    module.verify()
    return emitter.emit_object(module)


def assembly_of(kernel: Kernel, level: str) -> str:
    emitter = machine(level)
    module = llvm.parse_assembly(text_of(kernel, level))
    module.verify()
    return emitter.emit_assembly(module)


class Compiled:
    """A kernel loaded at one level, called with arrays, indices and scalars."""

    def __init__(self, kernel: Kernel, level: str, **options: Any) -> None:
        self.kernel = kernel
        emitter = machine(level)
        self.text = text_of(kernel, level, **options)
        module = llvm.parse_assembly(self.text)
        module.verify()
        self._engine = llvm.create_mcjit_compiler(module, emitter)
        self._engine.finalize_object()
        prototype = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
        self.call = prototype(self._engine.get_function_address(kernel.name))

    def __call__(
        self,
        arrays: Sequence[np.ndarray[Any, Any]],
        indices: Sequence[int] = (),
        scalars: Sequence[Any] = (),
        groups: tuple[int, int] = (0, 1),
    ) -> None:
        slots = launch_slots(self.kernel, arrays, indices, scalars)
        self.call(slots.ctypes.data, *groups)


def launch_slots(
    kernel: Kernel, arrays: Sequence[np.ndarray[Any, Any]], indices: Sequence[int], scalars: Sequence[Any]
) -> np.ndarray[Any, Any]:
    """The launch block of a call."""
    assert (len(arrays), len(indices), len(scalars)) == (
        len(kernel.buffers),
        len(kernel.indices),
        len(kernel.scalars),
    )
    slots = np.zeros(max(1, len(arrays) + len(indices) + len(scalars)), np.int64)
    for number, array in enumerate(arrays):
        slots[number] = array.ctypes.data
    for number, index in enumerate(indices, len(arrays)):
        slots[number] = index
    for number, (scalar, value) in enumerate(
        zip(scalars, kernel.scalars, strict=True), len(arrays) + len(indices)
    ):
        data = np.asarray(scalar, value.dtype.numpy_name).tobytes().ljust(8, b"\0")
        slots[number] = struct.unpack("<q", data)[0]
    return slots


_libc = ctypes.CDLL(None, use_errno=True)


class Guarded:
    """Arrays that end where an unreadable page begins, and start right after one."""

    def __init__(self) -> None:
        self._maps: list[mmap.mmap] = []

    def _region(self, nbytes: int) -> tuple[int, int]:
        page = mmap.PAGESIZE
        inner = -(-max(nbytes, 1) // page) * page
        region = mmap.mmap(-1, inner + 2 * page)
        self._maps.append(region)
        start = ctypes.addressof(ctypes.c_char.from_buffer(region))
        for at in (start, start + page + inner):
            assert _libc.mprotect(ctypes.c_void_p(at), page, 0) == 0
        return start + page, inner

    def at_end(self, values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        start, inner = self._region(values.nbytes)
        return self._place(start + inner - values.nbytes, values)

    def at_start(self, values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        return self._place(self._region(values.nbytes)[0], values)

    @staticmethod
    def _place(address: int, values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        raw = (ctypes.c_char * values.nbytes).from_address(address)
        placed = np.frombuffer(raw, values.dtype, values.size)
        placed[:] = values.ravel()
        return placed


def same_bits(actual: np.ndarray[Any, Any], expected: np.ndarray[Any, Any]) -> bool:
    """Equal bit for bit, any NaN being equal to any other."""
    assert actual.dtype == expected.dtype and actual.shape == expected.shape
    if actual.dtype.kind != "f":
        return bool((actual == expected).all())
    bits = f"u{actual.dtype.itemsize}"
    nan = np.isnan(actual) & np.isnan(expected)
    return bool((nan | (actual.view(bits) == expected.view(bits))).all())
