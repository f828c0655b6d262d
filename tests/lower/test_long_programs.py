"""What long programs cost: as much for each step as short ones."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.ir.index import Dim
from jitframe.ir.passes import siblings, write_back

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


ASSIGNED = ("y[{k} % 8, 2:6] += x[1:5] * y[({k} + 3) % 8, 2:6]", "y[{k} % 8] = y[({k} + 1) % 8] * 0.5 + x")
TOTALS = ("x[{k} % 8] = (rows[{k} % 8] @ x) * 0.01 + np.cos(x[({k} + 3) % 8])",)


def straight(statements: tuple[str, ...], steps: int) -> Any:
    """A function of these statements for each step, without a loop."""
    lines = [each.format(k=k) for k in range(steps) for each in statements]
    scope: dict[str, Any] = {"np": np}
    body = "\n    ".join(["x, y = x.copy(), np.zeros_like(rows)", *lines, "return x, y"])
    exec(f"def function(x, rows):\n    {body}\n", scope)
    return scope["function"]


@pytest.mark.parametrize(
    ("statements", "module", "name", "work"),
    [
        (ASSIGNED, write_back, "topological", len),
        (TOTALS, siblings, "_are_siblings", lambda found: 1),
    ],
    ids=["writes", "siblings"],
)
def test_fusion_takes_as_long_for_each_step(
    statements: tuple[str, ...], module: Any, name: str, work: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    given, counts = getattr(module, name), []

    def counting(*arguments: Any) -> Any:
        found = given(*arguments)
        counts[-1] += work(found)
        return found

    monkeypatch.setattr(module, name, counting)
    monkeypatch.setattr(siblings, "NEAREST", 16)
    for steps in (20, 40, 80):
        counts.append(0)
        jf.jit(straight(statements, steps))(np.ones(8), np.ones((8, 8)))
    assert counts[2] - counts[1] <= 2.2 * (counts[1] - counts[0])
