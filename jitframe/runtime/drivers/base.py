"""The common part of device drivers: pooled memory with limits, kernels by form, order of work, errors and
remedies."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import Any, NoReturn, Protocol, TypeVar

from ...base.locks import new_reentrant_lock
from ...codegen.c_family import Dialect, Source
from ...codegen.c_family.threads import reduces
from ...codegen.kernel.nodes import REDUCTION_LANES, Kernel
from ...codegen.plan.libraries import FUNCTIONS
from ...codegen.plan.nodes import LibraryCall
from ...errors import BackendError, CompileError, DeviceLostError, OutOfMemoryError
from ...ir.record import replace
from ..driver import DeviceFacts, MemoryStatistics, PerformanceHints
from ..executor import View
from ..libraries import provider_of
from ..memory.pool import REMEDIES
from .forms import Form, Forms, Handle
from .sources import Compiled, numbered

T = TypeVar("T")
_ALLOCATING = "allocating"


@contextmanager
def raising(kind: type[Exception], instead_of: type[Exception]) -> Iterator[None]:
    """Converts one kind of error to another."""
    try:
        yield
    except instead_of as problem:
        raise kind(str(problem)) from None


class Memory(Protocol):
    """A pool of blocks: `pool.Pool`, or an adapter of the vendor's."""

    def take(self, nbytes: int) -> Any: ...

    def give(self, block: Any) -> None: ...

    def trim(self) -> None: ...

    def statistics(self) -> MemoryStatistics: ...

    def select_queue(self, queue: Any) -> None:
        """Allocates blocks for a queue from now on; each queue reuses its own blocks."""
        ...

    def close(self, queue: Any) -> None:
        """Gives the blocks of a finished queue to the first one."""
        ...


class BaseDriver(ABC):
    """A driver (see `driver.Driver`) but for how its device does each thing: the methods with an underscore.

    They are called one at a time, within `guard`, and raise `errors` of the device's own interface; those
    become DeviceErrors that name the device, what it was doing and the remedy.
    """

    _after_loss = "make its arrays anew, which opens it again"
    """The remedy."""
    _most_kernels: int | None = None
    _waiting: Any = None
    """Commands that are submitted later, where there are such."""
    _began: list[Any] | None = None
    """Marks of the start of launches, while they are recorded."""
    make_room: Callable[[], None] = staticmethod(lambda: None)
    """Releases unused memory, where work lacks memory; its device sets it. (The requester retries requests
    for memory: see `shortage`.)"""

    def __init__(
        self,
        name: str,
        facts: DeviceFacts,
        dialect: Dialect,
        errors: tuple[type[Exception], ...],
        guard: AbstractContextManager[Any] | None = None,
    ) -> None:
        self.name = name
        self.facts = facts
        self.dialect = dialect
        self._errors = errors
        self._guard = new_reentrant_lock() if guard is None else guard
        self.use(facts.hints)
        self._pool: Memory
        self._built: dict[str, Any] = {}
        """Binaries that were compiled just now and are not loaded yet, by source."""

    def use(self, hints: PerformanceHints) -> None:
        """Follows these hints, with kernels that are compiled from now on."""
        self.facts, most = replace(self.facts, hints=hints), self._most_kernels
        self._forms = Forms(self._spelled, self.facts, self._build, self._load, self._lanes, self._room, most)
        if self._waiting is not None:
            self._waiting.follow(hints.batch_size)

    # Memory -------------------------------------------------------------------------------------------
    def allocate(self, nbytes: int) -> Any:
        if nbytes > self.facts.largest_buffer:
            raise OutOfMemoryError(
                f"{self.name} gives one array {self.facts.largest_buffer:,} bytes at most, not {nbytes:,}",
                context={"asked_bytes": nbytes, "largest_buffer_bytes": self.facts.largest_buffer},
                suggestions=REMEDIES[1:],
            ).for_good()
        return self._do(_ALLOCATING, self._take, nbytes)

    def free(self, memory: Any) -> None:
        self._do("giving memory back", self._give, memory)

    def upload(self, target: View, data: memoryview) -> None:
        if data.nbytes:
            self._do("an upload", self._upload, target, data.cast("B"))

    def download(self, source: View, out: memoryview) -> None:
        if out.nbytes:
            self._do("a download", self._download, source, out.cast("B"))

    def read(self, source: View, nbytes: int) -> bytes:
        out = bytearray(nbytes)
        self.download(source, memoryview(out))
        return bytes(out)

    def copy(self, target: View, source: View, nbytes: int) -> None:
        if nbytes:
            self._do("a copy", self._copy, target, source, nbytes)

    def trim(self) -> None:
        self._do("giving memory back", self._pool.trim)

    def statistics(self) -> MemoryStatistics:
        return self._pool.statistics()

    def _take(self, nbytes: int) -> Any:
        return self._pool.take(nbytes)

    def _give(self, memory: Any) -> None:
        self._pool.give(memory)

    @abstractmethod
    def _upload(self, target: View, data: memoryview) -> None: ...

    @abstractmethod
    def _download(self, source: View, out: memoryview) -> None: ...

    @abstractmethod
    def _copy(self, target: View, source: View, nbytes: int) -> None: ...

    # Kernels ------------------------------------------------------------------------------------------
    def compile(self, kernel: Kernel) -> Handle:
        return self._forms.handle(kernel)

    def kernel_count(self) -> int:
        """The number of loaded kernels."""
        return len(self._forms)

    def limit_kernels(self, most: int | None) -> None:
        """Keeps at most so many, the least recently used one is dropped first; None is no limit."""
        self._most_kernels = most
        self._forms.limit(most)

    def forget_kernels(self) -> None:
        """Drops all; the next launches use the kernel cache."""
        self._forms.forget()

    def launch(self, handle: Handle, buffers: Sequence[View], values: bytes, groups: int) -> None:
        if groups > 0:
            sizes = (self._nbytes(memory) for memory, _ in buffers)
            form = self._forms.form(handle, sizes, values, groups)
            if self._began is not None:
                self._began.append(self.mark())
            self._do(form.doing, self._launch, form, buffers, values, groups)
            if not self.facts.hints.prefer_async:
                self.synchronize()

    def call(self, step: LibraryCall, operands: Sequence[View], results: Sequence[View]) -> None:
        provider, title = provider_of(step.function, self.dialect.name), FUNCTIONS[step.function].title
        if provider is None:
            raise BackendError(f"{self.name} has no library for {title}; it is made of kernels there")
        self._do(title, provider, self, step, operands, results)

    @abstractmethod
    def _launch(self, form: Form, buffers: Sequence[View], values: bytes, groups: int) -> None: ...

    @abstractmethod
    def _build(self, source: Source) -> bytes:
        """Returns the binary, or b"" where there is none; raises `rejected`."""

    @abstractmethod
    def _load(self, compiled: Compiled) -> Any:
        """Returns the object for launches."""

    @abstractmethod
    def _nbytes(self, memory: Any) -> int: ...

    def _spelled(self, kernel: Kernel) -> Dialect:
        """Returns the language of a kernel."""
        return self.dialect

    def _lanes(self, kernel: Kernel) -> int:
        """Returns the number of lanes for a kernel that is written for one."""
        lanes = self.facts.hints.preferred_workgroup
        threads = self.facts.execution == "simt"
        return max(lanes, REDUCTION_LANES) if threads and reduces(kernel) else lanes

    def _room(self, loaded: Any) -> int:
        """Returns the most lanes of a loaded kernel."""
        return self.facts.most_threads

    def _accepted(self, source: Source, make: Callable[..., T], *arguments: Any) -> T:
        """Compiles a source; converts the compiler's errors."""
        return self._attempt("compiling", partial(self.rejected, source), make, *arguments)

    def _attempt(
        self, doing: str, rejected: Callable[[Exception], Exception], make: Callable[..., T], *arguments: Any
    ) -> T:
        """Compiles a program; where the device rejects it, `rejected` makes the error."""
        try:
            return make(*arguments)
        except self._errors as problem:
            if self._is_lost(problem):
                self._fail(doing, problem)
            raise rejected(problem) from problem

    def check(self, kernel: Kernel) -> None:
        """Raises NotImplementedError for a kernel that the device cannot run; compiles nothing."""
        self._forms.spelled(kernel)

    def source(self, kernel: Kernel) -> str:
        """Returns a kernel in the device's language, with narrow indices."""
        return self._shown(kernel).text

    def assembly(self, kernel: Kernel) -> str:
        """Returns the compiler's output, where that is text; else a sentence that says so."""
        source = self._shown(kernel)
        binary = self._assembly(source)
        self._built.pop(source.text, None)
        if not binary:
            return f"({self.name} shows no assembly: it keeps what it compiles to itself)\n"
        try:
            return binary.rstrip(b"\0").decode("ascii")
        except UnicodeDecodeError:
            size = f"{len(binary):,}"
            return f"({self.name} shows no assembly: its compiler gives {size} bytes that are no text)\n"

    def _assembly(self, source: Source) -> bytes:
        return self._build(source)

    def _shown(self, kernel: Kernel) -> Source:
        forms = self._forms.handle(kernel).forms
        return forms[min(forms)].source

    def rejected(self, source: Source, log: object) -> CompileError:
        """Returns the error for source that the compiler rejects."""
        return CompileError(
            f"{self.name} rejected kernel {source.entry}; choose another device, or another version of its "
            f"driver:\n{numbered(source.text)}\n{log}"
        )

    # Order --------------------------------------------------------------------------------------------
    def mark(self) -> Any:
        return self._do("a mark", self._mark)

    def marked(self, launch: Callable[[], None]) -> Any:
        """Does a launch, and returns the mark of its start; None where nothing was launched.

        Compilation comes before it: ours, and that of drivers that defer it to a program's first launch
        (PoCL's, Mesa's on processors).
        """
        self._began = []
        try:
            launch()
            return self._began[-1] if self._began else None
        finally:
            self._began = None

    def elapsed(self, first: Any, last: Any) -> float:
        return self._do("a measurement", self._elapsed, first, last)

    def synchronize(self) -> None:
        self._do("waiting", self._synchronize)

    @abstractmethod
    def _mark(self) -> Any: ...

    @abstractmethod
    def _elapsed(self, first: Any, last: Any) -> float: ...

    @abstractmethod
    def _synchronize(self) -> None: ...

    # Errors -------------------------------------------------------------------------------------------
    def _do(self, doing: str, work: Callable[..., T], *arguments: Any) -> T:
        """Runs work of the device; retries it where it lacked memory and the pool can release some."""
        try:
            with self._guard:
                return work(*arguments)
        except self._errors as problem:
            if not self._is_short(problem):
                self._fail(doing, problem)
            if doing != _ALLOCATING:
                self.make_room()
            if not self.statistics().pooled:
                self._fail(doing, problem)
        try:
            with self._guard:
                self._synchronize()
                self._pool.trim()
                return work(*arguments)
        except self._errors as problem:
            self._fail(doing, problem)

    def _fail(self, doing: str, problem: Exception) -> NoReturn:
        if self._waiting is not None:
            self._waiting.forget()  # what waited with it is not done
        reason = self._reason(problem)
        if self._is_lost(problem):
            lost = DeviceLostError(
                f"{self.name} was lost with all that it held ({doing} failed: {reason}); "
                f"{self._after_loss}, or choose another device"
            )
            lost.driver = self
            lost.context.update(self._told(doing, problem))
            raise lost from problem
        what = f"{self.name}: {doing} failed ({reason})"
        if self._is_short(problem):
            live = self.statistics().live
            context = {"live_bytes": live, "total_bytes": self.facts.memory_bytes}
            context.update(self._told(doing, problem))
            raise OutOfMemoryError(what, context=context, suggestions=REMEDIES) from problem
        raise BackendError(
            what,
            context=self._told(doing, problem),
            suggestions=("choose another device", "start the program again"),
        ) from problem

    def _told(self, doing: str, problem: Exception) -> dict[str, Any]:
        """Returns an error's text with its context."""
        told: dict[str, Any] = {"doing": doing, "reason": self._reason(problem)}
        for name in ("code", "status"):
            if hasattr(problem, name):
                told["status"] = getattr(problem, name)
        return told

    def _reason(self, problem: Exception) -> str:
        return " ".join(str(problem).split())

    def _is_short(self, problem: Exception) -> bool:
        """Whether it came of too little memory, before any effect."""
        return False

    def _is_lost(self, problem: Exception) -> bool:
        """Whether the device and its memory are lost."""
        return False
