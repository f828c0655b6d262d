"""Providers of the library functions that plans name (`codegen.plan.libraries`), for each device.

A provider takes (driver, step, operands, results): one call, or those along the one axis of the step's batch,
on places in the driver's memory. The processor's are adapters of its native runtime (`cpu.blas`).
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Any

from ..codegen.plan.libraries import FOURIER
from ..codegen.plan.linear_algebra import LINEAR_ALGEBRA
from ..codegen.plan.nodes import LibraryCall
from .executor import View

Provider = Callable[[Any, LibraryCall, Sequence[View], Sequence[View]], None]

PROVIDERS: dict[tuple[str, str], str] = {
    ("gemm", "CUDA C++"): ".drivers.gemm:multiply_by_cublas",
    ("gemm", "HIP C++"): ".drivers.gemm:multiply_by_rocblas",
    ("gemm", "MSL"): ".drivers.gemm:multiply_by_mps",
    ("gemm", "MSL 3.2"): ".drivers.gemm:multiply_by_mps",
    **{(function.name, "CUDA C++"): ".drivers.cusolver:solve_by_cusolver" for function in LINEAR_ALGEBRA},
    **{(function.name, "CUDA C++"): ".drivers.cufft:transform_by_cufft" for function in FOURIER},
}
"""Where the provider of a function is, for the devices of a language; what is not here, they have no library
for. Which of them a device's libraries have is in `DeviceFacts.library_functions`."""


def provider_of(function: str, language: str) -> Provider | None:
    """What devices of a language call for a function; None where they have no library with it."""
    place = PROVIDERS.get((function, language))
    if place is None:
        return None
    module, name = place.split(":")
    found: Provider = getattr(importlib.import_module(module, __package__), name)
    return found
