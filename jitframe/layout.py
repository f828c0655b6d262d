"""The layout letters of an ndarray: how its strides go together, without their sizes."""

from __future__ import annotations

import numpy

from .ir.node import contiguous_layout


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


def run_time_strides(array: numpy.ndarray, layout: str) -> tuple[int, ...]:
    """The strides, in elements, of the axes whose letter is `s`."""
    if "s" not in layout:
        return ()
    itemsize = array.itemsize
    return tuple(
        stride // itemsize for stride, letter in zip(array.strides, layout, strict=True) if letter == "s"
    )
