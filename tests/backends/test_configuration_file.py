"""The program's configuration file holds for everything that reads settings or opens devices."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import jitframe as jf
from jitframe import project
from jitframe.errors import SettingError
from jitframe.settings import read_settings

ROOT = Path(jf.__file__).parents[1]
PROJECT = """
[project]
name = "somebody's"

[tool.jitframe]
strict = true
trace_limit = 1234
cache_size = "100MB"

[tool.jitframe.cpu]
threads = 1
simd = "sse2"

[tool.jitframe.opencl]
build_options = "-DNOTHING=1"

[tool.jitframe.webgpu]
limits = "default"
"""
PROGRAM = """
import sys
import numpy as np
import jitframe as jf
from jitframe import project, settings

assert not project._looked, "nothing is looked for on import"
assert jf.jit(lambda x: np.sqrt(x) + 1)(np.ones(5)).tolist() == [2] * 5

from jitframe.runtime.cpu.runtime import runtime
from jitframe.runtime.cpu.target import host_target

record = settings.settings()
assert (record.strict, record.trace_limit, record.cache_size) == (True, 1234, 10**8)
assert runtime().threads == 1 and record.webgpu_limits == "default"
assert host_target().simd == "sse2", host_target()
path = sys.argv[1]
for backend in (jf.backends.get("cpu"), jf.backends.init("cpu"), jf.backends.create("cpu")):
    made = backend.configuration
    assert (made.threads, made.source("threads"), made.source("simd")) == (1, path, path)
assert str(made) == f"cpu:\\n  simd     'sse2'  {path}\\n  threads  1       {path}"
if jf.backends.is_available("opencl"):
    with jf.device("opencl"):
        x = jf.ones(3)
    assert (x * 2).tolist() == [2, 2, 2]
    shared = jf.backends.get("opencl")
    assert "-DNOTHING=1" in shared.device.driver.dialect.options
    assert shared.configuration.source("build_options") == path
assert "-DNOTHING=1" == jf.backends.configuration_of("opencl").build_options
print("done")
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The working folder, with nothing looked for."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JITFRAME_CONFIG", raising=False)
    project.forget_file()
    yield tmp_path
    project.forget_file()


@pytest.mark.parametrize("named", [False, True])
def test_it_holds_for_jitted_functions_and_every_backend(tmp_path: Path, named: bool) -> None:
    path = tmp_path / ("settings.toml" if named else "pyproject.toml")
    path.write_text(PROJECT)
    inner = tmp_path / "inner"
    inner.mkdir()
    kept = {name: value for name, value in os.environ.items() if not name.startswith("JITFRAME_")}
    environment = kept | {"PYTHONPATH": str(ROOT), "JITFRAME_CACHE_DIR": str(tmp_path / "cache")}
    if named:
        environment["JITFRAME_CONFIG"] = str(path)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(path)],
        capture_output=True, text=True, env=environment, cwd=tmp_path if named else inner,
    )  # fmt: skip
    assert (done.returncode, done.stdout.strip()) == (0, "done"), done.stderr


def test_the_environment_goes_before_it(folder: Path) -> None:
    (folder / "pyproject.toml").write_text(PROJECT)
    file = project.configuration_file()
    found = read_settings({"JITFRAME_NUM_THREADS": "3", "JITFRAME_STRICT": "off"}, file)
    assert (found.num_threads, found.strict, found.simd) == (3, False, "sse2")


def test_which_file_it_is(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def found() -> project.ConfigurationFile | None:
        project.forget_file()
        return project.configuration_file()

    assert found() is None
    (folder / "pyproject.toml").write_text('[project]\ndependencies = ["jitframe"]\n[broken TOML')
    assert found() is None, "a file that does not speak of jitframe's settings is not read"
    for text in (
        "[tool.jitframe]\n",
        "[ tool . 'jitframe' ]",
        "tool.jitframe.strict = true",
        "[tool]\njitframe.strict=true",
    ):
        (folder / "pyproject.toml").write_text(text)
        file = found()
        assert file is not None and file.path == str(folder / "pyproject.toml"), text
    (folder / "own.toml").write_text("strict = true\n[cpu]\nthreads = 2\n")
    monkeypatch.setenv("JITFRAME_CONFIG", "own.toml")
    file = found()
    assert file is not None
    assert (file.path, file.table) == (str(folder / "own.toml"), {"strict": True, "cpu": {"threads": 2}})
    monkeypatch.setenv("JITFRAME_CONFIG", "off")
    assert found() is None
    monkeypatch.setenv("JITFRAME_CONFIG", "absent.toml")
    with pytest.raises(SettingError, match=r"absent\.toml cannot be read as TOML: "):
        found()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("colour = 1", "no setting is called 'colour'; there are cache, cache_dir, "),
        ("simd = 'off'", "no setting is called 'simd'; write it as cpu.simd; there are"),
        ("strict = 'perhaps'", "strict = 'perhaps': neither on nor off"),
        ("device = ['cpu']", "device = ['cpu'] is no setting's value"),
        ("cpu.thread = 1", "the backend cpu has no option 'thread'; there is simd, or threads"),
        ("cpu.threads = 0", "cpu.threads = 0: not a number of threads; write a whole number from 1 to 1024"),
    ],
)
def test_what_does_not_fit_is_an_error_that_names_the_file(folder: Path, text: str, said: str) -> None:
    path = folder / "pyproject.toml"
    path.write_text(f"[tool.jitframe]\n{text}\n")
    with pytest.raises(SettingError) as caught:
        read_settings({}, project.configuration_file())
    assert caught.value.message.startswith(f"{path}: ") and said in caught.value.message


def test_options_of_backends_are_checked_when_they_are_used(folder: Path) -> None:
    path = folder / "pyproject.toml"
    path.write_text("[tool.jitframe.opencl]\nspeed = 2\n")
    with pytest.raises(SettingError) as caught:
        jf.backends.configuration_of("opencl")
    assert (
        caught.value.message == f"the backend opencl has no option 'speed' ({path}); there are build_options"
    )
