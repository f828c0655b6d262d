"""Kernel IR to LLVM IR text: `generate(kernel, target)`."""

from __future__ import annotations

from functools import partial

from ..kernel.exits import mask_exits
from ..kernel.nodes import Buffer, Instruction, Kernel, Value
from ..kernel.ops import ARITHMETIC, COMPARISONS, OPTIONAL
from . import masked_branches, memory
from .appending import append_lanes, find_appends
from .arithmetic import Machine, arithmetic, compare
from .context import Affine, Context, Handler, Memory
from .conversions import bitcast, cast
from .functions import call
from .interleaved import find_interleaved
from .joined_words import find_words, joined_word
from .lanes import map_lanes
from .long_bodies import MadeAgain, long_bodies
from .reduce import reduce_lanes
from .repeated import calling, repeated_passes
from .scan import scan_lanes
from .spelling import constant, memory_type, register_type
from .target import VectorTarget
from .windows import find_windows
from .workgroups import run_workgroup
from .writer import Operand, Writer, integer

_FAST = "nsz arcp contract "


def generate(kernel: Kernel, target: VectorTarget, fastmath: bool = False) -> str:
    """Returns the text of an LLVM module with one public function, `void NAME(ptr slots, i64 begin, i64
    end)`.

    The function runs workgroups begin..end-1. Its code is already vectorised: compile it without LLVM's
    optimisation pipeline. The kernel's functions do nothing but compute (see `expand_with_calls`). Raises
    UnsupportedKernel for what the target cannot run.
    """
    if kernel.workgroup > 1:
        kernel = mask_exits(kernel)
    writer = Writer()
    machine = Machine(writer, target, _FAST if fastmath else "")
    handlers = HANDLERS
    if kernel.functions:
        handlers = handlers | {"call": call}
    if passes := repeated_passes(kernel):
        handlers = handlers | {"for": calling(passes, handlers["for"])}
    functions = {function.name: function for function in kernel.functions}
    interleaved = find_interleaved(kernel)
    joined = find_words(kernel, interleaved)
    context = Context(kernel, target, writer, machine, handlers, find_windows(kernel), interleaved, functions)
    context.joined, context.first_parts = joined, frozenset(joined.values())
    context.long = long_bodies(kernel)
    if context.long is not None:
        context.values, context.memory = MadeAgain(), MadeAgain()
    _read_slots(context)
    _write_groups(context)
    return _module(context)


def _read_slots(c: Context) -> None:
    """Binds the kernel's parameters to the launch's slots."""
    kernel, w = c.kernel, c.writer

    def read(number: int, type_: str) -> Operand:
        slot = c.element(Operand("%slots", "ptr"), "i64", integer(number))
        return w.pure(f"load {type_}, ptr {slot.text}, align 8", type_, 1, (slot,))

    def memory(number: int, buffer: Buffer) -> Memory:
        return Memory(read(number, "ptr"), constant=buffer.access == "in")

    def value(number: int, parameter: Value) -> Operand:
        operand = read(number, memory_type(parameter.dtype))
        if parameter.dtype.kind == "bool":
            return w.compare("icmp ne", operand, integer(0, "i8"))
        return operand

    for number, buffer in enumerate(kernel.buffers):
        if isinstance(c.memory, MadeAgain):
            c.memory.makers[buffer] = partial(memory, number, buffer)
        else:
            c.memory[buffer] = memory(number, buffer)
    for number, parameter in enumerate((*kernel.indices, *kernel.scalars), len(kernel.buffers)):
        if isinstance(c.values, MadeAgain):
            c.values.makers[parameter] = partial(value, number, parameter)
        else:
            c.values[parameter] = value(number, parameter)


def _write_groups(c: Context) -> None:
    w = c.writer
    begin, end = Operand("%begin", "i64"), Operand("%end", "i64")
    enter, head, done = w.label("groups"), w.label("group"), w.label("finished")
    c.exit_label = w.label("next")
    w.branch(w.compare("icmp slt", begin, end), enter, done)
    w.start(enter)
    w.enter_loop(w.place())
    w.jump(head)
    w.start(head)
    group = w.phi(w.place(), "i64", 1, (begin, enter))
    c.group = group.operand
    if c.kernel.workgroup > 1:
        run_workgroup(c)
    else:
        c.run(c.kernel.body)
    w.jump(c.exit_label)
    w.start(c.exit_label)
    following = w.advance(group.operand, integer(1))
    again = w.effect(f"icmp slt i64 {following.text}, {end.text}", "i1")
    group.close(following, c.exit_label)
    w.branch(again, head, done)
    w.leave()
    w.start(done)
    if c.streams:
        w.line(c.target.stream_fence)
    w.line("ret void")


def _module(c: Context) -> str:
    head = f"define void @{c.kernel.name}(ptr noalias readonly %slots, i64 %begin, i64 %end)"
    lines = [f'target triple = "{c.target.triple}"'] if c.target.triple else []
    lines += [f"{name} = {text}" for text, name in c.writer.constants.items()]
    lines += [f"{head} nounwind{c.target.spelled_attributes} {{", "entry:", *c.writer.text(), "}"]
    lines += c.called_texts.values()
    if c.streams:
        lines.append("!0 = !{i32 1}")
    return "\n".join(lines) + "\n"


# Instructions ----------------------------------------------------------------------------------------
def _arithmetic(c: Context, instruction: Instruction) -> None:
    operands = tuple([c.operand(value) for value in instruction.operands])
    dtype = instruction.operands[0].dtype
    c.define(instruction, arithmetic(c.machine, instruction.op.name, dtype, operands))


def _or(c: Context, instruction: Instruction) -> None:
    words = joined_word(c, instruction)
    if words is not None:
        c.define(instruction, words)
    else:
        _arithmetic(c, instruction)


def _compare(c: Context, instruction: Instruction) -> None:
    x, y = (c.operand(value) for value in instruction.operands)
    c.define(instruction, compare(c.machine, instruction.op.name, instruction.operands[0].dtype, x, y))


def _index_sum(c: Context, instruction: Instruction) -> None:
    """add and sub: the sum of indices, affine with affine or uniform, stays affine."""
    x, y = (c.index(value) for value in instruction.operands)
    if instruction.operands[0].dtype.kind != "index" or not _affine_pair(x, y):
        _arithmetic(c, instruction)
        return
    w = c.writer
    combine = w.add if instruction.op.name == "add" else w.sub
    c.define(instruction, _affine(combine(_base(x), _base(y)), combine(_step(x), _step(y))))


def _index_product(c: Context, instruction: Instruction) -> None:
    x, y = (c.index(value) for value in instruction.operands)
    both = isinstance(x, Affine) and isinstance(y, Affine)
    if instruction.operands[0].dtype.kind != "index" or not _affine_pair(x, y) or both:
        _arithmetic(c, instruction)
        return
    w = c.writer
    scale, varying = (_base(y), x) if isinstance(x, Affine) else (_base(x), y)
    c.define(instruction, _affine(w.mul(_base(varying), scale), w.mul(_step(varying), scale)))


def _index_negation(c: Context, instruction: Instruction) -> None:
    x = c.index(instruction.operands[0])
    if isinstance(x, Affine):
        w = c.writer
        c.define(instruction, _affine(w.sub(integer(0), x.base), w.sub(integer(0), x.step)))
    else:
        _arithmetic(c, instruction)


def _position_division(c: Context, instruction: Instruction) -> None:
    """Processors trap at a divisor of 0: inactive lanes divide by 1, and so does code hoisted before a loop
    that may have no iteration."""
    w = c.writer
    x, y = [c.operand(value) for value in instruction.operands]
    if c.mask is not None and y.width > 1:
        y = w.select(c.mask, y, integer(1))
    if y.literal is None and w.may_run_in_vain(x, y):
        y = w.select(w.compare("icmp eq", y, integer(0)), integer(1), y)
    c.define(instruction, arithmetic(c.machine, instruction.op.name, instruction.operands[0].dtype, (x, y)))


def _affine_pair(x: Operand | Affine, y: Operand | Affine) -> bool:
    return all(isinstance(v, Affine) or v.width == 1 for v in (x, y))


def _base(x: Operand | Affine) -> Operand:
    return x.base if isinstance(x, Affine) else x


def _step(x: Operand | Affine) -> Operand:
    return x.step if isinstance(x, Affine) else integer(0)


def _affine(base: Operand, step: Operand) -> Operand | Affine:
    return base if step.literal == 0 else Affine(base, step)


def _constant(c: Context, instruction: Instruction) -> None:
    dtype, value = instruction.attributes["dtype"], instruction.attributes["value"]
    text = constant(value, dtype)
    whole = None if dtype.is_float or dtype.kind == "bool" else int(text)
    c.define(instruction, Operand(text, register_type(dtype), literal=whole))


def _cast(c: Context, instruction: Instruction) -> None:
    (source,) = instruction.operands
    target = instruction.attributes["dtype"]
    index = c.index(source)
    if isinstance(index, Affine) and target.is_integer and target.kind != "index":
        c.define(instruction, c.lanes_of(index, register_type(target)))
        return
    c.define(instruction, cast(c.machine, source.dtype, target, c.operand(source)))


def _bitcast(c: Context, instruction: Instruction) -> None:
    c.define(
        instruction, bitcast(c.machine, instruction.attributes["dtype"], c.operand(instruction.operands[0]))
    )


def _select(c: Context, instruction: Instruction) -> None:
    condition, x, y = (c.operand(value) for value in instruction.operands)
    c.define(instruction, c.writer.select(condition, x, y))


def _group_id(c: Context, instruction: Instruction) -> None:
    c.define(instruction, c.group)


def _lane_id(c: Context, instruction: Instruction) -> None:
    c.define(instruction, c.lane)


_LOOPS = {"serial": masked_branches.serial, "unroll": masked_branches.unroll, "lanes": map_lanes}


def _for(c: Context, instruction: Instruction) -> None:
    if len(instruction.blocks) == 2:
        reduce_lanes(c, instruction)
    elif len(instruction.blocks) == 3:
        scan_lanes(c, instruction)
    elif "appends" in instruction.attributes and (appends := find_appends(c, instruction)) is not None:
        append_lanes(c, instruction, appends)
    else:
        _LOOPS[instruction.attributes["kind"]](c, instruction)


HANDLERS: dict[str, Handler] = {
    **dict.fromkeys((*ARITHMETIC, *OPTIONAL), _arithmetic),
    **dict.fromkeys(COMPARISONS, _compare),
    "or": _or,
    "add": _index_sum,
    "sub": _index_sum,
    "mul": _index_product,
    "neg": _index_negation,
    **dict.fromkeys(("quotient", "remainder"), _position_division),
    "constant": _constant,
    "cast": _cast,
    "bitcast": _bitcast,
    "select": _select,
    "group_id": _group_id,
    "lane_id": _lane_id,
    "load": memory.load,
    "store": memory.store,
    "allocate": memory.allocate,
    "table": memory.table,
    "atomic": memory.atomic,
    "barrier": masked_branches.barrier,
    "fence": masked_branches.fence,
    "for": _for,
    "while": masked_branches.repeat_while,
    "if": masked_branches.branch,
    "exit": masked_branches.leave_kernel,
}
