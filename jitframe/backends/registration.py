"""Registration of backends: adds and removes them, describes them, and starts and shuts down all at once.

Packages add a backend for everybody by an entry point of the group `jitframe.backends` that is a
`BackendEntry`, and programs for themselves by `register`. A backend is loaded when its devices are first
requested.
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
    """Adds a backend for this process, and returns its metadata.

    `factory` is a module with `enumerate()` and `open(number)`, its name, or a function that returns such an
    object when the devices are first requested. `priority`: "auto" takes backends of higher ones first; those
    with that of `cpu` (100) or less are taken by name only. The others, and `metadata`, are fields of
    BackendEntry.

    Raises ArgumentError for an invalid name, factory or metadata; BackendError, which lists the existing
    names, for a name in use and for a backend that cannot run here.

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
    """Removes a backend that `register` added, or for this process one of an entry point.

    Its initialized backends are shut down first, in reverse; it is removed even where that raises. Raises
    BackendUnavailableError for an unknown name, BackendError for jitframe's own backends and for failures of
    the shutdown.

    >>> jf.backends.unregister("cpu")
    Traceback (most recent call last):
    jitframe.errors.BackendError: ...
    """
    entry = registry.named_entry(name)
    registry.check_removable(entry)
    mine = [
        opened_device
        for opened_device in lifecycle.initialized()
        if opened_device.name.partition(":")[0] == entry.name
    ]
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
    """Returns the names of all backends, available or not, in the order in which "auto" tries them.

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
    """Returns the number of backends, available or not.

    >>> jf.backends.count() == len(jf.backends.names())
    True
    """
    return len(names())


@heard
def metadata(name: str) -> BackendEntry:
    """Returns the metadata of a backend without loading it. Raises BackendUnavailableError for an unknown
    name.

    >>> found = jf.backends.metadata("metal")
    >>> found.platforms, found.license, found.version == jf.__version__
    (('darwin',), 'MIT', True)
    """
    return registry.named_entry(name)


@heard
def obstacles(name: str) -> tuple[str, ...]:
    """Returns why a backend cannot run here, as far as that is known without loading it: the wrong system or
    processor, an unsupported jitframe, missing packages. An empty result does not mean that there is a
    device: see `is_available`.

    Raises BackendUnavailableError for an unknown name.

    >>> jf.backends.obstacles("cpu")
    ()
    """
    return entry_obstacles(registry.named_entry(name))


@heard
def initialize_all(names: Sequence[str] | None = None) -> tuple[Backend, ...]:
    """Initializes the shared backend of each name, or of every backend with a device here.

    A failure does not stop it: it raises one BackendError for all failures at the end, whose
    `context["failed"]` has each error by the backend's name, and whose `__cause__` is an ExceptionGroup of
    them.

    >>> [backend.is_initialized for backend in jf.backends.initialize_all(["cpu"])]
    [True]
    """
    if names is None:
        names = [backend_info.name for backend_info in discover().values() if backend_info.is_available]

    def initialize(name: str) -> Backend:
        backend = choice.get(name)
        backend.initialize()
        return backend

    return tuple(for_each(names, initialize, "be initialized"))


@heard
def shutdown_all() -> None:
    """Shuts down every initialized backend, in reverse order.

    A failure does not stop it: it raises one BackendError for all, as `initialize_all` does.

    >>> jf.backends.shutdown_all()
    """
    for_each(reversed(lifecycle.initialized()), lambda backend: backend.shutdown(), "be shut down")
