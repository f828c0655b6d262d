"""Where in the user's program a traced node was made: cheap to capture, resolved when asked."""

from __future__ import annotations

import dis
import sys
from types import CodeType

from jitframe.errors import SourceLine

# A code object and the byte offset of the running instruction: the line is looked up only when somebody asks,
# because finding a line number costs time in proportion to the length of the function.
Place = tuple[CodeType, int]

# Frames of these top-level packages stand between the user's line and a node.
_MACHINERY = frozenset({"jitframe", "numpy"})
_is_machinery: dict[str | None, bool] = {}


def place() -> Place | None:
    """The innermost running instruction outside jitframe and NumPy, or None where there is none."""
    frame = sys._getframe(1)
    known = _is_machinery
    while frame is not None:
        # A traced copy keeps `__name__` in its globals, so this reads it without going through the mapping.
        module = frame.f_globals.get("__name__")
        inside = known.get(module)
        if inside is None:
            inside = known[module] = isinstance(module, str) and module.partition(".")[0] in _MACHINERY
        if not inside:
            return frame.f_code, frame.f_lasti
        frame = frame.f_back  # type: ignore[assignment]
    return None


def line_of(captured: Place) -> SourceLine:
    """The file, line and function of a captured place."""
    code, offset = captured
    line = code.co_firstlineno
    for start, end, number in code.co_lines():
        if start <= offset < end:
            line = number if number is not None else line
            break
    return SourceLine(code.co_filename, line, code.co_qualname)


def lines_where(code: CodeType, opcode: int, name: str) -> list[SourceLine]:
    """Every line of `code`, functions within it included, that has this instruction on this name."""
    found = [
        SourceLine(code.co_filename, position.lineno or code.co_firstlineno, code.co_qualname)
        for instruction in dis.get_instructions(code)
        if instruction.opcode == opcode
        and instruction.argval == name
        and (position := instruction.positions) is not None
    ]
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found += lines_where(constant, opcode, name)
    return found
