"""The straight-line part of the kernel IR on NumPy arrays: what the vector math's instructions mean.

Independent of every code generator and of the kernel interpreter. `fma` of f32 is computed in f64 and rounded
once more: good to the last bit but for rare double roundings.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.nodes import Block, Value
from jitframe.codegen.math import MathFeatures, body_of
from jitframe.ir.types import BY_NAME, DType

_BINARY: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "copysign": np.copysign,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "maximum": np.maximum,
}
_UNARY: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "neg": np.negative,
    "abs": np.abs,
    "sqrt": np.sqrt,
    "rint": np.rint,
    "floor": np.floor,
    "not": np.invert,
}


def evaluate(name: str, features: MathFeatures, *arguments: np.ndarray) -> np.ndarray:
    """The function's body on arrays of one dtype."""
    dtype = {"float32": "f32", "float64": "f64"}[arguments[0].dtype.name]
    build = KernelBuilder(name)
    scalars = [build.scalar(BY_NAME[dtype]) for _ in arguments]
    result = body_of(name)(build, *scalars, features)
    values: dict[Value, np.ndarray] = dict(zip(scalars, arguments, strict=True))
    with np.errstate(all="ignore"):
        _run(build.finish().body, values, arguments[0].shape)
    return values[result]


def _run(block: Block, values: dict[Value, np.ndarray], shape: tuple[int, ...]) -> None:
    for instruction in block.instructions:
        name = instruction.op.name
        operands = [values[v] for v in instruction.operands]
        if name == "yield":
            return
        if name == "if":
            _branch(instruction.blocks, operands[0], instruction.results, values, shape)
            continue
        result = instruction.results[0]
        attributes = instruction.attributes
        if name == "constant":
            values[result] = np.full(shape, attributes["value"], _numpy(result.dtype))
        elif name == "table":
            values[result] = np.array(attributes["values"], _numpy(result.dtype))
        elif name == "load":
            values[result] = operands[0][operands[1]]
        elif name == "select":
            values[result] = np.where(*operands)
        elif name == "fma":
            values[result] = _fma(*operands)
        elif name == "bitcast":
            values[result] = operands[0].view(_numpy(result.dtype))
        elif name == "cast":
            values[result] = operands[0].astype(_numpy(result.dtype))
        elif name in ("shift_left", "shift_right"):
            values[result] = _shift(name, *operands)
        elif name in _SCALING:
            values[result] = _SCALING[name](*operands)
        elif name in _UNARY:
            values[result] = _UNARY[name](*operands)
        else:
            values[result] = _BINARY[name](*operands)


def _branch(
    blocks: tuple[Block, ...],
    condition: np.ndarray,
    results: tuple[Value, ...],
    values: dict[Value, np.ndarray],
    shape: tuple[int, ...],
) -> None:
    for block in blocks:
        _run(block, values, shape)
    for result, then, orelse in zip(results, blocks[0].yielded, blocks[1].yielded, strict=True):
        values[result] = np.where(condition, values[then], values[orelse])


def _numpy(dtype: DType) -> np.dtype:
    return np.dtype(dtype.numpy_name)


def _shift(name: str, x: np.ndarray, count: np.ndarray) -> np.ndarray:
    width = x.itemsize * 8
    inside = count < width
    few = np.where(inside, count, count.dtype.type(0))
    shifted = np.left_shift(x, few) if name == "shift_left" else np.right_shift(x, few)
    return np.where(inside, shifted, x.dtype.type(0))


def _fma(x: np.ndarray, y: np.ndarray, z: np.ndarray) -> np.ndarray:
    if x.dtype == np.float32:
        return (x.astype(np.float64) * y + z).astype(np.float32)
    # Product and sum in two parts each (Veltkamp and Dekker, Knuth); the small parts are added with rounding
    # to odd, so that the last sum is rounded but once (S. Boldo & G. Melquiond, 2008).
    rounded = x * y
    split = 2.0**27 + 1
    x_high = x * split - (x * split - x)
    y_high = y * split - (y * split - y)
    x_low, y_low = x - x_high, y - y_high
    error = ((x_high * y_high - rounded) + x_high * y_low + x_low * y_high) + x_low * y_low
    total, low = _two_sum(rounded, z)
    small, lost = _two_sum(low, error)
    beside = np.nextafter(small, np.copysign(np.inf, lost))
    odd = np.where((lost != 0) & (small.view(np.int64) & 1 == 0), beside, small)
    exact = np.isfinite(error) & np.isfinite(total) & (np.abs(rounded) > 1e-250)
    return np.where(exact, total + odd, (np.longdouble(x) * np.longdouble(y) + z).astype(np.float64))


def _two_sum(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """x + y rounded, and what rounding took."""
    total = x + y
    part = total - x
    return total, (x - (total - part)) + (y - part)


def _scale(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    whole = np.where(np.isfinite(y), np.clip(np.floor(y), -5000, 5000), 0).astype(np.int32)
    beyond = x * np.where(np.isnan(y), y, np.where(y > 0, np.inf, 0)).astype(x.dtype)
    return np.where(np.isfinite(y), np.ldexp(x, whole), beyond)


def _exponent(x: np.ndarray) -> np.ndarray:
    finite = np.where(x == 0, -np.inf, np.frexp(x)[1] - 1.0)
    return np.where(np.isfinite(x), finite, np.abs(x)).astype(x.dtype)


def _significand(x: np.ndarray) -> np.ndarray:
    found = np.where(np.isinf(x), 1, np.frexp(x)[0] * 2)
    return np.where(x == 0, np.copysign(1, x), np.where(x > 0, found, np.nan)).astype(x.dtype)


def _significand_near_one(x: np.ndarray) -> np.ndarray:
    found = _significand(x)
    return np.where(found >= 1.5, found / 2, found).astype(x.dtype)


_SCALING: dict[str, Callable[..., np.ndarray]] = {
    "scale": _scale,
    "exponent": _exponent,
    "significand": _significand,
    "significand_near_one": _significand_near_one,
}
