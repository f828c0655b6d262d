"""Backends of other packages, built as wheels and installed into a fresh environment, and used there."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.packaging.conftest import built_wheels, install, python_of, run

PROJECT = """
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "jitframe-{name}"
version = "2.1"
dependencies = ["jitframe"]

[project.entry-points."jitframe.backends"]
{name} = "jitframe_{name}:BACKEND"

[tool.setuptools]
packages = ["jitframe_{name}"]
"""

ENTRY = '''
"""Beads on rods."""

from jitframe.backends import BackendEntry, Option

BACKEND = BackendEntry(
    "abacus",
    priority=50,
    aliases=("soroban",),
    title="beads on rods",
    module="jitframe_abacus.driver",
    version="2.1",
    author="A. Counter",
    license="MIT",
    kinds=("other",),
    jitframe=">=0.1",
    options=(Option("beads", int, 10, "beads of a rod", least=1),),
)
'''

DRIVER = '''
"""Two abaci, whose beads the processor moves."""

from jitframe.ir.record import replace
from jitframe.runtime.cpu import driver as processor


def enumerate():
    (facts,) = processor.enumerate()
    first = replace(facts, title="small abacus", api="beads", kind="other", memory_bytes=1 << 20)
    return [first, replace(first, title="large abacus", memory_bytes=1 << 30)]


def free_bytes(number):
    return 1000 * (number + 1)


def open(number, beads=10):
    facts = enumerate()[number]
    return processor.CpuDriver(replace(facts, more=(("beads", beads),)))
'''

PACKAGES = {
    "abacus": {"__init__.py": ENTRY, "driver.py": DRIVER},
    "crashing": {
        "__init__.py": "from jitframe.backends import BackendEntry\n"
        "BACKEND = BackendEntry('crashing', 900, title='a crash', module='jitframe_crashing.driver')\n",
        "driver.py": "import os\nos.abort()\n",
    },
    "raising": {"__init__.py": "raise OSError('no beads')\n"},
    "collapsing": {"__init__.py": "import os\nos.abort()\n"},
}

PROGRAM = """
import json, sys
import numpy as np
import jitframe as jf

told = {"names": jf.backends.names(), "version": jf.backends.metadata("soroban").version}
told["loaded"] = any(name.startswith("jitframe_") for name in sys.modules)
found = jf.backends.discover()
told["problems"] = {name: found[name].problem for name in ("crashing", "raising", "collapsing")}
told["free"] = [each.free_bytes for each in found["abacus"].devices()]
told["fastest"] = found["abacus"].fastest_device.name
told["loaded after it was asked"] = any(name.startswith("jitframe_") for name in sys.modules)

@jf.jit(device="abacus:1")
def norm(v):
    return np.sqrt((v * v).sum())

told["norm"] = float(norm(np.array([3.0, 4.0])))
with jf.device("soroban"):
    x = jf.arange(4.0) @ jf.ones((4, 2))
told["product"] = [x.device, x.tolist()]
backend = jf.backends.create("abacus", beads=12)
told["beads"] = [dict(backend.device.driver.facts.more)["beads"], backend.configuration.source("beads")]
told["here"] = jf.zeros(2).device
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def plugins(environment: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The environment with packages of others."""
    sources = []
    for name, files in PACKAGES.items():
        source = tmp_path_factory.mktemp(name)
        (source / "pyproject.toml").write_text(PROJECT.format(name=name))
        (source / f"jitframe_{name}").mkdir()
        for file, text in files.items():
            (source / f"jitframe_{name}" / file).write_text(text)
        sources.append(source)
    install(environment, *built_wheels(tmp_path_factory.mktemp("wheels"), *sources))
    return environment


def variables(folder: Path, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "JITFRAME"))}
    return {**kept, "JITFRAME_CACHE_DIR": str(folder / "cache"), "JITFRAME_PROBE_SECONDS": "120", **more}


def test_an_installed_backend_is_used_like_any_other(plugins: Path, tmp_path: Path) -> None:
    python = str(python_of(plugins))
    environment = variables(tmp_path, JITFRAME_DEVICE="abacus", JITFRAME_ABACUS_BEADS="11")
    told = json.loads(run([python, "-W", "error", "-c", PROGRAM], cwd=tmp_path, env=environment))
    assert told["version"] == "2.1"
    assert {"abacus", "crashing", "raising", "cuda", "cpu"} <= set(told["names"])
    assert told["names"].index("cpu") < told["names"].index("abacus")
    assert not told["loaded"] and not told["loaded after it was asked"], "it was asked elsewhere"
    assert told["free"] == [1000, 2000]
    assert told["fastest"] == "abacus:1"
    assert told["norm"] == 5.0
    assert told["product"] == ["abacus", [6.0, 6.0]]
    assert told["beads"] == [12, "keyword"]
    assert told["here"] == "abacus"
    crash = "a crash: the driver ended the process that asked it (SIGABRT"
    assert told["problems"]["crashing"].startswith(crash)
    assert told["problems"]["raising"].endswith("cannot be loaded: OSError: no beads")
    assert "ended the process that asked it (SIGABRT" in told["problems"]["collapsing"]


def test_the_command_line_lists_it(plugins: Path, tmp_path: Path) -> None:
    command = str(python_of(plugins).with_name("jitframe" if os.name == "posix" else "jitframe.exe"))
    rows = json.loads(run([command, "devices", "--json"], cwd=tmp_path, env=variables(tmp_path)))
    found = {row["name"]: row for row in rows}
    assert found["abacus:1"]["title"] == "large abacus"
    assert found["abacus"]["total_bytes"] == 1 << 20
    assert not found["crashing"]["available"] and not found["raising"]["available"]
    printed = run([command, "devices", "--width", "100"], cwd=tmp_path, env=variables(tmp_path))
    assert "large abacus" in printed
    assert "crashing: a crash: the driver ended the process" in printed
