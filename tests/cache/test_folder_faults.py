"""Whatever is in the place of the cache's folders and files: the right kernel, at most one warning, and it
heals."""

from __future__ import annotations

import os
import warnings
from pathlib import Path

import pytest

from jitframe.cache import inventory
from jitframe.cache.folder import Folder
from jitframe.cache.ledger import LEDGER

from .faults import AS_ROOT, NOBODY, filled, posix, run_child_as_nobody, use
from .kernels import entry_file, fresh_compiler, image_of, kernel_text


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


def full_folder(path: Path) -> None:
    path.mkdir()
    (path / "somebody's").write_text("notes")


def link_to_elsewhere(path: Path) -> None:
    elsewhere = path.parents[2] / "elsewhere"
    elsewhere.write_bytes(b"12")
    path.symlink_to(elsewhere)


INTRUDERS = [Path.mkdir, full_folder, os.mkfifo, link_to_elsewhere]
NAMES = ["empty folder", "folder", "pipe", "link"]


@posix
@pytest.mark.parametrize("make", INTRUDERS, ids=NAMES)
def test_what_is_in_place_of_an_entry_is_a_miss_and_gives_way(folder: Path, make) -> None:
    [text] = filled(folder)
    path = entry_file(folder, text)
    path.unlink()
    make(path)
    assert use(folder, [text], warned=1).compiled == 1
    assert use(folder, [text], warned=0).compiled == 0
    kept = [each.read_text() for each in folder.rglob("somebody's")]
    assert kept == ["notes"] * (make is full_folder), "a folder is moved aside with what is in it"


@posix
@pytest.mark.parametrize("name", [LEDGER, ".sweeping"])
@pytest.mark.parametrize("make", INTRUDERS, ids=NAMES)
def test_what_is_in_place_of_the_ledger_or_the_lock_gives_way(folder: Path, make, name: str) -> None:
    """A pipe would hang whoever opens it to write, or read."""
    texts = filled(folder, 3)
    path = folder / "v1" / name
    path.unlink(missing_ok=True)
    make(path)
    one = fresh_compiler(folder, cache_size=1 << 20)
    assert one.cache.disk is not None
    one.cache.disk.limit_bytes = 5 * 4096  # so that a sweep is due
    texts += [kernel_text(number) for number in range(3, 6)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [one.image(text) for text in texts] == [image_of(text) for text in texts]
    assert one.cache.statistics.snapshot()["faults"] == 0
    assert (folder / "v1" / LEDGER).is_file() and not (folder / "v1" / LEDGER).is_symlink()
    assert len(inventory.names(one.cache.disk.folder())) < 6, "it was swept"
    assert [each.read_text() for each in folder.rglob("somebody's")] == ["notes"] * (make is full_folder)
    if make is link_to_elsewhere:
        assert (folder.parent / "elsewhere").read_bytes() == b"12", "a link is not followed"


READ_ONLY_LEDGER_CHILD = """
    import os, sys, warnings
    from pathlib import Path
    import jitframe.cache.entry  # all that is needed: another user may be unable to read this Python
    from tests.cache.kernels import fresh_compiler, image_of, kernel_text
    if os.geteuid() == 0:
        os.setgid(65534)
        os.setuid(65534)
    warnings.simplefilter("error")
    folder = Path(sys.argv[1])
    fresh_compiler(folder).image(kernel_text(1))
    os.chmod(folder / "v1" / ".ledger", 0o400)
    one = fresh_compiler(folder)
    assert one.image(kernel_text(2)) == image_of(kernel_text(2))
    assert one.cache.statistics.snapshot()["faults"] == 0
    assert (folder / "v1" / ".ledger").stat().st_mode & 0o777 == 0o600
    print("fine")
"""


@posix
def test_a_ledger_that_is_read_only_gives_way() -> None:
    assert run_child_as_nobody(READ_ONLY_LEDGER_CHILD) == "fine"


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
    assert run_child_as_nobody(READ_ONLY_CHILD) == "fine"


def test_a_path_of_more_folders_than_python_has_frames(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="File name too long"):
        Folder(str(tmp_path) + "/b" * 2500, "v1", create=True)
