"""Programs of one backend: compiled from kernel IR, from source in the device's language, or from a binary.

>>> import numpy, jitframe as jf
>>> build = jf.backends.KernelBuilder("halve", workgroup=32)
>>> x, n = build.buffer("float32", "inout", "x"), build.uniform("index", "n")
>>> i = build.position()
>>> with build.when(i < n):
...     x[i] = x[i] / 2
>>> with jf.backends.create("cpu") as backend:
...     program = backend.compile(build.finish())
...     values = numpy.arange(4, dtype=numpy.float32)
...     backend.execute(program, [values], [4], jf.backends.LaunchConfig(grid=1))
...     values
array([0. , 0.5, 1. , 1.5], dtype=float32)
"""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..codegen.kernel.nodes import Kernel
from ..errors import ArgumentError, BackendError, DTypeError
from ..ir.record import mutable, record
from ..ir.types import BOOL, INDEX
from ..runtime import profiler_hook
from ..runtime.discovery.options import named_fields
from ..runtime.drivers.source_programs import Grid, Parameters, source_driver
from ..runtime.handling import hears
from .capabilities import most_lanes
from .extending import with_device_functions
from .kernels.function import AXES, Extents, KernelFunction, Parameter, described, parsed_parameters, three
from .program_arguments import arguments_of, memory_of, slots, sorted_out, uniform_bytes

if TYPE_CHECKING:
    from ..runtime.driver import Driver
    from .backend import Backend

_log = logging.getLogger("jitframe.backends")


@named_fields
class LaunchConfig(metaclass=record):
    """The configuration of a launch: `grid` counts workgroups along up to three axes, x running fastest.

    `workgroup`: the lanes of each; optional where the program itself declares them (kernel IR, WGSL).
    `shared_bytes`: the size of dynamic shared memory, for programs in source that use it.
    """

    grid: Extents
    workgroup: Extents | None = None
    shared_bytes: int = 0


@hears
class Program(metaclass=mutable):
    """A program of a backend, made by `backend.compile`."""

    backend: Backend
    name: str
    parameters: tuple[Parameter, ...]
    kind: str
    """"kernel" (from kernel IR), "source" or "binary"."""
    function: KernelFunction | None
    """The kernel that it was compiled from, if any."""
    handle: Any
    driver: Driver
    """The driver of the handle: a device that was lost and opened again has another one."""
    text: str = ""
    """The source that it was compiled from."""

    def __repr__(self) -> str:
        described = ", ".join(map(str, self.parameters))
        return f"<program {self.name}({described}) of {self.backend.name}, from {self.kind}>"

    @property
    def source(self) -> str:
        """Returns the program in the device's language. Raises BackendError for a program from a binary."""
        if self.function is None:
            if self.text:
                return self.text
            raise BackendError(f"{self.name} was made from a binary", device=self.backend.name)
        with self.backend.device.using() as driver:
            shown = getattr(driver, "source", None)
            return str(shown(self.function.kernel)) if shown is not None else self.function.text

    def binary(self) -> bytes:
        """Returns the binary, which `compile` takes in place of the source, on the same device with the same
        driver.

        Raises BackendError for devices without binaries (WebGPU, Metal), and for kernel IR, whose binaries
        are in the kernel cache.
        """
        if self.function is not None:
            raise BackendError(
                f"{self.name} was made from kernel IR, whose binaries the kernel cache keeps: "
                "`jitframe cache ls`",
                device=self.backend.name,
            )
        with self.backend.device.using() as driver:
            return source_driver(driver, self.backend.name).source_binary(self.handle)

    def __call__(
        self,
        *arguments: Any,
        grid: Extents = 1,
        workgroup: Extents | None = None,
        shared_bytes: int = 0,
        **named: Any,
    ) -> None:
        """Launches the program: `program(x, y, 0.5, n, grid=4)`, arguments in the order of the parameters or
        by their names, buffers and uniforms alike. It takes and raises what `backend.execute` does.

        >>> import jitframe as jf, numpy
        >>> build = jf.backends.KernelBuilder("double", workgroup=1)
        >>> x = build.buffer("float32", "inout", "x")
        >>> x[build.position()] = x[build.position()] * 2
        >>> double = jf.backends.get("cpu").compile(build.finish())
        >>> values = numpy.ones(3, numpy.float32)
        >>> double(values, grid=2)
        >>> values
        array([2., 2., 1.], dtype=float32)
        """
        buffers, uniforms = sorted_out(self, arguments, named)
        execute(self.backend, self, buffers, uniforms, LaunchConfig(grid, workgroup, shared_bytes))

    def execute(self, buffers: Sequence[Any], uniforms: Any = (), config: LaunchConfig | None = None) -> None:
        """Runs `backend.execute` with this program; one workgroup by default."""
        execute(self.backend, self, buffers, uniforms, config)


def compile(
    backend: Backend,
    program: KernelFunction | Kernel | str | bytes | bytearray,
    *,
    entry: str = "",
    parameters: Mapping[str, str] | Sequence[str] | None = None,
) -> Program:
    """See `Backend.compile`."""
    backend.check_open()
    if isinstance(program, (KernelFunction, Kernel)):
        if entry or parameters is not None:
            raise ArgumentError("entry= and parameters= are for source and binaries; a kernel has its own")
        function = program if isinstance(program, KernelFunction) else described(program)
        return _from_kernel(backend, function)
    if not isinstance(program, (str, bytes, bytearray)):
        raise ArgumentError(
            f"compile takes a kernel, source text or a binary, not a {type(program).__name__}; a kernel is "
            "written with jf.backends.KernelBuilder"
        )
    if not entry or parameters is None:
        raise ArgumentError(
            "source and binaries need the name of their entry point and their parameters: compile(text, "
            "entry='scale', parameters={'x': 'inout float32', 'factor': 'float32'})"
        )
    found = parsed_parameters(parameters)
    _check_dtypes(backend, [parameter for parameter in found if parameter.is_buffer])
    refused = [parameter.name for parameter in found if not parameter.is_buffer and parameter.dtype is BOOL]
    if refused:
        raise DTypeError(f"uniform {refused[0]!r} is a bool, which languages lay out differently: use int32")
    kinds = Parameters(
        tuple(parameter.is_buffer for parameter in found),
        tuple(parameter.access != "in" for parameter in found if parameter.is_buffer),
    )
    with backend.device.using() as driver:
        compiler = source_driver(driver, backend.name)
        if isinstance(program, str):
            program = with_device_functions(backend, program, compiler.source_language)
        given = program if isinstance(program, str) else bytes(program)
        handle = compiler.compile_source(given, entry, kinds)
    kind, text = ("source", program) if isinstance(program, str) else ("binary", "")
    _log.debug("%s: compiled %s from %s", backend.name, entry, kind)
    return Program(backend, entry, found, kind, None, handle, backend.device.driver, str(text))


def _from_kernel(backend: Backend, function: KernelFunction) -> Program:
    facts = backend.device.facts
    _check_dtypes(backend, function.parameters)
    function.check_limits(backend.name, facts)
    with backend.device.using() as driver:
        try:
            handle = driver.compile(function.kernel)
        except NotImplementedError as problem:
            raise BackendError(
                f"{backend.name} ({facts.title}) cannot run kernel {function.name}: {problem}",
                device=backend.name,
            ) from problem
    _log.debug("%s: compiled kernel %s", backend.name, function.name)
    return Program(
        backend, function.name, function.parameters, "kernel", function, handle, backend.device.driver
    )


def _check_dtypes(backend: Backend, parameters: Sequence[Parameter]) -> None:
    for parameter in parameters:
        if parameter.dtype is not INDEX:
            backend.device.check(parameter.dtype)


def execute(
    backend: Backend, program: Program, buffers: Sequence[Any], uniforms: Any, config: LaunchConfig | None
) -> None:
    """See `Backend.execute`."""
    backend.check_open()
    config = LaunchConfig(1) if config is None else config
    if program.backend.device is not backend.device:
        raise ArgumentError(
            f"{program!r} was compiled for {program.backend.name}; compile it for {backend.name} as well"
        )
    grid = three(config.grid, "grid")
    workgroup = _workgroup(program, config)
    memory = memory_of(backend, program, buffers)  # computes Tensors, which uses the device
    with backend.device.using() as driver:
        if program.driver is not backend.device.driver:
            raise BackendError(
                f"{backend.name} was lost since {program.name} was compiled",
                device=backend.name,
                suggestions=("compile it again",),
            )
        _check_launch(backend, driver, program, grid, workgroup, config.shared_bytes)
        profile = profiler_hook.active
        told: Any = driver if profile is None else profile.driver(backend.device, driver)
        if 0 in grid:
            uniform_bytes(program, uniforms)
        elif program.function is not None:
            values = slots(program.function, uniforms, grid)
            handle = program.handle if told is driver else (program.function.kernel, program.handle)
            told.launch(handle, memory.views, values, math.prod(grid))
        else:
            arguments = arguments_of(program, memory.views, uniforms)
            told.launch_source(program.handle, arguments, grid, workgroup, config.shared_bytes)
    memory.settle()


def _workgroup(program: Program, config: LaunchConfig) -> Grid:
    own = program.function.workgroup if program.function is not None else None
    if own is None:
        declared = getattr(program.handle, "workgroup", None)
        own = declared if config.workgroup is None else None
    if config.workgroup is None:
        return own or (1, 1, 1)
    given = three(config.workgroup, "workgroup")
    if 0 in given:
        raise ArgumentError(f"a workgroup of {config.workgroup} has no lanes")
    if own is not None and given != own:
        raise ArgumentError(
            f"{program.name} is written for workgroups of {own}, not {given}; leave workgroup= out"
        )
    return given


def _check_launch(
    backend: Backend, driver: Driver, program: Program, grid: Grid, workgroup: Grid, shared_bytes: int
) -> None:
    """Raises BackendError where a launch exceeds the device's limits, ArgumentError where it does not match
    the program."""
    facts, name = backend.device.facts, backend.name
    if program.function is not None:
        rank = program.function.rank
        if any(extent != 1 for extent in grid[rank:]):
            raise ArgumentError(
                f"kernel {program.name} has a grid of {rank} axes, not {grid}: KernelBuilder(..., "
                "workgroup=(x, y)) makes one of two"
            )
        if shared_bytes:
            raise ArgumentError(f"kernel {program.name} says itself how much shared memory it has")
        return
    lanes = math.prod(workgroup)
    if lanes > facts.most_threads:
        raise BackendError(
            f"{program.name}: workgroups of {lanes} lanes, {workgroup}, where {name} ({facts.title}) runs "
            f"{facts.most_threads} at most",
            device=name,
            context={"workgroup": workgroup, "most_threads": facts.most_threads},
        )
    for axis, extent, limit in zip(AXES, workgroup, most_lanes(facts), strict=True):
        if extent > limit:
            raise BackendError(
                f"{program.name}: workgroups of {extent} lanes along {axis}, {workgroup}, where {name} "
                f"({facts.title}) runs {limit}",
                device=name,
                context={"workgroup": workgroup, "most_lanes": most_lanes(facts)},
                suggestions=("use another axis",),
            )
    if not 0 <= shared_bytes <= facts.shared_bytes:
        raise BackendError(
            f"{program.name}: {shared_bytes:,} bytes of shared memory, where {name} ({facts.title}) has "
            f"{facts.shared_bytes:,}",
            device=name,
            context={"shared_bytes": shared_bytes, "most_shared_bytes": facts.shared_bytes},
        )
    most = source_driver(driver, name).most_groups
    for axis, extent, limit in zip(AXES, grid, most, strict=True):
        if extent > limit:
            raise BackendError(
                f"{program.name}: {extent:,} workgroups along {axis}, where {name} ({facts.title}) takes "
                f"{limit:,}",
                device=name,
                context={"grid": grid, "most_groups": most},
                suggestions=("use another axis, or several launches",),
            )
