"""Whatever happens to the files: the right kernel, no exception, at most one warning."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
import textwrap
import time
import warnings
from pathlib import Path

import pytest

from jitframe import cache
from jitframe.cache import inventory
from jitframe.cache.service import CompiledParts
from jitframe.cache.sweep import sweep
from jitframe.errors import CacheWarning

from .kernels import GENERATOR, TARGET, Compiler, entry_file, fresh_compiler, image_of, kernel_text

ROOT = Path(cache.__file__).parents[2]
AS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
NOBODY = 65534
posix = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="POSIX owners and rights")


def use(folder: Path, texts: list[str], warned: int) -> Compiler:
    """Ask a fresh cache twice for each kernel: every image must be right, and the number of warnings."""
    one = fresh_compiler(folder)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for text in texts * 2:
            assert one.image(text) == image_of(text)
    assert [each.category for each in caught] == [CacheWarning] * warned, [
        str(each.message) for each in caught
    ]
    return one


def filled(folder: Path, count: int = 1) -> list[str]:
    texts = [kernel_text(number) for number in range(count)]
    use(folder, texts, warned=0)
    return texts


def assert_all_whole(folder: Path, count: int) -> None:
    disk = fresh_compiler(folder).cache.disk
    assert disk is not None
    assert inventory.verify(disk.folder()) == (count, [])


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


@posix
def test_a_link_in_place_of_an_entry_is_a_miss_and_its_target_stays(folder: Path, tmp_path: Path) -> None:
    [text] = filled(folder)
    path, target = entry_file(folder, text), tmp_path / "target"
    path.rename(target)
    before = target.read_bytes()
    path.symlink_to(target)
    assert use(folder, [text], warned=1).compiled == 1
    assert target.read_bytes() == before
    assert not path.is_symlink()
    assert use(folder, [text], warned=0).compiled == 0


@posix
@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo], ids=["folder", "pipe"])
def test_a_folder_or_pipe_in_place_of_an_entry_is_a_miss(folder: Path, make) -> None:
    [text] = filled(folder)
    path = entry_file(folder, text)
    path.unlink()
    make(path)
    assert use(folder, [text], warned=1).compiled == 1


@posix
def test_an_entry_that_others_may_write_to_is_a_miss(folder: Path) -> None:
    [text] = filled(folder)
    entry_file(folder, text).chmod(0o622)
    assert use(folder, [text], warned=1).compiled == 1
    assert use(folder, [text], warned=0).compiled == 0


@pytest.mark.skipif(not AS_ROOT, reason="only root can give files away")
@pytest.mark.parametrize("which", ["entry", "inner", "root"])
def test_what_belongs_to_another_user_is_not_trusted(folder: Path, which: str) -> None:
    [text] = filled(folder)
    path = {"entry": entry_file(folder, text), "inner": folder / "v1", "root": folder}[which]
    os.chown(path, NOBODY, NOBODY)
    assert use(folder, [text], warned=1).compiled == 1


# --- the folder


@posix
@pytest.mark.parametrize("which", ["root", "inner"])
def test_a_link_in_place_of_the_folder_is_not_followed(folder: Path, tmp_path: Path, which: str) -> None:
    texts = filled(folder, 2)
    path, elsewhere = folder if which == "root" else folder / "v1", tmp_path / "elsewhere"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)
    before = sorted(elsewhere.rglob("*"))
    one = use(folder, [*texts, kernel_text(9)], warned=1)
    assert one.compiled == 3
    assert sorted(elsewhere.rglob("*")) == before


@posix
@pytest.mark.parametrize(("which", "mode"), [("root", 0o777), ("inner", 0o750), ("inner", 0o701)])
def test_a_folder_with_rights_for_others_is_not_used(folder: Path, which: str, mode: int) -> None:
    texts = filled(folder, 2)
    (folder if which == "root" else folder / "v1").chmod(mode)
    one = use(folder, texts, warned=1)
    assert one.compiled == 2
    assert one.cache.statistics.snapshot()["faults"] == 1, "the folder is asked once"


def test_a_file_in_place_of_the_folder(folder: Path) -> None:
    folder.write_text("not a folder")
    assert use(folder, [kernel_text(1), kernel_text(2)], warned=1).compiled == 2


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert use(tmp_path / "file" / "cache", [kernel_text(1)], warned=1).compiled == 1


READ_ONLY_CHILD = """
    import os, sys, warnings
    from pathlib import Path
    import jitframe.cache.entry  # all that is needed: another user may be unable to read this Python
    from tests.cache.kernels import fresh_compiler, image_of, kernel_text
    if os.geteuid() == 0:
        os.setgid(65534)
        os.setuid(65534)
    folder = Path(sys.argv[1])
    fresh_compiler(folder).image(kernel_text(1))
    os.chmod(folder / "v1", 0o500)
    for number, compiled, warned in ((1, 0, 0), (2, 1, 1)):
        one = fresh_compiler(folder)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            for _ in range(2):
                one.cache.memory.clear()
                assert one.image(kernel_text(number)) == image_of(kernel_text(number))
            one.image(kernel_text(number))
        assert one.compiled == compiled * 2, (number, one.compiled)
        assert len(caught) == warned, [str(each.message) for each in caught]
    assert "Permission denied" in str(caught[0].message), str(caught[0].message)
    os.chmod(folder / "v1", 0o700)
    print("fine")
"""


@posix
def test_a_read_only_folder_gives_its_kernels_and_takes_none() -> None:
    """In a child that is not root, because root may write anywhere."""
    import tempfile

    with tempfile.TemporaryDirectory() as outer:
        os.chmod(outer, 0o755)
        own = Path(outer) / "own"
        own.mkdir()
        if AS_ROOT:
            os.chown(own, NOBODY, NOBODY)
        assert run_child(READ_ONLY_CHILD, str(own / "cache")) == "fine"


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


def start_child(code: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), *arguments],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run_child(code: str, *arguments: str) -> str:
    child = start_child(code, *arguments)
    output, problems = child.communicate(timeout=300)
    assert child.returncode == 0, problems
    return output.strip()
