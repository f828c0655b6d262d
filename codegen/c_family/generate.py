"""Kernel IR to the source of a C-like language: `generate(kernel, dialect)`."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

from ...ir.types import INDEX
from ..kernel.nodes import Buffer, Instruction, Kernel, Value, walk
from ..kernel.ops import ARITHMETIC, COMPARISONS, MATH
from ..math import MathFeatures, expand_math
from . import control, memory
from .arithmetic import arithmetic, compare, select
from .context import Context, Handler
from .conversions import bitcast, cast
from .dialect import Dialect, UnsupportedKernel

BLOCK_PREFIX = 2
"""Slots of the launch block before the kernel's own: the first workgroup, and the one after the last."""


@dataclass(frozen=True, slots=True)
class Source:
    """A kernel in its device's language, with all that a driver needs to launch it.

    The launch: the kernel's buffers in order, then one block of 8-byte slots (see `launch_block`), over
    end - begin workgroups of `threads` lanes; a `ragged` dialect's grid may have two axes and more workgroups.
    """

    text: str
    entry: str
    threads: int
    options: tuple[str, ...]
    index_bits: int
    buffers: tuple[Buffer, ...]
    scalars: int
    indices: int

    @property
    def slots(self) -> int:
        """Slots of the launch block; an even number, as uniform blocks are made of 16 bytes."""
        count = BLOCK_PREFIX + self.indices + self.scalars
        return count + count % 2


def launch_block(
    source: Source, begin: int, end: int, indices: Sequence[int], scalar_bits: Sequence[int]
) -> bytes:
    """The block of a launch of workgroups begin..end-1; raises OverflowError where an index does not fit."""
    numbers = (begin, end, *indices)
    limit = 1 << (source.index_bits - 1)
    for number in numbers:
        if not -limit <= number < limit:
            raise OverflowError(
                f"{source.entry}: {number} is beyond this device's {source.index_bits}-bit indices; "
                "work on smaller parts"
            )
    words = [number & ((1 << 64) - 1) for number in (*numbers, *scalar_bits)]
    words += [0] * (source.slots - len(words))
    return struct.pack(f"<{len(words)}Q", *words)


def generate(kernel: Kernel, dialect: Dialect, *, threads: int | None = None, index_bits: int | None = None) -> Source:
    """The source of a verified kernel; raises UnsupportedKernel for what the device cannot run.

    A kernel of one lane may be run by workgroups of several `threads` (see `lanes`).
    """
    threads = kernel.workgroup if threads is None else threads
    index_bits = dialect.index_bits[0] if index_bits is None else index_bits
    if kernel.workgroup > 1 and threads != kernel.workgroup:
        raise ValueError(f"kernel {kernel.name} is written for workgroups of {kernel.workgroup} lanes, not {threads}")
    if index_bits not in dialect.index_bits:
        raise UnsupportedKernel(f"{dialect.device} has no {index_bits}-bit index: split the work")
    if len(kernel.buffers) > dialect.buffer_limit:
        raise UnsupportedKernel(
            f"{dialect.device} promises {dialect.buffer_limit} buffers for one kernel, and {kernel.name} takes "
            f"{len(kernel.buffers)}: fuse less"
        )
    own_math = frozenset(MATH) - dialect.functions.keys()
    kernel = expand_math(kernel, MathFeatures(fma=dialect.fma), own_math)
    c = Context(kernel, dialect, HANDLERS, index_bits, threads, spread=kernel.workgroup == 1 and threads > 1)
    memory.find_atomic_buffers(c)
    if c.spread:
        c.in_shared |= _written_by_lanes_loops(kernel)
    c.stored_only |= _stored_only(kernel)
    _name_parameters(c)
    c.run(kernel.body)
    entry = f"jf_{kernel.name}"
    return Source(
        _MODULES[dialect.shared_in_module](c, entry),
        entry,
        threads,
        dialect.options,
        index_bits,
        kernel.buffers,
        len(kernel.scalars),
        len(kernel.indices),
    )


def _written_by_lanes_loops(kernel: Kernel) -> set[Value]:
    """Private arrays from outside the lanes loops that write them."""
    found: set[Value] = set()
    for outer in walk(kernel.body):
        if outer.op.name != "for" or outer.attributes["kind"] != "lanes":
            continue
        inside = list(walk(outer.blocks[0]))
        made = {result for instruction in inside for result in instruction.results}
        stored = {i.operands[0] for i in inside if i.op.name == "store"}
        found |= {b for b in stored - made if isinstance(b, Buffer) and b.space == "private"}
    return found


def _stored_only(kernel: Kernel) -> set[Value]:
    stored: set[Value] = set()
    others: set[Value] = set()
    for instruction in walk(kernel.body):
        (stored if instruction.op.name == "store" else others).update(instruction.operands)
    return stored - others


def _name_parameters(c: Context) -> None:
    """Name buffers, and read the values out of the launch block."""
    kernel = c.kernel
    for number, buffer in enumerate(kernel.buffers):
        c.type_of(buffer.dtype)
        c.names[buffer] = f"b{number}"
    for number, value in enumerate((*kernel.indices, *kernel.scalars), BLOCK_PREFIX):
        letter = "n" if value.dtype is INDEX else "s"
        name = c.names[value] = f"{letter}{number - BLOCK_PREFIX}"
        type_ = c.type_of(value.dtype)
        c.line(c.dialect.let.format(type=type_, name=name, value=_slot(c, type_, number)))


def _slot(c: Context, type_: str, number: int) -> str:
    return c.dialect.slot[type_].format(n=number, half=number // 2, word="xz"[number % 2])


def _preamble(c: Context) -> list[str]:
    """Which workgroup and lane this is; workgroups past the end of the launch leave.

    Only where there can be any: PoCL 3.1 miscompiles kernels that return before a barrier.
    """
    d, type_ = c.dialect, c.type_of(INDEX)
    group = f"{_slot(c, type_, 0)} + {d.group.format(type=type_)}"
    lines = [d.let.format(type=type_, name="group", value=group)]
    if d.ragged:
        lines.append(f"if (group >= {_slot(c, type_, 1)}) {{ return; }}")
    lines.append(d.let.format(type=type_, name="lane", value=d.lane.format(type=type_)))
    return ["  " + line for line in lines]


def _arrays(c: Context) -> list[str]:
    return [c.dialect.shared.format(type=t, name=n, size=s) for n, (t, s) in c.shared.items()]


def _helpers(c: Context) -> list[str]:
    return [line for lines in c.helpers.values() for line in ("", *lines)]


def _c_module(c: Context, entry: str) -> str:
    """Buffers are pointers, the launch block is passed by value."""
    slots = BLOCK_PREFIX + len(c.kernel.indices) + len(c.kernel.scalars)
    parameters = []
    for buffer in c.kernel.buffers:
        constness = "const " if buffer.access == "in" else ""
        parameters.append(f"__global {constness}{memory.word_type(c, buffer)} *{c.names[buffer]}")
    parameters.append("const launch_t launch")
    lines = [
        *c.dialect.header,
        f"typedef struct {{ ulong slots[{slots + slots % 2}]; }} launch_t;",
        *c.constants,
        *_helpers(c),
        "",
        f"__kernel __attribute__((reqd_work_group_size({c.threads}, 1, 1)))",
        f"void {entry}({', '.join(parameters)}) {{",
        *("  " + line for line in _arrays(c)),
        *_preamble(c),
        *c.lines,
        "}",
    ]
    return "\n".join(lines) + "\n"


def _wgsl_module(c: Context, entry: str) -> str:
    """Buffers are storage bindings in order, the launch block is a uniform after them."""
    slots = BLOCK_PREFIX + len(c.kernel.indices) + len(c.kernel.scalars)
    lines = [*c.dialect.header]
    for number, buffer in enumerate(c.kernel.buffers):
        access = "read" if buffer.access == "in" else "read_write"
        element = memory.word_type(c, buffer)
        lines.append(
            f"@group(0) @binding({number}) var<storage, {access}> {c.names[buffer]}: array<{element}>;"
        )
    lines += [
        f"struct Launch {{ slots: array<vec4<u32>, {(slots + 1) // 2}> }}",
        f"@group(0) @binding({len(c.kernel.buffers)}) var<uniform> launch: Launch;",
        *_arrays(c),
        *c.constants,
        *_helpers(c),
        "",
        f"@compute @workgroup_size({c.threads}, 1, 1)",
        f"fn {entry}(@builtin(workgroup_id) groups: vec3<u32>, @builtin(num_workgroups) grid: vec3<u32>,",
        "    @builtin(local_invocation_index) lane_number: u32) {",
        *_preamble(c),
        *c.lines,
        "}",
    ]
    return "\n".join(lines) + "\n"


_MODULES = {False: _c_module, True: _wgsl_module}


# Instructions ----------------------------------------------------------------------------------------
def _constant(c: Context, instruction: Instruction) -> None:
    result = instruction.result
    c.names[result] = c.literal(result.dtype, instruction.attributes["value"])


def _group_id(c: Context, instruction: Instruction) -> None:
    c.names[instruction.result] = "group"


def _lane_id(c: Context, instruction: Instruction) -> None:
    c.names[instruction.result] = c.index(0) if c.spread else "lane"


def _math(c: Context, instruction: Instruction) -> None:
    """A function that the dialect spells; the others were expanded."""
    spelled = c.dialect.functions[instruction.op.name]
    c.define(instruction, c.own(spelled.format(**dict(zip("xyz", c.operands(instruction))))))


def _no_subgroups(c: Context, instruction: Instruction) -> None:
    raise c.refuse(f"no {instruction.op.name}", "reduce through shared memory")


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
    "atomic": memory.atomic,
    "barrier": memory.barrier,
    "fence": memory.fence,
    "subgroup_shuffle_down": _no_subgroups,
    "subgroup_reduce": _no_subgroups,
    "for": control.loop,
    "while": control.repeat_while,
    "if": control.branch,
    "yield": _nothing,
    "exit": control.leave,
}
