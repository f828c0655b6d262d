"""Matches the arguments of a call against those of a variant, and collects their leaves.

An argument is (kind, words of operands, operands), followed after a container by its members, each in the
same form. Python's own functions read containers; slots are read at their offsets.
"""

from ....codegen.native.language import (
    Struct,
    bits_of_f32,
    bits_of_f64,
    f32,
    f64,
    i8,
    i32,
    i64,
    local,
    offset,
    ptr,
)
from .arrays import NumpyArray, Object, Pattern, array_matches
from .state import STATE

ARRAY_ARGUMENT = 0
FLOAT_ARGUMENT = 1
INT_ARGUMENT = 2
SAME_ARGUMENT = 3
TYPED_ARGUMENT = 4
SCALAR_ARGUMENT = 5
HELD_ARGUMENT = 6
COMPLEX_ARGUMENT = 7
FIXED_MEMBER = 8
TUPLE_ARGUMENT = 9
LIST_ARGUMENT = 10
DICT_ARGUMENT = 11
RECORD_ARGUMENT = 12

AS_F32 = 0
AS_F64 = 1
AS_INTEGER = 2

EQUAL = 2


class Matching(Struct):
    """The state of a match. `holds`: leaves are members of containers, so each is referenced. `held`: the
    arrays that arguments contain, which they may drop meanwhile: each is referenced too, as are values read
    `outside`. `containers`: the lists, dicts and records; null where nobody needs them."""

    arguments: ptr[ptr]
    frame: ptr[i64]
    leaves: ptr[ptr]
    count: i64
    holds: i64
    held: ptr[ptr]
    held_count: i64
    outside: ptr[ptr]
    outside_count: i64
    containers: ptr[ptr]
    container_count: i64


def bits_as(number: f64, target: i64) -> i64:
    return i64(bits_of_f32(f32(number))) & 0xFFFFFFFF if target == AS_F32 else bits_of_f64(number)


def float_matches(candidate: ptr, words: ptr[i64], frame: ptr[i64]) -> i32:
    """words: frame word, target."""
    python = STATE.python
    if Object(candidate).kind != python.PyFloat_Type:
        return 0
    frame[words[0]] = bits_as(python.PyFloat_AsDouble(candidate), words[1])
    return 1


def complex_matches(candidate: ptr, words: ptr[i64], frame: ptr[i64]) -> i32:
    """words: frame words of the real part and of the imaginary one, 0 of one that is not used, target."""
    python = STATE.python
    if Object(candidate).kind != python.PyComplex_Type:
        return 0
    if words[0] != 0:
        frame[words[0]] = bits_as(python.PyComplex_RealAsDouble(candidate), words[2])
    if words[1] != 0:
        frame[words[1]] = bits_as(python.PyComplex_ImagAsDouble(candidate), words[2])
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


def scalar_matches(candidate: ptr, words: ptr[i64], frame: ptr[i64]) -> i32:
    """words: class, frame word, offset of the value, its bytes, whether it is signed."""
    if Object(candidate).kind != ptr(words[0]):
        return 0
    value = ptr[i8](offset(candidate, words[2]))
    bits = i64(0)
    for number in range(words[3]):
        bits |= (i64(value[number]) & 255) << (8 * number)
    if words[4] != 0:
        unused = 64 - 8 * words[3]
        bits = bits << unused >> unused
    frame[words[1]] = bits
    return 1


def same_object(candidate: ptr, expected: ptr, by_value: i64) -> i32:
    """Whether a candidate is the very object; or of exactly its type and equal, where that runs no code of
    the user's."""
    if candidate == expected:
        return 1
    if by_value == 0 or Object(candidate).kind != Object(expected).kind:
        return 0
    return i32(STATE.python.PyObject_RichCompareBool(candidate, expected, EQUAL) == 1)


def held_matches(candidate: ptr, words: ptr[i64], matching: Matching) -> i32:
    """words: pattern, class, offset of the array's slot, number of other slots, and of each of these (offset,
    object, by value)."""
    pattern = Pattern(words)
    told = ptr[i64](offset(words, 8 * pattern.words))
    if Object(candidate).kind != ptr(told[0]):
        return 0
    array = ptr[ptr](offset(candidate, told[1]))[0]
    if not array or array_matches(array, pattern) == 0:
        return 0
    for number in range(told[2]):
        other = ptr[i64](offset(told, 24 + 24 * number))
        found = ptr[ptr](offset(candidate, other[0]))[0]
        if not found or same_object(found, ptr(other[1]), other[2]) == 0:
            return 0
    STATE.python.Py_IncRef(array)
    matching.held[matching.held_count] = array
    matching.held_count += 1
    matching.frame[pattern.frame_word] = NumpyArray(array).data
    return 1


def leaf_matches(code: ptr[i64], candidate: ptr, matching: Matching) -> i32:
    frame = matching.frame
    words = ptr[i64](offset(code, 16))
    if code[0] == ARRAY_ARGUMENT:
        pattern = Pattern(words)
        if array_matches(candidate, pattern) == 0:
            return 0
        frame[pattern.frame_word] = NumpyArray(candidate).data
        return 1
    if code[0] == FLOAT_ARGUMENT:
        return float_matches(candidate, words, frame)
    if code[0] == INT_ARGUMENT:
        return int_matches(candidate, words, frame)
    if code[0] == COMPLEX_ARGUMENT:
        return complex_matches(candidate, words, frame)
    if code[0] == TYPED_ARGUMENT:
        return i32(Object(candidate).kind == ptr(words[0]))
    if code[0] == SCALAR_ARGUMENT:
        return scalar_matches(candidate, words, frame)
    if code[0] == HELD_ARGUMENT:
        return held_matches(candidate, words, matching)
    return same_object(candidate, ptr(words[0]), words[1])


def items_same(mapping: ptr, items: ptr[ptr], count: i64) -> i32:
    """Whether a dict has exactly these keys and values, which alternate, in this order."""
    python = STATE.python
    if python.PyDict_Size(mapping) != count:
        return 0
    position = local(i64)
    key = local(ptr)
    value = local(ptr)
    position[0] = 0
    for number in range(count):
        if python.PyDict_Next(mapping, position, key, value) == 0:
            return 0
        if key[0] != items[2 * number] or value[0] != items[2 * number + 1]:
            return 0
    return 1


def items_match(
    mapping: ptr, keys: ptr[i64], count: i64, following: ptr[i64], matching: Matching
) -> ptr[i64]:
    """Matches exactly these keys in this order, each (object, by value); returns the code after the
    members."""
    python = STATE.python
    if python.PyDict_Size(mapping) != count:
        return None
    position = local(i64)
    key = local(ptr)
    value = local(ptr)
    position[0] = 0
    for number in range(count):
        if python.PyDict_Next(mapping, position, key, value) == 0:
            return None
        if same_object(key[0], ptr(keys[2 * number]), keys[2 * number + 1]) == 0:
            return None
        following = value_matches(following, value[0], matching)
        if not following:
            return None
    return following


def record_matches(candidate: ptr, words: ptr[i64], following: ptr[i64], matching: Matching) -> ptr[i64]:
    """words: class, class of its dict (0: it has none), number of attributes in it, slots, (name, by value)
    of each attribute, (offset, whether it is set) of each slot."""
    python = STATE.python
    if words[1] != 0:
        attributes = python.PyObject_GenericGetDict(candidate, None)
        if not attributes:
            python.PyErr_Clear()
            return None
        if Object(attributes).kind != ptr(words[1]):
            python.Py_DecRef(attributes)
            return None
        following = items_match(attributes, ptr[i64](offset(words, 32)), words[2], following, matching)
        python.Py_DecRef(attributes)
        if not following:
            return None
    slots = ptr[i64](offset(words, 32 + 16 * words[2]))
    for number in range(words[3]):
        held = ptr[ptr](offset(candidate, slots[2 * number]))[0]
        if slots[2 * number + 1] == 0:
            if held:
                return None
        else:
            if not held:
                return None
            following = value_matches(following, held, matching)
            if not following:
                return None
    return following


def members_match(code: ptr[i64], candidate: ptr, matching: Matching) -> ptr[i64]:
    """Matches the members of a container of the right class."""
    python = STATE.python
    words = ptr[i64](offset(code, 16))
    following = ptr[i64](offset(words, 8 * code[1]))
    if code[0] == DICT_ARGUMENT:
        return items_match(candidate, ptr[i64](offset(words, 16)), words[1], following, matching)
    if code[0] == RECORD_ARGUMENT:
        return record_matches(candidate, words, following, matching)
    size = python.PyTuple_Size(candidate) if code[0] == TUPLE_ARGUMENT else python.PyList_Size(candidate)
    if size != words[1]:
        return None
    for number in range(words[1]):
        member = ptr(None)
        if code[0] == TUPLE_ARGUMENT:
            member = python.PyTuple_GetItem(candidate, number)
        else:
            member = python.PyList_GetItem(candidate, number)
        if not member:
            python.PyErr_Clear()
            return None
        following = value_matches(following, member, matching)
        if not following:
            return None
    return following


def value_matches(code: ptr[i64], candidate: ptr, matching: Matching) -> ptr[i64]:
    """Returns the code behind this argument; null where it does not match.

    Reading a record makes its dict, which may run a garbage collection and finalizers: so values that were
    read are referenced.
    """
    python = STATE.python
    if code[0] < TUPLE_ARGUMENT:
        if leaf_matches(code, candidate, matching) == 0:
            return None
        if code[0] != FIXED_MEMBER:
            matching.leaves[matching.count] = candidate
            matching.count += 1
            if matching.holds != 0:
                python.Py_IncRef(candidate)
        return ptr[i64](offset(code, 16 + 8 * code[1]))
    if Object(candidate).kind != ptr(code[2]):
        return None
    if matching.containers and code[0] != TUPLE_ARGUMENT:
        matching.containers[matching.container_count] = candidate
        matching.container_count += 1
    python.Py_IncRef(candidate)
    following = members_match(code, candidate, matching)
    python.Py_DecRef(candidate)
    return following


def names_match(expected: ptr, names: ptr) -> i32:
    """Whether these are the same keywords in the same order; null stands for none."""
    python = STATE.python
    if names == expected:
        return 1
    if not names or not expected or python.PyTuple_Size(names) != python.PyTuple_Size(expected):
        return 0
    for number in range(python.PyTuple_Size(names)):
        if (
            same_object(python.PyTuple_GetItem(names, number), python.PyTuple_GetItem(expected, number), 1)
            == 0
        ):
            return 0
    return 1


def arguments_match(
    code: ptr[i64], count: i64, places: ptr[i64], arguments: ptr[ptr], matching: Matching
) -> ptr[i64]:
    """Returns the code behind the arguments; null where they do not match. `places`: the index of each among
    the given arguments; null where each is a leaf, in the order of all."""
    if not places:
        matching.leaves = arguments
        for number in range(count):
            if leaf_matches(code, arguments[number], matching) == 0:
                return None
            code = ptr[i64](offset(code, 16 + 8 * code[1]))
        return code
    for number in range(count):
        code = value_matches(code, arguments[places[number]], matching)
        if not code:
            return None
    return code


def release(matching: Matching) -> None:
    """Releases all references."""
    for number in range(matching.held_count):
        STATE.python.Py_DecRef(matching.held[number])
    matching.held_count = 0
    for number in range(matching.outside_count):
        STATE.python.Py_DecRef(matching.outside[number])
    matching.outside_count = 0
    matching.container_count = 0
    if matching.holds != 0:
        for number in range(matching.count):
            STATE.python.Py_DecRef(matching.leaves[number])
    matching.count = 0
