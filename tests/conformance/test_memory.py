"""Memory of arrays comes back however they end, and nothing that is in use goes with it."""

from __future__ import annotations

import gc

import numpy as np
import pytest

from jitframe.errors import BackendError, DTypeError
from jitframe.runtime.device import DeviceArray
from tests.conformance.devices import ARRAY_DTYPES, Target
from tests.conformance.tables import MISSING_DTYPES


def test_arrays_that_end_in_a_cycle_give_their_memory_back(target: Target) -> None:
    """As after an exception, whose traceback holds the arrays and is held by them."""
    if target.device.is_host:
        pytest.skip("the processor's arrays are ndarrays")
    values = np.arange(33, dtype=np.uint8)
    gc.collect()
    before = target.device.driver.statistics().live
    for _ in range(3):
        cycle: list[DeviceArray | list] = [target.device.upload(values)]  # type: ignore[type-arg]
        cycle.append(cycle)
        del cycle
        gc.collect()
        again = target.device.upload(values)
        np.testing.assert_array_equal(again.download(), values)
        del again
    assert target.device.driver.statistics().live == before


def test_the_dtypes_of_a_device(target: Target) -> None:
    """Those that are declared missing, and no others, are refused with the device's name and a remedy."""
    missing = MISSING_DTYPES.get(target.backend, {})
    assert {dtype.numpy_name for dtype in ARRAY_DTYPES} - set(target.dtypes) == set(missing)
    for name in missing:
        with pytest.raises(DTypeError) as caught:
            target.device.upload(np.zeros(3, name))
        assert target.name in caught.value.message
        assert f"has no {name}; it has bool" in caught.value.message


def test_an_array_that_is_too_large_is_an_error_and_nothing_else(target: Target) -> None:
    if target.device.is_host:
        pytest.skip("the processor's memory is the system's")
    before = target.device.driver.statistics().live
    with pytest.raises(BackendError):
        target.device.driver.allocate(1 << 48)
    assert target.device.driver.statistics().live == before
    np.testing.assert_array_equal(target.device.upload(np.ones(5, np.float32)).download(), np.ones(5))
