"""A stand-in for CuPy: the calls that the driver makes, with CUDA's rules, on memory of the host.

Work on a stream is done as late as CUDA may do it: when something waits for it. Launches read their arguments
at once and run later. What belongs to one GPU is refused while another is current. Nothing is shown here of
NVRTC or of a GPU: `tests/gpu_sources` and, where there is one, a GPU do that.
"""

from __future__ import annotations

import ctypes
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import numpy as np

from jitframe.runtime.drivers import cuda

from . import fake_cufft, fake_cusolver
from .launches import Spellings

MEMORY_BYTES = 1 << 28
ALIGNMENT = 256
"""What all memory begins at a multiple of."""
GPUS = (("NVIDIA Imaginary", 9, 0), ("NVIDIA Tomorrow", 13, 0))
"""Names and compute capabilities; NVRTC knows the first one's."""


class CUDARuntimeError(RuntimeError):
    def __init__(self, status: int) -> None:
        self.status = status
        super().__init__(f"CUDA error {status}")


class CUDADriverError(CUDARuntimeError):
    pass


class CUBLASError(RuntimeError):
    pass


class NVRTCError(RuntimeError):
    pass


class OutOfMemoryError(MemoryError):
    pass


class Gpus:
    """Memory and streams of the GPUs."""

    def __init__(self) -> None:
        self.local = threading.local()
        self.lock = threading.RLock()
        self.allocated: dict[int, tuple[Any, int]] = {}
        """By address: memory and the GPU that it is of; -1 for the host's pinned memory."""
        self.used = [0] * len(GPUS)
        self.mallocs = 0
        self.broken = False
        self.capturing = False
        self.captures = True
        """Whether a capture succeeds."""
        self.streams: list[Stream] = []
        self.events: weakref.WeakValueDictionary[int, Event] = weakref.WeakValueDictionary()
        self.waits: list[int] = []
        """Streams of others that waited for an event."""
        self.peer_copies = 0
        self.graphs = 0
        """How often one was launched."""
        self.cusolver: Any = None
        self.cufft: Any = None

    @property
    def current(self) -> int:
        return getattr(self.local, "device", 0)

    def require(self, device: int) -> None:
        if self.current != device:
            raise CUDARuntimeError(400)  # invalid resource handle

    def malloc(self, nbytes: int, device: int) -> int:
        with self.lock:
            assert not self.capturing, "memory is allocated before work is captured"
            if device >= 0:
                if self.used[device] + nbytes > MEMORY_BYTES:
                    raise CUDARuntimeError(2)
                self.used[device] += nbytes
                self.mallocs += 1
            whole = (ctypes.c_char * (nbytes + ALIGNMENT))()
            address = -(-ctypes.addressof(whole) // ALIGNMENT) * ALIGNMENT
            memory: Any = (ctypes.c_char * nbytes).from_address(address)
            memory.whole = whole
            self.allocated[address] = memory, device
            return address

    def free(self, address: int) -> None:
        with self.lock:
            memory, device = self.allocated.pop(address)
            self.used[device] -= len(memory)

    def bytes_at(self, address: int) -> np.ndarray:
        with self.lock:
            for start, (memory, _) in self.allocated.items():
                if start <= address < start + len(memory):
                    return np.frombuffer(memory, np.uint8)[address - start :]
        raise CUDARuntimeError(700)  # illegal address


class Stream:
    def __init__(self, gpus: Gpus, non_blocking: bool) -> None:
        assert non_blocking
        self.gpus, self.device = gpus, gpus.current
        self.ptr = id(self)
        self.work: deque[Callable[[], None]] = deque()
        self.captured: list[Callable[[], None]] | None = None
        self.lock = gpus.lock  # one for all: streams wait for each other
        gpus.streams.append(self)

    def add(self, work: Callable[[], None]) -> None:
        self.gpus.require(self.device)
        with self.lock:
            (self.work if self.captured is None else self.captured).append(work)

    def begin_capture(self) -> None:
        self.gpus.require(self.device)
        self.captured, self.gpus.capturing = [], True

    def end_capture(self) -> Any:
        captured, self.captured, self.gpus.capturing = self.captured, None, False
        if not self.gpus.captures:
            raise CUDARuntimeError(901)  # stream capture invalidated

        def launch(stream: Stream) -> None:
            self.gpus.graphs += 1
            for work in captured or ():
                stream.add(work)

        return _namespace(launch=launch)

    def wait_event(self, event: Event) -> None:
        self.add(event.synchronize)

    def run(self, until: Callable[[], bool] = lambda: False) -> None:
        with self.lock:
            while self.work and not until():
                self.work.popleft()()

    def synchronize(self) -> None:
        if self.gpus.broken:
            raise CUDARuntimeError(719)  # launch failure
        if self.captured is not None:
            raise CUDARuntimeError(900)  # stream capture unsupported
        self.run()

    def __enter__(self) -> None:
        self.before = getattr(self.gpus.local, "stream", None)
        self.gpus.local.stream = self

    def __exit__(self, *_: object) -> None:
        self.gpus.local.stream = self.before


class Event:
    def __init__(self, gpus: Gpus, disable_timing: bool = False) -> None:
        self.gpus, self.device, self.time_s = gpus, gpus.current, 0.0
        self.ptr, self.has_time = id(self), not disable_timing
        gpus.events[self.ptr] = self
        self.stream: Stream | None = None

    def record(self, stream: Stream) -> None:
        self.gpus.require(self.device)
        self.stream = stream

        def reach() -> None:
            self.time_s = time.perf_counter()

        stream.add(reach)

    @property
    def done(self) -> bool:
        assert self.stream is not None
        return self.time_s > 0

    def synchronize(self) -> None:
        assert self.stream is not None
        self.stream.run(lambda: self.time_s > 0)


class Pointer:
    """Memory of the pool; goes back to it with the last reference."""

    def __init__(self, pool: Pool, address: int, size: int, stream: Stream) -> None:
        self.ptr, self._home = address, (pool, address, size, stream)

    def __del__(self) -> None:
        pool, *block = self._home
        pool.blocks.append(tuple(block))


class Pool:
    """Blocks by size and stream; CuPy rounds sizes up to 512 bytes."""

    def __init__(self, gpus: Gpus) -> None:
        self.gpus = gpus
        self.blocks: list[tuple[Any, ...]] = []
        self.total = 0

    def malloc(self, nbytes: int) -> Pointer:
        size, stream = -(-nbytes // 512) * 512, self.gpus.local.stream
        self.gpus.require(stream.device)
        for block in reversed(self.blocks):  # the last one freed first, as CuPy does
            if block[1:] == (size, stream):
                self.blocks.remove(block)
                return Pointer(self, *block)
        for _ in range(2):
            try:
                address = self.gpus.malloc(size, stream.device)
            except CUDARuntimeError:
                self.free_all_blocks()
                continue
            self.total += size
            return Pointer(self, address, size, stream)
        raise OutOfMemoryError(f"Out of memory allocating {size:,} bytes")

    def free_all_blocks(self, stream: Stream | None = None) -> None:
        for block in [each for each in self.blocks if stream in (None, each[2])]:
            self.blocks.remove(block)
            address, size, _ = block
            for each in self.gpus.streams:
                each.run()  # cudaFree waits
            self.gpus.free(address)
            self.total -= size

    def total_bytes(self) -> int:
        return self.total

    def free_bytes(self) -> int:
        return sum(size for _, size, _ in self.blocks)


class Nvrtc:
    """Accepts what was generated; rejects everything else, as if it used a name that it did not declare."""

    NVRTCError = NVRTCError

    def __init__(self, spellings: Spellings) -> None:
        self._spellings = spellings
        self.targets: list[str] = []
        self.programs = 0

    def getVersion(self) -> tuple[int, int]:
        return 12, 9

    def getSupportedArchs(self) -> tuple[int, ...]:
        return 75, 80, 90, 120

    def createProgram(self, text: str, name: str, headers: Sequence[str], names: Sequence[str]) -> list[str]:
        self.programs += 1
        return [text, ""]

    def compileProgram(self, program: list[str], options: Sequence[str]) -> None:
        assert "--fmad=false" in options
        self.targets += [option for option in options if option.startswith("--gpu-architecture=")]
        if program[0] not in self._spellings.known:
            program[1] = 'error: identifier "undeclared_name" is undefined'
            raise NVRTCError("NVRTC_ERROR_COMPILATION (6)")

    def getCUBIN(self, program: list[str]) -> bytes:
        return ("ELF" + program[0] + "\0")[:-1].encode()  # CuPy takes the last byte for the end of a string

    def getPTX(self, program: list[str]) -> bytes:
        return ("PTX" + program[0]).encode()

    def getProgramLog(self, program: list[str]) -> str:
        return program[1]

    def destroyProgram(self, program: list[str]) -> None:
        self.programs -= 1


class Function:
    def __init__(self, text: str) -> None:
        self.text, self.ptr = text, id(self)


class Module:
    def load(self, binary: bytes) -> None:
        assert binary.endswith(b"\0"), "a cubin is whole, PTX is a string"
        self.text = binary[3:-1].decode()

    def get_function(self, entry: str) -> Function:
        assert f"void {entry}(" in self.text
        return Function(self.text)


def install(patch: Any, spellings: Spellings, libraries: bool = True) -> Gpus:
    """Put the stand-in where `import cupy` finds it."""
    gpus = Gpus()
    streams: dict[int, Stream] = {}
    functions: dict[int, Function] = {}
    pool = Pool(gpus)

    def make_stream(non_blocking: bool) -> Stream:
        made = Stream(gpus, non_blocking)
        return streams.setdefault(made.ptr, made)

    def copy(target: int, source: int, nbytes: int, kind: int, stream: int) -> None:
        there, here = gpus.bytes_at(target), gpus.bytes_at(source)
        assert len(there) >= nbytes <= len(here)

        def move() -> None:
            there[:nbytes] = here[:nbytes]

        streams[stream].add(move)

    def copy_peer(target: int, to: int, source: int, of: int, nbytes: int, stream: int) -> None:
        for address, device in ((target, to), (source, of)):
            owner = next(d for start, (m, d) in gpus.allocated.items() if start <= address < start + len(m))
            assert owner == device, "memory is of the GPU that was named"
        gpus.peer_copies += 1
        copy(target, source, nbytes, 3, stream)

    def wait_event(stream: int, event: int) -> None:
        if stream in streams:
            streams[stream].wait_event(gpus.events[event])
        else:
            assert stream in (1, 2) or stream > 1000, "there is no such stream"
            gpus.waits.append(stream)
            gpus.events[event].synchronize()

    def launch(function: int, *arguments: int) -> None:
        groups, one, also_one, threads, *rest = arguments
        _, _, shared, stream, parameters, extra = rest
        assert (one, also_one, shared, extra) == (1, 1, 0, 0)
        assert 0 < groups < 1 << 31 and threads <= 1024
        made = spellings.launch(functions[function].text, groups, threads, parameters)
        streams[stream].add(lambda: made.run(gpus.bytes_at))

    def elapsed(first: Event, last: Event) -> float:
        assert first.has_time and last.has_time, "CUDA refuses events without times"
        return (last.time_s - first.time_s) * 1e3

    def pinned(nbytes: int) -> Any:
        pointer = type("PinnedMemoryPointer", (), {})()
        pointer.ptr = gpus.malloc(nbytes, -1)
        return pointer

    def properties(number: int) -> dict[str, Any]:
        name, major, minor = GPUS[number]
        return {
            "name": name.encode(), "major": major, "minor": minor, "totalGlobalMem": MEMORY_BYTES,
            "maxThreadsPerBlock": 1024, "maxThreadsDim": (1024, 1024, 64),
            "sharedMemPerBlock": 49152, "warpSize": 32,
            "multiProcessorCount": 132, "integrated": 0, "l2CacheSize": 50 << 20,
            "totalConstMem": 65536, "cooperativeLaunch": 1,
        }  # fmt: skip

    class Loading(Module):
        def get_function(self, entry: str) -> Function:
            made = super().get_function(entry)
            return functions.setdefault(made.ptr, made)

    @contextmanager
    def gpu(number: int) -> Iterator[Any]:
        before, gpus.local.device = gpus.current, number
        try:
            free = MEMORY_BYTES - gpus.used[gpus.current]
            yield _namespace(mem_info=(free, MEMORY_BYTES))
        finally:
            gpus.local.device = before

    runtime = _namespace(
        is_hip=False,
        CUDARuntimeError=CUDARuntimeError,
        getDeviceCount=lambda: len(GPUS),
        getDeviceProperties=properties,
        driverGetVersion=lambda: 12080,
        getDevice=lambda: gpus.current,
        setDevice=lambda number: setattr(gpus.local, "device", number),
        deviceGetPCIBusId=lambda number: f"0000:0{number}:00.0",
        memGetInfo=lambda: (MEMORY_BYTES - gpus.used[gpus.current], MEMORY_BYTES),
        memcpyAsync=copy,
        memcpyPeerAsync=copy_peer,
        streamWaitEvent=wait_event,
        streamSynchronize=lambda stream: streams[stream].synchronize(),
    )
    parts = _namespace(
        runtime=runtime,
        Device=gpu,
        Stream=make_stream,
        Event=lambda disable_timing=False: Event(gpus, disable_timing),
        get_elapsed_time=elapsed,
        alloc_pinned_memory=pinned,
        memory=_namespace(OutOfMemoryError=OutOfMemoryError),
        function=_namespace(Module=Loading),
    )

    cupy = _namespace(cuda=parts, __version__="0", get_default_memory_pool=lambda: pool)
    nvrtc = Nvrtc(spellings)
    modules: dict[str, Any] = {
        "cupy": cupy,
        "cupy_backends.cuda.api.driver": _namespace(CUDADriverError=CUDADriverError, launchKernel=launch),
        "cupy_backends.cuda.libs.nvrtc": nvrtc,
    }
    gpus.cusolver, gpus.cufft = fake_cusolver.module(gpus, streams), fake_cufft.module(gpus)
    wheels = {"cublas": _cublas(gpus, streams), "cusolver": gpus.cusolver, "cufft": gpus.cufft}

    def library(name: str) -> ModuleType:
        """As CuPy 14 finds libraries in wheels: by their names in `cupy.cuda`, not by those of modules."""
        if name not in wheels:
            raise AttributeError(name)
        if not libraries:
            raise ImportError(f"No such file: lib{name}.so")
        return wheels[name]

    parts.__getattr__ = library  # type: ignore[method-assign]

    def found(name: str) -> Any:
        if modules.get(name) is None:
            raise ImportError(f"No module named {name!r}")
        return modules[name]

    patch.setattr(cuda, "_module", found)
    gpus.nvrtc, gpus.runtime, gpus.pool = nvrtc, runtime, pool  # type: ignore[attr-defined]
    return gpus


def _namespace(**names: Any) -> ModuleType:
    made = ModuleType("fake")
    made.__dict__.update(names)
    return made


def _cublas(gpus: Gpus, streams: dict[int, Stream]) -> ModuleType:
    """Column-major products, in order with other work; as the reference BLAS defines them."""
    bound: dict[int, Stream] = {}

    def gemm(dtype: type, number: Any) -> Callable[..., None]:
        def multiply(
            handle: int, flip_a: int, flip_b: int, m: int, n: int, k: int, alpha: int, a: int, lda: int,
            b: int, ldb: int, beta: int, c: int, ldc: int,
        ) -> None:  # fmt: skip
            assert number.from_address(alpha).value == 1 and number.from_address(beta).value == 0

            def matrix(address: int, rows: int, columns: int, leading: int) -> np.ndarray:
                assert leading >= max(rows, 1)
                step = np.dtype(dtype).itemsize
                memory = gpus.bytes_at(address)
                return np.ndarray((rows, columns), dtype, memory, 0, (step, leading * step))

            def work() -> None:
                left = matrix(a, k, m, lda).T if flip_a else matrix(a, m, k, lda)
                right = matrix(b, n, k, ldb).T if flip_b else matrix(b, k, n, ldb)
                matrix(c, m, n, ldc)[...] = left @ right

            bound[handle].add(work)

        return multiply

    def batched(dtype: type, number: Any) -> Callable[..., None]:
        one, step = gemm(dtype, number), np.dtype(dtype).itemsize

        def multiply(
            handle: int, flip_a: int, flip_b: int, m: int, n: int, k: int, alpha: int, a: int, lda: int,
            stride_a: int, b: int, ldb: int, stride_b: int, beta: int, c: int, ldc: int, stride_c: int,
            count: int,
        ) -> None:  # fmt: skip
            for i in range(count):
                one(
                    handle, flip_a, flip_b, m, n, k, alpha, a + i * stride_a * step, lda,
                    b + i * stride_b * step, ldb, beta, c + i * stride_c * step, ldc,
                )  # fmt: skip

        return multiply

    return _namespace(
        CUBLASError=CUBLASError,
        create=lambda: len(bound) + 1,
        setStream=lambda handle, stream: bound.__setitem__(handle, streams[stream]),
        sgemm=gemm(np.float32, ctypes.c_float),
        dgemm=gemm(np.float64, ctypes.c_double),
        sgemmStridedBatched=batched(np.float32, ctypes.c_float),
        dgemmStridedBatched=batched(np.float64, ctypes.c_double),
    )
