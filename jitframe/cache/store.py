"""The kernels on disk as the compiler uses them: one file each, and no fault that reaches the caller."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from .folder import PLAN_SUFFIX, SUFFIX, FileRefused, Folder, FolderRefused
from .frame import FORMAT_VERSION, EntryError, assemble, read_image

if TYPE_CHECKING:
    from .entry import Entry

FOLDER_NAME = f"v{FORMAT_VERSION}"
MAXIMUM_ENTRY_BYTES = 1 << 28
_SWEEP_TO = 0.8
_FAULTS = (OSError, EntryError, FileRefused, FolderRefused)


class DiskStore:
    """Kernels below the folder `root`, at most `limit_bytes` of disk.

    `get` and `put` never raise for what the disk or other processes did: they report it to `on_fault` and act
    as if the kernel were not there.
    """

    def __init__(self, root: str, limit_bytes: int, on_fault: Callable[[str], None]) -> None:
        self.root = root
        self.limit_bytes = limit_bytes
        self._on_fault = on_fault
        self._folder: Folder | None = None
        self._refused = False

    def folder(self, *, create: bool = False) -> Folder:
        """Opens the folder of the files. Raises FileNotFoundError, FolderRefused, OSError."""
        if self._folder is None:
            self._folder = Folder(self.root, FOLDER_NAME, create=create)
        return self._folder

    def get(self, key_digest: bytes) -> tuple[bytes, int] | None:
        """(image, compile time in ns) of a kernel, or None."""
        return self._read(key_digest.hex() + SUFFIX, key_digest)

    def has(self, key_digest: bytes) -> bool:
        """Whether there is a file of a kernel, valid or damaged."""
        try:
            return not self._refused and self.folder().status(key_digest.hex() + SUFFIX) is not None
        except _FAULTS:
            return False

    def get_plan(self, key_digest: bytes) -> bytes | None:
        """Returns the data that `put_plan` stored, or None."""
        found = self._read(key_digest.hex() + PLAN_SUFFIX, key_digest)
        return None if found is None else found[0]

    def _read(self, name: str, key_digest: bytes) -> tuple[bytes, int] | None:
        if self._refused:
            return None
        try:
            return read_image(self.folder().read(name, MAXIMUM_ENTRY_BYTES, touch=True), key_digest)
        except FileNotFoundError:
            return None
        except _FAULTS as problem:
            self._report(problem, f"cannot read {name} in {self.root}")
            return None

    def put(self, entry: Entry) -> int:
        """Stores a kernel, replacing one of the same name; returns the bytes written, 0 where it could not be
        stored."""
        from .entry import (
            encode,
        )  # the writing half is loaded by the first miss: hits need neither json nor zlib

        if self._refused:
            return 0
        return self._write(entry.header.key.digest().hex() + SUFFIX, encode(entry))

    def put_plan(self, key_digest: bytes, data: bytes) -> None:
        """Stores a plan, replacing one of the same name; it is counted and swept like kernels."""
        if not self._refused:
            self._write(key_digest.hex() + PLAN_SUFFIX, assemble(b"", data, [], 0, key_digest))

    def _write(self, name: str, data: bytes) -> int:
        if len(data) > min(self.limit_bytes, MAXIMUM_ENTRY_BYTES):
            return 0
        try:
            try:
                used_bytes = self._publish(name, data)
            except FileNotFoundError:
                # The folder was removed while this process held it open.
                self._folder = None
                used_bytes = self._publish(name, data)
            if used_bytes > self.limit_bytes:
                from .sweep import sweep_unless_running  # takes 2 ms, where something was written

                sweep_unless_running(self.folder(create=True), int(self.limit_bytes * _SWEEP_TO))
        except _FAULTS as problem:
            self._report(problem, f"cannot write to {self.root}")
            return 0
        return len(data)

    def _publish(self, name: str, data: bytes) -> int:
        """Writes a file; returns the approximate bytes of disk that the store uses now."""
        from .ledger import account, temporary_name  # as above

        folder = self.folder(create=True)
        # Counted first, so that what a killed process leaves behind brings the next sweep nearer.
        used_bytes = account(folder, len(data))
        folder.publish(name, temporary_name(), data)
        return used_bytes

    def _report(self, problem: Exception, what: str) -> None:
        if isinstance(problem, FolderRefused):
            self._refused = True
            self._on_fault(str(problem))
            return
        reason = problem.strerror if isinstance(problem, OSError) and problem.strerror else str(problem)
        self._on_fault(f"{what}: {reason}")
