"""Runs of plans on one device, and their faults, which appear only at a synchronization."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

from ...codegen.plan.bind import OutOfBounds
from ...codegen.plan.nodes import Plan, PlanBuffer
from ...errors import DTypeError
from ...ir.record import record
from .. import profiler_hook
from ..executor import execute, raise_faults
from ..memory.device_array import Block, DeviceArray
from .recording import Replays

if TYPE_CHECKING:
    from ..device import Device
    from ..driver import Driver
    from .ordering import Turn
    from .recording import RecordingDriver

T = TypeVar("T")
MOST_UNSEEN = 64
"""The most runs with unchecked faults before the device is synchronized."""


class _Unseen(metaclass=record):
    """The memory in which a run records faults."""

    driver: Driver
    memory: Any
    words: PlanBuffer
    report: Callable[[OutOfBounds], Exception]
    turn: Turn | None
    """The queue of the run, where there are several."""


class Runs:
    """The plans that a device runs. Its methods are called by the user of the driver."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self.unseen: list[_Unseen] = []
        """Memory for faults of runs, not checked so far."""
        self.replays: Replays | None = None
        """Replays of recorded work, where the driver can record."""

    def follow(self, driver: Driver, front: Driver) -> None:
        """Records the driver's work from now on, where possible.

        Nothing is recorded while the driver has several queues, as their waits vary.
        """
        self.replays = None
        if getattr(driver, "can_record", False) and self._device._ordering is None:
            self.replays = Replays(cast("RecordingDriver", front))  # as `can_record` says of it

    def run(
        self,
        driver: Driver,
        plan: Plan,
        inputs: Sequence[DeviceArray],
        scalars: Sequence[int],
        report: Callable[[OutOfBounds], Exception],
    ) -> list[Block]:
        """See `Device.run`."""
        device = self._device
        if len(self.unseen) >= MOST_UNSEEN:
            self.raise_faults(driver)

        def defer(memory: Any, words: PlanBuffer) -> None:
            ordering = device._ordering
            turn = None if ordering is None else ordering.turn()
            self.unseen.append(_Unseen(device.driver, memory, words, report, turn))

        try:
            memory = [device.view_of(array)[0] for array in inputs]
            begins = [array.offset for array in inputs]
            if profiler_hook.active is not None:
                with profiler_hook.span(f"ask {device.name} to run a plan", kernels=len(plan.kernels)):
                    watched = profiler_hook.active.driver(device, driver)
                    for each, array in zip(memory, inputs, strict=True):
                        watched.size_of(each, array.offset + array.nbytes)
                    outputs = execute(plan, watched, memory, scalars, defer=defer, begins=begins)
            elif self.replays is not None:
                outputs = self.replays.run(plan, memory, scalars, defer, begins)
            else:
                checkpoint = getattr(device.driver, "checkpoint", None)
                run = partial(
                    execute, plan, driver, memory, scalars, defer=defer, begins=begins, checkpoint=checkpoint
                )
                outputs = self.at_once(run)
        except OutOfBounds as fault:  # of a step that the processor did, at once
            raise report(fault) from None
        except NotImplementedError as refusal:  # of the code generator; its own class is loaded with it
            raise DTypeError(f"{device.name} ({device.facts.title}) cannot run this: {refusal}") from None
        return [Block(device, output, device.driver) for output in outputs]

    def at_once(self, work: Callable[..., T], *arguments: Any) -> T:
        """Runs several calls of the driver together where it has a thread of its own for them; one by one
        while a profile is taken."""
        at_once = None if profiler_hook.active is not None else getattr(self._device.driver, "at_once", None)
        made: T = work(*arguments) if at_once is None else at_once(work, *arguments)
        return made

    def raise_faults(self, driver: Driver, every: bool = True) -> None:
        """Checks the faults of earlier runs; raises the first one. `every`: also those of other queues, which
        this one does not wait for."""
        if not self.unseen:
            return
        ordering = self._device._ordering
        mine: list[_Unseen] = []
        others: list[_Unseen] = []
        for each in self.unseen:
            known = every or ordering is None or each.turn is None or ordering.knows(each.turn)
            (mine if known else others).append(each)
        self.unseen = others

        first: Exception | None = None
        for each in mine:
            if each.driver is not self._device._driver:
                continue  # lost with that driver
            words = driver.read((each.memory, 0), each.words.nbytes)
            driver.free(each.memory)
            try:
                raise_faults(words, each.words.dtype.itemsize)
            except OutOfBounds as fault:
                first = first or each.report(fault)
        if first is not None:
            raise first
