"""The stubs are those that the sources make, and type checkers find what is right and wrong by them."""

from __future__ import annotations

import json
import re
import runpy
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import jitframe as jf
from tools.make_index import PATH as INDEX
from tools.make_index import make as make_index
from tools.make_stubs import ROOT, STUBS, namespaces

TYPED = Path(__file__).parent / "typed"


@pytest.mark.parametrize("path", STUBS)
def test_stubs_are_what_the_tool_makes(path: str) -> None:
    assert (ROOT / path).read_text(encoding="utf-8") == STUBS[path](), "run python tools/make_stubs.py"


def test_the_index_is_what_the_modules_declare() -> None:
    assert INDEX.read_text(encoding="utf-8") == make_index(), "run python tools/make_stubs.py"


def names_in(path: str) -> set[str]:
    text = (ROOT / path).read_text(encoding="utf-8")
    return set(re.findall(r"^(?:def |class |from [\w.]+ import \w+ as )?(\w+)", text, re.MULTILINE))


def test_stubs_have_every_public_name() -> None:
    assert {*jf.__all__} <= names_in("jitframe/__init__.pyi")
    for namespace in namespaces():
        assert {*getattr(jf, namespace).__all__} <= names_in(f"jitframe/{namespace}.pyi")
    assert {*jf.backends.__all__} <= names_in("jitframe/backends/__init__.pyi")


def test_wheels_hold_them(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        assert {*STUBS} <= {*archive.namelist()}


def errors_of_mypy(name: str) -> list[tuple[int, str]]:
    """The lines with errors, and what mypy calls these. Two seconds, twenty before its cache is filled."""
    pytest.importorskip("mypy")
    command = [
        *(sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--config-file="),
        *("--cache-dir", str(ROOT / ".mypy_cache" / "of_users"), str(TYPED / name)),
    ]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert told.stderr == ""
    found = re.findall(r":(\d+): error: .*\[([\w-]+)\]$", told.stdout, re.MULTILINE)
    return sorted((int(line), code) for line, code in found)


def errors_of_pyright(name: str) -> list[int]:
    """The lines with errors."""
    pytest.importorskip("basedpyright")
    command = (sys.executable, "-m", "basedpyright", "--level", "error", "--outputjson", str(TYPED / name))
    told = json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout)
    return [each["range"]["start"]["line"] + 1 for each in told["generalDiagnostics"]]


@pytest.mark.slow
def test_pyright_finds_what_mypy_finds() -> None:
    assert errors_of_pyright("right.py") == []
    assert sorted({*errors_of_pyright("wrong.py")}) == [line for line, _ in errors_of_mypy("wrong.py")]


def test_a_right_program_has_no_errors() -> None:
    assert errors_of_mypy("right.py") == []


def test_the_right_program_runs() -> None:
    runpy.run_path(str(TYPED / "right.py"))


def test_each_mistake_of_a_wrong_program_is_found() -> None:
    lines = (TYPED / "wrong.py").read_text(encoding="utf-8").splitlines()
    wanted = [(number, line.partition("  # ")[2]) for number, line in enumerate(lines, 1) if "  # " in line]
    assert errors_of_mypy("wrong.py") == wanted
