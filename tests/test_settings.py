"""Settings: every variable read, checked, and named when it does not fit."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import platformdirs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jitframe import settings as module
from jitframe.base import folders
from jitframe.base.project import user_file
from jitframe.cache.service import CompiledParts, KernelCache
from jitframe.errors import CacheWarning, SettingError, SettingWarning
from jitframe.ir.record import replace
from jitframe.settings import Settings, configure, parse_size, read_settings, restore, settings


def test_nothing_set_is_the_default() -> None:
    assert read_settings({}) == Settings() == read_settings({"JITFRAME_SIMD": "", "JITFRAME_CACHE": "  "})
    assert Settings().cache_size == 1 << 30


@pytest.mark.parametrize(
    ("variable", "given", "field", "value"),
    [
        ("CACHE", "off", "cache", False),
        ("CACHE", "0", "cache", False),
        ("CACHE", "ON", "cache", True),
        ("CACHE_DIR", "/x/../cache", "cache_dir", "/cache"),
        ("CACHE_DIR", "~/kernels", "cache_dir", os.path.expanduser("~/kernels")),
        ("CACHE_SIZE", "500MB", "cache_size", 500_000_000),
        ("CACHE_SIZE", " 2 GiB ", "cache_size", 2 << 30),
        ("CACHE_SIZE", "1048576", "cache_size", 1 << 20),
        ("SIMD", "AVX2", "simd", "avx2"),
        ("SIMD", "off", "simd", "off"),
        ("OPTIMIZATION_LEVEL", "0", "optimization_level", 0),
        ("NUM_THREADS", "3", "num_threads", 3),
        ("DEVICE", "CUDA:1", "device", "cuda:1"),
        ("STRICT", "yes", "strict", True),
        ("WEBGPU_LIMITS", "Default", "webgpu_limits", "default"),
    ],
)
def test_a_value_that_fits(variable: str, given: str, field: str, value: object) -> None:
    assert read_settings({f"JITFRAME_{variable}": given}) == Settings(**{field: value})


NOT_A_SIZE = "is no size; write bytes or a unit, such as 500MB, 1GiB or 1048576"
NOT_THREADS = "not a number of threads; write a whole number from 1 to 1024"
NOT_A_DEVICE = "not a device name; write a name and perhaps a number, such as cpu, opencl or cuda:1"


@pytest.mark.parametrize(
    ("variable", "given", "reason"),
    [
        ("CACHE", "maybe", "neither on nor off; write on, off, 1 or 0"),
        ("CACHE_DIR", __file__, "this is a file; name a folder (it is made when missing)"),
        ("CACHE_SIZE", "lots", f"'lots' {NOT_A_SIZE}"),
        ("CACHE_SIZE", "-1GiB", f"'-1GiB' {NOT_A_SIZE}"),
        ("CACHE_SIZE", "1e9", f"'1e9' {NOT_A_SIZE}"),
        ("CACHE_SIZE", "9" * 400, f"'{'9' * 400}' {NOT_A_SIZE}"),
        (
            "CACHE_SIZE",
            "1kB",
            "smaller than 1MiB, the least that is useful; JITFRAME_CACHE=off turns the cache off",
        ),
        ("SIMD", "avx", "no such level; there are off, sse2, avx2, avx512"),
        ("OPTIMIZATION_LEVEL", "4", "no such level; there are 0, 1, 2, 3"),
        ("NUM_THREADS", "0", NOT_THREADS),
        ("NUM_THREADS", "-2", NOT_THREADS),
        ("NUM_THREADS", "1.5", NOT_THREADS),
        ("NUM_THREADS", "²", NOT_THREADS),
        ("NUM_THREADS", "1025", NOT_THREADS),
        ("DEVICE", "cuda:", NOT_A_DEVICE),
        ("DEVICE", "1", NOT_A_DEVICE),
        ("STRICT", "2", "neither on nor off; write on, off, 1 or 0"),
    ],
)
def test_a_value_that_does_not_fit_is_named_with_what_does(variable: str, given: str, reason: str) -> None:
    with pytest.raises(SettingError) as raised:
        read_settings({f"JITFRAME_{variable}": given})
    assert raised.value.message == f"JITFRAME_{variable}={given}: {reason}"
    assert isinstance(raised.value, ValueError)


@given(st.integers(0, 1 << 50), st.sampled_from([("", 1), ("KiB", 1 << 10), ("mb", 10**6), ("G", 1 << 30)]))
def test_sizes(number: int, unit: tuple[str, int]) -> None:
    assert parse_size(f"{number}{unit[0]}") == number * unit[1]


@pytest.mark.parametrize(
    ("text", "size"), [("1.5KiB", 1536), ("0.25 g", 1 << 28), ("2.0005kb", 2000), ("0", 0)]
)
def test_sizes_with_a_point(text: str, size: int) -> None:
    assert parse_size(text) == size


def test_configure_and_restore() -> None:
    before = configure(strict=True, num_threads=2)
    try:
        assert settings() == replace(before, strict=True, num_threads=2)
        configure(num_threads=None)
        assert settings().num_threads is None
        with pytest.raises(
            SettingError, match=r"^configure simd=mmx: no such level; there are off, sse2, avx2, avx512\n"
        ):
            configure(simd="mmx")
        with pytest.raises(
            SettingError, match=r"^configure\(cache=None\): this setting has no automatic choice\n"
        ):
            configure(cache=None)
        with pytest.raises(SettingError) as raised:
            configure(threads=3)
        assert raised.value.message == (
            "no setting is called 'threads'; perhaps num_threads; "
            "there are cache, cache_dir, cache_size, simd, optimization_level, num_threads, device, strict, "
            "trace_limit, webgpu_limits, compile_in_background, probe_seconds"
        )
        assert settings().simd == before.simd, "a refused change changes nothing"
    finally:
        restore(before)


def test_the_environment_is_read_at_first_use(monkeypatch: pytest.MonkeyPatch) -> None:
    before = configure()
    try:
        restore(None)
        monkeypatch.setenv("JITFRAME_NUM_THREADS", "7")
        assert settings().num_threads == 7
        monkeypatch.setenv("JITFRAME_NUM_THREADS", "8")
        assert settings().num_threads == 7
    finally:
        restore(before)


def test_a_variable_that_is_nearly_a_settings_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JITFRAME_THREADS", "1")
    monkeypatch.setenv("JITFRAME_ROCKET_SPEED", "7")
    before = configure()
    try:
        restore(None)
        with pytest.warns(SettingWarning) as told:
            settings()
        settings()  # a warning would be an error here
    finally:
        restore(before)
    assert [str(each.message) for each in told] == [
        "JITFRAME_THREADS sets nothing; is JITFRAME_NUM_THREADS meant?"
    ]


@pytest.mark.parametrize("cache_home", ["", "/elsewhere"])
def test_the_cache_folder_is_platformdirs(monkeypatch: pytest.MonkeyPatch, cache_home: str) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", cache_home)
    assert Settings().cache_folder() == platformdirs.user_cache_dir("jitframe", appauthor=False)
    assert Settings(cache_dir="/mine").cache_folder() == "/mine"


@pytest.fixture
def homeless(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The working folder of a user without HOME and without an entry in the list of users."""
    for name in ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "JITFRAME_CACHE_DIR", "JITFRAME_CONFIG"):
        monkeypatch.delenv(name, raising=False)

    def no_user(number: int) -> None:
        raise KeyError(f"getpwuid(): uid not found: {number}")

    monkeypatch.setattr("pwd.getpwuid", no_user)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_without_a_home_there_is_no_folder_and_one_warning(
    homeless: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for home in (None, "", "relative", "~"):
        if home is not None:
            monkeypatch.setenv("HOME", home)
        assert (folders.home_folder(), Settings().cache_folder(), user_file()) == (None, None, None)
        with pytest.raises(SettingError, match="no home folder is known for ~; write an absolute path"):
            read_settings({"JITFRAME_CACHE_DIR": "~/kernels"})
    kernels = KernelCache(Settings())
    with pytest.warns(CacheWarning, match="no home folder is known, and no other one is named; set HOME or"):
        kernels.lookup_or_compile("k", "t", {}, lambda: CompiledParts(b"image", ""))
    kernels.lookup_or_compile("l", "t", {}, lambda: CompiledParts(b"image", ""))  # no second warning
    assert kernels.disk is None
    assert list(homeless.iterdir()) == []
    with pytest.raises(SettingError, match="there is no user 'nobody-of-that-name'; write an absolute path"):
        read_settings({"JITFRAME_CACHE_DIR": "~nobody-of-that-name/kernels"})


def test_relative_base_folders_are_ignored(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As the XDG Base Directory Specification has it."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for relative in ("cache", "./cache", ".."):
        monkeypatch.setenv("XDG_CACHE_HOME", relative)
        monkeypatch.setenv("XDG_CONFIG_HOME", relative)
        assert Settings().cache_folder() == str(tmp_path / ".cache" / "jitframe")
        assert user_file() == str(tmp_path / ".config" / "jitframe" / "config.toml")


def test_a_relative_path_in_a_working_folder_that_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    reason = "it is relative, and the working folder is gone; write an absolute path"
    with pytest.raises(SettingError) as raised:
        read_settings({"JITFRAME_CACHE_DIR": "kernels"})
    assert raised.value.message == f"JITFRAME_CACHE_DIR=kernels: {reason}"
    monkeypatch.setenv("JITFRAME_CONFIG", "own.toml")
    before = configure()
    try:
        restore(None)
        with pytest.raises(SettingError) as raised:
            settings()
        assert raised.value.message == f"JITFRAME_CONFIG=own.toml: {reason}"
    finally:
        restore(before)


@pytest.mark.more
def test_importing_settings_is_light() -> None:
    code = (
        "import sys, numpy; before = set(sys.modules); import jitframe.settings; "
        "heavy = {'rich', 'typer', 'platformdirs', 'networkx', 'llvmlite', 'pathlib'}; "
        "print(sorted(heavy & (set(sys.modules) - before)))"
    )
    root = Path(module.__file__).parents[1]
    environment = os.environ | {"PYTHONPATH": str(root)}
    found = subprocess.run(
        [sys.executable, "-c", code], cwd=root, env=environment, check=True, capture_output=True, text=True
    )
    assert found.stdout.strip() == "[]"
