"""Background compilation of plans, while a graph runs op by op.

A first call waits for milliseconds where it would wait for the compiler; later calls run op by op until the
plan exists. The results have the same bits.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from ..base.background import Task, at_end, begin, on_own_thread
from ..cache.service import kernel_cache
from ..ir.node import Node
from ..runtime import profiler_hook
from ..runtime.cpu.kernels.operation_kernels import make_operation_kernels, operation_kernels
from ..runtime.cpu.native_library.tables import thread_count
from ..settings import settings
from .evaluate import Ready
from .op_by_op import OpByOp, op_by_op


class Pending:
    """A plan that is compiled in the background, and its op-by-op form meanwhile."""

    def __init__(self, make: Callable[[], Ready], meanwhile: OpByOp | None) -> None:
        self.meanwhile = meanwhile
        """What computes the graph; None where Python answers the first call."""
        self.seconds = 0.0
        """The time to make the plan."""
        self._make = make
        self._task: Task[Ready] | None = None
        self.ask()

    def ask(self) -> None:
        """Starts the compilation where no task does it: the queue was full before, or this is a forked child,
        which lacks its parent's tasks."""
        if self._task is None or self._task.is_dropped:
            self._task = begin(self._timed)

    def _timed(self) -> Ready:
        start = time.perf_counter()
        try:
            return self._make()
        finally:
            self.seconds += time.perf_counter() - start

    @property
    def is_done(self) -> bool:
        return self._task is not None and self._task.is_done

    def wait(self) -> Ready:
        """Returns the plan after waiting, or makes it here where no task does. Raises the exceptions of
        that."""
        ready, task = None, self._task
        if task is not None:
            task.wait()
            ready = task.value
        if ready is None:
            ready = self._timed()
        kernel_cache().warn_once()
        return ready


def compiles_in_background() -> bool:
    """Whether plans may be made in the background: not where a profile is taken."""
    return settings().compile_in_background and profiler_hook.active is None and thread_count() > 1


def make_in_background(make: Callable[[], Ready], outputs: Sequence[Node], inputs: int) -> Pending | None:
    """Starts the background compilation of the plan of a graph with so many parameters; None where the graph
    has no op-by-op form, or the caller must see it compiled."""
    global _is_first
    if not compiles_in_background():
        return None
    if operation_kernels() is None:
        _is_first = True
        return None
    meanwhile = op_by_op(outputs, inputs)
    if meanwhile is None:
        return None
    return Pending(make, meanwhile)


_is_first = False
"""Whether no earlier process has stored the kernels of single operations."""


def _make_kernels() -> None:
    """Makes them for later processes, as this one waits for its compiler anyway."""
    if not _is_first or kernel_cache().disk is None or kernel_cache().statistics.snapshot()["faults"]:
        return  # a cache that kept nothing of this process will not keep these
    with suppress(OSError, RuntimeError):  # no room, or no thread: the next process will
        on_own_thread(make_operation_kernels)


at_end(_make_kernels)
