"""The devices there are here, and where new Tensors are made: `jf.devices()`, `with jf.device(...)`."""

from __future__ import annotations

from typing import Any

from ..frame import entered, frame_on
from ..ir.record import record
from ..ir.types import DTYPES
from ..runtime import registry
from ..runtime.device import named
from ..runtime.driver import DeviceFacts, Extra


@record
class DeviceRecord:
    """A device, or a backend that finds none here."""

    name: str
    """What `device=` takes."""
    title: str
    """Its own name."""
    api: str = ""
    """How it is reached, with versions."""
    kind: str = ""
    """What computes: "gpu", "cpu" or "other"."""
    memory_bytes: int = 0
    """Its memory; 0 where that is unknown."""
    dtypes: tuple[str, ...] = ()
    """The dtypes that arrays may have there."""
    problem: str = ""
    """Why it is not there and what to do about it; empty where it is."""
    more: tuple[tuple[str, Extra], ...] = ()
    """Further facts, as (name, value)."""

    @property
    def available(self) -> bool:
        return not self.problem


class DeviceList(list[DeviceRecord]):
    """Records of devices that print as a table."""

    def __repr__(self) -> str:
        rows = [("device", "", "through", "kind", "memory", "dtypes")]
        rows += [
            (
                each.name,
                each.title,
                each.api,
                each.kind,
                memory_text(each.memory_bytes),
                " ".join(each.dtypes),
            )
            for each in self
            if each.available
        ]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
        return "\n".join(
            [*lines, *(f"no {each.name}: {each.problem}" for each in self if not each.available)]
        )


def memory_text(nbytes: int) -> str:
    """`7.8 GiB`; nothing where it is unknown."""
    return f"{nbytes / 2**30:.1f} GiB" if nbytes else ""


def devices() -> DeviceList:
    """Every device that arrays can be on here, the processor first; for other backends why they have none.

    >>> devices()[0].name
    'cpu'
    """
    found = DeviceList()
    for entry in sorted(registry.backends(), key=lambda entry: entry.name != "cpu"):
        there = registry.find(entry.name)
        for number, facts in enumerate(there.devices):
            found.append(_described(registry.canonical(entry.name, number), facts))
        if not there.devices:
            found.append(DeviceRecord(entry.name, entry.title, problem=there.problem))
    return found


def _described(name: str, facts: DeviceFacts) -> DeviceRecord:
    dtypes = tuple(each.numpy_name for each in DTYPES if each.name in facts.dtypes)
    return DeviceRecord(name, facts.title, facts.api, facts.kind, facts.memory_bytes, dtypes, "", facts.more)


class DeviceScope:
    """Inside a `with` of it, Tensors are made on a device."""

    def __init__(self, name: Any) -> None:
        self._device = named(name)
        self._open: list[Any] = []

    @property
    def name(self) -> str:
        return self._device.name

    def __enter__(self) -> DeviceScope:
        scope = entered(frame_on(self._device, "jf.device"))
        scope.__enter__()
        self._open.append(scope)
        return self

    def __exit__(self, *error: Any) -> None:
        self._open.pop().__exit__(None, None, None)

    def __repr__(self) -> str:
        return f"<where Tensors are made: {self.name}>"


def device(name: str) -> DeviceScope:
    """Where Tensors are made inside a `with`, in this thread. Raises BackendError where it is not there.

    >>> with device("cpu"):
    ...     from jitframe import zeros
    ...     zeros(3).device
    'cpu'
    """
    return DeviceScope(name)
