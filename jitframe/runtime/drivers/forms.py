"""Two forms of a kernel: with indices of 32 bits, which are cheaper, and of 64 bits where a launch needs
them."""

from __future__ import annotations

import struct
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ...codegen.c_family import Dialect, Source, launch_block
from ...codegen.c_family.threads import choose_index_bits
from ...codegen.kernel.nodes import REDUCTION_LANES, Kernel
from ...codegen.kernel.text import kernel_text
from ...errors import BackendError
from ...ir.record import fresh, mutable, record, replace
from ..driver import DeviceFacts
from ..executor import View
from .sources import Compiled, KernelSources

_RANGE = struct.Struct("<2Q").pack


class Form(metaclass=record):
    """A kernel with indices of one width, and the driver's object for it."""

    kernel: Kernel
    source: Source
    loaded: Any
    written: tuple[bool, ...]
    """Whether each buffer is written."""
    itemsizes: tuple[int, ...]
    """The item sizes of its buffers, where the launch block has the views' offsets."""
    views: Callable[..., bytes]
    """Returns the end of the launch block, with each view's offset in elements."""
    doing: str
    """A description for messages."""
    no_views: bytes
    """The same with offsets of 0."""

    @classmethod
    def of(cls, kernel: Kernel, source: Source, loaded: Any) -> Form:
        rest = source.slots - 2 - source.indices - source.scalars
        pack = struct.Struct(f"<{source.views}Q{8 * (rest - source.views)}x").pack
        itemsizes = tuple(buffer.dtype.itemsize for buffer in source.buffers[: source.views])
        written = tuple(buffer.access != "in" for buffer in source.buffers)
        doing = f"launching {source.entry}"
        return cls(kernel, source, loaded, written, itemsizes, pack, doing, bytes(8 * rest))

    def block(self, begin: int, end: int, buffers: Sequence[View], values: bytes) -> bytes:
        """Returns the launch block of workgroups begin..end-1, whose numbers are known to fit."""
        for _, offset in buffers if self.itemsizes else ():
            if offset:
                pairs = zip(buffers, self.itemsizes, strict=True)
                return _RANGE(begin, end) + values + self.views(*[at // size for (_, at), size in pairs])
        return _RANGE(begin, end) + values + self.no_views


class Handle(metaclass=mutable):
    """A kernel of one device."""

    kernel: Kernel
    forms: dict[int, Form] = fresh(factory=dict)


class Forms:
    """The kernels of one device: `build` compiles a source, `load` makes a binary ready for launches.

    `dialect`: what a kernel is spelled in. `lanes`: by how many to run a kernel that is written for one.
    `room`: how many lanes what was loaded can have at most; a kernel that needs too many registers is made
    again for fewer.
    """

    def __init__(
        self,
        dialect: Callable[[Kernel], Dialect],
        facts: DeviceFacts,
        build: Callable[[Source], bytes],
        load: Callable[[Compiled], Any],
        lanes: Callable[[Kernel], int],
        room: Callable[[Any], int] = lambda loaded: 1 << 30,
        most: int | None = None,
    ) -> None:
        self._dialect = dialect
        self._facts = facts
        self._build = build
        self._load = load
        self._lanes = lanes
        self._room = room
        self._sources: dict[tuple[int, int, int], KernelSources] = {}
        self._handles: OrderedDict[str, Handle] = OrderedDict()
        """The least recently used first, where they are limited."""
        self._most = most

    def handle(self, kernel: Kernel) -> Handle:
        """Returns the same handle for the same kernel; its narrow form is compiled."""
        text = kernel_text(kernel)
        handle = self._handles.get(text)
        if handle is None:
            handle = Handle(kernel)
            self._form(handle, min(self._dialect(kernel).index_bits))
            handle = self._handles.setdefault(text, handle)
        if self._most is not None:
            self._handles.move_to_end(text)
            self.limit(self._most)
        return handle

    def __len__(self) -> int:
        return len(self._handles)

    def limit(self, most: int | None) -> None:
        """Keeps at most so many kernels; the least recently used ones are dropped, but pending work may use
        them."""
        self._most = most
        while most is not None and len(self._handles) > most:
            text, _ = self._handles.popitem(last=False)
            for sources in self._sources.values():
                sources.forget(text)

    def forget(self) -> None:
        """Drops all; pending work keeps its own alive."""
        self._handles.clear()
        self._sources.clear()

    def spelled(self, kernel: Kernel) -> Source:
        """Returns the source of its narrow form, not compiled."""
        dialect, lanes = self._dialect(kernel), min(self._lanes(kernel), self._facts.most_threads)
        return self._kernel_sources(dialect, min(dialect.index_bits), lanes).source(kernel)

    def form(self, handle: Handle, sizes: Iterable[int], values: bytes, groups: int) -> Form:
        """Returns the narrowest form that covers a launch on buffers of so many bytes."""
        wide = handle.forms.get(64)
        if wide is not None and len(handle.forms) == 1:  # the device has no narrower ones: those come first
            return wide
        dialect = self._dialect(handle.kernel)
        indices = struct.unpack_from(f"<{len(handle.kernel.indices)}q", values)
        form = self._form(handle, choose_index_bits(dialect, (groups, *sizes, *indices)))
        limit = 1 << (form.source.index_bits - 1)
        if groups >= limit or any(not -limit <= index < limit for index in indices):
            try:
                launch_block(form.source, 0, groups, indices, ())
            except OverflowError as problem:
                raise BackendError(f"{self._facts.title}: {problem}, or choose another device") from None
        return form

    def _form(self, handle: Handle, bits: int) -> Form:
        form = handle.forms.get(bits)
        if form is None:
            form = handle.forms.setdefault(bits, self._fitting(handle.kernel, bits))
        return form

    def _fitting(self, kernel: Kernel, bits: int) -> Form:
        lanes = min(self._lanes(kernel), self._facts.most_threads)
        while True:
            compiled = self._kernel_sources(self._dialect(kernel), bits, lanes).compiled(kernel)
            loaded = self._load(compiled)
            most = self._room(loaded)
            if most >= compiled.source.threads:
                return Form.of(kernel, compiled.source, loaded)
            if kernel.workgroup > 1:
                raise BackendError(
                    f"{self._facts.title} runs kernel {kernel.name} with {most} lanes at most, and it is "
                    f"written for {kernel.workgroup}; choose another device"
                )
            lanes = max(most // REDUCTION_LANES * REDUCTION_LANES, 1)

    def _kernel_sources(self, dialect: Dialect, bits: int, lanes: int) -> KernelSources:
        key = id(dialect), bits, lanes
        known = self._sources.get(key)
        if known is None:
            facts = replace(self._facts, most_threads=lanes)
            made = KernelSources(dialect, facts, self._build, bits)
            known = self._sources.setdefault(key, made)
        return known
