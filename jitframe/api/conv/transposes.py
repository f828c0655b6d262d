"""Transposes of convolutions: each element of an image adds the weights, times it, to a window of the result.

Results that are `stride` apart along an axis see the same places of the windows, every stride-th one: of each
remainder they are a convolution of stride 1 with those weights. Remainders with equally many places are more
channels of one convolution; its results are laid between one another in the end (W. Shi et al., "Real-time
single image and video super-resolution using an efficient sub-pixel convolutional neural network", 2016).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from ...base.arguments import integer
from ...errors import ArgumentError, ShapeError
from ..arranging.rearranging import pad
from ..creation.constructors import full
from ..elementwise.arithmetic import UFUNCS
from ..movement import concat, flip
from ..registry import public
from .convolution import convolved, in_groups, with_bias
from .windows import check_windows, each_axis, image, padded, real_floats


@dataclass(frozen=True)
class _Run:
    """Consecutive remainders, computed by one convolution."""

    count: int
    first: int = 0
    """The first position of the windows of the first remainder; those of the others follow."""
    places: int = 0
    """Positions of a window for each remainder; 0 where these results are zero."""
    ahead: int = 0
    """The number of elements between a result's own and the last one that it reads."""


@dataclass(frozen=True)
class _Axis:
    """One axis of space of a transpose."""

    extent: int
    size: int
    """Positions of a window."""
    step: int
    spread: int
    cut: int
    """Results that are cut off at the start."""
    results: int

    @property
    def every(self) -> int:
        """The distance of adjacent positions that one result reads."""
        return self.step // math.gcd(self.step, self.spread)

    @property
    def between(self) -> int:
        """The distance of adjacent elements that one result reads."""
        return self.spread // math.gcd(self.step, self.spread)

    @property
    def begin(self) -> int:
        """The results of a remainder are counted from here."""
        return self.cut // self.step

    @property
    def end(self) -> int:
        return (self.cut + self.results - 1) // self.step + 1

    def runs(self) -> list[_Run]:
        """All remainders, in order."""
        seen = {place * self.spread % self.step: place for place in range(self.every)}
        found: list[_Run] = []
        for remainder in range(self.step):
            place = seen.get(remainder, self.size)
            places = len(range(place, self.size, self.every))
            one = _Run(1, place, places, place * self.spread // self.step) if places else _Run(1)
            before = found[-1] if found else None
            if before is not None and _follows(one, before):
                found[-1] = _Run(before.count + 1, before.first, before.places, before.ahead)
            else:
                found.append(one)
        return found

    def widths(self, run: _Run) -> tuple[int, int]:
        """Returns the padding before and after the elements for a run; negative padding cuts off."""
        before = (run.places - 1) * self.between + run.ahead - self.begin
        return before, self.end - run.ahead - self.extent


def _follows(one: _Run, before: _Run) -> bool:
    next_place = before.first + before.count if before.places else 0
    return (one.places, one.ahead, one.first) == (before.places, before.ahead, next_place)


def _transposed(
    rank: int, x: Any, weight: Any, bias: Any, stride: Any, padding: Any, output_padding: Any, groups: Any,
    dilation: Any, out: Any,
) -> Any:  # fmt: skip
    function = f"conv_transpose{rank}d"
    array, alone = image(function, real_floats(function, x, "x"), rank)
    weights = real_floats(function, weight, "weight")
    count = integer(groups, f"{function}: groups")
    if weights.ndim != rank + 2 or count < 1 or weights.shape[0] != array.shape[1] or array.shape[1] % count:
        raise ShapeError(
            f"{function}: weight is [channels, out / groups, …] with {array.shape[1]} channels in {count} "
            "groups, and has "
            f"the shape {tuple(weights.shape)}"
        )
    steps, spread = (
        each_axis(function, name, value, rank) for name, value in (("stride", stride), ("dilation", dilation))
    )
    sides = each_axis(function, "padding", padding, rank, 0)
    more = each_axis(function, "output_padding", output_padding, rank, 0)
    if any(extra >= max(step, each) for extra, step, each in zip(more, steps, spread, strict=True)):
        raise ArgumentError(
            f"{function}: output_padding {more} is less than stride {steps} or dilation {spread}"
        )
    size = weights.shape[2:]
    reach = tuple((k - 1) * d + 1 for k, d in zip(size, spread, strict=True))
    whole = (max((n - 1) * s + 1, 0) + r - 1 for n, s, r in zip(array.shape[2:], steps, reach, strict=True))
    counts = [n - 2 * side + extra for n, side, extra in zip(whole, sides, more, strict=True)]
    check_windows(function, tuple(n + r - 1 for n, r in zip(counts, reach, strict=True)), reach)
    each = zip(array.shape[2:], size, steps, spread, sides, counts, strict=True)
    found = _in_order(_each_run(array, weights, count, [_Axis(*axis) for axis in each]), sides, counts)
    found = with_bias(found, None if bias is None else real_floats(function, bias, "bias"), function)
    found = found[0] if alone else found
    return found if out is None else UFUNCS["positive"](found, out=out)


def _each_run(x: Any, weight: Any, groups: int, axes: Sequence[_Axis]) -> Any:
    """The results of all remainders: [batch, out, *remainders, *results of each]."""
    rank, grouped = len(axes), in_groups(x, groups)
    places = _apart(weight, groups, axes)
    made: dict[tuple[_Run, ...], Any] = {}
    runs = [axis.runs() for axis in axes]
    for chosen in product(*runs):
        if all(run.places for run in chosen):
            made[chosen] = _convolved(grouped, places, axes, chosen)
    known = next(iter(made.values()))

    def joined(*chosen: _Run) -> Any:
        if len(chosen) == rank:
            if chosen in made:
                return made[chosen]
            shape = (*known.shape[:2], *(run.count for run in chosen), *known.shape[2 + rank :])
            return full(shape, 0, known.dtype, device=known.device)
        blocks = [joined(*chosen, run) for run in runs[len(chosen)]]
        return blocks[0] if len(blocks) == 1 else concat(blocks, axis=2 + len(chosen))

    return joined()


def _apart(weight: Any, groups: int, axes: Sequence[_Axis]) -> Any:
    """Returns the weights as [groups, out, *first positions, channels, *positions of a result], padded."""
    rank, (channels, out) = len(axes), weight.shape[:2]
    filled = [-axis.size % axis.every for axis in axes]
    wide = pad(weight, [(0, 0), (0, 0), *((0, more) for more in filled)]) if any(filled) else weight
    shape = [number for axis in axes for number in (-(-axis.size // axis.every), axis.every)]
    wide = wide.reshape((groups, channels // groups, out, *shape))
    firsts, seen = range(4, 4 + 2 * rank, 2), range(3, 3 + 2 * rank, 2)
    return wide.transpose((0, 2, *firsts, 1, *seen))


def _convolved(x: Any, places: Any, axes: Sequence[_Axis], chosen: Sequence[_Run]) -> Any:
    """The results of one run along each axis."""
    rank, both = len(axes), list(zip(axes, chosen, strict=True))
    first = [slice(run.first, run.first + run.count) for run in chosen]
    rows = places[(slice(None), slice(None), *first, slice(None), *(slice(run.places) for run in chosen))]
    rows = flip(rows, tuple(range(3 + rank, 3 + 2 * rank)))
    groups, out, *counts = rows.shape[: 2 + rank]
    rows = rows.reshape((groups * out * math.prod(counts), *rows.shape[2 + rank :]))
    widths = [axis.widths(run) for axis, run in both]
    seen = padded(x, [(max(before, 0), max(after, 0)) for before, after in widths], "constant")
    if any(number < 0 for width in widths for number in width):
        cut = [slice(max(-a, 0), n - max(-b, 0)) for n, (a, b) in zip(seen.shape[3:], widths, strict=True)]
        seen = seen[(..., *cut)]
    made = convolved(seen, rows, (1,) * rank, tuple(axis.between for axis in axes))
    return made.reshape((x.shape[0], groups * out, *counts, *made.shape[2:]))


def _in_order(made: Any, sides: Sequence[int], counts: Sequence[int]) -> Any:
    """Interleaves the remainders, and selects the wanted results."""
    batch, out, *both = made.shape
    rank = len(counts)
    steps, each = both[:rank], both[rank:]
    order = [axis for place in range(2, 2 + rank) for axis in (place + rank, place)]
    found = made.transpose((0, 1, *order))
    found = found.reshape((batch, out, *(n * step for n, step in zip(each, steps, strict=True))))
    begins = [side % step for side, step in zip(sides, steps, strict=True)]
    return found[(..., *(slice(at, at + n) for at, n in zip(begins, counts, strict=True)))]


@public("product", name="nn.conv_transpose1d", sample=lambda s: (s.array(1, 2, 5), s.array(2, 2, 3)))
def conv_transpose1d(
    x: Any, weight: Any, bias: Any = None, *, stride: Any = 1, padding: Any = 0, output_padding: Any = 0,
    groups: Any = 1, dilation: Any = 1, out: Any = None,
) -> Any:  # fmt: skip
    """The transpose of `conv1d`; see `conv_transpose2d`.

    `x`: [batch, channels, n], the batch may be missing; `weight`: [channels, out / groups, k].

    >>> jf.nn.conv_transpose1d(np.ones((1, 2)), np.array([[[1.0, 2.0]]]), stride=2).numpy()
    array([[1., 2., 1., 2.]])
    """
    return _transposed(1, x, weight, bias, stride, padding, output_padding, groups, dilation, out)


@public("product", name="nn.conv_transpose2d", sample=lambda s: (s.array(1, 2, 3, 3), s.array(2, 2, 3, 3)))
def conv_transpose2d(
    x: Any, weight: Any, bias: Any = None, *, stride: Any = 1, padding: Any = 0, output_padding: Any = 0,
    groups: Any = 1, dilation: Any = 1, out: Any = None,
) -> Any:  # fmt: skip
    """The transpose of `conv2d`: each element of `x` adds the weights, times it, to a window of the result.

    `x`: [batch, channels, h, w], the batch may be missing; `weight`: [channels, out / groups, kh, kw];
    `bias`: [out]. `padding`: what is cut off at each side; `output_padding`: what is put at the end, less
    than the stride. Shape: (n - 1) stride - 2 padding + (k - 1) dilation + 1 + output_padding along each
    axis. Raises ShapeError and ArgumentError for what does not fit.

    >>> jf.nn.conv_transpose2d(np.ones((1, 1, 1)), np.ones((1, 1, 2, 2))).numpy()
    array([[[1., 1.],
            [1., 1.]]])
    """
    return _transposed(2, x, weight, bias, stride, padding, output_padding, groups, dilation, out)


@public(
    "product", name="nn.conv_transpose3d", sample=lambda s: (s.array(1, 1, 2, 2, 2), s.array(1, 1, 2, 2, 2))
)
def conv_transpose3d(
    x: Any, weight: Any, bias: Any = None, *, stride: Any = 1, padding: Any = 0, output_padding: Any = 0,
    groups: Any = 1, dilation: Any = 1, out: Any = None,
) -> Any:  # fmt: skip
    """The transpose of `conv3d`; see `conv_transpose2d`.

    `x`: [batch, channels, d, h, w], the batch may be missing; `weight`: [channels, out / groups, kd, kh, kw].

    >>> jf.nn.conv_transpose3d(np.ones((1, 1, 1, 1)), np.ones((1, 1, 2, 2, 2))).shape
    (1, 2, 2, 2)
    """
    return _transposed(3, x, weight, bias, stride, padding, output_padding, groups, dilation, out)
