"""A wheel, installed where nothing of this tree can be seen, holds every module and imports them all."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path

from tests.packaging.conftest import python_of, run

ROOT = Path(__file__).resolve().parents[2]
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
names = [name for name in names if not name.endswith(".__main__") and "-" not in name]
print(json.dumps({name: importlib.import_module(name).__file__ for name in names}))
"""


def expected_modules() -> set[str]:
    found = {"jitframe.built_digests", "jitframe.built_texts"}
    for package, source in (("jitframe", "jitframe"), ("jitframe.codegen", "codegen"), ("jitframe.ir", "ir")):
        for folder, inner, files in os.walk(ROOT / source):
            inner[:] = [name for name in inner if name.isidentifier() and name != "__pycache__"]
            for name in files:
                if name.endswith(".py") and name != "__main__.py" and "-" not in name:
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
