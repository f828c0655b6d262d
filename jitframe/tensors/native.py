"""Operators, element reads and evaluations of Tensors in native code (see `runtime.cpu.native.operators`,
`lazy_values`)."""

from __future__ import annotations

from functools import cache
from types import FunctionType
from typing import Any

import numpy

from ..api.array.operators import OPERATORS
from ..api.frame import STATE
from ..arrays.indexing import VIEWS
from ..arrays.views import View
from ..functions import elementwise
from ..ir.node import Node
from ..ir.types import COMMON, F32, F64
from ..runtime import profiler_hook
from ..runtime.cpu.entry.callables import native_entry_works
from ..runtime.cpu.entry.native_entry import native_method_class
from ..runtime.cpu.execution.runtime import runtime
from ..runtime.cpu.native_library.described import native
from ..runtime.cpu.native_library.layout import slot_offsets, write_word
from ..runtime.cpu.native_library.library import permanent_memory
from ..runtime.device import CPU
from .lazy import FOR_ANY_NUMBER, NODE_LIMIT, TENSOR_LIMIT, THREAD, LazyGraph, number_token
from .steps import Step
from .tensor import FRAME, Tensor, TensorFrame

_SLOTS: dict[str, tuple[type, dict[str, str]]] = {
    "tensor": (
        Tensor,
        {name: f"_{name}" for name in (
            "frame", "base", "late", "order", "views", "value", "is_scalar", "pending", "dtype", "path",
        )} | {"shape": "_known_shape"},
    ),
    "graph": (
        LazyGraph,
        {name: name for name in (
            "step", "building", "operands", "tensors", "inputs", "known", "carries", "is_left",
        )} | {"arrays": "_arrays", "numbers": "_numbers", "values": "scalar_values"},
    ),
    "step": (Step, {name: name for name in ("next", "count", "inputs", "runs")}),
    "node": (Node, {name: name for name in ("shape", "dtype")}),
}  # fmt: skip
"""The class of each kind of object, and the slot whose offset each word of `Lazy` holds."""


_ARITHMETIC = {
    elementwise.add: native.ADD,
    elementwise.subtract: native.SUBTRACT,
    elementwise.multiply: native.MULTIPLY,
    elementwise.divide: native.DIVIDE,
}


@cache
def answer_natively() -> None:
    """Enables the native code, where it works."""
    lazy = _lazy_words() if native_entry_works() else None
    if lazy is None:
        return
    runtime()  # which frees what is made
    address, kept = lazy
    method: Any = native_method_class()
    for name in [each for each in dir(Tensor) if each.startswith("__")]:
        slow = getattr(Tensor, name)
        if isinstance(slow, FunctionType) and slow in OPERATORS:
            function, is_reflected, is_in_place = OPERATORS[slow]
            words = {
                "lazy": address,
                "function": id(function),
                "arithmetic": _ARITHMETIC.get(function, native.OTHER),
                "is_reflected": is_reflected,
                "in_place": is_in_place,
                "any_number": function in FOR_ANY_NUMBER,
            }
            setattr(Tensor, name, method("operator_call", slow, words, (function, kept)))
    for kind, name, symbol in (
        (Tensor, "__getitem__", "element_call"),
        (Tensor, "__setitem__", "store_call"),
        (Tensor, "_evaluated", "value_call"),
        (TensorFrame, "unary", "unary_call"),
    ):
        setattr(kind, name, method(symbol, getattr(kind, name), {"lazy": address}, kept))


def _lazy_words() -> tuple[int, list[Any]] | None:
    """Returns the address of a `Lazy` and the objects that it refers to; None where the offset of a slot is
    unknown."""
    objects: dict[str, Any] = {
        "tensor_type": Tensor, "graph_type": LazyGraph, "tuple_type": tuple, "frame": FRAME,
        "threads": THREAD, "graphs_name": "graphs", "traces": STATE, "frames_name": "frames",
        "device_key": FRAME._key, "device_facts": vars(CPU),
        "monitored_name": "is_monitored", "dtype_name": "dtype", "shape_name": "shape",
        "strides_name": "strides", "none": None, "yes": True, "no": False, "empty": (), "f64_dtype": F64,
        "f32_dtype": F32, "f64_descr": numpy.dtype("f8"), "zero": number_token(0.0),
        "negative_zero": number_token(-0.0),
        "common_floats": {float(value): number_token(float(value)) for value in COMMON},
        "common_ints": {value: number_token(value) for value in COMMON if isinstance(value, int)},
        "slice_type": slice, "view_type": View, "views": VIEWS,
        "profiler_facts": vars(profiler_hook), "active_name": "active",
    }  # fmt: skip
    words = {"node_limit": NODE_LIMIT, "tensor_limit": TENSOR_LIMIT}
    words |= {name: id(value) for name, value in objects.items()}
    for kind, (owner, names) in _SLOTS.items():
        places = slot_offsets(owner)
        if places is None:
            return None
        words |= {f"{kind}_{name}": places[name_of] for name, name_of in names.items()}
    address = permanent_memory(native.Lazy.size())
    for name, word in words.items():
        write_word(address + native.Lazy.offset(name), word)
    return address, [objects]
