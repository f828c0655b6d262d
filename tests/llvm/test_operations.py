"""Every arithmetic operation, comparison and cast, for every dtype at every level, against NumPy on bits."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.nodes import Kernel
from jitframe.ir.types import BF16, BOOL, DTYPES, F16, F32, F64, I32, I64, DType

from .llvm_harness import LEVELS, Compiled, fast, same_bits

NUMPY_DTYPES = [dtype for dtype in DTYPES if dtype is not BF16]
FLOATS = [F16, F32, F64]
INTEGERS = [dtype for dtype in DTYPES if dtype.kind in ("int", "uint")]
COUNT = 203  # whole vectors of every width, and a remainder


def elementwise(
    name: str, operands: list[DType], result: DType, attributes: dict[str, Any] | None = None
) -> Kernel:
    """out[i] = name(in0[i], in1[i], ...)."""
    build = KernelBuilder("kernel")
    sources = [build.buffer(dtype, "in") for dtype in operands]
    target = build.buffer(result, "out")
    extent = build.index()
    with build.loop(build.constant(0), extent, kind="lanes") as (i,):
        build.store(target, i, build.emit(name, [build.load(source, i) for source in sources], attributes))
    return build.finish()


def samples(dtype: DType, seed: int) -> np.ndarray[Any, Any]:
    """Random values and every awkward one."""
    random = np.random.default_rng(seed)
    kind = np.dtype(dtype.numpy_name)
    if dtype.kind == "bool":
        return random.integers(0, 2, COUNT).astype(bool)
    if dtype.kind != "float":
        limits = np.iinfo(kind)
        special = [0, 1, 2, 3, limits.max, limits.min, limits.max - 1, limits.min + 1]
        if limits.min < 0:
            special += [-1, -2, -7]
        wide = random.integers(limits.min, limits.max, COUNT, dtype=kind, endpoint=True)
        small = random.integers(max(limits.min, -9), 10, COUNT).astype(kind)
        mixed = np.where(random.random(COUNT) < 0.5, wide, small)
        mixed[random.permutation(COUNT)[: 4 * len(special)]] = np.array(special * 4, kind)
        return mixed
    limits = np.finfo(kind)
    special = [
        0.0,
        -0.0,
        0.5,
        -0.5,
        1.5,
        2.5,
        -2.5,
        0.49,
        -0.7,
        1e-3,
        np.inf,
        -np.inf,
        np.nan,
        limits.max,
        limits.min,
    ]
    special += [
        limits.smallest_subnormal,
        -limits.smallest_subnormal * 3,
        limits.tiny,
        2.0**10 + 0.5,
        -(2.0**9) - 0.5,
    ]
    bits = random.integers(0, 256, COUNT * kind.itemsize, dtype=np.uint8).view(kind)
    small = (random.random(COUNT) * 20 - 10).astype(kind)
    mixed = np.where(random.random(COUNT) < 0.3, bits, small)
    mixed[random.permutation(COUNT)[: 4 * len(special)]] = np.array(special * 4, kind)
    return mixed


def check(
    kernel: Kernel, level: str, arrays: list[np.ndarray[Any, Any]], expected: np.ndarray[Any, Any]
) -> None:
    out = np.zeros_like(expected)
    Compiled(kernel, level)([*arrays, out], [len(out)])
    if not same_bits(out, expected):
        nan = (out != out) & (expected != expected)
        wrong = [i for i in range(len(out)) if out[i].tobytes() != expected[i].tobytes() and not nan[i]][:5]
        lines = [f"{[a[i] for a in arrays]} -> {out[i]!r}, expected {expected[i]!r}" for i in wrong]
        pytest.fail("\n".join(lines))


def integer_shift(function: Callable[..., Any]) -> Callable[..., Any]:
    """NumPy's shifts, with every negative count taken as too large."""

    def shift(x: np.ndarray[Any, Any], count: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        bits = x.dtype.itemsize * 8
        fits = (count >= 0) & (count < bits)
        largest = np.where(x < 0, -1, 0).astype(x.dtype) if function is np.right_shift else np.zeros_like(x)
        return np.where(fits, function(x, np.where(fits, count, 0).astype(x.dtype)), largest)

    return shift


FLOAT_OPERATIONS: dict[str, Callable[..., Any]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "neg": np.negative,
    "abs": np.abs,
    "fmod": np.fmod,
    "minimum": np.minimum,
    "maximum": np.maximum,
    "sqrt": np.sqrt,
    "floor": np.floor,
    "ceil": np.ceil,
    "trunc": np.trunc,
    "rint": np.rint,
    "copysign": np.copysign,
}
INTEGER_OPERATIONS: dict[str, Callable[..., Any]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "neg": np.negative,
    "abs": np.abs,
    "floordiv": np.floor_divide,
    "floormod": np.remainder,
    "minimum": np.minimum,
    "maximum": np.maximum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "not": np.invert,
    "shift_left": integer_shift(np.left_shift),
    "shift_right": integer_shift(np.right_shift),
}
BOOL_OPERATIONS: dict[str, Callable[..., Any]] = {
    "minimum": np.minimum,
    "maximum": np.maximum,
    "and": np.logical_and,
    "or": np.logical_or,
    "xor": np.logical_xor,
    "not": np.logical_not,
}
COMPARISONS: dict[str, Callable[..., Any]] = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
}
UNARY = ("neg", "abs", "sqrt", "floor", "ceil", "trunc", "rint", "not")
OPERATIONS = [
    *((name, dtype, function) for dtype in FLOATS for name, function in FLOAT_OPERATIONS.items()),
    *((name, dtype, function) for dtype in INTEGERS for name, function in INTEGER_OPERATIONS.items()),
    *((name, BOOL, function) for name, function in BOOL_OPERATIONS.items()),
]


def of_each_level(level: str, case: int) -> bool:
    """Integers of other widths than i32 and i64 at one level for each operation."""
    return OPERATIONS[case][1] in (*FLOATS, BOOL, I32, I64) or LEVELS.index(level) == case % len(LEVELS)


@pytest.mark.parametrize(("level", "case"), fast(of_each_level, LEVELS, range(len(OPERATIONS))))
def test_operation_equals_numpy(level: str, case: int) -> None:
    name, dtype, function = OPERATIONS[case]
    arrays = [samples(dtype, seed) for seed in range(1 if name in UNARY else 2)]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        expected = function(*arrays)
    if name in ("minimum", "maximum") and dtype.is_float:  # either zero may be the lesser one
        zeros = (arrays[0] == 0) & (arrays[1] == 0)
        arrays = [np.where(zeros, abs(array), array) for array in arrays]
        expected = function(*arrays)
    check(elementwise(name, [dtype] * len(arrays), dtype), level, arrays, expected)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("name", ["minimum", "maximum"])
def test_extremum_of_a_constant_has_the_bits_of_one_that_is_loaded(
    level: str, name: str, dtype: DType
) -> None:
    loaded = Compiled(elementwise(name, [dtype, dtype], dtype), level)
    for value in (0.0, -0.0, 1.5, -np.inf, np.nan):
        for constant_first in (True, False):
            compare_extremum(loaded, level, name, dtype, value, constant_first)


def compare_extremum(
    loaded: Compiled, level: str, name: str, dtype: DType, value: float, constant_first: bool
) -> None:
    build = KernelBuilder("kernel")
    source, target, extent = build.buffer(dtype, "in"), build.buffer(dtype, "out"), build.index()
    with build.loop(build.constant(0), extent, kind="lanes") as (i,):
        operands = [build.constant(value, dtype), build.load(source, i)]
        build.store(target, i, build.emit(name, operands if constant_first else operands[::-1]))
    constants = Compiled(build.finish(), level)
    x = samples(dtype, 0)
    pair, (found, expected) = [np.full_like(x, value), x], np.zeros((2, COUNT), x.dtype)
    constants([x, found], [COUNT])
    loaded([*(pair if constant_first else pair[::-1]), expected], [COUNT])
    assert found.tobytes() == expected.tobytes()
    if dtype is F32 and not np.isnan(value):
        assert "fcmp uno" in loaded.text
        assert "fcmp uno" not in constants.text


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("dtype", NUMPY_DTYPES, ids=str)
def test_comparisons_equal_numpy(level: str, dtype: DType) -> None:
    x, y = samples(dtype, 0), samples(dtype, 1)
    y = np.where(np.arange(COUNT) % 3 == 0, x, y)
    build = KernelBuilder("comparisons")
    first, second = build.buffer(dtype, "in"), build.buffer(dtype, "in")
    targets = [build.buffer(BOOL, "out") for _ in COMPARISONS]
    with build.loop(build.constant(0), build.index(), kind="lanes") as (i,):
        operands = [build.load(first, i), build.load(second, i)]
        for name, target in zip(COMPARISONS, targets, strict=True):
            build.store(target, i, build.emit(name, operands))
    found = [np.zeros(COUNT, bool) for _ in COMPARISONS]
    Compiled(build.finish(), level)([x, y, *found], [COUNT])
    with np.errstate(all="ignore"):
        for (name, function), result in zip(COMPARISONS.items(), found, strict=True):
            np.testing.assert_array_equal(result, function(x, y), name)


def at_one_level(level: str, source: DType, target: DType) -> bool:
    number = NUMPY_DTYPES.index(source) + NUMPY_DTYPES.index(target)
    return LEVELS.index(level) == number % len(LEVELS) or {source, target} <= {F16, F32, F64, I32, I64}


@pytest.mark.parametrize(
    ("level", "source", "target"), fast(at_one_level, LEVELS, NUMPY_DTYPES, NUMPY_DTYPES)
)
def test_cast_equals_numpy(level: str, source: DType, target: DType) -> None:
    x = samples(source, 0)
    if source.is_float:
        limits = [
            2.0**n + offset for n in (7, 8, 15, 16, 31, 32, 63, 64) for offset in (-1.5, -0.5, 0, 0.5, 1.5)
        ]
        with np.errstate(all="ignore"):
            x[: 2 * len(limits)] = np.array(limits + [-limit for limit in limits]).astype(x.dtype)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        # Element by element: NumPy's float -> uint32 differs between its vector and its scalar code.
        expected = np.array([value.astype(target.numpy_name) for value in x.reshape(-1, 1)]).reshape(-1)
    check(elementwise("cast", [source], target, {"dtype": target}), level, [x], expected)


def bfloat(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """f32 -> the bits of bf16, to nearest even."""
    bits = x.astype(np.float32).view(np.uint32).astype(np.uint64)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
    return np.where(np.isnan(x), (bits >> 16) | 0x40, rounded).astype(np.uint16)


def widened(bits: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return (bits.astype(np.uint32) << 16).view(np.float32)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", [name for name in FLOAT_OPERATIONS if name != "fmod"])
def test_bfloat_rounds_after_each_operation(level: str, name: str) -> None:
    arrays = [bfloat(samples(F32, seed)) for seed in range(1 if name in UNARY else 2)]
    with np.errstate(all="ignore"):
        wide = [widened(array) for array in arrays]
        expected = bfloat(FLOAT_OPERATIONS[name](*wide))
    out = np.zeros(COUNT, np.uint16)
    Compiled(elementwise(name, [BF16] * len(arrays), BF16), level)([*arrays, out], [COUNT])
    equal = (out == expected) | (np.isnan(widened(out)) & np.isnan(widened(expected)))
    if name in ("minimum", "maximum"):
        equal |= (wide[0] == 0) & (wide[1] == 0) & ((out & 0x7FFF) == 0)
    assert equal.all()


@pytest.mark.parametrize("level", LEVELS)
def test_half_conversions_are_exhaustive(level: str) -> None:
    """Every f16 to f32, and f32 values around every f16 back."""
    halves = np.arange(65536, dtype=np.uint16).view(np.float16)
    singles = np.zeros(65536, np.float32)
    Compiled(elementwise("cast", [F16], F32, {"dtype": F32}), level)([halves, singles], [65536])
    with np.errstate(all="ignore"):
        assert same_bits(singles, halves.astype(np.float32))
        near = np.nextafter(singles, np.float32(0)), singles, np.nextafter(singles, np.float32(np.inf))
        middle = (singles + np.roll(singles, 1)) / np.float32(2)
        values = np.concatenate([*near, middle])
        expected = values.astype(np.float16)
    out = np.zeros(len(values), np.float16)
    Compiled(elementwise("cast", [F32], F16, {"dtype": F16}), level)([values, out], [len(values)])
    assert same_bits(out, expected)


@pytest.mark.parametrize("level", [level for level in LEVELS if level != "sse2"])
@pytest.mark.parametrize("dtype", [F32, F64], ids=str)
def test_fma_rounds_once(level: str, dtype: DType) -> None:
    kind = np.dtype(dtype.numpy_name)
    x = (1 + np.random.default_rng(0).random(COUNT)).astype(kind)
    z = -(x * x)
    # x*x - round(x*x) is representable: the error of the product.
    exact = np.array([float_error(value) for value in x], kind)
    check(elementwise("fma", [dtype] * 3, dtype), level, [x, x, z], exact)


def float_error(x: Any) -> Any:
    from fractions import Fraction

    return type(x)(float(Fraction(float(x)) ** 2 - Fraction(float(x * x))))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("source", "target"), [(F32, I32), (I32, F32), (F64, I64), (I64, F64)], ids=str)
def test_bitcast_keeps_bits(level: str, source: DType, target: DType) -> None:
    x = samples(source, 0)
    check(elementwise("bitcast", [source], target, {"dtype": target}), level, [x], x.view(target.numpy_name))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("dtype", [F32, I64, BOOL, F16], ids=str)
def test_select_picks_by_lane(level: str, dtype: DType) -> None:
    condition, x, y = samples(BOOL, 3), samples(dtype, 0), samples(dtype, 1)
    kernel = elementwise("select", [BOOL, dtype, dtype], dtype)
    check(kernel, level, [condition, x, y], np.where(condition, x, y))
