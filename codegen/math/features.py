"""What a target offers the vector math."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MathFeatures:
    """Capabilities that choose between forms of one function; every form keeps the stated accuracy."""

    fma: bool = True
    """The instruction `fma` may be emitted; without it products are split so that they are exact."""
