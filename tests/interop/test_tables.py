"""Columns of pandas, Polars and Arrow: arguments of jitted functions, and arrays without a copy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import ArgumentError, DTypeError
from jitframe.tensors.transfers import is_frozen

VALUES = np.array([1.0, 4.0, 9.0])


@jf.jit
def scaled(x: Any, factor: Any = 2.0) -> Any:
    return np.sqrt(x) * factor + x.max()


def check(column: Any, values: np.ndarray = VALUES, shares: bool | None = True) -> None:
    expected = np.sqrt(values) * 2.0 + values.max()
    for _ in range(3):
        made = scaled(column)
        assert type(made) is np.ndarray
        np.testing.assert_allclose(made, expected)
    np.testing.assert_allclose(scaled(factor=column, x=VALUES), np.sqrt(VALUES) * values + 9)
    tensor = jf.asarray(column)
    np.testing.assert_array_equal(tensor.numpy(), values)
    if np.shares_memory(tensor.numpy(), np.asarray(column)):
        assert is_frozen(np.asarray(column)), "nobody can write to it"
    if shares:
        held = jf.asarray(column, copy=False)
        assert np.shares_memory(held.numpy(), np.asarray(column))
        np.testing.assert_array_equal(held.numpy(), values)
    elif shares is False:
        with pytest.raises(ArgumentError, match="cannot be taken without a copy"):
            jf.asarray(column, copy=False)
    np.testing.assert_array_equal((jf.asarray(VALUES) * jf.asarray(column)).numpy(), VALUES * values)


def test_pandas() -> None:
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"a": VALUES, "b": [1, 2, 3], "c": ["x", "y", "z"]})
    check(table["a"])
    check(table["b"], np.array([1, 2, 3]))
    check(pandas.Series(VALUES[::-1])[::-1])
    check(pandas.Index(VALUES))
    check(pandas.Series([1.0, 4.0, 9.0], dtype="Float64"), shares=None)  # by version
    with pytest.raises(DTypeError, match=r"^a column of str is no argument of a jitted function"):
        scaled(table["c"])
    with pytest.raises(DTypeError, match=r"only columns of numbers are; fill or drop what is missing"):
        scaled(pandas.Series([1, None, "x"]))
    np.testing.assert_array_equal(jf.asarray(table[["a", "b"]]).numpy(), np.stack([VALUES, [1, 2, 3]], 1))
    before = scaled.stats()["traces"]
    scaled(pandas.Series(VALUES + 1))
    scaled(VALUES + 1.0)
    assert scaled.stats()["traces"] - before <= 1, "a column and an ndarray are one signature"


def test_arrow() -> None:
    arrow = pytest.importorskip("pyarrow")
    check(arrow.array(VALUES))
    check(arrow.array([1, 2, 3], "int32"), np.array([1, 2, 3]))
    check(arrow.chunked_array([[1.0, 4.0], [9.0]]), shares=False)
    check(arrow.array([1.0, None, 9.0]).fill_null(4.0))
    check(arrow.table({"a": VALUES})["a"], shares=False)
    np.testing.assert_array_equal(jf.asarray(arrow.array([1, None])).numpy(), [1.0, np.nan])
    np.testing.assert_array_equal(jf.asarray(arrow.array([True, False])).numpy(), [True, False])
    with pytest.raises(DTypeError, match=r"^a column of string is no argument"):
        scaled(arrow.array(["x"]))


def test_polars() -> None:
    polars = pytest.importorskip("polars")
    table = polars.DataFrame({"a": VALUES, "c": ["x", "y", "z"]})
    check(table["a"])
    check(polars.Series([1, 2, 3], dtype=polars.Int16), np.array([1, 2, 3]))
    with pytest.raises(DTypeError, match=r"^a column of String is no argument"):
        scaled(table["c"])


def test_other_objects_are_no_columns() -> None:
    """An object of the user's that NumPy can convert is an object still: its attributes are read."""

    class Model:
        def __init__(self) -> None:
            self.weights = VALUES

        def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
            return np.zeros(1)

    np.testing.assert_array_equal(jf.jit(lambda model: model.weights * 2)(Model()), VALUES * 2)
