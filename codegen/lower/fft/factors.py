"""The passes of a transform: how its number of points is cut into factors."""

from __future__ import annotations

from ....ir.record import record

ODD_FACTORS = (23, 19, 17, 13, 11, 9, 7, 5, 3)
"""Of passes."""
LARGEST_POWER = 4
"""Of two, of a pass: the values of sixteen points fill the registers."""


class Pass(metaclass=record):
    """One pass: `radix` points that lie `alike * groups` apart are transformed; `alike` such, that follow one
    another, have the same factors."""

    radix: int
    alike: int
    groups: int


def radices_of(points: int, largest_power: int = LARGEST_POWER) -> list[int]:
    """The factors of the passes, in their order; empty where a prime factor is too large for one."""
    twos, rest = 0, points
    while rest % 2 == 0:
        twos, rest = twos + 1, rest // 2
    odd: list[int] = []
    for factor in ODD_FACTORS:
        while rest % factor == 0:
            odd.append(factor)
            rest //= factor
    if rest > 1:
        return []
    return [*_powers_of_two(twos, largest_power), *odd] or [1]


def _powers_of_two(twos: int, largest: int) -> list[int]:
    """As few as there can be, the largest first: vectors of the second pass are as long as the first one."""
    if not twos:
        return []
    count = -(-twos // largest)
    return [1 << (twos // count + (number < twos % count)) for number in range(count)]


def passes_of(points: int, largest_power: int = LARGEST_POWER) -> list[Pass]:
    made: list[Pass] = []
    alike = 1
    for radix in radices_of(points, largest_power):
        made.append(Pass(radix, alike, points // (alike * radix)))
        alike *= radix
    return made
