"""Differences of neighbours and what is made of them: slopes, integrals, and angles without jumps."""

from __future__ import annotations

import math
from typing import Any

import numpy

from ...arrays.indexing import normalize_axes, normalize_axis
from ...base.arguments import integer
from ...errors import ArgumentError, DTypeError, KindError, ShapeError
from ..creation.constructors import astype
from ..elementwise import arithmetic, division
from ..elementwise.arithmetic import where
from ..movement import as_lazy, broadcast_to, concat, ravel, reshape
from ..movement import diff as differences
from ..reductions import cumsum
from ..reductions import sum as summed
from ..registry import Varied, public


@public("elementwise", sample=lambda s: (s.v,))
def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    """Differences of neighbours of the flat array, between `to_begin` and `to_end`, in its dtype.

    Shape: one element less than `ary`, and those of both ends. Raises DTypeError where these do not fit its
    dtype.

    >>> jf.ediff1d([1, 2, 4, 7], to_begin=0).numpy()
    array([0, 1, 2, 3])
    """
    array = ravel(as_lazy(ary))
    parts = [differences(array, 1, -1) if array.dtype.kind != "b" else array[1:] - array[:-1]]
    for name, value in (("to_begin", to_begin), ("to_end", to_end)):
        if value is None:
            continue
        extra = ravel(as_lazy(value))
        if not _same_kind(extra, array):
            raise DTypeError(
                f"dtype of `{name}` must be compatible with input `ary` under the `same_kind` rule."
            )
        parts.insert(0 if name == "to_begin" else len(parts), astype(extra, array.dtype))
    return parts[0] if len(parts) == 1 else concat(parts)


def _same_kind(value: Any, like: Any) -> bool:
    return bool(numpy.can_cast(value.dtype, like.dtype, casting="same_kind"))


@public("elementwise", sample=lambda s: (s.v,))
def trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Any:
    """The integral along an axis by the trapezoidal rule, of samples at `x` or `dx` apart.

    Shape: that of `y` without the axis. Dtype: float.

    >>> jf.trapezoid([1.0, 2.0, 3.0], dx=2.0).numpy()
    array(8.)
    """
    values = as_lazy(y)
    along = normalize_axis(axis, len(values.shape))
    if x is None:
        width = dx
    else:
        places = as_lazy(x)
        width = differences(places, 1, -1 if len(places.shape) == 1 else axis)
        if len(places.shape) == 1:
            width = reshape(width, tuple(-1 if each == along else 1 for each in range(len(values.shape))))
    slices = width * (_cut(values, along, 1, None) + _cut(values, along, None, -1)) / 2.0
    # Where `x` or `dx` has more axes than `y`, the axis is that of the product, as in NumPy.
    return summed(slices, axis=normalize_axis(axis, len(as_lazy(slices).shape)))


def _cut(array: Any, axis: int, start: int | None, stop: int | None) -> Any:
    return array[(slice(None),) * axis + (slice(start, stop),)]


@public("elementwise")
def gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: int = 1) -> Varied:
    """Derivatives along axes: central differences, of first or second order at the edges.

    `varargs`: the distance of samples for all axes or for each, numbers or their places along the axis.

    Shape and dtype: those of `f`, integers as float64; for several axes a tuple of as many arrays. Raises
    ShapeError for an axis of too few elements.

    >>> jf.gradient([1.0, 2.0, 4.0, 7.0]).numpy()
    array([1. , 1.5, 2.5, 3. ])
    """
    array = as_lazy(f)
    rank = len(array.shape)
    several = axis is None or isinstance(axis, (tuple, list))
    axes = normalize_axes(range(rank) if axis is None else axis if several else (axis,), rank)
    if varargs and len(varargs) != len(axes) and not (len(varargs) == 1 and not as_lazy(varargs[0]).shape):
        raise DTypeError(
            "invalid number of arguments: one distance, or one or a vector of places for each axis"
        )
    order = integer(edge_order, "edge_order")
    if order > 2:
        raise ArgumentError(f"'edge_order' greater than 2 not supported: it is 1 or 2, and {order} was given")
    if array.dtype.kind == "b" and axes:
        raise DTypeError("gradient: bools have no differences; cast with .astype(np.float64) first")
    if array.dtype.kind in "iu":
        array = astype(array, float)
    distances = [
        varargs[0] if len(varargs) == 1 else varargs[k] if varargs else 1.0 for k in range(len(axes))
    ]
    results = [
        _slope(array, along, step, 1 if order == 1 else 2)
        for along, step in zip(axes, distances, strict=True)
    ]
    return results[0] if len(results) == 1 else tuple(results)


def _slope(array: Any, axis: int, distance: Any, edge_order: int) -> Any:
    extent = array.shape[axis]
    if extent < edge_order + 1:
        raise ShapeError(
            "Shape of array too small to calculate a numerical gradient, "
            "at least (edge_order + 1) elements are required."
        )
    uniform = isinstance(distance, (int, float)) or not as_lazy(distance).shape

    def at(start: int | None, stop: int | None) -> Any:
        return _cut(array, axis, start, stop)

    if uniform:
        inner = (at(2, None) - at(None, -2)) / (2.0 * distance)
        first_step = last_step = distance
        first_two = last_two = (distance, distance)
    else:
        places = as_lazy(distance)
        if len(places.shape) != 1:
            raise KindError("distances must be either scalars or 1d")
        if places.shape[0] != extent:
            raise ArgumentError("when 1d, distances must match the length of the corresponding dimension")
        places = astype(places, float) if places.dtype.kind in "iu" else places
        steps = reshape(differences(places, 1, -1), _along(axis, len(array.shape)))
        before, after = _cut(steps, axis, None, -1), _cut(steps, axis, 1, None)
        inner = (
            -after / (before * (before + after)) * at(None, -2)
            + (after - before) / (before * after) * at(1, -1)
            + before / (after * (before + after)) * at(2, None)
        )
        first_step, last_step = _cut(steps, axis, None, 1), _cut(steps, axis, -1, None)
        first_two = (first_step, _cut(steps, axis, 1, 2))
        last_two = (last_step, _cut(steps, axis, -2, -1))
    if edge_order == 1:
        first = (at(1, 2) - at(None, 1)) / first_step
        last = (at(-1, None) - at(-2, -1)) / last_step
    elif uniform:
        first = -1.5 / distance * at(None, 1) + 2.0 / distance * at(1, 2) + -0.5 / distance * at(2, 3)
        last = 0.5 / distance * at(-3, -2) + -2.0 / distance * at(-2, -1) + 1.5 / distance * at(-1, None)
    else:
        first = _edge(*first_two, at(None, 1), at(1, 2), at(2, 3))
        last = -_edge(*last_two, at(-1, None), at(-2, -1), at(-3, -2))
    return astype(concat([part for part in (first, inner, last) if part.shape[axis]], axis=axis), array.dtype)


def _along(axis: int, rank: int) -> tuple[int, ...]:
    return tuple(-1 if each == axis else 1 for each in range(rank))


def _edge(near: Any, far: Any, edge: Any, second: Any, third: Any) -> Any:
    """The slope at the edge of three samples, `near` and `far` apart, by the parabola through them."""
    return (
        -(2.0 * near + far) / (near * (near + far)) * edge
        + (near + far) / (near * far) * second
        - near / (far * (near + far)) * third
    )


@public("elementwise", sample=lambda s: (s.v,))
def unwrap(p: Any, discont: Any = None, axis: int = -1, *, period: Any = 2 * math.pi) -> Any:
    """`p` with jumps from `discont` (half a `period`) on made smaller by whole periods.

    >>> jf.unwrap([0.0, 3.0, 6.5]).numpy()
    array([0.        , 3.        , 0.21681469])
    """
    array = as_lazy(p)
    along = normalize_axis(axis, len(array.shape))
    steps = differences(array, 1, along)
    like = period if isinstance(period, (int, float)) else as_lazy(period).dtype
    kind = numpy.result_type(steps.dtype, like).kind
    whole = kind in "iu"
    half = period // 2 if whole else period / 2
    wrapped = division.UFUNCS["remainder"](steps + half, period) - half
    if not (whole and period % 2):
        # A step of half a period keeps its direction.
        wrapped = where((wrapped == -half) & (steps > 0), half, wrapped)
    limit = period / 2 if discont is None else broadcast_to(as_lazy(discont), steps.shape)
    correction = where(arithmetic.UFUNCS["abs"](steps) < limit, 0, wrapped - steps)
    first = _cut(array, along, None, 1)
    rest = _cut(array, along, 1, None) + cumsum(correction, axis=along)
    return astype(concat([first, rest], axis=along), "bool" if kind == "b" else correction.dtype)
