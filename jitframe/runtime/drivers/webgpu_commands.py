"""The commands of a WebGPU device: bindings that are made once, and commands that are submitted together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .batch import Batch, Memo
from .bindings import Range

_BLOCKS_BYTES = 1 << 16
_MOST_BIND_GROUPS = 1024


class Commands:
    """The commands of one device. Launch blocks lie in one uniform buffer, at dynamic offsets."""

    def __init__(self, device: Any, flags: Any, alignment: int, most: int, told: Sequence[Range]) -> None:
        """`told` is bound after the launch block: any kernel may write to it."""
        self._device = device
        self._flags = flags
        self._told = told
        usage = flags.BufferUsage
        self._blocks = device.create_buffer(size=_BLOCKS_BYTES, usage=usage.UNIFORM | usage.COPY_DST)
        self._no_workgroup = device.create_buffer(size=12, usage=usage.INDIRECT)
        self._batch = Batch(most, _BLOCKS_BYTES, alignment)
        self._layouts: dict[tuple[bool, ...], Any] = {}
        self._groups = Memo(_MOST_BIND_GROUPS)
        self.forget()

    def follow(self, most_launches: int) -> None:
        """Let so many launches wait for each other at most."""
        self._batch.most = most_launches

    # Bindings -----------------------------------------------------------------------------------------
    def layout(self, written: tuple[bool, ...]) -> Any:
        """Of kernels with such buffers and a launch block: alike ones share it, and so their bind groups."""
        layout = self._layouts.get(written)
        if layout is None:
            kinds: list[Any] = [{"type": "storage" if each else "read-only-storage"} for each in written]
            kinds.append({"type": "uniform", "has_dynamic_offset": True})
            kinds += [{"type": "storage"}] * len(self._told)
            entries = [
                {"binding": number, "visibility": self._flags.ShaderStage.COMPUTE, "buffer": kind}
                for number, kind in enumerate(kinds)
            ]
            layout = self._layouts[written] = self._device.create_bind_group_layout(entries=entries)
        return layout

    def _bind_group(self, written: tuple[bool, ...], ranges: Sequence[Range]) -> Any:
        entries = [
            {"binding": number, "resource": {"buffer": buffer, "offset": offset, "size": size}}
            for number, (buffer, offset, size) in enumerate(ranges)
        ]
        return self._device.create_bind_group(layout=self.layout(written), entries=entries)

    # Commands that wait -------------------------------------------------------------------------------
    def forget(self) -> None:
        self._encoder: Any = None
        self._pass: Any = None
        self._batch.clear()

    def encoder(self) -> Any:
        """The encoder, between two passes."""
        if self._encoder is None:
            self._encoder = self._device.create_command_encoder()
        if self._pass is not None:
            self._pass.end()
            self._pass = None
        return self._encoder

    def copy(self, target: Any, to: int, source: Any, start: int, nbytes: int) -> None:
        """Copy whole words between two buffers."""
        self._batch.use((target, source))
        self.encoder().copy_buffer_to_buffer(source, start, target, to, nbytes)

    def dispatch(
        self,
        pipeline: Any,
        written: tuple[bool, ...],
        ranges: list[Range],
        block: bytes,
        grid: Sequence[int] | None,
    ) -> None:
        """Without `grid` a buffer says that there are no workgroups: the driver cannot skip such a launch."""
        key = (written, len(block), *((id(buffer), offset, size) for buffer, offset, size in ranges))
        bound = [*ranges, (self._blocks, 0, len(block)), *self._told]
        group = self._groups.get(key, lambda: self._bind_group(written, bound))
        if not self._batch.has_room(len(block)):
            self.submit()
        if self._pass is None:
            self._pass = self.encoder().begin_compute_pass()
        self._pass.set_pipeline(pipeline)
        self._pass.set_bind_group(0, group, [self._batch.add(block)])
        if grid is None:
            self._pass.dispatch_workgroups_indirect(self._no_workgroup, 0)
        else:
            self._pass.dispatch_workgroups(*grid)
        self._batch.use(buffer for buffer, _, _ in ranges)

    def before_writing(self, buffer: Any) -> None:
        """A write by the host comes before all that is submitted after it: let what uses the buffer go."""
        if self._batch.uses(buffer):
            self.submit()

    def before_destroying(self, buffer: Any) -> None:
        self.before_writing(buffer)
        self._groups.clear()

    def submit(self) -> None:
        if self._encoder is not None:
            commands = self.encoder().finish()
            if self._batch.launches:
                self._device.queue.write_buffer(self._blocks, 0, self._batch.blocks())
            self.forget()
            self._device.queue.submit([commands])
