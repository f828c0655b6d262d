"""Extensions: operations and device functions that a package adds to backends, with their requirements and
capabilities.

>>> hypotenuse = Extension(
...     "geometry", "1.0", operations={"hypotenuse": lambda x, y: jf.sqrt(x * x + y * y)}
... )
>>> jf.backends.extend(hypotenuse)
>>> jf.backends.get("cpu").ops.hypotenuse(jf.asarray([3.0]), 4.0).tolist()
[5.0]
>>> jf.backends.get("cpu").extensions["geometry"].version
'1.0'
>>> jf.backends.remove_extension("geometry")
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ..api.namespace import FUNCTIONS
from ..base.locks import new_reentrant_lock
from ..errors import ArgumentError, BackendError, DTypeError
from ..ir.record import fresh, identity_record
from ..runtime.discovery.backend_entry import BackendEntry, check_entry, obstacles
from ..runtime.discovery.options import named_fields
from ..runtime.driver import DeviceFacts, Extra
from ..runtime.handling import heard
from .capabilities import Capabilities
from .lifecycle import for_each, initialized

if TYPE_CHECKING:
    from .backend import Backend

_NAME = r"[A-Za-z_][A-Za-z0-9_]*"


@named_fields
class Extension(metaclass=identity_record):
    """An addition to backends, registered by `jf.backends.extend`."""

    name: str
    version: str
    title: str = ""
    author: str = ""
    license: str = ""
    backends: tuple[str, ...] = ()
    """Names of the backends that it is for; all by default."""
    jitframe: str = ""
    """The versions of jitframe that it fits, such as ">=0.1,<0.3"; any by default."""
    required: tuple[str, ...] = ()
    """The required packages and libraries: "package:NAME" of Python, "library:NAME" of the system."""
    fits: Callable[[DeviceFacts], bool] | None = None
    """Whether a device has what it needs; every device by default."""
    operations: Mapping[str, Callable[..., Any]] = fresh(factory=dict)
    """Array functions by name, called as `backend.ops.name(...)`: arrays that they make are on the device."""
    samples: Mapping[str, Callable[[Callable[..., Any]], Sequence[Any]]] = fresh(factory=dict)
    """The arguments of a small call, for operations by name, by which `backend.supports` finds the supported
    dtypes; `array(*shape)` makes its arrays. By default one array of 3 x 3 for each required parameter."""
    device_functions: Mapping[str, Mapping[str, str]] = fresh(factory=dict)
    """Device functions by name, each as source text by language ("OpenCL C", "WGSL", "CUDA C", "HIP C",
    "MSL", "LLVM IR"). Programs in that language whose text contains the name get that source too."""
    capabilities: Mapping[str, Extra] = fresh(factory=dict)
    """Capabilities that it adds to backends, by name: read like those of the device
    (`capabilities.has(name)`, `capabilities.extra(name, kind)`)."""
    initialize: Callable[[Backend], Any] | None = None
    """Called with a backend before the extension is first used there, or by
    `backend.initialize_extensions()`; again after a shutdown."""
    shutdown: Callable[[Backend], Any] | None = None
    """Called with each backend on which it was initialized, while that can be used: when the backend is shut
    down, in reverse order of the extensions, when the extension is removed, or by
    `backend.shutdown_extensions()`."""


_extensions: dict[str, Extension] = {}
_lock = new_reentrant_lock()


@heard
def extend(extension: Extension) -> None:
    """Adds an extension to all backends that it fits, for this process.

    Raises ArgumentError for an invalid extension; BackendError, which lists the existing names, for a name in
    use (of the extension, or of one of its operations and functions), and for an extension that cannot run
    here.

    >>> jf.backends.extend(jf.backends.Extension("nothing_more", "1.0"))
    >>> jf.backends.remove_extension("nothing_more")
    """
    check(extension)
    as_entry = BackendEntry(extension.name, 0, jitframe=extension.jitframe, required=extension.required)
    check_entry(as_entry)
    for each in (*extension.operations, *extension.device_functions):
        if re.fullmatch(_NAME, each) is None:
            raise ArgumentError(
                f"the extension {extension.name} adds {each!r}, which is no name of a function"
            )
    reasons = obstacles(as_entry)
    if reasons:
        raise BackendError(
            f"the extension {extension.name!r} cannot run here: {'; '.join(reasons)}; {_there()}",
            suggestions=("run it where that is there",),
        )
    with _lock:
        if extension.name in _extensions:
            raise BackendError(
                f"there is an extension {extension.name!r} already; {_there()}",
                suggestions=(f"jf.backends.remove_extension({extension.name!r}) first",),
            )
        for kind, what, own in (
            ("operations", "operation", FUNCTIONS),
            ("device_functions", "device function", ()),
            ("capabilities", "capability", Capabilities.__slots__),
        ):
            for each in getattr(extension, kind):
                owner = "jitframe" if each in own else _owner(each, kind)
                if owner:
                    raise BackendError(
                        f"the extension {extension.name} adds the {what} {each!r}, which {owner} has; "
                        f"{_there()}",
                        suggestions=("give it another name",),
                    )
        _extensions[extension.name] = extension


@heard
def remove_extension(name: str) -> None:
    """Removes an extension, after shutting it down where it was initialized; values made with it remain
    valid.

    Raises BackendError for an unknown name, with the existing ones, and at the end for the errors of its
    `shutdown` on some backends (`context["failed"]` has each error by the backend's name).

    >>> jf.backends.remove_extension("not_there")
    Traceback (most recent call last):
    jitframe.errors.BackendError: there is no extension 'not_there'; ...
    """
    with _lock:
        if name not in _extensions:
            raise BackendError(f"there is no extension {name!r}; {_there()}")
        del _extensions[name]
    users = [opened_device for opened_device in initialized() if name in opened_device._extended]
    for_each(users, lambda backend: backend._extended.pop(name).close(), f"shut {name} down")


def extensions() -> Mapping[str, Extension]:
    """Returns all extensions by name, in the order in which they were added.

    >>> dict(jf.backends.extensions())
    {}
    """
    return MappingProxyType(dict(_extensions))


def extensions_of(backend: Backend) -> Mapping[str, Extension]:
    """Returns the extensions that fit a backend and its device."""
    name, facts = backend.name.partition(":")[0], backend.device.facts
    return MappingProxyType(
        {
            extension.name: extension
            for extension in tuple(_extensions.values())
            if (not extension.backends or name in extension.backends)
            and (extension.fits is None or extension.fits(facts))
        }
    )


class Used:
    """An extension on a backend, from its initialization to its shutdown."""

    def __init__(self, extension: Extension, backend: Backend) -> None:
        self.extension = extension
        self._backend = backend
        self._is_open = True

    def close(self) -> None:
        """Calls its `shutdown`, once. Raises BackendError where that fails."""
        if not self._is_open:
            return
        self._is_open = False
        if self.extension.shutdown is not None:
            _hooked(self.extension, self._backend, "shut down", self.extension.shutdown)


def used(extension: Extension, backend: Backend) -> Extension:
    """Returns the extension initialized on a backend. Raises BackendError where its `initialize` fails."""
    with backend._lock:
        found = backend._extended.get(extension.name)
        if found is None or found.extension is not extension:
            # There already for what its own hook uses.
            made = backend._extended[extension.name] = Used(extension, backend)
            try:
                if extension.initialize is not None:
                    backend.check_open()
                    _hooked(extension, backend, "initialized", extension.initialize)
            except BaseException:
                del backend._extended[extension.name]
                raise
            if extension.shutdown is not None:
                backend.holdings.add(made, works=True)
    return extension


def _hooked(extension: Extension, backend: Backend, what: str, hook: Callable[[Backend], Any]) -> None:
    try:
        hook(backend)
    except Exception as problem:
        raise BackendError(
            f"the extension {extension.name} could not be {what} on {backend.name}: "
            f"{type(problem).__name__}: {problem}",
            device=backend.name,
            context={"extension": extension.name},
            suggestions=(f"take it back with jf.backends.remove_extension({extension.name!r})",),
        ) from problem


def initialize_all(backend: Backend) -> tuple[str, ...]:
    """See `Backend.initialize_extensions`."""
    backend.check_open()
    done = for_each(
        extensions_of(backend).values(), lambda each: used(each, backend), "be initialized", "extensions"
    )
    return tuple(each.name for each in done)


def shutdown_all(backend: Backend) -> None:
    """See `Backend.shutdown_extensions`."""
    names = tuple(backend._extended)[::-1]
    for_each(names, lambda name: backend._extended.pop(name).close(), "be shut down", "extensions")


def operation(backend: Backend, name: str) -> Extension | None:
    """Returns the extension that adds an array function to a backend under a name."""
    return next(
        (extension for extension in extensions_of(backend).values() if name in extension.operations), None
    )


def operation_names(backend: Backend) -> tuple[str, ...]:
    """Returns the operations that extensions add to a backend."""
    return tuple(name for extension in extensions_of(backend).values() for name in extension.operations)


def with_device_functions(backend: Backend, text: str, language: str) -> str:
    """Returns a program's source behind the device functions of extensions that it names, and those that
    these name."""
    offered = {
        name: (sources[language], each)
        for each in extensions_of(backend).values()
        for name, sources in each.device_functions.items()
        if language in sources
    }
    placed: list[str] = []
    seen: set[str] = set()

    def place_what(text: str) -> None:
        words = set(re.findall(_NAME, text))
        for name, (source, extension) in offered.items():
            if name in words and name not in seen:
                seen.add(name)
                used(extension, backend)
                place_what(source)  # what it uses stands before it
                placed.append(source.strip("\n"))

    place_what(text)
    return "\n".join([*placed, text])


def extras(backend: Backend) -> tuple[tuple[str, Extra], ...]:
    """Returns the capabilities that extensions add to a backend."""
    return tuple(
        each for extension in extensions_of(backend).values() for each in extension.capabilities.items()
    )


_WANTED: tuple[tuple[str, type | tuple[type, ...], str], ...] = (
    ("name", str, "text"),
    ("version", str, 'text, such as "1.2"'),
    ("backends", (tuple, list, set, frozenset), 'a tuple of names, such as ("cuda",)'),
    ("required", (tuple, list, set, frozenset), 'a tuple of needs, such as ("package:numpy",)'),
    ("operations", Mapping, "a dict of functions by name"),
    ("samples", Mapping, "a dict of functions by name"),
    ("device_functions", Mapping, "a dict of source texts by language, by name"),
    ("capabilities", Mapping, "a dict of values by name"),
)


def check(extension: Extension) -> None:
    """Raises DTypeError for fields of the wrong type, with the expected type."""
    if not isinstance(extension, Extension):
        raise DTypeError(f"extend takes an Extension, not a {type(extension).__name__}: {extension!r}")
    for name, kind, wanted in _WANTED:
        value = getattr(extension, name)
        if not isinstance(value, kind):
            raise DTypeError(f"the extension's {name} is {wanted}, not {value!r}")
    called = {name: getattr(extension, name) for name in ("fits", "initialize", "shutdown")}
    called = {name: value for name, value in called.items() if value is not None}
    for name, value in (*called.items(), *extension.operations.items(), *extension.samples.items()):
        if not callable(value):
            raise DTypeError(f"{name} of the extension {extension.name} is a function, not {value!r}")
    for name, sources in extension.device_functions.items():
        if not isinstance(sources, Mapping):
            raise DTypeError(
                f"the device function {name} of the extension {extension.name} is a dict of source texts by "
                f"language, not {sources!r}"
            )


def _owner(name: str, kind: str) -> str:
    """Returns the extension that has an operation or a device function."""
    return next(
        (extension.name for extension in _extensions.values() if name in getattr(extension, kind)), ""
    )


def _there() -> str:
    return f"there are {', '.join(_extensions)}" if _extensions else "there are none so far"
