"""The user's own code: its functions, classes and modules, and the line at which a node was made.

It is traced through rather than called. A line is cheap to capture, and resolved when it is asked for.
"""

from __future__ import annotations

import builtins
import dis
import functools
import os
import sys
import types
from types import CodeType
from typing import Any

import numpy

from ...errors import SourceLine, TraceError

# The standard library's folder, and that of its compiled modules (sysconfig, which knows both, takes a
# millisecond to import).
_STANDARD = tuple(
    {os.path.join(os.path.dirname(os.__file__), "")}
    | {os.path.join(os.path.dirname(path), "") for path in sys.path if path.endswith("lib-dynload")}
)
_INSTALLED = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")


@functools.lru_cache(maxsize=4096)
def _is_user_file(file: str) -> bool:
    return not (
        file.startswith("<frozen") or file.startswith(_STANDARD) or any(part in file for part in _INSTALLED)
    )


_TRACED = (
    "jitframe.tracing.standins.streams.",
    "jitframe.tracing.standins.sequences",
    "jitframe.tracing.lists.traced_list_functions",
)
"""Modules of jitframe's whose functions are traced like the user's."""


class UserCode:
    """Tells the user's own code from libraries: neither the standard library, nor installed, nor jitframe.

    `package`: a top-level package that counts as the user's although it is installed.
    """

    def __init__(self, package: str = "") -> None:
        self._package = package or None

    def module_name(self, name: str | None) -> bool:
        """Whether the module of this name is the user's; one that was never imported is."""
        if name is None:
            return True
        top = name.partition(".")[0]
        if top == self._package:
            return True
        if top == "jitframe" or top in sys.builtin_module_names:
            return False
        if getattr(sys, "frozen", False) and top in sys.stdlib_module_names:
            return False  # a frozen application has all modules in one place
        module = sys.modules.get(name)
        return module is None or self._has_user_file(module)

    def module(self, module: types.ModuleType) -> bool:
        """Whether a module is the user's."""
        return self.module_name(module.__name__) and self._has_user_file(module)

    def function(self, function: types.FunctionType) -> bool:
        """Whether a function's code is the user's."""
        return self.code(function.__code__, function.__globals__.get("__name__"))

    def code(self, code: types.CodeType, name: Any) -> bool:
        """Whether code that runs in the module of that name is the user's."""
        top = name.partition(".")[0] if isinstance(name, str) else ""
        if top == self._package:
            return True
        if top == "jitframe":
            return name.startswith(_TRACED)  # type: ignore[no-any-return]
        file = code.co_filename
        # Generated code (dataclasses, a console, a notebook) belongs to the module it was made for, and so
        # does frozen code, whose files have no folders.
        return self.module_name(name) if not os.path.isabs(file) else _is_user_file(file)

    def class_(self, cls: type) -> bool:
        """Whether a class was defined by the user."""
        return cls.__module__ != "builtins" and self.module_name(cls.__module__)

    def _has_user_file(self, module: types.ModuleType) -> bool:
        if module.__name__.partition(".")[0] == self._package:
            return True
        file = getattr(module, "__file__", None)
        if file is not None:
            return _is_user_file(file)
        # A namespace package has folders but no file; a module made by hand or a console has neither.
        folders = list(getattr(module, "__path__", ()))
        return all(_is_user_file(os.path.join(folder, "")) for folder in folders)


CLASS_OF = "__jitframe_type__"
"""The builtin of traced code in place of `type`."""


def class_where_asked(value: Any) -> Any:
    """Returns the class of a traced value in the code that asks: NumPy's or Python's class in traced code,
    its own everywhere else. Classes other than TracedArray name the class they represent in `_stands_for`."""
    return sys._getframe(1).f_builtins.get(CLASS_OF, type)(value)


_TEXTS = frozenset((
    "reprlib", "pprint", "string", "jitframe.tracing.arguments.growing_list",
    "jitframe.tracing.arguments.growing_dict", "jitframe.tracing.arguments.growing_set",
))  # fmt: skip
"""Modules that call `repr` on behalf of their callers."""


def is_text_of_user() -> bool:
    """Whether the `repr` that calls this is for the user's code, and for no message of a library or
    debugger."""
    frame: types.FrameType | None = sys._getframe(2)
    while frame is not None and frame.f_globals.get("__name__") in _TEXTS:
        frame = frame.f_back
    return frame is not None and CLASS_OF in frame.f_builtins


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
    """Returns every line of `code`, nested functions included, with this instruction on this name."""
    source_lines = [
        SourceLine(code.co_filename, position.lineno or code.co_firstlineno, code.co_qualname)
        for instruction in dis.get_instructions(code)
        if instruction.opcode == opcode
        and instruction.argval == name
        and (position := instruction.positions) is not None
    ]
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            source_lines += lines_where(constant, opcode, name)
    return source_lines


_IS, _LOAD_CONST = dis.opmap["IS_OP"], dis.opmap["LOAD_CONST"]
_LOAD_GLOBAL, _LOAD_ATTR = dis.opmap["LOAD_GLOBAL"], dis.opmap["LOAD_ATTR"]
_LOAD_DEREF = dis.opmap["LOAD_DEREF"]
_Names = tuple[dict[str, Any], dict[str, Any]]
"""Global names, and free variables."""


class Identities:
    """Refuses `x is True` and `x is y` in code that is not rewritten, once there is a traced bool, which is
    not the object of its value."""

    def __init__(self) -> None:
        self._asked: list[SourceLine] = []
        self._asked_of_two: list[SourceLine] = []
        """Comparisons of two variables: they may compare NumPy's bools."""
        self._has_bool = self._has_numpy_bool = False

    def add(self, code: CodeType, names: dict[str, Any], free: dict[str, Any]) -> None:
        """Adds code that a trace runs, with these global names and values of free variables."""
        # Instructions are two bytes wide, and the bytes of caches read as zero.
        if _IS in code.co_code[::2]:
            self._find(code, (names, free))
            self._check()
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                self.add(constant, names, {each: free[each] for each in free.keys() - set(code.co_cellvars)})

    @property
    def is_asked(self) -> bool:
        return bool(self._asked)

    @property
    def asked_of_two(self) -> bool:
        """Whether two variables are compared."""
        return bool(self._asked_of_two)

    def note_bool(self, of_python: bool = True) -> None:
        """Records that a trace has a bool of Python's, or of NumPy's, with an unknown value."""
        if of_python:
            self._has_bool = True
        else:
            self._has_numpy_bool = True
        self._check()

    def _check(self) -> None:
        asked = self._asked if self._has_bool else self._asked_of_two if self._has_numpy_bool else None
        if not asked:
            return
        raise _refused(
            asked[0],
            "a bool of the trace may be compared by `is`: it is not the object of its value; write `if x:`, "
            "`if not x:` or `==`",
        )

    def _find(self, code: CodeType, names: _Names) -> None:
        """Finds the lines that compare by identity values that may be bools; most constants and global names
        are none. Refuses lines that compare the type of a dtype: type names are stand-ins."""
        instructions = list(dis.get_instructions(code))
        for position, instruction in enumerate(instructions):
            if instruction.opcode != _IS:
                continue
            other = _constant(instructions, position - 1, names)
            line = instruction.positions and instruction.positions.lineno
            source_line = SourceLine(code.co_filename, line or code.co_firstlineno, code.co_qualname)
            if "type" in _attributes(instructions, position):
                raise _refused(
                    source_line, "the type of a dtype is compared by `is`; write `x.dtype.type == np.float64`"
                )
            if other is not _UNKNOWN and not isinstance(other, (bool, numpy.bool_)):
                continue
            self._asked.append(source_line)
            if not isinstance(other, bool):
                self._asked_of_two.append(source_line)


def _refused(line: SourceLine, message: str) -> TraceError:
    error = TraceError(message, line=line)
    error.needs_capture = True
    return error


def _attributes(instructions: list[dis.Instruction], position: int) -> list[str]:
    """Returns the attribute names among the operands of a comparison."""
    before = position - 1
    while before > 1 and instructions[before].opcode == _LOAD_ATTR:
        before -= 1
    both = (instructions[each] for each in (position - 1, before - 1))
    return [each.argval for each in both if each.opcode == _LOAD_ATTR]


_UNKNOWN = object()


def _constant(instructions: list[dis.Instruction], position: int, names: _Names) -> Any:
    """Returns the value that an instruction loads: a constant, a global name, or an attribute of a module or
    class."""
    instruction = instructions[position]
    if instruction.opcode == _LOAD_CONST:
        return instruction.argval
    if instruction.opcode in (_LOAD_GLOBAL, _LOAD_DEREF):
        of_kind = names[instruction.opcode == _LOAD_DEREF]
        found = of_kind.get(instruction.argval)
        if found is None and instruction.opcode == _LOAD_GLOBAL:
            found = vars(builtins).get(instruction.argval)
        return _UNKNOWN if found is None else found  # a name for None may be given a bool yet
    if instruction.opcode == _LOAD_ATTR:
        if instruction.argval in ("__class__", "type"):
            return type  # some class, which is no bool
        owner = _constant(instructions, position - 1, names)
        if isinstance(owner, (types.ModuleType, type)):
            return vars(owner).get(instruction.argval, _UNKNOWN)
    return _UNKNOWN
