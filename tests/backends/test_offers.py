"""Backends of installed packages are looked at in processes of their own, imported here when used."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import BackendError
from jitframe.runtime.discovery import probe, registry
from jitframe.runtime.discovery.isolation import Child, NoAnswer

GOOD = """
from jitframe.backends import BackendEntry, Option
from jitframe.ir.record import replace
from jitframe.runtime.cpu import driver as processor

class Abacus:
    def enumerate(self):
        return [replace(processor.enumerate()[0], title="beads", kind="other", more=())]

    def open(self, number, beads=10):
        return processor.CpuDriver(replace(self.enumerate()[0], more=(("beads", beads),)))

BACKEND = BackendEntry(
    "abacus", 50, ("soroban",), "beads on rods", factory=Abacus, version="2.1",
    options=(Option("beads", int, 10, least=1),),
)
"""
Package = Callable[[str, str], None]


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Package]:
    """Installs a package of a name whose module has a text."""
    monkeypatch.syspath_prepend(str(tmp_path))
    names: list[str] = []

    def install(name: str, text: str) -> None:
        names.append(name)
        (tmp_path / f"offer_{name}.py").write_text(text)
        told = tmp_path / f"offer_{name}-1.0.dist-info"
        told.mkdir()
        (told / "METADATA").write_text(f"Metadata-Version: 2.1\nName: offer-{name}\nVersion: 1.0\n")
        (told / "entry_points.txt").write_text(f"[jitframe.backends]\n{name} = offer_{name}:BACKEND\n")

    monkeypatch.setattr(registry, "_offered", None)
    monkeypatch.setattr(registry, "_used", {})
    before = jf.settings.configure(probe_seconds=100)
    yield install
    jf.settings.restore(before)
    for name in names:
        if jf.backends.has(name):
            jf.backends.unregister(name)
        probe.forget_probed(name)
        sys.modules.pop(f"offer_{name}", None)


def is_imported(name: str) -> bool:
    return f"offer_{name}" in sys.modules


def test_what_crashes_when_it_is_imported_stops_nobody(package: Package) -> None:
    package("abacus", GOOD)
    package("crashing", "import os\nos.abort()\n")
    package("raising", "raise OSError('no beads')\n")
    package("another", "BACKEND = 17\n")
    found = jf.backends.discover()
    assert not any(map(is_imported, ("abacus", "crashing", "raising", "another")))
    assert [each.title for each in found["abacus"].devices()] == ["beads"]
    crash = "its entry point offer_crashing:BACKEND ended the process that asked it (SIGABRT"
    assert found["crashing"].problem.startswith(f"offered by offer_crashing:BACKEND: {crash}")
    assert found["raising"].problem.endswith("cannot be loaded: OSError: no beads")
    assert found["another"].problem.endswith("TypeError: offer_another:BACKEND is a int, not a BackendEntry")
    assert jf.backends.metadata("soroban").version == "2.1" and jf.backends.is_available("abacus:0")
    assert not jf.backends.is_available("crashing") and not is_imported("abacus")
    x = jf.asarray(np.ones(3, np.float32), device="soroban")
    assert is_imported("abacus") and (x + 1).tolist() == [2, 2, 2]
    made = jf.backends.create("abacus", beads=12)
    assert dict(made.device.driver.facts.more)["beads"] == 12


def test_what_is_named_is_imported_here_and_nothing_else(package: Package) -> None:
    package("abacus", GOOD)
    package("slow", "raise AssertionError('nobody asked for it')\n")
    assert jf.backends.get("abacus").ops.add([1.0], 2).tolist() == [3]
    assert registry._offered is None, "no other package is looked at"
    assert jf.backends.names().count("abacus") == 1
    jf.backends.unregister("abacus")
    assert not jf.backends.has("abacus")


def test_what_hangs_when_it_is_imported_stops_nobody(package: Package) -> None:
    package("hanging", "import time\ntime.sleep(1000)\n")
    jf.settings.configure(probe_seconds=2)
    assert "hanging" in jf.backends.names()
    (problem,) = jf.backends.obstacles("hanging")
    assert problem.endswith("did not answer within 2 s (JITFRAME_PROBE_SECONDS)")
    with pytest.raises(BackendError, match="did not answer within 2 s"):
        jf.zeros(3, device="hanging")


def _own_object(argument: object) -> object:
    return sys.modules["__main__"].__dict__.setdefault("Own", type("Own", (), {}))()


def test_answers_load_nothing() -> None:
    child = Child(_own_object, None, 100)
    try:
        with pytest.raises(NoAnswer, match="gave an answer that cannot be read|ended the process"):
            child.answer()
    finally:
        child.close()
