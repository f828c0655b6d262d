"""NVIDIA GPUs through CuPy, whichever wheel of it is installed: memory pool, streams, NVRTC and libraries."""

from __future__ import annotations

import ctypes
import importlib
from collections.abc import Sequence
from functools import cache
from typing import Any

from ...base.locks import new_reentrant_lock
from ...codegen.c_family import CUDA, Source
from ...errors import BackendUnavailableError, OutOfMemoryError
from ..driver import DeviceFacts, MemoryStatistics
from ..memory.pool import REMEDIES, Counts
from . import cufft, cusolver
from .base import Memory
from .cuda_queues import CudaStreams, MemoryOfStreams
from .source_programs import Grid
from .stream_interface import Direction, Recorder
from .streams import LOST, Block, BuildProblem, StreamDriver, gpu_facts

_INSTALL = (
    "pip install 'jitframe[cuda]' (or the CuPy wheel of your CUDA version, cupy-cuda12x or cupy-cuda13x)"
)
_MOST_GROUPS = (1 << 31) - 1
_WITHIN: dict[Direction, int] = {"in": 1, "out": 2, "within": 3}  # cudaMemcpyKind


def _module(name: str) -> Any:
    """CuPy, or a part of it; ImportError where that, or the library it binds, is missing."""
    return importlib.import_module(name)


@cache
def _cupy() -> Any:
    """CuPy for CUDA. Raises BackendError where it is not installed."""
    try:
        cupy = _module("cupy")
    except ImportError as problem:
        raise BackendUnavailableError(
            f"cuda needs CuPy, which is not installed here ({problem}): {_INSTALL}"
        ) from None
    if cupy.cuda.runtime.is_hip:
        raise BackendUnavailableError("this CuPy is made for AMD GPUs; use the device 'hip', or " + _INSTALL)
    return cupy


_LIBRARIES = {
    "cublas": ("cupy_backends.cuda.libs.cublas", "CUBLASError"),
    "cusolver": ("cupy_backends.cuda.libs.cusolver", "CUSOLVERError"),
    "cufft": ("cupy.cuda.cufft", "CuFFTError"),
}
"""CuPy's module for each, and what it raises."""


@cache
def _library(name: str) -> Any:
    """CuPy's binding of a library, or None where the library is not installed. CuPy 14 looks for libraries
    in wheels where they are asked of `cupy.cuda` by name, and only there."""
    try:
        found = getattr(_cupy().cuda, name, None)
        return _module(_LIBRARIES[name][0]) if found is None else found
    except ImportError:
        return None


def _installed(name: str) -> str:
    return "yes" if _library(name) is not None else f"not found: pip install nvidia-{name}-cu12"


@cache
def _nvrtc() -> Any:
    try:
        nvrtc = _module("cupy_backends.cuda.libs.nvrtc")
        nvrtc.getVersion()
    except (ImportError, RuntimeError) as problem:
        raise BackendUnavailableError(
            f"cuda needs NVRTC, which CuPy does not find ({problem}): pip install nvidia-cuda-nvrtc-cu12, or "
            "the wheel of your CUDA version"
        ) from None
    return nvrtc


def _problems() -> list[type[Exception]]:
    """What libraries that are here raise."""
    found = [(_library(name), error) for name, (_, error) in _LIBRARIES.items()]
    return [getattr(library, error) for library, error in found if library is not None]


def enumerate() -> Sequence[DeviceFacts]:
    """The GPUs, in the driver's order. Raises BackendError: what is missing and what to install."""
    runtime = _cupy().cuda.runtime
    try:
        count = runtime.getDeviceCount()
    except RuntimeError as problem:
        raise BackendUnavailableError(
            f"no NVIDIA GPU can be used here ({problem}); it needs one with its driver (see nvidia-smi)"
        ) from None
    return [_facts(runtime, number) for number in range(count)]


def open(number: int) -> StreamDriver:
    facts = enumerate()[number]
    return StreamDriver(CUDA, facts, CudaInterface(number, facts))


def free_bytes(number: int) -> int:
    """What the driver says is free on a GPU, whoever uses the rest."""
    with _cupy().cuda.Device(number) as device:
        return int(device.mem_info[0])


def architecture(properties: dict[str, Any], supported: Sequence[int]) -> str:
    """What NVRTC compiles for: machine code for the GPU, or PTX where the GPU is newer than NVRTC."""
    own = properties["major"] * 10 + properties["minor"]
    if own in supported:
        return f"sm_{own}"
    older = [each for each in supported if each < own]
    if not older:
        raise BackendUnavailableError(
            f"this NVRTC no longer compiles for the GPU (compute capability {own / 10}); install CuPy for an "
            "older CUDA, or choose another device"
        )
    return f"compute_{max(older)}"


def _facts(runtime: Any, number: int) -> DeviceFacts:
    properties = runtime.getDeviceProperties(number)
    nvrtc = _nvrtc()
    target = architecture(properties, nvrtc.getSupportedArchs())
    compiler = "NVRTC {}.{}".format(*nvrtc.getVersion())
    driver = runtime.driverGetVersion()
    functions = (cusolver.FUNCTIONS, "cusolver"), (cufft.FUNCTIONS, "cufft")
    return gpu_facts(
        CUDA,
        properties["multiProcessorCount"],
        properties.get("l2CacheSize", 0),
        title=properties["name"].decode(),
        api=f"CUDA {driver // 1000}.{driver % 1000 // 10}",
        # The driver compiles PTX when it is loaded, and no binary of that is kept.
        version=f"{target} {compiler}",
        memory_bytes=properties["totalGlobalMem"],
        largest_buffer=properties["totalGlobalMem"],
        most_threads=properties["maxThreadsPerBlock"],
        most_lanes=tuple(properties["maxThreadsDim"]),
        shared_bytes=properties["sharedMemPerBlock"],
        subgroup=properties["warpSize"],
        unified=bool(properties["integrated"]),
        library_products=_library("cublas") is not None,
        library_functions=frozenset().union(
            *[each for each, name in functions if _library(name) is not None]
        ),
        constant_bytes=properties.get("totalConstMem", 0),
        matrix_units=properties["major"] >= 7,
        cooperative_groups=bool(properties.get("cooperativeLaunch", 0)),
        dynamic_parallelism=(properties["major"], properties["minor"]) >= (3, 5),
        architecture=f"{properties['major']}.{properties['minor']}",
        driver=f"CUDA {driver // 1000}.{driver % 1000 // 10}",
        more=(
            ("compute capability", f"{properties['major']}.{properties['minor']}"),
            ("PCI", runtime.deviceGetPCIBusId(number)),
            ("copy engines", properties.get("asyncEngineCount", 0)),
            ("compiler", f"{compiler} for {target}"),
            ("CuPy", _cupy().__version__),
            ("cuBLAS", _installed("cublas")),
            ("cuSOLVER", _installed("cusolver")),
            ("cuFFT", _installed("cufft")),
        ),
    )


class CudaInterface(CudaStreams):
    """One GPU through CuPy (see `streams.StreamInterface`)."""

    language = "CUDA C"
    most_grid: Grid = (_MOST_GROUPS, 65535, 65535)

    def __init__(self, number: int, facts: DeviceFacts) -> None:
        cupy = _cupy()
        self.name = f"cuda:{number} ({facts.title})"
        self._number = number
        self._runtime, self._driver = cupy.cuda.runtime, _module("cupy_backends.cuda.api.driver")
        self.errors: tuple[type[Exception], ...] = (
            self._runtime.CUDARuntimeError,
            self._driver.CUDADriverError,
            *_problems(),
        )
        self._target = facts.version.split()[0]
        before = self.enter()
        try:
            super().__init__(cupy)
        finally:
            self.leave(before)
        self.recorder: Recorder | None = CudaRecorder(self._first)
        self._memory = CupyMemory(cupy, self._first, self.name, facts.memory_bytes)
        self.memory: Memory = self._memory
        self._handles: dict[tuple[str, int], int] = {}
        """Of libraries, by stream: each has a workspace of its own."""
        self.plans = cufft.Plans(self)
        self._lock = new_reentrant_lock()

    def is_lost(self, problem: Any) -> bool:
        return getattr(problem, "status", 0) in LOST

    def enter(self) -> int:
        before: int = self._runtime.getDevice()
        if before != self._number:
            self._runtime.setDevice(self._number)
        return before

    def leave(self, before: int) -> None:
        if before != self._number:
            self._runtime.setDevice(before)

    def pinned(self, nbytes: int) -> tuple[int, memoryview]:
        pointer = self._cupy.cuda.alloc_pinned_memory(nbytes)
        content: Any = (ctypes.c_char * nbytes).from_address(pointer.ptr)
        content.owner = pointer
        return pointer.ptr, memoryview(content).cast("B")

    def copy(self, target: int, source: int, nbytes: int, direction: Direction) -> None:
        self._runtime.memcpyAsync(target, source, nbytes, _WITHIN[direction], self.stream_address)

    def copy_from(self, target: int, other: CudaInterface, source: int, nbytes: int) -> None:
        self._runtime.memcpyPeerAsync(
            target, self._number, source, other._number, nbytes, self.stream_address
        )

    def hold(self, stream: int, event: Any) -> None:
        self._runtime.streamWaitEvent(stream, event.ptr)

    def wait_for(self, stream: int) -> None:
        self._runtime.streamSynchronize(stream)

    def record(self) -> Any:
        event = self._cupy.cuda.Event()
        event.record(self._stream)
        return event

    def wait(self, event: Any) -> None:
        event.synchronize()

    def elapsed(self, first: Any, last: Any) -> float:
        return float(self._cupy.cuda.get_elapsed_time(first, last)) / 1e3

    def build(self, source: Source) -> bytes:
        return compile_cuda(source.text, f"{source.entry}.cu", source.options, self._target)

    def assembly(self, source: Source) -> bytes:
        """PTX, as machine code is no text."""
        target = self._target.replace("sm_", "compute_")
        return compile_cuda(source.text, f"{source.entry}.cu", source.options, target)

    def load(self, binary: bytes, entry: str) -> Any:
        module = self._cupy.cuda.function.Module()
        module.load(binary)
        return module.get_function(entry)

    def launch(
        self, function: Any, grid: Grid, workgroup: Grid, parameters: int, shared_bytes: int = 0
    ) -> None:
        self._driver.launchKernel(
            function.ptr, *grid, *workgroup, shared_bytes, self.stream_address, parameters, 0
        )

    def most_groups(self, threads: int) -> int:
        return _MOST_GROUPS

    def library_of(self, name: str) -> Any:
        """A library that is here."""
        return _library(name)

    def _library(self, name: str) -> tuple[Any, int]:
        """A library with a handle of its own: whoever else uses CuPy may change the mode of CuPy's."""
        library, key = _library(name), (name, self.stream_address)
        handle = self._handles.get(key)
        if handle is None:
            handle = self._handles[key] = library.create()
            library.setStream(handle, self.stream_address)
        return library, handle


class CudaRecorder:
    """CUDA graphs of one stream."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def begin(self) -> None:
        self._stream.begin_capture()

    def end(self) -> Any:
        return self._stream.end_capture()

    def replay(self, recorded: Any) -> None:
        recorded.launch(self._stream)


def compile_cuda(text: str, name: str, options: Sequence[str], target: str) -> bytes:
    """A cubin for a target "sm_…", PTX for "compute_…". Raises BuildProblem with the compiler's log."""
    nvrtc = _nvrtc()
    program = nvrtc.createProgram(text, name, (), ())
    try:
        try:
            nvrtc.compileProgram(program, (*options, f"--gpu-architecture={target}"))
        except nvrtc.NVRTCError as problem:
            raise BuildProblem(f"{problem}\n{nvrtc.getProgramLog(program)}") from None
        if target.startswith("compute_"):
            return bytes(nvrtc.getPTX(program)) + b"\0"
        # CuPy takes the last byte for the end of a string.
        return bytes(nvrtc.getCUBIN(program)) + b"\0"
    finally:
        nvrtc.destroyProgram(program)


class CupyMemory(MemoryOfStreams):
    """CuPy's memory pool, shared with the user's own CuPy code: it has room for one where the other frees."""

    def __init__(self, cupy: Any, stream: Any, device: str, memory_bytes: int) -> None:
        super().__init__(cupy, stream)
        self._device, self._memory_bytes = device, memory_bytes
        self._lock = new_reentrant_lock()
        self._counts = Counts()

    def take(self, nbytes: int) -> Block:
        pool = self._cupy.get_default_memory_pool()
        with self._lock:
            before = pool.total_bytes()
            try:
                # CuPy gives a stream what was allocated for it, which its order of work makes safe.
                with self._stream:
                    pointer = pool.malloc(nbytes)
            except self._cupy.cuda.memory.OutOfMemoryError as problem:
                self._counts.failures += 1
                live = self._counts.live
                raise OutOfMemoryError(
                    f"{self._device} has no memory for {nbytes:,} bytes: {live:,} bytes of "
                    f"{self._memory_bytes:,} are in live arrays ({problem})",
                    context={"asked_bytes": nbytes, "live_bytes": live, "total_bytes": self._memory_bytes},
                    suggestions=REMEDIES,
                ) from None
            self._counts.took(nbytes, nbytes, pool.total_bytes() > before)
            owner = self.took(pointer)
        return Block(pointer.ptr, nbytes, owner)

    def give(self, block: Block) -> None:
        with self._lock:
            self._counts.gave(block.nbytes)
            self.gave(block.owner)
        block.owner = None

    def trim(self) -> None:
        self._cupy.get_default_memory_pool().free_all_blocks()

    def statistics(self) -> MemoryStatistics:
        pooled = self._cupy.get_default_memory_pool().free_bytes()
        with self._lock:
            return self._counts.statistics(pooled)
