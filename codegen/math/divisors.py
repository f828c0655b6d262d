"""The greatest common divisor, by Euclid's algorithm (Elements, book VII, proposition 2)."""

from __future__ import annotations

from ..kernel.builder import KernelBuilder
from ..kernel.nodes import Value
from .features import MathFeatures


def gcd(build: KernelBuilder, x: Value, y: Value, features: MathFeatures) -> Value:
    """Of unsigned integers; gcd(x, 0) = x."""
    divisor, _ = build.repeat_while(
        (x, y),
        lambda last, rest: build.emit("ne", (rest, build.constant(0, x.dtype))),
        lambda last, rest: (rest, build.emit("floormod", (last, rest))),
    )
    return divisor
