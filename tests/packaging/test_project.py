"""What pyproject.toml lists by hand is compared with what is there; the small tools do their work."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import jitframe
from tools.check_file_size import LIMIT_LINES, too_long

ROOT = Path(__file__).resolve().parents[2]
SOURCES = {"jitframe": ROOT / "jitframe", "jitframe.codegen": ROOT / "codegen", "jitframe.ir": ROOT / "ir"}


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


def packages_in_the_tree() -> set[str]:
    found = set()
    for package, source in SOURCES.items():
        for folder, inner, files in os.walk(source):  # does not follow the two links
            inner[:] = [name for name in inner if name.isidentifier() and name != "__pycache__"]
            if any(name.endswith(".py") for name in files):
                found.add(".".join([package, *Path(folder).relative_to(source).parts]))
    return found


def test_every_package_is_listed(project: dict[str, Any]) -> None:
    listed = project["tool"]["setuptools"]["packages"]
    there = sorted(packages_in_the_tree())
    assert listed == there, "paste into [tool.setuptools] packages:\n" + "\n".join(
        f'    "{name}",' for name in there
    )


def test_every_package_has_an_init() -> None:
    for package in packages_in_the_tree():
        source = max((name for name in SOURCES if f"{package}.".startswith(f"{name}.")), key=len)
        folder = SOURCES[source].joinpath(*package[len(source) :].split(".")[1:])
        assert (folder / "__init__.py").is_file(), folder


def test_the_links_show_the_layers() -> None:
    for name in ("ir", "codegen"):
        assert (ROOT / "jitframe" / name).is_symlink()
        assert os.readlink(ROOT / "jitframe" / name) == f"../{name}"


def test_the_version_is_one(project: dict[str, Any]) -> None:
    assert jitframe.__version__ == project["project"]["version"]
    assert f"## {jitframe.__version__}" in (ROOT / "CHANGELOG.md").read_text()


@pytest.mark.more
@pytest.mark.parametrize("layer", ["ir", "codegen"])
def test_the_lower_layers_do_not_import_the_package_itself(layer: str) -> None:
    """What import-linter's contract on `jitframe.*` cannot say."""
    found = []
    for path in (ROOT / layer).rglob("*.py"):
        package = ["jitframe", layer, *path.parent.relative_to(ROOT / layer).parts]
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                modules = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                base = package[: len(package) - node.level + 1] if node.level else []
                modules = [".".join([*base, *([node.module] if node.module else [])])]
                if modules == ["jitframe"]:
                    modules = [f"jitframe.{alias.name}" for alias in node.names]
            else:
                continue
            allowed = ("jitframe.ir", "jitframe.codegen")
            found += [
                f"{path}:{node.lineno}"
                for module in modules
                if module.partition(".")[0] == "jitframe" and not module.startswith(allowed)
            ]
    assert found == []


def test_no_file_is_too_long() -> None:
    assert too_long(ROOT) == []


def test_a_file_that_is_too_long_is_found_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.check_file_size.AGREED", {})
    (tmp_path / "ir").mkdir()
    (tmp_path / "jitframe").mkdir()
    (tmp_path / "jitframe" / "ir").symlink_to("../ir")
    (tmp_path / "ir" / "long.py").write_text("x\n" * (LIMIT_LINES + 1))
    (tmp_path / "ir" / "fits.py").write_text("x\n" * LIMIT_LINES)
    assert too_long(tmp_path) == ["ir/long.py: 501 lines, 500 are allowed; split it by reason to change"]


def test_importing_jitframe_loads_none_of_the_heavy_dependencies() -> None:
    heavy = {"llvmlite", "networkx", "platformdirs", "rich", "typer"}
    code = f"import sys, jitframe; print(sorted({heavy} & set(sys.modules)))"
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    found = subprocess.run(
        [sys.executable, "-c", code], env=environment, check=True, capture_output=True, text=True
    )
    assert found.stdout.strip() == "[]"


def test_the_test_command_of_ci_is_the_readmes() -> None:
    assert "make test" in (ROOT / ".ci" / "run").read_text()
    assert "\nmake test" in (ROOT / "README.md").read_text()
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
