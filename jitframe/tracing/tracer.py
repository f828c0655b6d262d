"""Traces a function for one signature: runs its copy on traced arguments, and builds a program from the
results."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy

from ..api.frame import STATE, entered, is_tensor
from ..arrays.promotion import from_numpy, is_supported, unsupported
from ..base.collector import without_collections
from ..base.importing import load
from ..compilation.errors_of_runs import OF_PYTHON
from ..errors import WATCHES, AliasError, TraceError, UnsupportedError, first_refusal
from ..ir.record import replace
from .arguments.shared_generators import SharedGenerators
from .arguments.signature import Call, Static, is_generator, is_own
from .arguments.trees import LEAF, count_leaves, unflatten
from .capturing import Capturing, LoopOpened, TracedWithoutPython
from .environment.copied import copy_function
from .environment.handlers import catches, idle
from .environment.library_objects import Refused
from .programs.cuts import Cuts
from .programs.inputs import Input, memory_of
from .programs.program import NO_VARIANTS, Program
from .programs.results import Results, build_results
from .specialize import specialize
from .standins.mapper import TraceMapper
from .values.python_numbers import unused
from .values.traced import TracedArray, needs_capture
from .values.traced_frame import TraceFrame

if TYPE_CHECKING:
    from .arguments.overlap import Pattern
    from .environment.copied import Copied

_Assumptions = tuple["Pattern", frozenset[int], "list[numpy.ndarray]", bool]
"""The overlap of arrays, the relevant ones, arrays that earlier traces read without being given, and
fastmath."""
_ROUNDS = 4
"""The most traces of one signature until the overlap of its arrays is settled."""
_PLAIN = (type(None), str, bytes, type(...), numpy.dtype, complex, slice, range)


def trace(
    function: Callable[..., Any],
    name: str,
    call: Call,
    jitted: type,
    fastmath: bool = False,
    capturing: Capturing | None = None,
) -> Program:
    """Traces a function for a call, and returns its program."""
    known = Capturing() if capturing is None else capturing
    known.opened.clear()
    if "einops" in sys.modules:
        load("jitframe.interop.einops")  # einops asks it about traced values

    def program() -> Program:
        while True:
            try:
                return _program(function, name, call, jitted, fastmath, known)
            except TraceError as error:
                if not known.after(error):
                    known.explain(error)
                    raise

    return without_collections(program, live_on=_is_first())


def _program(
    function: Callable[..., Any], name: str, call: Call, jitted: type, fastmath: bool, capturing: Capturing
) -> Program:
    pattern: Pattern = ()
    watched: frozenset[int] = frozenset()
    hidden: list[numpy.ndarray] = []
    compiled = 0
    for _ in range(_ROUNDS):
        assumptions = pattern, watched, hidden, fastmath
        frame, results, inputs = _specialized(function, name, call, jitted, assumptions, capturing)
        program = Program(frame, results, call, pattern, inputs, watched, hidden, fastmath)
        if frame.compares_arrays or (frame.copied is not None and frame.copied.identities.asked_of_two):
            program.keep_distinct(call)
        if frame.effects is not None and frame.effects.functions:
            program.kept += frame.effects.functions
            program.variants_left = NO_VARIANTS
        cuts = frame.cuts
        if isinstance(cuts, Cuts) and cuts.segments:
            program.segments, program.met = tuple(cuts.segments), tuple(cuts.met)
            program.variants_left = NO_VARIANTS
        program.compiled_before = compiled
        # The traced objects are garbage in cycles now: arguments must not wait for its collection.
        frame.parameters.clear()
        try:
            found = program.overlaps(call)
        except AliasError:
            if not program.results.donated:
                raise
            # Donated memory needs no write-back.
            call, compiled = replace(call, donated=frozenset()), program.compiled
            continue
        if found == pattern:
            return program
        compiled = program.compiled
        pattern, watched, hidden = found, program.watched, [array for array, _ in program.hidden]
    raise AssertionError(f"the overlap of the arguments of {name} changes from trace to trace")


_traced = False


def _is_first() -> bool:
    """Whether this is the first trace, which loads modules that stay alive."""
    global _traced
    first, _traced = not _traced, True
    return first


def _specialized(
    function: Callable[..., Any],
    name: str,
    call: Call,
    jitted: type,
    assumptions: _Assumptions,
    capturing: Capturing,
) -> tuple[TraceFrame, Results, list[Input]]:
    """Returns a trace that needs no value of an argument which is not static."""
    while True:
        frame = TraceFrame(name, device=call.device, asked=call.asked)
        frame.may_leave, frame.most_operations = call.may_leave, call.most_operations
        frame.traced_until_ns = call.traced_until_ns
        try:
            traced = _trace_once(frame, function, call, jitted, assumptions, capturing)
        except (LoopOpened, TracedWithoutPython):
            continue
        except Exception as error:
            if isinstance(error, TraceError) and error.needs_capture and not capturing.active:
                raise  # what is static shows when control flow is captured
            if type(error) is TypeError and not frame.is_traced_again:
                # Functions written in C, decimal.Decimal(n) say, may take Python's own numbers alone.
                frame.wanted.update(frame.scalars.values())
            if not frame.is_traced_again:
                raise
        slots = [] if frame.copied is None else frame.copied.wanted()
        if slots:
            from .slots import add_slots  # few functions store outside

            add_slots(call, slots)
        if frame.wanted:
            kinds = call.kinds
            specialize(call, frame.wanted)
            assert kinds != call.kinds, frame.wanted  # scalars of the trace, which no static leaf is
        if not (slots or frame.wanted):
            return frame, *traced


def _refuse_texts(frame: TraceFrame) -> None:
    if frame.quoted:
        raise TraceError(
            "the text of a value is made in a branch or loop, where the value is not known; make it "
            "after that"
        )


def _add_effects(frame: TraceFrame, results: Results) -> None:
    """Adds outputs for the calls of host functions, and for the states of generators that loops draw from."""
    called = None if frame.effects is None else frame.effects.node()
    if called is not None:
        results.add_output(called)
    if frame.number_streams:
        from .standins.streams.stream import keep_words  # few functions draw in loops

        keep_words(frame, results)


def _trace_once(
    frame: TraceFrame,
    function: Callable[..., Any],
    call: Call,
    jitted: type,
    assumptions: _Assumptions,
    capturing: Capturing,
) -> tuple[Results, list[Input]]:
    pattern, _, hidden, _ = assumptions
    # Arrays that overlap others are known before the copy, which reads closures at once.
    arguments = _Arguments(frame, call, pattern, hidden)
    frame.shared = arguments.shared
    cuts = Cuts(frame, call, arguments.inputs, *assumptions)
    frame.cuts = cuts if capturing.may_cut else None
    cuts.shared = SharedGenerators()
    rewritten, hooks = capturing.begin(frame)
    copied = copy_function(
        function, TraceMapper(frame, jitted), rewritten=rewritten, hooks=hooks,
        begin=arguments.begin,
    )  # fmt: skip
    frames, watches = STATE.frames, WATCHES.active
    try:
        with entered(frame), first_refusal(frame.is_asked) as refusal:
            copied.enter()
            positional, keywords = arguments.make()
            returned = copied.function(*positional, **keywords)
            copied.finish()
            if frame.given_streams:
                from .values.streams import note_streams  # as in `generator_argument`

                note_streams(frame)
            _refuse_texts(frame)
            checks = None if frame.hooks is None else frame.hooks.checks
            call.met = copied.met
            results = build_results(frame, returned, arguments.given, call, checks)
            _add_effects(frame, results)
            refusal.raise_first()
            _keep_exceptions(frame, results)
            if frame.caught:
                _leave_to_handlers(frame, call, results)
            if frame.relies and not (call.has_called or _is_repeatable(frame, results)):
                capturing.may_rely = False
                raise TracedWithoutPython
            if cuts.shared is not None:
                cuts.shared.check(frame.name)
                cuts.shared = None
            results.outputs = cuts.finish(results.outputs)
    except RecursionError:
        raise TraceError(
            f"{frame.name} calls itself without end while it is traced: a jitted function's branches must "
            "not depend on array values. Use jf.fori_loop or jf.cond"
        ) from None
    finally:
        # Only assignments follow: no signal handler runs between these, as it may at a call.
        STATE.frames = frames
        WATCHES.active = watches
        frame.ended = True
        copied.leave()
        if cuts.shared is not None:
            cuts.shared.undo()  # whatever has ended the trace: it is made again, or Python answers
    return results, arguments.inputs()


TraceFrame.entries.add(_trace_once.__code__)


def _keep_exceptions(frame: TraceFrame, results: Results) -> None:
    """Adds outputs that nothing uses but that may raise: Python's numbers, and values computed inside a `try`
    of the user's."""
    for node in unused(frame, results.outputs):
        results.add_output(node)
    for node in idle(frame.tried, results.outputs):
        if catches((node,), frame.caught, frame.lines):
            results.add_output(node)


def _leave_to_handlers(frame: TraceFrame, call: Call, results: Results) -> None:
    """Leaves a call to Python where the program may raise an exception that the user's handlers catch. Raises
    TraceError where Python may not answer."""
    kinds = catches(results.outputs, frame.caught, frame.lines)
    results.has_handlers = bool(kinds)
    if not kinds or (call.may_leave and _is_repeatable(frame, results)):
        return
    is_plain = frame.hooks is None and not frame.may_capture
    if call.may_leave or (not is_plain and not kinds.isdisjoint(OF_PYTHON)):
        raise needs_capture(
            TraceError(
                "an exception that values decide about is raised inside a try, and the function writes to "
                "its arguments, prints or draws, or runs where Python may not answer in its place; compute "
                "without raising, or take the try out of the function"
            )
        )


def _is_repeatable(frame: TraceFrame, results: Results) -> bool:
    """Whether calls have no effects but their results, so that Python may answer them after all."""
    called = None if frame.effects is None else frame.effects.node()
    return not results.touched and not frame.draws and called is None


class _Arguments:
    """The traced arguments of a function, made of a call's leaves."""

    def __init__(self, frame: TraceFrame, call: Call, pattern: Pattern, hidden: list[numpy.ndarray]) -> None:
        self.frame = frame
        self.call = call
        self.given: dict[int, int] = {}
        self._region_of: dict[int, int] = {}
        self.shared: dict[int, TracedArray] = {}
        """Arrays of the user's that overlap others, by identity."""
        self._names = call.names
        self._first_of_slots = len(call.leaves) - sum(map(count_leaves, call.state))
        memory, by_leaf = memory_of(call, hidden)
        leaf_of = {number: leaf for leaf, number in by_leaf.items()}
        for number, region in enumerate(pattern):
            names = [self._names[leaf_of[member]] for member, _ in region.members if member in leaf_of]
            whole = frame.parameter(region.array(memory), " and ".join(names), read_only=False)
            cell = whole._cell
            assert cell.source is not None
            self._region_of[cell.source] = number
            frame.parameters[cell.source].region = True
            for member, view in region.members:
                array = memory[member]
                if id(array) not in self.shared:
                    path = view if view.steps else None
                    self.shared[id(array)] = TracedArray(cell, path, read_only=not array.flags.writeable)

    def begin(self, copied: Copied) -> None:
        """Sets the values of the call's slots, which the function's closure may hold."""
        self.frame.copied = copied
        call = self.call
        if not call.slots:
            return
        given = range(self._first_of_slots, len(call.leaves))
        leaves = iter([self._leaf(number, call.leaves[number]) for number in given])
        for number, (slot, tree) in enumerate(zip(call.slots, call.state, strict=True)):
            copied.give(slot, unflatten(tree, leaves, copied.class_, self._fixed), number)

    def make(self) -> tuple[list[Any], dict[str, Any]]:
        call, copied = self.call, self.frame.copied
        leaves = iter(
            [self._leaf(number, leaf) for number, leaf in enumerate(call.leaves[: self._first_of_slots])]
        )
        classes = copied.class_
        positional = [unflatten(tree, leaves, classes, self._fixed) for tree in call.positional]
        keywords = {name: unflatten(tree, leaves, classes, self._fixed) for name, tree in call.keywords}
        if not all(tree is LEAF for tree in (*call.positional, *(tree for _, tree in call.keywords))):
            from .environment.outside_state import Path  # many functions are given arrays and numbers alone

            roots: list[tuple[int | str, Any]] = [*enumerate(positional), *keywords.items()]
            for root, value in roots:
                copied.containers.note(value, Path(root))
        return positional, keywords

    def _leaf(self, number: int, leaf: Any) -> Any:
        made = self._made(number, leaf)
        if isinstance(made, (TracedArray, Refused)):
            self.given[id(made)] = number
        return made

    def _fixed(self, value: Any) -> Any:
        """The stand-in for a static field."""
        return self.frame.copied.adopt("a static field", value) if _is_object(value) else value

    def _made(self, number: int, leaf: Any) -> Any:
        name = self._names[number]
        if isinstance(self.call.kinds[number], Static) and not _is_object(leaf):
            return leaf
        if is_tensor(leaf):
            locked = not leaf._is_writable
            return self.frame.parameter(leaf._evaluated(), name, number, read_only=locked, tensor=leaf)
        if isinstance(leaf, numpy.ndarray):
            return self._array(number, leaf, name)
        if isinstance(leaf, (bool, int, float, complex, numpy.generic)):
            _check_dtype(name, leaf.dtype if isinstance(leaf, numpy.generic) else numpy.dtype(type(leaf)))
            if isinstance(leaf, (bool, numpy.bool_)):
                identities = self.frame.copied.identities
                if identities.is_asked:
                    self.frame.wanted.add(number)  # it is static from now on
                    return leaf
                identities.note_bool(leaf.__class__ is bool)
            return self.frame.number(leaf, number, name)
        if is_generator(leaf):
            return generator_argument(self.frame, number, leaf)
        return leaf if isinstance(leaf, _PLAIN) else self.frame.copied.adopt(name, leaf)

    def _array(self, number: int, array: numpy.ndarray, name: str) -> Any:
        refusal = _refusal(name, array)
        if refusal:
            if name.isidentifier():
                raise UnsupportedError(refusal)
            return Refused(refusal, UnsupportedError)  # a member that the function may not use
        shared = self.shared.get(id(array))
        return self.frame.parameter(array, name, number) if shared is None else shared

    def inputs(self) -> list[Input]:
        made = []
        for number, parameter in enumerate(self.frame.parameters):
            if number in self._region_of:
                made.append(Input(region=self._region_of[number]))
            elif parameter.leaf is not None:
                made.append(Input(leaf=parameter.leaf))
            elif parameter.drawn:
                made.append(Input(drawn=True))
            elif parameter.carried is not None:
                made.append(Input(carried=parameter.carried))
            else:
                made.append(Input(array=parameter.array, fixed=parameter.made))
        return made


def _is_object(leaf: Any) -> bool:
    """Whether a static leaf may contain objects that a trace maps: functions, classes, the user's objects."""
    return not isinstance(leaf, (bool, int, float, complex, numpy.generic, *_PLAIN))


def generator_argument(frame: TraceFrame, leaf: int, generator: Any) -> Any:
    """Returns the stand-in for a random generator among the arguments."""
    if is_own(type(generator)):
        from .values.draws import Argument
        from .values.streams import stream

        return stream(frame, generator, Argument(leaf))
    from .standins.generators import argument

    return argument(leaf, generator)


def _refusal(name: str, array: numpy.ndarray) -> str:
    """Returns why an array is no input of programs; "" for one that is."""
    if type(array) not in (numpy.ndarray, numpy.memmap):
        return (
            f"the argument {name!r} is a {type(array).__module__}.{type(array).__qualname__}, whose "
            "operators may mean something else; pass np.asarray(x)"
        )
    return "" if is_supported(array.dtype) else f"the argument {name!r}: {unsupported(array.dtype)}"


def _check_dtype(name: str, dtype: numpy.dtype) -> None:
    try:
        from_numpy(dtype)
    except UnsupportedError as error:
        raise UnsupportedError(f"the argument {name!r}: {error.message}") from None
