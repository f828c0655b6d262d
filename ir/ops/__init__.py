"""The operations of the graph IR, one record each; `OPS` finds them by name."""

from __future__ import annotations

# isort: off
from ..node import LEAVES, Op
from ..record import replace
from . import attention as attending
from . import (
    callbacks, complex_linear_algebra, complex_numbers, control, elementwise, fourier, indexing,
    linear_algebra, movement, quantized, randomness, reduction, scalar_functions, small_matrices, sorting,
    winograd,
)  # fmt: skip
from . import panels as packing
from .attention import attention
from .callbacks import callback
from .complex_numbers import as_complex, as_real, conj, imag, pair, real
from .control import cond, custom, item, loop, parallel_loop, while_
from .elementwise import (
    abs, acos, acosh, add, asin, asinh, atan, atan2, atanh, bitcast, bitwise_and, bitwise_not, bitwise_or,
    bitwise_xor, cast, cbrt, ceil, copy, copysign, cos, cosh, div, eq, erf, erfc, exp, exp2, expm1, floor,
    floordiv, floormod, fmod, gcd, ge, gt, hypot, le, lgamma, log, log1p, log2, log10, lt, maximum, minimum,
    mul, ne, neg, pow, rint, select, shift_left, shift_right, sin, sinc, sinh, sqrt, sub, tan, tanh, tgamma,
    trunc,
)  # fmt: skip
from .indexing import COMBINERS, gather, scatter, window_scatter
from .linear_algebra import (
    checked, cholesky, eig, eigh, eigh_upper, eigvals, eigvalsh, lstsq, lu, qr, qr_complete, qr_r, qr_raw,
    solve, svd, svd_full, svdvals,
)  # fmt: skip
from .movement import broadcast, iota, permute, permuted, reshape, slice_, undefined, window, wrap
from .panels import panel_dot, panels
from .quantized import dequantized_dot
from .randomness import PHILOX, mul_high
from .reduction import (
    REDUCERS, Reducer, accumulator, dot, dot_as_sum, find, packed_dot, reduce, scan, scan_identity, sides,
    small_dot, update, window_dot,
)  # fmt: skip
from .scalar_functions import apply
from .sorting import argsort, order_statistics, partition, sort
from .winograd import image_dot, winograd_dot, winograd_weights

__all__ = [
    "COMBINERS", "OPS", "PHILOX", "REDUCERS", "Reducer", "abs", "accumulator", "acos", "acosh", "add",
    "apply", "argsort", "as_complex", "as_real", "asin", "asinh", "atan", "atan2", "atanh", "attention",
    "bitcast", "bitwise_and", "bitwise_not", "bitwise_or", "bitwise_xor", "broadcast", "callback", "cast",
    "cbrt", "ceil", "checked", "cholesky", "cond", "conj", "copy", "copysign", "cos", "cosh", "custom",
    "dequantized_dot", "div", "dot", "dot_as_sum", "eig", "eigh", "eigh_upper", "eigvals", "eigvalsh", "eq",
    "erf", "erfc", "exp",
    "exp2", "expm1", "find", "floor", "floordiv", "floormod", "fmod", "gather", "gcd", "ge", "gt", "hypot",
    "imag", "image_dot", "iota", "item", "le", "lgamma", "log", "log1p", "log2", "log10", "loop", "lstsq",
    "lt", "lu",
    "maximum", "minimum", "mul", "mul_high", "ne", "neg", "order_statistics", "packed_dot", "pair",
    "panel_dot", "panels", "parallel_loop", "partition", "permute", "permuted", "pow", "qr", "qr_complete",
    "qr_r", "qr_raw", "real", "reduce", "register", "reshape", "rint", "scan", "scan_identity", "scatter",
    "select", "shift_left", "shift_right", "sides", "sin", "sinc", "sinh", "slice_", "small_dot", "solve",
    "sort", "sqrt", "sub", "svd", "svd_full", "svdvals", "tan", "tanh", "tgamma", "trunc", "undefined",
    "update", "while_", "window", "window_dot", "window_scatter", "winograd_dot",
    "winograd_weights", "wrap",
]  # fmt: skip

OPS: dict[str, Op] = {
    op.name: op
    for op in (
        *LEAVES.values(), *elementwise.OPS, *complex_numbers.OPS, *movement.OPS, *indexing.OPS,
        *randomness.OPS, *reduction.OPS, *control.OPS, *scalar_functions.OPS, *callbacks.OPS, *sorting.OPS,
        *linear_algebra.OPS, *complex_linear_algebra.OPS, *small_matrices.OPS, *fourier.OPS, *attending.OPS,
        *packing.OPS, *quantized.OPS, *winograd.OPS,
    )
}  # fmt: skip


def register(op: Op) -> Op:
    """Add an op from outside of this package; graphs with it are verified like all others. Its plans are not
    kept on disk, where the name alone would stand for it. Raises ValueError for a name that is taken.
    """
    if op.name in OPS:
        raise ValueError(f"there is an op {op.name!r} already")
    OPS[op.name] = op = replace(op, kept=False)
    return op
