"""The rooms of the three layers: who imports whom, how large each is, as docs/architecture.md says."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import grimp
import networkx

from .test_code_share import lines_of

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "architecture.md"
HEADING = "| room | lines | files | longest |"
FOLDERS = ("ir", "codegen", "jitframe")


@cache
def imports() -> networkx.DiGraph:
    """Modules and what they import, anywhere: at the top, in functions, for types."""
    graph = grimp.build_graph("jitframe", cache_dir=None)
    found = networkx.DiGraph()
    for name in graph.modules:
        found.add_node(name)
        found.add_edges_from((name, other) for other in graph.find_modules_directly_imported_by(name))
    found.remove_node("jitframe")  # its attributes are loaded when they are asked for
    return found


def room(module: str) -> str:
    name = module.split(".")[1]
    return "base" if name in ("errors", "settings") else name


def files() -> Iterator[Path]:
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if not path.relative_to(ROOT).as_posix().startswith(("jitframe/ir/", "jitframe/codegen/")):
                yield path


def rooms() -> dict[str, list[int]]:
    """The lines of the files of each folder."""
    found: dict[str, list[int]] = {}
    for path in files():
        folder = path.parent.relative_to(ROOT).as_posix()
        found.setdefault(folder, []).append(lines_of(path))
    return found


def table() -> list[str]:
    rows = [HEADING, "|---|---|---|---|"]
    for name, lines in sorted(rooms().items()):
        rows.append(f"| `{name}/` | {round(sum(lines), -2)} | {len(lines)} | {max(lines)} |")
    every = [count for lines in rooms().values() for count in lines]
    rows.append(f"| together | {round(sum(every), -2)} | {len(every)} | {max(every)} |")
    return rows


def test_no_circle_crosses_rooms() -> None:
    crossing = networkx.DiGraph()
    for module, other in imports().edges:
        if room(module) != room(other):
            crossing.add_edge(room(module), room(other))
    circles = [sorted(each) for each in networkx.strongly_connected_components(crossing) if len(each) > 1]
    assert not circles, f"rooms that import one another: {circles}"


def test_the_check_sees_imports_in_functions_and_for_types() -> None:
    edges = imports().edges
    assert ("jitframe.tracing.values.traced", "jitframe.ir.node") in edges
    assert ("jitframe.compilation.evaluate", "jitframe.codegen.lower.program") in edges, "in a function"
    assert ("jitframe.arrays.layout", "jitframe.arrays.views") in edges, "for types"


def test_the_pages_picture_has_every_layer() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    layers = " : ".join(contracts["contracts"][0]["layers"])
    names = [name.removeprefix("jitframe.") for name in layers.split(" : ")]
    picture = PAGE.read_text(encoding="utf-8").split("```")[1]
    packages = [
        name for name in names if (ROOT / "jitframe" / name / "__init__.py").exists() and name != "lib"
    ]
    assert len(packages) > 15
    assert not [
        name
        for name in packages
        if not re.search(rf"^.{{14,30}}\b{name}\b|^ {name}\b", picture, re.MULTILINE)
    ]


def test_the_page_has_the_size_of_each_room() -> None:
    """To a quarter: what grows by more is a change of the architecture, which the page tells."""
    text = PAGE.read_text(encoding="utf-8")
    start = text.find(HEADING)
    if os.environ.get("JITFRAME_UPDATE_SNAPSHOTS"):
        text = (text if start < 0 else text[:start]) + "\n".join([*table(), ""])
        PAGE.write_text(text, encoding="utf-8")
    told = dict(re.findall(r"^\| `([\w/]+)/` \| (\d+) \|", text, re.MULTILINE))
    sizes = {name: sum(lines) for name, lines in rooms().items()}
    assert told.keys() == sizes.keys(), "run with JITFRAME_UPDATE_SNAPSHOTS=1"
    for name, count in sizes.items():
        least, most = sorted((int(told[name]), count))
        assert most - least <= max(0.25 * most, 100), (
            f"{name} has {count} lines, and the page says {told[name]}: run with JITFRAME_UPDATE_SNAPSHOTS=1"
        )
