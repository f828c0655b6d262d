"""NumPy: the formulas as they are."""

from __future__ import annotations

import numpy

from .. import formulas, loop_formulas
from .base import Peer

NAMES = (
    "triad",
    "chain",
    "squared_differences",
    "softmax",
    "layer_norm",
    "nearest",
    "heat",
    "dense_gelu",
    "increment",
    "argmax",
    "cumsum",
    "mean_and_variance",
    "transpose_add",
    "accelerations",
    "outer",
    "heat_3d",
    "heat_steps",
    "unsharp",
    "matvec",
    "mlp",
)


def plain_functions() -> dict[str, object]:
    """Formula name -> the NumPy function itself."""
    names = NAMES if formulas.erf is None else (*NAMES, "black_scholes")
    found = {name: getattr(formulas, name) for name in names}
    of_arrays = (*loop_formulas.AROUND_ARRAYS, *loop_formulas.OF_ARRAYS)
    return found | {name: getattr(loop_formulas, name) for name in of_arrays}


def load() -> Peer:
    return Peer("numpy", numpy.__version__, plain_functions())
