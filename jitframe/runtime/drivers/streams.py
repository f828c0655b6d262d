"""The driver of devices with streams, such as CUDA and HIP: their interface is a handful of functions.

A `StreamInterface` says how one device does each thing; `StreamDriver` puts them in order. Copies between
host and device go through two chunks of pinned memory in turn, so that the host's copying and the device's
overlap.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from ...base.locks import new_reentrant_lock
from ...codegen.c_family import Dialect, Source
from ...codegen.c_family.atomics import atomic_dtypes
from ...errors import BackendError
from ...ir.record import mutable
from ..driver import Cache, DeviceFacts
from ..executor import View
from ..memory.allocators import address_of
from ..memory.staging import PART_BYTES, Part, Staging
from .forms import Form
from .queued import MOST_QUEUES, QueuedDriver
from .source_programs import Argument, Grid, Parameters, built_program, rejected
from .sources import Compiled
from .stream_interface import StreamInterface

LOST = frozenset((46, 214, 220, 700, 702, 709, 710, *range(714, 720), 999))
"""Statuses of CUDA, which HIP shares, after which the process can use a device no more: it is gone, or a
kernel went wrong or took too long."""


def gpu_facts(dialect: Dialect, units: int, l2_bytes: int, **facts: Any) -> DeviceFacts:
    """The facts of a GPU with streams: those that follow from its language, and what its interface tells."""
    return DeviceFacts(
        kind="gpu",
        dtypes=frozenset(dialect.types),
        most_buffers=dialect.buffer_limit,
        subgroup_lanes=dialect.subgroup_lanes,
        fma=dialect.fma,
        atomics=atomic_dtypes(dialect),
        units=units,
        caches=(Cache(2, l2_bytes, units=units),) if l2_bytes else (),
        alignment=256,
        asynchronous=True,
        streams=MOST_QUEUES,
        keeps_binaries=True,
        **facts,
    )


class Block(metaclass=mutable):
    """A stretch of device memory; `owner` keeps it alive."""

    address: int
    nbytes: int
    owner: Any = None
    foreign: bool = False
    """Another library's, which has its own pool."""


class BuildProblem(Exception):
    """A compiler's log."""


class _Active:
    """Inside `with` the device is this thread's, and no other's."""

    def __init__(self, interface: StreamInterface) -> None:
        self._interface = interface
        self._lock = new_reentrant_lock()
        self._before: list[Any] = []

    def __enter__(self) -> None:
        self._lock.acquire()
        try:
            self._before.append(self._interface.enter())
        except BaseException:
            self._lock.release()
            raise

    def __exit__(self, *_: object) -> None:
        try:
            self._interface.leave(self._before.pop())
        finally:
            self._lock.release()


class StreamDriver(QueuedDriver):
    """One device (see `driver.Driver`), with a stream for each queue."""

    _after_loss = "start the process anew"
    has_addresses = True
    """Other libraries can be told where its memory is (see `array_interface`)."""

    def __init__(self, dialect: Dialect, facts: DeviceFacts, interface: StreamInterface) -> None:
        super().__init__(interface.name, facts, dialect, interface.errors, _Active(interface))
        self.interface = interface
        self._pool = interface.memory
        self._recording = False
        self._staging = Staging(self._part, interface.wait)

    # Memory -------------------------------------------------------------------------------------------
    def _take(self, nbytes: int) -> Block:
        return super()._take(max(nbytes, 1))  # type: ignore[no-any-return]

    def _give(self, memory: Block) -> None:
        if memory.foreign:
            memory.owner = None
        else:
            super()._give(memory)

    def _nbytes(self, memory: Block) -> int:
        return memory.nbytes

    def _upload(self, target: View, data: memoryview) -> None:
        self._refuse_recording("a copy from the host")
        address = _address(target)

        def copy(part: Part, start: int, size: int) -> Any:
            self.interface.copy(address + start, part.address, size, "in")
            return self.interface.point()

        self._staging.send(data, copy)

    def _download(self, source: View, out: memoryview) -> None:
        self._refuse_recording("a copy to the host")
        address = _address(source)

        def copy(part: Part, start: int, size: int) -> Any:
            self.interface.copy(part.address, address + start, size, "out")
            return self.interface.point()

        self._staging.fetch(out, copy)

    def _copy(self, target: View, source: View, nbytes: int) -> None:
        self.interface.copy(_address(target), _address(source), nbytes, "within")

    def copy_from(self, target: View, here: Any, source: View, nbytes: int) -> bool:
        """Copies from another device of its kind, where the interface can; whether it did."""
        peer = getattr(self.interface, "copy_from", None)
        if peer is None or type(getattr(here, "interface", None)) is not type(self.interface):
            return False
        self._refuse_recording("a copy from another device")
        if nbytes:
            self._do("a copy", self.interface.hold, self.interface.stream_address, here.point())
            self._do("a copy", peer, _address(target), here.interface, _address(source), nbytes)
            here.hold(here.interface.stream_address, self.point())  # what it does next may write there
        return True

    def adopt(self, address: int, nbytes: int) -> Block:
        """Somebody else's memory, who keeps it until it is free again. Raises ArgumentError for what is no
        address."""
        return Block(address_of(address, nbytes), max(nbytes, 1), foreign=True)

    def pinned(self, nbytes: int) -> memoryview:
        """Memory of the host that the device reaches; it lives as long as the view."""
        _, content = self._do("allocating", self.interface.pinned, max(nbytes, 1))
        return content[:nbytes]

    def _part(self) -> Part:
        address, content = self.interface.pinned(PART_BYTES)
        return Part(content, address)

    # Kernels ------------------------------------------------------------------------------------------
    def _launch(self, form: Form, buffers: Sequence[View], values: bytes, groups: int) -> None:
        threads = form.source.threads
        limit = self.interface.most_groups(threads)
        for begin in range(0, groups, limit):
            end = min(begin + limit, groups)
            parameters, _kept = _parameters(buffers, form.block(begin, end, buffers, values))
            self.interface.launch(form.loaded, (end - begin, 1, 1), (threads, 1, 1), parameters)

    def _is_lost(self, problem: Exception) -> bool:
        return self.interface.is_lost(problem)

    def _load(self, compiled: Compiled) -> Any:
        return self._do("loading a kernel", self.interface.load, compiled.binary, compiled.source.entry)

    def _build(self, source: Source) -> bytes:
        try:
            return self.interface.build(source)
        except BuildProblem as problem:
            raise self.rejected(source, problem) from None

    def _assembly(self, source: Source) -> bytes:
        assembly: Callable[[Source], bytes] = getattr(self.interface, "assembly", self.interface.build)
        return assembly(source)

    # Programs that others wrote -------------------------------------------------------------------------
    @property
    def source_language(self) -> str:
        return self.interface.language

    @property
    def most_groups(self) -> Grid:
        return self.interface.most_grid

    def compile_source(self, program: str | bytes, entry: str, parameters: Parameters) -> WrittenKernel:
        """The entry is `extern "C" __global__`; its parameters are pointers and values, in order. It is
        compiled with the options of our own kernels: products are not contracted with sums."""
        if isinstance(program, str):
            source = Source(program, entry, 1, self.dialect.options, 64, (), 0, 0)
            try:
                binary: bytes = self._do("compiling", self._program_binary, source)
            except BuildProblem as problem:
                raise rejected(self.name, entry, program, problem) from problem
        else:
            binary = program
        refusal = partial(rejected, self.name, entry, program)
        with self._guard:
            loaded = self._attempt("loading a program", refusal, self.interface.load, binary, entry)
        return WrittenKernel(entry, bytes(binary), loaded)

    def _program_binary(self, source: Source) -> bytes:
        if not self.facts.hints.cache_kernels:
            return self.interface.build(source)
        target = f"{self.dialect.device} {self.facts.version}"
        options = {"options": " ".join(source.options)}
        build = partial(self.interface.build, source)
        return built_program(source.text, source.entry, target, options, build)

    def source_binary(self, handle: WrittenKernel) -> bytes:
        return handle.binary

    def launch_source(
        self,
        handle: WrittenKernel,
        arguments: Sequence[Argument],
        grid: Grid,
        workgroup: Grid,
        shared_bytes: int,
    ) -> None:
        parameters, _kept = _arguments(arguments)
        doing = f"launching {handle.entry}"
        self._do(doing, self.interface.launch, handle.function, grid, workgroup, parameters, shared_bytes)

    # Order --------------------------------------------------------------------------------------------
    def _mark(self) -> Any:
        return self.interface.record()

    def _elapsed(self, first: Any, last: Any) -> float:
        self.interface.wait(first)
        self.interface.wait(last)
        return self.interface.elapsed(first, last)

    def _synchronize(self) -> None:
        self._refuse_recording("waiting")
        self.interface.synchronize()

    def hold(self, stream: int, event: Any) -> None:
        """Let another stream wait for a mark."""
        self._do("a mark", self.interface.hold, stream, event)

    def wait_for(self, stream: int | None) -> None:
        """Wait for the work of another library's stream; None is that of no stream."""
        if stream is not None:
            self._do("waiting", self.interface.wait_for, stream)

    # Queues -------------------------------------------------------------------------------------------
    def _open_queue(self) -> Any:
        return self.interface.open_stream()

    def _close_queue(self, queue: Any) -> None:
        self.interface.close_stream(queue)

    def _select_queue(self, queue: Any) -> None:
        self.interface.use_stream(queue)

    def _point(self) -> Any:
        return self.interface.point()

    def _follow(self, point: Any) -> None:
        self.interface.hold(self.interface.stream_address, point)

    def _is_over(self, point: Any) -> bool:
        with self._here():
            return self.interface.is_over(point)

    def _wait(self, point: Any) -> None:
        with self._here():
            self.interface.wait(point)

    @contextmanager
    def _here(self) -> Iterator[None]:
        """The device is this thread's, which may wait while others use the driver."""
        before = self.interface.enter()
        try:
            yield
        finally:
            self.interface.leave(before)

    def _send(self, target: View, data: memoryview) -> None:
        """Of pinned memory: with other memory the device's library would wait."""
        self.interface.copy(_address(target), _place(data), data.nbytes, "in")

    def _fetch(self, source: View, out: memoryview) -> None:
        self.interface.copy(_place(out), _address(source), out.nbytes, "out")

    # Recordings (see `recording`) ---------------------------------------------------------------------
    @property
    def can_record(self) -> bool:
        return self.interface.recorder is not None

    def place(self, view: View) -> int:
        return _address(view)

    def begin_recording(self) -> None:
        """From now on launches, copies and products are recorded and not done."""
        self._refuse_recording("another recording")
        assert self.interface.recorder is not None
        self._do("recording", self.interface.recorder.begin)
        self._recording = True

    def end_recording(self) -> Any:
        """What was recorded since, for `replay`."""
        assert self.interface.recorder is not None
        self._recording = False
        return self._do("recording", self.interface.recorder.end)

    def replay(self, recorded: Any) -> None:
        assert self.interface.recorder is not None
        self._do("a replay", self.interface.recorder.replay, recorded)

    def _refuse_recording(self, what: str) -> None:
        if self._recording:
            raise BackendError(
                f"{self.interface.name} is recording its work, and {what} cannot be recorded: do it before "
                "or after"
            )


class WrittenKernel(metaclass=mutable):
    """A program of somebody else's, as it is launched."""

    entry: str
    binary: bytes
    function: Any


def _address(view: View) -> int:
    memory, offset = view
    address: int = memory.address
    return address + offset


def _place(content: memoryview) -> int:
    """The address of bytes of the host that can be written."""
    return ctypes.addressof(ctypes.c_char.from_buffer(content))


def _parameters(buffers: Sequence[View], block: bytes) -> tuple[int, Any]:
    """The array of the arguments' addresses, by its own address, and what keeps all of it alive."""
    count = len(buffers)
    pointers = (ctypes.c_uint64 * count)(*map(_address, buffers))
    slots = ctypes.create_string_buffer(block, len(block))
    first = ctypes.addressof(pointers)
    table = (ctypes.c_uint64 * (count + 1))(*range(first, first + 8 * count, 8), ctypes.addressof(slots))
    return ctypes.addressof(table), (pointers, slots, table)


def _arguments(arguments: Sequence[Argument]) -> tuple[int, Any]:
    """The same of arguments in any order."""
    kept = [
        ctypes.create_string_buffer(argument, len(argument))
        if isinstance(argument, bytes)
        else ctypes.c_uint64(_address(argument))
        for argument in arguments
    ]
    table = (ctypes.c_uint64 * max(len(kept), 1))(*map(ctypes.addressof, kept))
    return ctypes.addressof(table), (kept, table)
