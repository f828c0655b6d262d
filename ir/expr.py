"""Integer expressions over the sizes of a structure: extents, strides, offsets, counts of workgroups.

Expressions are frozen and interned: `is` means equal. Constants fold, x + 0 and x * 1 vanish.

>>> n = symbol(0)
>>> ceil_div(n, const(16)) * 16
((s0 +/ 16) * 16)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any


class Expr:
    """One interned node: `kind` with `operands` (expressions), or a payload for const and symbol."""

    __slots__ = ("kind", "operands", "payload", "text")

    def __init__(self, kind: str, operands: tuple[Expr, ...], payload: Any) -> None:
        self.kind = kind
        self.operands = operands
        self.payload = payload
        self.text = _spell(self)
        """The printed form; it also orders the operands of sums and products."""

    @property
    def value(self) -> int | None:
        """The integer of a constant, else None."""
        return self.payload if self.kind == "const" else None

    def __add__(self, other: Expr | int) -> Expr:
        return add(self, lift(other))

    def __mul__(self, other: Expr | int) -> Expr:
        return mul(self, lift(other))

    def __sub__(self, other: Expr | int) -> Expr:
        return _folded("-", self, lift(other))

    def __floordiv__(self, other: Expr | int) -> Expr:
        return floor_div(self, lift(other))

    def __rfloordiv__(self, other: int) -> Expr:
        return floor_div(other, self)

    __radd__ = __add__
    __rmul__ = __mul__

    def __repr__(self) -> str:
        return self.text


def _spell(expr: Expr) -> str:
    if expr.kind == "const":
        return str(expr.payload)
    if expr.kind == "symbol":
        return f"s{expr.payload}" if isinstance(expr.payload, int) else str(expr.payload)
    x, y = expr.operands
    if expr.kind in ("min", "max"):
        return f"{expr.kind}({x.text}, {y.text})"
    return f"({x.text} {expr.kind} {y.text})"


def _ceil_div(x: int, y: int) -> int:
    return -(-x // y)


_BINARY: dict[str, Callable[[int, int], int]] = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "//": lambda x, y: x // y,
    "+/": _ceil_div,  # division rounded up
    "min": min,
    "max": max,
    "<": lambda x, y: int(x < y),
    "==": lambda x, y: int(x == y),
}
_SPELLING = {
    "+": "({} + {})", "-": "({} - {})", "*": "({} * {})", "//": "({} // {})", "+/": "(-(-{} // {}))",
    "min": "min({}, {})", "max": "max({}, {})", "<": "int({} < {})", "==": "int({} == {})",
}  # fmt: skip
_interned: dict[Any, Expr] = {}


def _make(kind: str, operands: tuple[Expr, ...] = (), payload: Any = None) -> Expr:
    key = (kind, operands, payload)
    expr = _interned.get(key)
    if expr is None:
        expr = _interned.setdefault(key, Expr(kind, operands, payload))
    return expr


def restored(kind: str, operands: tuple[Expr, ...], payload: Any) -> Expr:
    """Builds the expression of these parts without applying rules again. Raises ValueError for an unknown
    kind."""
    if kind not in _BINARY and kind not in ("const", "symbol"):
        raise ValueError(f"no kind of expression: {kind!r}")
    return _make(kind, operands, payload)


def const(value: int) -> Expr:
    return _make("const", payload=int(value))


def symbol(name: int | str) -> Expr:
    """Returns the symbol of number `name` of the structure (an int), or of a fact of the device (a str such
    as "device.threads")."""
    return _make("symbol", payload=name)


ZERO, ONE, TWO = const(0), const(1), const(2)


def lift(value: Expr | int) -> Expr:
    """Makes an expression of an int; a `Size` becomes the symbol of its number."""
    if value.__class__ is Expr:
        return value
    number = getattr(value, "symbol", None)
    return const(value) if number is None else symbol(number)  # type: ignore[arg-type]


def _folded(kind: str, x: Expr, y: Expr) -> Expr:
    if x.kind == "const" and y.kind == "const":
        return const(_BINARY[kind](x.payload, y.payload))
    return _make(kind, (x, y))


def add(x: Expr | int, y: Expr | int) -> Expr:
    x, y = lift(x), lift(y)
    if x is ZERO:
        return y
    if y is ZERO:
        return x
    return _chained("+", x, y)


def mul(x: Expr | int, y: Expr | int) -> Expr:
    x, y = lift(x), lift(y)
    if x is ONE or y is ZERO:
        return y
    if y is ONE or x is ZERO:
        return x
    return _chained("*", x, y)


@lru_cache(1 << 16)
def _chained(kind: str, x: Expr, y: Expr) -> Expr:
    return _joined(kind, (*_parts(kind, x), *_parts(kind, y)))


def _joined(kind: str, parts: Iterable[Expr]) -> Expr:
    """Returns a sum or product in normal form: operands flattened and in order of their texts, constants
    combined."""
    constant = const(0 if kind == "+" else 1)
    rest = []
    for part in sorted(parts, key=_order):
        if part.kind == "const":
            constant = _folded(kind, constant, part)
        else:
            rest.append(part)
    if not rest or constant is not const(0 if kind == "+" else 1):
        rest.append(constant)
    result = rest[0]
    for part in rest[1:]:
        result = _folded(kind, result, part)
    return result


def _parts(kind: str, expr: Expr) -> list[Expr]:
    parts: list[Expr] = []
    while expr.kind == kind:
        expr, last = expr.operands
        parts.append(last)
    parts.append(expr)
    return parts


def _order(expr: Expr) -> tuple[int, str]:
    return len(expr.text), expr.text


def total(terms: Iterable[Expr]) -> Expr:
    """Returns the sum of many terms, in which equal ones are counted: it is as long as they are different."""
    counted = [mul(count, term) for term, count in Counter(terms).items()]
    return _joined("+", [part for term in counted for part in _parts("+", term)])


def floor_div(x: Expr | int, y: Expr | int) -> Expr:
    x, y = lift(x), lift(y)
    return x if y is ONE else _folded("//", x, y)


def ceil_div(x: Expr | int, y: Expr | int) -> Expr:
    x, y = lift(x), lift(y)
    return x if y is ONE else _folded("+/", x, y)


def minimum(x: Expr | int, y: Expr | int) -> Expr:
    x, y = lift(x), lift(y)
    return x if x is y else _folded("min", x, y)


def maximum(x: Expr | int, y: Expr | int) -> Expr:
    x, y = lift(x), lift(y)
    return x if x is y else _folded("max", x, y)


def less(x: Expr | int, y: Expr | int) -> Expr:
    """Returns 1 where x < y, else 0."""
    return _folded("<", lift(x), lift(y))


def equal(x: Expr | int, y: Expr | int) -> Expr:
    """Returns 1 where x == y, else 0."""
    return _folded("==", lift(x), lift(y))


def product(factors: Iterable[Expr | int]) -> Expr:
    result = ONE
    for factor in factors:
        result = mul(result, factor)
    return result


def evaluate(expr: Expr, numbers: Sequence[int], facts: dict[str, int] | None = None) -> int:
    """Returns the value of an expression; `facts` give the device's symbols."""
    if expr.kind == "const":
        return int(expr.payload)
    if expr.kind == "symbol":
        return numbers[expr.payload] if isinstance(expr.payload, int) else (facts or {})[expr.payload]
    x, y = expr.operands
    return _BINARY[expr.kind](evaluate(x, numbers, facts), evaluate(y, numbers, facts))


def compile_exprs(exprs: Sequence[Expr]) -> Callable[[Sequence[int], dict[str, int]], tuple[int, ...]]:
    """Compiles many expressions to one Python function of (numbers, facts); common subexpressions run
    once."""
    lines: list[str] = []
    names: dict[Expr, str] = {}

    def spell(expr: Expr) -> str:
        name = names.get(expr)
        if name is not None:
            return name
        if expr.kind == "const":
            name = str(expr.payload) if expr.payload >= 0 else f"({expr.payload})"
        elif expr.kind == "symbol":
            name = f"v{len(lines)}"
            lines.append(f"    {name} = {'n' if isinstance(expr.payload, int) else 'f'}[{expr.payload!r}]")
        else:
            text = _SPELLING[expr.kind].format(*[spell(operand) for operand in expr.operands])
            name = f"v{len(lines)}"
            lines.append(f"    {name} = {text}")
        names[expr] = name
        return name

    results = [spell(expr) for expr in exprs]
    body = "\n".join(["def bound(n, f):", *lines, f"    return ({''.join(r + ', ' for r in results)})"])
    scope: dict[str, Any] = {}
    exec(body, scope)
    made: Callable[[Sequence[int], dict[str, int]], tuple[int, ...]] = scope["bound"]
    return made
