"""The distributions of NumPy's generators as traced code: the same numbers in the same order.

Each function is given the stream, whose methods return the next words, and the arguments of NumPy's method.
"""

from __future__ import annotations

from typing import Any

import numpy as np

_HALF = np.uint64(0xFFFFFFFF)
_UNIT_BITS = np.uint64(0xFFFFFFFFFFFFF)
_MOST = 2**64 - 1


def random(stream: Any) -> Any:
    return stream.next_double()


def uniform(stream: Any, low: Any, high: Any) -> Any:
    if high < low:
        raise ValueError("high - low < 0")
    return float(low + (high - low) * stream.next_double())


def below(stream: Any, most: Any) -> Any:
    """Returns an integer from 0 to `most`, of one word: D. Lemire, Fast Random Integer Generation in an
    Interval, ACM TOMACS 29, 2019."""
    most = np.uint64(most)
    if most == 0:
        return most
    if most > _HALF:
        return _below_long(stream, most)
    if most == _HALF:
        return stream.next_half()
    count = most + np.uint64(1)
    product = stream.next_half() * count
    if (product & _HALF) < count:
        least = (_HALF - most) % count
        while (product & _HALF) < least:
            product = stream.next_half() * count
    return product >> 32


def _below_long(stream: Any, most: Any) -> Any:
    if most == np.uint64(_MOST):
        return stream.next_word()
    count = most + np.uint64(1)
    word = stream.next_word()
    if word * count < count:
        least = (np.uint64(_MOST) - most) % count
        while word * count < least:
            word = stream.next_word()
    return stream.high_product(word, count)


def masked_below(stream: Any, most: Any) -> Any:
    """Like `below`, for RandomState: by rejection of words masked to the bits of `most`."""
    most = np.uint64(most)
    if most == 0:
        return most
    mask = most
    for shift in (1, 2, 4, 8, 16, 32):
        mask |= mask >> shift
    if most > _HALF:
        word = stream.next_word() & mask
        while word > most:
            word = stream.next_word() & mask
    else:
        word = stream.next_half() & mask
        while word > most:
            word = stream.next_half() & mask
    return word


def integers(stream: Any, low: Any, high: Any) -> Any:
    """Returns an integer from `low` to `high`, both included."""
    if high < low:
        raise ValueError("low >= high")
    return int(low) + int(stream.below(int(high) - int(low)))


def ziggurat_normal(stream: Any) -> Any:
    widths, limits, heights = stream.normal_layers
    while True:
        word = stream.next_word()
        layer = (word & 0xFF).astype(np.int64)
        units = (word >> 9) & _UNIT_BITS
        value = float(units) * widths[layer]
        if (word >> 8) & 1:
            value = -value
        if units < limits[layer]:
            break
        if layer == 0:
            beyond = 0.0
            height = 0.0
            while height + height <= beyond * beyond:
                beyond = -stream.per_end * np.log1p(-stream.next_double())
                height = -np.log1p(-stream.next_double())
            value = stream.normal_end + beyond
            if (units >> 8) & 1:
                value = -value
            break
        step = heights[layer - 1] - heights[layer]
        if step * stream.next_double() + heights[layer] < np.exp(-0.5 * value * value):
            break
    return value


def ziggurat_exponential(stream: Any) -> Any:
    widths, limits, heights = stream.exponential_layers
    while True:
        word = stream.next_word() >> 3
        layer = (word & 0xFF).astype(np.int64)
        units = word >> 8
        value = float(units) * widths[layer]
        if units < limits[layer]:
            break
        if layer == 0:
            value = stream.exponential_end - np.log1p(-stream.next_double())
            break
        step = heights[layer - 1] - heights[layer]
        if step * stream.next_double() + heights[layer] < np.exp(-value):
            break
    return value


def polar_normal(stream: Any) -> Any:
    """The normal distribution of RandomState: G. Marsaglia and T. A. Bray, A Convenient Method for Generating
    Normal Variables, SIAM Review 6, 1964. It yields two numbers, of which one is kept."""
    left = stream.left
    if left[0] != 0.0:
        value = float(left[1])
        left[0] = 0.0
        left[1] = 0.0
    else:
        x = y = 0.0
        square = 0.0
        while square >= 1.0 or square == 0.0:
            x = 2.0 * stream.next_double() - 1.0
            y = 2.0 * stream.next_double() - 1.0
            square = x * x + y * y
        factor = float(np.sqrt(-2.0 * np.log(square) / square))
        left[0] = 1.0
        left[1] = factor * x
        value = factor * y
    return value


def inverted_exponential(stream: Any) -> Any:
    """The exponential distribution of RandomState, by inversion."""
    return float(-np.log(1.0 - stream.next_double()))


def standard_normal(stream: Any) -> Any:
    return float(stream.standard_normal())


def standard_exponential(stream: Any) -> Any:
    return float(stream.standard_exponential())


def normal(stream: Any, loc: Any, scale: Any) -> Any:
    if scale < 0:
        raise ValueError("scale < 0")
    return float(loc + scale * stream.standard_normal())


def lognormal(stream: Any, mean: Any, sigma: Any) -> Any:
    if sigma < 0:
        raise ValueError("sigma < 0")
    return float(np.exp(mean + sigma * stream.standard_normal()))


def exponential(stream: Any, scale: Any) -> Any:
    if scale < 0:
        raise ValueError("scale < 0")
    return float(scale * stream.standard_exponential())


def _above_zero(stream: Any) -> Any:
    number = 0.0
    while number <= 0.0:
        number = stream.next_double()
    return number


def laplace(stream: Any, loc: Any, scale: Any) -> Any:
    if scale < 0:
        raise ValueError("scale < 0")
    number = _above_zero(stream)
    if number >= 0.5:
        return float(loc - scale * np.log(2.0 - number - number))
    return float(loc + scale * np.log(number + number))


def logistic(stream: Any, loc: Any, scale: Any) -> Any:
    if scale < 0:
        raise ValueError("scale < 0")
    number = _above_zero(stream)
    return float(loc + scale * np.log(number / (1.0 - number)))


def gumbel(stream: Any, loc: Any, scale: Any) -> Any:
    if scale < 0:
        raise ValueError("scale < 0")
    number = 1.0
    while number >= 1.0:
        number = 1.0 - stream.next_double()
    return float(loc - scale * np.log(-np.log(number)))


def running_sum(odds: Any) -> Any:
    """Returns the cumulative sums of probabilities."""
    sums = np.cumsum(np.asarray(odds, np.float64))
    if abs(sums[-1] - 1.0) > 1e-8:
        raise ValueError("probabilities do not sum to 1")
    return sums / sums[-1]


def position(stream: Any, sums: Any) -> Any:
    """Returns the first position whose cumulative sum is above a uniform number."""
    number = stream.next_double()
    low, high = 0, len(sums)
    while low < high:
        middle = (low + high) // 2
        if number < sums[middle]:
            high = middle
        else:
            low = middle + 1
    return low


def order(stream: Any, extent: int) -> Any:
    """Returns a permutation of the positions, as `shuffle` makes it."""
    return exchanged(stream, np.arange(extent), extent, 1, masked_below)


def exchanged(stream: Any, positions: Any, extent: int, first: int, distribution: Any = below) -> Any:
    """Exchanges each position, from the last one to the `first`, with an earlier one or itself: R.
    Durstenfeld, Algorithm 235, CACM 7, 1964."""
    for place in range(extent - 1, first - 1, -1):
        other = int(distribution(stream, place))
        kept = positions[place]
        positions[place] = positions[other]
        positions[other] = kept
    return positions


def end_of_order(stream: Any, extent: int, count: int, shuffled: bool) -> Any:
    """Returns `count` different positions: the last ones of a permutation."""
    return exchanged(stream, np.arange(extent), extent, max(extent - count, 1))[extent - count :]


def sample(stream: Any, extent: int, count: int, shuffled: bool) -> Any:
    """Returns `count` different positions by R. W. Floyd's algorithm: J. Bentley, Programming Pearls, CACM
    30, 1987."""
    taken = np.zeros(extent, bool)
    positions = np.empty(count, np.int64)
    for place in range(count):
        last = extent - count + place
        found = int(stream.below(last))
        if taken[found]:
            found = last
        taken[found] = True
        positions[place] = found
    return exchanged(stream, positions, count, 1) if shuffled else positions


def filled(distribution: Any, stream: Any, count: int, dtype: Any, parameters: Any) -> Any:
    """Draws many numbers one after another."""
    numbers = np.empty(count, dtype)
    for place in range(count):
        numbers[place] = distribution(stream, *[parameter[place] for parameter in parameters])
    return numbers
