"""Linear algebra: equations, determinants and decompositions of the matrices in the last two axes."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any, NamedTuple

from ...base.arguments import is_sequence, shown
from ...errors import ArgumentError, KindError, LinAlgError
from ...functions import decompositions, matrix_exponential
from ...functions import linear_algebra as nodes
from ...functions.operands import shape_text
from ..calls import call
from ..creation.constructors import full
from ..movement import as_lazy
from ..registry import public


class SlogdetResult(NamedTuple):
    """The result of `slogdet`."""

    sign: Any
    logabsdet: Any


@public("reduction", name="linalg.solve", sample=lambda s: (s.regular, s.v))
def solve(a: Any, b: Any) -> Any:
    """The solutions x of the linear equations `a @ x = b`.

    `a`: [..., n, n]; `b`: [n], or [..., n, k]. Shape: [n] or [..., n, k], the axes in front broadcast. Dtype:
    float32 where both are that, else float64; complex64 or complex128 where one is complex. Raises
    LinAlgError for singular matrices, where the values are needed; ShapeError for shapes that do not fit.

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


class QRResult(NamedTuple):
    """The result of `qr`."""

    Q: Any
    R: Any


class EigResult(NamedTuple):
    """The result of `eig`."""

    eigenvalues: Any
    eigenvectors: Any


class EighResult(NamedTuple):
    """The result of `eigh`."""

    eigenvalues: Any
    eigenvectors: Any


class SVDResult(NamedTuple):
    """The result of `svd`."""

    U: Any
    S: Any
    Vh: Any


@public("reduction", name="linalg.cholesky", sample=lambda s: (s.regular,))
def cholesky(a: Any, /, *, upper: bool = False) -> Any:
    """The lower triangular factors L of positive definite matrices, `L @ L.T.conj() = a`; or the upper ones,
    `L.T.conj()`.

    `a`: [..., n, n], of which one triangle is read; so is the result. Dtype: as of `solve`. Raises
    LinAlgError for matrices that are not positive definite, where the values are needed. By LAPACK's potrf,
    or for small matrices a kernel.

    >>> jf.linalg.cholesky([[4.0, 2.0], [2.0, 5.0]]).numpy()
    array([[2., 0.],
           [1., 2.]])
    """
    return call(decompositions.cholesky, (a,), bool(upper))


@public("reduction", name="linalg.qr", sample=lambda s: (s.regular,))
def qr(a: Any, mode: Any = "reduced") -> Any:
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
    if mode not in ("reduced", "complete", "r", "raw"):
        raise ArgumentError(f"qr: mode={mode!r} is none of 'reduced', 'complete', 'r' and 'raw'")
    found = call(decompositions.qr, (a,), mode)
    if mode == "raw":
        return tuple(found)
    return found[0] if mode == "r" else QRResult(*found)


@public("reduction", name="linalg.eigh", sample=lambda s: (s.regular,))
def eigh(a: Any, UPLO: Any = "L") -> Any:
    """Eigenvalues of symmetric (or Hermitian) matrices, ascending, and orthonormal eigenvectors in columns.

    `a`: [..., n, n], of which the lower triangle is read, with `UPLO="U"` the upper one. Shapes: [..., n] and
    [..., n, n]. Dtype: as of `solve`, eigenvalues are real. By divide and conquer: LAPACK's syevd.

    >>> values, vectors = jf.linalg.eigh([[2.0, 0.0], [0.0, 1.0]])
    >>> values.numpy()
    array([1., 2.])
    """
    return EighResult(*call(decompositions.eigh, (a,), _is_lower(UPLO), True))


@public("reduction", name="linalg.eigvalsh", sample=lambda s: (s.regular,))
def eigvalsh(a: Any, UPLO: Any = "L") -> Any:
    """Eigenvalues of symmetric (or Hermitian) matrices, ascending; see `eigh`.

    >>> jf.linalg.eigvalsh([[2.0, 0.0], [0.0, 1.0]]).numpy()
    array([1., 2.])
    """
    return call(decompositions.eigh, (a,), _is_lower(UPLO), False)[0]


def _is_lower(uplo: Any) -> bool:
    letter = str(uplo).upper()
    if letter not in ("L", "U"):
        raise ArgumentError("UPLO argument must be 'L' or 'U'")
    return letter == "L"


@public("reduction", name="linalg.eig", sample=lambda s: (s.regular,))
def eig(a: Any) -> Any:
    """Eigenvalues of square matrices, and eigenvectors of length 1 in columns.

    `a`: [..., n, n]. Shapes: [..., n] and [..., n, n]. Dtype: of complex matrices as of `solve`. Of real ones
    float32 or float64 where all eigenvalues of all matrices are real, else complex: the values are looked at,
    so a jitted function is cut here. By LAPACK's geev.

    >>> values, vectors = jf.linalg.eig([[2.0, 1.0], [0.0, 3.0]])
    >>> values.numpy()
    array([2., 3.])
    """
    return EigResult(*_eigenvalues(a, "eig"))


@public("reduction", name="linalg.eigvals", sample=lambda s: (s.regular,))
def eigvals(a: Any) -> Any:
    """Eigenvalues of square matrices; see `eig`.

    >>> jf.linalg.eigvals([[0.0, 1.0], [-1.0, 0.0]]).numpy()
    array([0.+1.j, 0.-1.j])
    """
    return _eigenvalues(a, "eigvals")[0]


def _eigenvalues(a: Any, function: str) -> Any:
    found = call(decompositions.eig, (a,), function == "eig")
    if found[0].dtype.kind == "c":
        return found
    real, imaginary, *columns = found
    of_reals = (imaginary == 0).all()
    if of_reals._concrete(f"{function}: whether all eigenvalues are real decides the dtype"):
        return real, *columns
    return call(decompositions.with_complex_columns, (real, imaginary, *columns))


@public("reduction", name="linalg.svd", sample=lambda s: (s.regular,))
def svd(a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> Any:
    """Singular values S, descending, and orthonormal U and Vh: `(U * S) @ Vh = a`.

    `a`: [..., m, n]. Shapes, where k is the smaller of m and n: U [..., m, m], S [..., k], Vh [..., n, n];
    without `full_matrices` U [..., m, k] and Vh [..., k, n]. Without `compute_uv` S alone. Of `hermitian`
    matrices the lower triangle is read. Dtype: as of `solve`. By divide and conquer: LAPACK's gesdd.

    >>> jf.linalg.svd([[3.0, 0.0], [0.0, 4.0]]).S.numpy()
    array([4., 3.])
    """
    found = call(decompositions.svd, (a,), bool(full_matrices), bool(compute_uv), bool(hermitian))
    return SVDResult(*found) if compute_uv else found[0]


@public("reduction", name="linalg.svdvals", sample=lambda s: (s.regular,))
def svdvals(x: Any, /) -> Any:
    """Singular values, descending; see `svd`.

    >>> jf.linalg.svdvals([[3.0, 0.0], [0.0, 4.0]]).numpy()
    array([4., 3.])
    """
    return call(decompositions.svd, (x,), False, False)[0]


class _Unset:
    def __repr__(self) -> str:
        return "<no value>"


_UNSET = _Unset()


@public("reduction", name="linalg.pinv", sample=lambda s: (s.regular,))
def pinv(a: Any, rcond: Any = None, hermitian: bool = False, *, rtol: Any = _UNSET) -> Any:
    """Pseudo-inverse matrices, after E. H. Moore and R. Penrose, by singular values.

    `a`: [..., m, n]. Shape: [..., n, m]. Singular values up to `rcond` (or `rtol`) times the largest one
    count as 0: 1e-15 by default; with `rtol=None` the larger extent times the dtype's epsilon. Dtype: as of
    `solve`.

    >>> jf.linalg.pinv([[2.0, 0.0], [0.0, 0.0]]).numpy()
    array([[0.5, 0. ],
           [0. , 0. ]])
    """
    if rcond is None:
        limit = 1e-15 if rtol is _UNSET else rtol
    elif rtol is _UNSET:
        limit = rcond
    else:
        raise ArgumentError("`rtol` and `rcond` can't be both set.")
    array = as_lazy(a)
    if array.ndim > 1 and 0 in array.shape[-2:]:  # in its own dtype, as NumPy has it
        shape = (*array.shape[:-2], array.shape[-1], array.shape[-2])
        return full(shape, 0, dtype=array.dtype, device=array.device)
    return _with_limits(decompositions.pinv, array, (limit,), bool(hermitian))


@public("reduction", name="linalg.matrix_rank", sample=lambda s: (s.regular,))
def matrix_rank(A: Any, tol: Any = None, hermitian: bool = False, *, rtol: Any = None) -> Any:
    """The number of singular values above a tolerance.

    `A`: [..., m, n]. Shape: that of `A` without these two axes. Dtype: int64. `tol`: the tolerance, for each
    matrix of a stack; else `rtol` times the largest singular value: by default the larger extent times the
    dtype's epsilon. Of a vector 1, unless it is 0.

    >>> int(jf.linalg.matrix_rank([[1.0, 2.0], [2.0, 4.0]]))
    1
    """
    if tol is not None and rtol is not None:
        raise ArgumentError("`tol` and `rtol` can't be both set.")
    return _with_limits(decompositions.matrix_rank, A, (tol, rtol), bool(hermitian))


def _with_limits(function: Callable[..., Any], a: Any, limits: tuple[Any, ...], *arguments: Any) -> Any:
    """A function of an array and of further operands, each of which may be None."""
    given = [limit for limit in limits if limit is not None]

    def called(graph: Any, array: Any, *rest: Any) -> Any:
        left = iter(rest)
        return function(
            graph, array, *[None if limit is None else next(left) for limit in limits], *arguments
        )

    return call(called, (a, *given))


@public("reduction", name="linalg.lstsq", sample=lambda s: (s.regular, s.v))
def lstsq(a: Any, b: Any, rcond: Any = None) -> Any:
    """The x that makes the sum of the squares of `a @ x - b` smallest, the shortest one where there are many.

    `a`: [m, n]; `b`: [m] or [m, k]. Gives x [n] or [n, k]; the sums of squares that are left, [k] where m > n
    (NaN where the rank is below n), else [0]; the rank of `a`, int32; its singular values. Those up to
    `rcond` times the largest count as 0: by default the larger extent times the dtype's epsilon. Dtype: as of
    `solve`. Raises LinAlgError for shapes that do not fit. By divide and conquer: LAPACK's gelsd.

    >>> x, residuals, rank, s = jf.linalg.lstsq([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]], [1.0, 3.0, 5.0])
    >>> x.numpy().round(12)
    array([1., 2.])
    """
    if rcond is None:
        return call(decompositions.lstsq, (a, b), None)
    if is_sequence(rcond):
        raise KindError(f"lstsq: rcond is one number, not {shown(rcond)}")
    return call(decompositions.lstsq, (a, b, rcond))


@public("reduction", name="linalg.expm", sample=lambda s: (s.regular,))
def expm(a: Any) -> Any:
    """The exponential of square matrices, the sum of `a ** k / k!`.

    `a`: [..., n, n]; so is the result. Dtype: as of `solve`. By scaling and squaring with a Padé approximant
    (N. J. Higham, The Scaling and Squaring Method for the Matrix Exponential Revisited, SIAM Journal on
    Matrix Analysis and Applications 26, 2005).

    >>> jf.linalg.expm([[0.0, 1.0], [0.0, 0.0]]).numpy()
    array([[1., 1.],
           [0., 1.]])
    """
    return call(matrix_exponential.expm, (a,))


@public("reduction", name="linalg.tensorsolve", sample=lambda s: (s.regular, s.v), makes_arrays=True)
def tensorsolve(a: Any, b: Any, axes: Any = None) -> Any:
    """The x of `tensordot(a, x, x.ndim) = b`.

    `a`: the shape of `b`, then that of x; the axes of `axes` are moved to the end first. Raises LinAlgError
    where these have different sizes.

    >>> jf.linalg.tensorsolve(2 * np.eye(6).reshape(2, 3, 6), np.ones((2, 3))).numpy()
    array([0.5, 0.5, 0.5, 0.5, 0.5, 0.5])
    """
    array, right = as_lazy(a), as_lazy(b)
    rank = array.ndim
    if axes is not None:
        order = list(range(rank))
        for axis in axes:
            order.remove(axis)
            order.append(axis)
        array = array.transpose(order)
    shape = tuple(array.shape[-(rank - right.ndim) :])
    size = math.prod(shape)
    if array.size != size**2 or right.size != size:
        raise LinAlgError(
            "Input arrays must satisfy the requirement prod(a.shape[b.ndim:]) == prod(a.shape[:b.ndim]), not "
            f"those of shapes {shape_text(array.shape)} and {shape_text(right.shape)}"
        )
    return solve(array.reshape((size, size)), right.reshape((size,))).reshape(shape)


@public("reduction", name="linalg.tensorinv", sample=lambda s: (s.regular, 1))
def tensorinv(a: Any, ind: Any = 2) -> Any:
    """The inverse of `tensordot(a, x, ind)`: `tensordot(tensorinv(a), b, ind) = x`.

    `a`: `ind` axes, and others of the same size together. Shape: the latter, then the former.

    >>> jf.linalg.tensorinv(np.eye(6).reshape(2, 3, 6)).shape
    (6, 2, 3)
    """
    array, count = as_lazy(a), operator.index(ind)
    if count <= 0:
        raise ArgumentError("Invalid ind argument.")
    rows, columns = array.shape[:count], array.shape[count:]
    size = math.prod(columns)
    if math.prod(rows) != size:
        raise LinAlgError(f"Last 2 dimensions of the array must be square, not ({math.prod(rows)},{size})")
    return inv(array.reshape((size, size))).reshape((*columns, *rows))
