"""Distributions derived from others, each as one draw of a generator."""

from __future__ import annotations

from collections.abc import Callable

from .formula import Term, ceil, exp, expm1, floor, log, log1p, sqrt, where
from .joining import concatenate, part, stack
from .operands import reshaped
from .random_numbers import Draw, exponential, normal, uniform
from .reductions import max_, sum
from .rejection import binomial, gamma, hypergeometric, log_gamma, poisson


def chisquare(draw: Draw, df: Term) -> Term:
    return gamma(draw, df * 0.5) * 2.0


def beta(draw: Draw, a: Term, b: Term) -> Term:
    """The share of the first of two gamma variables, by their logarithms."""
    first, second = log_gamma(draw.part(0), a), log_gamma(draw.part(1), b)
    return 1.0 / (exp(second - first) + 1.0)


def f(draw: Draw, dfnum: Term, dfden: Term) -> Term:
    return (chisquare(draw.part(0), dfnum) / dfnum) / (chisquare(draw.part(1), dfden) / dfden)


def standard_t(draw: Draw, df: Term) -> Term:
    half = df * 0.5
    return normal(draw.part(0)) * sqrt(half / gamma(draw.part(1), half))


def noncentral_chisquare(draw: Draw, df: Term, nonc: Term) -> Term:
    """A chi-square variable with two more degrees of freedom for each count of a Poisson variable."""
    return chisquare(draw.part(1), df + poisson(draw.part(0), nonc * 0.5) * 2.0)


def noncentral_f(draw: Draw, dfnum: Term, dfden: Term, nonc: Term) -> Term:
    first = noncentral_chisquare(draw.part(0), dfnum, nonc)
    return (first / dfnum) / (chisquare(draw.part(1), dfden) / dfden)


def pareto(draw: Draw, a: Term) -> Term:
    return expm1(exponential(draw) / a)


def weibull(draw: Draw, a: Term) -> Term:
    return exp(log(exponential(draw)) / a)  # of a = 0 it is 0 or inf


def rayleigh(draw: Draw, scale: Term) -> Term:
    return scale * sqrt(exponential(draw) * 2.0)


def gumbel(draw: Draw, loc: Term, scale: Term) -> Term:
    return loc - scale * log(exponential(draw))


def power(draw: Draw, a: Term) -> Term:
    return exp(-(exponential(draw) / a))


def geometric(draw: Draw, p: Term) -> Term:
    trials = ceil(exponential(draw) / -log1p(-p))
    return where(trials < 1.0, 1.0, trials)


def logistic(draw: Draw, loc: Term, scale: Term) -> Term:
    """The logarithm of the ratio of two exponential variables."""
    return loc + scale * (log(exponential(draw.part(0))) - log(exponential(draw.part(1))))


def standard_cauchy(draw: Draw) -> Term:
    return normal(draw.part(0)) / normal(draw.part(1))


def triangular(draw: Draw, left: Term, mode: Term, right: Term) -> Term:
    u = uniform(draw)
    width, rise, fall = right - left, mode - left, right - mode
    up, down = sqrt(u * (width * rise)), sqrt((1.0 - u) * (width * fall))
    return where(u * width <= rise, left + up, right - down)


def wald(draw: Draw, mean: Term, scale: Term) -> Term:
    """J. R. Michael, W. R. Schucany, R. W. Haas, Generating random variates using transformations with
    multiple roots, The American Statistician 30 (1976), 88-90."""
    n = normal(draw.part(0))
    y = n * n * mean
    root = sqrt(y * (scale * 4.0 + y))
    # mean + mean / (2 scale) (y - root), without what cancels there
    x = mean * (scale * 2.0 / (scale * 2.0 + y + root))
    kept = uniform(draw.part(1)) * (mean + x) <= mean
    return where(kept, x, mean * mean / x)


def logseries(draw: Draw, p: Term) -> Term:
    """A. W. Kemp, Efficient generation of logarithmically distributed pseudo-random variables, Applied
    Statistics 30 (1981), 249-253."""
    v, u = (1.0 - uniform(draw.part(which)) for which in (0, 1))
    q = -expm1(log1p(-p) * u)
    one = p.like(1.0)
    term = where(v <= q * q, floor(log(v) / log(q) + 1.0), where(q > v, 2.0, one))
    return where(v >= p, one, where(term < one, one, term))


def negative_binomial(draw: Draw, n: Term, p: Term) -> Term:
    """A Poisson variable whose mean is a gamma variable."""
    return poisson(draw.part(1), gamma(draw.part(0), n) * ((1.0 - p) / p))


def dirichlet(draw: Draw, alpha: Term) -> Term:
    """Gamma variables divided by their sum, along the last axis."""
    graph, drawn = draw.graph, log_gamma(draw, alpha)
    size = exp(drawn - Term(graph, max_(graph, drawn.node, -1, True)).spread(draw.shape))
    return size / Term(graph, sum(graph, size.node, -1, keepdims=True)).spread(draw.shape)


# Counts of several kinds ---------------------------------------------------------------------------------

Split = Callable[[Draw, Term, Term, Term], Term]
"""(draw, number, weight of a half, weight of the other) -> how many of the number are of the half."""


def multinomial(draw: Draw, n: Term, pvals: Term) -> Term:
    """How many of `n` trials end in each way, along the last axis, as floats."""

    def split(draw: Draw, number: Term, half: Term, other: Term) -> Term:
        total = half + other
        possible = total > 0.0
        return binomial(draw, number, where(possible, half / where(possible, total, 1.0), 0.0))

    return _split_by_halves(draw, n, pvals, split)


def multivariate_hypergeometric(draw: Draw, sample: Term, colors: Term) -> Term:
    """How many of a sample without replacement are of each color, along the last axis, as floats."""

    def split(draw: Draw, number: Term, half: Term, other: Term) -> Term:
        return hypergeometric(draw, half, other, number)

    return _split_by_halves(draw, sample, colors, split)


def _split_by_halves(draw: Draw, number: Term, weights: Term, split: Split) -> Term:
    """Splits the number between halves of the kinds, the parts between quarters, and so on: as many draws as
    the number of kinds has bits, each for all parts at once."""
    graph, (*outer, kinds) = draw.graph, draw.shape
    levels = (kinds - 1).bit_length()
    whole = weights.spread(draw.shape).node
    if kinds < 1 << levels:
        nothing = draw.own(0.0).spread((*outer, (1 << levels) - kinds)).node
        whole = concatenate(graph, (whole, nothing), -1)
    sums = [whole]
    for level in reversed(range(levels)):
        sums.append(sum(graph, reshaped(graph, sums[-1], (*outer, 1 << level, 2)), -1))
    counts = number.spread((*outer, 1))
    for level in range(levels):
        parts = (*outer, 1 << level)
        pairs = reshaped(graph, sums[levels - 1 - level], (*parts, 2))
        halves = [
            Term(graph, reshaped(graph, part(graph, pairs, len(parts), place, place + 1), parts))
            for place in (0, 1)
        ]
        variable = draw.part(level)
        some = split(Draw(graph, variable.state, parts, draw.dtype), counts, *halves)
        both = stack(graph, (some.node, (counts - some).node), -1)
        counts = Term(graph, reshaped(graph, both, (*outer, 2 << level)))
    return Term(graph, part(graph, counts.node, len(outer), 0, kinds))
