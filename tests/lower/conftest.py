"""The graph is verified after every pass in these tests."""

from __future__ import annotations

import pytest

from jitframe.compilation import evaluate
from jitframe.ir.verify import verify_graph


@pytest.fixture(autouse=True)
def _verified_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluate, "VERIFY", verify_graph)
