"""What a target offers the vector math."""

from __future__ import annotations

from ...ir.record import record


class MathFeatures(metaclass=record):
    """Capabilities that choose between forms of one function; every form keeps the stated accuracy."""

    fma: bool = True
    """The instruction `fma` may be emitted; without it products are split so that they are exact."""
    wide: bool = False
    """f64 and 64-bit integers are native: f32 functions may take their hard steps in them."""
    tables: bool = False
    """A lookup in a table of up to 32 f32 or 16 f64 takes an instruction, and so do the optional
    instructions of `kernel.ops.OPTIONAL`."""
