"""NumPy's assignment inside `jit`: slices are views, and the array that was passed in is written to."""

import numpy as np

import jitframe as jf


@jf.jit
def relax(u):
    """One step of heat conduction, in place; the border keeps its temperature."""
    u[1:-1, 1:-1] += 0.25 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1])


@jf.jit
def relax_many(u, steps):
    """The same, `steps` times in one call: a loop whose length is no part of what is compiled."""

    def step(_, u):
        around = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2]
        following = u.copy()
        following[1:-1, 1:-1] = u[1:-1, 1:-1] + 0.25 * (around - 4 * u[1:-1, 1:-1])
        return following

    return jf.fori_loop(0, steps, step, u)


plate = np.zeros((64, 64), np.float32)
plate[0] = 100  # the hot edge

looped = relax_many(plate, 200)
for _ in range(200):
    relax(plate)

print("mean temperature:", round(float(plate.mean()), 2))
print("hot edge kept:", bool(np.all(plate[0] == 100)))
print("loop and single steps agree:", np.allclose(looped, plate, rtol=1e-5, atol=1e-4))
