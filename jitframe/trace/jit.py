"""`jit`: a function that is traced once for each signature and runs compiled.

A call goes to the native entry, which knows the signatures seen so far; what it does not know comes here.
"""

from __future__ import annotations

import functools
import threading
import types
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import Any

from ..errors import DTypeError
from ..frame import current_frame
from ..runtime.cpu.entry import entry_calls, make_entry
from ..runtime.device import check_name, named
from .program import Program
from .signature import Call, Signature
from .traced_frame import TraceFrame
from .tracing import trace
from .variants import offer_variant

SIGNATURES_KEPT = 256
"""Signatures kept for each function, the least recently used go first."""
PROGRAMS_KEPT = 8
"""Programs kept for each signature: they differ in what the function reads from outside, and in overlaps."""


class JittedFunction:
    """A compiled function. Call it like the function that it wraps."""

    _jit: Jit
    __wrapped__: Callable[..., Any]

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else types.MethodType(self, instance)

    def explain(self, *args: Any, **kwargs: Any) -> Any:
        """How a call with these arguments is compiled: graph, kernels with reasons, plan, source,
        assembly."""
        from ..explanation import explain_call

        return explain_call(self, args, kwargs)

    def program(self, *args: Any, **kwargs: Any) -> Program:
        """The program that a call with these arguments runs; traced if it was not yet, and not run."""
        return self._jit.program(self._jit.bind(args, kwargs))

    def stats(self) -> dict[str, int]:
        """How many traces were made, how many signatures are known, and how many calls were answered
        natively."""
        fast, slow = entry_calls(self)
        jit = self._jit
        return {
            "traces": jit.traces,
            "signatures": len(jit.programs),
            "native_calls": fast,
            "python_calls": slow,
        }

    def __repr__(self) -> str:
        return f"<jitted {self._jit.signature.name}>"


class Jit:
    """What a jitted function knows: its signature's rules and its programs."""

    def __init__(
        self, function: Callable[..., Any], signature: Signature, fastmath: bool, device: Any = None
    ) -> None:
        self.function = function
        self.signature = signature
        self.fastmath = fastmath
        self.device = device
        """The name of the device that the user chose."""
        self.programs: OrderedDict[Hashable, list[Program]] = OrderedDict()
        self.traces = 0
        self.entry: Any = None
        self._lock = threading.RLock()

    def call(self, *args: Any, **kwargs: Any) -> Any:
        """A call that the native entry did not answer."""
        frame = current_frame()
        if isinstance(frame, TraceFrame):
            # Library code that a trace calls may call back: the function becomes part of that trace.
            return frame.root.copied.adopt(self.signature.name, self.entry)(*args, **kwargs)
        call = self.bind(args, kwargs)
        program = self.program(call)
        result = program.run(call)
        if not kwargs:
            offer_variant(self.entry, program, call)
        return result

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Call:
        """The call that these arguments make."""
        call = self.signature.bind(args, kwargs)
        if self.device is not None:
            call.device, call.asked = named(self.device), True
        return call

    def program(self, call: Call) -> Program:
        """The program for a call: a known one that still holds, or a new one."""
        key = call.key
        known = self.programs.get(key)
        if known is not None:
            for program in tuple(known):
                if program.holds(call):
                    return program
        with self._lock:
            self.traces += 1
            program = trace(self.function, self.signature.name, call, JittedFunction, self.fastmath)
            known = self.programs.setdefault(key, [])
            known.insert(0, program)
            del known[PROGRAMS_KEPT:]
            self.programs.move_to_end(key)
            if len(self.programs) > SIGNATURES_KEPT:
                self.programs.popitem(last=False)
        return program


def jit(
    function: Callable[..., Any] | None = None,
    *,
    static_argnums: int | Sequence[int] | None = None,
    static_argnames: str | Sequence[str] | None = None,
    fastmath: bool = False,
    device: str | None = None,
) -> Any:
    """Compiles a NumPy function: `@jf.jit`, or `@jf.jit(static_argnames="n")`.

    Arguments are ndarrays, Tensors, numbers and nested tuples, lists and dicts of them; others count as
    constants.
    Numbers are read at each call. Where the function's branches or shapes depend on one, list it in
    `static_argnums`
    or `static_argnames`: the function is then traced for each of its values.

    It runs on the device of the first Tensor among the arguments, and on the CPU where there is none. With
    `device="opencl"` everything is moved there first; ndarrays still come back as ndarrays.

    >>> import numpy as np
    >>> @jit
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
            fastmath=fastmath,
            device=device,
        )
    if isinstance(function, JittedFunction):
        function = function.__wrapped__
    if isinstance(function, (staticmethod, classmethod)) or not callable(function):
        raise DTypeError(
            f"jit takes a function, not a {type(function).__name__}; put @jf.jit below @staticmethod or "
            "@classmethod"
        )
    check_name(device)
    made = Jit(function, Signature(function, static_argnums, static_argnames), bool(fastmath), device)
    entry = make_entry(made.signature.name, made.call, JittedFunction)
    functools.update_wrapper(entry, function)
    entry._jit = made
    made.entry = entry
    return entry
