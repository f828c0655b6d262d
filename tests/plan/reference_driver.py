"""A plan driver that interprets kernels: plans run and are checked with no compiler and no device."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jitframe.codegen.kernel.interpret import interpret
from jitframe.codegen.kernel.nodes import Kernel
from jitframe.codegen.kernel.scalars import from_storage, storage_dtype
from jitframe.codegen.plan.nodes import LibraryCall
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

    def call(self, step: LibraryCall, operands: Sequence[View], results: Sequence[View]) -> None:
        assert step.function == "gemm" and len(step.batch) <= 1
        dtype = np.dtype(step.dtype.numpy_name)
        m, n, k, lda, ldb, ldc = step.sizes
        transpose_a, transpose_b = step.options
        count, strides = (step.batch[0].count, step.batch[0].strides) if step.batch else (1, (0, 0, 0))

        def matrix(place: int, i: int, rows: int, columns: int, leading: int) -> np.ndarray[Any, Any]:
            memory, offset = (*operands, *results)[place]
            begin = offset + i * strides[place] * dtype.itemsize
            return np.ndarray(
                (rows, columns), dtype, memory, begin, (leading * dtype.itemsize, dtype.itemsize)
            )

        for i in range(count):
            left = matrix(0, i, k, m, lda).T if transpose_a else matrix(0, i, m, k, lda)
            right = matrix(1, i, n, k, ldb).T if transpose_b else matrix(1, i, k, n, ldb)
            matrix(2, i, m, n, ldc)[...] = left @ right
