"""Operators and element reads of lazy Tensors, where the answer needs no new node: the program's next step
is known already, or both operands are known numbers.

The slow callable handles everything else, with the operands as they came.
"""

from ....codegen.native.language import Struct, bits_of_f64, export, f64, i32, i64, local, offset, ptr
from .arrays import OWNS_DATA, WRITEABLE, NumpyArray, Object
from .lazy_programs import (
    Lazy,
    axes_of,
    become,
    current_graph,
    go_on,
    has_own_memory,
    is_monitored,
    is_plain,
    is_traced,
    key_of,
    new_scalar,
    node_of,
    pending_tensor,
    put,
    scalar_of,
    slot,
)
from .lazy_views import view_at
from .state import STATE

ADD = 0
SUBTRACT = 1
MULTIPLY = 2
DIVIDE = 3
OTHER = 4


class Operator(Struct):
    """The state to which an operator's method points. `any_number`: its result for a floating array does not
    depend on which number the other operand is."""

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
    """Returns the result for two known float64 numbers; null for other operands."""
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


def token_of(operator: Operator, graph: ptr, operand: ptr, dtype: ptr) -> ptr:
    """Returns a new reference to what the program's key has for a number beside a node of a dtype."""
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


def next_node(operator: Operator, graph: ptr, x: ptr, y: ptr) -> ptr:
    """Returns the node of the operator's result for two operands at this place of a program."""
    python = STATE.python
    lazy = Lazy(operator.lazy)
    first = ptr(None)
    second = ptr(None)
    if Object(x).kind == lazy.tensor_type and Object(y).kind == lazy.tensor_type:
        if is_plain(lazy, x) == 0 and axes_of(lazy, y) > 1:
            return None
        if is_plain(lazy, y) == 0 and axes_of(lazy, x) > 1:
            return None
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


def in_graph(operator: Operator, x: ptr, y: ptr, stored: i32) -> ptr:
    """Returns the Tensor of the next step of this thread's program, or null; `stored`: it is the first
    operand."""
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
        if stored == 0:
            made = pending_tensor(lazy, graph, node)
        elif become(lazy, graph, node, x) != 0:
            python.Py_IncRef(x)
            made = x
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
    """Returns the result; null, where the slow callable answers."""
    lazy = Lazy(operator.lazy)
    if Object(own).kind != lazy.tensor_type or is_operand(lazy, other) == 0 or is_monitored(lazy) != 0:
        return None
    x = own
    y = other
    if operator.is_reflected != 0:
        x = other
        y = own
    if slot(own, lazy.tensor_is_scalar) == lazy.yes:
        made = computed(operator, x, y)
        if made:
            return made
        # Two numbers that are known, if not to this function, are the slow callable's.
        if slot(own, lazy.tensor_value) != lazy.none:
            return None
    elif operator.in_place != 0:
        if has_own_memory(lazy, own) == 0 or is_traced(lazy) != 0:
            return None
        return in_graph(operator, x, y, 1)
    return in_graph(operator, x, y, 0)


def left_to(slow: ptr, arguments: ptr[ptr], count_and_flag: i64, names: ptr) -> ptr:
    """Calls the slow callable."""
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


def applied(lazy: Lazy, frame: ptr, tensor: ptr, name: ptr) -> ptr:
    """Returns the Tensor of a named function of a Tensor at the next step of this thread's program; null,
    where the slow callable answers."""
    python = STATE.python
    if frame != lazy.frame or Object(tensor).kind != lazy.tensor_type or is_monitored(lazy) != 0:
        return None
    graph = current_graph(lazy)
    if not graph:
        return None
    python.Py_IncRef(graph)
    put(graph, lazy.graph_building, lazy.yes)
    node = node_of(lazy, graph, tensor)
    if node:
        node = go_on(lazy, graph, key_of(name, node, None))
    made = ptr(None)
    if node:
        python.Py_IncRef(node)
        made = pending_tensor(lazy, graph, node)
        python.Py_DecRef(node)
    put(graph, lazy.graph_building, lazy.no)
    python.Py_DecRef(graph)
    return made


@export
def unary_call(method: Method, arguments: ptr[ptr], count_and_flag: i64, names: ptr) -> ptr:
    """The vectorcall of `TensorFrame.unary`: frame, function, Tensor, the function's name."""
    operator = Operator(method.operator)
    if count_and_flag & 0x7FFFFFFFFFFFFFFF == 4 and not names:
        made = applied(Lazy(operator.lazy), arguments[0], arguments[2], arguments[3])
        if made:
            return made
    return left_to(operator.slow, arguments, count_and_flag, names)


def move_to(array: NumpyArray, axis: i64, index: ptr, place: ptr[i64]) -> i32:
    """Adds the byte offset of an axis' index; 0 where it is out of bounds or no integer."""
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


def element_of(lazy: Lazy, array: NumpyArray, index: ptr) -> i64:
    """Returns the address of the element at an index of integers; 0 for any other index, and where there is
    none."""
    python = STATE.python
    place = local(i64)
    place[0] = array.data
    axes = i64(array.axes)
    if Object(index).kind == lazy.tuple_type:
        if python.PyTuple_Size(index) != axes:
            return 0
        for axis in range(axes):
            if move_to(array, axis, python.PyTuple_GetItem(index, axis), place) == 0:
                return 0
    elif axes != 1 or move_to(array, 0, index, place) == 0:
        return 0
    return place[0]


def element_at(lazy: Lazy, tensor: ptr, index: ptr) -> ptr:
    """Returns the Tensor of one element of a computed value; null for any other index."""
    python = STATE.python
    if slot(tensor, lazy.tensor_frame) != lazy.frame:
        return None
    array = NumpyArray(slot(tensor, lazy.tensor_value))
    if array.kind != python.array_type or is_monitored(lazy) != 0:
        return None
    place = element_of(lazy, array, index)
    if place == 0:
        return None
    size = ptr[i64](offset(array.descr, python.array_element_size_offset))[0]
    return new_scalar(lazy, slot(tensor, lazy.tensor_dtype), array.descr, ptr(place), size)


def store_element(lazy: Lazy, tensor: ptr, index: ptr, value: ptr) -> i32:
    """Writes a number to an element of a float64 value that nobody else references and no program reads then,
    and returns 1; 0 where Python has to decide."""
    python = STATE.python
    number = local(f64)
    if has_own_memory(lazy, tensor) == 0 or slot(tensor, lazy.tensor_dtype) != lazy.f64_dtype:
        return 0
    array = NumpyArray(slot(tensor, lazy.tensor_value))
    if array.kind != python.array_type or array.references != 1 or array.base:
        return 0
    if i64(array.flags) & (WRITEABLE | OWNS_DATA) != WRITEABLE | OWNS_DATA:
        return 0
    if float_of(lazy, value, number) == 0 or is_traced(lazy) != 0:
        return 0
    place = element_of(lazy, array, index)
    if place == 0:
        return 0
    ptr[f64](place)[0] = number[0]
    return 1


@export
def element_call(method: Method, arguments: ptr[ptr], count_and_flag: i64, names: ptr) -> ptr:
    """The vectorcall of `Tensor.__getitem__`."""
    operator = Operator(method.operator)
    lazy = Lazy(operator.lazy)
    if (
        count_and_flag & 0x7FFFFFFFFFFFFFFF == 2
        and not names
        and Object(arguments[0]).kind == lazy.tensor_type
    ):
        made = ptr(None)
        if slot(arguments[0], lazy.tensor_value) == lazy.none:
            made = view_at(lazy, arguments[0], arguments[1])
        else:
            made = element_at(lazy, arguments[0], arguments[1])
        if made:
            return made
    return left_to(operator.slow, arguments, count_and_flag, names)


@export
def store_call(method: Method, arguments: ptr[ptr], count_and_flag: i64, names: ptr) -> ptr:
    """The vectorcall of `Tensor.__setitem__`."""
    operator = Operator(method.operator)
    lazy = Lazy(operator.lazy)
    if (
        count_and_flag & 0x7FFFFFFFFFFFFFFF == 3
        and not names
        and store_element(lazy, arguments[0], arguments[1], arguments[2]) != 0
    ):
        STATE.python.Py_IncRef(lazy.none)
        return lazy.none
    return left_to(operator.slow, arguments, count_and_flag, names)
