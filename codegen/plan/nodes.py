"""The plan: what runs in which order in which memory, every size an expression over the structure's numbers.

Symbols of its expressions are ints (numbers of the structure, `symbol(0)`) and strings (facts of the device,
`symbol("device.threads")`). `bind` puts values in and gives a `BoundPlan` of like shape.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...ir.expr import Expr, const
from ...ir.record import record
from ...ir.types import DType

if TYPE_CHECKING:
    from ..kernel.nodes import Kernel

ZERO = const(0)


class PlanBuffer(metaclass=record):
    """A run of elements; of an input, what the kernels may touch of the caller's memory."""

    dtype: DType
    elements: Expr


class BufferRef(metaclass=record):
    """A buffer from an element on."""

    buffer: int
    offset: Expr = ZERO


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


Scalar = ScalarRef | ConstantScalar | LoopIndex


class Alloc(metaclass=record):
    buffer: int
    beside: int | None = None
    """A buffer that is there, whose place in a cache line large memory should have: a loop over both has
    aligned loads then where it has aligned streaming stores."""


class Free(metaclass=record):
    buffer: int


class Launch(metaclass=record):
    """Run `groups` workgroups of kernel number `kernel`; arguments in the order of its parameters."""

    kernel: int
    buffers: tuple[BufferRef, ...]
    indices: tuple[Expr | LoopIndex, ...]
    scalars: tuple[Scalar, ...]
    groups: Expr
    cost_ns: Expr = ZERO
    bytes_moved: Expr = ZERO


class Batch(metaclass=record):
    """So many products, their matrices so many elements apart; 0 where all of them read the same one."""

    count: Expr
    a: Expr
    b: Expr
    c: Expr


class Gemm(metaclass=record):
    """c[m, n] = op(a)[m, k] @ op(b)[k, n], row-major, leading dimensions in elements.

    `batch`: the axes, from outside in, along which there are more such products.
    """

    dtype: DType
    transpose_a: bool
    transpose_b: bool
    m: Expr
    n: Expr
    k: Expr
    a: BufferRef
    lda: Expr
    b: BufferRef
    ldb: Expr
    c: BufferRef
    ldc: Expr
    cost_ns: Expr = ZERO
    batch: tuple[Batch, ...] = ()


class Copy(metaclass=record):
    target: BufferRef
    source: BufferRef
    elements: Expr


Bound = Expr | ScalarRef | LoopIndex | BufferRef
"""Where a loop starts or ends; of a buffer, the integer that is there when the loop starts."""


class Loop(metaclass=record):
    """for index in range(lower, upper): body, then swap the named pairs of buffers, one after the other."""

    lower: Bound
    upper: Bound
    body: tuple[Step, ...]
    swaps: tuple[tuple[int, int], ...] = ()


class While(metaclass=record):
    """Run `condition`; while the bool at `predicate` is true: body, swap pairs of buffers, `condition`."""

    predicate: BufferRef
    condition: tuple[Step, ...]
    body: tuple[Step, ...]
    swaps: tuple[tuple[int, int], ...] = ()


class Cond(metaclass=record):
    """Run `then` where the bool at `predicate` is true, else `orelse`."""

    predicate: BufferRef
    then: tuple[Step, ...]
    orelse: tuple[Step, ...] = ()


class Callback(metaclass=record):
    """Call the host function registered as `name` on buffers it may read and write."""

    name: str
    buffers: tuple[BufferRef, ...]


class Check(metaclass=record):
    """Stop with `message` where an expression is 0 (seen at binding) or a bool in memory is false."""

    condition: Expr | BufferRef
    message: str


class Zero(metaclass=record):
    """Fill elements of a buffer with zero bytes."""

    target: BufferRef
    elements: Expr


class Faults(metaclass=record):
    """Stop where a word of a buffer is not 0: a position out of bounds was noted there (see `Zero`)."""

    buffer: int


Step = Alloc | Free | Launch | Gemm | Copy | Loop | While | Cond | Callback | Check | Zero | Faults


class Plan(metaclass=record):
    """Buffers 0..inputs-1 are the caller's; `outputs` outlive the run; `numbers` counts the structure's."""

    numbers: int
    kernels: tuple[Kernel, ...]
    inputs: int
    scalars: tuple[DType, ...]
    buffers: tuple[PlanBuffer, ...]
    steps: tuple[Step, ...]
    outputs: tuple[int, ...]
