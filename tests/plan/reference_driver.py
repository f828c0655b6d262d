"""A plan driver that interprets kernels: plans run and are checked with no compiler and no device."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jitframe.codegen.kernel.interpret import interpret
from jitframe.codegen.kernel.nodes import Kernel
from jitframe.codegen.kernel.scalars import from_storage, storage_dtype
from jitframe.codegen.plan.bound import BoundGemm
from jitframe.ir.record import replace
from jitframe.ir.types import BY_NAME
from jitframe.runtime.executor import View


def interpret_launch(kernel: Kernel, buffers: Sequence[View], values: bytes, groups: int) -> None:
    """Run a launch on views of NumPy bytes, with the eight-byte slots after the buffers."""
    arrays = []
    for (memory, offset), parameter in zip(buffers, kernel.buffers, strict=True):
        rest = memory[offset:]
        whole = len(rest) - len(rest) % parameter.dtype.itemsize
        arrays.append(rest[:whole].view(storage_dtype(parameter.dtype)))
    words = [values[at : at + 8] for at in range(0, len(values), 8)]
    indices = [int.from_bytes(word, "little", signed=True) for word in words[: len(kernel.indices)]]
    scalars = []
    for word, parameter in zip(words[len(indices) :], kernel.scalars, strict=True):
        held = np.frombuffer(word[: parameter.dtype.itemsize], storage_dtype(parameter.dtype))[0]
        scalars.append(from_storage(held, parameter.dtype))
    interpret(kernel, arrays, indices, scalars, range(groups))


class ReferenceDriver:
    """Memory is NumPy bytes, 0xFF until something is written; `alive` is what is allocated."""

    def __init__(self, fail_at_launch: int | None = None) -> None:
        self.alive: set[int] = set()
        self.peak_bytes = 0
        self.launches = 0
        self.fail_at_launch = fail_at_launch
        self._sizes: dict[int, int] = {}

    def allocate(self, nbytes: int) -> Any:
        memory = np.full(nbytes, 0xFF, np.uint8)
        self.alive.add(id(memory))
        self._sizes[id(memory)] = nbytes
        self.peak_bytes = max(self.peak_bytes, sum(self._sizes[key] for key in self.alive))
        return memory

    def free(self, memory: Any) -> None:
        self.alive.remove(id(memory))

    def copy(self, target: View, source: View, nbytes: int) -> None:
        target[0][target[1] : target[1] + nbytes] = source[0][source[1] : source[1] + nbytes]

    def upload(self, target: View, data: memoryview) -> None:
        target[0][target[1] : target[1] + len(data)] = np.frombuffer(data, np.uint8)

    def read(self, source: View, nbytes: int) -> bytes:
        return bytes(source[0][source[1] : source[1] + nbytes])

    def compile(self, kernel: Kernel) -> Kernel:
        return kernel

    def launch(self, handle: Kernel, buffers: Sequence[View], values: bytes, groups: int) -> None:
        self.launches += 1
        if self.launches == self.fail_at_launch:
            raise MemoryError("the driver was told to fail")
        interpret_launch(handle, buffers, values, groups)

    def gemm(self, step: BoundGemm, a: View, b: View, c: View) -> None:
        assert len(step.batch) <= 1
        for axis in step.batch:
            for i in range(axis.count):
                size = BY_NAME[step.dtype].itemsize
                views = [
                    (v[0], v[1] + i * apart * size) for v, apart in ((a, axis.a), (b, axis.b), (c, axis.c))
                ]
                self.gemm(replace(step, batch=()), *views)
            return
        dtype = np.dtype({"f32": np.float32, "f64": np.float64}[step.dtype])

        def matrix(view: View, rows: int, columns: int, leading: int) -> np.ndarray[Any, Any]:
            strides = (leading * dtype.itemsize, dtype.itemsize)
            return np.ndarray((rows, columns), dtype, view[0], view[1], strides)

        left = (
            matrix(a, step.k, step.m, step.lda).T if step.transpose_a else matrix(a, step.m, step.k, step.lda)
        )
        right = (
            matrix(b, step.n, step.k, step.ldb).T if step.transpose_b else matrix(b, step.k, step.n, step.ldb)
        )
        matrix(c, step.m, step.n, step.ldc)[...] = left @ right
