"""Work in several threads that start together."""

from __future__ import annotations

import threading
from collections.abc import Callable


def at_once(work: Callable[[int], object], count: int) -> None:
    """Run `work(number)` in so many threads that start together; raises what the first that failed raised."""
    failures: list[BaseException] = []
    ready = threading.Barrier(count)

    def run(number: int) -> None:
        ready.wait()
        try:
            work(number)
        except BaseException as problem:
            failures.append(problem)

    started = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()
    if failures:
        raise failures[0]
