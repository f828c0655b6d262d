"""What runs, how long, and how near to the device's peak: a profile, its table, and a trace for
ui.perfetto.dev."""

import json
import tempfile
from pathlib import Path

import numpy as np

import jitframe as jf


@jf.jit
def normalise(x):
    centred = x - np.mean(x, axis=-1, keepdims=True)
    return centred / np.sqrt(np.mean(centred * centred, axis=-1, keepdims=True) + 1e-5)


x = np.random.default_rng(0).normal(3, 2, (512, 256)).astype(np.float32)
places = [device.name for device in jf.devices() if device.available and "float32" in device.dtypes]
arrays = {name: jf.asarray(x, device=name) for name in places}
for array in arrays.values():
    normalise(array).numpy()  # compiled now, and not in the profile

with jf.profile() as profile:
    for array in arrays.values():
        for _ in range(3):
            normalise(array).numpy()

print(profile.table())
kernels = [row for row in profile.kernels if row.kind == "kernel"]
print("every device is in it:", {row.device for row in kernels} == set(places))
print("launches of each kernel:", sorted({row.count for row in kernels}))

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "trace.json"
    profile.save(path)
    events = json.loads(path.read_text())["traceEvents"]
rows = {event["args"]["name"] for event in events if event["name"] == "process_name"}
print("rows of the trace:", "host" in rows and len(rows) == 1 + len(places))
