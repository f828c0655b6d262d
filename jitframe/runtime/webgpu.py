"""WebGPU through wgpu, on adapters of Vulkan, Metal, DX12 and OpenGL.

Commands are collected and submitted together: a submission costs some 50 µs, a launch 12. What waits is
submitted when somebody reads, or when there is much of it. Uploads go through wgpu's own staging memory, in
the queue's order; downloads through two buffers in turn.

The language has no pointers, and buffers are bound from multiples of an alignment only. Where a view begins
elsewhere, or one memory is bound twice and written, the kernel is given a copy; what it wrote is copied back.
Lowered kernels have their offsets as indices, so plans hardly come to that. Memory too large for one binding
is bound in pieces, for which the kernel is compiled once more (see codegen.kernel.pieces).
"""

from __future__ import annotations

import builtins
import struct
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import Any, NoReturn

from ..codegen.c_family import WGSL, Source, launch_block
from ..codegen.kernel.builder import KernelBuilder
from ..codegen.kernel.nodes import Kernel
from ..codegen.kernel.pieces import split_buffers
from ..codegen.plan.bound import BoundGemm
from ..errors import CompileError, DeviceError
from ..ir.record import fresh, mutable, replace
from ..ir.types import U8, U32
from .driver import DeviceFacts, MemoryStatistics
from .executor import View
from .pool import OutOfMemory, Pool
from .sources import KernelSources, numbered
from .webgpu_adapters import adapters, facts_of, limits_of, tick_seconds, wgpu
from .webgpu_commands import Commands, Range

_CHUNK_BYTES = 1 << 22
"""Bytes that are uploaded or downloaded at once: staging memory stays in the caches."""
_MOVED_BYTES = 1 << 26
"""Bytes that one launch moves from any place to any place."""
_TILE = 4096
_CPU_LANES = 32
"""Processors run a workgroup's lanes by turns; more of them only make its barriers dearer."""


def enumerate() -> Sequence[DeviceFacts]:
    """The adapters, in a stable order. Raises DeviceError: what is missing and what to install."""
    return [facts_of(adapter) for adapter in adapters()]


def open(number: int) -> WebGPUDriver:
    found = adapters()
    if not 0 <= number < len(found):
        raise DeviceError(f"webgpu:{number} is not there: this machine has {len(found)} adapters")
    return WebGPUDriver(found[number])


@mutable
class _Memory:
    """A block of the pool, of which so many bytes were asked for."""

    block: Any
    nbytes: int


@mutable
class _Handle:
    kernel: Kernel
    source: Source
    pipeline: Any
    written: tuple[bool, ...]
    in_pieces: dict[tuple[int, ...], _Handle] = fresh(factory=dict)
    """The same kernel with its buffers in so many pieces."""


class WebGPUDriver:
    """One adapter."""

    def __init__(self, adapter: Any) -> None:
        self._wgpu = wgpu()
        self.facts = facts_of(adapter)
        self.dialect = replace(WGSL, buffer_limit=self.facts.most_buffers)
        self._name = f"{self.facts.title} ({self.facts.api})"
        limits = limits_of(adapter)
        self._alignment = limits["min-storage-buffer-offset-alignment"]
        self._piece_bytes = limits["max-storage-buffer-binding-size"] // 256 * 256
        self._most_groups = limits["max-compute-workgroups-per-dimension"]
        self._stamps = "timestamp-query" in adapter.features
        features = ["timestamp-query"] if self._stamps else []
        usage = self._wgpu.BufferUsage
        self._storage = usage.STORAGE | usage.COPY_SRC | usage.COPY_DST
        self._lock = threading.RLock()
        try:
            self._device = adapter.request_device_sync(required_features=features, required_limits=limits)
            self._queue = self._device.queue
            self._commands = Commands(self._device, self._wgpu, limits["min-uniform-buffer-offset-alignment"])
            self._readable = [self._buffer(_CHUNK_BYTES + 8, usage.MAP_READ | usage.COPY_DST) for _ in "12"]
            self._resolved = self._buffer(256, usage.QUERY_RESOLVE | usage.COPY_SRC)
        except (self._wgpu.GPUError, RuntimeError) as problem:
            raise self._failed("opening it", problem) from None
        self._tick_seconds = tick_seconds(self._queue)
        self._pool = Pool(self._name, self._allocate, self._release)
        lanes = _CPU_LANES if self.facts.kind == "cpu" else self.facts.most_threads
        self._sources = KernelSources(self.dialect, replace(self.facts, most_threads=lanes), self._build)
        self._pipelines: dict[str, Any] = {}
        """By source."""
        self._handles: dict[str, _Handle] = {}

    # Memory -------------------------------------------------------------------------------------------
    def allocate(self, nbytes: int) -> _Memory:
        if nbytes > self.facts.largest_buffer:
            raise DeviceError(
                f"{self._name} gives one array {self.facts.largest_buffer:,} bytes "
                f"at most, not {nbytes:,}; work on parts, or choose another device"
            )
        with self._working("allocating"):
            return _Memory(self._pool.take(nbytes), nbytes)

    def free(self, memory: _Memory) -> None:
        with self._lock:
            self._pool.give(memory.block)

    def upload(self, target: View, data: memoryview) -> None:
        if not data.nbytes:
            return
        data = data.cast("B")
        memory, offset = target
        with self._working("an upload"):
            if _in_words(offset, data.nbytes, memory):
                self._write(memory, offset, data)
                return
            with self._temporary(data.nbytes) as staged:
                self._write(staged, 0, data)
                self.copy(target, (staged, 0), data.nbytes)

    def download(self, source: View, out: memoryview) -> None:
        if not out.nbytes:
            return
        out = out.cast("B")
        memory, offset = source
        pending: tuple[Any, int, int, memoryview] | None = None
        with self._working("a download"):
            for number, start in builtins.enumerate(range(0, out.nbytes, _CHUNK_BYTES)):
                part = out[start : start + _CHUNK_BYTES]
                first = (offset + start) & ~3
                nbytes = _whole_words(offset + start + part.nbytes) - first
                readable = self._readable[number % 2]
                self._commands.copy(readable, 0, memory.block, first, nbytes)
                self._commands.submit()
                if pending is not None:
                    self._receive(*pending)
                pending = readable, nbytes, offset + start - first, part
            assert pending is not None
            self._receive(*pending)

    def read(self, source: View, nbytes: int) -> bytes:
        out = bytearray(nbytes)
        self.download(source, memoryview(out))
        return bytes(out)

    def copy(self, target: View, source: View, nbytes: int) -> None:
        if not nbytes:
            return
        (there, to), (here, start) = target, source
        with self._working("a copy"):
            if there is here:
                with self._temporary(nbytes) as between:
                    self.copy((between, 0), source, nbytes)
                    self.copy(target, (between, 0), nbytes)
            elif start % 4 == 0 and _in_words(to, nbytes, there):
                self._commands.copy(there.block, to, here.block, start, _whole_words(nbytes))
            else:
                done = min(-to % 4, nbytes)
                self._move(target, source, done, 1)
                while nbytes - done >= 4:
                    step = min(_MOVED_BYTES, (nbytes - done) & ~3)
                    self._move((there, to + done), (here, start + done), step, 4)
                    done += step
                self._move((there, to + done), (here, start + done), nbytes - done, 1)

    def trim(self) -> None:
        with self._working("giving memory back"):
            self._pool.trim()

    def statistics(self) -> MemoryStatistics:
        return self._pool.statistics()

    @contextmanager
    def _temporary(self, nbytes: int) -> Iterator[_Memory]:
        memory = self.allocate(nbytes)
        try:
            yield memory
        finally:
            self.free(memory)

    def _buffer(self, nbytes: int, usage: int) -> Any:
        return self._device.create_buffer(size=nbytes, usage=usage)

    def _allocate(self, nbytes: int) -> Any:
        try:
            return self._buffer(min(nbytes, self.facts.largest_buffer), self._storage)  # the pool rounds up
        except self._wgpu.GPUOutOfMemoryError as problem:
            raise OutOfMemory(" ".join(str(problem).split())) from None

    def _release(self, block: Any) -> None:
        self._commands.before_destroying(block)
        block.destroy()

    def _write(self, memory: _Memory, offset: int, data: memoryview) -> None:
        """Host memory to whole words."""
        self._commands.before_writing(memory.block)
        words = data.nbytes & ~3
        for start in range(0, words, _CHUNK_BYTES):
            if start:
                self._queue.submit([])  # or staging memory would grow
            part = data[start : min(start + _CHUNK_BYTES, words)]
            self._queue.write_buffer(memory.block, offset + start, part)
        if words < data.nbytes:
            self._queue.write_buffer(memory.block, offset + words, bytes(data[words:]).ljust(4, b"\0"))

    def _receive(self, readable: Any, nbytes: int, skipped: int, out: memoryview) -> None:
        try:
            readable.map_sync(self._wgpu.MapMode.READ, 0, nbytes)
        except RuntimeError as problem:
            raise self._failed("reading", problem) from None
        try:
            out[:] = readable.read_mapped(0, nbytes, copy=False)[skipped : skipped + out.nbytes]
        finally:
            readable.unmap()

    def _move(self, target: View, source: View, nbytes: int, itemsize: int) -> None:
        """Copy between two memories by a kernel, to bytes or to whole words."""
        if not nbytes:
            return
        (there, to), (here, start), down = target, source, -self._alignment
        handle = self.compile(_move_kernel(itemsize))
        ranges = [
            (memory.block, at & down, _whole_words((at & ~down) + nbytes))
            for memory, at in ((here, start), (there, to))
        ]
        count = nbytes // itemsize
        indices = (count, _TILE, start & ~down, (to & ~down) // itemsize)
        groups = -(-count // _TILE)
        self._dispatch(handle, ranges, launch_block(handle.source, 0, groups, indices, ()), groups)

    # Kernels ------------------------------------------------------------------------------------------
    def compile(self, kernel: Kernel) -> _Handle:
        with self._lock:
            source = self._sources.compiled(kernel).source
            handle = self._handles.get(source.text)
            if handle is None:
                handle = _Handle(kernel, source, self._pipeline(source), _written(source))
                self._handles[source.text] = handle
            return handle

    def launch(self, handle: _Handle, buffers: Sequence[View], values: bytes, groups: int) -> None:
        if groups <= 0:
            return
        source = handle.source
        words = struct.unpack(f"<{len(values) // 8}q", values)
        try:
            block = launch_block(source, 0, groups, words[: source.indices], words[source.indices :])
        except OverflowError as problem:
            raise DeviceError(f"{self.facts.title}: {problem}, or choose another device") from None
        with self._working(f"launching {source.entry}"), ExitStack() as stack:
            views = self._bindable(handle, buffers, stack)
            ranges = [
                (memory.block, offset, max(_whole_words(memory.nbytes - offset), 4))
                for memory, offset in views
            ]
            if any(size > self._piece_bytes for _, _, size in ranges):
                handle, ranges = self._pieces(handle, ranges)
            self._dispatch(handle, ranges, block, groups)
            for (copied, _), (memory, offset), written in zip(views, buffers, handle.written):
                if written and copied is not memory:
                    self.copy((memory, offset), (copied, 0), memory.nbytes - offset)

    def gemm(self, step: BoundGemm, a: View, b: View, c: View) -> NoReturn:
        raise DeviceError(f"{self.facts.title} has no library of matrix products; they are kernels there")

    def _build(self, source: Source) -> bytes:
        """Let the compiler have a look at it. There is no binary to keep."""
        self._pipeline(source)
        return b""

    def _pipeline(self, source: Source) -> Any:
        pipeline = self._pipelines.get(source.text)
        if pipeline is None:
            try:
                layout = self._commands.layout(_written(source))
                module = self._device.create_shader_module(code=source.text)
                pipeline = self._device.create_compute_pipeline(
                    layout=self._device.create_pipeline_layout(bind_group_layouts=[layout]),
                    compute={"module": module, "entry_point": source.entry},
                )
            except self._wgpu.GPUError as problem:
                if _is_lost(problem):
                    raise self._failed("compiling", problem) from None
                raise CompileError(
                    f"{self._name} rejected kernel {source.entry}:\n{numbered(source.text)}\n{problem}"
                ) from None
            self._pipelines[source.text] = pipeline
        return pipeline

    def _bindable(self, handle: _Handle, buffers: Sequence[View], stack: ExitStack) -> list[View]:
        """Views that may be bound together: those given, or copies of them."""
        views: list[View] = []
        blocks = [id(memory.block) for memory, _ in buffers]
        writes = [block for block, written in zip(blocks, handle.written, strict=True) if written]
        for (memory, offset), block, written in zip(buffers, blocks, handle.written):
            if writes.count(block) > 1:
                raise DeviceError(
                    f"{self.facts.title}: {handle.source.entry} writes one memory through two buffers, which "
                    "WebGPU forbids; give it a copy"
                )
            if offset % self._alignment == 0 and (written or block not in writes):
                views.append((memory, offset))
                continue
            copied = stack.enter_context(self._temporary(memory.nbytes - offset))
            self.copy((copied, 0), (memory, offset), copied.nbytes)
            views.append((copied, 0))
        return views

    def _pieces(self, handle: _Handle, ranges: Sequence[Range]) -> tuple[_Handle, list[Range]]:
        """The kernel for buffers in pieces, and the pieces in its order."""
        piece = self._piece_bytes
        cut = [
            [(block, offset + at, min(piece, size - at)) for at in range(0, size, piece)]
            for block, offset, size in ranges
        ]
        counts = tuple(map(len, cut))
        if sum(counts) > self.facts.most_buffers:
            largest = max(size for _, _, size in ranges)
            raise DeviceError(
                f"{self._name} binds {self.facts.most_buffers} buffers of "
                f"{piece:,} bytes at most to a kernel, and {handle.source.entry} needs {sum(counts)}: its "
                f"largest array has {largest:,} bytes; work on parts, or choose another device"
            )
        found = handle.in_pieces.get(counts)
        if found is None:
            kernel = split_buffers(handle.kernel, counts, piece)
            found = handle.in_pieces[counts] = self.compile(kernel)
        return found, [first for first, *_ in cut] + [each for _, *others in cut for each in others]

    def _dispatch(self, handle: _Handle, ranges: Sequence[Range], block: bytes, groups: int) -> None:
        rows = -(-groups // self._most_groups)
        grid = -(-groups // rows), rows
        self._commands.dispatch(handle.pipeline, handle.written, ranges, block, grid)

    # Order --------------------------------------------------------------------------------------------
    def mark(self) -> Any:
        """A time stamp of the device; the host's time, after waiting, where it has none."""
        with self._working("a mark"):
            if not self._stamps:
                self.synchronize()
                return time.perf_counter()
            query = self._device.create_query_set(type="timestamp", count=1)
            stamp = {"query_set": query, "end_of_pass_write_index": 0}
            self._commands.encoder().begin_compute_pass(timestamp_writes=stamp).end()
            return query

    def elapsed(self, first: Any, last: Any) -> float:
        with self._working("a measurement"):
            return self._seconds(last) - self._seconds(first)

    def synchronize(self) -> None:
        with self._working("waiting"):
            self._commands.encoder().clear_buffer(self._readable[0], 0, 4)
            self._commands.submit()
            self._receive(self._readable[0], 4, 0, memoryview(bytearray(4)))

    def _seconds(self, mark: Any) -> float:
        if not self._stamps:
            return float(mark)
        self._commands.encoder().resolve_query_set(mark, 0, 1, self._resolved, 0)
        self._commands.copy(self._readable[0], 0, self._resolved, 0, 8)
        self._commands.submit()
        ticks = bytearray(8)
        self._receive(self._readable[0], 8, 0, memoryview(ticks))
        return int.from_bytes(ticks, "little") * self._tick_seconds

    @contextmanager
    def _working(self, doing: str) -> Iterator[None]:
        with self._lock:
            try:
                yield
            except self._wgpu.GPUError as problem:
                self._commands.forget()
                raise self._failed(doing, problem) from None

    def _failed(self, doing: str, problem: Exception) -> DeviceError:
        if _is_lost(problem):
            return DeviceError(
                f"{self._name} was lost with all that it held (found while {doing}); start the process "
                "anew, or choose another device"
            )
        return DeviceError(f"{self._name} failed at {doing}: {' '.join(str(problem).split())}")


@cache
def _move_kernel(itemsize: int) -> Kernel:
    """Copies bytes from anywhere to anywhere; or, with items of four, to whole words."""
    build = KernelBuilder(f"move_{itemsize}")
    source, target = build.buffer(U8, "in"), build.buffer(U32 if itemsize > 1 else U8, "out")
    count, tile, start, to = (build.index() for _ in range(4))
    begin = build.mul(build.group_id(), tile)
    end = build.emit("minimum", (build.add(begin, tile), count))
    with build.loop(begin, end, kind="lanes") as (i,):
        first = build.add(start, build.mul(i, build.constant(itemsize)))
        value = build.cast(build.load(source, first), target.dtype)
        for number in range(1, itemsize):
            part = build.cast(build.load(source, build.add(first, build.constant(number))), U32)
            part = build.emit("shift_left", (part, build.constant(8 * number, U32)))
            value = build.emit("or", (value, part))
        build.store(target, build.add(to, i), value)
    return build.finish()


def _written(source: Source) -> tuple[bool, ...]:
    return tuple(each.access != "in" for each in source.buffers)


def _is_lost(problem: Exception) -> bool:
    return "is lost" in str(problem)


def _whole_words(nbytes: int) -> int:
    return -(-nbytes // 4) * 4


def _in_words(offset: int, nbytes: int, memory: _Memory) -> bool:
    """Whether bytes of a memory are whole words of it; those past its end are nobody's."""
    return offset % 4 == 0 and (nbytes % 4 == 0 or offset + nbytes == memory.nbytes)
