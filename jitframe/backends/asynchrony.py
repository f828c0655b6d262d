"""Asynchronous work: awaitables, streams of work in order, and events in them.

Launches never wait, on any device but the CPU. Operations that do wait (for a result, for memory, for the
processor) run here in a thread of their own, so that an event loop and other threads continue.

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
    """Launches a program and waits for it."""
    backend.execute(*given, **named)
    backend.device.synchronize()


class _Asked(metaclass=mutable):
    """A request to a stream: the line that made it, and the position of its queue then."""

    line: SourceLine | None
    submitted: Future[Any] = fresh(factory=Future)
    point: Point | None = None
    """The point in the stream's own queue, once the request is submitted."""


@hears
class Event:
    """A point in a stream: it is complete when the device has done everything that the stream was asked for
    before.

    Any thread can wait for it or await it, and other streams can wait for it.
    """

    def __init__(self, stream: Stream, asked: _Asked) -> None:
        self.stream = stream
        self._asked = asked

    def __repr__(self) -> str:
        return f"<event of {self.stream!r}, {'asked for' if self.is_submitted else 'waiting'}>"

    @property
    def is_submitted(self) -> bool:
        """Whether the work was submitted to the device, or failed; the device may not have completed it
        yet."""
        return self._asked.submitted.done()

    def wait(self, timeout: float | None = None) -> Any:
        """Waits, and returns the result of the work (the number of bytes copied, say).

        Raises the error of the work, with the line that asked for it, and TimeoutError where the work was not
        submitted to the device within `timeout` seconds.
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
        """Returns the seconds of device time from this event to a later one of the same backend, of this
        stream or another one, both made by `record(timing=True)`. Waits for both. Raises BackendError for
        events without times."""
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
    """A stream of a backend's work: it runs in order while the caller continues; made by `Backend.stream`.

    A stream has its own queue on the device, where the device has a spare one (`capabilities.streams`): its
    launches and copies run concurrently with those of other streams. Work on the same buffers keeps the order
    in which it was submitted. A stream also has its own thread on the host, which submits the work; on
    devices with one queue only the host's work overlaps. `synchronize` raises the errors that no event's
    `wait` has raised.
    """

    def __init__(self, backend: Backend, name: str) -> None:
        self.backend = backend
        self.name = name
        self._worker = ThreadPoolExecutor(1, thread_name_prefix=f"jitframe-{name}")
        self._lock = new_reentrant_lock()
        self._last: list[Future[Any]] = []
        """The latest work, which may be pending; in a list, as the queue outlives the stream."""
        self._queue = Queue(backend.device, name, partial(_settle, self._last))
        self._unseen: list[_Asked] = []
        """Work that failed, or may fail, and that nobody waited for."""
        self._is_closed = False
        self._counted = weakref.finalize(self, _ended, backend, self._queue)
        """Closes a stream that is no longer referenced."""
        self._counted.atexit = False

    def __repr__(self) -> str:
        return f"<stream {self.name} of {self.backend.name}{', closed' if self._is_closed else ''}>"

    @property
    def has_queue(self) -> bool:
        """Whether it has a queue of its own on the device; it gets one with its first work there, if at
        all."""
        return self._queue.has_lane

    # Work ---------------------------------------------------------------------------------------------
    def run(self, function: Callable[..., Any], *arguments: Any) -> Event:
        """Calls a function on the host in stream order, when all earlier work is done on the device. Raises
        BackendError where the stream was closed."""
        return self._ask(self._run, function, *arguments)

    def execute(
        self, program: Program, buffers: Any, uniforms: Any = (), config: LaunchConfig | None = None
    ) -> Event:
        """Runs `Backend.execute` in stream order."""
        return self._ask(self.backend.execute, program, buffers, uniforms, config)

    def copy(
        self, src: Any, dst: Any, nbytes: int | None = None, src_offset: int = 0, dst_offset: int = 0
    ) -> Event:
        """Runs `Backend.copy` in stream order; the source must not change, and the target is not complete,
        until the event is. GPUs copy memory of `alloc_pinned` concurrently with other work."""
        return self._ask(copies.copy, self.backend, src, dst, nbytes, src_offset, dst_offset, self._queue)

    @contextmanager
    def activate(self) -> Iterator[Stream]:
        """Makes the stream current in a `with` block of this thread: jitted functions, expressions that are
        computed there, `backend.execute` and `backend.copy` are submitted to it, behind its earlier work.
        Operations that need a result wait in the block as usual.

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
        """Returns an event behind all work so far; with `timing`, one that records its time."""
        return self._ask(self._mark if timing else _nothing)

    def wait(self, event: Event) -> None:
        """Makes later work of this stream wait for an event of another one: on the device, where both have
        queues there, else on the host."""
        self._ask(self._follow, event)

    def synchronize(self) -> None:
        """Waits for all work. Raises the first error that nobody waited for yet, with the line that asked for
        that work."""
        self.record().wait()
        with self._lock:
            failed = [each for each in self._unseen if _has_failed(each)]
            _take_out(self._unseen, lambda each: each.submitted.done())
        for each in failed:
            each.submitted.result()

    async def synchronize_async(self) -> None:
        """Awaits `synchronize`."""
        await in_thread(self.synchronize)

    def close(self) -> None:
        """Waits for all work and closes the stream; does nothing where it is closed. Raises as
        `synchronize`."""
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
            _take_out(self._last, lambda future: future.done())
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
    for member in tuple(members):
        if is_over(member):
            with suppress(ValueError):
                members.remove(member)


def _settle(last: list[Future[Any]]) -> None:
    """Waits until the device was asked for what a stream was asked for so far."""
    wait([future for future in last if not future.done()])


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
