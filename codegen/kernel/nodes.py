"""Kernel IR: a kernel is a typed, structured program that one workgroup runs.

A kernel's parameters are buffers, index values (offsets, strides, extents, tiles) and scalars, in the
order of the launch ABI. No number taken from a shape stands in a kernel.

Loops
-----
`for` has operands (lower, upper, step, *initial) and a `kind`:

serial   body(i, *carried) yields the next carried values; the loop returns the last ones. With attribute
         appends=True no iteration reads memory that an earlier one has written, and each carried value is
         a position where chosen elements are appended: `store(buffer, p, value, mask); yield p + cast(mask)`.
         Code generators may run iterations side by side that read before they store. A store without the
         mask may write behind what it appends: iteration number k (from 0) as far as the position that the
         loop began with + k. What the loop leaves behind the appended elements is unspecified.
unroll   like serial; bounds are constants; code generators repeat the body.
lanes    iterations are independent and may run in any order, side by side. Without initial values the
         body yields nothing. With initial values it is a *reduction*: body(i) yields one term for each
         initial value, and a second block `combine(acc..., term...)` yields the next accumulators. The
         result is defined exactly, whatever the vector width: `REDUCTION_LANES` accumulators start at the
         initial values (the identity); iteration number k (from 0) goes to accumulator
         k % REDUCTION_LANES, in order; then halves are combined, accumulator j with
         j + REDUCTION_LANES/2, down to one.
         With attribute short=True it has few iterations, and code generators write it for size.

scan     iterations side by side as in `lanes`, with initial values and three blocks: body(i) yields a term
         for each; `combine(acc..., term...)` yields what both come to; `emit(i, prefix...)` has iteration
         i's prefix. Exactly: of SCAN_LANES iterations that follow one another, number j takes, for d = 1, 2,
         4 and on, combine(what number (j & -2d) + d - 1 has, its own) where j & d, all at once; its prefix
         is combine(carried, its own), and the last one's is what the next iterations carry. The results are
         the last prefixes. Prefixes of terms that are not negative never fall, whatever is rounded.

`if` has one bool operand, two blocks (then, else) and yields equal types. Inside a lanes loop its condition
may vary by lane; it means what it says for each lane (a vector machine runs a block if any lane wants it).
With attribute rare=True hardly any lane takes the first block, whose second one only yields: code generators
write it for size, lane by lane. It computes, and may note something by an atomic.

`while` has operands (*initial), blocks condition(*carried) -> bool and body(*carried) -> *carried.

A kernel's functions stand above its body. A function has parameters, values and buffers, of which it knows
alone, and ends in `return`; `call` binds them and gives what is returned, for each lane that comes to it. It
may do what the kernel's body may but for allocating shared memory: what it means is what its body means
where the call stands. It calls functions above it, so there is no recursion.

A `store` with attribute stream=True has as its last operand a bool, one for all iterations of the lanes
loops around it: write past the caches where true.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ...ir.record import fresh, mutable
from ...ir.types import DType
from . import REDUCTION_LANES as REDUCTION_LANES  # there for users of nothing else of a kernel
from .ops import KernelOp

if TYPE_CHECKING:
    from .builder import KernelBuilder

SCAN_LANES = 16
Number = bool | int | float
Operand: TypeAlias = "Value | bool | int | float"

Access = Literal["in", "out", "inout"]
Space = Literal["global", "shared", "private", "table"]


def _operator(name: str) -> Callable[[Value, Operand], Value]:
    def apply(x: Value, y: Operand) -> Value:
        return x.build.binary(name, x, y)

    return apply


def _reflected(name: str) -> Callable[[Value, Number], Value]:
    def apply(y: Value, x: Number) -> Value:
        return y.build.binary(name, x, y)

    return apply


class Value:
    """A scalar of `dtype` that an instruction or a block parameter defines. Compared by identity.

    Arithmetic on values writes instructions of the builder that made them. A number beside a value is a
    constant of its dtype. `//` and `%` are `quotient` and `remainder`, which round towards zero.
    """

    __slots__ = ("build", "dtype", "producer")
    build: KernelBuilder

    def __init__(self, dtype: DType, producer: Instruction | Block | Kernel | None = None) -> None:
        self.dtype = dtype
        self.producer = producer

    def __bool__(self) -> bool:
        raise TypeError(
            "a value of a kernel is known when it runs: `build.branch` and `build.select` ask for it"
        )

    def __add__(self, other: Operand) -> Value:
        return self.build.add(self, other)

    def __radd__(self, other: Number) -> Value:
        return self.build.add(other, self)

    def __sub__(self, other: Operand) -> Value:
        return self.build.sub(self, other)

    def __rsub__(self, other: Number) -> Value:
        return self.build.sub(other, self)

    def __mul__(self, other: Operand) -> Value:
        return self.build.mul(self, other)

    def __rmul__(self, other: Number) -> Value:
        return self.build.mul(other, self)

    __truediv__, __rtruediv__ = _operator("div"), _reflected("div")
    __floordiv__, __mod__ = _operator("quotient"), _operator("remainder")
    __and__, __rand__ = _operator("and"), _reflected("and")
    __or__, __ror__ = _operator("or"), _reflected("or")
    __xor__, __rxor__ = _operator("xor"), _reflected("xor")
    __lshift__, __rshift__ = _operator("shift_left"), _operator("shift_right")
    __lt__, __le__, __gt__, __ge__ = map(_operator, ("lt", "le", "gt", "ge"))
    equals, differs = _operator("eq"), _operator("ne")

    def __divmod__(self, other: Operand) -> tuple[Value, Value]:
        return self // other, self % other

    def __neg__(self) -> Value:
        return self.build.emit("neg", (self,))

    def __invert__(self) -> Value:
        return self.build.emit("not", (self,))

    def __abs__(self) -> Value:
        return self.build.emit("abs", (self,))


class Buffer(Value):
    """A run of elements of one dtype: a kernel parameter, or memory made by `allocate` or `table`."""

    __slots__ = ("access", "space")

    def __init__(self, dtype: DType, space: Space, access: Access = "inout") -> None:
        super().__init__(dtype)
        self.space = space
        self.access = access


class Instruction:
    """One operation: operands in, results out, attributes and nested blocks."""

    __slots__ = ("attributes", "blocks", "op", "operands", "results")

    def __init__(
        self,
        op: KernelOp,
        operands: tuple[Value, ...],
        result_types: tuple[DType, ...] = (),
        attributes: dict[str, Any] | None = None,
        blocks: tuple[Block, ...] = (),
    ) -> None:
        self.op = op
        self.operands = operands
        self.attributes: dict[str, Any] = attributes or {}
        self.blocks = blocks
        self.results: tuple[Value, ...] = tuple([Value(dtype, self) for dtype in result_types])

    @property
    def result(self) -> Value:
        (only,) = self.results
        return only


class Block(metaclass=mutable):
    """Parameters and a straight run of instructions; a yielding block ends in `yield`, a function's in
    `return`."""

    parameters: tuple[Value, ...] = ()
    instructions: list[Instruction] = fresh(factory=list)

    @property
    def yielded(self) -> tuple[Value, ...]:
        if self.instructions and self.instructions[-1].op.name in ("yield", "return"):
            return self.instructions[-1].operands
        return ()


class Function(metaclass=mutable):
    """A function that `call` runs: a block whose parameters are the function's."""

    name: str
    body: Block

    @property
    def parameters(self) -> tuple[Value, ...]:
        return self.body.parameters

    @property
    def results(self) -> tuple[DType, ...]:
        return tuple(value.dtype for value in self.body.yielded)


class Kernel(metaclass=mutable):
    """A program for one workgroup. Slots of a launch: buffers, then indices, then scalars."""

    name: str
    buffers: tuple[Buffer, ...]
    indices: tuple[Value, ...]
    scalars: tuple[Value, ...]
    body: Block
    workgroup: int = 1
    """Lanes of a workgroup; 1 where lanes loops carry the parallelism."""
    functions: tuple[Function, ...] = ()
    """Each calls only those before it."""

    _text: str | None = None


def walk(block: Block, rare: bool = True) -> Iterator[Instruction]:
    """Every instruction of a block and its nested blocks, in program order; or without rare branches."""
    for instruction in block.instructions:
        yield instruction
        if rare or "rare" not in instruction.attributes:
            for inner in instruction.blocks:
                yield from walk(inner, rare)


def instructions_of(kernel: Kernel) -> Iterator[Instruction]:
    """Every instruction of a kernel, its functions' too, each once."""
    for function in kernel.functions:
        yield from walk(function.body)
    yield from walk(kernel.body)


def used(instructions: Iterable[Instruction]) -> Iterator[Value]:
    """Yields every operand, of nested blocks too, as often as it is used."""
    for instruction in instructions:
        yield from instruction.operands
        for block in instruction.blocks:
            yield from used(block.instructions)


def constant_number(value: Value) -> bool | float | None:
    """The number of a value that `constant` defines, else None."""
    producer = value.producer
    if isinstance(producer, Instruction) and producer.op.name == "constant":
        number: bool | float | None = producer.attributes.get("value")
        return number
    return None
