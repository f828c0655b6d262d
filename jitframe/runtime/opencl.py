"""OpenCL devices through pyopencl, of every platform: GPUs first, then accelerators, then processors.

Within a kind devices have their platforms' order, so that numbers stay as long as nothing is installed.

Kernels take buffers, not places in them: where a view begins is told in the launch block (`Dialect.view`), as
sub-buffers begin only at multiples of CL_DEVICE_MEM_BASE_ADDR_ALIGN, which views of arrays do not keep.
The queue is in order: a plan is a chain, each step waits for the one before. (An out-of-order one took as
long for launches that do not depend on each other, with PoCL and with Intel's runtime for processors.)
"""

from __future__ import annotations

import struct
import threading
import warnings
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from ..codegen.c_family import Dialect, Source
from ..codegen.kernel.nodes import REDUCTION_LANES, Kernel, walk
from ..codegen.plan.bound import BoundGemm
from ..errors import CompileError, DeviceError
from ..ir.record import mutable, replace
from .driver import DeviceFacts, MemoryStatistics
from .executor import View
from .forms import Forms, Handle
from .opencl_devices import dialect_of, facts_of, found_devices, pyopencl, reason
from .pool import OutOfMemory, Pool
from .sources import Compiled, numbered

_STAGED_BYTES = 1 << 16
"""Uploads up to this size are copied on the host rather than waited for."""
_GPU_LANES = 256
_EXHAUSTED = (-4, -5, -6)
"""MEM_OBJECT_ALLOCATION_FAILURE, OUT_OF_RESOURCES, OUT_OF_HOST_MEMORY."""
_BEHIND_POINTER = "__constant launch_t *block"
_RANGE = struct.Struct("<2Q").pack


def enumerate() -> Sequence[DeviceFacts]:
    """What is known of each device here. Raises DeviceError: what is missing and what to install."""
    return [facts_of(device) for device in found_devices()]


def open(number: int) -> OpenCLDriver:
    """The driver of one of them."""
    devices = found_devices()
    if not 0 <= number < len(devices):
        raise DeviceError(f"opencl:{number} is not there: this machine has {len(devices)} OpenCL devices")
    return OpenCLDriver(devices[number], facts_of(devices[number]))


@mutable
class _Loaded:
    """A kernel as it is launched. The driver's lock guards its arguments."""

    kernel: Any
    lanes: tuple[int]
    set_arg: Callable[[int, Any], None]
    set_bytes: Callable[[int, bytes], None]
    """The public `set_arg` tries every kind of argument before bytes: 5 µs in place of 0.1."""
    itemsizes: tuple[int, ...]
    begins: Callable[..., bytes]
    """The end of the launch block, of where each view begins in elements."""
    no_views: bytes
    """The same where each begins with its buffer."""
    block: Any
    """Memory for the launch block where it is no parameter."""


class OpenCLDriver:
    """One OpenCL device."""

    def __init__(self, device: Any, facts: DeviceFacts) -> None:
        self._cl = pyopencl()
        self._device = device
        self.facts = facts
        self.dialect = dialect_of(device)
        try:
            self._context = self._cl.Context([device])
            self._queue = self._cl.CommandQueue(self._context)
        except self._cl.Error as problem:
            self._fail("opening it", problem)
        self._enqueue_kernel = self._cl.enqueue_nd_range_kernel
        self._profiling = False
        self._lock = threading.RLock()
        """Guards the queue's order and the kernels' arguments."""
        self._staged: deque[Any] = deque()
        """Uploads under way: dropping one waits for it."""
        self._parameter_bytes = device.max_parameter_size
        self._held_bytes = 0
        self._pool = Pool(self.facts.title, self._allocate, self._release, self.facts.memory_bytes)
        self._wide = facts.kind == "cpu"
        """Indices have 64 bits only; GPUs compute in 32 where those suffice."""
        dialect = replace(self.dialect, index_bits=(64,)) if self._wide else self.dialect
        self._forms = self._forms_in(dialect)
        self._behind_pointer = self._forms_in(
            replace(
                dialect,
                header=(*dialect.header, "#define launch (*block)"),
                launch_parameters=(_BEHIND_POINTER,),
            )
        )
        """Kernels with more parameters than the device has room for: their launch block is in a buffer."""
        self._built: dict[str, Any] = {}
        """Programs compiled just now, by source."""

    # Memory -------------------------------------------------------------------------------------------
    def allocate(self, nbytes: int) -> Any:
        if nbytes > self.facts.largest_buffer:
            raise DeviceError(
                f"{self.facts.title} gives one array {self.facts.largest_buffer:,} bytes at most, not "
                f"{nbytes:,}; work on parts, or choose another device"
            )
        return self._pool.take(nbytes)

    def free(self, memory: Any) -> None:
        self._pool.give(memory)

    def upload(self, target: View, data: memoryview) -> None:
        if not data.nbytes:
            return
        memory, offset = target
        waits = data.nbytes > _STAGED_BYTES
        kept = data if waits else bytes(data)
        event = self._copy("an upload", memory, kept, dst_offset=offset, is_blocking=False)
        if waits:
            self._wait(event)
            return
        with self._lock:
            self._staged.append(event)
            while self._staged and self._staged[0].command_execution_status <= 0:
                self._staged.popleft()

    def download(self, source: View, out: memoryview) -> None:
        if out.nbytes:
            memory, offset = source
            self._wait(self._copy("a download", out, memory, src_offset=offset, is_blocking=False))

    def read(self, source: View, nbytes: int) -> bytes:
        out = bytearray(nbytes)
        self.download(source, memoryview(out))
        return bytes(out)

    def copy(self, target: View, source: View, nbytes: int) -> None:
        if nbytes:
            places = {"dst_offset": target[1], "src_offset": source[1]}
            self._copy("a copy", target[0], source[0], byte_count=nbytes, **places)

    def trim(self) -> None:
        self._pool.trim()

    def statistics(self) -> MemoryStatistics:
        return self._pool.statistics()

    def _allocate(self, nbytes: int) -> Any:
        """Memory of the device. Drivers give it when it is first used, so their own limit shows too late."""
        nbytes = min(nbytes, self.facts.largest_buffer)  # the pool rounds up
        if 0 < self.facts.memory_bytes < self._held_bytes + nbytes:
            raise OutOfMemory("the device has no more")
        try:
            memory = self._cl.Buffer(self._context, self._cl.mem_flags.READ_WRITE, nbytes)
        except self._cl.Error as problem:
            if problem.code in _EXHAUSTED:
                raise OutOfMemory(reason(problem)) from None
            self._fail(f"allocating {nbytes:,} bytes", problem)
        self._held_bytes += nbytes
        return memory

    def _release(self, memory: Any) -> None:
        self._held_bytes -= memory.size
        memory.release()

    def _copy(self, doing: str, target: Any, source: Any, **places: Any) -> Any:
        return self._enqueue(doing, lambda: self._cl.enqueue_copy(self._queue, target, source, **places))

    # Kernels ------------------------------------------------------------------------------------------
    def compile(self, kernel: Kernel) -> Handle:
        return self._forms_of(kernel).handle(kernel)

    def launch(self, handle: Handle, buffers: Sequence[View], values: bytes, groups: int) -> None:
        if self._wide:
            form = handle.forms[64]
        else:
            sizes = [memory.size for memory, _ in buffers]
            form = self._forms_of(handle.kernel).form(handle, sizes, values, groups)
        loaded: _Loaded = form.loaded
        number, moved, set_arg = 0, False, loaded.set_arg
        try:
            with self._lock:
                for memory, offset in buffers:
                    set_arg(number, memory)
                    number += 1
                    if offset:
                        moved = True
                views = loaded.no_views
                if moved:
                    pairs = zip(buffers, loaded.itemsizes, strict=True)
                    views = loaded.begins(*[offset // size for (_, offset), size in pairs])
                block = _RANGE(0, groups) + values + views
                if loaded.block is None:
                    loaded.set_bytes(number, block)
                else:
                    self._cl.enqueue_copy(self._queue, loaded.block, block)
                    set_arg(number, loaded.block)
                self._enqueue_kernel(self._queue, loaded.kernel, (groups * loaded.lanes[0],), loaded.lanes)
        except self._cl.Error as problem:
            self._make_room(f"launching {form.source.entry}", problem)
            self.launch(handle, buffers, values, groups)

    def gemm(self, step: BoundGemm, a: View, b: View, c: View) -> NoReturn:
        raise DeviceError(f"{self.facts.title} has no library of matrix products; they are kernels there")

    def _lanes(self, kernel: Kernel) -> int:
        """Lanes to run a kernel of one lane by. A processor's compiler has vectors of its own: measured with
        PoCL, one lane is fastest but for reductions, where each lane has its accumulator."""
        if self.facts.kind != "cpu":
            return _GPU_LANES
        reduces = any(each.op.name == "for" and len(each.blocks) == 2 for each in walk(kernel.body))
        return REDUCTION_LANES if reduces else 1

    def _forms_in(self, dialect: Dialect) -> Forms:
        return Forms(dialect, self.facts, self._build, self._load, self._lanes, self._room)

    def _room(self, loaded: _Loaded) -> int:
        info = self._cl.kernel_work_group_info.WORK_GROUP_SIZE
        return int(loaded.kernel.get_work_group_info(info, self._device))

    def _forms_of(self, kernel: Kernel) -> Forms:
        values = 3 + len(kernel.indices) + len(kernel.scalars)
        parameter_bytes = 8 * (values + 2 * len(kernel.buffers))
        return self._forms if parameter_bytes <= self._parameter_bytes else self._behind_pointer

    def _load(self, compiled: Compiled) -> _Loaded:
        source = compiled.source
        program = self._built.pop(source.text, None) or self._program(compiled)
        kernel = self._cl.Kernel(program, source.entry)
        end_bytes = 8 * (source.slots - 2 - source.indices - source.scalars)
        return _Loaded(
            kernel,
            (source.threads,),
            kernel.set_arg,
            getattr(kernel, "_set_arg_buf", kernel.set_arg),
            tuple(buffer.dtype.itemsize for buffer in source.buffers),
            struct.Struct(f"<{source.views}Q{end_bytes - 8 * source.views}x").pack,
            bytes(end_bytes),
            self.allocate(8 * source.slots) if _BEHIND_POINTER in source.text else None,
        )

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
        try:
            return _compiled(self._cl.Program(self._context, source.text), source)
        except self._cl.Error as problem:
            raise CompileError(
                f"{self.facts.title} rejects kernel {source.entry}:\n{numbered(source.text)}\n{problem}"
            ) from None

    # Order --------------------------------------------------------------------------------------------
    def mark(self) -> Any:
        with self._lock:
            if not self._profiling:
                # From the first mark on the queue takes times, which costs each launch a little.
                self.synchronize()
                properties = self._cl.command_queue_properties.PROFILING_ENABLE
                self._queue = self._cl.CommandQueue(self._context, properties=properties)
                self._profiling = True
            return self._enqueue("a mark", lambda: self._cl.enqueue_marker(self._queue))

    def elapsed(self, first: Any, last: Any) -> float:
        self._wait(first)
        self._wait(last)
        return float(last.profile.end - first.profile.end) * 1e-9

    def synchronize(self) -> None:
        with self._lock:
            queue = self._queue
        self._await(queue.finish)
        with self._lock:
            self._staged.clear()

    # Errors -------------------------------------------------------------------------------------------
    def _enqueue(self, doing: str, work: Callable[[], Any]) -> Any:
        """Ask for work; once more where the device lacked memory and the pool can give some back."""
        with self._lock:
            try:
                return work()
            except self._cl.Error as problem:
                self._make_room(doing, problem)
            try:
                return work()
            except self._cl.Error as problem:
                self._fail(doing, problem)

    def _make_room(self, doing: str, problem: Any) -> None:
        """Memory is often given at its first use only: give back what the pool keeps."""
        if problem.code not in _EXHAUSTED or not self.statistics().pooled:
            self._fail(doing, problem)
        self.synchronize()
        self.trim()

    def _wait(self, event: Any) -> None:
        self._await(event.wait)

    def _await(self, work: Callable[[], Any]) -> None:
        try:
            work()
        except self._cl.Error as problem:
            self._fail("waiting for it", problem)

    def _fail(self, doing: str, problem: Any) -> NoReturn:
        remedy = "choose another device, or start the program again"
        if problem.code in _EXHAUSTED:
            remedy = "delete some arrays, work on parts, or choose another device"
        raise DeviceError(f"{self.facts.title}: {doing} failed ({reason(problem)}); {remedy}") from None


def _compiled(program: Any, source: Source) -> Any:
    with _compiling, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the compiler's notes
        return program.build(list(source.options), cache_dir=False)


_compiling = threading.Lock()
"""The filters of warnings are all threads' own."""
