"""One backend in use: a device that is opened, and what can be done with it."""

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
    """A device of a backend, for who works with its memory and programs; made by `get` and `create`.

    It is initialized by its first use or by `initialize`, and can be used until `shutdown`; a `with` block
    does both. Methods may be called from several threads; the device is used by one at a time.
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
        """The extensions that fit it, by name."""
        return extending.extensions_of(self)

    def initialize_extensions(self) -> tuple[str, ...]:
        """Calls `initialize` of all extensions that fit it and were not used here yet, which their first use
        does too; gives their names.

        Goes on past a failure, and then raises one BackendError with all of them: its `context["failed"]` has
        each one's error by name.
        """
        return extending.initialize_all(self)

    def shutdown_extensions(self) -> None:
        """Calls `shutdown` of all extensions that were initialized here, the last one first, as `shutdown`
        does; they are initialized again by their next use. Failures are told as `initialize_extensions` does.
        """
        extending.shutdown_all(self)

    @property
    def capabilities(self) -> Capabilities:
        """What the device can do; it need not be initialized. Numbers of speed are None until `measure`.

        >>> import jitframe as jf
        >>> jf.backends.get("cpu").capabilities.sub_buffers
        True
        """
        found = capabilities.capabilities_of(self.device.facts, measured.known(self.device.facts))
        return replace(found, extras=(*found.extras, *extending.extras(self)))

    def measure(self, refresh: bool = False) -> Capabilities:
        """The capabilities with the numbers of speed: those measured before on this device with this driver,
        by whatever process, or measured now, which takes two to three seconds; `refresh` measures in any
        case.

        Raises BackendError where the device cannot be used.
        """
        self.check_open()
        measure.measure(self.device, refresh)
        return self.capabilities

    @property
    def hints(self) -> PerformanceHints:
        """How the device likes its work; results do not depend on it."""
        return self.device.hints

    def tune(self, **changes: Any) -> PerformanceHints:
        """Changes hints by name, for kernels that are compiled from now on; gives all of them. They are the
        device's: a shared backend's hints are everybody's.

        Raises ArgumentError for a hint that there is not and a number that cannot be, BackendError for those
        that the device does not follow: the CPU's `alignment` can be changed alone, as its kernels are one
        lane's and its launches are waited for.
        """
        self.check_open()
        self.device.follow(capabilities.changed_hints(self.hints, changes))
        return self.hints

    def preferred_workgroup(self, axes: int = 1) -> tuple[int, ...]:
        """The extents of a workgroup of 1, 2 or 3 axes that suits the device: `hints.preferred_workgroup`
        lanes, or the next fewer that fit, as many along the first axis as run in step. For a kernel or a
        program written for this device; results do not depend on it.

        Raises ArgumentError for another number of axes.

        >>> import jitframe as jf
        >>> jf.backends.get("cpu").preferred_workgroup(2)  # a lane has vectors of its own there
        (1, 1)
        """
        return capabilities.preferred_workgroup(self.device.facts, axes)

    @cached_property
    def operations(self) -> Operations:
        """What was asked about operations so far."""
        self.check_open()
        return Operations(self)

    def supports(self, op: str, dtype: Any = None) -> bool:
        """Whether an operation (a function of `jitframe` or of an extension, by its name) takes arrays of a
        dtype here; without one, whether it takes any. Also asks for families: whether all their functions do.

        False for a name that nothing has. Raises DTypeError for what is no dtype, or no name.

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
        """Families of operations by name, such as "reduction", "convolution" or "linalg", each with its
        functions; an extension is one of its operations.

        >>> import jitframe as jf
        >>> jf.backends.get("cpu").operation_families["convolution"]
        ('convolve', 'correlate')
        """
        return operations.families(self)

    def available_operations(self) -> tuple[str, ...]:
        """The names of all operations that take some dtype here, those of extensions last. Asking for the
        first time takes a while."""
        return operations.available(self)

    available_ops = available_operations

    def operation_capabilities(self, op: str) -> OperationCapabilities:
        """Of one operation: its dtypes, how it is computed on each, limits, and why it refuses the others.

        Raises ArgumentError for a name that is no operation, with the nearest ones.

        >>> import jitframe as jf
        >>> found = jf.backends.get("cpu").operation_capabilities("matmul")
        >>> found.how["float32"], found.how["int32"]
        ('library', 'native')
        """
        return operations.capabilities_of(self, op)

    @cached_property
    def ops(self) -> BoundFunctions:
        """The functions of `jitframe`, computed here: arrays that are elsewhere are copied here first.

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
        """A program, from a kernel (`KernelBuilder`, or kernel IR), from source text in the device's language
        (OpenCL C, WGSL, CUDA C, HIP C, MSL; LLVM IR on the CPU), or from a binary that `Program.binary` gave.

        Source and binaries name their entry point and their parameters in order: `{"x": "in float32", "y":
        "out float32", "n": "int32"}`, buffers with their access, uniforms without. How each language has them
        is told in docs/programs.md.

        Raises CompileError with the numbered source and the compiler's log, UnsupportedDTypeError,
        ArgumentError, and BackendError for what the device does not take.
        """
        return programs.compile(self, program, entry=entry, parameters=parameters)

    def execute(
        self,
        program: Program,
        buffers: Sequence[Any],
        uniforms: Any = (),
        config: LaunchConfig | None = None,
    ) -> None:
        """Launches a program; it is not waited for, unless it writes to an ndarray that is copied there and
        back. `program(x, y, n, grid=2)` is the same.

        `buffers`, in order: buffers of this backend, (memory, offset in bytes), Tensors, ndarrays in C order.
        Arrays that are elsewhere are copied here and, where they are written, back, as unasked transfers: see
        docs/devices.md. A Tensor that is written has the new value from then on, as if by assignment.
        `uniforms`: numbers in order or by name, packed as the parameters say, the bytes of each, or those of
        all: in the order of the parameters, packed or as a C struct has them. `config`: one workgroup unless
        it says more.

        Raises ArgumentError and DTypeError for what does not fit the program, AliasError for arrays that
        overlap where one is written, BackendError for what exceeds the device's limits, before anything is
        launched; what the launch does wrong is raised by the next wait.
        """
        programs.execute(self, program, buffers, uniforms, config)

    # Awaited, and in orders of their own (see `asynchrony`) ---------------------------------------------
    async def compile_async(self, *given: Any, **named: Any) -> Program:
        """`compile`, awaited."""
        return await in_thread(partial(self.compile, *given, **named))

    async def execute_async(self, *given: Any, **named: Any) -> None:
        """`execute`, awaited to its end on the device. Raises what the launch does wrong."""
        await in_thread(asynchrony.executed, self, given, named)

    async def copy_async(self, *given: Any, **named: Any) -> int:
        """`copy`, awaited to its end; its source may not change until then. Gives the number of bytes."""
        return await in_thread(partial(self.copy, *given, **named))

    def stream(self, name: str = "") -> Stream:
        """Work in an order of its own, which the caller does not wait for: see `Stream`.

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
        """So many bytes of the device's memory, with undefined contents; 0 is a number too.

        `alignment`, a power of two, `hints.alignment` unless given: the address is a multiple of it; where
        memory has no addresses (OpenCL, WebGPU, Metal), the place in the device's memory object is.

        Raises OutOfMemoryError, ArgumentError for a number that is negative or no power of two, DTypeError
        for what is no integer, BackendError where the device cannot be used.

        >>> import jitframe as jf
        >>> jf.backends.get("cpu").alloc(1000, alignment=4096)
        <buffer of 1,000 bytes on cpu, host>
        """
        return buffers.alloc(self, nbytes, alignment)

    def buffer(self, nbytes: SupportsIndex, alignment: SupportsIndex | None = None) -> Buffer:
        """`alloc` for a `with` block, which gives the memory back; the errors are those of `alloc`.

        >>> import jitframe as jf
        >>> with jf.backends.get("cpu").buffer(16) as buffer:
        ...     buffer.write(b"sixteen bytes...")
        ...     buffer.read(5, offset=8)
        b'bytes'
        """
        return buffers.alloc(self, nbytes, alignment)

    def buffer_of(self, x: Tensor, copy: bool | None = None) -> Buffer:
        """A Tensor's memory, which is this backend's, as a buffer; computed now if it was not yet.

        The buffer holds the memory. The Tensor's value never changes: the buffer takes memory of its own,
        with a copy, before it is first written. It is a copy at once where `copy` is True, and on the host
        where the elements are not in C order; `copy=False` raises ArgumentError there. `buffer.tensor` is
        the other way.

        Raises ArgumentError for a Tensor that is elsewhere, DTypeError for what is none.

        >>> import jitframe as jf
        >>> cpu = jf.backends.get("cpu")
        >>> x = jf.asarray([1, 2], dtype="int8") * 3
        >>> buffer = cpu.buffer_of(x)
        >>> buffer.read()
        b'\\x03\\x06'
        """
        return buffers.buffer_of(self, x, copy)

    def pool(self, nbytes: SupportsIndex, alignment: SupportsIndex | None = None) -> MemoryPool:
        """A pool of the program's own: buffers out of one block of so many bytes (see `MemoryPool`). The
        errors are those of `alloc`."""
        return pools.MemoryPool(self, nbytes, alignment)

    def use_allocator(self, allocator: Allocator | None) -> None:
        """Takes all memory from an application's own allocator from now on, until `shutdown` (see
        `runtime.allocators`): buffers, Tensors, results of jitted functions; of the shared CPU this is the
        whole process's. None takes it from the device again; memory goes back to whom it came from in any
        case. What drivers need for their own work (staging, launch blocks) stays theirs.

        Raises ArgumentError for an object without `allocate` and `free`, BackendError for a device whose
        driver takes no memory of others.
        """
        self.check_open()
        allocators.use_allocator(self.device, allocator)
        self._restoring["allocator"] = partial(allocators.use_allocator, self.device, None)

    @property
    def native(self) -> dict[str, Any]:
        """The objects of the device's own interface, by name, for who shares them with other libraries:
        "context" and "queue" of OpenCL, "device" of WebGPU; nothing where there are none."""
        self.check_open()
        with self.device.using():
            found: dict[str, Any] = dict(getattr(self.device.driver, "native", {}))
            return found

    def alloc_pinned(self, nbytes: SupportsIndex) -> Buffer:
        """So many bytes of the host's memory, pinned where the driver can do that (CUDA, HIP): copies between
        it and the device are the fastest. `descriptor.location` says which it is, "pinned" or "host".

        The errors are those of `alloc`.
        """
        return buffers.alloc_pinned(self, nbytes)

    def copy(
        self, src: Any, dst: Any, nbytes: int | None = None, src_offset: int = 0, dst_offset: int = 0
    ) -> int:
        """Copies bytes, all of `src` from its offset on unless `nbytes` says how many; gives their number.

        Either end is a buffer of any backend, a C-contiguous ndarray, or bytes and their like; `src` may be a
        Tensor. The way follows from where they are: within the host, there, back, within a device (ranges
        that overlap are copied as if by way of memory of their own, as memmove does it), and between devices
        (directly where the drivers can, else in parts through the host). What the host reads or writes is
        done when this returns.

        Raises BoundsError for a range that does not lie inside its end, DTypeError and ArgumentError for what
        is no end, AliasError for a `dst` that is read-only, BackendError for buffers that are gone.

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
        """What `factory()` gives, to be cleaned up by `cleanup(value)` exactly once (see `Resource`).

        Raises what the factory raises (nothing is cleaned up then), BackendError after `shutdown`.
        """
        self.check_open()
        return self.holdings.add(Resource(self, factory, cleanup))

    # Limits and what is held --------------------------------------------------------------------------
    @property
    def limits(self) -> Limits | None:
        """What the device may hold, None for no limits; set it to a `Limits` or None, from then on.

        They hold for all that is on the device, until `shutdown`: buffers, Tensors, what jitted functions
        allocate. The shared backend of a name has the device that Tensors of that name are on, and on the CPU
        the whole process's memory; limits of a backend that `create` made are its own. Where there are none,
        nothing is looked at and nothing is paid.

        Setting it raises ArgumentError for numbers that are no limits, BackendError where a driver cannot
        keep `max_kernels`.

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
        """What the device holds now: bytes, buffers, kernels, streams, and how busy it is where that is
        known. Raises BackendError after `shutdown`."""
        return limits.usage(self)

    def statistics(self) -> Statistics:
        """What the device was asked for so far: peak, allocations and their size, how often the pool had a
        block, failures. Raises BackendError after `shutdown`."""
        return limits.statistics(self)

    @cached_property
    def monitor(self) -> Monitor:
        """`monitor()` and `monitor(False)` switch on and off that it is noted which line of the program makes
        what the device holds; `monitor.is_on` tells which it is. See `Monitor`."""
        return limits.Monitor(self)

    def holders(self) -> list[Holder]:
        """What holds the device's memory, the largest first: Tensors, arrays and buffers, with the lines that
        made them as far as they were noted (see `monitor`). It looks at all objects of the program, which
        takes milliseconds. On the CPU, ndarrays that jitted functions returned are not among them.
        """
        return limits.holders_of(self)

    def cleanup(self) -> int:
        """Waits for all work, collects garbage and gives what the pool keeps back to the device; how many
        bytes that was. Raises what earlier work did wrong."""
        return limits.cleanup(self)

    def room(self) -> Room:
        """How much can still be taken, by what the driver says is free and by the limits; where neither
        tells, the device's memory less what this program holds. `init(required_bytes=)` compares with it."""
        self.check_open()
        return room.room(self.device)
