"""A fake device with several queues, which runs its work as late as possible, in each queue's order.

Work runs only when somebody waits for it, and no more of it than that needs. Work without a necessary
dependence on another queue then reads old bytes, and memory that was reused too early has the wrong ones: an
error that a real device shows now and then occurs here each time.
"""

from __future__ import annotations

import ctypes
import time
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ...base.locks import new_reentrant_lock
from ...codegen.plan.nodes import LibraryCall
from ...ir.record import fresh, mutable, record
from ...runtime.driver import DeviceFacts
from ...runtime.executor import View
from .driver import STALE, FakeDriver

if TYPE_CHECKING:
    from .faults import Faults


class _Queue(metaclass=mutable):
    """A queue with submitted work that is not done."""

    work: deque[Callable[[], Any]] = fresh(factory=deque)
    asked: int = 0
    done: int = 0
    problems: list[tuple[int, Exception]] = fresh(factory=list)
    """The errors, each with the number of its work."""


class _Point(metaclass=record):
    queue: _Queue
    number: int


class _Mark(metaclass=mutable):
    """An event that records its time when the queue reaches it."""

    point: _Point
    seconds: float = 0.0


class DelayedDriver(FakeDriver):
    """A driver of one such device (see `runtime.queued.QueueDriver`)."""

    def __init__(self, backend: Faults, number: int, facts: DeviceFacts) -> None:
        self._first = self._turn = _Queue()
        self._queues = [self._first]
        self._homes: dict[int, _Queue] = {}
        self._working = new_reentrant_lock()
        super().__init__(backend, number, facts)

    # Order --------------------------------------------------------------------------------------------
    def _later(self, work: Callable[[], Any]) -> _Point:
        with self._working:
            self._turn.work.append(work)
            self._turn.asked += 1
            return _Point(self._turn, self._turn.asked)

    def _do(self, point: _Point) -> None:
        """Runs the work before a point."""
        with self._working:
            queue = point.queue
            while queue.done < point.number:
                queue.done += 1
                queue.work.popleft()()

    def _fail_later(self, problem: Exception) -> None:
        self._turn.problems.append((self._turn.asked + 1, problem))

    def _told(self, point: _Point) -> None:
        """Raises the error of work before a point, once."""
        problems = point.queue.problems
        if problems and problems[0][0] <= point.number:
            raise problems.pop(0)[1]

    def _end(self, queue: _Queue) -> _Point:
        return _Point(queue, queue.asked)

    def open_queue(self) -> _Queue:
        queue = _Queue()
        self._queues.append(queue)
        return queue

    def close_queue(self, queue: _Queue) -> None:
        self._do(self._end(queue))
        self._queues.remove(queue)
        self._pool.close(queue)
        for number, home in self._homes.items():
            if home is queue:
                self._homes[number] = self._first

    def select_queue(self, queue: _Queue | None) -> None:
        self._turn = queue or self._first
        self._pool.select_queue(queue)

    def point(self) -> _Point:
        return self._end(self._turn)

    def follow(self, point: _Point) -> None:
        self._later(lambda: self._do(point))

    def is_over(self, point: _Point) -> bool:
        return point.queue.done >= point.number

    def wait(self, point: _Point) -> None:
        if self.is_lost:
            raise self.lost()
        self._do(point)
        self._told(point)

    def mark(self) -> Any:
        mark = _Mark(_Point(self._turn, self._turn.asked + 1))

        def reach() -> None:
            mark.seconds = time.perf_counter()

        self._later(reach)
        return mark

    def elapsed(self, first: Any, last: Any) -> float:
        self._do(first.point)
        self._do(last.point)
        return float(last.seconds - first.seconds)

    def synchronize(self) -> None:
        self._meet("synchronize")
        for queue in self._queues:
            self._do(self._end(queue))
        for queue in self._queues:
            self._told(self._end(queue))

    # Memory -------------------------------------------------------------------------------------------
    def _release(self, memory: Any) -> None:
        for queue in self._queues:
            self._do(self._end(queue))
        self._homes.pop(id(memory), None)
        super()._release(memory)

    def allocate(self, nbytes: int) -> Any:
        memory = super().allocate(nbytes)
        self._homes[id(memory)] = self._turn
        return memory

    def free(self, memory: Any) -> None:
        self._meet("free", memory.nbytes)
        turn, self._turn = self._turn, self._homes[id(memory)]
        try:
            self._later(partial(ctypes.memset, memory.address, STALE, memory.nbytes))
        finally:
            self._turn = turn
        self._pool.give(memory)

    def upload(self, target: View, data: memoryview) -> None:
        self._meet("upload", data.nbytes)
        copied = memoryview(bytes(data))
        self._later(lambda: self._processor.upload(target, copied))

    def send(self, target: View, data: memoryview) -> None:
        self._meet("upload", data.nbytes)
        self._later(lambda: self._processor.upload(target, data))

    def download(self, source: View, out: memoryview) -> None:
        self._meet("download", out.nbytes)
        point = self._later(lambda: self._processor.download(source, out))
        self._do(point)
        self._told(point)

    def fetch(self, source: View, out: memoryview) -> None:
        self._meet("download", out.nbytes)
        self._later(lambda: self._processor.download(source, out))

    def copy(self, target: View, source: View, nbytes: int) -> None:
        self._meet("copy", nbytes)
        self._later(lambda: self._processor.copy(target, source, nbytes))

    # Kernels ------------------------------------------------------------------------------------------
    def launch(self, handle: Any, buffers: Sequence[View], values: bytes, groups: int) -> None:
        if groups > 0:
            self._meet("launch", kernel=handle.kernel.name, groups=groups)
            given = list(buffers)
            self._later(lambda: self._processor.launch(handle, given, values, groups))

    def call(self, step: LibraryCall, operands: Sequence[View], results: Sequence[View]) -> None:
        self._meet_call(step)
        self._later(lambda: self._processor.call(step, operands, results))
