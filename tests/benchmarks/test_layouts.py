"""The scan of layouts: what it calls is right in every layout, what it writes says what lags."""

from __future__ import annotations

import numpy as np
import pytest

from tests.benchmarks import layouts
from tests.benchmarks.layouts import FUNCTIONS, LAYOUTS, Row


@pytest.mark.parametrize("layout", LAYOUTS)
def test_functions_are_right_in_every_layout(layout: str) -> None:
    """Every third function, another third for each layout: each is compiled, so all would take long."""
    first = list(LAYOUTS).index(layout) % 3
    for function in list(FUNCTIONS)[first::3]:
        layouts.check(function, layout, (9, 7))


def test_arrays_lie_as_their_layout_says() -> None:
    arrays = {layout: layouts.array_of((6, 4), layout) for layout in LAYOUTS}
    assert len({array.strides for array in arrays.values()}) == len(LAYOUTS)
    for layout in set(LAYOUTS) - {"broadcast"}:
        np.testing.assert_array_equal(arrays[layout], arrays["C"])


def test_what_lags_is_bold() -> None:
    row = layouts.measure("x + x", "Fortran", (5, 4), 3)
    assert row.jitframe > 0 and row.numpy > 0
    rows = [Row("sum", "C", 1.0, 2.0), Row("sum", "Fortran", 3.0, 2.0), Row("max", "C", 1.04, 1.0)]
    text = layouts.markdown(rows, (5, 4), "somewhere")
    assert "1 of 3 calls lag" in text and "| sum | 0.50 | **1.50** |" in text and "| max | 1.04 |  |" in text
