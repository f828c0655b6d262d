"""Matrix products by the BLAS that NumPy itself uses, through its C interface; else by NumPy's matmul.

NumPy's wheels carry OpenBLAS with 64-bit integers. Its number of threads is never changed: it belongs to the
whole process, NumPy's own products included.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from ....codegen.plan.libraries import problem_of
from ....codegen.plan.nodes import LibraryCall
from ....ir.record import record
from ..native_library.described import native
from ..native_library.layout import symbol_address
from ..native_library.library import native_library

_DTYPES = {"f32": ("s", np.float32), "f64": ("d", np.float64)}
# Symbol around the type letter -> width of its integers, in the order in which they are tried.
_SPELLINGS = (
    ("scipy_cblas_{}gemm64_", 64), ("cblas_{}gemm64_", 64), ("cblas_{}gemm_64", 64),
    ("scipy_cblas_{}gemm", 32), ("cblas_{}gemm", 32), ("cblas_{}gemm$NEWLAPACK", 32),
)  # fmt: skip


# Multiplications from which BLAS divides one product among threads of its own: then a batch is not shared.
LONE_PRODUCT = 1 << 18
_TRANSPOSE, _NO_TRANSPOSE = 112, 111


class EncodedCall(metaclass=record):
    """A library call for the native executor: the adapter that makes one call, by address, and its words.

    An adapter is `void adapter(const i64 *words, const i64 *addresses)`: of operands, results, workspace.
    """

    adapter: int
    words: list[int]
    shared: bool
    """Whether our threads share a batch."""
    through_python: bool


class GemmCall(metaclass=record):
    """A function with the C interface of gemm, and which of its four signatures it has; beside it syrk, 0
    where there is none."""

    address: int
    kind: int
    through_python: bool
    symmetric: int = 0


class Blas:
    """The products of one process; `library` is the path of the one found, None where there is none."""

    def __init__(self, failure_flag: int, use_library: bool = True) -> None:
        self._failure_flag = failure_flag
        self._use_library = use_library
        self._calls: dict[str, GemmCall] = {}
        self._callbacks: list[object] = []

    @cached_property
    def _library(self) -> ctypes.CDLL | None:
        return _find_library() if self._use_library else None

    @property
    def library(self) -> str | None:
        return None if self._library is None else self._library._name

    def encoded(self, step: LibraryCall) -> EncodedCall:
        """Encodes a call of a function that is declared in `codegen.plan.libraries`. Raises ValueError for
        one that breaks its declaration, or that has no provider here."""
        problem = problem_of(step)
        if step.function not in PROVIDERS:
            from . import lapack, through_numpy  # many programs have none of their functions

            PROVIDERS.update({**lapack.PROVIDERS, **through_numpy.PROVIDERS})
        if not problem and step.function not in PROVIDERS:
            problem = f"the processor has no provider of {step.function}"
        if problem:
            raise ValueError(problem)
        return PROVIDERS[step.function](self, step)

    def routine(self, name: str) -> tuple[int, int] | None:
        """Returns the address of a LAPACK routine, and the width of its integers; None where it is
        missing."""
        from .lapack import find_routine

        return None if self._library is None else find_routine(self._library, name)

    def keep(self, callback: object) -> None:
        """Keeps a callback of native code alive."""
        self._callbacks.append(callback)

    def fail(self) -> None:
        """Ends the run after a Python callback has failed."""
        ctypes.c_int32.from_address(self._failure_flag).value = 1

    def gemm(self, dtype: str) -> GemmCall:
        """Returns the product of a dtype, "f32" or "f64"; raises ValueError for another."""
        if dtype not in _DTYPES:
            raise ValueError(f"gemm of {dtype}; only {', '.join(_DTYPES)} have one")
        if dtype not in self._calls:
            self._calls[dtype] = self._from_library(dtype) or self._through_python(dtype)
        return self._calls[dtype]

    def _from_library(self, dtype: str) -> GemmCall | None:
        if self._library is None:
            return None
        for spelling, width in _SPELLINGS:
            address = symbol_address(self._library, spelling.format(_DTYPES[dtype][0]))
            if address:
                letter = _DTYPES[dtype][0]
                symmetric = symbol_address(self._library, spelling.replace("gemm", "syrk").format(letter))
                return GemmCall(address, _kind(dtype, width), False, symmetric)
        return None

    def _through_python(self, dtype: str) -> GemmCall:
        """Returns a C function that takes the GIL and calls numpy.matmul; a failure sets the failure flag."""
        scalar = ctypes.c_float if dtype == "f32" else ctypes.c_double
        integer, pointer = ctypes.c_int64, ctypes.c_void_p

        @ctypes.CFUNCTYPE(
            None, ctypes.c_int32, ctypes.c_int32, ctypes.c_int32, integer, integer, integer,
            scalar, pointer, integer, pointer, integer, scalar, pointer, integer,
        )  # fmt: skip
        def product(_order, ta, tb, m, n, k, _alpha, a, lda, b, ldb, _beta, c, ldc):  # type: ignore[no-untyped-def]
            try:
                left = _matrix(a, (k, m) if ta == 112 else (m, k), lda, dtype)
                right = _matrix(b, (n, k) if tb == 112 else (k, n), ldb, dtype)
                np.matmul(
                    left.T if ta == 112 else left,
                    right.T if tb == 112 else right,
                    out=_matrix(c, (m, n), ldc, dtype),
                )
            except BaseException:
                self.fail()
                raise

        self.keep(product)
        address = ctypes.cast(product, ctypes.c_void_p).value
        assert address is not None
        return GemmCall(address, _kind(dtype, 64), True)


def _encoded_gemm(blas: Blas, step: LibraryCall) -> EncodedCall:
    call = blas.gemm(step.dtype.name)
    m, n, k, *leading = step.sizes
    transposed = [_TRANSPOSE if flag else _NO_TRANSPOSE for flag in step.options]
    words = [call.address, call.kind, *transposed, m, n, k, *(max(each, 1) for each in leading)]
    words.append(call.symmetric)
    shared = not call.through_python and m * n * k <= LONE_PRODUCT
    return EncodedCall(native_library().image.address("gemm"), words, shared, call.through_python)


PROVIDERS: dict[str, Callable[[Blas, LibraryCall], EncodedCall]] = {"gemm": _encoded_gemm}
"""Encodes a call of each function for the native executor."""


def _kind(dtype: str, width: int) -> int:
    """Returns the executor's name of a product of a dtype with integers of so many bits."""
    return int(getattr(native, f"GEMM_{dtype.upper()}_INT{width}"))


def _matrix(address: int | None, shape: tuple[int, int], leading: int, dtype: str) -> np.ndarray:
    scalar = np.dtype(_DTYPES[dtype][1])
    if address is None or 0 in shape:
        return np.zeros(shape, scalar)
    nbytes = ((shape[0] - 1) * leading + shape[1]) * scalar.itemsize
    memory: Any = (ctypes.c_char * nbytes).from_address(address)
    return np.ndarray(shape, scalar, memory, strides=(leading * scalar.itemsize, scalar.itemsize))


def _candidates() -> list[str]:
    """Yields files that may contain NumPy's BLAS, the wheels' own first."""
    package = os.path.dirname(np.__file__)
    folders = (
        os.path.join(os.path.dirname(package), "numpy.libs"),
        os.path.join(package, ".dylibs"),
        package,
    )
    found = [
        os.path.join(folder, name)
        for folder in folders
        if os.path.isdir(folder)
        for name in sorted(os.listdir(folder))
        if "openblas" in name
    ]
    if sys.platform == "darwin":
        found.append("/System/Library/Frameworks/Accelerate.framework/Accelerate")
    return found


def _find_library() -> ctypes.CDLL | None:
    for path in _candidates():
        try:
            library = ctypes.CDLL(path)
        except OSError:
            continue
        if any(symbol_address(library, spelling.format("s")) for spelling, _ in _SPELLINGS):
            return library
    return None
