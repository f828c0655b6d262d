"""Arguments worth testing: every region where a function changes its form, and the hard ones."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

F32_CHUNK = 1 << 14
SPECIALS = (
    0.0, 1.0, 2.0, 3.0, 0.5, 1.5, 2.5, np.inf, np.nan, 1e-40, 1e-310, 1e30, 1e300, 16777217.0, 2.0**53 - 1
)  # fmt: skip
"""With both signs these are the arguments of the tables of special cases."""


def float_type(dtype: str) -> type[np.floating]:
    return {"f32": np.float32, "f64": np.float64}[dtype]


def both_signs(values: np.ndarray) -> np.ndarray:
    return np.concatenate([values, -values])


def specials(dtype: str) -> np.ndarray:
    with np.errstate(over="ignore", under="ignore"):
        return both_signs(np.array(SPECIALS).astype(float_type(dtype)))


def patterns(first: int, step: int, count: int) -> np.ndarray:
    """float32 values by their bits: first, first + step, ..."""
    count = min(count, ((1 << 32) - first + step - 1) // step)
    return (np.arange(count, dtype=np.uint32) * np.uint32(step) + np.uint32(first)).view(np.float32)


def sampled_f32(step: int) -> Iterator[np.ndarray]:
    """Every step-th of all float32 bit patterns."""
    for first in range(0, 1 << 32, F32_CHUNK * step):
        yield patterns(first, step, F32_CHUNK)


def measured(name: str, x: np.ndarray) -> np.ndarray:
    """The arguments at which a function's error is counted in ulp: log gamma has zeros below -2, where no
    formula in its own format is that good."""
    return np.abs(x) if name == "lgamma" else x


_BORDERS = {
    "exp": (0.0, 0.34657359, 1.0, -64.0, -87.33654, -103.97207, -104.0, 88.72284, 89.0, -640.0, -708.39642,
            -745.13322, 709.78271, 710.0),
    "log": (1.0, 0.70710678, 1.41421356, 2.0, 1.1754944e-38, 2.2250738585072014e-308, 0.5),
    "sin": (0.78539816, 1.57079633, 3.14159265, 12000.0, 1e5, 1.6e6, 4e6, 1e9),
    "cos": (0.78539816, 1.57079633, 3.14159265, 12000.0, 1e5, 1.6e6, 4e6, 1e9),
    "tanh": (0.55, 9.01, 9.5, 19.06, 19.5),
    "erf": (0.92, 3.83, 3.92, 4.0, 5.9, 6.0),
    "tan": (0.78539816, 1.57079633, 3.14159265, 12000.0, 1e5, 1.6e6, 4e6, 1e9),
    "asin": (0.5, 1.0, 1.1754944e-38, 2.2250738585072014e-308), "acos": (0.5, 1.0, 1e-8, 1e-17),
    "erfc": (0.8, -0.8, 1.0, 5.8, 8.0, 9.1, 10.05, 10.1, 25.3, 26.5, 27.2, 27.3),
    "tgamma": (4.0, 8.0, 1.0, 2.0, 3.0, 35.04, 171.62, 170.5, 1e-17, 9.3e-10, 5.6e-309, 3e-39, 40.5, 184.5),
    "lgamma": (0.5, 0.75, 1.0, 2.0, 2.5, 3.5, 4.5, 7.5, 8.0, 1e300, 1e36, 1e-300),
    "atan": (1.0, 1.1754944e-38, 2.2250738585072014e-308, 1e8, 1e16),
}  # fmt: skip


def borders(name: str, dtype: str, around: int = 2000) -> np.ndarray:
    """The neighbours, float by float, of every place where the function's form changes, with both signs."""
    kind = float_type(dtype)
    integer = {"f32": np.int32, "f64": np.int64}[dtype]
    with np.errstate(over="ignore", under="ignore"):
        centres = np.array(_BORDERS[name]).astype(kind)
    bits = centres.view(integer)[:, None] + np.arange(-around, around, dtype=integer)
    return both_signs(np.abs(bits.ravel()).view(kind))


_RANGES = {
    "exp": ((-745.2, 709.8), (-1.0, 1.0), (-0.35, 0.35), (-746.0, -706.0)),
    "log": ((0.5, 2.0), (0.0, 10.0), (0.999, 1.001), (0.0, 1e-307)),
    "sin": ((-10.0, 10.0), (-1e6, 1e6), (-4.1e6, 4.1e6), (0.0, 1e22)),
    "cos": ((-10.0, 10.0), (-1e6, 1e6), (-4.1e6, 4.1e6), (0.0, 1e22)),
    "tanh": ((-1.0, 1.0), (-20.0, 20.0), (0.54, 0.7)),
    "erf": ((-1.0, 1.0), (-6.1, 6.1), (0.91, 1.2)),
    "tan": ((-10.0, 10.0), (-1e6, 1e6), (-4.1e6, 4.1e6), (0.0, 1e22)),
    "asin": ((-1.0, 1.0), (0.49, 0.51), (0.999, 1.0)),
    "acos": ((-1.0, 1.0), (0.49, 0.51), (-0.51, -0.49), (0.999, 1.0)),
    "erfc": ((-1.0, 1.0), (-6.1, 6.1), (0.7, 3.0), (3.0, 27.5)),
    "tgamma": ((-10.0, 10.0), (0.5, 9.0), (10.0, 171.7), (-185.0, 0.0), (0.0, 1e-300)),
    "lgamma": ((0.0, 3.0), (0.9, 1.1), (1.9, 2.1), (2.0, 9.0), (8.0, 100.0), (0.0, 1e305)),
    "atan": ((-1.0, 1.0), (-10.0, 10.0), (0.9, 1.1)),
}


def f64_regions(name: str, count: int, seed: int) -> Iterator[np.ndarray]:
    """Arrays of `count` random arguments: any bits, the interesting ranges, near multiples of pi/2."""
    random = np.random.default_rng(seed)
    yield random.integers(0, 1 << 64, count, dtype=np.uint64).view(np.float64)
    for lower, upper in _RANGES[name]:
        yield random.uniform(lower, upper, count)
    yield random.choice([-1.0, 1.0], count) * np.exp(random.uniform(-40, 10, count))
    if name in ("sin", "cos", "tan"):
        yield np.arange(1, count + 1) * (np.pi / 2)
        yield random.integers(1, 1 << 53, count) * np.pi
    yield borders(name, "f64")


def pair_regions(name: str, dtype: str, count: int, seed: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Pairs of arguments for a function of two."""
    return {"pow": pow_regions, "atan2": atan2_regions}[name](dtype, count, seed)


def atan2_regions(dtype: str, count: int, seed: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Pairs: any bits, all quadrants, near the axes and the diagonals, denormal quotients."""
    kind = float_type(dtype)
    bits, unsigned = {"f32": (32, np.uint32), "f64": (64, np.uint64)}[dtype]
    tiny = {"f32": 1e-38, "f64": 2e-308}[dtype]
    random = np.random.default_rng(seed)

    def any_bits() -> np.ndarray:
        return random.integers(0, 1 << bits, count, dtype=unsigned).view(kind)

    def plane(scale: float = 1.0) -> np.ndarray:
        return (random.normal(0, 1, count) * scale).astype(kind)

    yield any_bits(), any_bits()
    yield plane(), plane()
    yield plane(), plane(1e-3)
    yield plane(1e-3), plane()
    size = np.abs(plane())
    near = (size * (1 + random.uniform(-1e-3, 1e-3, count))).astype(kind)
    yield size * random.choice([-1, 1], count).astype(kind), near * random.choice([-1, 1], count).astype(kind)
    yield plane(tiny), plane()
    yield plane(tiny), plane(tiny)
    yield plane(1e30), plane(1e30)


def pow_regions(dtype: str, count: int, seed: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Pairs: any bits, results over the whole range, bases near 1, denormal and negative bases."""
    kind = float_type(dtype)
    bits, unsigned = {"f32": (32, np.uint32), "f64": (64, np.uint64)}[dtype]
    limit = {"f32": 150.0, "f64": 1075.0}[dtype]
    spread = {"f32": 85.0, "f64": 700.0}[dtype]
    tiny = {"f32": 1e-38, "f64": 2e-308}[dtype]
    random = np.random.default_rng(seed)

    def any_bits() -> np.ndarray:
        return random.integers(0, 1 << bits, count, dtype=unsigned).view(kind)

    def reaching(base: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Exponents for which base**y runs over the whole range of results and a little beyond."""
        with np.errstate(all="ignore"):
            exponent = random.uniform(-limit, limit, count) / np.log2(base.astype(np.float64))
        return base, exponent.astype(kind)

    yield any_bits(), any_bits()
    yield any_bits(), random.uniform(-3, 3, count).astype(kind)
    yield random.uniform(0, 10, count).astype(kind), random.uniform(-30, 30, count).astype(kind)
    yield reaching(np.exp(random.uniform(-spread, spread, count)).astype(kind))
    yield reaching((1 + random.uniform(-1e-3, 1e-3, count)).astype(kind))
    yield reaching(random.uniform(0.7, 1.42, count).astype(kind))
    yield reaching(
        random.choice([1.0, 0.5], count).astype(kind) * random.uniform(1.41, 1.4143, count).astype(kind)
    )
    yield (random.uniform(0, 1, count) * tiny).astype(kind), random.uniform(-1.1, 1.1, count).astype(kind)
    yield -random.uniform(0, 10, count).astype(kind), random.integers(-40, 40, count).astype(kind)
    exponents = random.choice([0.5, 2, 3, -1, -0.5, 1], count)
    yield random.uniform(0, 1e6, count).astype(kind), exponents.astype(kind)
