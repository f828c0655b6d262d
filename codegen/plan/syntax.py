"""The patterns by which steps are printed and parsed, made from `nodes.SYNTAX`."""

from __future__ import annotations

import re

from ...ir.record import record
from .kinds import FIELDS, REGION
from .nodes import SYNTAX, Step


class Word(metaclass=record):
    """Literal words and signs, with their spaces."""

    text: str


class Field(metaclass=record):
    name: str


class Optional(metaclass=record):
    """A part that is omitted where its fields are empty."""

    parts: tuple[Part, ...]


class Region(metaclass=record):
    """Steps below the line. `word` begins them, on a line of its own; empty for the first region."""

    field: str
    word: str = ""
    optional: bool = False


Part = Word | Field | Optional | Region

_SPLIT = re.compile(r"(\[|\]|\{\w+\})")


def _pattern(step: type[Step], syntax: str) -> tuple[Part, ...]:
    tokens = [token for token in _SPLIT.split(syntax) if token]
    parts, end = _parts(step, tokens, 0)
    assert end == len(tokens), syntax
    return parts


def _parts(step: type[Step], tokens: list[str], at: int) -> tuple[tuple[Part, ...], int]:
    """Returns the parts up to the end or a closing bracket, and that position."""
    parts: list[Part] = []
    while at < len(tokens) and tokens[at] != "]":
        token = tokens[at]
        if token == "[":
            inner, at = _parts(step, tokens, at + 1)
            last = inner[-1]
            if isinstance(last, Region):  # a region that may be empty
                assert len(inner) == 1, tokens
                parts.append(Region(last.field, last.word, optional=True))
            else:
                parts.append(Optional(inner))
        elif token.startswith("{"):
            name = token[1:-1]
            if FIELDS[step][name] == REGION:
                word = parts.pop()
                assert isinstance(word, Word), tokens
                first = word.text.strip() == ":"
                if first:
                    parts.append(Word(":"))
                parts.append(Region(name, "" if first else word.text.strip().rstrip(":")))
            else:
                parts.append(Field(name))
        else:
            parts.append(Word(token))
        at += 1
    return tuple(parts), at


PATTERNS: dict[type[Step], tuple[Part, ...]] = {
    step: _pattern(step, syntax) for step, syntax in SYNTAX.items()
}
"""The parts of each step's lines, from left to right; regions come last."""
BY_WORD: dict[str, type[Step]] = {syntax.split(" ", 1)[0]: step for step, syntax in SYNTAX.items()}
