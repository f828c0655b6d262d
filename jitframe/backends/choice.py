"""Selection of a backend: by name, by free memory, by measured speed, or the best one; shared or private."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from ..base.locks import new_reentrant_lock
from ..errors import ArgumentError, BackendError, DTypeError, OutOfMemoryError
from ..runtime.device import Device
from ..runtime.discovery import automatic, registry
from ..runtime.discovery.automatic import Candidate
from ..runtime.discovery.backend_entry import AUTO
from ..runtime.handling import heard
from ..settings import UNSET, chosen_device, configure, without_unset
from . import measure, room
from .backend import Backend
from .buffers import whole
from .configuration import Configuration, configuration_of

_shared: dict[str, Backend] = {}
_lock = new_reentrant_lock()


@heard
def get(name: str = AUTO, device: int = 0) -> Backend:
    """Returns the backend that the whole program shares; `device` is the number of its device, "cuda" is
    "cuda:0".

    `get` returns the shared backend and opens nothing, `init` opens it or another available one, and `create`
    makes a backend with its own driver, memory and limits.

    Raises BackendUnavailableError for an unknown backend, and for a device that is not available.

    >>> jf.backends.get("cpu") is jf.backends.get("cpu:0")
    True
    """
    found = _device(name, device)
    with _lock:
        known = _shared.get(found.name)
        if known is None or known._is_shut:
            backend = Backend(found)
            if _shared.get(found.name) is known:  # else a signal handler, say, asked for it in the meantime
                _shared[found.name] = backend
            known = _shared[found.name]
    return known


def shared() -> tuple[Backend, ...]:
    """Returns the backends that `get` has made so far."""
    with _lock:
        return tuple(_shared.values())


def forget(backend: Backend) -> None:
    """Removes a backend from the shared ones, so that `get` makes a new one."""
    with _lock:
        if _shared.get(backend.name) is backend:
            del _shared[backend.name]


@heard
def create(
    name: str | None = None,
    device: int = 0,
    config: Configuration | Mapping[str, Any] | str | os.PathLike[str] | None = None,
    *,
    threads: int | None = UNSET,
    simd: str | None = UNSET,
    limits: str = UNSET,
    build_options: str = UNSET,
    **options: Any,
) -> Backend:
    """Makes a new backend with its own driver and memory; the default one (see `default`) without a name.

    `get` returns the shared backend and opens nothing, `init` opens it or another available one, and `create`
    makes a backend with its own driver, memory and limits.

    `config` is a Configuration, a mapping, or the path of a TOML file; `options` take precedence
    (`create("cpu", threads=1)`), see `jf.backends.configuration_of`. The errors are those of `get`;
    SettingError for an option that does not fit.

    >>> jf.backends.create("cpu", threads=1).configuration.threads
    1
    """
    found = _device(default() if name is None else name, device)
    options |= without_unset(threads=threads, simd=simd, limits=limits, build_options=build_options)
    configuration = configuration_of(found.name.partition(":")[0], config, **options)
    return Backend(registry.opened_anew(found.name, **configuration.changed()), configuration)


@heard
def init(name: str = AUTO, device: int = 0, *, require: bool = False, required_bytes: int = 0) -> Backend:
    """Returns the shared backend of a name, initialized; another one where that is unavailable, cannot be
    opened or has too little memory.

    `get` returns the shared backend and opens nothing, `init` opens it or another available one, and `create`
    makes a backend with its own driver, memory and limits.

    The replacement is the first that "auto" would take, with one FallbackWarning; "auto" itself takes the
    best one without a warning. `require`, like the setting `strict`, forbids a replacement: then the error of
    the named backend is raised. `required_bytes` asks for that much free memory (where nothing reports free
    memory, the device's memory less what this program holds there).

    Raises BackendUnavailableError for an unknown backend, OutOfMemoryError where no device has enough memory,
    which says what each has, and with `require` the error of the named backend.

    >>> with jf.backends.init("cpu", required_bytes=1 << 20) as backend:
    ...     backend.name
    'cpu'
    """
    required_bytes = whole("required_bytes", required_bytes)
    if not registry.is_auto(name):
        wanted = registry.canonical(*_parsed(name, device))
        try:
            return _opened(wanted, required_bytes)
        except BackendError as problem:
            if require:
                raise
            automatic.fall_back(problem, "another backend is taken")
    crowded: list[OutOfMemoryError] = []
    for each in automatic.candidates():
        if isinstance(each, BackendError):
            automatic.fall_back(each, "the next backend is tried")
            continue
        try:
            return _opened(each.name, required_bytes)
        except OutOfMemoryError as problem:
            crowded.append(problem)
        except BackendError as problem:
            automatic.fall_back(problem, "the next backend is tried")
    raise OutOfMemoryError(
        f"no device has room for {required_bytes:,} bytes: {'; '.join(each.message for each in crowded)}",
        context={"asked_bytes": required_bytes},
        suggestions=("ask for less", "delete what is no longer needed"),
    )


def _opened(name: str, required_bytes: int) -> Backend:
    backend = get(name)
    backend.initialize()
    if required_bytes:
        room.check_room(backend.device, required_bytes)
    return backend


@heard
def default() -> str:
    """Returns the name of the device that `create()` takes: that of JITFRAME_DEVICE, else of `set_default`,
    else the one that "auto" takes, which also replaces an unavailable one (with one FallbackWarning).

    Raises BackendUnavailableError for an unavailable one under `strict`.

    >>> jf.backends.is_available(jf.backends.default())
    True
    """
    chosen = chosen_device()
    if chosen is not None:
        try:
            return registry.device(chosen).name
        except BackendError as problem:
            automatic.fall_back(problem, "another backend is taken")
    return registry.device(AUTO).name


@heard
def set_default(name: str | None) -> None:
    """Makes a device the program's default: for `create()`, and for new Tensors without an explicit device.

    It is the setting `device`; JITFRAME_DEVICE takes precedence. None leaves the choice to "auto" for
    `create()`, and makes Tensors on the CPU. Raises BackendUnavailableError for an unknown backend.

    >>> jf.backends.set_default("cpu"); jf.backends.default()
    'cpu'
    >>> jf.backends.set_default(None)
    """
    if name is not None:
        registry.device_name(name)
    configure(device=name)


@heard
def set_priority(names: Sequence[str] | None) -> None:
    """Sets the backends, or devices, that "auto" tries first, in order; the others follow in their usual
    order. None restores the default.

    The names are not filtered: `["opencl"]` also takes a software device. Raises BackendUnavailableError for
    an unknown backend.

    >>> jf.backends.set_priority(["webgpu", "cuda:1"]); jf.backends.priority()[:2]
    ('webgpu', 'cuda:1')
    >>> jf.backends.set_priority(None)
    """
    if isinstance(names, str):
        raise ArgumentError(f"set_priority takes a list of names, such as [{names!r}]")
    automatic.set_order(names or ())


def priority() -> tuple[str, ...]:
    """Returns the names in the order in which "auto" tries them (software devices after `cpu`, whatever their
    backend).

    >>> jf.backends.priority()[:2]
    ('cuda', 'hip')
    """
    first = automatic.order()
    return (
        *first,
        *(entry.name for entry in registry.backends() if entry.priority > 0 and entry.name not in first),
    )


@heard
def best(by: Literal["bandwidth", "arithmetic"] = "bandwidth", *, refresh: bool = False) -> Backend:
    """Returns the shared backend of the available device with the best measurement: bytes per second, or
    operations per second.

    Each device is measured once, for two to three seconds, and the result stored on disk; `refresh` measures
    again. Devices that cannot be opened or measured are skipped. Raises ArgumentError for another `by`.

    >>> jf.backends.best(by="colour")
    Traceback (most recent call last):
    jitframe.errors.ArgumentError: best(by='colour'): devices are compared by 'bandwidth' or 'arithmetic'...
    """
    if by not in _MEASURES:
        raise ArgumentError(f"best(by={by!r}): devices are compared by {' or '.join(map(repr, _MEASURES))}")
    speeds: dict[str, float] = {}
    for each in automatic.candidates():
        if isinstance(each, Candidate):
            try:
                speeds[each.name] = measured(each.name, by, refresh)
            except BackendError:
                continue
    return get(max(speeds, key=lambda name: speeds[name]))


_MEASURES = ("bandwidth", "arithmetic")


def measured(name: str, by: str, refresh: bool = False) -> float:
    """Returns a device's measured speed: bytes read and written, or operations of float32, per second."""
    found = measure.measure(registry.device(name), refresh)
    return found.bandwidth if by == "bandwidth" else found.arithmetic["float32"]


def _device(name: str, number: int) -> Device:
    return registry.device(AUTO if registry.is_auto(name) else registry.canonical(*_parsed(name, number)))


def _parsed(name: str, number: int) -> tuple[str, int]:
    if isinstance(number, bool) or not isinstance(number, int):
        raise DTypeError(f"device is the number of a device, an int, not {number!r}")
    return registry.parse(f"{name}:{number}" if number and ":" not in name else name, using=True)
