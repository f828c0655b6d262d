"""Limits of the native pool under control groups: how much it allocates before it checks the free memory.

Where control groups bound the memory of a process, the kernel grants more than they allow, and kills the
process that uses it. So the pool allocates a portion of the free memory at a time, and measures again for the
next one: NumPy's arrays and other processes of the group use memory too.
"""

from __future__ import annotations

from ...memory import host_memory
from ..native_library.layout import read_word, write_word
from ..native_library.tables import NO_LIMIT, kept_limit
from .runtime import runtime

_PORTION_BYTES = 16 << 20
LEFT_BYTES = 16 << 20
"""Memory for Python's own objects."""
_bound = False
"""Whether the pool's limit of kept blocks is a share of the control group's memory."""
_written = -1, 0, 0
"""The state after the last run, when all blocks had been written to: bytes allocated, blocks in use, and
memory of the process."""


def was_missing() -> bool:
    """Whether the last request was refused because the free memory must be checked."""
    return _read("refused_for_room") != 0


def is_given() -> bool:
    """Whether the machine has room for all requests refused since the last check.

    If so the pool may allocate them, and some more. Where no control group has a limit it may allocate
    anything: the system itself refuses too much.
    """
    wanted = _read("wanted_bytes")
    if wanted <= _read("unasked_bytes"):  # another thread has asked for this one too
        return True
    left = host_memory.group_room()
    if left is None:
        _write("unasked_bytes", NO_LIMIT)
        return wanted <= host_memory.free_bytes()
    room = _unwritten_aside(left)
    if wanted > room:
        return False
    _write("wanted_bytes", 0)
    _write("unasked_bytes", min(wanted + _PORTION_BYTES, room))
    return True


def give_rest() -> None:
    """Returns the rest of the memory for several requests that exceed it together: some of them may fit."""
    left = host_memory.group_room()
    if left is not None and not is_given():
        _write("wanted_bytes", 0)
        _write("unasked_bytes", max(_unwritten_aside(left), 0))


def _unwritten_aside(left: int) -> int:
    """Returns how much of the remaining bytes the pool may allocate, as blocks that nothing has written to
    are not resident: the process did not grow by these since the last run, and no more than that was
    allocated since then."""
    global _written
    _keep_less()
    blocks, used = _read("live_bytes") + _read("kept_bytes"), host_memory.used_bytes()
    written = _read("written_bytes")
    fresh = _read("taken_bytes") - written
    if written != _written[0]:  # a run has ended
        _written = written, blocks - fresh, used
    unwritten = min(fresh, blocks - _written[1] - (used - _written[2]))
    return left - max(unwritten, 0) - LEFT_BYTES


def _keep_less() -> None:
    """Bounds the pool's kept blocks by the control group's memory, unless the program has set a bound."""
    global _bound
    if not _bound:
        _bound = True
        if _read("kept_limit") == kept_limit():
            runtime().set_kept_limit(kept_limit(host_memory.total_bytes()))


def _read(name: str) -> int:
    return read_word(runtime().library.field("pool", name))


def _write(name: str, value: int) -> None:
    write_word(runtime().library.field("pool", name), value)
