"""OpenCL devices through pyopencl, of every platform: GPUs first, then accelerators, then processors.

Within a kind devices have their platforms' order, so that numbers stay as long as nothing is installed.

Kernels take buffers, not places in them: where a view begins is told in the launch block (`Dialect.view`), as
sub-buffers begin only at multiples of CL_DEVICE_MEM_BASE_ADDR_ALIGN, which views of arrays do not keep.
Queues are in order: a plan is a chain, each step waits for the one before. (An out-of-order one took as
long for launches that do not depend on each other, with PoCL and with Intel's runtime for processors.) Each
stream has one of its own, and they wait for each other's markers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...codegen.c_family import Dialect, Source
from ...codegen.kernel.nodes import Kernel
from ...ir.record import mutable, record, replace
from ..driver import DeviceFacts, numbered_device, quiet
from ..executor import View
from ..memory import host_memory
from ..memory.allocators import check_object
from ..memory.pool import NoMemory, Pool
from .forms import Form
from .opencl_devices import dialect_of, found_devices, pyopencl, reason
from .opencl_facts import facts_of
from .opencl_programs import OpenCLPrograms
from .opencl_queues import CommandQueue, OpenCLQueues
from .sources import Compiled

_STAGED_BYTES = 1 << 16
"""Uploads up to this size are copied on the host rather than waited for."""
_EXHAUSTED = (-4, -5, -6)
"""MEM_OBJECT_ALLOCATION_FAILURE, OUT_OF_RESOURCES, OUT_OF_HOST_MEMORY."""
_LOST = (-2, -33, -34, -36, -9999)
"""DEVICE_NOT_AVAILABLE, INVALID_DEVICE, _CONTEXT, _COMMAND_QUEUE; NVIDIA's for what a kernel broke."""
_THROUGH_POINTER = "__constant launch_t *block"


def enumerate() -> Sequence[DeviceFacts]:
    """What is known of each device here. Raises BackendError: what is missing and what to install."""
    return [facts_of(device) for device in found_devices()]


def open(number: int, build_options: str = "") -> OpenCLDriver:
    """The driver of one of them; `build_options` come after those that results rest on."""
    device, options = numbered_device("opencl", number, found_devices()), build_options.split()
    return OpenCLDriver(device, facts_of(device, options), options)


class _Begin(metaclass=record):
    """The moment at which a command began."""

    event: Any


def _time_ns(mark: Any) -> int:
    """When a mark was passed, after waiting for it."""
    if isinstance(mark, _Begin):
        mark.event.wait()
        return int(mark.event.profile.start)
    mark.wait()
    return int(mark.profile.end)


class _Loaded(metaclass=mutable):
    """A kernel as it is launched. The driver's lock guards its arguments."""

    kernel: Any
    lanes: tuple[int]
    set_bytes: Callable[[int, bytes], None]
    """The public `set_arg` tries every kind of argument before bytes: 5 µs in place of 0.1."""
    blocks: dict[CommandQueue, Any] | None
    """For each queue memory for the launch block, where that is no parameter."""


class OpenCLDriver(OpenCLPrograms, OpenCLQueues):
    """One OpenCL device."""

    def __init__(self, device: Any, facts: DeviceFacts, build_options: Sequence[str] = ()) -> None:
        self._cl = pyopencl()
        self._device = device
        dialect = dialect_of(device)
        dialect = replace(dialect, options=(*dialect.options, *build_options))
        if facts.kind == "cpu":  # GPUs compute indices in 32 bits where those suffice
            dialect = replace(dialect, index_bits=(64,))
        super().__init__(facts.title, facts, dialect, (self._cl.Error,))
        header = (*dialect.header, "#define launch (*block)")
        self._through_pointer = replace(dialect, header=header, launch_parameters=(_THROUGH_POINTER,))
        """For kernels with more parameters than there is room for: their launch block is in a buffer."""
        self._parameter_bytes = device.max_parameter_size
        self._pool = Pool(
            self.name, self._fresh, self._release, facts.memory_bytes, facts.largest_buffer,
            host_memory.room_for(facts),
        )  # fmt: skip
        self._do("opening it", self._open)

    def _open(self) -> None:
        self._context = self._cl.Context([self._device])
        self._open_first()

    # Memory -------------------------------------------------------------------------------------------
    def _upload(self, target: View, data: memoryview) -> None:
        waits = data.nbytes > _STAGED_BYTES
        event = self._transfer(target[0], data if waits else bytes(data), dst_offset=target[1])
        if waits:
            event.wait()
            return
        self._keep(event)

    def _download(self, source: View, out: memoryview) -> None:
        self._transfer(out, source[0], src_offset=source[1]).wait()

    def _copy(self, target: View, source: View, nbytes: int) -> None:
        (there, to), (here, start) = target, source
        places = {"byte_count": nbytes, "dst_offset": to, "src_offset": start}
        self._cl.enqueue_copy(self._queue, there, here, **places)

    def _transfer(self, target: Any, source: Any, **places: int) -> Any:
        return self._cl.enqueue_copy(self._queue, target, source, is_blocking=False, **places)

    def _nbytes(self, memory: Any) -> int:
        return int(memory.size)

    @property
    def native(self) -> dict[str, Any]:
        """pyopencl's own objects: its context and queue."""
        return {"context": self._context, "queue": self._queue}

    def adopt(self, memory: Any, nbytes: int) -> Any:
        """Somebody else's buffer, of this context. Raises ArgumentError for what is none."""
        size = memory.size if isinstance(memory, self._cl.MemoryObjectHolder) else None
        check_object(memory, "pyopencl.Buffer", size, nbytes)
        return memory

    def _fresh(self, nbytes: int) -> Any:
        try:
            return self._cl.Buffer(self._context, self._cl.mem_flags.READ_WRITE, nbytes)
        except self._cl.Error as problem:
            if self._is_short(problem):
                raise NoMemory(reason(problem)) from None
            raise

    def _release(self, memory: Any) -> None:
        memory.release()

    # Kernels ------------------------------------------------------------------------------------------
    def _launch(self, form: Form, buffers: Sequence[View], values: bytes, groups: int) -> None:
        loaded: _Loaded = form.loaded
        kernel, number = loaded.kernel, 0
        for memory, _ in buffers:
            kernel.set_arg(number, memory)
            number += 1
        block = form.block(0, groups, buffers, values)
        if loaded.blocks is None:
            loaded.set_bytes(number, block)
        else:
            kernel.set_arg(number, self._written_block(loaded.blocks, block))
        self._enqueue(kernel, (groups * loaded.lanes[0],), loaded.lanes)

    def _enqueue(self, kernel: Any, lanes: tuple[int, ...], workgroup: tuple[int, ...]) -> None:
        event = self._cl.enqueue_nd_range_kernel(self._queue, kernel, lanes, workgroup)
        if self._began is not None:
            self._began.append(_Begin(event))

    def _written_block(self, blocks: dict[CommandQueue, Any], block: bytes) -> Any:
        memory = blocks.get(self._turn)
        if memory is None:
            memory = blocks[self._turn] = self.allocate(len(block))
        self._cl.enqueue_copy(self._queue, memory, block)
        return memory

    def _room(self, loaded: _Loaded) -> int:
        info = self._cl.kernel_work_group_info.WORK_GROUP_SIZE
        return int(loaded.kernel.get_work_group_info(info, self._device))

    def _spelled(self, kernel: Kernel) -> Dialect:
        values = 3 + len(kernel.indices) + len(kernel.scalars)
        parameter_bytes = 8 * (values + 2 * len(kernel.buffers))
        return self.dialect if parameter_bytes <= self._parameter_bytes else self._through_pointer

    def _load(self, compiled: Compiled) -> _Loaded:
        source = compiled.source
        program = self._built.pop(source.text, None) or self._program(compiled)
        kernel = self._cl.Kernel(program, source.entry)
        blocks: dict[CommandQueue, Any] | None = {} if _THROUGH_POINTER in source.text else None
        return _Loaded(kernel, (source.threads,), getattr(kernel, "_set_arg_buf", kernel.set_arg), blocks)

    def _program(self, compiled: Compiled) -> Any:
        """From the stored binary; from source where the driver takes no binaries, or not this one."""
        if compiled.binary:
            try:
                program = self._cl.Program(self._context, [self._device], [compiled.binary])
                return _compiled(program, compiled.source)
            except self._cl.Error:
                pass
        return self._from_source(compiled.source)

    def _build(self, source: Source) -> bytes:
        program = self._built[source.text] = self._from_source(source)
        return bytes(program.get_info(self._cl.program_info.BINARIES)[0])

    def _from_source(self, source: Source) -> Any:
        return self._accepted(source, lambda: _compiled(self._cl.Program(self._context, source.text), source))

    # Order --------------------------------------------------------------------------------------------
    def _mark(self) -> Any:
        if not self._turn.is_timed:
            # From the first mark on a queue takes times, which costs each launch a little.
            self._queue.finish()
            properties = self._cl.command_queue_properties.PROFILING_ENABLE
            self._turn.commands = self._cl.CommandQueue(self._context, properties=properties)
            self._queue, self._turn.is_timed = self._turn.commands, True
        return self._cl.enqueue_marker(self._queue)

    def _elapsed(self, first: Any, last: Any) -> float:
        return float(_time_ns(last) - _time_ns(first)) * 1e-9

    # Errors -------------------------------------------------------------------------------------------
    def _reason(self, problem: Exception) -> str:
        return reason(problem)

    def _is_short(self, problem: Any) -> bool:
        return problem.code in _EXHAUSTED

    def _is_lost(self, problem: Any) -> bool:
        return problem.code in _LOST


def _compiled(program: Any, source: Source) -> Any:
    with quiet():
        return program.build(list(source.options), cache_dir=False)
