"""Discrete Fourier transforms of rows, without a factor, as functions of a library.

Complex numbers are pairs of reals along a last axis; the rows of a stack are one axis, so that a call has
all of them at once.
"""

from __future__ import annotations

from typing import Any

import numpy

from .complex_linear_algebra import complex_of, pairs_of
from .linear_algebra import library_op

Array = Any


def _forward(rows: Array) -> Array:
    return pairs_of(numpy.fft.fft(complex_of(rows)))


def _backward(rows: Array) -> Array:
    return pairs_of(numpy.fft.ifft(complex_of(rows), norm="forward"))


def _of_reals(rows: Array) -> Array:
    return pairs_of(numpy.fft.rfft(rows))


def _to_even(rows: Array) -> Array:
    return numpy.fft.irfft(complex_of(rows), 2 * rows.shape[-2] - 2, norm="forward")


def _to_odd(rows: Array) -> Array:
    return numpy.fft.irfft(complex_of(rows), 2 * rows.shape[-2] - 1, norm="forward")


fft = library_op("fft", "(b,n,c)->(b,n,c)", _forward, "", "Fourier transform")
ifft = library_op("ifft", "(b,n,c)->(b,n,c)", _backward, "", "inverse Fourier transform")
rfft = library_op("rfft", "(b,n)->(b,m,c)", _of_reals, "", "Fourier transform of reals")
# To real rows of even and odd length, which the number of frequencies does not tell.
irfft_even = library_op("irfft_even", "(b,m,c)->(b,n)", _to_even, "", "inverse Fourier transform to reals")
irfft_odd = library_op("irfft_odd", "(b,m,c)->(b,n)", _to_odd, "", "inverse Fourier transform to reals")

OPS = (fft, ifft, rfft, irfft_even, irfft_odd)
