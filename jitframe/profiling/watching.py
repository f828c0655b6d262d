"""Records of launches during a profile: when each was requested and by whom, and the device's timestamps
before and after it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from weakref import WeakKeyDictionary

from ..base.locks import new_reentrant_lock
from ..codegen.kernel.nodes import Kernel
from ..codegen.plan.libraries import flops, touched_elements
from ..codegen.plan.nodes import LibraryCall, Plan
from ..ir.record import fresh, mutable
from ..runtime.cpu.driver import Handle
from ..runtime.device import CPU, Device
from ..runtime.driver import Driver
from ..runtime.executor import View, execute
from ..runtime.queues.assignment import name_of
from .counts import work_of

_COMPILED_S = 1e-3
"""A first launch that takes longer than this included a compilation: others take microseconds."""
_MOST_OPEN = 512
"""The maximum number of launches without resolved times: devices keep their timestamps until then."""
_launched: WeakKeyDictionary[Any, dict[int, Any]] = WeakKeyDictionary()
"""The kernels that profiles have seen launched, by driver and identity: they are not compiled again."""


class Launch(metaclass=mutable):
    """One launch, product or copy of a device."""

    name: str
    kind: str
    """"kernel", "library", "copy" or "program" (source or a binary)."""
    device: str
    host_begin: float
    """Seconds of `time.perf_counter` when it was requested, and when the request returned."""
    host_end: float
    thread: int
    begin: float = 0.0
    """Device time, in seconds of the same clock as far as can be determined: see `Clock`."""
    seconds: float = 0.0
    """Device time."""
    compile_seconds: float = 0.0
    """How long the launch waited for the driver or the code generator to compile it."""
    stream: str = ""
    """The name of its stream; empty for the device's default order."""
    work: Callable[[], tuple[int, int, bool]] | None = None
    """Operations, bytes, whether they are exact; if known."""
    marks: Any = None


class Span(metaclass=mutable):
    """An activity of the host."""

    name: str
    begin: float
    end: float
    thread: int
    facts: dict[str, Any] = fresh(factory=dict)


class Clock:
    """Relates the device's clock to the host's: both are 0 at a point where the device was idle."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver
        driver.synchronize()
        self.mark = driver.mark()
        driver.synchronize()
        self.host = time.perf_counter()

    def settle(self, launches: Sequence[Launch]) -> None:
        """Resolves when launches ran, and for how long. Waits for them."""
        for launch in launches:
            first, began, last = launch.marks
            if began is not None:
                waited = self.driver.elapsed(first, began)
                launch.compile_seconds = waited if waited > _COMPILED_S else 0.0
                first = began
            launch.begin = self.host + max(self.driver.elapsed(self.mark, first), 0.0)
            launch.seconds = max(self.driver.elapsed(first, last), 0.0)
            launch.marks = None


class HostClock(Clock):
    """The clock of the CPU, whose timestamps are host times."""

    def __init__(self) -> None:
        pass

    def settle(self, launches: Sequence[Launch]) -> None:
        for launch in launches:
            launch.begin, _, last = launch.marks
            launch.seconds = last - launch.begin
            launch.marks = None


class Watcher:
    """Records everything that runs while it is active (see `runtime.watch.Watch`)."""

    def __init__(self) -> None:
        self.launches: list[Launch] = []
        self.spans: list[Span] = []
        self._open: dict[int, tuple[Device, Any, Clock, list[Launch]]] = {}
        """Launches whose times are not resolved yet, by driver."""
        self._lock = new_reentrant_lock()

    # The interface of Watch ---------------------------------------------------------------------------
    def driver(self, device: Device, driver: Driver) -> WatchedDriver:
        return WatchedDriver(self, device, driver)

    def on_processor(
        self,
        plan: Plan,
        kernels: Sequence[int],
        addresses: Sequence[int],
        sizes: Sequence[int],
        scalars: Sequence[int],
    ) -> list[Any]:
        codes = {id(kernel): address for kernel, address in zip(plan.kernels, kernels, strict=True)}
        watched = WatchedDriver(self, CPU, CPU.driver, lambda kernel: Handle(kernel, codes[id(kernel)]))
        inputs = [_Place(address, nbytes) for address, nbytes in zip(addresses, sizes, strict=True)]
        with self.span("run a plan", kernels=len(plan.kernels)):
            return execute(plan, watched, inputs, scalars)

    @contextmanager
    def span(self, name: str, **facts: Any) -> Iterator[None]:
        begin = time.perf_counter()
        try:
            yield
        finally:
            end = time.perf_counter()
            self.spans.append(Span(name, begin, end, threading.get_ident(), facts))

    # Notes --------------------------------------------------------------------------------------------
    def clock(self, device: Device, driver: Any) -> Clock:
        """The clock of the innermost driver; wrappers around it come and go."""
        own = device.driver
        with self._lock:
            known = self._open.get(id(own))
            if known is None:
                clock = HostClock() if device.is_host else Clock(driver)
                known = self._open[id(own)] = device, own, clock, []
            return known[2]

    def note(self, device: Device, launch: Launch) -> None:
        """Called by the thread that uses the driver."""
        self.launches.append(launch)
        _, _, clock, waiting = self._open[id(device.driver)]
        waiting.append(launch)
        if len(waiting) >= _MOST_OPEN:
            clock.settle(waiting)
            waiting.clear()

    def settle(self) -> None:
        """Waits for all launches and resolves their times."""
        with self._lock:
            open_ones = list(self._open.values())
        for device, driver, clock, waiting in open_ones:
            with device.using():
                if device.driver is driver:
                    clock.settle(waiting)
            waiting.clear()


class WatchedDriver:
    """A driver with timestamps around each launch; the executor of plans uses it as its PlanDriver."""

    def __init__(
        self,
        watcher: Watcher,
        device: Device,
        driver: Driver,
        handle: Callable[[Kernel], Any] | None = None,
    ) -> None:
        self._watcher = watcher
        self._device = device
        self._driver: Any = driver
        self._handle = driver.compile if handle is None else handle
        self._sizes: dict[int, int] = {}
        watcher.clock(device, driver)
        self._launched = _launched.setdefault(device.driver, {})

    def __getattr__(self, name: str) -> Any:
        return getattr(self._driver, name)

    def size_of(self, memory: Any, nbytes: int) -> None:
        """The size of an input's memory."""
        self._sizes[id(memory)] = nbytes

    def allocate(self, nbytes: int) -> Any:
        memory = self._driver.allocate(nbytes)
        self._sizes[id(memory)] = nbytes
        return memory

    def compile(self, kernel: Kernel) -> Any:
        begin = time.perf_counter()
        handle = self._handle(kernel)
        end = time.perf_counter()
        if end - begin > 1e-4:
            span = Span(f"compile {kernel.name}", begin, end, threading.get_ident(), {})
            self._watcher.spans.append(span)
        return kernel, handle

    def launch(self, handle: Any, buffers: Sequence[View], values: bytes, groups: int) -> None:
        kernel, own = handle
        if groups <= 0:
            return
        sizes = tuple(self._size(memory) - offset for memory, offset in buffers)
        self._noted(
            kernel.name,
            "kernel",
            lambda: self._driver.launch(own, buffers, values, groups),
            lambda: _kernel_work(kernel, values, groups, sizes),
            own,
        )

    def launch_source(self, handle: Any, *given: Any) -> None:
        name: str = getattr(handle, "entry", "") or getattr(handle, "function_name", "program")
        self._noted(name, "program", lambda: self._driver.launch_source(handle, *given), None, handle)

    def call(self, step: LibraryCall, operands: Sequence[View], results: Sequence[View]) -> None:
        self._noted(
            f"{step.function} {step.dtype.name}",
            "library",
            lambda: self._driver.call(step, operands, results),
            lambda: (flops(step), touched_elements(step) * step.dtype.itemsize, True),
        )

    def copy(self, target: View, source: View, nbytes: int) -> None:
        run = lambda: self._driver.copy(target, source, nbytes)  # noqa: E731
        self._noted("copy", "copy", run, lambda: (0, 2 * nbytes, True))

    def _size(self, memory: Any) -> int:
        known = self._sizes.get(id(memory))
        if known is None:
            measure = getattr(self._driver, "_nbytes", None)
            known = int(memory.nbytes if measure is None else measure(memory))
        return known

    def _noted(
        self,
        name: str,
        kind: str,
        run: Callable[[], None],
        work: Callable[[], tuple[int, int, bool]] | None,
        handle: Any = None,
    ) -> None:
        begin = time.perf_counter()
        first, began = self._driver.mark(), None
        marked = None if handle is None else getattr(self._driver, "marked", None)
        if marked is None or id(handle) in self._launched:
            run()
        else:
            self._launched[id(handle)] = handle
            began = marked(run)
        last = self._driver.mark()
        end = time.perf_counter()
        launch = Launch(name, kind, self._device.name, begin, end, threading.get_ident())
        launch.marks, launch.work, launch.stream = (first, began, last), work, name_of(self._device)
        self._watcher.note(self._device, launch)


class _Place(metaclass=mutable):
    """An ndarray's memory in the form that the CPU driver takes."""

    address: int
    nbytes: int


def _kernel_work(kernel: Kernel, values: bytes, groups: int, sizes: Sequence[int]) -> tuple[int, int, bool]:
    indices = tuple(
        int.from_bytes(values[8 * number : 8 * number + 8], "little", signed=True)
        for number in range(len(kernel.indices))
    )
    work = work_of(kernel, indices, groups)
    return work.operations, work.moved(sizes), work.exact
