"""The conformance suite in a browser, but for what float32 does with subnormals: SwiftShader has none."""

from __future__ import annotations

import pytest

from jitframe.runtime.device import Device
from jitframe.runtime.drivers.webgpu import WebGPUDriver
from tests.conformance import test_elementwise
from tests.conformance.devices import Target
from tests.conformance.test_compositions import (
    test_compositions,
    test_more_arrays_than_a_kernel_may_have,
    test_outputs_that_are_arguments_or_each_other,
    test_products,
)
from tests.conformance.test_control import (
    test_a_stencil_that_swaps_two_fields,
    test_loops_that_read_their_counter,
    test_one_arm_of_a_cond,
)
from tests.conformance.test_elementwise import test_every_cast
from tests.conformance.test_movement import (
    test_arrays_from_nothing,
    test_every_element_is_at_its_place,
    test_several_dtypes_in_one_kernel,
)
from tests.conformance.test_reductions import (
    test_bools,
    test_numpys_reductions,
    test_sums_have_the_processors_bits,
)

pytestmark = pytest.mark.slow

__all__ = [
    "test_a_stencil_that_swaps_two_fields",
    "test_arrays_from_nothing",
    "test_bools",
    "test_compositions",
    "test_every_cast",
    "test_every_element_is_at_its_place",
    "test_loops_that_read_their_counter",
    "test_more_arrays_than_a_kernel_may_have",
    "test_numpys_reductions",
    "test_one_arm_of_a_cond",
    "test_outputs_that_are_arguments_or_each_other",
    "test_products",
    "test_several_dtypes_in_one_kernel",
    "test_sums_have_the_processors_bits",
]


@pytest.fixture(scope="module")
def target(driver: WebGPUDriver) -> Target:
    return Target("browser", "webgpu", Device("browser", driver.facts, lambda: driver))


@pytest.mark.parametrize("dtype", sorted(set(test_elementwise.DTYPES) - set(test_elementwise.FLOATS)))
def test_every_op_on_whole_numbers(target: Target, dtype: str) -> None:
    test_elementwise.test_every_op_on_hard_values(target, dtype)
    test_elementwise.test_every_size(target, dtype)
