"""Fourier transforms against NumPy's: lazily, in jitted functions, and on devices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import ArgumentError, AxisError, DTypeError
from tests.sets import second_set

RNG = np.random.default_rng(3)
REAL = RNG.normal(size=(3, 8, 5))
COMPLEX = REAL + 1j * RNG.normal(size=REAL.shape)
OF_ROWS = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
OF_AXES = ("fftn", "ifftn", "fft2", "ifft2", "rfftn", "irfftn", "rfft2", "irfft2")
FROM_REAL = ("rfft", "ihfft", "rfftn", "rfft2")


def given(name: str, dtype: str = "f8") -> np.ndarray:
    if name in FROM_REAL:
        return REAL.astype(dtype)
    return COMPLEX.astype({"f8": "c16", "f4": "c8"}[dtype])


def check(found: Any, expected: np.ndarray) -> None:
    found = np.asarray(found)
    assert found.shape == expected.shape and found.dtype == expected.dtype
    tolerance = 1e-5 if expected.dtype.itemsize // (1 + (expected.dtype.kind == "c")) == 4 else 1e-13
    np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance * max(1, abs(expected).max(initial=0)))


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("name", OF_ROWS)
def test_rows(name: str, dtype: str) -> None:
    x, ours, numpys = given(name, dtype), getattr(jf.fft, name), getattr(np.fft, name)
    for n, axis, norm in (
        (None, -1, None), (None, 1, "ortho"), (6, 1, "forward"), (13, 0, "backward"), (1, 2, None),
        (7, -2, None),
    )[: 2 if dtype == "f4" else None]:  # fmt: skip
        check(ours(jf.asarray(x), n, axis, norm), numpys(x, n, axis, norm))
    jitted = jf.jit(lambda x: numpys(x * 2, axis=1) + 1)
    check(jitted(x), numpys(x * 2, axis=1) + 1)


@pytest.mark.parametrize("name", OF_AXES)
def test_axes(name: str) -> None:
    x, ours, numpys = given(name), getattr(jf.fft, name), getattr(np.fft, name)
    check(ours(jf.asarray(x)), numpys(x))
    sizes = {"s": (4, 6), "axes": (0, 1), "norm": "ortho"}
    check(ours(jf.asarray(x), **sizes), numpys(x, **sizes))
    check(ours(jf.asarray(x), axes=(2, 0)), numpys(x, axes=(2, 0)))
    check(jf.jit(lambda x: numpys(x) * 2)(x), numpys(x) * 2)


def test_dtypes() -> None:
    for kind in ("?", "i1", "u2", "i8", "f2", "f4", "f8", "c8", "c16"):
        x = REAL[0].astype(kind)
        check(jf.fft.fft(x), np.fft.fft(x))
        if kind not in ("c8", "c16"):
            check(jf.fft.rfft(x), np.fft.rfft(x))
        check(jf.fft.irfft(x), np.fft.irfft(x))


def test_layouts_lengths_and_stacks_without_rows() -> None:
    for x in (REAL.T, REAL[:, ::-2], np.asfortranarray(REAL), REAL[:0], np.zeros((2, 0, 4))):
        check(jf.fft.fft(jf.asarray(x)), np.fft.fft(x))
        check(jf.jit(np.fft.rfft)(x), np.fft.rfft(x))
    rows = jf.jit(np.fft.fft)
    for n in (*range(1, 20), 97, 256, 1000):
        x = RNG.normal(size=n) + 1j * RNG.normal(size=n)
        check(rows(x), np.fft.fft(x))


@pytest.mark.parametrize(
    ("shape", "axis"),
    [
        ((2, 20, 33), 1),
        ((29, 40), 0),
        ((4, 3, 0), 1),
        *second_set(((64, 17), 0), ((82, 11), 0), ((31, 4, 3), 1), ((3, 9, 2, 1), 1), ((2, 900, 4), 1)),
    ],
)
def test_axes_that_others_follow(shape: tuple[int, ...], axis: int) -> None:
    """Columns side by side: a whole number of tiles and not, with large factors, too few for a tile, none.
    Takes seconds: kernels for each."""
    real = RNG.normal(size=shape)
    numbers = real + 1j * RNG.normal(size=shape)
    for dtype, names in (("f4", ("fft", "irfft")), ("f8", ("ifft", "rfft"))):
        x = numbers.astype(np.result_type(dtype, "c8"))
        for name in names:
            given = real.astype(dtype) if name == "rfft" else x
            agrees(name, given, LIMITS[dtype], axis=axis, norm="ortho")


def test_plans_are_for_so_many_columns() -> None:
    """Those of three columns go another way than those of four, whichever was transformed first."""
    jitted = jf.jit(lambda x: np.fft.fft(x, axis=0))
    ways = []
    for columns in (3, 4, 5):
        x = RNG.normal(size=(900, columns)) + 1j
        check(jitted(x), np.fft.fft(x, axis=0))
        ways.append([kernel.name for kernel in jitted.explain(x).kernels])
    assert ways[1] == ["fft_900_columns", "fft_900_rows"] and ways[0] == ways[2] != ways[1]


LENGTHS = (
    (2, "f4"), (6, "f4"), (8, "f8"), (13, "f4"), (29, "f4"), (97, "f8"), (131, "f4"), (360, "f8"),
    (1024, "f8"), *second_set((3, "f8"), (15, "f8"), (16, "f4"), (23, "f8"), (64, "f8"), (75, "f4")),
)  # fmt: skip
"""Each takes half a second: four kernels are compiled."""


def agrees(name: str, x: np.ndarray, limit: float, device: str = "cpu", **arguments: Any) -> None:
    """What is computed is near enough to NumPy's in double precision, relative to the largest one."""
    wide = x.astype("c16" if x.dtype.kind == "c" else "f8")
    expected = getattr(np.fft, name)(wide, **arguments)
    found = getattr(jf.fft, name)(jf.asarray(x, device=device), **arguments).numpy()
    assert found.shape == expected.shape
    assert found.dtype == np.result_type(x.real.dtype, "c8" if expected.dtype.kind == "c" else x.real.dtype)
    limit *= abs(expected).max(initial=0)
    message = f"{name} {x.shape} {arguments}"
    np.testing.assert_allclose(found, expected, rtol=0, atol=limit, err_msg=message)


LIMITS = {"f4": 5e-7, "f8": 2e-15}


def every_kind(n: int, rows: int = 3, dtypes: tuple[str, ...] = tuple(LIMITS)) -> None:
    """Rows of `n` points, there and back."""
    real = RNG.normal(size=(rows, n))
    numbers = real + 1j * RNG.normal(size=(rows, n))
    for dtype in dtypes:
        limit = LIMITS[dtype]
        x = numbers.astype(np.result_type(dtype, "c8"))
        agrees("fft", x, limit)
        agrees("ifft", x, limit, norm="ortho")
        agrees("rfft", real.astype(dtype), limit, norm="forward")
        agrees("irfft", x[:, : n // 2 + 1], limit, n=n)


@pytest.mark.parametrize(("n", "dtype"), LENGTHS)
def test_lengths(n: int, dtype: str) -> None:
    """Of one precision; of both in the slow set."""
    every_kind(n, dtypes=(dtype,))


@pytest.mark.parametrize(
    ("n", "dtype"),
    [
        (8, "f4"), (37, "f8"), (97, "f8"), *second_set((2, "f8")),
        *second_set((3, "f4"), (4, "f8"), (12, "f8"), (23, "f4"), (41, "f4"), (100, "f4"), (113, "f8")),
    ],
)  # fmt: skip
def test_many_short_rows(n: int, dtype: str) -> None:
    """As many as are transformed side by side, and one more."""
    every_kind(n, rows=17, dtypes=(dtype,))


@pytest.mark.parametrize("n", [10000, 43 * 47 * 8, *second_set(16384, 41 * 500, 211 * 64)])
def test_long_rows(n: int) -> None:
    """By columns of a matrix: of small factors, of large primes in one or both, of one that is convolved."""
    x = RNG.normal(size=(2, n)) + 1j * RNG.normal(size=(2, n))
    for dtype, limit in (("c8", 5e-7), ("c16", 2e-15)):
        agrees("fft", x.astype(dtype), limit)
        agrees("ifft", x.astype(dtype), limit)
    agrees("rfft", x.real, 2e-15)


@pytest.mark.parametrize(("n", "kernels"), [(20000, 3), *second_set((8505, 4), (4561, 11))])
def test_long_reals_and_large_factors(n: int, kernels: int) -> None:
    """By long complex rows. Takes seconds: a dozen kernels are compiled."""
    every_kind(n, rows=2, dtypes=("f4",) if n == 20000 else ("f8",))
    name = "rfft" if n != 4561 else "fft"
    x = np.zeros(n, "f8" if name == "rfft" else "c16")
    made = jf.jit(getattr(np.fft, name)).explain(x).kernels
    assert len(made) == kernels and made[-1].name.startswith(("rfft", "fft"))
    x = np.ones((2, n), "f4")
    x[0, n // 3] = np.nan
    found = jf.fft.rfft(jf.asarray(x)).numpy()
    assert np.isnan(found[0]).all() and not np.isnan(found[1]).any()


@pytest.mark.slow  # seconds: rows of megabytes
def test_rows_beyond_the_caches() -> None:
    for n in (8192 * 3, 65536, 5**7, 1 << 20):
        agrees("fft", (RNG.normal(size=n) + 1j * RNG.normal(size=n)).astype("c8"), 5e-7)


@pytest.mark.slow  # minutes: a kernel for each
def test_every_length() -> None:
    for n in (*range(1, 131), 360, 1024):
        every_kind(n)
    for n in (2, 3, 4, 8, 12, 23, 37, 41, 97, 100):
        every_kind(n, rows=17)


def test_errors_are_no_larger_than_numpys() -> None:
    """Root mean square errors of float32, against float64; without a factor NumPy computes in float64."""
    for n, most in ((64, 1.2), (83, 1.3), (97, 1.3), (1000, 1.2), (2187, 1.2), (4096, 1.2), (7560, 1.2)):
        x = (RNG.normal(size=(8, n)) + 1j * RNG.normal(size=(8, n))).astype("c8")
        exact = np.fft.fft(x.astype("c16"), norm="ortho")
        made = jf.fft.fft(jf.asarray(x), norm="ortho").numpy(), np.fft.fft(x, norm="ortho")
        ours, numpys = (np.linalg.norm(each - exact) for each in made)
        assert ours < most * numpys, n


def test_nan_and_inf_reach_every_frequency() -> None:
    for n in (8, 60, 256, 1024):
        x = np.ones((2, n), "c8")
        x[0, n // 3] = np.nan
        found = jf.fft.fft(jf.asarray(x)).numpy()
        assert np.isnan(found[0]).all() and not np.isnan(found[1]).any()
        x[0, n // 3] = np.inf
        assert not np.isfinite(jf.fft.fft(jf.asarray(x)).numpy()[0]).any()


def test_out_is_written_to() -> None:
    x, target = jf.asarray(COMPLEX), jf.zeros(COMPLEX.shape, dtype="c16")
    assert jf.fft.fft(x, out=target) is target
    check(target, np.fft.fft(COMPLEX))
    check(jf.fft.fftn(x, out=target), np.fft.fftn(COMPLEX))


def test_frequencies_and_shifts() -> None:
    for n in (1, 2, 5, 8):
        np.testing.assert_allclose(jf.fft.fftfreq(n, 0.1), np.fft.fftfreq(n, 0.1), rtol=1e-15)
        np.testing.assert_allclose(jf.fft.rfftfreq(n, 0.1), np.fft.rfftfreq(n, 0.1), rtol=1e-15)
    for axes in (None, 0, (0, 2)):
        np.testing.assert_array_equal(jf.fft.fftshift(REAL, axes), np.fft.fftshift(REAL, axes))
        np.testing.assert_array_equal(jf.fft.ifftshift(REAL, axes), np.fft.ifftshift(REAL, axes))


@pytest.mark.parametrize("name", ["opencl", "webgpu"])
def test_on_devices(name: str) -> None:
    """Rows that a workgroup's memory holds, of reals, with a large factor. Takes seconds: the devices'
    compilers."""
    for n in (1, 15, 60, 97):
        real = RNG.normal(size=(3, n))
        x = (real + 1j * RNG.normal(size=(3, n))).astype("c8")
        agrees_on(name, "fft", x, norm="ortho")
        agrees_on(name, "ifft", x)
        agrees_on(name, "rfft", real.astype("f4"), norm="forward")
        agrees_on(name, "irfft", x[:, : n // 2 + 1], n=n)
    agrees_on(name, "fft2", x[:, :12])


@pytest.mark.parametrize("name", ["opencl", "webgpu"])
@pytest.mark.parametrize("shape", [(5, 9, 4), (9, 40), (4, 9, 0)])
def test_columns_on_devices(name: str, shape: tuple[int, ...]) -> None:
    real = RNG.normal(size=shape)
    x = (real + 1j * RNG.normal(size=shape)).astype("c8")
    for axis in (0, 1):
        if shape[axis]:
            agrees_on(name, "fft", x, axis=axis)
            agrees_on(name, "rfft", real.astype("f4"), axis=axis)
            agrees_on(name, "irfft", x, axis=axis)


@pytest.mark.parametrize("name", ["opencl", "webgpu"])
def test_long_rows_on_devices(name: str) -> None:
    """By several launches; what is around them is computed in the first and the last one."""
    n = 5000
    x = (RNG.normal(size=(2, n)) + 1j * RNG.normal(size=(2, n))).astype("c8")
    agrees_on(name, "fft", x)
    agrees_on(name, "rfft", x.real)
    given, factors = jf.asarray(x, device=name), jf.asarray(x[0], device=name)
    filtered = jf.jit(lambda x, h: np.fft.ifft(np.fft.fft(x * 2) * h) * 3)
    check(filtered(given, factors), np.fft.ifft(np.fft.fft(x * 2) * x[0]) * 3)
    kernels = [kernel.name for kernel in filtered.explain(given, factors).kernels]
    assert kernels == ["roots_of_unity", *("fft_5000_0", "fft_5000_1") * 2]


@pytest.mark.slow  # minutes: kernels for each
@pytest.mark.parametrize("name", ["opencl", "webgpu"])
def test_every_length_on_devices(name: str) -> None:
    for n in (*range(1, 201), 211, 1009, 2310, 4096, 8191, 30030, 1 << 18):
        real = RNG.normal(size=(3, n))
        x = real + 1j * RNG.normal(size=(3, n))
        for dtype, limit in (("f4", 5e-7), ("f8", 2e-15)):
            if dtype == "f8" and name == "webgpu":
                continue
            numbers = x.astype(np.result_type(dtype, "c8"))
            agrees_on(name, "fft", numbers, limit)
            agrees_on(name, "rfft", real.astype(dtype), limit)
            agrees_on(name, "irfft", numbers[:, : n // 2 + 1], limit, n=n)


def agrees_on(device: str, name: str, x: np.ndarray, limit: float = 5e-7, **arguments: Any) -> None:
    agrees(name, x, limit, device, **arguments)
    plan = jf.jit(lambda x: getattr(np.fft, name)(x, **arguments)).explain(jf.asarray(x, device=device)).plan
    assert "call" not in plan, "a library's function"


def low_pass(signal: np.ndarray, keep: int) -> np.ndarray:
    spectrum = np.fft.rfft(signal)
    spectrum[keep:] = 0
    return np.fft.irfft(spectrum, len(signal))


def power_spectrum(signal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    spectrum = np.fft.rfft(signal * np.hanning(len(signal)))
    return np.fft.rfftfreq(len(signal), d=0.01), np.abs(spectrum) ** 2 / len(signal)


def convolve(image: np.ndarray, kernel: np.ndarray) -> np.ndarray:
    return np.real(np.fft.ifft2(np.fft.fft2(image) * np.fft.fft2(kernel, s=image.shape)))


def poisson(source: np.ndarray) -> np.ndarray:
    n = source.shape[0]
    k = 2 * np.pi * np.fft.fftfreq(n)
    square = k[:, None] ** 2 + k[None, :] ** 2
    square[0, 0] = 1
    transformed = np.fft.fft2(source) / -square
    transformed[0, 0] = 0
    return np.fft.ifft2(transformed).real


def test_programs() -> None:
    signal, image = RNG.normal(size=200), RNG.normal(size=(16, 16))
    check(jf.jit(low_pass)(signal, 20), low_pass(signal, 20))
    for found, expected in zip(jf.jit(power_spectrum)(signal), power_spectrum(signal), strict=True):
        check(found, expected)
    check(jf.jit(convolve)(image, image[:3, :3]), convolve(image, image[:3, :3]))
    check(jf.jit(poisson)(image), poisson(image))


def test_complex_arrays_are_transformed_where_they_lie() -> None:
    """No kernel takes numbers apart, scales them, or puts them together again."""
    for kind in ("c8", "c16"):
        x = np.ones((3, 8), kind)
        for function in (np.fft.fft, np.fft.ifft, lambda x: np.fft.ifft(x, norm="forward")):
            assert [kernel.name for kernel in jf.jit(function).explain(x).kernels] == ["fft_8"]
    assert [kernel.name for kernel in jf.jit(np.fft.rfft).explain(np.ones((3, 8))).kernels] == ["rfft_8"]
    assert [kernel.name for kernel in jf.jit(np.fft.fft).explain(np.ones(8, "c8")).kernels] == ["fft_8"]
    kernels = jf.jit(np.fft.fftn).explain(np.ones((4, 16, 32), "c16")).kernels
    assert [kernel.name for kernel in kernels] == [
        "fft_32_side_by_side", "fft_16_columns", "fft_4_columns"
    ]  # fmt: skip


def test_what_does_not_fit_is_said() -> None:
    with pytest.raises(ArgumentError, match=r"Invalid number of FFT data points \(0\)"):
        jf.fft.fft(REAL, 0)
    with pytest.raises(ArgumentError, match="Invalid number"):
        jf.fft.rfft(np.zeros((3, 0)))
    with pytest.raises(DTypeError, match="the input is real, not complex128"):
        jf.fft.rfft(COMPLEX)
    with pytest.raises(ArgumentError, match=r"norm must be one of 'backward', 'ortho', or 'forward'"):
        jf.fft.fft(REAL, norm="both")
    with pytest.raises(AxisError, match="axis 3"):
        jf.fft.fft(REAL, axis=3)
    with pytest.raises(ArgumentError, match="different lengths"):
        jf.fft.fft2(REAL, s=(3,))
    for function in (jf.fft.fftn, jf.fft.rfftn, jf.fft.irfftn):
        with pytest.raises(AxisError, match="axis -2"):
            function(np.ones(3), s=(2, 2))
