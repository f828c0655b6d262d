"""Loops whose length depends on values: Newton's method for many roots, a moving average by a scan."""

import numpy as np

import jitframe as jf


@jf.jit
def cube_roots(a):
    """Newton's iteration, until no root moves any more; also how many steps that took."""

    def moving(carried):
        _, change, steps = carried
        return (change > 1e-12) & (steps < 100)

    def step(carried):
        x, _, steps = carried
        following = x - (x * x * x - a) / (3 * x * x)
        return following, np.max(np.abs(following - x) / following), steps + 1

    x, _, steps = jf.while_loop(moving, step, (np.maximum(a, 1.0), np.inf, 0))
    return x, steps


@jf.jit
def moving_average(samples, weight):
    """Each value is `weight` of the sample and the rest of the average before it."""

    def step(average, sample):
        average = average + weight * (sample - average)
        return average, average

    return jf.scan(step, samples[0], samples)[1]


numbers = np.linspace(0.5, 1000, 100_000)
roots, steps = cube_roots(numbers)
print("steps of the loop:", int(steps))
print("roots agree with NumPy's:", np.allclose(roots, np.cbrt(numbers), rtol=1e-14))

samples = np.where(np.arange(64) % 16 < 8, 1.0, -1.0)  # a square wave
smooth = moving_average(samples, 0.25)
print("average at the ends of the half waves:", smooth[7::8][:4].round(3))
print("largest jump:", np.abs(np.diff(samples)).max(), "->", np.abs(np.diff(smooth)).max().round(3))
