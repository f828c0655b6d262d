"""`c_dialect(...)`: the fields of a dialect that all languages with C's declarations and expressions
share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .dialect import Dialect, Half, table

INTEGERS = ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64")
BITWISE = ("and", "or", "xor")
KINDS = ("add", "min", "max", *BITWISE)
"""Atomics that return the old value, without the exchange."""
FUNCTIONS = table(
    abs="fabs({x})",
    fma="fma({x}, {y}, {z})",
    fmod="fmod({x}, {y})",
    **{name: f"{name}({{x}})" for name in ("sqrt", "floor", "ceil", "trunc", "rint")},
    copysign="copysign({x}, {y})",
)
"""Functions of C itself, whose results are IEEE's where a language guarantees it."""


def c_types(*integers: str) -> Mapping[str, str]:
    """The types of C's kind, given those of the eight integers; 16-bit floats are computed as f32."""
    floats = {"f16": "float", "bf16": "float", "f32": "float", "f64": "double"}
    return table(bool="bool", **dict(zip(INTEGERS, integers, strict=True)), **floats)


def converted_half(storage: str, narrowed: str) -> Half:
    """A 16-bit float that conversions of C reach; `narrowed` as in `Half`."""
    return Half(storage, widened="(float)({x})", narrowed=narrowed, rounded=f"(float)({narrowed})")


def by_kind(template: str, names: tuple[str, ...] = KINDS) -> dict[str, str]:
    """Returns a template of atomics for each kind: KIND and Kind in it are the kind's name."""
    return {name: template.replace("KIND", name).replace("Kind", name.title()) for name in names}


def swap_loop(type_: str, first: str, swap: str) -> tuple[str, ...]:
    """Returns `atomic_retry` by a compare-and-swap that returns the old value; `first` is a first guess."""
    return (
        f"{type_} {{old}} = {first};",
        "for (;;) {{",
        f"  const {type_} seen = {swap};",
        "  if (seen == {old}) break;",
        "  {old} = seen;",
        "}}",
    )


def c11_atomics(place: str, how: str) -> Mapping[str, str]:
    """C11's atomics of a place; `how`: the last arguments of each."""
    fetching = by_kind(f"atomic_fetch_KIND_explicit({place}, {{x}}, {how})")
    return table(**fetching, exchange=f"atomic_exchange_explicit({place}, {{x}}, {how})")


def c11_retry(type_: str, place: str, load: str, swap: str, strength: str = "strong") -> tuple[str, ...]:
    """`atomic_retry` of C11; `load`, `swap`: the last arguments of the two."""
    return (
        f"{type_} {{old}} = atomic_load_explicit({place}, {load});",
        f"while (!atomic_compare_exchange_{strength}_explicit({place}, &{{old}}, {{next}}, {swap})) {{{{",
        "}}",
    )


def c_dialect(*, types: Mapping[str, str], wide: str, bitcast: str, **own: Any) -> Dialect:
    """Returns a dialect of C.

    `wide`: the suffix of 64-bit literals; `bitcast`: as in `Dialect`. Fields in `own` replace those of C.
    """
    small = {
        name: f"(({types[name]}){{x}}{'u' if name[0] == 'u' else ''})" for name in ("i8", "i16", "u8", "u16")
    }
    low_word = f"({types['u32']})launch.slots[{{n}}]"
    common = {
        "missing": table(),
        "index_bits": (64, 32),
        "packed": False,
        "let": "const {type} {name} = {value};",
        "variable": "{type} {name} = {value};",
        "unset": "{type} {name};",
        "array": "{type} {name}[{size}];",
        "in_module": False,
        "float_tables_as_bits": True,
        "parameter": "{type} {name}",
        "loop": "for ({type} {name} = {lower}; {name} < {upper}; {name} += {step}) {{",
        "forever": "for (;;) {{",
        "literals": table(
            bool="{x}", **small, i32="{x}", u32="{x}u", i64=f"{{x}}{wide}", u64=f"{{x}}u{wide}",
            f32="{x}f", f64="{x}",
        ),
        "lowest": table(
            **{types["i32"]: "(-2147483647 - 1)", types["i64"]: f"(-9223372036854775807{wide} - 1)"}
        ),
        "special_float": bitcast.replace("{x}", "{bits}"),
        "select": "({condition} ? {then} : {orelse})",
        "convert": "({type})({x})",
        "evaluates_constants": False,
        "functions": FUNCTIONS,
        "own": table(),
        "is_nan": "{x} != {x}",
        "fma": True,
        "accesses": table(**{"in": "const ", "out": "", "inout": ""}),
        "slot": table(
            bool="(launch.slots[{n}] & 0xffu) != 0",
            **{types[name]: f"({types[name]})launch.slots[{{n}}]" for name in INTEGERS},
            float=bitcast.format(type="float", x=low_word),
            double=bitcast.format(type="double", x="launch.slots[{n}]"),
        ),
        "ragged": False,
        "uniform_load": (own["shared_barrier"], "const {type} {name} = {place};", own["shared_barrier"]),
        "uniform_memory": True,
        "atomic_words": False,
    }  # fmt: skip
    return Dialect(types=types, bitcast=bitcast, **{**common, **own})
