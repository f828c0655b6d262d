"""F5: one element's arithmetic has NumPy's bits, fused with everything around it, and in its corners.

Each operation and cast alone, on each dtype: tests/conformance/test_elementwise.py on devices, and
tests/llvm/test_operations.py at each instruction set.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from tests.foundations.programs import available, plan_of
from tests.foundations.values import FLOATS, INTEGERS, assert_same_bits, interesting, pairs

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

CHAINED = (*INTEGERS, "float16", "float32", "float64")
"""NumPy itself does not keep bfloat16 where it meets a Python number."""
FEW = ("bool", "int8", "uint16", "int64", "float16", "float32")
"""Of these all pairs; those of all dtypes are in tests/functions/test_dtypes.py."""


def as_x86_does(value: float, target: str) -> int:
    """Truncation through i32 (i64 for 64 bits and u32): what does not fit that is its smallest number, of
    which narrow types keep the low bits. From 2**63 on, u64 takes what is left above it."""
    bits = 64 if target in ("int64", "uint64", "uint32") else 32
    smallest = -(2 ** (bits - 1))
    if target == "uint64" and value >= 2.0**63:
        return int(value) if value < 2.0**64 else 0
    whole = int(value) if np.isfinite(value) else smallest
    whole = whole if smallest <= whole < -smallest else smallest
    return int(np.int64(whole).astype(target))


@pytest.mark.parametrize("target", INTEGERS)
@pytest.mark.parametrize("source", FLOATS)
def test_casts_out_of_range_follow_the_table(source, target):
    x = interesting(source)
    wanted = np.array([as_x86_does(float(value), target) for value in x], target)
    assert_same_bits(jf.jit(lambda a: a.astype(target))(x), wanted, x)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integer_corners(dtype):
    """None of these may trap, and each is NumPy's: by zero, MIN // -1, shifts by the width and beyond."""
    limits = np.iinfo(dtype)
    x = np.array([limits.min, limits.max, 0, 1, 5], dtype)
    jitted = jf.jit(lambda a, b: (a // b, a % b, a << b, a >> b, -a, abs(a), a * b))
    width = 8 * x.itemsize
    for other in (0, 1, -1, width - 1, width, width + 1, limits.max, limits.min):
        if not limits.min <= other <= limits.max:
            continue
        y = np.full_like(x, other)
        wanted = (x // y, x % y, x << y, x >> y, -x, abs(x), x * y)
        for ours, theirs in zip(jitted(x, y), wanted, strict=True):
            assert_same_bits(ours, theirs, x, y)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integer_corners_with_numbers_given_at_the_call(dtype):
    x = interesting(dtype)
    jitted = jf.jit(lambda a, n: (a // n, a % n, a + n, a * n, a - n))
    for n in (0, 1, 2, 3, 7, 100, *((-1, -3) if dtype.startswith("int") else ())):
        for ours, theirs in zip(jitted(x, n), (x // n, x % n, x + n, x * n, x - n), strict=True):
            assert_same_bits(ours, theirs, x)


def float_chain(x, y):
    """A product meets a sum, sums meet in another order, divisions by constants: all that a compiler might
    contract."""
    product = x * y + x
    swapped = (x + y) + (y - x) * x - y
    scaled = product / 3 + swapped * 0.1 - x / y
    rounded = np.sqrt(np.abs(scaled)) * 7 - product * product
    return (
        rounded,
        x * 2 + y,
        (x + y) - x,
        np.where(x < y, x * x - y * y, y / 10),
        (x * 1 + 0.0) / 1,
        -(x - y),
    )


def integer_chain(x, y):
    product = x * y + x
    quotient = (product // (y | 1)) * y + x % (y | 1)
    return (
        quotient ^ (x >> 1),
        (x << 3) - y,
        np.where(x < y, x * x - y, y // 10),
        np.minimum(x, y) / 3,
        (x + y) - x,
    )


def step_by_step(function: Callable[..., Any], x: np.ndarray, y: np.ndarray) -> Any:
    """The function on tensors that are evaluated after every operation, so that nothing fuses."""

    class Stepped:
        __array_priority__ = 10.0

        def __init__(self, value):
            self.value = jf.asarray(value.numpy() if isinstance(value, jf.Tensor) else value)

        def __array_ufunc__(self, ufunc, method, *inputs, **options):
            assert method == "__call__"
            return Stepped(ufunc(*map(plain, inputs), **options))

        def __array_function__(self, called, types, inputs, options):
            return Stepped(called(*map(plain, inputs), **options))

    def plain(value):
        return value.value if isinstance(value, Stepped) else value

    def operation(name):
        return lambda self, *others: Stepped(getattr(self.value, name)(*map(plain, others)))

    names = (
        "add",
        "radd",
        "sub",
        "rsub",
        "mul",
        "rmul",
        "truediv",
        "floordiv",
        "mod",
        "or",
        "xor",
        "lshift",
        "rshift",
    )
    for name in (*(f"__{each}__" for each in names), "__neg__", "__lt__"):
        setattr(Stepped, name, operation(name))
    return tuple(each.value.numpy() for each in function(Stepped(x), Stepped(y)))


@pytest.mark.parametrize("dtype", CHAINED)
def test_fused_and_unfused_are_the_same_bits(dtype):
    chain = float_chain if dtype in FLOATS else integer_chain
    x, y = pairs(dtype)
    jitted = jf.jit(chain)
    wanted = chain(x, y)
    assert len(plan_of(jitted, x, y).kernels) == 1, "the chain is meant to be one kernel"
    for ours, apart, theirs in zip(jitted(x, y), step_by_step(chain, x, y), wanted, strict=True):
        assert_same_bits(ours, theirs, x, y)
        assert_same_bits(apart, theirs, x, y)


@pytest.mark.parametrize("other", FEW)
@pytest.mark.parametrize("dtype", FEW)
def test_mixed_dtypes_promote_and_round_as_numpy_does(dtype, other):
    x, y = interesting(dtype), interesting(other)
    x, y = np.resize(x, 211), np.resize(y[::-1], 211)

    def mixed(a, b):
        return a + b, a * b, a / b, a < b, np.maximum(a, b)

    for ours, theirs in zip(jf.jit(mixed)(x, y), mixed(x, y), strict=True):
        assert_same_bits(ours, theirs, x, y)


@pytest.mark.parametrize("level", ["sse2", "avx2", "avx512"])
def test_every_instruction_set_gives_numpys_bits(level, in_process):
    """The same chains in a process that is held to one instruction set."""
    if not available(level):
        pytest.skip(f"this processor has no {level}")
    wrong = in_process(
        """
        import json, warnings
        warnings.simplefilter("ignore", RuntimeWarning)
        import numpy as np, jitframe as jf
        from tests.foundations.test_scalar_semantics import CHAINED, float_chain, integer_chain
        from tests.foundations.values import FLOATS, bits_of, pairs
        wrong = []
        for dtype in CHAINED:
            chain = float_chain if dtype in FLOATS else integer_chain
            x, y = pairs(dtype)
            for number, (ours, theirs) in enumerate(zip(jf.jit(chain)(x, y), chain(x, y))):
                if ours.dtype != theirs.dtype or (bits_of(ours) != bits_of(theirs)).any():
                    wrong.append((dtype, number))
        print(json.dumps(wrong))
        """,
        JITFRAME_SIMD=level,
    )
    assert wrong == []
