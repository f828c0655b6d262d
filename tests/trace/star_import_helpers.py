"""A module of a user's that takes all of NumPy's names."""

from numpy import *  # noqa: F403


def distance(x):
    return hypot(x, 2.0) + max(x)  # noqa: F405
