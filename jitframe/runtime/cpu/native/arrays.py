"""Makes ndarrays around pool buffers, and reads ndarrays, floats and ints in place.

NumPy keeps an array's allocator in its `mem_handler` field (NEP 49); our handler there makes the array own
its buffer like any other, without a capsule. Where the field could not be verified, a capsule is the base.
"""

from ....codegen.native.language import Struct, export, i8, i32, i64, offset, ptr
from .pool import pool_give, pool_take
from .state import STATE

OWNS_DATA = 0x0004
WRITEABLE = 0x0400
ALIGNED = 0x0100
CAPSULE_NAME = "jitframe.buffer"


class Object(Struct):
    """PyObject, as laid out in every CPython with a GIL."""

    references: i64
    kind: ptr


class NumpyArray(Struct):
    """PyArrayObject_fields, up to its flags."""

    references: i64
    kind: ptr
    data: i64
    axes: i32
    extents: ptr[i64]
    strides: ptr[i64]
    base: ptr
    descr: ptr
    flags: i32


class Descr(Struct):
    """The part of PyArray_Descr that NumPy 1 and 2 share."""

    references: i64
    kind: ptr
    scalar_type: ptr
    kind_letter: i8
    type_letter: i8
    byte_order: i8
    spare: i8
    type_number: i32


class Pattern(Struct):
    """The one layout of array that a variant takes, followed by its extents and strides."""

    descr: ptr
    letter_and_order: i64
    element_size: i64
    axes: i64
    flags: i64
    frame_word: i64
    lowest: i64
    beyond: i64
    written: i64
    words: i64


def same_descr(descr: Descr, pattern: Pattern) -> i32:
    """Whether two dtypes are the same: of equal kind, byte order and size. An unpickled array has its own
    dtype object."""
    found = i64(descr.kind_letter) | i64(descr.byte_order) << 8
    size = ptr[i64](offset(descr, STATE.python.array_element_size_offset))[0]
    return i32(found == pattern.letter_and_order and size == pattern.element_size)


def array_matches(candidate: ptr, pattern: Pattern) -> i32:
    """1 where it is exactly an ndarray with the pattern's dtype, shape, strides and flags."""
    array = NumpyArray(candidate)
    if array.kind != STATE.python.array_type or i64(array.axes) != pattern.axes:
        return 0
    if array.descr != pattern.descr and same_descr(Descr(array.descr), pattern) == 0:
        return 0
    if i64(array.flags) & pattern.flags != pattern.flags:
        return 0
    layout = ptr[i64](offset(pattern, 80))
    for axis in range(pattern.axes):
        if array.extents[axis] != layout[axis] or array.strides[axis] != layout[pattern.axes + axis]:
            return 0
    return 1


@export
def free_capsule(capsule: ptr) -> None:
    pool_give(STATE.python.PyCapsule_GetPointer(capsule, CAPSULE_NAME))


def new_owner(buffer: ptr) -> ptr:
    """Returns a capsule that frees a buffer with its last reference. Where it cannot be made, frees the
    buffer at once and sets an exception."""
    owner = STATE.python.PyCapsule_New(buffer, CAPSULE_NAME, ptr(free_capsule))
    if not owner:
        pool_give(buffer)
    return owner


def own_all(numbers: ptr[i64], count: i64, frame: ptr[i64]) -> ptr:
    """Returns a tuple of owners of the buffers in those words of a frame; null and an exception, where there
    is no memory for them."""
    python = STATE.python
    owners = python.PyTuple_New(count)
    for number in range(count):
        buffer = ptr(frame[numbers[number]])
        if owners:
            owner = new_owner(buffer)
            if owner:
                python.PyTuple_SetItem(owners, number, owner)
            else:
                python.Py_DecRef(owners)
                owners = ptr(None)
        else:
            pool_give(buffer)
    return owners


@export
def new_buffer(nbytes: i64, address: ptr[i64]) -> ptr:
    """Returns the owner of a buffer of at least so many bytes, and stores its address; null and a
    MemoryError."""
    buffer = pool_take(nbytes)
    if not buffer:
        return STATE.python.PyErr_NoMemory()
    address[0] = i64(buffer)
    return new_owner(buffer)


@export
def take_over(descr: ptr, axes: i64, extents: ptr, strides: ptr, owner: ptr) -> ptr:
    """Returns a writable ndarray that takes the buffer over from an owner, which owns nothing afterwards."""
    python = STATE.python
    buffer = python.PyCapsule_GetPointer(owner, CAPSULE_NAME)
    python.PyCapsule_SetDestructor(owner, None)
    return make_array(descr, axes, extents, strides, buffer)


def make_array(descr: ptr, axes: i64, extents: ptr, strides: ptr, buffer: ptr) -> ptr:
    """Returns a writable ndarray that owns a pool buffer. Frees the buffer where it cannot be made."""
    python = STATE.python
    # PyArray_NewFromDescr takes over a reference to the dtype, also when it fails.
    python.Py_IncRef(descr)
    array = python.new_from_descr(
        python.array_type, descr, i32(axes), extents, strides, buffer, WRITEABLE | ALIGNED, None
    )
    if not array:
        pool_give(buffer)
        return None
    if python.array_handler_offset > 0:
        python.Py_IncRef(python.memory_handler)
        ptr[ptr](offset(array, python.array_handler_offset))[0] = python.memory_handler
        NumpyArray(array).flags |= OWNS_DATA
        return array
    capsule = new_owner(buffer)
    if not capsule:
        python.Py_DecRef(array)
        return None
    if python.set_base_object(array, capsule) != 0:
        python.Py_DecRef(array)
        return None
    return array


def make_view(descr: ptr, axes: i64, extents: ptr, strides: ptr, base: ptr, begin: i64) -> ptr:
    """Makes an ndarray that is a view of another one, from a byte offset on, writable where that is."""
    python = STATE.python
    whole = NumpyArray(base)
    flags = i32(i64(whole.flags) & (WRITEABLE | ALIGNED))
    python.Py_IncRef(descr)
    array = python.new_from_descr(
        python.array_type, descr, i32(axes), extents, strides, ptr(whole.data + begin), flags, None
    )
    if not array:
        return None
    # It takes over a reference to the base, also when it fails.
    python.Py_IncRef(base)
    if python.set_base_object(array, base) != 0:
        python.Py_DecRef(array)
        return None
    return array
