"""Objects that jitted functions copy."""

from __future__ import annotations

import copy

import numpy as np

import jitframe as jf


class Momentum:
    """Copied by nothing else: Python stores in a class what its first copy has found out about it."""

    def __init__(self, rate=0.1):
        self.rate, self.speed = rate, None

    def update(self, w, gradient):
        if self.speed is None:
            self.speed = np.zeros_like(w)
        self.speed = 0.9 * self.speed + gradient
        return w - self.rate * self.speed


class Layer:
    def __init__(self, count, optimizer):
        self.w, self.optimizer, self.other = np.ones(count), copy.copy(optimizer), copy.deepcopy(optimizer)

    def step(self, gradient):
        self.w = self.optimizer.update(self.w, gradient)
        return self.other.update(self.w, 2 * gradient)


OUTSIDE = Momentum(0.3)


def of_an_object_from_outside(gradient):
    layer = Layer(len(gradient), OUTSIDE)
    layer.step(gradient)
    return layer.step(gradient), layer.optimizer.speed, OUTSIDE.rate


def of_an_argument(gradient, optimizer):
    layer = Layer(len(gradient), optimizer)
    layer.optimizer.rate = 2.0
    layer.step(gradient)
    return layer.step(gradient), layer.other.speed, optimizer.rate


def test_copies():
    gradient = np.arange(4.0)
    for function, arguments in ((of_an_object_from_outside, ()), (of_an_argument, (Momentum(),))):
        jitted = jf.jit(function)
        found = jitted(gradient, *arguments)
        assert jitted.stats()["interpreted"] == 0
        assert all(getattr(each, "speed", None) is None for each in (OUTSIDE, *arguments))
        for mine, its in zip(found, function(gradient, *arguments), strict=True):
            np.testing.assert_allclose(mine, its)
