"""Memory, then disk, then compile; once at a time; counted, explained, safe with threads and fork."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path

import pytest

from jitframe import cache
from jitframe.cache.generator import KERNEL_SOURCES, generator_version, installed_version
from jitframe.cache.service import CompiledParts
from jitframe.errors import CacheError
from jitframe.settings import configure, restore
from tests.threads import at_once

from .kernels import GENERATOR, TARGET, Compiler, fresh_compiler, image_of, kernel_text


def test_compile_then_memory_then_disk(folder: Path) -> None:
    text = kernel_text(1)
    first = fresh_compiler(folder)
    assert first.image(text) == first.image(text) == image_of(text)
    assert first.compiled == 1
    counts = first.cache.statistics.snapshot()
    assert (counts["misses"], counts["compiled"], counts["memory_hits"], counts["disk_hits"]) == (1, 1, 1, 0)
    assert counts["bytes_written"] > 0
    second = fresh_compiler(folder)
    assert second.image(text) == second.image(text) == image_of(text)
    assert second.compiled == 0
    counts = second.cache.statistics.snapshot()
    assert (counts["misses"], counts["compiled"], counts["memory_hits"], counts["disk_hits"]) == (0, 0, 1, 1)
    assert counts["bytes_read"] == len(image_of(text))


def test_seconds_saved_is_the_compile_time_not_spent(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that goes on by a second where it is looked at, and by a minute where something compiles."""
    now_s = 0

    def clock_ns() -> int:
        nonlocal now_s
        now_s += 1
        return now_s * 1_000_000_000

    def slow() -> CompiledParts:
        nonlocal now_s
        now_s += 60
        return CompiledParts(b"image", "source")

    monkeypatch.setattr("jitframe.cache.service.time.perf_counter_ns", clock_ns)
    first = fresh_compiler(folder).cache
    first.lookup_or_compile("k", TARGET, {}, slow, generator=GENERATOR)
    assert first.statistics.snapshot()["seconds_compiling"] == 61
    second = fresh_compiler(folder).cache
    second.lookup_or_compile("k", TARGET, {}, slow, generator=GENERATOR)
    counts = second.statistics.snapshot()
    assert (counts["seconds_compiling"], counts["seconds_saved"]) == (0, 60)


def test_every_key_field_decides(folder: Path) -> None:
    one = fresh_compiler(folder)
    images = iter([b"0", b"1", b"2", b"3", b"4"])

    def look(text: str = "k", target: str = "t", generator: str = "g", **options: object) -> bytes:
        def compile() -> CompiledParts:
            return CompiledParts(next(images), "")

        return one.cache.lookup_or_compile(text, target, options, compile, generator=generator)

    calls = [{}, {"text": "l"}, {"target": "u"}, {"generator": "h"}, {"fastmath": True}]
    assert [look(**call) for call in calls] == [b"0", b"1", b"2", b"3", b"4"]
    assert [look(**call) for call in calls] == [b"0", b"1", b"2", b"3", b"4"]


def test_origin_and_name_are_no_part_of_the_key(folder: Path) -> None:
    one = fresh_compiler(folder)
    one.image("k", origin="a.py:1", name="a")
    one.image("k", origin="b.py:2", name="b")
    assert one.compiled == 1


def test_without_disk_kernels_stay_in_memory(folder: Path) -> None:
    one = fresh_compiler(folder, cache=False)
    assert one.image("k") == one.image("k")
    assert one.compiled == 1
    assert not folder.exists()
    assert fresh_compiler(folder, cache=False).cache.disk is None


def test_memory_is_bounded_and_what_it_dropped_comes_from_disk(folder: Path) -> None:
    one = fresh_compiler(folder)
    one.cache.memory.limit_bytes = 12_000
    for number in (0, 1, 0, 2):  # the third drops kernel 1, used least recently
        one.image(kernel_text(number))
    assert len(one.cache.memory) == 2
    one.image(kernel_text(0))
    assert one.cache.statistics.snapshot()["disk_hits"] == 0
    one.image(kernel_text(1))
    assert one.cache.statistics.snapshot()["disk_hits"] == 1
    assert one.compiled == 3


def test_what_the_compiler_raises_is_passed_on_and_nothing_is_kept(folder: Path) -> None:
    one = fresh_compiler(folder)

    def fail() -> CompiledParts:
        raise ZeroDivisionError("in the compiler")

    for _ in range(2):
        with pytest.raises(ZeroDivisionError, match="^in the compiler$"):
            one.cache.lookup_or_compile("k", TARGET, {}, fail, generator=GENERATOR)
    assert one.image("k") == image_of("k")
    assert one.cache.statistics.snapshot()["misses"] == 3


def test_threads_that_want_one_kernel_compile_it_once(folder: Path) -> None:
    one, count, results = fresh_compiler(folder), 8, []
    compiling, ready = [], threading.Barrier(count)

    def compile() -> CompiledParts:
        compiling.append(threading.get_ident())
        time.sleep(0.05)
        return CompiledParts(b"image", "")

    def ask() -> None:
        ready.wait()
        results.append(one.cache.lookup_or_compile("k", TARGET, {}, compile, generator=GENERATOR))

    at_once(lambda _: ask(), count)
    assert results == [b"image"] * count
    assert len(compiling) == 1
    counts = one.cache.statistics.snapshot()
    assert (counts["misses"], counts["compiled"], counts["memory_hits"]) == (1, 1, count - 1)


def test_a_waiting_thread_compiles_itself_when_the_first_fails(folder: Path) -> None:
    one, outcomes, begun = fresh_compiler(folder), [], threading.Event()

    def fail() -> CompiledParts:
        begun.set()
        time.sleep(0.05)
        raise ZeroDivisionError

    def first() -> None:
        with pytest.raises(ZeroDivisionError):
            one.cache.lookup_or_compile("k", TARGET, {}, fail, generator=GENERATOR)
        outcomes.append("failed")

    def second() -> None:
        begun.wait()
        outcomes.append(one.image("k"))

    at_once(lambda number: (first, second)[number](), 2)
    assert len(outcomes) == 2 and set(outcomes) == {"failed", image_of("k")}


def test_kernels_compile_side_by_side_and_one_within_another(folder: Path) -> None:
    one, both = fresh_compiler(folder), threading.Barrier(2, timeout=100)

    def compile(inner: str) -> CompiledParts:
        both.wait()  # passes only if the two compilations overlap
        return CompiledParts(one.image(inner), "")

    def ask(number: int) -> None:
        image = one.cache.lookup_or_compile(
            f"outer {number}", TARGET, {}, lambda: compile(f"inner {number}"), generator=GENERATOR
        )
        assert image == image_of(f"inner {number}")

    at_once(ask, 2)


def test_a_kernel_that_needs_itself_is_an_assertion_not_a_hang(folder: Path) -> None:
    one = fresh_compiler(folder)

    def compile() -> CompiledParts:
        return CompiledParts(one.image("k"), "")

    with pytest.raises(AssertionError, match="^compiling kernel '' needs the same kernel$"):
        one.cache.lookup_or_compile("k", TARGET, {}, compile, generator=GENERATOR)


@pytest.mark.more
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_child_forked_while_another_thread_compiles_does_not_wait_for_it(folder: Path) -> None:
    before = configure(cache_dir=str(folder))
    try:
        one, begun, release = Compiler(cache.kernel_cache()), threading.Event(), threading.Event()

        def compile() -> CompiledParts:
            begun.set()
            release.wait(200)
            return CompiledParts(image_of("k"), "")

        thread = threading.Thread(
            target=lambda: one.cache.lookup_or_compile("k", TARGET, {}, compile, generator=GENERATOR)
        )
        thread.start()
        assert begun.wait(100)
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore", DeprecationWarning
            )  # 3.12 and later: fork with threads is what is tested
            child = os.fork()
            if child == 0:
                signal.alarm(100)
                os._exit(0 if one.image("k") == image_of("k") else 1)
        _, status = os.waitpid(child, 0)
        release.set()
        thread.join()
        assert status == 0
    finally:
        restore(before)


def test_the_face_of_the_module(folder: Path) -> None:
    before = configure(cache_dir=str(folder))
    try:
        assert cache.path == folder
        assert cache.entries() == []
        assert cache.verify() == (0, [])
        assert cache.clear() == 0
        earlier = cache.stats()
        assert {
            "compiled",
            "memory_hits",
            "disk_hits",
            "misses",
            "seconds_compiling",
            "seconds_saved",
        } <= earlier.keys()
        one = Compiler(cache.kernel_cache())
        one.image(kernel_text(1), origin="a.py:1", name="k")
        one.image(kernel_text(2), origin="a.py:1", name="k")
        one.image(kernel_text(2), target="avx512", origin="a.py:1", name="k")
        assert cache.stats()["compiled"] - earlier["compiled"] == 3
        assert {entry.header.name for entry in cache.entries()} == {"k"}
        assert cache.verify() == (3, [])
        first, second, third = cache.why("k")
        assert (first.reason, first.nearest) == ("first time: the cache held no kernel like it", None)
        assert second.reason == f"the kernel's text differs from {first.key[:12]} of the same line"
        assert third.reason == f"the same kernel is there as {second.key[:12]}, but target differs"
        assert third.differing == (("target", "avx512", TARGET),)
        assert str(third) == f"k (a.py:1): {third.reason}"
        assert cache.why("another") == []
        assert cache.load(third.key).texts["kernel"] == kernel_text(2)
        with pytest.raises(CacheError, match="^the cache holds no kernel 'none'"):
            cache.load("none")
        assert cache.prune(4 * 4096).removed == 1
        assert cache.remove(cache.entries()[0].name)
        assert cache.clear() == 1
        assert cache.entries() == []
    finally:
        restore(before)


def test_asking_about_a_folder_that_cannot_be_trusted_is_an_error(folder: Path) -> None:
    folder.mkdir()
    folder.chmod(0o777)
    before = configure(cache_dir=str(folder))
    try:
        with pytest.raises(CacheError, match="^the kernel cache cannot be used: others have rights on"):
            cache.entries()
    finally:
        restore(before)


def test_settings_changed_later_are_followed(folder: Path, tmp_path: Path) -> None:
    before = configure(cache_dir=str(folder))
    try:
        assert cache.kernel_cache().folder == str(folder)
        configure(cache_dir=str(tmp_path / "other"))
        assert cache.kernel_cache().folder == str(tmp_path / "other")
        configure(cache=False)
        assert cache.kernel_cache().disk is None
        assert cache.entries() == []
    finally:
        restore(before)


def test_the_generators_version_knows_what_generators_rewrite_kernels_by() -> None:
    """The modules of `codegen/kernel` that they import, and those that these import."""
    package = Path(cache.__file__).parents[1] / "codegen"
    pending = [path for folder in ("llvm", "c_family", "math") for path in (package / folder).glob("*.py")]
    found: set[Path] = set()
    while pending:
        path = pending.pop()
        inside = path.parent.name == "kernel"
        pattern = r"^\s*from \.(\w+) import" if inside else r"^\s*from \.\.kernel\.(\w+) import"
        names = re.findall(pattern, path.read_text(), re.MULTILINE)
        new = {package / "kernel" / f"{name}.py" for name in names} - found
        found |= new
        pending += new
    assert {f"codegen/kernel/{path.name}" for path in found} == set(KERNEL_SOURCES)


@pytest.mark.more
def test_the_generators_version_changes_with_its_sources_and_with_nothing_else(tmp_path: Path) -> None:
    package = tmp_path / "jitframe"
    import shutil

    root = Path(cache.__file__).parents[1]
    for name in ("cache", "base", "ir"):
        shutil.copytree(root / name, package / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("errors.py", "settings.py"):
        shutil.copy(root / name, package / name)
    (package / "__init__.py").write_text("__version__ = '7'\n")
    sources = package / "codegen" / "llvm"
    sources.mkdir(parents=True)

    def version() -> str:
        code = "from jitframe.cache.generator import generator_version as g; print(g('codegen/llvm'))"
        environment = os.environ | {"PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run(
            [sys.executable, "-c", code],
            env=environment,
            cwd=tmp_path,
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()

    assert version() == "7", "a frozen application has no sources"
    (sources / "a.py").write_text("1")
    first = version()
    assert first.startswith("7+")
    (sources / "notes.txt").write_text("no source")
    os.utime(sources / "a.py", (5, 5))
    assert version() == first
    (sources / "a.py").write_text("2")
    second = version()
    (sources / "a.py").rename(sources / "b.py")
    assert len({first, second, version()}) == 3


def test_versions_without_importing() -> None:
    import importlib.metadata

    assert installed_version("llvmlite") == importlib.metadata.version("llvmlite")
    assert installed_version("ml-dtypes") == importlib.metadata.version("ml-dtypes")
    assert installed_version("no such package") == ""
    assert generator_version() == generator_version()


@pytest.mark.more
def test_a_warm_start_imports_none_of_the_slow_modules(folder: Path) -> None:
    fresh_compiler(folder).image("k")
    code = (
        "import sys, numpy\n"
        "before = set(sys.modules)\n"
        "from jitframe.cache.service import KernelCache\n"
        "from jitframe.settings import Settings\n"
        f"cache = KernelCache(Settings(cache_dir={str(folder)!r}))\n"
        f"image = cache.lookup_or_compile('k', {TARGET!r}, {{}}, None, generator={GENERATOR!r})\n"
        "assert cache.statistics.snapshot()['disk_hits'] == 1\n"
        "slow = {'json', 'zlib', 'hashlib', 'pathlib', 'tempfile', 'platformdirs', 'llvmlite'}\n"
        "print(sorted(slow & (set(sys.modules) - before)))\n"
    )
    root = Path(cache.__file__).parents[2]
    found = subprocess.run(
        [sys.executable, "-c", code],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(root)},
    )
    assert found.stdout.strip() == "[]"
