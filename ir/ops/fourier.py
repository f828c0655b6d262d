"""Discrete Fourier transforms of rows, without a factor, as functions of a library.

Complex numbers are pairs of reals along a last axis; the rows of a stack are one axis, so that a call has
all of them at once. Each function may be given where its result goes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

from .complex_numbers import complex_of, pairs_of
from .linear_algebra import library_op

Array = Any


def _forward(rows: Array, out: Array | None = None) -> Array:
    return _pairs(numpy.fft.fft, complex_of(rows), rows.shape[-2], "backward", out)


def _backward(rows: Array, out: Array | None = None) -> Array:
    return _pairs(numpy.fft.ifft, complex_of(rows), rows.shape[-2], "forward", out)


def _of_reals(rows: Array, out: Array | None = None) -> Array:
    return _pairs(numpy.fft.rfft, rows, rows.shape[-1], "backward", out)


def _to_even(rows: Array, out: Array | None = None) -> Array:
    return _transform(numpy.fft.irfft, complex_of(rows), 2 * rows.shape[-2] - 2, "forward", out)


def _to_odd(rows: Array, out: Array | None = None) -> Array:
    return _transform(numpy.fft.irfft, complex_of(rows), 2 * rows.shape[-2] - 1, "forward", out)


def _pairs(function: Callable[..., Array], rows: Array, n: int, norm: str, out: Array | None) -> Array:
    return pairs_of(_transform(function, rows, n, norm, None if out is None else complex_of(out)))


def _transform(function: Callable[..., Array], rows: Array, n: int, norm: str, out: Array | None) -> Array:
    """Rows of `n` points without a factor, which is what `norm` means.

    NumPy computes 32 bits in 64 where there is no factor, in eight times the time: there is one, and it is
    taken back.
    """
    if rows.real.dtype == numpy.float64:
        return function(rows, n, norm=norm, out=out)
    made = function(rows, n, norm="forward" if norm == "backward" else "backward", out=out)
    return numpy.multiply(made, made.real.dtype.type(n), out=made)


fft = library_op("fft", "(b,n,c)->(b,n,c)", _forward, "", "Fourier transform")
ifft = library_op("ifft", "(b,n,c)->(b,n,c)", _backward, "", "inverse Fourier transform")
rfft = library_op("rfft", "(b,n)->(b,m,c)", _of_reals, "", "Fourier transform of reals")
# To real rows of even and odd length, which the number of frequencies does not tell.
irfft_even = library_op("irfft_even", "(b,m,c)->(b,n)", _to_even, "", "inverse Fourier transform to reals")
irfft_odd = library_op("irfft_odd", "(b,m,c)->(b,n)", _to_odd, "", "inverse Fourier transform to reals")

OPS = (fft, ifft, rfft, irfft_even, irfft_odd)
