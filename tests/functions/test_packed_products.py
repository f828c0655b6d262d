"""Products that kernels pack: convolutions and other sums over several axes, read where operands lie."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe import nn
from jitframe.codegen.plan.nodes import Launch
from jitframe.ir.expr import evaluate
from jitframe.runtime.cpu.kernels.target import host_machine
from tests.foundations.programs import kernels_of


def drawn(rng: np.random.Generator, shape: tuple[int, ...], dtype: str) -> np.ndarray:
    """Small whole numbers, so that sums are exact in every dtype."""
    return rng.integers(-3, 4, shape).astype(dtype)


def convolved(
    x: np.ndarray, w: np.ndarray, stride: Any, padding: Any, dilation: Any, groups: int
) -> np.ndarray:
    x = np.pad(x, ((0, 0), (0, 0), *((p, p) for p in padding)))
    reach = tuple((k - 1) * d + 1 for k, d in zip(w.shape[2:], dilation, strict=True))
    seen = np.lib.stride_tricks.sliding_window_view(x, reach, axis=(2, 3))
    seen = seen[:, :, :: stride[0], :: stride[1], :: dilation[0], :: dilation[1]]
    seen = seen.reshape(seen.shape[0], groups, -1, *seen.shape[2:])
    rows = w.reshape(groups, -1, *w.shape[1:])
    found = np.einsum("ngchwpq,gocpq->ngohw", seen, rows)
    return found.reshape(found.shape[0], -1, *found.shape[3:])


@pytest.mark.parametrize("seed", range(12))
def test_convolutions_at_random(seed: int) -> None:
    """Extents of one, primes, fewer and more than tiles have; bias and what follows in the same kernel."""
    choose, rng = random.Random(seed), np.random.default_rng(seed)
    groups = choose.choice((1, 1, 2, 3))
    inner, out = choose.choice((2, 3, 7, 40)), choose.choice((1, 2, 5, 9, 70))
    size = choose.choice(((3, 3), (1, 5), (2, 3), (5, 1), (1, 1)))
    space = choose.choice(((11, 13), (5, 5), (9, 37), (23, 7)))
    stride, dilation = ((choose.choice((1, 1, 2, 3)), choose.choice((1, 2))) for _ in range(2))
    padding = (choose.choice((0, 1, 4)), choose.choice((2, 4)))
    dtype = choose.choice(("float32", "float64", "int32", "float32", "int8"))
    x = drawn(rng, (choose.choice((1, 2, 3)), groups * inner, *space), dtype)
    w, bias = drawn(rng, (groups * out, inner, *size), dtype), drawn(rng, (groups * out,), dtype)
    options = {"stride": stride, "padding": padding, "dilation": dilation, "groups": groups}

    def layer(x: Any, w: Any, bias: Any) -> Any:
        return np.maximum(nn.conv2d(x, w, bias, **options), 0)

    wide = "float64" if dtype.startswith("float") else "int32"
    true = convolved(x.astype(wide), w.astype(wide), stride, padding, dilation, groups)
    true = np.maximum(true.astype(dtype) + bias.reshape(-1, 1, 1), 0)
    for found in (jf.jit(layer)(x, w, bias), layer(x, w, bias)):
        assert np.asarray(found).dtype == dtype
        np.testing.assert_array_equal(np.asarray(found), true)


def windows(x: Any) -> Any:
    return np.lib.stride_tricks.sliding_window_view(x, (3, 3), axis=(2, 3))


SPELLINGS = {
    "einsum": lambda x, w: np.einsum("nchwpq,ocpq->nohw", windows(x), w),
    "einsum, channels last": lambda x, w: np.einsum("nchwpq,ocpq->nhwo", windows(x), w),
    "tensordot": lambda x, w: np.tensordot(windows(x), w, ((1, 4, 5), (1, 2, 3))).transpose(0, 3, 1, 2),
    "a matrix": lambda x, w: (
        w.reshape(w.shape[0], -1)
        @ windows(x).transpose(0, 1, 4, 5, 2, 3).reshape(x.shape[0], w[0].size, -1)
    ).reshape(x.shape[0], w.shape[0], x.shape[2] - 2, x.shape[3] - 2),
}  # fmt: skip


@pytest.mark.parametrize("name", SPELLINGS)
def test_numpys_convolutions_copy_no_windows(name: str) -> None:
    rng = np.random.default_rng(3)
    x, w = drawn(rng, (2, 5, 19, 23), "float32"), drawn(rng, (17, 5, 3, 3), "float32")
    function = SPELLINGS[name]
    made = jf.jit(function)
    np.testing.assert_array_equal(np.asarray(made(x, w)), function(x, w))
    explained = made.explain(x, w)
    result = 4 * function(x, w).size
    assert explained.bytes_moved <= x.nbytes + w.nbytes + 3 * result, "windows are read where they lie"


@pytest.mark.parametrize(
    ("labels", "shapes"),
    [
        ("bij,jk->ibk", ((6, 40, 5), (5, 30))),  # rows that do not lie as one
        ("hqe,hed->qd", ((4, 33, 16), (4, 16, 50))),  # heads beside each other
        ("aibj,bjka->ik", ((3, 7, 5, 11), (5, 11, 9, 3))),  # inner axes in two orders
        ("zaibj,zbjka->zik", ((2, 3, 37, 5, 11), (2, 5, 11, 9, 3))),
        ("aibj,bjck->aick", ((3, 7, 5, 11), (5, 11, 2, 9))),
    ],
)
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "float16"])
def test_sums_over_several_axes(labels: str, shapes: tuple[tuple[int, ...], ...], dtype: str) -> None:
    rng = np.random.default_rng(1)
    x, y = (drawn(rng, shape, dtype) for shape in shapes)
    made = jf.jit(lambda x, y: np.einsum(labels, x, y) + 1)
    wide = "float64" if dtype.startswith("float") else dtype
    true = (np.einsum(labels, x.astype(wide), y.astype(wide)) + 1).astype(dtype)
    np.testing.assert_array_equal(np.asarray(made(x, y)), true)
    # Axes that are reversed, or further apart.
    np.testing.assert_array_equal(
        np.asarray(made(x[..., ::-1], y[..., ::-1])),
        (np.einsum(labels, x[..., ::-1].astype(wide), y[..., ::-1].astype(wide)) + 1).astype(dtype),
    )


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    ("m", "k", "n"), [(129, 200, 131), (65, 511, 33), (17, 300, 97), (64, 4100, 32), (1033, 1030, 70)]
)
def test_large_products(dtype: str, m: int, k: int, n: int) -> None:
    """Whoever multiplies: rows, columns, both transposed or reversed, and a stack."""
    rng = np.random.default_rng(m)
    x, y, bias = drawn(rng, (m, k), dtype), drawn(rng, (k, n), dtype), drawn(rng, (n,), dtype)
    made = jf.jit(lambda x, y, bias: np.maximum(x @ y + bias, 0))
    layouts = (
        lambda a: a,
        lambda a: np.ascontiguousarray(a.T).T,
        lambda a: np.ascontiguousarray(a[:, ::-1])[:, ::-1],
    )
    for first in layouts:
        for second in layouts:
            found = made(first(x), second(y), bias)
            np.testing.assert_array_equal(np.asarray(found), np.maximum(x @ y + bias, 0))
    stack = np.stack([x, 2 * x])
    np.testing.assert_array_equal(np.asarray(made(stack, y, bias)), np.maximum(stack @ y + bias, 0))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("m", "k", "n"), [(16, 300, 133), (31, 257, 260), (128, 70, 37), (250, 513, 65)])
def test_few_rows_times_weights_that_lie_transposed(dtype: str, m: int, k: int, n: int) -> None:
    """As in layers: products of a stack with weights of their own, too, and what follows along both axes."""
    rng = np.random.default_rng(n)
    x, w, bias = drawn(rng, (2, m, k), dtype), drawn(rng, (2, n, k), dtype), drawn(rng, (n,), dtype)

    def layers(x: Any, w: Any, bias: Any) -> Any:
        return np.maximum(x @ w.transpose(0, 2, 1) + bias, 0) + x[:, :, :1]

    for count in (1, 2):
        given = x[:count], w[:count], bias
        np.testing.assert_array_equal(np.asarray(jf.jit(layers)(*given)), layers(*given))


@pytest.mark.skipif(not host_machine().fast_products, reason="this processor's registers are narrower")
def test_a_large_product_and_what_follows_are_one_kernel() -> None:
    x, y = np.ones((128, 128), "f4"), np.ones((128, 96), "f4")
    explained = jf.jit(lambda x, y: np.maximum(x @ y + 1, 0)).explain(x, y)
    assert explained.bytes_moved == x.nbytes + y.nbytes + 4 * 128 * 96, "the product itself is in no memory"


@pytest.mark.parametrize(
    ("multiply", "steps"),
    [
        (lambda x: x @ x.T, 1),
        (lambda x: x.T @ x, 1),
        (lambda x: x[:, :128] @ x[:, :128].T, 1),
        (lambda x: x @ x, 0),
        (lambda x: x @ x[::-1].T, 0),
        (lambda x: x[:, :64] @ x[:, 64:128].T, 0),
    ],
)
@pytest.mark.skipif(not host_machine().fast_products, reason="this processor's registers are narrower")
def test_a_matrix_times_its_own_transpose_is_a_librarys(multiply: Callable[..., Any], steps: int) -> None:
    """A library computes half of it, as NumPy has it do."""
    x = np.random.default_rng(5).normal(size=(192, 192))
    jitted = jf.jit(multiply)
    np.testing.assert_allclose(jitted(x), multiply(x), rtol=1e-12, atol=1e-12)
    assert str(jitted.explain(x)).count(", BLAS\n") == steps


def test_what_is_no_number_stays_where_it_is() -> None:
    """A NaN reaches the results whose windows it is in, and no others; so does an infinity."""
    x, w = np.ones((1, 3, 12, 45), "float32"), np.ones((5, 3, 3, 3), "float32")
    x[0, 1, 5, 7], x[0, 2, 9, 44] = np.nan, np.inf
    found = np.asarray(jf.jit(lambda x, w: nn.conv2d(x, w, padding=1))(x, w))
    true = convolved(x, w, (1, 1), (1, 1), (1, 1), 1)
    np.testing.assert_array_equal(found, true)
    assert np.isnan(found).sum() == 5 * 9 and np.isinf(found).sum() == 5 * 6


def test_sums_are_as_exact_as_a_librarys() -> None:
    """The error of a sum of many products, against float64, is within twice that of NumPy's BLAS."""
    rng = np.random.default_rng(0)
    x, w = rng.normal(size=(1, 64, 9, 9)).astype("f4"), rng.normal(size=(20, 64, 3, 3)).astype("f4")
    true = SPELLINGS["tensordot"](x.astype("f8"), w.astype("f8"))
    ours = np.asarray(jf.jit(SPELLINGS["tensordot"])(x, w))
    theirs = SPELLINGS["tensordot"](x, w)
    assert np.square(ours - true).mean() <= 4 * np.square(theirs - true).mean()


def test_empty_arrays() -> None:
    x, w = np.ones((2, 3, 4, 5), "f4"), np.ones((6, 3, 3, 3), "f4")
    for cut_x, cut_w in ((x[:0], w), (x, w[:0]), (x[:, :0], w[:, :0])):
        found = np.asarray(jf.jit(SPELLINGS["tensordot"])(cut_x, cut_w))
        np.testing.assert_array_equal(found, SPELLINGS["tensordot"](cut_x, cut_w))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_strips_and_what_is_left_of_them(dtype: str) -> None:
    """Columns about one strip and two, and half of one; few rows and several blocks of them."""
    rng = np.random.default_rng(0)
    line = 128 // np.dtype(dtype).itemsize
    turned = jf.jit(lambda x, y: np.maximum(x @ y.T, 1))
    layer = jf.jit(lambda x, w: np.maximum(nn.conv2d(x, w, padding=1), 1))
    for columns in (
        line // 2,
        line // 2 + 1,
        line + 1,
        2 * line,
        2 * line + 3,
        line + line // 4 + 2,
        5 * line - 1,
    ):
        for rows in (1, 17, 300):
            x, y = drawn(rng, (rows, 290), dtype), drawn(rng, (columns, 290), dtype)
            np.testing.assert_array_equal(np.asarray(turned(x, y)), np.maximum(x @ y.T, 1))
            image, w = drawn(rng, (2, 30, 1, columns), dtype), drawn(rng, (rows, 30, 3, 3), dtype)
            true = np.maximum(convolved(image, w, (1, 1), (1, 1), (1, 1), 1), 1)
            np.testing.assert_array_equal(np.asarray(layer(image, w)), true)


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "int16"])
@pytest.mark.parametrize(
    ("size", "stride"), [((4, 4), 4), ((16, 16), 16), ((3, 7), 5), ((5, 17), 6), ((2, 9), 9), ((3, 3), 3)]
)
def test_windows_far_apart(size: tuple[int, int], stride: int, dtype: str) -> None:
    """As those of patches: of more places than a panel holds, with columns that fill no strip."""
    rng = np.random.default_rng(stride)
    layer = jf.jit(lambda x, w: nn.conv2d(x, w, stride=stride, padding=2) * 2)
    for channels, space in ((3, (40, 67)), (1, (19, 150)), (7, (33, 33))):
        x, w = drawn(rng, (2, channels, *space), dtype), drawn(rng, (33, channels, *size), dtype)
        wide = "float64" if dtype.startswith("float") else "int64"
        true = convolved(x.astype(wide), w.astype(wide), (stride, stride), (2, 2), (1, 1), 1) * 2
        np.testing.assert_array_equal(np.asarray(layer(x, w)), true.astype(dtype))


FOLLOWERS: dict[str, Any] = {
    "bias": lambda found, rest, scale: np.maximum(found + scale[:, None, None], 0),
    "residual": lambda found, rest, scale: np.maximum(found * scale[:, None, None] + rest, 0),
    "gate": lambda found, rest, scale: found / (1 + np.abs(found)),
}


@pytest.mark.parametrize("name", FOLLOWERS)
def test_what_follows_a_convolution_is_made_by_its_kernel(name: str) -> None:
    rng = np.random.default_rng(2)
    x, w, rest, scale = (
        drawn(rng, s, "f4") for s in ((1, 32, 34, 35), (40, 32, 3, 3), (1, 40, 32, 33), (40,))
    )
    follow = FOLLOWERS[name]
    program = jf.jit(lambda x, w, rest, scale: follow(nn.conv2d(x, w), rest, scale))
    wanted = follow(convolved(x, w, (1, 1), (0, 0), (1, 1), 1), rest, scale)
    np.testing.assert_allclose(program(x, w, rest, scale), wanted, rtol=1e-5, atol=1e-5)
    assert len(kernels_of(program, x, w, rest, scale)) == 2  # one of them transforms the weights
    wide = drawn(rng, (40, 32, 3, 5), "f4")
    assert len(kernels_of(program, x, wide, rest[..., :-2].copy(), scale)) == 1


@pytest.mark.parametrize(
    ("shape", "filters", "in_place"),
    [
        ((1, 12, 20, 21), 64, True),
        ((2, 3, 9, 8), 40, False),  # would fill 40 of 48 lanes
        ((1, 40, 9, 20), 96, False),  # 63 windows
        ((1, 20, 12, 22), 256, True),  # 100 windows
    ],
)
def test_windows_are_packed_or_read_in_place(shape: tuple[int, ...], filters: int, in_place: bool) -> None:
    """Weights are packed in place of windows where these are more, and filters fill vectors."""
    rng = np.random.default_rng(filters)
    x, w = drawn(rng, shape, "f4"), drawn(rng, (filters, shape[1], 3, 3), "f4")
    layer = jf.jit(lambda x, w: nn.conv2d(x, w, stride=(1, 2)))
    np.testing.assert_array_equal(layer(x, w), convolved(x, w, (1, 2), (0, 0), (1, 1), 1))
    (kernel,) = kernels_of(layer, x, w)
    assert (": i32 = allocate" in kernel) == in_place, "positions of the places of a window"


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
@pytest.mark.parametrize("shape", [(128, 90, 784), (70, 90, 4000), (2000, 90, 50), (300, 90, 300)])
def test_threads_have_equal_shares_of_a_product(shape: tuple[int, int, int], threads: int) -> None:
    """As many workgroups for each, or so many that one less is a small share."""
    rows, inner, columns = shape
    x, y = np.ones((rows, 9, inner // 9), "f4"), np.ones((inner // 9, 9, columns), "f4")
    program = jf.jit(lambda x, y: np.einsum("iab,baj->ij", x, y))
    np.testing.assert_array_equal(program(x, y), np.full((rows, columns), inner))
    ready = program.program(x, y).ready
    assert ready is not None
    steps = [step for step in ready.template.lowered.plan.steps if isinstance(step, Launch)]
    groups = evaluate(steps[-1].groups, ready.sizes, {"device.threads": threads})
    assert -(-groups // threads) * threads <= 1.1 * groups, f"{groups} workgroups"
