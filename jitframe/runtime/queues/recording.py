"""Recorded launches that are replayed in one call: CUDA's graphs, for plans of many short launches.

A run first goes through its plan without launching: memory is allocated, and what is to be done with it is
noted. Where exactly that was done before (the same kernels, copies and products at the same addresses, with
the same values), it is recorded, and from then on done again in one call. A pool gives the same addresses in
turn, so loops come back to them. No memory is held for a recording: its addresses are those of memory that
the run has just got, or else what was noted is not the same.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Protocol

from ...codegen.kernel.nodes import Kernel
from ...codegen.plan.libraries import FUNCTIONS
from ...codegen.plan.nodes import Alloc, Free, LibraryCall, Plan
from ...errors import BackendError, DeviceLostError
from ...ir.record import mutable
from ..driver import DeviceFacts, Driver
from ..executor import Defer, View, execute

_FEWEST = 2
"""The least steps that are worth a recording."""
_UNIT_BYTES = 512
"""Pools round sizes to multiples of so many bytes: memory of equal rounded size is interchangeable."""
_MOST = 128
"""The most keys that are remembered, the latest used ones."""


class RecordingDriver(Driver, Protocol):
    """A driver that can record; `can_record` says whether this one does."""

    can_record: bool

    def place(self, view: View) -> int:
        """The address of a view."""
        ...

    def begin_recording(self) -> None:
        """Records further work instead of doing it."""
        ...

    def end_recording(self) -> Any:
        """Returns the recorded work."""
        ...

    def replay(self, recorded: Any) -> None: ...


class ReplayStatistics(metaclass=mutable):
    """Counts of runs: step by step, recorded, and replayed."""

    direct: int = 0
    recorded: int = 0
    replayed: int = 0


class Replays:
    """Runs plans on one driver, which records repeated work."""

    def __init__(self, driver: RecordingDriver) -> None:
        self.statistics = ReplayStatistics()
        self._driver = driver
        self._known: OrderedDict[Hashable, Any] = OrderedDict()
        """The recording of each key; None after a first run."""
        self.problem = ""
        """The reason why recording stopped."""

    def run(
        self,
        plan: Plan,
        inputs: Sequence[Any],
        scalars: Sequence[int],
        defer: Defer | None = None,
        begins: Sequence[int] = (),
    ) -> list[Any]:
        """As `execute`."""
        noted = _Noted(self._driver)
        try:
            noted.reserve(_requests(plan))
            outputs = execute(plan, noted, inputs, scalars, defer=defer, begins=begins)
        except BackendError:
            noted.give_back()
            if noted.done:
                raise
            # Perhaps memory is short that a run step by step has given back by then.
            self.statistics.direct += 1
            return execute(plan, self._driver, inputs, scalars, defer=defer, begins=begins)
        except BaseException:
            noted.give_back()
            raise
        try:
            self._do(noted)
        except BaseException:
            for memory in outputs:
                self._driver.free(memory)
            raise
        finally:
            noted.give_back()
        return outputs

    def _do(self, noted: _Noted) -> None:
        if noted.done or len(noted.work) < _FEWEST or self.problem:
            self.statistics.direct += 1
            noted.flush()
            return
        key = tuple(noted.keys)
        seen, recorded = key in self._known, self._known.pop(key, None)
        if recorded is None and seen:
            recorded = self._recorded(noted)
            self.statistics.recorded += recorded is not None
        elif recorded is not None:
            self.statistics.replayed += 1
        self._known[key] = recorded
        if len(self._known) > _MOST:
            _, oldest = self._known.popitem(last=False)
            if oldest is not None:
                self._driver.synchronize()  # it may be under way
        if recorded is None:
            self.statistics.direct += 1
            noted.flush()
        else:
            self._driver.replay(recorded)

    def _recorded(self, noted: _Noted) -> Any:
        """Returns a recording of the work; None where the device does not support it, which is not tried
        again."""
        try:
            self._driver.begin_recording()
            try:
                noted.ask()
            finally:
                recorded = self._driver.end_recording()
        except DeviceLostError:
            raise
        except BackendError as problem:
            self.problem = problem.message
            return None
        return recorded


class _Noted:
    """The executor's driver during a run: allocates at once, records work, and keeps freed memory meanwhile.

    (The pool might release freed memory before the work that uses it is submitted.)
    """

    def __init__(self, driver: RecordingDriver) -> None:
        self._driver = driver
        self.work: list[Callable[[], None]] = []
        self.keys: list[Hashable] = []
        self.done = False
        """Whether work was done already, as its result was read."""
        self._freed: dict[int, list[Any]] = {}

    def reserve(self, sizes: Sequence[int]) -> None:
        """Allocates memory in advance, the lowest addresses first: a pool returns blocks in any order, and
        the same ones are to have the same use."""
        try:
            for nbytes in sizes:
                self.free(self._driver.allocate(nbytes))
        finally:
            for blocks in self._freed.values():
                blocks.sort(key=lambda memory: self._driver.place((memory, 0)), reverse=True)

    # The executor's interface -------------------------------------------------------------------------
    def allocate(self, nbytes: int) -> Any:
        whole = _whole(nbytes)
        freed = self._freed.get(whole)
        return freed.pop() if freed else self._driver.allocate(whole)

    def free(self, memory: Any) -> None:
        self._freed.setdefault(memory.nbytes, []).append(memory)

    def compile(self, kernel: Kernel) -> Any:
        return self._driver.compile(kernel)

    def read(self, source: View, nbytes: int) -> bytes:
        self.flush()
        self.done = True
        return self._driver.read(source, nbytes)

    def upload(self, target: View, data: memoryview) -> None:
        """At once: what is noted comes after it. Plans fill memory before they ask for anything else; one
        that does not is done step by step."""
        if self.work:
            self.flush()
            self.done = True
        self._driver.upload(target, data)

    def launch(self, handle: Any, buffers: Sequence[View], values: bytes, groups: int) -> None:
        self.work.append(lambda: self._driver.launch(handle, buffers, values, groups))
        self._note(_Same(handle), buffers, values, groups)

    @property
    def facts(self) -> DeviceFacts:
        return self._driver.facts

    def call(self, step: LibraryCall, operands: Sequence[View], results: Sequence[View]) -> None:
        """Products alone: other functions take memory of their own, and wait for the device in between."""
        if FUNCTIONS[step.function].on_host:
            self.flush()
            self.done = True
            self._driver.call(step, operands, results)
            return
        self.work.append(lambda: self._driver.call(step, operands, results))
        self._note(step, (*operands, *results))  # its numbers are the step's own

    def copy(self, target: View, source: View, nbytes: int) -> None:
        self.work.append(lambda: self._driver.copy(target, source, nbytes))
        self._note(None, (target, source), nbytes)

    def _note(self, what: Hashable, views: Sequence[View], *values: Hashable) -> None:
        self.keys.append((what, tuple([self._driver.place(view) for view in views]), *values))

    # Submission ---------------------------------------------------------------------------------------
    def ask(self) -> None:
        """Submits all recorded work."""
        for each in self.work:
            each()

    def flush(self) -> None:
        """Submits recorded work, once."""
        work, self.work = self.work, []
        for each in work:
            each()

    def give_back(self) -> None:
        for blocks in self._freed.values():
            for memory in blocks:
                self._driver.free(memory)
        self._freed = {}


def _requests(plan: Plan) -> list[int]:
    """Returns the allocations of a run, in bytes, with reuse of its own freed memory."""
    asked: list[int] = []
    sizes: dict[int, int] = {}
    freed: list[int] = []
    for step in plan.steps:
        if isinstance(step, Alloc):
            size = sizes[step.buffer] = _whole(plan.buffers[step.buffer].nbytes)
            if size in freed:
                freed.remove(size)
            else:
                asked.append(size)
        elif isinstance(step, Free):
            freed.append(sizes[step.buffer])
    return asked


def _whole(nbytes: int) -> int:
    return max(-(-nbytes // _UNIT_BYTES), 1) * _UNIT_BYTES


class _Same:
    """Equal to another of the same object, which it keeps alive."""

    __slots__ = ("_object",)

    def __init__(self, value: Any) -> None:
        self._object = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self._object is other._object

    def __hash__(self) -> int:
        return id(self._object)
