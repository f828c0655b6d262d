"""Fourier transforms of rows that plans may call: the processor's, by NumPy's pocketfft, for every device,
where no kernels are written for them."""

from __future__ import annotations

from typing import Any

from ...ir.ops.fourier import OPS
from .library_function import LibraryFunction
from .linear_algebra import declared

_FLOPS_OF_AN_ELEMENT = 50
"""Of a row of some thousand elements, 5 log2 n."""


def _flops(*sizes: Any) -> Any:
    return sizes[0] * sizes[1] * _FLOPS_OF_AN_ELEMENT


FOURIER: tuple[LibraryFunction, ...] = tuple(declared(op, _flops, lambda *_: {}, library="FFT") for op in OPS)
