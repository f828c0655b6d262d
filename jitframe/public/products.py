"""Products of arrays: matrices, vectors, tensors, and sums of products in Einstein's notation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

from ..arguments import casting_of, shown
from ..errors import ArgumentError, DTypeError, ShapeError
from ..frame import LazyValue, call
from ..functions import einsum as notation
from ..functions import products
from ..ir.node import Graph, Node
from ..promotion import Operand
from .movement import as_lazy
from .signature import bind, optional_dtype, single_output
from .ufunc import computed_in


def _product(function: Callable[..., Node], name: str) -> Callable[..., Any]:
    def public(x: Any, y: Any, /, out: Any = None, **options: Any) -> Any:
        x, y = _in_dtype(name, x, y, options)
        return call(function, (x, y), out=single_output(out))

    public.__name__ = public.__qualname__ = name
    public.__doc__ = function.__doc__
    return public


def _in_dtype(name: str, x: Any, y: Any, options: dict[str, Any]) -> Any:
    """Operands in the dtype that `dtype=` of a ufunc asks for."""
    dtype = optional_dtype(options.pop("dtype", None))
    if dtype is None:
        bind(name, (), (), options)
        return x, y
    casting = options.pop("casting", "same_kind")
    bind(name, (), (), options)
    return computed_in(name, (x, y), dtype, casting)


matmul = _product(products.matmul, "matmul")
matvec = _product(products.matvec, "matvec")
vecmat = _product(products.vecmat, "vecmat")


# NumPy calls these by names too.
def dot(a: Any, b: Any, out: Any = None) -> Any:
    """Sums over the last axis of `a` and the last but one of `b`: of matrices their product."""
    return _exactly_in(out, call(products.dot, (a, b)))


def _exactly_in(out: Any, result: Any) -> Any:
    """The result in `out`, which has its shape and dtype."""
    if out is None:
        return result
    if not isinstance(out, (LazyValue, numpy.ndarray)):
        raise DTypeError(f"'out' must be an array, not {shown(out)}")
    if tuple(out.shape) != tuple(result.shape) or out.dtype != result.dtype:
        raise ArgumentError(
            f"output array is not acceptable: it has the dtype and shape {shown(out)}, and the result "
            f"{shown(result)}"
        )
    return call(lambda _, node: node, (result,), out=out)


def inner(a: Any, b: Any) -> Any:
    """Sums of products over the last axes of both."""
    return call(products.inner, (a, b))


def vdot(a: Any, b: Any) -> Any:
    """The sum of the products of all elements."""
    return call(products.vdot, (a, b))


def outer(a: Any, b: Any, out: Any = None) -> Any:
    """Every element of `a` times every element of `b`, both taken flat."""
    return call(products.outer, (a, b), out=out)


def linalg_outer(x1: Any, x2: Any, /) -> Any:
    """Every element of one vector times every element of another."""
    first, second = as_lazy(x1), as_lazy(x2)
    if len(first.shape) != 1 or len(second.shape) != 1:
        raise ShapeError(
            "Input arrays must be one-dimensional, but they are "
            f"x1.ndim={len(first.shape)} and x2.ndim={len(second.shape)}."
        )
    return outer(first, second)


def kron(a: Any, b: Any) -> Any:
    """The Kronecker product: `b` in place of each element of `a`, times that element."""
    return call(products.kron, (a, b))


def vecdot(x1: Any, x2: Any, /, out: Any = None, *, axis: int = -1, **options: Any) -> Any:
    """Inner products of the vectors along an axis of both."""
    x1, x2 = _in_dtype("vecdot", x1, x2, options)
    return call(products.vecdot, (x1, x2), axis, out=single_output(out))


def tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    """Sums of products over the last `axes` axes of `a` and the first of `b`, or over pairs of axes."""
    return call(products.tensordot, (a, b), axes)


def multi_dot(arrays: Any, *, out: Any = None) -> Any:
    """The product of several matrices, in the order that takes the fewest multiplications."""
    return _exactly_in(out, call(products.multi_dot, tuple(arrays)))


def einsum(*operands: Any, out: Any = None, optimize: Any = False, **options: Any) -> Any:
    """Sums of products in Einstein's notation: `einsum("bij,bjk->bik", x, y)`.

    Axes are letters, `...` any number of them; an axis that the result lacks is summed over, one that an
    operand has twice is its diagonal. Without `->` the result has the axes that stand once, in order. Also
    as NumPy takes it with lists of ints: `einsum(x, [0, 1], y, [1, 2])`.
    """
    dtype = optional_dtype(options.pop("dtype", None))
    casting = options.pop("casting", "safe")
    casting_of(casting, ("safe", "same_kind"))
    bind("einsum", (), (), options)
    if not operands:
        raise ArgumentError("einsum: subscripts and at least one operand are needed")
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
