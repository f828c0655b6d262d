"""Dispatch: finds the program of a call among the known ones of its signature, or traces a new one.

The native entry forwards the calls here that it does not answer.
"""

from __future__ import annotations

import itertools
import time
import types
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any

from ..api.elementwise import arithmetic as _arithmetic  # noqa: F401  what nearly every trace calls
from ..api.elementwise import transcendental as _transcendental  # noqa: F401  as well
from ..api.frame import entered_frame, innermost_frame
from ..base.locks import new_reentrant_lock
from ..base.reloading import keep_modules, successor
from ..compilation import evaluate
from ..errors import JitframeError
from ..runtime import profiler_hook
from ..runtime.cpu.entry.callables import entry_calls, entry_clear
from ..runtime.device import named
from ..settings import settings
from .arguments.signature import NO_LIMIT_NS, Call, Signature, Static, compute_waiting
from .arguments.value_key import Same
from .capturing import Capturing
from .environment.guards import failed_attributes
from .environment.user_code import UserCode
from .fallback import Race, Races, quick_key
from .programs.program import NO_VARIANTS, Program
from .programs.segments import add_branch
from .specialize import Specializations
from .tracer import trace
from .values.concrete import LeftToPython
from .values.traced import TracedArray
from .values.traced_frame import TraceFrame

if TYPE_CHECKING:
    from .programs.segments import SegmentTree
    from .slots import States

SIGNATURES_KEPT = 256
"""The most signatures kept for a function; the least recently used one is dropped first."""
PROGRAMS_KEPT = 8
"""The most programs kept for a signature: they differ in what the function reads from outside, and in
overlaps."""
OBJECTS_OF_ONE_SORT = 8
"""Functions of one code, as each evaluation of a `lambda` makes one, objects of one class, or texts for one
argument, that are traced before Python may answer others."""
TRACES_OF_ARRAYS = 64
"""Traces for arrays of the same kinds, before Python may answer further calls with these."""
CALLS_WITHOUT_VARIANTS = 16
"""Repeated calls of the process, of all functions together, that are answered here before the first variant
is made: a call takes 40 us here, loading the modules that make variants 1.5 ms, which a short script does not
win back."""
_LIBRARIES = frozenset(("builtins", "numpy", "jitframe.tensors.tensor"))
_repeated = itertools.count()


class Jit:
    """The state of a jitted function: the rules of its signature, and its programs."""

    def __init__(
        self,
        function: Callable[..., Any],
        signature: Signature,
        fastmath: bool,
        device: str | None,
        kind: type,
    ) -> None:
        """`kind`: the class of jitted functions; a trace inlines these."""
        self._kind = kind
        self.function = function
        self.signature = signature
        self.fastmath = fastmath
        self.device = device
        """The name of the user's device."""
        self.programs: OrderedDict[Hashable, list[Program | SegmentTree]] = OrderedDict()
        """Programs by signature, the least recently used first."""
        self.traces = self.kernels = self.compiled = 0
        self.seconds = 0.0
        self._uncounted: list[Program] = []
        """Programs whose kernels are not in these counts yet."""
        self.capturing = Capturing()
        self.entry: Any = None
        self._lock = new_reentrant_lock()
        self.specializations: Specializations | None = None
        """Scalars that are static because traces needed their values; None where there are none."""
        self._objects: dict[Hashable, set[int]] = {}
        """Identities of the functions and objects among arguments that were traced, by code or class."""
        self._traced: dict[Hashable, int] = {}
        """The number of traces, by the kinds of arrays."""
        self.states: States | None = None
        """Places outside that calls change; None where there are none."""
        self.races = Races(function)
        self._later: tuple[types.ModuleType, Any] | None = None
        """The function as a newer copy of jitframe jitted it, with that copy."""

    def call(self, *args: Any, **kwargs: Any) -> Any:
        """Answers a call that the native entry did not answer."""
        races = self.races
        known = races.quick and innermost_frame() is None and quick_key(args, kwargs) in races.quick
        if known and successor() is None and profiler_hook.active is None and not settings().strict:
            return races.quickly(args, kwargs)  # Python's, and neither of Tensors nor in a trace
        if successor() is not None:
            return self.by_successor()(*args, **kwargs)
        frame = entered_frame()
        if frame is None and any(isinstance(argument, TracedArray) for argument in args):
            frame = innermost_frame()
        if isinstance(frame, TraceFrame):
            # Library code that a trace calls may call back: the function becomes part of that trace.
            return frame.root.copied.adopt(self.signature.name, self.entry)(*args, **kwargs)
        if compute_waiting(args):
            return self.entry(*args, **kwargs)  # which may know Tensors with these values
        if races.calls and races.is_running:
            return self.function(*args, **kwargs)
        return self._answer(self.bind(args, kwargs), len(args), tuple(kwargs))

    def _answer(self, call: Call, positional: int, keywords: tuple[str, ...]) -> Any:
        """Answers a call by compiled code, or by Python where that is faster."""

        def compiled() -> Any:
            return self._run(self._unless_refused(call, self.program), call)

        race = self.races.known.get(call.key) if self.races.known else None
        if race is not None and profiler_hook.active is None and not settings().strict:
            return self.races.answer(race, call, compiled)
        traces = self.traces
        known = self._find_program(call)
        try:
            program = self._trace_or_leave(call, traces) if known is None else known
            if known is None and program.pending is not None and program.pending.meanwhile is None:
                call.undo_draws()
                return self.races.meanwhile(call)
            begin = time.perf_counter_ns()
            result = self._run(program, call)
        except LeftToPython as ended:
            left = ended
        else:
            if known is not None and known.variants_left == NO_VARIANTS and not known.is_raced:
                self.races.consider(known, call, time.perf_counter_ns() - begin)
            # A first call may be the only one of its sizes.
            may_be_native = known is not None and known.variants_left > 0 and profiler_hook.active is None
            if may_be_native and next(_repeated) >= CALLS_WITHOUT_VARIANTS:
                keep_modules()
                from .native.variants import offer_variant  # see there

                with self._lock:
                    offer_variant(self.entry, program, call, positional, keywords)
            return result
        # Outside of the handler, which would be the context of Python's exceptions.
        return self.races.first(left, call, compiled, self.entry)

    def by_successor(self) -> Any:
        """Returns the function jitted by the newer copy of jitframe that replaces this one (see `copies`)."""
        other = successor()
        assert other is not None
        if self._later is None or self._later[0] is not other:
            positions, names, donated = self.signature.choices
            options = {"fastmath": self.fastmath, "device": self.device, "donate": donated}
            made = other.jit(self.function, static_argnums=positions, static_argnames=names, **options)
            self._later = other, made
        return self._later[1]

    def _run(self, program: Program, call: Call) -> Any:
        before = 0 if program.device.is_host else evaluate.kernels_compiled()
        try:
            result = program.run(call)  # devices compile what they launch
        except Exception as error:
            if not self.races.decides(call, error, program):
                raise
            raise LeftToPython(error=error, in_vain=True) from None
        if not program.device.is_host:
            self.compiled += evaluate.kernels_compiled() - before
        return result

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Call:
        """Binds the arguments of a call: signature, device, and what earlier traces have found static."""
        call = self.signature.bind(args, kwargs)
        if self.device is not None:
            call.device, call.asked = named(self.device), True
        if call.donated:
            from .programs.tensors import check_donated  # few functions are given memory

            check_donated(call)
        if self.states is not None:
            self.states.apply(call)
        if self.specializations is not None:
            self.specializations.apply(call)
        return call

    def program(self, call: Call) -> Program:
        """Returns the program for a call: a known one that still holds, or a new one. Python may answer calls
        while the first one of a signature is made."""
        traces = self.traces
        known = self._find_program(call)
        if known is not None:
            return known
        made = self._new_program(call, traces)
        if made.left is not None and not self.fastmath and self.races.may_answer(call):
            self.races.known.setdefault(call.key, Race(*made.left))
        return made

    def inspected(self, call: Call) -> Program:
        """Returns the program for a call without running it: the random numbers that its trace has drawn are
        undone."""
        try:
            return self.program(call)
        finally:
            call.undo_draws()

    def _unless_refused(self, call: Call, make: Callable[..., Program], *arguments: Any) -> Program:
        """Returns the program that `make` traces. Raises LeftToPython where the trace refuses the function
        and Python may answer."""
        try:
            return make(call, *arguments)
        except Exception as error:
            if not self.races.decides(call, error):
                raise
            is_of_python = isinstance(error, JitframeError) and error.is_of_python
            raise LeftToPython(error=error, in_vain=is_of_python) from None

    def _trace_or_leave(self, call: Call, traces: int) -> Program:
        """Returns the program of a new trace. Raises LeftToPython where Python is expected to answer
        sooner."""
        keep_modules()
        may_answer = self.races.may_answer(call)
        if may_answer:
            self.races.check_numbers(call)
        call.may_leave = may_answer and not self.fastmath and profiler_hook.active is None
        call.python_answers = call.may_leave
        if call.may_leave:
            call.traced_until_ns = time.thread_time_ns() + self.races.first_patience_ns()
        if call.may_leave and self.races.runs_untraced:
            raise LeftToPython("Python answers its other signatures", False)
        if call.may_leave and (
            self._has_many_values(call) or self._has_many_objects(call) or self._has_many_traces(call)
        ):
            self.races.check_new_values(sum(entry_calls(self.entry)), self.seconds)
        try:
            return self._unless_refused(call, self._new_program, traces)
        finally:
            call.may_leave = call.python_answers = False
            call.traced_until_ns = NO_LIMIT_NS

    def _has_many_values(self, call: Call) -> bool:
        return self.specializations is not None and self.specializations.are_many(call)

    def _has_many_objects(self, call: Call) -> bool:
        """Whether an argument, or what one holds, is one of many functions of the same code, as a lambda that
        each call makes, of many texts, or of many objects of a library's class that a trace knows by their
        identity."""
        known = self._objects
        return any(len(known.get(sort, ())) >= OBJECTS_OF_ONE_SORT for _, sort in _of_sorts(call))

    def _has_many_traces(self, call: Call) -> bool:
        """Whether many calls with such arrays were traced: what they read elsewhere differs. Arguments
        that the user made static are traced whatever it takes."""
        positions, names, _ = self.signature.choices
        return not (positions or names) and self._traced.get(_arrays_of(call), 0) >= TRACES_OF_ARRAYS

    def _note_objects(self, call: Call) -> None:
        for leaf, sort in _of_sorts(call):
            seen = self._objects.setdefault(sort, set())
            if len(seen) < OBJECTS_OF_ONE_SORT:
                seen.add(id(leaf))

    def _new_program(self, call: Call, traces: int) -> Program:
        """Traces a new program; of threads that call at once one traces, and the others find its program.
        `traces`: the number of traces before."""
        with self._lock:
            if self.specializations is not None:
                self.specializations.apply(call)  # as another thread has found meanwhile
            # Another thread may have made it; the search computes values of calls that are cut, so once.
            found = None if self.traces == traces else self._find_program(call)
            if found is None:
                keep_modules()
                try:
                    found = self._trace(call)
                finally:
                    self.traces += 1  # now that those who wait find the program
                keep_modules()  # with those that were loaded for it
            return found

    def _find_program(self, call: Call) -> Program | None:
        """Returns the program of an earlier trace whose guards hold for the call; None if there is none."""
        key = call.key
        for each in tuple(self.programs.get(key, ())):
            program = each.serving(call)
            if program is not None:
                if not program.segments:
                    call.drop_steps()
                try:
                    self.programs.move_to_end(key)
                except KeyError:  # another thread has dropped it meanwhile
                    pass
                return program
        return None

    def _trace(self, call: Call) -> Program:
        """Traces the function for a call, and keeps the program among those of its signature."""
        start = time.perf_counter()
        arrays = _arrays_of(call)
        if len(self._traced) > SIGNATURES_KEPT:
            self._traced.clear()
        self._traced[arrays] = self._traced.get(arrays, 0) + 1
        if any(type(leaf).__module__ not in _LIBRARIES for leaf in call.leaves):
            self._states().note_objects(call, self.bind)
        failed = failed_attributes(self.programs.get(call.key, ()))
        if failed:
            self._states().note_failures(call, failed)
        if self.states is not None:
            self.states.check_forms(call)
        kinds = call.kinds
        try:
            program = trace(
                self.function, self.signature.name, call, self._kind, self.fastmath, self.capturing
            )
        except BaseException:
            call.undo_draws()
            raise
        finally:
            self._note_specialized(call, kinds)
            self._note_objects(call)
        self.seconds += time.perf_counter() - start
        if call.slots or program.results.stores:
            self._states().note(call, program.results.stores)
        known = self.programs.setdefault(call.key, [])
        if program.segments:
            self._uncounted += add_branch(known, program)
        else:
            known.insert(0, program)
        self._uncounted.append(program)
        if all(each.pending is None for each in self._uncounted):
            self.count()
        del known[PROGRAMS_KEPT:]
        self.programs.move_to_end(call.key)
        if len(self.programs) > SIGNATURES_KEPT:
            self.programs.popitem(last=False)
        return program

    def _note_specialized(self, call: Call, before: Sequence[Hashable]) -> None:
        """Records the leaves of a call that its trace has made static; they had these kinds."""
        made = [number for number, kind in enumerate(before) if kind is not call.kinds[number]]
        if made or self.specializations is not None:
            if self.specializations is None:
                self.specializations = Specializations(self.signature.name)
            self.specializations.note(call, made)
            if not self.capturing.keeps_scalars and self.specializations.leave(call):
                self.capturing.keep_scalars()

    def _states(self) -> States:
        if self.states is None:
            from .slots import States  # few functions store outside

            self.states = States()
        return self.states

    def count(self) -> None:
        """Counts the kernels of all programs, after the background compilation of the pending ones."""
        while self._uncounted:
            program = self._uncounted.pop()
            pending, ready = program.pending, program.ready
            self.seconds += 0.0 if pending is None else pending.seconds
            self.compiled += program.compiled
            self.kernels += 0 if ready is None else ready.template.kernel_count

    def clear(self) -> None:
        with self._lock:
            self.programs.clear()
            self.races = Races(self.function)
            self.specializations = self.states = None
            self._objects = {}
            self._traced = {}
            entry_clear(self.entry)


def _arrays_of(call: Call) -> Hashable:
    """Returns what is part of a call's key without its static values."""
    return tuple([kind for kind in call.kinds if not isinstance(kind, Static)])


def _of_sorts(call: Call) -> list[tuple[Any, Hashable]]:
    """Returns the functions, the texts and the objects of libraries among a call's leaves that are part of
    its key, each with its code, place or class. (`States.note_objects` counts objects of the user's
    classes.)"""
    found: list[tuple[Any, Any]] = []
    for number, (leaf, kind) in enumerate(zip(call.leaves, call.kinds, strict=True)):
        if leaf.__class__ in (str, bytes):
            found.append((leaf, number))
        elif isinstance(kind, Static) and type(kind.key) is Same:
            cls = type(leaf)
            if cls is types.FunctionType:
                found.append((leaf, leaf.__code__))
            elif not UserCode().class_(type(leaf)):
                found.append((leaf, cls))
    return found
