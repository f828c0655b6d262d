"""`NumberStream`: a generator whose words are an array of the trace, so that compiled loops and branches
draw.

A call reads the words of such a generator before the program runs, and stores those that the program leaves.
In between the functions of `distributions` draw, as code of the trace. The numbers are NumPy's; those
computed by logarithms and exponentials may differ by an ulp."""

from __future__ import annotations

import functools
import math
import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from .... import api
from ....api.frame import LazyValue, entered
from ....base.arguments import check_size
from ....errors import TraceError
from ....ir.types import F64, U64
from ...arguments.bit_generators import spare_normal, store_spare_normal, store_words, words_of
from ...programs.results import NewArray, Results
from ...values.cells import Cell
from ...values.draws import Computed, Draw, Made, Source, all_draws, key_of
from ...values.traced import ARRAY, SCALAR, TracedArray
from ...values.traced_frame import TraceFrame
from . import distributions, mt19937, pcg64, python_distributions, ziggurat

Distribution = Callable[..., Any]
"""A function of `distributions`, or its copy in a trace."""
_WORDS = {"PCG64": pcg64, "MT19937": mt19937}


class NumberStream:
    """A generator in a trace; the functions of `distributions` call its methods."""

    per_end = 1 / ziggurat.NORMAL_END
    normal_end = ziggurat.NORMAL_END
    exponential_end = ziggurat.EXPONENTIAL_END

    def __init__(self, root: TraceFrame, source: Source, kind: type, bits: str) -> None:
        self.root = root
        self.source = source
        self.is_legacy = issubclass(kind, numpy.random.RandomState)
        self.is_python = issubclass(kind, random.Random)
        self.words = self._input(words_of, (_WORDS[bits].WORDS,), U64)
        self.left = self._input(spare_normal, (2,), F64) if self.is_legacy or self.is_python else None
        self._module = _WORDS[bits]

    def _input(self, call: Callable[..., Any], shape: tuple[int, ...], dtype: Any) -> TracedArray:
        """Returns an input that each call reads from the generator."""
        root = self.root
        number = root.drawn(shape, dtype)
        numpy_dtype = numpy.dtype(dtype.numpy_name)
        root.draws.append(Draw(call, (self.source,), (), None, number, shape, numpy_dtype))
        return TracedArray(Cell(root, root.parameters[number].node))

    def _traced(self, function: Distribution) -> Distribution:
        copied: Distribution = self.root.copied.traced(function)
        return copied

    # The interface of `distributions`

    def next_word(self) -> Any:
        return self._traced(self._module.next_word)(self.words)

    def next_half(self) -> Any:
        return self._traced(self._module.next_half)(self.words)

    def next_double(self) -> Any:
        return self._traced(self._module.next_double)(self.words)

    def high_product(self, x: Any, y: Any) -> Any:
        return self._traced(pcg64.high_product)(x, y)

    def below(self, most: Any) -> Any:
        return self._traced(distributions.masked_below if self.is_legacy else distributions.below)(self, most)

    def bit_length(self, count: Any) -> Any:
        known = isinstance(count, int)
        return count.bit_length() if known else self._traced(python_distributions.bit_length)(count)

    def standard_normal(self) -> Any:
        return self._traced(distributions.polar_normal if self.is_legacy else distributions.ziggurat_normal)(
            self
        )

    def standard_exponential(self) -> Any:
        distribution = (
            distributions.inverted_exponential if self.is_legacy else distributions.ziggurat_exponential
        )
        return self._traced(distribution)(self)

    @functools.cached_property
    def normal_layers(self) -> tuple[Any, ...]:
        return self._constants(ziggurat.normal_layers())

    @functools.cached_property
    def exponential_layers(self) -> tuple[Any, ...]:
        return self._constants(ziggurat.exponential_layers())

    def _constants(self, arrays: Sequence[numpy.ndarray]) -> tuple[Any, ...]:
        with entered(self.root):
            return tuple([self.root.array(array, copy=False) for array in arrays])

    # Drawing

    def drawn(self, method: str, given: dict[str, Any], shape: tuple[int, ...], dtype: Any, kind: int) -> Any:
        """Returns the draw of a method; None where its distribution is not implemented here."""
        if self.is_python:
            named = _PYTHON.get(method)
            return None if named is None else self._traced(named[0])(self, *map(given.__getitem__, named[1]))
        if method in _ORDERS:
            return self._traced(distributions.order)(self, given["extent"])
        if method == "choice":
            return self._chosen(given, shape, kind)
        found = _distribution(method, given)
        if found is None or numpy.dtype(dtype) not in (numpy.float64, numpy.int64):
            return None
        distribution, parameters = found
        return self._of_law(distribution, parameters, shape, dtype, kind)

    def _of_law(
        self,
        distribution: Distribution,
        parameters: Sequence[Any],
        shape: tuple[int, ...],
        dtype: Any,
        kind: int,
        spread: bool = True,
    ) -> Any:
        """`spread`: whether parameters are broadcast to the shape, with one for each number."""
        function = self._traced(distribution)
        if not shape and kind != ARRAY:
            return _scalar(function(self, *parameters), dtype, kind)
        check_size(shape, numpy.dtype(dtype).itemsize, "random numbers")
        count = math.prod(shape)
        flat = [
            _elements(parameter, shape, count) if spread else _Same(parameter) for parameter in parameters
        ]
        numbers = self._traced(distributions.filled)(function, self, count, dtype, flat)
        return api.movement.reshape(numbers, shape)

    def _chosen(self, given: dict[str, Any], shape: tuple[int, ...], kind: int) -> Any:
        """Returns positions below `extent`; None as from `drawn`."""
        extent, odds = given["extent"], given["p"]
        if given["replace"]:
            if odds is None:
                return self._of_law(distributions.integers, (0, extent - 1), shape, numpy.int64, kind)
            sums = self._traced(distributions.running_sum)(odds)
            return self._of_law(distributions.position, (sums,), shape, numpy.int64, kind, spread=False)
        count = math.prod(shape)
        if odds is not None or count > extent:
            return None
        if self.is_legacy:
            found = self._traced(distributions.order)(self, extent)[:count]
        else:
            shuffled = bool(given.get("shuffle", True))
            from_end = extent > 10000 and count > extent // (50 if shuffled else 20)
            distribution = distributions.end_of_order if from_end else distributions.sample
            found = self._traced(distribution)(self, extent, count, shuffled)
        if not shape and kind != ARRAY:
            return _scalar(found[0], numpy.int64, kind)
        return api.movement.reshape(found, shape)

    # State before and after the program

    def give_back(self) -> None:
        """Restores the words before the call's draws, so that NumPy draws from here on."""
        for call, array in self.arrays():
            sources = self.source, Computed(array._node(self.root.graph), ARRAY)
            self.root.draws.append(Draw(call, sources))
        del self.root.number_streams[key_of(self.source)]

    def arrays(self) -> list[tuple[Callable[..., Any], TracedArray]]:
        """Returns the arrays of its state, and the functions that store them in the generator."""
        found = [(store_words, self.words)]
        return found if self.left is None else [*found, (store_spare_normal, self.left)]


class _Same:
    """A parameter that is the same for each number that is drawn."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __getitem__(self, place: Any) -> Any:
        return self._value


def _elements(value: Any, shape: tuple[int, ...], count: int) -> Any:
    """Returns a parameter with one element for each number that is drawn."""
    if not isinstance(value, (LazyValue, numpy.ndarray, list, tuple)):
        return _Same(value)
    return api.movement.reshape(
        api.movement.broadcast_to(api.creation.constructors.asarray(value), shape), (count,)
    )


def _scalar(value: Any, dtype: Any, kind: int) -> Any:
    """Returns one number that was drawn, as NumPy returns it."""
    if kind != SCALAR:
        return value
    if not isinstance(value, LazyValue):
        return numpy.dtype(dtype).type(value)
    made = api.creation.constructors.asarray(value)
    made._kind = SCALAR
    return made


_ORDERS = ("shuffled_places", "permuted_places", "permutation")
_PLAIN: dict[str, tuple[Distribution, tuple[str, ...]]] = {
    "random": (distributions.random, ()),
    "random_sample": (distributions.random, ()),
    "uniform": (distributions.uniform, ("low", "high")),
    "standard_normal": (distributions.standard_normal, ()),
    "normal": (distributions.normal, ("loc", "scale")),
    "lognormal": (distributions.lognormal, ("mean", "sigma")),
    "standard_exponential": (distributions.standard_exponential, ()),
    "exponential": (distributions.exponential, ("scale",)),
    "laplace": (distributions.laplace, ("loc", "scale")),
    "logistic": (distributions.logistic, ("loc", "scale")),
    "gumbel": (distributions.gumbel, ("loc", "scale")),
}
"""The distributions of float64, and the parameter names of NumPy's methods."""


_PYTHON: dict[str, tuple[Distribution, tuple[str, ...]]] = {
    "random": (distributions.random, ()),
    "uniform": (python_distributions.uniform, ("a", "b")),
    "gauss": (python_distributions.gauss, ("mu", "sigma")),
    "normalvariate": (python_distributions.normalvariate, ("mu", "sigma")),
    "expovariate": (python_distributions.expovariate, ("lambd",)),
    "randint": (python_distributions.randint, ("a", "b")),
    "randrange": (python_distributions.randrange, ("start", "stop", "step")),
    "below": (python_distributions.below, ("extent",)),
    "shuffled": (python_distributions.order, ("extent",)),
    "sampled": (python_distributions.sample, ("extent", "count")),
}
"""The distributions of Python's generators."""


def _distribution(method: str, given: dict[str, Any]) -> tuple[Distribution, tuple[Any, ...]] | None:
    """Returns a distribution and its parameters."""
    if method in ("integers", "randint"):
        low, high = given["low"], given["high"]
        low, high = (0, low) if high is None else (low, high)
        return distributions.integers, (low, high if given.get("endpoint") else high - 1)
    if given.get("method", "zig") != "zig":
        return None
    found = _PLAIN.get(method)
    return None if found is None else (found[0], tuple([given[name] for name in found[1]]))


# Generators of a trace that are streams


def stream_of(frame: TraceFrame, source: Source, kind: type, bits: str | None) -> NumberStream | None:
    """Returns the stream of a generator here; None where NumPy draws.

    A generator becomes a stream in the first captured loop or branch that draws from it.
    """
    root = frame.root
    regions = frame.regions
    captured = all(region.captures for region in regions)
    known: NumberStream | None = root.number_streams.get(key_of(source))
    if known is not None:
        if not captured:
            raise TraceError(
                f"random numbers are drawn in {frame.name} from a generator that a loop or condition before "
                "it draws from; draw before both, or use jf.random.default_rng(seed), which draws anywhere"
            )
        return known
    has_words = issubclass(kind, numpy.random.Generator) or bits == "MT19937"
    if not (regions and captured and has_words and bits in _WORDS) or root.device.narrows:
        return None
    key = key_of(source)
    drawn = (draw for region in regions for draw in all_draws(region.draws))
    if any(key_of(argument) == key for draw in drawn for argument in draw.arguments):
        return None
    with entered(root):
        number_stream = root.number_streams[key_of(source)] = NumberStream(root, source, kind, bits)
    return number_stream


def leave_to_numpy(frame: TraceFrame, sources: Sequence[Source]) -> None:
    """Restores generators from which NumPy draws now."""
    for source in sources:
        known = frame.root.number_streams.get(key_of(source))
        if known is None:
            continue
        if frame.enclosing:
            raise TraceError(
                f"{frame.name} draws from a generator in ways of which one alone can be compiled there; draw "
                "this before it"
            )
        known.give_back()


def keep_words(frame: TraceFrame, results: Results) -> None:
    """Stores in each call the words that the program leaves in its generators."""
    for stream in frame.number_streams.values():
        if isinstance(stream.source, Made):
            continue
        for give, array in stream.arrays():
            node = array._node(frame.graph)
            dtype = numpy.dtype(node.dtype.numpy_name)
            leaf = NewArray(results.add_output(node), dtype, node.shape)
            results.words.append((stream.source, give, leaf))
