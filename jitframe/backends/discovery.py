"""Discovery: every backend with its devices, or the reason why it has none.

Drivers are probed once, in processes of their own, and only on request; one that raises, hangs or crashes
becomes a sentence in `problem` and does not affect the others.
"""

from __future__ import annotations

from typing import Any

from ..errors import BackendError, BackendUnavailableError
from ..ir.record import record
from ..ir.types import DTYPES
from ..runtime.discovery import registry
from ..runtime.discovery.automatic import by_speed, forget_choice
from ..runtime.discovery.backend_entry import BackendEntry
from ..runtime.discovery.probe import Probed, forget_probed, probed
from ..runtime.driver import DeviceFacts, Extra
from ..runtime.handling import hears
from .capabilities import Capabilities, capabilities_of


class DeviceInfo(metaclass=record):
    """A device, or in its place (with a `problem`) a backend without devices here.

    Equal to every spelling of its name, and to every other record of the same device; hashed by its name.

    >>> info = jf.devices()[0]
    >>> info == "cpu" and info == "cpu:0" and {info: 1}["cpu"] == 1
    True
    """

    name: str
    """The name, for `device=`."""
    title: str
    """The driver's name of the device."""
    backend: str = ""
    index: int = 0
    api: str = ""
    """The interface, with versions."""
    driver: str = ""
    """The driver's version, where known."""
    kind: str = ""
    """The kind of hardware: "gpu", "cpu" or "other"."""
    total_bytes: int | None = None
    """The device's memory; None where unknown."""
    free_bytes: int | None = None
    """Its free memory at the time of discovery; None where unknown."""
    architecture: str = ""
    """A compute capability ("9.0") or an instruction set ("gfx90a", "avx512"), where known."""
    units: int = 0
    """Compute units."""
    unified: bool = False
    """Whether it uses the host's memory."""
    dtypes: tuple[str, ...] = ()
    """The dtypes that arrays may have there."""
    problem: str = ""
    """Why it is unavailable and what to do about it; empty where it is available."""
    more: tuple[tuple[str, Extra], ...] = ()
    """Further facts, as (name, value)."""

    @property
    def available(self) -> bool:
        return not self.problem

    @property
    def is_software(self) -> bool:
        """Whether its driver computes on the processor, as `cpu` does without one."""
        return self.kind == "cpu" and self.backend != "cpu"

    def __str__(self) -> str:
        return self.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, DeviceInfo):
            return self.name == other.name
        if not isinstance(other, str):
            return NotImplemented
        try:
            return registry.device_name(other) == self.name
        except BackendError:
            return False


@hears
class BackendInfo:
    """A backend as discovered: its devices, or why there are none.

    >>> cpu = discover()["cpu"]
    >>> cpu.device_count, cpu.default_device.name, cpu.is_device_available(3)
    (1, 'cpu', False)
    """

    def __init__(self, entry: BackendEntry, found: Probed) -> None:
        self.name = entry.name
        self.title = entry.title
        self.priority = entry.priority
        self.problem = found.found.problem
        """Why there is no device and what to do about it; empty where there is one."""
        self.broken = found.found.broken
        """Whether its driver failed, hung or crashed."""
        self._found = found
        self._devices = tuple(
            described(entry.name, number, facts, found.free_bytes[number])
            for number, facts in enumerate(found.found.devices)
        )

    def __repr__(self) -> str:
        return f"<backend {self.name}: {self.problem or ', '.join(device.title for device in self._devices)}>"

    @property
    def is_available(self) -> bool:
        return bool(self._devices)

    def devices(self) -> tuple[DeviceInfo, ...]:
        """Returns its devices, by their numbers."""
        return self._devices

    @property
    def device_count(self) -> int:
        return len(self._devices)

    @property
    def default_device(self) -> DeviceInfo:
        """The device for which its name alone stands: the first. Raises BackendUnavailableError."""
        return self.device(0)

    @property
    def fastest_device(self) -> DeviceInfo:
        """The device of this backend that "auto" takes. Raises BackendUnavailableError where it has none."""
        ranks = by_speed(self._found.found)
        return self.device(ranks[0] if ranks else 0)

    def device(self, index: int) -> DeviceInfo:
        """Returns one of its devices. Raises BackendUnavailableError, which lists the existing ones."""
        if not self.is_device_available(index):
            name = registry.canonical(self.name, index) if isinstance(index, int) else f"{self.name}:{index}"
            raise BackendUnavailableError(registry.absent(name, self.name, self._found.found), device=name)
        return self._devices[index]

    def capabilities(self, index: int = 0) -> Capabilities:
        """Returns the capabilities of one of its devices, as far as they are known without opening it; speeds
        are None.

        Raises BackendUnavailableError, which lists the existing devices.

        >>> jf.backends.discover()["cpu"].capabilities().unified_memory
        True
        """
        self.device(index)
        return capabilities_of(self._found.found.devices[index])

    def is_device_available(self, index: int) -> bool:
        """Whether there is a device of that number; never raises."""
        return isinstance(index, int) and 0 <= index < len(self._devices)


def described(backend: str, number: int, facts: DeviceFacts, free_bytes: int = 0) -> DeviceInfo:
    """Builds the record of a device."""
    return DeviceInfo(
        name=registry.canonical(backend, number),
        title=facts.title,
        backend=backend,
        index=number,
        api=facts.api,
        driver=facts.driver,
        kind=facts.kind,
        total_bytes=facts.memory_bytes or None,
        free_bytes=free_bytes or None,
        architecture=facts.architecture,
        units=facts.units,
        unified=facts.unified,
        dtypes=tuple(dtype.numpy_name for dtype in DTYPES if dtype.name in facts.dtypes),
        more=facts.more,
    )


def discover(refresh: bool = False, limit_seconds: float | None = None) -> dict[str, BackendInfo]:
    """Returns every backend by name, in the order of trial, each with its devices or the reason for having
    none.

    Drivers are probed once in a process; `refresh` probes again. Each may take `limit_seconds`, by default
    the setting `probe_seconds`; 0 probes in this process. Failures of drivers never raise.

    >>> jf.backends.discover()["cpu"].devices()[0].available
    True
    """
    if refresh:
        forget_probed()
        registry.forget_found()
        forget_choice()
    entries = registry.backends()
    found = probed(entries, limit_seconds)
    return {entry.name: BackendInfo(entry, found[entry.name]) for entry in entries}


def backend_info(name: str) -> BackendInfo:
    """Returns one backend as `discover` has it. Raises BackendUnavailableError for an unknown name.

    >>> backend_info("cpu").is_available
    True
    """
    entry = registry.named_entry(name)
    return BackendInfo(entry, probed([entry])[entry.name])


def is_available(name: Any) -> bool:
    """Whether there is a device of that name: of a backend, "cuda:1", or "auto". Never raises.

    >>> known = ("cpu", "cpu:7", "abacus", None)
    >>> tuple(map(jf.backends.is_available, known))
    (True, False, False, False)
    """
    try:
        if registry.device_name(name) == "auto":
            return True
        backend, number = registry.parse(str(name))
        return backend_info(backend).is_device_available(number)
    except Exception:  # whatever was given
        return False
