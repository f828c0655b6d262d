"""Fallback to Python: runs the function as it was written where compiled code would be no faster.

A function that would be cut runs in Python first and is timed. Python keeps a short one, as a single cut
takes longer. Of a longer one the next calls are cut and timed as well, and the faster way is kept. Python
also runs functions whose trace exceeds its limits or is refused, for state in objects outside of the
function, say, or for functions that jitframe lacks.
"""

from __future__ import annotations

import functools
import time
import types
import warnings
from collections.abc import Callable, Hashable, Iterable
from typing import TYPE_CHECKING, Any

import numpy

from ..base.locks import Local
from ..errors import BackendError, FallbackWarning, JitframeError, TraceError, UnsupportedError, user_line
from ..runtime.cpu.entry.callables import entry_calls, entry_clear
from ..settings import settings
from .arguments.signature import MOST_OPERATIONS, NO_LIMIT_NS, Call, Static, is_generator, is_own
from .environment.user_code import UserCode
from .values.concrete import LeftToPython, told

if TYPE_CHECKING:
    from .programs.program import Program

CUT_NS = 25_000
"""The time of a cut; a trace is abandoned where all its cuts take longer than Python's run."""
PATIENCE_NS = 1_000_000_000
PATIENCE = 10
"""A first trace is abandoned at a cut after the time of its limit, or of so many runs of Python: the pause
would exceed what later calls save."""
FIRST_PATIENCE_NS = 3_000_000_000
"""The limit of a trace whose time in Python is unknown; a program of 3,000 operations takes a sixth of it."""
CALLS = 100
"""A loop is unrolled, and traces go on, for no longer than Python takes for so many calls."""
OPERATION_NS = 100_000
"""The time to trace and compile an operation of an unrolled loop."""
LEAST_CUTS = 40
"""The number of cuts is not counted where Python's run is shorter than so many."""
RUNS = 2
"""Python runs a function so often before its calls are cut; the first run is often slower than others."""
CUT_CALLS = 3
"""So many calls are cut and timed, the first one excluded, before the faster way is chosen."""
SLOWER = 2
"""Cut calls that on average of many take so many times as long as Python, traces of new values included, are
left to Python."""
WEIGHT = 1 / 16
"""The weight of a call in the moving average, which begins as the mean of all."""
MOST_ITEMS = 100_000
"""The search for jitframe's objects visits at most so many items of a list."""
UNTRACED = 3
"""After so many signatures that Python answers, further ones run in Python first, untraced."""
MOST_NUMBERS = 200
"""The most scalars in lists and tuples of arguments; a trace of thousands takes seconds."""
MOST_IN_VAIN = 3
"""After a program has failed in so many calls, Python runs first and is timed."""
SHORT_NS = 300_000
"""The longest call, outside of the native entry, for which Python may be faster: the overhead of such a call
is about 40 us."""
_NEVER = 1 << 62
_HAS_MORE = 0x04
"""The flag of code with `*arguments`."""
_CONTAINERS = (tuple, list, dict, set, frozenset)
_SETS = (set, frozenset)
_PLAIN = (bool, int, float, complex, str, type(None))
_PLAIN_TYPES = frozenset(_PLAIN)
_floats = getattr(numpy._core.umath, "_extobj_contextvar", None)
"""NumPy's settings for floating-point errors."""
_USUAL = _floats and _floats.get()
_QUIET = _floats and numpy._core.umath._make_extobj(all="ignore")
_HARMLESS = frozenset((*_PLAIN, numpy.ndarray, numpy.float64, numpy.float32, numpy.int64))


class Race:
    """The comparison of compiled code and Python for the calls of one signature."""

    __slots__ = (
        "average_ns",
        "best_ns",
        "calls",
        "failed",
        "is_over",
        "python_ns",
        "reason",
        "runs",
        "short_ns",
    )

    def __init__(self, reason: str, is_over: bool = False, short_ns: int = 0) -> None:
        """`reason`: why they are compared; `short_ns`: Python wins where it takes less; 0: the time of some
        cuts."""
        self.reason = reason
        self.is_over = is_over
        """Whether Python has won."""
        self.short_ns = short_ns or LEAST_CUTS * CUT_NS
        self.python_ns = _NEVER
        self.best_ns = self.average_ns = _NEVER
        """The times of calls that were cut."""
        self.calls = -1
        self.failed = 0
        """The number of failed runs: they ended with an exception of Python's, or with numbers that programs
        lack."""
        self.runs = 0

    def by_python(self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        begin = time.perf_counter_ns()
        with numpy.errstate(all="ignore"):  # compiled code warns of nothing either
            result = function(*args, **kwargs)
        self.python_ns = min(self.python_ns, time.perf_counter_ns() - begin)
        self.runs += 1
        self.is_over = self.is_over or (self.runs >= RUNS and self.python_ns < self.short_ns)
        return result

    @property
    def most_cuts(self) -> int:
        """The most cuts of a call that can still be faster than Python."""
        return self.python_ns // CUT_NS

    @property
    def most_operations(self) -> int:
        """The most operations of unrolled loops."""
        return max(MOST_OPERATIONS, CALLS * self.python_ns // OPERATION_NS)

    def cut(self, run: Callable[[], Any]) -> Any:
        """Runs and times a call that is cut."""
        begin = time.perf_counter_ns()
        result = run()
        took = time.perf_counter_ns() - begin
        self.calls += 1
        if self.calls > 0:  # the first one has compiled
            self.best_ns = min(self.best_ns, took)
            before = took if self.calls == 1 else self.average_ns
            self.average_ns = before + round((took - before) * max(WEIGHT, 1 / self.calls))
        if self.calls >= CUT_CALLS:
            settled = self.calls > 1 / WEIGHT  # of three calls one may have waited for other programs
            slow = self.best_ns > self.python_ns
            slow = slow or (settled and self.average_ns > SLOWER * self.python_ns)
            self.is_over = slow and (settled or self.calls == CUT_CALLS)
        return result


def _patience_ns(python_ns: int) -> int:
    """Returns the processor time that a trace of loops and branches may take."""
    return PATIENCE_NS + CALLS * python_ns


class _Running(Local):
    is_on = False


class Races:
    """The signatures of one function whose calls Python answers, or may answer."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.known: dict[Hashable, Race] = {}
        self.vain: dict[Hashable, Race] = {}
        """Signatures whose programs have failed."""
        self.calls = 0
        """The number of calls that Python has answered."""
        self.new_values = Race("nearly every call has another scalar or function that it depends on")
        self.first_calls = Race("its program is compiled meanwhile")
        """The race of all first calls of long programs."""
        self.quick: set[Hashable] = set()
        """Cheap keys of the arguments of signatures that Python has won."""
        self._running = _Running()
        self._speaks: bool | None = None
        self._has_warned = False

    def may_answer(self, call: Call) -> bool:
        """Whether a call with such arguments means the same to Python."""
        if settings().strict or call.tensors or call.asked or call.donated or not call.device.is_host:
            return False
        if any(is_own(type(leaf)) for leaf in call.leaves):
            return False
        if self._speaks is None:
            self._speaks = uses_jitframe(self.function)  # what its names stand for seldom changes
        objects = [leaf for kind, leaf in zip(call.kinds, call.leaves) if _is_object(kind, leaf)]
        return not self._speaks and not any(map(uses_jitframe, objects))

    def first_patience_ns(self) -> int:
        """Returns the limit for the first trace of a signature, from Python's times for others."""
        known = [race.python_ns for race in self.known.values() if race.runs]
        return _patience_ns(max(known)) if known else FIRST_PATIENCE_NS

    def check_numbers(self, call: Call) -> None:
        """Leaves a call with very many scalars to Python."""
        if len(call.leaves) <= MOST_NUMBERS:
            return
        count = sum(type(leaf) in _PLAIN for leaf in call.leaves)
        if count > MOST_NUMBERS:
            error = UnsupportedError(
                f"{count} numbers are given in lists or tuples, each of which would be an argument of its "
                "own; pass arrays of them, np.asarray(...)"
            )
            raise LeftToPython(error=error)

    def check_new_values(self, calls: int, seconds: float) -> None:
        """Leaves a call with new values to Python where Python would have run all `calls` in less time than
        their traces took, `seconds`."""
        race = self.new_values
        if race.runs == 0 or race.python_ns * calls < seconds * 1e9:
            raise LeftToPython(race=race)

    def warn(self, name: str, error: Exception) -> None:
        """Warns once that Python answers calls whose trace was refused."""
        if not self._has_warned:
            self._has_warned = True
            line = error.line if isinstance(error, JitframeError) else user_line()
            file, number = ("jitframe", 0) if line is None else (line.file, line.line)
            text = f"{name} runs as plain Python, which is right but not compiled: {told(error)}"
            warnings.warn_explicit(text, FallbackWarning, file, number)

    def told(self, call: Call) -> str:
        """Returns why Python answers calls of a signature, and their time; "" where compiled code answers."""
        race = self.known.get(call.key)
        if race is None or not race.is_over:
            return ""
        took = f"{race.python_ns / 1000:.4g} µs a call" if race.python_ns < _NEVER else "not run yet"
        if race.best_ns < _NEVER:
            took += f", {race.best_ns / 1000:.4g} µs compiled"
        return f"({took}): {race.reason}"

    @property
    def runs_untraced(self) -> bool:
        """Whether Python answers new signatures before they are traced."""
        return sum(race.is_over for race in self.known.values()) >= UNTRACED

    def decides(self, call: Call, error: Exception, program: Program | None = None) -> bool:
        """Whether Python decides about a call whose trace, or a run of whose `program`, ended with an
        exception. A refused operation may be valid in Python, which also has numbers and handlers that
        programs lack; where Python raises too, its exception has the values."""
        is_of_python = isinstance(error, JitframeError) and error.is_of_python
        if program is None:
            is_final = isinstance(error, BackendError) or is_of_a_signal(error)
        else:
            is_final = not program.can_be_repeated or not (is_of_python or program.says_little(error))
        return not is_final and not call.has_called and self.may_answer(call)

    def first(self, left: LeftToPython, call: Call, compiled: Callable[[], Any], entry: Any) -> Any:
        """Answers a call whose trace was abandoned. Where Python raises as well, the mistake is the
        function's: later calls are traced again. The native entry is cleared where most of its calls fail."""
        error, left.__traceback__ = left.error, None  # which holds the trace
        call.undo_draws()
        if left.in_vain:
            race = self.vain.setdefault(call.key, Race("it comes to numbers or exceptions of Python's"))
            race.failed += 1
            if race.failed >= MOST_IN_VAIN:
                self.known.setdefault(call.key, race)
                if 2 * race.failed >= entry_calls(entry)[0]:
                    entry_clear(entry)
            return self.by_python(race, call.arguments, call.options)
        race = Race(left.reason, left.always, left.short_ns) if left.race is None else left.race
        if error is None and left.race is None:
            self.known[call.key] = race
        try:
            result = self.answer(race, call, compiled)
        except Exception as own:
            if error is None or not _says_more(error, own):
                raise
            raise error from None
        if error is not None:
            self.known[call.key] = race
            self.warn(call.signature.name, error)
        return result

    def answer(self, race: Race, call: Call, compiled: Callable[[], Any]) -> Any:
        """Answers a call by compiled code, which `compiled` runs, or by Python."""
        left = None
        if not race.is_over and race.runs >= RUNS:
            call.may_leave, call.most_cuts, call.most_operations = True, race.most_cuts, race.most_operations
            now = time.perf_counter_ns()
            call.deadline_ns = now + PATIENCE_NS + PATIENCE * race.python_ns
            call.traced_until_ns = time.thread_time_ns() + _patience_ns(race.python_ns)
            try:
                return race.cut(compiled)
            except LeftToPython as ended:
                left = ended.with_traceback(None)  # which holds the trace
            finally:
                call.may_leave, call.traced_until_ns = False, NO_LIMIT_NS
            call.undo_draws()
        result = self.by_python(race, call.arguments, call.options)
        if left is not None:
            race.failed += left.in_vain
            race.is_over = race.is_over or not left.in_vain or race.failed > CUT_CALLS
            if left.error is not None and not left.in_vain:
                self.warn(call.signature.name, left.error)
        if race.is_over:
            key = quick_key(call.arguments, call.options)
            if key is not None:
                self.quick.add(key)
        return result

    def meanwhile(self, call: Call) -> Any:
        """Answers a first call while its program is compiled."""
        return self.by_python(self.first_calls, call.arguments, call.options)

    def by_python(self, race: Race, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        self.calls += 1
        before = self._running.is_on
        try:
            self._running.is_on = True
            return race.by_python(self.function, args, kwargs)
        finally:
            self._running.is_on = before

    def quickly(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Answers like `by_python`, without timing, where Python has won."""
        self.calls += 1
        running = self._running
        if running.is_on:
            return self.function(*args, **kwargs)
        running.is_on = True
        try:
            if _floats is None or _floats.get() is not _USUAL:
                with numpy.errstate(all="ignore"):
                    return self.function(*args, **kwargs)
            before = _floats.set(_QUIET)  # as errstate does it, in a fifth of its time
            try:
                return self.function(*args, **kwargs)
            finally:
                _floats.reset(before)
        finally:
            running.is_on = False

    def consider(self, program: Program, call: Call, took_ns: int) -> None:
        """Starts a comparison where calls of a program, which took so long, are short, and the native entry
        does not answer them."""
        if took_ns > SHORT_NS or program.pending is not None:
            return
        program.is_raced = True
        if not program.segments and self.may_answer(call):
            made = "lists, random numbers, texts, exceptions"
            reason = f"results or effects of such calls are made by Python ({made})"
            self.known.setdefault(call.key, Race(reason, short_ns=CUT_NS))

    @property
    def is_running(self) -> bool:
        """Whether Python is answering a call in this thread; nested calls are recursion."""
        return self._running.is_on


def quick_key(arguments: Iterable[Any], options: dict[str, Any] | None = None) -> Hashable:
    """Returns a cheap key of calls that Python may answer alike; None where the arguments need a closer
    look."""
    found: list[Hashable] = []
    for argument in arguments:
        kind: Any = type(argument)  # mypy does not take a class of its own for hashable
        if kind is numpy.ndarray:
            found.append((argument.dtype, argument.shape))
        elif kind in _PLAIN or issubclass(kind, numpy.generic):
            found.append(argument if kind is str else kind)
        elif (
            _is_users_object(kind)
            or (kind is list and _is_long(argument))
            or is_generator(argument)
            or (kind in _SETS and _PLAIN_TYPES.issuperset(map(type, argument)))
        ):
            found.append(kind)
        elif kind is types.FunctionType and not (
            argument.__closure__ or argument.__defaults__ or argument.__kwdefaults__
        ):
            found.append(argument.__code__)
        elif kind is types.BuiltinFunctionType or kind is numpy.ufunc:
            found.append(argument)
        elif kind is list or kind is tuple or kind is dict:
            inner = quick_key(argument.values() if kind is dict else argument)
            if inner is None:
                return None
            found.append((kind, inner, *argument) if kind is dict else (kind, inner))
        else:
            return None
    if not options:
        return tuple(found)
    named = quick_key(options.values())
    return None if named is None else (tuple(found), *options, named)


def _is_long(given: list[Any]) -> bool:
    """Whether a list, with nested lists and tuples, has more scalars than a trace takes."""
    if len(given) > MOST_NUMBERS:
        return True
    return sum([len(each) if type(each) in (list, tuple) else 1 for each in given]) > MOST_NUMBERS


def _is_object(kind: Hashable, leaf: Any) -> bool:
    """Whether a leaf is an object, which may refer to jitframe's."""
    return isinstance(kind, Static) and type(leaf).__module__ not in ("builtins", "numpy")


def _says_more(error: Exception, own: Exception) -> bool:
    """Whether a trace's error explains the mistake better than Python's `own` exception."""
    is_limit = isinstance(error, (TraceError, UnsupportedError))  # of traces
    return isinstance(error, JitframeError) and not is_limit and bool(_kinds(error) & _kinds(own))


def _kinds(error: Exception) -> set[type]:
    """Returns the builtin exception classes of an exception."""
    classes = [each for each in type(error).__mro__ if each.__module__ == "builtins"]
    return {each for each in classes if issubclass(each, Exception)} - {Exception}


def is_of_a_signal(error: BaseException) -> bool:
    """Whether a signal handler has raised an exception: its frame is given the one that it interrupted."""
    trace = error.__traceback__
    while trace is not None:
        frame, trace = trace.tb_frame, trace.tb_next
        before, code = frame.f_back, frame.f_code
        names = code.co_varnames[: code.co_argcount + bool(code.co_flags & _HAS_MORE)]
        for given in map(frame.f_locals.get, names):
            members = given if type(given) is tuple else (given,)
            if before is not None and any(member is before for member in members):
                return True
    return False


def uses_jitframe(thing: Any) -> bool:
    """Whether a function or object uses jitframe, itself or through the user's objects that it refers to: run
    by Python it would make Tensors. True in doubt."""
    pending: list[Any] = [thing]
    seen: set[int] = set()
    while pending:
        thing = pending.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        if _attribute(thing, "_jit") is not None:
            continue  # a jitted function of arrays gives arrays
        if isinstance(thing, types.MethodType):
            pending += [thing.__func__, type(thing.__self__)]
            continue
        if _module_name(thing).partition(".")[0] == "jitframe":
            return True
        if isinstance(thing, types.FunctionType):
            if str(thing.__globals__.get("__name__")).partition(".")[0] == "jitframe":
                return True  # under a user's name
            pending += [cell.cell_contents for cell in thing.__closure__ or () if _is_filled(cell)]
            pending += [*(thing.__defaults__ or ()), *(thing.__kwdefaults__ or {}).values()]
            pending += _named(thing.__code__, thing.__globals__)
        elif isinstance(thing, types.ModuleType) or (isinstance(thing, type) and _is_users(thing)):
            if _is_users(thing):
                kinds = (types.FunctionType, type, types.ModuleType)
                pending += [each for each in vars(thing).values() if isinstance(each, kinds)]
        elif isinstance(thing, (list, tuple, dict)):
            members = thing.values() if isinstance(thing, dict) else thing
            if _HARMLESS.issuperset(map(type, members)):
                continue
            if len(thing) > MOST_ITEMS:
                return True
            pending += members
        elif not isinstance(thing, type) and _is_users(type(thing)):
            held = _attribute(thing, "__dict__")  # of objects that answer any name, no dict
            pending += [type(thing), *(held.values() if isinstance(held, dict) else ())]
    return False


def _attribute(thing: Any, name: str) -> Any:
    """Returns an attribute; None also where asking raises, as placeholders of missing modules do."""
    try:
        return getattr(thing, name, None)
    except Exception:
        return None


def _module_name(thing: Any) -> str:
    name = thing.__name__ if isinstance(thing, types.ModuleType) else _attribute(thing, "__module__")
    return name if isinstance(name, str) else ""


def _is_filled(cell: types.CellType) -> bool:
    try:
        return cell.cell_contents is not cell
    except ValueError:
        return False


def _named(code: types.CodeType, names: dict[str, Any]) -> list[Any]:
    """Returns the values of the names in code."""
    found = [names[name] for name in code.co_names if name in names]
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            found += _named(each, names)
    return found


@functools.lru_cache(maxsize=1024)
def _is_users_object(kind: type) -> bool:
    """Whether instances of a class are the user's objects, neither arrays nor containers of arrays."""
    return kind not in _CONTAINERS and _is_users(kind)


def _is_users(thing: Any) -> bool:
    code = UserCode()
    return code.module(thing) if isinstance(thing, types.ModuleType) else code.class_(thing)
