"""What the cache did: which calls compiled something, what is kept for the next process, and why."""

import tempfile

import numpy as np

import jitframe as jf

# An empty folder, so that nothing is found; in the usual one a second run would compile nothing.
empty = tempfile.TemporaryDirectory()
jf.settings.configure(cache_dir=empty.name)


@jf.jit
def length(x, y):
    return np.sqrt(x * x + y * y)


def call(what, *arguments):
    before = jf.cache.stats()["compiled"]
    length(*arguments)
    print(f"{what}: {jf.cache.stats()['compiled'] - before} compiled")


x = np.linspace(0, 1, 10_000)
call("first call", x, x)
call("the same again", x, x)
call("another size", x[:5000].copy(), x[5000:].copy())
call("another dtype", x.astype(np.float32), x.astype(np.float32))

print("kept on disk:")
for entry in jf.cache.entries()[::-1]:  # the oldest first
    print(f"  {entry.header.name}, {entry.header.origin.rpartition('/')[2]}")

print("compiled because:")
for reason in jf.cache.why():
    print(f"  {reason.name}: {reason.reason}")

whole, damaged = jf.cache.verify()
print("every file whole:", whole == len(jf.cache.entries()) and not damaged)
empty.cleanup()
