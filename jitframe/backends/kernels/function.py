"""A finished kernel and its parameters."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from operator import index
from typing import TYPE_CHECKING, Any

from ...codegen.kernel.interpret import InterpreterError, interpret
from ...codegen.kernel.nodes import Kernel, instructions_of
from ...codegen.kernel.text import kernel_text
from ...codegen.kernel.verify import KernelError, verify
from ...errors import ArgumentError, BackendError, CompileError, DTypeError
from ...ir.record import record
from ...ir.types import INDEX, DType
from .expressions import dtype_name, dtype_of

if TYPE_CHECKING:
    from ...runtime.driver import DeviceFacts

Extents = int | Sequence[int]
AXES = "xyz"
_ACCESSES = ("in", "out", "inout")
_MOST = (1 << 63) - 1
"""The most workgroups of a launch: their numbers have 64 bits."""


class Parameter(metaclass=record):
    """A buffer or a uniform of a program, in declared order."""

    name: str
    dtype: DType
    access: str = ""
    """"in", "out" or "inout" of a buffer; "" of a uniform."""

    @property
    def is_buffer(self) -> bool:
        return bool(self.access)

    def __str__(self) -> str:
        return f"{self.name}: {self.access + ' ' if self.access else ''}{dtype_name(self.dtype)}"


class KernelFunction(metaclass=record):
    """A finished kernel, for `backend.compile` and `jf.custom_kernel`. Equal texts make equal kernels."""

    kernel: Kernel
    """Its kernel IR."""
    parameters: tuple[Parameter, ...]
    """The parameters in their declared order."""
    workgroup: tuple[int, int, int]
    rank: int
    """Axes of its grid."""

    @property
    def name(self) -> str:
        return self.kernel.name

    @property
    def text(self) -> str:
        """Returns the kernel IR as text."""
        return kernel_text(self.kernel)

    def __repr__(self) -> str:
        lanes = " x ".join(map(str, self.workgroup[: self.rank]))
        return f"<kernel {self.name}({', '.join(map(str, self.parameters))}), workgroups of {lanes}>"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, KernelFunction)
            and (self.parameters, self.workgroup, self.text)
            == (other.parameters, other.workgroup, other.text)
        )  # fmt: skip

    def __hash__(self) -> int:
        return hash((self.parameters, self.workgroup, self.text))

    def check_limits(self, device: str, facts: DeviceFacts) -> None:
        """Raises BackendError where the kernel exceeds the resources of a device with these facts.

        Drivers need not report that: some end the process. Array elements count as at least 4 bytes, as some
        languages store them.
        """
        local = {"shared": 0, "private": 0}
        for instruction in instructions_of(self.kernel):
            if instruction.op.name == "allocate":
                dtype, size = instruction.attributes["dtype"], instruction.attributes["size"]
                local[instruction.attributes["space"]] += size * max(dtype.itemsize, 4)
        lanes = self.kernel.workgroup
        if facts.execution == "simd":
            local["private"] *= lanes
        for what, asked, most, instead in (
            ("lanes in a workgroup", lanes, facts.most_threads, "write it for fewer"),
            ("buffers", len(self.kernel.buffers), facts.most_buffers, "make several kernels of it"),
            ("bytes of shared memory", local["shared"], facts.shared_bytes, "work on smaller parts"),
            ("bytes of private arrays", local["private"], facts.private_bytes, "give it a buffer for them"),
        ):
            if asked > most:
                raise BackendError(
                    f"kernel {self.name} takes {asked:,} {what}, and {device} ({facts.title}) has {most:,} "
                    "at most",
                    device=device,
                    context={"asked": asked, "most": most},
                    suggestions=(instead, "choose another device"),
                )

    def interpret(self, buffers: Sequence[Any], uniforms: Sequence[Any] = (), grid: Extents = 1) -> None:
        """Interprets the kernel on ndarrays of one axis, in place, as its reference, slowly and without a
        device.

        Raises CompileError for a position outside a buffer, for memory that is read before it is written, for
        data races between lanes, and for divergence at a barrier: errors that no device reports.
        """
        extents = three(grid, "grid")
        given = dict(
            zip([each.name for each in self.parameters if not each.is_buffer], uniforms, strict=True)
        )
        indices: list[Any] = []
        scalars: list[Any] = []
        for parameter in self.parameters:
            if not parameter.is_buffer:
                (indices if parameter.dtype is INDEX else scalars).append(given[parameter.name])
        indices += self.grid_indices(extents)
        try:
            interpret(self.kernel, buffers, indices, scalars, range(math.prod(extents)))
        except InterpreterError as problem:
            raise CompileError(str(problem)) from None

    def grid_indices(self, extents: Sequence[int]) -> list[int]:
        """Returns the grid's numbers for a kernel of several axes, which follow its own indices."""
        return list(extents[: self.rank - 1])


def three(extents: Extents, what: str) -> tuple[int, int, int]:
    """Returns one to three extents as three. Raises ArgumentError."""
    given = tuple(extents) if isinstance(extents, Iterable) else (extents,)
    fits = 1 <= len(given) <= 3 and not any(isinstance(each, bool) for each in given)
    try:
        counted = [index(each) for each in given]
    except TypeError:
        fits = False
    if not fits or min(counted) < 0:
        raise ArgumentError(f"{what} has one to three whole numbers that are not negative, not {extents!r}")
    if max(*counted, math.prod(counted)) > _MOST:
        raise ArgumentError(f"{what}={extents!r}: a device counts to {_MOST:,}")
    first, second, third = (*counted, 1, 1)[:3]
    return first, second, third


def described(kernel: Kernel) -> KernelFunction:
    """Names the parameters of external kernel IR."""
    try:
        verify(kernel, allow_fma=True)
    except KernelError as problem:
        raise CompileError(str(problem)) from None
    parameters = [
        *(
            Parameter(f"buffer{number}", buffer.dtype, buffer.access)
            for number, buffer in enumerate(kernel.buffers)
        ),
        *(Parameter(f"index{number}", INDEX) for number in range(len(kernel.indices))),
        *(Parameter(f"scalar{number}", scalar.dtype) for number, scalar in enumerate(kernel.scalars)),
    ]
    return KernelFunction(kernel, tuple(parameters), (kernel.workgroup, 1, 1), 1)


def parsed_parameters(parameters: Mapping[str, str] | Sequence[str]) -> tuple[Parameter, ...]:
    """Parses parameters from {"x": "in float32", "n": "int32"}, or from strings such as "x: in float32".

    Raises ArgumentError for invalid ones.
    """
    pairs = (
        parameters.items()
        if isinstance(parameters, Mapping)
        else [tuple(map(str.strip, parameter.partition(":")[::2])) for parameter in parameters]
    )
    found = []
    for name, spelled in pairs:
        access, _, dtype = spelled.rpartition(" ")
        if access and access not in _ACCESSES:
            raise ArgumentError(
                f"parameter {name!r}: {spelled!r} is neither a dtype, of a uniform, nor one behind 'in', "
                "'out' or 'inout', of a buffer"
            )
        made = dtype_of(dtype)
        if made is INDEX:
            raise DTypeError(f"parameter {name!r}: source has int32 or int64 for sizes, and no index")
        found.append(Parameter(name, made, access))
    return tuple(found)
