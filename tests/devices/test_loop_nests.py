"""Loop nests are one kernel on every device, run by one lane."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import jitframe as jf
from tests.jit.nests import NESTS
from tests.jit.same import assert_same


@pytest.mark.parametrize("name", NESTS)
def test_nests(name: str, device: str, nothing_leaks: None) -> None:
    function, arguments = NESTS[name]
    given = arguments(np.float32)
    expected = function(*copy.deepcopy(given))
    with jf.device(device):
        found = jf.jit(function)(*given)
    assert_same(found, expected, 1e-5)
