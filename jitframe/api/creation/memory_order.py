"""Arrays of a given memory order, as NumPy's flags tell it, or of checked values; and queries of shared
memory."""

from __future__ import annotations

from typing import Any

import numpy

from ...base.arguments import integer
from ...errors import ArgumentError
from ...functions.operands import spread
from ...ir import ops
from ...ir.node import Graph, Node
from ..calls import call
from ..frame import LazyValue
from ..movement import duplicate, transpose
from ..registry import public
from .constructors import asarray
from .inspection import isfortran


@public("creation", sample=lambda s: (numpy.ones(3, s.dtype),))
def ascontiguousarray(a: Any, dtype: Any = None, *, like: Any = None) -> Any:
    """An array of at least one axis in C order, the last axis varying fastest: `a` itself where it is in that
    order.

    >>> jf.ascontiguousarray(jf.asarray([[1, 2], [3, 4]]).T).strides == (16, 8)
    True
    """
    array = asarray(a, dtype, like=like)
    array = array if array.shape else array.reshape((1,))
    return array if array._strides is None else duplicate(array, "C")


@public("creation", sample=lambda s: (numpy.ones(3, s.dtype),))
def asfortranarray(a: Any, dtype: Any = None, *, like: Any = None) -> Any:
    """An array in Fortran's order, the first axis varying fastest: `a` itself where it is in that order.

    >>> jf.isfortran(jf.asfortranarray([[1, 2], [3, 4]]))
    True
    """
    array = asarray(a, dtype, like=like)
    array = array if array.shape else array.reshape((1,))
    if isfortran(array) or (array.ndim < 2 and array._strides is None):
        return array
    return transpose(duplicate(transpose(array), "C"))


_WORDS = {
    "C": "C", "C_CONTIGUOUS": "C", "CONTIGUOUS": "C", "F": "F", "F_CONTIGUOUS": "F", "FORTRAN": "F",
    "A": "A", "ALIGNED": "A", "W": "W", "WRITEABLE": "W", "O": "O", "OWNDATA": "O", "E": "E",
    "ENSUREARRAY": "E",
}  # fmt: skip
"""NumPy's words for requirements, by their letters."""


@public("creation", sample=lambda s: (numpy.ones(3, s.dtype),))
def require(a: Any, dtype: Any = None, requirements: Any = None, *, like: Any = None) -> Any:
    """An array that meets requirements: "C" or "F" order, or owned memory ("O"), for which it is copied where
    it does not.

    Elements of lazy arrays are always aligned ("A"). What can be written to ("W") is copied. Raises
    ArgumentError for other words, and where both orders are wanted.

    >>> jf.isfortran(jf.require([[1, 2], [3, 4]], requirements="F"))
    True
    """
    array = asarray(a, dtype, like=like)
    wanted = set()
    for each in requirements or ():
        if str(each).upper() not in _WORDS:
            raise ArgumentError(f"require: {each!r} is no requirement; those are {', '.join(sorted(_WORDS))}")
        wanted.add(_WORDS[str(each).upper()])
    if {"C", "F"} <= wanted:
        raise ArgumentError('Cannot specify both "C" and "F" order')
    if "F" in wanted:
        array = asfortranarray(array) if array.shape else array
    elif "C" in wanted:
        array = ascontiguousarray(array) if array.shape else array
    if wanted & {"O", "W"} and _memory(array)[1] is not None:
        return duplicate(array)
    return array


@public("creation", sample=lambda s: (numpy.ones(3, s.dtype),))
def asarray_chkfinite(a: Any, dtype: Any = None, order: Any = None) -> Any:
    """A lazy array of `a`, as `asarray` makes it, without NaN and infinities: where there is one, a run that
    needs the values ends with ArgumentError.

    >>> jf.asarray_chkfinite([1.0, 2.0]).numpy()
    array([1., 2.])
    """
    array = asarray(a, dtype, order)
    return call(_finite, (array,)) if array.dtype.kind in "fc" else array


def _finite(graph: Graph, x: Node) -> Node:
    """Makes a value that a run checks."""
    parts = [graph.make(op, x) for op in (ops.real, ops.imag)] if x.dtype.is_complex else [x]
    checked = []
    for part in parts:
        difference = graph.make(ops.sub, part, part)  # 0 of what is finite, else NaN
        bad = graph.make(ops.ne, difference, spread(graph, graph.constant(0, part.dtype), part.shape))
        note = ("argument", "array must not contain infs or NaNs", 0)
        checked.append(graph.make(ops.checked, part, bad, attributes=note))
    return graph.make(ops.pair, *checked) if x.dtype.is_complex else checked[0]


@public("dtype")
def shares_memory(a: Any, b: Any, /, max_work: Any = None) -> bool:
    """Whether two arrays have an element in common, so that a write to one may change the other.

    Lazy arrays share memory where they are views of one array, and with an ndarray where they are views of
    its memory.

    >>> x = jf.asarray([1, 2, 3, 4])
    >>> jf.shares_memory(x[:2], x[1:]), jf.shares_memory(x[::2], x[1::2])
    (True, False)
    """
    if max_work is not None:
        integer(max_work, "max_work")
    if not (isinstance(a, LazyValue) and isinstance(b, LazyValue)):
        arrays = [getattr(each, "_value", None) if isinstance(each, LazyValue) else each for each in (a, b)]
        if any(array is None for array in arrays):
            return False  # nothing was computed yet
        mine, its = map(numpy.asarray, arrays)
        return bool(numpy.shares_memory(mine, its, max_work))
    (first, path), (second, other) = _memory(a), _memory(b)
    if first is not second or not a.size or not b.size:
        return False
    if any(each is not None and each.picks for each in (path, other)):
        return True
    source = first if isinstance(first, LazyValue) else first.node
    dtype = source.dtype if isinstance(first, LazyValue) else source.dtype.numpy_name
    whole = numpy.empty(source.shape, dtype)  # never touched
    mine, its = [whole if each is None else each.show(whole) for each in (path, other)]
    return bool(numpy.shares_memory(mine, its, max_work))


@public("dtype")
def may_share_memory(a: Any, b: Any, /, max_work: Any = None) -> bool:
    """Whether two arrays may have an element in common; the same as `shares_memory`.

    >>> x = jf.asarray([1, 2, 3, 4])
    >>> jf.may_share_memory(x[:2], x[1:])
    True
    """
    return shares_memory(a, b, max_work)


def _memory(x: LazyValue) -> tuple[Any, Any]:
    """Returns the array of which `x` is a view, and the view."""
    cell = getattr(x, "_cell", None)
    if cell is not None:
        return cell, x._path
    base = x.base
    return (x, None) if base is None else (base, x._path)
