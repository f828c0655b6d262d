"""NumPy's allocator interface (NEP 49) over the buffer pool, as the capsule that output arrays carry."""

from __future__ import annotations

import ctypes

from .library import NativeLibrary

CAPSULE_NAME = ctypes.c_char_p(b"mem_handler")


class _Handler(ctypes.Structure):
    """PyDataMem_Handler, version 1."""

    _fields_ = [
        ("name", ctypes.c_char * 127),
        ("version", ctypes.c_uint8),
        ("context", ctypes.c_void_p),
        ("malloc", ctypes.c_void_p),
        ("calloc", ctypes.c_void_p),
        ("realloc", ctypes.c_void_p),
        ("free", ctypes.c_void_p),
    ]


def make_handler_capsule(library: NativeLibrary, memory: int) -> object:
    """A capsule around a handler written at `memory`, which is never freed: arrays outlive everything."""
    handler = _Handler.from_address(memory)
    handler.name = b"jitframe_pool"
    handler.version = 1
    for field in ("malloc", "calloc", "realloc", "free"):
        setattr(handler, field, library.image.address(f"handler_{field}"))
    new = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(
        ("PyCapsule_New", ctypes.pythonapi)
    )
    capsule = new(memory, CAPSULE_NAME, None)
    # One reference for ever: an array can be freed after this module's globals are gone.
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(capsule))
    return capsule


def handler_bytes() -> int:
    return ctypes.sizeof(_Handler)
