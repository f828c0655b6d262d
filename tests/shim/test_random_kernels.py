"""Random structured kernels in CUDA C++ and MSL, through the shim."""

from __future__ import annotations

import pytest

from ..c_family import test_random_kernels as borrowed
from .languages import DEVICES


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cuda", "metal"])
@pytest.mark.parametrize(("threads", "width"), [(1, -1), (32, 0), (64, -1)])
def test_random_kernels(name: str, threads: int, width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(borrowed, "DEVICES", DEVICES)
    borrowed.test_random_kernels(name, threads, width, monkeypatch)
