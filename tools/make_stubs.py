"""Writes the index of public functions (`make_index.py`), and the stubs that editors and type checkers read:
`python tools/make_stubs.py`.

Public functions are loaded when they are first asked for, and many are made from records, so that no checker
finds them in the sources. What they take is read from their signatures, in which `Any` stands for what its
name tells (`TYPES`), and what they give from their annotations, in which it stands for a Tensor.
"""

from __future__ import annotations

import inspect
import operator
import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import jitframe
from jitframe import backends
from jitframe.api.index import ENTRIES
from jitframe.api.scalar_types import ScalarType

ROOT = Path(__file__).resolve().parents[1]
TEMPLATE = ROOT / "tools" / "stub_template.txt"
"""The stub of `jitframe` itself, with places for what is read from it."""
_ARRAYS = (
    "A a a1 a2 arr ary array b bins condition condlist choicelist default dx element f fill_value fp left m "
    "mask max min multi_index nan neginf p period posinf right rtol atol sorter src start step stop "
    "test_elements to_begin to_end v val vals value values weights where x x1 x2 xp y z a_min a_max append "
    "prepend ddof correction initial mean indices repeats ind"
)
TYPES = {
    **dict.fromkeys(_ARRAYS.split(), "ArrayLike"),
    **dict.fromkeys(("axis", "axis1", "axis2", "axisa", "axisb", "source", "destination"), "_Axis"),
    "dtype": "DTypeLike | None", "out": "_Out", "casting": "_Casting", "order": "_Order", "keepdims": "_bool",
    **dict.fromkeys(("shape", "new_shape", "dimensions", "dims", "window_shape"), "_Shape"),
    **dict.fromkeys(("object", "other", "varargs", "xi"), "ArrayLike"),
    **dict.fromkeys(("arrays", "tup"), "Sequence[ArrayLike] | Tensor"),
    **dict.fromkeys(("include_initial", "returned"), "_bool"),
}  # fmt: skip
"""What parameters of these names take, where the source says Any."""
_OR_NONE = frozenset(("a_min", "a_max", "min", "max"))
"""None is no bound."""
SEVERAL = {
    "where": (
        "def where(condition: ArrayLike, /, *, size: int | None = None, fill_value: ArrayLike = 0) "
        "-> tuple[Tensor, ...]: ...",
        "def where(condition: ArrayLike, x: ArrayLike, y: ArrayLike, /) -> Tensor: ...",
    ),
    **{
        f"atleast_{rank}d": (
            f"def atleast_{rank}d(array: ArrayLike, /) -> Tensor: ...",
            f"def atleast_{rank}d(*arrays: ArrayLike) -> tuple[Tensor, ...]: ...",
        )
        for rank in (1, 2, 3)
    },
}
"""Functions whose results are of several types."""
_NAMED = {
    "Any": "Tensor",
    "LazyValue": "Tensor",
    "Varied": "Any",
    "registry.Varied": "Any",
    "numpy.ndarray": "_Array",
    "Tensor": "Tensor",
    "Self": "Tensor",
}
_PLAIN = re.compile(r"(int|float|bool|str|None|Any)( \| (int|float|bool|str|None|Any))*")

_OPERATORS = "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift"
_COMPARISONS, _UNARY = "lt le gt ge", "neg pos abs invert"
_OWN = frozenset(("Tensor", "compute", "JittedFunction", "jit", "clear"))
"""What the template has: its types are more exact than the sources' own."""
HEADER = '"""What `{}` has, for editors and type checkers; made by `tools/make_stubs.py`."""\n'
NAMESPACE_IMPORTS = """\
from collections.abc import Sequence
from typing import Any

from numpy.typing import DTypeLike

from . import ArrayLike, Tensor, _Axis, _bool, _Casting, _Order, _Out
"""
PROPERTIES = {
    "shape": "tuple[int, ...]", "dtype": "np.dtype[Any]", "ndim": "int", "size": "int", "itemsize": "int",
    "nbytes": "int", "strides": "tuple[int, ...]", "device": "str", "flat": "Any",
}  # fmt: skip


def body(function: Any, indent: str) -> str:
    """The docstring and the dots of a stub."""
    text = inspect.getdoc(function) or ""
    if '"""' in text or "\\" in text:
        text = text.replace("\\", "\\\\").replace('"""', r"\"\"\"")
    if not text:
        return " ..."
    text = f'"""{text}' + ('\n"""' if "\n" in text else '"""')
    return "\n" + textwrap.indent(text, indent, lambda line: bool(line.strip()))


def annotated(function: str, parameter: inspect.Parameter) -> str:
    """A parameter as the stub has it."""
    said = parameter.annotation if isinstance(parameter.annotation, str) else ""
    name = parameter.name
    if said == "Any" or not said:
        kind = TYPES.get(name, "Any")
    else:
        kind = said if _PLAIN.fullmatch(said) else "Any"
    if parameter.kind == parameter.VAR_POSITIONAL:
        kind = kind.replace("Sequence[ArrayLike] | Tensor", "ArrayLike")
    if name == "dtype" and parameter.default is parameter.empty:
        kind = "DTypeLike"
    kind = re.sub(r"\bbool\b", "_bool", kind)
    is_unset = parameter.default is None or name in _OR_NONE
    if is_unset and not kind.endswith(("None", "_Axis", "_Out", "_Order", "Any")):
        kind += " | None"
    stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    default = "" if parameter.default is parameter.empty else f" = {shown(parameter.default)}"
    return f"{stars}{name}: {kind}{default}"


def shown(default: Any) -> str:
    if isinstance(default, (bool, int, str, type(None))) or default == (None, None):
        return repr(default)
    return repr(default) if isinstance(default, float) and default == default else "..."


def parameters(function: str, found: inspect.Signature) -> str:
    """The parameters as text, with the marks of those by position or by name alone."""
    made: list[str] = []
    before = None
    starred = False
    for each in found.parameters.values():
        if before == each.POSITIONAL_ONLY and each.kind != before:
            made.append("/")
        if each.kind == each.KEYWORD_ONLY and not starred:
            made.append("*")
        starred = starred or each.kind in (each.KEYWORD_ONLY, each.VAR_POSITIONAL)
        made.append(each.name if each.name == "self" else annotated(function, each))
        before = each.kind
    if before == inspect.Parameter.POSITIONAL_ONLY:
        made.append("/")
    return ", ".join(made)


def returned(function: str, found: inspect.Signature) -> str:
    said = found.return_annotation if isinstance(found.return_annotation, str) else "Any"
    said = said.replace("numpy.", "np.") if said.startswith(("numpy.dtype", "numpy.iinfo")) else said
    for ours, theirs in _NAMED.items():
        said = theirs if said == ours else said
    said = re.sub(r"(tuple|list)\[Any\b", r"\1[Tensor", said).replace("Tensor, Any]", "Tensor, Tensor]")
    return re.sub(r"\bbool\b", "_bool", said)


def definition(called: str, function: Any, entry: str = "", indent: str = "") -> str:
    """The stub of a function."""
    entry = entry or called
    if entry in SEVERAL:
        first, *rest = SEVERAL[entry]
        first = first.removesuffix(" ...") + body(function, "    ")
        return "\n".join(f"@overload\n{each}" for each in (first, *rest))
    found = inspect.signature(function)
    given, result = parameters(entry, found), returned(entry, found)
    return f"{indent}def {called}({given}) -> {result}:{body(function, indent + '    ')}"


def operators() -> str:
    """Those of a Tensor, with the reflected ones and those in place."""
    both = [f"{side}{name}" for name in _OPERATORS.split() for side in ("", "r", "i")]
    two = [
        f"    def __{name}__(self, other: ArrayLike, /) -> Tensor: ..."
        for name in (*both, *_COMPARISONS.split())
    ]
    return "\n".join((*two, *(f"    def __{name}__(self) -> Tensor: ..." for name in _UNARY.split())))


def methods() -> str:
    """The methods and attributes of a Tensor."""
    lines = []
    for name in dir(jitframe.Tensor):
        found = inspect.getattr_static(jitframe.Tensor, name)
        if name.startswith("_") or not hasattr(jitframe.Tensor, name):  # of ndarray alone
            continue
        if isinstance(found, property):
            kind = PROPERTIES.get(name, "Tensor")
            lines.append(f"    @property\n    def {name}(self) -> {kind}:{body(found, ' ' * 8)}")
        else:
            lines.append(definition(name, found, f"Tensor.{name}", "    "))
    return "\n".join(lines)


def constants() -> str:
    lines = []
    for name, value in jitframe._CONSTANTS.items():
        kind = f"type[np.{name}]" if isinstance(value, ScalarType) else type(value).__name__
        lines.append(f"{name}: {kind.replace('NoneType', 'None')}")
    return "\n".join(lines)


def main_stub() -> str:
    lazy = jitframe._LAZY_NAMES
    imports = [f"from . import {name} as {name}" for name in sorted(jitframe._LAZY_MODULES)]
    imports += [f"from .{lazy[name]} import {name} as {name}" for name in sorted(lazy) if name not in _OWN]
    names = [name for name in sorted(ENTRIES) if "." not in name]
    made = {
        "imports": "\n".join(imports), "operators": operators(), "methods": methods(),
        "constants": constants(),
        "functions": "\n".join(definition(name, getattr(jitframe, name)) for name in names),
        "aliases": "\n".join(
            f"{alias} = {name}"
            for name in names
            for alias in dict.fromkeys(ENTRIES[name][2])
            if alias not in ENTRIES and "." not in alias
        ),
    }  # fmt: skip

    def filled(place: re.Match[str]) -> str:
        name = place[1]
        if name in made:
            return made[name]
        function = operator.attrgetter(name)(jitframe)
        return body(function, " " * (8 if "." in name else 4)).removesuffix(
            " ..." * inspect.isclass(function)
        )

    return re.sub(r"\{([\w.]+)\}", filled, TEMPLATE.read_text(encoding="utf-8"))


def namespace_stub(namespace: str) -> str:
    module = getattr(jitframe, namespace)
    functions = (definition(name, getattr(module, name), f"{namespace}.{name}") for name in module.__all__)
    return "\n".join((HEADER.format(f"jitframe.{namespace}"), NAMESPACE_IMPORTS, *functions, ""))


def namespaces() -> list[str]:
    """The modules beside `jitframe` itself that have public functions: those before a dot in their names."""
    return sorted({name.partition(".")[0] for name in ENTRIES if "." in name})


def backends_stub() -> str:
    names = sorted(backends._NAMES.items())
    lines = (f"from .{module} import {name} as {name}" for name, module in names)
    return "\n".join((HEADER.format("jitframe.backends"), *lines, ""))


STUBS: dict[str, Callable[[], str]] = {
    "jitframe/__init__.pyi": main_stub,
    **{f"jitframe/{name}.pyi": partial(namespace_stub, name) for name in namespaces()},
    "jitframe/backends/__init__.pyi": backends_stub,
}
"""What makes each stub."""

if __name__ == "__main__":
    index = ROOT / "jitframe" / "api" / "index.py"
    known = index.read_text(encoding="utf-8")
    subprocess.run((sys.executable, str(ROOT / "tools" / "make_index.py")), check=True)
    if index.read_text(encoding="utf-8") != known:  # the names here are those before
        os.execv(sys.executable, (sys.executable, *sys.argv))
    for path, make in STUBS.items():
        (ROOT / path).write_text(make())
        print(path)
