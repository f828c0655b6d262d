"""What backends say of themselves: the record, extras, hints, and speeds that are measured once."""

from __future__ import annotations

import dataclasses
import math
import operator
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.backends import measure
from jitframe.backends.capabilities import (
    Capabilities,
    MemoryLevel,
    PerformanceHints,
    capabilities_of,
    preferred_workgroup,
)
from jitframe.errors import ArgumentError, BackendError, DTypeError
from jitframe.ir.record import replace
from jitframe.runtime.discovery import measured
from jitframe.runtime.discovery.measured import Level, Measured
from jitframe.runtime.driver import Cache, DeviceFacts
from jitframe.runtime.drivers.opencl_facts import architecture_of
from jitframe.settings import configure, restore

FACTS = DeviceFacts("a device", "an interface", "other", frozenset(("f32", "i32", "bool")), "1")


@pytest.fixture(params=["cpu", "opencl", "webgpu"])
def backend(request: pytest.FixtureRequest) -> jf.backends.Backend:
    try:
        return jf.backends.create(request.param)
    except BackendError as absent:
        pytest.skip(absent.message)


@pytest.fixture
def quick_probes(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them, on small arrays and for a short while: what they find is rough."""
    monkeypatch.setattr(measure.probes, "_MOST_BYTES", 1 << 20)
    monkeypatch.setattr(measure.probes, "_TIMED_S", 0.002)
    monkeypatch.setattr(measure.probes, "_ENOUGH_S", 0.01)


@pytest.fixture
def folder(tmp_path: Path) -> Any:
    """A cache of its own, with nothing measured."""
    before = configure(cache_dir=str(tmp_path))
    known, measured._known = measured._known, {}
    yield tmp_path
    measured._known = known
    restore(before)


def test_what_nobody_said_is_the_least() -> None:
    found = capabilities_of(FACTS)
    assert found.dtypes == ("bool", "int32", "float32")
    assert (found.max_workgroup, found.streams, found.alignment) == (256, 1, 16)
    assert (found.bandwidth, found.arithmetic_rate, found.launch_s, found.is_measured) == (
        None,
        None,
        None,
        False,
    )
    assert (found.memory_bytes, found.subgroup_size) == (None, None)
    optional = (
        "asynchronous", "unified_memory", "kernel_caching", "out_of_order", "task_parallelism",
        "cooperative_groups", "dynamic_parallelism", "matrix_units", "fma", "library_products",
    )  # fmt: skip
    assert not any(getattr(found, name) for name in optional)
    assert found.atomics == frozenset() and found.constant_bytes == found.vector_bytes == 0
    assert found.precision_modes == ("single",)
    assert found.memory_levels == (MemoryLevel("memory", 0),)
    assert Capabilities(dtypes=("float32",)).max_workgroup == 256


def test_the_record_cannot_be_changed() -> None:
    found = capabilities_of(FACTS)
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.max_rank = 3  # type: ignore[misc]
    assert found == capabilities_of(FACTS) and hash(found) == hash(capabilities_of(FACTS))
    assert dict(found.as_dict())["max_workgroup"] == 256


def test_every_field_says_what_it_is() -> None:
    source = Path(sys.modules[Capabilities.__module__].__file__ or "").read_text(encoding="utf-8")
    body = source[source.index("class Capabilities") : source.index("def arithmetic_rate")]
    for field in dataclasses.fields(Capabilities):
        after = body[body.index(f"\n    {field.name}: ") + 1 :].splitlines()[1]
        assert after.startswith('    """'), field.name


def test_precision_modes_follow_from_the_dtypes() -> None:
    wide = replace(FACTS, dtypes=FACTS.dtypes | {"f64", "f16"})
    assert capabilities_of(wide).precision_modes == ("single", "double", "half", "mixed")


def test_extras_have_types() -> None:
    more = (("fast", True), ("ways", 8), ("share", 0.5), ("vendor", "nobody"), ("sizes", (1, 2, 4)))
    found = capabilities_of(replace(FACTS, more=more))
    assert found.extra("fast", bool) is True
    assert found.extra("ways", int) == 8 and found.extra("ways", float) == 8.0
    assert found.extra("share", float) == 0.5
    assert found.extra("vendor", str) == "nobody"
    assert found.extra("sizes", list) == [1, 2, 4]
    with pytest.raises(ArgumentError) as caught:
        found.extra("slow", bool)
    assert caught.value.message == "there is no extra 'slow'; there is fast, share, sizes, vendor, or ways"
    for name, kind in (("fast", int), ("share", int), ("ways", str), ("vendor", list)):
        with pytest.raises(DTypeError, match=f"the extra '{name}' is a .*, not a {kind.__name__}"):
            found.extra(name, kind)


def test_they_are_those_of_the_device(backend: jf.backends.Backend) -> None:
    found, facts = backend.capabilities, backend.device.facts
    assert not backend.is_initialized, "asking opens nothing"
    assert found.max_buffer_bytes == facts.largest_buffer and found.compute_units == facts.units
    assert {"float32", "int32", "uint32", "bool"} <= set(found.dtypes) and found.max_workgroup >= 128
    assert {"int32", "uint32"} <= found.atomics
    if backend.name == "cpu":
        assert found.execution == "simd" and found.vector_bytes >= 16 and found.kernel_caching
        assert found.extra("simd", str) in ("sse2", "avx2", "avx512", "native")
        assert not found.asynchronous and found.unified_memory
    else:
        computes_in_vectors = backend.name == "opencl" and facts.kind == "cpu"
        assert found.asynchronous and found.execution == ("simd" if computes_in_vectors else "simt")


def test_arrays_may_have_as_many_axes_as_are_told(backend: jf.backends.Backend) -> None:
    most = backend.capabilities.max_rank
    shape = (2,) + (1,) * (most - 2) + (3,)
    x = jf.asarray(np.arange(6, dtype=np.float32).reshape(shape), device=backend.device)
    y = (x + 1).numpy()
    assert y.shape == shape and y.ravel().tolist() == [1, 2, 3, 4, 5, 6]


def test_what_is_measured_is_kept_on_disk(
    folder: Path, quick_probes: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend = jf.backends.create("cpu")
    assert backend.capabilities.bandwidth is None
    found = backend.measure()
    assert found.is_measured and backend.capabilities == found
    assert found.bandwidth is not None and 1e8 < found.bandwidth < 1e13
    assert set(dict(found.arithmetic_rates)) == {"float32", "float64"}
    assert all(1e8 < rate < 1e15 for _, rate in found.arithmetic_rates)
    assert found.launch_s is not None and 1e-8 < found.launch_s < 1
    levels = found.memory_levels
    assert [each.name for each in levels][-1] == "memory"
    for each in levels:
        assert each.latency_s is not None and 1e-10 < each.latency_s < 1e-4
        assert each.unit_bandwidth is not None and 1e7 < each.unit_bandwidth < 1e13
    monkeypatch.setattr(measured, "_known", {})
    monkeypatch.setattr(measure, "probes", None)
    assert backend.capabilities == found, "another process reads what this one measured"
    assert backend.measure() == found
    (file,) = (folder / "measurements").iterdir()
    for spoiled in (b"", b"{}", b"[1]", b'{"bandwidth": 1}', b"\xff"):
        file.write_bytes(spoiled)
        measured._known.clear()
        assert backend.capabilities.bandwidth is None


@pytest.fixture
def speeds(folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    """What the probes find, and how busy the host is."""
    found = {"bandwidth": 1e9, "rate": 1e9, "latency": 1e-7, "load": 0.0}
    probes = measure.probes
    monkeypatch.setattr(probes, "bandwidth", lambda driver, budget: found["bandwidth"])
    monkeypatch.setattr(probes, "arithmetic", lambda driver, budget: {"float32": found["rate"]})
    monkeypatch.setattr(probes, "launch_seconds", lambda driver, budget: 1e-6)
    monkeypatch.setattr(probes, "levels", lambda driver, budget: [("memory", 1 << 20, found["latency"], 1e9)])
    monkeypatch.setattr(measure, "host_load", lambda: found["load"])
    return found


def test_measured_anew_the_better_is_kept(speeds: dict[str, float]) -> None:
    backend = jf.backends.create("cpu")
    assert backend.measure().bandwidth == 1e9
    speeds.update(bandwidth=2e9, rate=5e8, latency=1e-6)
    assert backend.measure().bandwidth == 1e9, "it is measured once"
    found = backend.measure(refresh=True)
    assert (found.bandwidth, found.arithmetic_rate) == (2e9, 1e9)
    assert found.memory_levels[-1].latency_s == 1e-7
    assert measured.known(backend.device.facts) == Measured(
        2e9, {"float32": 1e9}, 1e-6, (Level("memory", 1 << 20, 1e-7, 1e9),)
    )


def test_what_a_busy_machine_measured_is_measured_again(speeds: dict[str, float]) -> None:
    backend = jf.backends.create("cpu")
    speeds.update(load=0.9)
    assert backend.measure().bandwidth == 1e9
    speeds.update(bandwidth=3e9, load=0.8)
    assert backend.measure().bandwidth == 1e9, "it is as busy as before"
    speeds.update(load=0.1)
    assert backend.measure().bandwidth == 3e9
    speeds.update(bandwidth=4e9, load=0.0)
    assert backend.measure().bandwidth == 3e9


def test_the_best_of_several_tries_counts(speeds: dict[str, float], monkeypatch: pytest.MonkeyPatch) -> None:
    tries = iter((1e9, 5e9, 2e9))
    monkeypatch.setattr(measure.probes, "bandwidth", lambda driver, budget: next(tries))
    assert jf.backends.create("cpu").measure().bandwidth == 5e9


def test_another_driver_is_another_device(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    backend = jf.backends.create("cpu")
    measured.keep(backend.device.facts, Measured(1e9, {"float32": 1e9}, 1e-6, ()))
    assert backend.capabilities.bandwidth == 1e9
    newer = replace(backend.device.facts, version="the next one")
    monkeypatch.setattr(backend.device, "_facts", newer)
    assert backend.capabilities.bandwidth is None


@pytest.mark.parametrize("name", ["opencl", "webgpu"])
def test_devices_are_measured(name: str, folder: Path, quick_probes: None) -> None:
    try:
        backend = jf.backends.create(name)
    except BackendError as absent:
        pytest.skip(absent.message)
    live = backend.device.statistics().live
    found = backend.measure()
    assert found.bandwidth is not None and 1e6 < found.bandwidth < 1e13
    assert "float32" in dict(found.arithmetic_rates)
    assert found.memory_levels[-1].latency_s is not None
    assert backend.device.statistics().live == live, "its memory is given back"


class Timed:
    """A driver that does nothing, and takes its time for it by a clock of its own."""

    def __init__(self, driver: Any, launch_s: float, element_s: float) -> None:
        self._driver = driver
        self.facts = replace(
            driver.facts, caches=tuple(Cache(level, 1 << 14 + 4 * level) for level in (1, 2, 3))
        )
        self._launch_s, self._element_s = launch_s, element_s
        self.now = 0.0

    def perf_counter(self) -> float:
        return self.now

    def __getattr__(self, name: str) -> Any:
        return lambda *given: None

    def compile(self, kernel: Any) -> Any:
        self.now += 0.02
        return kernel.name

    def upload(self, target: Any, data: memoryview) -> None:
        self.now += data.nbytes / 4e9

    def launch(self, handle: str, views: Any, values: bytes, groups: int) -> None:
        numbers = [int.from_bytes(values[at : at + 8], "little") for at in range(0, len(values), 8)]
        turns = {
            "probe_bandwidth": lambda: numbers[0],
            "probe_arithmetic": lambda: groups * 256 * numbers[0],
            "probe_latency": lambda: 100 * numbers[0],
            "probe_unit_bandwidth": lambda: numbers[0] * numbers[1],
        }[handle]()
        self.now += self._launch_s + self._element_s * turns


@pytest.mark.parametrize(
    ("launch_s", "element_s"), [(1e-6, 1e-11), (1e-6, 1e-8), (1e-3, 1e-9), (0.02, 1e-11), (0.02, 1e-8)]
)
def test_measuring_takes_less_than_three_seconds(
    launch_s: float, element_s: float, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the clock of a device: of this machine others take their share."""
    timed = Timed(jf.backends.create("cpu").device.driver, launch_s, element_s)
    timed.ends_loops = False  # type: ignore[attr-defined]
    monkeypatch.setattr(measure.probes, "time", timed)
    found = measure._measured(timed, 0.0)  # type: ignore[arg-type]
    assert timed.now < 3 and len(found.levels) == 4
    if launch_s < 1e-3:
        assert found.bandwidth == pytest.approx(8 / element_s, rel=0.1)
        assert found.arithmetic["float32"] == pytest.approx(16 / element_s, rel=0.1)
        assert found.levels[-1].latency_s == pytest.approx(100 * element_s, rel=0.1)
        assert found.levels[-1].unit_bandwidth == pytest.approx(8 / element_s, rel=0.1)


def test_hints_change_how_kernels_are_launched() -> None:
    try:
        backend = jf.backends.create("opencl")
    except BackendError as absent:
        pytest.skip(absent.message)
    with backend:
        before = backend.hints
        assert (
            backend.tune(preferred_workgroup=48) == replace(before, preferred_workgroup=48) == backend.hints
        )
        x = jf.asarray(np.arange(5, dtype=np.float32), device=backend.device)
        assert (x * 3).tolist() == [0, 3, 6, 9, 12]
        handles: Any = backend.device.driver._forms._handles  # type: ignore[attr-defined]
        threads = {form.source.threads for handle in handles.values() for form in handle.forms.values()}
        assert threads == {48}
        with pytest.raises(ArgumentError, match=r"there is no hint 'speed'; there is preferred_workgroup, "):
            backend.tune(speed=9)
        with pytest.raises(ArgumentError, match="batch_size=0"):
            backend.tune(batch_size=0)
        backend.tune(preferred_workgroup=1, cache_kernels=False)
        assert backend.hints == replace(before, cache_kernels=False)
        assert not backend.capabilities.kernel_caching
    with pytest.raises(BackendError, match="cpu follows the hint alignment alone"):
        jf.backends.get("cpu").tune(preferred_workgroup=8)


@pytest.mark.more
def test_asking_loads_no_probe() -> None:
    program = (
        "import jitframe as jf, sys; jf.backends.get('cpu').capabilities\n"
        "print('llvmlite' in sys.modules, 'pyopencl' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False False\n"


def test_caches_are_levels() -> None:
    facts = replace(FACTS, caches=(Cache(1, 1 << 15, 64, 1), Cache(2, 1 << 20, 64, 2)), memory_bytes=1 << 30)
    speeds = Measured(1e9, {"float32": 2e9, "float64": 1e9}, 1e-5, (Level("L1", 1 << 14, 1e-9, 1e11),))
    found = capabilities_of(facts, speeds)
    assert found.memory_levels == (
        MemoryLevel("L1", 1 << 15, 1, 64, 1e-9, 1e11),
        MemoryLevel("L2", 1 << 20, 2, 64),
        MemoryLevel("memory", 1 << 30),
    )
    assert (found.bandwidth, found.arithmetic_rate, found.launch_s) == (1e9, 2e9, 1e-5)


def test_switches_of_the_processor_keep_the_tolerances() -> None:
    """Functions of each level within 2 ulp of the others', sums and plain arithmetic to the last bit."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=70_001).astype(np.float32)
    plain = jf.backends.get("cpu")
    level = plain.capabilities.extra("simd", str)
    levels = ("off", "sse2", "avx2", "avx512")
    here = levels[: levels.index(level) + 1] if level in levels else ()
    for options in ({"threads": 1}, {"threads": 2}, *({"simd": each} for each in here)):
        with jf.backends.create("cpu", **options) as backend:
            for name in ("exp", "tanh", "sin"):
                found, wanted = (each.ops.__getattr__(name)(x).numpy() for each in (backend, plain))
                np.testing.assert_array_max_ulp(found, wanted, 4)
            assert backend.ops.sum(x).item() == plain.ops.sum(x).item(), options
            np.testing.assert_array_equal(backend.ops.multiply(x, x).numpy(), x * x)
            if "simd" in options:
                assert backend.capabilities.vector_bytes == {"avx2": 32, "avx512": 64}.get(
                    options["simd"], 16
                )
            else:
                assert backend.capabilities.compute_units <= options["threads"]


# Workgroups by axis -------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["cpu", "opencl", "webgpu"])
def test_workgroups_have_limits_and_preferences_by_axis(name: str) -> None:
    with jf.backends.create(name) as backend:
        can, lanes = backend.capabilities, backend.hints.preferred_workgroup
        assert all(1 <= each <= can.max_workgroup for each in can.max_workgroup_axes)
        for axes in (1, 2, 3):
            extents = backend.preferred_workgroup(axes)
            assert len(extents) == axes and lanes // 2 < math.prod(extents) <= lanes
            assert all(map(operator.le, extents, can.max_workgroup_axes))
        for wrong in (0, 4, True):
            with pytest.raises(ArgumentError, match="a workgroup has 1, 2 or 3 axes"):
                backend.preferred_workgroup(wrong)


def test_lanes_in_step_are_along_the_first_axis() -> None:
    def preferred(axes: int, **told: Any) -> tuple[int, ...]:
        return preferred_workgroup(replace(jf.backends.get("cpu").device.facts, **told), axes)

    gpu = {"hints": PerformanceHints(), "most_threads": 1024, "most_lanes": (1024, 1024, 64), "subgroup": 32}
    assert [preferred(axes, **gpu) for axes in (1, 2, 3)] == [(256,), (32, 8), (32, 4, 2)]
    gpu["subgroup"] = 64
    assert [preferred(axes, **gpu) for axes in (2, 3)] == [(64, 4), (64, 2, 2)]
    gpu["most_lanes"] = (128, 2, 1)
    assert [preferred(axes, **gpu) for axes in (1, 2, 3)] == [(128,), (128, 2), (128, 2, 1)]
    gpu["most_threads"] = 96
    assert [preferred(axes, **gpu) for axes in (1, 2)] == [(96,), (64, 1)]


@pytest.mark.parametrize("name", ["cpu", "opencl", "webgpu"])
def test_a_program_with_too_many_lanes_along_an_axis_is_refused(name: str, monkeypatch: Any) -> None:
    from .test_programs import PARAMETERS, SOURCES

    with jf.backends.create(name) as backend:
        program = backend.compile(SOURCES[name], entry="scale", parameters=PARAMETERS)
        x = backend.alloc(64)
        monkeypatch.setattr(backend.device, "_facts", replace(backend.device.facts, most_lanes=(64, 64, 2)))
        with pytest.raises(
            BackendError, match=r"workgroups of 4 lanes along z, \(1, 1, 4\), where .* runs 2"
        ):
            program(x, x, 1.0, 4, workgroup=(1, 1, 4))


def test_the_architecture_is_told(backend: jf.backends.Backend) -> None:
    assert backend.info.architecture
    assert backend.info.architecture == backend.device.facts.architecture


@pytest.mark.parametrize(
    ("title", "capability", "is_processor", "wanted"),
    [
        ("NVIDIA H100", "9.0", False, "9.0"),
        ("gfx90a:sramecc+:xnack-", "", False, "gfx90a"),
        ("pthread-skylake-avx512-AMD EPYC", "", True, "skylake-avx512"),
        ("cpu-znver4-AMD Ryzen 9", "", True, "znver4"),
        ("Intel(R) Xeon(R) Processor", "", True, platform.machine()),
        ("Intel(R) Arc(TM) A770 Graphics", "", False, ""),
    ],
)
def test_what_opencl_tells_of_architectures(
    title: str, capability: str, is_processor: bool, wanted: str
) -> None:
    assert architecture_of(title, capability, is_processor) == wanted
