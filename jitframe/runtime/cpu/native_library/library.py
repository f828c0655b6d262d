"""The native runtime as loaded into this process: its image, its state, and the functions in it."""

from __future__ import annotations

import ctypes
import marshal
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from ....base.background import on_own_thread
from ....base.locks import new_reentrant_lock
from ....cache.generator import generator_version, learn_version, sources_stamp
from ....ir.record import record
from ..machine_code.image import Image, ImageError, LoadedImage, load
from ..machine_code.levels import baseline_target
from .described import native
from .tables import fill_tables

STATE = "jitframe_state"
"""The symbol of the pointer to the state."""


class ImageStore:
    """The store of the runtime's image between processes; a cache sets both functions before first use."""

    def __init__(self) -> None:
        self.get: Callable[[str], bytes | None] = lambda key: None
        self.put: Callable[[str, bytes], None] = lambda key, data: None


image_store = ImageStore()


class NativeLibrary(metaclass=record):
    """The loaded image, the address of its state, and whether the image came out of the store."""

    image: LoadedImage
    state: int
    from_store: bool

    def function(self, symbol: str, result: type | None, *parameters: type) -> Callable[..., Any]:
        """A native function that Python calls with the GIL held; an exception it set is raised."""
        return ctypes.PYFUNCTYPE(result, *parameters)(self.image.address(symbol))

    def field(self, part: str, name: str) -> int:
        """The address of a field of the state, as in `field("pool", "hits")`."""
        return self.state + int(native.State.offset(f"{part}.{name}"))


_lock = new_reentrant_lock()
_library: NativeLibrary | None = None


def native_library() -> NativeLibrary:
    """The runtime of this process; built with LLVM where no store has it."""
    found = _library
    return on_own_thread(_made) if found is None else found


def _made() -> NativeLibrary:
    global _library
    with _lock:
        if _library is None:
            found = _load()
            if _library is None:  # else a destructor, say, needed it in the middle of that
                _library = found
        return _library


def _load() -> NativeLibrary:
    found = _stored()
    if found is not None:
        return found
    from .native_sources import build_image, description, image_key

    described = description()
    native.learn(*described)
    key = image_key()
    block = _new_state()
    stored = image_store.get(key)
    image = None
    if stored is not None:
        with suppress(ImageError):
            image = Image.from_bytes(stored)
    made = build_image() if image is None else image
    if image is None:
        image_store.put(key, made.to_bytes())
    stamp = _stamp()
    if stamp:
        image_store.put(stamp, marshal.dumps((generator_version(), *described, made.to_bytes())))
    return NativeLibrary(_load_image(made, block), block, image is not None)


def _stored() -> NativeLibrary | None:
    """The library where an image is stored with what the sources say, and their files look as they did."""
    stamp = _stamp()
    stored = image_store.get(stamp) if stamp else None
    if stored is None:
        return None
    try:
        version, structs, constants, data = marshal.loads(stored)
        image = Image.from_bytes(data)
    except (ImageError, ValueError, EOFError, TypeError):
        return None
    learn_version(version)
    native.learn(structs, constants)
    block = _new_state()
    return NativeLibrary(_load_image(image, block), block, True)


def _stamp() -> str:
    """The name of the image, and of what its sources say, by the looks of their files; none where there are
    no files."""
    looks = sources_stamp()
    return f"native-runtime-{looks}-{sys.hexversion}-{baseline_target().triple}" if looks else ""


def _new_state() -> int:
    block = permanent_memory(native.State.size())
    fill_tables(block)
    return block


def _load_image(image: Image, block: int) -> LoadedImage:
    return load(image, {STATE: block})


def permanent_memory(nbytes: int) -> int:
    """Zeroed memory that is never freed: threads and late array finalizers use it until the process ends."""
    allocate = ctypes.pythonapi.PyMem_RawCalloc
    allocate.restype, allocate.argtypes = ctypes.c_void_p, [ctypes.c_size_t, ctypes.c_size_t]
    start = allocate(nbytes + 128, 1)
    if not start:
        raise MemoryError
    return int(-(-start // 128) * 128)
