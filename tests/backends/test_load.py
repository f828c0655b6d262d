"""How busy a device is, on stand-ins for the tools of its driver."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import jitframe as jf
from jitframe.backends import limits, load
from jitframe.ir.record import replace
from jitframe.runtime.device import Device


def device(kind: str = "gpu", **more: str) -> Device:
    facts = replace(jf.backends.get("cpu").device.facts, api="Vulkan", kind=kind, more=tuple(more.items()))
    return Device("some", facts, lambda: pytest.fail("nobody opens it"))


class Nvml:
    """NVIDIA's library: one GPU, 37 percent busy, and one that does not tell."""

    def nvmlDeviceGetHandleByPciBusId_v2(self, place: bytes, handle: Any) -> int:
        handle._obj.value = int(place[5:7], 16)
        return 0 if place in (b"0000:01:00.0", b"0000:03:00.0") else 6

    def nvmlDeviceGetUtilizationRates(self, handle: Any, found: Any) -> int:
        found._obj.gpu = 37
        return 0 if handle.value == 1 else 3


def test_nvidias(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "_nvml", Nvml)
    assert load.device_load(device(PCI="0000:01:00.0")) == (0.37, "")
    assert load.device_load(device(PCI="0000:02:00.0")) == (
        None,
        "NVIDIA's NVML knows no GPU at 0000:02:00.0",
    )
    found = load.device_load(device(PCI="0000:03:00.0"))
    assert found == (None, "NVIDIA's NVML does not tell how busy the GPU at 0000:03:00.0 is")
    monkeypatch.setattr(load, "_nvml", lambda: None)
    found = load.device_load(device(PCI="0000:01:00.0"))
    assert found[0] is None and "libnvidia-ml.so.1 or nvml.dll is not there" in found[1]


def test_amds(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(load, "_SYSFS", tmp_path)
    monkeypatch.setattr(load, "_nvml", lambda: None)
    for place, percent in (("0000:03:00.0", "12\n"), ("0000:c3:00.0", "98\n"), ("0000:05:00.0", "nothing")):
        (tmp_path / place).mkdir()
        (tmp_path / place / "gpu_busy_percent").write_text(percent)
    found = [load.device_load(device(PCI=place)) for place in ("0000:03:00.0", "0000:C3:00.0")]
    assert found == [(0.12, ""), (0.98, "")]
    for place in ("0000:05:00.0", "0000:06:00.0"):
        told, reason = load.device_load(device(PCI=place))
        assert told is None and f"no gpu_busy_percent for the GPU at {place}" in reason


def test_others_say_why_not(monkeypatch: pytest.MonkeyPatch) -> None:
    found = load.device_load(device())
    assert found == (None, "Vulkan tells no PCI address, by which the system's tools know a GPU")
    monkeypatch.setattr(load, "host_load", lambda: None)
    found = load.device_load(device("cpu"))
    assert found == (None, "this system does not tell how busy its processors are")


@pytest.mark.parametrize("name", ["cpu", "opencl", "webgpu"])
def test_what_computes_on_processors_is_as_busy_as_they_are(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with jf.backends.create(name) as backend:
        if backend.device.facts.kind == "cpu":
            for module in (load, limits):
                monkeypatch.setattr(module, "host_load", lambda: 0.25)
            usage = backend.usage()
            assert (usage.device_load, usage.device_load_reason, usage.cpu_load) == (0.25, "", 0.25)


@pytest.mark.parametrize("name", ["cpu", "opencl", "webgpu"])
def test_the_monitor_tells_whether_it_is_on(name: str) -> None:
    with jf.backends.create(name) as backend:
        assert not backend.monitor.is_on
        backend.monitor()
        assert backend.monitor.is_on and repr(backend.monitor) == f"<monitor of {name}, on>"
        backend.monitor(False)
        assert not backend.monitor.is_on
        with pytest.raises(ValueError, match="monitor\\(1\\): it is switched on by True and off by False"):
            backend.monitor(1)  # type: ignore[arg-type]
