"""What backends say that they compute is what they compute."""

from __future__ import annotations

import pickle
import warnings
import zlib
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.api.frame import entered
from jitframe.api.namespace import FUNCTIONS
from jitframe.api.registry import DECLARED
from jitframe.backends import operations
from jitframe.backends.operations import arguments
from jitframe.errors import ArgumentError, BackendError, DTypeError, JitframeError
from jitframe.ir.record import replace
from jitframe.ir.types import DTYPES
from jitframe.settings import configure, restore
from jitframe.tensors.tensor import Tensor, tensor_frame

NAMES = ("cpu", "opencl", "webgpu")
OPS = operations._names()


def opened(name: str) -> jf.backends.Backend:
    try:
        return jf.backends.get(name)
    except BackendError as absent:
        pytest.skip(absent.message)


def runs(backend: jf.backends.Backend, op: str, dtype: str) -> bool:
    """Whether a small run works."""
    device = backend.device
    try:
        with warnings.catch_warnings(), entered(tensor_frame(device)):
            warnings.simplefilter("ignore")
            _ = jf.asarray(np.ones(1, dtype), device=device)  # not all samples have arrays of it
            given = arguments(op, device, np.dtype(dtype))
            result = FUNCTIONS[op].call(*given)
            _computed(given if result is None else result)
    except (JitframeError, TypeError, ValueError, NotImplementedError):
        return False
    return True


def _computed(result: Any) -> None:
    if isinstance(result, Tensor):
        result.numpy()
    elif isinstance(result, (list, tuple)):
        for each in result:
            _computed(each)


def differences(backend: jf.backends.Backend, part: int, of: int) -> list[str]:
    """Pairs of operation and dtype, one of so many, for which the answer is not what happens."""
    wrong, asked = [], 0
    for op in OPS:
        for dtype in (each.numpy_name for each in DTYPES):
            if zlib.crc32(f"{op} {dtype}".encode()) % of == part:
                asked += 1
                if backend.supports(op, dtype) is not runs(backend, op, dtype):
                    wrong.append(f"{op} {dtype}")
    assert asked > 0
    return wrong


@pytest.mark.parametrize(("name", "of"), [("cpu", 120), ("opencl", 1000), ("webgpu", 200)])
def test_the_answer_is_what_happens(name: str, of: int) -> None:
    """Of some pairs; `test_every_answer_is_what_happens` has all."""
    assert differences(opened(name), 0, of) == []


@pytest.mark.slow
@pytest.mark.timeout(3000)
@pytest.mark.parametrize("name", NAMES)
def test_every_answer_is_what_happens(name: str) -> None:
    assert differences(opened(name), 0, 1) == []


@pytest.mark.parametrize("name", NAMES)
def test_dtypes_that_lack_are_refused(name: str) -> None:
    backend = opened(name)
    found = backend.operation_capabilities("add")
    assert found.dtypes == backend.capabilities.dtypes
    assert set(found.how) | set(found.refusals) == {dtype.numpy_name for dtype in DTYPES}
    assert set(found.how.values()) == {"native"}
    assert found.limits == {"max_rank": 64, "max_buffer_bytes": backend.device.facts.largest_buffer}
    for dtype, reason in found.refusals.items():
        assert not backend.supports("add", dtype) and f"has no {dtype}" in reason


def test_how_things_are_computed() -> None:
    cpu = opened("cpu")

    def how(op: str, dtype: str) -> str:
        return cpu.operation_capabilities(op).how[dtype]

    assert how("exp", "float32") == how("sum", "float32") == how("permute_dims", "bool") == "native"
    assert how("matmul", "float32") == how("dot", "float64") == "library"
    assert how("matmul", "int32") == "native", "by a kernel"
    assert how("std", "float32") == how("sqrt", "int32") == "composed"
    assert how("nonzero", "float32") == how("asarray", "int8") == "host"
    refusals = cpu.operation_capabilities("bitwise_and").refusals
    assert refusals["float32"] == "bitwise_and: integers or bools needed, not float32"
    assert set(refusals) == {"float16", "bfloat16", "float32", "float64"}


def test_a_device_without_a_library_composes_products() -> None:
    backend = opened("webgpu")
    assert backend.operation_capabilities("matmul").how["float32"] != "library"


def test_questions_leave_the_device_alone() -> None:
    backend = jf.backends.create("opencl") if opened("opencl") else None
    assert backend is not None
    with backend:
        before = backend.device.statistics()
        assert backend.supports("tanh", "float32") and backend.supports("cumsum", "int32")
        assert backend.device.statistics() == before
        assert not backend.device.driver._forms._handles  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", NAMES)
def test_families_are_those_of_the_functions_there_are(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    backend = opened(name)
    found = backend.operation_families
    assert found["convolution"] == ("convolve", "correlate") and "linalg.norm" in found["linalg"]
    assert set().union(*found.values()) == set(OPS), "each function is of a family"
    assert backend.supports("convolution") and backend.supports("convolution", "float32")
    for family in ("fft", "rnn", "sparse"):
        if family not in found and family not in FUNCTIONS:
            assert not backend.supports(family) and not backend.supports(family, "float32")

    def add(later: str, of: str) -> None:
        monkeypatch.setitem(DECLARED, later, replace(FUNCTIONS[of].declared, name=later))
        monkeypatch.setitem(FUNCTIONS, later, replace(FUNCTIONS[of], name=later))

    add("beads.slide", "abs")
    add("beads.count", "abs")
    assert backend.operation_families["beads"] == ("beads.slide", "beads.count")
    assert backend.supports("beads") and backend.supports("beads", "float32")
    add("beads.bits", "bitwise_invert")
    assert backend.supports("beads", "int32") and not backend.supports("beads", "float32")


@pytest.mark.more
def test_available_operations() -> None:
    """Takes seconds: it calls each of them."""
    found = opened("cpu").available_operations()
    assert {"add", "matmul", "cumsum", "where", "zeros", "take"} <= set(found)
    assert set(OPS) - set(found) == set(), "the processor has all: do their samples call them rightly?"


def test_names_that_are_none() -> None:
    cpu = opened("cpu")
    assert not cpu.supports("matmull") and not cpu.supports("fft.nothing", "float32") and not cpu.supports("")
    said = {}
    for name in ("matmull", "zzzzzz", "fft", "convolution", "linalg"):
        with pytest.raises(ArgumentError) as caught:
            cpu.operation_capabilities(name)
        said[name] = caught.value.message
    assert said["matmull"] == "there is no operation 'matmull'; perhaps matmul"
    assert said["zzzzzz"] == "there is no operation 'zzzzzz'; backend.available_operations() lists them"
    assert said["fft"].startswith("'fft' is a family of operations; ask for one of them: fft.fft, fft.fft2")
    assert said["convolution"] == (
        "'convolution' is a family of operations; ask for one of them: convolve, or correlate"
    )
    assert said["linalg"].startswith(
        "'linalg' is a family of operations; ask for one of them: linalg.cholesky"
    )
    with pytest.raises(DTypeError, match="is given by its name, such as 'matmul', not by 3"):
        cpu.supports(3)  # type: ignore[arg-type]
    with pytest.raises(DTypeError):
        cpu.supports("nothing", "float33")
    with pytest.raises(DTypeError):
        cpu.supports("add", "float33")
    assert cpu.supports("add", "complex64") and not cpu.supports("floor", "complex64")
    with pytest.raises(AttributeError, match="there is no operation 'matmull'"):
        _ = cpu.ops.matmull


@pytest.mark.parametrize("name", NAMES)
def test_bound_functions_compute_there(name: str) -> None:
    backend = opened(name)
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    elsewhere = jf.asarray(x, device="cpu")
    for given in (x, elsewhere, backend.ops.asarray(x)):
        y = backend.ops.multiply(given, x)
        assert isinstance(y, Tensor) and y.device == backend.name
        np.testing.assert_array_equal(y.numpy(), x * x)
    total = backend.ops.sum(elsewhere, axis=0)
    assert total.device == backend.name and total.tolist() == [3, 5, 7]
    joined = backend.ops.concat([x, elsewhere], axis=1)
    assert joined.device == backend.name and joined.shape == (2, 6)
    assert backend.ops.zeros((2,)).device == backend.name
    assert backend.ops.where(x > 2, elsewhere, 0).tolist() == [[0, 0, 0], [3, 4, 5]]
    assert "matmul" in dir(backend.ops) and backend.ops.matmul.__doc__


@pytest.mark.parametrize("name", NAMES)
def test_what_arrays_of_a_created_backend_say_is_their_own_device(name: str) -> None:
    backend = jf.backends.create(name) if opened(name) else None
    assert backend is not None
    x = jf.asarray(np.arange(6, dtype=np.float32), device=backend)
    assert x.device == name == str(x.device) and pickle.loads(pickle.dumps(x.device)).__class__ is str
    for made in (
        jf.zeros(3, device=x.device),
        jf.ones(3, dtype="float32").to_device(x.device),
        jf.asarray([1], device=x.device),
    ):
        assert made._frame.device is backend.device
    before = configure(strict=True)  # no transfer unasked
    try:
        for function in (
            lambda x: jf.histogram(x, 3)[0], lambda x: jf.linspace(x[0], x[1], 5), jf.isfinite,
            lambda x: jf.isin(x, [1.0]),
        ):  # fmt: skip
            found = function(x)
            assert found._frame.device is backend.device
            there = jf.jit(function, device=backend)(x)
            assert there._frame.device is backend.device
            np.testing.assert_allclose(found.numpy(), there.numpy(), rtol=1e-6)
    finally:
        restore(before)
    assert jf.backends.get(backend.name) is jf.backends.get(name)


def test_arrays_of_a_created_processor_are_handed_over() -> None:
    x = jf.asarray(np.arange(6, dtype=np.float32), device=jf.backends.create("cpu")) * 2
    wanted = np.arange(0, 12, 2, dtype=np.float32)
    np.testing.assert_array_equal(np.from_dlpack(x), wanted)
    np.testing.assert_array_equal(np.asarray(x), wanted)


def test_backends_of_ones_own_compute_on_their_own_device() -> None:
    opened("opencl")
    backend = jf.backends.create("opencl")
    y = backend.ops.add(np.ones(3, np.float32), 1)
    assert y._frame.device is backend.device and y.tolist() == [2, 2, 2]
    backend.shutdown()
    with pytest.raises(BackendError, match="was shut down"):
        backend.ops.add(1, 2)
