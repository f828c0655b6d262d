"""Registration of backends: added and removed, described, and all of them started and shut down at once.

Packages add one for everybody by an entry point of the group `jitframe.backends` that is a `BackendEntry`,
and programs for themselves by `register`. Nothing of a backend is loaded before somebody asks for its
devices.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from typing import Any, Literal

from ..errors import ArgumentError, BackendError, nearest
from ..ir.record import replace
from ..runtime.discovery import probe, registry
from ..runtime.discovery.automatic import forget_choice
from ..runtime.discovery.backend_entry import BackendEntry, check_entry, words
from ..runtime.discovery.backend_entry import obstacles as entry_obstacles
from ..runtime.discovery.options import Option
from ..runtime.handling import heard
from ..settings import UNSET, without_unset
from . import choice, lifecycle
from .backend import Backend
from .discovery import discover
from .lifecycle import for_each

__all__ = [
    "BackendEntry", "Option", "count", "has", "initialize_all", "metadata", "names", "obstacles", "register",
    "shutdown_all", "unregister",
]  # fmt: skip


@heard
def register(
    name: str,
    factory: Callable[[], Any] | types.ModuleType | str,
    *,
    priority: int = 0,
    aliases: tuple[str, ...] = UNSET,
    title: str = UNSET,
    version: str = UNSET,
    author: str = UNSET,
    license: str = UNSET,
    kinds: tuple[Literal["gpu", "cpu", "other"], ...] = UNSET,
    platforms: tuple[str, ...] = UNSET,
    architectures: tuple[str, ...] = UNSET,
    jitframe: str = UNSET,
    required: tuple[str, ...] = UNSET,
    optional: tuple[str, ...] = UNSET,
    options: tuple[Option, ...] = UNSET,
    apis: tuple[tuple[str, str], ...] = UNSET,
    **metadata: Any,
) -> BackendEntry:
    """Adds a backend for this process, and gives what is known of it.

    `factory` is a module with `enumerate()` and `open(number)`, its name, or a function that gives such an
    object when the devices are first asked for. `priority`: "auto" takes backends of higher ones first; those
    of `cpu` (100) and less are taken by name only. The others, and `metadata`, are fields of BackendEntry.

    Raises ArgumentError for a name, a factory or metadata that cannot be; BackendError, which lists the names
    there are, for one that is taken and for a backend that cannot run here.

    >>> _ = jf.backends.register("abacus", "abacus.driver", title="beads on rods", version="2.1")
    >>> jf.backends.metadata("abacus").version, jf.backends.is_available("abacus")
    ('2.1', False)
    >>> jf.backends.unregister("abacus")
    """
    if isinstance(factory, types.ModuleType):
        factory = factory.__name__
    if not isinstance(factory, str) and not callable(factory):
        raise ArgumentError(
            f"the backend {name!r} is given by a module, its name, or a function that gives it, not by a "
            f"{type(factory).__name__}"
        )
    unknown = [each for each in metadata if each not in BackendEntry.__slots__]  # type: ignore[attr-defined]
    if unknown:
        fields = ", ".join(BackendEntry.__slots__)  # type: ignore[attr-defined]
        raise ArgumentError(
            f"nothing that is known of a backend is called {unknown[0]!r}"
            f"{nearest(unknown[0], BackendEntry.__slots__)}; there are {fields}"  # type: ignore[attr-defined]
        )
    metadata |= without_unset(
        aliases=aliases, title=title, version=version, author=author, license=license, kinds=kinds,
        platforms=platforms, architectures=architectures, jitframe=jitframe, required=required,
        optional=optional, options=options, apis=apis,
    )  # fmt: skip
    entry = BackendEntry(name, priority, **metadata)
    entry = replace(entry, module=factory) if isinstance(factory, str) else replace(entry, factory=factory)
    check_entry(entry)
    reasons = entry_obstacles(entry)
    if reasons:
        raise BackendError(
            f"the backend {name!r} cannot run here: {'; '.join(reasons)}; there are {', '.join(names())}",
            backend=name,
        )
    registry.register(entry)
    forget_choice()
    return entry


@heard
def unregister(name: str) -> None:
    """Takes a backend back that `register` added, or for this process one that an entry point offers.

    What is initialized of it is shut down first, in reverse; it is taken back whatever that raises. Raises
    BackendUnavailableError for a name that is none, BackendError for jitframe's own and for what shutting
    down did wrong.

    >>> jf.backends.unregister("cpu")
    Traceback (most recent call last):
    jitframe.errors.BackendError: ...
    """
    entry = registry.named_entry(name)
    registry.check_removable(entry)
    mine = [each for each in lifecycle.initialized() if each.name.partition(":")[0] == entry.name]
    try:
        for_each(reversed(mine), lambda backend: backend.shutdown(), "be shut down")
    finally:
        for each in choice.shared():
            if each.name.partition(":")[0] == entry.name:
                choice.forget(each)
        registry.unregister(entry.name)
        probe.forget_probed(entry.name)
        forget_choice()


def names() -> tuple[str, ...]:
    """The names of all backends, available or not, the first to be tried first.

    >>> jf.backends.names()[:2]
    ('cuda', 'hip')
    """
    return tuple(entry.name for entry in registry.backends())


def has(name: str) -> bool:
    """Whether there is a backend of that name or alias, available or not; never raises.

    >>> jf.backends.has("ROCm"), jf.backends.has("abacus")
    (True, False)
    """
    word = name.strip().lower() if isinstance(name, str) else ""
    return any(word in words(entry) for entry in registry.backends())


def count() -> int:
    """How many backends there are, available or not.

    >>> jf.backends.count() == len(jf.backends.names())
    True
    """
    return len(names())


@heard
def metadata(name: str) -> BackendEntry:
    """What is known of a backend without loading it. Raises BackendUnavailableError for a name that is none.

    >>> found = jf.backends.metadata("metal")
    >>> found.platforms, found.license, found.version == jf.__version__
    (('darwin',), 'MIT', True)
    """
    return registry.named_entry(name)


@heard
def obstacles(name: str) -> tuple[str, ...]:
    """Why a backend cannot run here, as far as that shows without loading it: the wrong system or processor,
    the wrong jitframe, missing packages. None of them does not mean that there is a device: see
    `is_available`.

    Raises BackendUnavailableError for a name that is none.

    >>> jf.backends.obstacles("cpu")
    ()
    """
    return entry_obstacles(registry.named_entry(name))


@heard
def initialize_all(names: Sequence[str] | None = None) -> tuple[Backend, ...]:
    """Initializes the shared backend of each name, or of every backend that has a device here.

    Goes on past a failure, and then raises one BackendError with all of them: its `context["failed"]` has
    each one's error by name, and `__cause__` is an ExceptionGroup of them.

    >>> [backend.is_initialized for backend in jf.backends.initialize_all(["cpu"])]
    [True]
    """
    if names is None:
        names = [each.name for each in discover().values() if each.is_available]

    def initialize(name: str) -> Backend:
        backend = choice.get(name)
        backend.initialize()
        return backend

    return tuple(for_each(names, initialize, "be initialized"))


@heard
def shutdown_all() -> None:
    """Shuts down every backend that is initialized, the last one first; the others are left alone.

    Goes on past a failure, and then raises one BackendError with all of them, as `initialize_all` does.

    >>> jf.backends.shutdown_all()
    """
    for_each(reversed(lifecycle.initialized()), lambda backend: backend.shutdown(), "be shut down")
