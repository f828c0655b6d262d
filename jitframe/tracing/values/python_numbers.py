"""Exceptions of Python's arithmetic: division by zero, logarithm of zero, powers that overflow.

NumPy returns an infinity or a NaN there, and so do compiled programs. Where a traced value stands for a
Python number, the program checks the operands, unless their known bounds exclude a fault; then Python's
exception is raised, or Python answers the call (see `fallback`).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ...api.calls import operand
from ...arrays.promotion import NUMBERS, Weak
from ...compilation.errors_of_runs import ERRORS
from ...errors import JitframeError, NumberError
from ...functions import elementwise
from ...functions.operands import cast, strong
from ...ir import ops
from ...ir.node import Graph, Node, topological
from ...ir.types import BOOL, I64, U64
from .cells import Cell
from .concrete import leave
from .traced import NUMBER, TracedArray

if TYPE_CHECKING:
    from .traced_frame import TraceFrame

ZERO, DOMAIN, OVERFLOW, BEYOND = "zero", "domain", "overflow", "beyond"
"""Kinds of faults, as in `errors_of_runs`; `BEYOND`: Python has a result that programs lack."""
_RAISED: dict[str, type[Exception]] = {
    ZERO: ZeroDivisionError, DOMAIN: ValueError, OVERFLOW: OverflowError,
}  # fmt: skip


class Given:
    """An operand or the result of an operation: a constant of the program, or a node."""

    def __init__(self, frame: TraceFrame, value: Any) -> None:
        self.frame = frame
        self.graph: Graph = frame.begin()
        known: Any = value._known() if isinstance(value, TracedArray) else value
        self.number: Any = known.item() if hasattr(known, "item") else known
        """None of a value that varies."""
        self.node: Node | None = None
        if self.number is None:
            given = operand(frame, self.graph, value)
            node = given.node if isinstance(given, Weak) else strong(self.graph, given)
            self.node = cast(self.graph, node, I64) if node.dtype is BOOL else node

    @property
    def is_whole(self) -> bool:
        """Whether it is certainly an integer."""
        if self.node is None:
            return float(self.number).is_integer()
        return not self.node.dtype.is_float

    def is_(self, relation: str, value: float) -> Any:
        """Returns its relation to a number: a bool, or a node."""
        if self.node is None:
            return _RELATIONS[relation][1](self.number, value)
        if self._excludes(relation, value):
            return False
        node = self.graph.constant(int(value) if self.node.dtype.is_integer else value, self.node.dtype)
        return self.graph.make(_RELATIONS[relation][0], self.node, node)

    def _excludes(self, relation: str, value: float) -> bool:
        """Whether the bounds of an integer exclude the relation."""
        assert self.node is not None
        if not self.node.dtype.is_integer:
            return False
        low, high = self.frame.root.ranges.of(self.frame, self.node)
        return {"eq": not low <= value <= high, "lt": low >= value, "le": low > value}.get(relation, False)

    def is_size(self, relation: str, value: float) -> Any:
        """Returns the relation of its absolute value to a number."""
        if self.node is None:
            return _RELATIONS[relation][1](abs(self.number), value)
        if not self.node.dtype.is_float:
            return not (value == math.inf and relation == "eq")
        size = self.graph.make(ops.abs, self.node)
        return self.graph.make(_RELATIONS[relation][0], size, self.graph.constant(value, self.node.dtype))

    def is_fraction(self) -> Any:
        """Whether it is finite, and no integer."""
        if self.is_whole:
            return False
        if self.node is None:
            return math.isfinite(self.number)
        floor = self.graph.make(ops.floor, self.node)
        return self.graph.make(ops.ne, self.graph.make(ops.sub, self.node, floor), self.zero())

    def zero(self) -> Node:
        assert self.node is not None
        return self.graph.constant(0.0, self.node.dtype)

    def is_nan(self) -> Any:
        if self.node is None:
            return self.number != self.number
        return self.graph.make(ops.ne, self.node, self.node) if self.node.dtype.is_float else False


_RELATIONS: dict[str, tuple[Any, Callable[[Any, Any], bool]]] = {
    "eq": (ops.eq, lambda x, y: x == y), "lt": (ops.lt, lambda x, y: x < y),
    "le": (ops.le, lambda x, y: x <= y), "gt": (ops.gt, lambda x, y: x > y),
    "ge": (ops.ge, lambda x, y: x >= y),
}  # fmt: skip

Fault = tuple[Any, str, str]
"""The condition (a bool or a node), the kind, and Python's message."""
Rule = Callable[[Sequence[Given], Given], Iterator[Fault]]
"""A function of (operands, result) that yields the faults."""


def both(graph: Graph, *conditions: Any) -> Any:
    """Whether all conditions hold, some of which are known."""
    if False in conditions:
        return False
    return _joined(
        graph, ops.bitwise_and, [condition for condition in conditions if condition is not True], True
    )


def either(graph: Graph, *conditions: Any) -> Any:
    """Whether one of them holds."""
    if True in conditions:
        return True
    return _joined(
        graph, ops.bitwise_or, [condition for condition in conditions if condition is not False], False
    )


def _joined(graph: Graph, op: Any, nodes: Sequence[Node], empty: bool) -> Any:
    return functools.reduce(lambda x, y: graph.make(op, x, y), nodes) if nodes else empty


def _not(graph: Graph, condition: Any) -> Any:
    return not condition if isinstance(condition, bool) else graph.make(ops.bitwise_not, condition)


@functools.lru_cache(maxsize=None, typed=True)
def _said(function: Callable[..., Any], *values: Any) -> str:
    """Returns Python's message for such operands."""
    try:
        function(*values)
    except ArithmeticError as error:
        return str(error.args[-1])
    except ValueError as error:
        return str(error)
    raise AssertionError(f"{function}{values} has a result")


def _sample(operands: Sequence[Given]) -> list[Any]:
    """Returns one and zero, in the types of two operands."""
    return [kind(value) for kind, value in zip(map(_type_of, operands), (1, 0), strict=True)]


def _type_of(given: Given) -> type:
    if given.node is None:
        return type(given.number)
    kind = given.node.dtype.kind
    return {"float": float, "complex": complex}.get(kind, int)


def by_zero(function: Callable[[Any, Any], Any]) -> Rule:
    """The rule of a quotient or remainder."""

    def rule(operands: Sequence[Given], _result: Given) -> Iterator[Fault]:
        yield operands[1].is_("eq", 0), ZERO, _said(function, *_sample(operands))

    return rule


def of_power(operands: Sequence[Given], result: Given) -> Iterator[Fault]:
    """The rule of `x ** y` in floats."""
    x, y = operands
    kind = _type_of(result)
    if kind is complex or (result.node is not None and kind is not float):
        return
    graph = result.graph
    yield both(graph, x.is_("eq", 0), y.is_("lt", 0)), ZERO, _said(pow, 0.0, -1.0)
    yield (
        both(graph, x.is_("lt", 0), y.is_fraction()),
        BEYOND,
        ("a negative number is raised to the power of a fraction, which is complex, or infinite"),
    )
    yield _overflows(x, y, result), OVERFLOW, _said(pow, 1e200, 3.0)


def _is_negative(x: Given) -> Any:
    """Whether it is below zero, and finite."""
    return both(x.graph, x.is_("lt", 0), _not(x.graph, x.is_size("eq", math.inf)))


def _overflows(x: Given, y: Given, result: Given) -> Any:
    """Whether a power of finite numbers is infinite."""
    if y.node is None and (0 <= y.number <= 1 or not math.isfinite(y.number)):
        return False
    if x.node is None and (abs(x.number) in (0, 1) or not math.isfinite(x.number)):
        return False
    graph = result.graph
    finite = [_not(graph, each.is_size("eq", math.inf)) for each in (x, y)]
    pole = both(graph, x.is_("eq", 0), y.is_("lt", 0))
    return both(graph, result.is_size("eq", math.inf), *finite, _not(graph, pole))


def of_float_function(function: Callable[..., float], *values: float, **where: Any) -> Rule:
    """The rule of a function of one number, whose error occurs for `values`; `where`: the condition."""
    ((relation, bound),) = where.items()

    def rule(operands: Sequence[Given], _result: Given) -> Iterator[Fault]:
        (x,) = operands
        found = x.is_size(relation[5:], bound) if relation.startswith("size_") else x.is_(relation, bound)
        yield found, DOMAIN, _said(function, *values)

    return rule


def overflowing(function: Callable[[float], float], value: float, odd: bool = False) -> Rule:
    """The rule of a function that is infinite for large finite numbers; `odd`: on both sides of zero."""

    def rule(operands: Sequence[Given], result: Given) -> Iterator[Fault]:
        (x,) = operands
        graph = result.graph
        if odd:
            large, infinite = result.is_size("eq", math.inf), x.is_size("eq", math.inf)
        else:
            large, infinite = result.is_("eq", math.inf), x.is_("eq", math.inf)
        yield both(graph, large, _not(graph, infinite)), OVERFLOW, _said(function, value)

    return rule


def of_gamma(function: Callable[[float], float]) -> Rule:
    """The rule of functions with poles at zero and the negative integers."""

    def rule(operands: Sequence[Given], result: Given) -> Iterator[Fault]:
        (x,) = operands
        graph = result.graph
        at_pole = both(graph, x.is_("le", 0), _not(graph, either(graph, x.is_fraction(), x.is_nan())))
        if function is math.lgamma:  # of -inf it is inf
            at_pole = both(graph, at_pole, _not(graph, x.is_size("eq", math.inf)))
        yield at_pole, DOMAIN, _said(function, 0.0)
        finite = _not(graph, x.is_size("eq", math.inf))
        large = both(graph, result.is_size("eq", math.inf), finite, _not(graph, at_pole))
        yield large, OVERFLOW, _said(math.exp, 1000.0)

    return rule


def of_fmod(operands: Sequence[Given], result: Given) -> Iterator[Fault]:
    x, y = operands
    graph = result.graph
    zero = both(graph, y.is_("eq", 0), _not(graph, x.is_nan()))
    infinite = both(graph, x.is_size("eq", math.inf), _not(graph, y.is_nan()))
    yield either(graph, zero, infinite), DOMAIN, _said(math.fmod, 1.0, 0.0)


def of_math_power(operands: Sequence[Given], result: Given) -> Iterator[Fault]:
    x, y = operands
    graph = result.graph
    pole = both(graph, x.is_("eq", 0), y.is_("lt", 0), _not(graph, y.is_size("eq", math.inf)))
    complex_ = both(graph, _is_negative(x), y.is_fraction())
    yield either(graph, pole, complex_), DOMAIN, _said(math.pow, -1.0, 0.5)
    yield _overflows(x, y, result), OVERFLOW, _said(math.pow, 1e200, 3.0)


def of_integer(operands: Sequence[Given], result: Given) -> Iterator[Fault]:
    """The rule of the conversion of a float, or an unsigned integer, to a Python integer."""
    (x,) = operands
    if x.node is None or not (x.node.dtype.is_float or x.node.dtype is U64):
        return
    if x.node.dtype is U64:
        yield x.is_("gt", (1 << 63) - 1), BEYOND, "an integer has more than 63 bits"
        return
    bits = 63 if result.node is None else result.node.dtype.bits - 1
    large = f"a float is made an integer that has more than {bits + 1} bits, or is NaN or infinite"
    if x.frame.root.looks_at_all:
        yield x.is_nan(), DOMAIN, _said(int, math.nan)
        yield x.is_size("eq", math.inf), OVERFLOW, _said(int, math.inf)
    yield _not(x.graph, x.is_size("lt", 2.0**bits)), BEYOND, large


OPERATORS: dict[Any, Rule] = {
    elementwise.divide: by_zero(lambda x, y: x / y),
}
"""The rules of operators, by their functions on nodes."""
BY_NAME: dict[str, Rule] = {
    "floor_divide": by_zero(lambda x, y: x // y),
    "remainder": by_zero(lambda x, y: x % y),
    "power_operator": of_power,
}
"""The rules of functions that are loaded late."""
of_divmod = by_zero(divmod)
MATH: dict[Any, Rule] = {
    math.sqrt: of_float_function(math.sqrt, -1.0, lt=0.0),
    math.log: of_float_function(math.log, -1.0, le=0.0),
    math.log2: of_float_function(math.log2, -1.0, le=0.0),
    math.log10: of_float_function(math.log10, -1.0, le=0.0),
    math.log1p: of_float_function(math.log1p, -2.0, le=-1.0),
    math.acosh: of_float_function(math.acosh, 0.0, lt=1.0),
    math.atanh: of_float_function(math.atanh, 2.0, size_ge=1.0),
    math.acos: of_float_function(math.acos, 2.0, size_gt=1.0),
    math.asin: of_float_function(math.asin, 2.0, size_gt=1.0),
    math.sin: of_float_function(math.sin, math.inf, size_eq=math.inf),
    math.cos: of_float_function(math.cos, math.inf, size_eq=math.inf),
    math.tan: of_float_function(math.tan, math.inf, size_eq=math.inf),
    math.exp: overflowing(math.exp, 1000.0),
    math.expm1: overflowing(math.expm1, 1000.0),
    math.sinh: overflowing(math.sinh, 1000.0, odd=True),
    math.cosh: overflowing(math.cosh, 1000.0, odd=True),
    math.gamma: of_gamma(math.gamma),
    math.lgamma: of_gamma(math.lgamma),
    math.fmod: of_fmod,
    math.pow: of_math_power,
    math.floor: of_integer,
    math.ceil: of_integer,
    math.trunc: of_integer,
}
if hasattr(math, "exp2"):
    MATH[math.exp2] = overflowing(math.exp2, 2000.0)


def rule_of(function: Any) -> Rule | None:
    """Returns the rule of an operator on Python's numbers."""
    return OPERATORS.get(function) or BY_NAME.get(getattr(function, "__name__", ""))


def is_number(value: Any) -> bool:
    """Whether it is a Python number, or stands for one."""
    return value._kind == NUMBER if isinstance(value, TracedArray) else value.__class__ in NUMBERS


def checked(rule: Rule, operands: Sequence[Any], result: Any) -> Any:
    """Returns the result of an operation on Python's numbers: raises where a fault is certain, and adds a
    check at run time where it is possible."""
    if not isinstance(result, TracedArray) or result._kind != NUMBER or result._shape:
        return result
    frame: Any = result._cell.frame
    if not frame.has_python_numbers:
        return result
    given = [Given(frame, each) for each in operands]
    whole = Given(frame, result)
    for bad, kind, message in rule(given, whole):
        if bad is False:
            continue
        raised = _RAISED.get(kind)
        if bad is True or (raised is not None and frame.root.looks_at_once(bad, raised)):
            if raised is None:
                leave(frame, message)
                raise NumberError(message)
            raise raised(message)
        result = _noted(frame, result, bad, kind, message)
    return result


def _noted(frame: TraceFrame, result: TracedArray, bad: Node, kind: str, message: str) -> TracedArray:
    node = look_at(frame, result._node(frame.begin()), bad, kind, message)
    return TracedArray(Cell(frame, node), None, NUMBER)


def left_to_python(bad: TracedArray, message: str) -> None:
    """Leaves calls in which a condition holds to Python: programs have no result there."""
    frame: Any = bad._frame
    node = bad._node(frame.begin())
    look_at(frame, node, node, BEYOND, message)


def look_at(frame: TraceFrame, node: Node, bad: Node, kind: str, message: str) -> Node:
    """Returns a number with a check: the program records a fault where the condition holds."""
    hooks = frame.root.hooks
    if hooks is not None:  # the first exception is the one that is raised
        bad = hooks.checks.unless_raised(frame, bad)
    for condition in frame.root.assumed:
        given = operand(frame, frame.begin(), condition(frame))
        bad = both(frame.begin(), bad, given.node if isinstance(given, Weak) else given)
    made = frame.begin().make(ops.checked, node, bad, attributes=(kind, message, 0))
    if node.dtype.is_integer:
        frame.root.ranges.known[made] = frame.root.ranges.of(frame, node)
    frame.note(made)
    frame.looked.append(made)
    return made


def unused(frame: TraceFrame, used: Iterable[Node]) -> list[Node]:
    """Returns the checked numbers of a frame that no used node depends on."""
    if not frame.looked:
        return []
    reached = set(topological(tuple(used)))
    return [node for node in frame.looked if node not in reached]


def error_of(node: Node) -> tuple[Node, JitframeError]:
    """Returns the condition under which a checked number has no value, and its error."""
    error = ERRORS[node.attribute("kind")](node.attribute("message"))
    error.is_of_python = True
    return node.inputs[1], error
