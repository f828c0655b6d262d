"""Dr.Jit on its LLVM backend (DRJIT_LIBLLVM_PATH names libLLVM): frozen functions, evaluated, waited for."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable
from typing import Any

import numpy as np

LIBRARIES = "/usr/lib/*-linux-gnu/libLLVM-*.so.1"
if "DRJIT_LIBLLVM_PATH" not in os.environ and (found := sorted(glob.glob(LIBRARIES))):
    os.environ["DRJIT_LIBLLVM_PATH"] = found[-1]

import drjit as dr  # noqa: E402  it reads the variable when imported
from drjit.llvm import Array3f, Float, TensorXf, UInt32  # noqa: E402

from .base import THREADS, Peer  # noqa: E402
from .spelled import increment, triad  # noqa: E402


def chain(a, b, c, d):
    return dr.sqrt(a * a + b * b) + dr.sin(c) * d - a


def black_scholes(spot, strike, years, rate, volatility):
    deviation = volatility * dr.sqrt(years)
    d1 = (dr.log(spot / strike) + (rate + volatility**2 / 2) * years) / deviation
    d2 = d1 - deviation
    normal1 = 0.5 * (1 + dr.erf(d1 * 0.5**0.5))
    normal2 = 0.5 * (1 + dr.erf(d2 * 0.5**0.5))
    return spot * normal1 - strike * dr.exp(-rate * years) * normal2


def squared_differences(a, b):
    return dr.sum(dr.square(a - b))


def softmax(x):
    exponentials = dr.exp(x - dr.max(x, axis=1, keepdims=True))
    return exponentials / dr.sum(exponentials, axis=1, keepdims=True)


def layer_norm(x, gain, bias):
    centered = x - dr.mean(x, axis=1, keepdims=True)
    variance = dr.mean(centered * centered, axis=1, keepdims=True)
    return centered / dr.sqrt(variance + 1e-5) * gain + bias


def argmax(x):
    return dr.argmax(x)


def cumsum(x):
    return dr.cumsum(x)


def mean_and_variance(x):
    return dr.mean(x), dr.var(x)


def transpose_add(a, b):
    return dr.transpose(a) + b


@dr.syntax
def accelerations(positions, masses, softening):
    """A thread for each body, a loop over the others in it."""
    count = dr.width(masses)
    own = dr.gather(Array3f, positions.array, dr.arange(UInt32, count))
    total, other = dr.zeros(Array3f, count), UInt32(0)
    while other < count:
        offset = dr.gather(Array3f, positions.array, other) - own
        square = dr.squared_norm(offset) + softening * softening
        total += offset * (dr.gather(Float, masses, other) / (square * dr.sqrt(square)))
        other += 1
    return dr.ravel(total)


def outer(a, b):
    return TensorXf(a, (dr.width(a), 1)) * TensorXf(b, (1, dr.width(b)))


def matvec(matrix, x):
    return dr.sum(matrix * TensorXf(x, (1, dr.width(x))), axis=1)


def waited_for(function: Callable[..., Any]) -> Callable[..., Any]:
    frozen = dr.freeze(function)

    def call(*arguments):
        result = frozen(*arguments)
        dr.eval(result)
        dr.sync_thread()
        return result

    return call


def place(value: Any) -> Any:
    if not isinstance(value, np.ndarray):
        return value
    placed = Float(value) if value.ndim == 1 else TensorXf(value)
    dr.eval(placed)
    dr.sync_thread()
    return placed


def load() -> Peer:
    dr.set_thread_count(THREADS)
    Float(0) + 1  # raises here, not in a measurement, when libLLVM is missing
    functions = (
        triad,
        chain,
        black_scholes,
        squared_differences,
        softmax,
        layer_norm,
        increment,
        argmax,
        cumsum,
        mean_and_variance,
        transpose_add,
        accelerations,
        outer,
        matvec,
    )
    spellings = {function.__name__: waited_for(function) for function in functions}
    return Peer("drjit", dr.__version__, spellings, place=place, fetch=lambda result: result.numpy())
