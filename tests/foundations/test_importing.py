"""jitframe's own modules are loaded by its loader, which leaves all but their import statement to Python."""

from __future__ import annotations

import importlib
import inspect
import os
import pkgutil
import sys
import threading
import zipfile
from importlib.machinery import FileFinder
from pathlib import Path

import jitframe
from jitframe import errors, tracing
from jitframe.base import importing
from jitframe.base.importing import Loader
from tests.threads import at_once


def test_modules_of_every_folder_have_the_loader():
    importlib.import_module("jitframe.codegen.lower.sorting.radix")
    node = importlib.import_module("jitframe.ir.node")
    for module in (errors, tracing, node, sys.modules["jitframe.codegen.lower.sorting.radix"]):
        assert type(module.__spec__.loader) is Loader
        assert module.__dict__["__builtins__"]["__import__"] is importing._import


def test_every_module_is_found():
    names = [found.name for found in pkgutil.walk_packages(jitframe.__path__, "jitframe.")]
    assert len(names) > 300
    for name in names:
        if not name.endswith("__main__"):
            spec = importlib.util.find_spec(name)
            assert spec is not None and spec.has_location and os.path.isfile(spec.origin)


def test_sources_are_there_for_debuggers():
    assert "class JitframeError" in inspect.getsource(errors)
    assert errors.JitframeError.__init__.__code__.co_filename == errors.__file__


def test_what_a_function_imports_first_is_imported_on_a_thread_of_its_own(tmp_path, monkeypatch):
    folder = tmp_path / "parcel"
    (folder / "deep").mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "deep" / "__init__.py").write_text("")
    (folder / "deep" / "late.py").write_text("import threading\nthread = threading.get_ident()\n")
    (folder / "deep" / "early.py").write_text(
        "def thread():\n    from .late import thread\n    return thread\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    parcel = importlib.import_module("parcel")
    sys.path_importer_cache[str(folder)] = FileFinder(str(folder))
    importing.install(list(parcel.__path__))
    try:
        early = importlib.import_module("parcel.deep.early")
        assert early.thread() not in (threading.get_ident(), 0)
        assert early.thread() == sys.modules["parcel.deep.late"].thread
    finally:
        for name in [name for name in sys.modules if name.partition(".")[0] == "parcel"]:
            del sys.modules[name]


def test_threads_that_wait_for_each_others_modules_are_given_whole_ones(tmp_path, monkeypatch):
    """Half a second for the second thread to come in the way of the first, where it can."""
    deep = tmp_path / "bundle" / "deep"
    deep.mkdir(parents=True)
    (tmp_path / "bundle" / "__init__.py").write_text("")
    (deep / "__init__.py").write_text(
        "import sys, time\n"
        "sys.modules['bundle'].began.set()\n"
        "end = time.monotonic() + 0.5\n"
        "while 'bundle.deep.one' not in sys.modules and time.monotonic() < end: time.sleep(0.01)\n"
        "time.sleep(0.1)\n"
        "from .one import value\n"
    )
    (deep / "one.py").write_text("from . import two\nvalue = 1\n")
    (deep / "two.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    bundle = importlib.import_module("bundle")
    bundle.began = threading.Event()
    sys.path_importer_cache[str(tmp_path / "bundle")] = FileFinder(str(tmp_path / "bundle"))
    importing.install(list(bundle.__path__))

    def work(number: int) -> None:
        if number:
            bundle.began.wait(30)
        assert importing.load(("bundle.deep", "bundle.deep.one")[number]).value == 1

    try:
        at_once(work, 2)
    finally:
        for name in [each for each in sys.modules if each.partition(".")[0] == "bundle"]:
            del sys.modules[name]


def test_only_folders_of_pythons_finder_are_taken_over(tmp_path, monkeypatch):
    plain, own, unknown = (str(tmp_path / name) for name in ("plain", "own", "unknown"))
    finders = {plain: FileFinder(plain), own: type("Own", (FileFinder,), {})(own)}
    monkeypatch.setattr(sys, "path_importer_cache", dict(finders))
    importing.install([plain, own, unknown])
    assert sys.path_importer_cache[plain] is not finders[plain]
    assert sys.path_importer_cache[own] is finders[own] and unknown not in sys.path_importer_cache


def test_an_archive_is_left_to_its_own_finder(tmp_path, in_process):
    root = Path(jitframe.__file__).parent
    with zipfile.ZipFile(tmp_path / "jitframe.zip", "w") as archive:
        base = (f"base/{each.name}" for each in (root / "base").glob("*.py"))
        own = ("__init__.py", "errors.py", "api/__init__.py", "api/numpy_names.py", "api/scalar_types.py")
        for path in (*own, *base):
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
