"""How OpenCL programs are built where the device is a processor."""

from __future__ import annotations

UNOPTIMIZED = "-cl-opt-disable"
"""Compilers for processors optimise a kernel of many lanes for up to 10 seconds. Only tests run those there,
in place of a GPU: jitframe gives processors kernels of one lane, which tests build as users do, optimised."""
