"""Masks under jit: assignments become selections; what needs a number of elements cuts the function."""

from __future__ import annotations

import numpy as np
import pytest

import jitframe as jf
from tests.jit.same import assert_same, check


def assigned(x, y):
    x[x > 5] = 0.0
    x[:, x[0] > 2] = 7
    x[x.sum(axis=1) > 20] = y[0]
    x[np.isnan(x)] = -1
    return x


def changed(x, y):
    x[x > 5] += 10
    x[y > 1] *= y[y > 1]
    y[x < 3] = np.sqrt(x[x < 3]) + 1
    return x[y > 1].sum(), np.sum(x[x > 4] * 2), x[y > 2].mean(), x[y > 100].any()


def beside_positions(x, y):
    """Integers and slices beside a mask, in all the orders in which NumPy keeps the place of the axis."""
    x[x[:, 1] > 5, 2] = -1.0
    x[0, y[0] > 1] *= 2.0
    for j in range(x.shape[1]):
        x[y[:, j] > 2.5, j] = y[y[:, j] > 2.5, j] + j
    x[y[:, 0] > 1, 1:3] = y[0, 1:3]
    x[np.argmax(y[:, 0]), y[1] < 1.2] = 0.5
    x[..., y[1] > 1.9] -= 3
    return x, x[y[:, 0] > 1, -1].sum(), x[1, y[1] > 1.2].mean(), x[y[:, 0] > 0.5, 1:].sum()


def beside_positions_of_three_axes(x, y):
    z = np.stack([x, x * 2, x - 1])
    z[1, y > 1.5, ...] = 4.0
    z[y[:, 0] > 0.5, :, 1] = -2.0  # apart: the axis of the chosen goes to the front, where it is
    z[:, y[:, 0] > 0.5, 3] += 1.0
    z[0, :, y[0] > 0.5] = -7.0  # apart, and moved
    return z, z[0, :, y[0] > 0.5].shape, z[:, y[:, 0] > 0.5, 3].sum(), z[2, y > 1].max()


def of_all_elements_in_a_row(x, y):
    kept = x.ravel() > 4
    x.flat[kept] = 1.0
    y.flat[y.ravel() > 1] = 2.5
    z = np.zeros(x.size)
    z.flat[kept] = 1 / (1 + x.ravel()).flat[kept]
    return x, y, z


def conditions(x, flag):
    x[flag] = 3.0
    x[x[0] > 1] = 2.0
    return x


def reduced(x, y):
    return (
        x[x > 3].max(), x[x > 3].min(), np.max(x[y > 1]), x[y > 1].std(), np.var(x[y > 1], ddof=1),
        x[x < 3].prod(), (x * 2)[x > 3].astype(np.int32).min(), (x > 1)[y > 1].max(),
    )  # fmt: skip


@pytest.mark.parametrize(
    "function",
    [assigned, changed, reduced, beside_positions, beside_positions_of_three_axes, of_all_elements_in_a_row],
)
def test_it_is_numpys(function):
    y = np.linspace(0, 3, 12).reshape(3, 4)
    check(function, np.arange(12.0).reshape(3, 4), y, tolerance=1e-6)


def test_one_flag_for_all():
    check(conditions, np.arange(4.0), np.bool_(True))
    check(conditions, np.arange(4.0), np.bool_(False))


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x[x > 9].max(),
        lambda x: (x[x > 9].min(), x.sum())[1],
        lambda x: np.nonzero(x > 9)[0].max(),
        lambda x: np.stack([x, x])[:, x > 9].max(axis=1),
    ],
)
def test_there_is_no_extreme_of_nothing(function):
    x = np.arange(4.0)
    with pytest.raises(ValueError, match="zero-size array to reduction operation m") as expected:
        function(x)
    with pytest.raises(ValueError) as found:
        jf.jit(function)(x)
    assert str(found.value).startswith(str(expected.value))


def test_what_is_chosen_meets_arrays_of_more_axes():
    def outer(x, c):
        p = x[x > 0] * c
        return np.sum(p), p.max(), p.mean(axis=0).sum(), np.where(p > 1, p, 0).sum(axis=1), p.shape

    check(outer, np.array([1.0, -2.0, 3.0, 4.0, -5.0]), np.arange(5.0)[:, None])
    check(outer, np.array([1.0, -2.0, 3.0, 4.0, -5.0]), np.arange(3.0)[:, None])

    def of_two_ranks(x, c):
        chosen = x > 0
        both = (x[chosen] * c) * (c[:, 0].sum() - x)[chosen] + (x * c)[:, chosen]
        return both.sum(axis=1), (x[chosen] - (x * c)[:, chosen]).max(), both.shape

    check(of_two_ranks, np.array([1.0, -2.0, 3.0, 4.0, -5.0]), np.arange(5.0)[:, None])


def test_one_kernel_and_no_copy_of_what_is_chosen():
    def clamp(x):
        x[x > 1] = 1
        x[x < 0] *= 0.5
        return x

    assert len(jf.jit(clamp).explain(np.arange(9.0)).kernels) == 1


def test_a_mask_beside_a_number_needs_no_positions():
    def filled(x, medians):
        missing = np.isnan(x)
        for j in range(x.shape[1]):
            x[missing[:, j], j] = medians[j]
        return x

    function = jf.jit(filled)
    x = np.array([[1.0, np.nan, 3.0], [np.nan, 5.0, 6.0]])
    found = function(x.copy(), np.arange(3.0))
    assert found.tolist() == filled(x.copy(), np.arange(3.0)).tolist()
    assert not function.stats()["interpreted"]
    assert not function.explain(x, np.arange(3.0)).before
    with pytest.raises(IndexError, match="boolean index did not match"):
        jf.jit(lambda x, m: x[m, 0].sum())(x, np.ones(3, bool))


def centers(x, labels, before):
    found = np.zeros((5, x.shape[1]))
    for j in range(5):
        if np.any(labels == j):
            found[j] = x[labels == j].mean(axis=0)
    listed = np.array([x[labels == j].mean(0) if np.any(labels == j) else before[j] for j in range(5)])
    return found, listed


def naive_bayes(x, labels, before):
    stored = []
    for j in range(3):
        own = x[labels == j]
        stored.append((own.mean(axis=0), own.var(axis=0), own.std(0, ddof=1), own.shape[0] / x.shape[0]))
    return stored


def scatter_matrices(x, labels, before):
    within, between = np.zeros((3, 3)), np.zeros((3, 3))
    for j in range(3):
        own = x[labels == j]
        mean = np.mean(own, axis=0)
        within += (own - mean).T.dot(own - mean)
        apart = (mean - x.mean(0)).reshape(-1, 1)
        between += own.shape[0] * apart.dot(apart.T)
    return within, between, np.cov(x[labels == 1], rowvar=False), np.cov(x[labels == 1].T, bias=True)


def impurity(part):
    if len(part) == 0:
        return 0.0
    shares = np.array([np.sum(part == j) / len(part) for j in range(3)])
    return 1 - np.sum(shares**2)


def best_split(x, labels, before):
    best = (np.inf, 0, 0.0)
    for j in range(x.shape[1]):
        for threshold in x[:, j]:
            left, right = labels[x[:, j] <= threshold], labels[x[:, j] > threshold]
            found = (len(left) * impurity(left) + len(right) * impurity(right)) / len(labels)
            if found < best[0]:
                best = (found, j, threshold)
    return best


def over_axes(x, labels, before):
    m = labels == 1
    z = np.stack([x, -x])
    return (
        [getattr(np, name)(x[m], axis=axis) for name in ("sum", "max", "min", "any") for axis in (0, None)],
        x[m].sum(axis=1).max(),
        x[m].mean(-1, keepdims=True).sum(axis=0, keepdims=True),
        np.prod(x[m], 0),
        np.count_nonzero(x[m] > 0.5, axis=0),
        z[:, m].mean(axis=1),
        z[:, m].min(axis=(0, 2)).sum(),
        z[z > 0.5].max(),
        z[:, m, :].shape,
        x[m].argmax(axis=1).sum(),
    )


def products(x, labels, before):
    m = labels == 1
    weights = before[0]
    return (
        x[m, 0] @ x[m, 1],
        x[m].T @ x[m],
        (x[m] @ weights).sum(),
        np.matmul(weights, x[m].T).max(),
        np.dot(x[m], before).mean(axis=0),
        x.T[:, m] @ x[m, 2],
    )


def other_functions(x, labels, before):
    own = x[labels == 1]
    return (
        np.median(own[:, 0]),
        np.median(x[labels == 0]),
        np.median(labels[x[:, 0] > 0.3]),
        np.linalg.norm(own),
        np.linalg.norm(own - before[0], axis=1).min(),
        np.average(own, axis=0),
        np.average(own[:, 0], weights=own[:, 1]),
        np.ptp(own[:, 2]),
        np.where(own > 0.5, 1.0, own).sum(axis=0),
        np.clip(own, 0.2, 0.5).sum(),
        (own[:, 0][:, None] * before[0]).sum(axis=0),
        (own[:, 1].reshape(-1, 1) * before[0]).sum(axis=0),
        own[:, 1].argmax(),
        np.argmin(own[:, 1], axis=0),
        own[:, 1][np.argmax(own[:, 0])],
        own[:, 1][2],
        own[:, 1][-3],
        np.argmax(own, axis=1).sum(),
    )


@pytest.mark.parametrize(
    "function",
    [centers, naive_bayes, scatter_matrices, best_split, over_axes, products, other_functions],
)
def test_what_is_computed_of_open_sizes_does_not_cut(function):
    """The programs of clustering, of classes and of trees: groups of rows by a mask, and what is known of
    each."""
    random = np.random.default_rng(0)
    given = (random.random((41, 3)), random.integers(0, 3, 41), random.random((5, 3)))
    if function is products:
        given = (*given[:2], random.random((3, 3)))
    jitted = jf.jit(function)
    assert_same(jitted(*given), function(*given), tolerance=1e-12)
    assert not jitted.program(*given).segments
    assert not jitted.stats()["interpreted"]


def test_what_masks_have_chosen_stands_anywhere_among_arguments() -> None:
    def function(x, m):
        return (
            np.cov([x[m], x[m] * 2]), np.clip(x[m], 0.2, None).sum(), np.sum(a=x[m]), np.ptp([x[m]]),
            np.copy([x[m], x[m]]).sum(), np.max([x[m], -x[m]], axis=1),
            np.where(x > 0.5, x[m].sum(), 0).sum(),
            np.linalg.norm(x, axis=int(m[0])),
        )  # fmt: skip

    check(function, np.random.default_rng(3).random(9), np.arange(9) % 2 == 1)


def test_positions_and_scans_without_an_axis_are_those_of_all_elements(strict):
    def function(x, m):
        own = x[m]
        own.sort()
        return np.argmax(x[m]), x[m].argmin(), np.cumsum(x[m])[-1], x[m].cumsum().shape, own.sum(axis=0)

    check(function, np.random.default_rng(3).random((6, 3)), np.arange(6) % 3 > 0, tolerance=1e-12)


@pytest.mark.parametrize("kind", ["float", "int", "bool"])
def test_an_extreme_that_all_elements_are_is_the_first(kind):
    def function(x, m):
        return np.argmax(x[m]), np.argmin(x[m]), x[m][np.argmin(x[m])]

    m = np.array([False, True, True, False, True])
    for value in {"float": (-np.inf, np.inf, np.nan, 0.0), "int": (-(2**63), 2**63 - 1), "bool": (0, 1)}[
        kind
    ]:
        check(function, np.full(5, value, kind), m)
    with pytest.raises(ValueError, match="attempt to get argmax of an empty sequence"):
        jf.jit(lambda x, m: np.argmax(x[m]))(np.ones(3), np.zeros(3, bool))
    for place in (2, -3):
        with pytest.raises(IndexError, match="out of bounds"):
            jf.jit(lambda x, m, k=place: x[m][k])(np.ones(3), np.array([True, False, True]))


def repeated(x):
    values, counts = np.unique(x, return_counts=True)
    return x.size != np.unique(x).size, np.sum(counts > 1) / counts.shape[0], np.sum(values[counts > 1])


def entropy(x):
    share = np.unique(x, return_counts=True)[1] / x.size
    return -np.sum(share * np.log2(share)), len(share)


def counted_once(x):
    values, counts = np.unique(x, return_counts=True)
    counts[counts < 2] = 0
    counts[counts > 1] = 1
    own = x[x > 1]
    also = own
    own[own > 2] = -1.5
    return np.sum(counts * values), also.sum(), x.sum()


def most_frequent(x):
    values, first, inverse, counts = np.unique(x, True, True, True)
    return values[np.argmax(counts)], values[0], values[-1], first.max(), inverse, x.ravel()[first].sum()


@pytest.mark.parametrize("function", [repeated, entropy, counted_once, most_frequent])
def test_how_many_elements_differ_may_stay_open(function, strict):
    random = np.random.default_rng(0)
    for dtype, equal in (("float64", False), ("int32", False), ("int64", True)):
        array = np.ones(42, dtype) if equal else np.round(random.standard_normal(42) * 3).astype(dtype)
        if dtype == "float64" and function in (repeated, entropy):
            array[::5] = np.nan
        array = array.reshape(6, 7)
        jitted = jf.jit(function)
        assert_same(jitted(array), function(array), tolerance=1e-12)
        assert not jitted.program(array).segments


def test_medians_of_nothing_and_of_nan():
    function = jf.jit(lambda x, m: np.median(x[m]))
    x = np.array([3.0, np.nan, 1.0, 2.0])
    for mask in ([1, 0, 1, 1], [1, 1, 1, 1], [0, 0, 0, 0], [1, 0, 0, 1]):
        mask = np.array(mask, bool)
        with np.errstate(all="ignore"):
            expected = np.median(x[mask]) if mask.any() else np.nan
        assert_same(function(x, mask), np.float64(expected))


def test_what_needs_a_number_of_elements_cuts():
    def function(x, y):
        return (
            x[x > 1],
            x[x > 1].shape,
            x[x > 1, None],
            x[x > 1] + y,
            (x * 2)[x > 3].astype(int),
            x[x > 1] > y,
        )

    check(function, np.arange(5.0), np.ones(3))


def test_only_reductions_do_not_cut():
    jitted = jf.jit(lambda x: (x[x > 1].sum(), np.mean(x[x > 1]), x[x > 1].max()))
    x = np.arange(5.0)
    assert_same(jitted(x), (np.float64(9.0), np.float64(3.0), np.float64(4.0)))
    assert not jitted.program(x).segments


def test_what_masks_have_chosen_is_made_an_array_of_a_dtype():
    def function(x, mask):
        whole = np.array(x[mask], dtype=np.intp, order="C")
        return np.asarray(x[mask], np.float32), whole, np.array(x[mask], order="C").sum()

    x = np.arange(8.0)
    found = jf.jit(function)(x, x > 3)
    for one, expected in zip(found, function(x, x > 3), strict=True):
        assert one.dtype == expected.dtype
        np.testing.assert_array_equal(one, expected)


def test_an_object_of_the_users_may_be_called_so() -> None:
    class Masked:
        """Of another library, say."""

    kept = Masked()
    total, same = jf.jit(lambda x: (x.sum(), kept))(np.ones(3))
    assert total == 3.0 and same is kept


def new_axes_beside_a_mask(x):
    m = x[:, 0] > 0.3
    unit = x.copy()
    unit[m, :] /= np.sqrt((x[m] ** 2).sum(axis=1))[:, None]
    unit[~m] *= x[~m][:, 0, None]
    return unit, x[m, None].sum(axis=1), (x[m, 1][:, None] * np.ones(3)).sum(), x[:, 1][m, None]


def rows_of_a_transposed_selection(points):
    x, y = points[points[:, 0] > 0.3].T
    means = [row.mean() for row in points[points[:, 1] > 0.5].T]
    return x * y, x.sum(), np.array(means), len(points[points[:, 1] > 0.5].T)


@pytest.mark.parametrize("function", [new_axes_beside_a_mask, rows_of_a_transposed_selection])
def test_new_axes_and_transposed_selections_cut_nothing(function):
    """Axes whose extents are known are unpacked, iterated and counted although another one's is not."""
    points, jitted = np.random.default_rng(0).random((20, 2)), jf.jit(function)
    for shift in (0.0, -0.2, -2.0):
        with np.errstate(all="ignore"):
            given = points + shift
            if shift == -2.0 and function is rows_of_a_transposed_selection:
                continue  # means of nothing
            assert_same(jitted(given), function(given), 1e-12)
    assert not jitted.explain(points).before and jitted.stats()["traces"] == 1


def shortest_paths_with_hops(lengths):
    n = len(lengths)
    found, hops = lengths.copy(), np.isfinite(lengths).astype(float)
    for k in range(n):
        through = found[:, [k]] + found[[k], :]
        shorter = found > through
        i, j = np.where(shorter)
        hops[shorter] = hops[i, k] + hops[k, j]
        found = np.minimum(found, through)
    return found, hops


def positions_beside_integers(a, k=2):
    i, j = np.where(a > 0.5)
    (rows,) = np.where(a[:, 0] > 0.5)
    changed = a.copy()
    changed[rows, k] = -1
    return a[i, k].sum(), a[k, j + 0], a[i, 0] * a[-1, j], a[rows, k], a[k, rows], changed


@pytest.mark.parametrize("function", [shortest_paths_with_hops, positions_beside_integers])
def test_positions_of_a_mask_beside_integers_cut_nothing(function):
    jitted, random = jf.jit(function), np.random.default_rng(0)
    for density in (0.3, 0.6, 0.0):
        a = np.where(random.random((9, 9)) < density, random.random((9, 9)), 0.0 if density else 0.1)
        a = np.where(a > 0, a, np.inf) if function is shortest_paths_with_hops else a
        assert_same(jitted(a), function(a), 1e-12)
    assert not jitted.explain(a).before and jitted.stats()["traces"] == 1
