"""The program that docs/life_of_an_expression.md follows."""

import numpy as np


def normalize(x):
    size = np.sqrt((x * x).sum(axis=-1, keepdims=True))
    return x / (size + 1e-6)
