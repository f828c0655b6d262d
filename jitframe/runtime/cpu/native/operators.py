"""Operators and element reads of lazy Tensors, where the answer needs no new node: the program's next step
is known already, or both operands are known numbers.

Everything else goes to the slow callable, with the operands as they came. What is done here is what
`jitframe/tensors` does in Python; a graph is left in a state that the slow callable goes on from.
"""

from ....codegen.native.language import Struct, bits_of_f64, export, f64, i32, i64, local, offset, ptr
from .arrays import NumpyArray, Object, make_array
from .pool import pool_take
from .state import STATE

ADD = 0
SUBTRACT = 1
MULTIPLY = 2
DIVIDE = 3
OTHER = 4


class Lazy(Struct):
    """The classes of lazy programs, where their objects keep each slot, and the objects that are compared by
    identity. Slots of a tensor, of its graph, of a step and of a node, in this order."""

    tensor_type: ptr
    graph_type: ptr
    tuple_type: ptr
    frame: ptr
    threads: ptr
    graphs_name: ptr
    device_key: ptr
    device_facts: ptr
    monitored_name: ptr
    dtype_name: ptr
    shape_name: ptr
    strides_name: ptr
    none: ptr
    yes: ptr
    no: ptr
    empty: ptr
    f64_dtype: ptr
    f32_dtype: ptr
    f64_descr: ptr
    node_limit: i64
    tensor_limit: i64
    tensor_frame: i64
    tensor_base: i64
    tensor_late: i64
    tensor_order: i64
    tensor_views: i64
    tensor_value: i64
    tensor_is_scalar: i64
    tensor_pending: i64
    tensor_shape: i64
    tensor_dtype: i64
    graph_step: i64
    graph_building: i64
    graph_operands: i64
    graph_tensors: i64
    graph_inputs: i64
    graph_arrays: i64
    graph_numbers: i64
    graph_values: i64
    step_next: i64
    step_count: i64
    step_inputs: i64
    node_shape: i64
    node_dtype: i64
    common_floats: ptr
    common_ints: ptr
    zero: ptr
    negative_zero: ptr


class Operator(Struct):
    """What an operator's method points at. `any_number`: it does the same to a floating array whatever number
    the other operand is."""

    slow: ptr
    lazy: ptr
    function: ptr
    arithmetic: i64
    is_reflected: i64
    in_place: i64
    any_number: i64


class Method(Struct):
    """An instance of the type of such methods."""

    references: i64
    kind: ptr
    vectorcall: ptr
    operator: ptr


def slot(object: ptr, place: i64) -> ptr:
    """What is in a slot; null where it is not set."""
    return ptr[ptr](offset(object, place))[0]


def put(object: ptr, place: i64, value: ptr) -> None:
    """Puts an object into a slot, which keeps it."""
    python = STATE.python
    words = ptr[ptr](offset(object, place))
    before = words[0]
    python.Py_IncRef(value)
    words[0] = value
    if before:
        python.Py_DecRef(before)


def number_of(integer: ptr) -> i64:
    """A Python int of few bits."""
    overflow = local(i32)
    return STATE.python.PyLong_AsLongLongAndOverflow(integer, overflow)


def is_monitored(lazy: Lazy) -> i32:
    """Whether Tensors are to be made with a line of the program."""
    return i32(STATE.python.PyDict_GetItemWithError(lazy.device_facts, lazy.monitored_name) != lazy.no)


def new_tensor(lazy: Lazy, shape: ptr, dtype: ptr, is_scalar: ptr) -> ptr:
    """A Tensor of the host with memory of its own that has neither value nor node yet."""
    made = STATE.python.PyType_GenericAlloc(lazy.tensor_type, 0)
    if made:
        put(made, lazy.tensor_frame, lazy.frame)
        put(made, lazy.tensor_base, lazy.none)
        put(made, lazy.tensor_late, lazy.none)
        put(made, lazy.tensor_order, lazy.none)
        put(made, lazy.tensor_views, lazy.none)
        put(made, lazy.tensor_value, lazy.none)
        put(made, lazy.tensor_pending, lazy.none)
        put(made, lazy.tensor_is_scalar, is_scalar)
        put(made, lazy.tensor_shape, shape)
        put(made, lazy.tensor_dtype, dtype)
    return made


def new_scalar(lazy: Lazy, dtype: ptr, descr: ptr, source: ptr, nbytes: i64) -> ptr:
    """The Tensor of a scalar with a copy of these bytes."""
    python = STATE.python
    buffer = pool_take(nbytes)
    if not buffer:
        return None
    STATE.system.memmove(buffer, source, nbytes)
    array = make_array(descr, 0, None, None, buffer)
    if not array:
        return None
    made = new_tensor(lazy, lazy.empty, dtype, lazy.yes)
    if made:
        put(made, lazy.tensor_value, array)
    python.Py_DecRef(array)
    return made


def float_of(lazy: Lazy, operand: ptr, number: ptr[f64]) -> i32:
    """Reads a Python float or the known value of a float64 scalar; 0 for anything else."""
    python = STATE.python
    kind = Object(operand).kind
    if kind == python.PyFloat_Type:
        number[0] = python.PyFloat_AsDouble(operand)
        return 1
    if kind != lazy.tensor_type or slot(operand, lazy.tensor_is_scalar) != lazy.yes:
        return 0
    value = slot(operand, lazy.tensor_value)
    if slot(operand, lazy.tensor_dtype) != lazy.f64_dtype or slot(operand, lazy.tensor_frame) != lazy.frame:
        return 0
    if NumpyArray(value).kind != python.array_type:
        return 0
    number[0] = ptr[f64](NumpyArray(value).data)[0]
    return 1


def computed(operator: Operator, x: ptr, y: ptr) -> ptr:
    """What two known float64 numbers give; null where they are none."""
    first = local(f64)
    second = local(f64)
    lazy = Lazy(operator.lazy)
    if operator.arithmetic == OTHER or float_of(lazy, x, first) == 0 or float_of(lazy, y, second) == 0:
        return None
    if operator.arithmetic == ADD:
        first[0] = first[0] + second[0]
    elif operator.arithmetic == SUBTRACT:
        first[0] = first[0] - second[0]
    elif operator.arithmetic == MULTIPLY:
        first[0] = first[0] * second[0]
    else:
        if second[0] == 0.0:
            return None
        first[0] = first[0] / second[0]
    return new_scalar(lazy, lazy.f64_dtype, lazy.f64_descr, ptr(first), 8)


def current_graph(lazy: Lazy) -> ptr:
    """This thread's graph, where an operation may begin in it; not kept by a reference."""
    python = STATE.python
    graphs = python.PyObject_GetAttr(lazy.threads, lazy.graphs_name)
    if not graphs:
        return None
    graph = python.PyDict_GetItemWithError(graphs, lazy.device_key)
    python.Py_DecRef(graphs)  # the thread has it
    if not graph:
        return None
    if Object(graph).kind != lazy.graph_type or slot(graph, lazy.graph_building) != lazy.no:
        return None
    if number_of(slot(slot(graph, lazy.graph_step), lazy.step_count)) >= lazy.node_limit:
        return None
    if python.PyList_Size(slot(graph, lazy.graph_tensors)) >= lazy.tensor_limit:
        return None
    operands = slot(graph, lazy.graph_operands)
    count = python.PyList_Size(operands)
    if count > 0 and python.PyList_SetSlice(operands, 0, count, None) != 0:
        return None
    return graph


def go_on(lazy: Lazy, graph: ptr, key: ptr) -> ptr:
    """Goes to the step that is known for a key, which is taken over; its node, or null."""
    python = STATE.python
    if not key:
        return None
    known = python.PyDict_GetItemWithError(slot(slot(graph, lazy.graph_step), lazy.step_next), key)
    python.Py_DecRef(key)
    if not known:
        return None
    node = python.PyTuple_GetItem(known, 1)
    put(graph, lazy.graph_step, python.PyTuple_GetItem(known, 0))
    return node


def key_of(first: ptr, second: ptr, third: ptr) -> ptr:
    """A tuple of two objects, or of three."""
    python = STATE.python
    count = 3 if third else 2
    key = python.PyTuple_New(count)
    if not key:
        return None
    python.Py_IncRef(first)
    python.PyTuple_SetItem(key, 0, first)
    python.Py_IncRef(second)
    python.PyTuple_SetItem(key, 1, second)
    if third:
        python.Py_IncRef(third)
        python.PyTuple_SetItem(key, 2, third)
    return key


def layout_of(lazy: Lazy, array: ptr) -> ptr:
    """A new tuple of an array's dtype, shape and strides."""
    python = STATE.python
    dtype = python.PyObject_GetAttr(array, lazy.dtype_name)
    shape = python.PyObject_GetAttr(array, lazy.shape_name)
    strides = python.PyObject_GetAttr(array, lazy.strides_name)
    key = key_of(dtype, shape, strides) if dtype and shape and strides else ptr(None)
    if dtype:
        python.Py_DecRef(dtype)
    if shape:
        python.Py_DecRef(shape)
    if strides:
        python.Py_DecRef(strides)
    return key


def input_of(lazy: Lazy, graph: ptr, array: ptr) -> ptr:
    """The parameter that an array is, where the program may have one here."""
    python = STATE.python
    inputs = slot(graph, lazy.graph_inputs)
    name = python.PyLong_FromLongLong(i64(array))
    if not name:
        return None
    node = python.PyDict_GetItemWithError(inputs, name)
    if not node and not python.PyErr_Occurred():
        arrays = slot(graph, lazy.graph_arrays)
        index = number_of(slot(slot(graph, lazy.graph_step), lazy.step_inputs))
        kept = python.PyTuple_New(1)
        failed: i32 = 1
        if kept:
            python.Py_IncRef(array)
            python.PyTuple_SetItem(kept, 0, array)
            failed = python.PyList_SetSlice(arrays, index, python.PyList_Size(arrays), kept)
            python.Py_DecRef(kept)
        if failed == 0:
            node = go_on(lazy, graph, layout_of(lazy, array))
            if node and python.PyDict_SetItem(inputs, name, node) != 0:
                node = ptr(None)
    python.Py_DecRef(name)
    return node


def scalar_of(lazy: Lazy, graph: ptr, value: f64, dtype: ptr) -> ptr:
    """A new int: which of the graph's run-time scalars a number is."""
    python = STATE.python
    number = python.PyFloat_FromDouble(value)
    if not number:
        return None
    numbers = slot(graph, lazy.graph_numbers)
    values = slot(graph, lazy.graph_values)
    key = key_of(number, dtype, None)
    found = python.PyDict_GetItemWithError(numbers, key) if key else ptr(None)
    if found:
        python.Py_IncRef(found)
    elif key and not python.PyErr_Occurred():
        count = python.PyList_Size(values)
        found = python.PyLong_FromLongLong(count)
        if found and (
            python.PyList_Append(values, number) != 0 or python.PyDict_SetItem(numbers, key, found) != 0
        ):
            python.Py_DecRef(found)
            found = ptr(None)
    if key:
        python.Py_DecRef(key)
    python.Py_DecRef(number)
    return found


def token_of(operator: Operator, graph: ptr, operand: ptr, dtype: ptr) -> ptr:
    """A new reference to what a number beside a node of a dtype tells about a program."""
    python = STATE.python
    lazy = Lazy(operator.lazy)
    value: f64 = 0.0
    found = ptr(None)
    if Object(operand).kind == python.PyFloat_Type:
        value = python.PyFloat_AsDouble(operand)
        if value != value:
            return None
        if value == 0.0:
            found = lazy.negative_zero if bits_of_f64(value) < 0 else lazy.zero
        else:
            found = python.PyDict_GetItemWithError(lazy.common_floats, operand)
    elif Object(operand).kind == python.PyLong_Type:
        overflow = local(i32)
        integer = python.PyLong_AsLongLongAndOverflow(operand, overflow)
        if overflow[0] != 0:
            return None
        value = f64(integer)
        found = python.PyDict_GetItemWithError(lazy.common_ints, operand)
    else:
        return None
    if found:
        python.Py_IncRef(found)
        return found
    if operator.any_number == 0 or (dtype != lazy.f64_dtype and dtype != lazy.f32_dtype):
        return None
    return scalar_of(lazy, graph, value, dtype)


def node_of(lazy: Lazy, graph: ptr, tensor: ptr) -> ptr:
    """The node that a tensor of memory of its own, in C order, is in a graph."""
    python = STATE.python
    if slot(tensor, lazy.tensor_frame) != lazy.frame or slot(tensor, lazy.tensor_base) != lazy.none:
        return None
    if slot(tensor, lazy.tensor_order) != lazy.none:
        return None
    value = slot(tensor, lazy.tensor_value)
    if value != lazy.none:
        return input_of(lazy, graph, value) if Object(value).kind == python.array_type else ptr(None)
    pending = slot(tensor, lazy.tensor_pending)
    if pending == lazy.none or python.PyTuple_GetItem(pending, 0) != graph:
        return None
    return python.PyTuple_GetItem(pending, 1)


def next_node(operator: Operator, graph: ptr, x: ptr, y: ptr) -> ptr:
    """The node that the operator gives of two operands at this place of a program."""
    python = STATE.python
    lazy = Lazy(operator.lazy)
    first = ptr(None)
    second = ptr(None)
    if Object(x).kind == lazy.tensor_type:
        first = node_of(lazy, graph, x)
        if not first:
            return None
        python.Py_IncRef(first)
    if Object(y).kind == lazy.tensor_type:
        second = node_of(lazy, graph, y)
        if second:
            python.Py_IncRef(second)
    elif first:
        second = token_of(operator, graph, y, slot(first, lazy.node_dtype))
    if second and not first:
        first = token_of(operator, graph, x, slot(second, lazy.node_dtype))
    node = ptr(None)
    if first and second:
        node = go_on(lazy, graph, key_of(operator.function, first, second))
    if first:
        python.Py_DecRef(first)
    if second:
        python.Py_DecRef(second)
    return node


def pending_tensor(lazy: Lazy, graph: ptr, node: ptr) -> ptr:
    """The Tensor that is a node of a graph, which notes it."""
    python = STATE.python
    shape = slot(node, lazy.node_shape)
    made = new_tensor(
        lazy, shape, slot(node, lazy.node_dtype), lazy.yes if python.PyTuple_Size(shape) == 0 else lazy.no
    )
    pending = key_of(graph, node, None)
    reference = python.PyWeakref_NewRef(made, None) if made and pending else ptr(None)
    failed: i32 = 1
    if reference:
        put(made, lazy.tensor_pending, pending)
        failed = python.PyList_Append(slot(graph, lazy.graph_tensors), reference)
        python.Py_DecRef(reference)
    if pending:
        python.Py_DecRef(pending)
    if failed != 0 and made:
        python.Py_DecRef(made)
        return None
    return made


def in_graph(operator: Operator, x: ptr, y: ptr) -> ptr:
    """The Tensor of the next step of this thread's program, or null."""
    python = STATE.python
    lazy = Lazy(operator.lazy)
    graph = current_graph(lazy)
    if not graph:
        return None
    python.Py_IncRef(graph)  # the collector may run code of the user's
    put(graph, lazy.graph_building, lazy.yes)
    node = next_node(operator, graph, x, y)
    made = ptr(None)
    if node:
        python.Py_IncRef(node)
        made = pending_tensor(lazy, graph, node)
        python.Py_DecRef(node)
    put(graph, lazy.graph_building, lazy.no)
    python.Py_DecRef(graph)
    return made


def is_operand(lazy: Lazy, operand: ptr) -> i32:
    """Whether it is a Tensor, or exactly a float or an int."""
    python = STATE.python
    kind = Object(operand).kind
    return i32(kind == lazy.tensor_type or kind == python.PyFloat_Type or kind == python.PyLong_Type)


def answered(operator: Operator, own: ptr, other: ptr) -> ptr:
    """The result; null, where the slow callable answers."""
    lazy = Lazy(operator.lazy)
    if Object(own).kind != lazy.tensor_type or is_operand(lazy, other) == 0 or is_monitored(lazy) != 0:
        return None
    x = own
    y = other
    if operator.is_reflected != 0:
        x = other
        y = own
    is_scalar = slot(own, lazy.tensor_is_scalar)
    if is_scalar == lazy.yes:
        made = computed(operator, x, y)
        if made:
            return made
        # Two numbers that are known, if not to this function, are the slow callable's.
        if slot(own, lazy.tensor_value) != lazy.none:
            return None
    elif operator.in_place != 0:
        return None
    return in_graph(operator, x, y)


def left_to(slow: ptr, arguments: ptr[ptr], count_and_flag: i64, names: ptr) -> ptr:
    """What the slow callable gives."""
    python = STATE.python
    if python.PyErr_Occurred():
        python.PyErr_Clear()
    return python.PyObject_Vectorcall(slow, arguments, count_and_flag, names)


@export
def operator_call(method: Method, arguments: ptr[ptr], count_and_flag: i64, names: ptr) -> ptr:
    """The vectorcall of operators of two operands."""
    operator = Operator(method.operator)
    if count_and_flag & 0x7FFFFFFFFFFFFFFF == 2 and not names:
        made = answered(operator, arguments[0], arguments[1])
        if made:
            return made
    return left_to(operator.slow, arguments, count_and_flag, names)


def move_to(array: NumpyArray, axis: i64, index: ptr, place: ptr[i64]) -> i32:
    """Adds how many bytes an index of an axis is from its first element on; 0 where it is none."""
    python = STATE.python
    if Object(index).kind != python.PyLong_Type:
        return 0
    overflow = local(i32)
    number = python.PyLong_AsLongLongAndOverflow(index, overflow)
    if number < 0:
        number += array.extents[axis]
    if overflow[0] != 0 or number < 0 or number >= array.extents[axis]:
        return 0
    place[0] += number * array.strides[axis]
    return 1


def element_at(lazy: Lazy, tensor: ptr, index: ptr) -> ptr:
    """The Tensor of one element of a value that is there; null for any other index."""
    python = STATE.python
    if Object(tensor).kind != lazy.tensor_type or slot(tensor, lazy.tensor_frame) != lazy.frame:
        return None
    array = NumpyArray(slot(tensor, lazy.tensor_value))
    if array.kind != python.array_type or is_monitored(lazy) != 0:
        return None
    place = local(i64)
    place[0] = array.data
    axes = i64(array.axes)
    if Object(index).kind == lazy.tuple_type:
        if python.PyTuple_Size(index) != axes:
            return None
        for axis in range(axes):
            if move_to(array, axis, python.PyTuple_GetItem(index, axis), place) == 0:
                return None
    elif axes != 1 or move_to(array, 0, index, place) == 0:
        return None
    size = ptr[i64](offset(array.descr, python.array_element_size_offset))[0]
    return new_scalar(lazy, slot(tensor, lazy.tensor_dtype), array.descr, ptr(place[0]), size)


@export
def element_call(method: Method, arguments: ptr[ptr], count_and_flag: i64, names: ptr) -> ptr:
    """The vectorcall of `Tensor.__getitem__`."""
    operator = Operator(method.operator)
    if count_and_flag & 0x7FFFFFFFFFFFFFFF == 2 and not names:
        made = element_at(Lazy(operator.lazy), arguments[0], arguments[1])
        if made:
            return made
    return left_to(operator.slow, arguments, count_and_flag, names)
