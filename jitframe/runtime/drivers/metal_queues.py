"""Command queues of a GPU of Metal: command buffers, marks, and the part of the driver that is optional.

A queue's work is encoded into one command buffer after another. A point is a value that a queue's MTLEvent is
signalled with at the end of one; other queues encode that they wait for it.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from ...errors import BackendError
from ...ir.record import fresh, mutable, record
from ..driver import DeviceFacts
from ..executor import View
from .queued import QueuedDriver


class Batch(metaclass=mutable):
    """A command buffer on its way; when it is done, when that was, and how long the GPU had worked by then,
    in seconds."""

    queue: MetalQueue
    commands: Any = None
    busy: float = 0.0
    end: float = 0.0
    is_seen: bool = False
    problem: BackendError | None = None
    """What went wrong, until it is told."""


class MetalQueue(metaclass=mutable):
    """A command queue, what is encoded for it, and what is on its way."""

    commands_of: Any
    """The MTLCommandQueue."""
    event: Any
    value: int = 0
    commands: Any = None
    encoder: Any = None
    steps: int = 0
    flying: deque[Batch] = fresh(factory=deque)
    failed: list[Batch] = fresh(factory=list)
    last: Batch | None = None
    busy: float = 0.0


class Point(metaclass=record):
    """A point of a queue: where its event has a value."""

    batch: Batch
    event: Any
    value: int


class MetalQueues(QueuedDriver):
    """What is done with queues; `_turn` is the one whose turn it is."""

    facts: DeviceFacts
    _device: Any
    _metal: Any
    _frameworks: Any

    def _open_first(self) -> None:
        self._queues: list[MetalQueue] = []
        self._first = self._open_queue()
        self._select_queue(None)

    def _open_queue(self) -> MetalQueue:
        metal_queue = MetalQueue(
            self._given(self._device.newCommandQueue()), self._given(self._device.newEvent())
        )
        metal_queue.last = Batch(metal_queue)
        self._queues.append(metal_queue)
        return metal_queue

    def _close_queue(self, queue: MetalQueue) -> None:
        self._settle(queue)
        self._queues.remove(queue)

    def _select_queue(self, queue: MetalQueue | None) -> None:
        self._turn = queue or self._first

    # Command buffers ----------------------------------------------------------------------------------
    def _open(self, kind: str) -> Any:
        """The encoder of a kind for one more step, or none at all."""
        turn = self._turn
        if turn.steps >= self.facts.hints.batch_size:
            self._commit(turn)
        turn.steps += 1
        if turn.commands is None:
            turn.commands = self._given(turn.commands_of.commandBuffer())
        if turn.encoder is None or turn.encoder[0] != kind:
            _end(turn)
            turn.encoder = (kind, getattr(turn.commands, kind)()) if kind else None
        return turn.encoder and turn.encoder[1]

    def _given(self, made: Any) -> Any:
        if made is None:
            raise BackendError(f"{self.facts.title} takes no work any more; choose another device")
        return made

    def _commit(self, queue: MetalQueue) -> None:
        if queue.commands is None:
            return
        _end(queue)
        queue.commands.commit()
        queue.last = Batch(queue, queue.commands)
        queue.flying.append(queue.last)
        queue.commands, queue.steps = None, 0
        completed = self._metal.MTLCommandBufferStatusCompleted
        while queue.flying and queue.flying[0].commands.status() >= completed:
            self._land(queue)

    def _settle(self, queue: MetalQueue) -> None:
        self._commit(queue)
        while queue.flying:
            self._land(queue)

    def _settle_all(self) -> None:
        for queue in self._queues:  # all are on their way before one is waited for
            self._commit(queue)
        for queue in self._queues:
            self._settle(queue)

    def _land(self, queue: MetalQueue) -> None:
        """Wait for the oldest command buffer, and note its time and what went wrong."""
        batch = queue.flying.popleft()
        commands = batch.commands
        commands.waitUntilCompleted()
        queue.busy += max(commands.GPUEndTime() - commands.GPUStartTime(), 0.0)
        batch.busy, batch.end = queue.busy, commands.GPUEndTime()
        self._look(batch, commands)
        if batch.problem is not None:
            queue.failed.append(batch)
        batch.commands = None

    def _look(self, batch: Batch, commands: Any) -> None:
        """Notes what went wrong, once."""
        seen, batch.is_seen = batch.is_seen, True
        if seen or commands.status() != self._metal.MTLCommandBufferStatusError:
            return
        error = commands.error()
        short = error.code() == self._metal.MTLCommandBufferErrorOutOfMemory
        remedy = "delete some arrays, work on parts" if short else "start the process anew"
        batch.problem = BackendError(
            f"{self.facts.title} failed: {error.localizedDescription()}; what was computed there since "
            f"it was last waited for may be lost; {remedy}, or choose another device"
        )

    def _tell(self, queue: MetalQueue) -> None:
        """Raises the first thing that went wrong and was not told so far."""
        failed, queue.failed = queue.failed, []
        problems = [batch.problem for batch in failed if batch.problem is not None]
        for batch in failed:
            batch.problem = None
        if problems:
            raise problems[0]

    # Order --------------------------------------------------------------------------------------------
    def _mark(self) -> Batch:
        self._commit(self._turn)
        assert self._turn.last is not None
        return self._turn.last

    def _elapsed(self, first: Batch, last: Batch) -> float:
        """Within a queue the time that the GPU has worked; between two, that on its clock."""
        self._synchronize()
        if first.queue is last.queue:
            return last.busy - first.busy
        return last.end - first.end if first.end and last.end else 0.0

    def _synchronize(self) -> None:
        self._settle_all()
        for queue in self._queues:
            self._tell(queue)

    def _pass(self) -> None:
        """Waits for the queue, and for what that waits for."""
        self._settle(self._turn)
        self._tell(self._turn)

    def _point(self) -> Point:
        turn = self._turn
        self._open("")
        turn.value += 1
        turn.commands.encodeSignalEvent_value_(turn.event, turn.value)
        self._commit(turn)
        assert turn.last is not None
        return Point(turn.last, turn.event, turn.value)

    def _follow(self, point: Point) -> None:
        self._open("")
        self._turn.commands.encodeWaitForEvent_value_(point.event, point.value)

    def _is_over(self, point: Point) -> bool:
        commands = point.batch.commands
        return commands is None or commands.status() >= self._metal.MTLCommandBufferStatusCompleted

    def _wait(self, point: Point) -> None:
        batch = point.batch
        commands = batch.commands
        if commands is not None:
            with self._frameworks.objc.autorelease_pool():
                commands.waitUntilCompleted()
                self._look(batch, commands)
        problem, batch.problem = batch.problem, None
        if problem is not None:
            raise problem

    def _send(self, target: View, data: memoryview) -> None:
        """By way of memory of its own, as what lies there may be in use; the command buffer holds that."""
        (memory, to), nbytes = target, data.nbytes
        staged = None
        if not (to | nbytes) % 4:  # macOS copies whole words
            shared = self._metal.MTLResourceStorageModeShared
            staged = self._device.newBufferWithLength_options_(nbytes, shared)
        if staged is None:
            self._upload(target, data)
            return
        memoryview(staged.contents().as_buffer(nbytes)).cast("B")[:] = data
        blit = self._open("blitCommandEncoder")
        blit.copyFromBuffer_sourceOffset_toBuffer_destinationOffset_size_(
            staged, 0, memory.buffer, to, nbytes
        )

    def _fetch(self, source: View, out: memoryview) -> None:
        """The memory is the host's: it is waited for and copied."""
        self._download(source, out)


def _end(queue: MetalQueue) -> None:
    if queue.encoder is not None:
        queue.encoder[1].endEncoding()
        queue.encoder = None
