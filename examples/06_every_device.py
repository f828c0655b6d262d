"""One function on every device that is here: the same arrays go there, and the results come back alike."""

import numpy as np

import jitframe as jf


@jf.jit
def normalise(x):
    centred = x - np.mean(x, axis=-1, keepdims=True)
    return centred / np.sqrt(np.mean(centred * centred, axis=-1, keepdims=True) + 1e-5)


x = np.random.default_rng(0).normal(3, 2, (512, 256)).astype(np.float32)
expected = normalise(x)  # an ndarray: computed on the processor

tried = agreed = 0
for device in jf.devices():
    if not device.available or "float32" not in device.dtypes:
        continue
    there = jf.asarray(x).to_device(device.name)  # from here on, what is computed stays there
    result = normalise(there)
    back = result.to_device("cpu").numpy()
    error = float(np.abs(back - expected).max())
    print(f"{device.name} ({device.kind}): computed on {result.device}, differs by at most {error:.0e}")
    tried, agreed = tried + 1, agreed + (error < 1e-5)

print("the processor is among them:", jf.devices()[0].name == "cpu")
print("all agree:", agreed == tried)
