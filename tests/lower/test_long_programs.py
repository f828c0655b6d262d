"""What long programs cost: as much for each step as short ones."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

from jitframe.ir.index import Dim

from .programs import floats, plan_of


def shrinking(prices: Any, steps: int) -> Any:
    """An option tree by whole arrays: each step has an element less, and looks at its neighbours."""
    values = np.maximum(1 - prices, 0)
    for _ in range(steps):
        prices = prices[:-1] * 0.9
        values = np.maximum(0.5 * values[:-1] + 0.4 * values[1:], 1 - prices)
    return values


def test_what_shifted_steps_carry_on_is_not_followed_to_the_beginning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    moved, counts = Dim.moved, []

    def counting(self: Dim, start: Any, step: Any) -> Dim:
        counts[-1] += 1
        return moved(self, start, step)

    monkeypatch.setattr(Dim, "moved", counting)
    for steps in (20, 40, 80):
        counts.append(0)
        plan_of(partial(shrinking, steps=steps), floats(200))
    assert counts[2] - counts[1] < 2.2 * (counts[1] - counts[0])
