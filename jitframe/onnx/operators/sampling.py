"""Samples of images at places that are computed: between the elements, and outside."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from ..registry import operator
from ..values import cast, dtype_of, lazy, positions


def _places(x: Any, extent: int, aligned: bool) -> Any:
    """From -1 to 1 to positions of an axis."""
    one = dtype_of(x).type
    return (x + one(1)) * one((extent - 1) / 2) if aligned else (x + one(1)) * one(extent / 2) - one(0.5)


def _reflected(x: Any, extent: int, aligned: bool) -> Any:
    one = dtype_of(x).type
    low, high = (0.0, extent - 1.0) if aligned else (-0.5, extent - 0.5)
    span = high - low
    if span <= 0:
        return np.zeros_like(x)
    away = np.mod(np.abs(x - one(low)), one(2 * span))
    return np.where(away > one(span), one(2 * span) - away, away) + one(low)


def _fetch(x: Any, index: list[Any], mode: str, aligned: bool) -> Any:
    """[batch, *places, channels]: elements at positions of each axis of space, also of those outside."""
    extents, inside = x.shape[2:], None
    found = []
    for place, extent in zip(index, extents):
        if mode == "reflection":
            place = np.rint(_reflected(place, extent, aligned))
        if mode == "zeros":
            there = (place >= 0) & (place <= extent - 1)
            inside = there if inside is None else inside & there
        limit = dtype_of(place).type
        found.append(cast(np.clip(place, limit(0), limit(extent - 1)), np.int32))
    batch = positions(x.shape[0]).reshape((-1, *(1,) * (found[0].ndim - 1)))
    last = np.moveaxis(lazy(x), 1, -1)
    taken = last[(batch, *found)]
    return taken if inside is None else np.where(inside[..., None], taken, dtype_of(x).type(0))


def _cubic(part: Any) -> list[Any]:
    one, a = dtype_of(part).type, -0.75

    def near(x: Any) -> Any:
        return ((one(a + 2) * x - one(a + 3)) * x) * x + one(1)

    def far(x: Any) -> Any:
        return ((one(a) * x - one(5 * a)) * x + one(8 * a)) * x - one(4 * a)

    return [far(part + one(1)), near(part), near(one(1) - part), far(one(2) - part)]


def _between(x: Any, places: list[Any], kind: str, padding: str, aligned: bool) -> Any:
    """[batch, *places, channels]: sums of the elements around each place."""
    rank = len(places)
    base = [np.floor(each) for each in places]
    rest = [each - whole for each, whole in zip(places, base)]
    taps = (0, 1) if kind == "linear" else (-1, 0, 1, 2)
    one = dtype_of(rest[0]).type
    weights = [[one(1) - part, part] if kind == "linear" else _cubic(part) for part in rest]
    found = None
    for choice in itertools.product(range(len(taps)), repeat=rank):
        index = [whole + one(taps[tap]) for whole, tap in zip(base, choice)]
        weight = math.prod(
            [weights[axis][tap] for axis, tap in enumerate(choice)][1:], start=weights[0][choice[0]]
        )
        term = _fetch(x, index, padding, aligned) * weight[..., None]
        found = term if found is None else found + term
    return found


@operator("GridSample")
def grid_sample(
    x: Any, grid: Any, *, align_corners: int = 0, mode: str = "linear", padding_mode: str = "zeros"
) -> Any:
    """Images at the places that a grid gives, the last axis of space first."""
    rank, aligned = x.ndim - 2, bool(align_corners)
    kind = {"bilinear": "linear", "bicubic": "cubic"}.get(mode, mode)
    places = [_places(lazy(grid)[..., rank - 1 - axis], x.shape[2 + axis], aligned) for axis in range(rank)]
    limits = [dtype_of(places[0]).type(n - 1) for n in x.shape[2:]]
    if padding_mode == "border" and kind != "cubic":
        places = [np.clip(each, dtype_of(each).type(0), n) for each, n in zip(places, limits)]
    elif padding_mode == "reflection" and kind != "cubic":
        places = [_reflected(each, n, aligned) for each, n in zip(places, x.shape[2:])]
    if kind == "nearest":
        found = _fetch(x, [np.rint(each) for each in places], padding_mode, aligned)
    else:
        found = _between(x, places, kind, padding_mode, aligned)
    return cast(np.moveaxis(found, -1, 1), dtype_of(x))


def sampled(x: Any, places: list[Any]) -> Any:
    """[batch, channels, *places]: by lines along each axis, with zeros outside."""
    return np.moveaxis(_between(x, places, "linear", "zeros", False), -1, 1)
