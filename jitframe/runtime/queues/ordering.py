"""The layer of a driver with several queues: uses of one memory keep their order, whatever queues they go to,
and freed memory is reused only after its last use on any.

Each memory records which queue wrote it last, and which ones have read it since. A queue that reads it waits
for the write, one that writes it for the reads too: on the device, which nothing waits for. Unknown accesses
count as writes. Memory returns to the pool of the queue that it was allocated for, once other queues have
passed their last use of it; that queue's own work is in order. All work between two turns of the driver's
lock counts as one use, with one point at its end.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from ...errors import BackendError, SourceLine
from ...ir.record import fresh, mutable
from .assignment import asking_line

if TYPE_CHECKING:
    from ...codegen.plan.nodes import LibraryCall
    from ..driver import Driver
    from ..drivers.queued import QueueDriver
    from ..drivers.source_programs import Argument
    from ..executor import View


class Lane:
    """One queue of a driver, with its synchronization points."""

    def __init__(self, driver: QueueDriver, handle: Any) -> None:
        self.driver = driver
        self.handle = handle
        self.points = 0
        self.last: Point | None = None
        self.open: deque[Point] = deque()
        """Points that the device may not have passed yet."""
        self.problem: BackendError | None = None
        """The error of work before others' waits; for the next wait."""
        self.followed: dict[Lane, int] = {}
        """The number of points of other lanes that precede its work."""

    def wait(self, last: Point) -> None:
        """Waits until the device has passed a point; raises errors of the work up to there, with the line
        that requested it. Called by any thread."""
        for point in self.open.copy():
            if point.number <= last.number and self.problem is None:
                self.pass_(point)
        self._forget(lambda point: point.number <= last.number)
        problem, self.problem = self.problem, None
        if problem is not None:
            raise problem

    def pass_(self, point: Point) -> None:
        """Waits for one point; errors are left for the next wait."""
        try:
            self.driver.wait(point.event)
        except BackendError as problem:
            problem.move(point.line)
            self.problem = self.problem or problem

    def reap(self) -> None:
        """Drops the points that the device has passed."""

        def is_over(point: Point) -> bool:
            over = self.driver.is_over(point.event)
            if over:
                self.pass_(point)
            return over

        self._forget(is_over)

    def _forget(self, is_over: Callable[[Point], bool]) -> None:
        for point in self.open.copy():
            if not is_over(point):
                return
            try:
                self.open.remove(point)
            except ValueError:
                pass  # another thread, or a handler that computes, did it meanwhile
            point.kept_alive = ()


class Point(metaclass=mutable):
    """The end of a turn of a lane."""

    lane: Lane
    number: int
    event: Any
    line: SourceLine | None = None
    """The line of the program that requested the work before it, where that is known."""
    kept_alive: Sequence[Any] = ()
    """Bytes of the host that the device copies until then."""


Turn: TypeAlias = "tuple[Lane, int]"
"""A lane, and which of its points is at the end of the turn."""


class _Uses(metaclass=mutable):
    """The uses of a memory: its owner, the last write, and the last read of each lane since then."""

    memory: Any
    home: Lane
    written: Point | None = None
    read: dict[Lane, Point] = fresh(factory=dict)


class OrderingDriver:
    """A driver with work of several queues. All other calls go to the driver.

    It is used by one thread at a time, in turns: `begin_turn`, work, `end_turn`.
    """

    def __init__(self, inner: Driver, queues: QueueDriver) -> None:
        self.inner = inner
        self._queues = queues
        """The driver itself, which `inner` may wrap with limits."""
        self.first = Lane(queues, None)
        self.lanes: list[Lane] = []
        """The others."""
        self.abandoned: deque[Lane] = deque()
        """Lanes to close once their work is over; any thread may add one."""
        self._lane = self.first
        self._uses: dict[int, _Uses] = {}
        """By the memory's identity."""
        self._touched: dict[int, bool] = {}
        """Memory used in this turn: whether it was written."""
        self._ending: list[_Uses] = []
        """Memory that was freed in the turn that used it on another queue than its own."""
        self._bytes: list[Any] = []
        """Memory of the host that the device copies in this turn."""
        self._is_after = False
        """Whether this turn's lane follows another one."""
        self._later: deque[tuple[Any, list[Point]]] = deque()
        """Freed memory that other queues may still use."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    # Lanes --------------------------------------------------------------------------------------------
    def open_lane(self) -> Lane:
        """Opens a queue, whose work comes after all earlier work of the driver."""
        before = self._end(self.first)
        lane = Lane(self._queues, self._queues.open_queue())
        self.lanes.append(lane)
        self._queues.select_queue(lane.handle)
        try:
            self._queues.follow(before.event)
        finally:
            self._queues.select_queue(self._lane.handle)
        lane.followed[self.first] = before.number
        return lane

    def _close(self, lane: Lane) -> None:
        """Closes the lane of a finished queue. Its memory is released when all others have passed their
        uses."""
        self.lanes.remove(lane)
        self._queues.close_queue(lane.handle)

    @property
    def is_needed(self) -> bool:
        """Whether there are several queues, or unfinished remains of them."""
        return bool(self.lanes or self._later or self.first.problem is not None)

    def begin_turn(self, lane: Lane | None) -> None:
        """Sends further work to a lane; None is the first one."""
        self._lane = lane or self.first
        if lane is not None:
            self._queues.select_queue(lane.handle)

    def end_turn(self) -> None:
        """Records the lane's progress, for lanes that follow its work."""
        lane = self._lane
        try:
            if self._touched or self._ending or self._bytes or self._is_after:
                self._end(lane)
        finally:
            if lane is not self.first:
                self._lane = self.first
                self._queues.select_queue(None)
        self.reap()

    def turn(self) -> Turn:
        """The present turn."""
        return self._lane, self._lane.points + 1

    def knows(self, turn: Turn) -> bool:
        """Whether this turn's lane follows a turn; closed lanes were waited for."""
        lane, number = turn
        if lane is self._lane or (lane is not self.first and lane not in self.lanes):
            return True
        return self._lane.followed.get(lane, 0) >= number

    def ends(self) -> list[Point]:
        """The last point of each lane."""
        return [lane.last for lane in (self.first, *self.lanes) if lane.last is not None]

    def come_after(self, point: Point) -> None:
        """Makes further work of this turn's lane, if any, follow a point of another one."""
        self.follow(point)
        self._is_after = True

    def follow(self, point: Point) -> None:
        """The same, when work is submitted."""
        lane = self._lane
        if point.lane is not lane and lane.followed.get(point.lane, 0) < point.number:
            self._queues.follow(point.event)
            lane.followed[point.lane] = point.number

    def _end(self, lane: Lane) -> Point:
        lane.points += 1
        line = None if lane is self.first else asking_line()
        point = lane.last = Point(lane, lane.points, self._queues.point(), line, self._bytes)
        lane.open.append(point)
        self._bytes, self._is_after = [], False
        touched, self._touched = self._touched, {}
        ending, self._ending = self._ending, []
        for number, wrote in touched.items():
            uses = self._uses[number]
            if wrote:
                uses.written, uses.read = point, {}
            else:
                uses.read[lane] = point
        for uses in ending:
            self._give_back(uses, [point, *_open_points(uses)])
        return point

    # Memory -------------------------------------------------------------------------------------------
    def touch(self, memory: Any, wrote: bool) -> None:
        """Records that this turn's lane is about to read a memory, or to write it."""
        number = id(memory)
        uses = self._uses.get(number)
        if uses is None:  # from before there were queues: all of them came after its uses
            uses = self._uses[number] = _Uses(memory, self.first)
        if number not in self._touched or wrote:
            if uses.written is not None:
                self.follow(uses.written)
            if wrote:
                for point in uses.read.values():
                    self.follow(point)
            self._touched[number] = wrote or self._touched.get(number, False)

    def allocate(self, nbytes: int) -> Any:
        """Returns memory whose earlier uses are over, or are this turn's lane's; others must follow those."""
        self.reap()
        memory = self.inner.allocate(nbytes)
        self._uses[id(memory)] = _Uses(memory, self._lane)
        self._touched[id(memory)] = True
        return memory

    def free(self, memory: Any) -> None:
        uses = self._uses.pop(id(memory), None)
        touched = self._touched.pop(id(memory), None) is not None
        if uses is None:
            self.inner.free(memory)
        elif touched and uses.home is not self._lane:
            self._ending.append(uses)  # this turn has no point so far
        else:
            self._give_back(uses, _open_points(uses))

    def _give_back(self, uses: _Uses, points: list[Point]) -> None:
        if all(self._queues.is_over(point.event) for point in points):
            self.inner.free(uses.memory)
        else:
            self._later.append((uses.memory, points))

    def reap(self) -> None:
        """Releases memory that other queues have passed."""
        for lane in (self.first, *self.lanes):
            if lane.open:
                lane.reap()
        for _ in range(len(self.abandoned)):
            lane = self.abandoned.popleft()
            if lane.open or lane is self._lane:
                self.abandoned.append(lane)
            elif lane in self.lanes:
                self._close(lane)
        later = self._later
        while later and all(self._queues.is_over(point.event) for point in later[0][1]):
            self.inner.free(later.popleft()[0])

    def wait_for_all(self) -> None:
        """Waits until no other queue uses freed memory."""
        for _, points in tuple(self._later):
            for point in points:
                point.lane.pass_(point)
        self.reap()

    # Work ---------------------------------------------------------------------------------------------
    def upload(self, target: View, data: memoryview) -> None:
        self.touch(target[0], True)
        self.inner.upload(target, data)

    def download(self, source: View, out: memoryview) -> None:
        self.touch(source[0], False)
        self.inner.download(source, out)
        self._tell(self._lane)

    def read(self, source: View, nbytes: int) -> bytes:
        self.touch(source[0], False)
        found = self.inner.read(source, nbytes)
        self._tell(self._lane)
        return found

    def synchronize(self) -> None:
        self.inner.synchronize()
        for lane in (self.first, *self.lanes):
            lane.reap()
            self._tell(lane)

    def _tell(self, lane: Lane) -> None:
        """Raises an error that was found before any wait."""
        problem, lane.problem = lane.problem, None
        if problem is not None:
            raise problem

    def send(self, target: View, data: memoryview) -> None:
        self.touch(target[0], True)
        self._bytes.append(data)
        self._queues.send(target, data)

    def fetch(self, source: View, out: memoryview) -> None:
        self.touch(source[0], False)
        self._bytes.append(out)
        self._queues.fetch(source, out)

    def copy(self, target: View, source: View, nbytes: int) -> None:
        self.touch(source[0], False)
        self.touch(target[0], True)
        self.inner.copy(target, source, nbytes)

    def launch(self, handle: Any, buffers: Sequence[View], values: bytes, groups: int) -> None:
        kernel = getattr(handle, "kernel", None)
        if kernel is None:
            self._touch_all(buffers)
        else:
            for (memory, _), buffer in zip(buffers, kernel.buffers, strict=False):
                self.touch(memory, buffer.access != "in")
        self.inner.launch(handle, buffers, values, groups)

    def launch_source(self, handle: Any, arguments: Sequence[Argument], *launch: Any) -> None:
        self._touch_all(argument for argument in arguments if not isinstance(argument, bytes))
        self.inner.launch_source(handle, arguments, *launch)  # type: ignore[attr-defined]

    def call(self, step: LibraryCall, operands: Sequence[View], results: Sequence[View]) -> None:
        for memory, _ in operands:
            self.touch(memory, False)
        self._touch_all(results)
        self.inner.call(step, operands, results)

    def _touch_all(self, views: Iterable[View]) -> None:
        """Treats a user program's buffers as written, as its accesses are unknown."""
        for memory, _ in views:
            self.touch(memory, True)


def _open_points(uses: _Uses) -> list[Point]:
    """Returns the points after which other lanes than its own have finished with a memory."""
    home = uses.home
    return [
        point
        for point in (uses.written, *uses.read.values())
        if point is not None and point.lane is not home
        if home.followed.get(point.lane, 0) < point.number
    ]
