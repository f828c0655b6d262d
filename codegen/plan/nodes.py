"""The plan: ordered steps and their memory, with every size an expression over the structure's sizes.

Symbols of its expressions are ints (sizes of the structure, `symbol(0)`) and strings (facts of the device,
`symbol("device.threads")`). `bind` puts values in: a *bound* plan is a plan whose sizes are integers, ready
for an executor.

A step is declared once, here: its fields, each of a kind that its annotation names (`kinds`), how it is
written (`SYNTAX`), and which buffers it reads and writes. Binding, text, parser, storage, lifetimes and the
words of the native executor follow from that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...ir.expr import Expr, const
from ...ir.record import record
from ...ir.types import DType

if TYPE_CHECKING:
    from ..kernel.nodes import Kernel

ZERO = const(0)
Size = Any
"""An `Expr`, and in a bound plan an integer: one record serves both."""
Name = str
"""A word."""
Buffer = int
"""The number of a buffer of the plan."""
Swaps = tuple[tuple[Buffer, Buffer], ...]
"""Pairs of buffers whose memory is exchanged, one pair after the other."""


class PlanBuffer(metaclass=record):
    """A run of elements; of an input, the part of the caller's memory that kernels may access."""

    dtype: DType
    elements: Size

    @property
    def nbytes(self) -> int:
        """The bytes, in a bound plan."""
        nbytes: int = self.elements * self.dtype.itemsize
        return nbytes


class BufferRef(metaclass=record):
    """A buffer from an element on."""

    buffer: Buffer
    offset: Size = ZERO


class ScalarRef(metaclass=record):
    """A scalar argument of the call."""

    index: int


class ConstantScalar(metaclass=record):
    """A scalar known when the plan was made."""

    value: float
    dtype: DType


class LoopIndex(metaclass=record):
    """The counter of an enclosing loop; depth 0 is the innermost."""

    depth: int
    dtype: DType


Scalar = ScalarRef | ConstantScalar | LoopIndex | int
"""An integer: the bits of a scalar, in a bound plan."""
Index = Any
"""A `Size` or a `LoopIndex`."""
Bound = Any
"""The bound of a loop: a `Size`, a `ScalarRef`, a `LoopIndex`, or a `BufferRef`, whose integer it is when the
loop starts."""
Condition = Expr | BufferRef


class Alloc(metaclass=record):
    buffer: Buffer
    aligned_with: Buffer | None = None
    """An existing buffer to whose alignment within a cache line large memory is matched: a loop over both
    then has aligned loads where it has aligned streaming stores."""


class Free(metaclass=record):
    buffer: Buffer


class Launch(metaclass=record):
    """Run `groups` workgroups of kernel number `kernel`; arguments in the order of its parameters."""

    kernel: int
    buffers: tuple[BufferRef, ...]
    indices: tuple[Index, ...]
    scalars: tuple[Scalar, ...]
    groups: Size
    cost_ns: Size = ZERO
    bytes_moved: Size = ZERO


class Axis(metaclass=record):
    """A batch axis: the number of calls, and the strides of their operands and then results in elements; 0: a
    shared one."""

    count: Size
    strides: tuple[Size, ...]


class LibraryCall(metaclass=record):
    """Call a function of a library, one of `libraries.FUNCTIONS`, whose declaration defines `options` and
    `sizes`. `batch`: the batch axes, from outside in. `workspace`: memory of the calls, of which as many run
    concurrently as have a section of it. `faults`: a word that is set where a call failed (see `Faults`)."""

    function: Name
    dtype: DType
    operands: tuple[BufferRef, ...]
    results: tuple[BufferRef, ...]
    options: tuple[int, ...]
    sizes: tuple[Size, ...]
    workspace: tuple[BufferRef, ...] = ()
    batch: tuple[Axis, ...] = ()
    cost_ns: Size = ZERO
    faults: tuple[BufferRef, ...] = ()


class Copy(metaclass=record):
    target: BufferRef
    source: BufferRef
    elements: Size


class Loop(metaclass=record):
    """for index in range(lower, upper): body, then swap the named pairs of buffers."""

    lower: Bound
    upper: Bound
    body: tuple[Step, ...]
    swaps: Swaps = ()


class While(metaclass=record):
    """Run `condition`; while the bool at `predicate` is true: body, swap pairs of buffers, `condition`."""

    predicate: BufferRef
    condition: tuple[Step, ...]
    body: tuple[Step, ...]
    swaps: Swaps = ()


class Cond(metaclass=record):
    """Run `then` where the bool at `predicate` is true, else `orelse`."""

    predicate: BufferRef
    then: tuple[Step, ...]
    orelse: tuple[Step, ...] = ()


HOST = "host"
"""The name of callbacks of host functions by their handles, the first operand (see `ir.ops.callbacks`)."""


class Callback(metaclass=record):
    """Call the host function registered as `name`, with the buffers that it reads and writes."""

    name: Name
    operands: tuple[BufferRef, ...]
    results: tuple[BufferRef, ...]


class Check(metaclass=record):
    """Stop with `message` where an expression is 0 (seen at binding) or a bool in memory is false."""

    condition: Condition
    message: str


class Zero(metaclass=record):
    """Fill elements of a buffer with zero bytes."""

    target: BufferRef
    elements: Size


class Faults(metaclass=record):
    """Stop where a word of a buffer is not 0, in which a fault was recorded (see `Zero`)."""

    buffer: Buffer


Step = Alloc | Free | Launch | LibraryCall | Copy | Loop | While | Cond | Callback | Check | Zero | Faults

SYNTAX: dict[type[Step], str] = {
    Alloc: "alloc {buffer}[ aligned with {aligned_with}]",
    Free: "free {buffer}",
    Launch: (
        "launch {kernel} ({buffers}[; {indices}[; {scalars}]]) "
        "groups {groups} cost {cost_ns} bytes {bytes_moved}"
    ),
    LibraryCall: (
        "call {function} {dtype} {results} = ({operands}; {options}; {sizes}[; {workspace}])"
        "[ batch {batch}][ faults {faults}] cost {cost_ns}"
    ),
    Copy: "copy {target} = {source} elements {elements}",
    Loop: "loop {lower} to {upper}[ swap {swaps}]: {body}",
    While: "while {predicate}[ swap {swaps}]: {condition} do: {body}",
    Cond: "if {predicate}: {then}[ else: {orelse}]",
    Callback: "callback {name} {results} = ({operands})",
    Check: "check {condition} else {message}",
    Zero: "zero {target} elements {elements}",
    Faults: "faults {buffer}",
}
"""The text of each step: words and signs, fields in braces, optional parts in brackets. Regions follow the
line, indented; text after a region begins a line of its own."""


class Plan(metaclass=record):
    """Buffers 0..inputs-1 are the caller's; `outputs` outlive the run; `sizes` counts the structure's.

    `cost_ns`: of a bound plan, the estimated time of a run.
    """

    sizes: int
    kernels: tuple[Kernel, ...]
    inputs: int
    scalars: tuple[DType, ...]
    buffers: tuple[PlanBuffer, ...]
    steps: tuple[Step, ...]
    outputs: tuple[Buffer, ...]
    cost_ns: int = 0
