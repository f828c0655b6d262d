"""A backend in use: an opened device and its operations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeVar

from ..errors import ArgumentError
from ..runtime.discovery import measured
from ..runtime.handling import hears
from ..runtime.memory import allocators
from ..tensors.waiting import in_thread
from . import (
    asynchrony,
    buffers,
    capabilities,
    copies,
    extending,
    limits,
    measure,
    operations,
    pools,
    programs,
    room,
)
from .extending import Extension
from .opened import OpenedDevice
from .operations import BoundFunctions, Operations
from .resources import Resource

if TYPE_CHECKING:
    from ..codegen.kernel.nodes import Kernel
    from ..runtime.memory.allocators import Allocator
    from ..runtime.memory.holders import Holder
    from ..runtime.memory.limits import Limits
    from ..tensors.tensor import Tensor
    from .asynchrony import Stream
    from .buffers import Buffer
    from .capabilities import Capabilities, PerformanceHints
    from .kernels.function import KernelFunction
    from .limits import Monitor, Statistics, Usage
    from .operations import BoundFunctions, OperationCapabilities, Operations
    from .pools import MemoryPool
    from .programs import LaunchConfig, Program
    from .room import Room

T = TypeVar("T")


@hears
class Backend(OpenedDevice):
    """A device of a backend: manages its memory and runs its programs; made by `get` and `create`.

    Its first use or `initialize` initializes it, and it can be used until `shutdown`; a `with` block does
    both. Methods may be called from several threads; they use the device one at a time.
    """

    def __init_subclass__(cls, **named: Any) -> None:
        name = cls.__name__
        raise ArgumentError(
            f"class {name}(jf.backends.Backend): a backend is not written as a subclass; Backend is what "
            "jf.backends.get and create give for every device. Write a class without that base which has "
            "enumerate(), giving a DeviceFacts for each device, and open(number), giving its driver, and "
            f'make it known: jf.backends.register("{name.lower()}", {name}); docs/adding_a_backend.md has a '
            "whole one"
        )

    # What it can do -----------------------------------------------------------------------------------
    @property
    def extensions(self) -> Mapping[str, Extension]:
        """The extensions that fit this backend, by name."""
        return extending.extensions_of(self)

    def initialize_extensions(self) -> tuple[str, ...]:
        """Calls `initialize` of all extensions that fit and were not used here yet, as their first use also
        does; returns their names.

        A failure does not stop it: it raises one BackendError for all failures at the end, whose
        `context["failed"]` has each error by the extension's name.
        """
        return extending.initialize_all(self)

    def shutdown_extensions(self) -> None:
        """Calls `shutdown` of all extensions that were initialized here, in reverse order, as `shutdown`
        does; their next use initializes them again. Reports failures as `initialize_extensions` does.
        """
        extending.shutdown_all(self)

    @property
    def capabilities(self) -> Capabilities:
        """The capabilities of the device, which need not be initialized. Speeds are None until `measure`.

        >>> import jitframe as jf
        >>> jf.backends.get("cpu").capabilities.sub_buffers
        True
        """
        found = capabilities.capabilities_of(self.device.facts, measured.known(self.device.facts))
        return replace(found, extras=(*found.extras, *extending.extras(self)))

    def measure(self, refresh: bool = False) -> Capabilities:
        """Returns the capabilities with measured speeds: those that any process measured before on this
        device with this driver, or new ones, which takes two to three seconds; `refresh` always measures.

        Raises BackendError where the device cannot be used.
        """
        self.check_open()
        measure.measure(self.device, refresh)
        return self.capabilities

    @property
    def hints(self) -> PerformanceHints:
        """Performance hints of the device; results do not depend on them."""
        return self.device.hints

    def tune(self, **changes: Any) -> PerformanceHints:
        """Changes hints by name, for kernels that are compiled from now on; returns all hints. They belong to
        the device: the hints of a shared backend hold for all its users.

        Raises ArgumentError for an unknown hint or an impossible value, BackendError for hints that the
        device does not follow: on the CPU only `alignment` can be changed, as its kernels have one lane and
        its launches are synchronous.
        """
        self.check_open()
        self.device.follow(capabilities.changed_hints(self.hints, changes))
        return self.hints

    def preferred_workgroup(self, axes: int = 1) -> tuple[int, ...]:
        """Returns the extents of a workgroup of 1, 2 or 3 axes that suits the device:
        `hints.preferred_workgroup` lanes, or the next smaller number that fits, with a whole subgroup along
        the first axis. It is for kernels and programs written for this device; results do not depend on it.

        Raises ArgumentError for another number of axes.

        >>> import jitframe as jf
        >>> jf.backends.get("cpu").preferred_workgroup(2)  # a lane has vectors of its own there
        (1, 1)
        """
        return capabilities.preferred_workgroup(self.device.facts, axes)

    @cached_property
    def operations(self) -> Operations:
        """The answers about operations that were computed so far."""
        self.check_open()
        return Operations(self)

    def supports(self, op: str, dtype: Any = None) -> bool:
        """Whether an operation (the name of a function of `jitframe` or of an extension) takes arrays of a
        dtype here; without a dtype, whether it takes any. A family's name asks whether all its functions do.

        Returns False for an unknown name. Raises DTypeError for an invalid dtype, or an invalid name.

        >>> import jitframe as jf
        >>> cpu = jf.backends.get("cpu")
        >>> cpu.supports("add", "float32"), cpu.supports("bitwise_and", "float32"), cpu.supports("abacus")
        (True, False, False)
        >>> cpu.supports("convolution", "float32")
        True
        """
        return operations.supports(self, op, dtype)

    @property
    def operation_families(self) -> Mapping[str, tuple[str, ...]]:
        """Returns the families of operations by name, such as "reduction", "convolution" or "linalg", each
        with its functions; every operation of an extension is a family of its own.

        >>> import jitframe as jf
        >>> jf.backends.get("cpu").operation_families["convolution"]
        ('convolve', 'correlate')
        """
        return operations.families(self)

    def available_operations(self) -> tuple[str, ...]:
        """Returns the names of all operations that take some dtype here, those of extensions last. The first
        call takes a while."""
        return operations.available(self)

    available_ops = available_operations

    def operation_capabilities(self, op: str) -> OperationCapabilities:
        """Returns the capabilities of one operation: its dtypes, how it is computed on each, limits, and why
        it refuses the others.

        Raises ArgumentError for an unknown operation, with the nearest names.

        >>> import jitframe as jf
        >>> found = jf.backends.get("cpu").operation_capabilities("matmul")
        >>> found.how["float32"], found.how["int32"]
        ('library', 'native')
        """
        return operations.capabilities_of(self, op)

    @cached_property
    def ops(self) -> BoundFunctions:
        """The functions of `jitframe`, computed here: arrays on other devices are copied here first.

        >>> import jitframe as jf
        >>> jf.backends.get("cpu").ops.add([1, 2], 3).tolist()
        [4, 5]
        """
        return BoundFunctions(self)

    # Programs -----------------------------------------------------------------------------------------
    def compile(
        self,
        program: KernelFunction | Kernel | str | bytes,
        *,
        entry: str = "",
        parameters: Mapping[str, str] | Sequence[str] | None = None,
    ) -> Program:
        """Compiles a program from a kernel (`KernelBuilder`, or kernel IR), from source text in the device's
        language (OpenCL C, WGSL, CUDA C, HIP C, MSL; LLVM IR on the CPU), or from a binary that
        `Program.binary` returned.

        Source and binaries name their entry point and their parameters in order: `{"x": "in float32", "y":
        "out float32", "n": "int32"}`, buffers with their access, uniforms without. docs/programs.md says how
        each language declares them.

        Raises CompileError with the numbered source and the compiler's log, UnsupportedDTypeError,
        ArgumentError, and BackendError for programs that the device does not take.
        """
        return programs.compile(self, program, entry=entry, parameters=parameters)

    def execute(
        self,
        program: Program,
        buffers: Sequence[Any],
        uniforms: Any = (),
        config: LaunchConfig | None = None,
    ) -> None:
        """Launches a program without waiting for it, unless it writes to an ndarray that is copied to the
        device and back. `program(x, y, n, grid=2)` does the same.

        `buffers`, in order: buffers of this backend, (memory, offset in bytes), Tensors, ndarrays in C order.
        Arrays on other devices are copied here and, where they are written, back, which counts as implicit
        transfers: see docs/devices.md. A Tensor that is written has the new value from then on, as after an
        assignment. `uniforms`: numbers in order or by name, packed as the parameters say, the bytes of each,
        or the bytes of all: in the order of the parameters, packed or in the layout of a C struct. `config`:
        the launch configuration, one workgroup by default.

        Raises ArgumentError and DTypeError for arguments that do not fit the program, AliasError for arrays
        that overlap where one is written, BackendError where the device's limits are exceeded, before
        anything is launched; the next wait raises errors of the launch itself.
        """
        programs.execute(self, program, buffers, uniforms, config)

    # Awaited, and in orders of their own (see `asynchrony`) ---------------------------------------------
    async def compile_async(self, *given: Any, **named: Any) -> Program:
        """Awaits `compile`."""
        return await in_thread(partial(self.compile, *given, **named))

    async def execute_async(self, *given: Any, **named: Any) -> None:
        """Awaits the completion of `execute` on the device. Raises errors of the launch."""
        await in_thread(asynchrony.executed, self, given, named)

    async def copy_async(self, *given: Any, **named: Any) -> int:
        """Awaits the completion of `copy`; its source must not change until then. Returns the number of
        bytes."""
        return await in_thread(partial(self.copy, *given, **named))

    def stream(self, name: str = "") -> Stream:
        """Opens a stream: work in an order of its own, for which the caller does not wait (see `Stream`).

        Raises BackendError where `limits.max_streams` are open.

        >>> import jitframe as jf
        >>> backend = jf.backends.get("cpu")
        >>> buffer = backend.alloc(3)
        >>> with backend.stream() as stream:
        ...     event = stream.copy(b"abc", buffer)
        ...     event.wait()
        3
        """
        return asynchrony.stream(self, name)

    # Memory -------------------------------------------------------------------------------------------
    def alloc(self, nbytes: SupportsIndex, alignment: SupportsIndex | None = None) -> Buffer:
        """Allocates `nbytes` bytes of the device's memory, with undefined contents; 0 is allowed.

        `alignment`, a power of two, is `hints.alignment` by default: the address is a multiple of it; where
        memory has no addresses (OpenCL, WebGPU, Metal), the offset in the device's memory object is.

        Raises OutOfMemoryError, ArgumentError for a negative number or one that is no power of two,
        DTypeError for other types than integers, BackendError where the device cannot be used.

        >>> import jitframe as jf
        >>> jf.backends.get("cpu").alloc(1000, alignment=4096)
        <buffer of 1,000 bytes on cpu, host>
        """
        return buffers.alloc(self, nbytes, alignment)

    def buffer(self, nbytes: SupportsIndex, alignment: SupportsIndex | None = None) -> Buffer:
        """Allocates memory for a `with` block, which frees it; the errors are those of `alloc`.

        >>> import jitframe as jf
        >>> with jf.backends.get("cpu").buffer(16) as buffer:
        ...     buffer.write(b"sixteen bytes...")
        ...     buffer.read(5, offset=8)
        b'bytes'
        """
        return buffers.alloc(self, nbytes, alignment)

    def buffer_of(self, x: Tensor, copy: bool | None = None) -> Buffer:
        """Returns a Tensor's memory on this backend as a buffer; computes the Tensor first where that is
        pending.

        The buffer keeps the memory alive. The Tensor's value never changes: the buffer copies the memory
        before it is first written. It copies at once where `copy` is True, and on the host where the elements
        are not in C order; `copy=False` raises ArgumentError there. `buffer.tensor` is the inverse.

        Raises ArgumentError for a Tensor on another device, DTypeError for other objects.

        >>> import jitframe as jf
        >>> cpu = jf.backends.get("cpu")
        >>> x = jf.asarray([1, 2], dtype="int8") * 3
        >>> buffer = cpu.buffer_of(x)
        >>> buffer.read()
        b'\\x03\\x06'
        """
        return buffers.buffer_of(self, x, copy)

    def pool(self, nbytes: SupportsIndex, alignment: SupportsIndex | None = None) -> MemoryPool:
        """Makes a memory pool of the program's own, which allocates buffers from one block of `nbytes` bytes
        (see `MemoryPool`). The errors are those of `alloc`."""
        return pools.MemoryPool(self, nbytes, alignment)

    def use_allocator(self, allocator: Allocator | None) -> None:
        """Allocates all memory by an application's own allocator from now on, until `shutdown` (see
        `runtime.allocators`): buffers, Tensors, results of jitted functions; for the shared CPU backend in
        the whole process. None restores the device's allocator; memory always returns to the allocator that
        it came from. Memory for the drivers' own work (staging, launch blocks) is not affected.

        Raises ArgumentError for an object without `allocate` and `free`, BackendError for a device whose
        driver takes no memory of other allocators.
        """
        self.check_open()
        allocators.use_allocator(self.device, allocator)
        self._restoring["allocator"] = partial(allocators.use_allocator, self.device, None)

    @property
    def native(self) -> dict[str, Any]:
        """The objects of the device's native interface, by name, to share with other libraries: "context" and
        "queue" of OpenCL, "device" of WebGPU; empty where there are none."""
        self.check_open()
        with self.device.using():
            found: dict[str, Any] = dict(getattr(self.device.driver, "native", {}))
            return found

    def alloc_pinned(self, nbytes: SupportsIndex) -> Buffer:
        """Allocates `nbytes` bytes of the host's memory, pinned where the driver can do that (CUDA, HIP):
        copies between pinned memory and the device are the fastest. `descriptor.location` is "pinned" or
        "host".

        The errors are those of `alloc`.
        """
        return buffers.alloc_pinned(self, nbytes)

    def copy(
        self, src: Any, dst: Any, nbytes: int | None = None, src_offset: int = 0, dst_offset: int = 0
    ) -> int:
        """Copies bytes, by default all of `src` from its offset on; returns their number.

        Either end is a buffer of any backend, a C-contiguous ndarray, or an object with bytes; `src` may be a
        Tensor. The locations decide how the bytes travel: within the host, to or from a device, within a
        device (overlapping ranges are copied as by memmove), and between devices (directly where the drivers
        can, else in chunks through the host). Reads and writes of the host's memory are complete when this
        returns.

        Raises BoundsError for a range that does not lie inside its end, DTypeError and ArgumentError for an
        invalid end, AliasError for a read-only `dst`, BackendError for buffers that were freed.

        >>> import jitframe as jf
        >>> cpu = jf.backends.get("cpu")
        >>> with cpu.buffer(6) as buffer:
        ...     cpu.copy(b"abcdef", buffer)
        ...     cpu.copy(buffer, buffer, 4, dst_offset=2)
        ...     buffer.read()
        6
        4
        b'ababcd'
        """
        return copies.copy(self, src, dst, nbytes, src_offset, dst_offset)

    def resource(self, factory: Callable[[], T], cleanup: Callable[[T], Any]) -> Resource[T]:
        """Makes a resource of the value of `factory()`, which `cleanup(value)` releases exactly once (see
        `Resource`).

        Raises the factory's error (and cleans nothing up then), BackendError after `shutdown`.
        """
        self.check_open()
        return self.holdings.add(Resource(self, factory, cleanup))

    # Limits and what is held --------------------------------------------------------------------------
    @property
    def limits(self) -> Limits | None:
        """The limits of what the device may hold, None for no limits; assign a `Limits` or None to change
        them.

        They hold for everything on the device, until `shutdown`: buffers, Tensors, allocations of jitted
        functions. The shared backend of a name limits the device that Tensors of that name are on, and on the
        CPU the whole process's memory; a backend that `create` made has limits of its own. Without limits
        nothing is checked, at no cost.

        Assignment raises ArgumentError for invalid limits, BackendError where a driver cannot keep
        `max_kernels`.

        >>> import jitframe as jf
        >>> backend = jf.backends.get("cpu")
        >>> backend.limits = jf.backends.Limits(max_bytes=1 << 30)
        >>> backend.alloc(1 << 31)
        Traceback (most recent call last):
        ...
        jitframe.errors.OutOfMemoryError: cpu may hold 1,073,741,824 bytes (max_bytes), holds ...
        >>> backend.limits = None
        """
        return self.device.limits

    @limits.setter
    def limits(self, wanted: Limits | None) -> None:
        self.check_open()
        self.device.limit(wanted)
        self._restoring["limits"] = partial(self.device.limit, None)

    def usage(self) -> Usage:
        """The present usage of the device: bytes, buffers, kernels, streams, and its utilization where that
        is known. Raises BackendError after `shutdown`."""
        return limits.usage(self)

    def statistics(self) -> Statistics:
        """Statistics of the device's memory so far: peak, allocations and their size, how often the pool had
        a block, failures. Raises BackendError after `shutdown`."""
        return limits.statistics(self)

    @cached_property
    def monitor(self) -> Monitor:
        """Records which line of the program allocates what the device holds: `monitor()` switches that on,
        `monitor(False)` off, `monitor.is_on` tells which. See `Monitor`."""
        return limits.Monitor(self)

    def holders(self) -> list[Holder]:
        """Returns what holds the device's memory, the largest first: Tensors, arrays and buffers, with the
        lines that made them as far as they were recorded (see `monitor`). It visits all objects of the
        program, which takes milliseconds. On the CPU, ndarrays that jitted functions returned are not
        included.
        """
        return limits.holders_of(self)

    def cleanup(self) -> int:
        """Waits for all work, collects garbage and returns the pool's free blocks to the device; returns the
        number of their bytes. Raises errors of earlier work."""
        return limits.cleanup(self)

    def room(self) -> Room:
        """Returns how much memory can still be allocated, by the driver's report and the limits; where
        neither tells, the device's memory less what this program holds. `init(required_bytes=)` compares with
        it."""
        self.check_open()
        return room.room(self.device)
