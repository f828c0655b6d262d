"""Values where arithmetic is hard, as pairs of every one with every other, and comparison of bits."""

from __future__ import annotations

import ml_dtypes
import numpy as np

INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
FLOATS = ("float16", "bfloat16", "float32", "float64")
DTYPES = ("bool", *INTEGERS, *FLOATS)


def interesting(dtype: str) -> np.ndarray:
    """Limits, specials, neighbours of powers of two, and random bit patterns."""
    kind = np.dtype(dtype)
    random = np.random.default_rng(kind.itemsize)
    if dtype == "bool":
        return np.array([False, True])
    if kind.kind in "iu":
        limits = np.iinfo(kind)
        near = {value for bit in range(kind.itemsize * 8) for value in (2**bit - 1, 2**bit, 2**bit + 1)}
        near |= {-value for value in near} | {
            limits.min,
            limits.min + 1,
            limits.max,
            limits.max - 1,
            0,
            10,
            100,
        }
        known = np.array(sorted(value for value in near if limits.min <= value <= limits.max), kind)
        return np.concatenate([known, random.integers(limits.min, limits.max, 40, kind, endpoint=True)])
    limits = ml_dtypes.finfo(kind)
    wide = np.array(
        [0.0, 1.0, 0.5, 2.0, 3.0, 1.5, 0.1, 1 / 3, 7.0, 100.0, 255.0, 256.0, 2.0**31, 2.0**31 - 1, 2.0**32,
         2.0**53, 2.0**63, 2.0**64, float(limits.max), float(limits.tiny), float(limits.smallest_subnormal),
         np.inf, np.nan, float(limits.eps), 1 + float(limits.eps), 1e10, 1e-10, 1 + 2.0**-8 + 2.0**-30,
         1 + 2.0**-11 + 2.0**-40, 65519.0, 65520.0, 2.0**-25], np.float64,
    )  # fmt: skip
    with np.errstate(over="ignore"):
        known = wide.astype(kind)
    bits = random.integers(0, 256, 60 * kind.itemsize, np.uint8).view(kind)
    near = random.standard_normal(40).astype(kind) * 100
    return np.concatenate([known, -known, bits, near])


def pairs(dtype: str) -> tuple[np.ndarray, np.ndarray]:
    """Every interesting value against every other."""
    values = interesting(dtype)
    x, y = np.meshgrid(values, values, indexing="ij")
    return x.ravel(), y.ravel()


def bits_of(array: np.ndarray) -> np.ndarray:
    """The array's bits, where every NaN counts as the same."""
    array = np.asarray(array)
    if array.dtype.kind not in "fV":
        return array
    with np.errstate(invalid="ignore"):  # bfloat16's signalling NaNs
        plain = np.where(np.isnan(array), np.array(np.nan, array.dtype), array)
    return np.ascontiguousarray(plain).view(f"u{array.itemsize}")


def assert_same_bits(ours: np.ndarray, theirs: np.ndarray, *given: np.ndarray) -> None:
    """The same dtype, shape and bits; the message names the first values that differ."""
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
    wrong = np.flatnonzero(bits_of(ours).ravel() != bits_of(theirs).ravel())
    if wrong.size:
        at = wrong[0]
        operands = ", ".join(repr(array.ravel()[at]) for array in given if array.size == ours.size)
        raise AssertionError(
            f"{wrong.size} of {ours.size} differ, first at ({operands}): "
            f"{ours.ravel()[at]!r} instead of {theirs.ravel()[at]!r}"
        )
