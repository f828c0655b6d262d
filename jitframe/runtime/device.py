"""`Device`: the location of arrays, and contiguous arrays in its memory."""

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
    """One device. Its driver is opened on first use, and used by one thread at a time."""

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
        """The driver with its layers: limits, out-of-memory retry, ordering of queues, recording."""
        self._patient: PatientDriver | None = None
        """The layer that retries requests for memory, where the driver does not retry them itself."""
        self._ordering: OrderingDriver | None = None
        """The layer of a driver with several open queues."""
        self._limits: Limits | None = None
        self._allocating: AllocatingDriver | None = None
        """The layer with memory of an application's, set once an application has supplied it."""
        self.is_shared = True
        """Whether it is the whole program's device, or that of one backend (see `backends.create`)."""
        self.is_monitored = False
        """Whether allocations record the line of the program that made them."""
        self._later: list[Callable[[], Any]] = []
        """Functions to call when the driver is free."""
        self._opening, self._using = new_reentrant_lock(), new_reentrant_lock()
        self._dropped: deque[Any] = deque()
        """Memory without references, until the driver is free to take it."""
        self.machine = machine or PROCESSOR
        self.narrows: dict[DType, DType] = {}
        """Substitutes for the dtypes that the device lacks, where the user asked for no dtype."""
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
        """By name: unpickling returns the device of that name there."""
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
        """The driver, opened if it was not, without its lock: no other thread may use it."""
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
        """Adds the layers of a driver: limits, out-of-memory retry, ordering of queues, recording."""
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
        """The present performance hints."""
        return self.facts.hints

    def follow(self, hints: PerformanceHints) -> None:
        """Compiles and launches kernels by these hints from now on.

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
        """Returns the dtype that replaces a given one on this device, where the user asked for no dtype."""
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
        """Locks the driver for this thread; its work goes to this thread's queue. Raises BackendError where
        the thread has it already: a signal handler, say, interrupted its work."""
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
        """Converts an error of a driver for the program."""
        problem.on(self.name)
        if isinstance(problem, DeviceLostError) and problem.driver in (None, driver):
            if driver is self._driver:
                # The next user opens it again; memory of this driver is lost with it.
                self._driver = self._front = self._ordering = self._runs.replays = None
        elif isinstance(problem, OutOfMemoryError):
            from .memory.holders import describe

            describe(problem, self)
        from .handling import raise_handled  # see `_runs`

        raise_handled(problem)

    def wait_for(self, point: Point) -> None:
        """Waits until a queue has passed a point, while other threads use the device; raises errors of its
        work before that."""
        try:
            point.lane.wait(point)
        except BackendError as problem:
            with self._using:
                self._raise(problem, point.lane.driver)

    def check_runs(self) -> None:
        """Raises errors of runs that this thread's queue comes after."""
        if self._runs.unseen:
            with self.using() as driver:
                self._runs.raise_faults(driver, every=False)

    def tell(self) -> None:
        """Calls the functions that wait for the driver to be free; their exceptions are only printed."""
        later, self._later = self._later, []
        for each in later:
            try:
                each()
            except Exception as problem:
                sys.excepthook(type(problem), problem, problem.__traceback__)

    def tell_later(self, call: Callable[[], Any]) -> None:
        """Calls a function once the driver is free."""
        self._later.append(call)

    @property
    def limits(self) -> Limits | None:
        """Its limits; None where there are none."""
        return self._limits

    def limit(self, limits: Limits | None) -> None:
        """Sets its limits from now on: present allocations stay.

        None removes all limits. Raises ArgumentError for invalid numbers, BackendError where the device
        cannot enforce them.
        """
        from .memory.limits import set_limits

        set_limits(self, limits)

    def drop(self, memory: Any, driver: Driver) -> None:
        """Releases memory, now or when the driver is next used: garbage collection happens at any moment,
        also in the middle of the driver's own work."""
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
        """Returns the view of one of its arrays for its driver. Raises BackendError where it was lost."""
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
        """Returns the bytes that can still be allocated; None where they are unknown."""
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
        """Waits for all work so far; raises its errors."""
        if not self.is_host and self._driver is not None:
            with profiler_hook.span(f"wait for {self.name}"):
                if self._ordering is not None:
                    self._pass()
                with self.using() as driver:
                    driver.synchronize()
                    self._runs.raise_faults(driver)

    def _pass(self) -> None:
        """Waits for the present work of all queues, while other threads use the device."""
        with self.using():
            ends = self._ordering.ends() if self._ordering is not None else []
        for point in ends:
            self.wait_for(point)

    # Arrays -------------------------------------------------------------------------------------------
    def upload(self, array: numpy.ndarray) -> DeviceArray:
        """Copies an ndarray into this device's memory."""

        def fill(driver: Driver, made: DeviceArray) -> None:
            flat = numpy.ascontiguousarray(array).reshape(-1).view(numpy.uint8)
            with profiler_hook.span(f"upload to {self.name}", bytes=flat.nbytes):
                driver.upload((made.block.memory, 0), flat.data)

        return self._filled(array.shape, array.dtype, fill)

    def copy(self, array: DeviceArray) -> DeviceArray:
        """Copies one of its own arrays."""
        return self._filled(
            array.shape,
            array.dtype,
            lambda driver, made: driver.copy((made.block.memory, 0), self.view_of(array), made.nbytes),
        )

    def receive(self, array: DeviceArray) -> DeviceArray:
        """Copies another device's array, which is never on the host as a whole."""
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
        array = DeviceArray(Block(self, memory, self.driver), shape, dtype)
        if fill is not None and array.nbytes:
            fill(driver, array)
        return array

    def download(self, array: DeviceArray) -> numpy.ndarray:
        """Returns a new ndarray of an array's values, after all work before."""
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
        """Runs a bound plan on arrays of this device; returns the outputs' memory.

        The errors that `report` raises for recorded faults are raised at the next synchronization.
        """
        with self.using() as driver:
            return self._runs.run(driver, plan, inputs, scalars, report)


def _open_processor() -> Driver:
    from .cpu.driver import open_shared

    return open_shared()


CPU = Device("cpu", None, _open_processor)


def named(name: Any) -> Device:
    """Returns the device of a name, or the device itself; see `registry.device`."""
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
    """Raises BackendError for an invalid device name; None and "cpu" are valid."""
    if name is not None and name != "cpu":
        from .discovery.registry import device_name
        from .handling import heard

        heard(device_name)(name, using=True)
