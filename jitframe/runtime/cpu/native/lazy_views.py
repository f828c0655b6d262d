"""Slices of pending lazy Tensors, where the program's next step is known already.

It does what `SharedArray._indexed` does in Python.
"""

from ....codegen.native.language import Struct, i64, ptr
from .arrays import Object
from .lazy_programs import (
    Lazy,
    current_graph,
    go_on,
    is_monitored,
    key_of,
    pending_tensor,
    put,
    slot,
)
from .state import STATE

MOST_VIEWS = 64
"""From so many views of an array on, Python removes dead ones now and then."""


class Slice(Struct):
    """Python's slice object."""

    references: i64
    kind: ptr
    start: ptr
    stop: ptr
    step: ptr


def put_part(key: ptr, position: i64, part: ptr) -> i64:
    """Stores a component of an index in its key; returns the next position."""
    python = STATE.python
    python.Py_IncRef(part)
    python.PyTuple_SetItem(key, position, part)
    return position + 1


def is_bound(lazy: Lazy, part: ptr) -> i64:
    """Whether it is None or exactly an int."""
    return i64(part == lazy.none or Object(part).kind == STATE.python.PyLong_Type)


def parts_of(lazy: Lazy, item: ptr) -> i64:
    """Returns the number of an index item's components in a key; 0 unless it is an int or a slice of ints."""
    if Object(item).kind == STATE.python.PyLong_Type:
        return 1
    if Object(item).kind != lazy.slice_type:
        return 0
    bounds = Slice(item)
    if is_bound(lazy, bounds.start) == 0 or is_bound(lazy, bounds.stop) == 0:
        return 0
    return 4 if is_bound(lazy, bounds.step) != 0 else 0


def put_item(lazy: Lazy, key: ptr, position: i64, item: ptr) -> i64:
    """Stores an item of an index in its key; returns the next position."""
    if Object(item).kind != lazy.slice_type:
        return put_part(key, position, item)
    bounds = Slice(item)
    position = put_part(key, position, lazy.slice_type)
    position = put_part(key, position, bounds.start)
    position = put_part(key, position, bounds.stop)
    return put_part(key, position, bounds.step)


def index_key(lazy: Lazy, index: ptr) -> ptr:
    """Returns the key of an index, as `arrays.indexing.key_of` does, as a new reference; null for any other
    index."""
    python = STATE.python
    if Object(index).kind == python.PyLong_Type:
        python.Py_IncRef(index)
        return index
    if Object(index).kind != lazy.tuple_type:
        count = parts_of(lazy, index)
        made = python.PyTuple_New(count) if count > 0 else ptr(None)
        if made:
            put_item(lazy, made, 0, index)
        return made
    items = python.PyTuple_Size(index)
    total: i64 = 0
    for number in range(items):
        count = parts_of(lazy, python.PyTuple_GetItem(index, number))
        if count == 0:
            return None
        total += count
    key = python.PyTuple_New(total)
    if key:
        position: i64 = 0
        for number in range(items):
            position = put_item(lazy, key, position, python.PyTuple_GetItem(index, number))
    return key


def remembered(lazy: Lazy, tensor: ptr, view: ptr) -> i64:
    """Adds a view to a Tensor's views; 0 where that failed."""
    python = STATE.python
    reference = python.PyWeakref_NewRef(view, None)
    if not reference:
        return 0
    if slot(tensor, lazy.tensor_views) == lazy.none:
        made = python.PyList_New(0)
        if made:
            put(tensor, lazy.tensor_views, made)
            python.Py_DecRef(made)
    views = slot(tensor, lazy.tensor_views)
    is_known: i64 = 0
    if views != lazy.none:
        is_known = i64(python.PyList_Append(views, reference) == 0)
    python.Py_DecRef(reference)
    return is_known


def has_views_for(lazy: Lazy, tensor: ptr) -> i64:
    """Whether one more view of a Tensor only has to be added."""
    views = slot(tensor, lazy.tensor_views)
    if views == lazy.none:
        return 1
    count = STATE.python.PyList_Size(views)
    return i64(count < MOST_VIEWS or count & (count - 1) != 0)


def next_view(lazy: Lazy, graph: ptr, tensor: ptr, key: ptr, view: ptr) -> ptr:
    """Returns the Tensor of a view of a graph's node, at the program's next step; or null."""
    python = STATE.python
    node = python.PyTuple_GetItem(slot(tensor, lazy.tensor_pending), 1)
    shown = go_on(lazy, graph, key_of(lazy.view_type, key, node))
    if not shown:
        return None
    python.Py_IncRef(shown)
    made = pending_tensor(lazy, graph, shown)
    python.Py_DecRef(shown)
    if not made:
        return None
    put(made, lazy.tensor_path, view)
    put(made, lazy.tensor_base, tensor)
    if remembered(lazy, tensor, made) == 0:
        python.Py_DecRef(made)
        return None
    return made


def view_at(lazy: Lazy, tensor: ptr, index: ptr) -> ptr:
    """Returns the Tensor of a slice of one that is a node of this thread's graph and has memory of its own;
    null for any other, and where Python has to decide."""
    python = STATE.python
    if slot(tensor, lazy.tensor_frame) != lazy.frame or slot(tensor, lazy.tensor_base) != lazy.none:
        return None
    pending = slot(tensor, lazy.tensor_pending)
    if pending == lazy.none or slot(tensor, lazy.tensor_late) != lazy.none or is_monitored(lazy) != 0:
        return None
    graph = current_graph(lazy)
    if not graph or python.PyTuple_GetItem(pending, 0) != graph or has_views_for(lazy, tensor) == 0:
        return None
    key = index_key(lazy, index)
    asked = key_of(key, slot(tensor, lazy.tensor_shape), None) if key else ptr(None)
    made = ptr(None)
    if asked:
        view = python.PyDict_GetItemWithError(lazy.views, asked)
        python.Py_DecRef(asked)
        if view:
            python.Py_IncRef(view)
            python.Py_IncRef(graph)  # the collector may run code of the user's
            put(graph, lazy.graph_building, lazy.yes)
            made = next_view(lazy, graph, tensor, key, view)
            put(graph, lazy.graph_building, lazy.no)
            python.Py_DecRef(graph)
            python.Py_DecRef(view)
    if key:
        python.Py_DecRef(key)
    return made
