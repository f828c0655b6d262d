"""`Device`: what arrays can be on, and contiguous arrays in its memory."""

from __future__ import annotations

import math
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NoReturn

import numpy

from ..base.background import stop_at_end
from ..base.locks import closed_at_once, if_free, new_reentrant_lock
from ..codegen.lower.machine import PROCESSOR, Machine
from ..codegen.plan.bind import OutOfBounds
from ..codegen.plan.nodes import Plan
from ..errors import (
    BackendError,
    BackendUnavailableError,
    DeviceLostError,
    JitframeError,
    OutOfMemoryError,
)
from ..ir.types import BY_NUMPY_NAME, PART_OF, DType
from . import profiler_hook
from .memory.device_array import Block as Block
from .memory.device_array import DeviceArray as DeviceArray

if TYPE_CHECKING:
    from .driver import DeviceFacts, Driver, MemoryStatistics, PerformanceHints
    from .executor import View
    from .memory.allocators import AllocatingDriver
    from .memory.limits import Limits
    from .memory.shortage import PatientDriver
    from .queues.ordering import OrderingDriver, Point
    from .queues.runs import Runs

    Fill = Callable[[Driver, DeviceArray], None]


class Device:
    """One device. Its driver is opened when it first does something, and used by one thread at a time."""

    def __init__(
        self,
        name: str,
        facts: DeviceFacts | None,
        open_driver: Callable[[], Driver],
        machine: Machine | None = None,
    ) -> None:
        self.name = name
        self._hash = hash(name)
        self.is_host = facts is None
        """Whether its arrays are ndarrays."""
        self._facts = facts
        self._open = open_driver
        self._driver: Driver | None = None
        self._front: Driver | None = None
        """The driver as it is used: behind its limits, asked again for memory, its queues kept in order."""
        self._patient: PatientDriver | None = None
        """Before all that gives memory where its driver does not ask again for itself."""
        self._ordering: OrderingDriver | None = None
        """The front of a driver that several queues are open of."""
        self._limits: Limits | None = None
        self._allocating: AllocatingDriver | None = None
        """Before the driver where an application supplies the memory, or did."""
        self.is_shared = True
        """Whether it is that of the whole program, or of one backend (see `backends.create`)."""
        self.is_monitored = False
        """Whether it is noted which line of the program made what is held here."""
        self._later: list[Callable[[], Any]] = []
        """What to call when nobody uses the driver."""
        self._opening, self._using = new_reentrant_lock(), new_reentrant_lock()
        self._dropped: deque[Any] = deque()
        """Memory that nobody holds any more, until the driver is free to take it."""
        self.machine = machine or PROCESSOR
        self.narrows: dict[DType, DType] = {}
        """What stands for the dtypes that the device lacks, where no dtype was asked for."""
        if facts is not None:
            from .fit import machine_of, narrows_of

            self.machine = machine or machine_of(name, facts)
            self.narrows = narrows_of(facts.dtypes)

    @cached_property
    def _runs(self) -> Runs:
        from .queues.runs import Runs  # most programs use the host alone

        return Runs(self)

    def __repr__(self) -> str:
        return f"<device {self.name}>"

    def __str__(self) -> str:
        return self.name

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        """Devices are compared by identity, and with their names."""
        if isinstance(other, str):
            return other == self.name or _same_device(self.name, other)
        return self is other

    def __reduce__(self) -> tuple[Any, ...]:
        """By name: whoever reads it gets the device of that name there."""
        return named, (self.name,)

    @property
    def is_open(self) -> bool:
        """Whether the driver is open and not lost."""
        return self._driver is not None

    @property
    def facts(self) -> DeviceFacts:
        if self._facts is None:
            from .cpu.driver import enumerate

            (self._facts,) = enumerate()
        return self._facts

    @property
    def driver(self) -> Driver:
        """The driver, opened if it was not, without its lock: no other thread must use it."""
        if self._driver is None:
            from .queues.assignment import check_idle  # see `_runs`

            check_idle(self, self._opening)
            with self._opening:
                if self._driver is None:
                    self._driver = self._opened()
        return self._driver

    def _opened(self) -> Driver:
        try:
            driver = self._open()
        except (JitframeError, NotImplementedError):
            raise
        except Exception as problem:  # of whatever library is behind it
            raise BackendUnavailableError(
                f"{self.name} ({self.facts.title}) cannot be opened ({problem})",
                device=self.name,
                suggestions=("start the process anew", "choose another device"),
            ) from problem
        if self._facts is not None and self._facts.hints != driver.facts.hints:
            driver.use(self._facts.hints)  # type: ignore[attr-defined]
        self._arrange(driver)
        from .handling import opened  # see `_runs`

        opened(self, driver)
        return driver

    def _arrange(self, driver: Driver) -> None:
        """Puts before a driver what keeps its limits, asks again for memory, keeps queues in order, and
        records its work."""
        from .memory.shortage import PatientDriver, make_room  # see `_runs`

        allocating = self._allocating
        if allocating is not None and allocating.inner is not driver:
            allocating = self._allocating = None  # its memory was lost with its driver
        self._front = driver if allocating is None else allocating
        if self._limits is not None:
            from .memory.limits import limited

            self._front = limited(self._front, self, self._limits)
        if self._front is not driver or not getattr(driver, "is_patient", False):
            if self._patient is None or self._patient.driver is not driver:
                self._patient = PatientDriver(driver, self)
            self._patient.stand_before(self._front)
            self._front = self._patient
        if hasattr(driver, "make_room"):
            driver.make_room = partial(make_room, self)
        if self._ordering is not None:
            self._ordering.inner = self._front
            self._front = self._ordering
        self._runs.follow(driver, self._front)

    @property
    def takes_others_memory(self) -> bool:
        """Whether an application supplies its memory, or did."""
        return self._allocating is not None

    @property
    def hints(self) -> PerformanceHints:
        """The performance hints by which it is given work."""
        return self.facts.hints

    def follow(self, hints: PerformanceHints) -> None:
        """Has kernels that are compiled from now on made and launched by these hints.

        Raises BackendError for devices whose driver follows none, or not these.
        """
        hints.check()
        with self.using() as driver:
            if (use := getattr(driver, "use", None)) is None:
                raise BackendError(f"{self.name} ({self.facts.title}) follows no hints", device=self.name)
            use(hints)
            self._facts = driver.facts

    def has(self, dtype: DType) -> bool:
        """Whether the device computes in a dtype."""
        return self.is_host or PART_OF.get(dtype, dtype).name in self.facts.dtypes

    def fitting(self, dtype: DType) -> DType:
        """The dtype that stands for a given one on this device, where none was asked for."""
        return self.narrows.get(dtype, dtype)

    def check(self, dtype: numpy.dtype | DType) -> None:
        """Raises UnsupportedDTypeError for a dtype that the device does not compute in."""
        found = dtype if isinstance(dtype, DType) else BY_NUMPY_NAME[dtype.name]
        if not self.has(found):
            from .fit import refuse_dtype  # here and below: failures of a device

            refuse_dtype(self, found)

    def check_size(self, nbytes: int, what: str) -> None:
        """Raises OutOfMemoryError for a buffer that is too large for the device."""
        if nbytes > self.facts.largest_buffer:
            from .fit import refuse_size

            refuse_size(self, nbytes, what)

    # Order and memory ---------------------------------------------------------------------------------
    @closed_at_once
    def using(self, telling: bool = True) -> Iterator[Driver]:
        """The driver, for this thread alone; what it is asked for goes to this thread's queue. Raises
        BackendError where the thread has it already: a signal handler, say, interrupted its work."""
        from .queues import assignment as queues  # see `_runs`

        queue = queues.current(self)
        with self._using:
            stop_at_end()
            driver = self.driver
            assert self._front is not None
            try:
                self._take_dropped()
                if queue is not None and queue.driver is not driver:
                    queue.enter(driver)
                ordering = self._ordering
                try:
                    if ordering is None:
                        yield self._front
                    else:
                        ordering.begin_turn(None if queue is None else queue.lane)
                        try:
                            yield self._front
                        finally:
                            ordering.end_turn()
                        if not ordering.is_needed:
                            self._ordering = None
                            self._arrange(driver)
                finally:
                    self._take_dropped()
            except BackendError as problem:
                self._raise(problem, driver)
        if self._later and telling:
            self.tell()

    def _raise(self, problem: BackendError, driver: Driver) -> NoReturn:
        """An error of a driver, as the program sees it."""
        problem.on(self.name)
        if isinstance(problem, DeviceLostError) and problem.driver in (None, driver):
            if driver is self._driver:
                # Whoever uses it next opens it again; memory of this driver is gone with it.
                self._driver = self._front = self._ordering = self._runs.replays = None
        elif isinstance(problem, OutOfMemoryError):
            from .memory.holders import describe

            describe(problem, self)
        from .handling import raise_handled  # see `_runs`

        raise_handled(problem)

    def wait_for(self, point: Point) -> None:
        """Waits until a queue has passed a point, while other threads use the device; raises what its work
        before that did wrong."""
        try:
            point.lane.wait(point)
        except BackendError as problem:
            with self._using:
                self._raise(problem, point.lane.driver)

    def check_runs(self) -> None:
        """Raises what runs that this thread's queue comes after did wrong."""
        if self._runs.unseen:
            with self.using() as driver:
                self._runs.raise_faults(driver, every=False)

    def tell(self) -> None:
        """Calls what waits for the driver to be free; what that raises is shown and nothing else happens."""
        later, self._later = self._later, []
        for each in later:
            try:
                each()
            except Exception as problem:
                sys.excepthook(type(problem), problem, problem.__traceback__)

    def tell_later(self, call: Callable[[], Any]) -> None:
        """Calls a function once nobody uses the driver."""
        self._later.append(call)

    @property
    def limits(self) -> Limits | None:
        """What it may hold; None where nothing was set."""
        return self._limits

    def limit(self, limits: Limits | None) -> None:
        """Sets what it may hold, from now on: what it holds already stays. None lifts all limits.

        Raises ArgumentError for numbers that are no limits, BackendError where the device cannot keep them.
        """
        from .memory.limits import set_limits

        set_limits(self, limits)

    def drop(self, memory: Any, driver: Driver) -> None:
        """Gives memory back, now or when the driver is next used: garbage is collected at any moment, also in
        the middle of the driver's own work."""
        if sys.is_finalizing() or driver is not self._driver:
            return
        self._dropped.append((driver, memory))
        if_free(self._using, self._take_dropped)

    def _take_dropped(self) -> None:
        while self._dropped:
            try:
                driver, memory = self._dropped.popleft()
            except IndexError:  # another thread took it, where the processor lacks memory
                return
            if driver is self._driver:
                self._front.free(memory)  # type: ignore[union-attr]

    def view_of(self, array: DeviceArray) -> View:
        """Where one of its arrays is, for its driver. Raises BackendError where that was lost."""
        if array.is_lost:
            raise BackendError(
                f"{array.dtype.name}{list(array.shape)} was on {self.name} ({self.facts.title}) when that "
                "was lost with all that it held",
                device=self.name,
                suggestions=("make it anew",),
            )
        return array.block.memory, array.offset

    def statistics(self) -> MemoryStatistics:
        with self.using() as driver:
            return driver.statistics()

    def free_bytes(self) -> int | None:
        """Bytes that can still be taken; None where neither the driver nor a limit tells."""
        from .memory.limits import free_bytes

        with self.using():
            return free_bytes(self)

    def dlpack_device(self) -> tuple[int, int]:
        """The device in DLPack's terms. Raises BackendError where its memory cannot be handed over."""
        if self.is_host or getattr(self.driver, "host_memory", False):
            return 1, 0
        from .discovery.registry import dlpack_kind

        kind, number = dlpack_kind(self.name)
        if not kind or not getattr(self.driver, "has_addresses", False):
            raise BackendError(
                f"arrays of {self.name} ({self.facts.title}) cannot be handed over by DLPack; hand over "
                "x.to_device('cpu') or x.numpy()"
            )
        return kind, number

    def synchronize(self) -> None:
        """Waits for all work so far; raises what it did wrong."""
        if not self.is_host and self._driver is not None:
            with profiler_hook.span(f"wait for {self.name}"):
                if self._ordering is not None:
                    self._pass()
                with self.using() as driver:
                    driver.synchronize()
                    self._runs.raise_faults(driver)

    def _pass(self) -> None:
        """Waits for all queues, as far as they were asked for work, while other threads use the device."""
        with self.using():
            ends = self._ordering.ends() if self._ordering is not None else []
        for point in ends:
            self.wait_for(point)

    # Arrays -------------------------------------------------------------------------------------------
    def upload(self, array: numpy.ndarray) -> DeviceArray:
        """A copy of an ndarray's values in this device's memory."""

        def fill(driver: Driver, made: DeviceArray) -> None:
            flat = numpy.ascontiguousarray(array).reshape(-1).view(numpy.uint8)
            with profiler_hook.span(f"upload to {self.name}", bytes=flat.nbytes):
                driver.upload((made.block.memory, 0), flat.data)

        return self._filled(array.shape, array.dtype, fill)

    def copy(self, array: DeviceArray) -> DeviceArray:
        """A copy of one of its own arrays."""
        return self._filled(
            array.shape,
            array.dtype,
            lambda driver, made: driver.copy((made.block.memory, 0), self.view_of(array), made.nbytes),
        )

    def receive(self, array: DeviceArray) -> DeviceArray:
        """A copy of another device's array, which does not pass the host as a whole."""
        from .memory.transfer import between, both

        self._check_array(array.shape, array.dtype)
        source = array.device
        with both(self, source) as (there, here):
            made = self._new(there, array.shape, array.dtype)
            view = source.view_of(array)
            if made.nbytes:
                between(there, (made.block.memory, 0), here, view, made.nbytes)
        return made

    def _filled(self, shape: tuple[int, ...], dtype: numpy.dtype, fill: Fill) -> DeviceArray:
        self._check_array(shape, dtype)
        with self.using() as driver:
            return self._runs.at_once(self._new, driver, shape, dtype, fill)

    def _check_array(self, shape: tuple[int, ...], dtype: numpy.dtype) -> None:
        self.check(dtype)
        self.check_size(math.prod(shape) * dtype.itemsize, f"an array {dtype.name}{list(shape)}")

    def _new(
        self, driver: Driver, shape: tuple[int, ...], dtype: numpy.dtype, fill: Fill | None = None
    ) -> DeviceArray:
        memory = driver.allocate(math.prod(shape) * dtype.itemsize)
        made = DeviceArray(Block(self, memory, self.driver), shape, dtype)
        if fill is not None and made.nbytes:
            fill(driver, made)
        return made

    def download(self, array: DeviceArray) -> numpy.ndarray:
        """A fresh ndarray of an array's values, after all work before."""
        out = numpy.empty(array.shape, array.dtype)
        if out.size:
            with profiler_hook.span(f"download from {self.name}", bytes=out.nbytes), self.using() as driver:
                driver.download(self.view_of(array), out.reshape(-1).view(numpy.uint8).data)
                self._runs.raise_faults(driver, every=False)
        return out

    def run(
        self,
        plan: Plan,
        inputs: Sequence[DeviceArray],
        scalars: Sequence[int],
        report: Callable[[OutOfBounds], Exception] = lambda fault: fault,
    ) -> list[Block]:
        """Run a bound plan on arrays of this device; the outputs' memory.

        What `report` says of a position out of bounds is raised when the device is next waited for.
        """
        with self.using() as driver:
            return self._runs.run(driver, plan, inputs, scalars, report)


def _open_processor() -> Driver:
    from .cpu.driver import open_shared

    return open_shared()


CPU = Device("cpu", None, _open_processor)


def named(name: Any) -> Device:
    """The device of a name, or the device itself; see `registry.device`."""
    if name.__class__ is Device:
        return name
    if name.__class__ is str and name == "cpu":
        return CPU
    # Most programs name no device: they do not load what knows the others.
    from .discovery.registry import device

    return device(name)


def _same_device(name: str, other: str) -> bool:
    """Whether a canonical name and any text name the same device."""
    from .discovery.registry import device_name

    try:
        return device_name(other) == name
    except BackendError:
        return False


def check_name(name: Any) -> None:
    """Raises BackendError for what cannot be a device's name; None and "cpu" pass."""
    if name is not None and name != "cpu":
        from .discovery.registry import device_name
        from .handling import heard

        heard(device_name)(name, using=True)
