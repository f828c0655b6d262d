"""The wheel of this tree, and a fresh environment with nothing of the tree in it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy
import pytest

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("pyproject.toml", "setup.py", "README.md", "LICENSE", "ir", "codegen", "jitframe")


def run(command: list[str], **keywords: object) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False, **keywords)  # type: ignore[call-overload]
    assert done.returncode == 0, done.stdout + done.stderr
    return str(done.stdout)


def python_of(folder: Path) -> Path:
    return folder / ("bin/python" if os.name == "posix" else "Scripts/python.exe")


def built_wheels(target: Path, *sources: Path) -> list[Path]:
    """The wheels of projects, built without a network, in a folder of their own."""
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    run([*pip, "-w", str(target), *map(str, sources)])
    built = list(target.iterdir())
    assert len(built) == len(sources)
    return built


def install(folder: Path, *wheels: Path) -> None:
    """Wheels into an environment, without their dependencies."""
    pip = [sys.executable, "-m", "pip", "--python", str(python_of(folder)), "install", "--quiet"]
    run([*pip, "--no-deps", "--no-index", *map(str, wheels)])


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy, so that no leftover of an earlier build slips in."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in COPIED:
        path = ROOT / name
        if path.is_dir():
            shutil.copytree(path, source / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(path, source / name)
    [built] = built_wheels(target, source)
    return built


@pytest.fixture(scope="session")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty environment with the wheel in it; dependencies (numpy, llvmlite, …) are lent by path file."""
    folder = tmp_path_factory.mktemp("environment")
    run([sys.executable, "-m", "venv", "--without-pip", str(folder)])
    install(folder, wheel)
    [packages] = (
        folder.glob("lib/python*/site-packages") if os.name == "posix" else folder.glob("Lib/site-packages")
    )
    # A path file adds folders but runs none of the path files in them: an editable jitframe stays unseen.
    (packages / "lent.pth").write_text(f"{Path(numpy.__file__).parents[1]}\n")
    return folder
