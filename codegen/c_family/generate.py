"""Kernel IR to the source of a C-like language: `generate(kernel, dialect)`."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

from ...ir.types import INDEX, U32
from ..kernel.exits import mask_exits
from ..kernel.nodes import Buffer, Instruction, Kernel, Value, walk
from ..kernel.ops import ARITHMETIC, COMPARISONS, MATH
from ..kernel.rewrite import inline_calls
from ..math import EXACT, MathFeatures, expand_math
from . import atomics, memory, statements, subgroups
from .arithmetic import arithmetic, compare, select
from .context import Context, Handler
from .conversions import bitcast, cast
from .dialect import Dialect, UnsupportedKernel
from .halves import is_half, value_of
from .vectors import VECTOR_BYTES, find_vector_buffers

BLOCK_PREFIX = 2
"""Slots of the launch block before the kernel's own: the first workgroup, and the one after the last."""


@dataclass(frozen=True, slots=True)
class Source:
    """A kernel in its device's language, with everything that a driver needs to launch it.

    The launch: the kernel's buffers in order, then one block of 8-byte slots (see `launch_block`), over
    end - begin workgroups of `threads` lanes; where the dialect is `ragged`, the grid may have two axes and
    more workgroups.
    """

    text: str
    entry: str
    threads: int
    options: tuple[str, ...]
    index_bits: int
    buffers: tuple[Buffer, ...]
    scalars: int
    indices: int
    views: int = 0
    """Slots after the scalars: where each buffer's view begins, in elements. None where views are bound."""
    binding_bytes: int = 4
    """The binding of a buffer ends at a multiple of so many bytes from its start."""
    subgroup_lanes: int = 0
    """The required size of its subgroups; 0 where any will do."""

    @property
    def slots(self) -> int:
        """The slots of the launch block."""
        return _slots(self.indices + self.scalars + self.views)


def launch_block(
    source: Source, begin: int, end: int, indices: Sequence[int], scalar_bits: Sequence[int]
) -> bytes:
    """Returns the block of a launch of workgroups begin..end-1; raises OverflowError where an index does not
    fit."""
    integers = (begin, end, *indices)
    limit = 1 << (source.index_bits - 1)
    for number in integers:
        if not -limit <= number < limit:
            raise OverflowError(
                f"{source.entry}: {number} is beyond this device's {source.index_bits}-bit indices; "
                "work on smaller parts"
            )
    words = [number & ((1 << 64) - 1) for number in (*integers, *scalar_bits)]
    words += [0] * (source.slots - len(words))
    return struct.pack(f"<{len(words)}Q", *words)


def generate(
    kernel: Kernel,
    dialect: Dialect,
    *,
    threads: int | None = None,
    index_bits: int | None = None,
    lacks: frozenset[str] = frozenset(),
) -> Source:
    """The source of a verified kernel; raises UnsupportedKernel for what the device cannot run.

    A kernel of one lane may be run by workgroups of several `threads` (see `lanes`). `lacks` names the
    dtypes that the language has and this device has not.
    """
    dialect = dialect.without(lacks)
    threads = kernel.workgroup if threads is None else threads
    index_bits = dialect.index_bits[0] if index_bits is None else index_bits
    if kernel.workgroup > 1 and threads != kernel.workgroup:
        raise ValueError(
            f"kernel {kernel.name} is written for workgroups of {kernel.workgroup} lanes, not {threads}"
        )
    if index_bits not in dialect.index_bits:
        raise UnsupportedKernel(f"{dialect.device} has no {index_bits}-bit index: split the work")
    if len(kernel.buffers) > dialect.buffer_limit:
        raise UnsupportedKernel(
            f"{dialect.device} promises {dialect.buffer_limit} buffers for one kernel, and {kernel.name} "
            f"takes {len(kernel.buffers)}: fuse less"
        )
    kernel = inline_calls(kernel)
    if kernel.workgroup > 1 and _meets(kernel, dialect):
        kernel = mask_exits(kernel)
    for names in (MATH, EXACT):  # bodies of the first use the second
        kernel = expand_math(
            kernel, MathFeatures(fma=dialect.fma), frozenset(names) - dialect.functions.keys()
        )
    c = Context(kernel, dialect, HANDLERS, index_bits, threads, spread=kernel.workgroup == 1 and threads > 1)
    memory.find_atomic_buffers(c)
    find_vector_buffers(c)
    if c.spread:
        c.in_shared |= _written_by_lanes_loops(kernel)
    c.stored_only |= _stored_only(kernel)
    _name_parameters(c)
    c.run(kernel.body)
    entry = f"jf_{kernel.name}"
    return Source(
        _module(c, entry),
        entry,
        threads,
        dialect.options,
        index_bits,
        kernel.buffers,
        len(kernel.scalars),
        len(kernel.indices),
        len(kernel.buffers) if dialect.view else 0,
        VECTOR_BYTES if c.vectored else 4,
        dialect.subgroup_lanes if c.shuffles else 0,
    )


def _meets(kernel: Kernel, dialect: Dialect) -> bool:
    """Whether there are barriers, so that no lane may return early."""
    return any(
        instruction.op.name == "barrier"
        or (
            instruction.op.name == "fence"
            and dialect.fences.get(instruction.attributes["scope"]) == "BARRIER"
        )
        for instruction in walk(kernel.body)
    )


def _written_by_lanes_loops(kernel: Kernel) -> set[Value]:
    """Returns the private arrays from outside the lanes loops that write them."""
    values: set[Value] = set()
    for outer in walk(kernel.body):
        if outer.op.name != "for" or outer.attributes["kind"] != "lanes":
            continue
        inside = list(walk(outer.blocks[0]))
        made = {result for instruction in inside for result in instruction.results}
        stored = {i.operands[0] for i in inside if i.op.name == "store"}
        values |= {b for b in stored - made if isinstance(b, Buffer) and b.space == "private"}
    return values


def _stored_only(kernel: Kernel) -> set[Value]:
    stored: set[Value] = set()
    others: set[Value] = set()
    for instruction in walk(kernel.body):
        (stored if instruction.op.name == "store" else others).update(instruction.operands)
    return stored - others


def _name_parameters(c: Context) -> None:
    """Names buffers, and reads the values of the launch block."""
    kernel = c.kernel
    for number, buffer in enumerate(kernel.buffers):
        c.type_of(buffer.dtype)
        c.names[buffer] = f"b{number}"
    for number, value in enumerate((*kernel.indices, *kernel.scalars), BLOCK_PREFIX):
        letter = "n" if value.dtype is INDEX else "s"
        name = c.names[value] = f"{letter}{number - BLOCK_PREFIX}"
        type_ = c.type_of(value.dtype)
        if is_half(value.dtype):
            bits = f"({_slot(c, c.type_of(U32), number)} & {c.unsigned(0xFFFF)})"
            text = value_of(c, value.dtype, bits)
        else:
            text = _slot(c, type_, number)
        c.line(c.dialect.let.format(type=type_, name=name, value=text))
    first_view = BLOCK_PREFIX + len(kernel.indices) + len(kernel.scalars)
    for number, buffer in enumerate(kernel.buffers if c.dialect.view else (), first_view):
        c.line(c.dialect.view.format(name=c.names[buffer], n=number))


def _slot(c: Context, type_: str, number: int) -> str:
    return c.dialect.slot[type_].format(n=number, half=number // 2, word="xz"[number % 2])


def _preamble(c: Context) -> list[str]:
    """Computes the workgroup's and lane's number; workgroups past the end of the launch return, but only
    where there can be any: PoCL 3.1 miscompiles kernels that return before a barrier."""
    d, type_ = c.dialect, c.type_of(INDEX)
    group = f"{_slot(c, type_, 0)} + {d.group.format(type=type_)}"
    lines = [d.let.format(type=type_, name="group", value=group)]
    if d.ragged:
        lines.append(f"if (group >= {_slot(c, type_, 1)}) {{ return; }}")
    lines.append(d.let.format(type=type_, name="lane", value=d.lane.format(type=type_)))
    return ["  " + line for line in lines]


def _module(c: Context, entry: str) -> str:
    d, kernel = c.dialect, c.kernel
    slots = _slots(len(kernel.indices) + len(kernel.scalars) + (len(kernel.buffers) if d.view else 0))
    buffers = [
        d.buffer.format(
            number=number, name=c.names[b], type=memory.word_type(c, b), access=d.accesses[b.access]
        )
        for number, b in enumerate(kernel.buffers)
    ]
    arrays = [d.shared.format(type=t, name=n, size=s) for n, (t, s) in c.shared.items()]
    words = {"slots": slots, "pairs": slots // 2, "number": len(buffers)}
    parameters = (() if d.in_module else tuple(buffers)) + d.launch_parameters
    head = {"threads": c.threads, "name": entry, "parameters": ", ".join(parameters)}
    lines = [
        *d.header,
        *(buffers if d.in_module else ()),
        *(line.format(**words) for line in d.launch),
        *(arrays if d.in_module else ()),
        *c.constants,
        *(line for lines in c.helpers.values() for line in ("", *lines)),
        "",
        *(line.format(**head) for line in d.entry),
        *("  " + line for line in (() if d.in_module else arrays)),
        *_preamble(c),
        *c.lines,
        "}",
    ]
    return "\n".join(lines) + "\n"


def _slots(values: int) -> int:
    """Slots of a launch block: an even number, as uniform blocks are made of 16 bytes."""
    count = BLOCK_PREFIX + values
    return count + count % 2


# Instructions ----------------------------------------------------------------------------------------
def _constant(c: Context, instruction: Instruction) -> None:
    result = instruction.result
    c.names[result] = c.literal(result.dtype, instruction.attributes["value"])


def _group_id(c: Context, instruction: Instruction) -> None:
    c.names[instruction.result] = "group"


def _lane_id(c: Context, instruction: Instruction) -> None:
    c.names[instruction.result] = c.index(0) if c.spread else "lane"


def _math(c: Context, instruction: Instruction) -> None:
    """Writes a function that the dialect spells; the others were expanded."""
    spelled = c.dialect.functions[instruction.op.name]
    c.define(instruction, c.own(spelled.format(**dict(zip("xyz", c.operands(instruction))))))


def _nothing(c: Context, instruction: Instruction) -> None:
    """A yield: its operands are read where the block was entered."""


HANDLERS: dict[str, Handler] = {
    **dict.fromkeys(ARITHMETIC, arithmetic),
    **dict.fromkeys(COMPARISONS, compare),
    **dict.fromkeys(MATH, _math),
    "constant": _constant,
    "cast": cast,
    "bitcast": bitcast,
    "select": select,
    "group_id": _group_id,
    "lane_id": _lane_id,
    "load": memory.load,
    "store": memory.store,
    "allocate": memory.allocate,
    "table": memory.constant_table,
    "atomic": atomics.atomic,
    "barrier": atomics.barrier,
    "fence": atomics.fence,
    "subgroup_shuffle_down": subgroups.shuffle_down,
    "subgroup_reduce": subgroups.subgroup_reduce,
    "for": statements.loop,
    "while": statements.repeat_while,
    "if": statements.branch,
    "yield": _nothing,
    "exit": statements.leave,
}
