"""The available devices, and the device of new Tensors: `jf.devices()`, `with jf.device(...)`."""

from __future__ import annotations

from typing import Any

from ..api.frame import entered, frame_on
from ..base.boundary import guarded
from ..runtime.device import Device, named
from .discovery import DeviceInfo, discover
from .listing import table


class DeviceList(list[DeviceInfo]):
    """Records of devices that print as a table."""

    def __repr__(self) -> str:
        return table(self)


@guarded
def devices() -> DeviceList:
    """Returns every device that arrays can be on here, the processor first; for other backends the reason why
    they have none.

    >>> jf.devices()[0].name
    'cpu'
    """
    found = DeviceList()
    for backend_info in sorted(discover().values(), key=lambda each: each.name != "cpu"):
        found += backend_info.devices() or (
            DeviceInfo(
                backend_info.name, backend_info.title, backend_info.name, problem=backend_info.problem
            ),
        )
    return found


class DeviceScope:
    """A context in which Tensors are made on a device."""

    def __init__(self, name: Any) -> None:
        self._device = named(name)
        self._open: list[Any] = []

    @property
    def name(self) -> str:
        return self._device.name

    def as_device(self) -> Device:
        """The device, for `device=` and `to_device`."""
        return self._device

    def __enter__(self) -> DeviceScope:
        scope = entered(frame_on(self._device, "jf.device"))
        scope.__enter__()
        self._open.append(scope)
        return self

    def __exit__(self, *error: Any) -> None:
        self._open.pop().__exit__(None, None, None)

    def __repr__(self) -> str:
        return f"<where Tensors are made: {self.name}>"


@guarded
def device(name: Any) -> DeviceScope:
    """Sets the device on which Tensors are made inside a `with`, in this thread: "opencl", "cuda:1", "auto"
    for the best one, or a Backend.

    Raises BackendError where it is not available.

    >>> with jf.device("cpu"):
    ...     from jitframe import zeros
    ...     zeros(3).device
    'cpu'
    """
    return DeviceScope(name)
