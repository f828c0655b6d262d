"""The description of a backend before any of it is loaded: its name, its module, its requirements and
options."""

from __future__ import annotations

import importlib.util
import platform
import re
import sys
from collections.abc import Callable
from ctypes.util import find_library
from typing import Any, Literal

from ...base.version import VERSION
from ...errors import ArgumentError, DTypeError
from ...ir.record import record
from .options import Option, named_fields

AUTO = "auto"
"""The name of the device that is selected automatically; no backend can have it."""
_NAME = r"[a-z][a-z0-9_.-]*"
_NEEDS = ("package", "library")
_VERSION = r"(==|!=|>=|<=|>|<)\s*(\d+(?:\.\d+)*)"


@named_fields
class BackendEntry(metaclass=record):
    """A backend; `priority`: higher is tried first."""

    name: str
    priority: int
    aliases: tuple[str, ...] = ()
    title: str = ""
    """A description in a line."""
    module: str = ""
    """The module of its `Backend`; that of its name in `jitframe.runtime` unless given."""
    dlpack: int = 0
    """DLPack's number of its kind of device, for devices whose memory has addresses."""
    factory: Callable[[], Any] | None = None
    """Makes its `Backend`, instead of a module; called when its devices are first requested."""
    version: str = ""
    author: str = ""
    license: str = ""
    kinds: tuple[Literal["gpu", "cpu", "other"], ...] = ()
    """What its devices can be."""
    platforms: tuple[str, ...] = ()
    """The supported values of `sys.platform`; any unless given."""
    architectures: tuple[str, ...] = ()
    """The supported values of `platform.machine()`; any unless given."""
    jitframe: str = ""
    """The supported versions of jitframe, such as ">=0.1,<0.3"; any unless given."""
    required: tuple[str, ...] = ()
    """Required installations: "package:NAME" of Python, "library:NAME" of the system."""
    optional: tuple[str, ...] = ()
    """Optional installations."""
    options: tuple[Option, ...] = ()
    """Options of its devices: keywords of its `open`."""
    isolated: bool = True
    """Whether its devices are enumerated in a process of its own, as a driver may hang or crash."""
    problem: str = ""
    """The reason why it cannot be used, where that is known from the start."""
    apis: tuple[tuple[str, str], ...] = ()
    """Names of some of its devices: those whose `DeviceFacts.api` begins with the second word are also known
    by the first, counted by themselves ("vulkan", "vulkan:1")."""
    offered: str = ""
    """The entry point of an installed package that provides it, as "package.module:NAME"; set by
    discovery."""


def words(entry: BackendEntry) -> tuple[str, ...]:
    """Returns every name of a backend's devices."""
    return (entry.name, *entry.aliases, *(name for name, _ in entry.apis))


def check_entry(entry: BackendEntry) -> None:
    """Raises ArgumentError for an invalid entry, DTypeError for fields of the wrong type."""
    if isinstance(entry.priority, bool) or not isinstance(entry.priority, int):
        raise DTypeError(f"the backend {entry.name}: priority is a whole number, not {entry.priority!r}")
    for field in ("aliases", "kinds", "platforms", "architectures", "required", "optional", "options"):
        value = getattr(entry, field)
        if not isinstance(value, (tuple, list)):
            raise DTypeError(f"the backend {entry.name}: {field} is a tuple, not {value!r}")
    for option in entry.options:
        if not isinstance(option, Option):
            raise DTypeError(f"the backend {entry.name}: its options are Option objects, not {option!r}")
        option.check()
    for name in words(entry):
        if not isinstance(name, str) or re.fullmatch(_NAME, name) is None or name == AUTO:
            raise ArgumentError(
                f"{name!r} cannot be a backend's name; it is of lower-case letters, digits and . _ -, begins "
                f"with a letter and is not {AUTO!r}"
            )
    for need in (*entry.required, *entry.optional):
        if need.partition(":")[0] not in _NEEDS or not need.partition(":")[2]:
            raise ArgumentError(
                f"the backend {entry.name} needs {need!r}; write package:NAME for a Python package, or "
                "library:NAME for a library of the system"
            )
    fits_version(entry.jitframe, "0")


def obstacles(entry: BackendEntry) -> tuple[str, ...]:
    """Why a backend cannot run on this machine, in this process; nothing of it is loaded to tell.

    >>> obstacles(BackendEntry("abacus", 0, required=("package:beads",)))
    ('it needs the Python package beads, which is not installed',)
    """
    found = [entry.problem] if entry.problem else []
    if entry.platforms and sys.platform not in entry.platforms:
        found.append(f"it runs on {', '.join(entry.platforms)}, and this is {sys.platform}")
    machine = platform.machine()
    if entry.architectures and machine not in entry.architectures:
        found.append(f"it runs on {', '.join(entry.architectures)} processors, and this is {machine}")
    if not fits_version(entry.jitframe, VERSION):
        found.append(f"it fits jitframe {entry.jitframe}, and this is {VERSION}")
    found += [_lack(need) for need in entry.required if not has(need)]
    return tuple(found)


def has(need: str) -> bool:
    """Whether a "package:NAME" or "library:NAME" is installed; it is not loaded."""
    kind, _, name = need.partition(":")
    if kind == "library":
        return find_library(name) is not None
    try:
        return name in sys.modules or importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):  # of a package that it is a part of
        return False


def _lack(need: str) -> str:
    kind, _, name = need.partition(":")
    return (
        f"it needs the {'Python package' if kind == 'package' else 'library'} {name}, which is not installed"
    )


def fits_version(wanted: str, version: str) -> bool:
    """Whether a version is within bounds such as ">=0.1,<0.3". Raises ArgumentError for what are none.

    >>> fits_version(">=0.1,<0.3", "0.2.5"), fits_version(">=0.1", "0.0.9"), fits_version("", "1")
    (True, False, True)
    """
    given = _release(version)
    for bound in filter(None, map(str.strip, wanted.split(","))):
        match = re.fullmatch(_VERSION, bound)
        if match is None:
            raise ArgumentError(f"{bound!r} bounds no version; write bounds such as '>=0.1,<0.3'")
        limit = _release(match[2])
        width = max(len(given), len(limit))
        here, there = (each + (0,) * (width - len(each)) for each in (given, limit))
        holds = {
            "==": here == there, "!=": here != there, ">=": here >= there, "<=": here <= there,
            ">": here > there, "<": here < there,
        }  # fmt: skip
        if not holds[match[1]]:
            return False
    return True


def _release(version: str) -> tuple[int, ...]:
    leading = re.match(r"\d+(?:\.\d+)*", version)
    return tuple(map(int, leading[0].split("."))) if leading else (0,)
