"""Promotion of every pair of dtypes, and of weak numbers, is NumPy's."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from jitframe.arrays.promotion import (
    Weak,
    bfloat16,
    castable,
    check_fits,
    floating,
    from_numpy,
    promote,
    result_dtype,
)
from jitframe.errors import NumberError, UnsupportedError
from jitframe.ir.node import Graph
from jitframe.ir.types import BF16, BOOL, DTYPES, F16, F32, F64, I8, I64, U8, DType

WITH_NUMPY = [dtype for dtype in DTYPES if dtype is not BF16]


@pytest.mark.parametrize("x", WITH_NUMPY, ids=repr)
def test_every_pair(x: DType) -> None:
    for y in WITH_NUMPY:
        assert promote(x, y).numpy_name == np.result_type(x.numpy_name, y.numpy_name).name


@pytest.mark.parametrize("dtype", WITH_NUMPY, ids=repr)
def test_python_numbers_are_weak(dtype: DType) -> None:
    for number in (True, 1, 1.0):
        expected = np.result_type(np.zeros(2, dtype.numpy_name), number).name
        assert result_dtype((dtype, number)).numpy_name == expected
        assert result_dtype((number, dtype)).numpy_name == expected


def test_numbers_among_themselves() -> None:
    assert [result_dtype(numbers) for numbers in ((True, False), (True, 2), (2, 0.5))] == [BOOL, I64, F64]


def test_weak_nodes_are_as_numbers() -> None:
    graph = Graph()
    weak = Weak(graph.number(3.5, F64))
    assert result_dtype((F32, weak)) is F32
    assert result_dtype((U8, weak)) is F64
    assert result_dtype((U8, Weak(graph.number(3, I64)))) is U8


def test_bfloat16_promotes_as_ml_dtypes_does() -> None:
    """Its result dtypes; of bfloat16 alone NumPy knows no promotion with most others."""
    for other in DTYPES:
        theirs = np.add(np.ones(1, bfloat16()), np.ones(1, other.numpy_name)).dtype.name
        assert promote(BF16, other).numpy_name == promote(other, BF16).numpy_name == theirs


def test_bfloat16_without_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ml_dtypes", None)
    with pytest.raises(TypeError, match="pip install ml_dtypes"):
        from_numpy("bfloat16")


def test_bfloat16_holds_what_it_holds() -> None:
    assert [promote(BF16, other) for other in (BOOL, U8, I8, F16, F32, I64)] == [
        BF16,
        BF16,
        BF16,
        F32,
        F32,
        F64,
    ]


@pytest.mark.parametrize("dtype", WITH_NUMPY, ids=repr)
def test_floating_functions(dtype: DType) -> None:
    assert floating(dtype).numpy_name == np.exp(np.zeros(1, dtype.numpy_name)).dtype.name


@pytest.mark.parametrize("source", WITH_NUMPY, ids=repr)
def test_castable_is_same_kind(source: DType) -> None:
    for target in WITH_NUMPY:
        assert castable(source, target) == np.can_cast(source.numpy_name, target.numpy_name, "same_kind")


def test_integers_out_of_range() -> None:
    check_fits(255, U8)
    with pytest.raises(NumberError) as caught:
        check_fits(256, U8)
    assert str(caught.value).startswith("Python integer 256 out of bounds for uint8\n")
    assert isinstance(caught.value, OverflowError)


def test_dtypes_without_arrays() -> None:
    assert from_numpy(np.float32) is F32
    assert from_numpy("bool") is BOOL
    assert from_numpy("bfloat16") is from_numpy(bfloat16()) is BF16
    for other in ("complex256", ">f4", "S3", "V2", object):
        with pytest.raises(UnsupportedError, match="are not supported; convert to one of bool, int8, int16"):
            from_numpy(other)
    with pytest.raises(TypeError, match="is no dtype"):
        from_numpy("no dtype")
