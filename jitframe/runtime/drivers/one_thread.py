"""Drivers of libraries that one thread calls: an interrupt in the middle of a call, or between two that
belong together, is a panic of the library, which ends the process."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from ...codegen.kernel.nodes import Kernel
from ..driver import MemoryStatistics
from ..executor import View
from .base import BaseDriver
from .sole_thread import sole_thread

T = TypeVar("T")


class OneThreadDriver(BaseDriver):
    """Hands each call to the library's thread. `at_once` hands it several in one errand: an errand costs as
    much as two or three launches."""

    library: str
    """Which thread: there is one for each library."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._freed: deque[Any] = deque()
        """What the pool gets before it is next asked."""

    def at_once(self, work: Callable[..., T], *arguments: Any) -> T:
        """Has several calls of this driver made as one, which no signal interrupts."""
        return sole_thread(self.library).call(work, *arguments)

    def checkpoint(self) -> None:
        """Between iterations of a plan's loops: ends work whose asker was interrupted."""
        sole_thread(self.library).checkpoint()

    def _do(self, doing: str, work: Callable[..., T], *arguments: Any) -> T:
        made: T = self.at_once(super()._do, doing, work, *arguments)
        return made

    # Memory -------------------------------------------------------------------------------------------
    def free(self, memory: Any) -> None:
        self._freed.append(memory)

    def statistics(self) -> MemoryStatistics:
        return self.at_once(self._statistics)

    def _statistics(self) -> MemoryStatistics:
        self._give_freed()
        return super().statistics()

    def trim(self) -> None:
        self._do("giving memory back", self._trim)

    def _trim(self) -> None:
        self._give_freed()
        self._pool.trim()

    def _take(self, nbytes: int) -> Any:
        self._give_freed()
        return super()._take(nbytes)

    def _give_freed(self) -> None:
        while self._freed:
            self._give(self._freed.popleft())

    # Kernels ------------------------------------------------------------------------------------------
    def compile(self, kernel: Kernel) -> Any:
        return self.at_once(super().compile, kernel)

    def launch(self, handle: Any, buffers: Sequence[View], values: bytes, groups: int) -> None:
        self.at_once(super().launch, handle, buffers, values, groups)

    def source(self, kernel: Kernel) -> str:
        return self.at_once(super().source, kernel)

    def assembly(self, kernel: Kernel) -> str:
        return self.at_once(super().assembly, kernel)
