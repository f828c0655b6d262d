"""Kernels with indices of 32 bits, which are cheaper, and of 64 bits where a launch reaches further."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable
from typing import Any

from ..codegen.c_family import Dialect, Source, launch_block
from ..codegen.c_family.threads import choose_index_bits
from ..codegen.kernel.nodes import REDUCTION_LANES, Kernel
from ..codegen.kernel.text import kernel_text
from ..errors import DeviceError
from ..ir.record import fresh, mutable, record, replace
from .driver import DeviceFacts
from .sources import Compiled, KernelSources

_LANES = 256
"""Lanes that run a kernel written for one; more would leave each fewer registers than math needs."""


@record
class Form:
    """A kernel with indices of one width, and what the driver launches."""

    source: Source
    loaded: Any


@mutable
class Handle:
    """A kernel of one device."""

    kernel: Kernel
    forms: dict[int, Form] = fresh(factory=dict)


class Forms:
    """The kernels of one device: `build` compiles a source, `load` makes a binary ready for launches.

    `lanes`: by how many to run a kernel that is written for one. `room`: how many lanes what was loaded can
    have at most; a kernel that needs too many registers is made again for fewer.
    """

    def __init__(
        self,
        dialect: Dialect,
        facts: DeviceFacts,
        build: Callable[[Source], bytes],
        load: Callable[[Compiled], Any],
        lanes: Callable[[Kernel], int] = lambda kernel: _LANES,
        room: Callable[[Any], int] = lambda loaded: 1 << 30,
    ) -> None:
        self._dialect = dialect
        self._facts = facts
        self._build = build
        self._load = load
        self._lanes = lanes
        self._room = room
        self._sources: dict[tuple[int, int], KernelSources] = {}
        self._handles: dict[str, Handle] = {}

    def handle(self, kernel: Kernel) -> Handle:
        """The same for the same kernel; its narrow form is compiled."""
        text = kernel_text(kernel)
        handle = self._handles.get(text)
        if handle is None:
            handle = Handle(kernel)
            self._form(handle, min(self._dialect.index_bits))
            handle = self._handles.setdefault(text, handle)
        return handle

    def prepare(self, handle: Handle, sizes: Iterable[int], values: bytes, groups: int) -> tuple[Form, bytes]:
        """What to launch on buffers of so many bytes, and the launch block of all workgroups."""
        words = struct.unpack(f"<{len(values) // 8}q", values)
        count = len(handle.kernel.indices)
        form = self.form(handle, sizes, values, groups)
        return form, launch_block(form.source, 0, groups, words[:count], words[count:])

    def form(self, handle: Handle, sizes: Iterable[int], values: bytes, groups: int) -> Form:
        """The narrowest form that reaches all of the launch."""
        indices = struct.unpack_from(f"<{len(handle.kernel.indices)}q", values)
        return self._form(handle, choose_index_bits(self._dialect, (groups, *sizes, *indices)))

    def _form(self, handle: Handle, bits: int) -> Form:
        form = handle.forms.get(bits)
        if form is None:
            form = handle.forms.setdefault(bits, self._fitting(handle.kernel, bits))
        return form

    def _fitting(self, kernel: Kernel, bits: int) -> Form:
        lanes = min(self._lanes(kernel), self._facts.most_threads)
        while True:
            compiled = self._kernel_sources(bits, lanes).compiled(kernel)
            loaded = self._load(compiled)
            most = self._room(loaded)
            if most >= compiled.source.threads:
                return Form(compiled.source, loaded)
            if kernel.workgroup > 1:
                raise DeviceError(
                    f"{self._facts.title} runs kernel {kernel.name} with {most} lanes at most, and it is "
                    f"written for {kernel.workgroup}; choose another device"
                )
            lanes = max(most // REDUCTION_LANES * REDUCTION_LANES, 1)

    def _kernel_sources(self, bits: int, lanes: int) -> KernelSources:
        known = self._sources.get((bits, lanes))
        if known is None:
            facts = replace(self._facts, most_threads=lanes)
            made = KernelSources(self._dialect, facts, self._build, bits)
            known = self._sources.setdefault((bits, lanes), made)
        return known
