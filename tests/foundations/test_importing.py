"""jitframe's own modules are found and read as Python would find and read them, only sooner."""

from __future__ import annotations

import importlib
import inspect
import os
import pkgutil
import py_compile
import sys
import zipfile
from importlib.machinery import FileFinder, PathFinder
from pathlib import Path
from typing import Any

import pytest

import jitframe
from jitframe import errors, tracing
from jitframe.base import importing
from jitframe.base.importing import Finder, Loader

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere Python's finder is used")
CHECKED, UNCHECKED = (
    py_compile.PycInvalidationMode.CHECKED_HASH,
    py_compile.PycInvalidationMode.UNCHECKED_HASH,
)


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package `parcel` whose folders are found by `Finder`, with a module `inside` and a package `deep`."""
    folder = tmp_path / "parcel"
    (folder / "deep").mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "inside.py").write_text("value = 1")
    (folder / "deep" / "__init__.py").write_text("")
    (folder / "deep" / "bottom.py").write_text("from ..inside import value")
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield folder
    forget()
    for path in [path for path in sys.path_importer_cache if path.startswith(str(tmp_path))]:
        del sys.path_importer_cache[path]


def forget() -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "parcel"]:
        del sys.modules[name]


def value(folder: Path, name: str = "parcel.inside") -> Any:
    """What the module has when it is imported anew; it is found here, and not by Python's finder."""
    forget()
    sys.path_importer_cache[str(folder)] = Finder(str(folder))
    module = importlib.import_module(name)
    assert type(module.__spec__.loader) is Loader
    return module.value


def refuse_to_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = importing.SourceFileLoader.get_code

    def get_code(self, name):
        assert type(self) is not Loader, "Python's loader was asked"
        return usual(self, name)

    monkeypatch.setattr(importing.SourceFileLoader, "get_code", get_code)


def test_jitframes_modules_are_found_here():
    for module in (errors, tracing, importlib.import_module("jitframe.ir.node")):
        assert type(module.__spec__.loader) is Loader


def test_specs_are_those_of_pythons_finder(monkeypatch):
    """Of every module there is, packages too."""
    names = [found.name for found in pkgutil.walk_packages(jitframe.__path__, "jitframe.")]
    assert len(names) > 300
    found = {name: importlib.util.find_spec(name) for name in names if not name.endswith("__main__")}
    for path in [path for path, finder in sys.path_importer_cache.items() if type(finder) is Finder]:
        monkeypatch.delitem(sys.path_importer_cache, path)
    for name, spec in found.items():
        assert spec is not None
        folder = os.path.dirname(spec.origin)
        usual = PathFinder.find_spec(
            name, [os.path.dirname(folder) if spec.submodule_search_locations else folder]
        )
        for field in ("name", "origin", "cached", "has_location", "parent", "submodule_search_locations"):
            assert getattr(spec, field) == getattr(usual, field), (name, field)


def test_sources_are_there_for_debuggers():
    assert "class JitframeError" in inspect.getsource(errors)
    assert errors.JitframeError.__init__.__code__.co_filename == errors.__file__


def test_valid_code_is_read_without_asking_python(package, monkeypatch):
    assert value(package, "parcel.deep.bottom") == 1  # Python compiled it
    refuse_to_compile(monkeypatch)
    assert value(package, "parcel.deep.bottom") == 1


def test_a_changed_source_is_compiled_again(package):
    assert value(package) == 1
    for number, text in enumerate(("value = 22", "value = 33")):
        (package / "inside.py").write_text(text)  # another size, then another time alone
        os.utime(package / "inside.py", (1e9 + number, 1e9 + number))
        assert value(package) == int(text[-2:])
        assert value(package) == int(text[-2:])


@pytest.mark.parametrize("mode", [CHECKED, UNCHECKED])
def test_code_that_is_checked_by_hashes_is_left_to_python(package, mode):
    py_compile.compile(str(package / "inside.py"), invalidation_mode=mode, doraise=True)
    status = os.stat(package / "inside.py")
    (package / "inside.py").write_text("value = 2")
    os.utime(package / "inside.py", ns=(status.st_atime_ns, status.st_mtime_ns))
    assert value(package) == (2 if mode is CHECKED else 1)


def test_code_that_was_made_elsewhere_names_the_file_where_it_lies(package):
    """As after a folder was moved: messages and debuggers show the source."""
    inside, other = package / "inside.py", package / "other.py"
    inside.write_text("def value(): pass")
    value(package)
    other.write_text(inside.read_text())
    os.utime(other, ns=(inside.stat().st_atime_ns, inside.stat().st_mtime_ns))
    kept = [Path(importlib.util.cache_from_source(str(path))) for path in (inside, other)]
    kept[0].rename(kept[1])
    assert value(package, "parcel.other").__code__.co_filename == str(other)


@pytest.mark.parametrize("damage", [b"", b"jitframe", None])
def test_code_that_is_no_code_is_made_again(package, damage):
    value(package)
    (kept,) = (package / "__pycache__").glob("inside*")
    kept.unlink() if damage is None else kept.write_bytes(damage)
    assert value(package) == 1


def test_code_is_not_written_where_python_shall_not(package, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert value(package) == 1 and not (package / "__pycache__").exists()


def test_another_folder_for_code_is_kept(package, monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "codes"))
    assert value(package) == 1
    assert not (package / "__pycache__").exists() and list((tmp_path / "codes").rglob("inside*"))
    refuse_to_compile(monkeypatch)
    assert value(package) == 1


def test_what_is_no_source_is_left_to_python(package):
    py_compile.compile(str(package / "inside.py"), cfile=str(package / "bare.pyc"), doraise=True)
    (package / "inside.py").unlink()
    forget()
    sys.path_importer_cache[str(package)] = Finder(str(package))
    assert importlib.import_module("parcel.bare").value == 1
    with pytest.raises(ModuleNotFoundError, match="No module named 'parcel.inside'"):
        importlib.import_module("parcel.inside")


def test_only_folders_of_pythons_finder_are_taken_over(tmp_path, monkeypatch):
    plain, own, unknown = (str(tmp_path / name) for name in ("plain", "own", "unknown"))
    finders = {plain: FileFinder(plain), own: type("Own", (FileFinder,), {})(own)}
    monkeypatch.setattr(sys, "path_importer_cache", dict(finders))
    importing.install([plain, own, unknown])
    assert type(sys.path_importer_cache[plain]) is Finder
    assert sys.path_importer_cache[own] is finders[own] and unknown not in sys.path_importer_cache


def test_an_archive_is_left_to_its_own_finder(tmp_path, in_process):
    root = Path(jitframe.__file__).parent
    with zipfile.ZipFile(tmp_path / "jitframe.zip", "w") as archive:
        base = (f"base/{each.name}" for each in (root / "base").glob("*.py"))
        for path in ("__init__.py", "errors.py", "api/__init__.py", "api/numpy_names.py", *base):
            archive.write(root / path, f"jitframe/{path}")
    program = """
import json, sys
sys.path.insert(0, ARCHIVE)
import jitframe
from jitframe import errors
print(json.dumps([jitframe.__file__, type(errors.__spec__.loader).__name__]))
"""
    found = in_process(program.replace("ARCHIVE", repr(str(tmp_path / "jitframe.zip"))))
    assert found == [str(tmp_path / "jitframe.zip" / "jitframe" / "__init__.py"), "zipimporter"]


def test_no_folder_has_a_module_and_a_package_of_one_name():
    """Python would take the package, `Finder` the module."""
    for folder, folders, files in os.walk(Path(jitframe.__file__).parent, followlinks=True):
        packages = {name for name in folders if os.path.exists(os.path.join(folder, name, "__init__.py"))}
        assert not packages & {name.removesuffix(".py") for name in files}, folder
