"""Complex programs on devices: those that have no float64 have no complex128."""

from __future__ import annotations

import numpy as np
import pytest

import jitframe as jf
from tests.complex.compared import assert_close, drawn, special
from tests.conformance.devices import require


def program(x, y, v):
    z = np.where(abs(x) > 1, x * y + 1j, x / (y + 3))
    z[1] = v
    z.imag[2] += 1
    return (
        z,
        np.exp(z / 4),
        np.sqrt(z),
        z.sum(axis=0),
        z.cumprod(axis=1),
        x @ y.T,
        np.sort(x[0]),
        z.real.max(),
        z[:, ::2].conj(),
    )


@pytest.mark.parametrize("name", ["opencl", "webgpu"])
def test_programs(name: str) -> None:
    device = require(name).device.name
    x, y, v = drawn("complex64", 4, 6), drawn("complex64", 4, 6, seed=1), drawn("complex64", 6)
    expected = program(x, y, v)
    found = jf.jit(program, device=device)(x, y, v)
    for ours, theirs in zip(found, expected, strict=True):
        assert_close(ours, theirs, ulp=64)
    on_device = [jf.asarray(each, device=device) for each in (x, y)]
    assert_close((on_device[0] * on_device[1] * 2j).numpy(), x * y * np.complex64(2j))
    assert_close(jf.abs(jf.asarray(special("complex64"), device=device)).numpy(), abs(special("complex64")))


def test_a_device_without_float64_has_no_complex128() -> None:
    device = require("webgpu").device.name
    with pytest.raises(jf.errors.UnsupportedDTypeError, match="has no complex128; it has"):
        jf.asarray(drawn("complex128", 3), device=device)
    with pytest.raises(jf.errors.UnsupportedDTypeError, match="has no complex128"):
        jf.asarray([1.0], device=device).astype("complex128")
    assert (jf.asarray([1, 2], device=device) * 1j).dtype == np.complex64


def test_complex128_where_there_is_float64() -> None:
    target = require("opencl")
    if "float64" not in target.dtypes:
        pytest.skip("this device has no float64")
    x = drawn("complex128", 50)
    assert_close(jf.jit(lambda x: x / (x + 7j), device=target.device.name)(x), x / (x + 7j), ulp=16)
