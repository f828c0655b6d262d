"""Laws of random numbers made of others, on nodes: one draw of a generator each, whatever it is made of."""

from __future__ import annotations

from collections.abc import Callable

from ..arrays.promotion import Operand
from ..ir import ops
from ..ir.node import Graph, Node, Shape
from ..ir.types import I32, U32, DType
from . import random_numbers as plain
from .formula import (
    add,
    ceil,
    divide,
    exp,
    expm1,
    floor,
    greater,
    less,
    less_equal,
    log,
    log1p,
    multiply,
    negative,
    sqrt,
    subtract,
    where,
)
from .joining import concatenate, stack
from .operands import constant, spread
from .random_numbers import State
from .reductions import max_, sum
from .rejection import binomial, gamma, hypergeometric, in_shape, log_gamma, poisson

_PARTS = 1 << 16
"""Above all rounds of proposals (see `rejection`)."""


def _part(graph: Graph, state: State, which: int) -> State:
    """The state of one of the variables that a draw is made of."""
    low, high = plain.derived_key(graph, state, graph.constant(_PARTS + which, I32))
    zero = graph.constant(0, U32)
    return low, high, zero, zero


def chisquare(graph: Graph, state: State, shape: Shape, df: Operand, dtype: DType) -> Node:
    half = multiply(graph, in_shape(graph, df, shape, dtype), 0.5)
    return multiply(graph, gamma(graph, state, shape, half, dtype), 2.0)


def beta(graph: Graph, state: State, shape: Shape, a: Operand, b: Operand, dtype: DType) -> Node:
    """The share of the first of two gamma variables, by their logarithms."""
    first = log_gamma(graph, _part(graph, state, 0), shape, in_shape(graph, a, shape, dtype), dtype)
    second = log_gamma(graph, _part(graph, state, 1), shape, in_shape(graph, b, shape, dtype), dtype)
    return divide(graph, 1.0, add(graph, exp(graph, subtract(graph, second, first)), 1.0))


def f(graph: Graph, state: State, shape: Shape, dfnum: Operand, dfden: Operand, dtype: DType) -> Node:
    found = []
    for which, each in enumerate((dfnum, dfden)):
        degrees = in_shape(graph, each, shape, dtype)
        drawn = chisquare(graph, _part(graph, state, which), shape, degrees, dtype)
        found.append(divide(graph, drawn, degrees))
    return divide(graph, *found)


def standard_t(graph: Graph, state: State, shape: Shape, df: Operand, dtype: DType) -> Node:
    half = multiply(graph, in_shape(graph, df, shape, dtype), 0.5)
    normal = plain.normal(graph, _part(graph, state, 0), shape, dtype)
    drawn = gamma(graph, _part(graph, state, 1), shape, half, dtype)
    return multiply(graph, normal, sqrt(graph, divide(graph, half, drawn)))


def noncentral_chisquare(
    graph: Graph, state: State, shape: Shape, df: Operand, nonc: Operand, dtype: DType
) -> Node:
    """Of so many more pairs of degrees of freedom as a Poisson variable says."""
    half = multiply(graph, in_shape(graph, nonc, shape, dtype), 0.5)
    pairs = poisson(graph, _part(graph, state, 0), shape, half, dtype)
    degrees = add(graph, in_shape(graph, df, shape, dtype), multiply(graph, pairs, 2.0))
    return chisquare(graph, _part(graph, state, 1), shape, degrees, dtype)


def noncentral_f(
    graph: Graph, state: State, shape: Shape, dfnum: Operand, dfden: Operand, nonc: Operand, dtype: DType
) -> Node:
    top, bottom = (in_shape(graph, each, shape, dtype) for each in (dfnum, dfden))
    first = noncentral_chisquare(graph, _part(graph, state, 0), shape, top, nonc, dtype)
    second = chisquare(graph, _part(graph, state, 1), shape, bottom, dtype)
    return divide(graph, divide(graph, first, top), divide(graph, second, bottom))


def _of_exponential(made: Callable[..., Node]) -> Callable[..., Node]:
    """By inversion: `made(graph, exponential, *parameters)`."""

    def law(graph: Graph, state: State, shape: Shape, *given: Operand) -> Node:
        *parameters, dtype = given
        drawn = plain.exponential(graph, state, shape, dtype)  # type: ignore[arg-type]
        return made(graph, drawn, *[in_shape(graph, each, shape, dtype) for each in parameters])  # type: ignore[arg-type]

    return law


pareto = _of_exponential(lambda graph, e, a: expm1(graph, divide(graph, e, a)))
weibull = _of_exponential(
    lambda graph, e, a: exp(graph, divide(graph, log(graph, e), a))  # of a = 0 it is 0 or inf
)
rayleigh = _of_exponential(
    lambda graph, e, scale: multiply(graph, scale, sqrt(graph, multiply(graph, e, 2.0)))
)
gumbel = _of_exponential(
    lambda graph, e, loc, scale: subtract(graph, loc, multiply(graph, scale, log(graph, e)))
)
power = _of_exponential(lambda graph, e, a: exp(graph, negative(graph, divide(graph, e, a))))


def _geometric(graph: Graph, e: Node, p: Node) -> Node:
    trials = ceil(graph, divide(graph, e, negative(graph, log1p(graph, negative(graph, p)))))
    return where(graph, less(graph, trials, 1.0), 1.0, trials)


geometric = _of_exponential(_geometric)


def logistic(graph: Graph, state: State, shape: Shape, loc: Operand, scale: Operand, dtype: DType) -> Node:
    """The logarithm of the ratio of two exponential variables."""
    first, second = (plain.exponential(graph, _part(graph, state, which), shape, dtype) for which in (0, 1))
    difference = subtract(graph, log(graph, first), log(graph, second))
    return add(
        graph,
        in_shape(graph, loc, shape, dtype),
        multiply(graph, in_shape(graph, scale, shape, dtype), difference),
    )


def standard_cauchy(graph: Graph, state: State, shape: Shape, dtype: DType) -> Node:
    first, second = (plain.normal(graph, _part(graph, state, which), shape, dtype) for which in (0, 1))
    return divide(graph, first, second)


def triangular(
    graph: Graph, state: State, shape: Shape, left: Operand, mode: Operand, right: Operand, dtype: DType
) -> Node:
    first, top, last = (in_shape(graph, each, shape, dtype) for each in (left, mode, right))
    u = plain.uniform(graph, state, shape, dtype)
    width, rise, fall = (
        subtract(graph, last, first),
        subtract(graph, top, first),
        subtract(graph, last, top),
    )
    rising = less_equal(graph, multiply(graph, u, width), rise)
    up = sqrt(graph, multiply(graph, u, multiply(graph, width, rise)))
    down = sqrt(graph, multiply(graph, subtract(graph, 1.0, u), multiply(graph, width, fall)))
    return where(graph, rising, add(graph, first, up), subtract(graph, last, down))


def wald(graph: Graph, state: State, shape: Shape, mean: Operand, scale: Operand, dtype: DType) -> Node:
    """J. R. Michael, W. R. Schucany, R. W. Haas, Generating random variates using transformations with
    multiple roots, The American Statistician 30 (1976), 88-90."""
    m, width = (in_shape(graph, each, shape, dtype) for each in (mean, scale))
    n = plain.normal(graph, _part(graph, state, 0), shape, dtype)
    y = multiply(graph, multiply(graph, n, n), m)
    root = sqrt(graph, multiply(graph, y, add(graph, multiply(graph, width, 4.0), y)))
    # mean + mean / (2 scale) (y - root), without what cancels there
    x = multiply(
        graph,
        m,
        divide(
            graph, multiply(graph, width, 2.0), add(graph, add(graph, multiply(graph, width, 2.0), y), root)
        ),
    )
    u = plain.uniform(graph, _part(graph, state, 1), shape, dtype)
    kept = less_equal(graph, multiply(graph, u, add(graph, m, x)), m)
    return where(graph, kept, x, divide(graph, multiply(graph, m, m), x))


def logseries(graph: Graph, state: State, shape: Shape, p: Operand, dtype: DType) -> Node:
    """A. W. Kemp, Efficient generation of logarithmically distributed pseudo-random variables, Applied
    Statistics 30 (1981), 249-253."""
    p = in_shape(graph, p, shape, dtype)
    v, u = (
        subtract(graph, 1.0, plain.uniform(graph, _part(graph, state, which), shape, dtype))
        for which in (0, 1)
    )
    q = negative(graph, expm1(graph, multiply(graph, log1p(graph, negative(graph, p)), u)))
    counted = floor(graph, add(graph, divide(graph, log(graph, v), log(graph, q)), 1.0))
    one, two = constant(graph, 1.0, p), constant(graph, 2.0, p)
    made = where(
        graph,
        less_equal(graph, v, multiply(graph, q, q)),
        counted,
        where(graph, greater(graph, q, v), two, one),
    )
    return where(graph, graph.make(ops.ge, v, p), one, where(graph, less(graph, made, one), one, made))


def negative_binomial(graph: Graph, state: State, shape: Shape, n: Operand, p: Operand, dtype: DType) -> Node:
    """A Poisson variable whose mean is a gamma variable."""
    successes, chance = (in_shape(graph, each, shape, dtype) for each in (n, p))
    drawn = gamma(graph, _part(graph, state, 0), shape, successes, dtype)
    mean = multiply(graph, drawn, divide(graph, subtract(graph, 1.0, chance), chance))
    return poisson(graph, _part(graph, state, 1), shape, mean, dtype)


def dirichlet(graph: Graph, state: State, shape: Shape, alpha: Operand, dtype: DType) -> Node:
    """Gamma variables by their sum, along the last axis."""
    drawn = log_gamma(graph, state, shape, in_shape(graph, alpha, shape, dtype), dtype)
    size = exp(graph, subtract(graph, drawn, spread(graph, max_(graph, drawn, -1, True), shape)))
    return divide(graph, size, spread(graph, sum(graph, size, -1, keepdims=True), shape))


# Counts of several kinds ---------------------------------------------------------------------------------
Split = Callable[[State, Shape, Node, Node, Node], Node]
"""(state, shape, number, weight of a half, weight of the other) -> how many of the number are of the half."""


def multinomial(graph: Graph, state: State, shape: Shape, n: Operand, pvals: Operand, dtype: DType) -> Node:
    """How many of `n` trials end in each way, along the last axis, as floats."""

    def split(state: State, shape: Shape, number: Node, half: Node, other: Node) -> Node:
        total = add(graph, half, other)
        possible = greater(graph, total, 0.0)
        share = where(graph, possible, divide(graph, half, where(graph, possible, total, 1.0)), 0.0)
        return binomial(graph, state, shape, number, share, dtype)

    return _split_by_halves(graph, state, shape, n, in_shape(graph, pvals, shape, dtype), split)


def multivariate_hypergeometric(
    graph: Graph, state: State, shape: Shape, sample: Operand, colors: Operand, dtype: DType
) -> Node:
    """How many of a sample without replacement are of each color, along the last axis, as floats."""

    def split(state: State, shape: Shape, number: Node, half: Node, other: Node) -> Node:
        return hypergeometric(graph, state, shape, half, other, number, dtype)

    return _split_by_halves(graph, state, shape, sample, in_shape(graph, colors, shape, dtype), split)


def _split_by_halves(
    graph: Graph, state: State, shape: Shape, number: Operand, weights: Node, split: Split
) -> Node:
    """The number is split between halves of the kinds, the parts between quarters, and so on: as many draws
    as the number of kinds has bits, each for all parts side by side."""
    *outer, kinds = shape
    levels = (kinds - 1).bit_length()
    if kinds < 1 << levels:
        nothing = spread(graph, graph.constant(0.0, weights.dtype), (*outer, (1 << levels) - kinds))
        weights = concatenate(graph, (weights, nothing), -1)
    sums = [weights]
    for level in reversed(range(levels)):
        pairs = _reshaped(graph, sums[-1], (*outer, 1 << level, 2))
        sums.append(sum(graph, pairs, -1))
    counts = in_shape(graph, number, (*outer, 1), weights.dtype)
    for level in range(levels):
        parts = (*outer, 1 << level)
        pairs = _reshaped(graph, sums[levels - 1 - level], (*parts, 2))
        halves = [_reshaped(graph, _slice(graph, pairs, place, 1), parts) for place in (0, 1)]
        some = split(_part(graph, state, level), parts, counts, *halves)
        both = stack(graph, (some, subtract(graph, counts, some)), -1)
        counts = _reshaped(graph, both, (*outer, 2 << level))
    return _slice(graph, counts, 0, kinds)


def _reshaped(graph: Graph, x: Node, shape: Shape) -> Node:
    return graph.make(ops.reshape, x, attributes=(shape,))


def _slice(graph: Graph, x: Node, start: int, count: int) -> Node:
    """Along the last axis."""
    *outer, _ = x.shape
    starts, steps = (0,) * len(outer), (1,) * len(outer)
    return graph.make(ops.slice_, x, attributes=((*starts, start), (*steps, 1), (*outer, count)))
