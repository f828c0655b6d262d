"""Floor division, remainders and powers with NumPy's meaning for signs, zeros, infinities and NaN."""

from __future__ import annotations

from ..arrays.promotion import Number, Operand, Weak, check_fits, result_dtype
from ..errors import ArgumentError, DTypeError, UnsupportedError
from ..ir import ops
from ..ir.node import Graph, Node
from ..ir.types import BOOL, I8, I16, I32, I64, U8, U16, U32, U64, DType
from .complex_numbers import of_real_numbers
from .elementwise import as_integer, reciprocal, sqrt, square
from .formula import Term, floor, where
from .integer_ranges import is_never_negative, known_number
from .operands import (
    as_node,
    broadcast_shapes,
    cast,
    filled,
    in_computed,
    is_number,
    pair,
    spread,
    strong,
)


def floor_divide(graph: Graph, x: Operand, y: Operand) -> Node:
    """`x // y`. Integers: x // 0 is 0. Floats: NumPy's `npy_divmod`."""
    return divmod(graph, x, y, quotient=True, modulus=False)[0]


def remainder(graph: Graph, x: Operand, y: Operand) -> Node:
    """`x % y`, with the sign of `y`. Integers: x % 0 is 0."""
    return divmod(graph, x, y, quotient=False, modulus=True)[0]


def divmod(
    graph: Graph, x: Operand, y: Operand, quotient: bool = True, modulus: bool = True
) -> tuple[Node, ...]:
    """`x // y`, `x % y` or both. float16 and bfloat16 are rounded once, at the end."""
    x, y = _integers_of_bools(graph, *pair(graph, x, y))
    if x.dtype.is_complex:
        raise of_real_numbers("floor_divide" if quotient else "remainder", x.dtype)
    if not x.dtype.is_float:
        wanted = ((ops.floordiv, quotient), (ops.floormod, modulus))
        return tuple(graph.make(op, x, y) for op, asked in wanted if asked)
    results = _float_divmod(*(Term(graph, in_computed(graph, node)) for node in (x, y)))
    return tuple(result.to(x.dtype).node for result, asked in zip(results, (quotient, modulus)) if asked)


def _integers_of_bools(graph: Graph, x: Node, y: Node) -> tuple[Node, Node]:
    return as_integer(graph, x), as_integer(graph, y)


def fmod(graph: Graph, x: Operand, y: Operand) -> Node:
    """C's remainder, with the sign of `x`."""
    x, y = _integers_of_bools(graph, *pair(graph, x, y))
    if x.dtype.is_complex:
        raise of_real_numbers("fmod", x.dtype)
    if x.dtype.is_float:
        return graph.make(ops.fmod, x, y)
    first, second = Term(graph, x), Term(graph, y)
    rest = first.make(ops.floormod, second)
    if not x.dtype.is_signed:
        return rest.node
    # floormod has the sign of y: where the signs differ and the remainder is not 0, one y too much was added.
    left = ((first < 0) != (second < 0)) & (rest != 0)
    return where(left, rest - second, rest).node


def gcd(graph: Graph, x: Operand, y: Operand) -> Node:
    """The greatest common divisor of integers, which is not negative; gcd(x, 0) is |x|.

    >>> import jitframe as jf
    >>> jf.gcd(jf.asarray([12, -18, 0]), 8).numpy()
    array([4, 2, 8])
    """
    x, y = _integer_pair(graph, "gcd", x, y)
    node = graph.make(ops.gcd, _size(graph, x), _size(graph, y))
    return graph.make(ops.bitcast, node, attributes=(x.dtype,)) if x.dtype.is_signed else node


def lcm(graph: Graph, x: Operand, y: Operand) -> Node:
    """The least common multiple of integers, which is not negative; lcm(x, 0) is 0. It wraps around.

    >>> import jitframe as jf
    >>> jf.lcm(jf.asarray([12, -18, 0]), 8).numpy()
    array([24, 72,  0])
    """
    x, y = _integer_pair(graph, "lcm", x, y)
    first, second = _size(graph, x), _size(graph, y)
    # 0 // gcd(0, 0) is 0.
    quotient = graph.make(ops.floordiv, first, graph.make(ops.gcd, first, second))
    node = graph.make(ops.mul, quotient, second)
    return graph.make(ops.bitcast, node, attributes=(x.dtype,)) if x.dtype.is_signed else node


def _integer_pair(graph: Graph, name: str, x: Operand, y: Operand) -> tuple[Node, Node]:
    x, y = pair(graph, x, y)
    if x.dtype.kind not in ("int", "uint"):
        raise DTypeError(f"{name}: integers needed, not {x.dtype.numpy_name}; x.astype makes some")
    return x, y


def _size(graph: Graph, x: Node) -> Node:
    """|x| of a signed integer dtype in the unsigned one of its width, which holds all of them."""
    if not x.dtype.is_signed:
        return x
    return graph.make(ops.bitcast, graph.make(ops.abs, x), attributes=(_UNSIGNED[x.dtype],))


def _float_divmod(x: Term, y: Term) -> tuple[Term, Term]:
    """(x // y, x % y) as NumPy's `npy_divmod` has them (numpy/_core/src/npymath/npy_math_internal.h.src,
    2.x).

    The quotient is rounded from (x - fmod) / y, not from x / y, which could round up to the next integer.
    """

    ratio, rest = x / y, x.make(ops.fmod, y)
    quotient = (x - rest) / y
    exact = rest == 0.0
    adjusts = ~exact & ((y < 0.0) != (rest < 0.0))
    quotient = where(adjusts, quotient - 1.0, quotient)
    floored = floor(quotient)
    floored = where(quotient - floored > 0.5, floored + 1.0, floored)
    floored = where(quotient == 0.0, x.like(0.0).make(ops.copysign, ratio), floored)
    modulus = where(exact, x.like(0.0).make(ops.copysign, y), where(adjusts, rest + y, rest))
    return where(y == 0.0, ratio, floored), where(y == 0.0, rest, modulus)


def power(graph: Graph, x: Operand, y: Operand) -> Node:
    """`np.power(x, y)`; known exponents of -1, 0, 0.5, 1 and 2 take NumPy's short ways."""
    exponent = _known(graph, y)
    dtype = result_dtype((x, y))
    if dtype.is_complex:
        return _complex_power(graph, x, y, exponent, dtype)
    if not dtype.is_float:
        return _integer_power(graph, x, y, exponent, dtype)
    if exponent is None:
        return graph.make(ops.pow, *pair(graph, x, y))
    base = as_node(graph, x, dtype)
    if exponent == 2:
        return square(graph, base)
    if exponent == 1:
        return base
    if exponent == 0:
        return filled(graph, 1.0, base)
    if exponent == 0.5:
        return sqrt(graph, base)
    if exponent == -1:
        return reciprocal(graph, base)
    assert not isinstance(exponent, complex)  # the dtype would be one
    # Multiples of a half are constants of the kernel, so that a backend may multiply instead.
    is_fixed = float(2 * exponent).is_integer() and abs(exponent) <= 64
    node = graph.constant(exponent, dtype) if is_fixed else graph.number(exponent, dtype)
    return graph.make(ops.pow, base, spread(graph, node, base.shape))


def power_operator(graph: Graph, x: Operand, y: Operand) -> Node:
    """`x ** y`, which NumPy computes as `np.square(x)` for an exponent of 2: of bools that is int8."""
    if isinstance(x, Node) and y.__class__ is int and y == 2:
        return square(graph, x)
    return power(graph, x, y)


def _known(graph: Graph, exponent: Operand) -> Number | None:
    """The value of a constant exponent; None for one that varies."""
    if is_number(exponent):
        return exponent  # type: ignore[return-value]
    return known_number(graph, exponent) if isinstance(exponent, Node) else None


def _integer_power(graph: Graph, x: Operand, y: Operand, exponent: Number | None, dtype: DType) -> Node:
    """Exact powers of integers by repeated squaring, wrapping around."""
    if exponent is None:
        return _array_power(graph, x, y, dtype)
    assert not isinstance(exponent, complex)  # the dtype would be one
    base = as_integer(graph, as_node(graph, x, dtype))
    check_fits(exponent, base.dtype)
    exponent = int(exponent)
    if exponent < 0:
        raise ArgumentError("Integers to negative integer powers are not allowed.")
    return _repeated(graph, base, exponent)


def _repeated(graph: Graph, base: Node, exponent: int) -> Node:
    """A power by repeated squaring."""
    result: Node | None = None
    while exponent:
        if exponent & 1:
            result = base if result is None else graph.make(ops.mul, result, base)
        exponent >>= 1
        if exponent:
            base = graph.make(ops.mul, base, base)
    return filled(graph, 1, base) if result is None else result


def _complex_power(graph: Graph, x: Operand, y: Operand, exponent: Number | None, dtype: DType) -> Node:
    """Whole constant exponents below 100 become products, as in NumPy."""
    base = as_node(graph, x, dtype)
    if exponent is None or not abs(exponent) < 100 or exponent != int(complex(exponent).real):
        return graph.make(ops.pow, *pair(graph, x, y))
    whole = int(complex(exponent).real)
    node = _repeated(graph, base, abs(whole))
    return reciprocal(graph, node) if whole < 0 else node


_UNSIGNED = {I8: U8, I16: U16, I32: U32, I64: U64}


def _array_power(graph: Graph, x: Operand, y: Operand, dtype: DType) -> Node:
    """Powers by unsigned exponents that vary: a squaring and a product for each bit of their dtype."""
    exponent = as_node(graph, y, U64) if isinstance(y, Weak) else strong(graph, y)
    if exponent.dtype.kind == "int" and is_never_negative(graph, exponent):
        exponent = cast(graph, exponent, _UNSIGNED[exponent.dtype])
    if exponent.dtype.kind == "int":
        name = exponent.dtype.numpy_name
        raise UnsupportedError(
            f"power: an array of {name} as exponents of integers may hold negative ones, for which NumPy has "
            "an error and a compiled function none; cast them with .astype(np.uint8), or write "
            "x.astype(np.float64) ** y"
        )
    bits = exponent.dtype.bits
    if exponent.dtype is BOOL:
        exponent = cast(graph, exponent, U8)
    base = as_integer(graph, as_node(graph, x, dtype))
    shape = broadcast_shapes(base.shape, exponent.shape)
    factor, known = (Term(graph, node).spread(shape) for node in (base, exponent))
    result = factor.like(1)
    for bit in range(bits):
        result = where((known & 1 << bit) != 0, result * factor, result)
        if bit < bits - 1:
            factor = factor * factor
    return result.node
