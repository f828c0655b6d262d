"""The disk store alone: what it keeps, what it removes, whom it trusts."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jitframe.cache import inventory
from jitframe.cache.entry import Entry, new_entry
from jitframe.cache.folder import SUFFIX, Folder, FolderRefused
from jitframe.cache.key import make_key
from jitframe.cache.ledger import LEDGER
from jitframe.cache.store import DiskStore
from jitframe.cache.sweep import sweep
from tests.work import calls

HOUR_S = 3600


def entry(number: int, image_bytes: int = 3000) -> Entry:
    image = number.to_bytes(4, "little") * (image_bytes // 4)
    return new_entry(
        make_key(f"kernel {number}", "1", "cpu"), f"k{number}", "a.py:1", 1000, image, {"kernel": "k"}, number
    )


def name(one: Entry) -> str:
    return one.header.key.digest().hex()


@pytest.fixture
def faults() -> list[str]:
    return []


@pytest.fixture
def store(folder: Path, faults: list[str]) -> DiskStore:
    return DiskStore(str(folder), 1 << 30, faults.append)


def use_time(folder: Path, one: Entry, unix_s: float) -> None:
    os.utime(folder / "v1" / (name(one) + SUFFIX), (unix_s, unix_s))


def test_what_was_put_is_got(store: DiskStore, folder: Path, faults: list[str]) -> None:
    one = entry(1)
    assert store.get(one.header.key.digest()) is None
    assert not folder.exists(), "looking makes no folder"
    written = store.put(one)
    assert written == (folder / "v1" / (name(one) + SUFFIX)).stat().st_size
    assert store.get(one.header.key.digest()) == (one.image, 1000)
    assert inventory.load(store.folder(), name(one)) == one
    assert faults == []


def test_folders_and_files_are_the_owners_alone(store: DiskStore, folder: Path) -> None:
    before = os.umask(0)
    try:
        store.put(entry(1))
    finally:
        os.umask(before)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / "v1").stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in (folder / "v1").iterdir()} == {0o600}


def test_nothing_but_entries_and_the_ledger_stays(store: DiskStore, folder: Path) -> None:
    store.put(entry(1))
    store.put(entry(1))
    assert sorted(path.name for path in (folder / "v1").iterdir()) == sorted(
        [LEDGER, name(entry(1)) + SUFFIX]
    )


def test_listing_is_by_last_use(store: DiskStore, folder: Path) -> None:
    entries = [entry(number) for number in range(3)]
    now = time.time()
    for one, age_s in zip(entries, (50, 10, 90), strict=True):
        store.put(one)
        use_time(folder, one, now - age_s)
    listed = inventory.entries(store.folder())
    assert [one.header.name for one in listed] == ["k1", "k0", "k2"]
    assert [one.header for one in listed] == [entries[1].header, entries[0].header, entries[2].header]


def test_a_hit_renews_a_time_of_use_older_than_an_hour_only(store: DiskStore, folder: Path) -> None:
    old, recent, now = entry(1), entry(2), time.time()
    for one, age_s in ((old, 2 * HOUR_S), (recent, HOUR_S / 2)):
        store.put(one)
        use_time(folder, one, now - age_s)
        store.get(one.header.key.digest())
    used = {one.header.name: one.used_s for one in inventory.entries(store.folder())}
    assert abs(used["k1"] - now) < 60
    assert abs(used["k2"] - (now - HOUR_S / 2)) < 60


def test_the_bound_is_kept_and_the_least_recently_used_goes_first(folder: Path, faults: list[str]) -> None:
    limit_bytes = 20 * 4096
    store = DiskStore(str(folder), limit_bytes, faults.append)
    now = time.time()
    kept_in_use = entry(0)
    for number in range(60):
        store.put(entry(number))
        use_time(folder, entry(number), now - 1000 + number)
        use_time(folder, kept_in_use, now)
        disk_bytes = sum(4096 for path in (folder / "v1").glob(f"*{SUFFIX}"))
        assert disk_bytes <= limit_bytes
    left = {one.header.name for one in inventory.entries(store.folder())}
    assert "k0" in left
    assert "k59" in left
    assert "k1" not in left
    assert len(left) >= 14, "a sweep goes down to four fifths, not further"
    assert faults == []


def test_a_sweep_goes_to_four_fifths(folder: Path, faults: list[str]) -> None:
    store = DiskStore(str(folder), 20 * 4096, faults.append)
    for number in range(21):
        store.put(entry(number))
    assert len(inventory.names(store.folder())) == 16
    assert (folder / "v1" / LEDGER).stat().st_size == 16


def test_a_lost_ledger_is_rebuilt_from_what_is_there(store: DiskStore, folder: Path) -> None:
    for number in range(5):
        store.put(entry(number, image_bytes=6000))
    (folder / "v1" / LEDGER).unlink()
    store.put(entry(5, image_bytes=6000))
    assert (folder / "v1" / LEDGER).stat().st_size == 6 * 2


def test_sweeping_removes_abandoned_files_but_not_those_being_written(store: DiskStore, folder: Path) -> None:
    store.put(entry(1))
    abandoned, fresh = folder / "v1" / ".new-1-a", folder / "v1" / ".new-2-b"
    for path in (abandoned, fresh):
        path.write_bytes(b"half a kernel")
    os.utime(abandoned, (time.time() - 2 * HOUR_S,) * 2)
    result = sweep(store.folder(), 1 << 30)
    assert (result.removed, result.kept) == (0, 1)
    assert not abandoned.exists()
    assert fresh.exists()


def test_a_sweep_in_progress_is_left_alone(folder: Path, faults: list[str]) -> None:
    fcntl = pytest.importorskip("fcntl")
    store = DiskStore(str(folder), 4 * 4096, faults.append)
    store.put(entry(0))
    with open(folder / "v1" / ".sweeping", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for number in range(8):
            store.put(entry(number))
        assert len(inventory.names(store.folder())) == 8
    store.put(entry(9))
    assert len(inventory.names(store.folder())) == 3
    assert faults == []


def test_an_entry_larger_than_the_bound_is_not_kept(folder: Path, faults: list[str]) -> None:
    store = DiskStore(str(folder), 1 << 20, faults.append)
    assert store.put(entry(1, image_bytes=(1 << 20) + 4)) == 0
    assert faults == []
    assert not folder.exists()


def test_clear_and_remove(store: DiskStore, folder: Path) -> None:
    for number in range(3):
        store.put(entry(number))
    assert inventory.remove(store.folder(), name(entry(0)))
    assert not inventory.remove(store.folder(), name(entry(0)))
    (folder / "v1" / "somebody's notes").touch()
    assert inventory.clear(store.folder()) == 2
    assert [path.name for path in (folder / "v1").iterdir()] == ["somebody's notes"]


def test_a_folder_removed_meanwhile_is_made_again(store: DiskStore, folder: Path, faults: list[str]) -> None:
    import shutil

    store.put(entry(1))
    shutil.rmtree(folder)
    assert store.get(entry(1).header.key.digest()) is None
    assert store.put(entry(1)) > 0
    assert store.get(entry(1).header.key.digest()) is not None
    assert faults == []


@pytest.mark.parametrize("mode", [0o770, 0o702, 0o777])
def test_a_root_that_others_may_write_to_is_refused(folder: Path, mode: int) -> None:
    folder.mkdir()
    folder.chmod(mode)
    message = (
        f"^others have rights on {folder} \\(mode {mode:o}\\); take them away \\(chmod go-w '{folder}'\\) "
        "or set JITFRAME_CACHE_DIR to a folder of your own$"
    )
    with pytest.raises(FolderRefused, match=message):
        Folder(str(folder), "v1", create=True)
    assert list(folder.iterdir()) == []


def test_a_root_that_others_may_only_read_will_do(folder: Path) -> None:
    folder.mkdir(mode=0o755)
    folder.chmod(0o755)
    Folder(str(folder), "v1", create=True).close()
    assert (folder / "v1").stat().st_mode & 0o777 == 0o700
    assert folder.stat().st_mode & 0o777 == 0o755, "the user's folder keeps its rights"


@pytest.mark.parametrize("which", ["root", "inner"])
def test_a_link_in_place_of_the_folder_is_refused(folder: Path, tmp_path: Path, which: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    link = folder if which == "root" else folder / "v1"
    link.parent.mkdir(mode=0o700, exist_ok=True)
    link.symlink_to(elsewhere)
    message = f"^{link} is a symbolic link; set JITFRAME_CACHE_DIR to the folder itself \\({elsewhere}\\)$"
    for by_descriptor in (True, False):
        with pytest.raises(FolderRefused, match=message):
            Folder(str(folder), "v1", create=True, by_descriptor=by_descriptor)
    assert list(elsewhere.iterdir()) == []


def test_the_portable_folder_does_the_same(folder: Path) -> None:
    """What runs where directories cannot be held open (Windows)."""
    with pytest.raises(FileNotFoundError):
        Folder(str(folder), "v1", create=False, by_descriptor=False)
    plain = Folder(str(folder), "v1", create=True, by_descriptor=False)
    plain.publish("a.kernel", ".new-1", b"one")
    plain.publish("a.kernel", ".new-2", b"two")
    assert plain.read("a.kernel", 100, touch=True) == b"two"
    assert plain.append("ledger", b"12", create=True) == 2
    assert plain.append("ledger", b"3", create=False) == 3
    with pytest.raises(FileNotFoundError):
        plain.append("none", b"", create=False)
    assert sorted(plain.names()) == ["a.kernel", "ledger"]
    status = plain.status("a.kernel")
    assert status is not None
    assert status.st_size == 3
    assert plain.remove("a.kernel")
    assert not plain.remove("a.kernel")
    assert plain.status("a.kernel") is None


def test_a_warm_hit_asks_the_system_for_one_file(store: DiskStore, monkeypatch: pytest.MonkeyPatch) -> None:
    one = entry(1, image_bytes=10_000)
    store.put(one)
    key_digest = one.header.key.digest()
    asked: list[str] = []

    def noted(function: Callable[..., Any]) -> Callable[..., Any]:
        def note(*arguments: Any, **named: Any) -> Any:
            asked.append(function.__name__)
            return function(*arguments, **named)

        return note

    for called in (
        "open",
        "read",
        "close",
        "fstat",
        "stat",
        "lstat",
        "scandir",
        "listdir",
        "utime",
        "replace",
    ):
        monkeypatch.setattr(os, called, noted(getattr(os, called)))
    assert store.get(key_digest) == (one.image, 1000)
    monkeypatch.undo()
    assert asked == ["open", "fstat", "read", "close"]
    # Checking it is a digest of C and a few steps, not a parser.
    assert calls(lambda: store.get(key_digest)) < 100
