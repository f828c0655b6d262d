"""Operators of detectors: boxes that overlap little, and means of regions."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from ...errors import UnsupportedError
from ...tracing.standins.callbacks import callback
from ..registry import Known, operator
from ..values import cast, dtype_of, is_known, lazy


def suppressed(
    boxes: np.ndarray, scores: np.ndarray, most: int, overlap: float, least: float | None, centers: bool
) -> np.ndarray:
    """[chosen, 3]: batch, class and box of the best boxes, none of which overlaps a better one by more."""
    if centers:
        middle, half = boxes[..., :2], boxes[..., 2:] / 2
        low, high = middle - half, middle + half
    else:
        low = np.minimum(boxes[..., :2], boxes[..., 2:])
        high = np.maximum(boxes[..., :2], boxes[..., 2:])
    areas = np.prod(high - low, axis=-1)
    chosen: list[tuple[int, int, int]] = []
    for batch, kind in itertools.product(range(scores.shape[0]), range(scores.shape[1])):
        order = np.argsort(-scores[batch, kind], kind="stable")
        if least is not None:
            order = order[scores[batch, kind, order] > least]
        kept = 0
        while order.size and kept < most:
            best, rest = order[0], order[1:]
            chosen.append((batch, kind, int(best)))
            kept += 1
            inner = np.minimum(high[batch, best], high[batch, rest]) - np.maximum(
                low[batch, best], low[batch, rest]
            )
            shared = np.prod(np.maximum(inner, 0), axis=-1)
            union = areas[batch, best] + areas[batch, rest] - shared
            order = rest[np.where(union > 0, shared / np.where(union > 0, union, 1), 0) <= overlap]
    return np.array(chosen, np.int64).reshape(-1, 3)


@operator("NonMaxSuppression")
def non_max_suppression(
    boxes: Any, scores: Any, most: Known | None = None, overlap: Known | None = None,
    least: Known | None = None, *, center_point_box: int = 0,
) -> Any:  # fmt: skip
    """NumPy chooses them on the host; only how many there are is needed while tracing."""
    count = 0 if most is None else int(np.asarray(most).reshape(-1)[0])
    limit = 0.0 if overlap is None else float(np.asarray(overlap).reshape(-1)[0])
    floor = None if least is None else float(np.asarray(least).reshape(-1)[0])
    centers = bool(center_point_box)
    if is_known(boxes, scores):
        return suppressed(np.asarray(boxes), np.asarray(scores), count, limit, floor, centers)
    batches, kinds, extent = scores.shape
    rows = batches * kinds * min(count, extent)

    def chosen(boxes: np.ndarray, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        array = suppressed(boxes, scores, count, limit, floor, centers)
        made = np.zeros((rows, 3), np.int32)
        made[: len(array)] = array
        return made, np.array(len(array), np.int32)

    specs = np.empty((rows, 3), np.int32), np.empty((), np.int32)
    made, length = callback(chosen, specs, lazy(boxes), lazy(scores))
    return cast(made[: int(length)], np.int64)


@operator("RoiAlign", since=10)
def roi_align_before_16(x: Any, rois: Any, batches: Any, **options: Any) -> Any:
    return roi_align(x, rois, batches, coordinate_transformation_mode="output_half_pixel", **options)


@operator("RoiAlign", since=16)
def roi_align(
    x: Any, rois: Known, batches: Any, *, coordinate_transformation_mode: str = "half_pixel",
    mode: str = "avg", output_height: int = 1, output_width: int = 1, sampling_ratio: int = 0,
    spatial_scale: float = 1.0,
) -> Any:  # fmt: skip
    """Samples in the bins of regions, their mean or the largest; NumPy says where they are."""
    if mode not in ("avg", "max"):
        raise UnsupportedError(f"the mode {mode!r} is not supported, avg and max are")
    shift = 0.5 if coordinate_transformation_mode == "half_pixel" else 0.0
    made = []
    for number, region in enumerate(np.asarray(rois, np.float64)):
        left, top, right, bottom = region * spatial_scale - shift
        width, height = right - left, bottom - top
        if not shift:
            width, height = max(width, 1.0), max(height, 1.0)
        image = np.take(x, np.reshape(batches, (-1,))[number], axis=0)
        along = [
            _bins(begin, size, bins, sampling_ratio, extent)
            for begin, size, bins, extent in (
                (top, height, output_height, x.shape[2]),
                (left, width, output_width, x.shape[3]),
            )
        ]
        made.append(_pooled_bins(image, along, mode))
    if not made:
        return np.zeros((0, x.shape[1], output_height, output_width), dtype_of(x))
    return np.stack(made)


def _bins(begin: float, size: float, bins: int, ratio: int, extent: int) -> tuple[Any, ...]:
    """[bins, samples]: the two elements around each sample, and the weights of both."""
    count = ratio or math.ceil(size / bins)
    each = size / bins
    places = begin + np.arange(bins)[:, None] * each + (np.arange(count) + 0.5) * each / count
    outside = (places < -1) | (places > extent)
    places = np.maximum(places, 0)
    low = np.minimum(places.astype(int), extent - 1)
    high = np.minimum(low + 1, extent - 1)
    part = np.where(low >= extent - 1, 0.0, places - low)
    return low, high, np.where(outside, 0, 1 - part), np.where(outside, 0, part)


def _pooled_bins(image: Any, along: list[tuple[Any, ...]], mode: str) -> Any:
    """[channels, bins, bins] of an image [channels, height, width]."""
    rows, columns = along
    terms = []
    for y, x in itertools.product((0, 1), repeat=2):
        taken = np.take(np.take(image, rows[y], axis=1), columns[x], axis=3)
        weight = rows[2 + y][:, :, None, None] * columns[2 + x]
        terms.append(taken * weight.astype(dtype_of(image)))
    if mode == "max":  # of the weighted neighbours themselves, as the standard has it
        found = np.maximum(np.maximum(terms[0], terms[1]), np.maximum(terms[2], terms[3]))
        return np.max(found, axis=(2, 4))
    return np.mean(terms[0] + terms[1] + terms[2] + terms[3], axis=(2, 4))
