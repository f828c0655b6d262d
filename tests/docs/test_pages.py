"""The Python in the README and on the pages below runs, block after block."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize(
    "page",
    [
        "README.md",
        "docs/quickstart.md",
        "docs/choosing_a_device.md",
        "docs/programs.md",
        "docs/vectorize.md",
        "docs/asynchrony.md",
        "docs/profiling.md",
        "docs/random.md",
        "docs/cuts.md",
        "docs/onnx.md",
        "docs/adding_a_backend.md",
        "docs/testing_with_a_fake_backend.md",
    ],
)
def test_python_on_pages(page: str, tmp_path: Path) -> None:
    program = tmp_path / "page.py"
    program.write_text("\n\n".join(BLOCK.findall((ROOT / page).read_text())))
    environment = os.environ | {
        "JITFRAME_CACHE_DIR": str(tmp_path / "cache"),
        "PYTHONPATH": str(ROOT),
        "PYTHONWARNINGS": "error",
    }
    done = subprocess.run(
        [sys.executable, str(program)],
        capture_output=True,
        text=True,
        env=environment,
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 0, done.stderr
