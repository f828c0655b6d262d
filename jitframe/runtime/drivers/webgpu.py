"""WebGPU through wgpu, on adapters of Vulkan, Metal, DX12 and OpenGL.

Commands are collected and submitted together: a submission costs some 50 µs, a launch 12. What waits is
submitted when somebody reads, or when there is much of it. Uploads go through wgpu's own staging memory, in
the queue's order; downloads through two buffers in turn. The language has no pointers, and buffers are bound
from multiples of an alignment only: see `bindings`.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from ...codegen.c_family import Source
from ...errors import ArgumentError
from ..driver import DeviceFacts, numbered_device
from ..executor import View
from ..memory import host_memory
from ..memory.allocators import check_object
from ..memory.pool import NoMemory, Pool
from ..memory.staging import PART_BYTES, in_turn
from ..memory.transfer import whole_words
from .base import raising
from .bindings import Bindings, Part, Range
from .forms import Form
from .one_thread import OneThreadDriver
from .sole_thread import sole_thread
from .sources import Compiled
from .webgpu_adapters import BUFFERS, adapters, limits_of, tick_seconds, wgpu
from .webgpu_commands import Commands
from .webgpu_facts import dialect_of, facts_of, request_device
from .webgpu_llvmpipe import ends_loops, loops_ended, telling
from .webgpu_programs import WebGPUPrograms
from .words import WordDriver


def enumerate() -> Sequence[DeviceFacts]:
    """The adapters, in a stable order. Raises BackendError: what is missing and what to install."""
    return sole_thread(WebGPUDriver.library).call(lambda: [facts_of(adapter) for adapter in adapters()])


def open(number: int, limits: str | None = None) -> WebGPUDriver:
    """The driver of one of them; `limits`: "adapter" or "default", the setting `webgpu_limits` unless
    given."""
    return sole_thread("wgpu").call(
        lambda: WebGPUDriver(numbered_device("webgpu", number, adapters()), limits)
    )


class WebGPUDriver(WebGPUPrograms, OneThreadDriver, WordDriver):
    """One adapter."""

    library = "wgpu"

    def __init__(self, adapter: Any, whose: str | None = None) -> None:
        self._wgpu = wgpu()
        facts, limits = facts_of(adapter, whose), limits_of(adapter, whose)
        usage = self._wgpu.BufferUsage
        name = f"{facts.title} ({facts.api})"
        super().__init__(name, facts, dialect_of(adapter, facts), (self._wgpu.GPUError,))
        self.ends_loops = ends_loops(adapter)
        self.most_groups = (limits["max-compute-workgroups-per-dimension"],) * 3
        self._stamps = "timestamp-query" in adapter.features
        self._storage = usage.STORAGE | usage.COPY_SRC | usage.COPY_DST
        self._do("opening it", self._open, adapter, limits, usage)
        self._tick_seconds = tick_seconds(self._queue)
        self._pool = Pool(
            name, self._fresh, self._release, facts.memory_bytes, facts.largest_buffer,
            host_memory.room_for(facts),
        )  # fmt: skip
        chunk_bytes = limits["max-storage-buffer-binding-size"] // 256 * 256
        self._bindings = Bindings(self, limits["min-storage-buffer-offset-alignment"], chunk_bytes)

    def _open(self, adapter: Any, limits: dict[str, int], usage: Any) -> None:
        limits = limits | {BUFFERS: limits[BUFFERS] + self.ends_loops}
        with raising(self._wgpu.GPUError, RuntimeError):
            self._device = request_device(adapter, limits)
        self._queue, self.native = self._device.queue, {"device": self._device}
        alignment, most = limits["min-uniform-buffer-offset-alignment"], self.facts.hints.batch_size
        self._ended = self._buffer(4, self._storage)
        told = [(self._ended, 0, 4)] * self.ends_loops
        self._waiting = Commands(self._device, self._wgpu, alignment, most, told)
        self._readable = [self._buffer(PART_BYTES + 8, usage.MAP_READ | usage.COPY_DST) for _ in "12"]
        self._resolved = self._buffer(256, usage.QUERY_RESOLVE | usage.COPY_SRC)

    # Memory -------------------------------------------------------------------------------------------
    def _download(self, source: View, out: memoryview) -> None:
        memory, offset = source

        def begin(turn: int, start: int, size: int) -> tuple[Any, int, int, memoryview]:
            first = (offset + start) & ~3
            nbytes = whole_words(offset + start + size) - first
            self._waiting.copy(self._readable[turn], 0, memory.block, first, nbytes)
            self._waiting.submit()
            return self._readable[turn], nbytes, offset + start - first, out[start : start + size]

        in_turn(out.nbytes, begin, lambda begun: self._receive(*begun))
        if self.ends_loops:
            self._synchronize()

    def _copy_words(self, target: View, source: View, nbytes: int) -> None:
        self._waiting.copy(target[0].block, target[1], source[0].block, source[1], nbytes)

    def _check_block(self, block: Any, nbytes: int) -> None:
        is_buffer = isinstance(block, self._wgpu.GPUBuffer)
        check_object(block, "wgpu.GPUBuffer", block.size if is_buffer else None, nbytes)
        if block.usage & self._storage != self._storage:
            raise ArgumentError("the wgpu.GPUBuffer that was given is not for STORAGE, COPY_SRC and COPY_DST")

    def _buffer(self, nbytes: int, usage: int) -> Any:
        return self._device.create_buffer(size=nbytes, usage=usage)

    def _fresh(self, nbytes: int) -> Any:
        try:
            return self._buffer(nbytes, self._storage)
        except self._wgpu.GPUOutOfMemoryError as problem:
            raise NoMemory(self._reason(problem)) from None

    def _release(self, block: Any) -> None:
        self._waiting.before_destroying(block)
        block.destroy()

    def _write_words(self, memory: Part, offset: int, data: memoryview | bytes) -> None:
        self._waiting.before_writing(memory.block)
        self._queue.write_buffer(memory.block, offset, data)
        if len(data) == PART_BYTES:
            self._queue.submit([])  # or staging memory would grow

    def _receive(self, readable: Any, nbytes: int, skipped: int, out: memoryview) -> None:
        with raising(self._wgpu.GPUError, RuntimeError):
            readable.map_sync(self._wgpu.MapMode.READ, 0, nbytes)
        try:
            out[:] = readable.read_mapped(0, nbytes, copy=False)[skipped : skipped + out.nbytes]
        finally:
            readable.unmap()

    # Kernels ------------------------------------------------------------------------------------------
    def _launch(self, form: Form, buffers: Sequence[View], values: bytes, groups: int) -> None:
        rows = -(-groups // self.most_groups[0])
        grid = -(-groups // rows), rows
        with self._bindings.bound(form, buffers) as (form, ranges):
            block = form.block(0, groups, buffers, values)
            self._dispatch_bound(form.loaded, form.written, ranges, block, grid)

    def _dispatch_bound(
        self, pipeline: Any, written: tuple[bool, ...], ranges: list[Range], block: bytes, grid: Sequence[int]
    ) -> None:
        if self._began is not None:
            # Mesa's drivers for processors compile when a pipeline is first used, be it for no workgroup.
            self._waiting.dispatch(pipeline, written, ranges, block, None)
            self._began.append(self._mark())
        self._waiting.dispatch(pipeline, written, ranges, block, grid)

    def _build(self, source: Source) -> bytes:
        """Let the compiler have a look at it. There is no binary to keep."""
        self._built[source.text] = self._pipeline(source)
        return b""

    def _load(self, compiled: Compiled) -> Any:
        return self._built.pop(compiled.source.text, None) or self._pipeline(compiled.source)

    def _pipeline(self, source: Source) -> Any:
        return self._accepted(source, self._made, source)

    def _made(self, source: Source) -> Any:
        written = tuple(buffer.access != "in" for buffer in source.buffers)
        return self._pipeline_of(telling(source) if self.ends_loops else source.text, source.entry, written)

    def _pipeline_of(self, text: str, entry: str, written: tuple[bool, ...]) -> Any:
        layout = self._waiting.layout(written)
        module = self._device.create_shader_module(code=text)
        return self._device.create_compute_pipeline(
            layout=self._device.create_pipeline_layout(bind_group_layouts=[layout]),
            compute={"module": module, "entry_point": entry},
        )

    # Order --------------------------------------------------------------------------------------------
    def _mark(self) -> Any:
        """A time stamp of the device; the host's time, after waiting, where it has none."""
        if not self._stamps:
            self._synchronize()
            return time.perf_counter()
        query = self._device.create_query_set(type="timestamp", count=1)
        stamp = {"query_set": query, "end_of_pass_write_index": 0}
        self._waiting.encoder().begin_compute_pass(timestamp_writes=stamp).end()
        return query

    def _elapsed(self, first: Any, last: Any) -> float:
        return self._seconds(last) - self._seconds(first)

    def _synchronize(self) -> None:
        if any(self._bytes(self._ended, 4)):
            self._waiting.encoder().clear_buffer(self._ended, 0, 4)
            raise loops_ended(self.name)

    def _seconds(self, mark: Any) -> float:
        if not self._stamps:
            return float(mark)
        self._waiting.encoder().resolve_query_set(mark, 0, 1, self._resolved, 0)
        return int.from_bytes(self._bytes(self._resolved, 8), "little") * self._tick_seconds

    def _bytes(self, buffer: Any, nbytes: int) -> bytearray:
        """The first few of a buffer, after all that waits."""
        self._waiting.copy(self._readable[0], 0, buffer, 0, nbytes)
        self._waiting.submit()
        self._receive(self._readable[0], nbytes, 0, memoryview(found := bytearray(nbytes)))
        return found

    def _is_lost(self, problem: Exception) -> bool:
        return "is lost" in str(problem)
