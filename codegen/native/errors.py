"""The error raised for a program that is not in the native language."""

from __future__ import annotations


class NativeError(TypeError):
    """A native source that cannot be translated: which function, which line, what is wrong."""

    def __init__(self, where: str, line: int, problem: str) -> None:
        super().__init__(f"{where}, line {line}: {problem}")
        self.where = where
        self.line = line
        self.problem = problem
