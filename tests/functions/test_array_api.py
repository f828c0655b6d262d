"""What the array API asks of the namespace, against NumPy; its public suite is run by a tool."""

from __future__ import annotations

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import ArgumentError, BackendError


def test_the_namespace_tells_what_it_has() -> None:
    """https://data-apis.org/array-api/2025.12/API_specification/inspection.html"""
    info = jf.__array_namespace_info__()
    numpys = np.__array_namespace_info__()
    assert jf.__array_api_version__ == "2025.12" and jf.ones(2).__array_namespace__() is jf
    assert jf.ones(2).__array_namespace__(api_version="2024.12") is jf
    with pytest.raises(ArgumentError, match=r"'2031.12' is not known; the newest here is 2025.12\n"):
        jf.ones(2).__array_namespace__(api_version="2031.12")
    assert info.capabilities() == numpys.capabilities()
    assert jf.ones((1,) * info.capabilities()["max dimensions"]).numpy().ndim == 64
    assert info.default_device() == "cpu" and "cpu" in info.devices() and type(info.devices()) is tuple
    assert info.default_dtypes() == numpys.default_dtypes() == info.default_dtypes(device="cpu")
    kinds = (None, "bool", "integral", "real floating", "numeric", ("bool", "complex floating"), ())
    for kind in kinds:
        assert info.dtypes(kind=kind) == numpys.dtypes(kind=kind), kind
    with pytest.raises(ArgumentError, match="'floating' is no kind of dtype; the kinds are 'bool', "):
        info.dtypes(kind="floating")
    with pytest.raises(BackendError):
        info.dtypes(device="abacus")


def test_devices_tell_their_own_dtypes() -> None:
    info = jf.__array_namespace_info__()
    for device in info.devices():
        has = info.dtypes(device=device)
        defaults = info.default_dtypes(device=device)
        assert "float32" in has and set(defaults) == {
            "real floating", "complex floating", "integral", "indexing",
        }  # fmt: skip
        assert all(dtype in has.values() for dtype in defaults.values())
        made = jf.asarray([1.5], device=device)
        assert made.dtype == defaults["real floating"] and made.device == device
        with jf.device(device):
            assert info.default_device() == device and info.default_dtypes() == defaults


def test_masks_of_no_elements_choose_none() -> None:
    """A mask may have no elements along an axis that has some, as NumPy has it."""
    for shape, mask in (((1,), (0,)), ((2, 3), (2, 0)), ((2, 3), (0,)), ((0, 3), (0, 3))):
        x, chosen = np.ones(shape), np.zeros(mask, bool)
        np.testing.assert_array_equal(jf.asarray(x)[jf.asarray(chosen)].numpy(), x[chosen], strict=True)
        np.testing.assert_array_equal(jf.jit(lambda x, m: x[m] + 1)(x, chosen), x[chosen] + 1, strict=True)
    with pytest.raises(IndexError):
        jf.ones(3)[jf.zeros(2, dtype=bool)]


def test_diagonals_far_outside() -> None:
    for k in (2**63, -(2**80), 3, -2, 0):
        np.testing.assert_array_equal(jf.eye(2, 3, k=k).numpy(), np.eye(2, 3, k=max(-5, min(k, 5))))
