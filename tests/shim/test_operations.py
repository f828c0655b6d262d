"""The tests of generated sources, run again on CUDA C++, HIP C++ and MSL through the shim.

HIP C++ differs from CUDA C++ in a few spellings only, and is left to the slow tests.
"""

from __future__ import annotations

import numpy as np
import pytest

from jitframe.codegen.c_family import generate
from jitframe.codegen.kernel.verify_effects import ATOMIC_ORDERS
from jitframe.ir.types import F32

from ..c_family.devices import Device
from ..c_family.test_atomics import (
    ordered,
    test_each_adder_sees_another_number,
    test_every_kind,
    test_floats_keep_nan,
)
from ..c_family.test_devices import (
    on_device,
    test_a_range_of_workgroups,
    test_several_outputs_and_scalars,
    test_softmax_of_the_graph,
    test_sum_by_a_workgroup,
    test_transpose_through_shared_memory,
)
from ..c_family.test_halves import (
    test_bits_go_through_unchanged,
    test_every_memory,
    test_every_value_widens_exactly,
    test_f32_rounds_to_nearest_even,
    test_f64_rounds_once_to_f16,
    test_shared_memory,
)
from ..c_family.test_operations import (
    test_arithmetic,
    test_comparisons,
    test_conversions,
    test_index_operations,
    test_math_is_that_of_the_cpu,
)
from ..c_family.test_subgroups import (
    test_reductions_of_subgroups,
    test_shuffles,
    test_softmax_and_values_that_decide_loops,
    test_sums_keep_their_bits,
)
from ..c_family.test_vectors import test_bodies, test_rows_that_begin_anywhere
from ..c_family.test_workgroups import (
    test_a_loop_that_is_skipped_orders_nothing,
    test_arrays_that_lanes_loops_fill_are_shared_by_the_lanes,
    test_atomics,
    test_memory_passes_between_lanes_and_decides_loops,
    test_parts_of_words_are_written_side_by_side,
)
from .languages import DEVICES

__all__ = [
    "test_a_loop_that_is_skipped_orders_nothing",
    "test_a_range_of_workgroups",
    "test_arithmetic",
    "test_arrays_that_lanes_loops_fill_are_shared_by_the_lanes",
    "test_atomics",
    "test_bits_go_through_unchanged",
    "test_bodies",
    "test_comparisons",
    "test_conversions",
    "test_each_adder_sees_another_number",
    "test_every_kind",
    "test_every_memory",
    "test_every_value_widens_exactly",
    "test_f32_rounds_to_nearest_even",
    "test_f64_rounds_once_to_f16",
    "test_floats_keep_nan",
    "test_index_operations",
    "test_math_is_that_of_the_cpu",
    "test_memory_passes_between_lanes_and_decides_loops",
    "test_parts_of_words_are_written_side_by_side",
    "test_reductions_of_subgroups",
    "test_rows_that_begin_anywhere",
    "test_several_outputs_and_scalars",
    "test_shared_memory",
    "test_shuffles",
    "test_softmax_and_values_that_decide_loops",
    "test_softmax_of_the_graph",
    "test_sum_by_a_workgroup",
    "test_sums_keep_their_bits",
    "test_transpose_through_shared_memory",
]

_HIP = pytest.param("hip", marks=pytest.mark.slow)


@pytest.fixture(params=["cuda", _HIP, "metal"])
def device(request: pytest.FixtureRequest) -> Device:
    """In place of the devices that those tests find for themselves."""
    chosen = DEVICES[request.param]
    chosen.require()
    return chosen


@pytest.fixture(params=["cuda", pytest.param("hip, 32 lanes", marks=pytest.mark.slow), "metal, SIMD-groups"])
def subgroups(request: pytest.FixtureRequest) -> Device:
    """Those with subgroups as wide as the interpreter's."""
    chosen, dtype = DEVICES[request.param], request.node.callspec.params.get("dtype", F32)
    chosen.require()
    if dtype.name not in chosen.dialect.types:
        pytest.skip(f"{request.param} has no {dtype}")
    return chosen


@pytest.mark.parametrize("order", ATOMIC_ORDERS)
def test_fences_of_msl_3_2(order: str) -> None:
    """Its atomics are relaxed: fences around them make the other orders, of a workgroup."""
    newest = DEVICES["metal 3.2"]
    newest.require()
    (counted,) = on_device(newest, ordered(order, "workgroup"), [np.zeros(1, np.int32)], groups=range(3))
    assert counted.tolist() == [96]
    text = generate(ordered(order, "workgroup"), newest.dialect).text
    assert ("atomic_thread_fence" in text) == (order != "relaxed")
