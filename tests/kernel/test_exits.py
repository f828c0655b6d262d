"""Lanes that leave alone: what it means, and the same by masks, on the CPU and on devices."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from jitframe.codegen.kernel.exits import leaves_alone, mask_exits
from jitframe.codegen.kernel.interpret import interpret
from jitframe.codegen.kernel.nodes import Kernel, walk
from jitframe.codegen.kernel.parse import parse_kernel
from jitframe.codegen.kernel.text import kernel_text
from jitframe.codegen.kernel.variance import Variance
from jitframe.codegen.kernel.verify import verify

from ..c_family.devices import DEVICES, Device
from ..c_family.test_devices import on_device
from ..llvm.llvm_harness import LEVELS, Compiled
from .leaving import COUNTS, KERNELS, arrays, leaving_kernels


def meant(kernel: Kernel, count: int, seed: int = 0) -> np.ndarray:
    (held,) = arrays(seed)
    interpret(kernel, [held], [count], [], range(3))
    return held


def test_what_it_means() -> None:
    (before,) = arrays()
    np.testing.assert_array_equal(meant(KERNELS["ragged"](), 13), before + 5 * (np.arange(24) < 13))
    summed = meant(KERNELS["summed"](), 3).reshape(3, 8)
    np.testing.assert_array_equal(summed[:, 0], before.reshape(3, 8)[:, :3].sum(1))
    np.testing.assert_array_equal(summed[:, 1:], before.reshape(3, 8)[:, 1:])


@pytest.mark.parametrize("name", KERNELS)
def test_masks_mean_what_exits_do(name: str) -> None:
    kernel = KERNELS[name]()
    verify(kernel)
    assert kernel_text(parse_kernel(kernel_text(kernel))) == kernel_text(kernel)
    masked = mask_exits(kernel)
    verify(masked)
    assert not any(leaves_alone(each, Variance(masked)) for each in walk(masked.body))
    for count in COUNTS:
        np.testing.assert_array_equal(meant(masked, count), meant(kernel, count))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", KERNELS)
def test_on_processors(name: str, level: str) -> None:
    kernel = KERNELS[name]()
    compiled = Compiled(kernel, level)
    for count in COUNTS:
        (held,) = arrays()
        compiled([held], [count], groups=(0, 3))
        np.testing.assert_array_equal(held, meant(kernel, count))


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("device", DEVICES.values(), ids=DEVICES)
def test_on_devices(name: str, device: Device) -> None:
    device.require()
    kernel = KERNELS[name]()
    for count in COUNTS:
        (found,) = on_device(device, kernel, arrays(), [count], groups=range(3))
        np.testing.assert_array_equal(found, meant(kernel, count))


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(kernel=leaving_kernels())
def test_random_kernels(kernel: Kernel) -> None:
    """Exits anywhere: the interpreter with masks, and the CPU, agree with the interpreter without."""
    verify(kernel)
    masked = mask_exits(kernel)
    verify(masked)
    assert not any(leaves_alone(each, Variance(masked)) for each in walk(masked.body))
    compiled = Compiled(kernel, LEVELS[-1])
    for count in COUNTS[:2]:
        due = meant(kernel, count)
        np.testing.assert_array_equal(meant(masked, count), due)
        (held,) = arrays()
        compiled([held], [count], groups=(0, 3))
        np.testing.assert_array_equal(held, due)


def test_lanes_that_leave_together_do_so_before_a_mask() -> None:
    text = """\
kernel k, workgroup 8
  buffers @0: inout i32
  indices %0
  %1: index = lane_id
  %2: index = constant 4
  %3: bool = ge %0, %2
  if %3:
    exit
  %4: bool = ge %1, %0
  if %4:
    exit
  barrier 0
  %5: i32 = load @0[%1]
  store @0[%1] = %5
"""
    masked = mask_exits(parse_kernel(text))
    assert [each.op.name for each in walk(masked.body)].count("exit") == 1
    whole = parse_kernel(text.replace("%1, %0", "%2, %0"))
    assert mask_exits(whole) is whole
