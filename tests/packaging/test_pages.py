"""The pages say what is so: programs run, tables list what the code has, links lead somewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from jitframe import errors
from jitframe.runtime.discovery.built_in import BUILT_IN
from jitframe.settings import NAMES, SETTINGS, Settings, read_settings

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def names(pages: list[Path]) -> list[str]:
    return [page.relative_to(ROOT).as_posix() for page in pages]


def programs(page: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)


def rows(page: Path) -> list[list[str]]:
    """The cells of the page's table rows whose first cell is a name in backquotes."""
    lines = page.read_text(encoding="utf-8").splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| `")]


def run(program: str, folder: Path) -> str:
    environment = os.environ | {
        "JITFRAME_CACHE_DIR": str(folder / "cache"),
        "PYTHONPATH": str(ROOT),
        "PYTHONWARNINGS": "error",
    }
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env=environment,
        cwd=folder,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.more
def test_the_readmes_program_runs_and_prints_what_it_says(tmp_path: Path) -> None:
    (program,) = programs(ROOT / "README.md")
    check = "\nassert type(y) is np.ndarray and np.allclose(y, softmax.__wrapped__(x), rtol=1e-6, atol=0)"
    printed = run(program + check, tmp_path).splitlines()
    assert printed[0] == "1"
    assert "'compiled': 1" in printed[-1]


@pytest.mark.more
def test_the_settings_program_runs_and_prints_what_it_says(tmp_path: Path) -> None:
    (program,) = programs(ROOT / "docs" / "settings.md")
    assert run(program, tmp_path) == "2\n"


def test_every_setting_has_its_row_with_its_default() -> None:
    table = settings_table()
    assert list(table) == [f"JITFRAME_{name.upper()}" for name in NAMES]
    for name in NAMES:
        default = getattr(Settings(), name)
        variable = f"JITFRAME_{name.upper()}"
        written = re.fullmatch(r"`(\w+)`", table[variable][2])
        assert (written is None) == (default is None), variable
        if written is not None:
            assert getattr(read_settings({variable: written[1]}), name) == default


def settings_table() -> dict[str, list[str]]:
    """The rows of the page's first table, by variable."""
    return {
        row[0].strip("`"): row
        for row in rows(ROOT / "docs" / "settings.md")
        if row[0].startswith("`JITFRAME_")
    }


def test_the_settings_page_says_what_a_project_may_set() -> None:
    for variable, row in settings_table().items():
        may = SETTINGS[variable.removeprefix("JITFRAME_").lower()].by_project
        assert row[3].startswith("yes" if may else "no"), variable
    said = {
        option: row[1]
        for row in rows(ROOT / "docs" / "settings.md")
        for option in re.findall(r"`(\w+\.\w+)`", row[0])
    }
    assert said == {
        f"{entry.name}.{option.name}": "yes" if option.by_project else "no"
        for entry in BUILT_IN
        for option in entry.options
    }


def test_the_values_in_the_settings_table_are_taken() -> None:
    for variable, row in settings_table().items():
        for value in re.findall(r"`([^`]+)`", row[1]):
            read_settings({variable: value})


def test_every_error_has_its_row_with_its_bases() -> None:
    kinds = {
        name: kind
        for name, kind in vars(errors).items()
        if isinstance(kind, type)
        and issubclass(kind, (errors.JitframeError, errors.JitframeWarning))
        and kind not in (errors.JitframeError, errors.JitframeWarning)
    }
    table = {row[0].strip("`"): row for row in rows(ROOT / "docs" / "errors.md")}
    assert list(table) == list(kinds)
    for name, kind in kinds.items():
        if issubclass(kind, errors.JitframeError):
            builtins = [base.__name__ for base in kind.__bases__ if base is not errors.JitframeError]
            assert re.findall(r"`(\w+)`", table[name][1]) == builtins


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_the_list_of_pages_is_whole() -> None:
    listed = re.findall(r"\]\(([^)]+)\)", (ROOT / "docs" / "README.md").read_text(encoding="utf-8"))
    there = [path.name for path in (ROOT / "docs").iterdir() if path.name != "README.md"]
    assert sorted(listed) == sorted(there)
