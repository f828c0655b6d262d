"""Extensions: operations, device functions and capabilities that others add to backends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.backends import Extension
from jitframe.errors import ArgumentError, BackendError

CUBE = {
    "OpenCL C": "float cube(float v) { return v * square(v); }",
    "WGSL": "fn cube(v: f32) -> f32 { return v * square(v); }",
}
SQUARE = {
    "OpenCL C": "float square(float v) { return v * v; }",
    "WGSL": "fn square(v: f32) -> f32 { return v * v; }",
}
PROGRAMS = {
    "opencl": "__kernel void cubes(__global float *x) { x[get_global_id(0)] = cube(x[get_global_id(0)]); }",
    "webgpu": """
@group(0) @binding(0) var<storage, read_write> x: array<f32>;
@compute @workgroup_size(4)
fn cubes(@builtin(global_invocation_id) at: vec3<u32>) { x[at.x] = cube(x[at.x]); }
""",
}


@pytest.fixture(autouse=True)
def nothing_stays() -> Iterator[None]:
    yield
    for name in tuple(jf.backends.extensions()):
        jf.backends.remove_extension(name)


def message(kind: type[Exception], extension: Extension) -> str:
    with pytest.raises(kind) as caught:
        jf.backends.extend(extension)
    return str(caught.value.message)  # type: ignore[attr-defined]


def beads(**more: Any) -> Extension:
    return Extension("beads", "1.2", operations={"hypotenuse": lambda x, y: jf.sqrt(x * x + y * y)}, **more)


def test_what_is_added_is_there_until_it_is_taken_back() -> None:
    backend = jf.backends.get("cpu")
    jf.backends.extend(beads(capabilities={"rods": 3}))
    assert backend.extensions["beads"].version == "1.2"
    assert backend.capabilities.extra("rods", int) == 3
    assert list(jf.backends.extensions()) == ["beads"]
    x = np.array([3.0, 5.0], np.float32)
    assert backend.ops.hypotenuse(x, np.float32(4)).tolist() == pytest.approx([5, 41**0.5])
    assert "hypotenuse" in dir(backend.ops)
    jf.backends.remove_extension("beads")
    assert not backend.extensions
    assert not hasattr(backend.ops, "hypotenuse")
    assert "rods" not in dict(backend.capabilities.extras)
    with pytest.raises(BackendError) as caught:
        jf.backends.remove_extension("beads")
    assert caught.value.message == "there is no extension 'beads'; there are none so far"


def test_it_is_for_some_backends_and_devices() -> None:
    jf.backends.extend(Extension("gpus", "1", backends=("cuda", "opencl")))
    jf.backends.extend(Extension("wide", "1", fits=lambda facts: "f64" in facts.dtypes))
    assert list(jf.backends.get("cpu").extensions) == ["wide"]
    if jf.backends.is_available("opencl"):
        assert list(jf.backends.get("opencl").extensions) == ["gpus", "wide"]
    if jf.backends.is_available("webgpu"):
        assert list(jf.backends.get("webgpu").extensions) == []


@pytest.mark.parametrize("device", ["opencl", "webgpu"])
def test_device_functions_go_with_the_programs_that_name_them(device: str) -> None:
    if not jf.backends.is_available(device):
        pytest.skip(f"{device} is not here")
    jf.backends.extend(Extension("powers", "1", device_functions={"cube": CUBE, "square": SQUARE}))
    with jf.backends.create(device) as backend:
        program = backend.compile(PROGRAMS[device], entry="cubes", parameters={"x": "inout float32"})
        assert program.source.index("square(") < program.source.index("cube(") < program.source.index("cubes")
        x = np.arange(4, dtype=np.float32)
        with backend.buffer(16) as buffer:
            backend.copy(x, buffer, 16)
            backend.execute(program, [buffer], (), jf.backends.LaunchConfig(grid=1, workgroup=4))
            backend.copy(buffer, x, 16)
    assert x.tolist() == [0, 1, 8, 27]


def test_what_cannot_be_added() -> None:
    jf.backends.extend(beads(device_functions={"cube": CUBE}))
    assert message(BackendError, beads()) == "there is an extension 'beads' already; there are beads"
    assert message(BackendError, Extension("more", "1", operations={"hypotenuse": max})) == (
        "the extension more adds the operation 'hypotenuse', which beads has; there are beads"
    )
    assert message(BackendError, Extension("more", "1", operations={"sin": max})) == (
        "the extension more adds the operation 'sin', which jitframe has; there are beads"
    )
    assert message(BackendError, Extension("more", "1", device_functions={"cube": CUBE})) == (
        "the extension more adds the device function 'cube', which beads has; there are beads"
    )
    assert message(BackendError, Extension("more", "1", jitframe=">=9")) == (
        f"the extension 'more' cannot run here: it fits jitframe >=9, and this is {jf.__version__}; there "
        "are beads"
    )
    assert "needs the Python package rods" in message(
        BackendError, Extension("more", "1", required=("package:rods",))
    )
    assert message(ArgumentError, Extension("more", "1", operations={"a b": max})) == (
        "the extension more adds 'a b', which is no name of a function"
    )
    assert message(ArgumentError, Extension("More!", "1")).startswith("'More!' cannot be a backend's name; ")
