"""The replay itself: it finds what differs, and generated code is the same in every process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.replay.__main__ import ROOT, compare


def test_a_comparison_names_what_differs(tmp_path: Path) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    for folder, texts in ((before, {"a.plan": "x\ny\n", "b.cl": "z\n"}), (after, {"a.plan": "x\nw\n"})):
        folder.mkdir()
        for name, text in texts.items():
            (folder / name).write_text(text)
    assert compare(before, after) == [
        "differs: a.plan", "    @@ -1,2 +1,2 @@", "     x", "    -y", "    +w", "only before: b.cl",
    ]  # fmt: skip
    assert compare(before, before) == []


@pytest.mark.slow  # two processes lower the benchmarks and forty programs
def test_processes_generate_the_same(tmp_path: Path) -> None:
    for number in range(2):
        environment = os.environ | {"PYTHONHASHSEED": str(number)}
        command = [sys.executable, "-m", "tests.replay", "--record", str(tmp_path / str(number))]
        subprocess.run([*command, "--random", "40"], cwd=ROOT, env=environment, check=True)
    assert compare(tmp_path / "0", tmp_path / "1") == []
