"""Values on devices, and transfers between devices.

A transfer that the user asked for (`to_device`, `device=`) just happens. Any other is logged by the logger
"jitframe" at level INFO, with the user's line, and is an error under `strict`.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from typing import Any

import numpy

from ..codegen.plan.libraries import FUNCTIONS
from ..codegen.plan.nodes import Plan
from ..errors import BackendError, user_line
from ..runtime.device import CPU, Device, DeviceArray
from ..runtime.host_calls import host_calls, moved_elements
from ..settings import settings

Value = numpy.ndarray | DeviceArray
"""The value of a Tensor: on the host an ndarray, elsewhere a contiguous array in the device's memory."""


def device_of(value: Value) -> Device:
    """Returns the device of a value."""
    return value.device if isinstance(value, DeviceArray) else CPU


def moved(value: Value, device: Device) -> Value:
    """The value on a device; itself where it is there already."""
    if device_of(value) is device:
        return value
    if isinstance(value, DeviceArray):
        return value.download() if device.is_host else value.copy_to(device)
    return device.upload(value)


def moved_unasked(value: Value, device: Device, instead: str) -> Value:
    """An implicit transfer: `moved`, where the user did not request it; `instead` is what to write for it."""
    source = device_of(value)
    if source is not device:
        announce(value.dtype, value.shape, source, device, instead)
    return moved(value, device)


def announce(dtype: numpy.dtype, shape: Sequence[int], source: Device, target: Device, instead: str) -> None:
    """Logs an implicit transfer. Raises BackendError under `strict`."""
    if settings().strict:
        from ..runtime.handling import raise_handled  # 10 ms with the one below

        raise_handled(
            BackendError(
                f"strict: {dtype.name}{list(shape)} would be moved from {source.name} to {target.name} "
                "unasked",
                device=target.name,
                suggestions=(f"write {instead}",),
            )
        )
    # Listeners have imported it; it takes too long to import for others.
    logging: Any = sys.modules.get("logging")
    if logging is None:
        return
    logger = logging.getLogger("jitframe")
    if logger.isEnabledFor(logging.INFO):
        nbytes = math.prod(shape) * dtype.itemsize
        place = user_line()
        logger.info(
            "%s%s (%s bytes) moved from %s to %s%s",
            dtype.name, list(shape), f"{nbytes:,}", source.name, target.name,
            "" if place is None else f" at {place}, in {place.function}",
        )  # fmt: skip


def announce_host_calls(plan: Plan, device: Device) -> None:
    """Logs the transfers of library calls of a plan that run on the processor.

    Raises BackendError under `strict`, before anything is run.
    """
    for step in host_calls(plan, device.facts.library_functions):
        read, written = moved_elements(step)
        dtype, title = numpy.dtype(step.dtype.numpy_name), FUNCTIONS[step.function].title
        instead = f"x.to_device('cpu') before it: the processor does {title}"
        announce(dtype, (read,), device, CPU, instead)
        announce(dtype, (written,), CPU, device, instead)


def is_frozen(array: Any) -> bool:
    """Whether an ndarray is read-only, and so are the arrays of which it is a view."""
    while isinstance(array, numpy.ndarray):
        if array.flags.writeable:
            return False
        array = array.base
    return array is None or isinstance(array, bytes)


def owned(array: numpy.ndarray) -> numpy.ndarray:
    """Returns a copy of an ndarray, within the limits of the host's memory."""
    if CPU.limits is None:
        return array.copy()
    from ..runtime.cpu.execution.bounds import limited_copy

    return limited_copy(array)
