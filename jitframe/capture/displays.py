"""Displays of lists, dicts and sets in a syntax tree: hooks make the containers, so that loops may change
them."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from .codes import HOOKS


def hook(node: ast.stmt | ast.expr, name: str, arguments: Sequence[ast.expr]) -> ast.expr:
    """Returns a call of a hook in the place of a node, in its first line."""
    call = ast.Call(ast.Attribute(ast.Name(HOOKS, ast.Load()), name, ast.Load()), list(arguments), [])
    ast.copy_location(call, node)
    if node.end_lineno != node.lineno:
        call.end_lineno, call.end_col_offset = node.lineno, node.col_offset + 1
    return call


def makes_list(node: ast.AST) -> bool:
    """Whether a statement makes a list, dict or set, which loops may append to or write to."""
    if not isinstance(node, (ast.Assign, ast.AnnAssign, ast.Return)):
        return False
    values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
    return any(_is_list(each) or isinstance(each, (ast.Dict, ast.Set)) or _is_keyed(each) for each in values)


def _is_list(value: ast.expr | None) -> bool:
    if isinstance(value, ast.BinOp):
        return _is_list(value.left) or _is_list(value.right)
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Name) and value.func.id in ("list", "sorted")
    return isinstance(value, ast.List)


def growing(value: ast.expr) -> ast.expr:
    """Replaces new lists in an expression by ones that loops may append to."""
    if isinstance(value, (ast.Tuple, ast.List)):
        value.elts = [growing(expression) for expression in value.elts]
    if isinstance(value, ast.Dict):
        value.values = [growing(each) for each in value.values]
        pairs = [
            ast.Tuple([key, each], ast.Load())
            for key, each in zip(value.keys, value.values, strict=True)
            if key is not None
        ]
        if len(pairs) < len(value.keys):  # **others
            return value
        return hook(value, "dict_", [ast.copy_location(node, value) for node in pairs])
    if isinstance(value, ast.Set) and not any(
        isinstance(expression, ast.Starred) for expression in value.elts
    ):
        return hook(value, "set_", value.elts)
    if _is_keyed(value):
        return hook(value, "keyed", [value])
    if isinstance(value, ast.ListComp):
        value.elt = growing(value.elt)
    if isinstance(value, ast.BinOp) and isinstance(value.op, (ast.Mult, ast.Add)):
        value.left, value.right = growing(value.left), growing(value.right)
        return value
    if isinstance(value, ast.List) and any(isinstance(expression, ast.Starred) for expression in value.elts):
        parts = [
            expression.value if isinstance(expression, ast.Starred) else _list_of(expression)
            for expression in value.elts
        ]
        return hook(value, "joined", parts)
    if _is_list(value):
        return hook(value, "list_", [value])
    return value


def _list_of(item: ast.expr) -> ast.expr:
    return ast.copy_location(ast.List([item], ast.Load()), item)


def _is_keyed(value: ast.expr | None) -> bool:
    """Whether it makes a dict or set by other means than a display."""
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Name) and value.func.id in ("dict", "set")
    return isinstance(value, (ast.DictComp, ast.SetComp))
