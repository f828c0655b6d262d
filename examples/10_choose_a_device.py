"""Which device to take: what there is, the best one, one with room, and what it was configured with."""

import numpy as np

import jitframe as jf

print(jf.backends.summary(100))

backend = jf.backends.init("auto", required_bytes=64 << 20)  # real devices go before software ones
print("auto takes a device that is here:", backend.name == jf.backends.recommended())
print("it has room for 64 MiB:", (backend.info.free_bytes or backend.info.total_bytes or 0) >= 64 << 20)

for name in ("cuda", "opencl", "webgpu", "cpu"):
    if jf.backends.is_available(name):  # never raises, whatever the name or the driver
        print(f"{name} is here: {jf.backends.get(name).info.title}")
    else:
        print(f"{name} is not: {jf.backends.discover()[name].problem.split(':')[0]}")

jf.backends.set_priority(["cpu"])  # a program's own order goes first
x = jf.arange(5.0, device="auto")
print("first of the program's order:", x.device)
jf.backends.set_priority(None)

single = jf.backends.create("cpu", threads=1)  # a backend of its own, configured
print(single.configuration)
row = jf.asarray(np.arange(6.0).reshape(2, 3), device=single.device).sum(axis=1)
print("computed there:", row.tolist())
