"""What a mask has chosen, where the order of its elements matters: slices, neighbors, sorted values, arrays
of as many elements. The number of elements stays open, and cuts nothing."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import jitframe as jf
from tests.jit.same import assert_same

X = np.array([0.5, -1.0, 2.0, 3.5, -0.25, 1.0, 2.0, 0.75, -3.0, 4.0])
M = np.outer(X, [1.0, 2.0, 3.0, 4.0])


def slices(v):
    return (
        v[1:].sum(), v[:-1].sum(), v[2:-1].max(), v[::-1][0], v[::2].sum(), v[1::3].sum(), v[:3].sum(),
        v[-2:].sum(), v[-3:-1].max(), v[len(v) // 2 :].sum(), v[: len(v) // 2].sum(), v[:50].sum(),
        v[1 : len(v) - 1].sum(), v[1:][:-1][::2].sum(),
    )  # fmt: skip


def elements(v):
    order = np.argsort(v)
    large = np.where(v > 1)[0]
    return (
        large.sum(),
        v[large].max(),
        np.flatnonzero(np.diff(v) > 0),
        np.nonzero(v[v > 0])[0][-1],
        v[0],
        v[-1],
        v[1],
        v[-2],
        v[[0, 2, -1]],
        v[order].sum(),
        v[order][0],
        v[order[:2]].sum(),
        order[-1],
    )


def neighbors(v):
    d = np.diff(v)
    middle = v[1 : len(v) - 1] - (v[: len(v) - 2] + v[2:]) / 2
    return (
        middle.sum(),
        (v[: len(v) - 1] * d).sum(),
        d.sum(),
        (v[1:] - v[:-1]).max(),
        np.diff(v, 2).sum(),
        (d / (v[1:] + v[:-1])).mean(),
        np.ediff1d(v).min(),
    )


def in_order(v):
    s = np.sort(v)
    return (
        s[len(s) // 2], s[-1] - s[0], np.percentile(v, 30), np.percentile(v, [25, 75]), np.quantile(v, 0.9),
        np.cumsum(s)[-1], np.cumsum(v).max(), np.cumprod(v)[-1], np.flip(v)[0],
        len(np.unique(v)), np.unique(v).sum(),
        np.searchsorted(s, 1.0), np.searchsorted(s, 1.0, side="right"), np.median(np.diff(s)),
    )  # fmt: skip


def joined(v):
    t = np.concatenate([[0.0], np.cumsum(v)])
    lengths = np.append(v, 5.0)
    both = np.hstack((v, -v, v[1:]))
    rows = np.stack([v, -v], axis=1)
    return (
        (t[1:] - v).sum(), t[-1], len(t), lengths[-1], lengths.sum(), both.sum(), both[len(v)], both[-1],
        np.concatenate((v, np.array([1.0, 2.0])))[-2], np.stack([v, v * 2], axis=1).sum(axis=0),
        np.vstack((rows, rows[:1])).sum(axis=0), np.concatenate([rows, np.ones((1, 2))])[-2],
        np.r_[0, v, 1:3].sum(), np.r_[v, v[-1]][-2:].sum(), np.c_[v, v * 2].sum(axis=0),
        np.column_stack((v, np.sqrt(np.abs(v)))).mean(axis=0), np.vstack((v, v))[0].sum(),
    )  # fmt: skip


def made(v):
    n = len(v)
    out = np.zeros(n)
    out[1:] = v[:-1]
    out[0] = 7.0
    out[-1] += 1.0
    ranks = np.empty(v.shape)
    ranks[np.argsort(v)] = np.arange(n)
    filled = np.full(n, 2.0) + np.ones_like(v)
    for i in range(n):
        filled[i] += v[i] * i
    table = np.zeros((n, 2))
    table[0, 1] = 3.0
    return (
        out.sum(), (out * v).sum(), np.arange(n) @ v, np.arange(1, n + 1).sum(), ranks @ v, filled.sum(),
        table.sum(),
        np.interp(0.5, np.linspace(0, 1, n), np.sort(v)), np.histogram(v, bins=4, range=(-4.0, 4.0))[0],
    )  # fmt: skip


@pytest.mark.parametrize("function", [slices, elements, neighbors, in_order, joined, made])
def test_it_is_numpys(function):
    def chosen(x, low):
        return function(x[x > low])

    jitted = jf.jit(chosen)
    for low in (0.0, -9.0, 1.5):
        assert_same(jitted(X, low), chosen(X, low))
    assert not jitted.stats()["interpreted"]
    assert not jitted.explain(X, 0.0).before


@pytest.mark.parametrize("function", [slices, elements, neighbors, in_order, joined, made])
@pytest.mark.parametrize("low", [3.0, 3.5, 9.0])
def test_of_few_or_none_it_is_numpys(function, low):
    def chosen(x):
        return function(x[x > low])

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            expected = chosen(X)
        except (ValueError, IndexError):
            with pytest.raises((ValueError, IndexError)):
                jf.jit(chosen)(X)
        else:
            assert_same(jf.jit(chosen)(X), expected)


def intervals_between_spikes(trace, threshold, dt):
    above = trace > threshold
    onsets = np.flatnonzero(above[1:] & ~above[:-1]) + 1
    if len(onsets) < 3:
        return np.nan, np.nan, 0
    intervals = np.diff(onsets) * dt
    return intervals.mean(), intervals.std() / intervals.mean(), len(onsets)


def length_of_a_contour(points):
    steps = np.diff(points, axis=0)
    lengths = np.sqrt((steps**2).sum(axis=1))
    moved = lengths > 0
    steps, lengths = steps[moved], lengths[moved]
    along = np.concatenate(([0.0], np.cumsum(lengths)))
    phase = 2 * np.pi * along / along[-1]
    return np.sum(steps[:, 0] / lengths * (np.cos(phase[1:]) - np.cos(phase[:-1])))


def ranks_of_the_valid(x):
    ranks = np.full(x.shape, np.nan)
    valid = ~np.isnan(x)
    order = np.argsort(x[valid])
    own = np.empty(len(order))
    own[order] = np.arange(1, len(order) + 1)
    ranks[valid] = own
    return ranks


def upper_triangle_from_a_vector(values, n):
    matrix = np.zeros((4, 4))
    matrix[np.triu(np.ones((4, 4)), 1) > 0] = values * n
    return matrix


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (intervals_between_spikes, (np.sin(np.arange(500) * 0.3) + np.sin(np.arange(500) * 0.017), 0.8, 0.1)),
        (length_of_a_contour, (np.cumsum(np.round(np.random.default_rng(0).normal(size=(80, 2))), axis=0),)),
        (ranks_of_the_valid, (np.where(X > 0, X, np.nan),)),
        (upper_triangle_from_a_vector, (np.arange(6.0), np.float64(2.0))),
    ],
)
def test_programs(function, arguments):
    jitted = jf.jit(function)
    for _ in range(2):
        assert_same(jitted(*arguments), function(*arguments))
    assert not jitted.stats()["interpreted"]
    assert not jitted.explain(*arguments).before


def peaks(x):
    inner = x[1:-1]
    found = np.flatnonzero((inner > x[:-2]) & (inner >= x[2:])) + 1
    return found, x[found], {"apart": np.diff(found), "count": len(found)}


def places_of_the_largest(x):
    table = x.reshape(2, 5)
    return np.argwhere(table > 1.5), np.nonzero(table > 1.5), table[table[:, 0] > 0], table[:, table[1] > 0]


def kept_and_dropped(x):
    v = x[x > 0]
    values, counts = np.unique(v, return_counts=True)
    return [np.sort(v)[::-1], v, v, x[x <= 0], np.unique(x), values, counts, values * counts]


def all_of_them(x):
    return x[x > -100]


@pytest.mark.parametrize("function", [peaks, places_of_the_largest, kept_and_dropped, all_of_them])
def test_results_have_the_length_that_they_have(function):
    jitted = jf.jit(function)
    for x in (X, X[::-1].copy(), X - 2.5, X * 0):
        found = jitted(x)
        assert_same(found, function(x))
    assert not jitted.stats()["interpreted"]
    assert not jitted.explain(X).before
    if function is kept_and_dropped:
        assert found[1] is found[2]
    if function is all_of_them:
        assert found.flags.owndata and not np.shares_memory(found, x)


def test_results_that_share_memory_are_pythons():
    def shared(x):
        v = x[x > 0]
        return v, v[1:]

    with pytest.warns(jf.errors.FallbackWarning, match="and a slice of it are returned"):
        whole, later = jf.jit(shared)(X)
    assert np.shares_memory(whole, later)


def columns(x):
    v = x[x[:, 0] > 0]
    return v[:, 0], v[:, 1], v[:, 2:]


def columns_and_more(x):
    v = x[x[:, 0] > 0]
    return v[:, 0], v[:, :2]


def test_results_that_share_no_element():
    """Columns are arrays of their own; what overlaps is Python's, whose results share their elements."""
    jitted = jf.jit(columns)
    assert_same(jitted(M), columns(M))
    assert not jitted.stats()["interpreted"]
    with pytest.warns(jf.errors.FallbackWarning, match="and a slice of it are returned"):
        one, both = jf.jit(columns_and_more)(M)
    assert np.shares_memory(one, both)


def test_results_of_tensors():
    x = jf.asarray(X)
    found, later = jf.jit(lambda x: (x[x > 0], np.diff(np.flatnonzero(x > 0))))(x)
    assert isinstance(found, jf.Tensor) and found.numpy().tolist() == X[X > 0].tolist()
    assert later.numpy().tolist() == np.diff(np.flatnonzero(X > 0)).tolist()


def test_as_many_values_are_assigned_as_are_chosen():
    def assigned(x, values):
        x[x > 1] = values
        return x

    jitted = jf.jit(assigned)
    for _ in range(30):
        assert_same(jitted(X.copy(), np.arange(4.0)), assigned(X.copy(), np.arange(4.0)))
    assert not jitted.stats()["interpreted"]
    with pytest.raises(ValueError, match="another number of elements than are assigned"):
        jitted(X.copy(), np.arange(3.0))
    with pytest.raises(ValueError, match="another number of elements than are assigned"):
        jitted(X + 1, np.arange(4.0))


def test_writes_that_a_slice_would_see_are_pythons():
    def lent(x):
        v = x[x > 0]
        later = v[1:]
        v[v > 3] = 0.0
        return later.sum()

    def seen(x):
        v = np.zeros(len(x[x > 0]))
        later = v[1:]
        v[2] = 5.0
        later[0] = 2.0
        return later.sum(), v.sum()

    with pytest.warns(jf.errors.FallbackWarning, match="after a slice of it was taken"):
        assert jf.jit(lent)(X) == lent(X)
    jitted = jf.jit(seen)
    assert_same(jitted(X), seen(X))
    assert not jitted.stats()["interpreted"]


def test_products_of_chosen_matrices_that_do_not_fit_are_refused():
    def product(a, kept):
        return a[kept] @ a[kept]

    with pytest.raises(ValueError, match="matmul"):
        jf.jit(product)(np.eye(4), np.array([True, False, True, True]))


def rows_before_the_last(x):
    """What a slice that ends before the array is given leaves what lies behind it."""
    kept = np.arange(len(x))[x > 1]
    framed = np.empty(len(kept) + 2, np.int64)
    framed[0] = -1
    framed[-1] = len(x)
    framed[1:-1] = kept
    marked = np.arange(len(kept) + 3)
    marked[:-2] = 7
    table = np.ones((len(kept) + 1, 2))
    table[-1] = 5.0
    table[:-1] = 0.0
    first = np.arange(len(kept) + 4)
    first[:3] = -1
    return framed, marked, table, first


def test_slices_before_the_end_keep_what_is_behind_them():
    jitted = jf.jit(rows_before_the_last)
    for x in (X, np.zeros(9), np.full(9, 3.0), np.array([2.0, *np.zeros(7), 2.0])):
        assert_same(jitted(x), rows_before_the_last(x))
