"""The rows of array programs, and how any row is found by its name."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import formulas, loops, networks
from .case import Case, Reach, network_of, uniform

MEGA = 1 << 20


def _vectors(count: int, size: int) -> tuple[np.ndarray, ...]:
    return tuple(uniform(size, low=-2.0, high=2.0, seed=seed) for seed in range(count))


def _options(size: int) -> tuple[Any, ...]:
    spot = uniform(size, low=80.0, high=120.0, seed=1)
    strike = uniform(size, low=80.0, high=120.0, seed=2)
    years = uniform(size, low=0.1, high=2.0, seed=3)
    return spot, strike, years, 0.01, 0.2


def _not_behind(*peers: str) -> Reach:
    return Reach("not behind " + ", ".join(peers), peers)


def _times_numpy(times: float) -> Reach:
    return Reach(f"{times:g}x NumPy", ("numpy",), 1 / times)


REMARK = "`limit`: streaming-store triad of 3 arrays; `numba-out` fills an array its caller keeps"
NUMBA = ("numba", "numba-out")
"""Numba returning a fresh array, and Numba filling an array that the caller keeps: the faster one counts."""

CASES: tuple[Case, ...] = (
    Case(
        "triad16m",
        "2*a + 3*b - c, 16 M",
        formulas.triad,
        lambda: _vectors(3, 16 * MEGA),
        # the limit moves three arrays, this formula four
        (Reach("0.85 of the streaming-store bandwidth", ("limit",), 4 / 3 / 0.85), _not_behind("drjit")),
    ),
    Case(
        "chain16m",
        "8-op chain with sin and sqrt, 16 M",
        formulas.chain,
        lambda: _vectors(4, 16 * MEGA),
        (_times_numpy(8), _not_behind("drjit")),
    ),
    Case(
        "chain100k",
        "8-op chain, 100 k (in cache)",
        formulas.chain,
        lambda: _vectors(4, 100_000),
        (_not_behind("drjit", "torch.compile"),),
    ),
    Case(
        "blackscholes",
        "Black-Scholes with erf, 16 M",
        formulas.black_scholes,
        lambda: _options(16 * MEGA),
        (_times_numpy(40), _not_behind("drjit")),
        relative_tolerance=2e-5,
        absolute_tolerance=1e-4,  # a difference of prices near 100: 1 ulp is 8e-6
    ),
    Case(
        "sumsq",
        "sum of squared differences, 16 M",
        formulas.squared_differences,
        lambda: _vectors(2, 16 * MEGA),
        (Reach("not behind numba", NUMBA),),
        relative_tolerance=1e-3,  # lets the peers' plain sums pass; the table shows everyone's error
    ),
    Case(
        "softmax",
        "softmax, last axis of 4096 x 1024",
        formulas.softmax,
        lambda: (uniform(4096, 1024, low=-4, high=4),),
        (Reach("not behind torch, jax, numba", ("torch", "jax", *NUMBA)),),
        kernels=1,
    ),
    Case(
        "layernorm",
        "layer norm, last axis of 4096 x 1024",
        formulas.layer_norm,
        lambda: (uniform(4096, 1024, low=-4, high=4), uniform(1024, seed=1), uniform(1024, seed=2)),
        (Reach("not behind torch, jax, numba", ("torch", "jax", *NUMBA)),),
        kernels=1,
    ),
    Case(
        "nearest",
        "squared distances 2000 x 2000 x 3, min over an axis",
        formulas.nearest,
        lambda: (uniform(2000, 3, seed=1), uniform(2000, 3, seed=2)),
        (Reach("3x the best of numba, jax, torch.compile", (*NUMBA, "jax", "torch.compile"), 1 / 3),),
        relative_tolerance=1e-4,
        kernels=1,
    ),
    Case(
        "heat",
        "heat step with slices, 4096 x 4096",
        formulas.heat,
        lambda: (uniform(4096, 4096),),
        (Reach("not behind numba", NUMBA),),
    ),
    Case(
        "heat3d",
        "heat step with slices, 256 x 256 x 256",
        formulas.heat_3d,
        lambda: (uniform(256, 256, 256),),
        (Reach("not behind numba", NUMBA),),
    ),
    Case(
        "heat20",
        "20 heat steps with slices, 4096 x 4096",
        formulas.heat_steps,
        lambda: (uniform(4096, 4096),),
        (Reach("not behind numba", NUMBA),),
    ),
    Case(
        "unsharp",
        "unsharp mask, 3000 x 4000",
        formulas.unsharp,
        lambda: (uniform(3000, 4000),),
        (Reach("not behind numba", NUMBA),),
    ),
    Case(
        "argmax",
        "argmax, 16 M",
        formulas.argmax,
        lambda: (uniform(16 * MEGA, low=-2.0, high=2.0),),
        (_not_behind("numpy", "drjit"),),
        relative_tolerance=0,
        absolute_tolerance=0,
    ),
    Case(
        "cumsum",
        "cumsum, 16 M",
        formulas.cumsum,
        lambda: (uniform(16 * MEGA),),
        (_not_behind("numpy", "drjit"),),
        relative_tolerance=1e-3,  # NumPy adds one after the other: near 8 M it rounds to halves
    ),
    Case(
        "meanvar",
        "mean and variance, 16 M",
        formulas.mean_and_variance,
        lambda: (uniform(16 * MEGA, low=-1.0, high=3.0),),
        (Reach("not behind numba", NUMBA),),
        relative_tolerance=1e-3,  # as for the sum of squared differences
    ),
    Case(
        "transpose",
        "a.T + b, 4096 x 4096",
        formulas.transpose_add,
        lambda: (uniform(4096, 4096, seed=1), uniform(4096, 4096, seed=2)),
        (_not_behind("torch.compile"),),
    ),
    Case(
        "nbody",
        "softened gravity between 4096 bodies",
        formulas.accelerations,
        lambda: (uniform(4096, 3, low=-1, seed=1), uniform(4096, low=0.5, high=1.5, seed=2), 0.05),
        (Reach("not behind numba, jax, torch.compile", (*NUMBA, "jax", "torch.compile")),),
        relative_tolerance=1e-4,
        absolute_tolerance=0.05,  # pulls from all sides, thousands in sum, cancel each other
    ),
    Case(
        "outer",
        "outer product, 4096 x 4096",
        formulas.outer,
        lambda: _vectors(2, 4096),
        (Reach("not behind numba", NUMBA),),
    ),
    Case(
        "matvec",
        "matrix times vector, 8192 x 8192",
        formulas.matvec,
        lambda: (uniform(8192, 8192, low=-1), uniform(8192, low=-1, seed=1)),
        (_not_behind("numpy", "torch"),),
        absolute_tolerance=1e-3,  # sums of 8192 terms below 1 that cancel each other
    ),
    Case(
        "mlp",
        "network 784-1024-1024-10 with relu and softmax, batch of 512",
        formulas.mlp,
        lambda: network_of(512, 784, 1024, 1024, 10),
        (Reach("within 1.15 of torch", ("torch",), 1.15),),
        relative_tolerance=1e-4,
        absolute_tolerance=1e-5,
    ),
    Case(
        "gelu",
        "1024 x 1024 x 1024 matmul + bias + gelu",
        formulas.dense_gelu,
        lambda: (
            uniform(1024, 1024, low=-1, seed=1),
            uniform(1024, 1024, low=-0.1, high=0.1, seed=2),
            uniform(1024, seed=3),
        ),
        (Reach("within 1.15 of torch", ("torch",), 1.15),),
        relative_tolerance=1e-4,
        absolute_tolerance=1e-5,
    ),
    Case(
        "increment16",
        "x + 1 on 16 elements",
        formulas.increment,
        lambda: _vectors(1, 16),
        (Reach("below 600 ns", seconds=600e-9),),
    ),
    Case(
        "chain16",
        "8-op chain on 16 elements",
        formulas.chain,
        lambda: _vectors(4, 16),
        (Reach("below 1 us", seconds=1e-6),),
    ),
)


def select(names: str) -> tuple[Case, ...]:
    """The cases called `names` (separated by commas), in table order."""
    wanted = names.split(",")
    return tuple(case for case in (*CASES, *networks.CASES, *loops.CASES) if case.name in wanted)
