"""Profiles on cpu, opencl and webgpu: what ran, how often, where; the trace; nothing left behind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import JitframeError
from jitframe.profiling.session import KernelStatistics
from jitframe.runtime import profiler_hook
from jitframe.runtime.discovery import measured
from tests.backends.written import NAMES, axpy, put
from tests.threads import at_once

from .trace_events import read


@pytest.fixture(params=NAMES)
def device(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_kernels_of_tensors(device: str) -> None:
    x = jf.asarray(np.ones(1000, np.float32), device=device)
    with jf.profile() as p:
        for _ in range(3):
            found = (x * 2 + 1).numpy()
    np.testing.assert_array_equal(found, np.full(1000, 3, np.float32))
    (row,) = [each for each in p.kernels if each.kind == "kernel"]
    assert (row.name, row.device, row.count) == ("add", device, 3)
    assert (row.operations, row.nbytes, row.exact) == (3 * 2000, 3 * 8000, True)
    assert 0 < row.seconds < p.end - p.begin + 1e-3
    assert row.bandwidth == pytest.approx(row.nbytes / row.seconds)
    for launch in p.launches:
        assert p.begin <= launch.host_begin <= launch.host_end <= p.end
        assert launch.begin > p.begin - 1e-3


def test_jitted_functions_pass_their_native_entry_by_and_come_back() -> None:
    @jf.jit
    def step(x: Any) -> Any:
        return np.sqrt(x).sum()

    x = np.ones(100, np.float32)
    for _ in range(3):
        step(x)
    assert step.stats()["native_calls"] >= 1
    with jf.profile() as p:
        assert [float(step(x)) for _ in range(4)] == [100.0] * 4
    assert sum(each.count for each in p.kernels) == 4
    before = step.stats()["native_calls"]
    for _ in range(3):
        step(x)
    assert step.stats()["native_calls"] >= before + 2
    assert profiler_hook.active is None and sum(each.count for each in p.kernels) == 4


def test_plans_from_the_disk_are_watched_too() -> None:
    @jf.jit
    def step(x: Any) -> Any:
        return np.sqrt(x) * 7 + 3

    x = np.ones(100, np.float32)
    for _ in range(2):  # the second time its kernel is known, and its plan is kept
        step(x)
        jf.clear()
    with jf.profile() as p:
        assert step(x)[0] == 10
    assert [each.operations for each in p.kernels] == [300]


def test_products_copies_and_loops() -> None:
    @jf.jit
    def grow(x: Any, n: Any) -> Any:
        product = x @ x
        return product, jf.fori_loop(
            0, n, lambda i, c: c[::-1] * 0.5 + 1, product
        )  # which is returned too: a copy

    x = np.ones((30, 30), np.float32)
    with jf.profile() as p:
        grow(x, 5)
    rows = {(each.kind, each.name): each for each in p.kernels}
    product = rows["library", "gemm f32"]
    assert (product.count, product.operations, product.nbytes) == (1, 2 * 30**3, 3 * 30 * 30 * 4)
    assert rows["copy", "copy"].count == 1
    assert sum(each.count for each in p.kernels if each.kind == "kernel") == 5


def test_positions_out_of_bounds_are_errors_as_ever() -> None:
    x = jf.asarray(np.arange(5.0))
    index = jf.asarray(np.array([1, 9]))
    with pytest.raises(IndexError, match="index 9 is out of bounds"), jf.profile() as p:
        x[index].numpy()
    assert profiler_hook.active is None and p.kernels


def test_programs(device: str) -> None:
    xs = np.ones(64, np.float32)
    with jf.backends.create(device) as backend:
        x, y = put(backend, xs), put(backend, xs)
        program = backend.compile(axpy())
        with jf.profile() as p:
            backend.execute(program, [x, y], [2.0, 64])
    (row,) = p.kernels
    assert (row.name, row.count, row.operations, row.nbytes) == ("axpy", 1, 128, 3 * 256)


def test_source_has_no_counts() -> None:
    text = "__kernel void one(__global int *x) { x[get_global_id(0)] = 1; }"
    with jf.backends.create("opencl") as backend:
        x = put(backend, np.zeros(8, np.int32))
        program = backend.compile(text, entry="one", parameters={"x": "out int32"})
        with jf.profile() as p:
            backend.execute(program, [x], (), jf.backends.LaunchConfig(8))
    (row,) = p.kernels
    assert (row.kind, row.name, row.operations, row.nbytes) == ("program", "one", None, None)
    assert row.bandwidth is None and "one" in str(p)


def test_of_all_threads() -> None:
    def work(_: int) -> None:
        for _ in range(5):
            (jf.asarray(np.ones(50, np.float32)) + 1).numpy()

    with jf.profile() as p:
        at_once(work, 4)
    assert sum(each.count for each in p.kernels) == 20
    assert len({launch.thread for launch in p.launches}) >= 1


def test_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    known = measured.Measured(10e9, {"float32": 1e9}, 1e-5, ())
    monkeypatch.setattr(measured, "known", lambda device: known)
    with jf.profile() as p:
        (jf.asarray(np.ones(100_000, np.float32)) * 2 + 1).numpy()
    (row,) = p.kernels
    assert row.peak_share == max(row.bandwidth / 10e9, row.arithmetic / 1e9)  # type: ignore[operator]
    head, rule, line, last = str(p).splitlines()
    assert head.split() == [
        "device",
        "kernel",
        "count",
        "total",
        "ms",
        "mean",
        "us",
        "share",
        "GB/s",
        "Gop/s",
        "of",
        "peak",
    ]
    assert set(rule) == {"-"} and line.split()[:3] == ["cpu", "add", "1"]
    assert f"{100 * row.peak_share:.0f} %" in line and "100.0 %" in line and last.endswith("~ is an estimate")
    unknown = KernelStatistics("f", "program", "opencl", 2, 0.0, None, None, True)
    assert (unknown.bandwidth, unknown.arithmetic, unknown.peak_share) == (None, None, None)


def test_without_a_measured_peak_the_table_says_how_to_get_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measured, "known", lambda device: None)
    with jf.profile() as p:
        (jf.asarray(np.ones(10)) + 1).numpy()
    assert "jf.backends.get(name).measure()" in p.table() and p.kernels[0].peak_share is None


def test_the_trace_has_host_and_device_rows(tmp_path: Path) -> None:
    arrays = {name: jf.asarray(np.ones(1000, np.float32), device=name) for name in NAMES}
    with jf.profile() as p:
        for array in arrays.values():
            for _ in range(2):
                (array * 3 - 1).numpy()
    p.save(tmp_path / "trace.json")
    host, *devices = read(tmp_path / "trace.json")
    assert host.name == "host"
    assert [each.name for each in devices] == [f"device {name}" for name in sorted(NAMES)]
    asked = [each for thread in host.threads.values() for each in thread.slices]
    assert sum(each.name == "launch sub" for each in asked) == 6
    wanted = {"download from opencl", "run a plan", "ask webgpu to run a plan"}
    assert wanted <= {each.name for each in asked}
    for process in devices:
        (queue,) = process.threads.values()
        launches = [each for each in queue.slices if each.name != "compile sub"]
        assert queue.name == "queue" and [each.name for each in launches] == ["sub"] * 2
        for each in launches:
            assert each.arguments == {"kind": "kernel", "operations": 2000, "bytes": 8000, "exact": True}


@pytest.mark.parametrize("name", NAMES)
def test_each_stream_has_a_row(name: str, tmp_path: Path) -> None:
    """Also those that are opened while the profile is taken. That a launch waited for a compiler is guessed
    of its time, which on a busy machine any may take."""
    with jf.backends.create(name) as backend:
        program = backend.compile(axpy())
        xs = np.ones(64, np.float32)
        x, y = put(backend, xs), put(backend, xs)
        with jf.profile() as p:
            backend.execute(program, [x, y], [1.0, 64])
            with backend.stream("left") as left, backend.stream("right") as right:
                for _ in range(2):
                    left.execute(program, [x, y], [1.0, 64])
                right.execute(program, [x, y], [1.0, 64])
            backend.execute(program, [x, y], [1.0, 64])
    assert [each.stream for each in p.launches].count("left") == 2
    assert all(0 <= each.seconds < 60 and each.begin > 0 for each in p.launches)
    p.save(tmp_path / "trace.json")
    _, device = read(tmp_path / "trace.json")
    rows = {
        thread.name: sum(each.category != "compilation" for each in thread.slices)
        for thread in device.threads.values()
    }
    assert rows == {"queue": 2, "left": 2, "right": 1}


def test_what_is_refused() -> None:
    p = jf.profile()
    assert repr(p) == str(p) == "<profile, not ended>"
    with p:
        with pytest.raises(JitframeError, match="a profile is being taken already; end it first"):
            jf.profile().__enter__()
        with pytest.raises(JitframeError, match="has not ended: ask for it after its `with` block"):
            p.table()
    assert repr(p).startswith("<profile of 0 launches")
    with pytest.raises(JitframeError, match="a profile is taken once"):
        p.__enter__()


# What drivers compile at a first launch -----------------------------------------------------------------
SOURCES = {
    "opencl": """
__kernel void fresh(__global float *x) { int i = get_global_id(0); x[i] = sin(x[i] * {number}f); }""",
    "webgpu": """
@group(0) @binding(0) var<storage, read_write> x: array<f32>;
@compute @workgroup_size(8) fn fresh(@builtin(global_invocation_id) at: vec3<u32>) {
  x[at.x] = sin(x[at.x] * {number}); }""",
}


@pytest.mark.parametrize("name", ["opencl", "webgpu", "webgpu:1"])
@pytest.mark.parametrize("kind", ["kernel", "program"])
def test_what_the_driver_compiles_is_a_line_of_its_own(name: str, kind: str, tmp_path: Path) -> None:
    """Most of a second, as drivers keep what they compiled: only a new program is compiled."""
    if name not in {each.name for each in jf.devices() if each.available}:
        pytest.skip(f"there is no {name}: Mesa's OpenGL is a second adapter where it is installed")
    number = 1 + np.random.default_rng().random()
    with jf.backends.create(name) as backend:
        if backend.device.facts.kind != "cpu":
            pytest.skip("PoCL and Mesa's driver for processors compile at a program's first launch")
        if kind == "kernel":
            build = jf.backends.KernelBuilder("fresh", workgroup=8)
            x, i = build.buffer("float32", "inout", "x"), build.position()
            x[i] = build.op("sin", x[i] * number)
            program = backend.compile(build.finish())
        else:
            text = SOURCES[name.split(":")[0]].replace("{number}", f"{number:.8f}")
            program = backend.compile(text, entry="fresh", parameters={"x": "inout float32"})
        buffer = put(backend, np.ones(64, np.float32))
        with jf.profile() as p:
            for _ in range(3):
                program(buffer, grid=8, workgroup=8)
        with jf.profile() as warm:
            program(buffer, grid=8, workgroup=8)
    (row,), (compiled,) = p.kernels, p.compilations
    assert (row.name, row.count, row.kind) == ("fresh", 3, kind)
    assert (compiled.name, compiled.count, compiled.kind) == ("fresh", 1, "compilation")
    assert row.seconds < compiled.seconds, "no launch takes as long as compiling it"
    first = p.launches[0]
    assert first.compile_seconds == compiled.seconds and first.begin - compiled.seconds > p.begin - 1e-3
    lines = str(p).splitlines()
    assert lines[2].split()[:3] == [name, "fresh", "3"] and "100.0 %" in lines[2]
    assert lines[3].split()[:4] == [name, "compile", "fresh", "1"] and "%" not in lines[3]
    assert lines[4].startswith(f"{1e3 * row.seconds:.3f} ms on devices")
    assert warm.compilations == [] and "compile" not in str(warm)
    p.save(tmp_path / "trace.json")
    (device,) = [each for each in read(tmp_path / "trace.json") if each.name == f"device {name}"]
    (queue,) = device.threads.values()
    assert [each.name for each in queue.slices] == ["compile fresh", *["fresh"] * 3]
