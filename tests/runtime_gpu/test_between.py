"""Copies from one device to another: real ones where they are here, in parts through a little of the host."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import BackendError
from jitframe.runtime.device import Device
from jitframe.runtime.discovery import registry
from jitframe.runtime.memory import transfer
from jitframe.runtime.memory.transfer import between

from .subject import get, numbers, put

PAIRS = (("opencl", "webgpu"), ("webgpu", "opencl"))


def found(name: str) -> Device:
    try:
        return registry.device(name)
    except BackendError as absent:
        pytest.skip(absent.message)


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_any_bytes_to_any_place(pair: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transfer, "_PEER_BYTES", 1000)
    with found(pair[0]).using() as here, found(pair[1]).using() as there:
        data, other = numbers(9000, seed=1), numbers(9000, seed=2)
        source, target = put(here, data), put(there, other)
        for size, start, to in itertools.product((1, 4, 999, 1000, 4003), (0, 3, 512), (0, 5, 1024)):
            between(there, (target, to), here, (source, start), size)
            other[to : to + size] = data[start : start + size]
            np.testing.assert_array_equal(get(there, (target, 0), other), other)
        here.free(source)
        there.free(target)


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_tensors_do_not_pass_the_host_as_a_whole(
    pair: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = map(found, pair)
    x = np.random.default_rng(0).normal(size=(300, 1001)).astype(np.float32)
    there = jf.asarray(x, device=first.name) * 2
    lengths: list[int] = []
    monkeypatch.setattr(transfer, "_PEER_BYTES", 1 << 18)
    driver: Any = first.driver
    monkeypatch.setattr(driver, "_download", watched(driver._download, lengths))
    moved = there.to_device(second.name)
    monkeypatch.undo()
    assert max(lengths) == 1 << 18 and sum(lengths) == x.nbytes
    assert moved.device == second.name
    there += 1
    np.testing.assert_array_equal(moved.numpy(), x * 2, "a later write does not show")
    empty = jf.zeros((0, 3), device=first.name, dtype=jf.float32).to_device(second.name)
    assert empty.shape == (0, 3) and empty.device == second.name


def watched(download: object, lengths: list[int]) -> object:
    def noted(source: object, out: memoryview) -> None:
        lengths.append(out.nbytes)
        download(source, out)  # type: ignore[operator]

    return noted


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_what_the_other_device_lacks_is_said_before_anything_moves(pair: tuple[str, str]) -> None:
    first, second = map(found, pair)
    if "f64" in second.facts.dtypes or "f64" not in first.facts.dtypes:
        pytest.skip("needs a device with float64 and one without")
    live = second.statistics().live
    with pytest.raises(jf.errors.DTypeError, match="has no float64"):
        jf.asarray(np.ones(3), device=first.name).to_device(second.name)
    assert second.statistics().live == live
