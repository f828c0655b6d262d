from dataclasses import dataclass

import numpy as np

import jitframe as jf


@dataclass
class State:
    x: np.ndarray


@jf.jit
def f(state):
    state.x = state.x + 1
    return state.x


f(State(np.ones(3)))  # here
#: TraceError
#: the function changes the State 'state' that it was given; the caller's would not change. Return the new
#: State instead
