"""The common text format of graphs, kernels and plans: the spelling of numbers, marked lines, and a reader of
lines and tokens that reports the place of an error.
"""

from __future__ import annotations

import ast
import math
import re
import struct
from collections.abc import Callable, Iterable
from typing import Any, NoReturn, TypeVar

from .types import BY_NAME, DType

T = TypeVar("T")
_NAN_BITS = {"nan": 0x7FF8 << 48, "-nan": 0xFFF8 << 48}
_BITS_NAN = {bits: text for text, bits in _NAN_BITS.items()}


# Writing ------------------------------------------------------------------------------------------------
def number_text(value: bool | int | float) -> str:
    """Returns a number as Python spells it; a NaN with its sign, and its bits where they are not the usual
    ones."""
    if not isinstance(value, float) or not math.isnan(value):
        return repr(value)
    (bits,) = struct.unpack("<Q", struct.pack("<d", value))
    return _BITS_NAN.get(bits, f"nan:{bits:016x}")


def marked_lines(lines: Iterable[str], marked: int) -> str:
    """Numbers lines, and marks that of index `marked` with an arrow."""
    return "\n".join(
        f"{'->' if index == marked else '  '} {index + 1:3} | {line}" for index, line in enumerate(lines)
    )


# Reading ------------------------------------------------------------------------------------------------
_TOKEN = r"""\s*(?:
    (?P<value>%\d+)
  | (?P<buffer>@\d+)
  | (?P<number>-?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|inf\b|nan\b)(?::[0-9a-f]{16})?)
  | (?P<name>[A-Za-z_][\w.]*)
  | (?P<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
  | (?P<sign>\+/|//|==|[-+*<=()\[\]{},;:])
)"""
_CLOSING = (")", "]", "{", "}", ";", ":", "=")


def tokens_of(line: str) -> list[tuple[str, str, int]]:
    """Returns the kind, the text and the column (from 0) of each token; other characters are of the kind
    `unknown`."""
    found: list[tuple[str, str, int]] = []
    pattern, at, line = re.compile(_TOKEN, re.VERBOSE), 0, line.rstrip()
    while at < len(line):
        match = pattern.match(line, at)
        if match is None:
            at += len(line[at:]) - len(line[at:].lstrip())
            return [*found, ("unknown", line[at], at)]
        kind = str(match.lastgroup)
        found.append((kind, match.group(kind), match.start(kind)))
        at = match.end()
    return found


class Reader:
    """Reads a text line by line, and the present line token by token; skips empty lines.

    Unexpected text raises `error` with the line, the column and the line's text.
    """

    def __init__(self, lines: Iterable[str], error: type[ValueError], first_line: int = 1) -> None:
        self._lines = [(number, line) for number, line in enumerate(lines, first_line) if line.strip()]
        self._error = error
        self._next = 0
        self._line_number, self.line = first_line, ""
        self._tokens: list[tuple[str, str, int]] = []
        self._position = 0
        self._blamed = 0
        """The token that an error is about: the last one that was looked for."""

    def fail(self, message: str) -> NoReturn:
        tokens = self._tokens
        column = tokens[self._blamed][2] if self._blamed < len(tokens) else len(self.line.rstrip())
        raise self._error(f"line {self._line_number}, column {column + 1}: {message}: {self.line.strip()!r}")

    # Lines
    @property
    def more(self) -> bool:
        return self._next < len(self._lines)

    def following(self) -> tuple[int, str]:
        """Returns the indent and the text of the next line; -1 and nothing after the last."""
        if not self.more:
            return -1, ""
        line = self._lines[self._next][1]
        return len(line) - len(line.lstrip(" ")), line.strip()

    def opens(self, indent: int, *words: str) -> bool:
        """Whether the next line has this `indent` and begins with one of some words."""
        found, text = self.following()
        return found == indent and re.match(r"\w*", text).group() in words  # type: ignore[union-attr]

    def take_line(self, expected: str) -> None:
        """Advances to the next line."""
        if not self.more:
            self._blamed = len(self._tokens)
            self.fail(f"expected {expected}")
        self._line_number, self.line = self._lines[self._next]
        self._next += 1
        self._tokens, self._position, self._blamed = tokens_of(self.line), 0, 0
        if self._tokens[-1][0] == "unknown":
            self._blamed = len(self._tokens) - 1
            self.fail(f"unexpected {self._tokens[-1][1]!r}")

    def end_line(self) -> None:
        """Checks that nothing follows in this line."""
        if self._position < len(self._tokens):
            self._blamed = self._position
            self.fail(f"unexpected {self._tokens[self._position][1]}")

    def end(self, expected: str) -> None:
        """Checks that no line follows."""
        if self.more:
            self.take_line("")
            self.fail(expected)

    # Tokens
    @property
    def kind(self) -> str:
        """Returns the kind of the next token."""
        return self.kind_after(0)

    def kind_after(self, tokens: int) -> str:
        """Returns the kind of the token behind so many."""
        at = self._position + tokens
        return self._tokens[at][0] if at < len(self._tokens) else "end"

    def peek(self, *texts: str) -> bool:
        return self._position < len(self._tokens) and self._tokens[self._position][1] in texts

    def accept(self, text: str) -> bool:
        self._blamed = self._position
        found = self.peek(text)
        self._position += found
        return found

    def expect(self, *texts: str) -> None:
        for text in texts:
            if not self.accept(text):
                self.fail(f"expected {text}")

    def token(self, kind: str, *texts: str) -> str:
        """Returns the text of the next token, which is of a kind, and one of `texts` if any are given."""
        self._blamed = self._position
        if self.kind != kind or (texts and not self.peek(*texts)):
            self.fail(f"expected {'|'.join(texts)}" if texts else f"expected a {kind}")
        self._position += 1
        return self._tokens[self._blamed][1]

    def index(self, kind: str) -> int:
        """Returns the number of a `value` (%3) or a `buffer` (@3)."""
        return int(self.token(kind)[1:])

    def listed(self, item: Callable[[], T]) -> tuple[T, ...]:
        """Reads items separated by commas; none where the line, or the enclosing brackets, end."""
        if self.kind == "end" or self.peek(*_CLOSING):
            return ()
        items = [item()]
        while self.accept(","):
            items.append(item())
        return tuple(items)

    # Values
    def integer(self) -> int:
        text = self.token("number")
        if not re.fullmatch(r"-?\d+", text):
            self.fail(f"{text} is no integer")
        return int(text)

    def dtype(self) -> DType:
        name = self.token("name")
        if name not in BY_NAME:
            self.fail(f"no dtype is called {name}")
        return BY_NAME[name]

    def string(self) -> str:
        """Returns the content of a quoted string."""
        text: str = ast.literal_eval(self.token("string"))
        return text

    def literal(self) -> str:
        """Returns the spelling of a number, True or False."""
        return self.token("name" if self.peek("True", "False") else "number")

    def number(self, text: str, dtype: DType) -> bool | int | float:
        """Reads a literal of a dtype."""
        truth = text in ("True", "False")
        if truth and dtype.kind == "bool":
            return text == "True"
        if dtype.is_float and not truth:
            return _float(text)
        if truth or dtype.kind == "bool" or not re.fullmatch(r"-?\d+", text):
            self.fail(f"{text} is no {dtype.name}")
        return int(text)

    def value(self) -> Any:
        """Reads a number, a quoted string, True, False, or several values in brackets."""
        if self.accept("["):
            items = self.listed(self.value)
            self.expect("]")
            return items
        if self.kind == "string":
            return self.string()
        if self.kind == "number":
            text = self.token("number")
            return int(text) if re.fullmatch(r"-?\d+", text) else _float(text)
        if self.peek("True", "False"):
            return self.token("name") == "True"
        self.fail("expected a value")


def _float(text: str) -> float:
    spelled, _, bits = text.partition(":")
    known = int(bits, 16) if bits else _NAN_BITS.get(spelled)
    if known is None:
        return float(spelled)
    value: float = struct.unpack("<d", struct.pack("<Q", known))[0]
    return value
