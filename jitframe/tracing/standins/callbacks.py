"""`callback` and `debug_print`: host functions in the middle of jitted ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...api.creation.constructors import asarray
from ...api.frame import LazyValue, innermost_frame, is_tensor
from ...base.boundary import guarded
from ...errors import DTypeError
from ..arguments.trees import flatten, unflatten
from ..values.traced_frame import TraceFrame
from .effects import checked_results, effects_of, source_of, spec_of


@guarded
def callback(function: Callable[..., Any], specs: Any, *args: Any) -> Any:
    """`function(*args)`, called on the host when the jitted function around it runs.

    The arguments are arrays, numbers, nested tuples, lists and dicts of them, and whatever else; the function
    gets ndarrays, NumPy scalars and Python numbers, copies that it may keep. `specs` says what it returns:
    a `jf.ArraySpec(shape, dtype)`, or tuples, lists and dicts of them; anything that has a shape and a dtype
    serves. None stands for nothing. Calls are made once each, in their order, those in Python's loops and
    conditions too, on every device; what the function raises ends the call, with its traceback. Outside of
    jitted functions it is called at once.

    Raises ShapeError or DTypeError where it returns something else, and TraceError inside of the functions
    that `jf.fori_loop` and its like are given.

    >>> import numpy as np
    >>> @jf.jit
    ... def smoothed(x):
    ...     return jf.callback(np.sort, jf.ArraySpec(x.shape, x.dtype), x) * 2
    >>> smoothed(np.array([3.0, 1.0]))
    array([2., 6.])
    """
    if not callable(function):
        raise DTypeError(f"callback takes a function first, not {function!r}")
    frame = innermost_frame()
    name = f"callback({getattr(function, '__name__', 'function')})"
    if isinstance(frame, TraceFrame):
        source = source_of(frame, function)
        return effects_of(frame).call(lambda given: source(*given), args, specs, name)
    leaves: list[Any] = []
    tree = flatten(args, leaves)
    tensors = [leaf for leaf in leaves if is_tensor(leaf)]
    plain = [leaf.numpy() if isinstance(leaf, LazyValue) else leaf for leaf in leaves]
    returned = function(*unflatten(tree, plain))
    wanted: list[Any] = []
    result_tree = flatten(specs, wanted)
    wanted = [each for each in wanted if each is not None]
    if not wanted:
        return None
    shapes, dtypes = zip(*map(spec_of, wanted), strict=True)
    arrays = checked_results(returned, result_tree, shapes, dtypes, name)
    values: list[Any] = [array if array.shape else array[()] for array in arrays]
    if tensors:
        values = [asarray(array, device=tensors[0].device) for array in arrays]
    return unflatten(result_tree, values)


@guarded
def debug_print(text: str, *args: Any, **kwargs: Any) -> None:
    """Prints `text.format(*args, **kwargs)` when the jitted function around it runs.

    In the order of the program, in loops and branches as well, on every device; in the functions that
    `jf.fori_loop` and its like are given it is a TraceError. Plain `print` does the same in jitted functions.

    >>> import numpy as np
    >>> @jf.jit
    ... def halved(x):
    ...     while x[0] > 1:
    ...         x = x / 2
    ...         jf.debug_print("x is {:.1f}", x[0])
    ...     return x
    >>> halved(np.array([4.0]))
    x is 2.0
    x is 1.0
    array([1.])
    """
    if not isinstance(text, str):
        raise DTypeError(f"debug_print takes a text with places for the values first, not {text!r}")
    frame = innermost_frame()
    if isinstance(frame, TraceFrame):
        effects_of(frame).call(_formatted, (text, args, kwargs), (), "debug_print")
    else:
        _formatted((text, args, kwargs))


def _formatted(given: Any) -> None:
    text, values, named = given
    print(text.format(*values, **named))


def traced_print(*values: Any, **options: Any) -> None:
    """`print` in a trace: what it prints is known when the program runs."""
    frame = innermost_frame()
    if isinstance(frame, TraceFrame):
        effects_of(frame).call(_printed, (values, options), (), "print")
    else:
        print(*values, **options)


def _printed(given: Any) -> None:
    values, options = given
    print(*values, **options)
