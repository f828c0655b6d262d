"""Bounds of the native pool: limits, pressure, an application's allocator, and the errors of shortage."""

from __future__ import annotations

import atexit
import ctypes
from collections.abc import Callable
from typing import Any

import numpy

from ....base.locks import Local, if_free
from ....errors import OutOfMemoryError
from ...device import CPU
from ...handling import raise_handled
from ...memory import host_memory
from ...memory.allocators import refusal
from ...memory.holders import describe
from ...memory.pool import REMEDIES
from ..native_library.layout import read_word, write_word
from ..native_library.tables import NO_LIMIT
from . import room
from .runtime import runtime

_KEPT: dict[str, Any] = {}
"""The present callbacks of native code."""
_NOTED = Local()
"""The error of the application's allocator at this thread's last request."""
_ALLOCATORS: list[Any] = []
"""The functions of all allocators: their blocks are returned to them, however late."""


def set_limits(nbytes: int | None, buffers: int | None) -> None:
    """Bounds the bytes of live and kept buffers together, and the number of live ones; None is no limit.

    Kept ones are given back for it; beyond that requests fail.
    """
    _write("limit_bytes", NO_LIMIT if nbytes is None else nbytes)
    _write("limit_buffers", NO_LIMIT if buffers is None else buffers)
    runtime().trim(NO_LIMIT if nbytes is None else max(nbytes - _read("live_bytes"), 0))


def set_pressure(nbytes: int | None, tell: Callable[[], None] | None) -> None:
    """Sets `tell`, which is called after the run or request in which the live bytes exceeded this."""
    _write("pressure_bytes", NO_LIMIT if nbytes is None else nbytes)

    def told() -> None:
        assert tell is not None
        CPU.tell_later(tell)
        if if_free(CPU._using):  # else the user of the driver calls it afterwards
            CPU.tell()

    kept = None if tell is None else told
    write_word(runtime().library.field("python", "under_pressure"), 0 if kept is None else id(kept))
    _KEPT["under_pressure"] = kept


def tell_pressure() -> None:
    """Calls it now where that is due: native code does so after runs only. This thread may not be using the
    processor's driver."""
    kept = _KEPT.get("under_pressure")
    if kept is not None and _read("crossings"):
        _write("crossings", 0)
        kept()


def use_allocator(allocate: Callable[[int], int], release: Callable[[int], None]) -> None:
    """Takes new memory from an application's functions, which return addresses, 0 on failure, and may be
    called from any thread."""
    runtime().trim()
    taken = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_int64)(allocate)
    given = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(release)
    if not _ALLOCATORS:
        atexit.register(_outlive)
    _ALLOCATORS.append((taken, given))
    _write("release", ctypes.cast(given, ctypes.c_void_p).value or 0)
    _write("allocate", ctypes.cast(taken, ctypes.c_void_p).value or 0)


def note(problem: BaseException | None) -> None:
    """Records an allocator's error for the exception of the request, which native code raises later."""
    _NOTED.problem = problem


def own_allocator() -> None:
    """Takes new memory from the system again; blocks of an application's allocator are still returned
    there."""
    _write("allocate", 0)
    runtime().trim()


def _outlive() -> None:
    """Keeps blocks at interpreter shutdown, as arrays may be freed after Python's own functions are gone."""
    _write("allocate", 0)
    _write("kept_limit", NO_LIMIT)


def shortage() -> OutOfMemoryError:
    """Returns the error of a failed request, and counts it; its cause is the application allocator's
    exception. An interrupt in that is raised as it is."""
    noted = getattr(_NOTED, "problem", None)
    note(None)
    if noted is not None and not isinstance(noted, Exception):
        raise noted
    _write("failures", _read("failures") + 1)
    what, context = refused()
    if _read("allocate") and not {"max_bytes", "max_buffers"} & context.keys():  # no limit refused it
        problem = refusal("cpu", context["asked_bytes"], context["live_bytes"], noted)
    else:
        problem = OutOfMemoryError(what, device="cpu", context=context, suggestions=REMEDIES)
    if "total_bytes" in context:
        runtime().trim()  # the unwritten memory of the failed run
    describe(problem, CPU)
    return problem


def refused() -> tuple[str, dict[str, int]]:
    """Returns the failed request and the reason: as a sentence, and as facts."""
    asked, live, buffers = _read("refused"), _read("refused_live"), _read("refused_buffers")
    limit, most = _read("limit_bytes"), _read("limit_buffers")
    context = {"asked_bytes": asked, "live_bytes": live, "live_buffers": buffers}
    if buffers >= most:
        what = f"cpu may have {most:,} buffers (max_buffers), and has them; {asked:,} bytes are asked for"
        context["max_buffers"] = most
    elif live + block_bytes(asked) > limit:
        what = f"cpu may hold {limit:,} bytes (max_bytes), holds {live:,}, and {asked:,} more are asked for"
        context["max_bytes"] = limit
    elif _read("refused_for_room") and host_memory.group_room() is not None:
        free, total = host_memory.free_bytes(), host_memory.total_bytes()
        context["total_bytes"] = total
        what = (
            f"{asked:,} bytes are asked for, and of the {total:,} that this process may have (a limit of its "
            f"control group) {free:,} are left, {room.LEFT_BYTES:,} of them for Python's own objects"
        )
    else:
        what = f"{CPU.facts.title} has no memory for {asked:,} bytes: {live:,} bytes are in live arrays"
    return what, context


def limited_copy(array: numpy.ndarray) -> numpy.ndarray:
    """Returns a C-contiguous copy in memory of the pool. Raises OutOfMemoryError."""
    try:
        made = runtime().allocate(array.nbytes).into_ndarray(array.dtype, array.shape)
    except MemoryError:
        raise_handled(shortage())
    numpy.copyto(made, array)
    tell_pressure()
    return made


def block_bytes(nbytes: int) -> int:
    """Returns the size of the block for a request."""
    library = runtime().library
    number = library.function("size_class", ctypes.c_int64, ctypes.c_int64)(nbytes)
    return int(library.function("class_bytes", ctypes.c_int64, ctypes.c_int64)(number))


def live_bytes() -> int:
    return _read("live_bytes")


def _read(name: str) -> int:
    return read_word(runtime().library.field("pool", name))


def _write(name: str, value: int) -> None:
    write_word(runtime().library.field("pool", name), value)
