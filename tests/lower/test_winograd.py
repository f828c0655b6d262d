"""Convolutions of 3 x 3 by transformed squares: where they are chosen, and what they give."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.runtime.cpu.kernels.target import host_machine

from .programs import ready_of

RNG = np.random.default_rng(4)
PADDED = {
    "even": ((1, 32, 24, 26), 32, 1),
    "odd, several images": ((3, 33, 21, 19), 35, 1),
    "panels, and rows of several workgroups": ((1, 100, 26, 21), 150, 1),
    "no padding": ((2, 32, 19, 24), 40, 0),
    "sides of their own": ((1, 40, 21, 30), 33, ((0, 2), (3, 1))),
    "long lines": ((1, 32, 6, 90), 32, 1),
    "short lines": ((40, 64, 4, 4), 64, 1),
}
pytestmark = pytest.mark.skipif(
    not host_machine().limits.packed_products, reason="its kernels pack no operands"
)


def drawn(*shape: int) -> np.ndarray:
    """Small whole numbers: sums of their products are exact."""
    return RNG.integers(-9, 10, shape).astype("f4")


def weights(rows: int, channels: int) -> np.ndarray:
    return drawn(rows, channels, 3, 3)


def expected(x: np.ndarray, w: np.ndarray, padding: Any = 1, dtype: Any = "f8") -> np.ndarray:
    around = ((padding, padding),) * 2 if isinstance(padding, int) else padding
    whole = np.pad(x.astype(dtype), ((0, 0), (0, 0), *around))
    seen = np.lib.stride_tricks.sliding_window_view(whole, (3, 3), axis=(2, 3))
    columns = seen.transpose(0, 1, 4, 5, 2, 3).reshape(len(x), -1, seen.shape[2] * seen.shape[3])
    with np.errstate(all="ignore"):
        made = w.astype(dtype).reshape(len(w), -1) @ columns
    return made.reshape(len(x), len(w), *seen.shape[2:4])


def is_transformed(function: Any, *arguments: Any) -> bool:
    return "winograd_dot" in str(jf.jit(function).explain(*arguments))


def layer(x: Any, w: Any, padding: Any = 1) -> Any:
    return jf.nn.conv2d(x, w, padding=padding)


@pytest.mark.parametrize("name", PADDED)
@pytest.mark.usefixtures("strict")
def test_results(name: str) -> None:
    """With what follows in the same kernel, and through `out`; jitted and lazy."""
    shape, rows, padding = PADDED[name]
    x, w, bias = drawn(*shape), weights(rows, shape[1]), drawn(rows)

    def program(x: Any, w: Any, bias: Any) -> Any:
        return np.maximum(jf.nn.conv2d(x, w, bias, padding=padding), 0)

    assert is_transformed(program, x, w, bias)
    true = np.maximum(expected(x, w, padding) + bias.reshape(-1, 1, 1), 0)
    np.testing.assert_array_equal(jf.jit(program)(x, w, bias), true)
    np.testing.assert_array_equal(np.asarray(program(jf.asarray(x), w, bias)), true)
    out = jf.asarray(np.zeros(true.shape, "f4"))
    jf.nn.conv2d(x, w, bias, padding=padding, out=out)
    np.testing.assert_array_equal(np.maximum(np.asarray(out), 0), true)


def test_parts_of_images() -> None:
    """Channels, lines and columns of a larger array; elements around them are none of theirs."""
    whole, w = drawn(2, 40, 28, 32), weights(32, 32)
    whole[:, :, 0] = np.inf
    assert is_transformed(lambda x, w: layer(x[:, 4:36, 2:26, 3:29], w), whole, w)
    found = jf.jit(lambda x, w: layer(x[:, 4:36, 2:26, 3:29], w))(whole, w)
    np.testing.assert_array_equal(found, expected(whole[:, 4:36, 2:26, 3:29], w))


@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan, 3e38])
@pytest.mark.parametrize("where", ["image", "weights", "border"])
def test_what_is_not_finite_stays_where_it_belongs(where: str, value: float) -> None:
    """Also numbers whose transforms are too large."""
    x, w = np.abs(drawn(2, 32, 21, 23)), np.abs(weights(33, 32))
    if where == "weights":
        w[7, 5, 1, 2] = value
    else:
        x[1, 3, 6, 8] = x[0, 9, 12 if where == "border" else 2, 0] = value
    assert is_transformed(layer, x, w)
    with np.errstate(over="ignore"):
        true = expected(x, w).astype("f4")
    found = jf.jit(layer)(x, w)
    assert not np.isfinite(true).all()
    np.testing.assert_allclose(found, true, rtol=1e-6)


def test_large_elements_leave_their_neighbours_exact() -> None:
    x, w = drawn(1, 32, 28, 28), weights(32, 32)
    x[0, 4, 5, 6] = 1e12
    near = np.zeros(x.shape[2:], bool)
    near[4:7, 5:8] = True
    assert is_transformed(layer, x, w)
    found = jf.jit(layer)(x, w)
    true = expected(x, w)
    np.testing.assert_array_equal(found[..., ~near], true[..., ~near])
    np.testing.assert_allclose(found[..., near], true[..., near], rtol=1e-5, atol=1e6)


def test_windows_of_zeros_give_zero() -> None:
    """As products give it; with weights that are not finite, no number."""
    x = RNG.normal(size=(1, 32, 28, 28)).astype("f4")
    w = RNG.normal(size=(32, 32, 3, 3)).astype("f4")
    x[..., 5:11] = 0
    assert is_transformed(layer, x, w)
    found = jf.jit(layer)(x, w)
    np.testing.assert_array_equal(found[..., 6:10], 0)
    np.testing.assert_allclose(found, expected(x, w), atol=1e-4)
    w[3, 2, 1, 1] = np.inf
    found = jf.jit(layer)(x, w)
    assert np.isnan(found[:, 3, :, 6:10]).all()
    np.testing.assert_array_equal(found[:, :3, :, 6:10], 0)


def test_errors_are_as_large_as_those_of_products() -> None:
    x = RNG.uniform(-1, 1, (1, 64, 28, 28)).astype("f4")
    w = RNG.uniform(-1, 1, (64, 64, 3, 3)).astype("f4")
    true = expected(x, w)
    assert is_transformed(layer, x, w)
    by_products, found = expected(x, w, dtype="f4"), jf.jit(layer)(x, w)
    assert np.abs(found - true).mean() < 2 * np.abs(by_products - true).mean()


REFUSED = {
    "few rows": ((1, 32, 20, 20), (8, 32, 3, 3), {}),
    "few channels": ((1, 1, 40, 40), (64, 1, 3, 3), {}),
    "a small image": ((1, 64, 4, 4), (64, 64, 3, 3), {}),
    "other windows": ((1, 32, 20, 20), (32, 32, 3, 5), {}),
    "a stride": ((1, 32, 20, 20), (32, 32, 3, 3), {"stride": 2}),
    "a dilation": ((1, 32, 20, 20), (32, 32, 3, 3), {"dilation": 2}),
    "groups": ((1, 64, 20, 20), (64, 32, 3, 3), {"groups": 2}),
}


@pytest.mark.parametrize("name", REFUSED)
def test_other_convolutions_are_products(name: str) -> None:
    shape, size, options = REFUSED[name]
    x, w = drawn(*shape), drawn(*size)
    assert not is_transformed(lambda x, w: jf.nn.conv2d(x, w, padding=1, **options), x, w)


def test_other_dtypes_and_spellings_are_products() -> None:
    x, w = drawn(1, 32, 20, 20), weights(32, 32)
    for dtype in ("f8", "f2", "i4"):
        assert not is_transformed(layer, x.astype(dtype), w.astype(dtype))

    def windows(x: Any, w: Any) -> Any:
        seen = np.lib.stride_tricks.sliding_window_view(x, (3, 3), axis=(2, 3))
        return np.einsum("nchwpq,ocpq->nohw", seen, w)

    assert not is_transformed(windows, x, w)
    reversed_lines = jf.jit(lambda x, w: layer(x[..., ::-1], w))
    assert "winograd_dot" not in str(reversed_lines.explain(x, w))
    np.testing.assert_array_equal(reversed_lines(x, w), expected(x[..., ::-1], w))


def test_a_plan_serves_images_of_any_size() -> None:
    def template(*shape: int) -> Any:
        return ready_of(layer, drawn(*shape), weights(32, shape[1])).template

    assert template(1, 32, 24, 26) is template(2, 48, 31, 17)
