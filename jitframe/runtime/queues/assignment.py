"""Assignment of work to the queues of one device, by thread (see `queued.QueueDriver`).

A stream of the program's own has a `Queue`. What a thread asks a device for while a queue is current goes
there; else to the driver's first one. Drivers with one queue have one order of work, whatever is current.
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
    """An order of work on a device, of its own where the driver has queues to spare."""

    def __init__(self, device: Device, name: str, settle: Callable[[], None]) -> None:
        self.device = device
        self.name = name
        self.settle = settle
        """Waits until the device was asked for all that comes before what a thread is about to ask for."""
        self.driver: Driver | None = None
        """Whose lane it has."""
        self.lane: Lane | None = None
        """None where it shares the first one."""
        self._staging = Staging(self._part, device.wait_for)

    def __repr__(self) -> str:
        return f"<queue {self.name} of {self.device.name}>"

    @property
    def has_lane(self) -> bool:
        """Whether the device keeps its work apart from that of others."""
        return self.lane is not None

    def point(self) -> Point | None:
        """The end of all that the device was asked for here; None where it has no lane, or nothing to do."""
        return None if self.lane is None else self.lane.last

    def wait(self) -> None:
        """Waits for all that the device was asked for here; what that did wrong is told to the next one who
        waits, too."""
        point = self.point()
        if point is None:
            return
        try:
            self.device.wait_for(point)
        except BackendError as problem:
            point.lane.problem = problem
            raise

    def follow(self, other: Queue, point: Point | None) -> bool:
        """What comes from now on waits, on the device, for a point of another queue of it; whether it can."""
        with self.device.using() as driver:
            if not self.has_lane or not other.has_lane or other.driver is not self.driver:
                return False
            if point is not None:
                driver.come_after(point)  # type: ignore[attr-defined]
        return True

    def enter(self, driver: Driver) -> None:
        """Opens a lane of a driver, where that has one to spare; by who uses the device."""
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
        """Ends it: its lane is closed when its work is over and the device is used. Waits for nobody, as
        garbage is collected at any moment."""
        lane, self.lane, ordering = self.lane, None, self.device._ordering
        if lane is not None and ordering is not None:
            ordering.abandoned.append(lane)

    # Copies that the device makes while the host goes on ------------------------------------------------
    def send(self, target: View, data: memoryview, is_pinned: bool = False) -> None:
        """Copies bytes of the host to the device, which stay as they are until `point` is over. Memory that
        is not pinned goes in parts through some that is, where the driver has such."""
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
        """Copies bytes of the device to the host; they are there when `point` is over."""
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
"""Queues that are current, the innermost last, and whether what was asked for before must be settled."""
_asking: ContextVar[SourceLine | None] = ContextVar("asking", default=None)
"""The line of the program that asked for what this thread does in another one's place."""


def check_idle(device: Device, lock: ReentrantLock) -> None:
    """Raises BackendError where this thread is using the driver, and so asks in the middle of that."""
    if is_owned(lock):
        from ..handling import refuse_interrupting  # few do

        refuse_interrupting(device)


def current(device: Device) -> Queue | None:
    """The queue of a device that this thread's work goes to; None is the first one.

    Waits until the device was asked for what comes before. Raises BackendError as `check_idle`.
    """
    check_idle(device, device._using)
    for queue, settles in reversed(_current.get()):
        if queue.device is device:
            if settles:
                queue.settle()
            return queue
    return None


def name_of(device: Device) -> str:
    """The name of that queue; nothing for the first one."""
    return next((queue.name for queue, _ in reversed(_current.get()) if queue.device is device), "")


@closed_at_once
def made_current(queue: Queue, settles: bool = True) -> Iterator[None]:
    """What this thread asks the queue's device for meanwhile goes to it; after what comes before, unless it
    may come at any place."""
    token = _current.set((*_current.get(), (queue, settles)))
    try:
        yield
    finally:
        _current.reset(token)


@closed_at_once
def settled(*devices: Device) -> Iterator[None]:
    """What comes before was asked for: queues are waited for no more, as others may wait for this thread."""
    for device in devices:
        current(device)
    token = _current.set(tuple((queue, False) for queue, _ in _current.get()))
    try:
        yield
    finally:
        _current.reset(token)


def work_on(queue: Queue, line: SourceLine | None) -> None:
    """From now on this thread does, in its context, what a line of the program asked a queue for."""
    _current.set((*((each, False) for each, _ in _current.get()), (queue, False)))
    _asking.set(line)


def asking_line() -> SourceLine | None:
    """The line of the program that asks for what this thread does."""
    return _asking.get() or user_line()
