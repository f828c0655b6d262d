import numpy as np

import jitframe as jf


@jf.jit
def f(x):
    return jf.while_loop(lambda c: c < 10, lambda c: c * 2, x)  # here


f(np.ones(3))
#: ShapeError
#: jf.while_loop: the condition must be one value, not an array of shape (3,); use .any() or .all()
