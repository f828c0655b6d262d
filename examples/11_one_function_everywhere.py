"""One function over a list of backends, with the same result on each; each is started, used and ended."""

import numpy as np

import jitframe as jf


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


x = np.random.default_rng(0).normal(size=(64, 1000)).astype(np.float32)
expected = softmax(x)

wanted = ["cpu", "opencl", "webgpu", "cuda", "hip", "metal"]
names = [name for name in wanted if jf.backends.is_available(name)]
agreed = []
for backend in jf.backends.initialize_all(names):
    result = jf.jit(softmax, device=backend.device)(x)
    error = float(np.abs(result - expected).max())
    print(f"{backend.name} ({backend.info.kind}, {backend.info.units} units): differs by at most {error:.0e}")
    agreed.append(error < 1e-6)
jf.backends.shutdown_all()  # the last one first

print("backends:", *names)
print("all agree:", all(agreed))
