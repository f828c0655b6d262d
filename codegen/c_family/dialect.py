"""`Dialect`: a frozen record of the differences between C-like languages: types, spellings, capabilities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from ...ir.record import record
from ...ir.types import DType


class UnsupportedKernel(NotImplementedError):
    """The kernel needs a feature that this device lacks; the message names it, and the remedy."""


def table(**entries: Any) -> Mapping[str, Any]:
    """A read-only table by name."""
    return MappingProxyType(entries)


class Half(metaclass=record):
    """Conversions of a 16-bit float type to and from f32 in a language; empty ones are done on the bits."""

    storage: str
    """The type of an element in memory; a register holds the value as f32."""
    widened: str = ""
    """The f32 value of {x}, an element."""
    narrowed: str = ""
    """The element that holds {x}, which the type holds exactly."""
    load: str = ""
    """Where memory holds no such values: the f32 value of element {at} of the array {name} in {space}."""
    store: str = ""
    """The same way, the statement that stores {x}."""
    rounded: str = ""
    """The f32 {x} rounded to nearest even to the type's values."""


class Vectors(metaclass=record):
    """The spelling of wide loads and stores, of several consecutive elements of a buffer at once."""

    type: str
    """The type of {lanes} elements of {type}: {vector} in what follows."""
    load: str
    """The vector that begins with element {at} of {name}, on a boundary of its size."""
    store: str
    """The statement that stores the vector {x} there."""
    of: str = "{vector}({values})"
    """A vector of its elements' {values}."""
    element: str = "{x}[{n}]"
    """Element {n} of the vector {x}."""
    missed: str = ""
    """Bytes, as {type}, from the boundary before it to element {at} of {name}: multiples of {mask} + 1. Empty
    where vectors begin at any element, or at known ones only."""
    most: int = 8
    """The most elements of a vector."""
    widest: int = 8
    """The most bytes of an element."""
    single: str = ""
    """Element {at} of {name}, a buffer declared as an array of vectors, as wide accesses require: a lane that
    writes an element may write all of its vector. Empty where any buffer has wide accesses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """A language as the generator sees it. Templates are for `str.format`; `name` is for people.

    Words in templates: {type}, {name}, {value}, {size} of a declaration; {x}, {y}, {z} operands.
    """

    name: str
    device: str
    """The device's name in messages."""
    header: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    """What the compiler is told on its command line."""

    # Types -------------------------------------------------------------------------------------------
    types: Mapping[str, str]
    """The type a value of each dtype has in registers; a dtype that is missing is refused."""
    memory_types: Mapping[str, str] = field(default_factory=table)
    """The type of an element in private and shared arrays, where it differs from the register's."""
    missing: Mapping[str, str]
    """For each dtype that is refused: what to use instead."""
    index_bits: tuple[int, ...]
    """Widths of `index`, the default first."""
    packed: bool
    """Global memory is 32-bit words: elements of 8 and 16 bits are parts of them."""
    halves: Mapping[str, Half] = field(default_factory=table)
    """Conversions of f16 and bf16, whose register type is f32's; by integer operations where missing."""
    wrapped: frozenset[str] = frozenset()
    """Dtypes narrower than their registers: results are wrapped by hand."""
    signed_wraps: bool = False
    """Overflow of signed integers wraps; else it is computed unsigned."""
    shift_count: str = "{x}"
    """A shift's count, which the language may want unsigned."""

    # Declarations ------------------------------------------------------------------------------------
    let: str
    variable: str
    unset: str
    array: str
    shared: str
    in_module: bool
    """Buffers and shared arrays are declared outside of the kernel, else as its parameters and inside it."""
    constants: str
    """An array of constants at module scope: {values} too."""
    float_tables_as_bits: bool
    """Arrays of constants cannot hold infinities and NaN, so floats stand there as their bits."""
    parameter: str
    function: str
    loop: str
    forever: str

    # Expressions -------------------------------------------------------------------------------------
    literals: Mapping[str, str]
    """Template of a finite literal {x} of each dtype."""
    lowest: Mapping[str, str]
    """The smallest integer of each type, where its literal is special."""
    special_float: str
    """A float by its bits, for infinities and NaN: {type}, {bits}."""
    select: str
    convert: str
    converts_u32: bool = True
    """Whether u32 is converted to the nearest f32; else the result may be a neighbor of it."""
    bitcast: str
    evaluates_constants: bool
    """Whether the compiler evaluates expressions of literals, and refuses those that overflow."""
    functions: Mapping[str, str]
    """Kernel operations that are one expression: arithmetic with IEEE results, and sufficiently accurate math
    functions."""
    own: Mapping[str, tuple[str, ...]]
    """The language's own function definitions; a spelling that calls one writes it as #name(…)."""
    is_nan: str
    kept: str = ""
    """Where the compiler may reassociate floats: makes {x} opaque to it, without changing its bits."""
    fma: bool = False
    """`fma` rounds once."""

    # Launch ------------------------------------------------------------------------------------------
    buffer: str
    """A buffer's declaration: {number}, {name}, {type} and {access}, a word of `accesses`."""
    accesses: Mapping[str, str]
    launch: tuple[str, ...]
    """The launch block's declaration: {slots}, half as many {pairs}, {number} of its binding."""
    view: str = ""
    """Moves buffer {name} on by the elements in slot {n}; empty where a driver binds a view directly."""
    launch_parameters: tuple[str, ...]
    """The kernel's parameters after its buffers."""
    entry: tuple[str, ...]
    """The kernel's head: {threads}, {name} and {parameters}."""
    slot: Mapping[str, str]
    """A value of each register type out of slot number {n} of the launch block."""
    group: str
    """The workgroup's number in its grid."""
    ragged: bool
    """A grid has two axes, as one may be too short, and so may hold more workgroups than were launched."""
    lane: str
    buffer_limit: int
    """Buffers of one kernel that every such device has."""

    # Barriers ----------------------------------------------------------------------------------------
    barrier: str
    shared_barrier: str
    """A barrier that orders shared memory only."""
    uniform_load: tuple[str, ...]
    """Every lane reads one element {place} of shared memory that one lane wrote, as {name} of {type}."""
    uniform_memory: bool
    """Whether control flow that encloses barriers may depend on memory that the kernel writes."""
    fences: Mapping[str, str]
    """Each scope's fence; one that is missing is refused. BARRIER: it is also a barrier."""
    strict_fences: Mapping[str, str] = field(default_factory=table)
    """Sequentially consistent fences by scope. Between two, a relaxed atomic has any order."""

    # Subgroups: lanes of a workgroup that run in step ------------------------------------------------
    shuffle_down: str = ""
    """{x}, a name, of the lane {delta} places up; undefined past the subgroup's end. All lanes take part."""
    broadcast: str = ""
    """{x} of the subgroup's first lane."""
    subgroup_size: str = ""
    """The number of the workgroup's lanes in this subgroup, as {type}: fewer in the last one. Empty where all
    must have `subgroup_lanes`."""
    subgroup_meeting: str = ""
    """A statement that synchronizes the lanes of a subgroup; empty where a shuffle does."""
    subgroup_lane: str = ""
    """This lane's place in its subgroup, as {type}."""
    subgroup_types: frozenset[str] = frozenset()
    """Register types that are shuffled as they are; others go as one or two u32."""
    subgroup_reduce: Mapping[str, str] = field(default_factory=table)
    """Reductions of 32-bit integers {x} in one expression, by kind."""
    subgroup_lanes: int = 0
    """The number of consecutive lanes of a workgroup, from a multiple of it, that certainly share a
    subgroup."""

    # Atomics -----------------------------------------------------------------------------------------
    atomics: Mapping[str, str]
    """Each kind's expression of {place} and {x}; {space}, {type}, {order} and {scope} too."""
    atomics64: Mapping[str, str] = field(default_factory=table)
    """The same for 64-bit integers, where there are such atomics."""
    float_atomics: Mapping[str, Mapping[str, str]] = field(default_factory=table)
    """Those for floats by dtype, where they round as an addition does; else `atomic_retry` serves."""
    orders: Mapping[str, str] = field(default_factory=lambda: table(relaxed=""))
    """The name of each memory order; a missing one is composed of strict fences, or refused."""
    failures: Mapping[str, str] = field(default_factory=table)
    """The name of each order where a comparison fails, as {failure} of `atomic_retry`."""
    scopes: Mapping[str, str] = field(default_factory=lambda: table(workgroup="", device=""))
    """The name of each scope of atomics; a missing one is refused."""
    atomic_words: bool
    """Memory touched by an atomic is declared so, and read and written by atomics only."""
    atomic_load: str = "{place}"
    atomic_store: str = "{place} = {x};"
    atomic_retry: tuple[str, ...]
    """A loop that replaces word {place} of {space} by {next} of its old value, and leaves that in {old}.

    {type} is the word's; {order}, {failure} and {scope} as above.
    """
    atomic_retry64: tuple[str, ...] = ()
    vectors: Vectors | None = None
    spaces: Mapping[str, str] = field(default_factory=table)
    """The name of each memory space, for templates with one."""

    def type_of(self, dtype: DType, index_bits: int) -> str:
        """Returns the register type of a dtype; raises UnsupportedKernel."""
        if dtype.kind == "index":
            return self.types["i64" if index_bits == 64 else "i32"]
        known = self.types.get(dtype.name)
        if known is None:
            advice = self.missing.get(dtype.name, "cast to a dtype it has")
            raise UnsupportedKernel(f"{self.device} has no {dtype.name}: {advice}")
        return known

    def without(self, lacks: frozenset[str]) -> Dialect:
        """Returns the dialect of a device that lacks some dtypes; kernels with them are refused."""
        gone = lacks & self.types.keys()
        if not gone:
            return self
        return replace(
            self,
            types=table(**{name: type_ for name, type_ in self.types.items() if name not in gone}),
            missing=table(**{name: _instead(name) for name in gone} | dict(self.missing)),
            index_bits=tuple(bits for bits in self.index_bits if f"i{bits}" not in gone),
        )


_INSTEAD = {"f": "float32", "bf": "float32", "i": "int32", "u": "uint32"}


def _instead(name: str) -> str:
    """Returns the remedy where one device lacks a dtype of its language."""
    other = _INSTEAD.get(name.rstrip("0123456789"), "uint8")
    return f"this device does not compute in it; use {other} or another device"
