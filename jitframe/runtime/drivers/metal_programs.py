"""Programs in MSL that others wrote: the optional part of the driver."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...codegen.c_family import Source
from ...errors import BackendError
from ...ir.record import record
from ..driver import DeviceFacts
from .source_programs import Argument, Grid, Parameters


class WrittenFunction(metaclass=record):
    """A program of somebody else's, as it is launched."""

    entry: str
    pipeline: Any


class MetalPrograms:
    """The part of a GPU's driver that `SourceDriver` adds."""

    source_language = "MSL"
    most_groups: Grid = ((1 << 31) - 1,) * 3

    name: str
    facts: DeviceFacts
    _metal: Any
    _do: Callable[..., Any]
    _open: Callable[[str], Any]
    _made: Callable[[Any, Source], Any]
    _description: Callable[[Source], Any]

    def compile_source(self, program: str | bytes, entry: str, parameters: Parameters) -> WrittenFunction:
        """MSL: parameters are `[[buffer(0)]]` and on, in order, uniforms by reference to constant memory."""
        if isinstance(program, bytes):
            raise BackendError(f"{self.name} takes MSL and no binaries; give the source text")
        written_function: WrittenFunction = self._do(
            f"compiling {entry}", self._compile_source, program, entry
        )
        return written_function

    def _compile_source(self, program: str, entry: str) -> WrittenFunction:
        source = Source(program, entry, self.facts.most_threads, (), 64, (), 0, 0)
        return WrittenFunction(entry, self._made(self._description(source), source))

    def source_binary(self, handle: WrittenFunction) -> bytes:
        raise BackendError(f"{self.name} gives no binaries of programs")

    def launch_source(
        self,
        handle: WrittenFunction,
        arguments: Sequence[Argument],
        grid: Grid,
        workgroup: Grid,
        shared_bytes: int,
    ) -> None:
        doing = f"launching {handle.entry}"
        self._do(doing, self._launch_source, handle, arguments, grid, workgroup, shared_bytes)

    def _launch_source(
        self,
        handle: WrittenFunction,
        arguments: Sequence[Argument],
        grid: Grid,
        workgroup: Grid,
        shared_bytes: int,
    ) -> None:
        encoder = self._open("computeCommandEncoder")
        encoder.setComputePipelineState_(handle.pipeline)
        for number, argument in enumerate(arguments):
            if isinstance(argument, bytes):
                encoder.setBytes_length_atIndex_(argument, len(argument), number)
            else:
                encoder.setBuffer_offset_atIndex_(argument[0].buffer, argument[1], number)
        if shared_bytes:
            encoder.setThreadgroupMemoryLength_atIndex_(-(-shared_bytes // 16) * 16, 0)
        sizes = (self._metal.MTLSizeMake(*extents) for extents in (grid, workgroup))
        encoder.dispatchThreadgroups_threadsPerThreadgroup_(*sizes)
