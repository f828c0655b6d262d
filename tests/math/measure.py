"""The worst error of a function over many arguments: compiled code against libm in a wider format."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from .compiled import compiled
from .reference import NOTHING, Worst, reference, worst_error


def worst_over(
    name: str,
    dtype: str,
    variants: Iterable[bool],
    arguments: Iterable[tuple[np.ndarray, ...]],
    wide: bool = True,
) -> dict[bool, Worst]:
    """For each setting of fma the worst error over all tuples of argument arrays."""
    functions = {fma: compiled(name, dtype, fma, wide=wide) for fma in variants}
    worst = dict.fromkeys(functions, NOTHING)
    for arrays in arguments:
        want = reference(name, *arrays)
        for fma, function in functions.items():
            worst[fma] = worst[fma].worse(worst_error(function(*arrays), want, arrays))
    return worst
