"""Functions whose traces come to very many loops and branches: traced after all where Python takes long."""

from __future__ import annotations

import numpy as np
import pytest

import jitframe as jf
from jitframe.capture import region


def several_loops(x):
    total = 0.0
    for power in range(1, 7):
        value = x[0]
        while value < 15000 * power:
            value += 0.25
        total += value
    return total


@pytest.mark.parametrize("is_long", [True, False])
def test_more_loops_where_python_takes_long(monkeypatch, is_long):
    """Python's two runs take some 100 ms, which allow as many loops as there are operations in a hundred of
    them."""
    monkeypatch.setattr(region, "MOST_REGIONS", 3)
    monkeypatch.setattr(region, "OPERATIONS", 2000 if is_long else 1_000_000)
    monkeypatch.setattr(region, "SHORT_NS", 1_000_000 if is_long else 1 << 60)
    jitted, x = jf.jit(several_loops), np.array([0.5])
    for _ in range(5):
        assert jitted(x) == several_loops(x)
    assert jitted.stats()["interpreted"] == (2 if is_long else 5)
