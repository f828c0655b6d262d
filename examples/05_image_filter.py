"""An image: padded, blurred through a window that is never copied, and its levels counted."""

import numpy as np

import jitframe as jf


@jf.jit
def blur(image, weights):
    """Each pixel becomes the weighted mean of those around it; the border is mirrored."""
    reach = weights.shape[0] // 2
    padded = np.pad(image, reach, mode="reflect")
    windows = np.lib.stride_tricks.sliding_window_view(padded, weights.shape)  # a view in 4-D
    return np.sum(windows * weights, axis=(-2, -1))


@jf.jit
def histogram(image):
    """How many pixels have each of 256 levels."""
    levels = np.clip(image, 0, 255).astype(np.int64)
    counts = np.zeros(256, np.int64)
    np.add.at(counts, levels.ravel(), 1)
    return counts


rows, columns = np.mgrid[0:240, 0:320]
image = (((rows // 20 + columns // 20) % 2) * 200.0 + 25).astype(np.float32)  # a chessboard of two greys

line = np.array([1, 4, 6, 4, 1], np.float32) / 16
blurred = blur(image, np.outer(line, line))

before, after = histogram(image), histogram(blurred)
print("levels before:", np.flatnonzero(before), "after:", np.count_nonzero(after))
print("every pixel counted:", after.sum() == image.size)
print("mean grey kept:", round(float(image.mean())), "->", round(float(blurred.mean())))

padded = np.pad(image, 2, mode="reflect")  # the same in plain NumPy, by slices
shifted = [padded[i : i + 240, j : j + 320] * line[i] * line[j] for i in range(5) for j in range(5)]
print("as plain NumPy has it:", np.allclose(blurred, sum(shifted), rtol=1e-5))
