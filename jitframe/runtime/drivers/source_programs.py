"""Programs in a device's own language, or compiled before: the part of the driver protocol that is optional.

A driver that has it takes source text or a binary, an entry point, and at each launch arguments in the order
of the program's parameters: a view for each buffer, and the bytes of each uniform.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from ...cache.key import WRITTEN
from ...cache.service import CompiledParts, kernel_cache
from ...errors import BackendError, CompileError, user_line
from ...ir.record import record
from ..driver import Driver
from ..executor import View
from .sources import numbered

Argument = View | bytes
"""A buffer from an offset on, or what a uniform is."""
Grid = tuple[int, int, int]


class Parameters(metaclass=record):
    """The parameters of a program for its driver: whether each is a buffer, and what is written."""

    buffers: tuple[bool, ...]
    written: tuple[bool, ...]
    """Of the buffers."""


class SourceDriver(Driver, Protocol):
    """A driver that also takes programs which others wrote in its language."""

    source_language: str
    """Such as "OpenCL C"."""
    most_groups: Grid
    """Workgroups along each axis of a grid at most."""

    def compile_source(self, program: str | bytes, entry: str, parameters: Parameters) -> Any:
        """A handle for launches, of source text or of a binary. Raises CompileError."""
        ...

    def source_binary(self, handle: Any) -> bytes:
        """What `compile_source` takes in place of the text, on the same device with the same driver.

        Raises BackendError where there is none.
        """
        ...

    def launch_source(
        self, handle: Any, arguments: Sequence[Argument], grid: Grid, workgroup: Grid, shared_bytes: int
    ) -> None: ...


def source_driver(driver: Driver, device: str) -> SourceDriver:
    """The driver, where it takes source. Raises BackendError where it does not."""
    if not hasattr(driver, "compile_source"):
        raise BackendError(
            f"the driver of {device} takes no source text and no binaries",
            device=device,
            suggestions=("write the kernel with jf.backends.KernelBuilder",),
        )
    return driver  # type: ignore[return-value]


def rejected(device: str, entry: str, program: str | bytes, log: object) -> CompileError:
    """What to raise for a program that the device's compiler, or its loader, does not take."""
    if isinstance(program, bytes):
        what = f"a binary of {len(program):,} bytes, which is of another device, another driver, or damaged"
        return CompileError(f"{device} rejected {entry}: {what}\n{log}")
    return CompileError(f"{device} rejected {entry}:\n{numbered(program)}\n{log}", context={"entry": entry})


def built_program(
    program: str, entry: str, target: str, options: Mapping[str, object], build: Callable[[], bytes]
) -> bytes:
    """The binary of a program in a device's language: from the kernel cache, or built now and kept there.

    `target` and `options` name all that the binary depends on beside its text. A text that may include files
    depends on those too, and is built each time. What `build` raises is passed on.
    """
    if "include" in program:
        return build()
    line = user_line()
    return kernel_cache().lookup_or_compile(
        program,
        target,
        options,
        lambda: CompiledParts(build(), program),
        "" if line is None else str(line),
        name=entry,
        generator=WRITTEN,
    )
