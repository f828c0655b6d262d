"""Random structured kernels give the interpreter's bits on every device, by one lane and by many."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from jitframe.codegen.kernel.nodes import Kernel
from jitframe.codegen.kernel.ops import MATH
from jitframe.ir.types import I32

from ..kernel import strategies
from .devices import DEVICES
from .test_devices import meant, on_device, same_bits

_ROUNDED = frozenset((*MATH, "div", "sqrt", "fma"))
"""What WGSL does not promise to the last bit; the others of the math have tests of their own."""


@pytest.mark.parametrize("name", list(DEVICES))
@pytest.mark.parametrize(("threads", "width"), [(1, -1), (32, 0), (64, -1)])
def test_random_kernels(name: str, threads: int, width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """`width`: which of the language's widths of index, of which the first is the widest."""
    device = DEVICES[name]
    device.require()
    bits = device.dialect.index_bits[width]
    elements = tuple(d for d in strategies.ELEMENTS if d.name in device.dialect.types)
    monkeypatch.setattr(strategies, "ELEMENTS", elements)
    monkeypatch.setattr(strategies, "I64", I32)  # counters
    exact = [op for op in strategies._ELEMENTWISE if op.name not in _ROUNDED]
    monkeypatch.setattr(strategies, "_ELEMENTWISE", exact)

    # A failing kernel is not made smaller: each attempt is compiled.
    @settings(
        max_examples=8,
        deadline=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategies.kernels())
    def check(kernel: Kernel) -> None:
        arrays, scalars = strategies.arguments(kernel, 1)
        given_ = ([strategies.EXTENT], scalars)
        actual = on_device(device, kernel, arrays, *given_, threads=threads, index_bits=bits)
        for got, due in zip(actual, meant(device, kernel, arrays, *given_), strict=True):
            same_bits(got, due)

    check()
