"""Discrete Fourier transforms along the last axis, or along the last but one: of rows, or of columns.

Complex numbers are pairs of reals along one axis more. The scaling of a transform is part of the op.
`codegen.lower.fft` writes kernels for them; the others call NumPy's function, which may write to a given
target.
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
from .linear_algebra import PARTS, Signature, library_op, signature

Array = Any
NORMS = ("backward", "ortho", "forward")
GATHERED = "b"
"""The letter of the leading axes, which a call merges into one."""


class Kind(metaclass=record):
    """The kind of a transform."""

    op: Op
    calls: Signature
    """The signature of a call for all rows, or matrices of columns, of a stack."""
    backward: bool
    norm: str
    """NumPy's word for the scaling: "backward" scales the inverse by 1 / n, "forward" the other one, "ortho"
    both by the root of that."""
    columns: bool
    parity: int | None
    """Whether a transform to reals has an odd number of them; None of other ops."""

    @property
    def of_reals(self) -> bool:
        return not self.op.library.operands[0].endswith(PARTS)

    def extent(self, node: Node) -> int:
        """Returns the extent of the axis before the transform."""
        return node.inputs[0].shape[-1 - (not self.of_reals) - self.columns]

    def complex_points(self, node: Node) -> int:
        """Returns the points of a complex transform; 0 of transforms of reals or to them."""
        return 0 if self.reals(node) else int(self.extent(node))

    def reals(self, node: Node) -> int:
        """Returns the points of a transform of reals or to them; 0 of complex transforms."""
        if self.parity is not None:
            return 2 * int(self.extent(node)) - 2 + self.parity
        return int(self.extent(node)) if self.of_reals else 0

    def scale(self, points: int) -> float:
        if self.norm == "ortho":
            return 1 / math.sqrt(points)
        return 1 / points if _is_scaled(self.backward, self.norm) else 1.0


def _is_scaled(backward: bool, norm: str) -> bool:
    return (norm == "backward") is backward


Transform = Callable[[Array, int, "Array | None"], Array]
"""Transforms so many points to a target."""


def _complex(transform: Transform, axis: int, _odd: bool, rows: Array, out: Any = None) -> Array:
    given = complex_of(rows)
    target = None if out is None else complex_of(out)
    return pairs_of(transform(given, given.shape[axis], target))


def _of_reals(transform: Transform, axis: int, _odd: bool, rows: Array, out: Any = None) -> Array:
    target = None if out is None else complex_of(out)
    return pairs_of(transform(rows, rows.shape[axis], target))


def _to_reals(transform: Transform, axis: int, odd: bool, rows: Array, out: Any = None) -> Array:
    given = complex_of(rows)
    return transform(given, 2 * given.shape[axis] - (1 if odd else 2), out)


def _by_numpy(
    function: Callable[..., Array], scaled: bool, norm: str, axis: int, rows: Array, n: int, out: Array | None
) -> Array:
    """NumPy computes 32 bits in 64 unless there is a factor, in eight times the time: so passes a factor, and
    cancels it."""
    if scaled or norm == "ortho" or rows.real.dtype == numpy.float64:
        return function(rows, n, axis, norm, out)
    made = function(rows, n, axis, "forward" if norm == "backward" else "backward", out)
    return numpy.multiply(made, made.real.dtype.type(n), out=made)


Kinds = dict[tuple[str, bool], Kind]


def _kinds(
    name: str,
    cores: tuple[str, str],
    reference: Callable[..., Array],
    numpys: Any,
    backward: bool,
    title: str,
    parity: int | None = None,
) -> Kinds:
    """Makes the kinds of a transform, by their norms and by whether they are of columns."""
    found = {}
    for norm in NORMS:
        for columns in (False, True):
            axis, after = (-2, "k") if columns else (-1, "")
            transform = partial(_by_numpy, numpys, _is_scaled(backward, norm), norm, axis)
            function = partial(reference, transform, axis, parity == 1)
            spelled = [[core[0], *after, *core[1:]] for core in cores]
            endings = ("" if norm == "backward" else f"_{norm}", "_columns" if columns else "")
            called = name + "".join(endings)
            op = library_op(called, _spelled(spelled), function, "", title)
            calls = signature(called, function, _spelled([[GATHERED, *core] for core in spelled]))
            found[norm, columns] = Kind(op, calls, backward, norm, columns, parity)
    return found


def _spelled(cores: list[list[str]]) -> str:
    return "->".join([f"({','.join(core)})" for core in cores])


_COMPLEX, _TO_REALS = ("nc", "nc"), ("mc", "n")
_INVERSE = "inverse Fourier transform"
fft = _kinds("fft", _COMPLEX, _complex, numpy.fft.fft, False, "Fourier transform")
ifft = _kinds("ifft", _COMPLEX, _complex, numpy.fft.ifft, True, _INVERSE)
rfft = _kinds("rfft", ("n", "mc"), _of_reals, numpy.fft.rfft, False, "Fourier transform of reals")
# To reals of even and odd number, which the number of frequencies does not tell.
irfft_even, irfft_odd = (
    _kinds(f"irfft_{which}", _TO_REALS, _to_reals, numpy.fft.irfft, True, f"{_INVERSE} to reals", parity)
    for parity, which in enumerate(("even", "odd"))
)

KINDS = tuple(kind for kinds in (fft, ifft, rfft, irfft_even, irfft_odd) for kind in kinds.values())
OPS = tuple(kind.op for kind in KINDS)
