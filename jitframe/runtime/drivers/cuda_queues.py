"""The streams of a GPU through CuPy, and whose memory is whose: the optional part of the driver."""

from __future__ import annotations

from typing import Any


class CudaStreams:
    """The streams of one device, which is this thread's. `_stream` is the one that is used now."""

    _memory: MemoryOfStreams

    def __init__(self, cupy: Any) -> None:
        self._cupy = cupy
        self._streams: list[Any] = []
        self._spare: list[Any] = []
        self._first = self._made()
        self.use_stream(None)

    def _made(self) -> Any:
        """It does not wait for CuPy's default stream, nor that for it."""
        made = self._cupy.cuda.Stream(non_blocking=True)
        self._streams.append(made)
        return made

    def open_stream(self) -> Any:
        """A new one, or one that was closed and of whose memory nothing is in use: CuPy gives memory that was
        freed to the stream that it was allocated for, whose last uses of it are over then."""
        for each in self._spare:
            if not self._memory.live_of(each):
                self._spare.remove(each)
                self._streams.append(each)
                return each
        return self._made()

    def close_stream(self, stream: Any) -> None:
        self._streams.remove(stream)
        self._spare.append(stream)

    def use_stream(self, stream: Any) -> None:
        self._stream = self._first if stream is None else stream
        self.stream_address: int = self._stream.ptr

    def synchronize(self) -> None:
        for stream in self._streams:
            stream.synchronize()

    def point(self) -> Any:
        event = self._cupy.cuda.Event(disable_timing=True)
        event.record(self._stream)
        return event

    def is_over(self, event: Any) -> bool:
        return bool(event.done)


class MemoryOfStreams:
    """For which stream memory is taken, and how much of each one's is in use."""

    def __init__(self, cupy: Any, stream: Any) -> None:
        self._cupy, self._first, self._stream = cupy, stream, stream
        self._live: dict[int, int] = {}
        """Blocks in use, by the stream that they were allocated for."""

    def took(self, pointer: Any) -> Any:
        """What keeps a block alive and tells whose it is."""
        stream = self._stream.ptr
        self._live[stream] = self._live.get(stream, 0) + 1
        return pointer, stream

    def gave(self, owner: Any) -> None:
        self._live[owner[1]] -= 1

    def live_of(self, stream: Any) -> int:
        """How many blocks are in use that were allocated for a stream."""
        return self._live.get(stream.ptr, 0)

    def select_queue(self, queue: Any) -> None:
        self._stream = self._first if queue is None else queue

    def close(self, queue: Any) -> None:
        self._cupy.get_default_memory_pool().free_all_blocks(stream=queue)
