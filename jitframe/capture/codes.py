"""The cache of rewritten code, in memory and on disk: a new process neither reads nor writes syntax trees.

On disk it lies beside the kernels, as marshalled data in the same folder, under a digest of the function's
code, the text of its file, and what makes and runs code. Code of no file, as that of a notebook, is not kept
there: another process has it under another name.
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
"""So many functions are kept rewritten, the least recently used go first."""
HOOKS = "<hooks>"
"""The global name by which rewritten code reads the hooks."""
VALUE = "<value>"
"""The variable that has what the function returns."""
_WITHOUT_REFERENCES = 2
"""The version of marshalled data that is the same for equal code."""


def flag_of(name: str) -> str:
    """The name of the flag that says whether a variable is bound (see `assigned`)."""
    return f"<set {name}>"


class Captured(NamedTuple):
    """The rewritten code of a function."""

    code: types.CodeType | None
    """The rewritten code; None where it stays as it is."""
    reason: str = ""
    """Why it could not be rewritten; "" where there is nothing to rewrite."""


_known: OrderedDict[Any, Captured] = OrderedDict()


def captured_code(code: types.CodeType) -> Captured:
    """The rewritten code of a function, from memory, from disk, or made now."""
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
            # It runs as the machine code does that lies beside it, and is checked as that is.
            return Captured(*marshal.loads(data))
        except (ValueError, EOFError, TypeError):
            pass
    made = _made(code)
    disk.put_plan(key, marshal.dumps(tuple(made)))
    return made


def _made(code: types.CodeType) -> Captured:
    made: Captured = load("jitframe.capture.source").rewritten(code)  # with seven modules, 2 ms
    return made
