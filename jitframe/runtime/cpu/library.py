"""The native runtime as loaded into this process: its image, its state, and the functions in it."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable
from types import ModuleType

from ...cache.digest import digest
from ...ir.record import record
from ...locks import new_lock
from .image import Image, ImageError, LoadedImage, load, package
from .levels import baseline_target
from .native import arrays, entry, executor, making, matching, pool, processor, state, workers
from .tables import fill_tables

SOURCES: tuple[ModuleType, ...] = (
    state, pool, workers, executor, arrays, matching, making, entry, processor,
)  # fmt: skip
TRANSLATOR = "jitframe.codegen.native"


class ImageStore:
    """Where the runtime's image is kept between processes; a cache sets both functions before first use."""

    def __init__(self) -> None:
        self.get: Callable[[str], bytes | None] = lambda key: None
        self.put: Callable[[str, bytes], None] = lambda key, data: None


image_store = ImageStore()


@record
class NativeLibrary:
    """The loaded image, the address of its state, and whether the image came out of the store."""

    image: LoadedImage
    state: int
    from_store: bool

    def function(self, symbol: str, result: type | None, *parameters: type) -> Callable[..., int]:
        """A native function that Python calls with the GIL held; an exception it set is raised."""
        return ctypes.PYFUNCTYPE(result, *parameters)(self.image.address(symbol))

    def field(self, part: str, name: str) -> int:
        """The address of a field of the state, as in `field("pool", "hits")`."""
        offset, struct = state.State.fields()[part]
        return self.state + offset + int(struct.offset(name))


_lock = new_lock()
_library: NativeLibrary | None = None


def native_library() -> NativeLibrary:
    """The runtime of this process; built with LLVM where no store has it."""
    global _library
    with _lock:
        if _library is None:
            _library = _load()
        return _library


def _source_text(module: ModuleType) -> bytes:
    assert module.__file__ is not None and module.__spec__ is not None
    loader = module.__spec__.loader
    return bytes(loader.get_data(module.__file__))  # type: ignore[union-attr]


def image_key() -> str:
    """Of the sources, the translator and the triple: never of a compiler's output, a path or a time."""
    parts = [baseline_target().triple.encode()]
    parts += [_source_text(module) for module in SOURCES]
    folder = os.path.dirname(sys.modules[TRANSLATOR].__file__ or "")
    loader = sys.modules[TRANSLATOR].__spec__.loader  # type: ignore[union-attr]
    for name in ("expressions", "intrinsics", "language", "module", "scope", "statements", "types", "values"):
        parts.append(loader.get_data(os.path.join(folder, f"{name}.py")))  # type: ignore[union-attr]
    return f"native-runtime-{digest(*parts).hex()}"


def build_image() -> Image:
    """Translate and compile the runtime's sources."""
    from ...codegen.native.module import NativeSource, translate
    from . import compile as compiler  # most processes find the image

    target = baseline_target()
    sources = [
        NativeSource(module.__name__, _source_text(module).decode(), vars(module)) for module in SOURCES
    ]
    return package(compiler.compile_text(translate(sources, target.triple), target, optimize=True))


def _load() -> NativeLibrary:
    key = image_key()
    block = permanent_memory(state.State.size())
    fill_tables(block)
    stored = image_store.get(key)
    if stored is not None:
        try:
            return NativeLibrary(_load_image(Image.from_bytes(stored), block), block, True)
        except ImageError:
            pass
    image = build_image()
    image_store.put(key, image.to_bytes())
    return NativeLibrary(_load_image(image, block), block, False)


def _load_image(image: Image, block: int) -> LoadedImage:
    return load(image, {state.STATE.symbol: block})


def permanent_memory(nbytes: int) -> int:
    """Zeroed memory that is never freed: threads and late array finalizers use it until the process ends."""
    allocate = ctypes.pythonapi.PyMem_RawCalloc
    allocate.restype, allocate.argtypes = ctypes.c_void_p, [ctypes.c_size_t, ctypes.c_size_t]
    start = allocate(nbytes + 128, 1)
    if not start:
        raise MemoryError
    return int(-(-start // 128) * 128)
