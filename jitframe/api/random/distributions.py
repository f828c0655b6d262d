"""Further distributions of the generators of `jf.random`, with NumPy's names and parameters, which are
broadcast."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy

from ...arrays.promotion import from_numpy
from ...base.arguments import extents_of, integer, shown
from ...base.boundary import guarded_methods
from ...errors import ArgumentError, DTypeError, KindError, NumberError, ShapeError
from ...functions import distributions, rejection
from ...functions.formula import Term
from ...functions.random_numbers import Draw, on_nodes
from ...ir.types import F32, F64, I64
from .. import movement
from ..creation import constructors
from ..elementwise import arithmetic
from ..frame import LazyValue, frame_on
from ..indexing import reading
from .random_stream import Stream

_MOST_POISSON = 2.0**63 - 10 * 2.0**31.5
"""The largest mean whose draws are int64: ten standard deviations below the largest of these."""


@guarded_methods
class Distributions(Stream):
    """Draws by inversion and by rejection: each element takes the first proposal that is accepted, so that a
    draw takes as many rounds as its most unlucky element, some five to ten. What a round proposes follows
    from the key, the draw's number, the round and the element's place alone."""

    __slots__ = ()

    def _distribution(
        self,
        name: str,
        distribution: Callable[..., Term],
        size: Any,
        *parameters: Any,
        dtype: Any = None,
        counts: bool = False,
        spreads: bool = True,
    ) -> Any:
        """`spreads`: a distribution is given parameters in the shape of what is drawn."""
        for parameter in parameters:
            check_real(f"{name}: a parameter", parameter)
        given = [*map(self._lazy, parameters)]
        frame = frame_on(self.device, name, given)
        wanted = frame.device.fitting(F64) if dtype is None else from_numpy(dtype)
        if wanted not in (F32, F64):
            raise DTypeError(f"Unsupported dtype {shown(dtype)} for {name}; it draws float32 or float64")
        frame.check(wanted)
        shapes = [tuple(each.shape) for each in given]
        made = self._draw(name, size, on_nodes(distribution, spreads), wanted, *given, shapes=shapes)
        return constructors.astype(made, frame.device.fitting(I64).numpy_name) if counts else made

    def standard_gamma(self, shape: Any, size: Any = None, dtype: Any = None) -> Any:
        """Gamma of scale 1 and a shape (G. Marsaglia, W. W. Tsang, 2000), of float32 or float64.

        >>> x = jf.random.default_rng(1).standard_gamma(3.0, 100_000)
        >>> abs(float(x.mean()) - 3) < 0.05
        True
        """
        _check("standard_gamma", "shape", shape, 0)
        return self._distribution("standard_gamma", rejection.gamma, size, shape, dtype=dtype)

    def gamma(self, shape: Any, scale: Any = 1.0, size: Any = None) -> Any:
        """Gamma of a shape and a scale: the mean is their product.

        >>> jf.random.default_rng(1).gamma([1.0, 2.0], 3.0).shape
        (2,)
        """
        _check("gamma", "shape", shape, 0)
        _check("gamma", "scale", scale, 0)
        return self._distribution("gamma", _scaled_gamma, size, shape, scale)

    def beta(self, a: Any, b: Any, size: Any = None) -> Any:
        """Beta: the share of the first of two gamma variables of shapes `a` and `b`.

        >>> bool((jf.random.default_rng(1).beta(0.5, 2.0, 100) < 1).all())
        True
        """
        _check("beta", "a", a, 0, above=True)
        _check("beta", "b", b, 0, above=True)
        return self._distribution("beta", distributions.beta, size, a, b)

    def chisquare(self, df: Any, size: Any = None) -> Any:
        """The sum of squares of `df` standard normal variables.

        >>> jf.random.default_rng(1).chisquare(2.0, 3).shape
        (3,)
        """
        _check("chisquare", "df", df, 0, above=True)
        return self._distribution("chisquare", distributions.chisquare, size, df)

    def noncentral_chisquare(self, df: Any, nonc: Any, size: Any = None) -> Any:
        """The same of normal variables whose squared means sum to `nonc`.

        >>> jf.random.default_rng(1).noncentral_chisquare(2.0, 1.0, 3).shape
        (3,)
        """
        _check("noncentral_chisquare", "df", df, 0, above=True)
        _check("noncentral_chisquare", "nonc", nonc, 0)
        return self._distribution("noncentral_chisquare", distributions.noncentral_chisquare, size, df, nonc)

    def f(self, dfnum: Any, dfden: Any, size: Any = None) -> Any:
        """The ratio of two mean squares, of `dfnum` and `dfden` normal variables.

        >>> jf.random.default_rng(1).f(2.0, 3.0, 4).shape
        (4,)
        """
        _check("f", "dfnum", dfnum, 0, above=True)
        _check("f", "dfden", dfden, 0, above=True)
        return self._distribution("f", distributions.f, size, dfnum, dfden)

    def noncentral_f(self, dfnum: Any, dfden: Any, nonc: Any, size: Any = None) -> Any:
        """The same, the squared means of the upper variables summing to `nonc`.

        >>> jf.random.default_rng(1).noncentral_f(2.0, 3.0, 1.0, 4).shape
        (4,)
        """
        _check("noncentral_f", "dfnum", dfnum, 0, above=True)
        _check("noncentral_f", "dfden", dfden, 0, above=True)
        _check("noncentral_f", "nonc", nonc, 0)
        return self._distribution("noncentral_f", distributions.noncentral_f, size, dfnum, dfden, nonc)

    def standard_t(self, df: Any, size: Any = None) -> Any:
        """Student's t of `df` degrees of freedom.

        >>> jf.random.default_rng(1).standard_t(5.0, 3).shape
        (3,)
        """
        _check("standard_t", "df", df, 0, above=True)
        return self._distribution("standard_t", distributions.standard_t, size, df)

    def standard_cauchy(self, size: Any = None) -> Any:
        """The ratio of two standard normal variables.

        >>> jf.random.default_rng(1).standard_cauchy(3).shape
        (3,)
        """
        return self._distribution("standard_cauchy", distributions.standard_cauchy, size)

    def pareto(self, a: Any, size: Any = None) -> Any:
        """Pareto of the second kind (Lomax), from 0 on.

        >>> bool((jf.random.default_rng(1).pareto(3.0, 9) >= 0).all())
        True
        """
        _check("pareto", "a", a, 0, above=True)
        return self._distribution("pareto", distributions.pareto, size, a)

    def weibull(self, a: Any, size: Any = None) -> Any:
        """Weibull of scale 1: an exponential variable to the power `1 / a`.

        >>> jf.random.default_rng(1).weibull(2.0, 3).shape
        (3,)
        """
        _check("weibull", "a", a, 0)
        return self._distribution("weibull", distributions.weibull, size, a)

    def rayleigh(self, scale: Any = 1.0, size: Any = None) -> Any:
        """The length of a vector of two normal variables of standard deviation `scale`.

        >>> jf.random.default_rng(1).rayleigh(2.0, 3).shape
        (3,)
        """
        _check("rayleigh", "scale", scale, 0)
        return self._distribution("rayleigh", distributions.rayleigh, size, scale)

    def gumbel(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Gumbel: `loc - scale * log(e)` of an exponential variable.

        >>> jf.random.default_rng(1).gumbel(size=3).shape
        (3,)
        """
        _check("gumbel", "scale", scale, 0)
        return self._distribution("gumbel", distributions.gumbel, size, loc, scale)

    def logistic(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Logistic about `loc`.

        >>> jf.random.default_rng(1).logistic(size=3).shape
        (3,)
        """
        _check("logistic", "scale", scale, 0)
        return self._distribution("logistic", distributions.logistic, size, loc, scale)

    def power(self, a: Any, size: Any = None) -> Any:
        """In [0, 1], with a density proportional to `x ** (a - 1)`.

        >>> bool((jf.random.default_rng(1).power(3.0, 9) <= 1).all())
        True
        """
        _check("power", "a", a, 0, above=True)
        return self._distribution("power", distributions.power, size, a)

    def triangular(self, left: Any, mode: Any, right: Any, size: Any = None) -> Any:
        """From `left` to `right`, most often about `mode`.

        >>> bool((jf.random.default_rng(1).triangular(-1.0, 0.0, 2.0, 9) <= 2).all())
        True
        """
        if not any(isinstance(each, LazyValue) for each in (left, mode, right)):
            first, top, last = map(numpy.asarray, (left, mode, right))
            if not bool(numpy.all((first <= top) & (top <= last) & (first < last))):
                raise ArgumentError("triangular: left <= mode <= right and left < right must hold")
        return self._distribution("triangular", distributions.triangular, size, left, mode, right)

    def wald(self, mean: Any, scale: Any, size: Any = None) -> Any:
        """Wald's, the inverse Gaussian, of a mean and a scale.

        >>> bool((jf.random.default_rng(1).wald(1.0, 2.0, 9) > 0).all())
        True
        """
        _check("wald", "mean", mean, 0, above=True)
        _check("wald", "scale", scale, 0, above=True)
        return self._distribution("wald", distributions.wald, size, mean, scale)

    def vonmises(self, mu: Any, kappa: Any, size: Any = None) -> Any:
        """Angles from -pi to pi about `mu`, of concentration `kappa` (D. J. Best, N. I. Fisher, 1979).

        >>> bool((abs(jf.random.default_rng(1).vonmises(0.0, 2.0, 9)) <= np.pi).all())
        True
        """
        _check("vonmises", "kappa", kappa, 0)
        angle = self._distribution("vonmises", _von_mises, size, mu, kappa)
        return (angle + numpy.pi) % (2 * numpy.pi) - numpy.pi

    def dirichlet(self, alpha: Any, size: Any = None) -> Any:
        """Vectors of positive numbers whose sum is 1: gamma variables of the shapes `alpha`, by their sum.

        Shape: that of `size`, and the length of `alpha`.

        >>> jf.random.default_rng(1).dirichlet([1.0, 2.0, 3.0], 4).shape
        (4, 3)
        """
        _check("dirichlet", "alpha", alpha, 0, above=True)
        given = self._lazy(alpha)
        if given.ndim != 1:
            raise ShapeError(f"dirichlet: alpha is a vector, not an array of shape {tuple(given.shape)}")
        outer = () if size is None else extents_of(size, "size")
        if not given.shape[0]:
            return constructors.zeros((*outer, 0), dtype=given.dtype if given.dtype.kind == "f" else None)
        return self._distribution("dirichlet", distributions.dirichlet, (*outer, given.shape[0]), given)

    # Integers

    def poisson(self, lam: Any = 1.0, size: Any = None) -> Any:
        """Counts of the mean `lam`: by inversion below 10, else by transformed rejection (W. Hörmann, 1993).

        >>> x = jf.random.default_rng(1).poisson(4.0, 100_000)
        >>> abs(float(x.mean()) - 4) < 0.05
        True
        """
        _check("poisson", "lam", lam, 0)
        small = large = True
        if not isinstance(lam, LazyValue):
            if bool(numpy.any(numpy.asarray(lam, float) > _MOST_POISSON)):
                raise ArgumentError(f"poisson: lam value too large: {shown(lam)} is above {_MOST_POISSON}")
            small, large = _sides(numpy.asarray(lam))

        distribution = partial(rejection.poisson, small=small, large=large)
        return self._distribution("poisson", distribution, size, lam, counts=True)

    def binomial(self, n: Any, p: Any, size: Any = None) -> Any:
        """How many of `n` trials succeed, each with probability `p`: by inversion where few of one kind are
        expected, else by transformed rejection (W. Hörmann, 1993).

        >>> jf.random.default_rng(1).binomial(10, 0.5, size=4).dtype
        dtype('int64')
        """
        _check_count("binomial", "n", n)
        check_probability("binomial", p)
        small = large = True
        if not isinstance(n, LazyValue) and not isinstance(p, LazyValue):
            array = numpy.asarray(p, float)
            expected = numpy.asarray(n) * numpy.minimum(array, 1 - array)
            small, large = _sides(expected)

        distribution = partial(rejection.binomial, small=small, large=large)
        return self._distribution("binomial", distribution, size, n, p, counts=True)

    def negative_binomial(self, n: Any, p: Any, size: Any = None) -> Any:
        """Failures before success number `n`, each trial a success with probability `p`.

        >>> jf.random.default_rng(1).negative_binomial(3, 0.5, size=4).shape
        (4,)
        """
        _check("negative_binomial", "n", n, 0, above=True)
        check_probability("negative_binomial", p)
        return self._distribution(
            "negative_binomial", distributions.negative_binomial, size, n, p, counts=True
        )

    def geometric(self, p: Any, size: Any = None) -> Any:
        """Trials up to the first success, of probability `p` each.

        >>> bool((jf.random.default_rng(1).geometric(0.3, 9) >= 1).all())
        True
        """
        _check("geometric", "p", p, 0, above=True)
        check_probability("geometric", p)
        return self._distribution("geometric", distributions.geometric, size, p, counts=True)

    def logseries(self, p: Any, size: Any = None) -> Any:
        """Integers k from 1 on with probabilities proportional to `p ** k / k` (A. W. Kemp, 1981).

        >>> bool((jf.random.default_rng(1).logseries(0.6, 9) >= 1).all())
        True
        """
        check_probability("logseries", p)
        return self._distribution("logseries", distributions.logseries, size, p, counts=True)

    def zipf(self, a: Any, size: Any = None) -> Any:
        """Integers k from 1 on with probabilities proportional to `k ** -a` (L. Devroye, 1986).

        >>> bool((jf.random.default_rng(1).zipf(2.0, 9) >= 1).all())
        True
        """
        _check("zipf", "a", a, 1, above=True)
        return self._distribution("zipf", rejection.zipf, size, a, counts=True)

    def hypergeometric(self, ngood: Any, nbad: Any, nsample: Any, size: Any = None) -> Any:
        """How many of `nsample` are good, drawn without replacement of `ngood` good and `nbad` bad
        ones, by the ratio of uniforms (E. Stadlober, 1990).

        >>> bool((jf.random.default_rng(1).hypergeometric(5, 10, 3, size=9) <= 3).all())
        True
        """
        given = {"ngood": ngood, "nbad": nbad, "nsample": nsample}
        for parameter, value in given.items():
            _check_count("hypergeometric", parameter, value)
        if not any(isinstance(each, LazyValue) for each in given.values()):
            good, bad, sample = map(numpy.asarray, given.values())
            if bool(numpy.any(good >= 10**9)) or bool(numpy.any(bad >= 10**9)):
                raise ArgumentError("hypergeometric: both ngood and nbad must be less than 1000000000")
            if bool(numpy.any(sample > good + bad)):
                raise ArgumentError("hypergeometric: ngood + nbad < nsample: there are not so many to draw")
        return self._distribution(
            "hypergeometric", rejection.hypergeometric, size, ngood, nbad, nsample, counts=True
        )

    def multinomial(self, n: Any, pvals: Any, size: Any = None) -> Any:
        """How many of `n` trials end in each of some ways, whose probabilities are `pvals[..., k]`; the last
        one has what the others leave of 1.

        Shape: that of `size`, or of `n` and the leading axes of `pvals`, broadcast; and k.

        >>> jf.random.default_rng(1).multinomial(20, [0.2, 0.3, 0.5], size=4).sum(axis=1).tolist()
        [20, 20, 20, 20]
        """
        _check_count("multinomial", "n", n)
        check_probability("multinomial", pvals)
        weights = self._lazy(pvals)
        if not weights.ndim or not weights.shape[-1]:
            raise ShapeError(
                f"multinomial: pvals has shape {tuple(weights.shape)}; its last axis has the ways"
            )
        if not isinstance(pvals, LazyValue):
            most = float(numpy.max(numpy.sum(numpy.asarray(pvals, float)[..., :-1], axis=-1), initial=0.0))
            if most > 1 + 1e-12:
                raise ArgumentError(f"multinomial: sum(pvals[..., :-1]) is {most}; it must not exceed 1")
        others = weights[..., :-1]
        rest = 1 - others.sum(axis=-1, keepdims=True)
        weights = movement.concat((others, arithmetic.where(rest > 0, rest, 0.0)), axis=-1)
        outer = None if size is None else extents_of(size, "size")
        shape = None if outer is None else (*outer, weights.shape[-1])
        trials = self._lazy(n)[..., None]
        return self._distribution(
            "multinomial", distributions.multinomial, shape, trials, weights, counts=True, spreads=False
        )

    def multivariate_hypergeometric(
        self, colors: Any, nsample: Any, size: Any = None, method: str = "marginals"
    ) -> Any:
        """How many of `nsample` are of each color, drawn without replacement of `colors[k]` ones of each.

        Shape: that of `size`, and k. Both `method`s, "marginals" and "count", are one here.

        >>> jf.random.default_rng(1).multivariate_hypergeometric([3, 4, 5], 6, size=2).sum(axis=1).tolist()
        [6, 6]
        """
        for parameter, value in (("colors", colors), ("nsample", nsample)):
            _check("multivariate_hypergeometric", parameter, value, 0)
        if not isinstance(nsample, LazyValue):
            nsample = integer(nsample, "multivariate_hypergeometric: nsample")
        if method not in ("marginals", "count"):
            raise ArgumentError(
                f"multivariate_hypergeometric: method is 'marginals' or 'count', not {method!r}"
            )
        each = self._lazy(colors)
        if each.ndim != 1:
            raise ShapeError(f"multivariate_hypergeometric: colors is a vector, not {shown(each)}")
        if each.shape[0] and not each._dtype.is_integer:
            raise KindError(f"multivariate_hypergeometric: colors are integers, not {shown(each)}")
        if not isinstance(colors, LazyValue) and not isinstance(nsample, LazyValue):
            known = int(numpy.sum(colors))
            if nsample > known:
                raise ArgumentError(
                    f"multivariate_hypergeometric: nsample is {nsample}, and sum(colors) {known}"
                )
        outer = () if size is None else extents_of(size, "size")
        shape = (*outer, each.shape[0])
        if not each.shape[0]:
            return constructors.zeros(shape, dtype="int64")
        distribution = distributions.multivariate_hypergeometric
        return self._distribution(
            "multivariate_hypergeometric", distribution, shape, nsample, each, counts=True, spreads=False
        )

    def _lazy(self, value: Any) -> Any:
        return value if isinstance(value, LazyValue) else constructors.asarray(value, device=self.device)

    def permuted(self, x: Any, axis: Any = None) -> Any:
        """The elements along an axis in random orders, one for each of the vectors; without an axis all
        elements in one.

        >>> sorted(jf.random.default_rng(1).permuted([[1, 2], [3, 4]]).ravel().tolist())
        [1, 2, 3, 4]
        """
        values = self._lazy(x)
        if axis is None:
            order = self._order("permuted", (int(values.size),))
            return reading.take(values.ravel(), order).reshape(values.shape)
        order = self._order("permuted", tuple(values.shape), axis)
        return reading.take_along_axis(values, order, axis)


def _von_mises(draw: Draw, mu: Term, kappa: Term) -> Term:
    return rejection.von_mises(draw, kappa) + mu


def _scaled_gamma(draw: Draw, shape: Term, scale: Term) -> Term:
    return rejection.gamma(draw, shape) * scale


def _sides(expected: numpy.ndarray) -> tuple[bool, bool]:
    """Whether some of these counts are so small that they are drawn by inversion, and some not."""
    few = expected < rejection.MOST_BY_INVERSION
    large = not bool(numpy.all(few))
    return bool(numpy.any(few)) or not large, large


def _check(name: str, parameter: str, value: Any, least: float, above: bool = False) -> None:
    """Of what is known now."""
    if isinstance(value, LazyValue):
        return
    check_real(f"{name}: {parameter}", value)
    array = numpy.asarray(value, float)
    if not bool(numpy.all(array > least if above else array >= least)):
        sign = "<=" if above else "<"
        raise ArgumentError(f"{name}: {parameter} {sign} {least}, or NaN: {shown(value)}")


def _check_count(name: str, parameter: str, value: Any) -> None:
    _check(name, parameter, value, 0)
    if not isinstance(value, LazyValue) and not numpy.all(numpy.isfinite(numpy.asarray(value, float))):
        raise NumberError(f"{name}: {parameter} is an integer, not {shown(value)}")


def check_real(name: str, value: Any) -> None:
    """Raises KindError for a parameter that is not of real numbers."""
    if isinstance(value, LazyValue):
        is_real = value._dtype.kind != "complex"
    else:
        is_real = numpy.asarray(value).dtype.kind in "biuf"
    if not is_real:
        raise KindError(f"{name} is of real numbers, not {shown(value)}")


def check_probability(name: str, p: Any) -> None:
    _check(name, "p", p, 0)
    if not isinstance(p, LazyValue) and bool(numpy.any(numpy.asarray(p, float) > 1)):
        raise ArgumentError(f"{name}: p < 0, p > 1 or p is NaN: {shown(p)}")
