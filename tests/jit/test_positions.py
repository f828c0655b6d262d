"""`np.nonzero(mask)` and `np.where(mask)` under jit: positions whose number nobody asks for stay a mask."""

from __future__ import annotations

import numpy as np
import pytest

import jitframe as jf
from jitframe.onnx.operators.indexing import compress
from tests.jit.same import assert_same, check


def hue(image, weights, mask):
    """Parts of an array filled at positions, with values that were read at them."""
    low, high = image.min(axis=2), image.max(axis=2)
    found = np.zeros_like(image)
    for k in range(3):
        at = np.where((image.argmin(axis=2) == k) & (high > low))
        found[..., k][at] = 60 * (image[..., 1][at] - image[..., 2][at]) / (high[at] - low[at]) + k
    return found


def neighbors(image, weights, mask):
    y, x = np.nonzero(mask[1:-1, 1:-1])
    y, x = y + 1, x + 1
    return (weights[y - 1, x] + weights[y + 1, x] - 2 * weights[y, x]).sum(), (x * y).mean()


def centroids(image, weights, mask):
    labels = (weights * 3).astype(np.int64)
    found = np.zeros((4, 3))
    for k in range(4):
        y, x = np.where(labels == k)
        if len(y) > 0:
            found[k] = y.mean(), x.mean(), weights[y, x].sum()
    return found


def thresholds(image, weights, mask):
    """The best threshold between two classes, which may be empty."""
    best, at = 0.0, 0
    for t in range(12):
        below, above = weights[np.where(weights < t / 10)], weights[np.where(weights >= t / 10)]
        m0 = np.mean(below) if len(below) > 0 else 0.0
        m1 = np.mean(above) if len(above) > 0 else 0.0
        spread = len(below) * len(above) * (m0 - m1) ** 2
        if spread > best:
            best, at = spread, t
    return best, at


def firsts(image, weights, mask):
    found = np.zeros(len(weights))
    for r in range(len(weights)):
        above = np.flatnonzero(weights[r] > 0.3)
        found[r] = above[0] + 100 * above[-1] + weights[r, above[0]]
    return found


def of_some(image, weights, mask):
    """Positions among positions, and numbers of them, which are Python's."""
    columns = np.where(weights[0] > 0.3)[0]
    chosen = columns[weights[1][columns] > 0.5]
    return weights[2][chosen].sum(), len(chosen), chosen.size, weights[mask].size


def of_masks_as_they_were(image, weights, mask):
    at = np.nonzero(mask)
    mask[:] = False
    weights[at] = 7.0
    return weights, weights[:, :4][np.where(weights[:, :4] > 6)].sum(), mask


def by_two_names(image, weights, mask):
    """What a first element is, beside what is written."""
    rows = (weights[:, 0] > 0.2).nonzero()[0]
    weights[:, rows[:1]] = 0
    weights[rows[-1]] = 5.0
    return weights


WHOLE = [hue, neighbors, centroids, thresholds, firsts, of_some, of_masks_as_they_were]


def as_arrays(image, weights, mask):
    y, x = np.where(mask)
    joined = np.stack((y, x), axis=1), np.array((y, x)), np.column_stack((x, y)), np.concatenate((x, y))
    taken = np.take(weights, x, axis=1), weights[y], 3 in x, x.tolist(), y[1:3], x.shape, np.sort(x)[::-1]
    np.add.at(weights, (y, x), 1.0)
    return joined, taken, (y, x), np.argwhere(mask), np.maximum(y, 2), {"x": x}, y.max(), x.argmax()


def one_by_one(image, weights, mask):
    total = 0.0
    for y, x in zip(*np.where(mask), strict=True):
        total += weights[y, x] * y
    for place in np.flatnonzero(weights[0] > 0.2):
        total += weights[0][place]
    return total, [int(each) for each in np.where(weights[1] > 0.3)[0]]


def arguments():
    random = np.random.default_rng(3)
    weights = random.random((9, 11))
    return random.random((9, 11, 3)), weights, weights > 0.6


@pytest.mark.parametrize("function", [*WHOLE, by_two_names, as_arrays, one_by_one])
def test_it_is_numpys(function):
    check(function, *arguments(), calls=4, tolerance=1e-6)


@pytest.mark.parametrize("function", WHOLE)
def test_it_is_one_program(function, strict):
    jitted = jf.jit(function)
    given = arguments()
    assert_same(jitted(*given), function(*arguments()), 1e-6)
    assert not jitted.stats()["interpreted"]
    assert not jitted.explain(*arguments()).before


def test_no_positions_at_all():
    image, weights, mask = arguments()
    nothing = np.zeros_like(mask)
    check(of_some, image, weights * 0, nothing)
    check(of_masks_as_they_were, image, weights, nothing)
    for function in (lambda x: np.where(x > 9)[0][0], lambda x: np.where(x > 9)[0][-1]):
        with pytest.raises(IndexError):
            jf.jit(function)(np.arange(4.0))
    with pytest.raises(ValueError, match="zero-size"):
        jf.jit(lambda x: np.where(x > 9)[0].max())(np.arange(4.0))


def test_positions_in_arrays_of_other_extents():
    """Fewer than there are elements, or none of the array."""
    x, y = np.arange(6.0), np.arange(9.0) * 2
    check(lambda x, y: y[np.where(x > 2)[0]].sum(), x, y)
    with pytest.raises(IndexError):
        jf.jit(lambda x, y: x[np.where(y > 2)[0]].sum())(x, y)


def test_a_store_after_the_search_for_its_place():
    """Where a row is searched while another array is written over, the store at the place comes after."""

    def function(x):
        place = np.argmax(x[0] > 0.5)
        x *= 2
        x[place] = 5.0
        return x

    jitted = check(function, arguments()[1])
    assert not jitted.stats()["interpreted"]


def test_a_function_that_is_not_copied_reads_at_positions() -> None:
    """NumPy asks the array, and not the positions."""
    jitted = jf.jit(lambda x, c: compress(x, c, axis=0))
    x = np.arange(6.0).reshape(3, 2)
    for mask in (np.array([True, False, True]), np.zeros(3, bool)):
        np.testing.assert_array_equal(jitted(x, mask), x[mask])
