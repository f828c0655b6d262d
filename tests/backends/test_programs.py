"""Programs from kernel IR, source and binaries, on cpu, opencl and webgpu; what does not fit is refused."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.backends.kernels.function import KernelFunction
from jitframe.errors import (
    AliasError,
    ArgumentError,
    BackendError,
    CompileError,
    DTypeError,
    JitframeError,
    NumberError,
    UnsupportedDTypeError,
)

from .written import NAMES, axpy, get, group_sums, put, transpose

LaunchConfig = jf.backends.LaunchConfig
PARAMETERS = {"x": "in float32", "y": "out float32", "factor": "float32", "n": "int32"}
SOURCES = {
    "opencl": """
__kernel void scale(__global const float *x, __global float *y, float factor, int n) {
  int i = get_global_id(0) + get_global_size(0) * get_global_id(1);
  if (i < n) y[i] = factor * x[i];
}""",
    "webgpu": """
struct Uniforms { factor: f32, n: i32 }
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<uniform> u: Uniforms;
@compute @workgroup_size(8) fn scale(
    @builtin(global_invocation_id) at: vec3<u32>, @builtin(num_workgroups) grid: vec3<u32>) {
  let i = i32(at.x + grid.x * 8u * at.y);
  if (i < u.n) { y[i] = u.factor * x[i]; }
}""",
    "cpu": """
define void @scale(ptr %slots, i64 %begin, i64 %end) {
enter:
  %x = load ptr, ptr %slots
  %at.y = getelementptr i64, ptr %slots, i64 1
  %y = load ptr, ptr %at.y
  %at.factor = getelementptr i64, ptr %slots, i64 2
  %factor = load float, ptr %at.factor
  %at.n = getelementptr i64, ptr %slots, i64 3
  %n32 = load i32, ptr %at.n
  %n = sext i32 %n32 to i64
  %at.lanes = getelementptr i64, ptr %slots, i64 7
  %lanes = load i64, ptr %at.lanes
  %first = mul i64 %begin, %lanes
  %wanted = mul i64 %end, %lanes
  %fewer = icmp slt i64 %wanted, %n
  %last = select i1 %fewer, i64 %wanted, i64 %n
  %any = icmp slt i64 %first, %last
  br i1 %any, label %loop, label %done
loop:
  %i = phi i64 [%first, %enter], [%next, %loop]
  %px = getelementptr float, ptr %x, i64 %i
  %value = load float, ptr %px
  %scaled = fmul float %factor, %value
  %py = getelementptr float, ptr %y, i64 %i
  store float %scaled, ptr %py
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %last
  br i1 %more, label %loop, label %done
done:
  ret void
}""",
}


@pytest.fixture(params=NAMES)
def backend(request: pytest.FixtureRequest) -> Iterator[Any]:
    with jf.backends.create(request.param) as made:
        yield made


@pytest.fixture
def cpu() -> Iterator[Any]:
    with jf.backends.create("cpu") as made:
        yield made


# Kernels ------------------------------------------------------------------------------------------------
def test_one_kernel_runs_on_every_backend(backend: Any) -> None:
    xs, ys = np.arange(1000, dtype=np.float32), np.ones(1000, np.float32)
    x, y = put(backend, xs), put(backend, ys)
    backend.execute(backend.compile(axpy()), [x, y], [0.5, 1000], LaunchConfig(16))
    np.testing.assert_array_equal(get(backend, y, ys), np.float32(0.5) * xs + ys)


def test_barriers_and_shared_memory(backend: Any) -> None:
    xs = np.arange(100, dtype=np.int32)
    x, sums = put(backend, xs), put(backend, np.zeros(4, np.int32))
    backend.compile(group_sums()).execute([x, sums], {"n": 100}, LaunchConfig(4))
    wanted = [xs[k : k + 32].sum() for k in range(0, 100, 32)]
    np.testing.assert_array_equal(get(backend, sums, np.zeros(4, np.int32)), wanted)


def test_a_grid_of_two_axes(backend: Any) -> None:
    matrix = np.random.default_rng(1).normal(size=(30, 21)).astype(np.float32)
    x, y = put(backend, matrix), put(backend, matrix)
    backend.execute(backend.compile(transpose()), [x, y], [30, 21], LaunchConfig((3, 8)))
    np.testing.assert_array_equal(get(backend, y, matrix).reshape(21, 30), matrix.T)


def test_a_grid_of_three_axes_with_carried_values(backend: Any) -> None:
    build = jf.backends.KernelBuilder("corners", workgroup=(2, 2, 2))
    out = build.buffer("int32", "out", "out")
    x, y, z = (build.position(axis) for axis in range(3))
    total = build.carry(0, 4, build.constant(0, "int32"), lambda i, value: value + i.cast("int32"))
    out[(z * 4 + y) * 6 + x] = (x + y * 10 + z * 100).cast("int32") + total
    found = put(backend, np.zeros(96, np.int32))
    backend.execute(backend.compile(build.finish()), [found], (), LaunchConfig((3, 2, 2)))
    z, y, x = np.indices((4, 4, 6))
    wanted = (x + y * 10 + z * 100 + 6).astype(np.int32)
    np.testing.assert_array_equal(get(backend, found, wanted), wanted)


def test_atomics_and_while(backend: Any) -> None:
    """The steps that Collatz's rule takes from each number, counted into one place."""
    build = jf.backends.KernelBuilder("collatz", workgroup=16)
    total = build.buffer("int32", "inout", "total")
    start = (build.position() + 1).cast("int32")
    _, steps = build.repeat_while(
        [start, build.constant(0, "int32")],
        lambda n, steps: n > 1,
        lambda n, steps: (build.select((n & 1) == 1, 3 * n + 1, n >> 1), steps + 1),
    )
    build.atomic("add", total, 0, steps)
    found = put(backend, np.zeros(1, np.int32))
    backend.execute(backend.compile(build.finish()), [found], (), LaunchConfig(2))

    def collatz(n: int) -> int:
        return 0 if n == 1 else 1 + collatz(3 * n + 1 if n % 2 else n // 2)

    assert get(backend, found, np.zeros(1, np.int32))[0] == sum(map(collatz, range(1, 33)))


def test_raw_bytes_for_uniforms(backend: Any) -> None:
    xs = np.ones(8, np.float32)
    x, y = put(backend, xs), put(backend, xs)
    program, total = backend.compile(axpy()), 1.0
    fields = [("a", np.float32), ("n", np.int64)]

    class Struct(ctypes.Structure):
        _fields_ = (("a", ctypes.c_float), ("n", ctypes.c_int64))

    packed = np.float32(3).tobytes() + (8).to_bytes(8, "little")
    for uniforms in (
        packed,
        memoryview(packed[:4] + bytes(4) + packed[4:]),
        Struct(3.0, 8),
        np.array((3.0, 8), fields),
        np.array([(3.0, 8)], np.dtype(fields, align=True))[0],
        np.array((8, 3.0), fields[::-1]),  # by name
        [np.float32(3).tobytes(), 8],
    ):
        backend.execute(program, [x, y], uniforms)
        total += 3
        np.testing.assert_array_equal(get(backend, y, xs), np.full(8, total, np.float32))
    with pytest.raises(
        ArgumentError, match=r"axpy .a: float32, n: index. take 12, or 16 as a C struct bytes, not 13"
    ):
        backend.execute(program, [x, y], bytes(13))
    with pytest.raises(ArgumentError, match="uniform a: float32 takes 4 bytes, and is given 3"):
        backend.execute(program, [x, y], [b"123", 8])
    with pytest.raises(ArgumentError, match="the uniforms of one launch, not 2 structs"):
        backend.execute(program, [x, y], np.zeros(2, fields))


def test_programs_are_called(backend: Any) -> None:
    xs = np.arange(100, dtype=np.float32)
    x, y = put(backend, xs), put(backend, xs)
    program = backend.compile(axpy())
    program(2.0, 100, x, y, grid=2)
    program(np.float32(2), x=x, y=y, n=np.int64(100), grid=(2,))
    np.testing.assert_array_equal(get(backend, y, xs), 5 * xs)
    scale = backend.compile(SOURCES[backend.name], entry="scale", parameters=PARAMETERS)
    scale(x, y, 0.5, 90, grid=(5, 3), workgroup=8)
    raw = np.float32(1).tobytes() + np.int32(10).tobytes()
    scale(x, y, raw, grid=2, workgroup=8)
    wanted = np.where(np.arange(100) < 10, xs, np.where(np.arange(100) < 90, xs / 2, 5 * xs))
    np.testing.assert_array_equal(get(backend, y, xs), wanted)
    takes = re.escape("axpy(a: float32, n: index, x: in float32, y: inout float32, grid=...)")
    for call, problem in (
        (lambda: program(2.0, 100, x), ": y is missing"),
        (lambda: program(), ": a, n, x, y are missing"),
        (lambda: program(2.0, 100, x, y, 5), " is called with 5 arguments"),
        (lambda: program(2.0, 100, x, x=y, y=y), ": x is given twice"),
        (lambda: program(2.0, 100, x, y, block=3), ": block is no parameter of it"),
    ):
        with pytest.raises(ArgumentError, match=takes + problem):
            call()


def test_an_empty_grid_launches_nothing(backend: Any) -> None:
    xs = np.ones(8, np.float32)
    x, y = put(backend, xs), put(backend, xs)
    backend.execute(backend.compile(axpy()), [x, y], [1.0, 8], LaunchConfig(0))
    np.testing.assert_array_equal(get(backend, y, xs), xs)


def test_a_tensor_is_read_and_an_offset_kept(backend: Any) -> None:
    xs = np.arange(64, dtype=np.float32)
    x = jf.asarray(xs, device=backend.name) * 2
    if backend.name != "cpu":  # a created backend has memory of its own
        backend = jf.backends.get(backend.name)
    y = put(backend, np.zeros(128, np.float32))
    backend.execute(backend.compile(axpy()), [x, y[256:]], [1.0, 64], LaunchConfig(1))
    wanted = np.concatenate([np.zeros(64), 2 * xs]).astype(np.float32)
    np.testing.assert_array_equal(get(backend, y, wanted), wanted)


# Source and binaries ------------------------------------------------------------------------------------
def test_source_in_the_devices_language(backend: Any) -> None:
    xs = np.arange(100, dtype=np.float32)
    x, y = put(backend, xs), put(backend, 0 * xs)
    program = backend.compile(SOURCES[backend.name], entry="scale", parameters=PARAMETERS)
    backend.execute(program, [x, y], [1.5, 90], LaunchConfig((5, 3), workgroup=8))
    np.testing.assert_array_equal(get(backend, y, xs), np.where(np.arange(100) < 90, 1.5 * xs, 0))
    assert program.source == SOURCES[backend.name] and program.kind == "source"


def test_a_binary_gives_the_same(backend: Any) -> None:
    xs = np.arange(100, dtype=np.float32)
    x, y = put(backend, xs), put(backend, 0 * xs)
    program = backend.compile(SOURCES[backend.name], entry="scale", parameters=PARAMETERS)
    if backend.name == "webgpu":
        with pytest.raises(BackendError, match="no binaries"):
            program.binary()
        with pytest.raises(BackendError, match="takes WGSL and no binaries"):
            backend.compile(b"spirv", entry="scale", parameters=PARAMETERS)
        return
    again = backend.compile(program.binary(), entry="scale", parameters=PARAMETERS)
    backend.execute(again, [x, y], {"n": 100, "factor": 2}, LaunchConfig(13, workgroup=8))
    np.testing.assert_array_equal(get(backend, y, xs), 2 * xs)
    with pytest.raises(CompileError, match="rejected scale: a binary of 7 bytes"):
        backend.compile(b"garbage", entry="scale", parameters=PARAMETERS)
    with pytest.raises(BackendError, match="made from a binary"):
        assert again.source


def test_the_compilers_log_is_shown(backend: Any) -> None:
    broken = SOURCES[backend.name].replace("factor", "facto", 1)
    with pytest.raises(CompileError, match="scale") as caught:
        backend.compile(broken, entry="scale", parameters=PARAMETERS)
    assert "    2 " in str(caught.value) and "facto" in str(caught.value)
    assert caught.value.device == backend.name and caught.value.context["entry"] == "scale"
    assert caught.value.__cause__ is not None
    with pytest.raises(CompileError, match="nothing"):
        backend.compile(SOURCES[backend.name], entry="nothing", parameters=PARAMETERS)


def test_shared_memory_of_a_size_known_at_the_launch() -> None:
    text = """
__kernel void turn(__global const int *x, __global int *y, __local int *shared) {
  int lane = get_local_id(0), lanes = get_local_size(0), first = get_group_id(0) * lanes;
  shared[lane] = x[first + lane];
  barrier(CLK_LOCAL_MEM_FENCE);
  y[first + lane] = shared[lanes - 1 - lane];
}"""
    xs = np.arange(64, dtype=np.int32)
    with jf.backends.create("opencl") as backend:
        x, y = put(backend, xs), put(backend, xs)
        program = backend.compile(text, entry="turn", parameters=["x: in int32", "y: out int32"])
        backend.execute(program, [x, y], (), LaunchConfig(4, workgroup=16, shared_bytes=64))
        np.testing.assert_array_equal(get(backend, y, xs), xs.reshape(4, 16)[:, ::-1].ravel())
        with pytest.raises(BackendError, match="takes 3 arguments and gets 2"):
            backend.execute(program, [x, y], (), LaunchConfig(4, workgroup=16))
        most = backend.device.facts.shared_bytes
        with pytest.raises(BackendError, match="bytes of shared memory, where opencl"):
            backend.execute(program, [x, y], (), LaunchConfig(4, workgroup=16, shared_bytes=most + 1))
    for name in ("cpu", "webgpu"):
        with jf.backends.create(name) as backend:
            program = backend.compile(SOURCES[name], entry="scale", parameters=PARAMETERS)
            x = put(backend, xs)
            with pytest.raises(BackendError, match="shared memory"):
                backend.execute(program, [x, x], [1, 2], LaunchConfig(1, workgroup=8, shared_bytes=64))


def test_raw_bytes_for_a_program_that_declares_buffers_alone() -> None:
    text = """
typedef struct { float factor; int n; } block_t;
__kernel void scale(__global const float *x, __global float *y, block_t block) {
  int i = get_global_id(0);
  if (i < block.n) y[i] = block.factor * x[i];
}"""
    xs = np.arange(16, dtype=np.float32)
    raw = np.float32(3).tobytes() + np.int32(16).tobytes()
    cases = {"opencl": text, "webgpu": SOURCES["webgpu"]}
    for name, source in cases.items():
        with jf.backends.create(name) as backend:
            x, y = put(backend, xs), put(backend, xs)
            program = backend.compile(source, entry="scale", parameters=["x: in float32", "y: out float32"])
            backend.execute(program, [x, y], raw, LaunchConfig(2, workgroup=8))
            np.testing.assert_array_equal(get(backend, y, xs), 3 * xs)
            declared = backend.compile(SOURCES[name], entry="scale", parameters=PARAMETERS)
            backend.execute(declared, [x, y], raw, LaunchConfig(2, workgroup=8))
            np.testing.assert_array_equal(get(backend, y, xs), 3 * xs)
            with pytest.raises(ArgumentError, match="factor: float32, n: int32. take 8 bytes, not 12"):
                backend.execute(declared, [x, y], raw + bytes(4), LaunchConfig(2, workgroup=8))


# What does not fit --------------------------------------------------------------------------------------
def test_limits_are_checked_before_the_launch(backend: Any) -> None:
    program = backend.compile(SOURCES[backend.name], entry="scale", parameters=PARAMETERS)
    x = put(backend, np.zeros(8, np.float32))
    most = backend.device.facts.most_threads
    with pytest.raises(BackendError, match=f"runs {most} at most") as caught:
        backend.execute(program, [x, x], [1, 2], LaunchConfig(1, workgroup=most + 1))
    assert caught.value.context["most_threads"] == most
    with pytest.raises(BackendError, match=r"2,147,483,649 workgroups along y, where"):
        backend.execute(program, [x, x], [1, 2], LaunchConfig((1, (1 << 31) + 1), workgroup=8))
    with pytest.raises(BackendError, match=f"takes {2 * most:,} lanes .* has {most:,} at most"):
        backend.compile(jf.backends.KernelBuilder("wide", workgroup=most * 2).finish())


@pytest.mark.parametrize("space", ["shared", "private"])
def test_kernels_with_too_large_arrays_are_refused(backend: Any, space: str) -> None:
    """Compilers and drivers do not say so: some end the process."""
    most = getattr(backend.device.facts, f"{space}_bytes")

    def kernel(nbytes: int) -> KernelFunction:
        build = jf.backends.KernelBuilder("large", workgroup=1)
        x = build.buffer("int32", "inout", "x")
        array = getattr(build, space)("int32", nbytes // 4)
        array[0] = x[0]
        x[0] = array[0] + array[0]
        return build.finish()

    what = {"shared": "bytes of shared memory", "private": "bytes of private arrays"}[space]
    with pytest.raises(BackendError, match=f"takes {4 * most:,} {what}, and .* has {most:,}") as caught:
        backend.compile(kernel(4 * most))
    assert caught.value.suggestions[-1] == "choose another device"
    with pytest.raises(BackendError, match=what):
        jf.custom_kernel(kernel(4 * most))(jf.asarray(np.ones(1, np.int32), device=backend.device.name))
    x = put(backend, np.full(1, 3, np.int32))
    backend.execute(backend.compile(kernel(most)), [x], [], LaunchConfig(1))
    assert get(backend, x, np.zeros(1, np.int32)).tolist() == [6]


@pytest.mark.parametrize(
    ("buffers", "uniforms", "config", "kind", "message"),
    [
        (1, [1.0, 8], LaunchConfig(1), ArgumentError, "2 buffers .x: in float32, y: inout float32., not 1"),
        (2, [1.0], LaunchConfig(1), ArgumentError, "takes 2 uniforms .a: float32, n: index., not 1"),
        (2, [1.0, 2.5], LaunchConfig(1), DTypeError, "uniform n: index is given 2.5"),
        (2, ["1", 2], LaunchConfig(1), DTypeError, "uniform a: float32 is given '1'"),
        (2, {"a": 1, "m": 2}, LaunchConfig(1), ArgumentError, r"takes the uniforms \['a', 'n'\]"),
        (2, [1.0, 8], LaunchConfig((1, 2)), ArgumentError, "has a grid of 1 axes, not .1, 2, 1."),
        (2, [1.0, 8], LaunchConfig(-1), ArgumentError, "grid has one to three whole numbers"),
        (2, [1.0, 8], LaunchConfig((1, 1, 1, 1)), ArgumentError, "grid has one to three whole numbers"),
        (2, [1.0, 8], LaunchConfig(1, workgroup=32), ArgumentError, "written for workgroups of .64, 1, 1."),
        (2, [1.0, 8], LaunchConfig(1, shared_bytes=8), ArgumentError, "says itself how much shared memory"),
    ],
)  # fmt: skip
def test_a_launch_that_does_not_fit(
    cpu: Any, buffers: int, uniforms: Any, config: Any, kind: type[JitframeError], message: str
) -> None:
    views = [np.zeros(8, np.float32) for _ in range(buffers)]
    with pytest.raises(kind, match=message):
        cpu.execute(cpu.compile(axpy()), views, uniforms, config)


def test_buffers_that_do_not_fit(cpu: Any) -> None:
    program, good = cpu.compile(axpy()), np.zeros(8, np.float32)
    frozen = good.copy()
    frozen.flags.writeable = False
    for given, message in (
        (np.zeros(8), "buffer y: inout float32 is given an ndarray of float64"),
        (np.zeros(16, np.float32)[::2], "give an ndarray in C order"),
        (frozen, "is written, and the ndarray is read-only"),
        (put(cpu, good)[2:], "begins at byte 2: multiples of 4 fit"),
        (5, "is given a int; it takes a buffer of the backend"),
    ):
        with pytest.raises(JitframeError, match=message):
            program.execute([good, given], [1.0, 8])
    gone = put(cpu, good)
    gone.free()
    with pytest.raises(BackendError, match="is used that was freed"):
        program.execute([good, gone], [1.0, 8])
    with pytest.raises(AliasError, match="buffers x and y of axpy are given arrays that overlap, and one of"):
        program.execute([good[:6], good[2:]], [1.0, 6])
    with jf.backends.create("opencl") as other, pytest.raises(ArgumentError, match="was compiled for cpu"):
        other.execute(program, [good, good], [1.0, 8])
    with (
        jf.backends.create("opencl") as other,
        pytest.raises(BackendError, match="a buffer of opencl is given to cpu"),
    ):
        program.execute([good, put(other, good)], [1.0, 8])


def test_what_cannot_be_compiled(cpu: Any) -> None:
    text = SOURCES["cpu"]
    for arguments, message in (
        ({"program": 5}, "compile takes a kernel, source text or a binary, not a int"),
        ({"program": text}, "need the name of their entry point and their parameters"),
        ({"program": axpy(), "entry": "axpy"}, "a kernel has its own"),
        ({"program": text, "entry": "scale", "parameters": ["x: inside float32"]}, "neither a dtype"),
        ({"program": text, "entry": "scale", "parameters": ["x: in floaty"]}, "'floaty' is no dtype"),
        ({"program": text, "entry": "scale", "parameters": ["n: index"]}, "int32 or int64 for sizes"),
        ({"program": text, "entry": "scale", "parameters": ["n: bool"]}, "uniform 'n' is a bool"),
    ):
        with pytest.raises(JitframeError, match=message):
            cpu.compile(**arguments)
    with jf.backends.create("webgpu") as backend:
        build = jf.backends.KernelBuilder("wide")
        build.buffer("float64", "out", "x")[0] = 1.0
        with pytest.raises(UnsupportedDTypeError, match="no float64"):
            backend.compile(build.finish())


def test_a_uniform_that_its_dtype_does_not_hold(cpu: Any) -> None:
    program = cpu.compile(SOURCES["cpu"], entry="scale", parameters=PARAMETERS)
    x = np.zeros(8, np.float32)
    with pytest.raises(NumberError, match="2147483648 out of bounds for int32"):
        program.execute([x, x], [1.0, 1 << 31])
    cpu.shutdown()
    with pytest.raises(BackendError, match="was shut down"):
        program.execute([x, x], [1.0, 8])
