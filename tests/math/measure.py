"""The worst error of a function over many arguments: compiled code against libm in a wider format."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from .compiled import Variant, compiled, has_tables, levels
from .reference import NOTHING, Worst, reference, suspects, worst_error


def worst_over(
    name: str,
    dtype: str,
    variants: Iterable[Variant],
    arguments: Iterable[tuple[np.ndarray, ...]],
    wide: bool = True,
    against: Callable[..., np.ndarray] = reference,
) -> dict[Variant, Worst]:
    """For each variant that the function has the worst error over all tuples of argument arrays.

    Each runs on the widest vectors there are: its bits do not depend on them."""
    functions = {
        variant: compiled(name, dtype, variant, levels()[-1], wide)
        for variant in variants
        if variant != "tables" or (wide and has_tables(name, dtype))
    }
    worst = dict.fromkeys(functions, NOTHING)
    for arrays in arguments:
        want = against(name, *arrays)
        for variant, function in functions.items():
            got = function(*arrays)
            if got.dtype != np.float32:
                worst[variant] = worst[variant].worse(worst_error(got, want, arrays))
                continue
            rest = suspects(got, want, worst[variant].ulp)
            if rest.size:
                chosen = tuple(x[rest] for x in arrays)
                worst[variant] = worst[variant].worse(worst_error(got[rest], want[rest], chosen))
    return worst


def own_reference(name: str, *arguments: np.ndarray) -> np.ndarray:
    """Our own f64 function of f32 arguments, laid out as `reference`: many times as fast as libm, and as good
    for f32 once f64 has been measured against long double."""
    with np.errstate(invalid="ignore"):  # signalling NaNs
        wide = compiled(name, "f64", "fma")(*(x.astype(np.float64) for x in arguments))
    return wide.view(np.uint8).reshape(-1, 8)
