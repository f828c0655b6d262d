"""Launches on stand-ins for GPUs: the arguments are read as a driver's C interface reads them, and the kernel
that the source was generated from is run by this processor on the memory that they point to.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from jitframe.codegen.c_family import Dialect, Source
from jitframe.codegen.kernel.interpret import interpret
from jitframe.codegen.kernel.nodes import Kernel
from jitframe.codegen.kernel.ops import MATH
from jitframe.codegen.kernel.scalars import from_storage, storage_dtype
from jitframe.codegen.math import MathFeatures, expand_math
from jitframe.runtime.cpu.kernels.compiled_kernels import kernel_address
from jitframe.runtime.drivers import sources


@dataclass(frozen=True)
class Spelled:
    """A kernel and what was generated from it."""

    kernel: Kernel
    """With the bodies of its math functions."""
    source: Source


@dataclass(frozen=True)
class Launch:
    """A launch with its arguments as they were when it was asked for."""

    spelled: Spelled
    groups: int
    threads: int
    addresses: tuple[int, ...]
    words: tuple[int, ...]
    """The launch block."""

    def run(self, bytes_at: Callable[[int], np.ndarray]) -> None:
        """Run it here and now; `bytes_at` refuses an address that is none of the GPU's."""
        kernel, source = self.spelled.kernel, self.spelled.source
        assert self.threads == source.threads, "lanes of a workgroup"
        begin, end, *words = self.words
        assert end - begin == self.groups, "the grid is as large as the range of workgroups"
        memory = [bytes_at(address) for address in self.addresses]
        for word in words[: len(kernel.indices)]:
            index = word - (1 << 64) if word >> 63 else word
            assert -(1 << (source.index_bits - 1)) <= index < 1 << (source.index_bits - 1)
        used = words[: len(kernel.indices) + len(kernel.scalars)]
        slots = (ctypes.c_uint64 * (len(self.addresses) + len(used)))(*self.addresses, *used)
        try:
            run = _RUN(kernel_address(kernel))
        except NotImplementedError:  # it has subgroups
            self._interpret(memory, used)
        else:
            run(slots, begin, end)

    def _interpret(self, memory: list[np.ndarray], words: list[int]) -> None:
        kernel, arrays = self.spelled.kernel, []
        for held, buffer in zip(memory, kernel.buffers, strict=True):
            whole = len(held) // buffer.dtype.itemsize * buffer.dtype.itemsize
            arrays.append(held[:whole].view(storage_dtype(buffer.dtype)))
        indices = [word - (1 << 64) if word >> 63 else word for word in words[: len(kernel.indices)]]
        scalars = []
        for word, parameter in zip(words[len(indices) :], kernel.scalars, strict=True):
            bits = np.frombuffer(word.to_bytes(8, "little"), storage_dtype(parameter.dtype), 1)
            scalars.append(from_storage(bits[0], parameter.dtype))
        interpret(kernel, arrays, indices, scalars, range(*self.words[:2]))


_RUN = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)


class Spellings:
    """The sources that drivers generated, by their text."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self.known: dict[str, Spelled] = {}

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Note what is generated meanwhile."""
        spell = sources.generate
        own = frozenset(MATH) - self.dialect.functions.keys()

        def noted(kernel: Kernel, *arguments: Any, **options: Any) -> Source:
            source = spell(kernel, *arguments, **options)
            expanded = expand_math(kernel, MathFeatures(fma=self.dialect.fma), own)
            self.known[source.text] = Spelled(expanded, source)
            return source

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sources, "generate", noted)
            yield

    def launch(self, text: str, groups: int, threads: int, parameters: int) -> Launch:
        """What `parameters`, the address of the arguments' addresses, says; read now, as drivers do."""
        spelled = self.known[text]
        count = len(spelled.source.buffers)
        table = (ctypes.c_uint64 * (count + 1)).from_address(parameters)
        addresses = tuple(ctypes.c_uint64.from_address(place).value for place in table[:count])
        slots = (ctypes.c_uint64 * spelled.source.slots).from_address(table[count])
        return Launch(spelled, groups, threads, addresses, tuple(slots))
