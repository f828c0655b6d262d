"""A device that is lost: who held something there is told, and the next use opens it again."""

from __future__ import annotations

import gc
from typing import Any, ClassVar

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import BackendError, DeviceLostError
from jitframe.runtime import registry
from jitframe.runtime.device import Device
from tests.devices import interpreter


class Fragile(interpreter.InterpreterDriver):
    """Fails for good once it is broken."""

    made: ClassVar[list[Fragile]] = []
    broken = False

    def __init__(self) -> None:
        super().__init__(interpreter.FACTS[0])
        self.made.append(self)

    def _check(self) -> None:
        if self.broken:
            lost = DeviceLostError("fragile was lost with all that it held")
            lost.driver = self
            raise lost

    def allocate(self, nbytes: int) -> Any:
        self._check()
        return super().allocate(nbytes)

    def free(self, memory: Any) -> None:
        self._check()
        super().free(memory)

    def download(self, source: Any, out: memoryview) -> None:
        self._check()
        super().download(source, out)


@pytest.fixture
def fragile(monkeypatch: pytest.MonkeyPatch) -> Device:
    monkeypatch.setattr(Fragile, "made", [])
    device = Device("fragile", interpreter.FACTS[0], Fragile)
    monkeypatch.setitem(registry._devices, ("interpreter", 7), device)
    return device


def test_the_next_use_opens_it_again(fragile: Device) -> None:
    x = np.arange(5, dtype=np.float32)
    before = jf.asarray(x, device=fragile)
    product = before * 2
    Fragile.made[0].broken = True
    with pytest.raises(DeviceLostError):
        before.to_device("cpu")
    for held in (before, product, before[0]):
        with pytest.raises(BackendError) as caught:
            held.to_device("cpu")
        assert caught.value.message == (
            "float32[5] was on fragile (kernel interpreter) when that was lost with all that it held; make "
            "it anew"
        )
        assert not isinstance(caught.value, DeviceLostError), "that device is well again"
    again = jf.asarray(x, device=fragile) + 1
    assert again.tolist() == [1, 2, 3, 4, 5]
    assert len(Fragile.made) == 2
    del before, product, held, caught
    gc.collect()
    del again
    gc.collect()
    jf.asarray(x, device=fragile)
    assert Fragile.made[1].statistics().live <= 512, "nothing that was lost is given to the new one"


def test_programs_go_on(fragile: Device) -> None:
    """What a program keeps on the device is put there again."""
    table = np.arange(4, dtype=np.float32)
    table.flags.writeable = False

    @jf.jit(device=fragile)
    def looked_up(x: Any) -> Any:
        return x + table

    assert looked_up(np.ones(4, np.float32)).tolist() == [1, 2, 3, 4]
    Fragile.made[0].broken = True
    with pytest.raises(DeviceLostError):
        looked_up(np.ones(4, np.float32))
    assert looked_up(np.ones(4, np.float32)).tolist() == [1, 2, 3, 4]
    assert len(Fragile.made) == 2


def test_one_that_cannot_be_opened_again_says_so(fragile: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    x = jf.asarray([1.0], device=fragile)
    Fragile.made[0].broken = True
    with pytest.raises(DeviceLostError):
        x.numpy()

    def fails() -> Any:
        raise OSError("no such bus")

    monkeypatch.setattr(fragile, "_open", fails)
    for _ in range(2):
        with pytest.raises(BackendError) as caught:
            jf.asarray([1.0], device=fragile)
        assert caught.value.message == (
            "fragile (kernel interpreter) cannot be opened (no such bus); start the process anew, or choose "
            "another device"
        )


def test_only_the_device_that_was_lost_is_given_up(fragile: Device) -> None:
    """In a copy between two."""
    x = jf.asarray(np.ones(3, np.float32), device=fragile)
    other = registry.device("interpreter")
    kept = jf.asarray(np.zeros(2, np.float32), device=other)
    driver = other.driver
    Fragile.made[0].broken = True
    with pytest.raises(DeviceLostError):
        x.to_device("interpreter")
    assert other.driver is driver and kept.tolist() == [0, 0]
    assert fragile._driver is None


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
