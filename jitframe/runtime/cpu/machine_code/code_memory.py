"""Memory for code, as the system allows it. No page is ever writable and executable at once."""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from collections.abc import Callable
from functools import cache
from typing import IO

from ....errors import ExecutableMemoryError, OutOfMemoryError

# As the `mmap` module has them, which takes a fifth of a millisecond to load.
_READ, _WRITE, _EXECUTE = 1, 2, 4
_PRIVATE = 2
MAP_FLAGS = _PRIVATE | (0x1000 if sys.platform == "darwin" else 0x20)
"""Memory of nobody else's and of no file."""
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
    """The start of a new mapping. Raises OSError."""
    base = _system_library().mmap(None, nbytes, protection, flags, descriptor, 0)
    if base in (None, ctypes.c_void_p(-1).value):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return int(base)


def map_code(code: bytes) -> int:
    """The start of code that can be called; it stays there until the process ends.

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
    """Memory that is written to, then made executable. Raises OSError."""
    base = _map(nbytes, _READ | _WRITE, MAP_FLAGS, -1)
    ctypes.memmove(base, code, len(code))
    if _system_library().mprotect(base, nbytes, _READ | _EXECUTE):
        number = ctypes.get_errno()
        _system_library().munmap(base, nbytes)
        raise OSError(number, os.strerror(number))
    return base


def _map_file(make_file: Callable[[], IO[bytes]], code: bytes, nbytes: int) -> int:
    """A file that is mapped as libraries are, executable from the start. Raises OSError.

    It is what systems allow that refuse to make memory executable once it was writable: systemd's
    MemoryDenyWriteExecute, PR_SET_MDWE, SELinux without execmem.
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
    """Raises ExecutableMemoryError where the system refuses what LLVM's loader does without looking at the
    answer: its code would end the process when it is called."""
    if sys.platform == "win32":
        return
    try:
        base = _map_written(b"", PAGE_SIZE)
    except OSError as refused:
        raise _no_code_memory(PAGE_SIZE, refused) from refused
    _system_library().munmap(base, PAGE_SIZE)
