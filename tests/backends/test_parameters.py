"""What functions of backends and settings take stands in their signatures, which editors show."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

import jitframe as jf
from jitframe.backends.fakes.backend import FakeBackend
from jitframe.runtime.discovery import built_in
from jitframe.runtime.discovery.backend_entry import BackendEntry
from jitframe.settings import Settings, configure


def keywords(function: Callable[..., Any]) -> dict[str, Any]:
    """The parameters by name alone, with their annotations."""
    found = inspect.signature(function).parameters.values()
    return {each.name: each.annotation for each in found if each.kind == each.KEYWORD_ONLY}


def test_settings_are_the_parameters_of_configure() -> None:
    named = keywords(configure)
    assert [*named] == [*Settings.__annotations__]
    assert named | {"cache_size": "int"} == dict(Settings.__annotations__)


@pytest.mark.parametrize("function", [jf.backends.create, jf.backends.configuration_of])
def test_options_of_own_backends_are_parameters(function: Any) -> None:
    options = {option.name for entry in built_in._ENTRIES for option in entry.options}
    assert {*keywords(function)} == options


def test_what_is_known_of_a_backend_are_parameters_of_register() -> None:
    named = keywords(jf.backends.register)
    fields = dict(BackendEntry.__annotations__)
    assert named.items() <= fields.items()
    # What jitframe itself says of its backends.
    assert {*fields} - {*named} == {"name", "module", "factory", "dlpack", "isolated", "problem", "offered"}


def test_a_fake_takes_what_its_class_does() -> None:
    assert keywords(FakeBackend).items() <= keywords(jf.backends.fake).items()


def test_an_option_of_another_backend_is_refused() -> None:
    with pytest.raises(jf.errors.SettingError, match="webgpu has no option 'threads'"):
        jf.backends.configuration_of("webgpu", threads=2)
    assert jf.backends.configuration_of("cpu", threads=None).source("threads") == "keyword"
