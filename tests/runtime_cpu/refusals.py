"""What hardened systems refuse a process, asked for by the process itself; it cannot be taken back.

`refuse("mdwe")` is Linux's own (PR_SET_MDWE, 6.3 and later); the others are filters of system calls (seccomp)
on x86-64, as systemd's MemoryDenyWriteExecute installs one. Run it in a child, with all libraries loaded that
Python needs.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import sys

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, PR_SET_MDWE = 38, 22, 65
MMAP, MPROTECT, PKEY_MPROTECT, MEMFD_CREATE = 9, 10, 329, 319
WRITE, EXECUTE = 2, 4
LOAD, AND, JUMP_IF_EQUAL, RETURN = 0x20, 0x54, 0x15, 0x06
ALLOW, ERRNO = 0x7FFF0000, 0x00050000

_ANYTHING = [(MMAP, EXECUTE), (MPROTECT, EXECUTE), (PKEY_MPROTECT, EXECUTE)]
_AFTER_WRITING = [(MMAP, WRITE | EXECUTE), *_ANYTHING[1:]]
FILTERS = {
    "after writing": _AFTER_WRITING,
    "after writing, and files in memory": [*_AFTER_WRITING, (MEMFD_CREATE, 0)],
    "anything": _ANYTHING,
}
"""System calls that are refused, each where its third argument has all of these bits."""


class _Instruction(ctypes.Structure):
    _fields_ = [
        ("code", ctypes.c_uint16),
        ("yes", ctypes.c_uint8),
        ("no", ctypes.c_uint8),
        ("k", ctypes.c_uint32),
    ]


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_uint16), ("instructions", ctypes.POINTER(_Instruction))]


def refuse(what: str) -> bool:
    """Whether this system can."""
    if not sys.platform.startswith("linux"):
        return False
    library = ctypes.CDLL(None)
    if what == "mdwe":
        return library.prctl(PR_SET_MDWE, ctypes.c_ulong(1), 0, 0, 0) == 0
    if platform.machine() != "x86_64":
        return False
    lines = [(LOAD, 0, 0, 0)]  # the number of the system call
    for number, bits in FILTERS[what]:
        lines += [
            (JUMP_IF_EQUAL, 0, 5, number),
            (LOAD, 0, 0, 16 + 8 * 2),
            (AND, 0, 0, bits),
            (JUMP_IF_EQUAL, 0, 1, bits),
            (RETURN, 0, 0, ERRNO | errno.EPERM),
            (LOAD, 0, 0, 0),
        ]
    lines.append((RETURN, 0, 0, ALLOW))
    program = _Program(len(lines), (_Instruction * len(lines))(*[_Instruction(*line) for line in lines]))
    if library.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        return False
    return library.prctl(PR_SET_SECCOMP, 2, ctypes.byref(program)) == 0
