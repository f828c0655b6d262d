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
    return np.arange(first, min(first + count * step, 1 << 32), step, dtype=np.uint32).view(np.float32)


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
    "exp2": (0.0, 0.5, 1.0, -96.0, -126.0, -149.0, -151.0, 127.5, 128.0, -920.0, -1022.0, -1074.0, -1076.0,
             1024.0),
    "expm1": (0.0, 0.34657359, 1.03972077, -16.6, -17.4, -18.0, -37.0, -40.0, 2.98e-8, 5.55e-17, 88.72284,
              89.0, 709.78271, 710.0),
    "log2": (1.0, 0.70710678, 1.41421356, 2.0, 1.1754944e-38, 2.2250738585072014e-308, 0.5),
    "log10": (1.0, 0.70710678, 1.41421356, 2.0, 10.0, 1000.0, 1.1754944e-38, 2.2250738585072014e-308, 0.5),
    "log1p": (0.0, 0.41421356, -0.29289322, 1.0, -1.0, 2.98e-8, 5.55e-17, 1.7e38, 8.98846567431158e307),
    "sin": (0.78539816, 1.57079633, 3.14159265, 12000.0, 1e5, 1.6e6, 4e6, 1e9),
    "cos": (0.78539816, 1.57079633, 3.14159265, 12000.0, 1e5, 1.6e6, 4e6, 1e9),
    "tanh": (0.55, 9.01, 9.5, 19.06, 19.5),
    "sinh": (0.0, 0.34657359, 1.03972077, 8.0, 12.5, 21.0, 2.4e-4, 7.4e-9, 89.41599, 89.5, 710.475860, 710.6),
    "cosh": (0.0, 0.34657359, 1.03972077, 8.0, 12.5, 21.0, 89.41599, 89.5, 710.475860, 710.6),
    "asinh": (0.0, 0.35355339, 1.0, 2.44140625e-4, 7.4505806e-9, 2.0**30, 2.0**400),
    "acosh": (1.0, 1.06066017, 1.5, 2.0**30, 2.0**400),
    "atanh": (0.0, 0.2, 0.5, 0.6, 1.0, 0.99999994),
    "cbrt": (0.0, 1.0, 2.0, 4.0, 8.0, 1.1754944e-38, 2.2250738585072014e-308),
    "sinc": (0.0, 0.5, 1.0, 1.5, 2.0, 2097152.0, 4194304.0, 8388608.0, 2.0**50, 2.0**52, 2.0**53),
    "erf": (0.92, 3.83, 3.92, 4.0, 5.9, 6.0),
    "tan": (0.78539816, 1.57079633, 3.14159265, 12000.0, 1e5, 1.6e6, 4e6, 1e9),
    "asin": (0.5, 1.0, 1.1754944e-38, 2.2250738585072014e-308), "acos": (0.5, 1.0, 1e-8, 1e-17),
    "erfc": (0.7, -0.7, 1.0, 5.8, 8.0, 9.1, 10.05, 10.1, 25.3, 26.5, 27.2, 27.3),
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
    centres = centres[np.isfinite(centres)]
    bits = centres.view(integer)[:, None] + np.arange(-around, around, dtype=integer)
    return both_signs(np.abs(bits.ravel()).view(kind))


_RANGES = {
    "exp": ((-745.2, 709.8), (-1.0, 1.0), (-0.35, 0.35), (-746.0, -706.0)),
    "log": ((0.5, 2.0), (0.0, 10.0), (0.999, 1.001), (0.0, 1e-307)),
    "exp2": ((-1075.2, 1024.1), (-1.0, 1.0), (-0.5, 0.5), (-1076.0, -1021.0)),
    "expm1": ((-41.0, 709.8), (-1.0, 1.0), (-0.35, 0.4), (-2.0, 3.0)),
    "log2": ((0.5, 2.0), (0.0, 10.0), (0.999, 1.001), (0.0, 1e-307)),
    "log10": ((0.5, 2.0), (0.0, 10.0), (0.999, 1.001), (0.0, 1e-307)),
    "log1p": ((-0.5, 1.0), (-1.0, 10.0), (-0.001, 0.001), (-1.0, -0.999)),
    "sin": ((-10.0, 10.0), (-1e6, 1e6), (-4.1e6, 4.1e6), (0.0, 1e22)),
    "cos": ((-10.0, 10.0), (-1e6, 1e6), (-4.1e6, 4.1e6), (0.0, 1e22)),
    "tanh": ((-1.0, 1.0), (-20.0, 20.0), (0.54, 0.7)),
    "sinh": ((-0.35, 0.35), (-2.0, 2.0), (-20.0, 20.0), (-711.0, 711.0)),
    "cosh": ((-0.35, 0.35), (-2.0, 2.0), (-20.0, 20.0), (-711.0, 711.0)),
    "asinh": ((-0.4, 0.4), (-3.0, 3.0), (-1e3, 1e3)),
    "acosh": ((1.0, 1.1), (1.0, 3.0), (0.9, 1e3)),
    "atanh": ((-0.25, 0.25), (-1.0, 1.0), (0.999, 1.0)),
    "cbrt": ((-8.0, 8.0), (-1e6, 1e6), (0.0, 1e-307)),
    "sinc": ((-1.0, 1.0), (-10.0, 10.0), (-1e6, 1e6)),
    "erf": ((-1.0, 1.0), (-6.1, 6.1), (0.91, 1.2)),
    "tan": ((-10.0, 10.0), (-1e6, 1e6), (-4.1e6, 4.1e6), (0.0, 1e22)),
    "asin": ((-1.0, 1.0), (0.49, 0.51), (0.999, 1.0)),
    "acos": ((-1.0, 1.0), (0.49, 0.51), (-0.51, -0.49), (0.999, 1.0)),
    "erfc": ((-1.0, 1.0), (-6.1, 6.1), (0.6, 3.0), (3.0, 27.5)),
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
    yield from {"pow": pow_regions, "hypot": hypot_regions, "atan2": atan2_regions}[name](dtype, count, seed)


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


def hypot_regions(dtype: str, count: int, seed: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Pairs: any bits, sides alike, sides that differ by any power of two, at every place of the range."""
    kind = float_type(dtype)
    bits, unsigned = {"f32": (32, np.uint32), "f64": (64, np.uint64)}[dtype]
    edges = np.finfo(kind)
    random = np.random.default_rng(seed)

    def any_bits() -> np.ndarray:
        return random.integers(0, 1 << bits, count, dtype=unsigned).view(kind)

    def significands() -> np.ndarray:
        return random.uniform(1, 2, count).astype(kind)

    yield any_bits(), any_bits()
    yield significands(), significands()
    powers = random.integers(edges.minexp - edges.nmant, edges.maxexp, count).astype(np.int32)
    with np.errstate(over="ignore"):
        for apart in (0, 2, edges.nmant // 2, edges.nmant + 2):
            nearby = powers + random.integers(-apart, apart + 1, count).astype(np.int32)
            yield np.ldexp(significands(), powers), -np.ldexp(significands(), nearby)
        for limit in (edges.maxexp, edges.maxexp // 2 - 10, 12 - edges.maxexp // 2, edges.minexp):
            powers = limit + random.integers(-4, 4, count).astype(np.int32)
            yield np.ldexp(significands(), powers), np.ldexp(significands(), powers - 1)


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
