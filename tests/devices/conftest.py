"""The devices that the front end is tested on, and what each test leaves behind."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from jitframe import settings
from jitframe.errors import BackendError
from jitframe.runtime.device import Device
from jitframe.runtime.discovery import registry
from jitframe.tensors import lazy, tensor
from tests.devices import interpreter

NAMES = ("interpreter", "interpreter:1", "opencl", "webgpu", "cuda")


def pytest_configure(config: pytest.Config) -> None:
    interpreter.install()


@pytest.fixture(autouse=True)
def default_settings() -> Iterator[None]:
    """Whatever a test sets, and what the environment of the tests says, is gone after it."""
    before = settings.settings()
    yield
    settings.restore(before)


@pytest.fixture(params=NAMES)
def device(request: pytest.FixtureRequest) -> str:
    """The name of a device that is not the host; skipped where it is not there."""
    name: str = request.param
    try:
        registry.device(name)
    except BackendError as absent:
        if name == "interpreter":
            raise
        pytest.skip(absent.message)
    return name


@pytest.fixture
def nothing_leaks(device: str) -> Iterator[None]:
    """No more memory is live after the test than before; garbage is collected only where it matters."""
    found = registry.device(device)
    _forget_operations()
    before = found.statistics().live
    yield
    _forget_operations()
    if found.statistics().live > before:
        gc.collect()
    assert found.statistics().live <= before


def live_bytes(device: Device) -> int:
    """What is held in a device's memory, but for what operations that were not computed yet would read."""
    _forget_operations()
    gc.collect()
    return device.statistics().live


def _forget_operations() -> None:
    for each in [frame.device for frame in tensor._frames.values()]:
        lazy.start_graph(each)
