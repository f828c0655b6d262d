"""Native continuation of lazy programs: Tensors, their graph, its known next steps.

It does what `jitframe/tensors` does in Python, which continues from the state of a graph that this leaves.
"""

from ....codegen.native.language import Struct, f64, i32, i64, local, offset, ptr
from .arrays import Object, make_array
from .matching import EQUAL
from .pool import pool_take
from .state import STATE


class Lazy(Struct):
    """The classes of lazy programs, the offsets of their slots, and the objects that are compared by
    identity. Slots of a tensor, of its graph, of a step and of a node, in this order."""

    tensor_type: ptr
    graph_type: ptr
    tuple_type: ptr
    frame: ptr
    threads: ptr
    graphs_name: ptr
    traces: ptr
    frames_name: ptr
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
    graph_known: i64
    graph_carries: i64
    graph_is_left: i64
    step_next: i64
    step_count: i64
    step_inputs: i64
    step_runs: i64
    node_shape: i64
    node_dtype: i64
    common_floats: ptr
    common_ints: ptr
    zero: ptr
    negative_zero: ptr
    slice_type: ptr
    view_type: ptr
    views: ptr
    tensor_path: i64
    profiler_facts: ptr
    active_name: ptr


def slot(object: ptr, place: i64) -> ptr:
    """Returns the object in a slot; null where it is not set."""
    return ptr[ptr](offset(object, place))[0]


def put(object: ptr, place: i64, value: ptr) -> None:
    """Stores an object in a slot, with a reference."""
    python = STATE.python
    words = ptr[ptr](offset(object, place))
    before = words[0]
    python.Py_IncRef(value)
    words[0] = value
    if before:
        python.Py_DecRef(before)


def number_of(integer: ptr) -> i64:
    """Returns the value of a Python int of few bits."""
    overflow = local(i32)
    return STATE.python.PyLong_AsLongLongAndOverflow(integer, overflow)


def is_monitored(lazy: Lazy) -> i32:
    """Whether new Tensors record a line of the program."""
    return i32(STATE.python.PyDict_GetItemWithError(lazy.device_facts, lazy.monitored_name) != lazy.no)


def new_tensor(lazy: Lazy, shape: ptr, dtype: ptr, is_scalar: ptr) -> ptr:
    """Makes a Tensor of the host with memory of its own that has neither value nor node yet."""
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
    """Makes the Tensor of a scalar with a copy of these bytes."""
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


def current_graph(lazy: Lazy) -> ptr:
    """Returns this thread's graph, where an operation may begin in it; a borrowed reference."""
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
    """Advances to the known step of a key, which is taken over; returns its node, or null."""
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
    """Returns a tuple of two objects, or of three."""
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
    """Returns a new tuple of an array's dtype, shape and strides."""
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
    """Returns the parameter of an array, where the program may have one here."""
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
    """Returns a new int: the index of a number among the graph's run-time scalars."""
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


def axes_of(lazy: Lazy, tensor: ptr) -> i64:
    """Returns the rank of a tensor."""
    return STATE.python.PyTuple_Size(slot(tensor, lazy.tensor_shape))


def is_plain(lazy: Lazy, tensor: ptr) -> i32:
    """Whether a tensor has memory of its own, in C order: results computed of it are in C order, too."""
    return i32(slot(tensor, lazy.tensor_base) == lazy.none and slot(tensor, lazy.tensor_order) == lazy.none)


def node_of(lazy: Lazy, graph: ptr, tensor: ptr) -> ptr:
    """Returns the node of a tensor in a graph; null where it has several axes in another memory order."""
    python = STATE.python
    if slot(tensor, lazy.tensor_frame) != lazy.frame:
        return None
    if is_plain(lazy, tensor) == 0 and axes_of(lazy, tensor) > 1:
        return None
    value = slot(tensor, lazy.tensor_value)
    if value != lazy.none:
        return input_of(lazy, graph, value) if Object(value).kind == python.array_type else ptr(None)
    pending = slot(tensor, lazy.tensor_pending)
    if pending == lazy.none or python.PyTuple_GetItem(pending, 0) != graph:
        return None
    return python.PyTuple_GetItem(pending, 1)


def is_traced(lazy: Lazy) -> i32:
    """Whether this thread may be in the middle of a trace, in which Tensors are not written."""
    python = STATE.python
    frames = python.PyObject_GetAttr(lazy.traces, lazy.frames_name)
    if not frames:
        return 1
    python.Py_DecRef(frames)
    return i32(frames != lazy.empty)


def has_own_memory(lazy: Lazy, tensor: ptr) -> i32:
    """Whether it is a Tensor of the host that is no view, and has no views."""
    return i32(
        Object(tensor).kind == lazy.tensor_type
        and slot(tensor, lazy.tensor_frame) == lazy.frame
        and slot(tensor, lazy.tensor_base) == lazy.none
        and slot(tensor, lazy.tensor_late) == lazy.none
        and slot(tensor, lazy.tensor_views) == lazy.none
    )


def note_tensor(lazy: Lazy, graph: ptr, tensor: ptr) -> i32:
    """Adds a Tensor of a node to its graph; 0 where that failed."""
    python = STATE.python
    reference = python.PyWeakref_NewRef(tensor, None)
    if not reference:
        return 0
    failed = python.PyList_Append(slot(graph, lazy.graph_tensors), reference)
    python.Py_DecRef(reference)
    return i32(failed == 0)


def become(lazy: Lazy, graph: ptr, node: ptr, tensor: ptr) -> i32:
    """Makes a Tensor of own memory a node of its shape and dtype; 0 where they differ, or that failed."""
    python = STATE.python
    if slot(node, lazy.node_dtype) != slot(tensor, lazy.tensor_dtype):
        return 0
    if (
        python.PyObject_RichCompareBool(slot(node, lazy.node_shape), slot(tensor, lazy.tensor_shape), EQUAL)
        != 1
    ):
        return 0
    before = slot(tensor, lazy.tensor_pending)
    is_noted = i32(before != lazy.none and python.PyTuple_GetItem(before, 0) == graph)
    pending = key_of(graph, node, None)
    if not pending:
        return 0
    if is_noted == 0 and note_tensor(lazy, graph, tensor) == 0:
        python.Py_DecRef(pending)
        return 0
    put(tensor, lazy.tensor_pending, pending)
    put(tensor, lazy.tensor_value, lazy.none)
    python.Py_DecRef(pending)
    return 1


def pending_tensor(lazy: Lazy, graph: ptr, node: ptr) -> ptr:
    """Makes the Tensor of a graph's node, and adds it to the graph."""
    python = STATE.python
    shape = slot(node, lazy.node_shape)
    made = new_tensor(
        lazy, shape, slot(node, lazy.node_dtype), lazy.yes if python.PyTuple_Size(shape) == 0 else lazy.no
    )
    pending = key_of(graph, node, None)
    is_noted: i32 = 0
    if made and pending:
        put(made, lazy.tensor_pending, pending)
        is_noted = note_tensor(lazy, graph, made)
    if pending:
        python.Py_DecRef(pending)
    if is_noted == 0 and made:
        python.Py_DecRef(made)
        return None
    return made
