"""The list of the second set names what there is, and picks by file, folder and device."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.sets import CHILD_PROCESSES, SWEEPS, TOOLS, in_second_set, is_listed

HERE = Path(__file__).parent


def item(identifier: str) -> Any:
    return SimpleNamespace(nodeid=f"tests/{identifier}")


def test_every_place_exists() -> None:
    places = (*CHILD_PROCESSES, *TOOLS, *SWEEPS)
    assert len(set(places)) == len(places)
    assert [place for place in places if not (HERE / place).exists()] == []


@pytest.mark.parametrize(
    ("identifier", "second"),
    [
        ("fuzz/test_fuzz.py::test_x", True),
        ("cache/test_plans.py::test_x[a-b]", True),
        ("cache/test_store.py::test_x[a-b]", False),
        ("lower/test_scatter.py::test_x[int32-opencl]", True),
        ("lower/test_scatter.py::test_x[webgpu-int32]", False),
        ("lower/test_scatter.py::test_x[webgpu-default-limits-int32]", True),
        ("conformance/test_sorting.py::test_x[webgpu-bool-some]", True),
        ("conformance/test_sorting.py::test_x[cpu-bool-some]", False),
        ("functions/test_sorting.py::test_x[webgpu]", True),
        ("devices/test_jit.py::test_x[webgpu]", False),
        ("fuzzier/test_x.py::test_x[opencl of old]", False),
    ],
)
def test_which_tests_are_of_it(identifier: str, second: bool) -> None:
    assert in_second_set(item(identifier)) is second


def test_files_that_the_first_set_does_not_import() -> None:
    assert is_listed("fuzz") and is_listed("fuzz/test_fuzz.py") and is_listed("cache/test_plans.py")
    assert not is_listed("cache") and not is_listed("fuzzier") and not is_listed("cache/test_store.py")
