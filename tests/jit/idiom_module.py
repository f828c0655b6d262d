"""A module of the user's whose functions and constants jitted functions use."""

from __future__ import annotations

import math
from math import sqrt as root

import numpy as np
from numpy import exp, zeros

FACTOR = 3.0
TABLE = np.array([1.0, 2.0, 4.0])


def scaled(x):
    return x * FACTOR


def gaussian(x, width=2.0):
    return exp(-(x * x) / (2 * width * width)) / root(2 * math.pi)


def padded(x):
    result = zeros(len(x) + 2, dtype=x.dtype)
    result[1:-1] = x
    return result


class Model:
    """Holds weights; its methods are jitted or called from jitted functions."""

    def __init__(self, weights, bias):
        self.weights = weights
        self.bias = bias

    def __call__(self, x):
        return x * self.weights + self.bias


MODEL = Model(np.array([1.0, -1.0, 0.5]), 0.25)
