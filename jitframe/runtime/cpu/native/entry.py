"""The native entry: a vectorcall that matches the arguments against variants and runs the first that fits.

Whatever it does not know goes to the slow callable with the arguments as they came.
"""

from ....codegen.native.language import (
    Struct,
    bits_of_f32,
    bits_of_f64,
    export,
    f32,
    f64,
    i32,
    i64,
    local,
    offset,
    ptr,
)
from .arrays import NumpyArray, Object, Pattern, array_matches, make_array
from .executor import (
    DONE,
    NO_MEMORY,
    OUT_OF_BOUNDS,
    STACK_FRAME_WORDS,
    Program,
    frame_for,
    leave_frame,
    raise_status,
    run_frame,
)
from .pool import pool_give
from .state import STATE

ARRAY_ARGUMENT = 0
FLOAT_ARGUMENT = 1
INT_ARGUMENT = 2
SAME_ARGUMENT = 3

AS_F32 = 0
AS_F64 = 1
AS_INTEGER = 2

DICT_GUARD = 0
CELL_GUARD = 1
WORD_GUARD = 2

ARRAY_OUTPUT = 0
SCALAR_OUTPUT = 1
ARGUMENT_OUTPUT = 2
SAME_OUTPUT = 3
CONSTANT_OUTPUT = 4

COUNT_MASK = 0x7FFFFFFFFFFFFFFF
MOST_ARRAYS = 64


class Entry(Struct):
    """What a callable's instance points at."""

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
    """One accepted signature and what to do with it."""

    program: ptr
    arguments: ptr[i64]
    argument_count: i64
    hidden: ptr[i64]
    hidden_count: i64
    guards: ptr[i64]
    guard_count: i64
    outputs: ptr[i64]
    output_count: i64
    writes: i64
    single: i64
    release_gil: i64
    report: ptr
    running: i64
    calls: i64


def float_matches(candidate: ptr, words: ptr[i64], frame: ptr[i64]) -> i32:
    """words: frame word, target."""
    python = STATE.python
    if Object(candidate).kind != python.PyFloat_Type:
        return 0
    number = python.PyFloat_AsDouble(candidate)
    frame[words[0]] = (
        i64(bits_of_f32(f32(number))) & 0xFFFFFFFF if words[1] == AS_F32 else bits_of_f64(number)
    )
    return 1


def int_matches(candidate: ptr, words: ptr[i64], frame: ptr[i64]) -> i32:
    """words: frame word, target, least, most."""
    python = STATE.python
    if Object(candidate).kind != python.PyLong_Type:
        return 0
    overflow = local(i32)
    number = python.PyLong_AsLongLongAndOverflow(candidate, overflow)
    if overflow[0] != 0 or number < words[2] or number > words[3]:
        return 0
    if words[1] == AS_F32:
        frame[words[0]] = i64(bits_of_f32(f32(f64(number)))) & 0xFFFFFFFF
    elif words[1] == AS_F64:
        frame[words[0]] = bits_of_f64(f64(number))
    else:
        frame[words[0]] = number
    return 1


def arguments_match(variant: Variant, arguments: ptr[ptr], frame: ptr[i64]) -> i32:
    """Each argument is (kind, words of operands, operands)."""
    code = variant.arguments
    for number in range(variant.argument_count):
        words = ptr[i64](offset(code, 16))
        candidate = arguments[number]
        if code[0] == ARRAY_ARGUMENT:
            pattern = Pattern(words)
            if array_matches(candidate, pattern) == 0:
                return 0
            frame[pattern.frame_word] = NumpyArray(candidate).data
        elif code[0] == FLOAT_ARGUMENT:
            if float_matches(candidate, words, frame) == 0:
                return 0
        elif code[0] == INT_ARGUMENT:
            if int_matches(candidate, words, frame) == 0:
                return 0
        elif i64(candidate) != words[0]:
            return 0
        code = offset(words, 8 * code[1])
    return 1


def hidden_match(variant: Variant, frame: ptr[i64]) -> i32:
    """Each hidden input is (array, words of the pattern, pattern)."""
    code = variant.hidden
    for _ in range(variant.hidden_count):
        pattern = Pattern(offset(code, 16))
        if array_matches(ptr(code[0]), pattern) == 0:
            return 0
        frame[pattern.frame_word] = NumpyArray(ptr(code[0])).data
        code = offset(pattern, 8 * code[1])
    return 1


def guards_hold(variant: Variant) -> i32:
    """Each guard is (kind, mapping, cell or address, key, expected): the very object that the trace read."""
    python = STATE.python
    for number in range(variant.guard_count):
        words = ptr[i64](offset(variant.guards, 32 * number))
        if words[0] == DICT_GUARD:
            found = python.PyDict_GetItemWithError(ptr(words[1]), ptr(words[2]))
        elif words[0] == WORD_GUARD:
            found = ptr[ptr](words[1])[0]
        else:
            found = python.PyCell_Get(ptr(words[1]))
            if found:
                python.Py_DecRef(found)
        if i64(found) != words[3]:
            if python.PyErr_Occurred():
                python.PyErr_Clear()
            return 0
    return 1


def collect_ranges(code: ptr[i64], count: i64, frame: ptr[i64], ranges: ptr[i64], known: i64) -> i64:
    """Append (first byte, byte beyond, written) of each array; how many there are then, -1 for too many."""
    for _ in range(count):
        if code[0] == ARRAY_ARGUMENT or code[0] > SAME_ARGUMENT:
            if known >= MOST_ARRAYS:
                return -1
            pattern = Pattern(offset(code, 16))
            ranges[3 * known] = frame[pattern.frame_word] + pattern.lowest
            ranges[3 * known + 1] = frame[pattern.frame_word] + pattern.beyond
            ranges[3 * known + 2] = pattern.written
            known += 1
        code = offset(code, 8 * (2 + code[1]))
    return known


def written_overlap(variant: Variant, frame: ptr[i64]) -> i32:
    """1 where bytes of a written argument belong to another array of the call as well."""
    ranges = ptr[i64](local(i64, 192))
    count = collect_ranges(variant.arguments, variant.argument_count, frame, ranges, 0)
    if count >= 0:
        count = collect_ranges(variant.hidden, variant.hidden_count, frame, ranges, count)
    if count < 0:
        return 1
    for first in range(count):
        for second in range(first):
            written = ranges[3 * first + 2] | ranges[3 * second + 2]
            if (
                written
                and ranges[3 * first] < ranges[3 * second + 1]
                and ranges[3 * second] < ranges[3 * first + 1]
            ):
                return 1
    return 0


def matches(variant: Variant, arguments: ptr[ptr], count: i64, frame: ptr[i64]) -> i32:
    if count != variant.argument_count or arguments_match(variant, arguments, frame) == 0:
        return 0
    if hidden_match(variant, frame) == 0 or guards_hold(variant) == 0:
        return 0
    return i32(variant.writes == 0 or written_overlap(variant, frame) == 0)


def make_output(words: ptr[i64], arguments: ptr[ptr], frame: ptr[i64]) -> ptr:
    """words: kind, frame word or argument, dtype, axes, extents, strides. Always takes the buffer over."""
    python = STATE.python
    if words[0] == ARGUMENT_OUTPUT or words[0] == CONSTANT_OUTPUT:
        result = arguments[words[1]] if words[0] == ARGUMENT_OUTPUT else ptr(words[1])
        python.Py_IncRef(result)
        return result
    buffer = ptr(frame[words[1]])
    frame[words[1]] = 0
    if words[0] == ARRAY_OUTPUT:
        return make_array(ptr(words[2]), words[3], ptr(words[4]), ptr(words[5]), buffer)
    scalar = python.make_scalar(buffer, ptr(words[2]), None)
    pool_give(buffer)
    return scalar


def give_outputs(program: Program, frame: ptr[i64]) -> None:
    """Give back the output buffers that no array has taken over."""
    outputs = ptr[i64](program.outputs)
    for number in range(program.output_count):
        pool_give(ptr(frame[outputs[number]]))
        frame[outputs[number]] = 0


def make_outputs(variant: Variant, arguments: ptr[ptr], frame: ptr[i64]) -> ptr:
    python = STATE.python
    if variant.single != 0:
        return make_output(variant.outputs, arguments, frame)
    result = python.PyTuple_New(variant.output_count)
    results = local(ptr, 64)
    for number in range(variant.output_count):
        words = ptr[i64](offset(variant.outputs, 48 * number))
        part = ptr(None)
        if result:
            if words[0] == SAME_OUTPUT:
                part = results[words[1]]
                python.Py_IncRef(part)
            else:
                part = make_output(words, arguments, frame)
            results[number] = part
        if not part:
            if result:
                python.Py_DecRef(result)
            give_outputs(Program(variant.program), frame)
            return None
        python.PyTuple_SetItem(result, number, part)
    return result


def report_fault(variant: Variant, frame: ptr[i64]) -> None:
    """Let Python raise what a position out of bounds is; it knows the arrays and the user's line."""
    python = STATE.python
    arguments = local(ptr, 2)
    base = Program(variant.program).slot_base
    arguments[0] = python.PyLong_FromLongLong(frame[base])
    arguments[1] = python.PyLong_FromLongLong(frame[base + 1])
    if arguments[0] and arguments[1]:
        python.PyObject_Vectorcall(variant.report, arguments, 2, None)
    for number in range(2):
        if arguments[number]:
            python.Py_DecRef(arguments[number])


def run_variant(variant: Variant, arguments: ptr[ptr], frame: ptr[i64]) -> ptr:
    """`running` keeps the variant's memory from being freed while the GIL is released."""
    variant.running += 1
    variant.calls += 1
    status = run_frame(Program(variant.program), frame, i32(variant.release_gil))
    result = ptr(None)
    if status == DONE:
        result = make_outputs(variant, arguments, frame)
    elif status == OUT_OF_BOUNDS:
        report_fault(variant, frame)
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
    if not names:
        stack = ptr[i64](local(i64, STACK_FRAME_WORDS))
        position = 0
        while position < entry.variant_count:
            variant = Variant(entry.variants[position])
            frame = frame_for(Program(variant.program), stack)
            if not frame:
                raise_status(NO_MEMORY)
                return None
            if matches(variant, arguments, count_and_flag & COUNT_MASK, frame) != 0:
                if position > 0:
                    to_front(entry, position)
                entry.fast_calls += 1
                result = run_variant(variant, arguments, frame)
                leave_frame(frame, stack)
                return result
            leave_frame(frame, stack)
            position += 1
    entry.slow_calls += 1
    # The slow callable may drop the entry, and with it the last reference to itself.
    slow = entry.slow
    python.Py_IncRef(slow)
    result = python.PyObject_Vectorcall(slow, arguments, count_and_flag, names)
    python.Py_DecRef(slow)
    return result
