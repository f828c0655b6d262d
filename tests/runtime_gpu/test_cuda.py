"""The CUDA driver on the first NVIDIA GPU, where there is one. On such a machine:

pip install -e '.[cuda,test]' && python -m pytest tests/runtime_gpu/test_cuda.py tests/conformance -k cuda
"""

from __future__ import annotations

import numpy as np
import pytest

import jitframe as jf
from jitframe.codegen.c_family import CUDA
from jitframe.errors import BackendError
from jitframe.runtime.device import Device
from jitframe.runtime.drivers import cuda
from jitframe.runtime.drivers.streams import StreamDriver
from jitframe.runtime.memory import dlpack
from jitframe.runtime.memory.array_interface import SharedArray, adopt
from tests.plan.bound import At, gemm

from .driver_contract import C_CONTRACT, Law, Subject, get, put, random_floats
from .products import check_products
from .recordings import check_recording, check_refusals


@pytest.fixture(scope="module")
def driver() -> StreamDriver:
    try:
        return cuda.open(0)
    except BackendError as problem:
        pytest.skip(problem.message)


@pytest.mark.parametrize("law", C_CONTRACT, ids=lambda law: law.__name__)
def test_contract(law: Law, driver: StreamDriver) -> None:
    law(Subject(driver, CUDA))


def test_products(driver: StreamDriver) -> None:
    if not driver.facts.library_products:
        pytest.skip("no cuBLAS")
    check_products(driver)
    x = np.full((64, 64), 1 + 2.0**-20, np.float32)
    here, there = put(driver, x), driver.allocate(x.nbytes)
    step = gemm("f32", False, False, 64, 64, 64, At(0), 64, At(0), 64, At(1), 64)
    driver.call(step, [(here, 0), (here, 0)], [(there, 0)])
    exact = 64 * (1 + 2.0**-20) ** 2
    np.testing.assert_allclose(get(driver, (there, 0), x), exact, rtol=1e-6)  # TF32 is off by 5e-4


def test_work_is_recorded(driver: StreamDriver) -> None:
    check_recording(driver)
    check_refusals(driver)


def test_dlpack(driver: StreamDriver) -> None:
    import cupy

    x = random_floats(1000)
    ours = jf.asarray(x, device=Device("cuda", driver.facts, lambda: driver))
    theirs = cupy.from_dlpack(ours)
    np.testing.assert_array_equal(cupy.asnumpy(theirs), x)
    capsule = ours.__dlpack__(max_version=(1, 0))
    assert dlpack.take(capsule).address == ours._evaluated().block.memory.address
    back = jf.from_dlpack(theirs * 2, copy=False)
    np.testing.assert_array_equal(back.numpy(), x * 2)


def test_cupy_reads_our_memory_and_we_read_cupys(driver: StreamDriver) -> None:
    import cupy

    x = random_floats(1000)
    memory = put(driver, x)
    theirs = cupy.asarray(SharedArray(memory, driver, (memory, 0), (1000,), "<f4"))
    assert theirs.data.ptr == memory.address
    doubled = theirs * 2
    ours = adopt(driver, doubled)
    assert ours.address == doubled.data.ptr
    np.testing.assert_array_equal(get(driver, (ours, 0), x), x * 2)
    driver.free(ours)
    driver.free(memory)
