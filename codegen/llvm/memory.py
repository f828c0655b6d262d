"""Loads, stores and arrays: contiguous, reversed, uniform and scattered accesses, with masks of active
lanes."""

from __future__ import annotations

from ...ir.types import DType
from ..kernel.nodes import Buffer, Instruction, Value
from .arithmetic import is_short_float
from .context import Affine, Context, Memory, Window
from .interleaved import load_interleaved, store_interleaved
from .lookups import lookup_index, permuted
from .rounding import any_lane
from .spelling import bits_of, bytes_of, constant, memory_type, register_type, suffix, vector
from .streaming import either, store_vectors, stream_flag
from .target import UnsupportedKernel
from .windows import STEPS, load_window
from .writer import Operand, integer


def load(c: Context, instruction: Instruction) -> None:
    buffer, position, *masks = instruction.operands
    assert isinstance(buffer, Buffer)
    own = c.operand(masks[0]) if masks else None
    if (index := lookup_index(instruction)) is not None:
        operand = permuted(c, buffer, c.operand(index))
        if operand is not None:
            c.define(instruction, operand)
            return
    window, group = c.windows.get(instruction), c.interleaved.get(instruction)
    if window is not None and group is not None and len(group.members) <= STEPS[-1]:
        group = group if group.members[0] in c.first_parts else None
    if group is not None and load_interleaved(c, group, instruction):
        return
    raw = _load(c, buffer, position, own, window)
    c.define(instruction, _from_memory(c, buffer.dtype, raw))


def store(c: Context, instruction: Instruction) -> None:
    buffer, position, value, *rest = instruction.operands
    assert isinstance(buffer, Buffer)
    group = c.interleaved.get(instruction)
    if group is not None and store_interleaved(c, group, instruction):
        return
    stream = stream_flag(c, instruction)
    own = c.operand(rest[0]) if "masked" in instruction.attributes else None
    stored = _to_memory(c, buffer.dtype, c.operand(value))
    _store(c, buffer, position, stored, own, stream)


def _from_memory(c: Context, dtype: DType, raw: Operand) -> Operand:
    if dtype.kind != "bool":
        return raw
    return c.writer.compare("icmp ne", raw, integer(0, "i8"))


def _to_memory(c: Context, dtype: DType, value: Operand) -> Operand:
    if dtype.kind != "bool":
        return value
    return c.writer.convert("zext", value, "i8")


# Loads -----------------------------------------------------------------------------------------------
def _load(c: Context, buffer: Buffer, position: Value, own: Operand | None, window: Window | None) -> Operand:
    memory, type_ = c.memory[buffer], memory_type(buffer.dtype)
    index = c.index(position)
    mask = _mask(c, own)
    if memory.lanes > 1:
        return _load_interleaved(c, memory, type_, index)
    if isinstance(index, Operand) and index.width == 1:
        return _load_uniform(c, memory, type_, index, own)
    if isinstance(index, Affine) and index.step.literal in (1, -1):
        return _load_contiguous(c, memory, type_, index, mask)
    if window is not None and isinstance(index, Affine):
        loaded = load_window(c, window, memory.address, type_, mask, _has_masked(c, type_))
        if loaded is not None:
            return loaded
    return _gather(c, memory, type_, index, mask)


def _mask(c: Context, own: Operand | None) -> Operand | None:
    """Returns the lanes of an access: the active ones in its own mask."""
    return c.mask if own is None else c.narrowed(own)


def _load_uniform(c: Context, memory: Memory, type_: str, position: Operand, own: Operand | None) -> Operand:
    address = c.element(memory.address, type_, position)
    text = f"load {type_}, ptr {{}}, align {bytes_of(type_)}"
    if own is None:
        if memory.constant:
            return c.writer.invariant_load(text.format(address.text), type_, (address,))
        return c.writer.effect(text.format(address.text), type_)
    # A load with no active lane reads the scratch line instead.
    wanted = any_lane(c.writer, c.narrowed(own))
    safe = c.writer.select(wanted, address, _scratch(c))
    loaded = c.writer.effect(text.format(safe.text), type_)
    return c.writer.select(own, loaded, _nothing(type_))


def _load_contiguous(c: Context, memory: Memory, type_: str, index: Affine, mask: Operand | None) -> Operand:
    w, width = c.writer, c.width
    backward = index.step.literal == -1
    base = w.add(index.base, integer(1 - width)) if backward else index.base
    address = c.element(memory.address, type_, base)
    reverse = tuple(range(width - 1, -1, -1))
    if mask is None:
        loaded = w.effect(
            f"load {vector(type_, width)}, ptr {address.text}, align {bytes_of(type_)}", type_, width
        )
    elif _has_masked(c, type_):
        wanted = w.shuffle(mask, reverse) if backward else mask
        kind = vector(type_, width)
        loaded = w.effect(
            f"call {kind} @llvm.masked.load.{suffix(type_, width)}.p0("
            f"ptr {address.text}, i32 {bytes_of(type_)}, {wanted.spelled}, {kind} zeroinitializer)",
            type_,
            width,
        )
    else:
        return _gather(c, memory, type_, index, mask)
    return w.shuffle(loaded, reverse) if backward else loaded


def _load_interleaved(c: Context, memory: Memory, type_: str, index: Operand | Affine) -> Operand:
    """Loads from a private array of every lane: element p of lane l is at p * lanes + l."""
    width, place = c.width, _interleaved(c, memory, index)
    if place.width > 1:
        return _gather(c, memory, type_, place, c.mask)
    address = c.element(memory.address, type_, place)
    text = f"load {vector(type_, width)}, ptr {address.text}, align {bytes_of(type_)}"
    return c.writer.effect(text, type_, width)


def _interleaved(c: Context, memory: Memory, index: Operand | Affine) -> Operand:
    """Returns the addresses of the lanes' elements: of lane 0 for a uniform index (the others follow), else
    of each lane."""
    w = c.writer
    position = c.lanes_of(index) if isinstance(index, Affine) else index
    first = c.first_lane if memory.of_workgroup else integer(0)
    if position.width == 1:
        return w.add(w.mul(position, integer(memory.lanes)), first)
    scaled = w.binary("mul", position, integer(memory.lanes))
    return w.binary("add", w.binary("add", scaled, w.iota(c.width)), first)


def _gather(c: Context, memory: Memory, type_: str, index: Operand | Affine, mask: Operand | None) -> Operand:
    w, width = c.writer, c.width
    kind = vector(type_, width)
    # With all lanes active, scalar loads are as fast as a gather, or twice as fast (Zen 5).
    if mask is not None and c.target.has_gather and bits_of(type_) >= 32:
        positions = c.lanes_of(index) if isinstance(index, Affine) else index
        addresses = c.element(memory.address, type_, positions)
        return w.effect(
            f"call {kind} @llvm.masked.gather.{suffix(type_, width)}.v{width}p0("
            f"{_aligned(addresses, type_)}, {mask.spelled}, {kind} zeroinitializer)",
            type_,
            width,
        )
    result = Operand("zeroinitializer" if mask else "poison", type_, width)
    for lane in range(width):
        address = _lane_address(c, memory, type_, index, lane, mask)
        loaded = w.effect(f"load {type_}, ptr {address.text}, align {bytes_of(type_)}", type_)
        result = w.effect(f"insertelement {result.spelled}, {loaded.spelled}, i64 {lane}", type_, width)
    if mask is None:
        return result
    return w.select(mask, result, Operand("zeroinitializer", type_, width))


def _lane_address(
    c: Context, memory: Memory, type_: str, index: Operand | Affine, lane: int, mask: Operand | None
) -> Operand:
    """Returns the address of one lane's element; the scratch line for an inactive lane."""
    w = c.writer
    if isinstance(index, Affine):
        position = w.add(index.base, w.mul(index.step, integer(lane)))
    else:
        position = w.shuffle(index, (lane,)) if index.width > 1 else index
    address = c.element(memory.address, type_, position)
    if mask is None:
        return address
    return w.select(w.shuffle(mask, (lane,)), address, _scratch(c))


# Stores ----------------------------------------------------------------------------------------------
def _store(
    c: Context, buffer: Buffer, position: Value, value: Operand, own: Operand | None, stream: Operand | None
) -> None:
    memory, type_ = c.memory[buffer], memory_type(buffer.dtype)
    index = c.index(position)
    mask = _mask(c, own)
    if c.width == 1 and memory.lanes == 1:
        _store_scalar(c, memory, type_, index, value, own)
        return
    value = c.writer.splat(value, c.width)
    if memory.lanes > 1:
        _store_interleaved(c, memory, type_, index, value, mask)
    elif isinstance(index, Affine) and index.step.literal in (1, -1):
        _store_contiguous(c, memory, type_, index, value, mask, stream)
    else:
        _scatter(c, memory, type_, index, value, mask)


def _store_scalar(
    c: Context, memory: Memory, type_: str, index: Operand | Affine, value: Operand, own: Operand | None
) -> None:
    assert isinstance(index, Operand)
    address = c.element(memory.address, type_, index)
    if own is not None:
        address = c.writer.select(own, address, _scratch(c))
    c.writer.line(f"store {value.spelled}, ptr {address.text}, align {bytes_of(type_)}")


def _store_contiguous(
    c: Context,
    memory: Memory,
    type_: str,
    index: Affine,
    value: Operand,
    mask: Operand | None,
    stream: Operand | None,
) -> None:
    w, width = c.writer, c.width
    base = index.base
    reverse = tuple(range(width - 1, -1, -1))
    if index.step.literal == -1:
        base = w.add(base, integer(1 - width))
        value = w.shuffle(value, reverse)
        mask = None if mask is None else w.shuffle(mask, reverse)
    address = c.element(memory.address, type_, base)
    align = bytes_of(type_)
    masked = ""
    if mask is not None:
        masked = (
            f"call void @llvm.masked.store.{suffix(type_, width)}.p0({value.spelled}, "
            f"ptr {address.text}, i32 {align}, {mask.spelled})"
        )
    if mask is None or (stream is not None and mask is c.outer and c.whole is not None):
        store_vectors(c, [address], [value], stream, masked)
    elif _has_masked(c, type_):
        _store_masked(c, f"store {value.spelled}, ptr {address.text}, align {align}", masked, mask)
    else:
        _scatter(c, memory, type_, index if base is index.base else Affine(base, integer(1)), value, mask)


def _store_masked(c: Context, plain: str, masked: str, mask: Operand) -> None:
    """Masked stores are slow on some processors: whole vectors avoid them."""
    if mask is c.outer and c.whole is not None:
        either(c, c.whole, [plain], [masked])
    else:
        c.writer.line(masked)


def _store_interleaved(
    c: Context, memory: Memory, type_: str, index: Operand | Affine, value: Operand, mask: Operand | None
) -> None:
    w, width = c.writer, c.width
    place = _interleaved(c, memory, index)
    if place.width > 1:
        _scatter(c, memory, type_, place, value, mask)
        return
    address = c.element(memory.address, type_, place)
    kind, align = vector(type_, width), bytes_of(type_)
    if mask is not None:
        # The array is private to this thread: an inactive lane writes its old element.
        kept = w.effect(f"load {kind}, ptr {address.text}, align {align}", type_, width)
        value = w.select(mask, value, kept)
    w.line(f"store {value.spelled}, ptr {address.text}, align {align}")


def _scatter(
    c: Context, memory: Memory, type_: str, index: Operand | Affine, value: Operand, mask: Operand | None
) -> None:
    w = c.writer
    varies = isinstance(index, Affine) or index.width > 1
    if mask is not None and c.target.has_scatter and bits_of(type_) >= 32 and varies:
        positions = c.lanes_of(index) if isinstance(index, Affine) else index
        addresses = c.element(memory.address, type_, positions)
        w.line(
            f"call void @llvm.masked.scatter.{suffix(type_, c.width)}.v{c.width}p0({value.spelled}, "
            f"{_aligned(addresses, type_)}, {mask.spelled})"
        )
        return
    for lane in range(c.width):
        address = _lane_address(c, memory, type_, index, lane, mask)
        w.line(f"store {w.shuffle(value, (lane,)).spelled}, ptr {address.text}, align {bytes_of(type_)}")


# Arrays ----------------------------------------------------------------------------------------------
def allocate(c: Context, instruction: Instruction) -> None:
    """Allocates an array on the stack: one for each lane inside a lanes loop, interleaved."""
    buffer = instruction.results[0]
    assert isinstance(buffer, Buffer)
    size: int = instruction.attributes["size"]
    address = c.stack(memory_type(buffer.dtype), size * c.width)
    c.memory[buffer] = Memory(address, c.width)


def table(c: Context, instruction: Instruction) -> None:
    buffer = instruction.results[0]
    assert isinstance(buffer, Buffer)
    type_ = memory_type(buffer.dtype)
    values = instruction.attributes["values"]
    items = ", ".join(f"{type_} {_stored_literal(value, buffer.dtype)}" for value in values)
    text = f"private unnamed_addr constant [{len(values)} x {type_}] [{items}], align 64"
    name = c.writer.constants.setdefault(text, f"@table{len(c.writer.constants)}")
    c.memory[buffer] = Memory(Operand(name, "ptr"), constant=True)


def _stored_literal(value: bool | int | float, dtype: DType) -> str:
    return str(int(value)) if dtype.kind == "bool" else constant(value, dtype)


_ATOMICS: dict[str, tuple[str, str, str]] = {
    # for signed integers, unsigned integers, floats (minimum and maximum keep NaN)
    "add": ("add", "add", "fadd"),
    "min": ("min", "umin", "fminimum"),
    "max": ("max", "umax", "fmaximum"),
    "and": ("and", "and", ""),
    "or": ("or", "or", ""),
    "xor": ("xor", "xor", ""),
    "exchange": ("xchg", "xchg", "xchg"),
}
_ORDERS = {
    "relaxed": "monotonic",
    "acquire": "acquire",
    "release": "release",
    "acquire_release": "acq_rel",
    "sequential": "seq_cst",
}


def atomic(c: Context, instruction: Instruction) -> None:
    """Writes a read-modify-write, lane after lane."""
    buffer, position, value = instruction.operands
    assert isinstance(buffer, Buffer)
    dtype, type_ = buffer.dtype, register_type(buffer.dtype)
    op = _ATOMICS[instruction.attributes["kind"]][2 if dtype.is_float else 0 if dtype.is_signed else 1]
    if not op or is_short_float(dtype):
        raise UnsupportedKernel(f"{c.kernel.name}: no atomic {instruction.attributes['kind']} of {dtype}")
    order = _ORDERS[instruction.attributes["order"]]
    memory, index, added, w = c.memory[buffer], c.index(position), c.operand(value), c.writer
    if c.width == 1:
        address = _lane_address(c, memory, type_, index, 0, None)
        c.define(instruction, w.effect(f"atomicrmw {op} ptr {address.text}, {added.spelled} {order}", type_))
        return
    old = Operand("zeroinitializer", type_, c.width)
    added = w.splat(added, c.width)
    for lane in range(c.width):
        address = _lane_address(c, memory, type_, index, lane, c.mask)
        one = w.shuffle(added, (lane,))
        seen = w.effect(f"atomicrmw {op} ptr {address.text}, {one.spelled} {order}", type_)
        old = w.effect(f"insertelement {old.spelled}, {seen.spelled}, i64 {lane}", type_, c.width)
    c.define(instruction, old)


# Details ---------------------------------------------------------------------------------------------
def _aligned(addresses: Operand, type_: str) -> str:
    return f"{addresses.spelled}, i32 {bytes_of(type_)}"


def _nothing(type_: str) -> Operand:
    return Operand("0x0000000000000000" if type_ in ("float", "double") else "0", type_)


def _has_masked(c: Context, type_: str) -> bool:
    return c.target.has_masks or (c.target.has_masked_words and bits_of(type_) >= 32)


def _scratch(c: Context) -> Operand:
    """Returns eight bytes of this thread that any lane may access."""
    if c.scratch is None:
        c.scratch = c.stack("i64", 1, 8)
        c.writer.allocations.append(f"  store i64 0, ptr {c.scratch.text}, align 8")
    return c.scratch
