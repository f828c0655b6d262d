"""The interface of a device with streams, which `streams.StreamDriver` drives."""

from __future__ import annotations

from typing import Any, Literal, Protocol

from ...codegen.c_family import Source
from .base import Memory
from .source_programs import Grid

Direction = Literal["in", "out", "within"]


class StreamInterface(Protocol):
    """One device, and streams of it, the work of each of which is done in order. Addresses are integers."""

    name: str
    """Of the device, for messages."""
    errors: tuple[type[Exception], ...]
    """What its functions raise."""
    memory: Memory
    stream_address: int
    """The stream that is used now, as other libraries name it."""
    recorder: Recorder | None
    """Of the first stream."""
    language: str
    """Of the source that it builds."""
    most_grid: Grid
    """Workgroups along each axis at most."""

    def is_lost(self, problem: Exception) -> bool:
        """Whether the device can be used no more after one of `errors`."""
        ...

    def enter(self) -> Any:
        """Make the device this thread's; returns what `leave` takes to restore the one before."""
        ...

    def leave(self, before: Any) -> None: ...

    def pinned(self, nbytes: int) -> tuple[int, memoryview]:
        """Memory of the host that the device reaches: its address, and its bytes, which keep it alive."""
        ...

    def open_stream(self) -> Any:
        """One more stream. There is one from the start."""
        ...

    def close_stream(self, stream: Any) -> None:
        """One whose work is over."""
        ...

    def use_stream(self, stream: Any) -> None:
        """Work goes there from now on; None is the first one."""
        ...

    def copy(self, target: int, source: int, nbytes: int, direction: Direction) -> None: ...

    def synchronize(self) -> None:
        """Wait for all streams."""
        ...

    def wait_for(self, stream: int) -> None:
        """Wait for all work of another library's stream."""
        ...

    def hold(self, stream: int, event: Any) -> None:
        """Let a stream, of whatever device and library, wait for an event."""
        ...

    def record(self) -> Any:
        """An event: the point after all work so far of the stream, and its time."""
        ...

    def point(self) -> Any:
        """The same without a time, which costs less."""
        ...

    def is_over(self, event: Any) -> bool: ...

    def wait(self, event: Any) -> None: ...

    def elapsed(self, first: Any, last: Any) -> float:
        """Seconds between two events that were waited for."""
        ...

    def build(self, source: Source) -> bytes:
        """The binary; raises BuildProblem."""
        ...

    def load(self, binary: bytes, entry: str) -> Any:
        """A function of a binary."""
        ...

    def launch(
        self, function: Any, grid: Grid, workgroup: Grid, parameters: int, shared_bytes: int = 0
    ) -> None:
        """`parameters`: address of an array of the arguments' addresses, read before this returns."""
        ...

    def most_groups(self, threads: int) -> int:
        """Workgroups of one launch at most."""
        ...


class Recorder(Protocol):
    """Records what a stream is asked for, and asks for it again."""

    def begin(self) -> None: ...

    def end(self) -> Any: ...

    def replay(self, recorded: Any) -> None: ...
