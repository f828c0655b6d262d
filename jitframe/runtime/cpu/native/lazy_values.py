"""Values of pending lazy Tensors, where the evaluation of the same program is recorded and a native entry has
its computation.

It does what `computing.run` does in Python.
"""

from ....codegen.native.language import export, i32, i64, ptr
from .arrays import Object
from .lazy_programs import Lazy, current_graph, key_of, number_of, put, slot
from .operators import Method, Operator, left_to
from .state import STATE


def is_pending(lazy: Lazy, graph: ptr, tensor: ptr) -> i32:
    """Whether a Tensor is a node of a graph, without a value."""
    if Object(tensor).kind != lazy.tensor_type or slot(tensor, lazy.tensor_value) != lazy.none:
        return 0
    pending = slot(tensor, lazy.tensor_pending)
    return i32(pending != lazy.none and STATE.python.PyTuple_GetItem(pending, 0) == graph)


def live_tensors(lazy: Lazy, graph: ptr) -> ptr:
    """Returns a new list of the Tensors that are nodes of a graph."""
    python = STATE.python
    tensors = slot(graph, lazy.graph_tensors)
    live = python.PyList_New(0)
    position: i64 = 0
    while live and position < python.PyList_Size(tensors):
        tensor = python.PyObject_CallObject(python.PyList_GetItem(tensors, position), None)
        failed: i32 = 1
        if tensor:
            failed = 0
            if is_pending(lazy, graph, tensor) != 0:
                failed = python.PyList_Append(live, tensor)
            python.Py_DecRef(tensor)
        if failed != 0:
            python.Py_DecRef(live)
            return None
        position += 1
    return live


def nodes_of(lazy: Lazy, live: ptr) -> ptr:
    """Returns a new tuple of the nodes of pending Tensors."""
    python = STATE.python
    count = python.PyList_Size(live)
    nodes = python.PyTuple_New(count)
    if nodes:
        for position in range(count):
            pending = slot(python.PyList_GetItem(live, position), lazy.tensor_pending)
            node = python.PyTuple_GetItem(pending, 1)
            python.Py_IncRef(node)
            python.PyTuple_SetItem(nodes, position, node)
    return nodes


def recorded(lazy: Lazy, graph: ptr, node: ptr, nodes: ptr) -> ptr:
    """Returns how a node was evaluated natively at this step while Tensors of such nodes were alive, which
    `Recording.native` says; null where it was not. A borrowed reference."""
    python = STATE.python
    runs = slot(slot(graph, lazy.graph_step), lazy.step_runs)
    if runs == lazy.none:
        return None
    outputs = python.PyTuple_New(1)
    if not outputs:
        return None
    python.Py_IncRef(node)
    python.PyTuple_SetItem(outputs, 0, node)
    key = key_of(outputs, nodes, None)
    python.Py_DecRef(outputs)
    if not key:
        return None
    found = python.PyDict_GetItemWithError(runs, key)
    python.Py_DecRef(key)
    return found


def put_values(arguments: ptr, first: i64, values: ptr, indices: ptr) -> i32:
    """Stores the values of a list at some indices in a tuple, from a position on; 0 where one is missing."""
    python = STATE.python
    for position in range(python.PyTuple_Size(indices)):
        index = number_of(python.PyTuple_GetItem(indices, position))
        if index >= python.PyList_Size(values):
            return 0
        value = python.PyList_GetItem(values, index)
        python.Py_IncRef(value)
        python.PyTuple_SetItem(arguments, first + position, value)
    return 1


def arguments_of(lazy: Lazy, graph: ptr, arrays: ptr, scalars: ptr) -> ptr:
    """Returns a new tuple of a graph's arrays and run-time scalars at these indices."""
    python = STATE.python
    count = python.PyTuple_Size(arrays)
    made = python.PyTuple_New(count + python.PyTuple_Size(scalars))
    if made and (
        put_values(made, 0, slot(graph, lazy.graph_arrays), arrays) == 0
        or put_values(made, count, slot(graph, lazy.graph_values), scalars) == 0
    ):
        python.Py_DecRef(made)
        return None
    return made


def leave(lazy: Lazy, graph: ptr) -> i32:
    """Starts a new graph after the current one; 0 where that failed."""
    python = STATE.python
    graphs = python.PyObject_GetAttr(lazy.threads, lazy.graphs_name)
    following = python.PyObject_CallObject(lazy.graph_type, None) if graphs else ptr(None)
    failed: i32 = 1
    if following:
        failed = python.PyDict_SetItem(graphs, lazy.device_key, following)
        python.Py_DecRef(following)
    if graphs:
        python.Py_DecRef(graphs)
    if failed == 0:
        put(graph, lazy.graph_is_left, lazy.yes)
    return i32(failed == 0)


def settle(lazy: Lazy, graph: ptr, live: ptr, nodes: ptr, found: ptr, made: ptr) -> None:
    """Gives Tensors their values, except those that code of the user's has written to meanwhile."""
    python = STATE.python
    for position in range(python.PyList_Size(live)):
        tensor = python.PyList_GetItem(live, position)
        value = made
        place = number_of(python.PyTuple_GetItem(found, position + 3))
        if place >= 0:
            value = python.PyTuple_GetItem(made, place)
        if is_pending(lazy, graph, tensor) != 0:
            pending = slot(tensor, lazy.tensor_pending)
            if python.PyTuple_GetItem(pending, 1) == python.PyTuple_GetItem(nodes, position):
                put(tensor, lazy.tensor_value, value)
                put(tensor, lazy.tensor_pending, lazy.none)


def computed_with(lazy: Lazy, graph: ptr, node: ptr, live: ptr, nodes: ptr) -> i32:
    """Computes pending Tensors with the recorded entry; 0 where there is none, or it failed."""
    python = STATE.python
    found = recorded(lazy, graph, node, nodes)
    if not found:
        return 0
    python.Py_IncRef(found)
    arguments = arguments_of(lazy, graph, python.PyTuple_GetItem(found, 1), python.PyTuple_GetItem(found, 2))
    made = ptr(None)
    if arguments:
        if leave(lazy, graph) != 0:
            made = python.PyObject_CallObject(python.PyTuple_GetItem(found, 0), arguments)
        python.Py_DecRef(arguments)
    if made:
        settle(lazy, graph, live, nodes, found, made)
        python.Py_DecRef(made)
    python.Py_DecRef(found)
    return i32(made != ptr(None))


def evaluated(lazy: Lazy, tensor: ptr) -> ptr:
    """Returns a new reference to the value of a pending Tensor; null where Python evaluates it."""
    python = STATE.python
    graph = current_graph(lazy)
    if not graph or is_pending(lazy, graph, tensor) == 0:
        return None
    if slot(graph, lazy.graph_carries) != lazy.no or python.PyDict_Size(slot(graph, lazy.graph_known)) != 0:
        return None
    if python.PyDict_GetItemWithError(lazy.profiler_facts, lazy.active_name) != lazy.none:
        return None
    python.Py_IncRef(graph)
    node = python.PyTuple_GetItem(slot(tensor, lazy.tensor_pending), 1)
    python.Py_IncRef(node)
    live = live_tensors(lazy, graph)
    nodes = nodes_of(lazy, live) if live else ptr(None)
    value = ptr(None)
    if nodes:
        if (
            computed_with(lazy, graph, node, live, nodes) != 0
            and slot(tensor, lazy.tensor_value) != lazy.none
        ):
            value = slot(tensor, lazy.tensor_value)
            python.Py_IncRef(value)
        python.Py_DecRef(nodes)
    if live:
        python.Py_DecRef(live)
    python.Py_DecRef(node)
    python.Py_DecRef(graph)
    return value


@export
def value_call(method: Method, arguments: ptr[ptr], count_and_flag: i64, names: ptr) -> ptr:
    """The vectorcall of `Tensor._evaluated`."""
    python = STATE.python
    operator = Operator(method.operator)
    lazy = Lazy(operator.lazy)
    if (
        count_and_flag & 0x7FFFFFFFFFFFFFFF == 1
        and not names
        and Object(arguments[0]).kind == lazy.tensor_type
    ):
        value = evaluated(lazy, arguments[0])
        if value:
            return value
        # Python's evaluation raises the error again, but not what a signal handler has raised.
        if (
            python.PyErr_Occurred()
            and python.PyErr_ExceptionMatches(ptr[ptr](python.PyExc_Exception)[0]) == 0
        ):
            return None
    return left_to(operator.slow, arguments, count_and_flag, names)
