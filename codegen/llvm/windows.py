"""Loads at every second to fourth element: contiguous vectors over the lanes' range, then shuffles.

Loads of one block at positions that differ by constants (the components of points) share their vectors.
Elements between the positions are read too: they are inside the same array, which nothing writes meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..kernel.nodes import Block, Buffer, Instruction, Kernel, Value, constant_number
from .context import Affine, Context, Window
from .spelling import bytes_of, suffix, vector
from .writer import Operand, integer

STEPS = (2, 3, 4)
_FEWEST_LANES = 4


def find_windows(kernel: Kernel) -> dict[Instruction, Window]:
    """Returns the unmasked loads of read-only buffers, each with the extent of its siblings."""
    found: dict[Instruction, Window] = {}
    pending = [kernel.body]
    while pending:
        block = pending.pop()
        pending += [inner for instruction in block.instructions for inner in instruction.blocks]
        _find_in(block, found)
    return found


def _find_in(block: Block, found: dict[Instruction, Window]) -> None:
    groups: dict[tuple[Value, Value], list[tuple[Instruction, int]]] = {}
    for instruction in block.instructions:
        if instruction.op.name != "load" or len(instruction.operands) != 2:
            continue
        buffer, position = instruction.operands
        if isinstance(buffer, Buffer) and buffer.access == "in" and buffer.space == "global":
            root, offset = root_of(position)
            groups.setdefault((buffer, root), []).append((instruction, offset))
    for (_, root), members in groups.items():
        bounds = _clusters([offset for _, offset in members])
        for instruction, offset in members:
            found[instruction] = Window(root, offset, *bounds[offset])


def _clusters(offsets: Sequence[int]) -> dict[int, tuple[int, int]]:
    """Returns for each offset the first and last offset of its cluster: offsets of other clusters never share
    vectors with it."""
    clusters: list[list[int]] = []
    for offset in sorted(set(offsets)):
        if clusters and offset - clusters[-1][-1] < STEPS[-1]:
            clusters[-1].append(offset)
        else:
            clusters.append([offset])
    return {offset: (cluster[0], cluster[-1]) for cluster in clusters for offset in cluster}


def root_of(position: Value) -> tuple[Value, int]:
    """Returns a position as another value and a constant to add."""
    offset = 0
    while isinstance(position.producer, Instruction) and position.producer.op.name == "add":
        x, y = position.producer.operands
        constant, rest = (constant_number(x), y) if constant_number(y) is None else (constant_number(y), x)
        if constant is None:
            break
        offset, position = offset + int(constant), rest
    return position, offset


def load_window(
    c: Context, window: Window, address: Operand, type_: str, mask: Operand | None, has_masked: bool
) -> Operand | None:
    """Returns the loaded lanes; None where a window is impossible or does not pay."""
    root = c.index(window.root)
    if not isinstance(root, Affine) or root.step.literal not in STEPS or c.width < _FEWEST_LANES:
        return None
    leading = mask is not None and mask is c.outer and c.few is not None and has_masked
    if mask is not None and not leading:
        return None
    w, width, step = c.writer, c.width, root.step.literal
    together = window.high - window.low < step
    low, high = (window.low, window.high) if together else (window.offset, window.offset)
    length = step * (width - 1) + high - low + 1
    first = c.element(address, type_, w.add(root.base, integer(low)))
    bound = None if mask is None or c.few is None else _bound(c, c.few, step, high - low + 1)
    starts = [min(at, length - width) if bound is None else at for at in range(0, length, width)]
    parts = [_part(c, first, type_, start, bound) for start in starts]
    picks = [window.offset - low + step * lane for lane in range(width)]
    result = parts[0]
    for number in range(1, len(parts)):
        kept = range(width) if number > 1 else picks
        chosen = [
            _pick(pick, number, width, keep, starts[number]) for pick, keep in zip(picks, kept, strict=True)
        ]
        result = _merge(c, result, parts[number], chosen)
    return result


def _bound(c: Context, few: Operand, step: int, span: int) -> Operand:
    """Returns the number of elements that the first `few` lanes span, as an integer that fits a lane."""
    w = c.writer
    reached = w.add(w.mul(few, integer(step)), integer(span - step))
    kind = f"i{c.target.vector_bits // c.width}"
    return reached if kind == "i64" else w.convert("trunc", reached, kind)


def _part(c: Context, first: Operand, type_: str, start: int, bound: Operand | None) -> Operand:
    """Loads one vector of the window; under a mask, the elements below `bound`."""
    w, width = c.writer, c.width
    kind, align = vector(type_, width), bytes_of(type_)
    # Not inbounds: a masked-off part may lie outside the array.
    address = first
    if start:
        address = w.pure(f"getelementptr {type_}, ptr {first.text}, i64 {start}", "ptr", 1, (first,))
    if bound is None:
        return w.invariant_load(f"load {kind}, ptr {address.text}, align {align}", type_, (address,), width)
    places = Operand(
        "<" + ", ".join(f"{bound.type} {start + lane}" for lane in range(width)) + ">", bound.type, width
    )
    mask = w.compare("icmp slt", places, bound)
    text = (
        f"call {kind} @llvm.masked.load.{suffix(type_, width)}.p0("
        f"ptr {address.text}, i32 {align}, {mask.spelled}, {kind} zeroinitializer)"
    )
    return w.invariant_load(text, type_, (address, mask), width)


def _pick(pick: int, number: int, width: int, keep: int, start: int) -> int | None:
    """Returns the source of a lane when part `number` joins the ones before it; None: not there yet."""
    if pick >= (number + 1) * width:
        return None
    return width + pick - start if pick >= number * width else keep


def _merge(c: Context, left: Operand, right: Operand, chosen: Sequence[int | None]) -> Operand:
    picks = ", ".join("i32 poison" if lane is None else f"i32 {lane}" for lane in chosen)
    return c.writer.pure(
        f"shufflevector {left.spelled}, {right.spelled}, <{len(chosen)} x i32> <{picks}>",
        left.type,
        left.width,
        (left, right),
    )
