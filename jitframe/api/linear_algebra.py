"""Linear algebra: equations, determinants and decompositions of the matrices in the last two axes."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..functions import linear_algebra as nodes
from .frame import call
from .registry import public


class SlogdetResult(NamedTuple):
    """What `slogdet` gives."""

    sign: Any
    logabsdet: Any


@public("reduction", name="linalg.solve", sample=lambda s: (s.regular, s.v))
def solve(a: Any, b: Any) -> Any:
    """The solutions x of the linear equations `a @ x = b`.

    `a`: [..., n, n]; `b`: [n], or [..., n, k]. Shape: [n] or [..., n, k], the axes in front broadcast. Dtype:
    float32 where both are that, else float64. Raises LinAlgError for singular matrices, where the values are
    needed; ShapeError for shapes that do not fit.

    By Gaussian elimination with partial pivoting: LAPACK's gesv, or for small matrices a kernel.

    >>> jf.linalg.solve([[2.0, 0.0], [0.0, 4.0]], [2.0, 2.0]).numpy()
    array([1. , 0.5])
    """
    return call(nodes.solve, (a, b))


@public("reduction", name="linalg.inv", sample=lambda s: (s.regular,))
def inv(a: Any) -> Any:
    """Inverse matrices.

    `a`: [..., n, n]; so is the result. Dtype: as of `solve`. Raises LinAlgError for singular matrices, where
    the values are needed.

    >>> jf.linalg.inv([[2.0, 0.0], [0.0, 4.0]]).numpy()
    array([[0.5 , 0.  ],
           [0.  , 0.25]])
    """
    return call(nodes.inverse, (a,))


@public("reduction", name="linalg.det", sample=lambda s: (s.regular,))
def det(a: Any) -> Any:
    """Determinants of square matrices.

    `a`: [..., n, n]. Shape: that of `a` without these two axes. Dtype: as of `solve`.

    >>> jf.linalg.det([[2.0, 1.0], [0.0, 4.0]]).numpy()
    array(8.)
    """
    return call(nodes.det, (a,))


@public("reduction", name="linalg.slogdet", sample=lambda s: (s.regular,))
def slogdet(a: Any) -> Any:
    """The sign of determinants and the logarithm of their absolute value, which does not overflow.

    `a`: [..., n, n]. Gives `sign` and `logabsdet`, each of the shape of `a` without these two axes; of a
    singular matrix 0 and -inf.

    >>> sign, logarithm = jf.linalg.slogdet([[0.0, 1.0], [1.0, 0.0]])
    >>> float(sign), float(logarithm)
    (-1.0, 0.0)
    """
    return SlogdetResult(*call(nodes.slogdet, (a,)))
