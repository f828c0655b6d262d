"""The long functions are as long as their names say, and nothing in them is lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from tests.benchmarks import long_formulas
from tests.benchmarks.fresh.long_function import SHAPE
from tests.benchmarks.processes import LONG_FUNCTIONS


class Counted(np.lib.mixins.NDArrayOperatorsMixin):
    """An array that counts what is called with it."""

    calls = 0

    def __init__(self, values: np.ndarray) -> None:
        self.values, self.shape = values, values.shape

    def __array_ufunc__(self, function: Any, method: str, *arguments: Any, **options: Any) -> Counted:
        return counted(function, arguments, options)

    def __array_function__(self, function: Any, types: Any, arguments: Any, options: Any) -> Counted:
        return counted(function, arguments, options)

    def __getitem__(self, key: Any) -> Counted:
        return counted(lambda array: array[key], (self,), {})


def counted(function: Callable[..., Any], arguments: Any, options: Any) -> Counted:
    Counted.calls += 1
    return Counted(function(*plain(arguments), **options))


def plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    return value.values if isinstance(value, Counted) else value


@pytest.mark.parametrize("name", LONG_FUNCTIONS)
def test_a_name_says_how_many_operations_there_are(name: str) -> None:
    Counted.calls = 0
    arrays = [Counted(np.full(SHAPE, 0.5 + number, np.float32)) for number in range(2)]
    getattr(long_formulas, name)(*arrays)
    assert Counted.calls == int(name.rpartition("_")[2])


@pytest.mark.parametrize("name", [name for name in LONG_FUNCTIONS if name.endswith("_100")])
def test_no_operation_is_simplified_away(name: str) -> None:
    arrays = [np.full(SHAPE, 0.5 + number, np.float32) for number in range(2)]
    graph = jf.jit(getattr(long_formulas, name)).explain(*arrays).graph
    nodes = int(graph.split(maxsplit=2)[1])
    assert nodes >= len(arrays) + 100
