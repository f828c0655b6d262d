"""What jitframe reads of its own sources, where they are not: noted by the wheel's build, and as good."""

from __future__ import annotations

import re
import runpy
import shutil
import sys
import types
from pathlib import Path

import pytest

import jitframe as jf
from jitframe.cache import generator
from jitframe.errors import BackendError
from jitframe.runtime.cpu.kernels import compiled_kernels
from jitframe.runtime.cpu.native_library import native_sources
from jitframe.tracing.environment.user_code import UserCode

ROOT = Path(__file__).resolve().parents[2]


class Files:
    """Loads no file."""

    def get_data(self, path):
        raise FileNotFoundError(path)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A package of all sources, with what a wheel's build notes of them."""
    package = tmp_path_factory.mktemp("built") / "jitframe"
    shutil.copytree(ROOT / "jitframe", package, ignore=shutil.ignore_patterns("__pycache__"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("setuptools.setup", lambda **_: None)
        runpy.run_path(str(ROOT / "setup.py"))["write_notes"](package)
    return package


@pytest.fixture
def without_files(built, monkeypatch):
    """jitframe where it has no sources, but what the build noted of them."""
    for name in ("built_digests", "built_texts"):
        module = types.ModuleType(f"jitframe.{name}")
        exec((built / f"{name}.py").read_text(encoding="utf-8"), vars(module))
        monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(jf, "__file__", str(built.parent / "nowhere" / "__init__.pyc"))
    for module in native_sources.SOURCES:
        monkeypatch.setattr(module.__spec__, "loader", Files())


def test_what_is_noted_is_what_the_sources_say(without_files, monkeypatch):
    folders = (*generator.CPU_SOURCES, native_sources.FOLDER, native_sources.TRANSLATOR)
    noted = generator.source_digests(*folders)
    texts = [native_sources.source_text(module) for module in native_sources.SOURCES]
    key = native_sources.image_key()
    assert len(noted) > 30
    assert texts == [Path(module.__file__).read_text(encoding="utf-8") for module in native_sources.SOURCES]
    monkeypatch.setattr(jf, "__file__", str(ROOT / "jitframe" / "__init__.py"))
    assert noted == generator.source_digests(*folders)
    assert key == native_sources.image_key()


def test_the_stamp_is_what_the_build_noted(without_files, monkeypatch):
    monkeypatch.setattr(generator, "STAMPED_SOURCES", generator.CPU_SOURCES)
    stamp = generator.sources_stamp.__wrapped__()
    assert stamp and stamp == generator.sources_stamp.__wrapped__()
    digests = sys.modules["jitframe.built_digests"].DIGESTS
    digests["runtime/cpu/machine_code/llvm.py"] = "another"
    assert generator.sources_stamp.__wrapped__() != stamp
    monkeypatch.setitem(sys.modules, "jitframe.built_digests", None)
    assert generator.sources_stamp.__wrapped__() == ""


def test_neither_sources_nor_notes(without_files, monkeypatch):
    monkeypatch.setitem(sys.modules, "jitframe.built_texts", None)
    with pytest.raises(
        BackendError,
        match=r"^the native runtime is made of its source jitframe/runtime/cpu/native/state.py, which this "
        r"installation lacks; install jitframe from a wheel, which keeps it in a module as well, or keep the "
        r"file\n",
    ):
        native_sources.source_text(native_sources.SOURCES[0])


def test_the_compilers_version_where_it_has_no_metadata(monkeypatch):
    known = compiled_kernels.llvmlite_version()
    monkeypatch.setattr(compiled_kernels, "installed_version", lambda name: "")
    assert compiled_kernels.llvmlite_version.__wrapped__() == known


def test_the_standard_library_of_a_frozen_application(monkeypatch):
    """All modules lie in one folder there, and the files of their code have none."""
    function = types.FunctionType(
        (lambda: 0).__code__.replace(co_filename="colorsys.py"), {"__name__": "colorsys"}
    )
    mine = types.FunctionType((lambda: 0).__code__.replace(co_filename="mine.py"), {"__name__": "mine"})
    for name in ("colorsys", "mine"):
        module = types.ModuleType(name)
        module.__file__ = f"/opt/application/{name}.pyc"
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert not UserCode().function(function) and not UserCode().module_name("colorsys")
    assert UserCode().function(mine) and UserCode().module_name("mine")


CHANGING = (
    r"\b(?:setdefault|pop|popleft|append|add|remove|update|discard|clear|insert|extend|acquire|release|wait|write"
    r"|put|start|join|close|next|move_to_end)\(|:="
)
ASSERTION = re.compile(r"^([ \t]*)assert\b(.*(?:\n\1[ \t]+.*|\n\1[)\]}].*)*)", re.MULTILINE)


def test_no_assertion_does_what_must_be_done():
    """Under `python -O` there are none."""
    found = [
        f"{path.relative_to(ROOT)}: {assertion.group().strip()}"
        for folder in ("jitframe", "ir", "codegen")
        for path in (ROOT / folder).rglob("*.py")
        for assertion in ASSERTION.finditer(path.read_text(encoding="utf-8"))
        if re.search(CHANGING, assertion.group(2))
    ]
    assert found == []
