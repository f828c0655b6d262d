import numpy as np

import jitframe as jf

jf.settings.configure(trace_limit=1000)


@jf.jit
def f(x):
    for _ in range(1_000_000):
        x = x * 0.5 + 1  # here
    return x


try:
    f(np.ones(3))
finally:
    jf.settings.restore(None)
#: TraceError
#: the trace of f has come to 1000 operations: a Python loop is written out, turn after turn. Write
#: jf.fori_loop(0, n, lambda i, x: ..., x), jf.while_loop or jf.scan, whose body is compiled once; or raise
#: the limit, JITFRAME_TRACE_LIMIT=4000
