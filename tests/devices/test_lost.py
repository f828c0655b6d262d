"""A device that is lost: who held something there is told, and the next use opens it again."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import BackendError, DeviceLostError
from jitframe.runtime.discovery import registry


@pytest.fixture
def fragile() -> Iterator[jf.backends.FakeBackend]:
    with jf.backends.fake("fragile", devices=2) as made:
        yield made


def test_the_next_use_opens_it_again(fragile: jf.backends.FakeBackend) -> None:
    x = np.arange(5, dtype=np.float32)
    before = jf.asarray(x, device="fragile")
    product = before * 2
    fragile.lose()
    with pytest.raises(DeviceLostError):
        before.to_device("cpu")
    for held in (before, product, before[0]):
        with pytest.raises(BackendError) as caught:
            held.to_device("cpu")
        assert caught.value.message == (
            "float32[5] was on fragile (fragile device) when that was lost with all that it held; make "
            "it anew"
        )
        assert not isinstance(caught.value, DeviceLostError), "that device is well again"
    again = jf.asarray(x, device="fragile") + 1
    assert again.tolist() == [1, 2, 3, 4, 5]
    assert fragile.count("open") == 2
    del before, product, held, caught
    gc.collect()
    del again
    gc.collect()
    jf.asarray(x, device="fragile")
    live = registry.device("fragile").statistics().live
    assert live <= 512, "nothing that was lost is given to the new one"


def test_programs_go_on(fragile: jf.backends.FakeBackend) -> None:
    """What a program keeps on the device is put there again."""
    table = np.arange(4, dtype=np.float32)
    table.flags.writeable = False

    @jf.jit(device="fragile")
    def looked_up(x: Any) -> Any:
        return x + table

    assert looked_up(np.ones(4, np.float32)).tolist() == [1, 2, 3, 4]
    fragile.lose()
    with pytest.raises(DeviceLostError):
        looked_up(np.ones(4, np.float32))
    assert looked_up(np.ones(4, np.float32)).tolist() == [1, 2, 3, 4]
    assert fragile.count("open") == 2


def test_one_that_cannot_be_opened_again_says_so(fragile: jf.backends.FakeBackend) -> None:
    x = jf.asarray([1.0], device="fragile")
    fragile.lose()
    with pytest.raises(DeviceLostError):
        x.numpy()
    fragile.fail("open", times=2, error=lambda call: OSError("no such bus"))
    for _ in range(2):
        with pytest.raises(BackendError) as caught:
            jf.asarray([1.0], device="fragile")
        assert caught.value.message == (
            "fragile (fragile device) cannot be opened (no such bus); start the process anew, or choose "
            "another device"
        )
    assert jf.asarray([1.0], device="fragile").tolist() == [1]


def test_only_the_device_that_was_lost_is_given_up(fragile: jf.backends.FakeBackend) -> None:
    """In a copy between two."""
    x = jf.asarray(np.ones(3, np.float32), device="fragile")
    other = registry.device("fragile:1")
    kept = jf.asarray(np.zeros(2, np.float32), device=other)
    driver = other.driver
    fragile.lose()
    with pytest.raises(DeviceLostError):
        x.to_device("fragile:1")
    assert other.driver is driver and kept.tolist() == [0, 0]
    assert registry.device("fragile")._driver is None


def test_a_real_device_is_opened_again() -> None:
    try:
        device = registry.device("webgpu")
    except BackendError as absent:
        pytest.skip(absent.message)
    x = jf.asarray(np.ones(3, np.float32), device=device)
    device.driver._device.destroy()  # type: ignore[attr-defined]
    with pytest.raises(DeviceLostError, match="was lost with all that it held"):
        (x + 1).numpy()
    with pytest.raises(BackendError, match="make it anew"):
        x.numpy()
    assert (jf.asarray(np.ones(3, np.float32), device=device) + 1).tolist() == [2, 2, 2]
