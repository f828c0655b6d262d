"""Which device is taken: by name, by priority, by room, by speed, and what happens where it is not there."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import jitframe as jf
from jitframe.backends import choice
from jitframe.errors import BackendError, BackendUnavailableError, FallbackWarning, OutOfMemoryError
from jitframe.runtime.discovery import automatic, measured, registry
from tests.backends import drivers
from tests.backends.conftest import Register

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def nothing_is_remembered() -> Iterator[None]:
    automatic._warned.clear()
    yield
    jf.backends.set_priority(None)


def tried() -> list[str]:
    return [each.name for each in automatic.candidates() if isinstance(each, automatic.Candidate)]


def test_real_devices_go_before_the_cpu_and_software_after_it(register: Register) -> None:
    register("real", drivers.gpu, priority=150)
    register("soft", drivers.software, priority=1000)
    register("late", drivers.gpu, priority=50)
    names = [name for name in tried() if name in ("real", "soft", "late", "cpu")]
    assert names == ["real", "cpu", "late", "soft"]
    with jf.device("auto"):
        x = jf.ones(3)
    assert x.device == jf.backends.recommended()
    there = [name for name in tried() if registry.device(name).facts.kind != "cpu"]
    assert x.device == (there[0] if there[0] in ("cuda", "hip", "metal", "opencl", "webgpu") else "real")
    assert jf.zeros(2, device="auto").device == x.device
    assert jf.jit(lambda v: v + 1, device="auto")(jf.ones(2)).device == x.device


def test_the_order_of_jitframes_own_backends() -> None:
    own = [
        name for name in jf.backends.names() if name in ("cuda", "hip", "metal", "opencl", "webgpu", "cpu")
    ]
    assert own == ["cuda", "hip", "metal", "opencl", "webgpu", "cpu"]


def test_auto_takes_the_fastest_device_of_the_winning_backend(register: Register) -> None:
    register("pair", drivers.pair, priority=2000)
    assert tried()[:2] == ["pair:1", "pair"]
    backend = jf.backends.get("auto")
    assert (backend.name, backend.info.title) == ("pair:1", "fast beads")
    assert jf.backends.get() is backend
    assert jf.backends.get("pair").name == "pair", "a name alone stands for the first device"
    assert jf.backends.discover()["pair"].fastest_device == "pair:1"


def test_the_programs_order_goes_first(register: Register) -> None:
    register("pair", drivers.pair, priority=2000)
    register("soft", drivers.software)
    jf.backends.set_priority(["soft", "pair:0", "cpu"])
    assert tried()[:4] == ["soft", "pair", "cpu", "pair:1"]
    assert jf.backends.priority()[:3] == ("soft", "pair:0", "cpu")
    assert jf.zeros(2, device="auto").device == "soft"
    jf.backends.set_priority(None)
    assert tried()[0] == "pair:1"
    with pytest.raises(BackendUnavailableError, match="there is no device 'abacus'"):
        jf.backends.set_priority(["abacus"])
    with pytest.raises(jf.errors.ArgumentError) as caught:
        jf.backends.set_priority("cpu")
    assert caught.value.message == "set_priority takes a list of names, such as ['cpu']"


@pytest.mark.parametrize("factory", [drivers.closed, drivers.exits], ids=["cannot be opened", "crashes"])
def test_auto_passes_over_what_does_not_work(factory: object, register: Register) -> None:
    register("broken", factory, priority=3000)
    register("real", drivers.gpu, priority=2000)
    with pytest.warns(FallbackWarning, match="broken.*; auto tries the next device") as told:
        assert jf.zeros(2, device="auto").device == "real"
    assert told[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        automatic.forget_choice()
        assert jf.zeros(2, device="auto").device == "real", "it warns once"
    automatic.forget_choice()
    jf.settings.configure(strict=True)
    with pytest.raises(BackendError, match="broken"):
        jf.zeros(2, device="auto")


def test_init_prefers_falls_back_and_may_not(register: Register) -> None:
    register("closed", drivers.closed)
    register("real", drivers.gpu, priority=2000)
    with jf.backends.init("real", require=True) as backend:
        assert backend.is_initialized
        assert backend.name == "real"
    with pytest.warns(FallbackWarning) as told:
        backend = jf.backends.init("closed")
    assert backend.name == "real"
    assert backend.is_initialized
    assert [str(each.message) for each in told] == [
        "closed (busy beads) cannot be opened (somebody else has it); start the process anew, or choose "
        "another device; another backend is taken"
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert jf.backends.init("closed") is backend
        assert jf.backends.init("auto") is backend
    with pytest.raises(BackendUnavailableError, match="somebody else has it"):
        jf.backends.init("closed", require=True)
    with pytest.raises(BackendUnavailableError, match="device 'real:3' is not available; there is real"):
        jf.backends.init("real", device=3, require=True)
    with pytest.raises(BackendUnavailableError, match="there is no device 'abacus'"):
        jf.backends.init("abacus")
    jf.settings.configure(strict=True)
    with pytest.raises(BackendUnavailableError, match="somebody else has it"):
        jf.backends.init("closed")


def test_init_asks_for_room(register: Register) -> None:
    register("crowded", drivers.crowded, priority=3000)
    register("real", drivers.gpu, priority=2000)
    assert jf.backends.init("crowded", required_bytes=1000).name == "crowded"
    assert jf.backends.init("auto", required_bytes=1000).name == "crowded"
    # What is free there is not told: its gibibyte less what is held.
    assert jf.backends.init("auto", required_bytes=1 << 20).name == "real"
    with pytest.warns(
        FallbackWarning, match="crowded .* has no room for 1,048,576 bytes: 1,000 bytes are free"
    ):
        assert jf.backends.init("crowded", required_bytes=1 << 20).name == "real"
    held = jf.asarray(np.ones(1 << 20, np.float32), device="real")
    with pytest.raises(OutOfMemoryError) as caught:
        jf.backends.init("real", required_bytes=1 << 30, require=True)
    assert caught.value.message.startswith(
        "real (fast beads) has no room for 1,073,741,824 bytes: 1,069,547,520 bytes are its memory less what "
        "this program holds (nobody tells what is free)"
    )
    assert (caught.value.device, caught.value.context["is_measured"]) == ("real", False)
    assert held.device == "real"
    with pytest.raises(OutOfMemoryError) as nowhere:
        jf.backends.init("auto", required_bytes=1 << 60)
    for name in tried():
        if registry.device(name).facts.memory_bytes:
            assert f"{name} (" in nowhere.value.message
    assert isinstance(nowhere.value, MemoryError)


def test_shared_and_new_ones(register: Register) -> None:
    register("real", drivers.gpu)
    assert jf.backends.get("real") is jf.backends.get("real:0") is jf.backends.get("real", device=0)
    new = jf.backends.create("real")
    assert new is not jf.backends.get("real")
    assert new.device is not jf.backends.get("real").device
    first = jf.backends.get("real")
    first.initialize()
    first.shutdown()
    assert jf.backends.get("real") is not first


def test_the_default(register: Register) -> None:
    register("real", drivers.gpu, priority=5000)
    assert jf.backends.default() == "real"
    assert jf.backends.create().name == "real"
    jf.backends.set_default("cpu")
    assert jf.backends.default() == "cpu"
    jf.backends.set_default("real")
    assert jf.zeros(2).device == "real"
    jf.backends.set_default(None)
    assert jf.zeros(2).device == "cpu", "Tensors stay on the CPU where nobody says anything"
    with pytest.raises(BackendUnavailableError):
        jf.backends.set_default("abacus")


@pytest.mark.parametrize(("value", "expected"), [("auto", ""), ("webgpu", "webgpu"), ("cpu", "cpu")])
def test_the_environment_says_where(value: str, expected: str) -> None:
    if expected and not jf.backends.is_available(expected):
        pytest.skip(f"{expected} is not here")
    program = (
        "import jitframe as jf\n"
        "x = jf.zeros(3)\n"
        "assert x.device == jf.backends.default() == jf.backends.create().name, x.device\n"
        "print(x.device)\n"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT), "JITFRAME_DEVICE": value, "PYTHONWARNINGS": "error"}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=True
    )
    assert done.stdout.strip() == (expected or jf.backends.recommended())


def test_the_fastest_by_measurement(monkeypatch: pytest.MonkeyPatch, register: Register) -> None:
    register("closed", drivers.closed)
    speeds = {"bandwidth": {"cpu": 2.0}, "arithmetic": {"cpu": 3.0}}

    def measured(name: str, by: str, refresh: bool = False) -> float:
        jf.backends.get(name).initialize()
        return speeds[by].get(name, 1.0)

    monkeypatch.setattr(choice, "measured", measured)
    assert jf.backends.best().name == "cpu"
    assert jf.backends.best(by="arithmetic").name == "cpu"
    if jf.backends.is_available("opencl"):
        speeds["arithmetic"]["opencl"] = 4.0
        assert jf.backends.best(by="arithmetic").name == "opencl"
        assert jf.backends.best(by="bandwidth").name == "cpu"
    with pytest.raises(jf.errors.ArgumentError) as caught:
        jf.backends.best(by="beauty")  # type: ignore[arg-type]
    assert caught.value.message == "best(by='beauty'): devices are compared by 'bandwidth' or 'arithmetic'"


def test_what_is_measured_is_what_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    backend = jf.backends.get("cpu")
    speeds = measured.Measured(3e9, {"float32": 5e9}, 1e-6, ())
    monkeypatch.setitem(measured._known, measured._key(backend.device.facts), speeds)
    assert choice.measured("cpu", "bandwidth") == backend.measure().bandwidth == 3e9
    assert choice.measured("cpu", "arithmetic") == backend.measure().arithmetic_rate == 5e9


@pytest.mark.parametrize("device", ["opencl", "webgpu"])
def test_with_a_device_by_name(device: str) -> None:
    if not jf.backends.is_available(device):
        pytest.skip(f"{device} is not here")
    with jf.device(device):
        x = jf.asarray(np.arange(4, dtype=np.float32))
        assert (x.device, (x * 2).tolist()) == (device, [0, 2, 4, 6])
    assert jf.backends.init(device, require=True).name == device
