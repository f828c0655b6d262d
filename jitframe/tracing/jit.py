"""`jit`: a function that is traced once for each signature and runs compiled."""

from __future__ import annotations

import functools
import inspect
import sys
import types
import weakref
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..base.boundary import guarded
from ..base.importing import load
from ..base.reloading import keep_modules, successor
from ..errors import DTypeError
from ..runtime.cpu.entry.callables import entry_calls, make_entry
from ..runtime.device import check_name
from .arguments.signature import Signature, check_function
from .dispatch import Jit

if TYPE_CHECKING:
    from .programs.program import Program

_OWN = frozenset(("_jit", "_memory", "__wrapped__"))
"""Attributes of the entry itself, which a wrapper must not copy."""


class JittedFunction:
    """A compiled function. Call it like the function that it wraps."""

    _jit: Jit
    __wrapped__: Callable[..., Any]

    __class_getitem__: Any = classmethod(types.GenericAlias)  # by parameters and result, for type checkers

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        call: Any = self  # its `__call__` is native code
        return self if instance is None else types.MethodType(call, instance)

    def explain(self, *args: Any, **kwargs: Any) -> Any:
        """How a call with these arguments is compiled: graph, kernels with reasons, plan, source,
        assembly.

        >>> jf.jit(lambda x: x.sum()).explain(np.ones(100)).kernels
        (<kernel 0 sum>,)
        """
        if successor() is not None:
            return self._jit.by_successor().explain(*args, **kwargs)
        keep_modules()
        return load("jitframe.explanation").explain_call(self, args, kwargs)  # a room above this one

    def program(self, *args: Any, **kwargs: Any) -> Program:
        """The program that a call with these arguments runs; traced if it was not yet, and not run.

        >>> jf.jit(lambda x: x + 1).program(np.ones(100)).device.name
        'cpu'
        """
        if successor() is not None:
            found: Program = self._jit.by_successor().program(*args, **kwargs)
            return found
        return self._jit.inspected(self._jit.bind(args, kwargs))

    @guarded
    def stats(self) -> dict[str, int | float]:
        """What this function did so far.

        `traces` made and `signatures` known; `kernels` in its programs and how many of them were `compiled`
        for it, the others were found in the cache; `seconds` spent on tracing and compiling; calls answered
        natively, and `python_calls` that were not (first calls, and what the native entry does not take),
        `interpreted` of them by Python running the function as it was written ([cuts](docs/cuts.md)).

        >>> doubled = jf.jit(lambda x: x * 2)
        >>> doubled(np.ones(2))
        array([2., 2.])
        >>> doubled.stats()["traces"]
        1
        """
        fast, slow = entry_calls(self)
        jit = self._jit
        jit.count()
        return {
            "traces": jit.traces,
            "signatures": len(jit.programs),
            "kernels": jit.kernels,
            "compiled": jit.compiled,
            "seconds": jit.seconds,
            "native_calls": fast,
            "python_calls": slow,
            "interpreted": jit.races.calls,
        }

    @guarded
    def clear(self) -> None:
        """Forgets all programs of this function: the next call traces it again.

        >>> doubled = jf.jit(lambda x: x * 2)
        >>> doubled(np.ones(2))
        array([2., 2.])
        >>> doubled.clear()
        >>> doubled.stats()["signatures"]
        0
        """
        self._jit.clear()

    def __copy__(self) -> JittedFunction:
        return self

    def __deepcopy__(self, _memory: Any) -> JittedFunction:
        return self

    def __reduce__(self) -> Any:
        """By name, as functions are pickled; by its plain function where that has another name's place and
        in programs with cloudpickle, which pickles functions without a name by value."""
        name: str = getattr(self, "__qualname__", self._jit.signature.name)
        module = getattr(self, "__module__", None)
        found: Any = sys.modules.get(module or "")
        for part in name.split("."):
            found = inspect.getattr_static(found, part, None)
            if isinstance(found, (staticmethod, classmethod)):
                found = found.__func__
        if found is not self and (found is self.__wrapped__ or "cloudpickle" in sys.modules):
            jit = self._jit
            return _jitted_again, (jit.function, *jit.signature.choices, jit.fastmath, jit.device)
        if found is not self:
            raise DTypeError(
                f"cannot pickle {self!r}: a jitted function is pickled by its name, and {module}.{name} is "
                f"{'another object' if found is not None else 'not there'}; decorate a function of a module "
                "with @jf.jit, or pickle the plain function and jit it where it is used"
            )
        return name

    def __repr__(self) -> str:
        return f"<jitted {self._jit.signature.name}>"


_all: weakref.WeakValueDictionary[int, Jit] = weakref.WeakValueDictionary()
"""By identity."""


def every() -> list[Jit]:
    """Returns all live ones at once: other threads and signal handlers may jit more meanwhile."""
    return [each for each in [reference() for reference in _all.valuerefs()] if each is not None]


def _jitted_again(
    function: Callable[..., Any], positions: Any, names: Any, donated: Any, fastmath: bool, device: Any
) -> Any:
    """Unpickles a jitted function from its plain one."""
    return jit(
        function, static_argnums=positions or None, static_argnames=names or None, donate=donated or None,
        fastmath=fastmath, device=device,
    )  # fmt: skip


@guarded
def jit(
    function: Callable[..., Any] | None = None,
    *,
    static_argnums: int | Sequence[int] | None = None,
    static_argnames: str | Sequence[str] | None = None,
    donate: int | str | Sequence[int | str] | None = None,
    fastmath: bool = False,
    device: str | None = None,
) -> Any:
    """Compiles a NumPy function: `@jf.jit`, or `@jf.jit(static_argnames="n")`.

    Arguments are ndarrays, Tensors, numbers, and nested tuples, lists, dicts, named tuples and dataclasses of
    them; others count as constants. Numbers are read at each call; one that a size, an axis or a branch of
    the function depends on is static: the function is traced for each of its values. Those listed in
    `static_argnums` or `static_argnames` (`"n"`, or a part such as `"config.layers"`) always are. The fields
    of a dataclass are arguments of their own; one declared with `field(metadata={"static": True})` is static.
    Of other objects, `self` of a method too, the attributes that the function reads are watched, and it is
    traced again when one is bound to something else. Attributes, and items of dicts and lists, that it stores
    to are stored when it has run.

    Arguments in `donate`, by name or position, are given away: a Tensor cannot be used afterwards, and the
    memory of an ndarray may be overwritten, and hold the result.

    It runs on the device of the first Tensor among the arguments, and on the CPU where there is none. With
    `device="opencl"` everything is moved there first; ndarrays still come back as ndarrays.

    What is jitted again keeps the choices that are not made anew.

    >>> import numpy as np
    >>> @jf.jit
    ... def scaled(x, factor):
    ...     return np.sqrt(x) * factor
    >>> scaled(np.array([1.0, 4.0]), 10.0)
    array([10., 20.])
    """
    if function is None:
        return functools.partial(
            jit,
            static_argnums=static_argnums,
            static_argnames=static_argnames,
            donate=donate,
            fastmath=fastmath,
            device=device,
        )
    if isinstance(function, JittedFunction):
        known = function._jit
        function, fastmath, device = known.function, fastmath or known.fastmath, device or known.device
        positions, names, donated = known.signature.choices
        if static_argnums is None and static_argnames is None:
            static_argnums, static_argnames = positions, names
        donate = donated if donate is None else donate
    check_function(function)
    check_name(device)
    keep_modules()
    signature = Signature(function, static_argnums, static_argnames, donate)
    made = Jit(function, signature, bool(fastmath), device, JittedFunction)
    entry = make_entry(made.signature.name, made.call, JittedFunction)
    functools.update_wrapper(entry, function, updated=())
    own = getattr(function, "__dict__", {})
    vars(entry).update({name: value for name, value in own.items() if name not in _OWN})
    entry._jit = made
    made.entry = entry
    _all[id(made)] = made
    return entry
