"""The native runtime's sources: what they say, the key of what is made of them, and their image."""

from __future__ import annotations

import os
from types import ModuleType
from typing import Any

from ....cache.digest import digest
from ....cache.generator import noted_at_build, source_digests
from ....codegen.native.module import NativeSource, translate
from ....codegen.native.types import Struct, is_struct
from ....errors import BackendError
from .. import native
from ..machine_code import compile as compiler
from ..machine_code.image import Image, package
from ..machine_code.levels import baseline_target
from ..machine_code.llvm import check_room
from ..native import (
    arrays,
    entry,
    executor,
    lazy_programs,
    lazy_values,
    lazy_views,
    libraries,
    making,
    matching,
    operators,
    outside,
    pool,
    processor,
    state,
    workers,
)
from .described import Structs

SOURCES: tuple[ModuleType, ...] = (
    state, pool, workers, libraries, executor, arrays, matching, outside, making, entry,
    lazy_programs, lazy_views, operators, lazy_values, processor,
)  # fmt: skip
FOLDER, TRANSLATOR = "runtime/cpu/native", "codegen/native"
"""Of the sources and of what translates them, below the package."""


def source_text(module: ModuleType) -> str:
    """What a native source says: its file, or what the wheel's build noted of it where that is not there.

    Raises BackendError where it did not either.
    """
    spec = module.__spec__
    assert spec is not None
    path = f"{FOLDER}/{module.__name__.rpartition('.')[2]}.py"
    try:
        loader: Any = spec.loader
        return str(
            loader.get_data(os.path.join(os.path.dirname(native.__file__), os.path.basename(path))), "utf-8"
        )
    except (OSError, AttributeError, TypeError):
        pass
    noted = noted_at_build("TEXTS").get(path)
    if noted is None:
        raise BackendError(
            f"the native runtime is made of its source jitframe/{path}, which this installation lacks; "
            "install jitframe from a wheel, which keeps it in a module as well, or keep the file"
        )
    return noted


def image_key() -> str:
    """Of the sources, the translator and the triple: never of a compiler's output, a path or a time."""
    parts = baseline_target().triple, source_digests(FOLDER, TRANSLATOR)
    return f"native-runtime-{digest(repr(parts).encode()).hex()}"


def build_image() -> Image:
    """Translate and compile the runtime's sources."""
    check_room(0)  # before the translation takes what there is
    target = baseline_target()
    sources = [NativeSource(module.__name__, source_text(module), vars(module)) for module in SOURCES]
    return package(compiler.compile_text(translate(sources, target.triple), target, optimize=True))


def description() -> tuple[Structs, dict[str, int]]:
    """Structs and numbers of all sources, by name."""
    structs: Structs = {}
    constants: dict[str, int] = {}
    for module in SOURCES:
        for name, value in vars(module).items():
            if is_struct(value) and value is not Struct:
                described = value.size(), _offsets(value)
                known = structs.setdefault(name, described)
                assert known == described, f"two structs {name}"
            elif name.isupper() and type(value) is int:
                number = constants.setdefault(name, value)
                assert number == value, f"two numbers {name}"
    assert not structs.keys() & constants.keys()
    return structs, constants


def _offsets(struct: type[Struct]) -> dict[str, int]:
    found: dict[str, int] = {}
    for name, (offset, kind) in struct.fields().items():
        found[name] = offset
        if is_struct(kind) and struct is state.State:
            found.update({f"{name}.{inner}": offset + at for inner, at in _offsets(kind).items()})
    return found
