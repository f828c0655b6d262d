"""What was asked of a device, to be asked again in one call: CUDA's graphs, for plans of many short launches.

outputs, recording = record_work(driver, lambda: execute(bound, driver, inputs, scalars))
recording.replay()                  # the same launches on the same memory: new inputs, new outputs
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from .streams import Block, StreamDriver

T = TypeVar("T")


class Recording:
    """Work on memory of fixed places, which it keeps from other uses until it is closed."""

    def __init__(self, driver: StreamDriver, graph: Any, kept: list[Block]) -> None:
        self._driver, self._graph, self._kept = driver, graph, kept

    def replay(self) -> None:
        """Do the work again, after all that was asked for before. Outputs must not have been freed."""
        self._driver.replay(self._graph)

    def close(self) -> None:
        """Give its memory back; it cannot be replayed any more."""
        self._graph = None
        for block in self._kept:
            self._driver.free(block)
        self._kept = []


def record_work(driver: StreamDriver, work: Callable[[], T]) -> tuple[T, Recording]:
    """What `work` returns, and the recording of what it asked for; all of it is done once.

    Its kernels should have been compiled before. Raises DeviceError for a device that cannot record, and for
    work that waits for the device or copies from or to the host.
    """
    kept = driver.begin_recording()
    try:
        result = work()
    except BaseException:
        driver.end_recording()
        for block in kept:
            driver.free(block)
        raise
    recording = Recording(driver, driver.end_recording(), kept)
    recording.replay()
    return result, recording
