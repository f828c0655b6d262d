"""finfo, iinfo, isdtype, can_cast and result_type: NumPy's answers, for tensors and traced arrays too."""

from __future__ import annotations

import numpy as np
import pytest

import jitframe as jf
from tests.foundations.values import DTYPES, FLOATS, INTEGERS

NAMES = tuple(name for name in DTYPES if name != "bfloat16")
KINDS = ("bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating",
         "numeric")  # fmt: skip


@pytest.mark.parametrize("name", DTYPES)
def test_limits(name: str) -> None:
    x = jf.ones(2, dtype=name)
    if name in FLOATS:
        for found in (jf.finfo(name), jf.finfo(x)):
            assert (found.bits, found.dtype) == (8 * x.itemsize, x.dtype)
            assert 1 + float(found.eps) > 1
            assert float(found.max) == -float(found.min) > 1 > float(found.smallest_normal) > 0
    if name in INTEGERS:
        assert (jf.iinfo(x).min, jf.iinfo(name).max) == (np.iinfo(name).min, np.iinfo(name).max)
    if name not in FLOATS:
        with pytest.raises(TypeError, match=f"finfo: {name} is no float"):
            jf.finfo(x)
    if name not in INTEGERS:
        with pytest.raises(TypeError, match=f"iinfo: {name} is no integer"):
            jf.iinfo(name)


@pytest.mark.parametrize("name", NAMES)
def test_kinds(name: str) -> None:
    for kind in KINDS:
        assert jf.isdtype(np.dtype(name), kind) == np.isdtype(np.dtype(name), kind)
    assert jf.isdtype(name, ("bool", "numeric"))
    assert jf.isdtype(name, np.dtype(name)) and not jf.isdtype(name, jf.bfloat16)
    with pytest.raises(ValueError, match="'floating' is no kind of dtype; the kinds are 'bool', "):
        jf.isdtype(name, "floating")


def test_bfloat16_is_a_float() -> None:
    assert [jf.isdtype(jf.bfloat16, kind) for kind in KINDS] == [False] * 4 + [True, False, True]


@pytest.mark.parametrize("name", NAMES)
def test_casts_and_promotion(name: str) -> None:
    x = jf.ones((), dtype=name)
    for other in NAMES:
        for rule in ("no", "equiv", "safe", "same_kind", "unsafe"):
            assert jf.can_cast(name, other, casting=rule) == np.can_cast(name, other, rule)
        assert np.can_cast(x, np.dtype(other)) == np.can_cast(name, other)
        y = jf.ones(3, dtype=other)
        assert jf.result_type(x, other) == np.result_type(x, y) == np.result_type(name, other)
    for number in (True, 1, 1.0):
        assert jf.result_type(x, number) == np.result_type(np.ones(1, name), number)


def test_inside_a_trace() -> None:
    def program(x, n):
        wide = np.result_type(x, n)
        limit = np.finfo(x.dtype).max if np.isdtype(x.dtype, "real floating") else np.iinfo(x.dtype).max
        return (
            x.astype(wide) * 2,
            np.minimum(x, limit),
            jf.result_type(x, n) == wide,
            np.can_cast(x.dtype, wide),
        )

    for name in ("int8", "uint16", "float16", "float32"):
        x = np.ones(3, name)
        for number in (2, 0.5):
            ours, theirs = jf.jit(program)(x, number), program(x, number)
            for mine, right in zip(ours, theirs, strict=True):
                assert np.asarray(mine).dtype == np.asarray(right).dtype
                assert np.array_equal(mine, right)


def test_messages() -> None:
    with pytest.raises(TypeError, match="a Python number has no dtype of its own"):
        jf.can_cast(1, "int8")
    with pytest.raises(ValueError, match="give at least one array or dtype"):
        jf.result_type()
