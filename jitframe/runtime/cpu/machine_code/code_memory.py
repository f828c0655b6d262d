"""Memory for code, within the restrictions of the system. No page is ever writable and executable at once."""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from collections.abc import Callable
from functools import cache
from typing import IO

from ....errors import ExecutableMemoryError, OutOfMemoryError

# As in the `mmap` module, which takes a fifth of a millisecond to load.
_READ, _WRITE, _EXECUTE = 1, 2, 4
_PRIVATE = 2
MAP_FLAGS = _PRIVATE | (0x1000 if sys.platform == "darwin" else 0x20)
"""Private anonymous memory."""
PAGE_SIZE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


@cache
def _system_library() -> ctypes.CDLL:
    # Through ctypes rather than the mmap module: an mmap object would unmap the code when Python shuts down.
    library = ctypes.CDLL(None, use_errno=True)
    library.mmap.restype = ctypes.c_void_p
    library.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
    library.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    library.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    return library


def _map(nbytes: int, protection: int, flags: int, descriptor: int) -> int:
    """Returns the start of a new mapping. Raises OSError."""
    base = _system_library().mmap(None, nbytes, protection, flags, descriptor, 0)
    if base in (None, ctypes.c_void_p(-1).value):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return int(base)


def map_code(code: bytes) -> int:
    """Maps code, which stays until the process ends, and returns its start.

    Raises ExecutableMemoryError where the system refuses it, OutOfMemoryError where there is no memory.
    """
    nbytes = -(-max(len(code), 1) // PAGE_SIZE) * PAGE_SIZE
    try:
        return _map_written(code, nbytes)
    except OSError as problem:
        refused = problem
    for make_file in (_file_in_memory, _temporary_file) if refused.errno != errno.ENOMEM else ():
        try:
            return _map_file(make_file, code, nbytes)
        except OSError:
            continue
    raise _no_code_memory(nbytes, refused) from refused


def _map_written(code: bytes, nbytes: int) -> int:
    """Maps memory that is written, then made executable. Raises OSError."""
    base = _map(nbytes, _READ | _WRITE, MAP_FLAGS, -1)
    ctypes.memmove(base, code, len(code))
    if _system_library().mprotect(base, nbytes, _READ | _EXECUTE):
        number = ctypes.get_errno()
        _system_library().munmap(base, nbytes)
        raise OSError(number, os.strerror(number))
    return base


def _map_file(make_file: Callable[[], IO[bytes]], code: bytes, nbytes: int) -> int:
    """Maps a file like a library, executable from the start.

    Raises OSError. Some systems allow only this: systemd's MemoryDenyWriteExecute, PR_SET_MDWE, SELinux
    without execmem.
    """
    with make_file() as file:
        file.write(code)
        file.flush()
        return _map(nbytes, _READ | _EXECUTE, _PRIVATE, file.fileno())


def _file_in_memory() -> IO[bytes]:
    if not hasattr(os, "memfd_create"):
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    return open(os.memfd_create("jitframe-code"), "wb")


def _temporary_file() -> IO[bytes]:
    import tempfile  # where the system has no files in memory, or lets none be mapped so

    return tempfile.TemporaryFile()


def _no_code_memory(nbytes: int, refused: OSError) -> ExecutableMemoryError | OutOfMemoryError:
    context = {"asked_bytes": nbytes}
    if refused.errno == errno.ENOMEM:
        return OutOfMemoryError(
            f"there is no memory for {nbytes:,} bytes of code ({refused.strerror}), or no room in what the "
            "process may have of addresses",
            device="cpu",
            context=context,
            suggestions=("raise its limits (ulimit -v)", "end what else needs memory"),
        ).for_good()
    return ExecutableMemoryError(
        f"the system gives this process no memory for code ({refused.strerror}), and cpu runs compiled code",
        device="cpu",
        context=context,
        suggestions=(
            "allow it (in systemd's units MemoryDenyWriteExecute=no, with SELinux execmem, with seccomp mmap "
            "and mprotect with PROT_EXEC)",
            "compute on another device",
        ),
    )


@cache
def check_loaders() -> None:
    """Raises ExecutableMemoryError where the system refuses the calls of LLVM's loader, which ignores their
    failure: its code would crash the process."""
    if sys.platform == "win32":
        return
    try:
        base = _map_written(b"", PAGE_SIZE)
    except OSError as refused:
        raise _no_code_memory(PAGE_SIZE, refused) from refused
    _system_library().munmap(base, PAGE_SIZE)
