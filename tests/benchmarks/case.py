"""One measured row: the function, its inputs, what it must reach, how close the result must be."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Reach:
    """The time allowed: `factor` times the fastest of `peers`, or a fixed number of seconds."""

    text: str
    peers: tuple[str, ...] = ()
    factor: float = 1.0
    seconds: float | None = None

    def allowed_seconds(self, medians: Mapping[str, float]) -> float | None:
        """None when no peer of this target was measured."""
        if self.seconds is not None:
            return self.seconds
        measured = [medians[name] for name in self.peers if name in medians]
        return min(measured) * self.factor if measured else None


@dataclass(frozen=True)
class Case:
    name: str
    title: str
    function: Callable[..., Any]
    arguments: Callable[[], tuple[Any, ...]]
    reaches: tuple[Reach, ...]
    relative_tolerance: float = 1e-5
    absolute_tolerance: float = 1e-6
    kernels: int | None = None
    """How many kernels jitframe may use; None where that is no target."""
    weights: int = 0
    """How many of the last arguments are weights, which peers that prepare such get once."""
    reference: Callable[..., Any] | None = None
    """What computes the right result where the function itself takes too long in Python."""

    @property
    def formula(self) -> str:
        """The name under which every peer keeps its own spelling."""
        return self.function.__name__

    def expected(self, arguments: Sequence[Any]) -> Any:
        """The right result: computed with NumPy, from floats of 64 bits."""
        return (self.reference or self.function)(*in_float64(arguments))


def in_float64(arguments: Sequence[Any]) -> tuple[Any, ...]:
    """Arrays of floats as such; integers, such as labels and packed weights, stay what they are."""
    return tuple(
        value.astype(np.float64) if isinstance(value, np.ndarray) and value.dtype.kind == "f" else value
        for value in arguments
    )


def uniform(*shape: int, low: float = 0.0, high: float = 1.0, seed: int = 0) -> np.ndarray:
    values = np.random.default_rng(seed).random(shape, dtype=np.float32)
    values *= np.float32(high - low)
    values += np.float32(low)
    return values


def network_of(batch: int, *widths: int) -> tuple[np.ndarray, ...]:
    """Rows to classify, then weights and biases of each layer, as large as keeps the values near 1."""
    found = [uniform(batch, widths[0])]
    for layer, (before, after) in enumerate(pairwise(widths), 1):
        reach = (3 / before) ** 0.5
        found.append(uniform(before, after, low=-reach, high=reach, seed=2 * layer))
        found.append(uniform(after, low=-0.1, high=0.1, seed=2 * layer + 1))
    return tuple(found)
