"""Extensions: operations, device functions and capabilities that others add to backends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.backends import Extension, operations
from jitframe.errors import ArgumentError, BackendError, DTypeError

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


@pytest.mark.parametrize("name", ["cpu", "opencl", "webgpu"])
def test_questions_about_operations_see_extensions(name: str) -> None:
    if not jf.backends.is_available(name):
        pytest.skip(f"{name} is not here")
    backend = jf.backends.get(name)
    assert not backend.supports("hypotenuse")
    rows = {"rows": lambda array: (array(4, 2), [0, 1])}
    operations = {
        "hypotenuse": lambda x, y: jf.sqrt(x * x + y * y),
        "rows": lambda x, numbers: x[numbers[0] : numbers[1]] + 1,
        "half": lambda x: jf.bitwise_and(x, 1),
        "broken": lambda x: {}["beads"],
    }
    jf.backends.extend(Extension("beads", "1", operations=operations, samples=rows))
    assert backend.supports("hypotenuse") and backend.supports("hypotenuse", "float32")
    assert backend.supports("rows", "float32") and not backend.supports("broken")
    assert backend.supports("half", "int32") and not backend.supports("half", "float32")
    assert not backend.supports("beads"), "not all of its operations work"
    found = backend.operation_capabilities("hypotenuse")
    assert found.how["float32"] == "composed" and "float32" in found.dtypes
    assert set(found.how) | set(found.refusals) == set(backend.operation_capabilities("add").refusals) | set(
        backend.operation_capabilities("add").how
    )
    refused = backend.operation_capabilities("broken").refusals["float32"]
    assert refused == "broken raised KeyError: 'beads'"
    jf.backends.remove_extension("beads")
    assert not backend.supports("hypotenuse", "float32")
    with pytest.raises(ArgumentError, match="there is no operation 'hypotenuse'"):
        backend.operation_capabilities("hypotenuse")
    jf.backends.extend(Extension("beads", "2", operations={"half": lambda x: x / 2}))
    assert backend.supports("half", "float32"), "an answer is of the function that was asked"


def test_extensions_are_among_the_available_operations(monkeypatch: pytest.MonkeyPatch) -> None:
    backend = jf.backends.get("cpu")
    monkeypatch.setattr(operations, "_names", lambda: ["add"])  # all of them take some seconds
    jf.backends.extend(beads())
    assert backend.available_operations() == ("add", "hypotenuse")


@pytest.mark.parametrize("name", ["cpu", "opencl", "webgpu"])
def test_hooks(name: str) -> None:
    if not jf.backends.is_available(name):
        pytest.skip(f"{name} is not here")
    told: list[str] = []

    def hooks(extension: str) -> dict[str, Any]:
        def initialize(backend: jf.backends.Backend) -> None:
            told.append(f"{extension} on")
            backend.alloc(10).free()

        def shutdown(backend: jf.backends.Backend) -> None:
            told.append(f"{extension} off")
            backend.alloc(10).free()  # it can be used

        return {"initialize": initialize, "shutdown": shutdown}

    jf.backends.extend(beads(**hooks("beads")))
    jf.backends.extend(Extension("rods", "1", **hooks("rods")))
    backend, x = jf.backends.create(name), np.ones(3, np.float32)
    backend.initialize()
    assert told == []
    backend.ops.hypotenuse(x, x)
    backend.ops.hypotenuse(x, x)
    assert told == ["beads on"]
    assert backend.initialize_extensions() == ("beads", "rods")
    assert told == ["beads on", "rods on"]
    backend.shutdown_extensions()
    assert told[2:] == ["rods off", "beads off"]
    backend.shutdown_extensions()
    backend.initialize_extensions()
    backend.shutdown()
    assert told[4:] == ["beads on", "rods on", "rods off", "beads off"]
    backend.initialize()
    assert backend.supports("hypotenuse", "float32")
    jf.backends.remove_extension("beads")
    assert told[8:] == ["beads on", "beads off"]
    backend.shutdown()
    assert len(told) == 10


def test_hooks_that_fail() -> None:
    def fail(backend: object) -> None:
        raise ZeroDivisionError("the beads are loose")

    def extension(name: str, **hooks: Any) -> Extension:
        return Extension(name, "1", operations={f"{name}_half": lambda x: x / 2}, **hooks)

    for name, hooks in (("first", {"initialize": fail}), ("second", {}), ("third", {"initialize": fail})):
        jf.backends.extend(extension(name, **hooks))
    backend = jf.backends.create("cpu")
    with pytest.raises(BackendError) as caught:
        backend.initialize_extensions()
    error = caught.value
    assert list(error.context["failed"]) == ["first", "third"] and error.suggestions
    assert error.message.startswith(
        "2 of 3 extensions could not be initialized: first: the extension first could not be initialized on "
        "cpu: ZeroDivisionError: the beads are loose"
    )
    assert isinstance(error.context["failed"]["first"].__cause__, ZeroDivisionError)
    with pytest.raises(BackendError, match="first could not be initialized on cpu"):
        backend.ops.first_half(1.0)
    assert backend.ops.second_half(1.0) == 0.5
    assert not backend.supports("first_half")
    jf.backends.extend(extension("fourth", shutdown=fail))
    jf.backends.extend(extension("fifth", shutdown=fail))
    for name in ("first", "third"):
        jf.backends.remove_extension(name)
    backend.initialize_extensions()
    with pytest.raises(BackendError) as caught:
        backend.shutdown_extensions()
    assert list(caught.value.context["failed"]) == ["fifth", "fourth"]
    backend.initialize_extensions()
    with pytest.raises(BackendError, match="fourth could not be shut down on cpu") as caught:
        jf.backends.remove_extension("fourth")
    assert "fourth" not in jf.backends.extensions()
    with pytest.raises(BackendError, match="1 cleanups failed: BackendError: the extension fifth could not"):
        backend.shutdown()
    assert not backend.is_initialized


def test_flags_are_added_by_extensions() -> None:
    backend = jf.backends.get("cpu")
    assert not backend.capabilities.has("beads")
    jf.backends.extend(beads(capabilities={"beads": True, "rods": 0}))
    found = backend.capabilities
    assert found.has("beads") and not found.has("rods") and found.has("sub_buffers")
    assert found.extra("beads", bool) is True
    assert "capability 'fma', which jitframe has" in message(
        BackendError, Extension("more", "1", capabilities={"fma": True})
    )
    assert "capability 'rods', which beads has" in message(
        BackendError, Extension("more", "1", capabilities={"rods": 1})
    )


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"version": 1}, 'the extension\'s version is text, such as "1.2", not 1'),
        ({"backends": "cpu"}, "the extension's backends is a tuple of names, such as (\"cuda\",), not 'cpu'"),
        ({"operations": [max]}, "the extension's operations is a dict of functions by name, not ["),
        ({"operations": {"f": 1}}, "f of the extension more is a function, not 1"),
        ({"initialize": 3}, "initialize of the extension more is a function, not 3"),
        (
            {"device_functions": {"f": "text"}},
            "the device function f of the extension more is a dict of source",
        ),
    ],
)
def test_fields_of_the_wrong_type(fields: dict[str, Any], said: str) -> None:
    assert message(DTypeError, Extension(**{"name": "more", "version": "1", **fields})).startswith(said)
    with pytest.raises(DTypeError, match="extend takes an Extension, not a str: 'more'"):
        jf.backends.extend("more")  # type: ignore[arg-type]


def test_what_cannot_be_added() -> None:
    jf.backends.extend(beads(device_functions={"cube": CUBE}))
    assert message(BackendError, beads()).startswith(
        "there is an extension 'beads' already; there are beads;"
    )
    assert message(BackendError, Extension("more", "1", operations={"hypotenuse": max})) == (
        "the extension more adds the operation 'hypotenuse', which beads has; there are beads; give it "
        "another name"
    )
    assert message(BackendError, Extension("more", "1", operations={"sin": max})) == (
        "the extension more adds the operation 'sin', which jitframe has; there are beads; give it "
        "another name"
    )
    assert message(BackendError, Extension("more", "1", device_functions={"cube": CUBE})) == (
        "the extension more adds the device function 'cube', which beads has; there are beads; give it "
        "another name"
    )
    assert message(BackendError, Extension("more", "1", jitframe=">=9")) == (
        f"the extension 'more' cannot run here: it fits jitframe >=9, and this is {jf.__version__}; there "
        "are beads; run it where that is there"
    )
    assert "needs the Python package rods" in message(
        BackendError, Extension("more", "1", required=("package:rods",))
    )
    assert message(ArgumentError, Extension("more", "1", operations={"a b": max})) == (
        "the extension more adds 'a b', which is no name of a function"
    )
    assert message(ArgumentError, Extension("More!", "1")).startswith("'More!' cannot be a backend's name; ")
