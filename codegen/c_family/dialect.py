"""What tells one C-like language from another: a frozen record of types, spellings and capabilities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from ...ir.types import DType


class UnsupportedKernel(NotImplementedError):
    """The kernel asks for something this device cannot run; the message says what, and what to do."""


def table(**entries: Any) -> Mapping[str, Any]:
    """A read-only table by name."""
    return MappingProxyType(entries)


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
    memory_types: Mapping[str, str]
    """The type of an element in private and shared arrays, where it differs from the register's."""
    missing: Mapping[str, str]
    """For each dtype that is refused: what to use instead."""
    index_bits: tuple[int, ...]
    """Widths of `index`, the default first."""
    packed: bool
    """Global memory is 32-bit words: elements of 8 and 16 bits are parts of them."""
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
    """Buffers and shared arrays are declared beside the kernel, else as its parameters and inside it."""
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
    bitcast: str
    evaluates_constants: bool
    """An expression of literals alone is evaluated, and refused where it overflows, by the compiler."""
    functions: Mapping[str, str]
    """Kernel operations that are one expression: arithmetic with IEEE results, and math good enough."""
    own: Mapping[str, tuple[str, ...]]
    """Function definitions of the language's own; a spelling that calls one writes it as #name(…)."""
    is_nan: str
    kept: str = ""
    """Where the compiler may reassociate floats: makes {x} opaque to it, at no change of its bits."""
    fma: bool
    """`fma` rounds once."""

    # Launch ------------------------------------------------------------------------------------------
    buffer: str
    """A buffer's declaration: {number}, {name}, {type} and {access}, a word of `accesses`."""
    accesses: Mapping[str, str]
    launch: tuple[str, ...]
    """The launch block's declaration: {slots}, half as many {pairs}, {number} of its binding."""
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

    # Lanes together ----------------------------------------------------------------------------------
    barrier: str
    shared_barrier: str
    """A barrier that orders shared memory only."""
    uniform_load: tuple[str, ...]
    """Every lane reads one element {place} of shared memory that one lane wrote, as {name} of {type}."""
    uniform_memory: bool
    """Control flow around barriers may depend on memory that the kernel writes."""
    fences: Mapping[str, str]
    """Each scope's fence; one that is missing is refused. BARRIER: it is also a barrier."""

    # Atomics -----------------------------------------------------------------------------------------
    atomics: Mapping[str, str]
    """Each kind's expression of {place} and {x}."""
    atomic_words: bool
    """Memory touched by an atomic is declared so, and read and written by atomics only."""
    atomic_load: str = "{place}"
    atomic_store: str = "{place} = {x};"
    atomic_retry: tuple[str, ...]
    """A loop that replaces word {place} of {space} by {next} of what it held; leaves that in {old}."""
    spaces: Mapping[str, str]

    def type_of(self, dtype: DType, index_bits: int) -> str:
        """The register type of a dtype; raises UnsupportedKernel."""
        if dtype.kind == "index":
            return self.types["i64" if index_bits == 64 else "i32"]
        known = self.types.get(dtype.name)
        if known is None:
            advice = self.missing.get(dtype.name, "cast to a dtype it has")
            raise UnsupportedKernel(f"{self.device} has no {dtype.name}: {advice}")
        return known
