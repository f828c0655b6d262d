"""A module of a user's: what the functions of the globals-view tests read from elsewhere."""

from __future__ import annotations

import math
from math import sqrt

import numpy as np

scale = 3.0
table = np.array([1.0, 2.0, 3.0])


def root(x):
    return math.sqrt(x)


def root_of_root(x):
    return sqrt(root(x))


def scaled(x):
    return x * scale


def weighted(x, weights=table):
    return x * weights


class Settings:
    factor = 4.0
