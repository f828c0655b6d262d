"""The profiler hook: called for all work of devices while a profile is taken (see `jitframe.profiling`)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from ..codegen.plan.nodes import Plan
    from .device import Device
    from .driver import Driver


class Watch(Protocol):
    """A listener for all work of devices."""

    def driver(self, device: Device, driver: Driver) -> Any:
        """Returns the wrapper of a driver."""
        ...

    def on_processor(
        self,
        plan: Plan,
        kernels: Sequence[int],
        addresses: Sequence[int],
        sizes: Sequence[int],
        scalars: Sequence[int],
    ) -> list[Any]:
        """Runs a plan on the processor step by step, with its kernels' code; returns the outputs' buffers."""
        ...

    def span(self, name: str, **facts: Any) -> AbstractContextManager[Any]:
        """Marks work of the host."""
        ...


active: Watch | None = None
_NOTHING: AbstractContextManager[Any] = nullcontext()


def span(name: str, **facts: Any) -> AbstractContextManager[Any]:
    """Marks work of the host for the profiler, if there is one."""
    return _NOTHING if active is None else active.span(name, **facts)
