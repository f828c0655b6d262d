"""The programs whose generated code is recorded: benchmarks, long formulas, random programs, kernels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

import jitframe as jf
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
    yield from _written_kernels()
    for seed in range(random_programs):
        program = Maker(seed, ("bool", *INTEGERS, *FLOATS), writes=seed % 2 == 0).make()
        yield ReplayProgram(f"random-{seed:03}", program.function(), tuple(program.arguments), program.text)


def _written_kernels() -> Iterator[ReplayProgram]:
    """Programs of ops that write their kernels for themselves: attention, sorts, small matrices."""
    attend = jf.nn.scaled_dot_product_attention
    few, many = np.ones((2, 4, 1, 16), "f4"), np.ones((2, 4, 70, 16), "f4")
    halves, mask, bias = many.astype("f2"), np.ones((70, 70), bool), np.ones((70, 70), "f4")
    short, long = np.ones((300, 20), "f4"), np.ones((3, 100_000))
    matrices = np.eye(4) + np.zeros((50, 1, 1))
    for name, function, arguments in (
        ("attention-few", attend, (few, many, many)),
        ("attention-masked", lambda q, k, v, m: attend(q, k, v, mask=m), (many, many, many, mask)),
        ("attention-biased", lambda q, k, v, b: attend(q, k, v, bias=b), (many, many, many, bias)),
        ("attention-window", lambda q, k, v: attend(q, k, v, causal=True, window=9), (halves,) * 3),
        ("attention-at", lambda q, k, v, o: attend(q, k, v, causal=True, offset=o), (few, many, many, 3)),
        *((f"{f.__name__}-{n}", f, (x,)) for f in (jf.sort, jf.argsort) for n, x in enumerate((short, long))),
        *((f"small-{name}", getattr(jf.linalg, name), (matrices,)) for name in
          ("eigh", "eigvalsh", "qr", "cholesky", "inv", "det")),
        ("small-qr_r", lambda x: jf.linalg.qr(x, mode="r"), (matrices,)),
        ("small-solve", jf.linalg.solve, (matrices, matrices)),
    ):  # fmt: skip
        yield ReplayProgram(f"written-{name}", function, arguments)


def kernels() -> Sequence[tuple[str, Any]]:
    """Kernels that are written by hand: each operation, atomics, fences, shuffles, workgroups."""
    from tests.gpu_sources.kernels import kernels as written

    return list(written().items())
