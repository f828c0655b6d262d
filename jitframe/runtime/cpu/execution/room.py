"""How much memory the native pool takes before it asks the system how much is free.

Where control groups bound the memory of a process, more than they leave is given without a word, and whoever
uses it is ended. So the pool takes a portion of the room at a time, and the room is measured anew for the
next one: NumPy's arrays and other processes of the group take of it too.
"""

from __future__ import annotations

from ...memory import host_memory
from ..native_library.layout import read_word, write_word
from ..native_library.tables import NO_LIMIT, kept_limit
from .runtime import runtime

_PORTION_BYTES = 16 << 20
LEFT_BYTES = 16 << 20
"""What the pool leaves to Python's own objects."""
_bound = False
"""Whether the pool knows that it keeps no more than its share of a smaller memory."""
_written = -1, 0, 0
"""When all blocks had last been written to: what was taken so far, what there was of blocks, and what the
process had in use."""


def was_missing() -> bool:
    """Whether the last request was refused because the machine must be asked."""
    return _read("refused_for_room") != 0


def is_given() -> bool:
    """Whether the machine has room for all that was refused since this was last asked.

    If so the pool may take it, and some more. Where no control group has a limit it may take anything: the
    system itself refuses what is too much.
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
    """What there is for several that want more together: some of them may fit."""
    left = host_memory.group_room()
    if left is not None and not is_given():
        _write("wanted_bytes", 0)
        _write("unasked_bytes", max(_unwritten_aside(left), 0))


def _unwritten_aside(left: int) -> int:
    """Bytes that the pool may take of those that are left: blocks that nobody has written to are not in use
    as yet. They are what the process did not grow by since all were written to, and no more than was taken
    since then."""
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
    """Bounds what the pool keeps by the smaller memory, unless the program has bounded it otherwise."""
    global _bound
    if not _bound:
        _bound = True
        if _read("kept_limit") == kept_limit():
            runtime().set_kept_limit(kept_limit(host_memory.total_bytes()))


def _read(name: str) -> int:
    return read_word(runtime().library.field("pool", name))


def _write(name: str, value: int) -> None:
    write_word(runtime().library.field("pool", name), value)
