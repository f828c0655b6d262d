"""Divisions and powers of arrays, and what is made of them."""

from __future__ import annotations

from typing import Any

from ..frame import call
from ..functions import division
from .elementwise import Public, lifted, pair


def divmod(x: Any, y: Any, /, *outputs: Any, out: Any = (None, None), **options: Any) -> tuple[Any, Any]:
    """(x // y, x % y)."""
    return pair("divmod", call(division.divmod, (x, y)), outputs, out, options)


UFUNCS: dict[str, Public] = {
    name: lifted(function, name, 2)
    for name, function in (
        ("floor_divide", division.floor_divide), ("fmod", division.fmod), ("gcd", division.gcd),
        ("lcm", division.lcm), ("pow", division.power), ("remainder", division.remainder),
    )
}  # fmt: skip
"""Functions with a ufunc's arguments, by the array API's names."""
