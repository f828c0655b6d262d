"""Discrete Fourier transforms of rows.

Complex numbers are pairs of reals along a last axis; the rows of a stack are one axis, so that a call has
all of them at once. How a transform is scaled is part of the op. `codegen.lower.fft` writes kernels for
them; what has none is NumPy's function, which may be given where its result goes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy

from ..node import Node, Op
from ..record import record
from .complex_numbers import complex_of, pairs_of
from .linear_algebra import PARTS, library_op

Array = Any
NORMS = ("backward", "ortho", "forward")


class Kind(metaclass=record):
    """What an op computes of rows."""

    op: Op
    backward: bool
    norm: str
    """NumPy's word for how it is scaled: "backward" scales the inverse by 1 / n, "forward" the other one,
    "ortho" both by the root of that."""
    parity: int | None = None
    """Whether a number of reals is odd, that frequencies are transformed to; None of other ops."""

    def complex_points(self, node: Node) -> int:
        """Of a row of complex numbers that become such; 0 of transforms of reals or to them."""
        return 0 if self.reals(node) else int(node.inputs[0].shape[-2])

    def reals(self, node: Node) -> int:
        """Of a row of reals; 0 of transforms of complex numbers."""
        if self.parity is not None:
            return 2 * int(node.inputs[0].shape[-2]) - 2 + self.parity
        return 0 if node.op.library.operands[0].endswith(PARTS) else int(node.inputs[0].shape[-1])

    def scale(self, points: int) -> float:
        if self.norm == "ortho":
            return 1 / math.sqrt(points)
        return 1 / points if _is_scaled(self.backward, self.norm) else 1.0


def _is_scaled(backward: bool, norm: str) -> bool:
    return (norm == "backward") is backward


def _complex(function: Callable[..., Array], scaled: bool, norm: str, rows: Array, out: Any = None) -> Array:
    given = complex_of(rows)
    target = None if out is None else complex_of(out)
    return pairs_of(_transform(function, scaled, norm, given, given.shape[-1], target))


def _of_reals(function: Callable[..., Array], scaled: bool, norm: str, rows: Array, out: Any = None) -> Array:
    target = None if out is None else complex_of(out)
    return pairs_of(_transform(function, scaled, norm, rows, rows.shape[-1], target))


def _to_reals(
    function: Callable[..., Array], scaled: bool, norm: str, rows: Array, out: Any = None, odd: bool = False
) -> Array:
    return _transform(function, scaled, norm, complex_of(rows), 2 * rows.shape[-2] - (1 if odd else 2), out)


def _transform(
    function: Callable[..., Array], scaled: bool, norm: str, rows: Array, n: int, out: Array | None
) -> Array:
    """NumPy computes 32 bits in 64 where there is no factor, in eight times the time: there is one, and it is
    taken back."""
    if scaled or norm == "ortho" or rows.real.dtype == numpy.float64:
        return function(rows, n, norm=norm, out=out)
    made = function(rows, n, norm="forward" if norm == "backward" else "backward", out=out)
    return numpy.multiply(made, made.real.dtype.type(n), out=made)


def _kinds(
    name: str,
    cores: str,
    reference: Callable[..., Array],
    numpys: Any,
    backward: bool,
    title: str,
    parity: int | None = None,
) -> dict[str, Kind]:
    """The kinds of a transform, by their norms."""
    found = {}
    for norm in NORMS:
        function = partial(reference, numpys, _is_scaled(backward, norm), norm)
        op = library_op(name if norm == "backward" else f"{name}_{norm}", cores, function, "", title)
        found[norm] = Kind(op, backward, norm, parity)
    return found


_COMPLEX, _TO_REALS = "(b,n,c)->(b,n,c)", "(b,m,c)->(b,n)"
_INVERSE = "inverse Fourier transform"
fft = _kinds("fft", _COMPLEX, _complex, numpy.fft.fft, False, "Fourier transform")
ifft = _kinds("ifft", _COMPLEX, _complex, numpy.fft.ifft, True, _INVERSE)
rfft = _kinds("rfft", "(b,n)->(b,m,c)", _of_reals, numpy.fft.rfft, False, "Fourier transform of reals")
# To real rows of even and odd length, which the number of frequencies does not tell.
irfft_even = _kinds("irfft_even", _TO_REALS, _to_reals, numpy.fft.irfft, True, f"{_INVERSE} to reals", 0)
irfft_odd = _kinds(
    "irfft_odd", _TO_REALS, partial(_to_reals, odd=True), numpy.fft.irfft, True, f"{_INVERSE} to reals", 1
)

KINDS = tuple(kind for kinds in (fft, ifft, rfft, irfft_even, irfft_odd) for kind in kinds.values())
OPS = tuple(kind.op for kind in KINDS)
