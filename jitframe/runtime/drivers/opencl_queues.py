"""The command queues of an OpenCL device: the optional part of the driver."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from ...ir.record import mutable
from ..executor import View
from .queued import QueuedDriver


class CommandQueue(metaclass=mutable):
    """A queue of OpenCL's, and whether it takes times."""

    commands: Any
    is_timed: bool = False


class OpenCLQueues(QueuedDriver):
    """What `QueueDriver` adds to the driver of an OpenCL device. `_queue` is the one whose turn it is."""

    _cl: Any
    _context: Any
    _queue: Any
    _transfer: Callable[..., Any]

    def _open_first(self) -> None:
        self._queues: list[CommandQueue] = []
        self._staged: deque[Any] = deque()
        """Copies under way: dropping one waits for it."""
        self._first = self._open_queue()
        self._select_queue(None)

    def _open_queue(self) -> CommandQueue:
        command_queue = CommandQueue(self._cl.CommandQueue(self._context))
        self._queues.append(command_queue)
        return command_queue

    def _close_queue(self, queue: CommandQueue) -> None:
        self._queues.remove(queue)

    def _select_queue(self, queue: CommandQueue | None) -> None:
        self._turn = queue or self._first
        self._queue = self._turn.commands

    def _point(self) -> Any:
        """Others may wait for it, so the queue's work must be on its way to the device."""
        event = self._cl.enqueue_marker(self._queue)
        self._queue.flush()
        return event

    def _follow(self, point: Any) -> None:
        self._cl.enqueue_barrier(self._queue, wait_for=[point])

    def _is_over(self, point: Any) -> bool:
        return bool(point.command_execution_status <= 0)

    def _wait(self, point: Any) -> None:
        point.wait()

    def _send(self, target: View, data: memoryview) -> None:
        self._keep(self._transfer(target[0], data, dst_offset=target[1]))

    def _fetch(self, source: View, out: memoryview) -> None:
        self._keep(self._transfer(out, source[0], src_offset=source[1]))

    def _keep(self, copying: Any) -> None:
        self._staged.append(copying)
        while self._staged and self._staged[0].command_execution_status <= 0:
            self._staged.popleft()

    def _synchronize(self) -> None:
        for queue in self._queues:
            queue.commands.finish()
        self._staged.clear()
