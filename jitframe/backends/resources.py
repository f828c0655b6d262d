"""The program's resources of a backend: memory, and resources of any kind that are cleaned up once."""

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
    """A resource with `close`, which does nothing the second time."""

    def close(self) -> None: ...


C = TypeVar("C", bound=Closable)


class Resource(Generic[T]):
    """A value with a cleanup, made by `Backend.resource`.

    The cleanup runs exactly once: at the end of a `with` block, also after an exception, by `close`, with the
    last reference to the resource, when its backend is shut down, or at the end of the program; whichever
    comes first. `take` transfers the value: the caller then has to clean it up.

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
        """The value. Raises BackendError after it was cleaned up or taken."""
        try:
            return self._cell[0]
        except IndexError:
            raise self._over() from None

    def close(self) -> None:
        """Cleans the value up; does nothing where that was done, or it was taken. Raises the cleanup's
        error."""
        self._finalize()

    def take(self) -> T:
        """Returns the value, which belongs to the caller from now on: it is not cleaned up here any more.

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
    """Everything that ends with a backend: its resources, in reverse order, then its buffers."""

    def __init__(self) -> None:
        self._stores: weakref.WeakValueDictionary[int, Store] = weakref.WeakValueDictionary()
        self._resources: dict[int, weakref.ref[Closable]] = {}
        self._working: dict[int, None] = {}
        """Resources that work by themselves and use the backend for it, in order."""
        self._failures: list[Exception] = []

    def note(self, store: Store) -> None:
        """Adds memory, which is freed at the latest when the backend is shut down."""
        self._stores[id(store)] = store

    def add(self, resource: C, works: bool = False) -> C:
        """Adds a resource; `works`: it works by itself, and uses the backend for it until it is closed."""
        number = id(resource)

        def forget(_: object) -> None:
            self._resources.pop(number, None)
            self._working.pop(number, None)

        self._resources[number] = weakref.ref(resource, forget)
        if works:
            self._working[number] = None
        return resource

    def stores(self) -> list[Store]:
        """Returns the memory of buffers in use."""
        # A list of references is made at once; other threads may add and end stores meanwhile.
        found = [reference() for reference in self._stores.valuerefs()]
        return [store for store in found if store is not None and not store.ended]

    def end_work(self) -> None:
        """Closes resources that work by themselves, while the backend can be used; `end` reports their
        failures."""
        self._close(self._working)

    def _close(self, numbered: dict[int, Any]) -> None:
        """Closes resources in reverse order; each by the thread that removes it, as other threads and signal
        handlers add and close some meanwhile."""
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
        """Cleans everything up; continues past failures, and raises them afterwards.

        Raises BackendError, with the first failure as its cause.
        """
        self._close(self._resources)
        failures, self._failures = self._failures, []
        for store in self.stores():
            store.end("was given back when its backend was shut down")
        if failures:
            told = "; ".join(f"{type(failure).__name__}: {failure}" for failure in failures)
            raise BackendError(f"{len(failures)} cleanups failed: {told}") from failures[0]
