"""Fills the native state's tables: addresses of Python's, NumPy's and the system's functions.

x86-64 Linux was tested. macOS (condition variables in place of futexes) and Windows (WaitOnAddress, threads
made by Python) follow the same tables; condition variables and Python's threads were tested on Linux.
"""

from __future__ import annotations

import ctypes
import os
import platform
import sys
import time

from ....settings import settings
from ..machine_code.code_memory import MAP_FLAGS, PAGE_SIZE
from .described import native
from .layout import array_layout, numpy_functions, read_word, symbol_address, write_word

_FUTEX_NUMBERS = {"x86_64": 202, "aarch64": 98}
_HUGE_PAGE_ADVICE = 14
_COARSE_CLOCK = 6
_LARGEST_POOL = 4 << 30
_LAST_CACHE = "/sys/devices/system/cpu/cpu0/cache/index3/size"
_LEAST_STREAMED, _MOST_STREAMED = 8 << 20, 16 << 20
POOL_LIMITS = ("limit_bytes", "limit_buffers", "pressure_bytes")
NO_LIMIT = (1 << 63) - 1
UNASKED_BYTES = 64 << 20
"""Bytes of the first blocks, for which nobody asks whether the machine has room: starts need not wait for the
answer."""


def fill_tables(state: int) -> None:
    """Write every table of a zeroed state; raises RuntimeError where Python lacks a function it must have."""
    _fill_python(state + native.State.offset("python"))
    _fill_system(state + native.State.offset("system"))
    _fill_workers(state + native.State.offset("workers"), state + native.State.offset("system"))
    constants = {"kept_limit": kept_limit(), "unasked_bytes": UNASKED_BYTES} | dict.fromkeys(
        POOL_LIMITS, NO_LIMIT
    )
    for name, value in constants.items():
        write_word(state + native.State.offset(f"pool.{name}"), value)


def _fill_python(table: int) -> None:
    for name, offset in native.PythonTable.fields().items():
        if not name.startswith("Py"):
            continue
        address = symbol_address(ctypes.pythonapi, name)
        if address == 0:
            raise RuntimeError(f"this Python has no {name}")
        write_word(table + offset, address)
    layout = array_layout()
    for name, address in numpy_functions().items():
        write_word(table + native.PythonTable.offset(name), address)
    write_word(table + native.PythonTable.offset("array_element_size_offset"), layout.element_size_offset)
    write_word(table + native.PythonTable.offset("array_handler_offset"), layout.handler_offset)


def _system_libraries() -> list[ctypes.CDLL]:
    if sys.platform != "win32":
        return [ctypes.CDLL(None)]
    return [ctypes.CDLL(name) for name in ("msvcrt", "kernelbase")]


def _fill_system(table: int) -> None:
    libraries = _system_libraries()
    for name, offset in native.SystemTable.fields().items():
        found = (symbol_address(library, name) for library in libraries)
        write_word(table + offset, next((address for address in found if address), 0))
    values = {
        "map_flags": MAP_FLAGS,
        "huge_page_advice": _HUGE_PAGE_ADVICE if sys.platform.startswith("linux") else -1,
        "page_size": PAGE_SIZE,
        "clock": _clock(),
        "fine_clock": getattr(time, "CLOCK_MONOTONIC", 0),
        "signals_set": 3 if sys.platform == "darwin" else 2,
        "futex_number": _FUTEX_NUMBERS.get(platform.machine(), 0),
        "parking": _parking(table),
    }
    for name, value in values.items():
        write_word(table + native.SystemTable.offset(name), int(value))


def _clock() -> int:
    """The clock read between chunks: Linux has one that costs 5 ns and moves every few milliseconds."""
    return _COARSE_CLOCK if sys.platform.startswith("linux") else getattr(time, "CLOCK_MONOTONIC", 0)


def _parking(table: int) -> int:
    """How a worker sleeps here."""
    if sys.platform.startswith("linux") and platform.machine() in _FUTEX_NUMBERS:
        return int(native.PARK_FUTEX)
    if read_word(table + native.SystemTable.offset("pthread_cond_wait")):
        return int(native.PARK_CONDITION)
    return int(
        native.PARK_ADDRESS
        if read_word(table + native.SystemTable.offset("WaitOnAddress"))
        else native.PARK_NONE
    )


def _fill_workers(table: int, system: int) -> None:
    for word in range(16):
        write_word(table + native.Workers.offset("signals") + 8 * word, -1)
    reset_condition(table)
    threads = thread_count() - 1
    if read_word(system + native.SystemTable.offset("parking")) == native.PARK_NONE:
        threads = 0
    for name in ("wanted", "limit"):
        ctypes.c_int32.from_address(table + native.Workers.offset(name)).value = threads


def reset_condition(table: int) -> None:
    """Make the mutex and the condition new; a forked child may have inherited a locked one."""
    for field in ("mutex", "condition"):
        ctypes.memset(table + native.Workers.offset(field), 0, 128)
    if sys.platform == "win32":
        return
    library = ctypes.CDLL(None)
    library.pthread_mutex_init(ctypes.c_void_p(table + native.Workers.offset("mutex")), None)
    library.pthread_cond_init(ctypes.c_void_p(table + native.Workers.offset("condition")), None)


def thread_count() -> int:
    """The setting `num_threads`, else the processors that this process may use; at least 1."""
    wanted = settings().num_threads
    if wanted is not None:
        return wanted
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def stream_bytes() -> int:
    """Half of the last cache, at least 8 MiB and at most 16."""
    try:
        with open(_LAST_CACHE, "rb", buffering=0) as told:
            nbytes = size_in_bytes(told.read().decode().strip())
    except (OSError, ValueError):
        return _LEAST_STREAMED
    return min(max(nbytes // 2, _LEAST_STREAMED), _MOST_STREAMED)


def size_in_bytes(text: str) -> int:
    """Bytes from "48K", as the system tells the sizes of caches. Raises ValueError."""
    unit = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}.get(text[-1:], 0)
    return int(text[:-1]) * unit if unit else int(text)


def kept_limit(memory: int = 0) -> int:
    """How many bytes of unused buffers are kept: a quarter of the memory, 4 GiB at most."""
    try:
        memory = memory or os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        memory = 4 << 30
    return min(memory // 4, _LARGEST_POOL)
