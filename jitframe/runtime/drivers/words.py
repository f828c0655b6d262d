"""Drivers of devices that write and copy whole words of 4 bytes only, and bind views with limits."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from ...codegen.c_family.vectors import VECTOR_BYTES
from ..executor import View
from ..memory.staging import PART_BYTES
from ..memory.transfer import copy_bytes, whole_words
from .base import BaseDriver
from .bindings import Bindings, Part


class WordDriver(BaseDriver):
    """A driver whose memory objects are `Part`s. What is no whole words goes by way of memory of its own, or
    by kernels."""

    _bindings: Bindings

    @abstractmethod
    def _write_words(self, memory: Part, offset: int, data: memoryview | bytes) -> None:
        """Whole words of the host, PART_BYTES at most, to the words that begin at an offset."""

    @abstractmethod
    def _copy_words(self, target: View, source: View, nbytes: int) -> None:
        """Whole words from one memory to another."""

    @abstractmethod
    def _check_block(self, block: Any, nbytes: int) -> None:
        """Raises ArgumentError for what is no memory object of the device with so many bytes."""

    def _take(self, nbytes: int) -> Part:
        block = self._pool.take(nbytes)
        return Part(block, nbytes, whole_words(max(nbytes, 1), VECTOR_BYTES))  # blocks end there or later

    def _give(self, memory: Part) -> None:
        self._pool.give(memory.block)

    def adopt(self, block: Any, nbytes: int) -> Part:
        """Somebody else's block. Raises ArgumentError for what is none."""
        self._check_block(block, nbytes)
        return Part(block, nbytes, whole_words(max(nbytes, 1)))

    def _nbytes(self, memory: Part) -> int:
        return memory.nbytes

    def _upload(self, target: View, data: memoryview) -> None:
        memory, offset = target
        if _in_words(offset, data.nbytes, memory):
            self._write(memory, offset, data)
            return
        with self._bindings.temporary(data.nbytes) as staged:
            self._write(staged, 0, data)
            self._copy(target, (staged, 0), data.nbytes)

    def _write(self, memory: Part, offset: int, data: memoryview) -> None:
        """Host memory to the words that begin at an offset; the last one may be filled up."""
        words = data.nbytes & ~3
        for start in range(0, words, PART_BYTES):
            self._write_words(memory, offset + start, data[start : min(start + PART_BYTES, words)])
        if words < data.nbytes:
            self._write_words(memory, offset + words, bytes(data[words:]).ljust(4, b"\0"))

    def _copy(self, target: View, source: View, nbytes: int) -> None:
        (there, to), (here, start) = target, source
        if there is here:
            with self._bindings.temporary(nbytes) as between:
                self._copy((between, 0), source, nbytes)
                self._copy(target, (between, 0), nbytes)
        elif start % 4 == 0 and _in_words(to, nbytes, there):
            self._copy_words(target, source, whole_words(nbytes))
        else:
            copy_bytes(self, target, source, nbytes, self._bindings.alignment, _beginning)


def _beginning(memory: Part, nbytes: int) -> Part:
    return Part(memory.block, nbytes, memory.room)


def _in_words(offset: int, nbytes: int, memory: Part) -> bool:
    """Whether bytes of a memory are whole words of it; those past its end are nobody's."""
    return offset % 4 == 0 and (nbytes % 4 == 0 or offset + nbytes == memory.nbytes)
