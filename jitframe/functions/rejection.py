"""Draws of gamma, Poisson and other laws on nodes, by rejection and by inversion.

Each element takes the first of its proposals that is accepted: a loop over the whole array ends when all have
one. What a round proposes follows from the generator's key, the draw's number, the round and the element's
place alone, so numbers do not depend on how the work is divided.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from ..arrays.promotion import Operand
from ..ir import ops
from ..ir.node import Graph, Node, Region, Shape
from ..ir.types import I32, I64, U32, DType
from . import random_numbers as plain
from .formula import (
    absolute,
    add,
    divide,
    exp,
    floor,
    greater,
    less,
    log,
    log1p,
    multiply,
    negative,
    power,
    sqrt,
    subtract,
    where,
)
from .loop_nodes import loop, while_loop
from .operands import as_node, cast, constant, spread
from .random_numbers import State
from .reductions import any_

MOST_ROUNDS = 1000
"""Of which hardly an element needs more than ten."""


class Round:
    """The random variables of one round of proposals, by their numbers."""

    def __init__(self, graph: Graph, state: State, number: Node, shape: Shape, dtype: DType) -> None:
        self.graph, self.shape, self.dtype = graph, shape, dtype
        self._key = plain.derived_key(graph, state, number)

    def _state(self, which: int) -> State:
        words = [self.graph.constant(value, U32) for value in (which, 0)]
        return (*self._key, *words)  # type: ignore[return-value]

    def uniform(self, which: int) -> Node:
        return plain.uniform(self.graph, self._state(which), self.shape, self.dtype)

    def exponential(self, which: int) -> Node:
        return plain.exponential(self.graph, self._state(which), self.shape, self.dtype)

    def normal(self, which: int) -> Node:
        return plain.normal(self.graph, self._state(which), self.shape, self.dtype)


Propose = Callable[[Graph, Round, Sequence[Node]], tuple[Node, Node]]
"""(graph, round, parameters) -> values, and which of them are rejected: of NaN none is."""


def _first_accepted(
    graph: Graph, state: State, shape: Shape, dtype: DType, parameters: Sequence[Node], propose: Propose
) -> Node:
    """Parameters have the result's shape and dtype."""
    value, rejected = propose(graph, Round(graph, state, graph.constant(0, I32), shape, dtype), parameters)
    invariants = [*state, *parameters]

    def region(results: Callable[..., tuple[Node, ...]]) -> Region:
        inner = Graph(graph)
        given = [
            inner.parameter(place, each.shape, each.dtype)
            for place, each in enumerate((graph.constant(1, I32), value, rejected, *invariants))
        ]
        number, known, open_, *rest = given
        return Region(inner, tuple(given), results(inner, number, known, open_, rest))

    def more(
        inner: Graph, number: Node, _known: Node, open_: Node, _rest: Sequence[Node]
    ) -> tuple[Node, ...]:
        left = inner.make(ops.lt, number, inner.constant(MOST_ROUNDS, I32))
        return (inner.make(ops.bitwise_and, left, any_(inner, open_) if shape else open_),)

    def again(inner: Graph, number: Node, known: Node, open_: Node, rest: Sequence[Node]) -> tuple[Node, ...]:
        words = (rest[0], rest[1], rest[2], rest[3])
        made, bad = propose(inner, Round(inner, words, number, shape, dtype), rest[4:])
        following = inner.make(ops.add, number, inner.constant(1, I32))
        kept = inner.make(ops.select, open_, made, known)
        return following, kept, inner.make(ops.bitwise_and, open_, bad)

    found = while_loop(
        graph, region(more), region(again), [graph.constant(1, I32), value, rejected], invariants
    )
    return found[1]


def _either(graph: Graph, *conditions: Node) -> Node:
    made = conditions[0]
    for each in conditions[1:]:
        made = graph.make(ops.bitwise_or, made, each)
    return made


def _both(graph: Graph, first: Node, second: Node) -> Node:
    return graph.make(ops.bitwise_and, first, second)


def in_shape(graph: Graph, parameter: Operand, shape: Shape, dtype: DType) -> Node:
    """A parameter for each element."""
    return spread(graph, as_node(graph, parameter, dtype), shape)


# Gamma -------------------------------------------------------------------------------------------------
def _gamma_above_one(graph: Graph, state: State, a: Node) -> Node:
    """Of shapes from 1 on: d v**3 of a normal x, where v = 1 + x / sqrt(9 d) and d = a - 1/3.

    G. Marsaglia, W. W. Tsang, A simple method for generating gamma variables, ACM TOMS 26 (2000), 363-372.
    """
    d = subtract(graph, a, 1 / 3)
    c = divide(graph, 1.0, sqrt(graph, multiply(graph, d, 9.0)))

    def propose(graph: Graph, round: Round, given: Sequence[Node]) -> tuple[Node, Node]:
        d, c = given
        x = round.normal(0)
        root = add(graph, multiply(graph, x, c), 1.0)
        v = multiply(graph, root, multiply(graph, root, root))
        inside = greater(graph, v, 0.0)
        safe = where(graph, inside, v, 1.0)
        bound = multiply(graph, multiply(graph, x, x), 0.5)
        rest = add(graph, subtract(graph, 1.0, v), log(graph, safe))
        bound = add(graph, bound, multiply(graph, d, rest))
        below = less(graph, bound, negative(graph, round.exponential(1)))
        outside = less(graph, v, 0.0)
        return multiply(graph, d, v), _either(graph, outside, _both(graph, inside, below))

    return _first_accepted(graph, state, a.shape, a.dtype, (d, c), propose)


def gamma(graph: Graph, state: State, shape: Shape, a: Operand, dtype: DType) -> Node:
    """Of scale 1 and shape `a`; below 1 that of `a + 1` times u ** (1 / a)."""
    a = in_shape(graph, a, shape, dtype)
    small = less(graph, a, 1.0)
    made = _gamma_above_one(graph, state, where(graph, small, add(graph, a, 1.0), a))
    exponent = divide(graph, plain.exponential(graph, state, shape, dtype), where(graph, small, a, 1.0))
    return where(graph, small, multiply(graph, made, exp(graph, negative(graph, exponent))), made)


def log_gamma(graph: Graph, state: State, shape: Shape, a: Operand, dtype: DType) -> Node:
    """The logarithm of such a draw, which small shapes do not take to -inf."""
    a = in_shape(graph, a, shape, dtype)
    small = less(graph, a, 1.0)
    made = log(graph, _gamma_above_one(graph, state, where(graph, small, add(graph, a, 1.0), a)))
    exponent = divide(graph, plain.exponential(graph, state, shape, dtype), where(graph, small, a, 1.0))
    return where(graph, small, subtract(graph, made, exponent), made)


# Counts ------------------------------------------------------------------------------------------------
MOST_BY_INVERSION = 10.0
"""Means below are drawn by inversion, by rejection those from there on."""
_TERMS = 64
"""Values beyond have probabilities below 2**-64 where the mean is that at most."""


def _by_inversion(
    graph: Graph, state: State, shape: Shape, first: Node, ratio: Callable[..., Node], given: Sequence[Node]
) -> Node:
    """How many sums of probabilities a uniform number reaches: the first of `first`, each next term times
    `ratio(graph, k, *given)`."""
    u = plain.uniform(graph, state, shape, first.dtype)
    zero = constant(graph, 0.0, first)
    body = Graph(graph)
    inputs = [graph.constant(0, I64), first, first, zero, u, *given]
    index, term, total, count, drawn, *rest = [
        body.parameter(place, each.shape, each.dtype) for place, each in enumerate(inputs)
    ]
    reached = body.make(ops.le, total, drawn)
    counted = where(body, reached, add(body, count, 1.0), count)
    k = add(body, spread(body, cast(body, index, first.dtype), shape), 1.0)
    following = multiply(body, term, ratio(body, k, *rest))
    region = Region(
        body, (index, term, total, count, drawn, *rest), (following, add(body, total, following), counted)
    )
    return loop(graph, 0, _TERMS, region, [first, first, zero], [u, *given])[2]


def poisson(
    graph: Graph,
    state: State,
    shape: Shape,
    mean: Operand,
    dtype: DType,
    small: bool = True,
    large: bool = True,
) -> Node:
    """Counts of a mean, as floats; `small`, `large`: whether there may be means below and from 10 on.

    Large ones by transformed rejection with squeeze: W. Hörmann, The transformed rejection method for
    generating Poisson random variables, Insurance: Mathematics and Economics 12 (1993), 39-45.
    """
    mean = in_shape(graph, mean, shape, dtype)
    little = less(graph, mean, MOST_BY_INVERSION)
    made = None
    if small:
        low = where(graph, little, mean, 0.0) if large else mean
        first = exp(graph, negative(graph, low))
        made = _by_inversion(graph, state, shape, first, lambda graph, k, m: divide(graph, m, k), (low,))
    if not large:
        assert made is not None
        return made
    high = where(graph, little, MOST_BY_INVERSION, mean) if small else mean
    found = _first_accepted(graph, state, shape, dtype, (high,), _propose_poisson)
    return found if made is None else where(graph, little, made, found)


def _hat(graph: Graph, round: Round, a: Node, b: Node, center: Node) -> tuple[Node, Node, Node]:
    """Of both methods of Hörmann's: the count, the distance to the ends, and the second uniform number."""
    u = subtract(graph, round.uniform(0), 0.5)
    distance = subtract(graph, 0.5, absolute(graph, u))
    slope = add(graph, divide(graph, multiply(graph, a, 2.0), distance), b)
    k = floor(graph, add(graph, multiply(graph, slope, u), center))
    return k, distance, subtract(graph, 1.0, round.uniform(1))


def _propose_poisson(graph: Graph, round: Round, given: Sequence[Node]) -> tuple[Node, Node]:
    (mean,) = given
    b = add(graph, multiply(graph, sqrt(graph, mean), 2.53), 0.931)
    a = add(graph, multiply(graph, b, 0.02483), -0.059)
    scale = add(graph, divide(graph, 1.1328, subtract(graph, b, 3.4)), 1.1239)
    quick = subtract(graph, 0.9277, divide(graph, 3.6224, subtract(graph, b, 2.0)))
    k, distance, v = _hat(graph, round, a, b, add(graph, mean, 0.43))
    weight = add(graph, divide(graph, a, multiply(graph, distance, distance)), b)
    left = log(graph, divide(graph, multiply(graph, v, scale), weight))
    safe = where(graph, less(graph, k, 0.0), 0.0, k)
    right = subtract(graph, multiply(graph, safe, log(graph, mean)), mean)
    right = subtract(graph, right, graph.make(ops.lgamma, add(graph, safe, 1.0)))
    return k, _rejected(graph, k, less(graph, k, 0.0), distance, v, quick, left, right)


def _rejected(
    graph: Graph, k: Node, outside: Node, distance: Node, v: Node, quick: Node, left: Node, right: Node
) -> Node:
    certain = _both(
        graph,
        graph.make(ops.ge, distance, constant(graph, 0.07, distance)),
        graph.make(ops.le, v, quick),
    )
    near_end = _both(graph, less(graph, distance, 0.013), greater(graph, v, distance))
    bad = _either(graph, outside, near_end, greater(graph, left, right))
    return _both(graph, graph.make(ops.bitwise_not, certain), bad)


def binomial(
    graph: Graph,
    state: State,
    shape: Shape,
    n: Operand,
    p: Operand,
    dtype: DType,
    small: bool = True,
    large: bool = True,
) -> Node:
    """Successes of `n` trials of probability `p`, as floats; `small`, `large`: whether fewer than 10 of the
    rarer kind, or more, may be expected.

    Where fewer than 10 are expected of the rarer kind by inversion, else by transformed rejection with
    squeeze: W. Hörmann, The generation of binomial random variates, Journal of Statistical Computation and
    Simulation 46 (1993), 101-110.
    """
    n, p = (in_shape(graph, each, shape, dtype) for each in (n, p))
    mirrored = greater(graph, p, 0.5)
    rare = where(graph, mirrored, subtract(graph, 1.0, p), p)
    little = less(graph, multiply(graph, n, rare), MOST_BY_INVERSION)
    made = low = None
    if small:
        made = low = _few_successes(graph, state, shape, where(graph, little, n, 0.0), rare)
    if large:
        many, usual = where(graph, little, 40.0, n), where(graph, little, 0.5, rare)
        made = _first_accepted(graph, state, shape, dtype, (many, usual), _propose_binomial)
    assert made is not None
    made = made if low is None else where(graph, little, low, made)
    return where(graph, mirrored, subtract(graph, n, made), made)


def _few_successes(graph: Graph, state: State, shape: Shape, few: Node, rare: Node) -> Node:
    odds = divide(graph, rare, subtract(graph, 1.0, rare))

    def ratio(graph: Graph, k: Node, n: Node, odds: Node) -> Node:
        left = subtract(graph, add(graph, n, 1.0), k)
        left = where(graph, less(graph, left, 0.0), 0.0, left)
        return multiply(graph, divide(graph, left, k), odds)

    first = exp(graph, multiply(graph, few, log1p(graph, negative(graph, rare))))
    low = _by_inversion(graph, state, shape, first, ratio, (few, odds))
    return where(graph, greater(graph, low, few), few, low)


def _propose_binomial(graph: Graph, round: Round, given: Sequence[Node]) -> tuple[Node, Node]:
    n, p = given
    q = subtract(graph, 1.0, p)
    spread_ = sqrt(graph, multiply(graph, multiply(graph, n, p), q))
    b = add(graph, multiply(graph, spread_, 2.53), 1.15)
    a = add(graph, add(graph, multiply(graph, b, 0.0248), -0.0873), multiply(graph, p, 0.01))
    scale = multiply(graph, add(graph, divide(graph, 5.1, b), 2.83), spread_)
    quick = subtract(graph, 0.92, divide(graph, 4.2, b))
    k, distance, v = _hat(graph, round, a, b, add(graph, multiply(graph, n, p), 0.5))
    outside = _either(graph, less(graph, k, 0.0), greater(graph, k, n))
    safe = where(graph, outside, 0.0, k)
    mode = floor(graph, multiply(graph, add(graph, n, 1.0), p))

    def pair(k: Node) -> Node:
        both = (add(graph, k, 1.0), add(graph, subtract(graph, n, k), 1.0))
        first, second = (graph.make(ops.lgamma, each) for each in both)
        return add(graph, first, second)

    weight = add(graph, divide(graph, a, multiply(graph, distance, distance)), b)
    left = log(graph, divide(graph, multiply(graph, v, scale), weight))
    right = subtract(graph, pair(mode), pair(safe))
    right = add(graph, right, multiply(graph, subtract(graph, safe, mode), log(graph, divide(graph, p, q))))
    return k, _rejected(graph, k, outside, distance, v, quick, left, right)


_WIDTH, _BASE = 2 * math.sqrt(2 / math.e), 3 - 2 * math.sqrt(3 / math.e)
"""The hat about a law of standard deviation s is _WIDTH * s + _BASE wide."""


def hypergeometric(
    graph: Graph, state: State, shape: Shape, good: Operand, bad: Operand, sample: Operand, dtype: DType
) -> Node:
    """How many of a sample without replacement are good, as floats: by the ratio of uniforms.

    E. Stadlober, The ratio of uniforms approach for generating discrete random variates, Journal of
    Computational and Applied Mathematics 31 (1990), 181-189. Of the smaller part of the sample and what it
    leaves, the smaller of good and bad are counted.
    """
    good, bad, sample = (in_shape(graph, each, shape, dtype) for each in (good, bad, sample))
    left = subtract(graph, add(graph, good, bad), sample)
    is_more, is_most = less(graph, bad, good), less(graph, left, sample)
    rare, usual = where(graph, is_more, bad, good), where(graph, is_more, good, bad)
    drawn = where(graph, is_most, left, sample)
    found = _first_accepted(graph, state, shape, dtype, (rare, usual, drawn), _propose_hypergeometric)
    found = where(graph, is_more, subtract(graph, drawn, found), found)
    return where(graph, is_most, subtract(graph, good, found), found)


def _propose_hypergeometric(graph: Graph, round: Round, given: Sequence[Node]) -> tuple[Node, Node]:
    rare, usual, drawn = given
    total = add(graph, rare, usual)
    share = divide(graph, rare, where(graph, less(graph, total, 1.0), 1.0, total))
    others = where(graph, less(graph, total, 2.0), 1.0, subtract(graph, total, 1.0))
    mean = multiply(graph, drawn, share)
    variance = multiply(
        graph, multiply(graph, mean, subtract(graph, 1.0, share)), subtract(graph, total, drawn)
    )
    deviation = sqrt(graph, add(graph, divide(graph, variance, others), 0.5))
    center = add(graph, mean, 0.5)
    width = add(graph, multiply(graph, deviation, _WIDTH), _BASE)
    mode = multiply(graph, add(graph, drawn, 1.0), add(graph, rare, 1.0))
    mode = floor(graph, divide(graph, mode, add(graph, total, 2.0)))
    far = floor(graph, add(graph, center, multiply(graph, deviation, 16.0)))
    fewer = where(graph, less(graph, drawn, rare), drawn, rare)
    beyond = add(graph, where(graph, less(graph, fewer, far), fewer, far), 1.0)
    u = subtract(graph, 1.0, round.uniform(0))
    slope = divide(graph, subtract(graph, round.uniform(1), 0.5), u)
    x = add(graph, center, multiply(graph, width, slope))
    outside = _either(graph, less(graph, x, 0.0), graph.make(ops.ge, x, beyond))
    k = floor(graph, where(graph, outside, 0.0, x))

    def ways(k: Node) -> Node:
        """The logarithm of what the probability of k is divided by."""
        unseen = subtract(graph, usual, subtract(graph, drawn, k))
        groups = [k, subtract(graph, rare, k), subtract(graph, drawn, k), unseen]
        made = [graph.make(ops.lgamma, add(graph, each, 1.0)) for each in groups]
        return add(graph, add(graph, made[0], made[1]), add(graph, made[2], made[3]))

    below = subtract(graph, ways(mode), ways(k))
    return k, _either(graph, outside, greater(graph, multiply(graph, log(graph, u), 2.0), below))


def zipf(graph: Graph, state: State, shape: Shape, a: Operand, dtype: DType) -> Node:
    """Integers k from 1 on, as floats, with probabilities proportional to k ** -a.

    L. Devroye, Non-Uniform Random Variate Generation, 1986, section X.6.1.
    """
    a = in_shape(graph, a, shape, dtype)
    most = 2.0 ** (62 if dtype.bits == 64 else 30)

    def propose(graph: Graph, round: Round, given: Sequence[Node]) -> tuple[Node, Node]:
        (less_one,) = given
        root = divide(graph, round.exponential(0), less_one)  # u ** (-1 / (a - 1)), as its logarithm
        large = greater(graph, root, math.log(most))
        x = floor(graph, exp(graph, where(graph, large, 0.0, root)))
        t = power(graph, add(graph, divide(graph, 1.0, x), 1.0), less_one)
        b = power(graph, constant(graph, 2.0, less_one), less_one)
        left = multiply(graph, multiply(graph, round.uniform(1), x), subtract(graph, t, 1.0))
        left = divide(graph, left, subtract(graph, b, 1.0))
        return x, _either(graph, large, greater(graph, left, divide(graph, t, b)))

    return _first_accepted(graph, state, shape, dtype, (subtract(graph, a, 1.0),), propose)


def von_mises(graph: Graph, state: State, shape: Shape, kappa: Operand, dtype: DType) -> Node:
    """Angles from -pi to pi about 0.

    D. J. Best, N. I. Fisher, Efficient simulation of the von Mises distribution, Applied Statistics 28
    (1979), 152-157; of concentrations below 1e-6 uniform.
    """
    kappa = in_shape(graph, kappa, shape, dtype)
    flat = less(graph, kappa, 1e-6)
    safe = where(graph, flat, 1.0, kappa)
    tau = add(graph, sqrt(graph, add(graph, multiply(graph, multiply(graph, safe, safe), 4.0), 1.0)), 1.0)
    rho = divide(
        graph, subtract(graph, tau, sqrt(graph, multiply(graph, tau, 2.0))), multiply(graph, safe, 2.0)
    )
    s = divide(graph, add(graph, multiply(graph, rho, rho), 1.0), multiply(graph, rho, 2.0))

    def propose(graph: Graph, round: Round, given: Sequence[Node]) -> tuple[Node, Node]:
        kappa, s = given
        v = subtract(graph, 1.0, round.uniform(1))
        z = graph.make(ops.cos, multiply(graph, round.uniform(0), math.pi))
        w = divide(graph, add(graph, multiply(graph, s, z), 1.0), add(graph, s, z))
        y = multiply(graph, kappa, subtract(graph, s, w))
        first = subtract(graph, multiply(graph, y, subtract(graph, 2.0, y)), v)
        second = subtract(graph, add(graph, log(graph, divide(graph, y, v)), 1.0), y)
        bad = _both(graph, less(graph, first, 0.0), less(graph, second, 0.0))
        return w, bad

    w = _first_accepted(graph, state, shape, dtype, (safe, s), propose)
    one = constant(graph, 1.0, w)
    w = graph.make(ops.minimum, graph.make(ops.maximum, w, negative(graph, one)), one)
    u = subtract(graph, plain.uniform(graph, state, shape, dtype), 0.5)
    angle = graph.make(ops.acos, w)
    made = where(graph, less(graph, u, 0.0), negative(graph, angle), angle)
    return where(graph, flat, multiply(graph, u, 2 * math.pi), made)
