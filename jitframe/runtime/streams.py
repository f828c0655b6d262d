"""The driver of devices with streams, such as CUDA and HIP: their interface is a handful of functions.

A `StreamInterface` says how one device does each thing; `StreamDriver` puts them in order. Copies between
host and device go through two chunks of pinned memory in turn, so that the host's copying and the device's
overlap.
"""

from __future__ import annotations

import ctypes
import struct
import threading
from collections.abc import Callable, Sequence
from typing import Any, Literal, Protocol

from ..codegen.c_family import Dialect, Source, launch_block
from ..codegen.kernel.nodes import Kernel
from ..codegen.plan.bound import BoundGemm
from ..errors import CompileError, DeviceError
from ..ir.record import mutable
from .driver import DeviceFacts, MemoryStatistics
from .executor import View
from .forms import Forms, Handle
from .sources import Compiled, numbered

Direction = Literal["in", "out", "within"]
_CHUNK_BYTES = 4 << 20


@mutable
class Block:
    """A stretch of device memory; `owner` keeps it alive."""

    address: int
    nbytes: int
    owner: Any = None
    foreign: bool = False
    """Another library's, which has its own pool."""


class Memory(Protocol):
    """A pool of blocks: `pool.Pool`, or what stands for the vendor's."""

    def take(self, nbytes: int) -> Block: ...

    def give(self, block: Block) -> None: ...

    def trim(self) -> None: ...

    def statistics(self) -> MemoryStatistics: ...


class StreamInterface(Protocol):
    """One device with one stream, the work of which is done in order. Addresses are integers."""

    name: str
    """Of the device, for messages."""
    errors: tuple[type[Exception], ...]
    """What its functions raise."""
    memory: Memory
    stream_address: int
    """The stream, as other libraries name it."""
    recorder: Recorder | None

    def enter(self) -> Any:
        """Make the device this thread's; returns what `leave` takes to restore the one before."""
        ...

    def leave(self, before: Any) -> None: ...

    def pinned(self, nbytes: int) -> tuple[int, memoryview, Any]:
        """Memory of the host that the device reaches: address, bytes, and what keeps it alive."""
        ...

    def copy(self, target: int, source: int, nbytes: int, direction: Direction) -> None: ...

    def synchronize(self) -> None: ...

    def wait_for(self, stream: int) -> None:
        """Wait for all work of another library's stream."""
        ...

    def record(self) -> Any:
        """An event: the point after all work so far."""
        ...

    def wait(self, event: Any) -> None: ...

    def elapsed(self, first: Any, last: Any) -> float:
        """Seconds between two events that were waited for."""
        ...

    def build(self, source: Source) -> bytes:
        """The binary; raises BuildProblem."""
        ...

    def load(self, binary: bytes, entry: str) -> Any:
        """A function of a binary."""
        ...

    def launch(self, function: Any, groups: int, threads: int, parameters: int) -> None:
        """`parameters`: address of an array of the arguments' addresses, read before this returns."""
        ...

    def most_groups(self, threads: int) -> int:
        """Workgroups of one launch at most."""
        ...

    def multiply(
        self, dtype: str, flip_a: bool, flip_b: bool, m: int, n: int, k: int,
        a: int, lda: int, b: int, ldb: int, c: int, ldc: int,
    ) -> None:  # fmt: skip
        """c[m, n] = op(a)[m, k] @ op(b)[k, n], column-major."""
        ...


class Recorder(Protocol):
    """Records what a stream is asked for, and asks for it again."""

    def begin(self) -> None: ...

    def end(self) -> Any: ...

    def replay(self, recorded: Any) -> None: ...


class BuildProblem(Exception):
    """A compiler's log."""


class _Active:
    """The device is this thread's inside `with`, and its errors are DeviceErrors."""

    __slots__ = ("_before", "_interface", "_stack")

    def __init__(self, interface: StreamInterface) -> None:
        self._interface = interface
        self._stack = threading.local()

    def __enter__(self) -> None:
        try:
            before = self._interface.enter()
        except self._interface.errors as problem:
            raise self._lost(problem) from problem
        self._stack.__dict__.setdefault("before", []).append(before)

    def __exit__(self, kind: Any, problem: BaseException | None, _: Any) -> None:
        try:
            self._interface.leave(self._stack.before.pop())
        except self._interface.errors as second:
            problem = problem or second
        if isinstance(problem, self._interface.errors):
            raise self._lost(problem) from problem

    def _lost(self, problem: BaseException) -> DeviceError:
        return DeviceError(
            f"{self._interface.name} failed: {problem}; what was computed there may be lost. Where this "
            "happens again, start the process anew, or choose another device"
        )


class StreamDriver:
    """One device (see `driver.Driver`)."""

    has_addresses = True
    """Other libraries can be told where its memory is (see `array_interface`)."""

    def __init__(self, dialect: Dialect, facts: DeviceFacts, interface: StreamInterface) -> None:
        self.facts = facts
        self.interface = interface
        self._active = _Active(interface)
        self._forms = Forms(dialect, facts, self._build, self._load)
        self.dlpack: Callable[..., Any] | None = None
        """Where the vendor's library makes them: the DLPack capsule of a `device.DeviceArray`."""
        self.dlpack_device: Callable[[], tuple[int, int]] | None = None
        self._recorded: list[Block] | None = None
        """While work is recorded: the memory that it gave back."""
        self._lock = threading.Lock()
        self._staging: list[_Chunk] = []

    # Memory -------------------------------------------------------------------------------------------
    def allocate(self, nbytes: int) -> Block:
        with self._active:
            return self.interface.memory.take(max(nbytes, 1))

    def free(self, memory: Block) -> None:
        if memory.foreign:
            memory.owner = None
            return
        if self._recorded is not None:
            self._recorded.append(memory)
            return
        with self._active:
            self.interface.memory.give(memory)

    def upload(self, target: View, data: memoryview) -> None:
        self._refuse_recording("a copy from the host")
        data, address = data.cast("B"), _address(target)
        with self._lock, self._active:
            for number, start in enumerate(range(0, len(data), _CHUNK_BYTES)):
                chunk, part = self._chunk(number), data[start : start + _CHUNK_BYTES]
                chunk.content[: len(part)] = part
                self.interface.copy(address + start, chunk.address, len(part), "in")
                chunk.busy = self.interface.record()

    def download(self, source: View, out: memoryview) -> None:
        self._refuse_recording("a copy to the host")
        out, address = out.cast("B"), _address(source)
        pending: tuple[_Chunk, memoryview] | None = None
        with self._lock, self._active:
            for number, start in enumerate(range(0, len(out), _CHUNK_BYTES)):
                chunk, part = self._chunk(number), out[start : start + _CHUNK_BYTES]
                self.interface.copy(chunk.address, address + start, len(part), "out")
                chunk.busy = self.interface.record()
                if pending is not None:
                    self._receive(*pending)
                pending = chunk, part
            if pending is not None:
                self._receive(*pending)

    def read(self, source: View, nbytes: int) -> bytes:
        held = bytearray(nbytes)
        self.download(source, memoryview(held))
        return bytes(held)

    def copy(self, target: View, source: View, nbytes: int) -> None:
        with self._active:
            self.interface.copy(_address(target), _address(source), nbytes, "within")

    def trim(self) -> None:
        with self._active:
            self.interface.memory.trim()

    def statistics(self) -> MemoryStatistics:
        with self._active:
            return self.interface.memory.statistics()

    def _chunk(self, number: int) -> _Chunk:
        """Chunks in turn, each once the device is through with it."""
        while len(self._staging) < 2:
            self._staging.append(_Chunk(*self.interface.pinned(_CHUNK_BYTES)))
        chunk = self._staging[number % 2]
        if chunk.busy is not None:
            self.interface.wait(chunk.busy)
            chunk.busy = None
        return chunk

    def _receive(self, chunk: _Chunk, part: memoryview) -> None:
        self.interface.wait(chunk.busy)
        chunk.busy = None
        part[:] = chunk.content[: len(part)]

    # Kernels ------------------------------------------------------------------------------------------
    def compile(self, kernel: Kernel) -> Handle:
        return self._forms.handle(kernel)

    def launch(self, handle: Handle, buffers: Sequence[View], values: bytes, groups: int) -> None:
        if groups <= 0:
            return
        form = self._forms.form(handle, [memory.nbytes for memory, _ in buffers], values, groups)
        source = form.source
        words = struct.unpack(f"<{len(values) // 8}q", values)
        indices, scalars = words[: source.indices], words[source.indices :]
        limit = self.interface.most_groups(source.threads)
        with self._active:
            for begin in range(0, groups, limit):
                end = min(begin + limit, groups)
                block = launch_block(source, begin, end, indices, scalars)
                parameters, _kept = _parameters(buffers, block)
                self.interface.launch(form.loaded, end - begin, source.threads, parameters)

    def _load(self, compiled: Compiled) -> Any:
        with self._active:
            return self.interface.load(compiled.binary, compiled.source.entry)

    def _build(self, source: Source) -> bytes:
        try:
            return self.interface.build(source)
        except BuildProblem as problem:
            raise CompileError(
                f"{self.interface.name} rejected kernel {source.entry}:\n{numbered(source.text)}\n{problem}"
            ) from None

    def gemm(self, step: BoundGemm, a: View, b: View, c: View) -> None:
        if not step.m or not step.n:
            return
        # The library is column-major and sees every matrix transposed: c.T = op(b).T @ op(a).T.
        with self._active:
            self.interface.multiply(
                step.dtype, step.transpose_b, step.transpose_a, step.n, step.m, step.k,
                _address(b), step.ldb, _address(a), step.lda, _address(c), step.ldc,
            )  # fmt: skip

    # Order --------------------------------------------------------------------------------------------
    def mark(self) -> Any:
        with self._active:
            return self.interface.record()

    def elapsed(self, first: Any, last: Any) -> float:
        with self._active:
            self.interface.wait(first)
            self.interface.wait(last)
            return self.interface.elapsed(first, last)

    def synchronize(self) -> None:
        self._refuse_recording("waiting")
        with self._active:
            self.interface.synchronize()

    def wait_for(self, stream: int | None) -> None:
        """Wait for the work of another library's stream; None is that of no stream."""
        if stream is not None:
            with self._active:
                self.interface.wait_for(stream)

    # Recordings (see `recording`) ---------------------------------------------------------------------
    def begin_recording(self) -> list[Block]:
        """From now on work is recorded and not done; memory that is freed meanwhile comes into the list."""
        self._refuse_recording("another recording")
        if self.interface.recorder is None:
            raise DeviceError(f"{self.interface.name} cannot record its work: ask for it each time")
        with self._active:
            self.interface.recorder.begin()
        self._recorded = []
        return self._recorded

    def end_recording(self) -> Any:
        assert self.interface.recorder is not None
        self._recorded = None
        with self._active:
            return self.interface.recorder.end()

    def replay(self, graph: Any) -> None:
        assert self.interface.recorder is not None
        with self._active:
            self.interface.recorder.replay(graph)

    def _refuse_recording(self, what: str) -> None:
        if self._recorded is not None:
            raise DeviceError(
                f"{self.interface.name} is recording its work, and {what} cannot be recorded: do it before "
                "or after"
            )


@mutable
class _Chunk:
    """Pinned memory, and the event after which the device no longer uses it."""

    address: int
    content: memoryview
    owner: Any
    busy: Any = None


def _address(view: View) -> int:
    memory, offset = view
    address: int = memory.address
    return address + offset


def _parameters(buffers: Sequence[View], block: bytes) -> tuple[int, Any]:
    """The array of the arguments' addresses, by its own address, and what keeps all of it alive."""
    count = len(buffers)
    pointers = (ctypes.c_uint64 * count)(*map(_address, buffers))
    slots = ctypes.create_string_buffer(block, len(block))
    first = ctypes.addressof(pointers)
    table = (ctypes.c_uint64 * (count + 1))(*range(first, first + 8 * count, 8), ctypes.addressof(slots))
    return ctypes.addressof(table), (pointers, slots, table)
