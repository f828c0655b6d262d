"""Programs in OpenCL C, or compiled before, that others wrote: the optional part of the driver."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ...codegen.c_family import Dialect
from ...errors import BackendError
from ..driver import DeviceFacts, quiet
from .source_programs import Argument, Grid, Parameters, built_program, rejected

_MOST_GROUPS = (1 << 31) - 1
"""Along one axis; the interface itself says nothing."""


class OpenCLPrograms:
    """The part of an OpenCL device's driver that `SourceDriver` adds."""

    source_language = "OpenCL C"
    most_groups: Grid = (_MOST_GROUPS, _MOST_GROUPS, _MOST_GROUPS)

    name: str
    facts: DeviceFacts
    dialect: Dialect
    _cl: Any
    _device: Any
    _context: Any
    _queue: Any
    _errors: tuple[type[Exception], ...]
    _do: Callable[..., Any]
    _attempt: Callable[..., Any]
    _is_lost: Callable[[Any], bool]
    _enqueue: Callable[..., None]

    def compile_source(self, program: str | bytes, entry: str, parameters: Parameters) -> Any:
        return self._do(f"compiling {entry}", self._compile_source, program, entry, parameters)

    def _compile_source(self, program: str | bytes, entry: str, parameters: Parameters) -> Any:
        def make() -> Any:
            with quiet():
                if isinstance(program, bytes):
                    made = self._of_binary(program)
                else:
                    made = self._of_text(program, entry)
                return self._cl.Kernel(made, entry)

        kernel = self._attempt(f"compiling {entry}", partial(rejected, self.name, entry, program), make)
        due, given = kernel.num_args, len(parameters.buffers)
        if due not in (given, given + 1):
            raise rejected(self.name, entry, program, f"it takes {due} arguments, not the {given} declared")
        return kernel

    def _of_binary(self, binary: bytes) -> Any:
        return self._cl.Program(self._context, [self._device], [binary]).build([], cache_dir=False)

    def _of_text(self, text: str, entry: str) -> Any:
        """From the kernel cache where that has it, and the driver still takes it."""
        fresh: list[Any] = []

        def build() -> bytes:
            fresh.append(self._cl.Program(self._context, text).build([], cache_dir=False))
            return bytes(fresh[0].get_info(self._cl.program_info.BINARIES)[0])

        if not self.facts.hints.cache_kernels:
            build()
            return fresh[0]
        binary = built_program(text, entry, f"{self.dialect.device} {self.facts.version}", {}, build)
        try:
            return fresh[0] if fresh else self._of_binary(binary)
        except self._errors as problem:
            if self._is_lost(problem):
                raise
            build()
            return fresh[0]

    def source_binary(self, handle: Any) -> bytes:
        program = handle.get_info(self._cl.kernel_info.PROGRAM)
        return bytes(program.get_info(self._cl.program_info.BINARIES)[0])

    def launch_source(
        self, handle: Any, arguments: Sequence[Argument], grid: Grid, workgroup: Grid, shared_bytes: int
    ) -> None:
        doing = f"launching {handle.function_name}"
        self._do(doing, self._launch_source, handle, arguments, grid, workgroup, shared_bytes)

    def _launch_source(
        self, kernel: Any, arguments: Sequence[Argument], grid: Grid, workgroup: Grid, shared_bytes: int
    ) -> None:
        """Shared memory whose size is known at the launch is one more argument, a __local pointer."""
        given: list[Any] = [
            argument if isinstance(argument, bytes) else self._region(*argument) for argument in arguments
        ]
        if shared_bytes:
            given.append(self._cl.LocalMemory(shared_bytes))
        if len(given) != kernel.num_args:
            raise BackendError(
                f"{kernel.function_name} takes {kernel.num_args} arguments and gets {len(given)}: its last "
                "one is a __local pointer where shared_bytes= is given, and only there"
            )
        for number, each in enumerate(given):
            kernel.set_arg(number, each)
        lanes = tuple(groups * each for groups, each in zip(grid, workgroup, strict=True))
        self._enqueue(kernel, lanes, workgroup)

    def _region(self, memory: Any, offset: int) -> Any:
        """A buffer from an offset on, which the device gives at multiples of its alignment only."""
        if not offset:
            return memory
        alignment = self._device.mem_base_addr_align // 8
        if offset % alignment:
            raise BackendError(
                f"{self.name} gives programs buffers from multiples of {alignment} bytes, not from {offset}"
            )
        return memory.get_sub_region(offset, memory.size - offset)
