"""Matrix products by the libraries of GPUs: cuBLAS, rocBLAS, Metal Performance Shaders.

The libraries are column-major and see every matrix transposed: c.T = op(b).T @ op(a).T. Products are in the
dtype's own precision: TF32 is used only where a math mode says so, and none does.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from ctypes import byref, c_int64, c_void_p
from typing import Any

from ...codegen.plan.nodes import LibraryCall
from ..executor import View

_CUBLAS = {"f32": ("sgemm", ctypes.c_float), "f64": ("dgemm", ctypes.c_double)}
_ROCBLAS = {"f32": ("rocblas_sgemm", ctypes.c_float), "f64": ("rocblas_dgemm", ctypes.c_double)}
_ROCBLAS_TRANSPOSES = (111, 112)
_MPS_PRODUCT = (
    "initWithDevice_transposeLeft_transposeRight_resultRows_resultColumns_interiorColumns_alpha_beta_"
)


class _ColumnMajor:
    """A call as column-major libraries take it: the operands in the other order."""

    def __init__(self, step: LibraryCall, operands: Sequence[View], results: Sequence[View]) -> None:
        self.n, self.m, self.k, self.ldb, self.lda, self.ldc = step.sizes
        self.flip_b, self.flip_a = (bool(flag) for flag in step.options)
        self.b, self.a = map(_address, operands)
        self.c = _address(results[0])
        self.count, self.apart_a, self.apart_b, self.apart_c = 1, 0, 0, 0
        for axis in step.batch:
            self.count = axis.count
            self.apart_b, self.apart_a, self.apart_c = axis.strides

    @property
    def is_empty(self) -> bool:
        return not (self.m and self.n and self.count)


def _address(view: View) -> int:
    memory, offset = view
    address: int = memory.address + offset
    return address


def multiply_by_cublas(
    driver: Any, step: LibraryCall, operands: Sequence[View], results: Sequence[View]
) -> None:
    call, interface = _ColumnMajor(step, operands, results), driver.interface
    if call.is_empty:
        return
    name, number = _CUBLAS[step.dtype.name]
    one, zero = number(1.0), number(0.0)
    first, second = ctypes.addressof(one), ctypes.addressof(zero)
    head = int(call.flip_a), int(call.flip_b), call.m, call.n, call.k, first
    with interface._lock:
        cublas, handle = interface._library("cublas")
        if call.count == 1:
            getattr(cublas, name)(
                handle, *head, call.a, call.lda, call.b, call.ldb, second, call.c, call.ldc,
            )  # fmt: skip
        else:
            getattr(cublas, name + "StridedBatched")(
                handle, *head, call.a, call.lda, call.apart_a, call.b, call.ldb, call.apart_b,
                second, call.c, call.ldc, call.apart_c, call.count,
            )  # fmt: skip


def multiply_by_rocblas(
    driver: Any, step: LibraryCall, operands: Sequence[View], results: Sequence[View]
) -> None:
    call, interface = _ColumnMajor(step, operands, results), driver.interface
    if call.is_empty:
        return
    name, number = _ROCBLAS[step.dtype.name]
    one, zero = number(1.0), number(0.0)
    flips = _ROCBLAS_TRANSPOSES[call.flip_a], _ROCBLAS_TRANSPOSES[call.flip_b]
    head = *flips, call.m, call.n, call.k, byref(one)
    with interface._lock:
        library, handle = interface._library()
        if call.count == 1:
            library(
                name, handle, *head, c_void_p(call.a), call.lda, c_void_p(call.b), call.ldb,
                byref(zero), c_void_p(call.c), call.ldc,
            )  # fmt: skip
        else:
            library(
                name + "_strided_batched", handle, *head, c_void_p(call.a), call.lda, c_int64(call.apart_a),
                c_void_p(call.b), call.ldb, c_int64(call.apart_b), byref(zero),
                c_void_p(call.c), call.ldc, c_int64(call.apart_c), call.count,
            )  # fmt: skip


def multiply_by_mps(
    driver: Any, step: LibraryCall, operands: Sequence[View], results: Sequence[View]
) -> None:
    """Row-major, as Metal's matrices are; a batch is so many products."""
    itemsize, views = step.dtype.itemsize, (*operands, *results)
    for axis in step.batch:
        for number in range(axis.count):
            moved = [
                (memory, offset + number * apart * itemsize)
                for (memory, offset), apart in zip(views, axis.strides, strict=True)
            ]
            _multiply_one(driver, step, *moved)
    if not step.batch:
        _multiply_one(driver, step, *views)


def _multiply_one(driver: Any, step: LibraryCall, a: View, b: View, c: View) -> None:
    m, n, k, lda, ldb, ldc = step.sizes
    if not (m and n):
        return
    products, itemsize = driver._frameworks.products, step.dtype.itemsize
    type_ = getattr(products, f"MPSDataTypeFloat{8 * itemsize}")
    if not k:
        for row in range(m):
            driver._upload((c[0], c[1] + row * ldc * itemsize), memoryview(bytes(n * itemsize)))
        return

    def matrix(view: View, flip: bool, rows: int, columns: int, leading: int) -> Any:
        describe = products.MPSMatrixDescriptor.matrixDescriptorWithRows_columns_rowBytes_dataType_
        rows, columns = (columns, rows) if flip else (rows, columns)
        description = describe(rows, columns, leading * itemsize, type_)
        made = products.MPSMatrix.alloc()
        return made.initWithBuffer_offset_descriptor_(view[0].buffer, view[1], description)

    transpose_a, transpose_b = (bool(flag) for flag in step.options)
    left = matrix(a, transpose_a, m, k, lda)
    right = matrix(b, transpose_b, k, n, ldb)
    result = matrix(c, False, m, n, ldc)
    product = getattr(products.MPSMatrixMultiplication.alloc(), _MPS_PRODUCT)(
        driver._device, transpose_a, transpose_b, m, n, k, 1.0, 0.0
    )
    driver._open("")
    product.encodeToCommandBuffer_leftMatrix_rightMatrix_resultMatrix_(
        driver._turn.commands, left, right, result
    )
