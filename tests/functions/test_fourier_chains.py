"""Fourier transforms with elementwise operations around them: what is computed in their kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitframe as jf

RNG = np.random.default_rng(5)
F = np.fft


def real(*shape: int) -> np.ndarray:
    return RNG.normal(size=shape)


def numbers(*shape: int) -> np.ndarray:
    return real(*shape) + 1j * real(*shape)


def kernels(function: Callable[..., Any], *arguments: Any) -> list[str]:
    """What is compiled for a call, which gives what NumPy does."""
    jitted = jf.jit(function)
    expected, found = function(*arguments), jitted(*arguments)
    assert found.shape == expected.shape and found.dtype == expected.dtype
    limit = 1e-13 if expected.real.dtype == "f8" else 1e-5
    np.testing.assert_allclose(found, expected, rtol=0, atol=limit * abs(expected).max(initial=0))
    return [kernel.name for kernel in jitted.explain(*arguments).kernels]


def filtered(x: np.ndarray, h: np.ndarray) -> np.ndarray:
    return F.ifft(F.fft(x) * h)


def filtered_reals(x: np.ndarray, h: np.ndarray) -> np.ndarray:
    return F.irfft(F.rfft(x) * h, x.shape[-1])


@pytest.mark.parametrize("n", [1, 2, 12, 15, 97, 256])
def test_filters_of_rows_are_one_kernel(n: int) -> None:
    """Rows by themselves, and side by side. Takes seconds: kernels for each."""
    for rows, ending in ((3, ""), (20, "_side_by_side")):
        side_by_side = ending if 8 <= n <= 128 else ""
        assert kernels(filtered, numbers(rows, n), numbers(n)) == [f"fft_{n}_fft_{n}{side_by_side}"]
        side_by_side = ending if (n if n % 2 else n // 2) > 1 and n > 2 else ""
        found = kernels(filtered_reals, real(rows, n), numbers(n // 2 + 1))
        assert found == [f"rfft_{n}_irfft_{n}{side_by_side}"]


@pytest.mark.parametrize("shape", [(24, 40), (2, 3, 24, 40)])
def test_filters_of_images_keep_columns_in_the_cache(shape: tuple[int, ...]) -> None:
    names = kernels(lambda x, h: F.ifft2(F.fft2(x) * h).real, numbers(*shape), real(24, 40))
    assert names == ["fft_40_side_by_side", "fft_24_fft_24_columns", "fft_40_side_by_side"]
    names = kernels(lambda x, h: F.irfft2(F.rfft2(x) * h), real(*shape), numbers(24, 21))
    assert names == ["rfft_40_side_by_side", "fft_24_fft_24_columns", "irfft_40_side_by_side"]


def test_what_is_in_front_and_behind() -> None:
    """Of rows, columns, stacks; the operand of the transform is a broadcast, a part, a pad, a number."""
    assert kernels(lambda x, w: abs(F.rfft(x * w)), real(5, 4, 64), real(64)) == ["rfft_64_side_by_side"]
    assert kernels(lambda x: F.fft(x * 2) + 1, real(3, 60)) == ["fft_60"]
    assert kernels(lambda x, y: F.fft(x[:, None] * y), numbers(3, 60), real(5, 1)) == ["fft_60_side_by_side"]
    assert kernels(lambda x: F.fft(x[::-1, 10:]).T, numbers(3, 60)) == ["fft_50"]
    assert kernels(lambda x: F.fft(x * 2, axis=1).imag, numbers(3, 20, 9)) == ["fft_20_columns"]
    assert kernels(lambda x: (F.fft(x) + 1, 2)[0], numbers(16384)) == ["fft_16384_columns", "fft_16384_rows"]


@pytest.mark.parametrize(("n", "count"), [(20000, 6), (8505, 8), (4561, 18)])
def test_long_rows_load_and_store_what_is_around_them(n: int, count: int) -> None:
    """Of reals, and for large factors. Takes seconds: a dozen kernels."""
    if n == 4561:
        for reals in (n, 2 * n):
            kernels(lambda x, h: F.irfft(F.rfft(x + 1) * h, len(x)) + 1, real(reals), numbers(reals // 2 + 1))
        assert len(kernels(lambda x, h: F.ifft(F.fft(x + 1) * h) * h, numbers(2, n), numbers(n))) == count
    else:
        found = kernels(lambda x, h: F.irfft(F.rfft(x + 1) * h, n) + 1, real(n), numbers(n // 2 + 1))
        assert len(found) == count


def test_steps_that_follow_one_another() -> None:
    """A wave in a potential: each step ends in rows, where the next one begins."""

    def steps(wave: np.ndarray, potential: np.ndarray, kinetic: np.ndarray) -> np.ndarray:
        for _ in range(3):
            wave = F.ifft2(F.fft2(wave * potential) * kinetic)
        return wave

    rows, columns = "fft_40_fft_40_side_by_side", "fft_32_fft_32_columns"
    names = kernels(steps, numbers(32, 40), numbers(32, 40), numbers(32, 40))
    assert names == ["fft_40_side_by_side", columns, rows, columns, rows, columns, "fft_40_side_by_side"]
    both = kernels(lambda x, h: F.rfft(F.irfft(F.rfft(x) * h) ** 2) * h, real(3, 200), numbers(101))
    assert both == ["rfft_200_irfft_200_rfft_200"]


def low_pass(x: np.ndarray, keep: int) -> np.ndarray:
    spectrum = F.rfft(x)
    spectrum[..., keep:] = 0
    return F.irfft(spectrum, x.shape[-1])


def band(x: np.ndarray, low: int, high: int) -> np.ndarray:
    spectrum = F.fft(x)
    spectrum[..., :low] = spectrum[..., high:] = 2 - 1j
    return F.ifft(spectrum)


def test_windows_of_spectra() -> None:
    """What is written into a spectrum, or into rows of zeros, is chosen where a transform reads it."""
    assert kernels(low_pass, real(3, 200), 20) == ["rfft_200_irfft_200"]
    assert kernels(band, numbers(3, 64), 5, 20) == ["fft_64_fft_64"]
    assert kernels(lambda x: F.rfft(x, 400), real(3, 200)) == ["rfft_400"]
    assert kernels(lambda x: F.fft(x, 90), numbers(3, 50)) == ["fft_90"]
    padded = kernels(lambda x, h: F.irfft(F.rfft(x, 80) * F.rfft(h, 80)), real(40), real(40))
    assert padded == ["rfft_80", "rfft_80_irfft_80"]


def test_windows_that_are_no_part_of_an_axis() -> None:
    """None or all of it, steps, several axes, padding that is longer; what is read elsewhere too."""
    for keep in (0, 11, 33, 50):
        kernels(low_pass, real(20, 64), keep)
    for low, high in ((0, 64), (7, 7), (9, 3)):
        kernels(band, numbers(2, 64), low, high)

    def others(x: np.ndarray) -> np.ndarray:
        spectrum = F.fft2(x)
        spectrum[:, ::2] = 0
        spectrum[3:-3] = 1
        spectrum[2, 5:] = x[0, 5:]
        return F.ifft2(spectrum) + spectrum

    kernels(others, numbers(16, 12))
    kernels(lambda x: F.fft2(x, (40, 24)), numbers(16, 12))


def test_windows_move_without_another_kernel() -> None:
    jitted = jf.jit(low_pass)
    for n in (40, 64):
        x = real(4, n)
        for keep in range(1, n // 2):
            np.testing.assert_allclose(jitted(x, keep), low_pass(x, keep), atol=1e-12)
    assert jitted.stats()["compiled"] <= 4, "one for each length, and for what is no window"


def test_loops_of_transforms() -> None:
    def steps(wave: np.ndarray, potential: np.ndarray, kinetic: np.ndarray, count: int) -> np.ndarray:
        for _ in range(count):
            wave = F.ifft(F.fft(wave * potential) * kinetic)
        return wave

    unit = np.exp(1j * real(64))
    assert kernels(steps, numbers(64), unit, unit, 2) == ["fft_64_fft_64_fft_64_fft_64"]
    four = "fft_64_fft_64_fft_64_fft_64"
    assert kernels(steps, numbers(64), unit, unit, 5) == [four, four, "fft_64_fft_64"]
    assert kernels(steps, numbers(64), unit, unit, 200)[0] == "fft_64_fft_64"


def test_what_others_need_is_in_memory() -> None:
    """A spectrum that is a result as well, or is read elsewhere, or by two groups."""

    def both(x: np.ndarray, h: np.ndarray) -> np.ndarray:
        spectrum = F.fft(x)
        return F.ifft(spectrum * h) + spectrum[::-1]

    assert len(kernels(both, numbers(20, 64), numbers(64))) == 2
    x, h = numbers(3, 64), numbers(64)
    spectrum, result = jf.jit(lambda x, h: ((z := F.fft(x)), F.ifft(z * h)))(x, h)
    np.testing.assert_allclose(spectrum, F.fft(x), atol=1e-12)
    np.testing.assert_allclose(result, filtered(x, h), atol=1e-12)
    assert kernels(lambda x, y: F.ifft(F.fft(x) * F.fft(y)), x, x + 1) == ["fft_64", "fft_64_fft_64"]


@pytest.mark.parametrize("rows", [3, 20])
def test_arguments_that_are_written_over(rows: int) -> None:
    """What a kernel reads again for another row, or for a column of two tiles, it does not write over."""

    def shifted(x: np.ndarray, h: np.ndarray) -> None:
        x[...] = F.ifft(F.fft(x) * h + x[::-1])

    def columns(x: np.ndarray, h: np.ndarray) -> None:
        x[...] = F.ifft(F.fft(x, axis=0) * h, axis=0) + 1

    for function, h in ((shifted, numbers(64)), (columns, numbers(rows, 1))):
        x = numbers(rows, 64)[:, : 64 if function is shifted else 29].copy()
        expected = x.copy()
        function(expected, h)
        jf.jit(function)(x, h)
        np.testing.assert_allclose(x, expected, atol=1e-12)


def test_other_lengths_and_layouts() -> None:
    """Few columns and those of reals are made rows first, between kernels of what is around them."""
    h = numbers(100)
    assert len(kernels(lambda x: F.ifft(F.fft(x, axis=0) * h[:, None], axis=0) + 1, numbers(100, 3))) > 4
    assert len(kernels(lambda x: F.irfft(F.rfft(x * 2, axis=0) * h[:51, None], axis=0), real(100, 33))) > 4
    assert filtered(np.zeros((0, 64)), h[:64]).shape == jf.jit(filtered)(np.zeros((0, 64)), h[:64]).shape
    x = numbers(20, 128)[:, ::2]
    assert kernels(filtered, x, h[:64]) == ["fft_64_fft_64_side_by_side"]
    assert kernels(filtered, x.astype("c8"), h[:64].astype("c8")) == ["fft_64_fft_64_side_by_side"]


def test_imaginary_parts_of_real_frequencies_are_nothing() -> None:
    """Those of the first and of the last one, also where they are computed in front of the transform."""
    for n in (8, 9, 64, 65):
        for rows in (1, 20):
            h = numbers(n // 2 + 1) * 1j
            assert kernels(filtered_reals, real(rows, n), h)


@pytest.mark.parametrize("name", ["opencl", "webgpu"])
def test_on_devices(name: str) -> None:
    """Chains are lowered group by group there."""
    x, h = numbers(3, 60).astype("c8"), numbers(60).astype("c8")
    given, factors = (jf.asarray(each, device=name) for each in (x, h))
    found = jf.fft.ifft(jf.fft.fft(given * 2) * factors) + 1
    np.testing.assert_allclose(found.numpy(), filtered(x * 2, h) + 1, atol=1e-4)
