"""The code of a function with hooks in place of its control flow, compiled from its source.

File, line numbers and names stay the function's own, so tracebacks, debuggers and error messages show its
lines.
"""

from __future__ import annotations

import ast
import copy
import itertools
import linecache
import types

from .codes import Captured
from .exits import CannotCapture
from .rewrite import MADE, has_control_flow, rewrite

MOST_ENDS = 8
"""The most searches for the end of a function's lines before its whole file is parsed."""
_FACTORY = "<factory>"
_FUTURES = 0x1FF0000
"""The flags of code for `from __future__ import ...`."""


_trees: dict[str, tuple[tuple[str, ...], ast.Module]] = {}


def rewritten(code: types.CodeType) -> Captured:
    """The rewritten code, made now."""
    try:
        own = _own_function(code)
        node, owner = _find(_tree_of(code.co_filename), code) if own is None else (own, _owner(code))
        if not has_control_flow(node):
            return Captured(None)
        if own is not None:
            function = own
        else:
            function = copy.deepcopy(node) if isinstance(node, ast.FunctionDef) else _of_lambda(node)
        rewrite(function)
        return Captured(_compiled(function, code, owner))
    except CannotCapture as error:
        return Captured(None, str(error))


def _own_function(code: types.CodeType) -> ast.FunctionDef | None:
    """The function parsed from its own lines: from its first line to the end of its indented block. None
    where that may be wrong, as for lambdas."""
    lines, first = linecache.getlines(code.co_filename), code.co_firstlineno
    if code.co_name == "<lambda>" or not 0 < first <= len(lines):
        return None
    indent = _indent(lines[first - 1])
    ends = (
        number
        for number in range(first, len(lines))
        if _indent(lines[number]) <= indent and lines[number].strip() and lines[number].lstrip()[0] != "#"
    )
    if indent and first == 1:
        return None
    # As many lines come before as in the file, the last of which may open a block.
    before = "\n" * (first - 2) + "if 1:\n" if indent else "\n" * (first - 1)
    for end in itertools.islice(itertools.chain(ends, (len(lines),)), MOST_ENDS):
        try:
            tree = ast.parse(before + "".join(lines[first - 1 : end]), code.co_filename)
        except (SyntaxError, ValueError):
            continue  # inside of a string or brackets, or below a decorator
        body = tree.body[0].body if isinstance(tree.body[0], ast.If) and indent else tree.body
        function = body[0]
        if len(body) == 1 and isinstance(function, ast.FunctionDef) and _is_code_of(function, code):
            return function
        return None
    return None


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _owner(code: types.CodeType) -> str | None:
    """The innermost class that encloses a function."""
    for scopes in reversed(code.co_qualname.split(".<locals>.")):
        classes = scopes.split(".")[:-1]
        if classes:
            return classes[-1]
    return None


def _tree_of(file: str) -> ast.Module:
    lines = tuple(linecache.getlines(file))
    if not lines:
        raise CannotCapture("its source cannot be read")
    known = _trees.get(file)
    if known is not None and known[0] == lines:
        return known[1]
    try:
        tree = ast.parse("".join(lines), file)
    except (SyntaxError, ValueError):
        raise CannotCapture("its source has changed") from None
    if len(_trees) >= 64:
        _trees.clear()
    _trees[file] = lines, tree
    return tree


def _find(tree: ast.Module, code: types.CodeType) -> tuple[ast.FunctionDef | ast.Lambda, str | None]:
    """The function that code was compiled from, and the class whose method it is."""
    found: list[tuple[ast.FunctionDef | ast.Lambda, str | None]] = []
    pending: list[tuple[ast.AST, str | None]] = [(tree, None)]
    while pending:
        node, owner = pending.pop()
        if isinstance(node, (ast.FunctionDef, ast.Lambda)) and _is_code_of(node, code):
            found.append((node, owner))
        inside = node.name if isinstance(node, ast.ClassDef) else owner
        pending += [
            (each, inside) for each in ast.iter_child_nodes(node) if _covers(each, code.co_firstlineno)
        ]
    if len(found) > 1:
        spans = {
            (start, column)
            for start, _, column, _ in code.co_positions()
            if start is not None and column is not None and (start, column) != (code.co_firstlineno, 0)
        }
        found = [each for each in found if spans <= _positions(each[0])] or found
    if len(found) != 1:
        raise CannotCapture("its source has changed" if not found else "several functions stand in its line")
    return found[0]


def _covers(node: ast.AST, line: int) -> bool:
    """Whether a node may contain the line: a node without a position may."""
    last = getattr(node, "end_lineno", None)
    if last is None:
        return True
    decorators = getattr(node, "decorator_list", ())
    return bool(min([node.lineno, *(decorator.lineno for decorator in decorators)]) <= line <= last)  # type: ignore[attr-defined]


_PLACED = ast.stmt, ast.expr, ast.pattern, ast.excepthandler, ast.arg, ast.keyword, ast.alias
"""Nodes with a position in the source."""


def _positions(node: ast.AST) -> set[tuple[int, int]]:
    return {(each.lineno, each.col_offset) for each in ast.walk(node) if isinstance(each, _PLACED)}


def _is_code_of(node: ast.FunctionDef | ast.Lambda, code: types.CodeType) -> bool:
    name = node.name if isinstance(node, ast.FunctionDef) else "<lambda>"
    decorators = node.decorator_list if isinstance(node, ast.FunctionDef) else []
    first = min([node.lineno, *(decorator.lineno for decorator in decorators)])
    if name != code.co_name or first != code.co_firstlineno:
        return False
    arguments = node.args
    names = [each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    if len(names) != code.co_argcount + code.co_kwonlyargcount:
        return False
    if [name for name in names if not name.startswith("__")] != [
        name for name in code.co_varnames[: len(names)] if name in names and not name.startswith("__")
    ]:
        return False
    lines = {line for _, _, line in code.co_lines() if line is not None}
    last = node.end_lineno or node.lineno
    return all(first <= line <= last for line in lines)


def _of_lambda(node: ast.Lambda) -> ast.FunctionDef:
    body = copy.deepcopy(node.body)
    function = ast.FunctionDef(
        "<lambda>", copy.deepcopy(node.args), [ast.copy_location(ast.Return(body), body)], []
    )
    return ast.copy_location(function, node)


def _compiled(function: ast.FunctionDef, code: types.CodeType, owner: str | None) -> types.CodeType:
    """The code of a rewritten function, among functions and classes like those that it stands in."""
    function.decorator_list = []
    function.args.defaults = [ast.Constant(None) for _ in function.args.defaults]
    function.args.kw_defaults = [
        None if each is None else ast.Constant(None) for each in function.args.kw_defaults
    ]
    body: list[ast.stmt] = [function]
    free = [name for name in code.co_freevars if owner is None or name != "__class__"]
    if owner is not None:
        body = [ast.ClassDef(owner, [], [], body, [])]
    if free:
        targets: list[ast.expr] = [ast.Name(name, ast.Store()) for name in free]
        body.insert(0, ast.Assign(targets, ast.Constant(None)))
    factory = ast.FunctionDef(_FACTORY, ast.arguments([], [], None, [], [], None, []), body, [])
    for node in (factory, *body):
        ast.copy_location(node, function)
    module = ast.Module([factory], [])
    ast.fix_missing_locations(module)
    try:
        made = compile(module, code.co_filename, "exec", flags=code.co_flags & _FUTURES, dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        raise CannotCapture(f"its rewritten form does not compile: {error}") from None
    inner = _inside(made, _FACTORY)
    if owner is not None:
        inner = _inside(inner, owner)
    found = _inside(inner, code.co_name)
    if not set(found.co_freevars) <= set(code.co_freevars):
        raise CannotCapture("its source has changed")
    return _renamed(found, code.co_name, found.co_qualname, code.co_qualname)


def _inside(code: types.CodeType, name: str) -> types.CodeType:
    return next(each for each in code.co_consts if isinstance(each, types.CodeType) and each.co_name == name)


def _renamed(code: types.CodeType, name: str, old: str, new: str) -> types.CodeType:
    """Code and its nested code with the function's own name: blocks appear under it in tracebacks."""
    constants = []
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            is_block = each.co_name.startswith(MADE) or each.co_name == "<lambda>"
            each = _renamed(each, name if is_block else each.co_name, old, new)
            if is_block:
                each = each.replace(co_qualname=new)
        constants.append(each)
    qualified = code.co_qualname
    qualified = new + qualified[len(old) :] if qualified.startswith(old) else qualified
    return code.replace(co_consts=tuple(constants), co_name=name, co_qualname=qualified)
