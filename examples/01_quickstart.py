"""Existing NumPy code, compiled: one decorator, the same numbers, one fused kernel."""

import numpy as np

import jitframe as jf


def smooth_step(x, low, high):
    t = np.clip((x - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)


compiled = jf.jit(smooth_step)

x = np.linspace(-1, 2, 1_000_001, dtype=np.float32)
result = compiled(x, 0.0, 1.0)

print(type(result).__name__, result.dtype, result.shape)
print("equal to NumPy:", np.array_equal(result, smooth_step(x, 0.0, 1.0)))
print("kernels:", len(compiled.explain(x, 0.0, 1.0).kernels))

before = jf.cache.stats()["compiled"]
compiled(x[:1000].copy(), 0.25, 0.75)
print("compiled again for another size:", jf.cache.stats()["compiled"] - before)
