"""The native runtime's sources: what they say, the key of what is made of them, and their image."""

from __future__ import annotations

import os
import sys
from types import ModuleType

from ...cache.digest import digest
from ...codegen.native.types import Struct, is_struct
from .described import Structs
from .image import Image, package
from .levels import baseline_target
from .native import arrays, entry, executor, making, matching, pool, processor, state, workers

SOURCES: tuple[ModuleType, ...] = (
    state, pool, workers, executor, arrays, matching, making, entry, processor,
)  # fmt: skip
TRANSLATOR = "jitframe.codegen.native"


def source_text(module: ModuleType) -> bytes:
    assert module.__file__ is not None and module.__spec__ is not None
    loader = module.__spec__.loader
    return bytes(loader.get_data(module.__file__))  # type: ignore[union-attr]


def image_key() -> str:
    """Of the sources, the translator and the triple: never of a compiler's output, a path or a time."""
    parts = [baseline_target().triple.encode()]
    parts += [source_text(module) for module in SOURCES]
    folder = os.path.dirname(sys.modules[TRANSLATOR].__file__ or "")
    loader = sys.modules[TRANSLATOR].__spec__.loader  # type: ignore[union-attr]
    for name in ("expressions", "intrinsics", "language", "module", "scope", "statements", "types", "values"):
        parts.append(loader.get_data(os.path.join(folder, f"{name}.py")))  # type: ignore[union-attr]
    return f"native-runtime-{digest(*parts).hex()}"


def build_image() -> Image:
    """Translate and compile the runtime's sources."""
    from ...codegen.native.module import NativeSource, translate  # needed where no store has the image
    from . import compile as compiler

    target = baseline_target()
    sources = [
        NativeSource(module.__name__, source_text(module).decode(), vars(module)) for module in SOURCES
    ]
    return package(compiler.compile_text(translate(sources, target.triple), target, optimize=True))


def description() -> tuple[Structs, dict[str, int]]:
    """Structs and numbers of all sources, by name."""
    structs: Structs = {}
    numbers: dict[str, int] = {}
    for module in SOURCES:
        for name, value in vars(module).items():
            if is_struct(value) and value is not Struct:
                described = value.size(), _offsets(value)
                assert structs.setdefault(name, described) == described, f"two structs {name}"
            elif name.isupper() and type(value) is int:
                assert numbers.setdefault(name, value) == value, f"two numbers {name}"
    assert not structs.keys() & numbers.keys()
    return structs, numbers


def _offsets(struct: type[Struct]) -> dict[str, int]:
    found: dict[str, int] = {}
    for name, (offset, kind) in struct.fields().items():
        found[name] = offset
        if is_struct(kind) and struct is state.State:
            found.update({f"{name}.{inner}": offset + at for inner, at in _offsets(kind).items()})
    return found
