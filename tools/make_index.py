"""Writes `jitframe/api/index.py`, by which the names of public functions are known without their modules.

It holds what the modules of `jitframe/api` declare (`registry.public`); `tools/make_stubs.py` runs it first.
"""

from __future__ import annotations

import ast
import doctest
import inspect
import json
import pkgutil
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

from jitframe import api
from jitframe.api.registry import DECLARED, Declaration

PATH = Path(__file__).resolve().parents[1] / "jitframe" / "api" / "index.py"
HEADER = '''\
"""The public functions by name, and where each is: text alone.

Made by `python tools/make_stubs.py` of what the modules beside it declare; `registry.py` says how.
"""

from __future__ import annotations

from .registry import Kind
'''
TABLES = {
    "ENTRIES": ("tuple[Kind, str, tuple[str, ...]]", "Kind, module and names in NumPy of each function."),
    "MATH": ("str", "Functions by their names in `math`, where a traced program has arrays for numbers."),
    "SCIPY_SPECIAL": ("str", "Functions by their names in `scipy.special`."),
    "METHODS": ("str", "Functions that are methods of arrays too, each with an example of the method."),
}
"""Of each table, what it has by a name, and what the table is."""


def make() -> str:
    """The text of the module as the sources have it."""
    for module in pkgutil.walk_packages(api.__path__, f"{api.__name__}."):
        import_module(module.name)
    return index(DECLARED.values())


def index(declared: Iterable[Declaration]) -> str:
    """The text of the module for these declarations."""
    declared = list(declared)
    tables: dict[str, dict[str, object]] = {
        "ENTRIES": {each.name: (each.kind, each.module, each.numpy) for each in declared},
        "MATH": {each.math.name: each.name for each in declared if each.math},
        "SCIPY_SPECIAL": {each.scipy: each.name for each in declared if each.scipy},
        "METHODS": {each.name: method_example(each) for each in declared if each.method},
    }
    parts = [HEADER]
    for name, table in tables.items():
        kind, summary = TABLES[name]
        lines = "".join(f"    {literal(key)}: {literal(table[key])},\n" for key in sorted(table))
        parts.append(f'\n{name}: dict[str, {kind}] = {{\n{lines}}}\n"""{summary}"""\n')
    return "".join(parts)


def literal(value: object) -> str:
    """A string, or a tuple of strings and tuples, as the sources write it."""
    if isinstance(value, tuple):
        return f"({', '.join(map(literal, value))}{',' * (len(value) == 1)})"
    return json.dumps(value, ensure_ascii=False)


def method_example(declared: Declaration) -> str:
    """The first example `jf.f(x, …)` of the function, written as `jf.asarray(x).f(…)`."""
    for example in doctest.DocTestParser().get_examples(inspect.getdoc(declared.function) or ""):
        source = example.source.strip()
        for call in ast.walk(ast.parse(source)):
            if isinstance(call, ast.Call) and ast.unparse(call.func) == f"jf.{declared.name}":
                whole, first, *rest = (
                    ast.get_source_segment(source, each) or "" for each in (call, *call.args, *call.keywords)
                )
                array = first if first.startswith("jf.asarray(") else f"jf.asarray({first})"
                method = f"{array}.{declared.name}({', '.join(rest)})"
                return f">>> {source.replace(whole, method)}\n{example.want}"
    raise SystemExit(f"{declared.name} is a method, and its docstring has no example jf.{declared.name}(x)")


if __name__ == "__main__":
    PATH.write_text(make(), encoding="utf-8")
