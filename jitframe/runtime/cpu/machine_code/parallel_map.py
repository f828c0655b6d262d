"""A map over several items on threads, for work that mostly runs without the GIL."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import TypeVar

from ....base.background import Task, start
from ....base.forks import nothing

T = TypeVar("T")
R = TypeVar("R")


def parallel_map(work: Callable[[T], R], items: Sequence[T], threads: int) -> list[R]:
    """`[work(item) for item in items]` on at most so many threads, of which the caller's is one: a thread of
    jitframe's own.

    Of several errors the one of the first item is raised, as in a loop. After one nothing further is begun,
    and what has begun is waited for.
    """
    waiting = deque(range(len(items)))
    results: dict[int, R] = {}
    errors: dict[int, Exception] = {}

    def run() -> None:
        while not errors:
            try:
                number = waiting.popleft()
            except IndexError:
                return
            try:
                results[number] = work(items[number])
            except Exception as error:
                errors[number] = error

    helpers = [Task(run) for _ in range(1, min(threads, len(items)))]
    try:
        for helper in helpers:
            start(helper.run, nothing)
        run()
    finally:
        waiting.clear()
        for helper in helpers:
            helper.wait()
    if errors:
        error = errors[min(errors)]
        # The error's traceback refers to these frames, whose variables would keep all errors alive.
        errors.clear()
        try:
            raise error
        finally:
            del error
    return [results[number] for number in range(len(items))]
