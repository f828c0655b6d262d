"""State outside a call, such as attributes of its objects: read when the call is matched, and written after
it has run.

A place is (root, object or number, steps, and of each step: whether it is an item, its key).
"""

from ....codegen.native.language import Struct, i32, i64, offset, ptr
from .matching import Matching, value_matches
from .state import STATE

OBJECT_ROOT = 0
ARGUMENT_ROOT = 1
OUTSIDE_ROOT = 2

STORE_IN_DICT = 0
STORE_IN_SLOT = 1
STORE_ITEM = 2
STORE_AT_END = 3


class Outside(Struct):
    """The state that a variant reads and writes outside. Of `reads` each is (object, attribute); without one
    the object itself. Of `stores` each is (kind, key, words of the place, place).

    Where something is written, no container may be in the call twice, nor be one of `owners`, and none of the
    first `given_containers`, which the arguments are and contain, one of `read`.
    """

    reads: ptr[ptr]
    read_count: i64
    stores: ptr[i64]
    store_count: i64
    owners: ptr[ptr]
    owner_count: i64
    read: ptr[ptr]
    watched_count: i64
    given_containers: i64
    container_count: i64


def outside_matches(outside: Outside, code: ptr[i64], matching: Matching) -> i32:
    """Whether the state outside matches `code`; takes references to it."""
    python = STATE.python
    for number in range(outside.read_count):
        found = outside.reads[2 * number]
        name = outside.reads[2 * number + 1]
        if name:
            found = python.PyObject_GenericGetAttr(found, name)
            if not found:
                python.PyErr_Clear()
                return 0
        else:
            python.Py_IncRef(found)
        matching.outside[number] = found
        matching.outside_count += 1
        code = value_matches(code, found, matching)
        if not code:
            return 0
    return 1


def containers_apart(outside: Outside, matching: Matching) -> i32:
    """Whether no container of the call may be changed in two ways."""
    for number in range(matching.container_count):
        container = matching.containers[number]
        for other in range(number):
            if matching.containers[other] == container:
                return 0
        for other in range(outside.owner_count):
            if outside.owners[other] == container:
                return 0
        if number < outside.given_containers:
            for other in range(outside.watched_count):
                if outside.read[other] == container:
                    return 0
    return 1


def follow(place: ptr[i64], matching: Matching) -> ptr:
    """Returns a new reference to the object at a place; null with an exception."""
    python = STATE.python
    found = ptr(place[1])
    if place[0] == ARGUMENT_ROOT:
        found = matching.arguments[place[1]]
    elif place[0] == OUTSIDE_ROOT:
        found = matching.outside[place[1]]
    python.Py_IncRef(found)
    for number in range(place[2]):
        step = ptr[i64](offset(place, 24 + 16 * number))
        inner = ptr(None)
        if step[0] != 0:
            inner = python.PyObject_GetItem(found, ptr(step[1]))
        else:
            inner = python.PyObject_GetAttr(found, ptr(step[1]))
        python.Py_DecRef(found)
        if not inner:
            return None
        found = inner
    return found


def store(kind: i64, place: ptr, key: ptr, value: ptr) -> i32:
    """Writes a value. Not 0 with an exception."""
    python = STATE.python
    if kind == STORE_IN_DICT:
        attributes = python.PyObject_GenericGetDict(place, None)
        if not attributes:
            return 1
        failed = python.PyDict_SetItem(attributes, key, value)
        python.Py_DecRef(attributes)
        return failed
    if kind == STORE_IN_SLOT:
        return python.PyObject_GenericSetAttr(place, key, value)
    if kind == STORE_ITEM:
        return python.PyObject_SetItem(place, key, value)
    size = python.PyList_Size(place)
    return python.PyList_SetSlice(place, size, size, value)


def put_back(outside: Outside, pair: ptr, matching: Matching) -> ptr:
    """Where something is written: takes a pair, writes the values of its second member, and returns the
    first; null with an exception. All places are found before one is changed."""
    if outside.store_count == 0:
        return pair
    python = STATE.python
    places = ptr[ptr](offset(matching.outside, 8 * outside.read_count))
    failed: i32 = 0
    found = 0
    code = outside.stores
    while found < outside.store_count and failed == 0:
        places[found] = follow(ptr[i64](offset(code, 24)), matching)
        if places[found]:
            found += 1
            code = ptr[i64](offset(code, 24 + 8 * code[2]))
        else:
            failed = 1
    code = outside.stores
    values = python.PyTuple_GetItem(pair, 1)
    for number in range(found):
        if failed == 0:
            failed = store(code[0], places[number], ptr(code[1]), python.PyTuple_GetItem(values, number))
            code = ptr[i64](offset(code, 24 + 8 * code[2]))
        python.Py_DecRef(places[number])
    result = ptr(None)
    if failed == 0:
        result = python.PyTuple_GetItem(pair, 0)
        python.Py_IncRef(result)
    python.Py_DecRef(pair)
    return result
