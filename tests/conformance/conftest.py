"""Every test that takes `target` runs on each device; one that is absent skips with the reason."""

from __future__ import annotations

import pytest

from tests.conformance import devices
from tests.conformance.tables import ALIKE, SLOW_COMPILERS

_SLOW_OF_TEMPLATE = ("sums_have", "random_graphs")
"""Beside what is not of float32: it has the processor's kernels, and what is slow is LLVM."""


@pytest.fixture(params=devices.NAMES)
def target(request: pytest.FixtureRequest) -> devices.Target:
    return devices.require(request.param)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Dtypes whose kernels are much like others' are for the slow set, but single values on devices whose
    compilers are quick."""
    for item in items:
        params = getattr(getattr(item, "callspec", None), "params", {})
        target = params.get("target")
        one_value = "test_elementwise" in item.nodeid and target not in SLOW_COMPILERS
        if target == "template" and (
            params.get("dtype") != "float32" or any(name in item.nodeid for name in _SLOW_OF_TEMPLATE)
        ):
            item.add_marker(pytest.mark.slow)
        if target not in (None, "cpu") and params.get("dtype") in ALIKE and not one_value:
            item.add_marker(pytest.mark.slow)
