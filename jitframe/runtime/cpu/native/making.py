"""Builds the result of a call: its leaves from the program's buffers, and their containers.

A result's form is (kind, ...), followed after a container by its members, each in the same form.
"""

from ....codegen.native.language import Struct, f64, i8, i64, local, offset, ptr
from .arrays import make_array, make_view
from .executor import Program
from .matching import Matching
from .outside import follow
from .pool import pool_give
from .state import STATE

ARRAY_OUTPUT = 0
SCALAR_OUTPUT = 1
ARGUMENT_OUTPUT = 2
SAME_OUTPUT = 3
CONSTANT_OUTPUT = 4
NUMBER_OUTPUT = 5
PLACE_OUTPUT = 6
VIEW_OUTPUT = 7

AS_FLOAT = 0
AS_INT = 1
AS_BOOL = 2
AS_COMPLEX = 3

LEAF_RESULT = 0
CONSTANT_RESULT = 1
TUPLE_RESULT = 2
NAMED_RESULT = 3
LIST_RESULT = 4
DICT_RESULT = 5
RECORD_RESULT = 6
CALLED_RESULT = 7


class Making(Struct):
    """The form of the next value, and the leaves that are in no container yet."""

    form: ptr[i64]
    leaves: ptr[ptr]
    next: i64


def put_into_holder(holder: ptr[i64], array: ptr) -> ptr:
    """Returns a new object that contains an array, which it takes over. holder: class, offset of the array's
    slot, number of other slots, and of each of these (offset, object)."""
    python = STATE.python
    if not array:
        return None
    made = python.PyType_GenericAlloc(ptr(holder[0]), 0)
    if not made:
        python.Py_DecRef(array)
        return None
    ptr[ptr](offset(made, holder[1]))[0] = array
    for number in range(holder[2]):
        other = ptr[i64](offset(holder, 24 + 16 * number))
        python.Py_IncRef(ptr(other[1]))
        ptr[i64](offset(made, other[0]))[0] = other[1]
    return made


def view_of(words: ptr[i64], matching: Matching, made: ptr[ptr]) -> ptr:
    """words: kind of the base, and the number of its argument, object or leaf; dtype, axes, first byte,
    extents, strides."""
    base = ptr(words[1])
    if words[0] == ARGUMENT_OUTPUT:
        base = matching.leaves[words[1]]
    elif words[0] == SAME_OUTPUT:
        base = made[words[1]]
    extents = offset(words, 40)
    return make_view(ptr(words[2]), words[3], extents, offset(extents, 8 * words[3]), base, words[4])


def make_leaf(words: ptr[i64], matching: Matching, frame: ptr[i64], made: ptr[ptr]) -> ptr:
    """words: kind, frame word, argument, place or view, dtype or kind of number, axes, extents, strides,
    holder. Always takes the buffer over."""
    python = STATE.python
    if words[0] == ARGUMENT_OUTPUT or words[0] == CONSTANT_OUTPUT:
        result = matching.leaves[words[1]] if words[0] == ARGUMENT_OUTPUT else ptr(words[1])
        python.Py_IncRef(result)
        return result
    if words[0] == PLACE_OUTPUT:
        return follow(ptr[i64](words[1]), matching)
    if words[0] == VIEW_OUTPUT:
        return view_of(ptr[i64](words[1]), matching, made)
    if words[0] == SAME_OUTPUT:
        python.Py_IncRef(made[words[1]])
        return made[words[1]]
    buffer = ptr(frame[words[1]])
    frame[words[1]] = 0
    if words[0] == ARRAY_OUTPUT:
        array = make_array(ptr(words[2]), words[3], ptr(words[4]), ptr(words[5]), buffer)
        return put_into_holder(ptr[i64](words[6]), array) if words[6] != 0 else array
    number = ptr(None)
    if words[0] == SCALAR_OUTPUT:
        number = python.make_scalar(buffer, ptr(words[2]), None)
    elif words[2] == AS_FLOAT:
        number = python.PyFloat_FromDouble(ptr[f64](buffer)[0])
    elif words[2] == AS_INT:
        number = python.PyLong_FromLongLong(ptr[i64](buffer)[0])
    elif words[2] == AS_COMPLEX:
        number = python.PyComplex_FromDoubles(ptr[f64](buffer)[0], ptr[f64](buffer)[1])
    else:
        number = python.PyBool_FromLong(i64(ptr[i8](buffer)[0]))
    pool_give(buffer)
    return number


def give_outputs(program: Program, frame: ptr[i64]) -> None:
    """Frees the output buffers that no array has taken over."""
    outputs = ptr[i64](program.outputs)
    for number in range(program.output_count):
        pool_give(ptr(frame[outputs[number]]))
        frame[outputs[number]] = 0


def new_of(create: ptr, kind: ptr, contents: ptr) -> ptr:
    """Returns `create(kind, contents)`, or `create(kind)` without contents; takes the contents over."""
    python = STATE.python
    arguments = local(ptr, 2)
    arguments[0] = kind
    arguments[1] = contents
    if not contents:
        return python.PyObject_Vectorcall(create, arguments, 1, None)
    made = python.PyObject_Vectorcall(create, arguments, 2, None)
    python.Py_DecRef(contents)
    return made


def make_sequence(making: Making, kind: i64, count: i64) -> ptr:
    python = STATE.python
    made = python.PyList_New(count) if kind == LIST_RESULT else python.PyTuple_New(count)
    if not made:
        return None
    for number in range(count):
        member = make_value(making)
        if not member:
            python.Py_DecRef(made)
            return None
        if kind == LIST_RESULT:
            python.PyList_SetItem(made, number, member)
        else:
            python.PyTuple_SetItem(made, number, member)
    return made


def fill(making: Making, made: ptr, kind: i64, names: ptr[ptr], count: i64) -> ptr:
    """Fills a new dict with its items, or a new record with its attributes; takes it over."""
    python = STATE.python
    for number in range(count):
        member = make_value(making)
        if not member:
            python.Py_DecRef(made)
            return None
        failed = (
            python.PyDict_SetItem(made, names[number], member)
            if kind == DICT_RESULT
            else python.PyObject_GenericSetAttr(made, names[number], member)
        )
        python.Py_DecRef(member)
        if failed != 0:
            python.Py_DecRef(made)
            return None
    return made


def make_value(making: Making) -> ptr:
    """LEAF; CONSTANT, object; TUPLE or LIST, count; NAMED, count, class, maker; DICT, count, keys; RECORD,
    count, class, maker, names; CALLED, count, a function of a tuple. Where it cannot be made, the remaining
    leaves stay."""
    python = STATE.python
    form = making.form
    kind = form[0]
    if kind == LEAF_RESULT:
        leaf = making.leaves[making.next]
        making.leaves[making.next] = None
        making.next += 1
        making.form = ptr[i64](offset(form, 8))
        return leaf
    if kind == CONSTANT_RESULT:
        python.Py_IncRef(ptr(form[1]))
        making.form = ptr[i64](offset(form, 16))
        return ptr(form[1])
    if form[0] == TUPLE_RESULT or form[0] == LIST_RESULT:
        making.form = ptr[i64](offset(form, 16))
        return make_sequence(making, kind, form[1])
    if kind == NAMED_RESULT:
        making.form = ptr[i64](offset(form, 32))
        members = make_sequence(making, TUPLE_RESULT, form[1])
        if not members:
            return None
        return new_of(ptr(form[3]), ptr(form[2]), members)
    if kind == CALLED_RESULT:
        making.form = ptr[i64](offset(form, 24))
        members = make_sequence(making, TUPLE_RESULT, form[1])
        if not members:
            return None
        called = new_of(ptr(form[2]), members, None)
        python.Py_DecRef(members)
        return called
    names = 16 if kind == DICT_RESULT else 32
    made = python.PyDict_New() if kind == DICT_RESULT else new_of(ptr(form[3]), ptr(form[2]), None)
    if not made:
        return None
    making.form = ptr[i64](offset(form, names + 8 * form[1]))
    return fill(making, made, kind, ptr[ptr](offset(form, names)), form[1])


def make_result(
    program: Program,
    outputs: ptr[i64],
    count: i64,
    bases: i64,
    form: ptr[i64],
    matching: Matching,
    frame: ptr[i64],
    leaves: ptr[ptr],
) -> ptr:
    """Makes the result of a run, of `count` leaves, for which there is memory at `leaves`; the first `bases`
    of them are bases of views, and not in it."""
    python = STATE.python
    if form[0] == LEAF_RESULT and count == 1:
        return make_leaf(outputs, matching, frame, leaves)
    made = 0
    while made < count:
        words = ptr[i64](offset(outputs, 56 * made))
        leaf = make_leaf(words, matching, frame, leaves)
        if not leaf:
            break
        leaves[made] = leaf
        made += 1
    result = ptr(None)
    if made == count:
        making = local(Making)
        making.form = form
        making.leaves = leaves
        making.next = bases
        result = make_value(making)
    if result:
        made = bases
    else:
        give_outputs(program, frame)
    for number in range(made):
        if leaves[number]:
            python.Py_DecRef(leaves[number])
    return result
