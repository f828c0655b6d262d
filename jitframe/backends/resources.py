"""What a backend holds for the program: memory, and resources of any kind that are cleaned up once."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from ..errors import BackendError, DTypeError

if TYPE_CHECKING:
    from .backend import Backend
    from .stores import Store

T = TypeVar("T")


class Closable(Protocol):
    """A resource that ends by `close`, which does nothing the second time."""

    def close(self) -> None: ...


C = TypeVar("C", bound=Closable)


class Resource(Generic[T]):
    """Something that must be cleaned up once it is of no use any more, made by `Backend.resource`.

    The cleanup runs exactly once: at the end of a `with` block, also when that raises, by `close`, when
    nobody holds the resource any more, when its backend is shut down, or at the end of the program; whichever
    comes first. `take` gives the value away: it is then the caller's to clean up.

    >>> import jitframe as jf
    >>> backend = jf.backends.get("cpu")
    >>> with backend.resource(lambda: ["open"], lambda state: print("closed", state)) as state:
    ...     print(state)
    ['open']
    closed ['open']
    """

    def __init__(self, backend: Backend, factory: Callable[[], T], cleanup: Callable[[T], Any]) -> None:
        if not (callable(factory) and callable(cleanup)):
            raise DTypeError(f"a resource takes two functions, not {factory!r} and {cleanup!r}")
        self._backend = backend
        value = factory()
        self._cell: list[T] = [value]
        self._finalize = weakref.finalize(self, _clean, self._cell, cleanup)

    def __repr__(self) -> str:
        return f"<resource of {self._backend.name}, {'open' if self.is_open else 'closed'}>"

    @property
    def is_open(self) -> bool:
        """Whether it was neither cleaned up nor taken."""
        return self._finalize.alive

    @property
    def value(self) -> T:
        """Raises BackendError after it was cleaned up or taken."""
        try:
            return self._cell[0]
        except IndexError:
            raise self._over() from None

    def close(self) -> None:
        """Cleans it up; nothing where that was done, or it was taken. Raises what the cleanup raises."""
        self._finalize()

    def take(self) -> T:
        """The value, which is the caller's from now on: nothing is cleaned up here any more.

        Raises BackendError after it was cleaned up or taken.
        """
        detached = self._finalize.detach()
        if detached is None:
            raise self._over()
        return self._cell.pop()

    def _over(self) -> BackendError:
        return BackendError(
            f"a resource of {self._backend.name} is used that was cleaned up or taken before",
            device=self._backend.name,
            suggestions=("make another one with backend.resource",),
        )

    def __enter__(self) -> T:
        return self.value

    def __exit__(self, *error: Any) -> None:
        self.close()


def _clean(cell: list[T], cleanup: Callable[[T], Any]) -> None:
    cleanup(cell.pop())


class Holdings:
    """Everything that ends with a backend: its resources, the last one first, then its buffers."""

    def __init__(self) -> None:
        self._stores: weakref.WeakValueDictionary[int, Store] = weakref.WeakValueDictionary()
        self._resources: dict[int, weakref.ref[Closable]] = {}
        self._working: dict[int, None] = {}
        """Those of them that work by themselves and use the backend for it, the first one first."""
        self._failures: list[Exception] = []

    def note(self, store: Store) -> None:
        """Memory to be given back at the latest when the backend is shut down."""
        self._stores[id(store)] = store

    def add(self, resource: C, works: bool = False) -> C:
        """One more; `works`: it works by itself, and uses the backend for it until it is closed."""
        number = id(resource)

        def forget(_: object) -> None:
            self._resources.pop(number, None)
            self._working.pop(number, None)

        self._resources[number] = weakref.ref(resource, forget)
        if works:
            self._working[number] = None
        return resource

    def stores(self) -> list[Store]:
        """The memory of buffers that are in use."""
        # A list of references is made at once; other threads may add and end stores meanwhile.
        found = [reference() for reference in self._stores.valuerefs()]
        return [store for store in found if store is not None and not store.ended]

    def end_work(self) -> None:
        """Closes what works by itself, while the backend can be used; `end` tells what that did wrong."""
        self._close(self._working)

    def _close(self, numbered: dict[int, Any]) -> None:
        """The last one first; each by who takes it out, as other threads and signal handlers add some and
        close some meanwhile."""
        closing = []
        for number in tuple(numbered):
            self._working.pop(number, None)
            reference = self._resources.pop(number, None)
            closing.append(None if reference is None else reference())
        for resource in closing[::-1]:
            if resource is None:
                continue
            try:
                resource.close()
            except Exception as failure:  # whatever the program's own cleanup raises
                self._failures.append(failure)

    def end(self) -> None:
        """Cleans everything up; goes on where a cleanup raises, and raises all of that afterwards.

        Raises BackendError, with the first failure as its cause.
        """
        self._close(self._resources)
        failures, self._failures = self._failures, []
        for store in self.stores():
            store.end("was given back when its backend was shut down")
        if failures:
            told = "; ".join(f"{type(each).__name__}: {each}" for each in failures)
            raise BackendError(f"{len(failures)} cleanups failed: {told}") from failures[0]
