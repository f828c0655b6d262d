"""`np.bincount` without `minlength`: its length follows from values, and cuts nothing."""

from __future__ import annotations

import numpy as np
import pytest

import jitframe as jf
from tests.capture.test_users_programs import same

RANDOM = np.random.default_rng(6)
POINTS, LABELS = RANDOM.random((50, 3)).round(2), RANDOM.integers(0, 5, 50)


def counts(points, labels):
    found = np.bincount(labels)
    return found, found.argmax(), len(found)


def weighted(points, labels):
    return np.bincount(labels, weights=points[:, 0]), np.bincount(labels, points[:, 1])[1:3]


def entropy(points, labels):
    shares = np.bincount(labels) / len(labels)
    return -np.sum(shares[shares > 0] * np.log2(shares[shares > 0]))


def votes_of_neighbors(points, labels):
    found = np.empty(10)
    for i, point in enumerate(points[:10] + 0.01):
        nearest = np.argsort(np.sum((points - point) ** 2, axis=1))[:5]
        found[i] = np.bincount(labels[nearest]).argmax()
    return found


def best_split(points, labels):
    best, at = 99.0, -1.0
    for threshold in np.unique(points[:, 0]):
        left, right = labels[points[:, 0] <= threshold], labels[points[:, 0] > threshold]
        if len(left) == 0 or len(right) == 0:
            continue
        impurity = 0.0
        for part in (left, right):
            shares = np.bincount(part) / len(part)
            impurity += len(part) * (1 - np.sum(shares**2))
        if impurity < best:
            best, at = impurity, threshold
    return best, at


def of_chosen(points, labels):
    chosen = points[:, 1] > 0.5
    return np.bincount(labels[chosen]), np.bincount(labels[chosen], weights=points[chosen, 0])


PROGRAMS = [counts, weighted, entropy, votes_of_neighbors, best_split, of_chosen]


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda each: each.__name__)
def test_counts(function):
    jitted = jf.jit(function)
    for points, labels in ((POINTS, LABELS), (POINTS, LABELS % 3), (POINTS[::-1].copy(), LABELS)):
        same(jitted(points, labels), function(points, labels))
    assert jitted.stats()["interpreted"] == 0
    assert not jitted.explain(POINTS, LABELS).before


@pytest.mark.parametrize("dtype", ["uint8", "int32", "bool"])
def test_dtypes(dtype):
    labels = LABELS.astype(dtype)
    same(jf.jit(counts)(POINTS, labels), counts(POINTS, labels))


def test_none_chosen():
    points = POINTS.copy()
    points[:, 1] = 0
    jitted = jf.jit(of_chosen)
    for each in (POINTS, points, POINTS):
        same(jitted(each, LABELS), of_chosen(each, LABELS))


@pytest.mark.parametrize("large", [255, 256, 100_000])
def test_large_integers_are_of_python(large):
    labels = LABELS.copy()
    labels[7] = large
    jitted = jf.jit(counts)
    for each in (LABELS, labels, LABELS):
        same(jitted(POINTS, each), counts(POINTS, each))
    assert (jitted.stats()["interpreted"] > 0) == (large > 255)


def test_negative_integers():
    with pytest.raises(ValueError, match="must have no negative elements"):
        jf.jit(counts)(POINTS, LABELS - 1)
    hidden = np.where(POINTS[:, 1] > 0.5, LABELS, -5)  # a mask does not choose the negative ones
    same(jf.jit(of_chosen)(POINTS, hidden), of_chosen(POINTS, hidden))
