import numpy as np

import jitframe as jf

generator = np.random.default_rng(1)


@jf.jit
def f(x):
    return jf.while_loop(lambda x: x < 10, lambda x: x + generator.random(), x)  # here


f(np.float64(1))
#: TraceError
#: random numbers are drawn in the body of jf.while_loop, which runs as often as its values decide; draw
#: before it, or write jf.fori_loop with bounds that are known while tracing;
#: jf.random.default_rng(seed) draws anywhere
