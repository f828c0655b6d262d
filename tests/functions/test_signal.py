"""The functions of `jf.signal` are SciPy's: lazily, in jitted functions, and on devices, all in a few
programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import signal

import jitframe as jf
from jitframe.errors import ArgumentError, AxisError, DTypeError, JitframeError, ShapeError, UnsupportedError
from tests.conformance.devices import require
from tests.functions.compare import interpreted

RNG = np.random.default_rng(11)
LONG = RNG.normal(size=200)
ROWS = RNG.normal(size=(3, 61))
PLANE, TAPS = RNG.normal(size=(9, 8)), RNG.normal(size=(3, 4))
COMPLEX = ROWS + 1j * RNG.normal(size=ROWS.shape)
INTEGERS = RNG.integers(-9, 9, size=30)
B, A = signal.butter(3, 0.3)
SOS = signal.butter(4, 0.25, output="sos")

Program = Callable[[Any, Any], Any]
CASES: dict[str, tuple[Program, tuple[np.ndarray, ...]]] = {
    **{
        f"{name} {mode} {k}": (lambda s, x, y, name=name, mode=mode: getattr(s, name)(x, y, mode), given)
        for name in ("convolve", "correlate", "fftconvolve", "oaconvolve")
        for mode in ("full", "same", "valid")
        for k, given in enumerate(((LONG, LONG[:9]), (LONG[:9], LONG), (PLANE, TAPS), (TAPS, PLANE)))
    },
    **{
        f"{name} {mode} {around}": (
            lambda s, x, y, name=name, mode=mode, around=around: getattr(s, name)(x, y, mode, around, 2.0),
            (PLANE, TAPS),
        )
        for name in ("convolve2d", "correlate2d")
        for mode in ("full", "same", "valid")
        for around in ("fill", "wrap", "symm")
    },
    "convolve integers": (lambda s, x, y: s.convolve(x, y), (INTEGERS, INTEGERS[:7])),
    "correlate complex": (lambda s, x, y: s.correlate(x, y, "same"), (COMPLEX[0], COMPLEX[1][:9])),
    "fftconvolve axes": (lambda s, x, y: s.fftconvolve(x, y, "same", axes=1), (COMPLEX, COMPLEX[:1, :5])),
    "oaconvolve axes": (lambda s, x, y: s.oaconvolve(x, y, axes=-1), (ROWS, ROWS[:1, :3])),
    "oaconvolve long": (lambda s, x, y: s.oaconvolve(x, y, "same"), (np.tile(LONG, 9), LONG[:11])),
    "lags": (lambda s: np.asarray(s.correlation_lags(5, 9, "same")), ()),
    **{
        f"lfilter {k}": (lambda s, x, b=b, a=a: s.lfilter(b, a, x, axis=1), (x,))
        for k, (b, a, x) in enumerate(
            (
                (B, A, ROWS),
                ([1.0], [2.0, -0.5], ROWS),
                ([0.5, 0.2, 0.1], [2.0], ROWS),
                (B, [1.0, 0.1], COMPLEX),
            )
        )
    },
    "lfilter vector": (lambda s, b, a, x: s.lfilter(b, a, x), (B, A, LONG)),
    "lfilter first axis": (lambda s, x: s.lfilter(B, A, x, axis=0), (ROWS.T,)),
    "lfilter state": (lambda s, x: s.lfilter(B, A, x, zi=s.lfilter_zi(B, A) * x[..., :1]), (ROWS,)),
    "lfilter state of taps": (lambda s, x, z: s.lfilter([1.0, 0.5, 0.2], 1.0, x, zi=z), (ROWS, ROWS[:, :2])),
    "filtfilt": (lambda s, x: s.filtfilt(B, A, x, axis=0), (ROWS.T,)),
    "filtfilt even": (lambda s, x: s.filtfilt(B, A, x, padtype="even", padlen=5), (ROWS,)),
    "filtfilt constant": (lambda s, x: s.filtfilt([0.5, 0.5], [1.0], x, padtype="constant"), (ROWS,)),
    "filtfilt alone": (lambda s, x: s.filtfilt(B, A, x, padtype=None), (ROWS,)),
    "sosfilt": (lambda s, x: s.sosfilt(SOS, x, axis=0), (ROWS.T,)),
    "sosfilt state": (
        lambda s, x: s.sosfilt(SOS, x, zi=np.tile(s.sosfilt_zi(SOS)[:, None, :], (1, 3, 1))),
        (ROWS,),
    ),
    "sosfiltfilt": (lambda s, x: s.sosfiltfilt(SOS, x), (ROWS,)),
    "detrend": (lambda s, x: s.detrend(x, bp=[20, 40]), (ROWS,)),
    "detrend constant": (lambda s, x: s.detrend(x, axis=0, type="constant"), (ROWS,)),
    "hilbert": (lambda s, x: s.hilbert(x), (ROWS,)),
    "hilbert even": (lambda s, x: s.hilbert(x, 64, axis=0), (ROWS.T,)),
    "medfilt": (lambda s, x: s.medfilt(x, (3, 5)), (PLANE,)),
    "medfilt of a vector": (lambda s, x: s.medfilt(x), (LONG,)),
    **{
        f"savgol {mode} {length}": (
            lambda s, x, mode=mode, length=length: s.savgol_filter(x, length, 2, 1, 0.5, 0, mode, 0.7),
            (ROWS.T,),
        )
        for mode in ("interp", "mirror", "nearest", "wrap", "constant")
        for length in (5, 7)
    },
    "savgol even": (lambda s, x: s.savgol_filter(x, 6, 3), (ROWS,)),
    "savgol coefficients": (lambda s: np.asarray(s.savgol_coeffs(7, 3, 2, 0.5, 1)), ()),
    **{
        f"resample {n}": (lambda s, x, n=n: s.resample(x, n, axis=1, window="hamming"), (ROWS,))
        for n in (30, 61, 64, 90)
    },
    **{f"resample even {n}": (lambda s, x, n=n: s.resample(x, n), (LONG,)) for n in (50, 51, 301, 400)},
    **{
        f"resample complex {n}": (lambda s, x, n=n: s.resample(x, n), (COMPLEX[0, :-1],))
        for n in (31, 30, 121, 90)
    },
    "resample times": (lambda s, x, t: s.resample(x, 40, t), (LONG, np.arange(200) * 0.5)),
    **{
        f"resample_poly {up} {down} {kind}": (
            lambda s, x, up=up, down=down, kind=kind: s.resample_poly(x, up, down, axis=1, padtype=kind),
            (ROWS,),
        )
        for up, down, kind in (
            (3, 2, "constant"),
            (2, 5, "line"),
            (1, 4, "mean"),
            (4, 1, "maximum"),
            (6, 4, "median"),
        )
    },
    **{
        f"upfirdn {up} {down}": (
            lambda s, h, x, up=up, down=down: s.upfirdn(h, x, up, down, 0),
            (LONG[:7], PLANE),
        )
        for up, down in ((1, 1), (2, 1), (1, 3), (5, 3), (3, 7), (9, 2))
    },
    "decimate": (lambda s, x: s.decimate(x, 4), (LONG,)),
    "decimate once": (lambda s, x: s.decimate(x, 3, zero_phase=False), (ROWS,)),
    "decimate fir": (lambda s, x: s.decimate(x, 3, ftype="fir"), (LONG,)),
    "periodogram": (lambda s, x: s.periodogram(x, 3.0, "hann"), (ROWS,)),
    "periodogram cut": (lambda s, x: s.periodogram(x, nfft=32, scaling="spectrum", axis=0), (ROWS.T,)),
    "welch": (lambda s, x: s.welch(x, 2.0, nperseg=16), (ROWS,)),
    "welch median": (lambda s, x: s.welch(x, nperseg=9, noverlap=3, nfft=12, average="median"), (ROWS,)),
    "welch two-sided": (lambda s, x: s.welch(x, nperseg=8, detrend="linear"), (COMPLEX,)),
    "welch window": (lambda s, x: s.welch(x, window=np.hanning(12), axis=0), (ROWS.T,)),
    "csd": (lambda s, x, y: s.csd(x, y, nperseg=16), (ROWS[0], ROWS[1, :50])),
    "coherence": (lambda s, x, y: s.coherence(x, y, nperseg=16), (ROWS[0], ROWS[1])),
    **{
        f"spectrogram {mode}": (lambda s, x, mode=mode: s.spectrogram(x, 4.0, nperseg=16, mode=mode), (ROWS,))
        for mode in ("psd", "complex", "magnitude", "angle", "phase")
    },
    "stft": (lambda s, x: s.stft(x, 2.0, nperseg=16), (ROWS,)),
    "stft bare": (
        lambda s, x: s.stft(x, nperseg=15, noverlap=10, nfft=20, boundary=None, padded=False, axis=0),
        (ROWS.T,),
    ),
    "stft even": (
        lambda s, x: s.stft(x, nperseg=16, boundary="even", scaling="psd", return_onesided=False),
        (COMPLEX,),
    ),
    "istft": (lambda s, x: s.istft(s.stft(x, nperseg=16)[2], nperseg=16)[1], (ROWS,)),
    "istft axes": (
        lambda s, x: s.istft(
            s.stft(x, nperseg=12, noverlap=8, axis=0)[2], nperseg=12, noverlap=8, freq_axis=0
        )[1],
        (ROWS.T,),
    ),
    "windows": (
        lambda s: [
            np.asarray(s.get_window(each, n, bins))
            for each in (
                "boxcar",
                "triang",
                "parzen",
                "bohman",
                "bartlett",
                "cosine",
                "hann",
                "hamming",
                "blackman",
                "nuttall",
                "blackmanharris",
                "flattop",
                "tukey",
                "exponential",
                ("kaiser", 5.0),
                7.0,
                ("gaussian", 3.0),
                ("general_gaussian", 1.5, 3.0),
                ("general_hamming", 0.7),
                ("general_cosine", [0.5, 0.3, 0.2]),
                ("tukey", 0.3),
            )
            for n in (1, 2, 8, 17)
            for bins in (True, False)
        ],
        (),
    ),
    "firwin": (
        lambda s: [
            np.asarray(each)
            for each in (
                s.firwin(7, 0.3),
                s.firwin(8, 0.3, window="hann"),
                s.firwin(9, 0.3, pass_zero="highpass"),
                s.firwin(11, [0.2, 0.4], pass_zero=False),
                s.firwin(11, [2.0, 4.0], fs=20.0),
                s.firwin(20, 10.0, width=5.0, fs=100.0, scale=False),
                s.kaiser_beta(40.0),
                s.kaiserord(65, 0.1)[1],
            )
        ],
        (),
    ),
}


def compared(found: Any, expected: Any, tolerance: float) -> None:
    if isinstance(expected, (tuple, list)):
        assert len(found) == len(expected)
        for each, wanted in zip(found, expected, strict=True):
            compared(each, wanted, tolerance)
        return
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape
    assert found.dtype.kind == expected.dtype.kind
    size = max(1.0, abs(expected).max(initial=0))
    np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance * size)


@pytest.mark.parametrize("function", dict.fromkeys(name.partition(" ")[0] for name in CASES))
def test_scipys_values(function: str) -> None:
    """Of tensors and of ndarrays; every third case is compiled, in a jitted function."""
    for number, (name, (program, given)) in enumerate(CASES.items()):
        if name.partition(" ")[0] != function:
            continue
        expected = program(signal, *given)
        with interpreted():
            compared(program(jf.signal, *map(jf.asarray, given)), expected, 1e-11)
            compared(program(jf.signal, *given), expected, 1e-11)
        if given and number % 3 == 0:
            jitted = jf.jit(lambda *given, program=program: program(jf.signal, *given))
            compared(jitted(*given), expected, 1e-11)


ON_DEVICES = (
    "convolve same 2", "lfilter vector", "sosfilt", "medfilt", "savgol interp 7", "resample 64",
    "upfirdn 5 3", "welch", "stft",
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("device", ["opencl", "webgpu"])
def test_on_devices(device: str) -> None:
    """In float32, from coefficients in float64. Slow: devices compile some forty kernels."""
    name = require(device).device.name
    given = [tuple(np.float32(each) for each in CASES[case][1]) for case in ON_DEVICES]
    for case, each in zip(ON_DEVICES, given, strict=True):
        program = CASES[case][0]
        found = program(jf.signal, *(jf.asarray(x, device=name) for x in each))
        compared(
            found,
            program(signal, *CASES[case][1]),
            2e-4,
        )


def test_dtypes_and_layouts() -> None:
    for dtype in ("int16", "uint8", "float32", "bool"):
        x = ROWS.astype(dtype)
        compared(jf.signal.welch(x, nperseg=16), signal.welch(np.float64(x), nperseg=16), 1e-4)
        compared(jf.signal.lfilter(B, A, x), signal.lfilter(B, A, np.float64(x)), 1e-4)
    assert jf.signal.welch(np.float32(LONG))[1].dtype == np.float32
    assert jf.signal.lfilter([1.0], [1.0, 0.5], np.float32(LONG)).dtype == np.float64
    for x in (ROWS[:, ::-2], np.asfortranarray(ROWS), ROWS[::-1]):
        compared(jf.signal.savgol_filter(jf.asarray(x), 5, 2), signal.savgol_filter(x, 5, 2), 1e-11)
    empty = jf.signal.lfilter(B, A, np.zeros((0, 5)))
    assert empty.shape == (0, 5)
    holes = np.where(ROWS > 1, np.nan, ROWS)
    compared(np.isnan(np.asarray(jf.signal.lfilter(B, A, holes))), np.isnan(signal.lfilter(B, A, holes)), 0)


REFUSED: dict[str, tuple[Callable[[Any], Any], type[JitframeError], str]] = {
    "axes": (
        lambda s: s.convolve(PLANE, LONG), ShapeError,
        "convolve: both arrays have the same number of axes, not 2 and 1; add some of extent 1",
    ),
    "valid": (lambda s: s.convolve(PLANE, np.ones((3, 12)), "valid"), ShapeError, "is at least as long"),
    "mode": (lambda s: s.correlate(LONG, LONG, "most"), ArgumentError, "correlate: mode must be one of"),
    "state": (
        lambda s: s.lfilter(B, A, ROWS, zi=np.zeros((3, 2))), ShapeError,
        "lfilter: zi has the shape (3, 3), not (3, 2)",
    ),
    "axis": (lambda s: s.lfilter(B, A, LONG, axis=1), AxisError, "axis 1 is out of bounds"),
    "short": (lambda s: s.filtfilt(B, A, LONG[:5]), ArgumentError, "give a smaller padlen"),
    "gust": (lambda s: s.filtfilt(B, A, LONG, method="gust"), UnsupportedError, "'gust' is not supported"),
    "sections": (lambda s: s.sosfilt(B, LONG), ShapeError, "sosfilt: sos has the shape (sections, 6), not "
    "(4,)"),
    "complex": (lambda s: s.hilbert(COMPLEX), DTypeError, "hilbert: x is real, not complex128"),
    "even": (lambda s: s.medfilt(LONG, 4), ArgumentError, "medfilt: kernel_size is an odd extent for each"),
    "order": (lambda s: s.savgol_filter(LONG, 3, 3), ArgumentError, "polyorder is from 0 to window_length "
    "- 1, 2"),
    "long": (lambda s: s.savgol_filter(LONG[:4], 7, 2), ArgumentError, "is no longer than the signal"),
    "overlap": (lambda s: s.welch(LONG, nperseg=8, noverlap=8), ArgumentError, "noverlap must be less than "
    "nperseg"),
    "window": (lambda s: s.get_window("round", 8), ArgumentError, "there is no window 'round'; there are"),
    "taps": (lambda s: s.firwin(8, 0.3, pass_zero=False), ArgumentError, "take one more"),
    "cutoff": (lambda s: s.firwin(8, 1.5), ArgumentError, "cutoff frequencies are above 0 and below 1"),
    "points": (lambda s: s.resample(LONG, 0), ArgumentError, "resample: num is 1 at least, and 0 was given"),
    "rates": (lambda s: s.resample_poly(LONG, 0, 2), ArgumentError, "up and down are from 1 to"),
    "number": (lambda s: s.stft(3.0), ShapeError, "stft: x is a signal with one axis at least, not a "
    "single number"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_does_not_fit_is_said(name: str) -> None:
    call, kind, message = REFUSED[name]
    with pytest.raises(kind) as caught:
        call(jf.signal)
    assert message in str(caught.value)
