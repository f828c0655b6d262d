"""NumPy's functions that write elements by their positions or by masks."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy

from ...arrays.promotion import (
    NUMBERS,
    Operand,
    cast_error,
    castable,
    from_numpy,
    kind_of,
    number_kind,
    promote,
)
from ...arrays.views import View
from ...base.arguments import casting_of
from ...errors import (
    ArgumentError,
    BoundsError,
    DTypeError,
    KindError,
    NumberError,
    ShapeError,
    UnsupportedError,
)
from ...functions import elementwise as nodes
from ...functions import movement
from ...functions.operands import as_node, broadcast_shapes, fitted, shape_text, strong
from ...ir.node import Graph, Node
from ...ir.ops import COMBINERS
from ...ir.types import BOOL, DType
from ..calls import call, operand
from ..frame import LazyValue, dtype_there, frame_of
from ..movement import as_lazy, reshape, resize
from ..registry import public
from .reading import as_positions, chosen_along_axis, nonzero_positions, positions_in
from .selection import Selection, assigned, select, write_selection


@public("movement", sample=lambda s: (s.x, s.positions(1, 3), s.array(1, 3), 0))
def put_along_axis(arr: Any, indices: Any, values: Any, axis: Any) -> None:
    """Writes `values` to the elements that `take_along_axis` reads.

    `arr` is a lazy array: otherwise raises DTypeError.

    >>> x = jf.asarray([[3, 1, 2]])
    >>> jf.put_along_axis(x, np.array([[0]]), 9, axis=1)
    >>> x.numpy()
    array([[9, 1, 2]])
    """
    array = _written("put_along_axis", arr)
    write_selection(array, chosen_along_axis("put_along_axis", array.shape, indices, axis), values)


@public("movement", sample=lambda s: (s.v, s.positions(2), s.array(2)))
def put(a: Any, ind: Any, v: Any, mode: str = "raise") -> None:
    """Writes values to positions of `a` taken flat; repeats them where they are too few.

    `a` is a lazy array: otherwise raises DTypeError. `mode`: "raise", "wrap" or "clip" for positions out of
    bounds.

    >>> x = jf.asarray([1, 2, 3])
    >>> jf.put(x, [0, 2], [8, 9])
    >>> x.numpy()
    array([8, 2, 9])
    """
    array = _written("put", a)
    given = ind if isinstance(ind, LazyValue) else numpy.asarray(ind)
    if not array.size and given.size and given.dtype.kind in "biuf":
        raise BoundsError("cannot replace elements of an empty array")
    moded = positions_in(as_positions("put", ind), array.size, mode)
    positions = moded
    if moded.shape:
        positions = reshape(moded, (-1,)) if isinstance(moded, LazyValue) else moded.reshape(-1)
    if v.__class__ not in NUMBERS:
        v = as_lazy(v)
    given = math.prod(numpy.shape(v))
    if not given:
        return
    if given != 1:
        v = resize(v, positions.shape)
    elif v.__class__ not in NUMBERS:
        v = reshape(v, ())
    flat = movement.ravel(array.shape)
    write_selection(array, _seen_through(flat, select((positions,), flat.shape)), v)


def _seen_through(view: View, selection: Selection) -> Selection:
    return Selection(
        view.join(selection.view),
        *(selection.axes, selection.indices, selection.shape, selection.position, selection.labels),
        *(selection.known, selection.unique, selection.result, selection.scalar),
    )


def _written(function: str, array: Any) -> Any:
    if not isinstance(array, LazyValue):
        raise DTypeError(
            f"{function} writes to a {type(array).__name__}, with operands that are lazy arrays; it can "
            "write to a lazy array only"
        )
    return array


@public("movement", sample=lambda s: (s.x, s.mask, s.x))
def putmask(a: Any, mask: Any, values: Any) -> None:
    """Writes `a.flat[n] = values[n % len(values)]` for each n where the mask is true.

    `a` is a lazy array: otherwise raises DTypeError. Raises ArgumentError for a mask of another size.

    >>> x = jf.asarray([1, 2, 3])
    >>> jf.putmask(x, x > 1, 0)
    >>> x.numpy()
    array([1, 0, 0])
    """
    array = _written("putmask", a)
    given = as_lazy(values)
    test = as_lazy(mask)
    if test.size != array.size:
        raise ArgumentError("putmask: mask and data must be the same size")
    if not given.size:
        return
    fitting = given if tuple(given.shape) in ((), tuple(array.shape)) else resize(given, array.shape)
    copyto(array, fitting, casting="unsafe", where=reshape(test, array.shape))


@public("movement", sample=lambda s: (s.x, s.x))
def copyto(dst: Any, src: Any, casting: str = "same_kind", where: Any = True) -> None:
    """Writes `src` to `dst` where a mask is true.

    `dst` is a lazy array: otherwise, and for a `src` that does not fit by the rule `casting`, raises
    DTypeError.

    >>> x = jf.zeros(3)
    >>> jf.copyto(x, [1.0, 2.0, 3.0], where=[True, False, True])
    >>> x.numpy()
    array([1., 0., 3.])
    """
    array = _written("copyto", dst)
    casting_of(casting)
    if casting == "same_kind" and not _fits_into(src, array):
        raise cast_error(as_lazy(src).dtype, array.dtype, casting)
    if where is True:
        array[...] = src
        return
    write_where(array, where, src)


def _fits_into(value: Any, array: Any) -> bool:
    """Whether a value may be written to an array by NumPy's `same_kind` rule."""
    if isinstance(value, (bool, int, float, complex)) and type(value) in NUMBERS:
        return number_kind(value) <= kind_of(array._dtype)
    return castable(as_lazy(value)._dtype, array._dtype)


def write_where(array: Any, mask: Any, value: Any) -> None:
    """Computes `array = value` where the mask, broadcast to its shape, is true."""
    frame = frame_of((array, mask, value))
    graph = frame.begin()
    test = as_node(graph, operand(frame, graph, mask), BOOL)
    if len(test.shape) > len(array.shape):
        inner, outer = shape_text(test.shape), shape_text(array.shape)
        raise ShapeError(f"could not broadcast where mask from shape {inner} into shape {outer}")
    node = assigned(graph, operand(frame, graph, value), array._dtype, array.shape)
    before = as_node(graph, operand(frame, graph, array), array._dtype)
    array._assign(graph, nodes.where(graph, fitted(graph, test, array.shape, "where mask"), node, before))


@public("movement", sample=lambda s: (s.x, s.mask, s.v))
def place(arr: Any, mask: Any, vals: Any) -> None:
    """Writes values to the places where the mask is true; repeats them where they are too few.

    `arr` is a lazy array: otherwise raises DTypeError. Raises ArgumentError for a mask of another size.

    >>> x = jf.asarray([1, 2, 3])
    >>> jf.place(x, x > 1, [8, 9])
    >>> x.numpy()
    array([1, 8, 9])
    """
    array = _written("place", arr)
    test, given = as_lazy(mask), as_lazy(vals)
    # Numbers in lists have no dtype to lose.
    if hasattr(vals, "dtype") and not numpy.can_cast(given.dtype, array.dtype, "safe"):
        raise cast_error(given.dtype, array.dtype, "safe", "; cast with .astype() first")
    if test.size != array.size:
        raise ArgumentError("place: mask and data must be the same size")
    test = reshape(test, array.shape)
    if vals.__class__ is float and array._dtype.is_integer:
        int(vals)  # raises, as NumPy's cast does
    if given.size == 1:
        write_where(array, test, reshape(given, ()))
        return
    positions = nonzero_positions(test)
    count = positions[0].shape[0]
    if not count:
        return
    if not given.size:
        raise ArgumentError("Cannot insert from an empty array!")
    array[positions] = resize(given, (count,)).astype(array.dtype)


_AT = {
    "add": "add", "subtract": "add", "multiply": "mul", "divide": "div", "minimum": "minimum",
    "maximum": "maximum", "bitwise_and": "and", "bitwise_or": "or", "bitwise_xor": "xor",
    "logical_and": "and", "logical_or": "or", "logical_xor": "xor", "floor_divide": "floordiv",
    "remainder": "floormod", "left_shift": "shift_left", "right_shift": "shift_right",
}  # fmt: skip
"""The instruction by which `ufunc.at` combines elements."""
_AT_BOOLS = {"add": "or", "multiply": "and"}


def _combiner(name: str, dtype: DType) -> str | None:
    """Returns the combination of `ufunc.at` for a dtype; None where it is not supported."""
    if name.startswith("logical") and dtype is not BOOL:
        return None
    kind = _AT_BOOLS.get(name, _AT.get(name)) if dtype is BOOL else _AT.get(name)
    if kind is None or dtype.kind not in COMBINERS[kind][1] or (dtype is BOOL and name == "subtract"):
        return None
    return kind


def _of_its_own_dtype(value: Any, target: Any) -> Any:
    """Returns a value of `ufunc.at`, where Python's numbers do not take the dtype of the array."""
    if value.__class__ not in NUMBERS:
        return call(strong, (as_lazy(value),))
    known = numpy.asarray(value)
    if known.dtype == object:
        raise NumberError(f"Python integer {value} is out of bounds for int64 and uint64")
    return known.astype(dtype_there(target, known.dtype))[()]


def _is_held(value: Any, dtype: DType) -> bool:
    """Whether a dtype represents a known number exactly."""
    if value.__class__ not in NUMBERS and not isinstance(value, numpy.generic):
        return False
    array = numpy.asarray(value)
    with numpy.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the imaginary part
        return array.dtype != object and bool(array.astype(dtype.numpy_name) == array)


def _combines_alike(kind: str, given: DType, target: DType, exact: bool) -> bool:
    """Whether casting values to the dtype of the elements before the combination gives NumPy's result, which
    casts after each combination.

    For integers, sums, products and bit operations do where only upper bits are lost. For floats, extremes
    do, and, where the dtype of the elements represents the values (`exact`), one operation: its result in
    more than twice the digits is rounded like that in their own.
    """
    computed = promote(given, target)
    if computed is target:
        return True
    if target is BOOL:
        return exact
    if given.is_integer and target.is_integer:
        return computed.is_integer and kind in ("add", "mul", "and", "or", "xor")
    if target.is_float and computed.is_float:
        return kind in ("minimum", "maximum") or (exact and kind in ("add", "mul", "div"))
    return target.is_complex and exact and kind == "add"


def _combine_now(ufunc: Any, array: numpy.ndarray, index: Any, value: Any) -> None:
    """Applies `ufunc.at` to an ndarray, with lazy indices or values, which are evaluated."""
    purpose = f"np.{ufunc.__name__}.at, which writes to an ndarray made outside of the function"

    def known(given: Any) -> Any:
        return given._concrete(purpose, lasting=True) if isinstance(given, LazyValue) else given

    from_numpy(array.dtype)
    place = tuple(map(known, index)) if isinstance(index, tuple) else known(index)
    ufunc.at(array, place, *(() if value is None else (known(value),)))


def _is_plain(index: Any) -> bool:
    """Whether an index certainly names no element twice: it has no array of integers."""
    items = index if isinstance(index, tuple) else (index,)
    return not any(isinstance(item, list) or (_rank(item) and item.dtype != bool) for item in items)


def _rank(item: Any) -> int:
    return 0 if isinstance(item, type) else len(getattr(item, "shape", ()))


def _not_castable(name: str, given: Any, target: Any) -> DTypeError:
    return DTypeError(
        f"Cannot cast ufunc '{name}' output from dtype('{given}') to dtype('{target.dtype}') with casting "
        f"rule 'same_kind'"
    )


def _check_reach(name: str, before: Any, after: Any) -> None:
    """Raises where values have more or longer axes than the elements that they are combined with."""
    if after != before:
        raise ShapeError(
            f"np.{name}.at: array is not broadcastable to correct shape: with elements of shape {before} the "
            f"values have {after}"
        )


def combine_at(ufunc: Any, array: Any, index: Any, value: Any = None, /) -> None:
    """Combines the elements at an index with values, sequentially."""
    name = ufunc.__name__
    if value is None and ufunc.nin == 2:
        raise KindError(f"np.{name}.at: second operand needed for ufunc")
    if isinstance(array, numpy.ndarray):
        _combine_now(ufunc, array, index, value)
        return
    target = _written(f"np.{name}.at", array)
    exact = value is not None and _is_held(value, target._dtype)
    is_number = type(value) is int
    if value is not None:
        value = _of_its_own_dtype(value, target)
    if _is_plain(index):
        before = target[index]
        after = ufunc(before, *(() if value is None else (value,)))
        _check_reach(name, before.shape, after.shape)
        target[index] = after
        return
    kind = _combiner(name, target._dtype)
    if kind is None:
        supported = ", ".join(sorted(each for each in _AT if _combiner(each, target._dtype)))
        raise UnsupportedError(f"np.{name}.at on {target.dtype}; supported are {supported}")

    def cast(graph: Graph, given: Operand) -> Node:
        return as_node(graph, given, target._dtype)

    selection = select(index, target.shape)
    _check_reach(name, selection.result, broadcast_shapes(selection.result, value.shape))
    if name.startswith("logical"):
        value = value != 0
    dtype = from_numpy(value.dtype)
    if not is_number and not castable(dtype, target._dtype):
        raise _not_castable(name, value.dtype, target)
    if not _combines_alike(kind, dtype, target._dtype, exact):
        raise UnsupportedError(
            f"np.{name}.at: {target.dtype} and {value.dtype} are combined in another dtype; cast the "
            "values with .astype() first"
        )
    if name == "subtract":
        value = -call(cast, (value,)) if isinstance(value, LazyValue) else -value
    write_selection(target, selection, value, kind)
