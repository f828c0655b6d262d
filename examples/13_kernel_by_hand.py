"""A kernel written by hand, run on every backend that is here, and used as an array function inside `jit`."""

import numpy as np

import jitframe as jf

GROUP = 64

# The largest element of each workgroup's part, through shared memory.
build = jf.backends.KernelBuilder("largest", workgroup=GROUP)
x, largest = build.buffer("float32", "in", "x"), build.buffer("float32", "out", "largest")
n = build.uniform("index", "n")
shared = build.shared("float32", GROUP)
lane, i = build.lane(), build.position()
shared[lane] = float("-inf")
with build.when(i < n):
    shared[lane] = x[i]
half = GROUP // 2
while half:  # Python runs now: six steps are written
    build.barrier()
    with build.when(lane < half):
        shared[lane] = build.maximum(shared[lane], shared[lane + half])
    half //= 2
with build.when(lane == 0):
    largest[build.group()] = shared[0]
kernel = build.finish()
print(kernel)

values = np.random.default_rng(0).normal(size=1000).astype(np.float32)
groups = -(-len(values) // GROUP)
expected = [values[k : k + GROUP].max() for k in range(0, len(values), GROUP)]

checked = np.zeros(groups, np.float32)
kernel.interpret([values, checked], [len(values)], grid=groups)  # slow, and finds races
print("the interpreter agrees:", checked.tolist() == expected)

ran, agreed = 0, 0
for device in jf.devices():
    if not device.available:
        continue
    with jf.backends.create(device.name) as backend:
        program = backend.compile(kernel)
        given, result = backend.alloc(values.nbytes), backend.alloc(4 * groups)
        backend.copy(values, given)
        launch = jf.backends.LaunchConfig(grid=groups)
        backend.execute(program, [given, result], {"n": len(values)}, launch)
        found = np.frombuffer(result.read(), np.float32)
        ran, agreed = ran + 1, agreed + (found.tolist() == expected)
print("every backend agrees:", ran == agreed)

largest_of = jf.custom_kernel(
    kernel, shapes=lambda x: (-(-x[0] // GROUP),), sizes=lambda x: x[0], grid=lambda x: -(-x[0] // GROUP)
)


@jf.jit
def spread(x):
    return largest_of(x).max() + largest_of(-x).max()


print("inside a jitted function:", spread(values) == values.max() - values.min())
