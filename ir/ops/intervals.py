"""Intervals of integers: the least and the greatest result of an op, from those of its inputs.

Integers are unbounded here: callers treat a result that does not fit the dtype as any value of it. Each takes
the node and the intervals of the inputs that its elements are made of.
"""

from __future__ import annotations

from ..node import Node

Interval = tuple[int, int]
"""The least and the greatest."""


def same_interval(_node: Node, x: Interval) -> Interval:
    return x


def zero_interval(_node: Node) -> Interval:
    """The interval of memory that is written before it is read."""
    return 0, 0


def iota_interval(node: Node) -> Interval:
    return 0, max(int(node.shape[node.attribute("axis")]) - 1, 0)


def either_interval(_node: Node, x: Interval, y: Interval) -> Interval:
    return min(x[0], y[0]), max(x[1], y[1])


def add_interval(_node: Node, x: Interval, y: Interval) -> Interval:
    return x[0] + y[0], x[1] + y[1]


def sub_interval(_node: Node, x: Interval, y: Interval) -> Interval:
    return x[0] - y[1], x[1] - y[0]


def neg_interval(_node: Node, x: Interval) -> Interval:
    return -x[1], -x[0]


def mul_interval(_node: Node, x: Interval, y: Interval) -> Interval:
    corners = [a * b for a in x for b in y]
    return min(corners), max(corners)


def minimum_interval(_node: Node, x: Interval, y: Interval) -> Interval:
    return min(x[0], y[0]), min(x[1], y[1])


def maximum_interval(_node: Node, x: Interval, y: Interval) -> Interval:
    return max(x[0], y[0]), max(x[1], y[1])


def abs_interval(_node: Node, x: Interval) -> Interval:
    return max(x[0], -x[1], 0), max(-x[0], x[1])


def floordiv_interval(_node: Node, x: Interval, y: Interval) -> Interval:
    """Rounded down; 0 where the divisor is 0."""
    if y[0] > 0:
        quotients = [each // by for each in x for by in y]
        return min(quotients), max(quotients)
    if y[0] == 0:
        return min(x[0], 0), max(x[1], 0)
    widest = max(abs(x[0]), abs(x[1]))
    return -widest, widest


def floormod_interval(_node: Node, x: Interval, y: Interval) -> Interval:
    """With the sign of the divisor; 0 where the divisor is 0."""
    if x[0] >= 0 and y[0] >= 0:
        return 0, max(min(x[1], y[1] - 1), 0)
    return min(y[0] + 1, 0), max(y[1] - 1, 0)


def and_interval(_node: Node, x: Interval, y: Interval) -> Interval:
    known = [high for low, high in (x, y) if low >= 0]  # one operand is enough
    return (0, min(known)) if known else (-_beyond(x, y), _beyond(x, y) - 1)


def or_interval(_node: Node, x: Interval, y: Interval) -> Interval:
    """The interval of `or` and `xor`."""
    beyond = _beyond(x, y)
    return (0 if min(x[0], y[0]) >= 0 else -beyond), beyond - 1


def shift_right_interval(_node: Node, x: Interval, count: Interval) -> Interval:
    least = min(max(count[0], 0), 64)
    return min(x[0] >> least, 0), max(x[1] >> least, 0)


def shift_left_interval(_node: Node, x: Interval, count: Interval) -> Interval:
    """Shifts by more bits than the dtype has exceed every dtype."""
    times = 1 << min(max(count[1], 0), 128)
    return min(x[0] * times, x[0]), max(x[1] * times, x[1])


def _beyond(*intervals: Interval) -> int:
    """Returns the least power of two above all of them."""
    return 1 << max(value.bit_length() for interval in intervals for value in interval)
