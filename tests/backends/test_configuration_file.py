"""Configuration files hold for everything that reads settings or opens devices; projects may say less."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import jitframe as jf
from jitframe.base import project
from jitframe.errors import SettingError, SettingWarning
from jitframe.runtime.discovery.backend_entry import BackendEntry
from jitframe.runtime.discovery.built_in import BUILT_IN
from jitframe.runtime.discovery.configured import from_files
from jitframe.runtime.discovery.options import Option
from jitframe.settings import (
    NAMES,
    OWN_DEVICES,
    SETTINGS,
    Settings,
    configure,
    read_settings,
    restore,
    settings,
)

ROOT = Path(jf.__file__).parents[1]
PROJECT = """
[project]
name = "somebody's"

[tool.jitframe]
strict = true
trace_limit = 1234

[tool.jitframe.cpu]
threads = 1
simd = "sse2"

[tool.jitframe.webgpu]
limits = "default"
"""
USER = """
strict = true
trace_limit = 1234
cache_size = "100MB"

[cpu]
threads = 1
simd = "sse2"

[opencl]
build_options = "-DNOTHING=1"

[webgpu]
limits = "default"
"""
PROGRAM = """
import sys
import numpy as np
import jitframe as jf
from jitframe import settings
from jitframe.base import project

assert project._looked is None, "nothing is looked for on import"
assert jf.jit(lambda x: np.sqrt(x) + 1)(np.ones(5)).tolist() == [2] * 5

from jitframe.runtime.cpu.execution.runtime import runtime
from jitframe.runtime.cpu.kernels.target import host_target

record = settings.settings()
assert (record.strict, record.trace_limit) == (True, 1234)
assert runtime().threads == 1 and record.webgpu_limits == "default"
assert host_target().simd == "sse2", host_target()
path, is_project = sys.argv[1], sys.argv[2] == "project"
assert record.cache_size == (1 << 30 if is_project else 10**8)
for backend in (jf.backends.get("cpu"), jf.backends.init("cpu"), jf.backends.create("cpu")):
    made = backend.configuration
    assert (made.threads, made.source("threads"), made.source("simd")) == (1, path, path)
assert str(made) == f"cpu:\\n  simd     'sse2'  {path}\\n  threads  1       {path}"
if not is_project and jf.backends.is_available("opencl"):
    with jf.device("opencl"):
        x = jf.ones(3)
    assert (x * 2).tolist() == [2, 2, 2]
    shared = jf.backends.get("opencl")
    assert "-DNOTHING=1" in shared.device.driver.dialect.options
    assert shared.configuration.source("build_options") == path
assert ("" if is_project else "-DNOTHING=1") == jf.backends.configuration_of("opencl").build_options
print("done")
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The working folder, with nothing looked for; the user's own folders are in it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JITFRAME_CONFIG", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    project.forget_files()
    yield tmp_path
    project.forget_files()


def write_own(home: Path, text: str) -> Path:
    """The user's own file."""
    path = home / ".config" / "jitframe" / "config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def read() -> Settings:
    """The settings of the files there are now."""
    project.forget_files()
    return read_settings({}, project.configuration_files())


@pytest.mark.parametrize("where", ["project", "named", "own"])
def test_it_holds_for_jitted_functions_and_every_backend(tmp_path: Path, where: str) -> None:
    """A second for each, as each is a process that compiles."""
    inner = tmp_path / "inner"
    inner.mkdir()
    kept = {name: value for name, value in os.environ.items() if not name.startswith("JITFRAME_")}
    environment = kept | {"PYTHONPATH": str(ROOT), "JITFRAME_CACHE_DIR": str(tmp_path / "cache")}
    if where == "own":
        environment["XDG_CONFIG_HOME"] = str(tmp_path / ".config")
        path = write_own(tmp_path, USER)
    else:
        environment["XDG_CONFIG_HOME"] = str(tmp_path / "nothing")
        path = tmp_path / ("pyproject.toml" if where == "project" else "settings.toml")
        path.write_text(PROJECT if where == "project" else USER)
        if where == "named":
            environment["JITFRAME_CONFIG"] = str(path)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(path), where],
        capture_output=True, text=True, env=environment, cwd=inner,
    )  # fmt: skip
    assert (done.returncode, done.stdout.strip()) == (0, "done"), done.stderr


def test_the_environment_goes_before_the_project_and_that_before_the_users_own(folder: Path) -> None:
    (folder / "pyproject.toml").write_text(PROJECT)
    write_own(
        folder / "home",
        "trace_limit = 777\ncache = false\n[cpu]\nsimd = 'avx2'\n[opencl]\nbuild_options = '-w'",
    )
    found = read_settings(
        {"JITFRAME_NUM_THREADS": "3", "JITFRAME_STRICT": "off"}, project.configuration_files()
    )
    assert (found.num_threads, found.strict, found.simd) == (3, False, "sse2")
    assert (found.trace_limit, found.cache) == (1234, False)
    assert jf.backends.configuration_of("opencl").build_options == "-w"


# What a project may not say --------------------------------------------------------------------------------
GIVEN = {
    "cache": "true", "cache_dir": "'/tmp/kernels'", "cache_size": "'2GiB'", "simd": "'sse2'",
    "optimization_level": "0",
    "num_threads": "2", "device": "'opencl'", "strict": "true", "trace_limit": "1000",
    "webgpu_limits": "'default'", "compile_in_background": "false",
    "probe_seconds": "0",
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_project_sets_only_what_it_may(folder: Path, name: str) -> None:
    """Each setting that there is, as its record says it; the user's own file may set all of them."""
    setting = SETTINGS[name]
    line = f"{setting.key or name} = {GIVEN[name]}"
    (folder / "pyproject.toml").write_text(f"[tool.jitframe]\n{line}\n")
    if setting.by_project:
        assert read() != Settings() or name == "cache"
    else:
        with pytest.raises(SettingError) as caught:
            read()
        assert caught.value.message == (
            f"{folder / 'pyproject.toml'}: a project's file may not set {setting.key or name}, which is the "
            f"user's alone to choose; set JITFRAME_{name.upper()}, or write it in "
            f"{folder / 'home/.config/jitframe/config.toml'}"
        )
    (folder / "pyproject.toml").unlink()
    write_own(folder / "home", line)
    assert read() != Settings() or name == "cache"


def test_what_settings_and_options_say_of_projects_is_the_same() -> None:
    options = {f"{entry.name}.{option.name}": option for entry in BUILT_IN for option in entry.options}
    for name, setting in SETTINGS.items():
        if setting.key:
            assert options[setting.key].by_project == setting.by_project, name
            assert (
                options[setting.key].variable_for(setting.key.partition(".")[0]) == f"JITFRAME_{name.upper()}"
            )
    assert {key for key, option in options.items() if option.by_project} == {
        "cpu.simd", "cpu.threads", "webgpu.limits",
    }  # fmt: skip
    assert set(OWN_DEVICES) == {name for each in BUILT_IN for name in (each.name, *each.aliases)} | {"auto"}


def test_a_project_gives_no_options_to_a_devices_compiler(folder: Path) -> None:
    (folder / "pyproject.toml").write_text("[tool.jitframe.opencl]\nbuild_options = '-I/tmp/unpacked'\n")
    with pytest.raises(SettingError) as caught:
        jf.backends.configuration_of("opencl")
    assert caught.value.message == (
        f"{folder / 'pyproject.toml'}: a project's file may not set opencl.build_options, which is the "
        "user's alone to choose; set JITFRAME_OPENCL_BUILD_OPTIONS, or write it in "
        f"{folder / 'home/.config/jitframe/config.toml'}"
    )


def test_options_of_other_packages_are_the_users_unless_they_say_otherwise(folder: Path) -> None:
    entry = BackendEntry("abacus", 0, options=(Option("library", str), Option("beads", int, by_project=True)))
    (folder / "pyproject.toml").write_text("[tool.jitframe.abacus]\nbeads = 3\n")
    assert from_files(entry) == {"beads": (3, str(folder / "pyproject.toml"))}
    (folder / "pyproject.toml").write_text("[tool.jitframe.abacus]\nlibrary = './abacus.so'\n")
    project.forget_files()
    with pytest.raises(
        SettingError, match=r"a project's file may not set abacus\.library, which is the user's"
    ):
        from_files(entry)


def test_a_project_names_no_backend_of_other_packages(folder: Path) -> None:
    (folder / "pyproject.toml").write_text("[tool.jitframe]\ndevice = 'abacus:1'\n")
    with pytest.raises(
        SettingError, match="backends of other packages are code that is the user's alone to choose"
    ):
        read()
    (folder / "pyproject.toml").unlink()
    write_own(folder / "home", "device = 'abacus:1'")
    assert read().device == "abacus:1"


def test_no_code_of_a_cache_that_came_with_a_project_is_run(tmp_path: Path) -> None:
    """An unpacked archive with a cache, whose folders and files are the user's: nothing is read from it or
    written there, however a program is started. A second, as it is a process that compiles."""
    unpacked = tmp_path / "unpacked"
    unpacked.mkdir()
    (unpacked / "pyproject.toml").write_text(f"[tool.jitframe]\ncache_dir = '{unpacked}/cache'\n")
    kept = {name: value for name, value in os.environ.items() if not name.startswith("JITFRAME_")}
    done = subprocess.run(
        [sys.executable, "-c", "import numpy as np, jitframe as jf; jf.jit(lambda x: x + 1)(np.ones(3))"],
        capture_output=True, text=True, cwd=unpacked,
        env=kept | {"PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(tmp_path / "own")},
    )  # fmt: skip
    assert "may not set cache_dir" in done.stderr
    assert not (unpacked / "cache").exists()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away")
def test_another_users_file_is_passed_over_and_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = folder / "inner"
    inner.mkdir()
    monkeypatch.chdir(inner)
    (folder / "pyproject.toml").write_text("[tool.jitframe]\ntrace_limit = 200\n")
    strangers = inner / "pyproject.toml"
    strangers.write_text("[tool.jitframe]\ntrace_limit = 300\nnonsense = 1\n")
    os.chown(strangers, 12345, 12345)
    before = configure()
    try:
        restore(None)
        with pytest.warns(SettingWarning) as told:
            assert settings().trace_limit == 200
        assert [str(each.message) for each in told] == [
            f"{strangers} is not used: it belongs to user 12345, not to you (0); where you trust it, name it "
            "(JITFRAME_CONFIG)"
        ]
        assert told[0].filename == __file__
        strangers.write_text("[tool.other]\n[broken TOML")
        restore(None)
        assert settings().trace_limit == 200, "a file that is not about jitframe is nobody's business"
    finally:
        restore(before)


def test_a_file_that_everybody_may_write_to_is_passed_over(folder: Path) -> None:
    path = folder / "pyproject.toml"
    path.write_text("[tool.jitframe]\nstrict = true\n")
    path.chmod(0o666)
    assert read() == Settings()
    assert project.refused_files() == (
        f"{path} is not used: every user may write to it (mode 666); where you trust it, name it "
        "(JITFRAME_CONFIG)",
    )
    path.chmod(0o664)
    assert read().strict
    own = write_own(folder / "home", "cache = false")
    own.chmod(0o602)
    assert read().cache and project.refused_files()[0].startswith(
        f"{own} is not used: every user may write to it"
    )


def test_a_users_own_file_that_cannot_be_read_is_told(folder: Path) -> None:
    own = write_own(folder / "home", "cache = false")
    own.unlink()
    os.mkfifo(own)  # reading it would hang
    assert read() == Settings()
    assert project.refused_files() == (f"{own} is not used: it is no plain file",)
    own.unlink()
    own.write_bytes(b"#" * (1 << 20) + b"\n\n")
    assert read() == Settings()
    assert project.refused_files() == (f"{own} is not used: it is larger than 1,048,576 bytes",)


def test_paths_in_files_depend_on_no_working_folder(folder: Path) -> None:
    own = write_own(folder / "home", "cache_dir = 'kernels'")
    with pytest.raises(SettingError) as caught:
        read()
    assert caught.value.message == (
        f"{own}: cache_dir = 'kernels': relative; write an absolute path, or one that begins with ~/"
    )
    own.write_text("cache_dir = '~/kernels'")
    assert read().cache_dir == str(folder / "home" / "kernels")


def test_which_file_it_is(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def found() -> project.ConfigurationFile | None:
        project.forget_files()
        files = project.configuration_files()
        return files[0] if files else None

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
    monkeypatch.setenv("JITFRAME_CONFIG", "own.toml")
    for text in ("x = " + "[" * 5000, "x = 9" + "9" * 5000, "x = [0x1" + "0" * 4000 + "]", "\udcff"):
        (folder / "own.toml").write_text(text, errors="surrogateescape")
        with pytest.raises(SettingError, match=r"own\.toml cannot be read as TOML: "):
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
        read_settings({}, project.configuration_files())
    assert caught.value.message.startswith(f"{path}: ") and said in caught.value.message


def test_options_of_backends_are_checked_when_they_are_used(folder: Path) -> None:
    path = folder / "pyproject.toml"
    path.write_text("[tool.jitframe.opencl]\nspeed = 2\n")
    with pytest.raises(SettingError) as caught:
        jf.backends.configuration_of("opencl")
    assert (
        caught.value.message == f"the backend opencl has no option 'speed' ({path}); there is build_options"
    )
