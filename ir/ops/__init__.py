"""The operations of the graph IR, one record each; `OPS` finds them by name."""

from __future__ import annotations

from ..node import LEAVES, Op
from . import control, elementwise, indexing, movement, reduction
from .control import cond, item, loop, while_
from .elementwise import (
    abs,
    acos,
    add,
    asin,
    atan,
    atan2,
    bitcast,
    bitwise_and,
    bitwise_not,
    bitwise_or,
    bitwise_xor,
    cast,
    ceil,
    copy,
    copysign,
    cos,
    div,
    eq,
    erf,
    erfc,
    exp,
    floor,
    floordiv,
    floormod,
    fmod,
    ge,
    gt,
    le,
    lgamma,
    log,
    lt,
    maximum,
    minimum,
    mul,
    ne,
    neg,
    pow,
    rint,
    select,
    shift_left,
    shift_right,
    sin,
    sqrt,
    sub,
    tan,
    tanh,
    tgamma,
    trunc,
)
from .indexing import COMBINERS, gather, scatter
from .movement import broadcast, iota, permute, reshape, slice_, undefined, window
from .reduction import (
    REDUCERS,
    Reducer,
    accumulator,
    dot,
    find,
    reduce,
    scan,
    scan_identity,
    small_dot,
    update,
)

__all__ = [
    "COMBINERS", "OPS", "REDUCERS", "Reducer", "abs", "accumulator", "acos", "add", "asin", "atan", "atan2",
    "bitcast", "bitwise_and", "bitwise_not", "bitwise_or", "bitwise_xor", "broadcast", "cast", "ceil",
    "cond", "copy", "copysign", "cos", "div", "dot", "eq", "erf", "erfc", "exp", "find", "floor",
    "floordiv", "floormod", "fmod", "gather", "ge", "gt", "iota", "item", "le", "lgamma", "log", "loop",
    "lt", "maximum", "minimum", "mul", "ne", "neg", "permute", "pow", "reduce", "reshape", "rint", "scan",
    "scan_identity", "scatter", "select", "shift_left", "shift_right", "sin", "slice_", "small_dot", "sqrt",
    "sub", "tan", "tanh", "tgamma", "trunc", "undefined", "update", "while_", "window",
]  # fmt: skip

OPS: dict[str, Op] = {
    op.name: op
    for op in (
        *LEAVES.values(),
        *elementwise.OPS,
        *movement.OPS,
        *indexing.OPS,
        *reduction.OPS,
        *control.OPS,
    )
}
