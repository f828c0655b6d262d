"""Peaks of a signal: local maxima, chosen by height, distance, prominence and width.

Their number depends on the values: in a jitted function `find_peaks` cuts the trace where it needs that.
"""

from __future__ import annotations

import math
from typing import Any

import numpy

from ...base.arguments import shown
from ...errors import ArgumentError, KindError, ShapeError
from ...functions import peaks as nodes
from ..calls import call
from ..elementwise import arithmetic
from ..elementwise.arithmetic import UFUNCS
from ..frame import LazyValue
from ..indexing.reading import nonzero_positions
from ..movement import as_lazy, concat, flip
from ..registry import public
from ..sorting.sorted_search import searchsorted
from ..sorting.sorts import argsort
from .signals import real_signal

_maximum, _minimum, _where = UFUNCS["maximum"], UFUNCS["minimum"], arithmetic.where


def _vector(function: str, x: Any) -> Any:
    array = real_signal(function, x)
    if array.ndim != 1:
        raise ShapeError(f"{function}: x is a signal with one axis, and has the shape {tuple(array.shape)}")
    return array


def _local_maxima(x: Any) -> tuple[Any, Any, Any]:
    """Returns the middles, first and last positions of all runs of equal elements that are higher than both
    neighbors."""
    if x.shape[0] < 3:
        none = nonzero_positions(x[:0])[0]
        return none, none, none
    before, here, after = x[:-2], x[1:-1], x[2:]
    first = nonzero_positions((before < here) & (after <= here))[0] + 1
    flat = x[first + 1] == x[first]
    if not bool(flat.any()):
        return first, first, first
    ends = nonzero_positions(~(x[1:] == x[:-1]))[0]  # of all runs but the last, which is no maximum
    at = searchsorted(ends, first)
    last = concat((ends, ends[-1:] * 0 + (x.shape[0] - 1)))[at]
    chosen = nonzero_positions(x[_minimum(last + 1, x.shape[0] - 1)] < x[last])[0]
    first, last = first[chosen], last[chosen]
    return (first + last) // 2, first, last


def _limits(function: str, name: str, given: Any, x: Any, peaks: Any) -> tuple[Any, Any]:
    """Returns the least and largest value of a condition: one or two of them, numbers or with a number for
    each element of the signal."""
    pair = given if isinstance(given, (tuple, list)) and len(given) == 2 else (given, None)
    if isinstance(given, (numpy.ndarray, LazyValue)) and tuple(given.shape) == (2,):
        pair = (given[0], given[1])
    found = []
    for each in pair:
        if isinstance(each, (numpy.ndarray, LazyValue, list, tuple)):
            array = as_lazy(each)
            if array.ndim and tuple(array.shape) != tuple(x.shape):
                raise ShapeError(
                    f"{function}: {name} has a number for each of the {x.shape[0]} elements of x, and has "
                    f"the shape {tuple(array.shape)}"
                )
            each = array[peaks] if array.ndim else array
        elif each is not None and not isinstance(each, (int, float, numpy.number)):
            raise KindError(f"{function}: {name} is a number, a pair of them or an array, not {shown(each)}")
        found.append(each)
    return found[0], found[1]


class _Found:
    """The remaining peaks, and their computed properties."""

    def __init__(self, x: Any, peaks: Any) -> None:
        self.x, self.peaks = x, peaks
        self.properties: dict[str, Any] = {}

    def choose(self, keep: Any) -> None:
        """Keeps the peaks for which a condition is true."""
        places = nonzero_positions(keep)[0]
        self.peaks = self.peaks[places]
        self.properties = {name: value[places] for name, value in self.properties.items()}

    def within(self, name: str, given: Any, value: Any, largest: Any = None) -> None:
        """Keeps the peaks with a value between the limits of a condition."""
        low, high = _limits("find_peaks", name, given, self.x, self.peaks)
        keep = None if low is None else low <= value
        if high is not None:
            below = (value if largest is None else largest) <= high
            keep = below if keep is None else keep & below
        if keep is not None:
            self.choose(keep)


@public("movement", name="signal.find_peaks", sample=lambda s: (s.v,))
def find_peaks(
    x: Any, height: Any = None, threshold: Any = None, distance: Any = None, prominence: Any = None,
    width: Any = None, wlen: Any = None, rel_height: float = 0.5, plateau_size: Any = None,
) -> tuple[Any, dict[str, Any]]:  # fmt: skip
    """The peaks of a signal that meet all conditions, and what was computed of them.

    `x`: real[n]. A peak is an element, or the middle of a run of equal ones, that is larger than both beside
    it; a NaN is no peak, and has none beside it. Conditions are a least value, or a pair of a least and a
    largest one, either of which may be None; each a number or, with one for each element, an array [n].
    `height`: of the signal; `threshold`: how far the peak is above the elements beside it; `distance`: of
    peaks, in elements, lower ones are taken away first, of equal ones the left one; `prominence`, `width`:
    see `peak_prominences` with `wlen` and `peak_widths` with `rel_height`; `plateau_size`: the length of the
    run.

    Gives the places, int64[peaks], and a dict of arrays [peaks]: "peak_heights", "left_thresholds",
    "right_thresholds", "prominences", "left_bases", "right_bases", "widths", "width_heights", "left_ips",
    "right_ips", "plateau_sizes", "left_edges", "right_edges", of the conditions that are given. Raises
    ShapeError for more than one axis, ArgumentError for a distance below 1.

    >>> places, known = jf.signal.find_peaks(np.array([0.0, 2.0, 1.0, 3.0, 0.0, 1.0, 0.0]), height=2)
    >>> places.tolist(), known["peak_heights"].tolist()
    ([1, 3], [2.0, 3.0])
    """
    array = _vector("find_peaks", x)
    if distance is not None and distance < 1:
        raise ArgumentError(f"find_peaks: distance is 1 at least, and {distance!r} was given")
    places, left, right = _local_maxima(array)
    found = _Found(array, places)
    known = found.properties
    if plateau_size is not None:
        sizes = right - left + 1
        known.update(plateau_sizes=sizes, left_edges=left, right_edges=right)
        found.within("plateau_size", plateau_size, sizes)
    if height is not None:
        found.properties["peak_heights"] = heights = array[found.peaks]
        found.within("height", height, heights)
    if threshold is not None:
        here = array[found.peaks]
        sides = [here - array[found.peaks + step] for step in (-1, 1)]
        found.properties.update(left_thresholds=sides[0], right_thresholds=sides[1])
        found.within("threshold", threshold, _minimum(*sides), _maximum(*sides))
    if distance is not None:
        found.choose(_apart(array, found.peaks, math.ceil(distance)))
    if prominence is not None or width is not None:
        made = _prominences(array, found.peaks, _reach("find_peaks", wlen))
        found.properties.update(zip(_PROMINENCES, made, strict=True))
    if prominence is not None:
        found.within("prominence", prominence, found.properties["prominences"])
    if width is not None:
        sizes = [found.properties[name] for name in _PROMINENCES]
        widths = _widths(array, found.peaks, rel_height, *sizes)
        found.properties.update(zip(_WIDTHS, widths, strict=True))
        found.within("width", width, widths[0])
    return found.peaks, found.properties


_PROMINENCES = ("prominences", "left_bases", "right_bases")
_WIDTHS = ("widths", "width_heights", "left_ips", "right_ips")


def _apart(x: Any, peaks: Any, distance: int) -> Any:
    """Returns which peaks to keep so that they are so many elements apart: the highest ones, of equal ones
    the last."""
    order = flip(argsort(x[peaks], stable=True), 0)
    lower = searchsorted(peaks, peaks - distance, side="right")
    upper = searchsorted(peaks, peaks + distance, side="left")
    return call(nodes.kept_apart, (order, lower, upper))


def _reach(function: str, wlen: Any) -> int | None:
    """Returns how far a window extends to each side; None: as far as the signal."""
    if wlen is None:
        return None
    if not wlen > 1:
        raise ArgumentError(f"{function}: wlen is larger than 1, and {wlen!r} was given")
    return math.ceil(wlen) // 2


def _prominences(x: Any, peaks: Any, reach: int | None) -> tuple[Any, Any, Any]:
    count = x.shape[0]
    tops = x[peaks]
    first = peaks * 0 if reach is None else _maximum(peaks - reach, 0)
    last = peaks * 0 + (count - 1) if reach is None else _minimum(peaks + reach, count - 1)
    left, right = (call(nodes.bases, (x, peaks, ends, tops), step) for ends, step in ((first, -1), (last, 1)))
    return tops - _maximum(x[left], x[right]), left, right


def _widths(
    x: Any, peaks: Any, rel_height: float, prominences: Any, left: Any, right: Any
) -> tuple[Any, Any, Any, Any]:
    if rel_height < 0:
        raise ArgumentError(f"peak_widths: rel_height is 0 at least, and {rel_height!r} was given")
    heights = x[peaks] - prominences * rel_height
    ends: list[Any] = []
    for bound, step in ((left, -1), (right, 1)):
        within = _minimum(_maximum(bound, 0), x.shape[0] - 1)
        place = call(nodes.crossings, (x, peaks, within, heights), step)
        value = x[place]
        # Between the last element above the height and the first one below it.
        inner = x[_minimum(_maximum(place - step, 0), x.shape[0] - 1)]
        below = value < heights
        part = (heights - value) / _where(below, inner - value, 1)
        ends.append(place - step * _where(below, part, 0))
    return ends[1] - ends[0], heights, ends[0], ends[1]


def _given_peaks(function: str, x: Any, peaks: Any) -> Any:
    places = as_lazy(peaks)
    if places.ndim != 1 or (places.dtype.kind not in "iu" and places.shape[0]):
        raise KindError(f"{function}: peaks is an array of places, int[peaks], not {shown(peaks)}")
    if not places.shape[0]:
        return nonzero_positions(x[:0])[0]
    return _where(places < 0, places + x.shape[0], places)


@public("reduction", name="signal.peak_prominences", sample=lambda s: (s.v, s.positions(2)))
def peak_prominences(x: Any, peaks: Any, wlen: Any = None) -> tuple[Any, Any, Any]:
    """How far peaks stand out from what is around them, and the lowest places to their left and right.

    `x`: real[n]; `peaks`: int[peaks], places in it, negative ones from its end. From a peak one walks to each
    side until the signal is higher than the peak, or ends; the prominence is the height of the peak above the
    higher one of both lowest elements met. `wlen`: the walk stays in a window of so many elements
    about the peak. Gives arrays [peaks]. Raises ArgumentError for a `wlen` that is not above 1, IndexError
    for places outside.

    >>> [each.tolist() for each in jf.signal.peak_prominences(np.array([0.0, 2.0, 1.0, 3.0, 0.0]), [1, 3])]
    [[1.0, 3.0], [0, 0], [2, 4]]
    """
    array = _vector("peak_prominences", x)
    places = _given_peaks("peak_prominences", array, peaks)
    return _prominences(array, places, _reach("peak_prominences", wlen))


@public("reduction", name="signal.peak_widths", sample=lambda s: (s.v, s.positions(2)))
def peak_widths(
    x: Any, peaks: Any, rel_height: float = 0.5, prominence_data: Any = None, wlen: Any = None
) -> tuple[Any, Any, Any, Any]:
    """How wide peaks are at a height: that of the peak less `rel_height` times its prominence.

    `x`: real[n]; `peaks`: int[peaks], places in it; `prominence_data`: what `peak_prominences` gave, else it
    is computed, with `wlen`. Gives the widths, the heights at which they are measured, and where the signal
    crosses these left and right of the peak, between elements along a line: arrays [peaks]. Raises
    ArgumentError for a negative `rel_height`.

    >>> [each.tolist() for each in jf.signal.peak_widths(np.array([0.0, 2.0, 4.0, 2.0, 0.0]), [2])]
    [[2.0], [2.0], [1.0], [3.0]]
    """
    array = _vector("peak_widths", x)
    places = _given_peaks("peak_widths", array, peaks)
    if prominence_data is None:
        prominence_data = _prominences(array, places, _reach("peak_widths", wlen))
    given = [*map(as_lazy, prominence_data)]
    if [each.shape for each in given] != [places.shape] * 3:
        raise ArgumentError(
            "peak_widths: prominence_data are the prominences and their bases on both sides, each of the "
            f"shape {tuple(places.shape)}"
        )
    return _widths(array, places, rel_height, *given)
