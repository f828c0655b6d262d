import numpy as np

import jitframe as jf


@jf.jit
def f(x):
    return jf.fori_loop(0, 3, lambda i, c: np.concatenate([c, c]), x)  # here


f(np.ones(3))
#: ShapeError
#: fori_loop: carried value 0 is f64[3] given and f64[6] returned
