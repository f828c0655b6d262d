"""Every test that takes `target` runs on each device; one that is absent skips with the reason."""

from __future__ import annotations

import pytest

from tests.conformance import devices


@pytest.fixture(params=devices.NAMES)
def target(request: pytest.FixtureRequest) -> devices.Target:
    return devices.require(request.param)
