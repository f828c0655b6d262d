import numpy as np

import jitframe as jf


@jf.jit
def step(jacobian, value):
    move = np.linalg.solve(jacobian, value)  # here
    return value - move


step(np.eye(9), np.ones(9))
step(np.ones((9, 9)), np.ones(9))
#: LinAlgError
#: Singular matrix
