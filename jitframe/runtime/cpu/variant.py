"""What an entry is told: which arguments a compiled program takes, what it depends on, what it returns."""

from __future__ import annotations

import types
from collections.abc import Callable

import numpy as np

from ...codegen.plan.bind import OutOfBounds
from ...ir.record import record
from .encode import Program


@record
class ArrayArgument:
    """Exactly an ndarray of this dtype, shape and strides (in bytes), aligned; writable where it is written.

    Array arguments, in order, are the program's first inputs.
    """

    dtype: np.dtype
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    written: bool = False


@record
class FloatArgument:
    """Exactly a Python float; its bits as `dtype`, "f32" or "f64", are scalar number `scalar`."""

    scalar: int
    dtype: str


@record
class IntArgument:
    """Exactly a Python int that fits into `dtype`; floats take any that fits into 64 bits.

    `limits` narrow that down: the least and the most.
    """

    scalar: int
    dtype: str
    limits: tuple[int, int] | None = None

    @property
    def range(self) -> tuple[int, int]:
        """The least and the most that the entry takes."""
        return INT_RANGES[self.dtype] if self.limits is None else self.limits


@record
class SameArgument:
    """This very object."""

    value: object


Argument = ArrayArgument | FloatArgument | IntArgument | SameArgument


@record
class Guard:
    """A name that the trace read must still mean the same object: in a namespace, or in a closure's cell.

    `expected` may be ABSENT: the key was not there, or the cell was empty.
    """

    expected: object
    mapping: dict[str, object] | None = None
    key: str = ""
    cell: types.CellType | None = None


@record
class WordGuard:
    """A word of an object's memory must stay: a function's code, an object's `__dict__`, a length."""

    owner: object
    offset: int
    word: int
    kept: object = None
    """What the word points at; kept, so that no other object takes its address."""

    @property
    def address(self) -> int:
        return id(self.owner) + self.offset


class _Absent:
    def __repr__(self) -> str:
        return "ABSENT"


ABSENT = _Absent()


@record
class OutputArray:
    """A new ndarray on the plan's next output buffer; strides in bytes, None for C order."""

    dtype: np.dtype
    shape: tuple[int, ...]
    strides: tuple[int, ...] | None = None


@record
class OutputScalar:
    """The plan's next output buffer as a NumPy scalar, which is what NumPy's full reductions return."""

    dtype: np.dtype


@record
class OutputArgument:
    """The argument itself."""

    index: int


@record
class OutputSame:
    """The same object as an earlier output of this call."""

    index: int


@record
class OutputConstant:
    """This very object."""

    value: object


Output = OutputArray | OutputScalar | OutputArgument | OutputSame | OutputConstant


class Variant:
    """One accepted call. `hidden` arrays are inputs after the argument arrays, checked and read at each call.

    `single`: the first output is returned bare, else a tuple. Where an argument is written, its bytes may
    not overlap those of another array of the call. Raises ValueError where it does not fit the program.
    """

    __slots__ = (
        "arguments", "guards", "hidden", "hidden_arguments", "outputs", "program", "release_gil", "report",
        "single", "writes",
    )  # fmt: skip

    def __init__(
        self,
        arguments: tuple[Argument, ...],
        program: Program,
        outputs: tuple[Output, ...],
        guards: tuple[Guard | WordGuard, ...] = (),
        hidden: tuple[np.ndarray, ...] = (),
        single: bool = True,
        release_gil: bool = False,
        report: Callable[[int, int], object] | None = None,
    ) -> None:
        self.arguments = arguments
        self.program = program
        self.outputs = outputs
        self.guards = guards
        self.hidden = hidden
        self.hidden_arguments = tuple(
            ArrayArgument(array.dtype, array.shape, array.strides) for array in hidden
        )
        self.single = single
        self.release_gil = release_gil
        self.report = _report if report is None else report
        """Called with what an `OutOfBounds` is of; raises what the user sees."""
        self.writes = any(isinstance(argument, ArrayArgument) and argument.written for argument in arguments)
        self._check()

    def _check(self) -> None:
        arrays = sum(isinstance(argument, ArrayArgument) for argument in self.arguments) + len(self.hidden)
        scalars = {
            argument.scalar
            for argument in self.arguments
            if isinstance(argument, (FloatArgument, IntArgument))
        }
        made = sum(isinstance(output, (OutputArray, OutputScalar)) for output in self.outputs)
        if arrays != self.program.inputs:
            raise ValueError(f"{arrays} arrays for a program of {self.program.inputs} inputs")
        if scalars != set(range(self.program.scalars)):
            raise ValueError(f"scalars {sorted(scalars)} for a program of {self.program.scalars}")
        if made != self.program.outputs:
            raise ValueError(f"{made} new outputs for a program of {self.program.outputs}")
        if (self.single and len(self.outputs) != 1) or len(self.outputs) > 64:
            raise ValueError(f"{len(self.outputs)} outputs; a single one, or a tuple of at most 64")
        for position, output in enumerate(self.outputs):
            self._check_output(position, output)

    def _check_output(self, position: int, output: Output) -> None:
        if isinstance(output, OutputSame) and not 0 <= output.index < position:
            raise ValueError(
                f"output {position} is the same as {output.index}, which does not come before it"
            )
        if isinstance(output, OutputArgument) and not 0 <= output.index < len(self.arguments):
            raise ValueError(f"output {position} is argument {output.index} of {len(self.arguments)}")


def _report(word: int, spelled: int) -> object:
    raise OutOfBounds(word, spelled & (1 << 64) - 1)


INT_RANGES = {
    **{f"i{bits}": (-(1 << bits - 1), (1 << bits - 1) - 1) for bits in (8, 16, 32, 64)},
    **{f"u{bits}": (0, (1 << bits) - 1) for bits in (8, 16, 32)},
    "u64": (0, (1 << 63) - 1),
    **dict.fromkeys(("f32", "f64"), (-(1 << 63), (1 << 63) - 1)),
}
"""What an int argument may be; beyond 63 bits the slow path takes over."""


def byte_range(shape: tuple[int, ...], strides: tuple[int, ...], itemsize: int) -> tuple[int, int]:
    """First byte and byte beyond the last of an array, relative to its data; (0, 0) where it is empty."""
    if 0 in shape:
        return 0, 0
    spans = [(extent - 1) * stride for extent, stride in zip(shape, strides, strict=True)]
    return sum(span for span in spans if span < 0), sum(span for span in spans if span > 0) + itemsize


def contiguous_strides(shape: tuple[int, ...], itemsize: int) -> tuple[int, ...]:
    """C order's strides in bytes, as NumPy gives them to a new array."""
    strides = [itemsize] * len(shape)
    for axis in range(len(shape) - 2, -1, -1):
        strides[axis] = strides[axis + 1] * max(shape[axis + 1], 1)
    return tuple(strides)
