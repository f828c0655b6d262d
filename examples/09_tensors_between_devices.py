"""Tensors that move between the CPU, OpenCL and WebGPU, within a limit on what a device may hold.

Run it:  python examples/09_tensors_between_devices.py
"""

import numpy as np

import jitframe as jf

here = [name for name in ("cpu", "opencl", "webgpu") if jf.backends.is_available(name)]


@jf.jit
def normalized(x):
    return (x - x.mean(axis=-1, keepdims=True)) / x.std(axis=-1, keepdims=True)


table = np.random.default_rng(0).normal(3, 2, (500, 400)).astype(np.float32)
wanted = normalized(table)

# There and on: each device goes on with what the one before computed.
x = jf.asarray(table)
for name in here:
    x = normalized(x.to_device(name))
    print(f"on {x.device}: rows have mean {abs(float(x.mean())):.3f} and deviation {float(x.std()):.3f}")
print("as on the CPU alone:", np.allclose(x.numpy(), wanted, atol=1e-4))

# What a call needs is known before it runs, and can be bounded.
device = here[-1]
spec = jf.ArraySpec(table.shape, table.dtype, device)
needed = jf.estimate_memory(normalized, spec)[device]
print("it needs beside its argument:", needed.peak_bytes >= table.nbytes)

backend = jf.backends.get(device)
held = x.to_device(device)
del x
backend.cleanup()
backend.monitor()
backend.limits = jf.backends.Limits(max_bytes=backend.usage().live_bytes + needed.peak_bytes - 1)
try:
    normalized(held).numpy()
except jf.errors.OutOfMemoryError as problem:
    print("too little:", problem.context["max_bytes"] < problem.context["live_bytes"] + table.nbytes * 2)
backend.limits = jf.backends.Limits(max_bytes=backend.usage().live_bytes + needed.peak_bytes)
result = normalized(held)
print("enough:", result.shape)
backend.limits = None
