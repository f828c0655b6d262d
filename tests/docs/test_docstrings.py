"""The examples in docstrings do what they say."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import pkgutil
from collections.abc import Iterator

import numpy as np
import pytest

import jitframe
from jitframe.cache import kernel_cache
from tests.docs.objects import names

NEEDED = {
    "jitframe.runtime.drivers.cuda": "cupy", "jitframe.runtime.drivers.opencl": "pyopencl",
    "jitframe.runtime.drivers.webgpu": "wgpu",
}  # fmt: skip
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def modules() -> Iterator[str]:
    for package in pkgutil.walk_packages(jitframe.__path__, "jitframe."):
        if not package.name.endswith("__main__"):
            yield package.name


def examples_of(name: str) -> list[doctest.DocTest]:
    module = importlib.import_module(name)
    found = doctest.DocTestFinder().find(
        module, name, globs={"jf": jitframe, "np": np, **names(name), **vars(module)}
    )
    return [each for each in found if each.examples]


@pytest.mark.parametrize("name", ["jitframe", *modules()])
def test_examples_in_docstrings(name: str) -> None:
    driver = next((needed for module, needed in NEEDED.items() if name.startswith(module)), None)
    if driver is not None and importlib.util.find_spec(driver) is None:
        pytest.skip(f"{driver} is not installed")
    if name == "jitframe.runtime.drivers.metal" and importlib.util.find_spec("Metal") is None:
        pytest.skip("Metal is on macOS only")
    kernel_cache().statistics.reset()  # an example sees a process that has just begun
    for test in examples_of(name):
        runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
        report: list[str] = []
        runner.run(test, out=report.append)
        assert not runner.failures, "".join(report)
