"""Whatever happens to the files: the right kernel, no exception, at most one warning."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
import time
import warnings
from pathlib import Path

import pytest

from jitframe.cache import inventory
from jitframe.cache.service import CompiledParts
from jitframe.cache.sweep import sweep
from jitframe.errors import CacheWarning

from .faults import AS_ROOT, assert_all_whole, filled, posix, start_child, use
from .kernels import GENERATOR, TARGET, entry_file, fresh_compiler, image_of, kernel_text

# --- damaged files


def test_an_entry_cut_short_anywhere_is_a_miss_and_is_mended(folder: Path) -> None:
    [text] = filled(folder)
    path = entry_file(folder, text)
    whole = path.read_bytes()
    for length in [*range(0, len(whole), 97), len(whole) - 1]:
        path.write_bytes(whole[:length])
        assert use(folder, [text], warned=1).compiled == 1
        assert use(folder, [text], warned=0).compiled == 0


def test_an_entry_with_bytes_added_is_a_miss(folder: Path) -> None:
    [text] = filled(folder)
    path = entry_file(folder, text)
    path.write_bytes(path.read_bytes() + b"\0")
    assert use(folder, [text], warned=1).compiled == 1


def test_an_entry_with_a_flipped_bit_is_a_miss(folder: Path) -> None:
    [text] = filled(folder)
    path = entry_file(folder, text)
    whole = path.read_bytes()
    bits = {*range(8 * 100), *range(0, 8 * len(whole), 61)}  # the whole prefix, and the rest in steps
    for bit in sorted(bits):
        damaged = bytearray(whole)
        damaged[bit // 8] ^= 1 << bit % 8
        path.write_bytes(damaged)
        one = fresh_compiler(folder)
        with pytest.warns(CacheWarning):
            assert one.image(text) == image_of(text)
        assert one.compiled == 1, f"bit {bit} was not noticed"


def test_many_damaged_entries_make_one_warning(folder: Path) -> None:
    texts = filled(folder, 5)
    for text in texts:
        entry_file(folder, text).write_bytes(b"JITFRAME")
    one = use(folder, texts, warned=1)
    assert one.compiled == 5
    assert one.cache.statistics.snapshot()["faults"] == 5


def test_the_warning_says_what_is_wrong_at_the_users_line(folder: Path) -> None:
    [text] = filled(folder)
    path = entry_file(folder, text)
    size = path.stat().st_size
    path.write_bytes(path.read_bytes()[:-1])
    one = fresh_compiler(folder)
    with pytest.warns(CacheWarning) as caught:
        one.image(text)
    [warning] = caught
    assert str(warning.message) == (
        f"the kernel cache is not used as it should be: cannot read {path.name} in {folder}: "
        f"it has {size - 1} bytes instead of {size}. "
        "Kernels are compiled anew where needed; results are not affected."
    )
    assert warning.filename.endswith(os.path.join("tests", "cache", "kernels.py"))


def test_a_warning_made_an_error_costs_no_kernel(folder: Path) -> None:
    [text] = filled(folder)
    entry_file(folder, text).write_bytes(b"")
    one = fresh_compiler(folder)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(CacheWarning):
            one.image(text)
        assert one.image(text) == image_of(text)
    assert one.compiled == 1


# --- something else in place of an entry


def test_another_cpus_entry_under_our_name_is_a_miss(folder: Path) -> None:
    text = kernel_text(1)
    other = fresh_compiler(folder)
    other.image(text, target="aarch64-linux neon")
    shutil.copy(entry_file(folder, text, "aarch64-linux neon"), entry_file(folder, text))
    one = use(folder, [text], warned=1)
    assert one.compiled == 1
    assert use(folder, [text], warned=0).compiled == 0


def test_another_cpus_entry_under_its_own_name_is_no_fault(folder: Path) -> None:
    text = kernel_text(1)
    fresh_compiler(folder).image(text, target="aarch64-linux neon")
    assert use(folder, [text], warned=0).compiled == 1


# --- a full disk


def test_a_disk_that_fills_up_while_writing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts, write, budget = [kernel_text(number) for number in range(4)], os.write, [2000]

    def short(descriptor: int, data: memoryview) -> int:
        if budget[0] == 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        part = data[: budget[0]]
        budget[0] -= len(part)
        return write(descriptor, part)

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", short)
        one = use(folder, texts, warned=1)
    assert one.compiled == 4
    assert [path.name for path in (folder / "v1").iterdir() if path.name.startswith(".new-")] == []
    assert_all_whole(folder, 0)
    assert use(folder, texts, warned=0).compiled == 4, "once there is room again, kernels are kept"
    assert_all_whole(folder, 4)


@pytest.mark.skipif(
    not AS_ROOT or not sys.platform.startswith("linux"), reason="mounting needs root on Linux"
)
def test_a_disk_that_is_really_full(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k,mode=700", "tmpfs", str(disk)],
        capture_output=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip(f"cannot mount here: {mounted.stderr.decode().strip()}")
    try:
        texts = [kernel_text(number) for number in range(30)]
        one = use(disk / "cache", texts, warned=1)
        assert one.compiled == 30
        again = use(disk / "cache", texts, warned=1)
        assert 0 < again.compiled < 30, "what fitted is there, what did not is not"
        (disk / "cache" / "v1" / ".ledger").unlink()
        assert use(disk / "cache", texts[:1], warned=0).compiled == 0
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=True)


# --- several processes, and their sudden end

WRITER = """
    import sys, warnings
    warnings.simplefilter("error")
    from pathlib import Path
    from tests.cache.kernels import entry_file, fresh_compiler, image_of, kernel_text
    folder, first, rounds = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    for turn in range(rounds):
        one = fresh_compiler(folder, cache_size=1 << int(sys.argv[4]))
        for number in range(first, first + 20):
            text = kernel_text(number)
            assert one.image(text) == image_of(text)
            if turn % 3 == 2:
                one.cache.disk.folder().remove(entry_file(folder, text).name)
    print("fine")
"""


@pytest.mark.parametrize(("firsts", "limit_bits"), [((0, 0), 30), ((0, 1000), 30), ((0, 10, 0), 20)])
def test_processes_at_once_on_the_same_and_on_other_keys(
    folder: Path, firsts: tuple[int, ...], limit_bits: int
) -> None:
    """The last case is small enough that sweeps run while others read and write."""
    limit = str(16 if limit_bits == 20 else limit_bits)
    children = [start_child(WRITER, str(folder), str(first), "12", limit) for first in firsts]
    for child in children:
        output, problems = child.communicate(timeout=300)
        assert (output.strip(), child.returncode) == ("fine", 0), problems
    _, damaged = inventory.verify(fresh_compiler(folder).cache.disk.folder())
    assert damaged == []
    assert all(not path.name.startswith(".new-") for path in (folder / "v1").iterdir())


DIES_AT = """
    import os, signal, sys
    from pathlib import Path
    from tests.cache.kernels import fresh_compiler, kernel_text
    moment, folder = sys.argv[1], Path(sys.argv[2])
    def die(*ignored, **named):
        os.kill(os.getpid(), signal.SIGKILL)
    write = os.write
    def write_half(descriptor, data):
        if len(data) < 100:
            return write(descriptor, data)
        write(descriptor, data[: len(data) // 2])
        die()
    if moment == "half written":
        os.write = write_half
    elif moment == "before renaming":
        os.replace = die
    elif moment == "before writing":
        os.write = die
    fresh_compiler(folder).image(kernel_text(1))
"""


@posix
@pytest.mark.parametrize("moment", ["before writing", "half written", "before renaming"])
def test_a_process_killed_at_a_chosen_moment_leaves_no_half_kernel(folder: Path, moment: str) -> None:
    child = start_child(DIES_AT, moment, str(folder))
    child.communicate(timeout=300)
    assert child.returncode == -9
    left = [path for path in (folder / "v1").iterdir() if path.name.startswith(".new-")]
    assert len(left) == (0 if moment == "before writing" else 1)
    assert_all_whole(folder, 0)
    assert use(folder, [kernel_text(1)], warned=0).compiled == 1
    assert use(folder, [kernel_text(1)], warned=0).compiled == 0
    for path in left:
        os.utime(path, (time.time() - 7200,) * 2)
    disk = fresh_compiler(folder).cache.disk
    assert disk is not None
    sweep(disk.folder(), 1 << 30)
    assert not any(path.exists() for path in left)


KILLED_WRITER = """
    import sys
    from pathlib import Path
    from jitframe.cache.service import CompiledParts
    from tests.cache.kernels import GENERATOR, TARGET, entry_file, fresh_compiler, image_of, kernel_text
    print("writing", flush=True)
    while True:
        one = fresh_compiler(Path(sys.argv[1]))
        for number in range(6):
            text = kernel_text(number)
            one.cache.disk.folder(create=True).remove(entry_file(Path(), text).name)
            one.cache.lookup_or_compile(
                text, TARGET, {}, lambda: CompiledParts(image_of(text, TARGET, 400_000), ""),
                generator=GENERATOR,
            )
"""


@posix
@pytest.mark.parametrize("kills", [8, pytest.param(150, marks=pytest.mark.slow)])
def test_processes_killed_at_any_moment_leave_whole_kernels_only(folder: Path, kills: int) -> None:
    for turn in range(kills):
        child = start_child(KILLED_WRITER, str(folder))
        assert child.stdout is not None
        assert child.stdout.readline() == "writing\n", child.communicate()[1]
        time.sleep(0.005 + 0.0037 * (turn % 9))
        child.kill()
        child.communicate(timeout=300)
        disk = fresh_compiler(folder).cache.disk
        assert disk is not None
        whole, damaged = inventory.verify(disk.folder(create=True))
        assert damaged == []
        assert whole <= 6
    one = fresh_compiler(folder)
    for number in range(6):
        text = kernel_text(number)
        image = one.cache.lookup_or_compile(
            text,
            TARGET,
            {},
            lambda text=text: CompiledParts(image_of(text, TARGET, 400_000), ""),
            generator=GENERATOR,
        )
        assert image == image_of(text, TARGET, 400_000)
