"""The demo: its array counter, and the whole program, whose pictures and differences must be right."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def counting() -> ModuleType:
    path = ROOT / "examples" / "demo_parts" / "counting.py"
    specification = importlib.util.spec_from_file_location("demo_counting", path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def in_place(x: np.ndarray) -> np.ndarray:
    x[1:] += 2 * x[:-1]
    return x


COUNTS: list[tuple[Callable[..., Any], int]] = [
    (lambda x: x, 0),
    (lambda x: x[1:3].T, 0),
    (lambda x: 2 * x + 1, 2),
    (in_place, 1),
    (lambda x: np.where(x > 0, x, -x), 3),
    (lambda x: np.clip(x, 0, 1).astype(np.uint8), 2),
    (lambda x: np.sum(x.copy(), axis=0), 2),
]


@pytest.mark.parametrize(("function", "expected"), COUNTS)
def test_every_array_that_numpy_makes_is_counted(
    counting: ModuleType, function: Callable[..., Any], expected: int
) -> None:
    assert counting.temporaries(function, (np.ones((4, 4), np.float32),)) == expected


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_the_demo_runs_twice_the_second_time_from_its_cache(tmp_path: Path) -> None:
    pytest.importorskip("skimage")
    environment = os.environ | {
        "JITFRAME_CACHE_DIR": str(tmp_path / "cache"),
        "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
    }
    for expected in ("  0 loaded from disk", "  0 kernels compiled"):
        done = subprocess.run(
            [sys.executable, str(ROOT / "examples" / "demo.py")],
            capture_output=True,
            text=True,
            env=environment,
            cwd=tmp_path,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert expected in done.stdout
        differences = [float(line.split()[-3]) for line in done.stdout.splitlines() if "x  " in line]
        photograph, heat, black_scholes = differences
        assert photograph <= 1  # one of 255 levels
        assert heat == 0
        assert black_scholes <= 1e-4
    for name in ("photograph", "heat", "black_scholes"):
        assert (tmp_path / "out" / f"{name}.png").stat().st_size > 50_000
