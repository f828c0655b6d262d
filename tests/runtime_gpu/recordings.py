"""Recorded work, on a driver that can record."""

from __future__ import annotations

import numpy as np
import pytest

from jitframe.codegen.kernel.parse import parse_kernel
from jitframe.errors import DeviceError
from jitframe.runtime.recording import record_work
from jitframe.runtime.streams import Block, StreamDriver
from tests.plan.plans import AXPY

from .driver_contract import as_bytes, float_bits, get, put, random_floats, slots


def check_recording(driver: StreamDriver) -> None:
    """Two launches through memory that is freed between: replayed on new values in the same places."""
    x, live = random_floats(1000), driver.statistics().live
    here, handle = put(driver, x), driver.compile(parse_kernel(AXPY))
    values = slots(x.size, 100, float_bits(2), float_bits(1))

    def work() -> Block:
        between, there = driver.allocate(x.nbytes), driver.allocate(x.nbytes)
        driver.launch(handle, [(here, 0), (between, 0)], values, 10)
        driver.launch(handle, [(between, 0), (there, 0)], values, 10)
        driver.free(between)
        return there

    there, recording = record_work(driver, work)
    np.testing.assert_array_equal(get(driver, (there, 0), x), (x * 2 + 1) * 2 + 1)
    other = driver.allocate(x.nbytes)
    driver.upload((other, 0), as_bytes(np.zeros_like(x)))
    y = random_floats(1000, seed=1)
    driver.upload((here, 0), as_bytes(y))
    recording.replay()
    np.testing.assert_array_equal(get(driver, (there, 0), y), (y * 2 + 1) * 2 + 1)
    np.testing.assert_array_equal(get(driver, (other, 0), y), 0)
    recording.close()
    for each in (here, there, other):
        driver.free(each)
    assert driver.statistics().live == live


def check_refusals(driver: StreamDriver) -> None:
    """Work that cannot be recorded is refused, and what it took is given back."""
    live = driver.statistics().live
    memory = driver.allocate(100)

    def copying() -> None:
        driver.free(driver.allocate(100))
        driver.upload((memory, 0), memoryview(bytes(100)))

    with pytest.raises(DeviceError, match="and a copy from the host cannot be recorded"):
        record_work(driver, copying)
    for waiting in (driver.synchronize, lambda: driver.read((memory, 0), 4)):
        with pytest.raises(DeviceError, match="cannot be recorded: do it before or after"):
            record_work(driver, waiting)
    driver.upload((memory, 0), memoryview(bytes(100)))
    assert driver.read((memory, 0), 4) == bytes(4)
    driver.free(memory)
    assert driver.statistics().live == live
