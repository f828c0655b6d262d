"""The worst error of a function over many arguments: compiled code against libm in a wider format."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from .compiled import Variant, compiled, has_tables
from .reference import NOTHING, Worst, reference, worst_error


def worst_over(
    name: str,
    dtype: str,
    variants: Iterable[Variant],
    arguments: Iterable[tuple[np.ndarray, ...]],
    wide: bool = True,
    against: Callable[..., np.ndarray] = reference,
) -> dict[Variant, Worst]:
    """For each variant that the function has the worst error over all tuples of argument arrays."""
    functions = {
        variant: compiled(name, dtype, variant, wide=wide)
        for variant in variants
        if variant != "tables" or (wide and has_tables(name, dtype))
    }
    worst = dict.fromkeys(functions, NOTHING)
    for arrays in arguments:
        want = against(name, *arrays)
        for variant, function in functions.items():
            got = function(*arrays)
            rest = suspects(got, want, worst[variant].ulp)
            if rest is None:
                worst[variant] = worst[variant].worse(worst_error(got, want, arrays))
            elif rest.size:
                chosen = tuple(x[rest] for x in arrays)
                worst[variant] = worst[variant].worse(worst_error(got[rest], want[rest], chosen))
    return worst


def suspects(got: np.ndarray, want: np.ndarray, ulp: float) -> np.ndarray | None:
    """Where results in f32 may be more than `ulp` off: those worth the exact measure; None in other formats.

    The unit of a denormal is taken too small, and what is no number is not decided here."""
    if got.dtype != np.float32:
        return None
    true = want.view(np.float64).ravel()
    unit = ((true.view(np.int64) & (0x7FF << 52)) - (23 << 52)).view(np.float64)
    with np.errstate(all="ignore"):
        wide = got.astype(np.float64)
        fine = np.abs(wide - true) <= ulp * np.abs(unit)
    return np.flatnonzero(~(fine | (np.isnan(wide) & np.isnan(true))))


def own_reference(name: str, *arguments: np.ndarray) -> np.ndarray:
    """Our own f64 function of f32 arguments, laid out as `reference`: many times as fast as libm, and as good
    for f32 once f64 has been measured against long double."""
    with np.errstate(invalid="ignore"):  # signalling NaNs
        wide = compiled(name, "f64", "fma")(*(x.astype(np.float64) for x in arguments))
    return wide.view(np.uint8).reshape(-1, 8)
