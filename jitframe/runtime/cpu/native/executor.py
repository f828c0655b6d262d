"""Runs an encoded plan: an array of 8-byte words, interpreted over one frame of 8-byte words.

The frame is [0 | buffer addresses | scalars | loop counters | slot block]. Every slot of a launch is a pair
(frame word, addend): a buffer plus an offset, a scalar plus 0, or word 0, which is zero, plus a constant.
"""

from ....codegen.native.language import (
    Function,
    Struct,
    export,
    i8,
    i32,
    i64,
    local,
    offset,
    ptr,
    sizeof,
)
from .arrays import own_all
from .pool import make_room, pool_give, pool_take, pool_take_aligned_with
from .state import KERNEL, STATE
from .workers import claim_and_run, finish_share, read_clock, share, wake_if_worth

ALLOC = 0
FREE = 1
LAUNCH = 2
CALL = 3
COPY = 4
LOOP = 5
COND = 6
ZERO = 7
FAULTS = 8
WHILE = 9

DONE = 0
INTERRUPTED = 1
NO_MEMORY = 2
LIBRARY_FAILED = 3
NO_OUTPUT = 4
OUT_OF_BOUNDS = 5

STACK_FRAME_WORDS = 1024
POLL_NS = 50_000_000
STEPS_PER_CLOCK = 64
LONE_CHUNKS = 64
ADAPTER = Function(None, ptr, ptr)
MOST_ADDRESSES = 64
"""The most operands, results and workspaces of a library call."""
CALL_WORDS = 1 + MOST_ADDRESSES
TAKEN_WORDS = 5
"""Words of a library call before the places of its addresses."""


class Program(Struct):
    """An encoded plan. `kept` has a byte per buffer: 1 for the caller's and outputs, 0 for temporaries.

    `threads`: the most threads of a launch, the caller included. `short`: whether sleeping workers are woken
    only after a launch has turned out to be long.
    """

    code: ptr
    code_words: i64
    buffers: i64
    inputs: i64
    scalars: i64
    frame_words: i64
    slot_base: i64
    outputs: ptr
    output_count: i64
    kept: ptr
    threads: i64
    short: i64
    runs: i64
    failed: ptr


class Context(Struct):
    """The state of one run: the thread state while the GIL is released, the time of the last check for
    signals, the program."""

    released: ptr
    last_poll_ns: i64
    countdown: i64
    program: ptr


def signals_pending(context: Context) -> i32:
    """Lets Python run its signal handlers; not zero where one raised (Ctrl-C: KeyboardInterrupt)."""
    python = STATE.python
    if not context.released:
        return python.PyErr_CheckSignals()
    python.PyEval_RestoreThread(context.released)
    raised = python.PyErr_CheckSignals()
    context.released = python.PyEval_SaveThread()
    return raised


def poll(context: Context) -> i32:
    """Not zero where the run must end; checks for signals each 50 ms, to leave the GIL to other threads."""
    now = read_clock(STATE.system.clock)
    if now != 0:
        if context.last_poll_ns == 0:
            context.last_poll_ns = now
        if now - context.last_poll_ns < POLL_NS:
            return 0
        context.last_poll_ns = now
    return signals_pending(context)


def launch_alone(context: Context, kernel: KERNEL, slots: ptr, groups: i64) -> i32:
    chunk = groups // LONE_CHUNKS
    if chunk < 1:
        chunk = 1
    begin = 0
    while begin < groups:
        end = begin + chunk
        if end > groups:
            end = groups
        kernel(slots, begin, end)
        begin = end
        if begin < groups and poll(context) != 0:
            return INTERRUPTED
    return DONE


def launch(context: Context, kernel: KERNEL, slots: ptr, groups: i64) -> i32:
    if groups <= 1:
        if groups == 1:
            kernel(slots, 0, 1)
        return DONE
    program = Program(context.program)
    if share(kernel, slots, groups, program.threads, program.short) == 0:
        return launch_alone(context, kernel, slots, groups)
    status: i32 = DONE
    while claim_and_run(-1) != 0:
        if STATE.workers.held_ns != 0:
            wake_if_worth()
        if poll(context) != 0:
            status = INTERRUPTED
            break
    finish_share()
    return status


def find_fault(context: Context, words: ptr[i64], frame: ptr[i64]) -> i32:
    """words: buffer (pair), count, number of the first. Writes the first word that is not 0, and its number,
    to the slot block."""
    noted = ptr[i64](frame[words[0]] + words[1])
    for number in range(words[2]):
        if noted[number] != 0:
            slots = ptr[i64](offset(frame, 8 * Program(context.program).slot_base))
            slots[0] = words[3] + number
            slots[1] = noted[number]
            return OUT_OF_BOUNDS
    return DONE


@export
def call_some(arguments: ptr, begin: i64, end: i64) -> None:
    """Makes the calls of parts begin .. end-1 of a batch of library calls; has the signature of kernels.

    arguments: words as in `library_call`, addresses of operands, results and workspace.
    """
    slots = ptr[i64](arguments)
    words = ptr[i64](ptr(slots[0]))
    parts = words[2]
    calls = words[3]
    count = words[4]
    apart = ptr[i64](offset(words, 8 * (TAKEN_WORDS + 2 * count)))
    axes = ptr[i64](offset(apart, 8 * count))
    given = ptr(offset(axes, 8 * (1 + axes[0] * (1 + count))))
    moved = local(i64, MOST_ADDRESSES)
    for part in range(begin, end):
        for number in range(part * calls // parts, (part + 1) * calls // parts):
            rest = number
            for place in range(count):
                moved[place] = slots[1 + place] + part * apart[place]
            for outer in range(axes[0]):
                axis = ptr[i64](offset(axes, 8 * (1 + (axes[0] - 1 - outer) * (1 + count))))
                position = rest % axis[0]
                rest = rest // axis[0]
                for place in range(count):
                    moved[place] += position * axis[1 + place]
            ADAPTER(ptr(words[0]))(given, ptr(moved))


def library_call(context: Context, words: ptr[i64], frame: ptr[i64]) -> i32:
    """words: adapter, whether threads share the calls, number of parts, calls, addresses, so many pairs,
    stride between parts in bytes at each address, axes, so many (count, stride between calls in bytes at each
    address), argument of the adapter."""
    slots = local(i64, CALL_WORDS)
    slots[0] = i64(words)
    for place in range(words[4]):
        slots[1 + place] = frame[words[TAKEN_WORDS + 2 * place]] + words[TAKEN_WORDS + 1 + 2 * place]
    if words[1] == 0:
        return launch_alone(context, KERNEL(ptr(call_some)), slots, words[2])
    return launch(context, KERNEL(ptr(call_some)), slots, words[2])


def take_again(context: Context, words: ptr[i64], frame: ptr[i64]) -> i32:
    """words: frame word, bytes, frame word of the buffer to align with. Repeats a refused request after
    `make_room`."""
    python = STATE.python
    if context.released:
        python.PyEval_RestoreThread(context.released)
    raised = make_room()
    if context.released:
        context.released = python.PyEval_SaveThread()
    if raised != 0:
        return INTERRUPTED
    buffer = pool_take_aligned_with(words[1], frame[words[2]])
    frame[words[0]] = i64(buffer)
    if not buffer:
        return NO_MEMORY
    return DONE


def swap_buffers(pairs: ptr[i64], count: i64, frame: ptr[i64]) -> None:
    for number in range(count):
        first = pairs[2 * number]
        second = pairs[2 * number + 1]
        held = frame[first]
        frame[first] = frame[second]
        frame[second] = held


def loop_bound(words: ptr[i64], frame: ptr[i64]) -> i64:
    """words: pair, whether it is the address of the bound."""
    value = frame[words[0]] + words[1]
    if words[2] != 0:
        return ptr[i64](value)[0]
    return value


def run_loop(context: Context, words: ptr[i64], frame: ptr[i64]) -> i32:
    """words: counter, lower and upper (see `loop_bound`), body words, swaps, two frame words each, body."""
    index = loop_bound(ptr[i64](offset(words, 8)), frame)
    upper = loop_bound(ptr[i64](offset(words, 32)), frame)
    pairs = ptr[i64](offset(words, 72))
    body = ptr[i64](offset(pairs, 16 * words[8]))
    while index < upper:
        frame[words[0]] = index
        status = run_steps(context, body, words[7], frame)
        if status != DONE:
            return status
        swap_buffers(pairs, words[8], frame)
        index += 1
    return DONE


def run_while(context: Context, words: ptr[i64], frame: ptr[i64]) -> i32:
    """words: predicate (pair), words of condition and body, swaps, two frame words each, condition, body."""
    pairs = ptr[i64](offset(words, 40))
    condition = ptr[i64](offset(pairs, 16 * words[4]))
    body = ptr[i64](offset(condition, 8 * words[2]))
    status = run_steps(context, condition, words[2], frame)
    while status == DONE:
        if ptr[i8](frame[words[0]] + words[1])[0] == 0:
            return DONE
        status = run_steps(context, body, words[3], frame)
        if status == DONE:
            swap_buffers(pairs, words[4], frame)
            status = run_steps(context, condition, words[2], frame)
    return status


def run_steps(context: Context, code: ptr[i64], count: i64, frame: ptr[i64]) -> i32:
    """Interprets `count` words of steps. Each step is (operation, words of operands, operands)."""
    position = 0
    while position < count:
        words = ptr[i64](offset(code, 8 * (position + 2)))
        operation = code[position]
        position += 2 + code[position + 1]
        status: i32 = DONE
        if operation == LAUNCH:
            slots = ptr[i64](offset(frame, 8 * Program(context.program).slot_base))
            for number in range(words[2]):
                slots[number] = frame[words[3 + 2 * number]] + words[4 + 2 * number]
            status = launch(context, KERNEL(ptr(words[0])), slots, words[1])
        elif operation == ALLOC:
            pool_give(ptr(frame[words[0]]))
            buffer = pool_take_aligned_with(words[1], frame[words[2]])
            frame[words[0]] = i64(buffer)
            if not buffer:
                status = take_again(context, words, frame)
        elif operation == FREE:
            pool_give(ptr(frame[words[0]]))
            frame[words[0]] = 0
        elif operation == CALL:
            status = library_call(context, words, frame)
            if ptr[i32](Program(context.program).failed)[0] != 0:
                return LIBRARY_FAILED
        elif operation == COPY:
            target = ptr(frame[words[0]] + words[1])
            STATE.system.memmove(target, ptr(frame[words[2]] + words[3]), words[4])
        elif operation == LOOP:
            status = run_loop(context, words, frame)
        elif operation == ZERO:
            STATE.system.memset(ptr(frame[words[0]] + words[1]), 0, words[2])
        elif operation == FAULTS:
            status = find_fault(context, words, frame)
        elif operation == WHILE:
            status = run_while(context, words, frame)
        else:
            body = ptr[i64](offset(words, 32))
            if ptr[i8](frame[words[0]] + words[1])[0] != 0:
                status = run_steps(context, body, words[2], frame)
            else:
                status = run_steps(context, ptr[i64](offset(body, 8 * words[2])), words[3], frame)
        if status != DONE:
            return status
        context.countdown -= 1
        if context.countdown <= 0:
            context.countdown = STEPS_PER_CLOCK
            if poll(context) != 0:
                return INTERRUPTED
    return DONE


def release_buffers(program: Program, frame: ptr[i64], outputs_too: i32) -> None:
    """Frees the buffers that the plan still holds; inputs are the caller's."""
    kept = ptr[i8](program.kept)
    for number in range(program.inputs, program.buffers):
        if (outputs_too != 0 or kept[number] == 0) and frame[1 + number] != 0:
            pool_give(ptr(frame[1 + number]))
            frame[1 + number] = 0


def run_frame(program: Program, frame: ptr[i64], release_gil: i32) -> i32:
    """Runs over a frame whose inputs and scalars are filled in; on success its outputs are the caller's."""
    context = local(Context)
    context.released = None
    context.last_poll_ns = 0
    context.countdown = STEPS_PER_CLOCK
    context.program = program
    frame[0] = 0
    for number in range(program.inputs, program.buffers):
        frame[1 + number] = 0
    program.runs += 1
    if release_gil != 0:
        context.released = STATE.python.PyEval_SaveThread()
    status = run_steps(context, program.code, program.code_words, frame)
    if context.released:
        STATE.python.PyEval_RestoreThread(context.released)
    if status == LIBRARY_FAILED:
        ptr[i32](program.failed)[0] = 0
    outputs = ptr[i64](program.outputs)
    if status == DONE:
        for number in range(program.output_count):
            if frame[outputs[number]] == 0:
                status = NO_OUTPUT
        if STATE.pool.written_bytes != STATE.pool.taken_bytes:
            STATE.pool.written_bytes = STATE.pool.taken_bytes
    release_buffers(program, frame, i32(status != DONE))
    return status


def raise_status(status: i32) -> None:
    """Sets the exception of a run that did not finish; an interrupt has set its own."""
    python = STATE.python
    if status == NO_MEMORY:
        if python.out_of_memory:
            python.PyObject_Vectorcall(python.out_of_memory, None, 0, None)
        else:
            python.PyErr_NoMemory()
    elif status == LIBRARY_FAILED:
        python.PyErr_SetString(ptr[ptr](python.PyExc_RuntimeError)[0], "a library call in the plan failed")
    elif status == NO_OUTPUT:
        python.PyErr_SetString(ptr[ptr](python.PyExc_RuntimeError)[0], "the plan did not allocate an output")


def raise_shortage() -> None:
    """Sets the exception of a run that has no frame, unless there is one already."""
    if not STATE.python.PyErr_Occurred():
        raise_status(NO_MEMORY)


def tell_pressure(result: ptr) -> ptr:
    """Tells Python that much memory has become live, before a run's result is returned; where that is
    interrupted, drops the result."""
    python = STATE.python
    if STATE.pool.crossings == 0 or not result:
        return result
    STATE.pool.crossings = 0
    if python.under_pressure:
        python.Py_DecRef(python.PyObject_Vectorcall(python.under_pressure, None, 0, None))
        if python.PyErr_Occurred():
            python.Py_DecRef(result)
            return None
    return result


def frame_for(words: i64, stack: ptr[i64]) -> ptr[i64]:
    """Returns the caller's stack memory where a frame of so many words fits, else memory of the pool; null,
    and perhaps an exception, where there is none."""
    if words <= STACK_FRAME_WORDS:
        return stack
    nbytes = words * sizeof(i64)
    frame = pool_take(nbytes)
    if not frame and make_room() == 0:
        frame = pool_take(nbytes)
    return frame


def leave_frame(frame: ptr[i64], stack: ptr[i64]) -> None:
    if frame != stack:
        pool_give(frame)


@export
def run_program(
    program: Program, inputs: ptr[i64], scalars: ptr[i64], outputs: ptr[i64], release_gil: i32
) -> ptr:
    """Runs a program with the GIL held: returns owners of the outputs, whose addresses are in `outputs`
    behind DONE; or null and an exception.

    OUT_OF_BOUNDS sets none, and there are no owners: the number and the value of the fault follow it.
    """
    stack = ptr[i64](local(i64, STACK_FRAME_WORDS))
    frame = frame_for(program.frame_words, stack)
    if not frame:
        raise_shortage()
        return None
    for number in range(program.inputs):
        frame[1 + number] = inputs[number]
    for number in range(program.scalars):
        frame[1 + program.buffers + number] = scalars[number]
    status = run_frame(program, frame, release_gil)
    raise_status(status)
    outputs[0] = i64(status)
    owners = ptr(None)
    if status == DONE:
        numbers = ptr[i64](program.outputs)
        for number in range(program.output_count):
            outputs[1 + number] = frame[numbers[number]]
        owners = tell_pressure(own_all(numbers, program.output_count, frame))
    elif status == OUT_OF_BOUNDS:
        outputs[1] = frame[program.slot_base]
        outputs[2] = frame[program.slot_base + 1]
        owners = STATE.python.PyTuple_New(0)
    leave_frame(frame, stack)
    return owners
