"""Random kernels: their text parses back, they verify, and rewriting keeps what they compute."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jitframe.codegen.kernel.interpret import interpret
from jitframe.codegen.kernel.nodes import Kernel, instructions_of
from jitframe.codegen.kernel.parse import parse_kernel
from jitframe.codegen.kernel.rewrite import clone, unchanged
from jitframe.codegen.kernel.text import kernel_text
from jitframe.codegen.kernel.verify import verify
from tests.kernel.strategies import EXTENT, arguments, kernels

_SETTINGS = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def run(kernel: Kernel, seed: int) -> list[np.ndarray[Any, Any]]:
    buffers, scalars = arguments(kernel, seed)
    interpret(kernel, buffers, [EXTENT], scalars, range(1))
    return buffers


def assert_equal_runs(first: Kernel, second: Kernel, seed: int) -> None:
    for x, y in zip(run(first, seed), run(second, seed), strict=True):
        assert x.tobytes() == y.tobytes()


@_SETTINGS
@given(kernels())
def test_text_parses_back_and_prints_alike(kernel: Kernel) -> None:
    text = kernel_text(kernel)
    parsed = parse_kernel(text)
    assert kernel_text(parsed) == text
    assert [i.op for i in instructions_of(parsed)] == [i.op for i in instructions_of(kernel)]


@_SETTINGS
@given(kernels())
def test_random_kernels_verify_before_and_after_printing(kernel: Kernel) -> None:
    verify(kernel, allow_fma=True)
    verify(parse_kernel(kernel_text(kernel)), allow_fma=True)


@_SETTINGS
@given(kernels(), st.integers(0, 9))
def test_parsing_and_cloning_keep_the_meaning(kernel: Kernel, seed: int) -> None:
    for rewritten in (parse_kernel(kernel_text(kernel)), clone(kernel, unchanged)):
        verify(rewritten, allow_fma=True)
        assert_equal_runs(kernel, rewritten, seed)
