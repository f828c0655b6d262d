"""What `explain` shows of kernels on devices: their own language, and assembly where there is one."""

from __future__ import annotations

import numpy as np
import pytest

import jitframe as jf
from jitframe.errors import BackendError
from jitframe.runtime.discovery import registry

HEADS = {"opencl": "__kernel __attribute__((reqd_work_group_size(", "webgpu": "@compute @workgroup_size("}


@jf.jit
def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@pytest.mark.parametrize("name", HEADS)
def test_the_source_is_the_devices(name: str) -> None:
    try:
        device = registry.device(name)
    except BackendError as absent:
        pytest.skip(absent.message)
    x = jf.asarray(np.ones((30, 40), np.float32), device=name)
    (kernel,) = softmax.explain(x).kernels
    source = kernel.source("source")
    assert HEADS[name] in source and f"jf_{kernel.name}(" in source
    handle = device.driver.compile(kernel._kernel)
    assert source in [form.source.text for form in handle.forms.values()], "it is what is launched"
    (lazy,) = jf.explain(x * 2 + 1).kernels
    assert HEADS[name] in lazy.source("source")
    assert source.rstrip("\n") in softmax.explain(x).text("source")
    assert kernel.origin == f"for {name}"


def test_what_there_is_of_assembly() -> None:
    for name in HEADS:
        try:
            device = registry.device(name)
        except BackendError:
            continue
        x = jf.asarray(np.ones(40, np.float32), device=name)
        (kernel,) = jf.explain(x * 3).kernels
        shown = kernel.source("asm")
        if name == "webgpu":
            title = f"{device.facts.title} ({device.facts.api})"
            assert shown == f"({title} shows no assembly: it keeps what it compiles to itself)\n"
        else:  # NVIDIA's OpenCL gives PTX
            assert "shows no assembly: its compiler gives" in shown or ".entry" in shown
        assert shown.rstrip("\n") in jf.explain(x * 3).text("asm")
        assert not device.driver._built, "nothing is kept for it"


def test_a_driver_that_shows_nothing() -> None:
    x = jf.asarray(np.ones(4, np.float32), device="interpreter")
    (kernel,) = jf.explain(x * 3).kernels
    assert kernel.source("source") == "(the driver of interpreter shows no source of its kernels)\n"
    assert kernel.source("kernel").startswith("kernel mul")
    with pytest.raises(jf.errors.ArgumentError, match="a kernel has no level 'ptx'; the levels are 'graph'"):
        kernel.source("ptx")
