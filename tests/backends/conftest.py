"""What tests of the backend system share: whatever they register, set or open is gone after them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

import jitframe as jf
from jitframe import settings
from jitframe.runtime.discovery import automatic

Register = Callable[..., str]


@pytest.fixture(autouse=True)
def default_settings() -> Iterator[None]:
    """Whatever a test sets, and what the environment of the tests says, is gone after it."""
    before = settings.settings()
    yield
    settings.restore(before)
    automatic.forget_choice()


@pytest.fixture
def register() -> Iterator[Register]:
    """Adds a backend for the test; gives its name."""
    added: list[str] = []

    def add(name: str, *arguments: object, **keywords: object) -> str:
        jf.backends.register(name, *arguments, **keywords)  # type: ignore[arg-type]
        added.append(name)
        return name

    yield add
    for name in added:
        if jf.backends.has(name):
            jf.backends.unregister(name)
