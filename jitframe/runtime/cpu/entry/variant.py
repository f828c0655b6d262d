"""A variant of the native entry: the arguments of a compiled program, its guards, and its results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ....codegen.plan.bind import OutOfBounds
from ....ir.record import record
from ..execution.encode import Program
from .arguments import (
    Argument,
    ArrayArgument,
    Outside,
    Place,
    Slot,
    array_of,
    leaf_arguments,
    scalars_of,
)


class Guard(metaclass=record):
    """A name that the trace read must still refer to the same object in a namespace; ABSENT: it must be
    absent."""

    expected: object
    mapping: dict[str, object]
    key: str


class ItemsGuard(metaclass=record):
    """A dict must still hold these keys and values, which alternate, in this order."""

    mapping: dict[Any, object]
    items: tuple[object, ...]


class ElementGuard(metaclass=record):
    """A list must still hold this very object at an index."""

    expected: object
    sequence: list[Any]
    index: int


class WordGuard(metaclass=record):
    """A word of an object's memory must not change: a function's code, an object's class, a cell's content, a
    length."""

    owner: object
    offset: int
    word: int
    kept: object = None
    """The object that the word points at, kept so that no other object takes its address."""

    @property
    def address(self) -> int:
        return id(self.owner) + self.offset


class _Absent:
    def __repr__(self) -> str:
        return "ABSENT"


ABSENT = _Absent()


class Holder(metaclass=record):
    """A new object of this class: the slot for an array, and the values of the others."""

    kind: type
    slot: Slot
    others: tuple[tuple[Slot, object], ...]


class OutputArray(metaclass=record):
    """A new ndarray on the plan's next output buffer; strides in bytes, None for C order. `holder`: what is
    made in its place, and holds it."""

    dtype: np.dtype
    shape: tuple[int, ...]
    strides: tuple[int, ...] | None = None
    holder: Holder | None = None


class OutputScalar(metaclass=record):
    """The plan's next output buffer as a NumPy scalar, which is what NumPy's full reductions return."""

    dtype: np.dtype


class OutputNumber(metaclass=record):
    """The plan's next output buffer as a Python number: of float64, int64, bool or complex128."""

    dtype: np.dtype


class OutputArgument(metaclass=record):
    """An argument itself, or the member of one: leaf number `index`."""

    index: int


class OutputSame(metaclass=record):
    """The same object as an earlier output of this call."""

    index: int


class OutputConstant(metaclass=record):
    """This very object."""

    value: object


class OutputView(metaclass=record):
    """A part of another array, from its byte `begin` on; strides in bytes."""

    of: OutputArgument | OutputSame | OutputConstant
    dtype: np.dtype
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    begin: int


class OutputPlace(metaclass=record):
    """A container among the call's arguments."""

    place: Place


AnyGuard = Guard | ItemsGuard | ElementGuard | WordGuard
Output = (
    OutputArray | OutputScalar | OutputNumber | OutputArgument | OutputSame | OutputConstant | OutputPlace
    | OutputView
)  # fmt: skip


class ResultForm(metaclass=record):
    """A container of a result: tuple, list, dict, a named tuple's or a record's class, or a function that
    makes it of the tuple of its members. `members` are forms, constants, and None for the next output; `keys`
    are those of a dict, or the names of attributes."""

    kind: type | Callable[[tuple[Any, ...]], Any]
    members: tuple[ResultForm | OutputConstant | None, ...]
    keys: tuple[object, ...] = ()

    def leaves(self) -> int:
        return sum(
            member.leaves() if isinstance(member, ResultForm) else member is None for member in self.members
        )


def tuple_of(count: int) -> ResultForm:
    """A tuple of outputs."""
    return ResultForm(tuple, (None,) * count)


class Variant:
    """One accepted call. `hidden` arrays are inputs after the argument arrays, checked and read at each call;
    the numbers of those that are written to are in `hidden_written`.

    `keywords`: the names that the last arguments of the call are given by, in the call's order. `places`:
    for each of `arguments`, which one of the call's it is. `form`: what the result's outputs are put into;
    without one, the only output is the result. Where an argument is written, its bytes may not overlap those
    of another array of the call. `checked`: the program's last output is an int64, and where it is not 0 the
    slow callable answers, or `raising` raises what it stands for, as arguments are written to. `outside`:
    what is read and stored beside the arguments. `inputs`: which input of the program each array is, those of
    arguments first; `buffers`: which output of the program each new one takes. Outputs that are not in the
    form come first: others are views of them. Raises ValueError where it does not fit the program.
    """

    __slots__ = (
        "arguments", "arrays", "bases", "buffers", "checked", "form", "guards", "hidden", "hidden_arguments",
        "inputs", "keywords", "leaves", "outputs", "outside", "places", "program", "raising", "release_gil",
        "report", "writes",
    )  # fmt: skip

    def __init__(
        self,
        arguments: tuple[Argument, ...],
        program: Program,
        outputs: tuple[Output, ...],
        guards: tuple[AnyGuard, ...] = (),
        hidden: tuple[np.ndarray, ...] = (),
        form: ResultForm | None = None,
        release_gil: bool = False,
        report: Callable[[int, int], object] | None = None,
        keywords: tuple[str, ...] = (),
        places: tuple[int, ...] | None = None,
        checked: bool = False,
        raising: Callable[[int], object] | None = None,
        outside: Outside | None = None,
        inputs: tuple[int, ...] | None = None,
        hidden_written: frozenset[int] = frozenset(),
        buffers: tuple[int, ...] | None = None,
    ) -> None:
        self.arguments = arguments
        self.outside = outside
        self.leaves = tuple(leaf_arguments(self.all_arguments))
        self.keywords = keywords
        self.places = tuple(range(len(arguments))) if places is None else places
        self.program = program
        self.outputs = outputs
        self.guards = guards
        self.hidden = hidden
        self.hidden_arguments = tuple(
            ArrayArgument(array.dtype, array.shape, array.strides, number in hidden_written)
            for number, array in enumerate(hidden)
        )
        self.form = form
        self.bases = len(outputs) - (1 if form is None else form.leaves())
        """The number of outputs at the front that are bases of views, and not in the result."""
        self.release_gil = release_gil
        self.checked = checked
        self.raising = raising
        self.report = _report if report is None else report
        """Called with the arguments of an `OutOfBounds`; raises the user's error."""
        self.arrays = [array for array in map(array_of, self.leaves) if array is not None]
        count = len(self.arrays) + len(hidden)
        self.inputs = tuple(range(count)) if inputs is None else inputs
        self.writes = any(array.written for array in (*self.arrays, *self.hidden_arguments))
        self.buffers = tuple(range(self._made)) if buffers is None else buffers
        self._check()

    @property
    def all_arguments(self) -> tuple[Argument, ...]:
        """All arguments, also those read outside."""
        return self.arguments if self.outside is None else (*self.arguments, *self.outside.arguments)

    def _check(self) -> None:
        arrays = len(self.arrays) + len(self.hidden)
        scalars = {scalar for argument in self.leaves for scalar in scalars_of(argument)}
        made = self._made
        if arrays != self.program.inputs:
            raise ValueError(f"{arrays} arrays for a program of {self.program.inputs} inputs")
        if scalars != set(range(self.program.scalars)):
            raise ValueError(f"scalars {sorted(scalars)} for a program of {self.program.scalars}")
        if made + self.checked != self.program.outputs:
            raise ValueError(f"{made} new outputs for a program of {self.program.outputs}")
        if self.bases < 0:
            raise ValueError(f"{len(self.outputs)} outputs for {len(self.outputs) - self.bases} places")
        if sorted(self.buffers) != list(range(made)):
            raise ValueError(f"buffers {self.buffers} of {made} new outputs")
        if sorted(self.inputs) != list(range(arrays)):
            raise ValueError(f"inputs {self.inputs} of {arrays} arrays")
        if sorted(self.places) != list(range(len(self.arguments))):
            raise ValueError(f"places {self.places} of {len(self.arguments)} arguments")
        for position, output in enumerate(self.outputs):
            self._check_output(position, output)

    @property
    def _made(self) -> int:
        """Counts the outputs with a buffer of the program's."""
        return sum(isinstance(output, (OutputArray, OutputScalar, OutputNumber)) for output in self.outputs)

    def _check_output(self, position: int, output: Output) -> None:
        if isinstance(output, OutputView):
            output = output.of
        if isinstance(output, OutputSame) and not 0 <= output.index < position:
            raise ValueError(
                f"output {position} is the same as {output.index}, which does not come before it"
            )
        if isinstance(output, OutputArgument) and not 0 <= output.index < len(self.leaves):
            raise ValueError(f"output {position} is argument {output.index} of {len(self.leaves)}")


def _report(word: int, spelled: int) -> object:
    raise OutOfBounds(word, spelled & (1 << 64) - 1)
