"""Programs in WGSL that others wrote: the optional part of the driver."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ...errors import BackendError
from ...ir.record import record
from ..executor import View
from .bindings import Bindings
from .source_programs import Argument, Grid, Parameters, rejected
from .webgpu_commands import Commands

_LEAST_BYTES = 16
"""A uniform struct takes a multiple of so many."""


class WrittenShader(metaclass=record):
    """A compiled shader."""

    entry: str
    written: tuple[bool, ...]
    pipeline: Any
    workgroup: Grid | None
    """None where its size is no plain number."""


def workgroup_size(text: str, entry: str) -> Grid | None:
    """The size that the text gives an entry in plain numbers.

    >>> workgroup_size("@compute @workgroup_size(8, 4) fn main() {}", "main")
    (8, 4, 1)
    """
    code = re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL)
    match = re.search(rf"@workgroup_size\s*\(([^()]*)\)(?:\s*@\w+)*\s*fn\s+{re.escape(entry)}\b", code)
    words = [word.strip().rstrip("ui") for word in match.group(1).split(",")] if match else []
    extents = [int(word) for word in words if word.isdecimal()]
    if not extents or len(extents) != len([word for word in words if word]):
        return None
    first, second, third = (*extents, 1, 1)[:3]
    return first, second, third


def uniform_block(uniforms: Sequence[bytes]) -> bytes:
    """The uniforms as members of a struct: each at a multiple of its size, or of 16 bytes where it is longer.

    >>> len(uniform_block([bytes(4), bytes(2), bytes(4)]))
    16
    """
    block = b""
    for uniform in uniforms:
        alignment = len(uniform) if len(uniform) in (2, 4, 8) else _LEAST_BYTES
        block += bytes(-len(block) % alignment) + uniform
    return block + bytes(-len(block) % _LEAST_BYTES) or bytes(_LEAST_BYTES)


class WebGPUPrograms:
    """The part of an adapter's driver that `SourceDriver` adds."""

    source_language = "WGSL"
    most_groups: Grid

    name: str
    _bindings: Bindings
    _waiting: Commands
    _do: Callable[..., Any]
    _attempt: Callable[..., Any]
    _pipeline_of: Callable[[str, str, tuple[bool, ...]], Any]
    _dispatch_bound: Callable[..., None]

    def compile_source(self, program: str | bytes, entry: str, parameters: Parameters) -> WrittenShader:
        """WGSL: buffers at bindings 0, 1... of group 0, uniforms after them, one struct in `var<uniform>`."""
        if isinstance(program, bytes):
            raise BackendError(f"{self.name} takes WGSL and no binaries: WebGPU has none")
        written_shader: WrittenShader = self._do(
            f"compiling {entry}", self._shader, program, entry, parameters
        )
        return written_shader

    def _shader(self, program: str, entry: str, parameters: Parameters) -> WrittenShader:
        refusal = partial(rejected, self.name, entry, program)
        make = self._pipeline_of
        pipeline = self._attempt(f"compiling {entry}", refusal, make, program, entry, parameters.written)
        return WrittenShader(entry, parameters.written, pipeline, workgroup_size(program, entry))

    def source_binary(self, handle: WrittenShader) -> bytes:
        raise BackendError(f"{self.name} gives no binaries: WebGPU has none")

    def launch_source(
        self,
        handle: WrittenShader,
        arguments: Sequence[Argument],
        grid: Grid,
        workgroup: Grid,
        shared_bytes: int,
    ) -> None:
        if shared_bytes:
            raise BackendError(f"{self.name}: WGSL declares its shared memory, var<workgroup>, with its size")
        if handle.workgroup is not None and handle.workgroup != workgroup:
            raise BackendError(
                f"{self.name}: {handle.entry} has @workgroup_size{handle.workgroup}, and the launch asks for "
                f"{workgroup}"
            )
        buffers = [argument for argument in arguments if not isinstance(argument, bytes)]
        block = uniform_block([argument for argument in arguments if isinstance(argument, bytes)])
        self._do(f"launching {handle.entry}", self._dispatch, handle, buffers, block, grid)

    def _dispatch(self, handle: WrittenShader, buffers: Sequence[View], block: bytes, grid: Grid) -> None:
        with self._bindings.ranges(handle.entry, handle.written, buffers) as ranges:
            largest = max((size for _, _, size in ranges), default=0)
            if largest > self._bindings.largest_bytes:
                raise BackendError(
                    f"{self.name} binds {self._bindings.largest_bytes:,} bytes of a buffer at most, and "
                    f"{handle.entry} is given {largest:,}; work on parts, or write the kernel with "
                    "jf.backends.KernelBuilder, which is made for pieces"
                )
            self._dispatch_bound(handle.pipeline, handle.written, ranges, block, grid)
