"""Convolutions, pools and resampling of images against sums over windows in NumPy, and published values."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from PIL import Image

import jitframe as jf
from jitframe.errors import ArgumentError, DTypeError, JitframeError, ShapeError
from tests.conformance.devices import require

RNG = np.random.default_rng(2)
nn = jf.nn
MODES = {"zeros": "constant", "reflect": "reflect", "replicate": "edge", "circular": "wrap"}


def convolved(x: np.ndarray, w: np.ndarray, stride: Any, dilation: Any, groups: int = 1) -> np.ndarray:
    """Sums of products, one result at a time."""
    reach = [(k - 1) * d + 1 for k, d in zip(w.shape[2:], dilation, strict=True)]
    counts = [(n - r) // s + 1 for n, r, s in zip(x.shape[2:], reach, stride, strict=True)]
    found = np.zeros((x.shape[0], w.shape[0], *counts))
    inner, outer = w.shape[1], w.shape[0] // groups
    for place in itertools.product(*map(range, counts)):
        cut = [slice(p * s, p * s + r, d) for p, s, r, d in zip(place, stride, reach, dilation, strict=True)]
        for g in range(groups):
            part = x[(slice(None), slice(g * inner, (g + 1) * inner), *cut)]
            rows = w[g * outer : (g + 1) * outer]
            axes = list(range(1, part.ndim))
            found[(slice(None), slice(g * outer, (g + 1) * outer), *place)] = np.tensordot(
                part, rows, (axes, axes)
            )
    return found


def drawn(*shape: int) -> np.ndarray:
    return RNG.normal(size=shape)


# x, weight, stride, dilation, groups, padding of each axis, mode
CONVOLUTIONS: dict[str, tuple[Any, ...]] = {
    "plain": (drawn(2, 3, 7, 8), drawn(4, 3, 3, 3), (1, 1), (1, 1), 1, [(0, 0), (0, 0)], "zeros"),
    "stride": (drawn(2, 3, 9, 8), drawn(4, 3, 3, 2), (2, 3), (1, 1), 1, [(1, 1), (0, 2)], "zeros"),
    "dilation": (drawn(1, 2, 9, 9), drawn(4, 2, 3, 2), (1, 2), (2, 3), 1, [(2, 2), (1, 1)], "reflect"),
    "groups": (drawn(2, 6, 5, 5), drawn(4, 3, 3, 3), (1, 1), (1, 1), 2, [(1, 1), (1, 1)], "replicate"),
    "depthwise": (drawn(2, 3, 6, 5), drawn(6, 1, 3, 3), (2, 1), (1, 1), 3, [(1, 1), (1, 1)], "circular"),
    "large depthwise": (drawn(1, 2, 9, 9), drawn(2, 1, 7, 6), (1, 1), (1, 1), 2, [(3, 3), (0, 0)], "zeros"),
    "points": (drawn(2, 3, 5, 4), drawn(7, 3, 1, 1), (2, 1), (1, 1), 1, [(0, 0), (0, 0)], "zeros"),
    "sequence": (drawn(2, 3, 11), drawn(4, 3, 4), (2,), (2,), 1, [(3, 1)], "zeros"),
    "volume": (
        drawn(1, 2, 4, 5, 6),
        drawn(3, 2, 2, 3, 2),
        (1, 2, 1),
        (1, 1, 2),
        1,
        [(0, 1), (1, 1), (1, 0)],
        "zeros",
    ),
}


@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_convolutions(name: str) -> None:
    x, w, stride, dilation, groups, padding, mode = CONVOLUTIONS[name]
    rank = x.ndim - 2
    bias = drawn(w.shape[0])
    whole = np.pad(x, [(0, 0), (0, 0), *padding], MODES[mode])
    expected = convolved(whole, w, stride, dilation, groups) + bias.reshape(-1, *(1,) * rank)
    options = {
        "stride": stride, "dilation": dilation, "groups": groups, "padding": padding, "padding_mode": mode,
    }  # fmt: skip
    function = getattr(nn, f"conv{rank}d")
    np.testing.assert_allclose(function(x, w, bias, **options).numpy(), expected, atol=1e-12)
    np.testing.assert_allclose(
        jf.jit(lambda x, w, bias: function(x, w, bias, **options) * 2)(x, w, bias), 2 * expected, atol=1e-11
    )
    alone = function(x[0], w, bias, **options)
    np.testing.assert_allclose(alone.numpy(), expected[0], atol=1e-12)
    target = jf.zeros(expected.shape)
    assert function(jf.asarray(x), w, bias, **options, out=target) is target
    np.testing.assert_allclose(target.numpy(), expected, atol=1e-12)


def test_paddings_by_name() -> None:
    x, w = drawn(2, 3, 7, 8), drawn(4, 3, 3, 4)
    np.testing.assert_allclose(
        nn.conv2d(x, w, padding="valid").numpy(), convolved(x, w, (1, 1), (1, 1)), atol=1e-12
    )
    for stride in (1, 2, 3):
        assert nn.conv2d(x, w, stride=stride, padding="same").shape[2:] == (-(-7 // stride), -(-8 // stride))
    whole = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 2)))
    np.testing.assert_allclose(
        nn.conv2d(x, w, padding="same").numpy(), convolved(whole, w, (1, 1), (1, 1)), atol=1e-12
    )


@pytest.mark.parametrize("groups", [1, 2])
@pytest.mark.parametrize(("rank", "stride", "padding", "more", "dilation"), [
    (2, 1, 0, 0, 1), (2, 2, 1, 1, 1), (2, 3, 0, 2, 2), (1, 2, 1, 0, 3), (3, 2, 1, 1, 1), (2, 1, 2, 0, 1),
])  # fmt: skip
def test_transposes(rank: int, stride: int, padding: int, more: int, dilation: int, groups: int) -> None:
    """The sum of y * conv(x) is that of x * transpose(y)."""
    w, y = drawn(4, 2, *(3,) * rank), drawn(2, 4, *range(3, 3 + rank))
    transpose, function = getattr(nn, f"conv_transpose{rank}d"), getattr(nn, f"conv{rank}d")
    options = {"stride": stride, "padding": padding, "dilation": dilation, "groups": groups}
    found = transpose(y, w, output_padding=more, **options).numpy()
    assert found.shape[2:] == tuple(
        (n - 1) * stride - 2 * padding + 2 * dilation + 1 + more for n in y.shape[2:]
    )
    x = drawn(*found.shape)
    forward = function(x, w, **options).numpy()
    cut = forward[tuple(map(slice, y.shape))]
    assert cut.shape == forward.shape == y.shape
    np.testing.assert_allclose((y * cut).sum(), (x * found).sum(), atol=1e-10)
    jitted = jf.jit(
        lambda y, w: transpose(y, w, w[0, :1].sum() * np.zeros(2 * groups), output_padding=more, **options)
    )
    np.testing.assert_allclose(jitted(y, w), found, atol=1e-12)


def added_up(x: np.ndarray, w: np.ndarray, stride: int, padding: int, more: int, dilation: int) -> np.ndarray:
    """Each element of an image adds its window of weights to the result."""
    size = [(n - 1) * stride + (k - 1) * dilation + 1 for n, k in zip(x.shape[2:], w.shape[2:], strict=True)]
    found = np.zeros((len(x), w.shape[1], *(n + more for n in size)))
    for at in np.ndindex(*x.shape[2:]):
        window = np.einsum("bi,io...->bo...", x[(..., *at)], w)
        cut = [
            slice(n * stride, n * stride + (k - 1) * dilation + 1, dilation) for n, k in zip(at, w.shape[2:])
        ]
        found[(..., *cut)] += window
    return found[(..., *(slice(padding, n - padding) for n in found.shape[2:]))]


@pytest.mark.parametrize(("size", "stride", "padding", "more", "dilation"), [
    ((2, 2), 2, 0, 0, 1), ((4, 4), 2, 1, 0, 1), ((5, 4), 2, 2, 1, 1), ((1, 1), 3, 0, 2, 1),
    ((2, 3), 4, 0, 3, 1), ((3, 3), 4, 1, 2, 6), ((4, 2), 3, 2, 0, 2), ((3, 3), 2, 3, 0, 1),
    ((1, 6), 2, 0, 0, 2), ((5,), 3, 6, 4, 5),
])  # fmt: skip
def test_transposes_are_windows_added_up(
    size: tuple[int, ...], stride: int, padding: int, more: int, dilation: int
) -> None:
    """An element that is infinite reaches its own window alone."""
    x, w = drawn(2, 3, *(5, 4)[: len(size)]), drawn(3, 2, *size)
    x[(1, 0, *(2 for _ in size))] = np.inf
    transpose = getattr(nn, f"conv_transpose{len(size)}d")
    options = {"stride": stride, "padding": padding, "output_padding": more, "dilation": dilation}
    found = transpose(x, w, **options).numpy()
    np.testing.assert_allclose(found, added_up(x, w, stride, padding, more, dilation), atol=1e-12)


def test_a_transpose_takes_no_memory_for_zeros() -> None:
    """Between the elements, which `stride` asks for, and in their windows."""
    x, w = drawn(1, 24, 64, 64), drawn(24, 1, 2, 2)
    enlarged = jf.jit(lambda x, w: nn.conv_transpose2d(x, w, stride=2))
    assert enlarged.explain(x, w).peak_bytes <= 3 * 128 * 128 * x.itemsize


def pooled(x: np.ndarray, over: Callable[..., Any], size: Any, stride: Any, dilation: Any) -> np.ndarray:
    reach = [(k - 1) * d + 1 for k, d in zip(size, dilation, strict=True)]
    counts = [(n - r) // s + 1 for n, r, s in zip(x.shape[2:], reach, stride, strict=True)]
    found = np.zeros((*x.shape[:2], *counts))
    for place in itertools.product(*map(range, counts)):
        cut = [slice(p * s, p * s + r, d) for p, s, r, d in zip(place, stride, reach, dilation, strict=True)]
        found[(..., *place)] = over(x[(..., *cut)], axis=tuple(range(2, x.ndim)))
    return found


def test_pools() -> None:
    for shape, size, stride, padding in (
        ((2, 3, 7, 8), (3, 2), (2, 1), (1, 1)), ((1, 2, 9), (4,), (3,), (2,)),
        ((1, 2, 4, 5, 5), (2, 2, 2), (2, 1, 2), (1, 0, 1)), ((1, 1, 12, 12), (7, 6), (2, 2), (3, 0)),
    ):  # fmt: skip
        x, rank = drawn(*shape), len(shape) - 2
        sides, ones = [(0, 0), (0, 0), *((each, each) for each in padding)], (1,) * rank
        largest = pooled(np.pad(x, sides, constant_values=-np.inf), np.max, size, stride, ones)
        np.testing.assert_array_equal(
            getattr(nn, f"max_pool{rank}d")(x, size, stride, padding).numpy(), largest
        )
        mean = getattr(nn, f"avg_pool{rank}d")
        zeros = pooled(np.pad(x, sides), np.mean, size, stride, ones)
        np.testing.assert_allclose(mean(x, size, stride, padding).numpy(), zeros, atol=1e-12)
        holes = pooled(np.pad(x, sides, constant_values=np.nan), np.nanmean, size, stride, ones)
        without = jf.jit(
            lambda x, mean=mean, given=(size, stride, padding): mean(x, *given, count_include_pad=False)
        )
        np.testing.assert_allclose(without(x), holes, atol=1e-12)
    x = drawn(2, 3, 11, 9)
    np.testing.assert_array_equal(
        nn.max_pool2d(x, 3, 2, dilation=(2, 1)).numpy(), pooled(x, np.max, (3, 3), (2, 2), (2, 1))
    )
    rounded_up = np.pad(x, ((0, 0), (0, 0), (0, 1), (0, 0)), constant_values=np.nan)
    for name, over in (("max", np.nanmax), ("avg", np.nanmean)):
        found = getattr(nn, f"{name}_pool2d")(x, (2, 3), ceil_mode=True).numpy()
        np.testing.assert_allclose(found, pooled(rounded_up, over, (2, 3), (2, 3), (1, 1)), atol=1e-12)
    for dtype in ("i1", "u2", "i8", "?"):
        small = (x * 3).astype(dtype)
        found = nn.max_pool2d(small, 2, padding=1)
        assert found.dtype == small.dtype
        assert found.numpy().max() == small.max()
    assert np.isnan(nn.max_pool1d(np.array([[1.0, np.nan, 2.0, 3.0]]), 2).numpy()).tolist() == [[True, False]]


def test_adaptive_and_global_pools() -> None:
    x = drawn(2, 3, 7, 8)
    for size in ((3, 4), (7, 1), (5, 8), (2, None), 3):
        wanted = [
            n if m is None else m
            for n, m in zip(x.shape[2:], (size,) * 2 if size == 3 else size, strict=True)
        ]
        bins = [
            [(i * n // m, -(-(i + 1) * n // m)) for i in range(m)]
            for n, m in zip(x.shape[2:], wanted, strict=True)
        ]
        for name, over in (("max", np.max), ("avg", np.mean)):
            expected = [[over(x[:, :, a:b, c:d], axis=(2, 3)) for c, d in bins[1]] for a, b in bins[0]]
            found = getattr(nn, f"adaptive_{name}_pool2d")(x, size).numpy()
            np.testing.assert_allclose(found, np.moveaxis(np.array(expected), (0, 1), (2, 3)), atol=1e-12)
    np.testing.assert_allclose(nn.adaptive_avg_pool1d(x[0, 0], 3).shape, (7, 3))
    np.testing.assert_allclose(nn.global_avg_pool(x).numpy(), x.mean((2, 3), keepdims=True))
    np.testing.assert_array_equal(nn.global_max_pool(x, keepdims=False).numpy(), x.max((2, 3)))


def test_other_sizes_have_published_values() -> None:
    """Those of ONNX's operator Resize (https://onnx.ai/onnx/operators/onnx__Resize.html)."""
    x = np.arange(1.0, 17).reshape(1, 1, 4, 4)
    cubic = nn.interpolate(x, 8, mode="bicubic").numpy()[0, 0, 0]
    np.testing.assert_allclose(
        cubic, [0.47265625, 0.76953125, 1.24609375, 1.875, 2.28125, 2.91015625, 3.38671875, 3.68359375]
    )
    aligned = nn.interpolate(x, 8, mode="bicubic", align_corners=True).numpy()[0, 0, 0]
    np.testing.assert_allclose(
        aligned, [1, 1.34110787, 1.80029155, 2.32944606, 2.67055394, 3.19970845, 3.65889213, 4], rtol=1e-6
    )
    two = np.array([[[[1.0, 2], [3, 4]]]])
    lines = nn.interpolate(two, scale_factor=2, mode="bilinear").numpy()[0, 0]
    np.testing.assert_array_equal(lines[:2], [[1, 1.25, 1.75, 2], [1.5, 1.75, 2.25, 2.5]])
    lines = nn.interpolate(two, (4, 4), mode="bilinear", align_corners=True).numpy()[0, 0]
    np.testing.assert_allclose(lines[0], [1, 1 + 1 / 3, 1 + 2 / 3, 2])
    np.testing.assert_array_equal(nn.interpolate(two, (3, 5)).numpy()[0, 0, 0], [1, 1, 1, 2, 2])
    np.testing.assert_allclose(
        nn.interpolate(x, (3, 4), mode="area").numpy(), nn.adaptive_avg_pool2d(x, (3, 4)).numpy()
    )
    many = np.arange(9, dtype="u1").reshape(1, 1, 9)
    np.testing.assert_array_equal(nn.interpolate(many, 3).numpy()[0, 0], [0, 3, 6])


@pytest.mark.parametrize(
    ("mode", "pillows"), [("bilinear", Image.Resampling.BILINEAR), ("bicubic", Image.Resampling.BICUBIC)]
)
def test_smaller_images_without_aliases_are_pillows(mode: str, pillows: Any) -> None:
    x = drawn(23, 31).astype("f4")
    for size in ((11, 13), (5, 40), (23, 7)):
        expected = np.asarray(Image.fromarray(x, "F").resize(size[::-1], pillows))
        given = x[None, None]
        if size[1] == 40:  # what gets larger there is cubic with another constant
            given, size, expected = (
                given[..., :20],
                (5, 20),
                np.asarray(Image.fromarray(x[:, :20].copy(), "F").resize((20, 5), pillows)),
            )
        found = nn.interpolate(given, size, mode=mode, antialias=True).numpy()[0, 0]
        np.testing.assert_allclose(found, expected, atol=2e-6)


@pytest.mark.slow
@pytest.mark.parametrize("device", ["opencl", "webgpu"])
def test_on_devices(device: str) -> None:
    """Slow: devices compile some twenty kernels."""
    name = require(device).device.name

    def program(x: Any, w: Any, depthwise: Any) -> Any:
        return (
            nn.conv2d(x, w, padding=1, stride=2),
            nn.conv2d(x, depthwise, padding="same", groups=4),
            nn.conv_transpose2d(x, w.swapaxes(0, 1), stride=2),
            nn.max_pool2d(x, 3, 2, 1),
            nn.avg_pool2d(x, 2),
            nn.adaptive_avg_pool2d(x, 3),
            nn.interpolate(x, (5, 12), mode="bicubic"),
        )

    given = [each.astype("f4") for each in (drawn(2, 4, 9, 8), drawn(3, 4, 3, 3), drawn(4, 1, 3, 3))]
    expected = jf.jit(program)(*map(np.float64, given))
    for ours, wanted in zip(jf.jit(program, device=name)(*given), expected, strict=True):
        np.testing.assert_allclose(ours, wanted, atol=1e-5)


REFUSED: dict[str, tuple[Callable[[], Any], type[JitframeError], str]] = {
    "channels": (
        lambda: nn.conv2d(drawn(1, 3, 4, 4), drawn(2, 2, 3, 3)),
        ShapeError,
        "x has 3 channels, and weight (2, 2, 3, 3) in 1 groups takes 2",
    ),
    "axes": (
        lambda: nn.conv2d(drawn(4, 4), drawn(2, 2, 3, 3)),
        ShapeError,
        "conv2d: x is [batch, channels, h, w]",
    ),
    "window": (lambda: nn.conv1d(drawn(1, 1, 2), drawn(1, 1, 3)), ShapeError, "do not fit"),
    "padding": (
        lambda: nn.conv1d(drawn(1, 1, 2), drawn(1, 1, 1), padding="most"),
        ArgumentError,
        "padding is 'same'",
    ),
    "mode": (
        lambda: nn.conv1d(drawn(1, 1, 2), drawn(1, 1, 1), padding_mode="x"),
        ArgumentError,
        "padding_mode must",
    ),
    "stride": (
        lambda: nn.conv1d(drawn(1, 1, 2), drawn(1, 1, 1), stride=0),
        ArgumentError,
        "stride is an integer from 1",
    ),
    "bias": (
        lambda: nn.conv1d(drawn(1, 1, 2), drawn(2, 1, 1), drawn(3)),
        ShapeError,
        "bias is [2], and has the shape (3,)",
    ),
    "complex": (
        lambda: nn.conv1d(drawn(1, 1, 2) * 1j, drawn(1, 1, 1)),
        DTypeError,
        "x is real, not complex128",
    ),
    "output padding": (
        lambda: nn.conv_transpose1d(drawn(1, 1, 2), drawn(1, 1, 1), output_padding=1),
        ArgumentError,
        "is less than stride",
    ),
    "half": (lambda: nn.max_pool1d(drawn(1, 1, 4), 2, padding=2), ArgumentError, "padding is at most half"),
    "both": (lambda: nn.interpolate(drawn(1, 1, 4)), ArgumentError, "give size or scale_factor"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_does_not_fit_is_said(name: str) -> None:
    call, kind, message = REFUSED[name]
    with pytest.raises(kind) as caught:
        call()
    assert message in str(caught.value)
