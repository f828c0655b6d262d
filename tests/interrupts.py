"""Actions between any two instructions of jitframe's own code: exceptions, and calls that a signal handler, a
destructor or a debugger makes there."""

from __future__ import annotations

import _thread
import functools
import os
import sys
import threading
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

import jitframe

_HERE = os.path.dirname(jitframe.__file__)
_FOLDERS = tuple(
    os.path.join(os.path.realpath(os.path.join(_HERE, each)), "") for each in ("", "ir", "codegen")
)


@functools.cache
def _file(code: CodeType) -> str:
    return os.path.realpath(code.co_filename)


class Interrupt(BaseException):
    """What strikes, as KeyboardInterrupt does: no `except Exception` catches it."""


def strike() -> None:
    raise Interrupt


class _Watch:
    """Counts instructions of jitframe's, or of the modules named, and acts at one of them."""

    def __init__(self, modules: tuple[str, ...], number: int = -1, action: Callable[[], Any] = strike):
        self.modules, self.number, self.action = modules, number, action
        self.seen: list[tuple[CodeType, int]] = []
        self.count = 0
        self.struck = False

    def enter(self, frame: FrameType, event: str, argument: Any) -> Any:
        file = _file(frame.f_code)
        if not file.startswith(_FOLDERS) or (self.modules and not file.endswith(self.modules)):
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return self.step

    def step(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "opcode":
            if self.number < 0:
                self.seen.append((frame.f_code, frame.f_lasti))
            elif self.count == self.number:
                self.struck = True
                self.action()
            self.count += 1
        return self.step

    def run(self, work: Callable[[], Any]) -> Any:
        before = sys.gettrace()
        sys.settrace(self.enter)
        try:
            return work()
        finally:
            sys.settrace(before)


def places(work: Callable[[], Any], *modules: str) -> list[int]:
    """The numbers of instructions that `work` comes to: for each that it executes its first time and its
    last."""
    watch = _Watch(modules)
    watch.run(work)
    first: dict[tuple[CodeType, int], int] = {}
    last: dict[tuple[CodeType, int], int] = {}
    for number, each in enumerate(watch.seen):
        first.setdefault(each, number)
        last[each] = number
    return sorted({*first.values(), *last.values()})


def struck(work: Callable[[], Any], number: int, *modules: str) -> bool:
    """Runs `work`, raising at the instruction of that number; whether the exception came out."""
    watch = _Watch(modules, number)
    try:
        watch.run(work)
    except Interrupt:
        return True
    return False


def run_and_interrupt(
    work: Callable[[], Any], seconds: float = 0.2, interrupt: Callable[[], None] = _thread.interrupt_main
) -> None:
    """Runs `work`, and interrupts the main thread after that time: within this call, however busy the machine
    is."""
    timer = threading.Timer(seconds, interrupt)
    timer.start()
    try:
        work()
    finally:
        timer.join()


def with_call(work: Callable[[], Any], number: int, action: Callable[[], Any], *modules: str) -> Any:
    """What `work` gives, while `action` is called at the instruction of that number."""
    return _Watch(modules, number, action).run(work)
