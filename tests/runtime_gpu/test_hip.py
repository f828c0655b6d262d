"""The HIP driver on the first AMD GPU, where there is one. On such a machine, with ROCm installed:

pip install -e '.[test]' && python -m pytest tests/runtime_gpu/test_hip.py tests/conformance -k hip
"""

from __future__ import annotations

import pytest

from jitframe.codegen.c_family import HIP
from jitframe.errors import BackendError
from jitframe.runtime.drivers import hip
from jitframe.runtime.drivers.streams import StreamDriver

from .driver_contract import C_CONTRACT, Law, Subject
from .products import check_products


@pytest.fixture(scope="module")
def driver() -> StreamDriver:
    try:
        return hip.open(0)
    except BackendError as problem:
        pytest.skip(problem.message)


@pytest.mark.parametrize("law", C_CONTRACT, ids=lambda law: law.__name__)
def test_contract(law: Law, driver: StreamDriver) -> None:
    law(Subject(driver, HIP))


def test_products(driver: StreamDriver) -> None:
    if not driver.facts.library_products:
        pytest.skip("no rocBLAS")
    check_products(driver)
