"""Arrays in the place of a backend's memory: each law takes a backend of its own, real or on a stand-in."""

from __future__ import annotations

import logging

import numpy as np
import pytest

import jitframe as jf
from jitframe import settings
from jitframe.backends import Backend
from jitframe.errors import AliasError, ArgumentError, BackendError, DTypeError

from .written import axpy


def numbers(count: int = 64) -> np.ndarray:
    return np.arange(count, dtype=np.float32)


def ndarrays_are_read_and_written_by_programs(backend: Backend) -> None:
    program, xs, ys = backend.compile(axpy()), numbers(), numbers() + 1
    program(2.0, 64, xs, ys)
    backend.synchronize()
    np.testing.assert_array_equal(ys, 3 * numbers() + 1)
    frozen = xs[:10].copy()
    frozen.flags.writeable = False
    program(1.0, 5, frozen, ys[10:20])
    backend.synchronize()
    np.testing.assert_array_equal(ys[10:20], 3 * numbers()[10:20] + 1 + np.where(numbers(10) < 5, frozen, 0))
    np.testing.assert_array_equal(xs, numbers())
    program(1.0, 64, xs, xs)
    program(1.0, 64, xs, xs[:])
    backend.synchronize()
    np.testing.assert_array_equal(xs, 4 * numbers())
    with pytest.raises(AliasError, match="are given arrays that overlap"):
        program(1.0, 8, xs[:10], xs[5:15])
    with pytest.raises(ArgumentError, match="is written, and the ndarray is read-only"):
        program(1.0, 8, xs, frozen)
    with pytest.raises(DTypeError, match="is given an ndarray of int32"):
        program(1.0, 8, xs.astype(np.int32), xs)


def tensors_are_read_and_written_by_programs(backend: Backend) -> None:
    program, xs = backend.compile(axpy()), numbers()
    for device in (backend, "cpu"):
        x, y = jf.asarray(xs, device=device) * 2, jf.asarray(xs, device=device) + 1
        view, before, kept = y[4:8], y * 1, y.copy()
        program(2.0, 64, x, y)
        wanted = 5 * xs + 1
        np.testing.assert_array_equal(y.numpy(), wanted)
        np.testing.assert_array_equal(view.numpy(), wanted[4:8])
        for each in (before, kept):
            np.testing.assert_array_equal(each.numpy(), xs + 1)
        np.testing.assert_array_equal(x.numpy(), 2 * xs)
        program(1.0, 4, x, view)
        wanted[4:8] += 2 * xs[:4]
        np.testing.assert_array_equal(y.numpy(), wanted)
        program(1.0, 64, y, y)
        np.testing.assert_array_equal(y.numpy(), 2 * wanted)
        with pytest.raises(AliasError, match="are given arrays that overlap"):
            program(1.0, 4, y, view)
        with pytest.raises(ArgumentError, match="is written, and the Tensor is read-only"):
            program(1.0, 4, x, jf.broadcast_to(x[:1], (4,)))
        with pytest.raises(DTypeError, match="is given a Tensor of int32"):
            program(1.0, 4, x.astype("int32"), y)
        turned = jf.asarray(xs.reshape(8, 8), device=device).T
        program(1.0, 64, x, turned)
        np.testing.assert_array_equal(turned.numpy(), xs.reshape(8, 8).T + 2 * xs.reshape(8, 8))


def what_is_copied_for_a_program_is_told(backend: Backend) -> None:
    program, xs = backend.compile(axpy()), numbers()
    records: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: records.append(record.getMessage())  # type: ignore[method-assign]
    logger = logging.getLogger("jitframe")
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        program(1.0, 64, xs, jf.asarray(xs, device=backend))
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
    host = getattr(backend.device.driver, "host_memory", False)
    moved = [each for each in records if "moved from cpu" in each]
    assert len(moved) == (0 if host else 1)
    if not host:
        before = settings.settings()
        settings.configure(strict=True)
        try:
            with pytest.raises(BackendError, match="would be moved from cpu .* unasked; write jf.asarray"):
                program(1.0, 64, xs, jf.asarray(xs, device=backend))
        finally:
            settings.restore(before)


LAWS = (
    ndarrays_are_read_and_written_by_programs,
    tensors_are_read_and_written_by_programs,
    what_is_copied_for_a_program_is_told,
)
