"""A generator of random numbers for every device: counter-based, lazy and fused, the same numbers everywhere.

>>> import jitframe as jf
>>> rng = jf.random.default_rng(7)
>>> rng.random(2)
Tensor(shape=(2,), dtype=float64, device=cpu, not computed yet)
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

import numpy

from ...arrays.indexing import normalize_axis
from ...arrays.promotion import Weak, from_numpy
from ...base.arguments import extents_of, integer, shown
from ...base.boundary import guarded, guarded_methods
from ...errors import ArgumentError, DTypeError, KindError, NumberError, ShapeError, UnsupportedError
from ...functions import elementwise as functions
from ...functions import random_numbers as nodes
from ...functions.operands import broadcast_shapes
from ...ir.node import Graph, Node, Shape
from ...ir.ops.randomness import WORD, philox_words
from ...ir.types import I64, U32, U64, DType
from ...runtime.device import Device
from .. import reductions
from ..calls import call, operand
from ..creation import constructors
from ..elementwise import arithmetic
from ..frame import LazyValue, frame_on
from ..indexing import reading
from ..linear_algebra import decompositions
from ..sorting import sorted_search
from .distributions import Distributions, check_probability, check_real


@guarded_methods
class Generator(Distributions):
    """Random numbers by Philox4x32-10: element `i` of draw `n` depends on the key, `n` and `i` alone.

    So a key gives the same numbers on every device, on any number of threads, alone or fused into other work;
    floats after `log` and `cos` within the ulps of these. Methods have NumPy's names, and give Tensors; the
    numbers are not NumPy's. Each draw counts one, whatever its size. Made by `default_rng`, or of a `key`
    below 2**64 and the `number` of the next draw.

    >>> jf.random.Generator(key=1, number=2).integers(0, 6, size=3).tolist()
    [5, 4, 3]
    """

    __slots__ = ()

    def random(self, size: Any = None, dtype: Any = None) -> Any:
        """Uniform in [0, 1): a multiple of 2**-53; of float32 the same cut off to a multiple of 2**-24.

        `dtype` is float32 or float64; by default what the device has of these.

        >>> jf.random.default_rng(1).random((2, 2)).shape
        (2, 2)
        """
        return self._distribution("random", nodes.uniform, size, dtype=dtype)

    def standard_normal(self, size: Any = None, dtype: Any = None) -> Any:
        """Normal with mean 0 and variance 1, of float32 or float64, by Box's and Muller's formula.

        At most 8.6 in size, and 6.7 for float32. Devices that differ in `log` and `cos` differ in it by the
        ulps of these.

        >>> x = jf.random.default_rng(1).standard_normal(100_000)
        >>> abs(float(x.mean())) < 0.02, abs(float(x.std()) - 1) < 0.02
        (True, True)
        """
        return self._distribution("standard_normal", nodes.normal, size, dtype=dtype)

    def standard_exponential(self, size: Any = None, dtype: Any = None) -> Any:
        """Exponential with mean 1, of float32 or float64, by inversion.

        >>> bool((jf.random.default_rng(1).standard_exponential(100) >= 0).all())
        True
        """
        return self._distribution("standard_exponential", nodes.exponential, size, dtype=dtype)

    def _scaled(self, draw: Callable[[Any], Any], size: Any, *parameters: Any) -> Any:
        """Standard numbers in the shape of the parameters, where no size is given."""
        for parameter in parameters:
            if parameter.__class__ not in (int, float):
                check_real("a parameter", parameter)
        shape = broadcast_shapes((), *map(_shape, parameters))
        if size is None:
            return draw(shape or None)
        wanted = extents_of(size, "size")
        if broadcast_shapes(wanted, shape) != wanted:
            raise ArgumentError(f"size {wanted} does not hold parameters of shape {shape}")
        return draw(wanted)

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        """Uniform in [low, high): `low + (high - low) * random`. Parameters are broadcast.

        >>> bool((jf.random.default_rng(1).uniform(-1, 1, 100) < 1).all())
        True
        """
        fraction = self._scaled(self.random, size, low, high)
        if not isinstance(low, LazyValue) and not isinstance(high, LazyValue):
            width = numpy.asarray(high, float) - numpy.asarray(low, float)
            if not numpy.all(numpy.isfinite(width)):
                raise NumberError(f"uniform: high - low is not finite: from {shown(low)} to {shown(high)}")
            if numpy.any(width < 0):
                raise ArgumentError(f"uniform: high - low < 0: from {shown(low)} to {shown(high)}")
        return low + fraction * (_array(high) - low)

    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Normal with mean `loc` and standard deviation `scale`: `loc + scale * standard_normal`.

        >>> jf.random.default_rng(1).normal([0.0, 10.0], 0.1).shape
        (2,)
        """
        _check_scale("normal", scale)
        return loc + _array(scale) * self._scaled(self.standard_normal, size, loc, scale)

    def lognormal(self, mean: Any = 0.0, sigma: Any = 1.0, size: Any = None) -> Any:
        """The exponential of a normal draw.

        >>> bool((jf.random.default_rng(1).lognormal(size=9) > 0).all())
        True
        """
        return call(functions.exp, (self.normal(mean, sigma, size),))

    def exponential(self, scale: Any = 1.0, size: Any = None) -> Any:
        """Exponential with mean `scale`.

        >>> jf.random.default_rng(1).exponential(2.0, (2, 3)).shape
        (2, 3)
        """
        _check_scale("exponential", scale)
        return _array(scale) * self._scaled(self.standard_exponential, size, scale)

    def laplace(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Laplace, by inversion: `loc - scale * sign(u) * log(1 - 2 * abs(u))` of u in [-1/2, 1/2).

        >>> jf.random.default_rng(1).laplace(size=3).shape
        (3,)
        """
        _check_scale("laplace", scale)
        magnitude = self._scaled(self.standard_exponential, size, loc, scale)
        sign = arithmetic.where(self._scaled(self.random, size, loc, scale) < 0.5, -1.0, 1.0)
        return loc + _array(scale) * (sign * magnitude)

    def bernoulli(self, p: Any = 0.5, size: Any = None) -> Any:
        """Whether a draw in [0, 1) is below `p`: bool, true with probability `p`.

        >>> float(jf.random.default_rng(1).bernoulli(0.25, 100_000).mean()) < 0.26
        True
        """
        check_probability("bernoulli", p)
        return self._scaled(self.random, size, p) < p

    def integers(
        self, low: Any, high: Any = None, size: Any = None, dtype: Any = None, endpoint: bool = False
    ) -> Any:
        """Integers from `low` up to but without `high` (with it, if `endpoint`); from 0 to `low` where `high`
        is None.

        Of any integer dtype or bool; int64 by default, int32 on devices without. The probability of each
        differs from that of the others by less than 2**-64. Raises ArgumentError where there is none to draw;
        bounds that are arrays are not looked at, and give `low` there.

        >>> jf.random.default_rng(1).integers(1, 6, size=4, endpoint=True).tolist()
        [5, 6, 4, 1]
        """
        if high is None:
            low, high = 0, low
        device = frame_on(self.device, "integers", (low, high)).device
        wanted = device.fitting(I64) if dtype is None else from_numpy(dtype)
        if not (wanted.is_integer or wanted.kind == "bool"):
            raise DTypeError(f"Unsupported dtype {shown(dtype)} for integers")
        if size is not None and 0 in extents_of(size, "size"):
            low, high, endpoint = 0, 1, False  # bounds of nothing are not looked at
        inclusive = bool(endpoint)
        low, high = _bound(low), _bound(high)
        if low.__class__ is int and high.__class__ is int:
            return self._between(low, high + inclusive, size, wanted)
        return self._between_arrays(low, high, inclusive, size, wanted, device)

    def _between_arrays(
        self, low: Any, high: Any, inclusive: bool, size: Any, dtype: DType, device: Device
    ) -> Any:
        if not any(isinstance(each, LazyValue) for each in (low, high)):
            if bool(numpy.any(low > high if inclusive else low >= high)):
                raise ArgumentError("low >= high: there is no integer to draw")
            least, beyond = _range(dtype)
            if bool(numpy.any(low < least)) or bool(numpy.any(high > beyond - inclusive)):
                raise ArgumentError(f"integers: a bound is out of bounds for {dtype.numpy_name}")
        signed, unsigned = device.fitting(I64), device.fitting(U64)
        low, high = (constructors.astype(_lazy(each, self.device), signed.numpy_name) for each in (low, high))
        span = constructors.astype(high - low + int(inclusive), unsigned.numpy_name)

        def drawn(graph: Graph, state: nodes.State, shape: Shape, span: Node, dtype: DType) -> Node:
            return nodes.below(graph, state, shape, span, dtype)

        place = self._draw("integers", size, drawn, signed, span, shapes=(span.shape,))
        return constructors.astype(low + place, dtype.numpy_name)

    def _between(self, low: int, high: int, size: Any, dtype: DType) -> Any:
        least, beyond = _range(dtype)
        if low >= high:
            raise ArgumentError(f"low >= high: integers from {low} up to but without {high}: there is none")
        if low < least or high > beyond:
            raise ArgumentError(
                f"integers: from {low} up to but without {high} is out of bounds for {dtype.numpy_name}"
            )
        span = high - low
        if span in (1 << 32, 1 << 64):

            def drawn(graph: Graph, state: nodes.State, shape: Shape, dtype: DType) -> Node:
                return nodes.bits(graph, state, shape, U32 if span == 1 << 32 else U64)

        else:
            width = U32 if span < 1 << 32 else U64

            def drawn(graph: Graph, state: nodes.State, shape: Shape, dtype: DType) -> Node:
                number = graph.scalar(graph.number_index(span, width), width)
                return nodes.below(graph, state, shape, number, width)

        def shifted(graph: Graph, state: nodes.State, shape: Shape, dtype: DType) -> Node:
            return nodes.offset(graph, drawn(graph, state, shape, dtype), low, dtype)

        return self._draw("integers", size, shifted, dtype)

    def choice(self, a: Any, size: Any = None, replace: bool = True, p: Any = None, axis: int = 0) -> Any:
        """Elements of an array, or slices along an axis; of integers below `a` where that is one.

        With probabilities `p`, whose sum is 1; without `replace` each at most once, by sorting random words.

        >>> jf.random.default_rng(1).choice([10, 20, 30], size=4).tolist()
        [30, 30, 20, 10]
        """
        shape = a.shape if isinstance(a, LazyValue) else numpy.shape(a)
        values = _lazy(a, self.device) if shape else None
        along = 0 if values is None else normalize_axis(axis, values.ndim)
        extent = integer(a, "a, where it is no sequence,") if values is None else int(values.shape[along])
        shape = () if size is None else extents_of(size, "size")
        count = int(numpy.prod(shape, dtype=int))
        if extent <= 0 and count:
            raise ArgumentError("a must be a positive integer unless no samples are taken")
        if p is not None:
            chosen = self._weighted(extent, size, replace, p)
        elif replace:
            chosen = self.integers(0, max(extent, 1), size=size)
        else:
            if count > extent:
                raise ArgumentError(
                    f"Cannot take a larger sample than population when replace is False: {count} of {extent}"
                )
            chosen = self._order("choice without replacement", (extent,))[:count].reshape(shape)
        return chosen if values is None else reading.take(values, chosen, along)

    def _weighted(self, extent: int, size: Any, replace: bool, p: Any) -> Any:
        weights = _lazy(p, self.device)
        if tuple(weights.shape) != (extent,):
            raise ArgumentError(f"a and p must have same size: {extent} and {tuple(weights.shape)}")
        if not replace:
            raise UnsupportedError(
                "choice with p and without replacement; draw with NumPy's generator, or with replacement"
            )
        if not isinstance(p, LazyValue):
            array = numpy.asarray(p, float)
            if (array < 0).any() or not abs(array.sum() - 1) < 1e-8:
                raise ArgumentError(
                    "Probabilities do not sum to 1, or are negative; divide them by their sum"
                )
        sums = reductions.cumulative_sum(weights)
        place = sorted_search.searchsorted(sums / sums[-1], self.random(size), side="right")
        return call(functions.minimum, (place, extent - 1))

    def multivariate_normal(self, mean: Any, cov: Any, size: Any = None) -> Any:
        """Vectors with these means and covariances: `mean + z @ L.T`, where `cov = L @ L.T` by Cholesky.

        Shape: for mean[d], cov[d, d] and size (n, m), [n, m, d]. `cov` is positive definite (LinAlgError).

        >>> jf.random.default_rng(1).multivariate_normal([0.0, 1.0], [[2.0, 0.5], [0.5, 1.0]], 3).shape
        (3, 2)
        """
        means, spread = _lazy(mean, self.device), _lazy(cov, self.device)
        if len(means.shape) != 1 or tuple(spread.shape) != (*means.shape, *means.shape):
            raise ShapeError(
                f"multivariate_normal: mean has shape {tuple(means.shape)} and cov {tuple(spread.shape)}; "
                "they must be (d,) and (d, d)"
            )
        shape = () if size is None else extents_of(size, "size")
        factor = decompositions.cholesky(spread)
        return means + self.standard_normal((*shape, means.shape[0])) @ factor.T

    def permutation(self, x: Any, axis: int = 0) -> Any:
        """The elements, or slices along an axis, in a random order; of an integer those of `arange(x)`.

        >>> sorted(jf.random.default_rng(1).permutation(4).tolist())
        [0, 1, 2, 3]
        """
        if isinstance(x, (int, numpy.integer)):
            return self._order("permutation", (max(integer(x, "x"), 0),))
        values = _lazy(x, self.device)
        along = normalize_axis(axis, values.ndim)
        return reading.take(values, self._order("permutation", (int(values.shape[along]),)), along)

    def shuffle(self, x: Any, axis: int = 0) -> None:
        """Puts the slices of an array along an axis into a random order, in place: of a Tensor or an ndarray.

        >>> x = jf.arange(5)
        >>> jf.random.default_rng(1).shuffle(x)
        >>> sorted(x.tolist())
        [0, 1, 2, 3, 4]
        """
        if not isinstance(x, (LazyValue, numpy.ndarray)):
            raise KindError(f"shuffle takes an array, not {shown(x)}; write x = rng.permutation(x)")
        made = self.permutation(x, axis)
        x[...] = made if isinstance(x, LazyValue) else numpy.asarray(made)


@guarded
def default_rng(seed: Any = None, device: Any = None) -> Generator:
    """A generator: of a seed, an integer from 0 to 2**64 - 1; without one, of the system's entropy.

    Inside of a jitted function, the seed may be one of its values; a generator that is made there with a seed
    draws the same numbers at each call. One that is given draws on. `device`: where it draws; else on that of
    its parameters, or the current one.

    >>> a, b = jf.random.default_rng(5), jf.random.default_rng(5)
    >>> bool((a.random(3) == b.random(3)).all())
    True
    """
    if isinstance(seed, Generator):
        return seed
    if isinstance(seed, LazyValue) and not isinstance(seed, numpy.generic):
        if seed.shape or not seed._dtype.is_integer:
            raise DTypeError("default_rng: the seed is one integer")
        frame = frame_on(device, "default_rng", (seed,))
        graph = frame.begin()
        given = operand(frame, graph, seed)
        node = given.node if isinstance(given, Weak) else given
        assert isinstance(node, Node)
        low, high = frame.wrap_all(graph, nodes.seed_key(graph, node))
        return Generator._of((low, high), device=device)
    if seed is None:
        seed = secrets.randbits(64)
    number = integer(seed, "seed")
    if not 0 <= number < 1 << 64:
        raise ArgumentError(f"default_rng: the seed is {seed}; it is an integer from 0 to 2**64 - 1")
    key = philox_words((number & WORD, number >> 32, 0, 0), (0, 0))[:2]
    return Generator._of(key, device=device)


def _range(dtype: DType) -> tuple[int, int]:
    """The least integer of a dtype, and the one beyond the greatest."""
    if dtype.kind == "bool":
        return 0, 2
    if dtype.is_signed:
        return -(1 << dtype.bits - 1), 1 << dtype.bits - 1
    return 0, 1 << dtype.bits


def _bound(value: Any) -> Any:
    """A bound of integers as NumPy reads it, without decimals: an integer, or an array of them."""
    if isinstance(value, LazyValue):
        return value
    if isinstance(value, (int, numpy.integer)):
        return int(value)
    array = numpy.asarray(value)
    if array.dtype.kind not in "iu":
        array = numpy.array([int(each) for each in array.ravel().tolist()], int).reshape(array.shape)
    return array if array.ndim else int(array)


def _array(value: Any) -> Any:
    """Returns an operand of lazy arrays' operators: sequences become arrays."""
    return constructors.asarray(value) if isinstance(value, (list, tuple)) else value


def _lazy(value: Any, device: Any) -> Any:
    """Any value as a lazy array."""
    return value if isinstance(value, LazyValue) else constructors.asarray(value, device=device)


def _shape(value: Any) -> Shape:
    if isinstance(value, (LazyValue, numpy.ndarray)):
        return tuple(value.shape)
    return numpy.shape(value)


def _check_scale(name: str, scale: Any) -> None:
    if not isinstance(scale, LazyValue) and bool(numpy.any(numpy.asarray(scale) < 0)):
        raise ArgumentError(f"{name}: scale < 0: {shown(scale)}")
