"""Arrays of open length that branches and loops leave: programs without a cut."""

from __future__ import annotations

import numpy as np
import pytest

import jitframe as jf
from tests.jit.same import assert_same

X = np.array([3.0, 1.0, 4.0, 1.5, 5.0, 90.0, 30.0])


def one_or_all(x):
    y = x[x > 2] if x[0] > 2 else x
    return y.sum(), y, len(y)


def two_lengths(x):
    if x[1] > 2:
        y = x[:2]
    elif x[0] > 2:
        y = np.zeros(3)
    else:
        y = x[x > 1]
    return y * 2, y[-1], y[1:]


def early(x):
    kept = x[x > 2]
    if len(kept) == 0:
        return np.zeros(2)
    if kept.mean() > 40:
        return kept[1:]
    return kept


def of_rows(x):
    m = np.outer(x, x[:4])
    m = m[x > 2] if x[0] > 2 else m[:, :3].T[:, :4]
    return m.sum(axis=0), m


def none_or_some(x):
    kept = x[x > 4]
    if len(kept) == 0:
        return None
    return kept


def one_mask(x):
    mask = x > 2
    y, w = x[mask], (x * 3)[mask]
    for i in range(300):
        y, w = w * 0.5 + y.mean() / (i + 1), y * 0.25
    return y, w


def until_small(x):
    y = x[x > 1]
    while np.abs(y).max() > 0.1:
        y = y * 0.5
    return y


def outliers_removed(x):
    while True:
        kept = x[np.abs(x - x.mean()) <= 1.5 * x.std()]
        if kept.size == x.size:
            return kept
        x = kept


def without_its_first(x):
    y = x[x > 0]
    while y[0] < 20 and len(y) > 1:
        y = y[1:]
    return y


def history(x):
    steps = []
    for _ in range(100):
        x = 0.5 * (x + 2 / x)
        steps.append(x.sum())
        if abs(x[0] - x[1]) < 1e-8:
            return x, np.array(steps)
    return x, np.array(steps)


def halves(x):
    x, n = np.sort(x), 0
    while len(x) > 1 and x[0] < 20:
        x = x[len(x) // 2 :]
        n += 1
    return x, n


def fewer_rows(x):
    m = np.outer(x, x)
    while m.sum() > 5000:
        m = m[:-1]
    return m


def shorter_and_written_to(x):
    y = x.copy()
    while y.sum() > 50:
        y = y[1:]
        y[0] = 1
    return y


EACH = [
    halves, fewer_rows, shorter_and_written_to,
    one_or_all, two_lengths, early, of_rows, none_or_some, one_mask, until_small, outliers_removed,
    without_its_first, history,
]  # fmt: skip


@pytest.mark.parametrize("function", EACH, ids=lambda each: each.__name__)
def test_it_is_numpys_without_a_cut(function, strict):
    jitted = jf.jit(function)
    for by in (1.0, 2.0, 0.5, 1.0):
        assert_same(jitted(X * by), function(X * by), tolerance=1e-12)
    assert not jitted.explain(X).before


def test_what_may_be_another_array_is_not_written_to():
    def written(x):
        y = x
        if x[0] > 2:
            y = x[:3]
        y[0] = 7
        return x, y

    for by in (1.0, 0.5):
        mine, its = X * by, X * by
        assert_same(jf.jit(written)(mine), written(its))
        assert_same(mine, its)


def test_what_gets_longer_is_as_pythons():
    def longer(x):
        y = x[x > 2]
        while y.sum() < 1000:
            y = np.append(y, y[-1] + 100)
        return y

    assert_same(jf.jit(longer)(X), longer(X))
