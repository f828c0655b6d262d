"""`jitframe explain`: from a function's name and the types of its arguments to what is compiled."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cache.test_cli import error, output

ROOT = Path(__file__).resolve().parents[2]
MODEL = """
import numpy as np
import jitframe as jf

class Model:
    @staticmethod
    @jf.jit(static_argnames="axis")
    def softmax(x, axis=-1):
        e = np.exp(x - x.max(axis=axis, keepdims=True))
        return e / e.sum(axis=axis, keepdims=True)

def scaled(x, factor, shift=0):
    return x * factor + shift

limit = 3
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where the model lies and the command line runs; the module is gone afterwards."""
    (tmp_path / "model.py").write_text(MODEL)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield tmp_path
    sys.modules.pop("model", None)


def test_a_jitted_method_of_a_file(folder: Path) -> None:
    """In a process of its own, as a user starts it."""
    arguments = ["explain", "model.py:Model.softmax", "f32[1000000,64]", "axis=-1"]
    done = subprocess.run(
        [sys.executable, "-m", "jitframe", *arguments], capture_output=True, text=True, check=False,
        env=os.environ | {"JITFRAME_CACHE_DIR": str(folder / "cache"), "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("softmax(x: f32[1000000, 64])") and "1 kernel" in done.stdout


def test_a_plain_function_of_a_module_at_one_level(folder: Path) -> None:
    said = output(
        folder / "cache", "explain", "model:scaled", "float64[100]", "2.5", "shift=1", "--level", "kernel"
    )
    assert said.startswith("kernel add, workgroup 1\n") and "= load @0[" in said


def test_json(folder: Path) -> None:
    said = output(folder / "cache", "explain", "model:scaled", "i32[7]", "3", "--json")
    (kernel,) = json.loads(said)["kernels"]
    assert set(kernel) == {"name", "graph", "kernel", "source"} and "define" in kernel["source"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["scaled"], "'scaled' names no function; write module:function"),
        (["nowhere:scaled"], "no module 'nowhere' in "),
        (["nowhere.py:scaled"], "no file 'nowhere.py' in "),
        (["model:scale"], "model has no 'scale'; it has Model, jf, limit, np, scaled"),
        (["model:scaled", "1"], "scaled(x, factor, shift=0) does not take what is given: missing a"),
        (["model:limit"], "model:limit is a int, not a function"),
        (["model:scaled", "f31[3]", "1"], "'f31' in 'f31[3]' is no dtype"),
        (["model:scaled", "x[3", "1"], "'x[3' is neither an array like f32[1000,3] nor a Python literal"),
    ],
)
def test_mistakes_are_one_message(folder: Path, arguments: list[str], message: str) -> None:
    assert error(folder / "cache", "explain", *arguments).startswith(f"error: explain: {message}")
