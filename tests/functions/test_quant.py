"""Quantization and its products, against the formulas in NumPy, with bounds of their errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import jitframe as jf
from jitframe import quant
from jitframe.errors import ArgumentError, DTypeError, JitframeError, ShapeError
from tests.conformance.devices import require
from tests.functions.compare import interpreted

RNG = np.random.default_rng(5)
WEIGHTS = RNG.normal(size=(70, 32)).astype("f4")
VECTORS = RNG.normal(size=(5, 32)).astype("f4")
SCHEMES = [
    (bits, scheme, sizes)
    for bits in (8, 4)
    for scheme in ("symmetric", "affine")
    for sizes in ({}, {"axis": 0}, {"group_size": 8})
]


def quantized(bits: int, scheme: str, sizes: dict[str, int]) -> tuple[Any, Any, Any]:
    scale, zero = quant.calibrate(WEIGHTS, dtype=f"int{bits}", scheme=scheme, **sizes)
    return quant.quantize(WEIGHTS, scale, zero, dtype=f"int{bits}", **sizes), scale, zero


@pytest.mark.parametrize(("bits", "scheme", "sizes"), SCHEMES)
def test_values_come_back_within_half_a_step(bits: int, scheme: str, sizes: dict[str, int]) -> None:
    q, scale, zero = quantized(bits, scheme, sizes)
    back = quant.dequantize(q, scale, zero, **sizes).numpy()
    assert q.dtype == np.int8 and back.dtype == np.float32
    step = np.asarray(scale)
    if sizes:
        step = np.repeat(step, 8, axis=1) if "group_size" in sizes else step[:, None]
    # The affine zero point is rounded: values at both ends may be clipped by half a step more.
    assert (abs(back - WEIGHTS) <= step * ((0.5 if scheme == "symmetric" else 1) + 1e-5)).all()
    low, high = (-8, 7) if bits == 4 else (-128, 127)
    assert q.numpy().min() >= low and q.numpy().max() <= high


@pytest.mark.parametrize(("bits", "scheme", "sizes"), SCHEMES)
def test_weights_only(bits: int, scheme: str, sizes: dict[str, int]) -> None:
    """The first programs of each kind compile for a second or two."""
    q, scale, zero = quantized(bits, scheme, sizes)
    back = quant.dequantize(q, scale, zero, **sizes).numpy()
    group = sizes.get("group_size")
    packed = quant.pack_int4(q).numpy() if bits == 4 else q.numpy()
    given = [each if each is None else np.asarray(each) for each in (scale, zero)]
    if sizes == {}:
        given = [each if each is None else each[()] for each in given]
    bias = RNG.normal(size=70).astype("f4")

    def program(x: Any, packed: Any) -> Any:
        return quant.linear(x, packed, *given, bits=bits, group_size=group, bias=bias)

    jitted = jf.jit(program)
    for x in (VECTORS, VECTORS[0], VECTORS[:1], VECTORS.reshape(5, 1, 32), VECTORS[::2], VECTORS[:0]):
        expected = x @ back.T + bias
        with interpreted():
            np.testing.assert_allclose(program(x, packed).numpy(), expected, rtol=0, atol=1e-5)
        np.testing.assert_allclose(jitted(x, packed), expected, rtol=0, atol=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("device", ["opencl", "webgpu"])
def test_on_devices(device: str) -> None:
    """Slow: devices compile a dozen kernels."""
    name = require(device).device.name
    q, scale, zero = quantized(4, "affine", {"group_size": 8})
    back = quant.dequantize(q, scale, zero, group_size=8).numpy()
    packed, x = quant.pack_int4(q).numpy(), VECTORS

    def program(x: Any, packed: Any, scale: Any, zero: Any, bytes_: Any) -> Any:
        return (
            quant.linear(x, packed, scale, zero, bits=4, group_size=8),
            quant.linear(x[0], packed, scale, zero, bits=4, group_size=8),
            quant.encode_float8(quant.decode_float8(bytes_)),
        )

    codes = np.arange(127, dtype=np.uint8)
    many, one, same = jf.jit(program, device=name)(x, packed, scale.numpy(), zero.numpy(), codes)
    np.testing.assert_allclose(many, x @ back.T, atol=1e-4)
    np.testing.assert_allclose(one, x[0] @ back.T, atol=1e-4)
    np.testing.assert_array_equal(same, codes)


KERNEL_SIZES = [(8, group) for group in (4, 16, 32, 64, None)] + [(4, group) for group in (32, 64, 128, None)]


@pytest.mark.parametrize("scheme", ["symmetric", "affine"])
@pytest.mark.parametrize(("bits", "group"), KERNEL_SIZES)
def test_a_few_vectors_by_one_kernel(bits: int, group: int | None, scheme: str) -> None:
    """Rows that fill no group of rows, up to more vectors than the kernel takes; four kernels each."""
    rows, inner = 19, 256
    q = RNG.integers(-(1 << bits - 1), 1 << bits - 1, (rows, inner)).astype("i1")
    sizes = rows, inner // (group or inner)
    scale = RNG.uniform(0.5, 1.5, sizes).astype("f4")
    zero = None if scheme == "symmetric" else RNG.integers(-3, 4, sizes).astype("i4")
    moved = q.reshape(*sizes, -1).astype("f8") - (0 if zero is None else zero[:, :, None])
    matrix = (moved * scale[:, :, None]).reshape(rows, inner)
    packed = quant.pack_int4(q).numpy() if bits == 4 else q
    program = jf.jit(lambda x, *given: quant.linear(x, *given, bits=bits, group_size=group))
    given = (packed, scale) if zero is None else (packed, scale, zero)
    for count in (1, 2, 5, 9):
        x = RNG.normal(size=(count, inner)).astype("f4")
        exact = x.astype("f8") @ matrix.T
        # The sum of the terms' sizes, those of zero points too, times a few roundings of each.
        size = abs(x).astype("f8") @ (abs(matrix) + (0 if zero is None else 6 * scale.max())).T
        assert (abs(program(x, *given) - exact) <= 32 * 2.0**-24 * size).all(), count
        assert ("dequantized_dot" in str(program.explain(x, *given))) == (count < 9)


def test_a_kernel_for_a_few_vectors_keeps_infinities() -> None:
    q = np.ones((3, 128), "i1")
    x = np.ones(128, "f4")
    x[77] = np.inf
    program = jf.jit(lambda x, q: quant.linear(x, q, 0.5))
    np.testing.assert_array_equal(program(x, q), np.full(3, np.inf, "f4"))
    x[5] = np.nan
    assert np.isnan(program(x, q)).all()


def test_the_dequantized_matrix_is_not_stored() -> None:
    q, scale, _ = (np.asarray(each) for each in (RNG.integers(-9, 9, (256, 512)), RNG.random((256, 4)), 0))
    program = jf.jit(lambda x, q, s: quant.linear(x, q, s, group_size=128))
    x, q, scale = np.ones(512, "f4"), q.astype("i1"), scale.astype("f4")
    program(x, q, scale)
    assert max(each.size for each in _floats(str(program.explain(x, q, scale)))) < q.size


def _floats(text: str) -> list[np.ndarray]:
    """An empty array for each buffer of floats that a plan allocates."""
    sizes = [
        line.split("f32[")[1].split("]")[0]
        for line in text.splitlines()
        if "alloc" in line and "f32[" in line
    ]
    return [np.empty([int(each) for each in size.split(", ")], "f4") for size in sizes]


def test_integers_are_added_up_in_int32() -> None:
    for kinds in (("i1", "i1"), ("u1", "i1"), ("u1", "u1")):
        x, y = (
            RNG.integers(np.iinfo(kind).min, np.iinfo(kind).max, size, kind)
            for kind, size in zip(kinds, ((9, 300), (300, 20)), strict=True)
        )
        found = quant.matmul(x, y).numpy()
        assert found.dtype == np.int32
        np.testing.assert_array_equal(found, x.astype("i4") @ y.astype("i4"))
        np.testing.assert_array_equal(jf.jit(quant.matmul)(x[0], y), found[0])


@pytest.mark.parametrize(
    ("name", "kind"), [("e4m3", ml_dtypes.float8_e4m3fn), ("e5m2", ml_dtypes.float8_e5m2)]
)
def test_floats_of_8_bits(name: str, kind: Any) -> None:
    codes = np.arange(256, dtype=np.uint8)
    exact = codes.view(kind).astype("f4")
    np.testing.assert_array_equal(quant.decode_float8(codes, name).numpy(), exact)
    between = np.nextafter(exact[1:126], np.float32(np.inf)) / 2 + exact[:125] / 2
    drawn = RNG.normal(size=5000) * np.exp(5 * RNG.normal(size=5000))
    values = np.concatenate(
        (exact, between, drawn, [448, 464, 465, 480, 61440, 65536, 1e-9, 2e-3, 1e30, -1e30, -0.0])
    )
    values = values[~np.isnan(values)].astype("f4")
    with np.errstate(all="ignore"):
        expected = values.astype(kind).view(np.uint8)
    np.testing.assert_array_equal(quant.encode_float8(values, name, saturate=False).numpy(), expected)
    finite = quant.decode_float8(quant.encode_float8(values, name), name).numpy()
    most = float(ml_dtypes.finfo(kind).max)
    bound = abs(values) * 2.0 ** -(4 if name == "e4m3" else 3) + float(
        ml_dtypes.finfo(kind).smallest_subnormal
    )
    assert (abs(finite - np.clip(values, -most, most)) <= bound).all()
    assert np.isnan(quant.decode_float8(quant.encode_float8([np.nan], name), name).numpy()).all()
    for dtype in ("f2", "f8", "i4"):
        x = np.arange(9).astype(dtype)
        np.testing.assert_array_equal(
            quant.encode_float8(x).numpy(), x.astype("f4").astype(ml_dtypes.float8_e4m3fn).view("u1")
        )


def test_percentiles_and_odd_values() -> None:
    x = np.concatenate((RNG.normal(size=999), [1e6]))
    scale, _ = quant.calibrate(x, percentile=99)
    np.testing.assert_allclose(float(scale), np.quantile(abs(x), 0.99) / 127)
    scale, zero = quant.calibrate(x, dtype="uint8", scheme="affine", percentile=99.5)
    low, high = np.quantile(x, [0.005, 0.995])
    np.testing.assert_allclose(float(scale), (high - low) / 255)
    assert int(zero) == round(-low / float(scale))
    assert float(quant.calibrate(np.zeros(4))[0]) == 1 / 127 * 127
    np.testing.assert_array_equal(quant.quantize([np.nan, np.inf, -np.inf], 1.0).numpy(), [0, 127, -128])
    np.testing.assert_array_equal(
        quant.quantize(WEIGHTS[:, ::-3].T, 0.1).numpy(), np.rint(WEIGHTS[:, ::-3].T / np.float32(0.1))
    )
    assert quant.quantize(np.zeros((0, 3)), 1.0).shape == (0, 3)
    assert quant.pack_int4(np.zeros((0, 4), np.int8)).shape == (0, 2)


REFUSED: dict[str, tuple[Callable[[], Any], type[JitframeError], str]] = {
    "both": (lambda: quant.quantize(WEIGHTS, 1.0, axis=0, group_size=8), ArgumentError, "not both"),
    "group": (lambda: quant.quantize(WEIGHTS, 1.0, group_size=7), ShapeError, "7 does not divide"),
    "scale": (
        lambda: quant.quantize(WEIGHTS, np.ones(3), axis=0), ShapeError,
        "quantize: scale has the shape (70,), or is one number, not (3,)",
    ),
    "unsigned": (lambda: quant.calibrate(WEIGHTS, dtype="uint8"), ArgumentError, "has no negative"),
    "empty": (lambda: quant.calibrate(WEIGHTS[:0]), ShapeError, "x is empty"),
    "odd": (lambda: quant.pack_int4([1, 2, 3]), ShapeError, "the last axis is even"),
    "floats": (lambda: quant.pack_int4([1.0, 2.0]), DTypeError, "q has integers, not float64"),
    "wide": (lambda: quant.matmul(np.ones((2, 2), int), np.ones((2, 2), "i1")), DTypeError, "int8 or uint8"),
    "bits": (lambda: quant.linear(VECTORS, np.ones((2, 32), "i1"), 1.0, bits=3), ArgumentError, "4 or 8"),
    "kind": (lambda: quant.linear(VECTORS, np.ones((2, 32), "i1"), 1.0, bits=4), DTypeError, "are uint8"),
    "inner": (
        lambda: quant.linear(VECTORS, np.ones((2, 30), "i1"), 1.0), ShapeError,
        "x[..., n] and weights [rows, n], not of the shapes (5, 32) and (2, 30)",
    ),
    "format": (lambda: quant.encode_float8([1.0], "e3m4"), ArgumentError, "format must be"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_does_not_fit_is_said(name: str) -> None:
    call, kind, message = REFUSED[name]
    with pytest.raises(kind) as caught:
        call()
    assert message in str(caught.value)
