"""The cache of rewritten code, in memory and on disk: a new process neither reads nor writes syntax trees.

On disk it is marshalled data in the kernels' folder, under a digest of the function's code, the text of its
file, and the versions of the rewriter and of Python. Code without a file, such as that of a notebook, is not
stored, as another process has it under another name.
"""

from __future__ import annotations

import linecache
import marshal
import os
import sys
import types
from collections import OrderedDict
from typing import Any, NamedTuple

from ..base.importing import load
from ..cache.digest import digest
from ..cache.generator import sources_stamp
from ..cache.service import kernel_cache

KEPT = 512
"""The most rewritten functions in memory; the least recently used one is dropped first."""
HOOKS = "<hooks>"
"""The global name by which rewritten code reads the hooks."""
VALUE = "<value>"
"""The variable for the function's returned value."""
_WITHOUT_REFERENCES = 2
"""The version of marshalled data that is equal for equal code."""


def flag_of(name: str) -> str:
    """Returns the name of the flag whether a variable is bound (see `assigned`)."""
    return f"<set {name}>"


class Captured(NamedTuple):
    """The rewritten code of a function."""

    code: types.CodeType | None
    """The rewritten code; None where it stays as it is."""
    reason: str = ""
    """Why it could not be rewritten; "" where there is nothing to rewrite."""


_known: OrderedDict[Any, Captured] = OrderedDict()


def captured_code(code: types.CodeType) -> Captured:
    """Returns the rewritten code of a function, from memory, from disk, or made now."""
    key = (code, code.co_filename)
    found = _known.get(key)
    if found is None:
        found = _known[key] = _stored(code)
        while len(_known) > KEPT:
            _known.popitem(last=False)
    return found


def _stored(code: types.CodeType) -> Captured:
    """The rewritten code from disk; makes and stores it where it is missing."""
    disk, stamp = kernel_cache().disk, sources_stamp()
    if disk is None or not stamp or not os.path.isfile(code.co_filename):
        return _made(code)
    by = f"{stamp} {sys.version} {sys.flags.optimize}"
    text = "".join(linecache.getlines(code.co_filename))
    key = digest(marshal.dumps(code, _WITHOUT_REFERENCES), text.encode(), by.encode())
    data = disk.get_plan(key)
    if data is not None:
        try:
            # It runs like the machine code next to it, and is checked in the same way.
            return Captured(*marshal.loads(data))
        except (ValueError, EOFError, TypeError):
            pass
    made = _made(code)
    disk.put_plan(key, marshal.dumps(tuple(made)))
    return made


def _made(code: types.CodeType) -> Captured:
    made: Captured = load("jitframe.capture.source").rewritten(code)  # with seven modules, 2 ms
    return made
