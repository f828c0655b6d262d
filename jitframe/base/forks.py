"""Forks: what a fork waits for, and the state in which a forked child starts.

A child has the thread that forked and no other one: what another thread was in the middle of (a compilation,
an import) would stay so there. So threads of jitframe's own work within `inside`, and a fork waits until none
is; what threads of the program may be in the middle of is put in order by the functions that `in_child` is
given.

Python runs the handlers of signals between two byte codes of the main thread, those of a fork's hooks too,
and what a handler raises there is lost. So the hooks that wait are C functions, and no signal reaches the
thread that forks before the child is in order: it is delivered afterwards.
"""

from __future__ import annotations

import os
from collections.abc import Callable

_in_child: list[Callable[[], None]] = []


def in_child(call: Callable[[], None]) -> None:
    """Registers a function that runs in every forked child, before anything else."""
    _in_child.append(call)


def _order_child() -> None:
    for call in _in_child:
        call()


class _Nothing:
    """The lock of systems without forks, which waits for nothing."""

    def __enter__(self) -> None: ...

    def __exit__(self, *error: object) -> None: ...


nothing = inside = _Nothing()


def close() -> None:
    """Waits until no thread is `inside`, and lets no other one enter."""


"""A context that forks wait for. It is for threads that receive no signals, and not entered twice."""

if hasattr(os, "register_at_fork"):
    import ctypes
    from _signal import SIG_SETMASK  # type: ignore[import-not-found]
    from functools import partial

    _system = ctypes.CDLL(None)
    _BYTES = 256
    """More than any system's lock, attributes, or set of signals."""

    def _new_lock() -> ctypes.Array[ctypes.c_char]:
        """A lock that many threads inside share, or one that forks holds, which takes precedence over later
        ones where the system supports that."""
        lock, attributes = (ctypes.create_string_buffer(_BYTES) for _ in "12")
        _system.pthread_rwlockattr_init(attributes)
        if hasattr(_system, "pthread_rwlockattr_setkind_np"):
            _system.pthread_rwlockattr_setkind_np(attributes, 2)  # PREFER_WRITER_NONRECURSIVE
        _system.pthread_rwlock_init(lock, attributes)
        return lock

    _lock = _new_lock()
    _free = _lock.raw
    _all, _mask = (ctypes.create_string_buffer(_BYTES) for _ in "12")
    _system.sigfillset(_all)
    _restore = partial(_system.pthread_sigmask, SIG_SETMASK, _mask, None)

    class _Inside(_Nothing):
        def __enter__(self) -> None:
            _system.pthread_rwlock_rdlock(_lock)

        def __exit__(self, *error: object) -> None:
            _system.pthread_rwlock_unlock(_lock)

    inside = _Inside()

    def close() -> None:
        _system.pthread_rwlock_wrlock(_lock)

    # Hooks run in the reverse order before a fork: the lock is taken, then signals are blocked.
    os.register_at_fork(after_in_child=_order_child)
    os.register_at_fork(
        before=partial(_system.pthread_sigmask, SIG_SETMASK, _all, _mask),
        after_in_parent=_restore,
        after_in_child=_restore,
    )
    os.register_at_fork(
        before=partial(_system.pthread_rwlock_wrlock, _lock),
        after_in_parent=partial(_system.pthread_rwlock_unlock, _lock),
        after_in_child=partial(ctypes.memmove, _lock, _free, _BYTES),
    )
