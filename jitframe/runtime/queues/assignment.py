"""Assignment of work to the queues of one device, by thread (see `queued.QueueDriver`).

A stream of the program has a `Queue`. The work of a thread goes to its current queue; else to the driver's
first one. Drivers with one queue have one order of work, whatever is current.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import TYPE_CHECKING

from ...base.locks import ReentrantLock, closed_at_once, is_owned
from ...errors import BackendError, SourceLine, user_line
from ..memory.staging import PART_BYTES, Part, Staging

if TYPE_CHECKING:
    from ..device import Device
    from ..driver import Driver
    from ..executor import View
    from .ordering import Lane, Point


class Queue:
    """An order of work on a device, separate where the driver has queues to spare."""

    def __init__(self, device: Device, name: str, settle: Callable[[], None]) -> None:
        self.device = device
        self.name = name
        self.settle = settle
        """Waits until all earlier work of other threads was submitted."""
        self.driver: Driver | None = None
        """The driver of its lane."""
        self.lane: Lane | None = None
        """None where it shares the first one."""
        self._staging = Staging(self._part, device.wait_for)

    def __repr__(self) -> str:
        return f"<queue {self.name} of {self.device.name}>"

    @property
    def has_lane(self) -> bool:
        """Whether the device separates its work from that of others."""
        return self.lane is not None

    def point(self) -> Point | None:
        """Returns the end of its work so far; None where it has no lane, or no work."""
        return None if self.lane is None else self.lane.last

    def wait(self) -> None:
        """Waits for its work so far; errors are also raised by the next wait."""
        point = self.point()
        if point is None:
            return
        try:
            self.device.wait_for(point)
        except BackendError as problem:
            point.lane.problem = problem
            raise

    def follow(self, other: Queue, point: Point | None) -> bool:
        """Makes further work wait, on the device, for a point of another queue of it; returns whether
        it can."""
        with self.device.using() as driver:
            if not self.has_lane or not other.has_lane or other.driver is not self.driver:
                return False
            if point is not None:
                driver.come_after(point)  # type: ignore[attr-defined]
        return True

    def enter(self, driver: Driver) -> None:
        """Opens a lane of a driver, where that has one to spare; called by the user of the device."""
        from .ordering import OrderingDriver

        device = self.device
        self.driver, self.lane = driver, None
        self._staging = Staging(self._part, device.wait_for)
        ordering = device._ordering
        opened = 1 if ordering is None else 1 + len(ordering.lanes)
        if opened >= driver.facts.streams or not hasattr(driver, "open_queue"):
            return
        if ordering is None:
            ordering = device._ordering = OrderingDriver(driver, driver)  # type: ignore[arg-type]
            device._arrange(driver)
        self.lane = ordering.open_lane()

    def close(self) -> None:
        """Closes its lane when its work is over and the device is used. Never waits, as garbage collection
        happens at any moment."""
        lane, self.lane, ordering = self.lane, None, self.device._ordering
        if lane is not None and ordering is not None:
            ordering.abandoned.append(lane)

    # Asynchronous copies between host and device --------------------------------------------------------
    def send(self, target: View, data: memoryview, is_pinned: bool = False) -> None:
        """Copies bytes of the host to the device, which must not change until `point` is over. Unpinned
        memory goes in chunks through pinned memory, where the driver has such."""
        with self.device.using() as driver:
            if self.lane is None:
                driver.upload(target, data)
                return
            if is_pinned or not hasattr(driver, "pinned"):
                driver.send(target, data)  # type: ignore[attr-defined]
                return
        memory, offset = target

        def copy(part: Part, start: int, size: int) -> Point | None:
            with self.device.using() as driver:
                driver.send((memory, offset + start), part.content[:size])  # type: ignore[attr-defined]
            return self.point()

        self._staging.send(data, copy)

    def fetch(self, source: View, out: memoryview, is_pinned: bool = False) -> None:
        """Copies bytes of the device to the host; they are valid when `point` is over."""
        with self.device.using() as driver:
            if self.lane is None:
                driver.download(source, out)
                return
            if is_pinned or not hasattr(driver, "pinned"):
                driver.fetch(source, out)  # type: ignore[attr-defined]
                return
        memory, offset = source

        def copy(part: Part, start: int, size: int) -> Point | None:
            with self.device.using() as driver:
                driver.fetch((memory, offset + start), part.content[:size])  # type: ignore[attr-defined]
            return self.point()

        self._staging.fetch(out, copy)

    def _part(self) -> Part:
        with self.device.using() as driver:
            return Part(driver.pinned(PART_BYTES))  # type: ignore[attr-defined]


_current: ContextVar[tuple[tuple[Queue, bool], ...]] = ContextVar("queues", default=())
"""Current queues, the innermost last, and whether earlier work must be submitted first."""
_asking: ContextVar[SourceLine | None] = ContextVar("asking", default=None)
"""The line of the program on whose behalf this thread works."""


def check_idle(device: Device, lock: ReentrantLock) -> None:
    """Raises BackendError where this thread is in the middle of a use of the driver."""
    if is_owned(lock):
        from ..handling import refuse_interrupting  # few do

        refuse_interrupting(device)


def current(device: Device) -> Queue | None:
    """Returns the queue of a device for this thread's work; None is the first one.

    Waits until earlier work was submitted. Raises BackendError like `check_idle`.
    """
    check_idle(device, device._using)
    for queue, settles in reversed(_current.get()):
        if queue.device is device:
            if settles:
                queue.settle()
            return queue
    return None


def name_of(device: Device) -> str:
    """Returns the name of that queue; empty for the first one."""
    return next((queue.name for queue, _ in reversed(_current.get()) if queue.device is device), "")


@closed_at_once
def made_current(queue: Queue, settles: bool = True) -> Iterator[None]:
    """Sends this thread's work on the queue's device to it; after earlier work, unless its order is free."""
    token = _current.set((*_current.get(), (queue, settles)))
    try:
        yield
    finally:
        _current.reset(token)


@closed_at_once
def settled(*devices: Device) -> Iterator[None]:
    """Stops waiting for earlier work, which was submitted, as others may wait for this thread."""
    for device in devices:
        current(device)
    token = _current.set(tuple((queue, False) for queue, _ in _current.get()))
    try:
        yield
    finally:
        _current.reset(token)


def work_on(queue: Queue, line: SourceLine | None) -> None:
    """Makes this thread work, in its context, for a line of the program on a queue."""
    _current.set((*((each, False) for each, _ in _current.get()), (queue, False)))
    _asking.set(line)


def asking_line() -> SourceLine | None:
    """Returns the line of the program on whose behalf this thread works."""
    return _asking.get() or user_line()
