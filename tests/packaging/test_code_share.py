"""How much of the code all backends share: docs/code_share.md, and the limits it is held to.

JITFRAME_UPDATE_SNAPSHOTS=1 writes the page anew. Counts may drift by a tenth before it has to be.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "code_share.md"
LANGUAGES = {"cuda": "CUDA C", "hip": "HIP C", "opencl": "OpenCL C", "metal": "MSL", "webgpu": "WGSL"}
LEAST_SHARED = 0.85
MOST_OF_A_LANGUAGE = 400
"""What a driver must do takes fewer; programs that others wrote, queues, facts for people come on top."""

OWN: dict[str, tuple[str, ...]] = {
    "cuda": ("codegen/c_family/cuda*.py", "jitframe/runtime/drivers/cuda*.py"),
    "hip": ("codegen/c_family/hip*.py", "jitframe/runtime/drivers/hip*.py"),
    "opencl": ("codegen/c_family/opencl*.py", "jitframe/runtime/drivers/opencl*.py"),
    "metal": ("codegen/c_family/metal*.py", "jitframe/runtime/drivers/metal*.py"),
    "webgpu": ("codegen/c_family/wgsl*.py", "jitframe/runtime/drivers/webgpu*.py"),
}
"""The dialect and the driver of each language, in however many files."""

OF_SOME: dict[str, tuple[str, ...]] = {
    "cuda, hip": (
        "jitframe/runtime/drivers/streams.py",
        "jitframe/runtime/drivers/stream_interface.py",
        "jitframe/runtime/memory/array_interface.py",
        "jitframe/runtime/memory/dlpack.py",
    ),
}
"""What a few languages share. It does not count as shared."""

PROCESSOR = ("codegen/llvm/*.py", "codegen/native/*.py", "jitframe/runtime/cpu/**/*.py")

SHARED: dict[str, tuple[str, ...]] = {
    "graphs, ops, passes": ("ir/**/*.py", "codegen/__init__.py"),
    "kernel IR": ("codegen/kernel/*.py",),
    "lowering and schedules": ("codegen/lower/**/*.py",),
    "plans": ("codegen/plan/*.py",),
    "vector math": ("codegen/math/*.py",),
    "arrays, functions, tracing": (
        "jitframe/*.py", "jitframe/functions/*.py", "jitframe/api/**/*.py", "jitframe/tracing/**/*.py",
        "jitframe/capture/*.py",
        "jitframe/arrays/*.py", "jitframe/base/*.py", "jitframe/compilation/*.py", "jitframe/tensors/*.py",
        "jitframe/freezing/*.py", "jitframe/interop/*.py", "jitframe/onnx/**/*.py",
        "jitframe/lib/*.py", "jitframe/sparse/*.py",
    ),
    "cache, command line, explanations": (
        "jitframe/cache/*.py", "jitframe/cli/*.py", "jitframe/explanation/*.py",
    ),
    "backends: memory, programs, choice, profiles": ("jitframe/backends/**/*.py", "jitframe/profiling/*.py"),
    "C-like languages: the generator": ("codegen/c_family/*.py",),
    "C-like languages: devices, memory, execution": (
        "jitframe/runtime/*.py", "jitframe/runtime/discovery/*.py", "jitframe/runtime/drivers/*.py",
        "jitframe/runtime/memory/*.py", "jitframe/runtime/queues/*.py",
    ),
}  # fmt: skip
"""What every language goes through. Files named above are taken out."""


@cache
def lines_of(path: Path) -> int:
    """Lines with code: neither blank nor comment nor docstring."""
    text = path.read_text(encoding="utf-8")
    lines_of_text = enumerate(text.split("\n"), 1)
    code = {number for number, line in lines_of_text if line.strip() and not line.lstrip().startswith("#")}
    docstrings: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        value = node.value if isinstance(node, ast.Expr) else node
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            found = docstrings if isinstance(node, ast.Expr) else code
            found.update(range(value.lineno, (value.end_lineno or value.lineno) + 1))
    return len(code - docstrings)


def files(patterns: Iterable[str]) -> set[Path]:
    return {path for pattern in patterns for path in ROOT.glob(pattern)}


PARTS = ("programs", "queues", "subgroups", "llvmpipe", "libraries", "facts")


def optional(name: str) -> set[Path]:
    """The optional parts: programs in the device's language that others wrote, several queues, an optional
    feature of the interface, what a single implementation of it needs, where libraries are looked for, and
    what devices tell of themselves."""
    return {path for path in files(OWN[name]) if path.stem.endswith(PARTS)}


def core(name: str, pattern: str) -> set[Path]:
    return files((pattern,)) - optional(name)


def lines(paths: Iterable[Path]) -> int:
    return sum(map(lines_of, paths))


@cache
def specific() -> set[Path]:
    return files(pattern for group in (*OWN.values(), *OF_SOME.values()) for pattern in group)


def shared_lines() -> int:
    return sum(lines(files(group) - specific()) for group in SHARED.values())


def own_lines() -> int:
    return lines(specific())


def page() -> str:
    rows = [
        "# Code share",
        "",
        "Lines of code (no blank lines, comments, docstrings), what is shared rounded to tens. Written by",
        "`tests/packaging/test_code_share.py`, which holds it to its limits: of what the C-like languages go",
        f"through, at least {LEAST_SHARED:.0%} is the same for all of them, and what is one language's own,",
        f"its dialect and its driver, stays below {MOST_OF_A_LANGUAGE} lines. The optional parts of a",
        "language and its driver (programs that others wrote in it, several queues, WebGPU's optional",
        "subgroups, what only one implementation of WebGPU needs, where libraries are looked for, what",
        "devices tell of themselves) are counted apart; for cuda and hip most of that is in what they have",
        "in common.",
        "",
        "| shared by all C-like languages | lines |",
        "|---|---|",
        *(f"| {name} | {_tens(lines(files(group) - specific()))} |" for name, group in SHARED.items()),
        f"| together | {_tens(shared_lines())} |",
        "",
        "| of one language | dialect | driver | together | optional parts |",
        "|---|---|---|---|---|",
    ]
    for name, (dialect, driver) in OWN.items():
        counts = [lines(core(name, each)) for each in (dialect, driver)]
        cells = [f"{LANGUAGES[name]} (`{name}`)", *map(str, (*counts, sum(counts), lines(optional(name))))]
        rows.append(f"| {' | '.join(cells)} |")
    for names, group in OF_SOME.items():
        rows.append(
            f"| {names}: in common | | {_tens(lines(files(group)))} | {_tens(lines(files(group)))} | |"
        )
    share = shared_lines() / (shared_lines() + own_lines())
    processor = lines(files(PROCESSOR))
    rows += [
        "",
        f"Shared: {share:.0%}.",
        "",
        "The processor has its own code generator (LLVM), a native runtime and drivers for it: about",
        f"{_tens(processor)} lines. It shares all of the table above but the two rows of C-like languages.",
        "",
    ]
    return "\n".join(rows)


def _tens(count: int) -> str:
    return str(round(count, -1))


def test_every_file_has_its_place_once() -> None:
    every = {path for top in ("ir", "codegen", "jitframe") for path in (ROOT / top).rglob("*.py")}
    # Links to the other two, which some Pythons follow here.
    every -= {path for link in ("ir", "codegen") for path in (ROOT / "jitframe" / link).rglob("*.py")}
    places = [specific(), files(PROCESSOR), *(files(group) - specific() for group in SHARED.values())]
    assert set().union(*places) == every
    assert sum(map(len, places)) == len(every), "a file is in two places"


def test_most_of_the_code_is_shared() -> None:
    assert shared_lines() / (shared_lines() + own_lines()) >= LEAST_SHARED


@pytest.mark.parametrize("name", OWN)
def test_a_language_is_short(name: str) -> None:
    """Its dialect and its driver are there, and are short."""
    assert all(files((each,)) for each in OWN[name])
    own = set().union(*(core(name, each) for each in OWN[name]))
    counts = {str(path.relative_to(ROOT)): lines_of(path) for path in sorted(own)}
    assert sum(counts.values()) < MOST_OF_A_LANGUAGE, counts


def test_the_page_is_up_to_date() -> None:
    made = page()
    if os.environ.get("JITFRAME_UPDATE_SNAPSHOTS"):
        PAGE.write_text(made, encoding="utf-8")
    assert PAGE.exists(), f"{PAGE.name} is missing; set JITFRAME_UPDATE_SNAPSHOTS=1 and review it"
    written = PAGE.read_text(encoding="utf-8")
    assert re.sub(r"\d+", "N", written) == re.sub(r"\d+", "N", made)
    for old, new in zip(re.findall(r"\d+", written), re.findall(r"\d+", made), strict=True):
        assert abs(int(old) - int(new)) <= max(int(new) // 10, 40), "set JITFRAME_UPDATE_SNAPSHOTS=1"
