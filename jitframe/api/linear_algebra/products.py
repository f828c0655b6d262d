"""Products of arrays: matrices, vectors, tensors, and sums of products in Einstein's notation."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy

from ...arrays.promotion import Operand
from ...base.arguments import casting_of, shown
from ...errors import ArgumentError, KindError, ShapeError
from ...functions import einsum as notation
from ...functions import products
from ...ir.node import Graph, Node
from ..calls import call
from ..elementwise.ufunc import computed_in
from ..frame import LazyValue
from ..movement import as_lazy, parts_of
from ..registry import public
from ..signature import check_unset, optional_dtype, single_output

if TYPE_CHECKING:
    from typing import Unpack

    from ..registry import Said


def _product(
    function: Callable[..., Node], name: str, summary: str, given: str, shown: str, **said: Unpack[Said]
) -> Callable[..., Any]:
    """Makes the public function of a product on nodes; `given` are arguments of an example, `shown` its
    result."""

    def product(
        x1: Any, x2: Any, /, out: Any = None, *, casting: Any = "same_kind", order: Any = "K",
        dtype: Any = None, subok: bool = True, signature: Any = None, axes: Any = None, axis: Any = None,
        keepdims: Any = False,
    ) -> Any:  # fmt: skip
        check_unset(name, order=order, signature=signature, axes=axes, axis=axis, keepdims=keepdims)
        x1, x2 = _in_dtype(name, x1, x2, dtype, casting)
        return call(function, (x1, x2), out=single_output(out))

    product.__name__ = product.__qualname__ = name
    product.__doc__ = (
        f"{summary}\n\nDtype: what both promote to; they are cast to `dtype` first. Raises ShapeError where\n"
        f"the inner extents differ.\n\n>>> jf.{name}({given}).numpy()\n{shown}\n"
    )
    return public("product", **said)(product)


def _in_dtype(name: str, x: Any, y: Any, dtype: Any, casting: Any) -> Any:
    """Casts operands to the dtype that `dtype=` of a ufunc requests."""
    wanted = optional_dtype(dtype)
    if wanted is None:
        check_unset(name, casting=casting)
        return x, y
    return computed_in(name, (x, y), wanted, casting)


matmul = _product(
    products.matmul, "matmul",
    "The products of matrices in the last two axes, `x1 @ x2`; a vector is a row on the left, a column on\n"
    "the right.\n\nShape: of x1[..., n, k] and x2[..., k, m], [..., n, m], the other axes broadcast.",
    "[[1, 2], [3, 4]], [[1, 0], [10, 1]]", "array([[21,  2],\n       [43,  4]])",
    numpy=("matmul", "linalg.matmul"), sample=lambda s: (s.large, s.large),
)  # fmt: skip
matvec = _product(
    products.matvec, "matvec",
    "Matrices in the last two axes times vectors in the last axis.\n\n"
    "Shape: of x1[..., n, k] and x2[..., k], [..., n], the other axes broadcast.",
    "[[1, 2], [3, 4]], [1, 10]", "array([21, 43])",
    sample=lambda s: (s.x, s.v),
)  # fmt: skip
vecmat = _product(
    products.vecmat, "vecmat",
    "Vectors in the last axis times matrices in the last two axes.\n\n"
    "Shape: of x1[..., k] and x2[..., k, m], [..., m], the other axes broadcast.",
    "[1, 10], [[1, 2], [3, 4]]", "array([31, 42])",
    sample=lambda s: (s.v, s.x),
)  # fmt: skip


# NumPy calls these by names too.
@public("product", sample=lambda s: (s.large, s.large))
def dot(a: Any, b: Any, out: Any = None) -> Any:
    """Sums over the last axis of `a` and the last but one of `b`: of matrices their product.

    Shape: of x[n, k] and y[k, m], [n, m]; a number times an array is their product. Raises ShapeError where
    the inner extents differ.

    >>> jf.dot([1, 2], [3, 4]).numpy()
    array(11)
    """
    return _exactly_in(out, call(products.dot, _typed(a, b)))


def _typed(a: Any, b: Any) -> tuple[Any, Any]:
    """Returns two operands: a second one that is a sequence without elements has the dtype of the first."""
    if _holds_nothing(b):
        b = numpy.asarray(b, as_lazy(a).dtype)
    return a, b


def _holds_nothing(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(map(_holds_nothing, value))


def _exactly_in(out: Any, result: Any) -> Any:
    """Returns the result in `out`, which has its shape and dtype. A number is returned itself, as by
    NumPy."""
    if out is None:
        return result
    if not isinstance(out, (LazyValue, numpy.ndarray)):
        raise KindError(f"'out' must be an array, not {shown(out)}")
    if tuple(out.shape) != tuple(result.shape) or out.dtype != result.dtype:
        raise ArgumentError(
            f"output array is not acceptable: it has the dtype and shape {shown(out)}, and the result "
            f"{shown(result)}"
        )
    stored = call(lambda _, node: node, (result,), out=out)
    return stored if result.shape else result


@public("product", sample=lambda s: (s.large, s.large))
def inner(a: Any, b: Any) -> Any:
    """Sums of products over the last axes of both.

    Shape: of x[n, k] and y[m, k], [n, m]. Raises ShapeError where the last extents differ.

    >>> jf.inner([[1, 2], [3, 4]], [1, 10]).numpy()
    array([21, 43])
    """
    return call(products.inner, _typed(a, b))


@public("product", sample=lambda s: (s.x, s.x))
def vdot(a: Any, b: Any) -> Any:
    """The sum of the products of all elements.

    Shape: none. Raises ShapeError where the numbers of elements differ.

    >>> jf.vdot([[1, 2]], [[3, 4]]).numpy()
    array(11)
    """
    return call(products.vdot, _typed(a, b))


@public("product", sample=lambda s: (s.x, s.x))
def outer(a: Any, b: Any, out: Any = None) -> Any:
    """Every element of `a` times every element of `b`, both taken flat.

    Shape: of n and m elements, [n, m].

    >>> jf.outer([1, 2], [10, 20]).numpy()
    array([[10, 20],
           [20, 40]])
    """
    return call(products.outer, (a, b), out=out)


@public("product", name="linalg.outer", sample=lambda s: (s.v, s.v))
def linalg_outer(x1: Any, x2: Any, /) -> Any:
    """Every element of one vector times every element of another.

    Shape: of x1[n] and x2[m], [n, m]. Raises ShapeError for other numbers of axes.

    >>> jf.linalg.outer([1, 2], [10, 20]).numpy()
    array([[10, 20],
           [20, 40]])
    """
    first, second = as_lazy(x1), as_lazy(x2)
    if len(first.shape) != 1 or len(second.shape) != 1:
        raise ShapeError(
            "Input arrays must be one-dimensional, but they are "
            f"x1.ndim={len(first.shape)} and x2.ndim={len(second.shape)}."
        )
    return outer(first, second)


@public("product", sample=lambda s: (s.x, s.x))
def kron(a: Any, b: Any) -> Any:
    """The Kronecker product: `b` in place of each element of `a`, times that element.

    Shape: the products of extents.

    >>> jf.kron([1, 10], [1, 2]).numpy()
    array([ 1,  2, 10, 20])
    """
    return call(products.kron, (a, b))


@public("product", numpy=("vecdot", "linalg.vecdot"), sample=lambda s: (s.x, s.x))
def vecdot(
    x1: Any, x2: Any, /, out: Any = None, *, axis: int = -1, casting: Any = "same_kind", order: Any = "K",
    dtype: Any = None, subok: bool = True, signature: Any = None, axes: Any = None, keepdims: Any = False,
) -> Any:  # fmt: skip
    """Inner products of the vectors along an axis of both.

    Shape: that of both, broadcast, without the axis.

    >>> jf.vecdot([[1, 2], [3, 4]], [1, 10]).numpy()
    array([21, 43])
    """
    check_unset("vecdot", order=order, signature=signature, axes=axes, keepdims=keepdims)
    x1, x2 = _in_dtype("vecdot", x1, x2, dtype, casting)
    return call(products.vecdot, (x1, x2), axis, out=single_output(out))


@public(
    "product",
    numpy=("tensordot", "linalg.tensordot"),
    sample=lambda s: (s.large, s.large),
    makes_arrays=True,
)
def tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    """Sums of products over the last `axes` axes of `a` and the first of `b`, or over pairs of axes.

    Shape: the axes of `a` that are left, then those of `b`. Raises ShapeError where the extents of a pair
    differ.

    >>> jf.tensordot(np.ones((2, 3, 4)), np.ones((3, 4, 5))).shape
    (2, 5)
    """
    return call(products.tensordot, (a, b), axes)


@public("product", name="linalg.multi_dot", sample=lambda s: ([s.large, s.large, s.large],))
def multi_dot(arrays: Any, *, out: Any = None) -> Any:
    """The product of several matrices, in the order that takes the fewest multiplications.

    Raises ShapeError where the inner extents differ.

    >>> jf.linalg.multi_dot([np.ones((2, 3)), np.ones((3, 4)), np.ones((4, 1))]).shape
    (2, 1)
    """
    return _exactly_in(out, call(products.multi_dot, parts_of(arrays)))


@public("product", sample=lambda s: ("ij,jk->ik", s.large, s.large))
def einsum(
    *operands: Any, out: Any = None, optimize: Any = False, dtype: Any = None, casting: Any = "safe",
    order: Any = "K",
) -> Any:  # fmt: skip
    """Sums of products in Einstein's notation: `einsum("bij,bjk->bik", x, y)`.

    Axes are letters, `...` any number of them; an axis that the result lacks is summed over, one that an
    operand has twice is its diagonal. Without `->` the result has the axes that stand once, in order. Also
    as NumPy takes it with lists of ints: `einsum(x, [0, 1], y, [1, 2])`.

    Dtype: what the operands promote to, or `dtype`. Raises ArgumentError for subscripts that do not fit.

    >>> jf.einsum("ij,j->i", [[1, 2], [3, 4]], [1, 10]).numpy()
    array([21, 43])
    """
    dtype = optional_dtype(dtype)
    casting_of(casting, ("safe", "same_kind"))
    check_unset("einsum", order=order)
    if not operands:
        raise ArgumentError("einsum: subscripts and at least one operand are needed")
    if isinstance(operands[0], bytes):
        operands = (operands[0].decode(), *operands[1:])
    if isinstance(operands[0], str):
        terms, result = notation.parse(operands[0])
        values = operands[1:]
    else:
        pairs = len(operands) // 2
        values = operands[: 2 * pairs : 2]
        given = operands[-1] if len(operands) % 2 else None
        terms, result = notation.from_lists(operands[1 : 2 * pairs : 2], given)

    if len(values) == 1 and dtype is None and out is None:
        array = as_lazy(values[0])
        view = notation.as_view(array.shape, terms, result)
        if view is not None:
            return array._view(view)

    def made(graph: Graph, *nodes: Operand) -> Node:
        return notation.einsum(graph, *nodes, terms=terms, result=result, dtype=dtype, optimize=optimize)

    return call(made, values, out=single_output(out), dtype=dtype)
