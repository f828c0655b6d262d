"""The layers of the ziggurats by which NumPy draws normal and exponential numbers (Marsaglia and Tsang, The
Ziggurat Method for Generating Random Variables, Journal of Statistical Software 5, 2000).

The width of a layer decides each bit of what is drawn, so it is asked of NumPy: a generator whose next word
has chosen bits draws the width itself. Limits and heights follow from widths; they decide which draws are
taken, and an ulp in them changes one of 10^14.
"""

from __future__ import annotations

import functools

import numpy

from .pcg64 import MULTIPLIER

NORMAL_END = 3.6541528853610087963519472518
"""Where the last layer of the normal density ends and its tail begins, for 256 layers."""
EXPONENTIAL_END = 7.69711747013104972
_WORD = (1 << 128) - 1
_INVERSE = pow(MULTIPLIER, -1, 1 << 128)


@functools.cache
def normal_layers() -> tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]:
    """Returns widths for each unit of 52 bits, the limits below which a draw is accepted at once, and
    heights."""
    widths = _widths("standard_normal", 0, 9)
    return widths, _limits(widths, 52), numpy.exp(-0.5 * _ends(widths, 52) ** 2)


@functools.cache
def exponential_layers() -> tuple[numpy.ndarray, numpy.ndarray, numpy.ndarray]:
    """Like `normal_layers`, for units of 53 bits."""
    widths = _widths("standard_exponential", 3, 11)
    return widths, _limits(widths, 53), numpy.exp(-_ends(widths, 53))


def _widths(method: str, layer_bit: int, unit_bit: int) -> numpy.ndarray:
    """Returns the width of each layer for one unit. The deciding word holds the layer's number and the units
    from these bits on."""
    source = numpy.random.PCG64()
    draw = getattr(numpy.random.Generator(source), method)
    state = source.state
    widths = numpy.empty(256)
    for layer in range(256):
        # The word after a step is the exclusive or of its halves, rotated by its highest bits, which are 0.
        after = layer << layer_bit | 1 << unit_bit
        state["state"] = {"state": (after - 1) * _INVERSE & _WORD, "inc": 1}
        source.state = state
        widths[layer] = draw()
    return widths


def _ends(widths: numpy.ndarray, bits: int) -> numpy.ndarray:
    """Returns the ends of the layers; that of the first one, with the tail, is at the peak of the density."""
    ends = widths * 2.0**bits
    ends[0] = 0.0
    return ends


def _limits(widths: numpy.ndarray, bits: int) -> numpy.ndarray:
    """Returns the units below the end of the layer above."""
    limits = numpy.empty(256, numpy.uint64)
    inner = numpy.roll(widths, 1)  # the first one's is the last layer's
    limits[:] = inner / widths * 2.0**bits
    limits[1] = 0
    return limits
