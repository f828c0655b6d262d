"""Products of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..registry import operator
from ..values import cast, dtype_of, lazy, public

_det = public("linalg.det")


@operator("MatMul")
def matmul(x: Any, y: Any) -> Any:
    return np.matmul(x, y)


@operator("Gemm")
def gemm(
    x: Any, y: Any, z: Any = None, *, alpha: float = 1.0, beta: float = 1.0, transA: int = 0, transB: int = 0,
    broadcast: int = 0,
) -> Any:  # fmt: skip
    found = np.matmul(np.transpose(x) if transA else x, np.transpose(y) if transB else y)
    return scaled_sum(found, z, alpha, beta)


def scaled_sum(x: Any, z: Any, alpha: float, beta: float) -> Any:
    """alpha * x + beta * z, without the second where it is None."""
    one = dtype_of(x).type
    found = x if alpha == 1 else x * one(alpha)
    if z is None or not beta:
        return found
    return found + (z if beta == 1 else z * one(beta))


@operator("Einsum")
def einsum(*values: Any, equation: str) -> Any:
    return np.einsum(equation.replace(" ", ""), *map(lazy, values))


@operator("Det")
def det(x: Any) -> Any:
    return cast(_det(x), dtype_of(x))
