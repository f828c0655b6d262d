"""Writes codegen/math/tables.py: what the vector math looks up where lookups are as cheap as sums.

Run: python -m tests.math.tools.tables

Constant terms of pieces lose nothing to rounding: each piece is developed around a float near its middle
where the function is nearly a float itself (S. Gal & B. Bachelis, An accurate elementary mathematical library
for the IEEE floating point standard, ACM TOMS 17, 1991).
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import mpmath
import numpy as np
from mpmath import mpf

from .coefficients import FORMATS, wrapped
from .minimax import nearest, remez

TARGET = Path(__file__).parents[3] / "codegen" / "math" / "tables.py"
HEADER = '''"""Tables that the vector math looks up; written by tests/math/tools/tables.py.

Pieces of functions of f32 are found by leading bits of the argument, modulo their number.
"""

# fmt: off
'''
PRECISION = 140
"""Bits the tables are computed with."""
CELLS = {"f32": 32, "f64": 16}
"""Elements of two registers."""
CANDIDATES = 400
"""Floats tried on either side of a middle."""

Function = Callable[[mpf], mpf]


@dataclass(frozen=True)
class Piece:
    """Where one polynomial stands for `function`; `centre` None is looked for, others keep their place."""

    lower: float
    upper: float
    function: Function
    centre: float | None = None


@dataclass(frozen=True)
class Fitted:
    centre: float
    coefficients: tuple[float, ...]
    error: float
    """Relative to the function, of the exact polynomial in these coefficients."""


def fitted(piece: Piece, count: int) -> Fitted:
    """The polynomial in x - centre with `count` coefficients in f32."""
    centre = good_centre(piece) if piece.centre is None else piece.centre
    first = nearest(piece.function(mpf(centre)), np.float32)
    at = mpf(centre)
    powers = range(1 if first == 0 else 0, count)
    fit = remez(
        lambda r: piece.function(at + r),
        lambda r: 1 / piece.function(at + r) if at + r else mpf(0),
        powers,
        piece.lower - centre,
        piece.upper - centre,
    )
    rounded = (first, *(nearest(c, np.float32) for c in fit.coefficients[1 - powers[0] :]))
    tried = [piece.lower + (piece.upper - piece.lower) * mpf(k) / 80 for k in range(81)]
    error = max(
        abs(1 - sum(c * (x - centre) ** p for p, c in enumerate(rounded)) / piece.function(x))
        for x in tried
        if piece.function(x) != 0
    )
    return Fitted(centre, tuple(float(c) for c in rounded), float(error))


def good_centre(piece: Piece) -> float:
    """A float32 near the middle at which the function is nearly one."""
    middle = np.float32((piece.lower + piece.upper) / 2)
    around = (middle.view(np.int32) + np.arange(-CANDIDATES, CANDIDATES, dtype=np.int32)).view(np.float32)

    def miss(x: float) -> mpf:
        value = piece.function(mpf(x))
        return abs(nearest(value, np.float32) / value - 1)

    return float(min((float(x) for x in around), key=miss))


def float_bits(x: float) -> int:
    bits: int = struct.unpack("<i", struct.pack("<f", x))[0]
    return bits


def pieces_of_leading_bits(first: float, last: float, shift: int) -> Iterator[tuple[float, float]]:
    """The intervals of float32 that have all but the last `shift` bits in common, from first to last."""
    lower = float_bits(first) >> shift
    for leading in range(lower, float_bits(last) >> shift):
        bounds = struct.unpack("<2f", struct.pack("<2i", leading << shift, (leading + 1) << shift))
        yield bounds


def by_slot(pieces: Sequence[tuple[int, Fitted]], size: int) -> list[Fitted]:
    """Pieces in the order of a table: each at its leading bits modulo the size. Places left are never met."""
    found = dict[int, Fitted]()
    for leading, piece in pieces:
        assert leading % size not in found
        found[leading % size] = piece
    spare = pieces[0][1]
    return [found.get(slot, spare) for slot in range(size)]


def table(name: str, values: Sequence[float | mpf], kind: type[np.floating] = np.float32) -> str:
    return "\n".join([f"{name} = (", *wrapped([str(kind(float(v))) for v in values], 4), ")"])


def piecewise(name: str, meaning: str, first: Piece, pieces: Sequence[Piece], shift: int, count: int) -> str:
    """Tables of centres and coefficients by leading bits; `first` stands for everything below the others."""
    leading = float_bits(pieces[0].lower) >> shift
    found = [(leading - 1 + k, fitted(piece, count)) for k, piece in enumerate((first, *pieces))]
    where = f"from {pieces[0].lower:g} to {pieces[-1].upper:g} by all but {shift} bits, and below"
    places = [f"{name}_SHIFT = {shift}", f"{name}_FIRST = {leading}"]
    return fitted_tables(name, f"{meaning}, {where}", places, by_slot(found, 32))


def fitted_tables(name: str, meaning: str, places: Sequence[str], slots: Sequence[Fitted]) -> str:
    """The text of pieces, under what tells how they are found."""
    worst = max(piece.error for piece in slots)
    lines = [
        f"# {meaning}",
        f"# largest relative error 2**{float(mpmath.log(worst, 2)):.1f}",
        *places,
        table(f"{name}_CENTRES", [piece.centre for piece in slots]),
        f"{name}_PIECES = (",
    ]
    for column in zip(*(piece.coefficients for piece in slots), strict=True):
        lines += ["    (", *wrapped([str(np.float32(v)) for v in column], 8), "    ),"]
    return "\n".join([*lines, ")"])


def tanh_tables() -> str:
    pieces = [Piece(lower, upper, mpmath.tanh) for lower, upper in pieces_of_leading_bits(0.0625, 12.0, 21)]
    return piecewise("TANH", "tanh(x)", Piece(0.0, 0.0625, mpmath.tanh, centre=0.0), pieces, 21, 6)


def erf_tables() -> str:
    """erf(x) / x around multiples of 1/8; the last centre is the largest argument, where the product is 1."""

    def quotient(x: mpf) -> mpf:
        return mpmath.erf(x) / x if x else 2 / mpmath.sqrt(mpmath.pi)

    half, last = 1 / 16, np.nextafter(np.float32(63 / 16), np.float32(0))
    while last * np.float32(float(quotient(mpf(float(last))))) != 1:
        last = np.nextafter(last, np.float32(0))
    pieces = [
        Piece(0.0, half, quotient),
        *(Piece(k / 8 - half, k / 8 + half, quotient) for k in range(1, 31)),
        Piece(31 / 8 - half, float(last), quotient, centre=float(last)),
    ]
    slots = [fitted(piece, 5) for piece in pieces]
    return fitted_tables("ERF", "erf(x) / x, around multiples of 1/8", ["ERF_PER_UNIT = 8"], slots)


LOG_PIECES_SHIFT = 19
"""Four bits of a float32 lie above: 16 pieces of [3/4, 3/2), of 1/16 above 1 and 1/32 below."""


def log_pieces(name: str, base: mpf) -> str:
    """For log(1 + r) to a base as unit * r + r**2 * S(r) the coefficients of S.

    The unit is rounded: where r is not 0 anywhere in a piece, S makes up for what it lost.
    """
    exact = 1 / mpmath.log(base)
    fits = []
    for piece in range(16):
        lower, upper = ((1 + mpf(k) / 16) / (2 if piece >= 8 else 1) for k in (piece, piece + 1))
        unit = exact if 1 in (lower, upper) else nearest(exact, np.float32)

        def rest(r: mpf, unit: mpf = unit) -> mpf:
            return (mpmath.log1p(r) * exact - unit * r) / r**2 if r else -exact / 2

        def weight(r: mpf) -> mpf:
            return r**2 / (mpmath.log1p(r) * exact) if r else mpf(0)

        fits.append(remez(rest, weight, range(4), float(lower - 1), float(upper - 1)))
    error = float(mpmath.log(max(fit.error for fit in fits), 2))
    lines = [f"# {name}: largest relative error of the logarithm 2**{error:.1f}", f"{name}_PIECES = ("]
    for column in zip(*(fit.coefficients for fit in fits), strict=True):
        lines += ["    (", *wrapped([str(np.float32(float(v))) for v in column], 8), "    ),"]
    return "\n".join([*lines, ")"])


@dataclass(frozen=True)
class Base:
    """A base of logarithms."""

    name: str
    value: mpf
    short: dict[str, int]
    """By format: logarithms in tables have a first part of so many fractional bits, whose sums with multiples
    of such a part of log 2 are exact."""


def significands(suffix: str) -> list[float]:
    """What the tables have logarithms of: 1 and 2 at the ends, so that beside 1 they are exact."""
    count = CELLS[suffix]
    return [1.0, *(1 + (k + 0.5) / count for k in range(1, count - 1)), 2.0]


def reciprocals(suffix: str) -> list[float]:
    """Inverses of `significands`, so short that m / c - 1 is a float for every m of the cell."""
    unit = 2 * CELLS[suffix]
    return [round(unit / c) / unit for c in significands(suffix)]


def split(value: mpf, bits: int, suffix: str) -> tuple[float, float]:
    """A first part of `bits` fractional bits, not above the value, and the rest."""
    high = mpmath.floor(value * 2**bits) / mpf(2) ** bits
    return float(high), float(nearest(value - high, FORMATS[suffix]))


POW_BORDER, POW_RECIPROCAL = 1 + 2**-6, 31 / 32


def second_cell() -> str:
    """What pow has beyond the part of the first cell that is nearest to 1."""
    high, low = split(-mpmath.log(mpf(POW_RECIPROCAL), 2), 41, "f64")
    return (
        f"# pow of f64, in the first cell from {POW_BORDER} on: 1 / c, and log2(c)\n"
        f"POW_BORDER, POW_RECIPROCAL = {POW_BORDER!r}, {POW_RECIPROCAL!r}\n"
        f"POW_LOG2 = ({high!r}, {low!r})"
    )


def logarithms(base: Base) -> str:
    """The logarithms of the inverses of `reciprocals`, in two parts, and that of 2."""
    lines = []
    for suffix, bits in base.short.items():
        of_two = split(mpmath.log(2) / mpmath.log(base.value), bits, suffix)
        parts = [split(-mpmath.log(x) / mpmath.log(base.value), bits, suffix) for x in reciprocals(suffix)]
        name = f"{base.name}_{suffix.upper()}"
        lines += [
            f"{base.name}_OF_2_{suffix.upper()} = ({of_two[0]!r}, {of_two[1]!r})",
            table(f"{name}_HIGH", [high for high, _ in parts], FORMATS[suffix]),
            table(f"{name}_LOW", [low for _, low in parts], FORMATS[suffix]),
        ]
    return "\n".join(lines)


def powers(suffix: str) -> str:
    """2**(k / n), and what its rounding lost."""
    count, kind = CELLS[suffix], FORMATS[suffix]
    true = [mpf(2) ** (mpf(k) / count) for k in range(count)]
    held = [nearest(value, kind) for value in true]
    lost = [nearest(v / h - 1, kind) for v, h in zip(true, held, strict=True)]
    return "\n".join(
        [
            f"# 2**(k / {count}); what must be added to 1 as a factor to make it exact",
            table(f"POWERS_{suffix.upper()}", held, kind),
            table(f"POWER_RESTS_{suffix.upper()}", lost, kind),
        ]
    )


ATAN_FIRST = 2038
"""The leading 13 bits of 1/16: from there on every half of an octave is a cell."""


def tangents() -> list[tuple[float, mpf]]:
    """A short tangent near its middle, and its angle, by cell; the first is 0, the last endless."""
    made = [(0.0, mpf(0))]
    for leading in range(ATAN_FIRST + 1, ATAN_FIRST + 15):
        ends = [struct.unpack("d", struct.pack("q", k << 51))[0] for k in (leading, leading + 1)]
        tangent = float(mpmath.tan(sum(map(mpmath.atan, ends)) / 2))
        short = round(tangent * 64 / ends[0]) / 64 * ends[0]
        made.append((short, mpmath.atan(mpf(short))))
    return [*made, (1.0, mpmath.pi / 2)]


def angles() -> str:
    """Tangents c and their angles in two parts; of the last cell 1 and a right angle."""
    kind = FORMATS["f64"]
    slots = [tangents()[(k - ATAN_FIRST) % 16] for k in range(16)]
    high = [nearest(angle, kind) for _, angle in slots]
    low = [nearest(angle - held, kind) for (_, angle), held in zip(slots, high, strict=True)]
    return "\n".join(
        [
            "# tangents c and their angles in two parts, by the leading bits of what is near c",
            table("ATAN_TANGENTS", [tangent for tangent, _ in slots], kind),
            table("ATAN_HIGH", high, kind),
            table("ATAN_LOW", low, kind),
        ]
    )


def exact_tables() -> list[str]:
    """Tables of logarithms and powers."""
    return [
        "# 1 / c of significands c, and logarithms of c in two parts",
        *(table(f"RECIPROCALS_{s.upper()}", reciprocals(s), FORMATS[s]) for s in CELLS),
        logarithms(Base("LN", +mpmath.e, {"f32": 15, "f64": 41})),
        logarithms(Base("LOG2", mpf(2), {"f32": 15, "f64": 41})),
        logarithms(Base("LOG10", mpf(10), {"f64": 42})),
        second_cell(),
        *(powers(suffix) for suffix in CELLS),
        angles(),
        "# log(1 + r) = unit * r + r**2 * S(r): coefficients of S by leading bits of 1 + r in [3/4, 3/2)",
        f"LOG_PIECES_SHIFT = {LOG_PIECES_SHIFT}",
        log_pieces("LN", +mpmath.e),
        log_pieces("LOG10", mpf(10)),
    ]


def document() -> str:
    """The text of codegen/math/tables.py."""
    with mpmath.workprec(PRECISION):
        return "\n".join([HEADER, *exact_tables(), tanh_tables(), erf_tables()]) + "\n"


def main() -> None:
    TARGET.write_text(document())


if __name__ == "__main__":
    main()
