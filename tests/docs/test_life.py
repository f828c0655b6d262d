"""The dumps on docs/life_of_an_expression.md are what is printed; JITFRAME_UPDATE_SNAPSHOTS=1 writes them."""

from __future__ import annotations

import os
import re
from pathlib import Path

import numpy as np

import jitframe as jf
from jitframe.codegen.c_family import OPENCL, generate
from jitframe.ir.node import Graph
from jitframe.ir.parse import parse_graph
from jitframe.runtime.cpu.kernels.compiled_kernels import llvm_text
from jitframe.runtime.cpu.machine_code.levels import level_target
from tests.docs.life import normalize
from tests.lower.machines import lower, machine_for

PAGE = Path(__file__).resolve().parents[2] / "docs" / "life_of_an_expression.md"
PROGRAM = Path(__file__).with_name("life.py")
DUMP = re.compile(r"(<!-- dump: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def dumps() -> dict[str, str]:
    """Every block of the page, by name."""
    explanation = jf.jit(normalize).explain(np.zeros((4096, 1024), np.float32))
    _head, *parts = re.split(r"\n(?=graph |groups |plan |kernels )", str(explanation))
    sections = {part.split()[0]: part.strip() for part in parts}
    (kernel,) = explanation.kernels
    program = PROGRAM.read_text()
    return {
        "program": block("python", program[program.index("import") :]),
        **{name: block("", sections[name]) for name in ("graph", "groups", "plan")},
        "kernel": block("", kernel.source("kernel")),
        "llvm": block("llvm", first_vector_loop(llvm_text(kernel._kernel, level_target("avx2")))),
        "opencl": block("c", on_lanes(kernel.source("graph"))),
    }


def block(language: str, text: str) -> str:
    return f"```{language}\n{text.rstrip()}\n```\n"


def first_vector_loop(llvm: str) -> str:
    """The basic block that starts with vector accumulators and jumps back to itself."""
    for label, body in re.findall(r"^(\w+):\n((?:  .*\n)+)", llvm, re.MULTILINE):
        if "phi <8 x float>" in body and f"label %{label}," in body:
            return f"{label}:\n{body}"
    raise AssertionError(llvm)


def on_lanes(graph: str) -> str:
    """The OpenCL C of the same graph for a device that runs workgroups of 64 lanes."""
    outputs = parse_graph(graph, Graph())
    plan, _numbers, _scalars = lower(outputs, [()], machine_for(64, 32768, 8, library_products=False))
    return "\n".join(generate(kernel, OPENCL, threads=64).text for kernel in plan.kernels)


def test_the_page_shows_what_is_printed() -> None:
    made = dumps()
    text = PAGE.read_text()
    written = DUMP.sub(lambda found: found[1] + made[found[2]] + found[3], text)
    if os.environ.get("JITFRAME_UPDATE_SNAPSHOTS"):
        PAGE.write_text(written)
    assert {name for _start, name, _end in DUMP.findall(text)} == made.keys()
    assert text == written, "set JITFRAME_UPDATE_SNAPSHOTS=1 and review docs/life_of_an_expression.md"
