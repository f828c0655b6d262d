"""A driver under test, what its kernels are meant to give, and moving arrays to its device and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from jitframe.codegen.c_family import Dialect
from jitframe.codegen.kernel.nodes import Kernel
from jitframe.codegen.kernel.ops import MATH
from jitframe.codegen.math import MathFeatures, expand_math
from jitframe.codegen.plan.bind import scalar_bits
from jitframe.ir.record import record
from jitframe.ir.types import F32
from jitframe.runtime.driver import Driver
from jitframe.runtime.executor import View
from tests.plan.reference_driver import ReferenceDriver

Array = np.ndarray[Any, Any]


class Subject(metaclass=record):
    """A driver under test, with the C-like language that it compiles, where it does."""

    driver: Driver
    dialect: Dialect | None = None
    ulp: int = 0
    """How far its divisions and square roots may be off; 0: it gives the interpreter's bits."""


Law = Callable[[Subject], None]


class Meant(ReferenceDriver):
    """The interpreter, with the bodies of the math functions that the device computes.

    A driver without a language of its own is one that runs kernels as the CPU does.
    """

    def __init__(self, subject: Subject) -> None:
        super().__init__()
        dialect, fma = subject.dialect, subject.driver.facts.fma
        self._features = MathFeatures(fma=fma, wide=True) if dialect is None else MathFeatures(dialect.fma)
        self._own = frozenset(MATH) - (frozenset() if dialect is None else dialect.functions.keys())

    def compile(self, kernel: Kernel) -> Kernel:
        return expand_math(kernel, self._features, self._own)


# On the device ---------------------------------------------------------------------------------------
def as_bytes(array: Array) -> memoryview:
    return memoryview(array.reshape(-1).view(np.uint8))


def put(driver: Driver, array: Array) -> Any:
    """Memory that holds an array's bytes."""
    there = driver.allocate(array.nbytes)
    driver.upload((there, 0), as_bytes(array))
    return there


def get(driver: Driver, source: View, like: Array) -> Array:
    out = np.empty_like(like)
    driver.download(source, as_bytes(out))
    return out


def slots(*values: int) -> bytes:
    return b"".join((value & ((1 << 64) - 1)).to_bytes(8, "little") for value in values)


def float_bits(value: float) -> int:
    return scalar_bits(value, F32)


def numbers(size: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed).integers(0, 256, size).astype(np.uint8)


def random_floats(size: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed).normal(size=size).astype(np.float32)


def run(
    subject: Subject, kernel: Kernel, arrays: Sequence[Array], values: bytes, groups: int, skipped: int = 0
) -> None:
    """Run a kernel on views `skipped` elements into larger memory; each buffer must be what is meant."""
    driver, meant = subject.driver, Meant(subject)
    handle, views, expected = driver.compile(kernel), [], []
    for array in arrays:
        padded = np.concatenate([np.ones(skipped, array.dtype), array])
        offset = skipped * array.itemsize
        views.append((put(driver, padded), offset))
        expected.append(np.array(as_bytes(padded)))
    driver.launch(handle, views, values, groups)
    inside = [(each, offset) for each, (_, offset) in zip(expected, views, strict=True)]
    meant.launch(meant.compile(kernel), inside, values, groups)
    for (there, _), wanted, array in zip(views, expected, arrays, strict=True):
        found = get(driver, (there, 0), wanted).view(array.dtype)
        same(found, wanted.view(array.dtype), subject.ulp)
        driver.free(there)


def same(found: Array, wanted: Array, ulp: int) -> None:
    """Equal to the last bit, or within some ulp; any NaN is equal to any other."""
    if wanted.dtype.kind != "f":
        np.testing.assert_array_equal(found, wanted)
        return
    nan = np.isnan(wanted)
    np.testing.assert_array_equal(np.isnan(found), nan)
    if ulp:
        np.testing.assert_array_max_ulp(found[~nan], wanted[~nan], ulp)
    else:
        unsigned = f"u{wanted.dtype.itemsize}"
        np.testing.assert_array_equal(found.view(unsigned)[~nan], wanted.view(unsigned)[~nan])
