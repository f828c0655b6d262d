"""What jitframe has no kernels for, NumPy answers on the values of Tensors."""

from __future__ import annotations

import io
import warnings
from pathlib import Path

import numpy as np
import pytest
import scipy.special

import jitframe as jf
from jitframe.errors import FallbackWarning, UnsupportedError
from jitframe.tensors import by_numpy

VALUES = np.linspace(0.5, 3, 12).reshape(3, 4)


@pytest.fixture
def x() -> jf.Tensor:
    return jf.asarray(VALUES * 2) / 2


def test_files(x: jf.Tensor, tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.save(tmp_path / "x.npy", x)
        np.savez(tmp_path / "x.npz", x=x, y=x[0])
        np.savetxt(tmp_path / "x.txt", x)
        x.T.tofile(tmp_path / "x.bin")
        assert np.array2string(x) == np.array2string(VALUES)
    for found in (np.load(tmp_path / "x.npy"), np.loadtxt(tmp_path / "x.txt")):
        np.testing.assert_array_equal(found, VALUES)
    with np.load(tmp_path / "x.npz") as held:
        np.testing.assert_array_equal(held["y"], VALUES[0])
    np.testing.assert_array_equal(np.fromfile(tmp_path / "x.bin"), VALUES.T.ravel())


def test_functions_of_other_libraries_warn_once(x: jf.Tensor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_numpy, "_warned", set())
    with pytest.warns(FallbackWarning, match="ufunc.jv is left to NumPy") as caught:
        found, again = scipy.special.jv(1.5, x), scipy.special.jv(x, x + 1)
    assert len(caught) == 1
    assert isinstance(found, jf.Tensor) and isinstance(again, jf.Tensor)
    np.testing.assert_array_equal(found, scipy.special.jv(1.5, VALUES))
    with pytest.warns(FallbackWarning, match="ufunc.airy"):
        several = scipy.special.airy(x)
    assert isinstance(several, tuple) and all(isinstance(each, jf.Tensor) for each in several)
    np.testing.assert_array_equal(several[2], scipy.special.airy(VALUES)[2])


def test_strict_settings_refuse_what_would_be_computed(x: jf.Tensor, strict: None) -> None:
    with pytest.raises(UnsupportedError, match=r"ufunc\.jv is not supported"):
        scipy.special.jv(1.5, x)
    np.save(io.BytesIO(), x)


def test_writers_of_ndarrays(x: jf.Tensor) -> None:
    found = np.zeros((3, 4))
    np.copyto(found, x)
    np.testing.assert_array_equal(found, VALUES)
    np.putmask(found, x > 2, x * 0)
    np.put(found, jf.asarray([0, 1]), x[2])
    np.place(found, x < 1, [7.0])
    expected = np.where(VALUES > 2, 0, VALUES)
    np.put(expected, [0, 1], VALUES[2])
    np.place(expected, VALUES < 1, [7.0])
    np.testing.assert_array_equal(found, expected)
    with pytest.raises(ValueError, match="could not broadcast"):
        np.copyto(found, x[:, :3])


def test_results_that_no_device_has_stay_numpy(x: jf.Tensor) -> None:
    found = np.frompyfunc(lambda value: value + 1, 1, 1)(x)
    assert found.dtype == object and found.tolist() == (VALUES + 1).tolist()
