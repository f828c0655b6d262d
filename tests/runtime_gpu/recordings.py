"""Recorded work, on a driver that can record."""

from __future__ import annotations

import numpy as np
import pytest

from jitframe.codegen.kernel.parse import parse_kernel
from jitframe.codegen.plan.bind import PlanTemplate, scalar_bits
from jitframe.codegen.plan.parse import parse_plan
from jitframe.errors import BackendError
from jitframe.ir.types import F32, I64
from jitframe.runtime.drivers.streams import StreamDriver
from jitframe.runtime.executor import execute
from jitframe.runtime.queues.recording import Replays
from tests.plan.plans import AXPY, EVERYTHING

from .driver_contract import as_bytes, float_bits, get, put, random_floats, slots


def check_recording(driver: StreamDriver) -> None:
    """Two launches, recorded and replayed on new values in the same places."""
    x, live = random_floats(1000), driver.statistics().live
    here, handle = put(driver, x), driver.compile(parse_kernel(AXPY))
    between, there = driver.allocate(x.nbytes), driver.allocate(x.nbytes)
    values = slots(x.size, 100, float_bits(2), float_bits(1))
    driver.begin_recording()
    driver.launch(handle, [(here, 0), (between, 0)], values, 10)
    driver.launch(handle, [(between, 0), (there, 0)], values, 10)
    recorded = driver.end_recording()
    for seed in range(2):
        y = random_floats(1000, seed=seed)
        driver.upload((here, 0), as_bytes(y))
        driver.replay(recorded)
        np.testing.assert_array_equal(get(driver, (there, 0), y), (y * 2 + 1) * 2 + 1)
    for each in (here, there, between):
        driver.free(each)
    assert driver.statistics().live == live


def check_refusals(driver: StreamDriver) -> None:
    """What cannot be recorded is refused meanwhile."""
    memory = driver.allocate(100)
    driver.begin_recording()
    with pytest.raises(BackendError, match="and a copy from the host cannot be recorded"):
        driver.upload((memory, 0), memoryview(bytes(100)))
    for waiting in (driver.synchronize, lambda: driver.read((memory, 0), 4)):
        with pytest.raises(BackendError, match="cannot be recorded: do it before or after"):
            waiting()
    driver.end_recording()
    driver.upload((memory, 0), memoryview(bytes(100)))
    assert driver.read((memory, 0), 4) == bytes(4)
    driver.free(memory)


def check_reads_are_not_recorded(driver: StreamDriver) -> None:
    """A plan with checks and branches reads what it computed: it is done step by step, and right."""
    first, last = EVERYTHING.index("  loop s1 to"), EVERYTHING.index("  alloc @4")
    plan = parse_plan(EVERYTHING[:first] + EVERYTHING[last:])
    bound = PlanTemplate(plan).bind([10, 3, 5], {"device.threads": 4})
    replays, live = Replays(driver), driver.statistics().live  # type: ignore[arg-type]
    x, y = np.random.default_rng(0).random(10, np.float32), random_floats(15)
    given = [put(driver, x), put(driver, y)]
    scalars = [scalar_bits(2.0, F32), scalar_bits(4, I64)]
    wanted = execute(bound, driver, given, scalars)
    for _ in range(4):
        outputs = replays.run(bound, given, scalars)
        for found, each in zip(outputs, wanted, strict=True):
            assert driver.read((found, 4), 12) == driver.read((each, 4), 12)
            driver.free(found)
    assert (replays.statistics.direct, replays.statistics.recorded) == (4, 0)
    for each in (*given, *wanted):
        driver.free(each)
    assert driver.statistics().live == live
