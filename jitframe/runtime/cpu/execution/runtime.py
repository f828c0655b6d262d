"""The Python interface of the native CPU runtime: buffers, programs, runs, threads, statistics."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np

from ....base.background import on_own_thread
from ....base.forks import in_child
from ....base.locks import new_reentrant_lock
from ....codegen.plan.bind import OutOfBounds
from ....codegen.plan.nodes import Plan
from ...device import CPU
from ..libraries.blas import Blas
from ..libraries.host_functions import take_raised
from ..native_library.described import native
from ..native_library.layout import array_layout, read_word, words_at, write_word
from ..native_library.library import NativeLibrary, native_library, permanent_memory
from ..native_library.tables import reset_condition, stream_bytes
from .encode import MOST_THREADS, Program, encode

_POOL_FIELDS = (
    "live_bytes", "peak_bytes", "kept_bytes", "kept_limit", "hits", "misses", "live_buffers",
    "requested_bytes", "failures",
)  # fmt: skip
_WORKER_FIELDS = ("shared_launches", "lone_launches")
_WORD = (1 << 64) - 1


class Buffer:
    """Memory of the pool at `.address`, released when this object and every array on it are gone."""

    __slots__ = ("__weakref__", "_owner", "_runtime", "address", "nbytes")

    def __init__(self, owner: object, address: int, nbytes: int, runtime: NativeRuntime) -> None:
        """`owner`: native code's object that releases the memory, so that no interrupt leaks it."""
        self._owner: object = owner
        self.address = address
        self.nbytes = nbytes
        self._runtime = runtime

    def give_back(self) -> None:
        """Releases the memory now, even with arrays on it; does nothing the second time."""
        self.address = 0
        self._owner = None

    def ndarray(
        self,
        dtype: np.dtype | str,
        shape: tuple[int, ...],
        strides: tuple[int, ...] | None = None,
        offset: int = 0,
        readonly: bool = False,
    ) -> np.ndarray:
        """Returns an array on the memory, which keeps it alive. Raises TypeError where it does not fit."""
        memory: Any = (ctypes.c_char * max(self.nbytes, 1)).from_address(self.address)
        memory._jitframe_buffer = self
        array = np.ndarray(shape, dtype, memory, offset, strides)
        array.flags.writeable = not readonly
        return array

    def into_ndarray(
        self, dtype: np.dtype | str, shape: tuple[int, ...], strides: tuple[int, ...] | None = None
    ) -> np.ndarray:
        """An array that owns the memory as NumPy's own arrays do; this buffer is empty afterwards.

        Raises ValueError where the array does not fit, or the memory was handed over before.
        """
        kind = np.dtype(dtype)
        steps = contiguous_strides(shape, kind.itemsize) if strides is None else strides
        low, beyond = byte_range(shape, steps, kind.itemsize)
        if not self.address or low < 0 or beyond > self.nbytes:
            raise ValueError(
                f"{kind}{list(shape)} with strides {steps} does not fit into {self.nbytes} bytes"
            )
        self.address = 0
        return self._runtime.take_over(self._owner, kind, shape, steps)


class NativeRuntime:
    """The runtime of the process, which `runtime()` returns."""

    def __init__(self, library: NativeLibrary) -> None:
        self.library = library
        self.stream_bytes = stream_bytes()
        """Launches that move more than this use streaming stores."""
        address, made = ctypes.c_void_p, ctypes.py_object
        self._take = library.function("new_buffer", made, ctypes.c_int64, address)
        self._trim = library.function("pool_trim", None, ctypes.c_int64)
        self._run = library.function("run_program", made, address, address, address, address, ctypes.c_int32)
        self._take_over = library.function("take_over", made, address, ctypes.c_int64, address, address, made)
        self._failure_flag = permanent_memory(64)
        self._blas: Blas | None = None
        write_word(library.field("python", "out_of_memory"), id(raise_out_of_memory))
        write_word(library.field("python", "make_room"), id(make_room_here))
        self._python_threads = not self._system_word("pthread_create")
        self._plant_handler()
        in_child(self._after_fork)

    @property
    def blas(self) -> Blas:
        if self._blas is None:
            self._blas = Blas(self._failure_flag)
        return self._blas

    def encode(self, plan: Plan, entry_addresses: Sequence[int], threads: int = MOST_THREADS) -> Program:
        """A program that `run` takes any number of times, from any thread.

        `entry_addresses[k]` is the code of `plan.kernels[k]`, which must stay loaded. `Program.calls_python`
        says that a product goes through numpy.matmul. At most `threads` run a launch, those of a library
        aside. Raises ValueError for a plan that breaks a rule.
        """
        if self._python_threads:
            self._start_python_threads()
        return encode(plan, entry_addresses, self.blas, self._failure_flag, threads)

    def run(
        self, program: Program, inputs: Sequence[int], scalars: Sequence[int] = (), release_gil: bool = True
    ) -> list[Buffer]:
        """Run over input addresses and scalar bits; gives the outputs.

        Raises MemoryError, KeyboardInterrupt (between chunks and steps), RuntimeError (a library failed),
        OutOfBounds, and what a host function has raised.
        """
        if len(inputs) != program.inputs or len(scalars) != program.scalars:
            raise ValueError(
                f"the program takes {program.inputs} inputs and {program.scalars} scalars, "
                f"not {len(inputs)} and {len(scalars)}"
            )
        given = [*inputs, *[bits & _WORD for bits in scalars]]
        room = 1 + max(program.outputs, 2)
        memory = np.array(given + [0] * room, np.uint64)
        start = memory.__array_interface__["data"][0]
        try:
            owners = self._run(
                program.address, start, start + 8 * len(inputs), start + 8 * len(given), int(release_gil)
            )
        except RuntimeError:
            error = take_raised() if program.calls_python else None
            if error is None:
                raise
            raise error from None
        status, *outputs = memory[-room:].tolist()
        if status == native.OUT_OF_BOUNDS:
            raise OutOfBounds(outputs[0], outputs[1])
        return [
            Buffer(owner, outputs[number], program.output_bytes[number], self)
            for number, owner in enumerate(owners)
        ]

    def allocate(self, nbytes: int) -> Buffer:
        """Returns a 64-byte aligned buffer with undefined content. Raises MemoryError."""
        address = ctypes.c_uint64()
        where = ctypes.addressof(address)
        try:
            owner = self._take(nbytes, where)
        except MemoryError:
            owner = None
        if owner is None:
            make_room_here()
            try:
                owner = self._take(nbytes, where)
            except MemoryError:
                raise MemoryError(f"cannot allocate {nbytes} bytes") from None
        return Buffer(owner, address.value, nbytes, self)

    def take_over(
        self, owner: object, dtype: np.dtype, shape: Sequence[int], strides: Sequence[int]
    ) -> np.ndarray:
        """Returns the array that owns an owner's buffer from now on, whatever happens."""
        _memory, start = words_at([*shape, *strides])
        array: np.ndarray = self._take_over(id(dtype), len(shape), start, start + 8 * len(shape), owner)
        return array

    def trim(self, kept_bytes: int = 0) -> None:
        """Returns unused buffers to the system until at most so many bytes are kept."""
        self._trim(kept_bytes)

    def set_kept_limit(self, nbytes: int) -> None:
        """Sets the most bytes of unused buffers that are kept for later requests."""
        write_word(self.library.field("pool", "kept_limit"), nbytes)
        self._trim(nbytes)

    @property
    def threads(self) -> int:
        """The number of threads of a launch, the caller included."""
        return self._worker_number("limit") + 1

    def set_threads(self, count: int) -> None:
        """Sets the number of threads; surplus ones sleep."""
        if count < 1:
            raise ValueError(f"{count} threads; at least the caller works")
        self._set_worker_number("limit", count - 1)
        self._set_worker_number("wanted", max(count - 1, self._worker_number("started")))

    def statistics(self) -> dict[str, int]:
        """Bytes and requests of the buffer pool, threads, and launches with and without the workers."""
        found = {name: read_word(self.library.field("pool", name)) for name in _POOL_FIELDS}
        found.update({name: read_word(self.library.field("workers", name)) for name in _WORKER_FIELDS})
        found["faults"] = ctypes.c_int32.from_address(self.library.field("pool", "faults")).value
        found["threads"] = self.threads
        found["threads_started"] = self._worker_number("started")
        return found

    def _worker_number(self, name: str) -> int:
        return ctypes.c_int32.from_address(self.library.field("workers", name)).value

    def _set_worker_number(self, name: str, value: int) -> None:
        ctypes.c_int32.from_address(self.library.field("workers", name)).value = value

    def _system_word(self, name: str) -> int:
        return read_word(self.library.field("system", name))

    def _plant_handler(self) -> None:
        if array_layout().handler_offset:
            capsule = _handler_capsule(self.library, permanent_memory(ctypes.sizeof(_Handler)))
            write_word(self.library.field("python", "memory_handler"), id(capsule))

    def _start_python_threads(self) -> None:
        """Starts workers where the system has no pthreads: daemon threads that never return from native
        code."""
        import threading  # workers are the system's elsewhere

        main = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(self.library.image.address("worker_main"))
        for number in range(self._worker_number("started"), self._worker_number("wanted")):
            self._set_worker_number("started", number + 1)
            threading.Thread(target=main, args=(number,), daemon=True, name=f"jitframe-{number}").start()

    def _after_fork(self) -> None:
        self.library.function("pool_after_fork", None)()
        reset_condition(self.library.state + native.State.offset("workers"))
        self.library.function("workers_after_fork", None)()


def byte_range(shape: tuple[int, ...], strides: tuple[int, ...], itemsize: int) -> tuple[int, int]:
    """First byte and byte beyond the last of an array, relative to its data; (0, 0) where it is empty."""
    if 0 in shape:
        return 0, 0
    spans = [(extent - 1) * stride for extent, stride in zip(shape, strides, strict=True)]
    return sum(span for span in spans if span < 0), sum(span for span in spans if span > 0) + itemsize


def contiguous_strides(shape: tuple[int, ...], itemsize: int) -> tuple[int, ...]:
    """C order's strides in bytes, as NumPy gives them to a new array."""
    strides = [itemsize] * len(shape)
    for axis in range(len(shape) - 2, -1, -1):
        strides[axis] = strides[axis + 1] * max(shape[axis + 1], 1)
    return tuple(strides)


def make_room_here() -> None:
    """Prepares the retry of a request: checks the machine's free memory, and where there is none, releases
    unused memory."""
    from ...memory.shortage import make_room
    from . import room  # loaded when memory is short, or much is used

    if not room.was_missing():
        make_room(CPU)
    elif not room.is_given():
        make_room(CPU)
        runtime().trim()
        room.give_rest()


def raise_out_of_memory() -> None:
    """Raises the error of a run that lacked memory."""
    from ...handling import raise_handled  # loaded when there is one
    from .bounds import shortage

    raise_handled(shortage())


_lock = new_reentrant_lock()
_runtime: NativeRuntime | None = None


def runtime() -> NativeRuntime:
    """The runtime of this process, started on first use."""
    native_runtime = _runtime
    return on_own_thread(_started) if native_runtime is None else native_runtime


def _started() -> NativeRuntime:
    global _runtime
    with _lock:
        if _runtime is None:
            native_runtime = NativeRuntime(native_library())
            if _runtime is None:  # else a destructor, say, needed it in the middle of that
                _runtime = native_runtime
        return _runtime


# NumPy's allocator interface (NEP 49) over the buffer pool, as the capsule that output arrays carry

_CAPSULE_NAME = ctypes.c_char_p(b"mem_handler")


class _Handler(ctypes.Structure):
    """PyDataMem_Handler, version 1."""

    _fields_ = [
        ("name", ctypes.c_char * 127),
        ("version", ctypes.c_uint8),
        ("context", ctypes.c_void_p),
        ("malloc", ctypes.c_void_p),
        ("calloc", ctypes.c_void_p),
        ("realloc", ctypes.c_void_p),
        ("free", ctypes.c_void_p),
    ]


def _handler_capsule(library: NativeLibrary, memory: int) -> object:
    """Returns a capsule around a handler written at `memory`, which is never freed: arrays outlive
    everything."""
    handler = _Handler.from_address(memory)
    handler.name = b"jitframe_pool"
    handler.version = 1
    for field in ("malloc", "calloc", "realloc", "free"):
        setattr(handler, field, library.image.address(f"handler_{field}"))
    new = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(
        ("PyCapsule_New", ctypes.pythonapi)
    )
    capsule = new(memory, _CAPSULE_NAME, None)
    # One reference for ever: an array can be freed after this module's globals are gone.
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(capsule))
    return capsule
