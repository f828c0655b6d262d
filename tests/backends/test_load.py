"""How busy a device is, on stand-ins for the tools of its driver."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import jitframe as jf
from jitframe.backends import load
from jitframe.ir.record import replace
from jitframe.runtime.device import Device


def device(name: str, **more: str) -> Device:
    facts = replace(jf.backends.get("cpu").device.facts, more=tuple(more.items()))
    return Device(name, facts, lambda: pytest.fail("nobody opens it"))


class Nvml:
    """NVIDIA's library: one GPU, 37 percent busy."""

    def nvmlDeviceGetHandleByPciBusId_v2(self, place: bytes, handle: Any) -> int:
        return 0 if place == b"0000:01:00.0" else 6

    def nvmlDeviceGetUtilizationRates(self, handle: Any, found: Any) -> int:
        found._obj.gpu = 37
        return 0


def test_nvidias(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "_nvml", Nvml)
    assert load.device_load(device("cuda", PCI="0000:01:00.0")) == 0.37
    assert load.device_load(device("cuda:1", PCI="0000:02:00.0")) is None
    assert load.device_load(device("cuda")) is None
    monkeypatch.setattr(load, "_nvml", lambda: None)
    assert load.device_load(device("cuda", PCI="0000:01:00.0")) is None


def test_amds(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(load, "_SYSFS", tmp_path)
    for number, percent in enumerate(("12\n", "98\n", "nothing")):
        folder = tmp_path / f"card{number}" / "device"
        folder.mkdir(parents=True)
        (folder / "gpu_busy_percent").write_text(percent)
    found = [load.device_load(device(name)) for name in ("hip", "hip:1", "hip:2", "hip:3")]
    assert found == [0.12, 0.98, None, None]


def test_others_tell_nothing() -> None:
    assert load.device_load(device("opencl")) is None
    usage = jf.backends.get("cpu").usage()
    assert usage.device_load is None and (usage.cpu_load is None or 0 <= usage.cpu_load <= 1)
