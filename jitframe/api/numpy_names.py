"""The functions of NumPy and math by name, as they were when jitframe was imported.

A name that a program binds to something else afterwards is the program's own function, and no longer NumPy's.
"""

from __future__ import annotations

import math
from typing import Any

import numpy

_MODULES: dict[str, dict[str, Any]] = {
    "": dict(vars(numpy)),
    "fft": dict(vars(numpy.fft)),
    "linalg": dict(vars(numpy.linalg)),
    "lib.stride_tricks": dict(vars(numpy.lib.stride_tricks)),
}
_MATH = dict(vars(math))


def numpy_object(name: str) -> Any:
    """Returns the original `np.name`, dots and all; None where this NumPy lacks it."""
    module, _, short = name.rpartition(".")
    return _MODULES.get(module, {}).get(short)


def math_function(name: str) -> Any:
    """Returns the original `math.name`."""
    return _MATH[name]


PASSED_ON = frozenset((
    "generic", "number", "integer", "signedinteger", "unsignedinteger", "inexact", "floating",
    "complexfloating", "dtype", "intp", "uintp", "half", "single", "double", "csingle", "cdouble",
    "bool_", "int_", "uint", "errstate", "seterr", "geterr", "printoptions", "set_printoptions",
    "get_printoptions", "array2string", "array_repr", "array_str", "format_float_positional",
    "format_float_scientific", "base_repr", "binary_repr", "s_", "index_exp", "ndindex", "testing",
    "exceptions", "euler_gamma", "little_endian", "True_", "False_", "load", "save", "savez",
    "savez_compressed", "loadtxt", "savetxt", "genfromtxt", "fromfile", "version",
))  # fmt: skip
"""Names that are NumPy's own in `jitframe` too: of types, settings, printing, slices and files, so that
`import jitframe as np` finds them. Arrays that they read become Tensors in jitframe's functions."""
