"""What `jitframe.linalg` has, for editors and type checkers; made by `tools/make_stubs.py`."""

from collections.abc import Sequence
from typing import Any

from numpy.typing import DTypeLike

from . import ArrayLike, Tensor, _Axis, _bool, _Casting, _Order, _Out

def cholesky(a: ArrayLike, /, *, upper: _bool = False) -> Tensor:
    """The lower triangular factors L of positive definite matrices, `L @ L.T.conj() = a`; or the upper ones,
    `L.T.conj()`.

    `a`: [..., n, n], of which one triangle is read; so is the result. Dtype: as of `solve`. Raises
    LinAlgError for matrices that are not positive definite, where the values are needed. By LAPACK's potrf,
    or for small matrices a kernel.

    >>> jf.linalg.cholesky([[4.0, 2.0], [2.0, 5.0]]).numpy()
    array([[2., 0.],
           [1., 2.]])
    """
def cond(x: ArrayLike, p: ArrayLike | None = None) -> Tensor:
    """The condition number: the factor by which relative errors of the right-hand side of equations may grow
    in the solution. It is the norm of matrices times that of their inverse, inf for singular ones.

    `x`: [..., m, n], square but for `p` of None, 2 and -2, which take singular values; other `p` are orders
    of `norm`. Shape: that of `x` without these two axes. Dtype: float. Raises LinAlgError for empty arrays.

    >>> float(jf.linalg.cond([[2.0, 0.0], [0.0, 1.0]]))
    2.0
    """
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
def eig(a: ArrayLike) -> Tensor:
    """Eigenvalues of square matrices, and eigenvectors of length 1 in columns.

    `a`: [..., n, n]. Shapes: [..., n] and [..., n, n]. Dtype: of complex matrices as of `solve`. Of real ones
    float32 or float64 where all eigenvalues of all matrices are real, else complex: the values are looked at,
    so a jitted function is cut here. By LAPACK's geev.

    >>> values, vectors = jf.linalg.eig([[2.0, 1.0], [0.0, 3.0]])
    >>> values.numpy()
    array([2., 3.])
    """
def eigh(a: ArrayLike, UPLO: Any = 'L') -> Tensor:
    """Eigenvalues of symmetric (or Hermitian) matrices, ascending, and orthonormal eigenvectors in columns.

    `a`: [..., n, n], of which the lower triangle is read, with `UPLO="U"` the upper one. Shapes: [..., n] and
    [..., n, n]. Dtype: as of `solve`, eigenvalues are real. By divide and conquer: LAPACK's syevd.

    >>> values, vectors = jf.linalg.eigh([[2.0, 0.0], [0.0, 1.0]])
    >>> values.numpy()
    array([1., 2.])
    """
def eigvals(a: ArrayLike) -> Tensor:
    """Eigenvalues of square matrices; see `eig`.

    >>> jf.linalg.eigvals([[0.0, 1.0], [-1.0, 0.0]]).numpy()
    array([0.+1.j, 0.-1.j])
    """
def eigvalsh(a: ArrayLike, UPLO: Any = 'L') -> Tensor:
    """Eigenvalues of symmetric (or Hermitian) matrices, ascending; see `eigh`.

    >>> jf.linalg.eigvalsh([[2.0, 0.0], [0.0, 1.0]]).numpy()
    array([1., 2.])
    """
def expm(a: ArrayLike) -> Tensor:
    """The exponential of square matrices, the sum of `a ** k / k!`.

    `a`: [..., n, n]; so is the result. Dtype: as of `solve`. By scaling and squaring with a Padé approximant
    (N. J. Higham, The Scaling and Squaring Method for the Matrix Exponential Revisited, SIAM Journal on
    Matrix Analysis and Applications 26, 2005).

    >>> jf.linalg.expm([[0.0, 1.0], [0.0, 0.0]]).numpy()
    array([[1., 1.],
           [0., 1.]])
    """
def inv(a: ArrayLike) -> Tensor:
    """Inverse matrices.

    `a`: [..., n, n]; so is the result. Dtype: as of `solve`. Raises LinAlgError for singular matrices, where
    the values are needed.

    >>> jf.linalg.inv([[2.0, 0.0], [0.0, 4.0]]).numpy()
    array([[0.5 , 0.  ],
           [0.  , 0.25]])
    """
def lstsq(a: ArrayLike, b: ArrayLike, rcond: Any = None) -> Tensor:
    """The x that makes the sum of the squares of `a @ x - b` smallest, the shortest one where there are many.

    `a`: [m, n]; `b`: [m] or [m, k]. Gives x [n] or [n, k]; the sums of squares that are left, [k] where m > n
    (NaN where the rank is below n), else [0]; the rank of `a`, int32; its singular values. Those up to
    `rcond` times the largest count as 0: by default the larger extent times the dtype's epsilon. Dtype: as of
    `solve`. Raises LinAlgError for shapes that do not fit. By divide and conquer: LAPACK's gelsd.

    >>> x, residuals, rank, s = jf.linalg.lstsq([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]], [1.0, 3.0, 5.0])
    >>> x.numpy().round(12)
    array([1., 2.])
    """
def matrix_norm(x: ArrayLike, /, *, keepdims: _bool = False, ord: Any = 'fro') -> Tensor:
    """The norm of the matrices in the last two axes; see `norm`.

    Shape: that of `x` without these. Dtype: float.

    >>> jf.linalg.matrix_norm([[3.0, 0.0], [0.0, 4.0]]).numpy()
    array(5.)
    """
def matrix_power(a: ArrayLike, n: Any) -> Tensor:
    """The product of `n` of the same square matrices, in the last two axes; for `n` below 0 of their inverse.

    Shape and dtype: those of `a`, of inverses floats. Raises LinAlgError for matrices that are not square,
    and for singular ones where `n` is below 0.

    >>> jf.linalg.matrix_power([[1, 1], [0, 1]], 5).numpy()
    array([[1, 5],
           [0, 1]])
    """
def matrix_rank(A: ArrayLike, tol: Any = None, hermitian: _bool = False, *, rtol: ArrayLike | None = None) -> Tensor:
    """The number of singular values above a tolerance.

    `A`: [..., m, n]. Shape: that of `A` without these two axes. Dtype: int64. `tol`: the tolerance, for each
    matrix of a stack; else `rtol` times the largest singular value: by default the larger extent times the
    dtype's epsilon. Of a vector 1, unless it is 0.

    >>> int(jf.linalg.matrix_rank([[1.0, 2.0], [2.0, 4.0]]))
    1
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
    None), or the largest or smallest sum of sizes over a column (1, -1) or a row (inf, -inf), or of singular
    values the largest (2), the smallest (-2) or the sum ("nuc").

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
def pinv(a: ArrayLike, rcond: Any = None, hermitian: _bool = False, *, rtol: ArrayLike = ...) -> Tensor:
    """Pseudo-inverse matrices, after E. H. Moore and R. Penrose, by singular values.

    `a`: [..., m, n]. Shape: [..., n, m]. Singular values up to `rcond` (or `rtol`) times the largest one
    count as 0: 1e-15 by default; with `rtol=None` the larger extent times the dtype's epsilon. Dtype: as of
    `solve`.

    >>> jf.linalg.pinv([[2.0, 0.0], [0.0, 0.0]]).numpy()
    array([[0.5, 0. ],
           [0. , 0. ]])
    """
def qr(a: ArrayLike, mode: Any = 'reduced') -> Tensor:
    """Orthonormal columns Q and an upper triangular R, `Q @ R = a`.

    `a`: [..., m, n]. Shapes, where k is the smaller of m and n: Q [..., m, k] and R [..., k, n]; of the mode
    "complete" [..., m, m] and [..., m, n]; of "r" R alone; of "raw" what LAPACK's geqrf gives, [..., n, m],
    and the factors of reflections, [..., k]. Dtype: as of `solve`. By Householder's reflections: geqrf and
    orgqr, or for many small matrices a kernel.

    >>> Q, R = jf.linalg.qr([[3.0, 1.0], [4.0, 2.0]])
    >>> abs(R).numpy()
    array([[5. , 2.2],
           [0. , 0.4]])
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
    float32 where both are that, else float64; complex64 or complex128 where one is complex. Raises
    LinAlgError for singular matrices, where the values are needed; ShapeError for shapes that do not fit.

    By Gaussian elimination with partial pivoting: LAPACK's gesv, or for small matrices a kernel.

    >>> jf.linalg.solve([[2.0, 0.0], [0.0, 4.0]], [2.0, 2.0]).numpy()
    array([1. , 0.5])
    """
def svd(a: ArrayLike, full_matrices: _bool = True, compute_uv: _bool = True, hermitian: _bool = False) -> Tensor:
    """Singular values S, descending, and orthonormal U and Vh: `(U * S) @ Vh = a`.

    `a`: [..., m, n]. Shapes, where k is the smaller of m and n: U [..., m, m], S [..., k], Vh [..., n, n];
    without `full_matrices` U [..., m, k] and Vh [..., k, n]. Without `compute_uv` S alone. Of `hermitian`
    matrices the lower triangle is read. Dtype: as of `solve`. By divide and conquer: LAPACK's gesdd.

    >>> jf.linalg.svd([[3.0, 0.0], [0.0, 4.0]]).S.numpy()
    array([4., 3.])
    """
def svdvals(x: ArrayLike, /) -> Tensor:
    """Singular values, descending; see `svd`.

    >>> jf.linalg.svdvals([[3.0, 0.0], [0.0, 4.0]]).numpy()
    array([4., 3.])
    """
def tensorinv(a: ArrayLike, ind: ArrayLike = 2) -> Tensor:
    """The inverse of `tensordot(a, x, ind)`: `tensordot(tensorinv(a), b, ind) = x`.

    `a`: `ind` axes, and others of the same size together. Shape: the latter, then the former.

    >>> jf.linalg.tensorinv(np.eye(6).reshape(2, 3, 6)).shape
    (6, 2, 3)
    """
def tensorsolve(a: ArrayLike, b: ArrayLike, axes: Any = None) -> Tensor:
    """The x of `tensordot(a, x, x.ndim) = b`.

    `a`: the shape of `b`, then that of x; the axes of `axes` are moved to the end first. Raises LinAlgError
    where these have different sizes.

    >>> jf.linalg.tensorsolve(2 * np.eye(6).reshape(2, 3, 6), np.ones((2, 3))).numpy()
    array([0.5, 0.5, 0.5, 0.5, 0.5, 0.5])
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
