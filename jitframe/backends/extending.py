"""Extensions: operations and device functions that a package adds to backends, with what they need and
promise.

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
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ..errors import ArgumentError, BackendError
from ..ir.record import fresh, identity_record
from ..locks import new_lock
from ..namespace import FUNCTIONS
from ..runtime.driver import DeviceFacts, Extra
from ..runtime.entries import BackendEntry, check_entry, obstacles

if TYPE_CHECKING:
    from .backend import Backend

_NAME = r"[A-Za-z_][A-Za-z0-9_]*"


class Extension(metaclass=identity_record):
    """What is added to backends, made known by `jf.backends.extend`."""

    name: str
    version: str
    title: str = ""
    author: str = ""
    license: str = ""
    backends: tuple[str, ...] = ()
    """Names of the backends that it is for; all unless given."""
    jitframe: str = ""
    """The versions of jitframe that it fits, such as ">=0.1,<0.3"; any unless given."""
    required: tuple[str, ...] = ()
    """What must be installed: "package:NAME" of Python, "library:NAME" of the system."""
    fits: Callable[[DeviceFacts], bool] | None = None
    """Whether a device has what it needs; every device has unless given."""
    operations: Mapping[str, Callable[..., Any]] = fresh(factory=dict)
    """Array functions by name, called as `backend.ops.name(...)`: arrays that they make are on the device."""
    device_functions: Mapping[str, Mapping[str, str]] = fresh(factory=dict)
    """Functions by name, each as source text by language ("OpenCL C", "WGSL", "CUDA C", "HIP C", "MSL",
    "LLVM IR"). Programs in that language that have the name in their text get that source too."""
    capabilities: Mapping[str, Extra] = fresh(factory=dict)
    """What backends can do with it, by name."""


_extensions: dict[str, Extension] = {}
_lock = new_lock()


def extend(extension: Extension) -> None:
    """Adds an extension to all backends that it fits, for this process.

    Raises ArgumentError for one that cannot be; BackendError, which lists the names there are, for a name
    that is taken (of the extension, or of one of its operations and functions), and for one that cannot run
    here.
    """
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
            f"the extension {extension.name!r} cannot run here: {'; '.join(reasons)}; {_there()}"
        )
    with _lock:
        if extension.name in _extensions:
            raise BackendError(f"there is an extension {extension.name!r} already; {_there()}")
        for each in extension.operations:
            owner = "jitframe" if each in FUNCTIONS else _owner(each, "operations")
            if owner:
                raise BackendError(
                    f"the extension {extension.name} adds the operation {each!r}, which {owner} has; "
                    f"{_there()}"
                )
        for each in extension.device_functions:
            owner = _owner(each, "device_functions")
            if owner:
                raise BackendError(
                    f"the extension {extension.name} adds the device function {each!r}, which {owner} has; "
                    f"{_there()}"
                )
        _extensions[extension.name] = extension


def remove_extension(name: str) -> None:
    """Takes an extension back; what was made with it stays. Raises BackendError, with the names there are."""
    with _lock:
        if name not in _extensions:
            raise BackendError(f"there is no extension {name!r}; {_there()}")
        del _extensions[name]


def extensions() -> Mapping[str, Extension]:
    """All extensions by name, in the order in which they were added.

    >>> dict(jf.backends.extensions())
    {}
    """
    return MappingProxyType(dict(_extensions))


def extensions_of(backend: Backend) -> Mapping[str, Extension]:
    """Those that fit a backend and its device."""
    name, facts = backend.name.partition(":")[0], backend.device.facts
    return MappingProxyType(
        {
            each.name: each
            for each in tuple(_extensions.values())
            if (not each.backends or name in each.backends) and (each.fits is None or each.fits(facts))
        }
    )


def operation(backend: Backend, name: str) -> Callable[..., Any] | None:
    """The array function that an extension adds to a backend under a name."""
    return next(
        (each.operations[name] for each in extensions_of(backend).values() if name in each.operations), None
    )


def operation_names(backend: Backend) -> tuple[str, ...]:
    """The operations that extensions add to a backend."""
    return tuple(name for each in extensions_of(backend).values() for name in each.operations)


def with_device_functions(backend: Backend, text: str, language: str) -> str:
    """A program's source with the device functions of extensions that it names in front of it, and those that
    these name."""
    offered = {
        name: sources[language]
        for each in extensions_of(backend).values()
        for name, sources in each.device_functions.items()
        if language in sources
    }
    placed: list[str] = []
    seen: set[str] = set()

    def place_what(text: str) -> None:
        words = set(re.findall(_NAME, text))
        for name, source in offered.items():
            if name in words and name not in seen:
                seen.add(name)
                place_what(source)  # what it uses stands before it
                placed.append(source.strip("\n"))

    place_what(text)
    return "\n".join([*placed, text])


def extras(backend: Backend) -> tuple[tuple[str, Extra], ...]:
    """What extensions add to a backend's capabilities."""
    return tuple(each for found in extensions_of(backend).values() for each in found.capabilities.items())


def _owner(name: str, kind: str) -> str:
    """The extension that has an operation or a device function."""
    return next((each.name for each in _extensions.values() if name in getattr(each, kind)), "")


def _there() -> str:
    return f"there are {', '.join(_extensions)}" if _extensions else "there are none so far"
