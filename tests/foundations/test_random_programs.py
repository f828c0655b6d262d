"""Random NumPy functions give under `jit` what they give plainly: results, written arguments, or an error."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

import jitframe as jf
from tests.foundations.layouts import same_layout
from tests.foundations.random_programs import Program, programs
from tests.foundations.values import bits_of

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def outcome(function: Any, arguments: list[np.ndarray]) -> Any:
    try:
        return function(*arguments)
    except jf.errors.UnsupportedError:
        raise
    except Exception as problem:
        return problem


def same(ours: Any, theirs: Any, text: str) -> None:
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape), text
    if theirs.dtype.kind != "f" or ("sum" not in text and "mean" not in text):
        np.testing.assert_array_equal(bits_of(ours), bits_of(theirs), err_msg=text)
        return
    # A sum's order is ours: compare within what reordering can change.
    limit = 1e-4 if "float32" in text or theirs.dtype == np.float32 else 1e-10
    largest = float(np.nanmax(np.abs(theirs[np.isfinite(theirs)]), initial=1.0))
    np.testing.assert_allclose(ours, theirs, rtol=limit, atol=limit * largest, err_msg=text)


FIXED = settings(
    max_examples=200, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
)


@pytest.mark.more
@FIXED
@given(programs(writes=False))
def test_a_program_means_what_numpy_means(program: Program) -> None:
    check(program)


@pytest.mark.more
@FIXED
@given(programs(writes=True))
def test_a_program_that_writes_to_its_arguments_means_what_numpy_means(program: Program) -> None:
    check(program)


def test_a_written_argument_is_read_after_a_reduction_of_it():
    def program(x):
        x[:] += 3
        return np.where(x > 1, x, x.sum())

    x, plain = np.full(7, 7), np.full(7, 7)
    np.testing.assert_array_equal(jf.jit(program)(x), program(plain))
    np.testing.assert_array_equal(x, plain)


def check(program: Program) -> None:
    """Three calls, with arguments of their own each, give what the function gives plainly."""
    function = program.function()
    jitted = jf.jit(function)
    for _ in range(3):
        plain, given_ = copy.deepcopy(program.arguments), [same_layout(array) for array in program.arguments]
        theirs, ours = outcome(function, plain), outcome(jitted, given_)
        if isinstance(theirs, Exception):
            assert isinstance(ours, type(theirs)), f"{ours!r} instead of {theirs!r}\n{program.text}"
            return
        if isinstance(ours, Exception):
            raise AssertionError(program.text) from ours
        for one, other in zip(ours, theirs, strict=True):
            same(one, other, program.text)
        for one, other in zip(given_, plain, strict=True):
            same(one, other, program.text)
