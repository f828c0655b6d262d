"""The kernel instruction set: one record per instruction, with its typing rule.

Every backend spells every instruction its capabilities admit; the interpreter is their meaning.
"""

from __future__ import annotations

from typing import Literal

from ...ir.record import record

Rule = Literal[
    "same",  # operands of one dtype, result of that dtype
    "compare",  # operands of one dtype, result bool
    "select",  # (bool, T, T) -> T
    "shift",  # (T, T) integers -> T
    "shuffle",  # (T, index) -> T
    "attribute",  # result dtype stands in attribute "dtype"
    "memory",  # typed by its buffer
    "structured",  # owns blocks
    "call",  # typed by its function
    "effect",  # no result
]


class KernelOp(metaclass=record):
    """One instruction: its name, typing rule, operand count and the kinds of dtype it admits."""

    name: str
    rule: Rule
    arity: int | None
    kinds: str = "biufx"
    """Admitted operand kinds: b bool, i int, u uint, f float, x index."""


def _table(*ops: KernelOp) -> dict[str, KernelOp]:
    return {op.name: op for op in ops}


ARITHMETIC = _table(
    KernelOp("add", "same", 2, "iufx"),
    KernelOp("sub", "same", 2, "iufx"),
    KernelOp("mul", "same", 2, "iufx"),
    KernelOp("neg", "same", 1, "iufx"),
    KernelOp("abs", "same", 1, "iufx"),
    # IEEE division of floats.
    KernelOp("div", "same", 2, "f"),
    # Integer division and remainder as NumPy has them, total: x // 0 = 0, x % 0 = 0, MIN // -1 wraps.
    KernelOp("floordiv", "same", 2, "iu"),
    KernelOp("floormod", "same", 2, "iu"),
    # Division of non-negative positions by positive extents.
    KernelOp("quotient", "same", 2, "x"),
    KernelOp("remainder", "same", 2, "x"),
    # C's fmod of floats (sign of the dividend), exact.
    KernelOp("fmod", "same", 2, "f"),
    # NaN-keeping; of two zeros the second, as in NumPy, and of float16's the first.
    KernelOp("minimum", "same", 2, "biufx"),
    KernelOp("maximum", "same", 2, "biufx"),
    KernelOp("fma", "same", 3, "f"),  # one rounding; refused by targets without it
    KernelOp("sqrt", "same", 1, "f"),
    KernelOp("floor", "same", 1, "f"),
    KernelOp("ceil", "same", 1, "f"),
    KernelOp("trunc", "same", 1, "f"),
    KernelOp("rint", "same", 1, "f"),
    KernelOp("copysign", "same", 2, "f"),
    KernelOp("and", "same", 2, "biux"),
    KernelOp("or", "same", 2, "biux"),
    KernelOp("xor", "same", 2, "biux"),
    KernelOp("not", "same", 1, "biu"),
    # Total: shifting by the width or more gives 0 (or the sign for an arithmetic right shift).
    KernelOp("shift_left", "shift", 2, "iu"),
    KernelOp("shift_right", "shift", 2, "iu"),
)

COMPARISONS = _table(*(KernelOp(name, "compare", 2) for name in ("eq", "ne", "lt", "le", "gt", "ge")))

# Spelled with the vendor's function where it is accurate enough, else expanded from codegen/math.
MATH = _table(
    # The greatest common divisor; gcd(x, 0) = x.
    KernelOp("gcd", "same", 2, "u"),
    # The high half of a product.
    KernelOp("mul_high", "same", 2, "u"),
    # Of 32 bits: a word of Philox4x32-10, of the four words of the counter and the two of the key.
    *(KernelOp(f"philox{word}", "same", 6, "u") for word in range(4)),
    # Of 32 bits: the bits of a float32 with the value of one of eight integers of four bits, from -8 to 7.
    *(KernelOp(f"int4_{place}", "same", 1, "u") for place in range(8)),
    # x * y + z, in one rounding where the target has an instruction for that, else in two.
    KernelOp("multiply_add", "same", 3, "f"),
    KernelOp("exp", "same", 1, "f"),
    KernelOp("exp2", "same", 1, "f"),
    KernelOp("expm1", "same", 1, "f"),
    KernelOp("log", "same", 1, "f"),
    KernelOp("log2", "same", 1, "f"),
    KernelOp("log10", "same", 1, "f"),
    KernelOp("log1p", "same", 1, "f"),
    KernelOp("sin", "same", 1, "f"),
    KernelOp("cos", "same", 1, "f"),
    KernelOp("tanh", "same", 1, "f"),
    KernelOp("sinh", "same", 1, "f"),
    KernelOp("cosh", "same", 1, "f"),
    KernelOp("asinh", "same", 1, "f"),
    KernelOp("acosh", "same", 1, "f"),
    KernelOp("atanh", "same", 1, "f"),
    KernelOp("cbrt", "same", 1, "f"),
    KernelOp("sinc", "same", 1, "f"),  # sin(pi * x) / (pi * x)
    KernelOp("hypot", "same", 2, "f"),
    KernelOp("erf", "same", 1, "f"),
    KernelOp("pow", "same", 2, "f"),
    KernelOp("tan", "same", 1, "f"),
    KernelOp("asin", "same", 1, "f"),
    KernelOp("acos", "same", 1, "f"),
    KernelOp("atan", "same", 1, "f"),
    KernelOp("atan2", "same", 2, "f"),  # (y, x)
    KernelOp("erfc", "same", 1, "f"),
    KernelOp("lgamma", "same", 1, "f"),  # log of gamma's absolute value
    KernelOp("tgamma", "same", 1, "f"),
)

CONVERSIONS = _table(
    KernelOp("constant", "attribute", 0),  # attributes: dtype, value (Python bool/int/float)
    KernelOp("cast", "attribute", 1),  # NumPy's value conversion, total (out of range: see docs/numerics.md)
    KernelOp("bitcast", "attribute", 1),  # same width
    KernelOp("select", "select", 3),
)

# Instructions of some targets alone: written only for targets known to have them.
OPTIONAL = _table(
    KernelOp("scale", "same", 2, "f"),  # x * 2**floor(y), in one rounding; NaN for 0 * 2**inf
    KernelOp("exponent", "same", 1, "f"),  # floor(log2(|x|)), of denormals too; -inf of 0, inf of inf
    # x / 2**exponent(x), which is in [1, 2); NaN of x < 0, 1 of 0 and inf, -1 of -0
    KernelOp("significand", "same", 1, "f"),
    # The same with another power of two, so that it is in [0.75, 1.5)
    KernelOp("significand_near_one", "same", 1, "f"),
)

POSITION = _table(
    KernelOp("group_id", "attribute", 0, "x"),  # attribute dtype = index
    KernelOp("lane_id", "attribute", 0, "x"),
)

MEMORY = _table(
    KernelOp("load", "memory", 2),  # (buffer, position) -> T; with a third operand: mask, masked lanes give 0
    KernelOp("store", "memory", 3),  # (buffer, position, value [, mask]); attribute stream: see nodes.py
    KernelOp("allocate", "attribute", 0),  # attributes: dtype, size (elements), space "private" | "shared"
    KernelOp("table", "attribute", 0),  # constant array: attributes dtype, values (tuple)
    KernelOp("atomic", "memory", 3),  # (buffer, position, value) -> old; attributes kind, scope, order
    KernelOp("barrier", "effect", 0),  # attribute id: every lane of the workgroup reaches the same one
    KernelOp("fence", "effect", 0),  # attribute scope: thread | workgroup | device | system
)

SUBGROUP = _table(
    # (value, distance): past the subgroup's end a lane keeps its own value.
    KernelOp("subgroup_shuffle_down", "shuffle", 2),
    KernelOp("subgroup_reduce", "attribute", 1),  # attribute kind: add | min | max
)

STRUCTURED = _table(
    KernelOp("for", "structured", None),
    KernelOp("while", "structured", None),
    KernelOp("if", "structured", 1),
    KernelOp("yield", "effect", None),
    KernelOp("exit", "effect", 0),
    KernelOp("call", "call", None),  # attribute function: the name of one of the kernel's
    KernelOp("return", "effect", None),  # the end of a function: its results
)

KERNEL_OPS: dict[str, KernelOp] = {
    **ARITHMETIC,
    **COMPARISONS,
    **MATH,
    **CONVERSIONS,
    **OPTIONAL,
    **POSITION,
    **MEMORY,
    **SUBGROUP,
    **STRUCTURED,
}

PURE = frozenset(
    name for name, op in KERNEL_OPS.items() if op.rule in ("same", "compare", "select", "shift")
) | {"constant", "cast", "bitcast", *POSITION}
"""Instructions whose results depend on their operands and attributes alone, within a lane."""
