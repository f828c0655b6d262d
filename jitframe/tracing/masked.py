"""`x[mask]` inside a trace: how many elements it has is not known, where they are is.

Arithmetic on such a value is done for every element of `x`, and kept where the mask holds when it is assigned
to `y[mask]`, or when it is summed.
"""

from __future__ import annotations

import math
from typing import Any, NoReturn

import numpy

from .. import api
from ..api.frame import LazyValue
from ..api.namespace import lookup
from ..arrays.indexing import expanded
from ..arrays.promotion import NUMBERS, limits_of
from ..errors import BoundsError, TraceError
from ..ir.node import Shape
from ..ir.types import BOOL

_ADVICE = (
    "how many elements a mask chooses is not known inside a jitted function. Assign to x[mask], or write "
    "np.where(mask, x, y); jf.compress(mask, x, size=n) and jf.nonzero(mask, size=n) give so many"
)


def traced_mask(index: Any) -> tuple[Any, int] | None:
    """The mask of the trace that an index is, with whole axes around it, and how many come before it."""
    items = index if index.__class__ is tuple else (index,)
    found = [place for place, item in enumerate(items) if _is_mask(item)]
    if not found:
        return None
    if len(found) > 1 or not all(_is_whole(item) for place, item in enumerate(items) if place != found[0]):
        raise TraceError(f"a mask beside other indices: {_ADVICE}")
    return items[found[0]], found[0]


def _is_mask(item: Any) -> bool:
    return isinstance(item, LazyValue) and item._dtype is BOOL and getattr(item, "_cell", None) is not None


def _is_whole(item: Any) -> bool:
    return item is Ellipsis or (item.__class__ is slice and item == slice(None))


def _axes_taken(item: Any) -> int:
    if _is_mask(item):
        return len(item.shape)
    return 0 if item is Ellipsis else 1


def spread_mask(index: Any, shape: Shape) -> tuple[Any, int, int]:
    """The mask of an index, the axis it starts at, and its rank; raises where its shape does not fit."""
    items = index if index.__class__ is tuple else (index,)
    out = expanded(list(items), len(shape), _axes_taken)
    axis = next(place for place, item in enumerate(out) if _is_mask(item))
    mask = out[axis]
    for offset, extent in enumerate(mask.shape):
        if shape[axis + offset] != extent:
            raise BoundsError(
                f"boolean index did not match indexed array along axis {axis + offset}; size of axis is "
                f"{shape[axis + offset]} but size of corresponding boolean axis is {extent}"
            )
    return mask, axis, len(mask.shape)


def _over(mask: Any, axis: int, shape: Shape) -> Any:
    """The mask for every element of an array."""
    rest = (1,) * (len(shape) - axis - len(mask.shape))
    return api.movement.reshape(mask, (*((1,) * axis), *mask.shape, *rest)) if shape else mask


def assign_masked(array: Any, index: Any, value: Any) -> None:
    """`array[mask] = value` of a trace."""
    mask, axis, rank = spread_mask(index, array.shape)
    if isinstance(value, Masked):
        value.check(mask, axis, array.shape)
        value = value.full
    elif value.__class__ not in NUMBERS:
        value = _fitted(api.movement.as_lazy(value), len(array.shape) - axis - rank, rank)
    api.writing.write_where(array, _over(mask, axis, array.shape), value)


def _fitted(value: Any, after: int, rank: int) -> Any:
    """A value of `y[mask]`'s shape, one for all elements of the mask, in one that broadcasts to that of y."""
    before = len(value.shape) - after - 1
    if before < 0:
        return value
    if value.shape[before] != 1:
        raise TraceError(f"x[mask] = values, with {value.shape[before]} values: {_ADVICE}")
    shape = value.shape
    return api.movement.reshape(value, (*shape[:before], *((1,) * rank), *shape[before + 1 :]))


_REDUCTIONS = {
    **{
        name: name
        for name in ("sum", "mean", "any", "all", "count_nonzero", "prod", "var", "std", "max", "min")
    },
    "amax": "max",
    "amin": "min",
}
"""Methods by the names of NumPy's functions."""


class Masked(numpy.lib.mixins.NDArrayOperatorsMixin):
    """The elements of a traced array where a traced mask holds."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, full: Any, mask: Any, axis: int) -> None:
        self.full = full
        """An array of the whole shape, of which the mask chooses."""
        self.mask = mask
        self.axis = axis

    @staticmethod
    def of(array: Any, index: Any) -> Masked:
        mask, axis, _ = spread_mask(index, array.shape)
        return Masked(api.movement.duplicate(array), api.movement.duplicate(mask), axis)

    def check(self, mask: Any, axis: int, shape: Shape) -> None:
        """Raises unless it was chosen by this mask from an array of this shape."""
        graph = mask._frame.begin()
        same = mask._operand(graph) is self.mask._operand(graph)
        if not same or axis != self.axis or tuple(shape) != tuple(self.full.shape):
            raise TraceError(f"x[mask] = y[other mask]: {_ADVICE}")

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, out: Any = None, **options: Any) -> Any:
        function = lookup(ufunc)
        if method != "__call__" or function is None or options:
            self._refuse(f"np.{ufunc.__name__}")
        after = len(self.full.shape) - self.axis - len(self.mask.shape)
        given = []
        for each in inputs:
            if isinstance(each, Masked):
                each.check(self.mask, self.axis, self.full.shape)
                given.append(each.full)
            elif each.__class__ in NUMBERS:
                given.append(each)
            else:
                given.append(_fitted(api.movement.as_lazy(each), after, len(self.mask.shape)))
        result = function(*given)
        if out is None:
            return Masked(result, self.mask, self.axis)
        (target,) = out
        assert isinstance(target, Masked)
        target.full[...] = result
        return target

    def __array_function__(self, function: Any, types: Any, arguments: Any, options: Any) -> Any:
        name = getattr(function, "__name__", "")
        if name in _REDUCTIONS and len(arguments) == 1:
            return getattr(self, _REDUCTIONS[name])(**options)
        self._refuse(f"np.{name}")

    def _everywhere(self) -> Any:
        return api.movement.broadcast_to(_over(self.mask, self.axis, self.full.shape), self.full.shape)

    def _or(self, other: Any) -> Any:
        return api.elementwise.where(self._everywhere(), self.full, other)

    @property
    def dtype(self) -> Any:
        return self.full.dtype

    @property
    def size(self) -> Any:
        """How many elements there are, as a value of the trace."""
        return api.reductions.count_nonzero(self._everywhere())

    def sum(self) -> Any:
        return api.reductions.sum(self._or(self.full.dtype.type(0)))

    def mean(self) -> Any:
        return self.sum() / self.size

    def any(self) -> Any:
        return api.reductions.any(self._or(False))

    def all(self) -> Any:
        return api.reductions.all(self._or(True))

    def count_nonzero(self) -> Any:
        return api.reductions.count_nonzero(self._or(self.full.dtype.type(0)))

    def prod(self) -> Any:
        return api.reductions.prod(self._or(self.full.dtype.type(1)))

    def var(self, ddof: float = 0) -> Any:
        return api.reductions.var(self.full, where=self._everywhere(), ddof=ddof)

    def std(self, ddof: float = 0) -> Any:
        return api.reductions.std(self.full, where=self._everywhere(), ddof=ddof)

    def max(self) -> Any:
        """The largest element; the smallest number of the dtype where there is none."""
        return self._extreme(api.reductions.max, smallest=True)

    def min(self) -> Any:
        """The smallest element; the largest number of the dtype where there is none."""
        return self._extreme(api.reductions.min, smallest=False)

    def _extreme(self, function: Any, smallest: bool) -> Any:
        dtype = self.full._dtype
        if dtype.is_float:
            neutral: Any = -math.inf if smallest else math.inf
        elif dtype is BOOL:
            neutral = not smallest
        else:
            neutral = limits_of(dtype)[not smallest]
        return function(self.full, where=self._everywhere(), initial=neutral)

    def astype(self, dtype: Any) -> Masked:
        return Masked(self.full.astype(dtype), self.mask, self.axis)

    def copy(self) -> Masked:
        return Masked(self.full.copy(), self.mask, self.axis)

    def _refuse(self, what: str) -> NoReturn:
        raise TraceError(f"{what} of x[mask]: {_ADVICE}")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or not hasattr(numpy.ndarray, name):
            raise AttributeError(f"'x[mask]' of a trace has no attribute {name!r}")
        self._refuse(f".{name}")

    def __array__(self, *_: Any, **__: Any) -> NoReturn:
        self._refuse("np.asarray")

    def __len__(self) -> int:
        self._refuse("len()")

    def __iter__(self) -> NoReturn:
        self._refuse("iteration")

    def __bool__(self) -> bool:
        self._refuse("a condition")

    def __getitem__(self, _index: Any) -> NoReturn:
        self._refuse("an element")

    def __setitem__(self, _index: Any, _value: Any) -> None:
        self._refuse("an element")

    def returned(self) -> NoReturn:
        """Says that a function cannot return it."""
        self._refuse("a result")
