"""Names and values that do not fit: each error names what was meant, or the type that is wanted."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.backends import Limits
from jitframe.backends.kernels.function import three
from jitframe.errors import ArgumentError, BackendUnavailableError, DTypeError, SettingError
from jitframe.runtime.discovery import registry
from jitframe.runtime.discovery.options import Option
from jitframe.runtime.driver import DeviceFacts
from tests.backends import drivers

from .test_registration import message


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Limits(max_byte=1), "Limits has no field 'max_byte'; perhaps max_bytes; it has"),
        (lambda: Limits(1, 2, 3, 4, 5, 6, 7), "Limits has 6 fields, and 7 values are given"),
        (lambda: jf.backends.LaunchConfig(grids=1), "LaunchConfig has no field 'grids'; perhaps grid;"),
        (lambda: jf.backends.Extension("a"), "Extension: Extension needs the field 'version'"),
        (lambda: jf.backends.Extension("a", "1", operation={}), "Extension has no field 'operation'; "),
        (lambda: Option("a", int, defaults=1), "Option has no field 'defaults'; perhaps default;"),
        (lambda: registry.BackendEntry("a", 1, alias=()), "BackendEntry has no field 'alias'; perh"),
        (lambda: jf.backends.ArraySpec(shap=2), "ArraySpec has no field 'shap'; perhaps shape; it"),
        (lambda: jf.backends.PerformanceHints(aligment=2), "PerformanceHints has no field 'aligment'; perh"),
        (lambda: DeviceFacts(titel="x"), "DeviceFacts has no field 'titel'; perhaps title; it"),
        (lambda: jf.backends.fake(device=2), "a fake device has no 'device'; perhaps devices;"),
        (
            lambda: jf.backends.register("a", drivers.fine, prio=2),
            "nothing that is known of a backend is called 'prio'; perhaps priority; there are",
        ),
        (lambda: jf.backends.get("cpu").tune(aligment=2), "there is no hint 'aligment'; perhaps alignment; "),
    ],
)  # fmt: skip
def test_names_that_are_misspelled(make: Any, said: str) -> None:
    assert message(ArgumentError, make).startswith(said)


@pytest.mark.parametrize("backend", ["cpu", "opencl", "webgpu"])
def test_options_that_are_misspelled(backend: str) -> None:
    option = next(iter(jf.backends.configuration_of(backend)))
    wrong = option[:-1]
    said = f"the backend {backend} has no option {wrong!r} (keyword); perhaps {option}; there "
    assert message(SettingError, lambda: jf.backends.create(backend, **{wrong: 1})).startswith(said)
    said = f"the backend {backend} has no option {wrong!r}; perhaps {option}; there "
    assert message(SettingError, lambda: jf.backends.configuration_of(backend)[wrong]).startswith(said)
    said = message(SettingError, lambda: jf.settings.configure(devic=backend))
    assert said.startswith("no setting is called 'devic'; perhaps device; there are ")


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: jf.backends.register("a", drivers.fine, priority="high"), "the backend a: priority is a"),
        (lambda: jf.backends.register("a", drivers.fine, options=[3]), "the backend a: its options are"),
        (lambda: jf.backends.register("a", drivers.fine, kinds="gpu"), "the backend a: kinds is a tuple"),
        (
            lambda: jf.backends.register("a", drivers.fine, options=(Option("x", "int"),)),
            "the option x: kind is bool, int, float or str, not 'int'",
        ),
        (lambda: jf.backends.get("cpu", device="0"), "device is the number of a device, an int, not '0'"),
        (lambda: jf.backends.init("cpu", required_bytes="1"), "required_bytes is a number of bytes"),
    ],
)  # fmt: skip
def test_values_of_the_wrong_type(make: Any, said: str) -> None:
    assert message(DTypeError, make).startswith(said)
    assert not jf.backends.has("a")


@pytest.mark.parametrize(
    ("name", "meant"),
    [("CPU", "cpu"), (" Cpu:0 ", "cpu"), ("OpenCL", "opencl"), ("WebGPU", "webgpu"), ("WGPU:0", "webgpu")],
)
def test_names_in_any_case(name: str, meant: str) -> None:
    if not jf.backends.is_available(meant):
        pytest.skip(f"{meant} is not here")
    assert jf.backends.get(name) is jf.backends.get(meant)
    assert jf.backends.create(name).name == jf.ones(2, dtype="float32", device=name).device == meant
    assert jf.backends.is_available(name) and jf.backends.has(name.strip().partition(":")[0])
    jf.backends.set_priority([name])
    try:
        assert jf.backends.priority()[0].partition(":")[0] == meant
        assert jf.asarray([1.0], dtype="float32", device="Auto").device == meant
        assert jf.backends.init("AUTO").name == meant
    finally:
        jf.backends.set_priority(None)


def test_names_that_are_nearly_one() -> None:
    for name, near in (("cudaa", "cuda"), ("opncl", "opencl"), ("webgp", "webgpu")):
        for ask in (jf.backends.get, jf.device, jf.backends.configuration_of):
            said = message(BackendUnavailableError, partial(ask, name))  # type: ignore[operator]
            assert f"{name!r}; perhaps {near}; " in said


@pytest.mark.parametrize("grid", ["a", 1.5, True, -1, (1, 2, 3, 4), (), {"x": 1}], ids=str)
def test_grids_that_are_none(grid: Any) -> None:
    said = message(ArgumentError, lambda: three(grid, "grid"))
    assert said.startswith(f"grid has one to three whole numbers that are not negative, not {grid!r}")


@pytest.mark.parametrize("grid", [1 << 63, (1 << 40, 1 << 40), (1 << 70, 0)], ids=str)
def test_grids_that_no_device_counts(grid: Any) -> None:
    """Not the packing of a launch's 64 bits says so."""
    said = message(ArgumentError, lambda: three(grid, "grid"))
    assert said.startswith(f"grid={grid!r}: a device counts to 9,223,372,036,854,775,807")


def test_grids_of_numpys_integers() -> None:
    assert three(np.int64(4), "grid") == (4, 1, 1) == three(np.array([4, 1]), "grid")
    assert [type(each) for each in three(np.int64(4), "grid")] == [int] * 3


def test_an_argument_of_a_call_that_is_misspelled() -> None:
    build = jf.backends.KernelBuilder("halve")
    x = build.buffer("float32", "inout", "points")
    x[build.position()] = x[build.position()] / 2
    halve = jf.backends.get("cpu").compile(build.finish())
    values = np.ones(2, np.float32)
    for name, near in (("gird", "grid"), ("point", "points"), ("work_group", "workgroup")):
        said = message(ArgumentError, lambda name=name: halve(values, **{name: 1}))
        assert said.endswith(f"grid=...): {name} is no parameter of it; perhaps {near}")


@pytest.mark.parametrize("attribute", ["limit", "Limits", "max_bytes"])
def test_attributes_of_backends_that_are_misspelled(attribute: str) -> None:
    """Or a program would believe that it set limits."""
    backend = jf.backends.get("cpu")
    with pytest.raises(AttributeError, match=f"^a backend has no '{attribute}' to be set") as raised:
        setattr(backend, attribute, Limits(max_bytes=1))
    assert ("; perhaps limits" in str(raised.value)) == (attribute != "max_bytes")
    assert not hasattr(backend, attribute)


def in_kernel(write: Callable[[jf.backends.KernelBuilder, Any], Any]) -> Any:
    """A program that writes part of a kernel with a buffer x."""

    def make() -> Any:
        build = jf.backends.KernelBuilder("wrong")
        return write(build, build.buffer("int32", "inout", "x"))

    return make


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: jf.backends.set_error_handler(5), "an error handler is a function of the error, or None, n"),
        (lambda: setattr(jf.backends.get("cpu"), "limits", 5), "limits are a jf.backends.Limits, or None"),
        (lambda: jf.backends.get("cpu").resource(1, print), "a resource takes two functions, not 1 and"),
        (lambda: jf.backends.get("cpu").resource(list, 2), "a resource takes two functions, not <class"),
        (in_kernel(lambda k, x: k.atomic("add", 1, 2, 3)), "kernel wrong: 1 is no memory, as buffer, shared"),
        (in_kernel(lambda k, x: k.carry(0, 5, x[0], 7)), "kernel wrong: carry takes functions, which write "),
        (in_kernel(lambda k, x: k.branch(x[0] > 1, 5, x)), "kernel wrong: branch takes functions, which wri"),
        (in_kernel(lambda k, x: k.repeat_while((), bool, 1)), "kernel wrong: repeat_while takes functions, "),
        (in_kernel(lambda k, x: k.repeat_while(5, bool, bool)), "kernel wrong: repeat_while hands on a tupl"),
    ],
)  # fmt: skip
def test_values_that_are_no_functions_limits_or_memory(make: Any, said: str) -> None:
    before = jf.backends.set_error_handler(None)
    try:
        assert message(DTypeError, make).startswith(said)
    finally:
        assert jf.backends.set_error_handler(before) is None


def test_what_a_builder_is_not_given() -> None:
    assert message(ArgumentError, lambda: jf.backends.KernelBuilder(5)).startswith("5 is no name for a ker")
    for axis in ("x", 1.0, 3):
        said = message(ArgumentError, in_kernel(lambda k, x, axis=axis: k.lane(axis)))
        assert said.startswith(f"kernel wrong has 1 axes, no axis {axis!r}: ")
