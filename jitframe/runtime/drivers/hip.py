"""AMD GPUs: hiprtc, the HIP runtime and rocBLAS, each reached through its shared library."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Sequence
from ctypes import byref, c_char_p, c_float, c_int, c_size_t, c_void_p
from typing import Any

from ...base.locks import new_reentrant_lock
from ...codegen.c_family import HIP, Source
from ...errors import BackendError, BackendUnavailableError
from ..driver import DeviceFacts
from ..memory.pool import NoMemory, Pool
from .base import Memory
from .hip_libraries import (
    INSTALL,
    HipError,
    Library,
    compiler,
    compiler_version,
    no_gpu,
    release_of,
    rocblas,
    runtime,
)
from .source_programs import Grid
from .stream_interface import Direction, Recorder
from .streams import LOST, Block, BuildProblem, StreamDriver, gpu_facts

_NO_MEMORY, _NO_DEVICE, _NOT_READY = 2, 100, 600
_WITHIN: dict[Direction, int] = {"in": 1, "out": 2, "within": 3}  # hipMemcpyKind
# hipDeviceAttribute_t, unchanged from HIP 5 on; the layout of hipDeviceProp_t is not.
_COOPERATIVE, _INTEGRATED, _L2, _THREADS, _UNITS, _SHARED, _CONSTANT, _WAVEFRONT = (
    10,
    16,
    19,
    56,
    63,
    74,
    83,
    87,
)
_LANES = 26, 27, 28
"""Of a block, along each axis."""
_PROPERTIES_BYTES = 8192
_NON_BLOCKING, _WITHOUT_TIME = 1, 2


def enumerate() -> Sequence[DeviceFacts]:
    """The GPUs, in the runtime's order. Raises BackendError: what is missing and what to install."""
    library, count = runtime(), c_int()
    try:
        library("hipGetDeviceCount", byref(count))
    except HipError as problem:
        if problem.status != _NO_DEVICE:
            raise BackendUnavailableError(f"the HIP runtime failed: {problem}; see rocminfo") from None
    if not count.value:
        raise BackendUnavailableError(no_gpu())
    return [_facts(library, number) for number in range(count.value)]


def open(number: int) -> StreamDriver:
    facts = enumerate()[number]
    return StreamDriver(HIP, facts, HipInterface(number, facts))


def free_bytes(number: int) -> int:
    """What the driver says is free on a GPU, whoever uses the rest."""
    library, before, free, total = runtime(), c_int(), c_size_t(), c_size_t()
    library("hipGetDevice", byref(before))
    library("hipSetDevice", number)
    try:
        library("hipMemGetInfo", byref(free), byref(total))
    finally:
        library("hipSetDevice", before)
    return free.value


def _facts(library: Library, number: int) -> DeviceFacts:
    title, memory, version = ctypes.create_string_buffer(256), c_size_t(), c_int()
    library("hipDeviceGetName", title, 256, number)
    library("hipDeviceTotalMem", byref(memory), number)
    library("hipRuntimeGetVersion", byref(version))
    target, release = architecture(library, number), release_of(version.value)
    products = rocblas() is not None
    return gpu_facts(
        HIP,
        _attribute(library, _UNITS, number),
        _attribute(library, _L2, number, 0),
        title=title.value.decode() or target,
        api=f"HIP {release}",
        version=f"{target} hiprtc {compiler_version()}",
        memory_bytes=memory.value,
        largest_buffer=memory.value,
        most_threads=_attribute(library, _THREADS, number),
        most_lanes=tuple(_attribute(library, each, number) for each in _LANES),
        shared_bytes=_attribute(library, _SHARED, number),
        subgroup=_attribute(library, _WAVEFRONT, number),
        unified=bool(_attribute(library, _INTEGRATED, number)),
        library_products=products,
        constant_bytes=_attribute(library, _CONSTANT, number, 0),
        matrix_units=bool(re.match(r"gfx(908|90a|94|95|11|12)", target)),
        cooperative_groups=bool(_attribute(library, _COOPERATIVE, number, 0)),
        architecture=target,
        driver=f"HIP {release}",
        more=(
            ("architecture", target),
            ("rocBLAS", "yes" if products else "not found"),
            *_pci(library, number),
        ),
    )


def _pci(library: Library, number: int) -> tuple[tuple[str, str], ...]:
    """The GPU's address on the bus, by which the system's tools know it."""
    if not library.has("hipDeviceGetPCIBusId"):
        return ()
    array = ctypes.create_string_buffer(64)
    library("hipDeviceGetPCIBusId", array, len(array), number)
    return (("PCI", array.value.decode()),)


def architecture(library: Library, number: int) -> str:
    """What hiprtc compiles for, such as gfx90a:sramecc+:xnack-.

    It stands somewhere in the device's properties, whose layout changes between versions of HIP.
    """
    function = next(f for f in ("hipGetDevicePropertiesR0600", "hipGetDeviceProperties") if library.has(f))
    properties = ctypes.create_string_buffer(_PROPERTIES_BYTES)
    library(function, properties, number)
    found = re.findall(rb"gfx[0-9a-f]+(?::[a-z]+[+-])*", properties.raw)
    if not found:
        raise BackendError(f"HIP device {number} does not tell its architecture: {INSTALL}")
    # Older ones hold the short name too.
    return str(max(found, key=len).decode())


def _attribute(library: Library, attribute: int, number: int, default: int | None = None) -> int:
    """A number of a GPU; the default where this HIP does not tell it."""
    value = c_int()
    try:
        library("hipDeviceGetAttribute", byref(value), attribute, number)
    except HipError:
        if default is None:
            raise
        return default
    return value.value


def compile_hip(text: str, name: str, options: Sequence[str], target: str) -> bytes:
    """A code object for an architecture; needs no GPU. Raises BuildProblem with the compiler's log."""
    library, program = compiler(), c_void_p()
    library("hiprtcCreateProgram", byref(program), text.encode(), name.encode(), 0, None, None)
    try:
        words = [option.encode() for option in (*options, f"--offload-arch={target}")]
        try:
            library("hiprtcCompileProgram", program, len(words), (c_char_p * len(words))(*words))
        except HipError as problem:
            log = _sized(library, "hiprtcGetProgramLog", program).rstrip(b"\0").decode(errors="replace")
            raise BuildProblem(f"{problem}\n{log}") from None
        return _sized(library, "hiprtcGetCode", program)
    finally:
        library("hiprtcDestroyProgram", byref(program))


def _sized(library: Library, function: str, program: c_void_p) -> bytes:
    size = c_size_t()
    library(f"{function}Size", program, byref(size))
    content = ctypes.create_string_buffer(size.value)
    library(function, program, content)
    return content.raw


class _Event:
    def __init__(self, library: Library, flags: int = 0) -> None:
        self._library = library
        self.handle = c_void_p()
        library("hipEventCreateWithFlags", byref(self.handle), flags)

    def __del__(self) -> None:
        self._library.loaded.hipEventDestroy(self.handle)


class _Pinned:
    """Pinned memory of the host, given back when nobody holds it any more."""

    def __init__(self, library: Library, address: c_void_p) -> None:
        self._library, self._address = library, address

    def __del__(self) -> None:
        self._library.loaded.hipHostFree(self._address)


class _Stream(c_void_p):
    """A stream, compared by identity."""

    __hash__ = object.__hash__


class HipInterface:
    """One GPU through the HIP runtime (see `streams.StreamInterface`)."""

    errors: tuple[type[Exception], ...] = (HipError,)
    language = "HIP C"
    most_grid: Grid = ((1 << 31) - 1, 65535, 65535)

    def __init__(self, number: int, facts: DeviceFacts) -> None:
        self.name = f"hip:{number} ({facts.title})"
        self._number, self._call = number, runtime()
        self._target = facts.version.split()[0]
        self.memory: Memory = Pool(self.name, self._allocate, self._release, facts.memory_bytes)
        self.recorder: Recorder | None = None
        self._handles: dict[int, c_void_p] = {}
        """Of rocBLAS, by stream: each has memory of its own."""
        self._lock = new_reentrant_lock()
        self._streams, self._spare = list[_Stream](), list[_Stream]()
        before = self.enter()
        try:
            self._first = self.open_stream()
        finally:
            self.leave(before)
        self.use_stream(None)

    def is_lost(self, problem: Any) -> bool:
        return problem.status in LOST

    def enter(self) -> int:
        before = c_int()
        self._call("hipGetDevice", byref(before))
        if before.value != self._number:
            self._call("hipSetDevice", self._number)
        return before.value

    def leave(self, before: int) -> None:
        if before != self._number:
            self._call("hipSetDevice", before)

    def _allocate(self, nbytes: int) -> Block:
        address = c_void_p()
        try:
            self._call("hipMalloc", byref(address), c_size_t(nbytes))
        except HipError as problem:
            if problem.status != _NO_MEMORY:
                raise
            raise NoMemory(str(problem)) from None
        return Block(address.value or 0, nbytes)

    def _release(self, block: Block) -> None:
        self._call("hipFree", c_void_p(block.address))

    def pinned(self, nbytes: int) -> tuple[int, memoryview]:
        address = c_void_p()
        self._call("hipHostMalloc", byref(address), c_size_t(nbytes), 0)
        content: Any = (ctypes.c_char * nbytes).from_address(address.value or 0)
        content.owner = _Pinned(self._call, address)
        return address.value or 0, memoryview(content).cast("B")

    def open_stream(self) -> _Stream:
        stream = self._spare.pop() if self._spare else _Stream()
        if not stream:
            self._call("hipStreamCreateWithFlags", byref(stream), _NON_BLOCKING)
        self._streams.append(stream)
        return stream

    def close_stream(self, stream: _Stream) -> None:
        self._streams.remove(stream)
        self._spare.append(stream)

    def use_stream(self, stream: _Stream | None) -> None:
        self._stream = self._first if stream is None else stream
        self.stream_address = self._stream.value or 0

    def copy(self, target: int, source: int, nbytes: int, direction: Direction) -> None:
        self._call(
            "hipMemcpyAsync", c_void_p(target), c_void_p(source), c_size_t(nbytes), _WITHIN[direction],
            self._stream,
        )  # fmt: skip

    def synchronize(self) -> None:
        for stream in self._streams:
            self._call("hipStreamSynchronize", stream)

    def hold(self, stream: int, event: _Event) -> None:
        self._call("hipStreamWaitEvent", c_void_p(stream), event.handle, 0)

    def wait_for(self, stream: int) -> None:
        self._call("hipStreamSynchronize", c_void_p(stream))

    def record(self) -> _Event:
        return self._recorded(_Event(self._call))

    def point(self) -> _Event:
        return self._recorded(_Event(self._call, _WITHOUT_TIME))

    def _recorded(self, event: _Event) -> _Event:
        self._call("hipEventRecord", event.handle, self._stream)
        return event

    def is_over(self, event: _Event) -> bool:
        try:
            self._call("hipEventQuery", event.handle)
        except HipError as problem:
            if problem.status != _NOT_READY:
                raise
            return False
        return True

    def wait(self, event: _Event) -> None:
        self._call("hipEventSynchronize", event.handle)

    def elapsed(self, first: _Event, last: _Event) -> float:
        milliseconds = c_float()
        self._call("hipEventElapsedTime", byref(milliseconds), first.handle, last.handle)
        return milliseconds.value / 1e3

    def build(self, source: Source) -> bytes:
        return compile_hip(source.text, f"{source.entry}.hip", source.options, self._target)

    def load(self, binary: bytes, entry: str) -> c_void_p:
        module, function = c_void_p(), c_void_p()
        self._call("hipModuleLoadData", byref(module), binary)
        self._call("hipModuleGetFunction", byref(function), module, entry.encode())
        return function

    def launch(
        self, function: c_void_p, grid: Grid, workgroup: Grid, parameters: int, shared_bytes: int = 0
    ) -> None:
        self._call(
            "hipModuleLaunchKernel", function, *grid, *workgroup, shared_bytes, self._stream,
            c_void_p(parameters), None,
        )  # fmt: skip

    def most_groups(self, threads: int) -> int:
        """All lanes of a launch are counted in 32 bits."""
        return ((1 << 32) - 1) // threads

    def _library(self) -> tuple[Library, c_void_p]:
        library, handle = rocblas(), self._handles.get(self.stream_address)
        assert library is not None
        if handle is None:
            handle = c_void_p()
            library("rocblas_create_handle", byref(handle))
            library("rocblas_set_stream", handle, self._stream)
            self._handles[self.stream_address] = handle
        return library, handle
