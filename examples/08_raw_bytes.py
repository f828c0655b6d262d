"""Raw bytes on a round trip over every backend that is here, in one copy after the other.

Run it:  python examples/08_raw_bytes.py
"""

import hashlib

import numpy as np

import jitframe as jf

NBYTES = 1 << 20

names = [
    name for name in ("cpu", "opencl", "webgpu", "cuda", "hip", "metal") if jf.backends.is_available(name)
]
backends = [jf.backends.create(name) for name in names]
data = np.random.default_rng(0).integers(0, 256, NBYTES, dtype=np.uint8)

# Each buffer is filled from the one before, wherever that is; the last goes back to the host.
buffers = [backend.alloc(NBYTES, alignment=256) for backend in backends]
backends[0].copy(data, buffers[0])
for backend, before, after in zip(backends, buffers, buffers[1:]):
    backend.copy(before, after)
back = bytearray(NBYTES)
backends[-1].copy(buffers[-1], back)

print("round trip:", " -> ".join(["host", *names, "host"]))
print("the same bytes:", hashlib.sha256(back).digest() == hashlib.sha256(data).digest())

# Any range to any place; what overlaps is moved as if by way of memory of its own.
last, buffer = backends[-1], buffers[-1]
last.copy(buffer, buffer, 1000, src_offset=3, dst_offset=10)
moved = data[:2000].copy()
moved[10:1010] = data[3:1003]
print("moved within one buffer:", buffer.read(2000) == moved.tobytes())

# A part shares the memory, and pools hand out parts without asking the device.
buffer[100:104].write(b"jit!")
print("written through a part:", buffer.read(4, offset=100).decode())
with last.pool(1 << 16) as pool:
    first, second = pool.alloc(1000), pool.alloc(2000)
    last.copy(buffer, second, 2000)
    print("in the pool:", pool.used_bytes, "bytes of", pool.nbytes)

for backend in backends:
    backend.shutdown()  # gives its buffers back
print("all given back:", all(each.is_freed for each in buffers))
