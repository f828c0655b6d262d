"""The programs whose generated code is recorded: benchmarks, long formulas, random programs, kernels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from tests.benchmarks import formulas, long_formulas
from tests.benchmarks.cases import CASES
from tests.fuzz.programs import FLOATS, INTEGERS, Maker

RANDOM_PROGRAMS = 500


class ReplayProgram(NamedTuple):
    name: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    text: str = ""
    """The source of a program that was made at random."""


def programs(random_programs: int = RANDOM_PROGRAMS) -> Iterator[ReplayProgram]:
    """Every program with its arguments, one after the other: some hold arrays of 64 MB."""
    for case in CASES:
        if case.function is formulas.black_scholes and formulas.erf is None:
            continue
        yield ReplayProgram(f"benchmark-{case.name}", case.function, case.arguments())
    a, b = np.linspace(-1, 1, 20_000).reshape(100, 200), np.linspace(0, 2, 20_000).reshape(100, 200)
    for name in ("arithmetic_100", "functions_100", "standardised_100"):
        yield ReplayProgram(f"long-{name}", getattr(long_formulas, name), (a, b))
    for seed in range(random_programs):
        program = Maker(seed, ("bool", *INTEGERS, *FLOATS), writes=seed % 2 == 0).make()
        yield ReplayProgram(f"random-{seed:03}", program.function(), tuple(program.arguments), program.text)


def kernels() -> Sequence[tuple[str, Any]]:
    """Kernels that are written by hand: each operation, atomics, fences, shuffles, workgroups."""
    from tests.gpu_sources.kernels import kernels as written

    return list(written().items())
