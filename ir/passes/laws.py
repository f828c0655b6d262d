"""The algebra that simplification knows: laws of elementwise ops, exact for NaN, infinities, -0.0 and limits.

What is missing is missing for a reason: x + 0.0 changes -0.0, x * 0.0 loses NaN, x - x is NaN at infinity,
-(x - y) changes the sign of zero, not (x < y) is true at NaN, minimum of two zeros may be either, and
pow(x, 2) need not be rounded as x * x is.
"""

from __future__ import annotations

import math

from .. import ops
from ..ops.elementwise import BITS, FLOATS, INTEGERS
from ..rewrite import Law, Variable, of
from ..types import Kind

SIGNED: frozenset[Kind] = frozenset(("int",))
BOOLS: frozenset[Kind] = frozenset(("bool",))
ROUNDING = (ops.floor, ops.ceil, ops.trunc, ops.rint)

X, Y, Z, C = (Variable(name) for name in "xyzc")
NEG_X, NEG_Y = of(ops.neg, X), of(ops.neg, Y)
NOT_X, NOT_C = of(ops.bitwise_not, X), of(ops.bitwise_not, C)

ARITHMETIC = (
    Law(of(ops.neg, NEG_X), X),  # --x -> x
    Law(of(ops.add, X, 0), X, INTEGERS),  # x + 0 -> x
    Law(of(ops.add, X, -0.0), X, FLOATS),  # x + -0.0 -> x
    Law(of(ops.sub, X, 0), X),  # x - 0 -> x
    Law(of(ops.sub, X, X), 0, INTEGERS),  # x - x -> 0
    Law(of(ops.sub, 0, X), NEG_X, INTEGERS),  # 0 - x -> -x
    Law(of(ops.sub, -0.0, X), NEG_X, FLOATS),  # -0.0 - x -> -x
    Law(of(ops.add, X, NEG_Y), of(ops.sub, X, Y)),  # x + -y -> x - y
    Law(of(ops.sub, X, NEG_Y), of(ops.add, X, Y)),  # x - -y -> x + y
    Law(of(ops.neg, of(ops.sub, X, Y)), of(ops.sub, Y, X), INTEGERS),  # -(x - y) -> y - x
    Law(of(ops.mul, X, 1), X),  # x * 1 -> x
    Law(of(ops.mul, X, 0), 0, INTEGERS),  # x * 0 -> 0
    Law(of(ops.mul, X, -1), NEG_X, SIGNED | FLOATS),  # x * -1 -> -x
    Law(of(ops.mul, NEG_X, NEG_Y), of(ops.mul, X, Y)),  # -x * -y -> x * y
    Law(of(ops.div, X, 1), X),  # x / 1 -> x
    Law(of(ops.div, X, -1), NEG_X),  # x / -1 -> -x
    Law(of(ops.div, X, 2), of(ops.mul, X, 0.5)),  # x / 2 -> x * 0.5
    Law(of(ops.div, X, 0.5), of(ops.mul, X, 2)),  # x / 0.5 -> x * 2
    Law(of(ops.div, NEG_X, NEG_Y), of(ops.div, X, Y)),  # -x / -y -> x / y
    Law(of(ops.floordiv, X, 1), X),  # x // 1 -> x
    Law(of(ops.floordiv, X, -1), NEG_X, SIGNED),  # x // -1 -> -x
    Law(of(ops.floormod, X, 1), 0),  # x % 1 -> 0
    Law(of(ops.pow, X, 1), X),  # x ** 1 -> x
    Law(of(ops.pow, X, 0), 1),  # x ** 0 -> 1
    Law(of(ops.pow, 1, X), 1),  # 1 ** x -> 1
)

SIGNS_AND_ROUNDING = (
    Law(of(ops.abs, of(ops.abs, X)), of(ops.abs, X)),  # ||x|| -> |x|
    Law(of(ops.abs, NEG_X), of(ops.abs, X), SIGNED | FLOATS),  # |-x| -> |x|
    Law(of(ops.abs, of(ops.copysign, X, Y)), of(ops.abs, X), FLOATS),  # |x with y's sign| -> |x|
    Law(of(ops.mul, of(ops.abs, X), of(ops.abs, X)), of(ops.mul, X, X)),  # |x| * |x| -> x * x
    Law(of(ops.copysign, X, X), X),  # x with x's sign -> x
    Law(of(ops.copysign, NEG_X, Y), of(ops.copysign, X, Y)),  # -x with y's sign -> x with y's sign
    Law(of(ops.copysign, of(ops.abs, X), Y), of(ops.copysign, X, Y)),  # |x| with y's sign -> x with y's sign
    *(
        Law(of(outer, of(inner, X)), of(inner, X))  # floor(ceil(x)) -> ceil(x), and all their like
        for outer in ROUNDING
        for inner in ROUNDING
    ),
)

EXTREMES = tuple(
    law
    for extreme, other, limit, least in (
        (ops.minimum, ops.maximum, math.inf, True),
        (ops.maximum, ops.minimum, -math.inf, False),
    )
    for law in (
        Law(of(extreme, X, X), X),  # min(x, x) -> x
        Law(of(extreme, X, limit), X, FLOATS),  # min(x, inf) -> x
        Law(of(extreme, X, least), X, BOOLS),  # min(x, True) -> x
        Law(of(extreme, X, not least), not least, BOOLS),  # min(x, False) -> False
        Law(of(extreme, X, of(extreme, X, Y)), of(extreme, X, Y), BITS),  # min(x, min(x, y)) -> min(x, y)
        Law(of(extreme, X, of(other, X, Y)), X, BITS),  # min(x, max(x, y)) -> x
    )
)

LOGIC = (
    Law(of(ops.bitwise_not, NOT_X), X),  # ~~x -> x
    Law(of(ops.bitwise_and, X, X), X),  # x & x -> x
    Law(of(ops.bitwise_or, X, X), X),  # x | x -> x
    Law(of(ops.bitwise_xor, X, X), 0),  # x ^ x -> 0
    Law(of(ops.bitwise_and, X, NOT_X), 0),  # x & ~x -> 0
    Law(of(ops.bitwise_and, X, 0), 0),  # x & 0 -> 0
    Law(of(ops.bitwise_or, X, 0), X),  # x | 0 -> x
    Law(of(ops.bitwise_xor, X, 0), X),  # x ^ 0 -> x
    Law(of(ops.bitwise_and, X, -1), X, SIGNED),  # x & -1 -> x
    Law(of(ops.bitwise_or, X, -1), -1, SIGNED),  # x | -1 -> -1
    Law(of(ops.bitwise_xor, X, -1), NOT_X, SIGNED),  # x ^ -1 -> ~x
    Law(of(ops.bitwise_and, X, True), X, BOOLS),  # x & True -> x
    Law(of(ops.bitwise_or, X, True), True, BOOLS),  # x | True -> True
    Law(of(ops.bitwise_xor, X, True), NOT_X, BOOLS),  # x ^ True -> ~x
    Law(of(ops.shift_left, X, 0), X),  # x << 0 -> x
    Law(of(ops.shift_right, X, 0), X),  # x >> 0 -> x
)

COMPARISONS = (
    *(Law(of(op, X, X), True, BITS) for op in (ops.eq, ops.le, ops.ge)),  # x == x -> True
    Law(of(ops.ne, X, X), False, BITS),  # x != x -> False
    *(Law(of(op, X, X), False) for op in (ops.lt, ops.gt)),  # x < x -> False, at NaN too
    *(Law(of(op, X, True), X, BOOLS) for op in (ops.eq, ops.ge)),  # x == True -> x
    *(Law(of(op, X, False), NOT_X, BOOLS) for op in (ops.eq, ops.le)),  # x == False -> ~x
    *(Law(of(op, X, False), X, BOOLS) for op in (ops.ne, ops.gt)),  # x != False -> x
    *(Law(of(op, X, True), NOT_X, BOOLS) for op in (ops.ne, ops.lt)),  # x != True -> ~x
    Law(of(ops.bitwise_not, of(ops.eq, X, Y)), of(ops.ne, X, Y), BOOLS),  # ~(x == y) -> x != y
    Law(of(ops.bitwise_not, of(ops.ne, X, Y)), of(ops.eq, X, Y), BOOLS),  # ~(x != y) -> x == y
)

CHOICE = (
    Law(of(ops.select, C, X, X), X),  # c ? x : x -> x
    Law(of(ops.select, True, X, Y), X),  # True ? x : y -> x
    Law(of(ops.select, False, X, Y), Y),  # False ? x : y -> y
    Law(of(ops.select, NOT_C, X, Y), of(ops.select, C, Y, X)),  # ~c ? x : y -> c ? y : x
    Law(of(ops.select, C, of(ops.select, C, X, Y), Z), of(ops.select, C, X, Z)),  # c ? (c ? x : y) : z
    Law(of(ops.select, C, X, of(ops.select, C, Y, Z)), of(ops.select, C, X, Z)),  # c ? x : (c ? y : z)
    Law(of(ops.select, of(ops.eq, X, Y), X, Y), Y, BITS),  # x == y ? x : y -> y
    Law(of(ops.select, C, True, False), C, BOOLS),  # c ? True : False -> c
    Law(of(ops.select, C, False, True), NOT_C, BOOLS),  # c ? False : True -> ~c
    Law(of(ops.select, C, X, False), of(ops.bitwise_and, C, X), BOOLS),  # c ? x : False -> c & x
    Law(of(ops.select, C, True, X), of(ops.bitwise_or, C, X), BOOLS),  # c ? True : x -> c | x
)

LAWS = (*ARITHMETIC, *SIGNS_AND_ROUNDING, *EXTREMES, *LOGIC, *COMPARISONS, *CHOICE)
