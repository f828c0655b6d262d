"""`jitframe explain`: from a function's name and the types of its arguments to what is compiled."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

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


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    (folder / "model.py").write_text(MODEL)
    environment = os.environ | {"JITFRAME_CACHE_DIR": str(folder / "cache"), "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-m", "jitframe.cli", "explain", *arguments],
        capture_output=True, text=True, env=environment, cwd=folder, check=False,
    )  # fmt: skip


def test_a_jitted_method_of_a_file(tmp_path: Path) -> None:
    done = run(tmp_path, "model.py:Model.softmax", "f32[1000000,64]", "axis=-1")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("softmax(x: f32[1000000, 64])") and "1 kernel" in done.stdout


def test_a_plain_function_of_a_module_at_one_level(tmp_path: Path) -> None:
    done = run(tmp_path, "model:scaled", "float64[100]", "2.5", "shift=1", "--level", "kernel")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("kernel add, workgroup 1\n") and "= load @0[" in done.stdout


def test_json(tmp_path: Path) -> None:
    done = run(tmp_path, "model:scaled", "i32[7]", "3", "--json")
    assert done.returncode == 0, done.stderr
    (kernel,) = json.loads(done.stdout)["kernels"]
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
def test_mistakes_are_one_message(tmp_path: Path, arguments: list[str], message: str) -> None:
    done = run(tmp_path, *arguments)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith(f"error: explain: {message}")
