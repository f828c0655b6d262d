"""The integer expressions of plans. They live in `ir/expr.py`, as index maps of the graph use them too."""

from ...ir.expr import (
    Expr,
    ceil_div,
    compile_exprs,
    const,
    equal,
    evaluate,
    less,
    lift,
    maximum,
    minimum,
    restored,
    symbol,
)

__all__ = [
    "Expr", "ceil_div", "compile_exprs", "const", "equal", "evaluate", "less", "lift", "maximum", "minimum",
    "restored", "symbol",
]  # fmt: skip
