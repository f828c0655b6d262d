"""A directory that only its owner can change, held open: names are resolved inside it, and links are never
followed.

On systems without directory descriptors (Windows) the same face works on plain paths, where the user's
profile already is private.
"""

from __future__ import annotations

import errno
import os
import stat
import time

_HAS_DIRECTORY_DESCRIPTORS = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_WRITE = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_NO_FILE_OF_OURS = frozenset({errno.ELOOP, errno.EISDIR, errno.ENXIO, errno.EACCES})
"""The errors of opening a file for writing where there is a link, a folder, a FIFO or a read-only file."""
_WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH
_ANY_RIGHT_OF_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_TOUCH_EVERY_S = 3600
SUFFIX = ".kernel"
PLAN_SUFFIX = ".plan"
ASIDE = ".aside-"
"""The prefix of folders that were moved away from a file's name."""


class FolderRefused(Exception):
    """A folder that cannot be trusted, and how to resolve that."""


class FileRefused(Exception):
    """A file that cannot be trusted, and why."""


class Folder:
    """`root/name`, both owned by the user; made when missing, with mode 0700, if `create`.

    Raises FileNotFoundError when it is missing and not to be made, FolderRefused when it cannot be trusted,
    and OSError for whatever the system says.
    """

    def __init__(
        self, root: str, name: str, *, create: bool, by_descriptor: bool = _HAS_DIRECTORY_DESCRIPTORS
    ) -> None:
        self.path = os.path.join(root, name)
        self._descriptor: int | None = None
        if not by_descriptor:
            self._open_by_path(root, create)
            return
        if create:
            try:
                os.makedirs(os.path.dirname(root), mode=0o700, exist_ok=True)
            except RecursionError:  # it calls itself for each folder
                raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG), root) from None
        outer = _open_directory(root, None, create, root)
        try:
            _require_owner(os.fstat(outer), root, _WRITABLE_BY_OTHERS, "chmod go-w")
            inner = _open_directory(name, outer, create, self.path)
        finally:
            os.close(outer)
        try:
            _require_owner(os.fstat(inner), self.path, _ANY_RIGHT_OF_OTHERS, "chmod go-rwx")
        except FolderRefused:
            os.close(inner)
            raise
        self._descriptor = inner

    def _open_by_path(self, root: str, create: bool) -> None:
        for path in (root, self.path):
            if os.path.islink(path):
                raise FolderRefused(_link_message(path))
            if create:
                os.makedirs(path, mode=0o700, exist_ok=True)
        if not os.path.isdir(self.path):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), self.path)

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def __del__(self) -> None:
        if getattr(self, "_descriptor", None) is not None:
            self.close()

    def read(self, name: str, maximum_bytes: int, *, touch: bool = False) -> bytes:
        """Reads the first `maximum_bytes` of one of jitframe's files; `touch` updates an access time older
        than an hour.

        Raises FileRefused when it is a link, no plain file, or could have been written by others.
        """
        try:
            descriptor = os.open(self._name(name), _READ, dir_fd=self._descriptor)
        except OSError as problem:
            if problem.errno == errno.ELOOP:
                raise FileRefused("it is a symbolic link") from None
            raise
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise FileRefused("it is no plain file")
            if self._descriptor is not None:
                if status.st_uid != os.geteuid():
                    raise FileRefused(f"it belongs to user {status.st_uid}")
                if status.st_mode & _WRITABLE_BY_OTHERS:
                    raise FileRefused(f"others may write to it (mode {stat.S_IMODE(status.st_mode):o})")
            data = os.read(descriptor, min(status.st_size, maximum_bytes))
            if touch and time.time() - status.st_mtime > _TOUCH_EVERY_S:
                self._touch(name, descriptor)
            return data
        finally:
            os.close(descriptor)

    def _touch(self, name: str, descriptor: int) -> None:
        try:
            os.utime(descriptor if os.utime in os.supports_fd else self._name(name))
        except OSError:
            pass  # on a read-only file system nothing is swept either

    def publish(self, name: str, temporary: str, data: bytes) -> None:
        """Writes `data` under a temporary name, then renames it atomically, replacing whatever was there."""
        descriptor = os.open(self._name(temporary), _CREATE, 0o600, dir_fd=self._descriptor)
        try:
            try:
                _write_all(descriptor, data)
            finally:
                os.close(descriptor)
            try:
                os.replace(self._name(temporary), self._name(name), **self._both())
            except (IsADirectoryError, PermissionError):
                self.vacate(name)
                os.replace(self._name(temporary), self._name(name), **self._both())
        except BaseException:
            self.remove(temporary)
            raise

    def append(self, name: str, data: bytes, *, create: bool) -> int:
        """Appends `data` to a file, and returns its new size. Raises FileNotFoundError if it is missing,
        FileRefused if it is no plain file or not writable."""
        descriptor = self._open_to_write(name, os.O_WRONLY | os.O_APPEND | (os.O_CREAT if create else 0))
        try:
            _write_all(descriptor, data)
            return os.fstat(descriptor).st_size
        finally:
            os.close(descriptor)

    def open_lock(self, name: str) -> int:
        """Opens a lock file, replacing whatever is in its place; the caller closes the descriptor."""
        flags = os.O_RDWR | os.O_CREAT
        try:
            return self._open_to_write(name, flags)
        except FileRefused:
            self.vacate(name)
            return self._open_to_write(name, flags)

    def _open_to_write(self, name: str, flags: int) -> int:
        try:
            descriptor = os.open(self._name(name), flags | _WRITE, 0o600, dir_fd=self._descriptor)
        except OSError as problem:
            if problem.errno in _NO_FILE_OF_OURS:
                raise FileRefused(f"it cannot be written to ({problem.strerror})") from None
            raise
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise FileRefused("it is no plain file")
        return descriptor

    def vacate(self, name: str) -> None:
        """Frees a name for one of jitframe's files: a folder that is not empty is moved aside, anything else
        is removed.

        The folder is the user's alone, and nothing but plain files is made in it."""
        if self.remove(name):
            return
        try:
            os.rmdir(self._name(name), dir_fd=self._descriptor)
        except FileNotFoundError:
            pass
        except OSError as problem:
            if problem.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                raise
            os.rename(self._name(name), self._name(f"{ASIDE}{os.urandom(6).hex()}"), **self._both())

    def remove(self, name: str) -> bool:
        """Removes a name; returns False if it does not exist or is a directory."""
        try:
            os.unlink(self._name(name), dir_fd=self._descriptor)
        except (FileNotFoundError, IsADirectoryError):
            return False
        except PermissionError:  # how some systems refuse to unlink a folder
            status = self.status(name)
            if status is None or stat.S_ISDIR(status.st_mode):
                return False
            raise
        return True

    def names(self) -> list[str]:
        return os.listdir(self._descriptor if self._descriptor is not None else self.path)

    def status(self, name: str) -> os.stat_result | None:
        """The status of a name itself, never of a link's target; None if it does not exist."""
        try:
            return os.stat(self._name(name), dir_fd=self._descriptor, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def _name(self, name: str) -> str:
        assert name and "/" not in name and "\\" not in name, name
        return name if self._descriptor is not None else os.path.join(self.path, name)

    def _both(self) -> dict[str, int]:
        if self._descriptor is None:
            return {}
        return {"src_dir_fd": self._descriptor, "dst_dir_fd": self._descriptor}


def _open_directory(name: str, parent: int | None, create: bool, path: str) -> int:
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
    for attempt in range(2):
        try:
            return os.open(name, flags, dir_fd=parent)
        except FileNotFoundError:
            if not create or attempt:
                raise
        except OSError as problem:
            if problem.errno in (errno.ELOOP, errno.ENOTDIR) and os.path.islink(path):
                raise FolderRefused(_link_message(path)) from None
            raise
        try:
            os.mkdir(name, 0o700, dir_fd=parent)
        except FileExistsError:
            continue  # another process was faster
    raise AssertionError("unreachable: the second attempt returns or raises")


def _require_owner(status: os.stat_result, path: str, forbidden: int, remedy: str) -> None:
    if status.st_uid != os.geteuid():
        raise FolderRefused(
            f"{path} belongs to user {status.st_uid}, not to you ({os.geteuid()}); "
            "set JITFRAME_CACHE_DIR to a folder of your own"
        )
    if status.st_mode & forbidden:
        raise FolderRefused(
            f"others have rights on {path} (mode {stat.S_IMODE(status.st_mode):o}); "
            f"take them away ({remedy} '{path}') or set JITFRAME_CACHE_DIR to a folder of your own"
        )


def _link_message(path: str) -> str:
    return (
        f"{path} is a symbolic link; set JITFRAME_CACHE_DIR to the folder itself ({os.path.realpath(path)})"
    )


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
