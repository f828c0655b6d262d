"""Products of few rows with windows of an image, against sums over the windows in NumPy."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view

import jitframe as jf
from jitframe.codegen.kernel.text import kernel_text
from jitframe.ir.passes.window_products import TOGETHER
from jitframe.runtime.cpu.kernels.compiled_kernels import llvm_text
from jitframe.runtime.cpu.machine_code.compile import assembly
from jitframe.runtime.cpu.machine_code.levels import level_target

from .programs import ready_of

RNG = np.random.default_rng(4)


def expected(
    x: np.ndarray, w: np.ndarray, stride: tuple[int, ...], dilation: tuple[int, ...], padding: tuple[int, ...]
) -> np.ndarray:
    """Of [batch, channels, *space] and [out, 1 or channels / groups, *window]."""
    rank = w.ndim - 2
    whole = np.pad(x, [(0, 0), (0, 0), *((each, each) for each in padding)])
    reach = [(k - 1) * d + 1 for k, d in zip(w.shape[2:], dilation, strict=True)]
    seen = sliding_window_view(whole, reach, axis=tuple(range(2, 2 + rank)))
    seen = seen[(..., *(slice(None, None, step) for step in stride), *[slice(None)] * rank)]
    seen = seen[(..., *(slice(None, None, step) for step in dilation))]
    groups = x.shape[1] // w.shape[1]
    seen = seen.reshape((x.shape[0], groups, w.shape[1], *seen.shape[2:]))
    rows = w.reshape((groups, -1, *w.shape[1:]))
    space, window = "xyz"[:rank], "ijk"[:rank]
    made = np.einsum(f"bgc{space}{window},goc{window}->bgo{space}", seen, rows)
    return made.reshape((x.shape[0], w.shape[0], *made.shape[3:]))


# image, weights, stride, dilation, padding
CASES: dict[str, tuple[Any, ...]] = {
    "one tile for a channel": ((2, 5, 14, 14), (5, 1, 3, 3), (1, 1), (1, 1), (1, 1)),
    "a line shorter than a vector": ((1, 9, 7, 7), (9, 1, 3, 3), (1, 1), (1, 1), (1, 1)),
    "lines longer than a tile": ((1, 2, 9, 700), (2, 1, 3, 5), (1, 1), (1, 1), (1, 2)),
    "more lines than a tile has": ((1, 2, 333, 70), (2, 1, 5, 3), (1, 1), (1, 1), (2, 1)),
    "every second result": ((1, 3, 31, 600), (3, 1, 3, 3), (2, 2), (1, 1), (1, 1)),
    "every second of windows of five": ((1, 3, 33, 51), (3, 1, 5, 5), (2, 2), (1, 1), (2, 2)),
    "small windows of groups with gaps": ((1, 6, 21, 45), (4, 3, 2, 3), (1, 1), (3, 2), (3, 2)),
    "every third line": ((1, 3, 40, 33), (3, 1, 7, 3), (3, 1), (1, 1), (2, 0)),
    "every third result": ((1, 3, 12, 33), (3, 1, 3, 3), (1, 3), (1, 1), (1, 1)),
    "windows with gaps": ((1, 3, 30, 40), (3, 1, 3, 3), (1, 1), (2, 3), (2, 3)),
    "gaps and steps": ((1, 2, 41, 35), (2, 1, 3, 4), (2, 2), (2, 2), (1, 0)),
    "several rows": ((2, 3, 10, 19), (9, 1, 3, 3), (1, 1), (1, 1), (1, 1)),
    "several channels in a group": ((2, 6, 12, 20), (9, 2, 3, 3), (1, 1), (1, 1), (1, 1)),
    "large windows": ((1, 2, 40, 40), (2, 1, 13, 31), (1, 1), (1, 1), (6, 15)),
    "mostly zeros": ((1, 2, 2, 3), (2, 1, 5, 5), (1, 1), (1, 1), (4, 4)),
    "flat windows": ((1, 2, 9, 21), (2, 1, 1, 5), (1, 1), (1, 1), (0, 2)),
    "sequences": ((2, 5, 300), (5, 1, 4), (1,), (1,), (3,)),
    "every second of a sequence": ((2, 3, 301), (6, 1, 9), (2,), (1,), (4,)),
    "a sequence with gaps": ((1, 6, 50), (6, 2, 3), (1,), (4,), (4,)),
    "images side by side": ((3, 37, 7, 7), (37, 1, 3, 3), (1, 1), (1, 1), (1, 1)),
    "every second of images side by side": ((1, 16, 13, 14), (16, 1, 5, 3), (2, 2), (1, 1), (2, 1)),
    "every fifth of images side by side": ((1, 9, 41, 80), (9, 1, 3, 7), (3, 5), (1, 1), (0, 3)),
    "gaps in windows of images side by side": ((2, 20, 11, 9), (20, 1, 3, 4), (1, 2), (2, 3), (3, 6)),
    "large windows of images side by side": ((1, 24, 6, 7), (24, 1, 9, 7), (1, 1), (1, 1), (4, 3)),
    "several rows of images side by side": ((2, 18, 10, 6), (54, 1, 3, 3), (1, 1), (1, 1), (1, 1)),
    "several channels of images side by side": ((2, 60, 9, 8), (40, 3, 3, 3), (1, 1), (1, 1), (1, 1)),
    "hardly more than zeros": ((1, 10, 1, 2), (10, 1, 3, 3), (1, 1), (1, 1), (2, 2)),
    "many lines of images side by side": ((1, 8, 300, 16), (8, 1, 7, 3), (1, 1), (1, 1), (3, 1)),
    "long lines of images side by side": ((1, 17, 9, 300), (17, 1, 3, 3), (1, 2), (1, 1), (1, 1)),
    "a few of long lines side by side": ((2, 20, 5, 333), (20, 1, 3, 5), (1, 3), (1, 2), (2, 4)),
    "long sequences side by side": ((2, 33, 3000), (33, 1, 4), (1,), (1,), (3,)),
    "sequences side by side": ((2, 33, 15), (33, 1, 4), (1,), (1,), (3,)),
    "volumes side by side": ((2, 17, 4, 5, 6), (34, 1, 3, 2, 3), (2, 1, 1), (1, 2, 1), (1, 1, 1)),
    "volumes": ((1, 2, 5, 9, 18), (4, 1, 3, 2, 3), (2, 1, 1), (1, 2, 1), (1, 1, 1)),
}


@pytest.mark.parametrize("name", list(CASES))
@pytest.mark.usefixtures("strict")
def test_windows_of_images(name: str) -> None:
    shape, size, stride, dilation, padding = CASES[name]
    x, w = (RNG.integers(-9, 10, each).astype("f4") for each in (shape, size))
    bias = np.arange(float(size[0]), dtype="f4").reshape(-1, *(1,) * (len(shape) - 2))
    conv = {3: jf.nn.conv1d, 4: jf.nn.conv2d, 5: jf.nn.conv3d}[len(shape)]
    groups = shape[1] // size[1]

    @jf.jit
    def program(x: Any, w: Any) -> Any:
        made = conv(x, w, stride=stride, dilation=dilation, padding=padding, groups=groups)
        return np.maximum(made + bias, 0)

    true = np.maximum(expected(x, w, stride, dilation, padding) + bias, 0)
    np.testing.assert_array_equal(program(x, w), true)  # of integers, whose sums are exact


@pytest.mark.parametrize("name", [name for name in CASES if "side by side" in name])
def test_channels_last(name: str) -> None:
    """Images whose channels are neighbours in memory, and results of that order."""
    shape, size, stride, dilation, padding = CASES[name]
    x, w = (RNG.integers(-9, 10, each).astype("f4") for each in (shape, size))
    conv = {3: jf.nn.conv1d, 4: jf.nn.conv2d, 5: jf.nn.conv3d}[len(shape)]
    rest = {"stride": stride, "dilation": dilation, "padding": padding, "groups": shape[1] // size[1]}

    @jf.jit
    def program(x: Any, w: Any) -> Any:
        return np.moveaxis(np.maximum(conv(np.moveaxis(x, -1, 1), w, **rest), 0), 1, -1)

    true = np.moveaxis(np.maximum(expected(x, w, stride, dilation, padding), 0), 1, -1)
    last = np.ascontiguousarray(np.moveaxis(x, 1, -1))
    np.testing.assert_array_equal(program(last, w), true)


@pytest.mark.parametrize("shape", [(2, 3, 9, 17), (2, 19, 9, 7)], ids=["lines", "images"])
@pytest.mark.parametrize("dtype", ["f8", "f2", "i2", "u1", "i8", "?"])
def test_dtypes(dtype: str, shape: tuple[int, ...]) -> None:
    x, w = (RNG.integers(0, 3, each).astype(dtype) for each in (shape, (shape[1], 1, 3, 3)))
    found = jf.jit(lambda x, w: jf.nn.conv2d(x, w, padding=1, groups=shape[1]))(x, w)
    wide = expected(x.astype("i8"), w.astype("i8"), (1, 1), (1, 1), (1, 1))
    np.testing.assert_array_equal(found, wide.astype(dtype))
    assert found.dtype == np.dtype(dtype)


def test_one_kernel_and_no_memory_for_zeros() -> None:
    """What follows is in the kernel of the product, and so are the zeros around the image."""
    x, w = np.ones((1, 8, 20, 24), "f4"), np.ones((8, 1, 3, 3), "f4")
    program = jf.jit(lambda x, w: np.maximum(jf.nn.conv2d(x, w, padding=1, groups=8) + 1, 0))
    text = str(program.explain(x, w))
    assert "window_dot" in text and "1 kernel" in text, text
    assert "part of an array is written" not in text


def test_zeros_that_others_read_are_in_memory_too() -> None:
    x, w = RNG.normal(size=(1, 8, 20, 24)), RNG.normal(size=(8, 1, 3, 3))

    @jf.jit
    def program(x: Any, w: Any) -> Any:
        whole = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
        return jf.nn.conv2d(whole, w, groups=8), whole

    found, whole = program(x, w)
    np.testing.assert_array_equal(whole, np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1))))
    np.testing.assert_allclose(found, expected(x, w, (1, 1), (1, 1), (1, 1)), atol=1e-12)


@pytest.mark.parametrize("step", [-1, 1, 2])
def test_views_of_images(step: int) -> None:
    """What runs backwards or has gaps along the lines is no such product; the result is the same."""
    x, w = RNG.normal(size=(1, 4, 30, 50)), RNG.normal(size=(4, 1, 3, 3))
    view = x[:, :, ::step, 5::step]
    found = jf.jit(lambda x, w: jf.nn.conv2d(x, w, padding=1, groups=4))(view, w)
    np.testing.assert_allclose(found, expected(view, w, (1, 1), (1, 1), (1, 1)), atol=1e-12)
    found = jf.jit(lambda x, w: jf.nn.conv2d(x[:, :, ::step, 5::step], w, padding=1, groups=4))(x, w)
    np.testing.assert_allclose(found, expected(view, w, (1, 1), (1, 1), (1, 1)), atol=1e-12)


def depthwise(height: int, width: int, size: int, dtype: str = "f4", stride: int = 1) -> Any:
    """The template of a convolution of three channels."""
    x, w = (np.ones(shape, dtype) for shape in ((1, 3, height, width), (3, 1, size, size)))
    return ready_of(lambda x, w: jf.nn.conv2d(x, w, stride=stride, padding=1, groups=3), x, w).template


def test_small_windows_are_unrolled() -> None:
    """A plan serves images of any size; of windows, that of few places has one for its own size alone."""

    def products(template: Any) -> int:
        (kernel,) = template.lowered.plan.kernels
        return kernel_text(kernel).count("multiply_add")

    small, large = depthwise(30, 41, 3), depthwise(30, 41, 7)
    assert depthwise(53, 67, 3) is small and depthwise(53, 67, 7) is large and depthwise(53, 67, 9) is large
    assert products(small) == 2 * TOGETHER * 9
    assert products(depthwise(30, 41, 5)) == 2 * TOGETHER * 25
    assert products(large) < TOGETHER * 49


@pytest.mark.parametrize(("level", "register"), [("avx2", "ymm"), ("avx512", "zmm")])
@pytest.mark.parametrize(("dtype", "stride"), [("f4", 1), ("f4", 2), ("f8", 1)])
def test_sums_of_small_windows_stay_in_registers(level: str, register: str, dtype: str, stride: int) -> None:
    """Of those that are summed together: a vector for each line, or two where these are narrow."""
    (kernel,) = depthwise(30, 41, 3, dtype, stride).lowered.plan.kernels
    target = level_target(level)
    lines = assembly(llvm_text(kernel, target), target).splitlines()
    places = [number for number, line in enumerate(lines) if "\tvfmadd" in line]
    wide = [register in lines[number] for number in places]
    assert sum(wide) == (TOGETHER * 9 if register == "zmm" else 3 * TOGETHER * 9)
    assert not [lines[number] for number in places if not re.search(r"\tvfmadd\d+p[sd]\t", lines[number])]
    spilled = [
        line for line in lines[places[0] : places[-1]] if re.search(r"vmov.*%[yz]mm\d+, .*\(%rsp\)$", line)
    ]
    assert not spilled, spilled
