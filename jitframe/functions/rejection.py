"""Draws of gamma, Poisson and other distributions, by rejection and by inversion.

Each element takes the first of its proposals that is accepted: a loop over the whole array ends when all have
one. What a round proposes follows from the generator's key, the draw's number, the round and the element's
place alone, so numbers do not depend on how the work is divided.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from ..ir import ops
from ..ir.node import Graph, Node
from ..ir.types import I32
from .formula import Term, acos, cos, exp, floor, lgamma, log, log1p, sqrt, where
from .loop_nodes import repeated, repeated_while
from .random_numbers import Draw, exponential, normal, uniform
from .reductions import any_

MOST_ROUNDS = 1000
"""The maximum number of rounds; hardly an element needs more than ten."""

Propose = Callable[..., tuple[Term, Term]]
"""(numbered variables of the round, *parameters) -> values, and which of them are rejected: NaN is never
rejected."""


def _first_accepted(draw: Draw, parameters: Sequence[Term], propose: Propose) -> Term:
    graph, shape = draw.graph, draw.shape
    first, rejected = propose(draw.round(graph.constant(0, I32)), *parameters)
    carried = [graph.constant(1, I32), first.node, rejected.node]
    invariants = [*draw.state, *(parameter.node for parameter in parameters)]

    def more(inner: Graph, given: list[Node]) -> Sequence[Node]:
        number, _, open_, *_ = given
        left = inner.make(ops.lt, number, inner.constant(MOST_ROUNDS, I32))
        return (inner.make(ops.bitwise_and, left, any_(inner, open_) if shape else open_),)

    def again(inner: Graph, given: list[Node]) -> Sequence[Node]:
        number, known, open_, low, high, draw_low, draw_high, *rest = given
        variable = Draw(inner, (low, high, draw_low, draw_high), shape, draw.dtype).round(number)
        term, bad = propose(variable, *[Term(inner, node) for node in rest])
        following = inner.make(ops.add, number, inner.constant(1, I32))
        still = Term(inner, open_)
        return following, where(still, term, Term(inner, known)).node, (still & bad).node

    return Term(graph, repeated_while(graph, more, again, carried, invariants)[1])


# Gamma -------------------------------------------------------------------------------------------------


def _gamma_above_one(draw: Draw, a: Term) -> Term:
    """Of shapes from 1 on: d v**3 of a normal x, where v = 1 + x / sqrt(9 d) and d = a - 1/3.

    G. Marsaglia, W. W. Tsang, A simple method for generating gamma variables, ACM TOMS 26 (2000), 363-372.
    """
    d = a - 1 / 3
    c = 1.0 / sqrt(d * 9.0)

    def propose(variable: Callable[[int], Draw], d: Term, c: Term) -> tuple[Term, Term]:
        x = normal(variable(0))
        root = x * c + 1.0
        v = root * (root * root)
        inside = v > 0.0
        safe = where(inside, v, 1.0)
        bound = x * x * 0.5 + d * (1.0 - v + log(safe))
        below = bound < -exponential(variable(1))
        return d * v, (v < 0.0) | (inside & below)

    return _first_accepted(draw, (d, c), propose)


def gamma(draw: Draw, a: Term) -> Term:
    """A gamma variable of scale 1 and shape `a`; below 1 that of `a + 1` times u ** (1 / a)."""
    small = a < 1.0
    term = _gamma_above_one(draw, where(small, a + 1.0, a))
    exponent = exponential(draw) / where(small, a, 1.0)
    return where(small, term * exp(-exponent), term)


def log_gamma(draw: Draw, a: Term) -> Term:
    """The logarithm of a gamma variable, which does not underflow for small shapes."""
    small = a < 1.0
    term = log(_gamma_above_one(draw, where(small, a + 1.0, a)))
    exponent = exponential(draw) / where(small, a, 1.0)
    return where(small, term - exponent, term)


# Counts ------------------------------------------------------------------------------------------------

MOST_BY_INVERSION = 10.0
"""Means below are drawn by inversion, others by rejection."""
_TERMS = 64
"""Values beyond have probabilities below 2**-64 if the mean is below that."""


def _by_inversion(draw: Draw, first: Term, ratio: Callable[..., Term], given: Sequence[Term]) -> Term:
    """The number of cumulative probabilities that a uniform number reaches: the first is `first`, each next
    term is multiplied by `ratio(k, *given)`."""

    def step(body: Graph, index: Node, carried: list[Node], known: list[Node]) -> list[Node]:
        term, total, count, drawn, *rest = (Term(body, node) for node in (*carried, *known))
        counted = where(total <= drawn, count + 1.0, count)
        k = Term(body, index).to(draw.dtype).spread(draw.shape) + 1.0
        following = term * ratio(k, *rest)
        return [following.node, (total + following).node, counted.node]

    carried = [first.node, first.node, first.like(0.0).node]
    invariant = [uniform(draw).node, *(each.node for each in given)]
    return Term(draw.graph, repeated(draw.graph, 0, _TERMS, carried, invariant, step)[2])


def poisson(draw: Draw, mean: Term, small: bool = True, large: bool = True) -> Term:
    """Counts of a mean, as floats; `small`, `large`: whether there may be means below and from 10 on.

    Large ones by transformed rejection with squeeze: W. Hörmann, The transformed rejection method for
    generating Poisson random variables, Insurance: Mathematics and Economics 12 (1993), 39-45.
    """
    little = mean < MOST_BY_INVERSION
    made = None
    if small:
        low = where(little, mean, 0.0) if large else mean
        made = _by_inversion(draw, exp(-low), lambda k, m: m / k, (low,))
    if not large:
        assert made is not None
        return made
    high = where(little, MOST_BY_INVERSION, mean) if small else mean
    term = _first_accepted(draw, (high,), _propose_poisson)
    return term if made is None else where(little, made, term)


def _hat(variable: Callable[[int], Draw], a: Term, b: Term, center: Term) -> tuple[Term, Term, Term]:
    """For both of Hörmann's methods: the count, the distance to the ends, and the second uniform number."""
    u = uniform(variable(0)) - 0.5
    distance = 0.5 - abs(u)
    k = floor((a * 2.0 / distance + b) * u + center)
    return k, distance, 1.0 - uniform(variable(1))


def _propose_poisson(variable: Callable[[int], Draw], mean: Term) -> tuple[Term, Term]:
    b = sqrt(mean) * 2.53 + 0.931
    a = b * 0.02483 + -0.059
    scale = 1.1328 / (b - 3.4) + 1.1239
    quick = 0.9277 - 3.6224 / (b - 2.0)
    k, distance, v = _hat(variable, a, b, mean + 0.43)
    left = log(v * scale / (a / (distance * distance) + b))
    safe = where(k < 0.0, 0.0, k)
    right = safe * log(mean) - mean - lgamma(safe + 1.0)
    return k, _rejected(k < 0.0, distance, v, quick, left > right)


def _rejected(outside: Term, distance: Term, v: Term, quick: Term, beyond: Term) -> Term:
    certain = (distance >= 0.07) & (v <= quick)
    near_end = (distance < 0.013) & (v > distance)
    return ~certain & (outside | near_end | beyond)


def binomial(draw: Draw, n: Term, p: Term, small: bool = True, large: bool = True) -> Term:
    """Successes of `n` trials of probability `p`, as floats; `small`, `large`: whether fewer than 10 of the
    rarer kind, or more, may be expected.

    Where fewer than 10 are expected of the rarer kind by inversion, else by transformed rejection with
    squeeze: W. Hörmann, The generation of binomial random variates, Journal of Statistical Computation and
    Simulation 46 (1993), 101-110.
    """
    mirrored = p > 0.5
    rare = where(mirrored, 1.0 - p, p)
    little = n * rare < MOST_BY_INVERSION
    made = low = None
    if small:
        made = low = _few_successes(draw, where(little, n, 0.0), rare)
    if large:
        many, usual = where(little, 40.0, n), where(little, 0.5, rare)
        made = _first_accepted(draw, (many, usual), _propose_binomial)
    assert made is not None
    made = made if low is None else where(little, low, made)
    return where(mirrored, n - made, made)


def _few_successes(draw: Draw, few: Term, rare: Term) -> Term:
    def ratio(k: Term, n: Term, odds: Term) -> Term:
        left = n + 1.0 - k
        return where(left < 0.0, 0.0, left) / k * odds

    first = exp(few * log1p(-rare))
    low = _by_inversion(draw, first, ratio, (few, rare / (1.0 - rare)))
    return where(low > few, few, low)


def _propose_binomial(variable: Callable[[int], Draw], n: Term, p: Term) -> tuple[Term, Term]:
    q = 1.0 - p
    deviation = sqrt(n * p * q)
    b = deviation * 2.53 + 1.15
    a = b * 0.0248 + -0.0873 + p * 0.01
    scale = (5.1 / b + 2.83) * deviation
    quick = 0.92 - 4.2 / b
    k, distance, v = _hat(variable, a, b, n * p + 0.5)
    outside = (k < 0.0) | (k > n)
    safe = where(outside, 0.0, k)
    mode = floor((n + 1.0) * p)

    def pair(k: Term) -> Term:
        return lgamma(k + 1.0) + lgamma(n - k + 1.0)

    left = log(v * scale / (a / (distance * distance) + b))
    right = pair(mode) - pair(safe) + (safe - mode) * log(p / q)
    return k, _rejected(outside, distance, v, quick, left > right)


_WIDTH, _BASE = 2 * math.sqrt(2 / math.e), 3 - 2 * math.sqrt(3 / math.e)
"""The hat about a distribution of standard deviation s is _WIDTH * s + _BASE wide."""


def hypergeometric(draw: Draw, good: Term, bad: Term, sample: Term) -> Term:
    """How many of a sample without replacement are good, as floats: by the ratio of uniforms.

    E. Stadlober, The ratio of uniforms approach for generating discrete random variates, Journal of
    Computational and Applied Mathematics 31 (1990), 181-189. Of the smaller part of the sample and what it
    leaves, the smaller of good and bad are counted.
    """
    left = good + bad - sample
    is_more, is_most = bad < good, left < sample
    rare, usual = where(is_more, bad, good), where(is_more, good, bad)
    drawn = where(is_most, left, sample)
    term = _first_accepted(draw, (rare, usual, drawn), _propose_hypergeometric)
    term = where(is_more, drawn - term, term)
    return where(is_most, good - term, term)


def _propose_hypergeometric(
    variable: Callable[[int], Draw], rare: Term, usual: Term, drawn: Term
) -> tuple[Term, Term]:
    total = rare + usual
    share = rare / where(total < 1.0, 1.0, total)
    others = where(total < 2.0, 1.0, total - 1.0)
    mean = drawn * share
    deviation = sqrt(mean * (1.0 - share) * (total - drawn) / others + 0.5)
    center = mean + 0.5
    width = deviation * _WIDTH + _BASE
    mode = floor((drawn + 1.0) * (rare + 1.0) / (total + 2.0))
    far = floor(center + deviation * 16.0)
    fewer = where(drawn < rare, drawn, rare)
    beyond = where(fewer < far, fewer, far) + 1.0
    u = 1.0 - uniform(variable(0))
    x = center + width * ((uniform(variable(1)) - 0.5) / u)
    outside = (x < 0.0) | (x >= beyond)
    k = floor(where(outside, 0.0, x))

    def ways(k: Term) -> Term:
        """The logarithm of the denominator of the probability of k."""
        terms = [lgamma(term + 1.0) for term in (k, rare - k, drawn - k, usual - (drawn - k))]
        return terms[0] + terms[1] + (terms[2] + terms[3])

    return k, outside | (log(u) * 2.0 > ways(mode) - ways(k))


def zipf(draw: Draw, a: Term) -> Term:
    """Integers k from 1 on, as floats, with probabilities proportional to k ** -a.

    L. Devroye, Non-Uniform Random Variate Generation, 1986, section X.6.1.
    """
    most = 2.0 ** (62 if draw.dtype.bits == 64 else 30)

    def propose(variable: Callable[[int], Draw], less_one: Term) -> tuple[Term, Term]:
        root = exponential(variable(0)) / less_one  # u ** (-1 / (a - 1)), as its logarithm
        large = root > math.log(most)
        x = floor(exp(where(large, 0.0, root)))
        t = (1.0 / x + 1.0) ** less_one
        b = less_one.like(2.0) ** less_one
        left = uniform(variable(1)) * x * (t - 1.0) / (b - 1.0)
        return x, large | (left > t / b)

    return _first_accepted(draw, (a - 1.0,), propose)


def von_mises(draw: Draw, kappa: Term) -> Term:
    """Angles from -pi to pi about 0.

    D. J. Best, N. I. Fisher, Efficient simulation of the von Mises distribution, Applied Statistics 28
    (1979), 152-157; of concentrations below 1e-6 uniform.
    """
    flat = kappa < 1e-6
    safe = where(flat, 1.0, kappa)
    tau = sqrt(safe * safe * 4.0 + 1.0) + 1.0
    rho = (tau - sqrt(tau * 2.0)) / (safe * 2.0)
    s = (rho * rho + 1.0) / (rho * 2.0)

    def propose(variable: Callable[[int], Draw], kappa: Term, s: Term) -> tuple[Term, Term]:
        v = 1.0 - uniform(variable(1))
        z = cos(uniform(variable(0)) * math.pi)
        w = (s * z + 1.0) / (s + z)
        y = kappa * (s - w)
        return w, (y * (2.0 - y) - v < 0.0) & (log(y / v) + 1.0 - y < 0.0)

    w = _first_accepted(draw, (safe, s), propose)
    one = w.like(1.0)
    angle = acos(w.make(ops.maximum, -one).make(ops.minimum, one))
    u = uniform(draw) - 0.5
    return where(flat, u * (2 * math.pi), where(u < 0.0, -angle, angle))
