"""An advisory lock on an open file that the system drops when its process ends, where the system has one."""

from __future__ import annotations

import sys

if sys.platform == "win32":
    import msvcrt

    def try_lock(descriptor: int) -> bool:
        """Take the lock without waiting; False where another process holds it."""
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def unlock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

else:

    def try_lock(descriptor: int) -> bool:
        """Take the lock without waiting; False where another process holds it.

        True as well where the file system has no locks: two sweeps at once only remove the same files twice.
        """
        import fcntl

        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            return True
        return True

    def unlock(descriptor: int) -> None:
        import fcntl

        try:
            fcntl.flock(descriptor, fcntl.LOCK_UN)
        except OSError:
            pass  # the lock was never there
