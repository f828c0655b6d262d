"""Work that is waited for elsewhere: awaitables, streams of work in order, and events in them.

Launches never wait, on any device but the CPU. What does wait (for a result, for room, for the processor)
does so here in a thread of its own, so that an event loop and other threads go on.

>>> import asyncio, jitframe as jf
>>> async def doubled(values):
...     async with jf.backends.create("cpu") as backend:
...         buffer = backend.alloc(len(values))
...         await backend.copy_async(values, buffer)
...         await backend.synchronize_async()
...         return buffer.read() * 2
>>> asyncio.run(doubled(b"ab"))
b'abab'
"""

from __future__ import annotations

import contextvars
import weakref
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from ..base.locks import new_reentrant_lock
from ..errors import BackendError, SourceLine, user_line
from ..ir.record import fresh, mutable
from ..runtime.handling import hears
from ..runtime.queues.assignment import Queue, made_current, work_on
from ..tensors.waiting import in_thread, placed
from . import copies
from .limits import stream_closed, stream_opened

if TYPE_CHECKING:
    from ..runtime.queues.ordering import Point
    from .backend import Backend
    from .programs import LaunchConfig, Program

T = TypeVar("T")


def executed(backend: Backend, given: tuple[Any, ...], named: dict[str, Any]) -> None:
    """A launch, waited for."""
    backend.execute(*given, **named)
    backend.device.synchronize()


class _Asked(metaclass=mutable):
    """A request to a stream: the line that asked, and how far its queue was then."""

    line: SourceLine | None
    submitted: Future[Any] = fresh(factory=Future)
    point: Point | None = None
    """Of a queue of the stream's own; there once it is submitted."""


@hears
class Event:
    """A point in a stream: it is over when all that the stream was asked for before is done on the device.

    It can be waited for from any thread, awaited, and be waited for by other streams.
    """

    def __init__(self, stream: Stream, asked: _Asked) -> None:
        self.stream = stream
        self._asked = asked

    def __repr__(self) -> str:
        return f"<event of {self.stream!r}, {'asked for' if self.is_submitted else 'waiting'}>"

    @property
    def is_submitted(self) -> bool:
        """Whether the device was asked for it already, or that went wrong; it may still be at it."""
        return self._asked.submitted.done()

    def wait(self, timeout: float | None = None) -> Any:
        """Waits, and gives what the work gave (the number of bytes that were copied, say).

        Raises what the work did wrong, with the line that asked for it, and TimeoutError where the device
        was not asked for it within `timeout` seconds.
        """
        submitted = self._asked.submitted
        try:
            result = submitted.result(timeout)
        finally:
            if submitted.done():
                self.stream._seen(self._asked)
        self.stream._reach(self._asked)
        return result

    def __await__(self) -> Generator[Any, None, Any]:
        return in_thread(self.wait).__await__()

    def elapsed(self, later: Event) -> float:
        """Seconds of device time from here to a later event of the same backend, of this stream or another
        one, both made by `record(timing=True)`. Waits for both. Raises BackendError for events without
        times."""
        first, last = self.wait(), later.wait()
        if first is None or last is None or self.stream.backend is not later.stream.backend:
            raise BackendError(
                "these events have no times to compare",
                device=self.stream.backend.name,
                suggestions=("make both by stream.record(timing=True), on one backend",),
            )
        with self.stream.backend.device.using() as driver:
            return driver.elapsed(first, last)


@hears
class Stream:
    """Work of one backend, done in the order it was asked for while the caller goes on; made by
    `Backend.stream`.

    A stream has a queue of its own on the device, where that has one to spare (`capabilities.streams`): its
    launches and copies run beside those of other streams. What uses the same buffers still comes in the order
    in which the device was asked for it. It has a thread of its own on the host too, which asks the device;
    on devices with one queue that is what overlaps. What went wrong, where no event's `wait` asked for it, is
    raised by `synchronize`.
    """

    def __init__(self, backend: Backend, name: str) -> None:
        self.backend = backend
        self.name = name
        self._worker = ThreadPoolExecutor(1, thread_name_prefix=f"jitframe-{name}")
        self._lock = new_reentrant_lock()
        self._last: list[Future[Any]] = []
        """Its last work, which may not be done; in a list, as its queue outlives it."""
        self._queue = Queue(backend.device, name, partial(_settle, self._last))
        self._unseen: list[_Asked] = []
        """Work that failed, or may fail, and that nobody waited for."""
        self._is_closed = False
        self._counted = weakref.finalize(self, _ended, backend, self._queue)
        """One that nobody holds any more is closed too."""
        self._counted.atexit = False

    def __repr__(self) -> str:
        return f"<stream {self.name} of {self.backend.name}{', closed' if self._is_closed else ''}>"

    @property
    def has_queue(self) -> bool:
        """Whether it has a queue of its own on the device: from its first work there on, if at all."""
        return self._queue.has_lane

    # Work ---------------------------------------------------------------------------------------------
    def run(self, function: Callable[..., Any], *arguments: Any) -> Event:
        """Calls a function of the host in its turn, when all before it is done on the device. Raises
        BackendError where the stream was closed."""
        return self._ask(self._run, function, *arguments)

    def execute(
        self, program: Program, buffers: Any, uniforms: Any = (), config: LaunchConfig | None = None
    ) -> Event:
        """`Backend.execute` in its turn."""
        return self._ask(self.backend.execute, program, buffers, uniforms, config)

    def copy(
        self, src: Any, dst: Any, nbytes: int | None = None, src_offset: int = 0, dst_offset: int = 0
    ) -> Event:
        """`Backend.copy` in its turn; what is copied may not change, and what is copied to is not there,
        until the event is over. Memory of `alloc_pinned` is what GPUs copy beside their other work."""
        return self._ask(copies.copy, self.backend, src, dst, nbytes, src_offset, dst_offset, self._queue)

    @contextmanager
    def activate(self) -> Iterator[Stream]:
        """A block in which what this thread asks the device for itself goes to the stream: jitted functions,
        expressions that are computed there, `backend.execute` and `backend.copy`. It comes after all that the
        stream was asked for before. What is waited for in the block, as ever, is what needs a result.

        >>> import jitframe as jf
        >>> backend = jf.backends.get("cpu")
        >>> with backend.stream() as stream, stream.activate():
        ...     y = jf.asarray([1, 2, 3]) + 1
        ...     y.tolist()
        [2, 3, 4]
        """
        self._check_open()
        with made_current(self._queue):
            yield self

    # Order --------------------------------------------------------------------------------------------
    def record(self, timing: bool = False) -> Event:
        """The point after all that it was asked for so far; with `timing`, one whose time is taken."""
        return self._ask(self._mark if timing else _nothing)

    def wait(self, event: Event) -> None:
        """What this stream is asked for from now on waits for an event of another one: on the device, where
        both have queues of it, else on the host."""
        self._ask(self._follow, event)

    def synchronize(self) -> None:
        """Waits for all of it. Raises the first error that nobody waited for yet, with the line that asked
        for that work."""
        self.record().wait()
        with self._lock:
            failed = [each for each in self._unseen if _has_failed(each)]
            _take_out(self._unseen, lambda each: each.submitted.done())
        for each in failed:
            each.submitted.result()

    async def synchronize_async(self) -> None:
        """The same, awaited."""
        await in_thread(self.synchronize)

    def close(self) -> None:
        """Waits for all of it and ends the stream; nothing where that was done. Raises as `synchronize`."""
        with self._lock:
            was_closed, self._is_closed = self._is_closed, True
        if was_closed:
            return
        self._worker.shutdown()
        try:
            self._reach(_Asked(user_line(), point=self._queue.point()))
        finally:
            self._counted()
            if self._queue.driver is not None:
                with self.backend.device.using():
                    pass  # which closes its queue
        for each in self._unseen:
            each.submitted.result()

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, kind: Any, *error: Any) -> None:
        try:
            self.close()
        except BackendError:
            if kind is None:  # else the block's own error is the one to see
                raise

    async def __aenter__(self) -> Stream:
        return self

    async def __aexit__(self, *error: Any) -> None:
        await in_thread(self.__exit__, *error)

    # What its thread does -----------------------------------------------------------------------------
    def _ask(self, function: Callable[..., Any], *arguments: Any) -> Event:
        asked, context = _Asked(user_line()), contextvars.copy_context()
        with self._lock:
            self._check_open()
            asked.submitted = self._worker.submit(context.run, self._work, asked, function, *arguments)
            self._unseen.append(asked)
            self._last.append(asked.submitted)
            _take_out(self._unseen, lambda each: each.submitted.done() and not _has_failed(each))
            _take_out(self._last, lambda each: each.done())
        return Event(self, asked)

    def _work(self, asked: _Asked, function: Callable[..., Any], *arguments: Any) -> Any:
        work_on(self._queue, asked.line)
        try:
            return placed(asked.line, function, *arguments)
        finally:
            asked.point = self._queue.point()

    def _run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        self._queue.wait()
        return function(*arguments)

    def _mark(self) -> Any:
        with self.backend.device.using() as driver:
            return driver.mark()

    def _follow(self, event: Event) -> None:
        event._asked.submitted.result()
        if not self._queue.follow(event.stream._queue, event._asked.point):
            event.wait()

    # What others wait for -----------------------------------------------------------------------------
    def _reach(self, asked: _Asked) -> None:
        """Waits until the device has done what was asked for; raises what it did wrong."""
        device = self.backend.device
        if asked.point is not None:
            device.wait_for(asked.point)
            with made_current(self._queue, settles=False):
                device.check_runs()
            return
        try:
            device.synchronize()
        except BackendError as problem:
            problem.move(asked.line)
            raise

    def _seen(self, asked: _Asked) -> None:
        _take_out(self._unseen, lambda each: each is asked)

    def _check_open(self) -> None:
        if self._is_closed:
            raise BackendError(
                f"{self!r} is used", device=self.backend.name, suggestions=("make another one",)
            )


def _take_out(members: list[T], is_over: Callable[[T], bool]) -> None:
    """One by one: other threads, and signal handlers that ask the stream, may add and take out meanwhile."""
    for each in tuple(members):
        if is_over(each):
            with suppress(ValueError):
                members.remove(each)


def _settle(last: list[Future[Any]]) -> None:
    """Waits until the device was asked for what a stream was asked for so far."""
    wait([each for each in last if not each.done()])


def _has_failed(asked: _Asked) -> bool:
    return asked.submitted.done() and asked.submitted.exception() is not None


def _ended(backend: Backend, queue: Queue) -> None:
    """A stream that is closed, or that nobody holds any more."""
    stream_closed(backend)
    queue.close()


def _nothing() -> None:
    pass


def stream(backend: Backend, name: str) -> Stream:
    """See `Backend.stream`."""
    backend.check_open()
    stream_opened(backend)
    return backend.holdings.add(Stream(backend, name or f"stream {backend.open_streams}"), works=True)
