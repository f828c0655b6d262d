"""The generators that `numpy.random` and `random` share with everybody, while a function is traced.

Each trace looks at them: nothing here loads a module that the program has not.
"""

from __future__ import annotations

import sys
from typing import Any

from ...errors import TraceError


class SharedGenerators:
    """The states of the shared generators. What a function draws itself is noted, so that whatever changes
    their states is code that is not traced, a library's say."""

    def __init__(self) -> None:
        self.renew()

    def renew(self) -> None:
        """Records the present states: what a segment has drawn belongs to its call."""
        self._before = [(generator, _state(generator)) for generator in _generators()]

    def undo(self) -> bool:
        """Restores the recorded states; returns whether one has changed."""
        changed = False
        for generator, before in self._before:
            if _key(_state(generator)) != _key(before):
                changed = True
                give = generator.set_state if isinstance(before, dict) else generator.setstate
                give(before)
        return changed

    def check(self, name: str) -> None:
        """Raises TraceError where code outside the trace has drawn from them."""
        if self.undo():
            raise TraceError(
                f"{name} calls a function that draws random numbers and is not traced, as those of installed "
                "packages are not: it would draw once, not at each call. Draw outside, or call it by "
                "jf.callback"
            )


def _generators() -> list[Any]:
    found: list[Any] = []
    if (of_numpy := sys.modules.get("numpy.random")) is not None:
        found.append(of_numpy.mtrand._rand)
    if (of_python := sys.modules.get("random")) is not None:
        found.append(of_python._inst)
    return found


def _state(generator: Any) -> Any:
    """A dict of NumPy's generator, with the normal number that it keeps, a tuple of Python's."""
    return generator.getstate() if hasattr(generator, "getstate") else generator.get_state(legacy=False)


def _key(state: Any) -> Any:
    """What equals that of another state just where they are one."""
    if isinstance(state, dict):
        return [(name, _key(value)) for name, value in state.items()]
    return state.tobytes() if hasattr(state, "tobytes") else state
