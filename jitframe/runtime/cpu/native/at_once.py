"""Operations on small Tensors that are known, answered by NumPy's functions (see `tensors.at_once`).

Every function here gives null where the slow callable is to answer, be it by an exception.
"""

from ....codegen.native.language import Struct, i32, i64, local, offset, ptr
from .arrays import OWNS_DATA, WRITEABLE, NumpyArray, Object
from .lazy_programs import Lazy, has_own_memory, is_monitored, is_traced, new_tensor, number_of, put, slot
from .matching import EQUAL
from .state import STATE

MOST_ARGUMENTS = 8
BROADCAST = 1
MATRICES = 2
REDUCED = 3
WIDE = 8
C_CONTIGUOUS = 0x0001
VIEWS = 64


class Operator(Struct):
    """What a method or a function points at. `any_number`: it does the same to a floating array whatever
    number the other operand is. `numpy`: what NumPy has for it, of at most `most` arguments, whose results
    `room` bounds."""

    slow: ptr
    lazy: ptr
    function: ptr
    arithmetic: i64
    is_reflected: i64
    in_place: i64
    any_number: i64
    numpy: ptr
    most: i64
    room: i64


def element_size(array: NumpyArray) -> i64:
    """Bytes of an element."""
    return ptr[i64](offset(array.descr, STATE.python.array_element_size_offset))[0]


def size_of(array: NumpyArray) -> i64:
    """How many elements there are."""
    size: i64 = 1
    for axis in range(i64(array.axes)):
        size = size * array.extents[axis]
    return size


def strides_of(lazy: Lazy, array: NumpyArray) -> ptr:
    """A new reference to an array's strides in elements, as Tensors have them: None in C order."""
    python = STATE.python
    if i64(array.flags) & C_CONTIGUOUS:
        python.Py_IncRef(lazy.none)
        return lazy.none
    axes = i64(array.axes)
    strides = python.PyTuple_New(axes)
    if not strides:
        return None
    for axis in range(axes):
        number = python.PyLong_FromLongLong(array.strides[axis] // element_size(array))
        if not number:
            python.Py_DecRef(strides)
            return None
        python.PyTuple_SetItem(strides, axis, number)
    return strides


def lies_so(array: NumpyArray, lazy: Lazy, order: ptr) -> i32:
    """Whether an array lies as the strides of a Tensor of its own memory tell."""
    axes = i64(array.axes)
    if axes < 2:
        return 1
    if order == lazy.none:
        return i32(i64(array.flags) & C_CONTIGUOUS)
    if STATE.python.PyTuple_Size(order) != axes:
        return 0
    for axis in range(axes):
        if number_of(STATE.python.PyTuple_GetItem(order, axis)) * element_size(array) != array.strides[axis]:
            return 0
    return 1


def known_value(lazy: Lazy, tensor: ptr, most: i64) -> ptr:
    """The value of a Tensor of the host that is small and known; not kept by a reference."""
    python = STATE.python
    if slot(tensor, lazy.tensor_frame) != lazy.frame:
        return None
    array = NumpyArray(slot(tensor, lazy.tensor_value))
    if array.kind != python.array_type:
        return None
    nbytes = size_of(array) * element_size(array)
    if nbytes > most or nbytes == 0:
        return None
    if array.descr != lazy.f64_descr and not python.PyDict_GetItemWithError(lazy.dtypes, array.descr):
        return None
    if slot(tensor, lazy.tensor_base) != lazy.none:
        return ptr(array) if array.axes < 2 else ptr(None)
    return ptr(array) if lies_so(array, lazy, slot(tensor, lazy.tensor_order)) != 0 else ptr(None)


def plain(lazy: Lazy, argument: ptr, most: i64) -> ptr:
    """A new reference to what NumPy is given for an argument that is no sequence."""
    python = STATE.python
    kind = Object(argument).kind
    found = ptr(None)
    if kind == lazy.tensor_type:
        found = known_value(lazy, argument, most)
    elif (
        kind == python.PyFloat_Type
        or kind == python.PyLong_Type
        or argument == lazy.none
        or argument == lazy.yes
        or argument == lazy.no
    ):
        found = argument
    if found:
        python.Py_IncRef(found)
    return found


def given(lazy: Lazy, argument: ptr, most: i64) -> ptr:
    """A new reference to what NumPy is given for an argument."""
    python = STATE.python
    kind = Object(argument).kind
    if kind != lazy.tuple_type and kind != lazy.list_type:
        return plain(lazy, argument, most)
    is_list = i32(kind == lazy.list_type)
    count = python.PyList_Size(argument) if is_list != 0 else python.PyTuple_Size(argument)
    made = python.PyTuple_New(count)
    if not made:
        return None
    for number in range(count):
        item = (
            python.PyList_GetItem(argument, number)
            if is_list != 0
            else python.PyTuple_GetItem(argument, number)
        )
        found = plain(lazy, item, most)
        if not found:
            python.Py_DecRef(made)
            return None
        python.PyTuple_SetItem(made, number, found)
    return made


def extent(array: NumpyArray, axis: i64) -> i64:
    """The extent of an axis counted from the last; 1 beyond the first."""
    axes = i64(array.axes)
    return array.extents[axes - 1 - axis] if axis < axes else i64(1)


def has_room(lazy: Lazy, room: i64, arguments: ptr[ptr], count: i64) -> i32:
    """Whether a result of these arguments is small, too."""
    python = STATE.python
    if room == 0 or room == REDUCED:
        return 1
    size: i64 = 1
    if room == MATRICES:
        first = NumpyArray(arguments[0])
        second = NumpyArray(arguments[1])
        if first.kind != python.array_type or second.kind != python.array_type:
            return 0
        if first.axes == 0 or second.axes == 0:
            return 0
        size = size_of(first) // extent(first, 0)
        if second.axes > 1:
            size = size * (size_of(second) // extent(second, 1))
        return i32(size * 8 <= lazy.small_bytes)
    axes: i64 = 0
    for number in range(count):
        array = NumpyArray(arguments[number])
        if array.kind == python.array_type and i64(array.axes) > axes:
            axes = i64(array.axes)
    for axis in range(axes):
        most: i64 = 1
        for number in range(count):
            array = NumpyArray(arguments[number])
            if array.kind == python.array_type and extent(array, axis) > most:
                most = extent(array, axis)
        size = size * most
    return i32(size * 8 <= lazy.small_bytes)


def silently(lazy: Lazy, function: ptr, arguments: ptr[ptr], count: i64, names: ptr) -> ptr:
    """What a function of NumPy's gives, without its warnings of what floats are."""
    python = STATE.python
    before = python.PyContextVar_Set(lazy.errors, lazy.silent)
    if not before:
        return None
    made = python.PyObject_Vectorcall(function, arguments, count, names)
    if python.PyContextVar_Reset(lazy.errors, before) != 0 and made:
        python.Py_DecRef(made)
        made = ptr(None)
    python.Py_DecRef(before)
    return made


def wrapped(lazy: Lazy, made: ptr) -> ptr:
    """The Tensor of an array, or of a scalar of NumPy's, which is taken over."""
    python = STATE.python
    value = made
    if Object(made).kind != python.array_type:
        arguments = local(ptr, 1)
        arguments[0] = made
        value = python.PyObject_Vectorcall(lazy.as_array, arguments, 1, None)
        python.Py_DecRef(made)
        if not value:
            return None
    array = NumpyArray(value)
    tensor = ptr(None)
    dtype = python.PyDict_GetItemWithError(lazy.dtypes, array.descr)
    if dtype and array.kind == python.array_type:
        shape = lazy.empty
        if array.axes != 0:
            shape = python.PyObject_GetAttr(value, lazy.shape_name)
        else:
            python.Py_IncRef(shape)
        if shape:
            tensor = new_tensor(lazy, shape, dtype, lazy.yes if array.axes == 0 else lazy.no)
            python.Py_DecRef(shape)
    if tensor:
        put(tensor, lazy.tensor_value, value)
        if array.axes > 1:
            order = strides_of(lazy, array)
            if order:
                put(tensor, lazy.tensor_order, order)
                python.Py_DecRef(order)
            else:
                python.Py_DecRef(tensor)
                tensor = ptr(None)
    python.Py_DecRef(value)
    return tensor


def called(operator: Operator, arguments: ptr[ptr], count: i64, names: ptr) -> ptr:
    """A new reference to what NumPy's function gives of arguments; the last ones have names."""
    python = STATE.python
    lazy = Lazy(operator.lazy)
    if not operator.numpy or lazy.small_bytes < 0 or count > operator.most:
        return None
    named: i64 = 0
    if names:
        named = python.PyTuple_Size(names)
        for number in range(named):
            if not python.PyDict_GetItemWithError(lazy.options, python.PyTuple_GetItem(names, number)):
                return None
    total = count + named
    if total > MOST_ARGUMENTS or total == 0 or is_monitored(lazy) != 0:
        return None
    most = lazy.small_bytes
    if operator.room >= MATRICES:
        most = most * WIDE
    found = local(ptr, 8)
    ready: i64 = 0
    has_tensor: i32 = 0
    for number in range(total):
        if ready == number:
            kind = Object(arguments[number]).kind
            if kind == lazy.tensor_type or kind == lazy.list_type or kind == lazy.tuple_type:
                has_tensor = 1
            found[number] = given(lazy, arguments[number], most)
            if found[number]:
                ready = ready + 1
    made = ptr(None)
    if ready == total and has_tensor != 0 and has_room(lazy, operator.room, found, count) != 0:
        made = silently(lazy, operator.numpy, found, count, names)
    for number in range(ready):
        python.Py_DecRef(found[number])
    return made


def answered_at_once(operator: Operator, x: ptr, y: ptr) -> ptr:
    """The Tensor that an operator gives of two operands."""
    operands = local(ptr, 2)
    operands[0] = x
    operands[1] = y
    made = called(operator, operands, 2, None)
    return wrapped(Lazy(operator.lazy), made) if made else ptr(None)


def changed_at_once(operator: Operator, own: ptr, other: ptr) -> ptr:
    """The first operand, which nobody else shows, after an operator in place."""
    python = STATE.python
    lazy = Lazy(operator.lazy)
    if has_own_memory(lazy, own) == 0 or is_traced(lazy) != 0:
        return None
    made = answered_at_once(operator, own, other)
    if not made:
        return None
    alike = i32(
        slot(made, lazy.tensor_dtype) == slot(own, lazy.tensor_dtype)
        and slot(made, lazy.tensor_order) == lazy.none
        and slot(own, lazy.tensor_order) == lazy.none
    )
    if alike != 0:
        alike = python.PyObject_RichCompareBool(
            slot(made, lazy.tensor_shape), slot(own, lazy.tensor_shape), EQUAL
        )
    if alike == 1:
        put(own, lazy.tensor_value, slot(made, lazy.tensor_value))
        put(own, lazy.tensor_pending, lazy.none)
        python.Py_IncRef(own)
    python.Py_DecRef(made)
    return own if alike == 1 else ptr(None)


def is_item(lazy: Lazy, item: ptr) -> i32:
    """Whether an item of an index is a number or a slice."""
    kind = Object(item).kind
    return i32(kind == lazy.slice_type or kind == STATE.python.PyLong_Type or item == lazy.none)


def is_plain_index(lazy: Lazy, index: ptr) -> i32:
    """Whether an index is one of numbers and slices."""
    python = STATE.python
    if Object(index).kind != lazy.tuple_type:
        return is_item(lazy, index)
    for number in range(python.PyTuple_Size(index)):
        if is_item(lazy, python.PyTuple_GetItem(index, number)) == 0:
            return 0
    return 1


def remembered(lazy: Lazy, root: ptr, view: ptr) -> i32:
    """Has a Tensor know a view of it; 0 where that failed, or there are many of them."""
    python = STATE.python
    views = slot(root, lazy.tensor_views)
    if views == lazy.none:
        views = python.PyList_New(0)
        if not views:
            return 0
        put(root, lazy.tensor_views, views)
        python.Py_DecRef(views)
    count = python.PyList_Size(views)
    if count >= VIEWS and count & (count - 1) == 0:
        return 0
    reference = python.PyWeakref_NewRef(view, None)
    if not reference:
        return 0
    failed = python.PyList_Append(views, reference)
    python.Py_DecRef(reference)
    return i32(failed == 0)


def shown_at(lazy: Lazy, tensor: ptr, index: ptr) -> ptr:
    """The view of a known Tensor at an index of numbers and slices, where it shows few elements."""
    python = STATE.python
    if Object(tensor).kind != lazy.tensor_type or slot(tensor, lazy.tensor_frame) != lazy.frame:
        return None
    value = slot(tensor, lazy.tensor_value)
    if lazy.small_bytes < 0 or NumpyArray(value).kind != python.array_type or is_monitored(lazy) != 0:
        return None
    if is_plain_index(lazy, index) == 0:
        return None
    root = tensor
    late = slot(tensor, lazy.tensor_late)
    if slot(tensor, lazy.tensor_base) != lazy.none:
        root = slot(tensor, lazy.tensor_base)
    elif late != lazy.none:
        root = python.PyTuple_GetItem(late, 0)
    shown = python.PyObject_GetItem(value, index)
    if not shown:
        return None
    made = ptr(None)
    array = NumpyArray(shown)
    if array.kind == python.array_type and array.axes != 0:
        nbytes = size_of(array) * element_size(array)
        if nbytes > 0 and nbytes <= lazy.small_bytes:
            made = view_with_place(lazy, tensor, index, root, shown)
    python.Py_DecRef(shown)
    return made


def view_with_place(lazy: Lazy, tensor: ptr, index: ptr, root: ptr, shown: ptr) -> ptr:
    """A new Tensor that shows a part of another one; where that lies is told when somebody asks."""
    python = STATE.python
    shape = python.PyObject_GetAttr(shown, lazy.shape_name)
    if not shape:
        return None
    made = new_tensor(lazy, shape, slot(tensor, lazy.tensor_dtype), lazy.no)
    python.Py_DecRef(shape)
    if not made:
        return None
    words = local(ptr, 3)
    words[0] = lazy.locate
    words[1] = tensor
    words[2] = index
    find = python.PyObject_Vectorcall(lazy.partial, words, 3, None)
    order = strides_of(lazy, NumpyArray(shown))
    late = python.PyTuple_New(2)
    is_whole: i32 = 0
    if find and order and late:
        python.Py_IncRef(root)
        python.PyTuple_SetItem(late, 0, root)
        python.PyTuple_SetItem(late, 1, find)
        put(made, lazy.tensor_late, late)
        put(made, lazy.tensor_order, order)
        put(made, lazy.tensor_value, shown)
        is_whole = remembered(lazy, root, made)
    elif find:
        python.Py_DecRef(find)
    if order:
        python.Py_DecRef(order)
    if late:
        python.Py_DecRef(late)
    if is_whole == 0:
        python.Py_DecRef(made)
        return None
    return made


def stored_at_once(lazy: Lazy, tensor: ptr, index: ptr, value: ptr) -> i32:
    """Writes what is known to a part of a value that nobody else has: 1; 0 where Python decides."""
    python = STATE.python
    if Object(tensor).kind != lazy.tensor_type or slot(tensor, lazy.tensor_frame) != lazy.frame:
        return 0
    if slot(tensor, lazy.tensor_base) != lazy.none or slot(tensor, lazy.tensor_late) != lazy.none:
        return 0
    array = NumpyArray(slot(tensor, lazy.tensor_value))
    if lazy.small_bytes < 0 or array.kind != python.array_type or is_monitored(lazy) != 0:
        return 0
    if is_traced(lazy) != 0:
        return 0
    kind = Object(value).kind
    stored = value
    if kind == lazy.tensor_type:
        stored = known_value(lazy, value, lazy.small_bytes)
        if not stored or slot(value, lazy.tensor_dtype) != slot(tensor, lazy.tensor_dtype):
            return 0
    elif kind == python.PyFloat_Type or kind == python.PyLong_Type:
        if array.descr != lazy.f64_descr:
            return 0
    elif value != lazy.yes and value != lazy.no:
        return 0
    place = index
    if Object(index).kind == lazy.tensor_type:
        place = known_value(lazy, index, lazy.small_bytes)
        if not place or slot(index, lazy.tensor_dtype) != lazy.bool_dtype:
            return 0
    elif is_plain_index(lazy, index) == 0:
        return 0
    # Kept, as the views that are about to forget what they show may be the last to have it.
    python.Py_IncRef(stored)
    python.Py_IncRef(place)
    python.Py_IncRef(ptr(array))
    done = put_into(lazy, tensor, array, place, stored)
    python.Py_DecRef(ptr(array))
    python.Py_DecRef(place)
    python.Py_DecRef(stored)
    return done


def put_into(lazy: Lazy, tensor: ptr, array: NumpyArray, place: ptr, stored: ptr) -> i32:
    """Writes to the value of a Tensor that is kept by one more reference, where nobody else has it; views
    forget what they showed."""
    python = STATE.python
    if slot(tensor, lazy.tensor_views) != lazy.none:
        words = local(ptr, 1)
        words[0] = tensor
        done = python.PyObject_Vectorcall(lazy.changed, words, 1, None)
        if not done:
            return 0
        python.Py_DecRef(done)
    if slot(tensor, lazy.tensor_value) != ptr(array) or array.references != 2 or array.base:
        return 0
    if i64(array.flags) & (WRITEABLE | OWNS_DATA) != WRITEABLE | OWNS_DATA:
        return 0
    return i32(python.PyObject_SetItem(ptr(array), place, stored) == 0)
