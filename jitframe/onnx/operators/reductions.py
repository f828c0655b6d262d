"""Reductions. Axes are an attribute, and from some opset on an input."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..registry import Known, operator
from ..values import axis_of, cast, dtype_of, integers, public

_logsumexp = public("nn.logsumexp")
Reduction = Callable[[Any, tuple[int, ...], bool], Any]


def _sum(x: Any, axes: tuple[int, ...], keep: bool) -> Any:
    return cast(np.sum(x, axis=axes, keepdims=keep), dtype_of(x))


def _mean(x: Any, axes: tuple[int, ...], keep: bool) -> Any:
    return cast(np.mean(x, axis=axes, keepdims=keep), dtype_of(x))


def _prod(x: Any, axes: tuple[int, ...], keep: bool) -> Any:
    return cast(np.prod(x, axis=axes, keepdims=keep), dtype_of(x))


def _extreme(largest: bool) -> Reduction:
    def computed(x: Any, axes: tuple[int, ...], keep: bool) -> Any:
        if all(x.shape[axis] for axis in axes):
            return (np.max if largest else np.min)(x, axis=axes, keepdims=keep)
        return (np.max if largest else np.min)(x, axis=axes, keepdims=keep, initial=_limit(x, largest))

    return computed


def _limit(x: Any, lowest: bool) -> Any:
    dtype = dtype_of(x)
    if dtype.kind == "f":
        return dtype.type(-np.inf if lowest else np.inf)
    if dtype.kind == "b":
        return np.bool_(not lowest)
    info = np.iinfo(dtype)
    return dtype.type(info.min if lowest else info.max)


REDUCTIONS: dict[str, Reduction] = {
    "ReduceL1": lambda x, axes, keep: _sum(np.abs(x), axes, keep),
    "ReduceL2": lambda x, axes, keep: cast(np.sqrt(_sum(x * x, axes, keep)), dtype_of(x)),
    "ReduceLogSum": lambda x, axes, keep: cast(np.log(_sum(x, axes, keep)), dtype_of(x)),
    "ReduceLogSumExp": lambda x, axes, keep: cast(_logsumexp(x, axis=axes, keepdims=keep), dtype_of(x)),
    "ReduceMax": _extreme(True),
    "ReduceMean": _mean,
    "ReduceMin": _extreme(False),
    "ReduceProd": _prod,
    "ReduceSum": _sum,
    "ReduceSumSquare": lambda x, axes, keep: _sum(x * x, axes, keep),
}


def _declare(name: str, reduction: Reduction) -> None:
    def of_attribute(x: Any, *, axes: Any = None, keepdims: int = 1) -> Any:
        chosen = range(x.ndim) if axes is None else axes
        return reduction(x, tuple(axis_of(each, x.ndim) for each in chosen), bool(keepdims))

    def of_input(
        x: Any, axes: Known | None = None, *, keepdims: int = 1, noop_with_empty_axes: int = 0
    ) -> Any:
        given = () if axes is None else integers(axes)
        if not given and noop_with_empty_axes:
            return reduction(np.reshape(x, (*x.shape, 1)), (x.ndim,), False)  # of single elements
        return of_attribute(x, axes=given or None, keepdims=keepdims)

    operator(name)(of_attribute)
    operator(name, since=13 if name == "ReduceSum" else 18)(of_input)


for _name, _reduction in REDUCTIONS.items():
    _declare(_name, _reduction)


def _arg_extreme(find: Callable[..., Any]) -> Callable[..., Any]:
    def computed(x: Any, *, axis: int = 0, keepdims: int = 1, select_last_index: int = 0) -> Any:
        if not select_last_index:
            return cast(find(x, axis=axis, keepdims=bool(keepdims)), np.int64)
        found = find(np.flip(x, axis), axis=axis, keepdims=bool(keepdims))
        return cast(x.shape[axis] - 1 - found, np.int64)

    return computed


operator("ArgMax")(_arg_extreme(np.argmax))
operator("ArgMin")(_arg_extreme(np.argmin))


def _running(accumulate: Callable[..., Any], start: int) -> Callable[..., Any]:
    def computed(x: Any, axis: Known, *, exclusive: int = 0, reverse: int = 0) -> Any:
        place = axis_of(int(np.asarray(axis).reshape(-1)[0]), x.ndim)
        x = np.flip(x, place) if reverse else x
        found = cast(accumulate(x, axis=place), dtype_of(x))
        if exclusive:
            before = [slice(None)] * x.ndim
            before[place] = slice(0, max(x.shape[place] - 1, 0))
            first = np.full(
                (*x.shape[:place], min(x.shape[place], 1), *x.shape[place + 1 :]), start, dtype_of(x)
            )
            found = np.concatenate([first, found[tuple(before)]], axis=place)
        return np.flip(found, place) if reverse else found

    return computed


operator("CumSum")(_running(np.cumsum, 0))
operator("CumProd")(_running(np.cumprod, 1))
