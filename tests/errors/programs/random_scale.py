import numpy as np

import jitframe as jf

generator = np.random.default_rng(1)


@jf.jit
def f(x):
    return generator.normal(0.0, x.min(), size=3)  # here


f(-np.ones(3))
#: ArgumentError
#: scale < 0
