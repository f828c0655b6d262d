"""Programs that people write with sorts, jitted and on tensors, against the same code on NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitframe as jf
from tests.functions.compare import tensors


def nearest(points: Any, queries: Any) -> Any:
    """The three nearest points of each query, and how far they are."""
    squares = ((queries[:, None, :] - points[None, :, :]) ** 2).sum(axis=-1)
    order = np.argsort(squares, axis=1, kind="stable")[:, :3]
    return order, np.sqrt(np.take_along_axis(squares, order, axis=1))


def median_filter(image: Any) -> Any:
    """The median of each 3 x 3 window."""
    padded = np.pad(image, 1, mode="edge")
    rows, columns = image.shape
    windows = np.stack([padded[i : i + rows, j : j + columns] for i in range(3) for j in range(3)])
    return np.median(windows, axis=0)


def normalized(samples: Any) -> Any:
    """Quantile normalization: every column gets the mean distribution of all."""
    ranks = np.argsort(np.argsort(samples, axis=0, kind="stable"), axis=0, kind="stable")
    return np.sort(samples, axis=0).mean(axis=1)[ranks]


def ranked(x: Any) -> Any:
    """Ranks from 1 on, equal elements sharing their mean."""
    ordered = np.sort(x)
    return (np.searchsorted(ordered, x, side="left") + np.searchsorted(ordered, x, side="right") + 1) / 2


def spearman(x: Any, y: Any) -> Any:
    return np.corrcoef(ranked(x), ranked(y))[0, 1]


def distribution(x: Any, at: Any) -> Any:
    """The empirical cumulative distribution function."""
    return np.searchsorted(np.sort(x), at, side="right") / x.size


def winsorized(x: Any) -> Any:
    low, high = np.percentile(x, [5, 95])
    return np.clip(x, low, high)


def accuracy(scores: Any, labels: Any) -> Any:
    """How often the label is among the five highest scores."""
    best = np.argsort(-scores, axis=1, kind="stable")[:, :5]
    return (best == labels[:, None]).any(axis=1).mean()


def pareto(costs: Any) -> Any:
    """Which of two costs no other undercuts in both, by going through them in order of the first."""
    order = np.lexsort((costs[:, 1], costs[:, 0]))
    second = costs[order, 1]
    least = np.minimum.accumulate(second)
    kept = np.concatenate([np.array([True]), second[1:] < least[:-1]])
    result = np.zeros(costs.shape[0], bool)
    result[order] = kept
    return result


def gini(x: Any) -> Any:
    ordered = np.sort(x)
    n = x.size
    return (2 * np.arange(1, n + 1) - n - 1) @ ordered / (n * ordered.sum())


def roc_area(scores: Any, positive: Any) -> Any:
    """The area under the ROC curve, from ranks."""
    ranks = np.argsort(np.argsort(scores, kind="stable"), kind="stable") + 1
    count = positive.sum()
    return (np.where(positive, ranks, 0).sum() - count * (count + 1) / 2) / (count * (positive.size - count))


def trimmed(x: Any) -> Any:
    """The mean without the lowest and highest tenth, and the median absolute deviation."""
    cut = x.shape[-1] // 10
    middle = np.sort(x, axis=-1)[..., cut:-cut].mean(axis=-1)
    return middle, np.median(np.abs(x - np.median(x, axis=-1, keepdims=True)), axis=-1)


def overlaps(boxes: Any) -> Any:
    area = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    low = np.maximum(boxes[:, None, :2], boxes[None, :, :2])
    high = np.minimum(boxes[:, None, 2:], boxes[None, :, 2:])
    shared = np.clip(high - low, 0, None).prod(axis=-1)
    return shared / (area[:, None] + area[None, :] - shared)


def suppressed(boxes: Any, scores: Any) -> Any:
    """Non-maximum suppression: which boxes are kept, the highest score first."""
    order = np.argsort(-scores, kind="stable")
    over = overlaps(boxes[order]) > 0.5
    kept = np.ones(40, bool)
    for i in range(40):
        behind = np.arange(40) > i
        kept = np.where(kept[i] & behind & over[i], False, kept)
    result = np.zeros(40, bool)
    result[order] = kept
    return result


random = np.random.default_rng(8)
BOXES = np.concatenate([random.random((40, 2)), 1 + random.random((40, 2))], axis=1)
PROGRAMS: list[tuple[Callable[..., Any], tuple[np.ndarray, ...]]] = [
    (nearest, (random.standard_normal((90, 3)), random.standard_normal((7, 3)))),
    (median_filter, (random.standard_normal((12, 17)),)),
    (normalized, (random.standard_normal((50, 6)),)),
    (ranked, (random.integers(0, 20, 80),)),
    (spearman, (random.integers(0, 20, 80), random.standard_normal(80))),
    (distribution, (random.standard_normal(300), np.linspace(-3, 3, 31))),
    (winsorized, (random.standard_normal(400),)),
    (accuracy, (random.standard_normal((60, 30)), random.integers(0, 30, 60))),
    (pareto, (random.integers(0, 30, (70, 2)),)),
    (gini, (random.random(200),)),
    (roc_area, (random.standard_normal(150), random.random(150) < 0.4)),
    (trimmed, (random.standard_normal((5, 130)),)),
    (suppressed, (BOXES, random.random(40))),
]


@pytest.mark.parametrize(("program", "arguments"), PROGRAMS, ids=lambda each: getattr(each, "__name__", ""))
def test_program(program: Callable[..., Any], arguments: tuple[np.ndarray, ...]) -> None:
    expected = program(*arguments)
    for found in (jf.jit(program)(*arguments), program(*tensors(arguments))):
        pairs = zip(found, expected, strict=True) if isinstance(expected, tuple) else [(found, expected)]
        for ours, theirs in pairs:
            np.testing.assert_allclose(np.asarray(ours), theirs, rtol=1e-12, atol=1e-14)


def test_distinct_elements_in_a_loop_of_a_program() -> None:
    """Values that sizes follow from are computed at once, step by step, on tensors."""
    words = jf.asarray(np.random.default_rng(2).integers(0, 9, 500))
    values, inverse, counts = jf.unique(words, return_inverse=True, return_counts=True)
    np.testing.assert_array_equal(values[inverse].numpy(), words.numpy())
    commonest = values[jf.argsort(counts, descending=True)[:3]].numpy()
    expected, times = np.unique(words.numpy(), return_counts=True)
    np.testing.assert_array_equal(commonest, expected[np.argsort(-times, kind="stable")[:3]])
