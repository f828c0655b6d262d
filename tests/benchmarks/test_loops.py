"""The programs of loops: jitframe's results and the references are what Python computes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.benchmarks import loops
from tests.benchmarks.case import Case, in_float64, uniform
from tests.benchmarks.cases import select
from tests.benchmarks.peers import base, load
from tests.benchmarks.timing import fetched

SMALL: dict[str, tuple[Any, ...]] = {
    "cholesky": (loops.positive_definite(7),),
    "lu": (loops.dominant(7),),
    "forward": (np.tril(loops.dominant(7)), loops.numbers(7)),
    "seidel": (loops.numbers(6, 7), 3),
    "floyd": (loops.numbers(7, 7),),
    "edit": (loops.codes(9, 0), loops.codes(7, 1)),
    "folding": (loops.codes(12, 0),),
    "sparse": loops.sparse(20, 3),
    "recursive": (loops.numbers(5, 6), 0.9),
    "bodies": (*loops.sky(5), 4),
    "jacobi1d": (loops.numbers(20), 3),
    "cavity": loops.cavity(9, 2),
    "escape": loops.plane(6),
    "escapemasked": loops.plane(6),
    "crc": loops.crc_arguments(50),
    "kalman": loops.measurements(6),
    "logistic": (3.7, 0.3, 20),
    "distances64": (loops.numbers(6, 3), loops.numbers(5, 3, seed=1)),
    "gray": (uniform(4, 5, 3), np.array([0.3, 0.59, 0.11], np.float32)),
    "rms": (uniform(4, 16, low=-4), uniform(16, seed=1)),
    "heat10": (uniform(16, 17),),
    "tensor16": (uniform(5),),
    "lazy100": (uniform(5), uniform(5, seed=1)),
}
each = pytest.mark.parametrize("case", loops.CASES, ids=lambda case: case.name)


def by_python(case: Case) -> np.ndarray:
    """Of the function itself; of one of numbers, at each element."""
    arguments = in_float64(SMALL[case.name])
    if case.formula == "escape_time":
        return np.vectorize(case.function)(*arguments)
    return np.asarray(case.function(*arguments))


def test_every_row_is_compared() -> None:
    assert {case.name for case in loops.CASES} == set(SMALL)
    for case in loops.CASES:
        assert select(case.name) == (case,)


@each
def test_a_reference_is_what_python_computes(case: Case) -> None:
    np.testing.assert_allclose(np.asarray(case.expected(SMALL[case.name])), by_python(case), rtol=1e-9)


@each
def test_jitframe_computes_it(case: Case) -> None:
    prepared = base.prepare(load("jitframe"), case, SMALL[case.name])
    assert prepared is not None
    made = fetched(prepared.peer, prepared.call(*prepared.arguments))
    np.testing.assert_allclose(made, by_python(case), rtol=1e-5, atol=1e-6)
