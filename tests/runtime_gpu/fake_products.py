"""A stand-in for MetalPerformanceShaders: matrix products of command buffers of `fake_metal`, by NumPy."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np


class MatrixDescriptor(NamedTuple):
    rows: int
    columns: int
    row_bytes: int
    dtype: np.dtype

    @staticmethod
    def matrixDescriptorWithRows_columns_rowBytes_dataType_(
        rows: int, columns: int, row_bytes: int, dtype: np.dtype
    ) -> MatrixDescriptor:
        assert row_bytes >= columns * dtype.itemsize and row_bytes % dtype.itemsize == 0
        return MatrixDescriptor(rows, columns, row_bytes, dtype)


class Matrix:
    @classmethod
    def alloc(cls) -> Matrix:
        return cls()

    def initWithBuffer_offset_descriptor_(
        self, buffer: Any, offset: int, description: MatrixDescriptor
    ) -> Matrix:
        rows, columns, row_bytes, dtype = description
        self.shape = rows, columns
        self.elements = np.ndarray(self.shape, dtype, buffer.content, offset, (row_bytes, dtype.itemsize))
        return self


class Multiplication:
    @classmethod
    def alloc(cls) -> Multiplication:
        return cls()

    def initWithDevice_transposeLeft_transposeRight_resultRows_resultColumns_interiorColumns_alpha_beta_(
        self, device: Any, left: bool, right: bool, m: int, n: int, k: int, alpha: float, beta: float
    ) -> Multiplication:
        assert (alpha, beta) == (1.0, 0.0) and min(m, n, k) > 0
        self.flips, self.shape = (left, right), (m, n, k)
        return self

    def encodeToCommandBuffer_leftMatrix_rightMatrix_resultMatrix_(
        self, commands: Any, left: Matrix, right: Matrix, result: Matrix
    ) -> None:
        assert commands.encoder is None, "it makes an encoder of its own"
        m, n, k = self.shape
        assert left.shape == ((k, m) if self.flips[0] else (m, k))
        assert right.shape == ((n, k) if self.flips[1] else (k, n)) and result.shape == (m, n)

        def multiply() -> None:
            x, y = (
                np.asarray(each.elements.T if flip else each.elements, np.float32)
                for each, flip in zip((left, right), self.flips, strict=True)
            )
            result.elements[...] = x @ y

        commands.tasks.append(multiply)
