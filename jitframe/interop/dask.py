"""Dask arrays whose blocks jitframe computes: `optimize`, an optimization of Dask's graphs.

>>> import dask, dask.array as da
>>> from jitframe.interop.dask import optimize
>>> x = da.arange(8.0, chunks=4)
>>> with dask.config.set(array_optimize=optimize):
...     print((da.sqrt(x) * 2 + 1).sum().compute().round(3))
34.955

Dask fuses the work on a block into one task, a graph of calls of NumPy. Here calls that jitframe compiles
become jitted functions, the same for all blocks; what it does not know (reading a file, a function of the
user's) is called as it is, before and after. Tasks are pickled with the names of functions, so that every
scheduler takes them; processes and workers find compiled kernels in the cache that a machine shares.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy
from dask._task_spec import Alias, DataNode, GraphNode, NestedContainer, Task, TaskRef, _execute_subgraph
from dask.array import chunk, register_chunk_type
from dask.array.dispatch import percentile_lookup
from dask.array.optimization import optimize as optimize_arrays
from dask.core import flatten
from dask.utils import partial_by_order

from ..api.namespace import BY_NUMPY
from ..errors import FallbackWarning, JitframeError, warn_user
from ..ir.record import record
from ..tensors.tensor import Tensor
from ..tracing.jit import jit

LEAST_CALLS = 2
"""The minimum number of calls to compile: with fewer there is nothing to fuse."""
_OPERATORS = frozenset((
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow,
    operator.neg, operator.pos, operator.abs, operator.invert, operator.and_, operator.or_, operator.xor,
    operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne,
))  # fmt: skip
_KINDS = frozenset(("elementwise", "reduction", "movement"))
_WRITING = frozenset((numpy.copyto, numpy.put, numpy.place, numpy.putmask, numpy.put_along_axis))
"""Functions that write to their arguments, which other tasks read."""

# Tensors are blocks of Dask's arrays, whose operators take precedence.
register_chunk_type(Tensor)
percentile_lookup.register(Tensor, percentile_lookup.dispatch(numpy.ndarray))


class Call(metaclass=record):
    """A call of a function in the work on a block."""

    function: Callable[..., Any]
    places: tuple[int | None, ...]
    """The positions of its arguments among the values of the block; None for constants."""
    constants: tuple[Any, ...]
    """The constants among its arguments; None elsewhere."""
    options: tuple[tuple[str, Any], ...]

    def on(self, values: Any) -> Any:
        """Its result, given the values so far."""
        given = [
            constant if place is None else values[place]
            for place, constant in zip(self.places, self.constants, strict=True)
        ]
        return self.function(*given, **dict(self.options))


class Fused(metaclass=record):
    """Calls compiled as one jitted function."""

    arguments: tuple[int, ...]
    """The positions of its arguments among the values of the block; calls refer to arguments and calls by
    number."""
    calls: tuple[Call, ...]
    results: tuple[int, ...]
    targets: tuple[int, ...]
    """The positions at which the block stores the results."""


class Block:
    """The work on one block: a function of the arrays that it depends on."""

    def __init__(self, steps: tuple[Fused | tuple[int, Call], ...], result: int) -> None:
        self.steps, self.result = steps, result

    def __call__(self, *arguments: Any) -> Any:
        values: dict[int, Any] = dict(enumerate(arguments))
        for step in self.steps:
            if isinstance(step, Fused):
                found = _run(step, [values[place] for place in step.arguments])
                values.update(zip(step.targets, found, strict=True))
            else:
                place, call = step
                values[place] = call.on(values)
        return values[self.result]


def optimize(dsk: Any, keys: Any, **options: Any) -> dict[Any, Any]:
    """Dask's own optimization of arrays, and then jitted functions for the work on each block.

    `dask.config.set(array_optimize=optimize)` sets it, for good or in a `with`.
    """
    graph = optimize_arrays(dsk, list(flatten([keys])), **options)
    return {key: _compiled(key, node) for key, node in dict(graph).items()}


def _compiled(key: Any, node: Any) -> Any:
    """A block's task with jitted functions; the same task if it has too few calls that jitframe supports."""
    if not isinstance(node, Task) or node.func is not _execute_subgraph:
        return node
    work = _Work()
    try:
        last = work.value(node, work.outside)
    except _NotUnderstood:
        return node
    if not isinstance(last, _Called):
        return node
    block = _block(work, last)
    return node if block is None else Task(key, block, *(argument.given for argument in work.arguments))


# The parts of Dask's nested graphs: arguments, constants and calls


class _NotUnderstood(Exception):
    """A node of a kind that is left to Dask."""


class _Argument:
    def __init__(self, given: Any) -> None:
        self.given = given


class _Constant:
    def __init__(self, value: Any) -> None:
        self.value = value


class _Called:
    def __init__(self, function: Any, arguments: list[Any], options: dict[str, Any]) -> None:
        self.function, self.arguments, self.options = function, arguments, options
        self.segment = 0
        self.is_known = _is_known(function) and _is_constant(
            (
                *(argument.value for argument in arguments if isinstance(argument, _Constant)),
                *options.values(),
            )
        )

    @property
    def needs(self) -> Iterable[_Called]:
        return (argument for argument in self.arguments if isinstance(argument, _Called))


class _Work:
    """The calls of a task in order, and the arguments of all of them."""

    def __init__(self) -> None:
        self.arguments: list[_Argument] = []
        self.calls: list[_Called] = []
        self._outside: dict[Any, _Argument] = {}

    def outside(self, name: Any) -> _Argument:
        """The result of another task."""
        if name not in self._outside:
            self._outside[name] = self._argument(TaskRef(name))
        return self._outside[name]

    def _argument(self, given: Any) -> _Argument:
        argument = _Argument(given)
        self.arguments.append(argument)
        return argument

    def value(self, node: Any, scope: Callable[[Any], Any]) -> Any:
        """The argument, constant or call of a node; `scope` resolves names."""
        if isinstance(node, TaskRef):
            return scope(node.key)
        if isinstance(node, Alias):
            return scope(node.target)
        if isinstance(node, DataNode):
            is_array = getattr(node.value, "shape", ()) != ()
            return self._argument(node) if is_array else _Constant(node.value)
        if not isinstance(node, GraphNode):
            return _Constant(node)
        if not isinstance(node, Task) or isinstance(node, NestedContainer):
            raise _NotUnderstood
        if node.func is _execute_subgraph:
            return self._graph(node, scope)
        given = [self.value(argument, scope) for argument in node.args]
        options = {name: self.value(each, scope) for name, each in node.kwargs.items()}
        if not all(isinstance(option, _Constant) for option in options.values()):
            raise _NotUnderstood
        call = _plain(_Called(node.func, given, {name: each.value for name, each in options.items()}))
        self.calls.append(call)
        return call

    def _graph(self, task: Task, scope: Callable[[Any], Any]) -> Any:
        inner, wanted, names, *given = task.args
        known = {name: self.value(each, scope) for name, each in zip(names, given, strict=True)}

        def named(name: Any) -> Any:
            if name not in known:
                known[name] = self.value(inner[name], named) if name in inner else scope(name)
            return known[name]

        return named(wanted)


def _is_known(function: Any) -> bool:
    """Whether jitframe compiles a function that has no effect but its result."""
    if isinstance(function, functools.partial):
        return _is_known(function.func) and _is_constant((*function.args, *function.keywords.values()))
    if function is chunk.astype:
        return True
    try:
        found = BY_NUMPY.get(function)
    except TypeError:  # not hashable
        return False
    if found is None:
        return function in _OPERATORS
    return found.kind in _KINDS and function not in _WRITING


def _is_constant(values: Sequence[Any]) -> bool:
    try:
        hash(tuple(values))
    except TypeError:
        return False
    return True


def _plain(call: _Called) -> _Called:
    """A call without Dask's wrapper for constants among the arguments."""
    if call.function is not partial_by_order:
        return call
    arguments = list(call.arguments)
    options = dict(call.options)
    function, others = options.pop("function"), options.pop("other")
    for place, value in others:
        arguments.insert(place, _Constant(value))
    return _Called(function, arguments, options)


# Runs of known calls


def _block(work: _Work, last: _Called) -> Block | None:
    """The block of these calls. A segment is a run of supported calls that needs no unsupported one in
    between."""
    for call in work.calls:
        call.segment = max(
            (need.segment + (need.is_known is not call.is_known) for need in call.needs), default=0
        )
    # Supported and unsupported calls of one segment do not depend on each other.
    known = [call for call in work.calls if call.is_known]
    if len(known) < LEAST_CALLS:
        return None
    number: dict[int, int] = {id(each): place for place, each in enumerate((*work.arguments, *work.calls))}
    steps: list[Fused | tuple[int, Call]] = []
    for segment in range(1 + max(call.segment for call in work.calls)):
        here = [call for call in work.calls if call.segment == segment]
        steps += [(number[id(call)], _call(call, number)) for call in here if not call.is_known]
        run = [call for call in here if call.is_known]
        if run:
            steps.append(_fused(run, work, last, number))
    return Block(tuple(steps), number[id(last)])


def _call(call: _Called, number: dict[int, int]) -> Call:
    is_constant = [isinstance(argument, _Constant) for argument in call.arguments]
    pairs = list(zip(call.arguments, is_constant, strict=True))
    return Call(
        call.function,
        tuple([None if constant else number[id(each)] for each, constant in pairs]),
        tuple([each.value if constant else None for each, constant in pairs]),
        tuple(sorted(call.options.items())),
    )


def _fused(run: list[_Called], work: _Work, last: _Called, number: dict[int, int]) -> Fused:
    inside = {id(call) for call in run}
    needed = [argument for call in run for argument in call.arguments]
    outside = {
        id(each): each for each in needed if not isinstance(each, _Constant) and id(each) not in inside
    }
    used = {
        id(need) for call in work.calls if id(call) not in inside for need in call.needs if id(need) in inside
    }
    given_back = [call for call in run if id(call) in used or call is last]
    own = {each: place for place, each in enumerate((*outside, *(id(call) for call in run)))}
    return Fused(
        tuple([number[each] for each in outside]),
        tuple([_call(call, own) for call in run]),
        tuple([own[id(call)] for call in given_back]),
        tuple([number[id(call)] for call in given_back]),
    )


def _run(fused: Fused, arguments: list[Any]) -> tuple[Any, ...]:
    """The results of a run, compiled; or by NumPy, with a warning, if jitframe cannot compile it."""
    if all(type(argument) is numpy.ndarray or type(argument) is Tensor for argument in arguments):
        key = fused.calls, fused.results, len(arguments)
        if key in _refused:
            return _results(*key[:2], arguments)
        try:
            made: tuple[Any, ...] = _jitted(*key)(*arguments)
        except JitframeError as error:
            found = _results(fused.calls, fused.results, arguments)  # NumPy's own errors are raised here
            _refused.add(key)
            warn_user(f"a block of Dask's is left to NumPy: {error.message}", FallbackWarning)
            return found
        return made
    return _results(fused.calls, fused.results, arguments)


_refused: set[Any] = set()


def _results(calls: tuple[Call, ...], results: tuple[int, ...], arguments: Sequence[Any]) -> tuple[Any, ...]:
    values = list(arguments)
    for call in calls:
        values.append(call.on(values))
    return tuple([values[place] for place in results])


@functools.lru_cache(maxsize=1024)
def _jitted(calls: tuple[Call, ...], results: tuple[int, ...], _count: int) -> Callable[..., Any]:
    """The jitted function of a run, shared by all blocks with the same calls."""

    def block(*arguments: Any) -> tuple[Any, ...]:
        return _results(calls, results, arguments)

    return jit(block)  # type: ignore[no-any-return]
