"""What there is here, whatever drivers do when they are asked."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import time
from pathlib import Path

import pytest

import jitframe as jf
from jitframe.backends.discovery import backend_info, discover
from jitframe.errors import BackendError, BackendUnavailableError
from jitframe.runtime.discovery import probe, registry
from jitframe.runtime.driver import Found
from tests.backends import drivers
from tests.backends.conftest import Register

ROOT = Path(__file__).resolve().parents[2]


def test_every_backend_has_devices_or_a_reason() -> None:
    found = jf.backends.discover()
    assert tuple(found) == jf.backends.names()
    for name, info in found.items():
        assert info.is_available == bool(info.device_count) == (not info.problem)
        for number, device in enumerate(info.devices()):
            facts = registry.device(device.name).facts
            assert (device.backend, device.index) == (name, number)
            assert (device.title, device.kind, device.units) == (facts.title, facts.kind, facts.units)
            assert device.total_bytes is None or device.total_bytes == facts.memory_bytes
            assert device.free_bytes is None or 0 < device.free_bytes <= (device.total_bytes or 1 << 62)
    cpu = found["cpu"].devices()[0]
    assert cpu.free_bytes
    assert cpu.architecture in ("sse2", "avx2", "avx512", "native")
    assert cpu.unified
    assert "llvmlite" in cpu.driver


def test_devices_are_asked_for_once(register: Register, monkeypatch: pytest.MonkeyPatch) -> None:
    register("counted", drivers.fine)
    first = discover()["counted"]
    asked: list[str] = []
    monkeypatch.setattr(probe, "_ask", lambda entries, limit: asked.extend(entries) or {})
    again = discover()["counted"]
    assert asked == []
    assert first.devices() == again.devices()
    assert len(first.devices()) == 2


@pytest.mark.parametrize(
    ("factory", "said"),
    [
        (drivers.raises, "ZeroDivisionError: the beads are loose"),
        (drivers.sleeps, "the driver did not answer within 3 s (JITFRAME_PROBE_SECONDS)"),
        (drivers.segfaults, "the driver ended the process that asked it (SIGSEGV: "),
        (drivers.exits, "the driver ended the process that asked it (exit status 3)"),
        (
            drivers.lies,
            "the factory of the backend broken gave 17, which has no enumerate, or open: ",
        ),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_broken_driver_stops_nobody(factory: object, said: str, register: Register) -> None:
    register("fine", drivers.fine)
    limit_seconds = None
    if factory is drivers.sleeps:
        discover()  # the others, who may take longer on a busy machine
        limit_seconds = 3
    register("broken", factory, title="broken beads", priority=1000)
    found = discover(limit_seconds=limit_seconds)
    assert found["broken"].problem.startswith(f"broken beads: {said}")
    assert found["broken"].broken
    assert found["fine"].device_count == 2
    assert found["cpu"].is_available
    assert not jf.backends.is_available("broken")
    assert f"broken: broken beads: {said[:20]}" in jf.backends.summary(1000)


def test_what_a_crashing_driver_said_is_told(register: Register) -> None:
    register("broken", drivers.segfaults)
    assert "about to fail" in backend_info("broken").problem


def test_a_hanging_driver_is_ended_with_what_it_started(
    register: Register, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = tmp_path / "child"
    told.touch()
    monkeypatch.setenv("HANGING_CHILD", str(told))
    register("hanging", drivers.hangs)
    for limit in (6, 30, 100):  # a busy machine may not have come so far
        jf.settings.configure(probe_seconds=limit)
        probe.forget_probed("hanging")
        assert f"did not answer within {limit} s" in backend_info("hanging").problem
        if told.read_text():
            break
    child = int(told.read_text())
    for _ in range(2000):
        try:
            state = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[0]
        except FileNotFoundError:
            return
        if state == "Z":  # dead; whoever it belongs to now has not looked yet
            return
        time.sleep(0.05)
    raise AssertionError(f"process {child} is still there")


def test_a_driver_may_print_and_its_memory_is_told(
    register: Register, capfd: pytest.CaptureFixture[str]
) -> None:
    register("chatty", drivers.chats)
    (device,) = backend_info("chatty").devices()
    assert device.free_bytes == 12345
    assert capfd.readouterr() == ("", "")


def test_a_driver_that_only_this_process_knows_may_hang_too() -> None:
    """What is made by a function of the main program cannot be asked elsewhere."""
    program = (
        "import time, jitframe as jf\n"
        "class Hanging:\n"
        "    def enumerate(self): time.sleep(60)\n"
        "    def open(self, number): ...\n"
        "jf.backends.register('hanging', lambda: Hanging())\n"
        "jf.settings.configure(probe_seconds=1)\n"
        "info = jf.backends.discover()['hanging']\n"
        "print(info.problem)\n"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env=environment,
        check=True,
        timeout=300,
    )
    assert done.stdout == "hanging: the driver did not answer within 1 s (JITFRAME_PROBE_SECONDS)\n"


def test_names_are_available_or_not_and_nothing_is_raised(register: Register) -> None:
    register("fine", drivers.fine)
    for name in ("cpu", "cpu:0", "CPU", "fine", "fine:1", "auto"):
        assert jf.backends.is_available(name), name
    for nothing in ("cpu:1", "fine:2", "fine:x", "abacus", "", ":", None, 3, object()):
        assert not jf.backends.is_available(nothing)


def test_a_bad_index_lists_what_there_is(register: Register) -> None:
    register("fine", drivers.fine)
    info = backend_info("fine")
    assert info.default_device.name == "fine"
    assert info.device(1).title == "narrow interpreter"
    assert info.capabilities(1).dtypes == ("bool", "int32", "uint8", "float32")
    assert info.capabilities(1).bandwidth is None
    assert [info.is_device_available(index) for index in (0, 1, 2, -1)] == [True, True, False, False]
    for index in (2, -1):
        with pytest.raises(jf.errors.BackendUnavailableError) as caught:
            info.device(index)
        assert caught.value.message == (
            f"device 'fine:{index}' is not available; there is fine (kernel interpreter), fine:1 (narrow "
            "interpreter)"
        )
    with pytest.raises(jf.errors.BackendUnavailableError) as unknown:
        backend_info("abacus")
    assert (
        unknown.value.message == f"there is no backend 'abacus'; there are {', '.join(jf.backends.names())}"
    )


def test_devices_are_hashed_pickled_and_compared_with_names(register: Register) -> None:
    register("fine", drivers.fine)
    info = backend_info("fine").device(1)
    device = registry.device("fine:1")
    for each in (info, device):
        assert each == "fine:1"
        assert each == " Fine:1"
        assert each != "fine"
        assert each != "abacus"
        assert each != 1
        assert {each: "x"}["fine:1"] == "x"
        assert str(each) == "fine:1"
    assert backend_info("fine").default_device == "fine:0"
    assert pickle.loads(pickle.dumps(info)) == info
    assert pickle.loads(pickle.dumps(info)).title == "narrow interpreter"
    assert pickle.loads(pickle.dumps(device)) is device
    assert registry.device("cpu") == "cpu"


def test_a_backend_knows_its_devices(register: Register) -> None:
    register("fine", drivers.fine)
    with jf.backends.create("fine", device=1) as backend:
        assert backend.name == "fine:1"
        assert backend.info.title == "narrow interpreter"
        assert [each.name for each in backend.devices()] == ["fine", "fine:1"]
        assert (backend.device_count, backend.default_device) == (2, "fine")
        assert backend.is_device_available(1) and not backend.is_device_available(2)


def test_the_fastest_of_several_devices() -> None:
    from jitframe.ir.record import replace
    from jitframe.runtime.discovery.automatic import by_speed
    from jitframe.runtime.driver import Found
    from tests.devices.interpreter import FACTS

    small = replace(FACTS[0], kind="gpu", units=8, unified=True)
    large = replace(FACTS[0], kind="gpu", units=80)
    larger = replace(large, memory_bytes=1 << 34)
    slow = replace(FACTS[0], kind="cpu", units=128)
    assert by_speed(Found((slow, small, large, larger, large))) == [3, 2, 4, 1, 0]


def test_what_was_measured_goes_before_promises(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from jitframe.ir.record import replace
    from jitframe.runtime.discovery import measured
    from jitframe.runtime.discovery.automatic import by_speed
    from jitframe.runtime.driver import Found
    from tests.devices.interpreter import FACTS

    monkeypatch.setattr(measured, "_known", {})
    before = jf.settings.configure(cache_dir=str(tmp_path))
    devices = tuple(
        replace(FACTS[0], title=name, kind=kind, units=units)
        for name, kind, units in (("a", "gpu", 80), ("b", "gpu", 8), ("c", "cpu", 1))
    )
    try:
        for facts, speed in zip(devices, (1e9, 5e9), strict=False):
            measured.keep(facts, measured.Measured(speed, {}, 1e-6, ()))
        assert by_speed(Found(devices)) == [0, 1, 2], "one of them was not measured"
        measured.keep(devices[2], measured.Measured(9e9, {}, 1e-6, ()))
        assert by_speed(Found(devices)) == [1, 0, 2]
        monkeypatch.setattr(measured, "_known", {})
        assert by_speed(Found(devices)) == [1, 0, 2], "another process knows it too"
    finally:
        jf.settings.restore(before)


def test_nothing_is_looked_for_before_somebody_asks() -> None:
    program = (
        "import sys, jitframe as jf\n"
        "jf.backends\n"
        "names = {'subprocess', 'tempfile', 'pickle', 'tomllib', 'jitframe.runtime.discovery.registry',\n"
        "         'jitframe.runtime.discovery.probe', 'jitframe.backends.discovery', 'pyopencl', 'wgpu'}\n"
        "print(sorted(names & set(sys.modules) - before))\n"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", "import sys, numpy; before = set(sys.modules)\n" + program],
        capture_output=True, text=True, env=environment, check=True,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("[]\n", "")


# Devices by the interface that reaches them -----------------------------------------------------------------
def test_names_of_some_devices_of_a_backend(register: Register) -> None:
    apis = (("wood", "Wood"), ("glass", "Glass"), ("stone", "Stone"))
    register("mixed", drivers.mixed, priority=700, apis=apis)
    titles = {"wood": "beads", "glass": "old beads", "glass:1": "new beads", "Wood:0": "beads"}
    for name, title in titles.items():
        backend = jf.backends.get(name)
        assert backend.info.title == title and backend is jf.backends.get(backend.name)
        assert jf.backends.create(name).name == backend.name == jf.device(name).name
        assert jf.backends.is_available(name) and backend.info == name
        assert jf.ones(2, dtype="float32", device=name).device == backend.name
    assert jf.backends.get("glass", device=1).name == "mixed:2" and jf.backends.has("WOOD")
    assert jf.backends.metadata("glass").name == "mixed" and "glass" not in jf.backends.names()
    jf.backends.set_priority(["glass:1", "wood"])
    try:
        assert jf.backends.priority()[:2] == ("mixed:2", "mixed:1")
        assert jf.backends.init("auto").name == "mixed:2"
    finally:
        jf.backends.set_priority(None)
    for name, said in (
        ("glass:2", "device 'glass:2' is not available; there is glass (old beads), glass:1 (new beads)"),
        (
            "stone",
            "device 'stone' is not available; no device of mixed is reached by Stone; there is mixed (old",
        ),
    ):
        with pytest.raises(BackendUnavailableError) as caught:
            jf.backends.get(name)
        assert caught.value.message.startswith(said) and not jf.backends.is_available(name)
    with pytest.raises(BackendError, match="there is a backend 'wood' already"):
        jf.backends.register("wood", drivers.fine)


def test_vulkan_names_the_adapters_of_webgpu_that_vulkan_reaches() -> None:
    there = [each for each in backend_info("webgpu").devices() if each.api == "Vulkan"]
    if not there:
        pytest.skip("no Vulkan adapter is here")
    for number, each in enumerate(there):
        assert jf.backends.get(f"vulkan:{number}").name == each.name
        assert jf.backends.is_available(f"Vulkan:{number}")
    assert not jf.backends.is_available(f"vulkan:{len(there)}")
    x = jf.asarray([1.0, 2.0], dtype="float32", device="vulkan")
    assert x.device == there[0].name and there[0] == "vulkan" and (x * 2).tolist() == [2, 4]


def test_vulkan_without_webgpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_found", {"webgpu": Found((), "WebGPU needs wgpu: no such package")})
    with pytest.raises(BackendUnavailableError) as caught:
        jf.backends.get("vulkan")
    assert caught.value.message == (
        "device 'vulkan' is not available; it is one of webgpu's: WebGPU needs wgpu: no such package"
    )


STARTED = """
import os, sys
sys.path.append(sys.argv[1])
import jitframe as jf
from tests.backends import drivers
jf.backends.register("asked", drivers.fine)
print(len(jf.backends.discover()["asked"].devices()))
"""


@pytest.mark.parametrize("options", [["-I"], ["-E"], []], ids=str)
def test_drivers_are_asked_by_processes_as_isolated_as_this_one(options: list[str], tmp_path: Path) -> None:
    """`python -I` runs nothing that the environment names, in no process. Two starts of Python each."""
    (tmp_path / "sitecustomize.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'a').write('x')\n")
    done = subprocess.run(
        [sys.executable, *options, "-c", STARTED, str(ROOT)],
        capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(tmp_path)}, cwd=ROOT,
    )  # fmt: skip
    assert (done.returncode, done.stdout.strip()) == (0, "2"), done.stderr
    assert (tmp_path / "ran").exists() == (not options)


NAMED = """
import json
from jitframe.runtime.drivers import hip_libraries
print(json.dumps([hip_libraries.FOLDERS, hip_libraries.find(hip_libraries.PRODUCTS)]))
"""


@pytest.mark.parametrize("named", ["", ".", "unpacked/..", "/opt/mine"], ids=repr)
def test_no_library_of_the_working_folder_is_loaded(named: str, tmp_path: Path) -> None:
    """As an empty ROCM_PATH would have it."""
    (tmp_path / "unpacked").mkdir()
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "librocblas.so").write_bytes(b"anything")
    done = subprocess.run(
        [sys.executable, "-c", NAMED], capture_output=True, text=True, cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT), "ROCM_PATH": named, "HIP_PATH": named},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    folders, found = json.loads(done.stdout)
    assert ("/opt/mine/lib" in folders) == (named == "/opt/mine")
    assert all(os.path.isabs(each) for each in (*folders, *(each for each in found if os.sep in each)))
