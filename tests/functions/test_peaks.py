"""`find_peaks`, `peak_prominences` and `peak_widths` are SciPy's, lazily and in jitted functions."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from scipy import signal

import jitframe as jf
from jitframe.errors import ArgumentError, BoundsError, DTypeError, ShapeError
from tests.conformance.devices import require

RNG = np.random.default_rng(5)
NOISE, LIMITS = RNG.normal(size=150), RNG.normal(size=150)
STEPS = RNG.integers(0, 4, 150).astype(float)  # with plateaus
SIGNALS = {
    "noise": NOISE,
    "steps": STEPS,
    "integers": RNG.integers(0, 9, 90),
    "with NaN": np.where(RNG.random(150) < 0.1, np.nan, STEPS),
    "flat to the end": np.array([0.0, 1.0, 1.0, 1.0]),
    "flat": np.ones(5),
    "short": np.array([1.0, 2.0]),
    "empty": np.zeros(0),
}
CONDITIONS: dict[str, dict[str, Any]] = {
    "none": {},
    "height": {"height": (None, 1.0)},
    "threshold": {"threshold": (0.2, 2)},
    "prominence": {"prominence": 0.5, "wlen": 21},
    "width": {"width": (1.2, 9), "rel_height": 0.8},
    "plateau": {"plateau_size": (2, None)},
    "all": {"height": 0, "threshold": 0, "prominence": 0.1, "width": 1, "plateau_size": 1},
}


def check(found: tuple[Any, dict[str, Any]], wanted: tuple[Any, dict[str, Any]]) -> None:
    np.testing.assert_array_equal(np.asarray(found[0]), wanted[0])
    assert set(found[1]) == set(wanted[1])
    for name, value in wanted[1].items():
        np.testing.assert_allclose(np.asarray(found[1][name]), value, rtol=1e-12, err_msg=name)


@pytest.mark.parametrize("conditions", list(CONDITIONS))
def test_peaks_are_those_of_scipy(conditions: str) -> None:
    options = CONDITIONS[conditions]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of peaks that a window leaves no prominence
        for x in SIGNALS.values():
            check(jf.signal.find_peaks(x, **options), signal.find_peaks(x, **options))


def test_in_a_jitted_function_with_conditions_of_arrays() -> None:
    @jf.jit
    def found(x: Any, limits: Any) -> Any:
        return jf.signal.find_peaks(x, height=(limits, limits + 2), distance=4, prominence=0.2)

    for x in (NOISE, NOISE[::-1].copy()):
        wanted = signal.find_peaks(x, height=(LIMITS, LIMITS + 2), distance=4, prominence=0.2)
        check(found(x, LIMITS), wanted)
        assert len(wanted[0]) > 3


@pytest.mark.parametrize("distance", [1, 2.5, 9, 1000])
def test_of_near_peaks_the_higher_one_stays(distance: float) -> None:
    check(jf.signal.find_peaks(NOISE, distance=distance), signal.find_peaks(NOISE, distance=distance))


def test_of_equal_near_peaks_the_last_one_stays() -> None:
    x = np.array([0.0, 2.0, 0.0, 2.0, 0.0, 2.0, 0.0])
    assert jf.signal.find_peaks(x, distance=3)[0].tolist() == [1, 5]


def test_prominences_and_widths_of_given_places() -> None:
    places = np.flatnonzero((NOISE[1:-1] > NOISE[:-2]) & (NOISE[1:-1] > NOISE[2:])) + 1
    both = jf.jit(lambda x, p: (jf.signal.peak_prominences(x, p), jf.signal.peak_widths(x, p, 0.3)))
    found = both(NOISE, places - len(NOISE))
    wanted = signal.peak_prominences(NOISE, places), signal.peak_widths(NOISE, places, 0.3)
    for group, other in zip(found, wanted, strict=True):
        for value, expected in zip(group, other, strict=True):
            np.testing.assert_allclose(value, expected, rtol=1e-12)
    known = jf.signal.peak_widths(NOISE, places, 0.3, wanted[0])
    np.testing.assert_allclose(known[0].numpy(), wanted[1][0], rtol=1e-12)


def test_what_does_not_fit_is_said() -> None:
    find = jf.signal.find_peaks
    with pytest.raises(ShapeError, match="one axis"):
        find(np.ones((2, 3)))
    with pytest.raises(ShapeError, match="a number for each of the 150 elements"):
        find(NOISE, height=np.ones(3))
    with pytest.raises(ArgumentError, match="distance is 1 at least"):
        find(NOISE, distance=0)
    with pytest.raises(ArgumentError, match="wlen is larger than 1"):
        find(NOISE, prominence=1, wlen=1)
    with pytest.raises(ArgumentError, match="rel_height is 0 at least"):
        find(NOISE, width=1, rel_height=-1)
    with pytest.raises(DTypeError, match="height is a number, a pair"):
        find(NOISE, height="high")
    with pytest.raises(DTypeError, match="peaks is an array of places"):
        jf.signal.peak_prominences(NOISE, [0.5])
    with pytest.raises(BoundsError):
        jf.signal.peak_prominences(NOISE, [150])[0].numpy()


@pytest.mark.slow
@pytest.mark.parametrize("device", ["opencl", "webgpu"])
def test_on_devices(device: str) -> None:
    """Which peaks there are is exact; what is said of them is as exact as float32. Slow: a dozen kernels
    are compiled."""
    name = require(device).device.name
    x = NOISE.astype("f4")
    for options in (CONDITIONS["none"], CONDITIONS["all"], {"distance": 4, "prominence": 0.5, "wlen": 21}):
        program = jf.jit(lambda x, options=options: jf.signal.find_peaks(x, **options), device=name)
        for found, told in (program(x), jf.signal.find_peaks(jf.asarray(x, device=name), **options)):
            wanted, theirs = signal.find_peaks(x, **options)
            np.testing.assert_array_equal(np.asarray(found), wanted)
            assert set(told) == set(theirs)
            for key, value in theirs.items():
                np.testing.assert_allclose(np.asarray(told[key]), value, rtol=1e-4, atol=1e-5, err_msg=key)
