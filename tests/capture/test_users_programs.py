"""Programs as users write them do under `jit` what they do without it, at every call."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import jitframe as jf
from tests.capture.users_programs import CASES


def same(found, expected):
    """Values of one type, floats up to a few units of rounding, which iterations amplify."""
    assert type(found) is type(expected), (found, expected)
    if isinstance(expected, (tuple, list)):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            same(one, other)
    elif expected is None or isinstance(expected, str):
        assert found == expected
    else:
        assert np.asarray(found).dtype == np.asarray(expected).dtype
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("function", "arguments"), CASES, ids=[each.__name__ for each, _ in CASES])
def test_program(function, arguments):
    """Compiling takes up to half a second."""
    jitted = jf.jit(function)
    for _ in range(3):
        mine, its = copy.deepcopy(arguments), copy.deepcopy(arguments)
        same(jitted(*mine), function(*its))
        same(list(mine), list(its))
