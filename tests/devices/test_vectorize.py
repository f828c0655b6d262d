"""Functions of elements run on every device, each work item through its own loops."""

from __future__ import annotations

import numpy as np
import pytest

import jitframe as jf
from tests.jit.element_functions import FUNCTIONS, ON_STACKS


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name: str, device: str, nothing_leaks: None) -> None:
    function, arguments = FUNCTIONS[name]
    given = arguments(np.float32)
    expected = np.vectorize(function)(*given)
    vectorized = jf.vectorize(function)
    with jf.device(device):
        eager, lazy = jf.jit(lambda *x: vectorized(*x))(*given), vectorized(*map(jf.asarray, given))
    for found in (eager, lazy):
        several = found if isinstance(found, tuple) else (found,)
        for ours, theirs in zip(
            several, expected if isinstance(expected, tuple) else (expected,), strict=True
        ):
            np.testing.assert_allclose(np.asarray(ours), theirs, 2e-5, 1e-6)


@pytest.mark.parametrize("name", ON_STACKS)
def test_arrays_of_elements(name: str, device: str, nothing_leaks: None) -> None:
    function, signature, arguments = ON_STACKS[name]
    given = arguments(np.float32)
    expected = np.vectorize(function, signature=signature)(*given)
    with jf.device(device):
        found = jf.jit(lambda *x: jf.vectorize(function, signature=signature)(*x))(*given)
    several = found if isinstance(found, tuple) else (found,)
    for ours, theirs in zip(several, expected if isinstance(expected, tuple) else (expected,), strict=True):
        np.testing.assert_allclose(np.asarray(ours), theirs, 1e-4, 1e-5)
