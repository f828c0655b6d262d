"""Functions of kernels: text, what they mean, and that every language gives what the interpreter gives."""

from __future__ import annotations

import re

import numpy as np
import pytest

from jitframe.codegen.kernel.interpret import interpret
from jitframe.codegen.kernel.nodes import Kernel
from jitframe.codegen.kernel.parse import KernelSyntaxError, parse_kernel
from jitframe.codegen.kernel.rewrite import clone, inline_calls, unchanged
from jitframe.codegen.kernel.text import kernel_text
from jitframe.codegen.kernel.verify import verify
from jitframe.codegen.llvm import vector_target
from jitframe.codegen.math import MathFeatures
from jitframe.codegen.math.called import expand_with_calls

from ..c_family.devices import DEVICES, Device
from ..c_family.test_devices import on_device
from ..llvm.llvm_harness import LEVELS, Compiled, same_bits
from .calling import COUNTS, KERNELS, arrays, formulas


def meant(kernel: Kernel, count: int) -> np.ndarray:
    (held,) = arrays()
    interpret(kernel, [held], [count], [], range(2))
    return held


def for_level(kernel: Kernel, level: str) -> Kernel:
    """The kernel as LLVM is given it."""
    target = vector_target(level)
    tables = target.has_permutations and target.has_scaling
    return expand_with_calls(kernel, MathFeatures(fma=target.has_fma, wide=True, tables=tables))


@pytest.mark.parametrize("name", KERNELS)
def test_text_and_rewriting(name: str) -> None:
    kernel = KERNELS[name]().kernel
    text = kernel_text(kernel)
    parsed = parse_kernel(text)
    verify(parsed)
    assert kernel_text(parsed) == text and text.count("\n  function ") == len(kernel.functions) > 2
    for inlined in (inline_calls(parsed), clone(parsed, unchanged)):
        verify(inlined)
        assert not inlined.functions and "call" not in kernel_text(inlined)
        for count in COUNTS:
            np.testing.assert_array_equal(meant(inlined, count), meant(kernel, count))


def test_some_functions_are_kept() -> None:
    kernel = KERNELS["extremes"]().kernel
    kept = inline_calls(kernel, {"bounds", "mixed"})
    verify(kept)
    assert [each.name for each in kept.functions] == ["bounds", "mixed"]
    assert "call collatz" not in kernel_text(kept) and "call bounds" in kernel_text(kept)
    np.testing.assert_array_equal(meant(kept, 16), meant(kernel, 16))
    assert inline_calls(kept, {"bounds", "mixed"}) is kept


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", KERNELS)
def test_on_processors(name: str, level: str) -> None:
    kernel = KERNELS[name]().kernel
    compiled = Compiled(for_level(kernel, level), level)
    for count in COUNTS:
        (held,) = arrays()
        compiled([held], [count], groups=(0, 2))
        np.testing.assert_array_equal(held, meant(kernel, count))


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("device", DEVICES.values(), ids=DEVICES)
def test_on_devices(name: str, device: Device) -> None:
    device.require()
    kernel = KERNELS[name]().kernel
    for count in COUNTS:
        (found,) = on_device(device, kernel, arrays(), [count], groups=range(2))
        np.testing.assert_array_equal(found, meant(kernel, count))


@pytest.mark.parametrize("level", LEVELS)
def test_long_functions_that_are_used_often_are_called(level: str) -> None:
    """By LLVM: with two results of different widths, and with an index; the bits are those of copies."""
    kernel = formulas().kernel
    called, copied = (Compiled(for_level(each, level), level) for each in (kernel, inline_calls(kernel)))
    assert re.search(r"define internal [^@]*\{<\d+ x float>, <\d+ x i1>\} @wave\.", called.text)
    assert len(re.findall(r"call .*@wave\.", called.text)) >= 12 and "@wave" not in copied.text
    x = np.random.default_rng(1).normal(size=16).astype(np.float32)
    found = []
    for each in (called, copied):
        y = np.ones(16, np.float32)
        each([x.copy(), y], groups=(0, 2))
        found.append(y)
    assert same_bits(*found) and np.isfinite(found[0]).all() and len(np.unique(found[0])) > 8


def test_few_or_short_functions_are_copied() -> None:
    assert [each.name for each in for_level(KERNELS["extremes"]().kernel, "avx2").functions] == []


FUNCTION = """\
kernel k, workgroup 1
  buffers @0: out f32
  indices %0
  function f(%1: f32):
    return %1
  %2: f32 = constant 1.0
  %3: f32 = call f(%2)
  store @0[%0] = %3
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("f(%1: f32):", "f %1: f32:", "line 4, column 14: expected ("),
        ("f(%1: f32):", "f(@1: in f32):", "line 4, column 21: expected global|shared|private"),
        ("call f(%2)", "call f %2", "line 7, column 20: expected ("),
    ],
)
def test_texts_that_are_no_functions(old: str, new: str, message: str) -> None:
    verify(parse_kernel(FUNCTION))
    with pytest.raises(KernelSyntaxError) as caught:
        parse_kernel(FUNCTION.replace(old, new))
    assert message in str(caught.value)
