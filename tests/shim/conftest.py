"""Which of the borrowed tests are slow here: math of 16-bit floats, and what CUDA C++ shares with MSL."""

from __future__ import annotations

import pytest

_SHARED = (
    "test_conversions[cuda",
    "test_every_kind[cuda",
    "test_every_memory[cuda",
    "test_softmax_of_the_graph[cuda",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        path, _, name = item.nodeid.partition("::")
        if not path.endswith("shim/test_operations.py"):
            continue
        math_of_halves = name.startswith("test_math") and name.endswith(("-f16]", "-bf16]"))
        if math_of_halves or name.startswith(_SHARED):
            item.add_marker(pytest.mark.slow)
