"""The native entry: a vectorcall that matches the arguments against variants and runs the first that fits.

The slow callable handles all other calls, with the arguments as they came.
"""

from ....codegen.native.language import Struct, export, i32, i64, local, offset, ptr
from .arrays import NumpyArray, Pattern, array_matches
from .executor import (
    DONE,
    OUT_OF_BOUNDS,
    STACK_FRAME_WORDS,
    Program,
    frame_for,
    leave_frame,
    raise_shortage,
    raise_status,
    run_frame,
    tell_pressure,
)
from .making import give_outputs, make_result
from .matching import (
    ARRAY_ARGUMENT,
    HELD_ARGUMENT,
    RECORD_ARGUMENT,
    Matching,
    arguments_match,
    items_same,
    names_match,
    release,
)
from .outside import Outside, containers_apart, outside_matches, put_back
from .pool import pool_give
from .state import STATE

DICT_GUARD = 0
ITEMS_GUARD = 1
ELEMENT_GUARD = 2

COUNT_MASK = 0x7FFFFFFFFFFFFFFF


class Entry(Struct):
    """The state to which a callable's instance points."""

    slow: ptr
    variants: ptr[ptr]
    variant_count: i64
    fast_calls: i64
    slow_calls: i64


class Callable(Struct):
    """An instance of the entry type."""

    references: i64
    kind: ptr
    vectorcall: ptr
    entry: ptr


class Variant(Struct):
    """One accepted signature and its program.

    A call has memory of `scratch_words`: the program's frame, the leaves of the arguments and the
    `held_count` arrays that some of them contain (`leaf_count` words), the leaves of the result, three words
    for each array where something is written, and the words that `outside` asks for.
    """

    program: ptr
    scratch_words: i64
    leaf_count: i64
    held_count: i64
    arguments: ptr[i64]
    argument_count: i64
    code_count: i64
    positional_count: i64
    keywords: ptr
    places: ptr[i64]
    nested: i64
    outside: ptr
    outside_word: i64
    hidden: ptr[i64]
    hidden_count: i64
    guarded: ptr[i64]
    guarded_count: i64
    guards: ptr[i64]
    guard_count: i64
    outputs: ptr[i64]
    output_count: i64
    base_count: i64
    form: ptr[i64]
    writes: i64
    release_gil: i64
    report: ptr
    raising: ptr
    check_word: i64
    running: i64
    calls: i64


def hidden_match(variant: Variant, frame: ptr[i64]) -> i32:
    """Matches hidden inputs, each (array, words of the pattern, pattern)."""
    code = variant.hidden
    for _ in range(variant.hidden_count):
        pattern = Pattern(offset(code, 16))
        if array_matches(ptr(code[0]), pattern) == 0:
            return 0
        frame[pattern.frame_word] = NumpyArray(ptr(code[0])).data
        code = offset(pattern, 8 * code[1])
    return 1


def guards_hold(variant: Variant) -> i32:
    """Checks the guards: first the guarded words of memory, two at once, each (address, word). A guard is
    (kind, dict, key, expected: the very object that the trace read), (kind, dict, keys and values, number of
    items), or (kind, list, index, expected)."""
    python = STATE.python
    for number in range(variant.guarded_count // 2):
        pair = ptr[i64](offset(variant.guarded, 32 * number))
        if ((ptr[i64](pair[0])[0] ^ pair[1]) | (ptr[i64](pair[2])[0] ^ pair[3])) != 0:
            return 0
    for number in range(variant.guard_count):
        words = ptr[i64](offset(variant.guards, 32 * number))
        if words[0] == ITEMS_GUARD:
            if items_same(ptr(words[1]), ptr[ptr](words[2]), words[3]) == 0:
                return 0
        elif words[0] == ELEMENT_GUARD:
            if words[2] >= python.PyList_Size(ptr(words[1])):
                return 0
            if i64(python.PyList_GetItem(ptr(words[1]), words[2])) != words[3]:
                return 0
        else:
            found = python.PyDict_GetItemWithError(ptr(words[1]), ptr(words[2]))
            if i64(found) != words[3]:
                if python.PyErr_Occurred():
                    python.PyErr_Clear()
                return 0
    return 1


def collect_ranges(code: ptr[i64], count: i64, frame: ptr[i64], ranges: ptr[i64], known: i64) -> i64:
    """Appends (first byte, byte beyond, written) of each array; returns the number of ranges then.

    A hidden input has its array's address where an argument has its kind.
    """
    for _ in range(count):
        if code[0] == ARRAY_ARGUMENT or code[0] == HELD_ARGUMENT or code[0] > RECORD_ARGUMENT:
            pattern = Pattern(offset(code, 16))
            ranges[3 * known] = frame[pattern.frame_word] + pattern.lowest
            ranges[3 * known + 1] = frame[pattern.frame_word] + pattern.beyond
            ranges[3 * known + 2] = pattern.written
            known += 1
        code = offset(code, 8 * (2 + code[1]))
    return known


def sort_ranges(ranges: ptr[i64], count: i64) -> None:
    """Sorts ranges by first bytes (Shell's sort)."""
    gap = count // 2
    while gap > 0:
        for number in range(gap, count):
            first = ranges[3 * number]
            beyond = ranges[3 * number + 1]
            written = ranges[3 * number + 2]
            place = number
            while place >= gap and ranges[3 * (place - gap)] > first:
                for word in range(3):
                    ranges[3 * place + word] = ranges[3 * (place - gap) + word]
                place -= gap
            ranges[3 * place] = first
            ranges[3 * place + 1] = beyond
            ranges[3 * place + 2] = written
        gap = gap // 2


def written_overlap(variant: Variant, frame: ptr[i64]) -> i32:
    """1 where bytes of a written argument belong to another array of the call as well."""
    known = Program(variant.program).frame_words + variant.leaf_count + variant.output_count
    ranges = ptr[i64](offset(frame, 8 * known))
    count = collect_ranges(variant.arguments, variant.code_count, frame, ranges, 0)
    count = collect_ranges(variant.hidden, variant.hidden_count, frame, ranges, count)
    sort_ranges(ranges, count)
    end = 0
    written_end = 0
    for number in range(count):
        first = ranges[3 * number]
        beyond = ranges[3 * number + 1]
        if beyond > first:
            if first < written_end or (ranges[3 * number + 2] != 0 and first < end):
                return 1
            if beyond > end:
                end = beyond
            if ranges[3 * number + 2] != 0 and beyond > written_end:
                written_end = beyond
    return 0


def matches(variant: Variant, arguments: ptr[ptr], matching: Matching) -> i32:
    """Whether a call matches the variant, whose number of arguments and keywords it has."""
    frame = matching.frame
    code = arguments_match(variant.arguments, variant.argument_count, variant.places, arguments, matching)
    if not code:
        return 0
    if variant.outside:
        outside = Outside(variant.outside)
        if outside_matches(outside, code, matching) == 0 or containers_apart(outside, matching) == 0:
            return 0
    if hidden_match(variant, frame) == 0 or guards_hold(variant) == 0:
        return 0
    return i32(variant.writes == 0 or written_overlap(variant, frame) == 0)


def report_fault(variant: Variant, frame: ptr[i64]) -> i32:
    """Calls Python to raise the error of a position out of bounds, as it knows the arrays and the user's
    line. 1 where it raises nothing: the slow callable answers the call then."""
    python = STATE.python
    arguments = local(ptr, 2)
    base = Program(variant.program).slot_base
    again: i32 = 0
    arguments[0] = python.PyLong_FromLongLong(frame[base])
    arguments[1] = python.PyLong_FromLongLong(frame[base + 1])
    if arguments[0] and arguments[1]:
        said = python.PyObject_Vectorcall(variant.report, arguments, 2, None)
        if said:
            python.Py_DecRef(said)
            again = 1
    for number in range(2):
        if arguments[number]:
            python.Py_DecRef(arguments[number])
    return again


def leaves_of(variant: Variant, frame: ptr[i64]) -> ptr:
    """Returns the memory for the leaves of a call, those of the arguments first."""
    return offset(frame, 8 * Program(variant.program).frame_words)


def check_failed(variant: Variant, frame: ptr[i64]) -> i64:
    """Returns the code of a failed check, which makes the results invalid, and frees them; 0: none."""
    if variant.check_word == 0:
        return 0
    buffer = ptr[i64](frame[variant.check_word])
    code = buffer[0]
    pool_give(ptr(buffer))
    frame[variant.check_word] = 0
    if code != 0:
        give_outputs(Program(variant.program), frame)
    return code


def raise_failed(variant: Variant, code: i64) -> None:
    """Calls Python to raise the exception of this number."""
    python = STATE.python
    argument = local(ptr)
    argument[0] = python.PyLong_FromLongLong(code)
    if argument[0]:
        python.PyObject_Vectorcall(variant.raising, argument, 1, None)
        python.Py_DecRef(argument[0])


def run_variant(variant: Variant, matching: Matching, again: ptr[i64]) -> ptr:
    """Returns the result; None and `again` set where the slow callable answers. `running` keeps the variant's
    memory from being freed while the GIL is released."""
    frame = matching.frame
    variant.running += 1
    variant.calls += 1
    status = run_frame(Program(variant.program), frame, i32(variant.release_gil))
    result = ptr(None)
    code: i64 = 0
    if status == DONE:
        code = check_failed(variant, frame)
    again[0] = i64(code != 0 and not variant.raising)
    if code != 0:
        if variant.raising:
            raise_failed(variant, code)
    elif status == DONE:
        result = make_result(
            Program(variant.program),
            variant.outputs,
            variant.output_count,
            variant.base_count,
            variant.form,
            matching,
            frame,
            ptr[ptr](offset(leaves_of(variant, frame), 8 * variant.leaf_count)),
        )
        result = tell_pressure(result)
        if result and variant.outside:
            result = put_back(Outside(variant.outside), result, matching)
    elif status == OUT_OF_BOUNDS:
        again[0] = i64(report_fault(variant, frame))
    else:
        raise_status(status)
    variant.running -= 1
    return result


def to_front(entry: Entry, position: i64) -> None:
    chosen = entry.variants[position]
    while position > 0:
        entry.variants[position] = entry.variants[position - 1]
        position -= 1
    entry.variants[0] = chosen


@export
def entry_call(callable: Callable, arguments: ptr[ptr], count_and_flag: i64, names: ptr) -> ptr:
    """The vectorcall of every jitted function: most recently used variant first."""
    python = STATE.python
    entry = Entry(callable.entry)
    if not entry or not entry.slow:
        python.PyErr_SetString(
            ptr[ptr](python.PyExc_RuntimeError)[0], "this jitted function has been torn down"
        )
        return None
    if names and python.PyTuple_Size(names) == 0:
        names = None
    stack = ptr[i64](local(i64, STACK_FRAME_WORDS))
    matching = local(Matching)
    matching.count = 0
    matching.held_count = 0
    matching.arguments = arguments
    matching.outside_count = 0
    matching.container_count = 0
    position = 0
    while position < entry.variant_count:
        variant = Variant(entry.variants[position])
        if (
            count_and_flag & COUNT_MASK == variant.positional_count
            and names_match(variant.keywords, names) != 0
        ):
            # A finalizer that lack of memory, or a look at a record, runs may drop the variant.
            variant.running += 1
            frame = frame_for(variant.scratch_words, stack)
            if not frame:
                variant.running -= 1
                raise_shortage()
                return None
            matching.frame = frame
            matching.leaves = ptr[ptr](leaves_of(variant, frame))
            matching.held = ptr[ptr](offset(matching.leaves, 8 * (variant.leaf_count - variant.held_count)))
            matching.holds = variant.nested
            matching.containers = None
            if variant.outside:
                outside = Outside(variant.outside)
                matching.outside = ptr[ptr](offset(frame, 8 * variant.outside_word))
                # Behind what is read come the places that are stored to, and the containers.
                behind = 8 * (outside.read_count + outside.store_count)
                if outside.store_count > 0:
                    matching.containers = ptr[ptr](offset(matching.outside, behind))
            matched = matches(variant, arguments, matching)
            variant.running -= 1
            if matched != 0:
                if position > 0:
                    to_front(entry, position)
                entry.fast_calls += 1
                again = local(i64)
                again[0] = 0
                result = run_variant(variant, matching, again)
                release(matching)
                leave_frame(frame, stack)
                if again[0] == 0:
                    return result
                break
            release(matching)
            leave_frame(frame, stack)
        position += 1
    entry.slow_calls += 1
    # The slow callable may drop the entry, and with it the last reference to itself.
    slow = entry.slow
    python.Py_IncRef(slow)
    result = python.PyObject_Vectorcall(slow, arguments, count_and_flag, names)
    python.Py_DecRef(slow)
    return result
