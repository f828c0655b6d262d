"""Programs with loops and conditions on array values do the same jitted as in plain Python."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import jitframe as jf
from tests.capture import programs
from tests.capture.programs import PROGRAMS
from tests.jit.same import check


@pytest.mark.parametrize(
    ("function", "arguments"),
    PROGRAMS,
    ids=[f"{number}-{each[0].__name__}" for number, each in enumerate(PROGRAMS)],
)
def test_program(function, arguments):
    check(function, *arguments, tolerance=1e-6)


@pytest.mark.parametrize("device", ["opencl", "webgpu"])
def test_programs_on_devices(device):
    """Some of them in the dtypes that devices have; a run of a step takes a millisecond there."""
    if device not in {each.name for each in jf.devices() if each.available}:
        pytest.skip(f"no {device}")
    values = np.array([3, 1, 2, 5, 4], np.float32)
    for function, arguments in [
        (programs.insertion_sort, (values,)),
        (programs.running_max, (values,)),
        (programs.greatest_divisor, (np.int32(36), np.int32(24))),
        (programs.bubble, (values,)),
        (programs.clipped, (np.float32(2.5), np.float32(1), np.float32(2))),
    ]:
        mine, its = copy.deepcopy(arguments), copy.deepcopy(arguments)
        expected = function(*its)
        found = jf.jit(function, device=device)(*mine)
        np.testing.assert_allclose(np.asarray(mine[0]), np.asarray(its[0]), rtol=1e-6)
        if expected is not None:
            np.testing.assert_allclose(found, expected, rtol=1e-6)
