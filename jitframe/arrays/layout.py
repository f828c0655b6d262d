"""Memory layout: the layout letters of an ndarray, and the strides that NumPy gives to results.

Strides are in elements, and `None` stands for C order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy

from ..ir.node import Node, Shape, contiguous_layout

if TYPE_CHECKING:
    from .views import View

Strides = tuple[int, ...]


def contiguous_strides(shape: Shape, unit: int = 1) -> Strides:
    """Strides of an array in C order, in elements or, with `unit` the item size, in bytes."""
    strides = []
    for extent in reversed(shape):
        strides.append(unit)
        unit *= max(extent, 1)
    return tuple(reversed(strides))


def layout_of(array: numpy.ndarray) -> str:
    """A letter for each axis: 0 (stride 0), 1 (one element), m (merges with the next axis), s (any other).

    >>> x = numpy.zeros((4, 5))
    >>> layout_of(x), layout_of(x.T), layout_of(x[:, :3])
    ('m1', '1s', 's1')
    """
    if array.flags.c_contiguous:
        return contiguous_layout(array.ndim)
    letters: list[str] = []
    merging: int | None = None
    for extent, stride in zip(reversed(array.shape), reversed(array.strides), strict=True):
        if stride == 0:
            letters.append("0")
        elif stride == merging:
            letters.append("m")
        else:
            letters.append("1" if stride == array.itemsize else "s")
        merging = stride * extent
    return "".join(reversed(letters))


def is_aligned(array: numpy.ndarray) -> bool:
    """Whether a kernel can read an array in place, rather than a copy."""
    return array.flags.aligned and not any(stride % array.itemsize for stride in array.strides)


def run_time_strides(array: numpy.ndarray, layout: str) -> tuple[int, ...]:
    """The strides of the axes whose letter is `s`, in elements; of complex arrays in parts of elements."""
    if "s" not in layout:
        return ()
    itemsize = array.itemsize // 2 if array.dtype.kind == "c" else array.itemsize
    return tuple(
        stride // itemsize for stride, letter in zip(array.strides, layout, strict=True) if letter == "s"
    )


def element_strides(array: numpy.ndarray) -> Strides | None:
    """The strides of an ndarray, whose elements are aligned."""
    if array.flags.c_contiguous:
        return None
    strides = tuple(stride // array.itemsize for stride in array.strides)
    return None if in_c_order(array.shape, strides) else strides


def shown_strides(path: View, base: Shape, strides: Strides | None) -> Strides | None:
    """Returns the strides of the view along a path of memory of shape `base`."""
    shown = path.strides(contiguous_strides(base) if strides is None else strides)
    assert shown is not None, path
    return None if in_c_order(path.shape, shown) else shown


def result_strides(node: Node, operands: Sequence[tuple[Shape, Strides | None, Node]]) -> Strides | None:
    """Returns the strides that NumPy gives an operation's result, by the operands' shapes and strides."""
    if len(node.shape) < 2:
        return None
    for _, strides, _ in operands:
        if strides is not None:
            break
    else:
        return None
    if node.op.family == "elementwise" or any(node is given for _, _, given in operands):
        return kept_order(node.shape, [(own, strides) for own, strides, _ in operands])
    if node.op.keeps_order:
        rank = len(node.shape)
        return kept_order(node.shape, [operand[:2] for operand in operands if len(operand[0]) == rank])
    if node.op.family != "reduce":
        return None
    gone = node.attribute("axes")
    left = [
        (_without(own, gone), _without(contiguous_strides(own) if strides is None else strides, gone))
        for own, strides, _ in operands
    ]
    return kept_order(node.shape, left)


def is_order_known(node: Node, operands: Sequence[tuple[Shape, Strides | None, Node]]) -> bool:
    """Whether the strides of `result_strides` are certainly NumPy's, as those of the operands are."""
    rank = len(node.shape)
    given = [(own, strides) for own, strides, _ in operands if strides is not None]
    if rank < 2 or not given:
        return rank < 2 or not node.op.index_arrays
    is_ufunc = node.op.family in ("elementwise", "reduce")
    if is_ufunc and not (node.op.converts or node.op.copies or any(node is each for _, _, each in operands)):
        return True
    # Copies of repeated elements are laid out by other rules than results of ufuncs.
    known = is_ufunc or node.op.keeps_order or any(node is each for _, _, each in operands)
    return known and all(0 not in strides and len(own) == rank for own, strides in given)


def ordered_strides(shape: Shape, order: str) -> Strides | None:
    """Returns the strides of a new array in the order "C" or "F"."""
    if order == "C" or len(shape) < 2:
        return None
    strides = contiguous_strides(shape[::-1])[::-1]
    return None if in_c_order(shape, strides) else strides


def _without(values: Shape, axes: Shape) -> Shape:
    return tuple(value for axis, value in enumerate(values) if axis not in axes)


def in_c_order(shape: Shape, strides: Strides) -> bool:
    """Whether strides (in elements) are those of C order; axes of one element do not matter."""
    unit = 1
    for extent, stride in zip(reversed(shape), reversed(strides)):
        if extent != 1 and stride != unit:
            return 0 in shape
        unit *= extent
    return True


def kept_order(shape: Shape, operands: Iterable[tuple[Shape, Strides | None]]) -> Strides | None:
    """Strides of a new result of an elementwise function: NumPy's order='K' (None for C order).

    The axes are sorted as NumPy's iterator sorts them (npyiter_find_best_axis_ordering in nditer_constr.c,
    https://github.com/numpy/numpy): an insertion sort by the operands' absolute strides, in which C order
    wins where operands disagree. The result is contiguous in that order.
    """
    return _kept_order(shape, tuple(operands)) if len(shape) > 1 else None


@lru_cache(maxsize=1024)
def _kept_order(shape: Shape, operands: tuple[tuple[Shape, Strides | None], ...]) -> Strides | None:
    rank = len(shape)
    spread = [_spread_strides(shape, own, strides) for own, strides in operands if len(own) <= rank]
    order = list(range(rank - 1, -1, -1))
    """Axes from the fastest to the slowest."""
    for position in range(1, rank):
        axis = order[position]
        target = position
        for earlier in range(position - 1, -1, -1):
            swap = _belongs_before(spread, axis, order[earlier])
            if swap is None:
                continue
            if not swap:
                break
            target = earlier
        order.insert(target, order.pop(position))
    if order == list(range(rank - 1, -1, -1)):
        return None
    strides = [0] * rank
    unit = 1
    for axis in order:
        strides[axis] = unit
        unit *= max(shape[axis], 1)
    return tuple(strides)


def _belongs_before(operands: list[Strides], axis: int, other: int) -> bool | None:
    """Whether `axis` is faster than `other`, which stands before it; None where no operand decides."""
    result: bool | None = None
    for strides in operands:
        mine, its = abs(strides[axis]), abs(strides[other])
        if mine and its:
            if its <= mine:
                result = False
            elif result is None:
                result = True
    return result


def _spread_strides(shape: Shape, own: Shape, strides: Strides | None) -> Strides:
    """An operand's strides along the axes of the result; 0 where it has one element."""
    known = contiguous_strides(own) if strides is None else strides
    missing = len(shape) - len(own)
    return (0,) * missing + tuple(0 if extent == 1 else stride for extent, stride in zip(own, known))
