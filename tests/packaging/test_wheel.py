"""A wheel, installed where nothing of this tree can be seen, holds every module and imports them all."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy
import pytest

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("pyproject.toml", "README.md", "LICENSE", "ir", "codegen", "jitframe")
# Drivers of devices import these where a device is used; nothing may need them to be imported itself.
OPTIONAL = ("cupy", "pyopencl", "wgpu", "Metal")

IMPORT_ALL = """
import importlib, importlib.abc, json, pkgutil, sys

class Refuse(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in OPTIONAL:
            raise ImportError(f"{name} is optional")

sys.meta_path.insert(0, Refuse())
import jitframe
names = ["jitframe", *(each.name for each in pkgutil.walk_packages(jitframe.__path__, "jitframe."))]
names = [name for name in names if not name.endswith(".__main__")]
print(json.dumps({name: importlib.import_module(name).__file__ for name in names}))
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy, so that no leftover of an earlier build slips in."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in COPIED:
        path = ROOT / name
        if path.is_dir():
            shutil.copytree(path, source / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(path, source / name)
    run(
        [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "--quiet",
            "--no-deps",
            "--no-build-isolation",
            "-w",
            str(target),
            str(source),
        ]
    )
    [built] = target.iterdir()
    return built


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty environment with the wheel in it; dependencies (numpy, llvmlite, …) are lent by path file."""
    folder = tmp_path_factory.mktemp("environment")
    run([sys.executable, "-m", "venv", "--without-pip", str(folder)])
    python = python_of(folder)
    run(
        [
            sys.executable,
            "-m",
            "pip",
            "--python",
            str(python),
            "install",
            "--quiet",
            "--no-deps",
            "--no-index",
            str(wheel),
        ]
    )
    [packages] = (
        folder.glob("lib/python*/site-packages") if os.name == "posix" else folder.glob("Lib/site-packages")
    )
    # A path file adds folders but runs none of the path files in them: an editable jitframe stays unseen.
    (packages / "lent.pth").write_text(f"{Path(numpy.__file__).parents[1]}\n")
    return folder


def python_of(folder: Path) -> Path:
    return folder / ("bin/python" if os.name == "posix" else "Scripts/python.exe")


def run(command: list[str], **keywords: object) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False, **keywords)  # type: ignore[call-overload]
    assert done.returncode == 0, done.stdout + done.stderr
    return str(done.stdout)


def expected_modules() -> set[str]:
    found = set()
    for package, source in (("jitframe", "jitframe"), ("jitframe.codegen", "codegen"), ("jitframe.ir", "ir")):
        for folder, inner, files in os.walk(ROOT / source):
            inner[:] = [name for name in inner if name.isidentifier() and name != "__pycache__"]
            for name in files:
                if name.endswith(".py") and name != "__main__.py":
                    parts = [package, *Path(folder).relative_to(ROOT / source).parts]
                    found.add(
                        ".".join(parts if name == "__init__.py" else [*parts, name.removesuffix(".py")])
                    )
    return found


def test_every_module_is_in_the_wheel_and_imports(environment: Path, tmp_path: Path) -> None:
    code = f"OPTIONAL = {OPTIONAL!r}\n{IMPORT_ALL}"
    printed = run([str(python_of(environment)), "-I", "-W", "error", "-c", code], cwd=tmp_path)
    imported = json.loads(printed.splitlines()[-1])
    assert set(imported) == expected_modules()
    outside = {name: file for name, file in imported.items() if not file.startswith(str(environment))}
    assert outside == {}, "these came from somewhere else"


def test_the_wheel_owns_one_name_and_carries_its_licence(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {name.split("/")[0].split("-")[0] for name in names} == {"jitframe"}
    assert "jitframe/py.typed" in names
    assert any(name.endswith("licenses/LICENSE") for name in names)


def test_the_command_is_installed(environment: Path, tmp_path: Path) -> None:
    variables = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "JITFRAME"))
    }
    variables["JITFRAME_CACHE_DIR"] = str(tmp_path / "cache")
    command = python_of(environment).with_name("jitframe" if os.name == "posix" else "jitframe.exe")
    assert json.loads(run([str(command), "cache", "ls", "--json"], cwd=tmp_path, env=variables)) == []
    assert (
        json.loads(run([str(command), "devices", "--json"], cwd=tmp_path, env=variables))[0]["name"] == "cpu"
    )
