"""The rules of the architecture that no other tool checks, read from the syntax trees."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from jitframe.ir.ops import OPS

ROOT = Path(__file__).parents[2]
LAWS = {
    "ir/rewrite.py",
    *(
        f"ir/passes/{name}.py"
        for name in (
            "centered_sums", "element_loops", "hoist_reshapes", "interleave", "laws", "leaving",
            "legalize", "loop_operands", "matrix_products", "movement_rules", "several_axes", "simplify",
            "sink_reshapes", "step_products", "temporal_blocking", "transform_windows", "window_products",
            "write_windows",
        )
    ),
}  # fmt: skip
"""Modules that rewrite graphs: laws name the ops that they are about."""
KERNEL_IR = (
    "codegen/kernel/", "codegen/llvm/", "codegen/c_family/", "codegen/math/", "jitframe/profiling/counts.py",
    "jitframe/backends/kernels/function.py",
)  # fmt: skip
"""What works on kernel IR, whose instructions have an `op` of another kind: generators spell each of them."""


def modules() -> Iterator[str]:
    for folder in ("ir", "codegen", "jitframe"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if not name.startswith(("jitframe/ir/", "jitframe/codegen/", "ir/ops/", *KERNEL_IR)):
                yield name


def asks_for_an_op(tree: ast.AST) -> Iterator[int]:
    """Lines that compare an op with a given one, by name or identity, or look something up by its name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            if any(_is_op_name(side) for side in sides) and any(_names_ops(side) for side in sides):
                yield node.lineno
            if any(isinstance(side, ast.Attribute) and side.attr == "op" for side in sides) and any(
                _is_known_op(inner) for side in sides for inner in ast.walk(side)
            ):
                yield node.lineno
        elif isinstance(node, ast.Subscript) and _is_op_name(node.slice):
            yield node.lineno


def _is_op_name(node: ast.AST) -> bool:
    if not isinstance(node, ast.Attribute) or node.attr != "name":
        return False
    value = node.value
    return (isinstance(value, ast.Attribute) and value.attr == "op") or (
        isinstance(value, ast.Name) and value.id == "op"
    )


def _names_ops(node: ast.AST) -> bool:
    return any(isinstance(inner, ast.Constant) and inner.value in OPS for inner in ast.walk(node)) or (
        isinstance(node, ast.Name | ast.Attribute) and not _is_op_name(node)
    )


def _is_known_op(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "ops"


def test_no_module_asks_which_op_it_has() -> None:
    for name in sorted(set(modules()) - LAWS):
        found = list(asks_for_an_op(ast.parse((ROOT / name).read_text(encoding="utf-8"))))
        assert not found, f"{name} asks which op it has in lines {found}: read a field of `Op`, or add one"


def test_the_check_sees_what_it_looks_for() -> None:
    for text in (
        "node.op.name == 'add'",
        "x.op.name in ('loop', 'while')",
        "node.op is ops.cast",
        "node.op in (ops.cast, ops.copy)",
        "TABLE[node.op.name]",
        "node.op.name in NAMES",
        "op.name != 'add'",
    ):
        assert list(asks_for_an_op(ast.parse(text))) == [1], text
    assert not list(asks_for_an_op(ast.parse("node.op.family == 'scan' and graph.make(ops.cast, node)")))
