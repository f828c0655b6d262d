"""Where the demo's pictures come from and go to."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path

import numpy as np
from PIL import Image

CREDIT = "Photograph: astronaut Eileen Collins, NASA (public domain), from scikit-image, enlarged eightfold."
SAVED_WIDTH = 1024


def astronaut(width: int) -> np.ndarray:
    """uint8[width, width, 3]: the photograph, enlarged to the size of a camera's."""
    with as_file(files("skimage") / "data" / "astronaut.png") as path, Image.open(path) as image:
        return np.asarray(image.convert("RGB").resize((width, width), Image.Resampling.LANCZOS))


def hot_rose(size: int) -> tuple[np.ndarray, np.ndarray]:
    """A plate with a hot curve (a rose, r = cos 7/4 t) on it, and its conductivity: rings of two metals."""
    angle = np.linspace(0, 8 * np.pi, 400_000)
    radius = 0.92 * np.cos(7 / 4 * angle)
    rows = (size / 2 * (1 + radius * np.sin(angle))).astype(int)
    columns = (size / 2 * (1 + radius * np.cos(angle))).astype(int)
    temperature = np.zeros((size, size), np.float32)
    for down in range(-4, 5):
        for right in range(-4, 5):
            temperature[rows + down, columns + right] = 1
    y, x = np.mgrid[-1 : 1 : size * 1j, -1 : 1 : size * 1j]
    return temperature, np.where(np.sin(60 * np.hypot(x, y)) > 0, 0.24, 0.03).astype(np.float32)


COLORS = np.array(
    [
        [0, 0, 4],
        [22, 11, 57],
        [66, 10, 104],
        [106, 23, 110],
        [147, 38, 103],
        [188, 55, 84],
        [221, 81, 58],
        [243, 120, 25],
        [252, 165, 10],
        [246, 215, 70],
        [252, 255, 164],
    ],
    np.float32,
)
"""Black to pale yellow, evenly brighter: eleven colors of "inferno" (van der Walt and Smith, CC0)."""


def colored(values: np.ndarray) -> np.ndarray:
    """uint8[..., 3] for values between 0 and 1."""
    position = np.clip(values, 0, 1) * (len(COLORS) - 1)
    lower = np.minimum(position.astype(int), len(COLORS) - 2)
    fraction = (position - lower)[..., None]
    return (COLORS[lower] * (1 - fraction) + COLORS[lower + 1] * fraction).astype(np.uint8)


def save_heat_map(path: Path, temperature: np.ndarray) -> None:
    """Square root of the temperature as colors, so that the cool parts show."""
    Image.fromarray(colored(np.sqrt(temperature / temperature.max()))).save(path)


def save_contours(path: Path, colors: np.ndarray, levels: np.ndarray) -> None:
    """`colors` between 0 and 1, with a line wherever `levels` passes an integer."""
    step = max(1, colors.shape[1] // SAVED_WIDTH)
    picture = colored(colors[::step, ::step])
    band = np.floor(np.maximum(levels[::step, ::step], 0))
    line = np.zeros(band.shape, bool)
    line[:, :-1] = band[:, :-1] != band[:, 1:]
    line[:-1] |= band[:-1] != band[1:]
    picture[line] = np.where(picture[line].mean(axis=-1, keepdims=True) > 100, 60, 255)
    Image.fromarray(picture).save(path)


def save_side_by_side(path: Path, left: np.ndarray, right: np.ndarray) -> None:
    height = SAVED_WIDTH * left.shape[0] // left.shape[1]
    picture = Image.new("RGB", (2 * SAVED_WIDTH, height))
    for number, half in enumerate((left, right)):
        smaller = Image.fromarray(half).resize((SAVED_WIDTH, height), Image.Resampling.BOX)
        picture.paste(smaller, (number * SAVED_WIDTH, 0))
    picture.save(path)
