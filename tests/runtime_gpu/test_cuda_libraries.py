"""Linear algebra by cuSOLVER and transforms by cuFFT, on stand-ins that look at each call."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.codegen.c_family import CUDA
from jitframe.codegen.lower.fft import long_chirp
from jitframe.codegen.plan.libraries import FOURIER
from jitframe.codegen.plan.linear_algebra import LINEAR_ALGEBRA
from jitframe.runtime.device import Device
from jitframe.runtime.drivers import cuda, cufft, cusolver
from jitframe.runtime.libraries import provider_of

from . import fake_cupy
from .launches import Spellings

MEMOS = (cuda._cupy, cuda._library, cuda._nvrtc)


@pytest.fixture(scope="module")
def gpus() -> Iterator[fake_cupy.Gpus]:
    spellings = Spellings(CUDA)
    with pytest.MonkeyPatch.context() as patch, spellings.watched():
        for memo in MEMOS:
            memo.cache_clear()
        yield fake_cupy.install(patch, spellings)
    for memo in MEMOS:
        memo.cache_clear()


@pytest.fixture(scope="module")
def device(gpus: fake_cupy.Gpus) -> Device:
    driver = cuda.open(0)
    return Device("cuda", driver.facts, lambda: driver)


def test_functions_have_providers() -> None:
    declared = {function.name for function in (*LINEAR_ALGEBRA, *FOURIER)}
    provided = cusolver.FUNCTIONS | cufft.FUNCTIONS
    elsewhere = {"eig", "eigvals", "lstsq", "complex_eig", "complex_eigvals", "complex_lstsq"}
    assert declared - provided == elsewhere
    assert all(provider_of(name, CUDA.name) is not None for name in provided)


def matrices(shape: tuple[int, ...], dtype: str) -> np.ndarray:
    random = np.random.default_rng(shape[-1])
    made = random.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        made = made + 1j * random.standard_normal(shape)
    return made.astype(dtype)


def positive(a: np.ndarray) -> np.ndarray:
    return a @ a.swapaxes(-1, -2).conj() + a.shape[-1] * np.eye(a.shape[-1], dtype=a.dtype)


def host(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(host(each) for each in value)
    return np.asarray(value.to_device("cpu"))


def check(device: Device, function: Callable[..., Any], *given: np.ndarray) -> tuple[Any, Any]:
    """What the device makes, without the processor, and what NumPy does."""
    before = jf.settings.configure(strict=True)  # a transfer is an error
    try:
        found = function(*[jf.asarray(each, device=device) for each in given])
        made = host(tuple(found) if isinstance(found, tuple) else found)
    finally:
        jf.settings.restore(before)
    return made, function(*given)


SHAPES = [(9, 9), (3, 9, 9)]
DTYPES = ["float32", "float64", "complex64", "complex128"]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_factors_and_solutions(
    device: Device, gpus: fake_cupy.Gpus, shape: tuple[int, ...], dtype: str
) -> None:
    """Where the answer is one alone it is NumPy's."""
    gpus.cusolver.calls.clear()
    a = matrices(shape, dtype)
    sides = matrices((*shape[:-1], 4), dtype)
    tolerance = {"rtol": 1e-4, "atol": 1e-5} if a.real.dtype == np.float32 else {"rtol": 1e-9, "atol": 1e-11}
    cases: list[tuple[Callable[..., Any], tuple[np.ndarray, ...]]] = [
        (np.linalg.cholesky, (positive(a),)),
        (np.linalg.solve, (a, sides)),
        (np.linalg.det, (a,)),
        (np.linalg.eigvalsh, (positive(a),)),
        (lambda a: np.linalg.svd(a, compute_uv=False), (sides,)),
        (lambda a: np.linalg.qr(a), (sides,)),
        (lambda a: np.linalg.qr(a, "complete"), (sides,)),
        (lambda a: np.linalg.qr(a, "r"), (sides.swapaxes(-1, -2),)),
        (lambda a: np.linalg.qr(a, "raw"), (sides,)),
    ]
    for function, given in cases:
        found, wanted = check(device, function, *given)
        several = found if isinstance(found, tuple) else (found,)
        for one, other in zip(several, wanted if isinstance(wanted, tuple) else (wanted,), strict=True):
            assert one.shape == other.shape and one.dtype == other.dtype
            np.testing.assert_allclose(one, other, **tolerance)
    letter, rest = ("z", ("ungqr", "heevd")) if np.dtype(dtype).kind == "c" else ("d", ("orgqr", "syevd"))
    named = {*rest, "potrf", "getrf", "getrs", "geqrf", "gesvd"}
    assert set(gpus.cusolver.calls) == {letter + each for each in named}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(9, 9), (2, 9, 4), (2, 4, 9)], ids=str)
def test_vectors_belong_to_their_values(device: Device, shape: tuple[int, ...], dtype: str) -> None:
    """Signs are the library's own choice."""
    a = matrices(shape, dtype)
    tolerance = 1e-4 if a.real.dtype == np.float32 else 1e-10
    for full in (False, True):
        (u, s, v), wanted = check(device, lambda a, full=full: np.linalg.svd(a, full_matrices=full), a)
        assert [each.shape for each in (u, s, v)] == [each.shape for each in wanted]
        np.testing.assert_allclose(s, wanted[1], rtol=tolerance)
        k = s.shape[-1]
        np.testing.assert_allclose(u[..., :k] * s[..., None, :] @ v[..., :k, :], a, atol=20 * tolerance)
        for each in (u, v.swapaxes(-1, -2)):
            unit = each.swapaxes(-1, -2).conj() @ each
            np.testing.assert_allclose(
                unit, np.broadcast_to(np.eye(unit.shape[-1]), unit.shape), atol=tolerance
            )
    if shape[-1] == shape[-2]:
        for triangle in "LU":  # the other one is not looked at
            (values, vectors), wanted = check(
                device, lambda a, triangle=triangle: np.linalg.eigh(a, UPLO=triangle), a
            )
            half = np.tril(a, -1) if triangle == "L" else np.triu(a, 1)
            whole = half + half.conj().T + np.diag(np.diag(a).real)
            np.testing.assert_allclose(values, wanted[0], rtol=tolerance, atol=tolerance)
            np.testing.assert_allclose(whole @ vectors, vectors * values, atol=20 * tolerance)


def test_failures_are_told_when_the_run_is_waited_for(device: Device) -> None:
    """One matrix of a stack is enough, whichever comes last."""
    good = positive(matrices((3, 9, 9), "float64"))
    for bad in range(3):
        given = good.copy()
        given[bad] = 0
        for function, message in ((np.linalg.cholesky, "not positive definite"), (np.linalg.inv, "Singular")):
            with pytest.raises(np.linalg.LinAlgError, match=message):
                host(function(jf.asarray(given, device=device)))
    found, wanted = check(device, np.linalg.det, np.zeros((9, 9)))
    assert found == wanted == 0


def test_what_the_library_lacks_is_the_processors(device: Device, strict: None) -> None:
    there = jf.asarray(matrices((9, 9), "float64"), device=device)
    with pytest.raises(jf.errors.BackendError, match="the processor does a least-squares solution"):
        host(np.linalg.lstsq(there, there[:, 0], rcond=None)[0])


def test_empty_stacks_and_matrices(device: Device) -> None:
    """They are the processor's, which has nothing to move."""
    for shape in ((0, 9, 9), (2, 0, 0)):
        there = jf.asarray(np.zeros(shape), device=device)
        assert host(np.linalg.cholesky(there)).shape == shape


@pytest.mark.parametrize("points", [2 * 1009, 1009])
def test_transforms(
    device: Device, gpus: fake_cupy.Gpus, points: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of so many points as no kernels are written for; here these are few, as kernels are left out."""
    monkeypatch.setattr(long_chirp, "MOST_POINTS", 1)
    random = np.random.default_rng(points)
    for dtype, tolerance in (("float32", 1e-4), ("float64", 1e-11)):
        x = random.standard_normal((2, points, 3)).astype(dtype)
        z = (x + 1j * random.standard_normal(x.shape)).astype(np.result_type(dtype, np.complex64))
        for norm in ("backward", "ortho", "forward"):
            for function in (
                lambda x, z, norm=norm: np.fft.fft(z, axis=1, norm=norm),
                lambda x, z, norm=norm: np.fft.ifft(z[:, :, 0], norm=norm),
                lambda x, z, norm=norm: np.fft.rfft(x[:, :, 1], norm=norm),
                lambda x, z, norm=norm: np.fft.rfft(x, axis=1, norm=norm),
                lambda x, z, norm=norm: np.fft.irfft(z[:, :, 0], 2 * points - 2 + points % 2, norm=norm),
            ):
                found, wanted = check(device, function, x, z)
                scale = abs(wanted).max()
                np.testing.assert_allclose(found, wanted, atol=tolerance * scale, rtol=tolerance)
    assert gpus.cufft.plans


def test_calls_are_not_recorded(device: Device, gpus: fake_cupy.Gpus) -> None:
    """cuSOLVER waits for the GPU in between; the stand-in refuses it in a capture."""
    a = jf.asarray(positive(matrices((9, 9), "float64")), device=device)
    function = jf.jit(lambda a: np.linalg.cholesky(a + 1) * 2 + a)
    wanted = np.linalg.cholesky(np.asarray(a.to_device("cpu")) + 1) * 2 + np.asarray(a.to_device("cpu"))
    for _ in range(4):
        np.testing.assert_allclose(host(function(a)), wanted, rtol=1e-12)


def test_facts_tell_which_functions_there_are(device: Device) -> None:
    assert device.facts.library_functions == cusolver.FUNCTIONS | cufft.FUNCTIONS
    assert [value for name, value in device.facts.more if name in ("cuSOLVER", "cuFFT")] == ["yes", "yes"]


def test_libraries_that_older_versions_name_as_modules_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    runtime = fake_cupy._namespace(is_hip=False)
    modules = {
        "cupy": fake_cupy._namespace(cuda=fake_cupy._namespace(runtime=runtime)),
        "cupy.cuda.cufft": (found := fake_cupy._namespace()),
    }
    monkeypatch.setattr(cuda, "_module", modules.__getitem__)
    for memo in MEMOS:
        monkeypatch.setattr(cuda, memo.__name__, memo.__wrapped__)
    assert cuda._library("cufft") is found
