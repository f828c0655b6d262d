"""What `jitframe.linalg` has, for editors and type checkers; made by `tools/make_stubs.py`."""

from collections.abc import Sequence
from typing import Any

from numpy.typing import DTypeLike

from . import ArrayLike, Tensor, _Axis, _bool, _Casting, _Order, _Out

def cross(x1: ArrayLike, x2: ArrayLike, /, *, axis: int = -1) -> Tensor:
    """The vector products along an axis of 3 components.

    Shape: that of both, broadcast. Raises ShapeError for other numbers of components.

    >>> jf.linalg.cross([1, 0, 0], [0, 1, 0]).numpy()
    array([0, 0, 1])
    """
def det(a: ArrayLike) -> Tensor:
    """Determinants of square matrices.

    `a`: [..., n, n]. Shape: that of `a` without these two axes. Dtype: as of `solve`.

    >>> jf.linalg.det([[2.0, 1.0], [0.0, 4.0]]).numpy()
    array(8.)
    """
def diagonal(x: ArrayLike, /, *, offset: int = 0) -> Tensor:
    """A diagonal of the matrices in the last two axes.

    Shape: that of `x` without these, and the diagonal's length.

    >>> jf.linalg.diagonal([[1, 2], [3, 4]]).numpy()
    array([1, 4])
    """
def inv(a: ArrayLike) -> Tensor:
    """Inverse matrices.

    `a`: [..., n, n]; so is the result. Dtype: as of `solve`. Raises LinAlgError for singular matrices, where
    the values are needed.

    >>> jf.linalg.inv([[2.0, 0.0], [0.0, 4.0]]).numpy()
    array([[0.5 , 0.  ],
           [0.  , 0.25]])
    """
def matrix_norm(x: ArrayLike, /, *, keepdims: _bool = False, ord: Any = 'fro') -> Tensor:
    """The norm of the matrices in the last two axes; see `norm`.

    Shape: that of `x` without these. Dtype: float.

    >>> jf.linalg.matrix_norm([[3.0, 0.0], [0.0, 4.0]]).numpy()
    array(5.)
    """
def matrix_power(a: ArrayLike, n: Any) -> Tensor:
    """The product of `n` of the same square matrices, in the last two axes; `n` is 0 or more.

    Shape and dtype: those of `a`. Raises ShapeError for matrices that are not square.

    >>> jf.linalg.matrix_power([[1, 1], [0, 1]], 5).numpy()
    array([[1, 5],
           [0, 1]])
    """
def multi_dot(arrays: Sequence[ArrayLike] | Tensor, *, out: _Out = None) -> Tensor:
    """The product of several matrices, in the order that takes the fewest multiplications.

    Raises ShapeError where the inner extents differ.

    >>> jf.linalg.multi_dot([np.ones((2, 3)), np.ones((3, 4)), np.ones((4, 1))]).shape
    (2, 1)
    """
def norm(x: ArrayLike, ord: Any = None, axis: _Axis = None, keepdims: _bool = False) -> Tensor:
    """The length of vectors along one axis, the norm of matrices over two, or the length of all elements.

    Of vectors: the root of the sum of squares (`ord` None or 2), sums of sizes to any other power, the
    largest (inf), the smallest (-inf), or how many are not zero (0). Of matrices: the same root ("fro" or
    None), or the largest or smallest sum of sizes over a column (1, -1) or a row (inf, -inf).

    >>> float(jf.linalg.norm(jf.asarray([3.0, 4.0])))
    5.0
    """
def outer(x1: ArrayLike, x2: ArrayLike, /) -> Tensor:
    """Every element of one vector times every element of another.

    Shape: of x1[n] and x2[m], [n, m]. Raises ShapeError for other numbers of axes.

    >>> jf.linalg.outer([1, 2], [10, 20]).numpy()
    array([[10, 20],
           [20, 40]])
    """
def slogdet(a: ArrayLike) -> Tensor:
    """The sign of determinants and the logarithm of their absolute value, which does not overflow.

    `a`: [..., n, n]. Gives `sign` and `logabsdet`, each of the shape of `a` without these two axes; of a
    singular matrix 0 and -inf.

    >>> sign, logarithm = jf.linalg.slogdet([[0.0, 1.0], [1.0, 0.0]])
    >>> float(sign), float(logarithm)
    (-1.0, 0.0)
    """
def solve(a: ArrayLike, b: ArrayLike) -> Tensor:
    """The solutions x of the linear equations `a @ x = b`.

    `a`: [..., n, n]; `b`: [n], or [..., n, k]. Shape: [n] or [..., n, k], the axes in front broadcast. Dtype:
    float32 where both are that, else float64. Raises LinAlgError for singular matrices, where the values are
    needed; ShapeError for shapes that do not fit.

    By Gaussian elimination with partial pivoting: LAPACK's gesv, or for small matrices a kernel.

    >>> jf.linalg.solve([[2.0, 0.0], [0.0, 4.0]], [2.0, 2.0]).numpy()
    array([1. , 0.5])
    """
def trace(x: ArrayLike, /, *, offset: int = 0, dtype: DTypeLike | None = None) -> Tensor:
    """The sums along a diagonal of the matrices in the last two axes.

    Shape: that of `x` without these. Dtype: as of `sum`.

    >>> jf.linalg.trace([[1, 2], [3, 4]]).numpy()
    array(5)
    """
def vector_norm(x: ArrayLike, /, *, axis: _Axis = None, keepdims: _bool = False, ord: Any = 2) -> Tensor:
    """The length of vectors, whose elements are those along one axis or several; see `norm`.

    Shape: that of `x` without the axes; with `keepdims` their extents are 1. Dtype: float.

    >>> jf.linalg.vector_norm([[3.0, 4.0], [6.0, 8.0]], axis=1).numpy()
    array([ 5., 10.])
    """
def matmul(x1: ArrayLike, x2: ArrayLike, /, out: _Out = None, *, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None, axes: Any = None, axis: _Axis = None, keepdims: _bool = False) -> Tensor:
    """The products of matrices in the last two axes, `x1 @ x2`; a vector is a row on the left, a column on
    the right.

    Shape: of x1[..., n, k] and x2[..., k, m], [..., n, m], the other axes broadcast.

    Dtype: what both promote to; they are cast to `dtype` first. Raises ShapeError where
    the inner extents differ.

    >>> jf.matmul([[1, 2], [3, 4]], [[1, 0], [10, 1]]).numpy()
    array([[21,  2],
           [43,  4]])
    """
def matrix_transpose(x: ArrayLike, /) -> Tensor:
    """`x` with its last two axes swapped.

    A view. Raises ArgumentError for less than two axes.

    >>> jf.matrix_transpose(np.zeros((2, 3, 4))).shape
    (2, 4, 3)
    """
def tensordot(a: ArrayLike, b: ArrayLike, axes: Any = 2) -> Tensor:
    """Sums of products over the last `axes` axes of `a` and the first of `b`, or over pairs of axes.

    Shape: the axes of `a` that are left, then those of `b`. Raises ShapeError where the extents of a pair
    differ.

    >>> jf.tensordot(np.ones((2, 3, 4)), np.ones((3, 4, 5))).shape
    (2, 5)
    """
def vecdot(x1: ArrayLike, x2: ArrayLike, /, out: _Out = None, *, axis: int = -1, casting: _Casting = 'same_kind', order: _Order = 'K', dtype: DTypeLike | None = None, subok: _bool = True, signature: Any = None, axes: Any = None, keepdims: _bool = False) -> Tensor:
    """Inner products of the vectors along an axis of both.

    Shape: that of both, broadcast, without the axis.

    >>> jf.vecdot([[1, 2], [3, 4]], [1, 10]).numpy()
    array([21, 43])
    """
