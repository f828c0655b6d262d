"""What each device may do otherwise: its tolerances, and its gaps, each with its reason.

Everything else is bit for bit. A gap is strict: the suite fails where one that is declared works, and where
one is missing here.
"""

from __future__ import annotations

from types import MappingProxyType

_OWN_MATH = {
    "exp": 2, "log": 2, "sin": 2, "cos": 2, "tanh": 2, "erf": 2, "pow": 2,
    "tan": 4, "asin": 2, "acos": 2, "atan": 2, "atan2": 2, "erfc": 4, "lgamma": 4, "tgamma": 2,
    **dict.fromkeys(("exp2", "expm1", "log2", "log10", "log1p", "cbrt", "sinc"), 2), "hypot": 2,
    **dict.fromkeys(("sinh", "cosh", "asinh", "acosh", "atanh"), 2),
}  # fmt: skip

ULP: dict[str, dict[str, float]] = {
    "cpu": {**_OWN_MATH},
    "opencl": {**_OWN_MATH},
    "cuda": {**_OWN_MATH},
    "hip": {**_OWN_MATH},
    "metal": {**_OWN_MATH},
    "webgpu": {**_OWN_MATH, "div": 2.5, "sqrt": 2.5},
}
"""By backend and op: the largest error in units of the last place. Ops that are missing are exact."""

COMPOSED_WITHIN: dict[str, float] = {
    "cpu": 32, "opencl": 32, "cuda": 32, "hip": 32, "metal": 32, "webgpu": 64,
}  # fmt: skip
"""By backend: the largest error of softmax, norms and products, times eps and the size of their values."""

SLOW_COMPILERS: dict[str, str] = {"opencl": "PoCL takes from 0.1 to 3 seconds for a kernel"}
"""Backends on which the fast set leaves out what would compile kernels much like others."""

ALIKE = frozenset(("int8", "int16", "uint16", "uint32", "uint64", "float16", "bfloat16"))
"""Dtypes whose kernels are much like others'."""

MISSING_DTYPES: dict[str, dict[str, str]] = {
    "webgpu": {
        "float64": "WGSL has no 64-bit floats",
        "int64": "WGSL has no 64-bit integers",
        "uint64": "WGSL has no 64-bit integers",
    },
    "metal": {"float64": "Metal has no 64-bit floats"},
}
"""Dtypes that arrays cannot have on a backend."""

GAPS: MappingProxyType[tuple[str, str, str], str] = MappingProxyType({})
"""(backend, op, dtype) -> why it does not work there."""
