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
import threading
import weakref
from collections.abc import Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from ..errors import BackendError, user_line
from ..waiting import in_thread, placed
from .limits import stream_closed

if TYPE_CHECKING:
    from .backend import Backend
    from .programs import LaunchConfig, Program


def executed(backend: Backend, given: tuple[Any, ...], named: dict[str, Any]) -> None:
    """A launch, waited for."""
    backend.execute(*given, **named)
    backend.device.synchronize()


class Event:
    """A point in a stream: it is over when all that the stream was asked for before is done on the device.

    It can be waited for from any thread, awaited, and be waited for by other streams.
    """

    def __init__(self, stream: Stream, submitted: Future[Any]) -> None:
        self.stream = stream
        self._submitted = submitted

    def __repr__(self) -> str:
        return f"<event of {self.stream!r}, {'asked for' if self._submitted.done() else 'waiting'}>"

    @property
    def is_submitted(self) -> bool:
        """Whether the device was asked for it already, or that went wrong; it may still be at it."""
        return self._submitted.done()

    def wait(self, timeout: float | None = None) -> Any:
        """Waits, and gives what the work gave (the bytes that were copied, say).

        Raises what the work did wrong, with the line that asked for it, and TimeoutError where the device
        was not asked for it within `timeout` seconds.
        """
        try:
            result = self._submitted.result(timeout)
        finally:
            if self._submitted.done():
                self.stream._seen(self._submitted)
        self.stream.backend.device.synchronize()
        return result

    def __await__(self) -> Generator[Any, None, Any]:
        return in_thread(self.wait).__await__()

    def elapsed(self, later: Event) -> float:
        """Seconds of device time from here to a later event of the same backend, both made by
        `record(timing=True)`. Waits for both. Raises BackendError for events without times."""
        self.wait()
        later.wait()
        first, last = self._submitted.result(), later._submitted.result()
        if first is None or last is None or self.stream.backend is not later.stream.backend:
            raise BackendError(
                "these events have no times to compare",
                device=self.stream.backend.name,
                suggestions=("make both by stream.record(timing=True), on one backend",),
            )
        with self.stream.backend.device.using() as driver:
            return driver.elapsed(first, last)


class Stream:
    """Work of one backend, done in the order it was asked for while the caller goes on; made by
    `Backend.stream`.

    Each stream has a thread of its own on the host, so that waiting, copying and preparing of several streams
    overlap with each other and with what the device computes; the device itself takes all of it in one order
    (`capabilities.streams` says whether it has more). What went wrong, where no event's `wait` asked for it,
    is raised by `synchronize`.
    """

    def __init__(self, backend: Backend, name: str) -> None:
        self.backend = backend
        self.name = name
        self._worker = ThreadPoolExecutor(1, thread_name_prefix=f"jitframe-{name}")
        self._lock = threading.Lock()
        self._unseen: list[Future[Any]] = []
        """Work that failed, or may fail, and that nobody waited for."""
        self._is_closed = False
        self._counted = weakref.finalize(self, stream_closed, backend)
        """One that nobody holds any more is closed too."""
        self._counted.atexit = False

    def __repr__(self) -> str:
        return f"<stream {self.name} of {self.backend.name}{', closed' if self._is_closed else ''}>"

    # Work ---------------------------------------------------------------------------------------------
    def run(self, function: Callable[..., Any], *arguments: Any) -> Event:
        """Calls a function of the host in its turn. Raises BackendError where the stream was closed."""
        line, context = user_line(), contextvars.copy_context()
        with self._lock:
            if self._is_closed:
                raise BackendError(
                    f"{self!r} is used", device=self.backend.name, suggestions=("make another one",)
                )
            submitted = self._worker.submit(context.run, placed, line, function, *arguments)
            self._unseen = [each for each in self._unseen if not each.done() or each.exception() is not None]
            self._unseen.append(submitted)
        return Event(self, submitted)

    def execute(
        self, program: Program, buffers: Any, uniforms: Any = (), config: LaunchConfig | None = None
    ) -> Event:
        """`Backend.execute` in its turn."""
        return self.run(self.backend.execute, program, buffers, uniforms, config)

    def copy(
        self, src: Any, dst: Any, nbytes: int | None = None, src_offset: int = 0, dst_offset: int = 0
    ) -> Event:
        """`Backend.copy` in its turn; what is copied may not change until the event is over."""
        return self.run(self.backend.copy, src, dst, nbytes, src_offset, dst_offset)

    # Order --------------------------------------------------------------------------------------------
    def record(self, timing: bool = False) -> Event:
        """The point after all that it was asked for so far; with `timing`, one whose time is taken."""
        return self.run(self._mark if timing else _nothing)

    def wait(self, event: Event) -> None:
        """What this stream is asked for from now on waits for an event of another one, on the host."""
        self.run(event.wait)

    def synchronize(self) -> None:
        """Waits for all of it. Raises the first error that nobody waited for yet, with the line that asked
        for that work."""
        self.record().wait()
        with self._lock:
            failed = [each for each in self._unseen if each.done() and each.exception() is not None]
            self._unseen = [each for each in self._unseen if not each.done()]
        for each in failed:
            each.result()

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
        self._counted()
        for each in self._unseen:
            each.result()
        self.backend.device.synchronize()

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

    def _mark(self) -> Any:
        with self.backend.device.using() as driver:
            return driver.mark()

    def _seen(self, submitted: Future[Any]) -> None:
        with self._lock:
            if submitted in self._unseen:
                self._unseen.remove(submitted)


def _nothing() -> None:
    pass


def stream(backend: Backend, name: str) -> Stream:
    """See `Backend.stream`."""
    backend.initialize()
    limits = backend.limits
    most = None if limits is None else limits.max_streams
    with backend._lock:
        if most is not None and backend.open_streams >= most:
            raise BackendError(
                f"{backend.name} has {backend.open_streams} streams open, and its limit is {most}",
                device=backend.name,
                context={"open_streams": backend.open_streams, "max_streams": most},
                suggestions=("close one", "raise max_streams"),
            )
        backend.open_streams += 1
    return backend.holdings.add(Stream(backend, name or f"stream {backend.open_streams}"))
