"""Bindings of views under a device's restrictions: aligned offsets, one use for each memory, segments of
limited size.

Views that cannot be bound directly are copied to memory of their own, and the results of a kernel are copied
back. Lowered kernels have their offsets as indices, so plans rarely need copies. Memory too large for one
binding is bound in segments, for which the kernel is compiled once more (see codegen.kernel.split_buffers).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from ...codegen.kernel.split_buffers import split_buffers
from ...errors import BackendError
from ...ir.record import mutable
from ..executor import View
from ..memory.transfer import whole_words
from .base import BaseDriver
from .forms import Form

Range = tuple[Any, int, int]
"""A binding: a block, and its bytes from an aligned offset on."""


class Part(metaclass=mutable):
    """A block of the pool, with the requested bytes."""

    block: Any
    nbytes: int
    room: int
    """The bytes of it that may be bound."""


class Bindings:
    """The binding of views of `Part`s on one device: at multiples of `alignment`, `largest_bytes` at most
    each."""

    def __init__(self, driver: BaseDriver, alignment: int, largest_bytes: int) -> None:
        self.alignment = alignment
        self.largest_bytes = largest_bytes
        self._driver = driver
        self._split: dict[tuple[str, tuple[int, ...]], Form] = {}

    @contextmanager
    def bound(self, form: Form, buffers: Sequence[View]) -> Iterator[tuple[Form, list[Range]]]:
        """Provides the form to launch and its bindings, inside `with`."""
        source = form.source
        with self.ranges(source.entry, form.written, buffers, source.binding_bytes) as ranges:
            if any(size > self.largest_bytes for _, _, size in ranges):
                yield self._chunks(form, ranges)
            else:
                yield form, ranges

    @contextmanager
    def ranges(
        self, entry: str, written: Sequence[bool], buffers: Sequence[View], unit: int = 4
    ) -> Iterator[list[Range]]:
        """Provides the bindings of a launch that fits one binding for each buffer: so many bytes or a
        multiple."""
        with ExitStack() as stack:
            views = self._bindable(entry, written, buffers, unit, stack)
            yield [(memory.block, offset, _bound_bytes(memory, offset, unit)) for memory, offset in views]
            for (copied, _), (memory, offset), is_written in zip(views, buffers, written, strict=True):
                if is_written and copied is not memory:
                    self._driver.copy((memory, offset), (copied, 0), memory.nbytes - offset)

    @contextmanager
    def temporary(self, nbytes: int) -> Iterator[Part]:
        memory = self._driver.allocate(nbytes)
        try:
            yield memory
        finally:
            self._driver.free(memory)

    def _bindable(
        self, entry: str, written: Sequence[bool], buffers: Sequence[View], unit: int, stack: ExitStack
    ) -> list[View]:
        """Returns views that may be bound together: the given ones, or copies of them."""
        views: list[View] = []
        blocks = [id(memory.block) for memory, _ in buffers]
        writes = [block for block, is_written in zip(blocks, written, strict=True) if is_written]
        for (memory, offset), block, is_written in zip(buffers, blocks, written, strict=True):
            if writes.count(block) > 1:
                raise BackendError(
                    f"{self._driver.name}: {entry} writes one memory through two buffers, which "
                    "this device forbids; give it a copy"
                )
            whole = (
                offset % self.alignment == 0 and offset + _bound_bytes(memory, offset, unit) <= memory.room
            )
            if whole and (is_written or block not in writes):
                views.append((memory, offset))
                continue
            copied = stack.enter_context(self.temporary(memory.nbytes - offset))
            self._driver.copy((copied, 0), (memory, offset), copied.nbytes)
            views.append((copied, 0))
        return views

    def _chunks(self, form: Form, ranges: Sequence[Range]) -> tuple[Form, list[Range]]:
        """Returns the kernel for buffers in segments, and the segments in its order."""
        chunk, most = self.largest_bytes, self._driver.facts.most_buffers
        cut = [
            [(block, offset + at, min(chunk, size - at)) for at in range(0, size, chunk)]
            for block, offset, size in ranges
        ]
        counts = tuple(map(len, cut))
        if sum(counts) > most:
            largest = max(size for _, _, size in ranges)
            raise BackendError(
                f"{self._driver.name} binds {most} buffers of {chunk:,} bytes at most to a kernel, and "
                f"{form.source.entry} needs {sum(counts)}: its largest array has {largest:,} bytes; work on "
                "parts, or choose another device"
            )
        key = form.source.text, counts
        found = self._split.get(key)
        if found is None:
            split = self._driver.compile(split_buffers(form.kernel, counts, chunk))
            found = self._split[key] = split.forms[form.source.index_bits]
        return found, [first for first, *_ in cut] + [each for _, *others in cut for each in others]


def _bound_bytes(memory: Part, offset: int, unit: int) -> int:
    return max(whole_words(memory.nbytes - offset, unit), unit)
