"""What becomes of idioms of control flow: docs/control_flow.md, written by JITFRAME_UPDATE_SNAPSHOTS=1."""

from __future__ import annotations

import copy
import inspect
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jitframe as jf
from jitframe.errors import JitframeError
from jitframe.ir.node import topological
from tests.capture.forms import FORMS
from tests.capture.idioms import IDIOMS
from tests.capture.more_idioms import MORE
from tests.jit.same import assert_same

PAGE = Path(__file__).parents[2] / "docs" / "control_flow.md"
MARK = "## Idioms\n"
OUTCOMES = {"loop": "a loop", "while": "a loop", "cond": "a branch", "select": "a selection"}
"""By the op that tells it, the first in this order."""


def outcome(function: Callable[..., Any], arguments: tuple[Any, ...]) -> str:
    """What jitframe makes of it, where that is what Python does; or the error's text."""
    jitted = jf.jit(function)
    try:
        mine, its = copy.deepcopy(arguments), copy.deepcopy(arguments)
        assert_same(jitted(*mine), function(*its))
        assert_same(list(mine), list(its))
    except JitframeError as error:
        return error.message
    program = jitted.program(*arguments)
    if program.segments:
        return "cut where a value is needed"
    found = {node.op.name for node in topological(program.outputs)}
    return next((text for name, text in OUTCOMES.items() if name in found), "unrolled")


def table() -> str:
    return "\n".join(
        f"```python\n{inspect.getsource(function)}```\n→ {outcome(function, arguments)}\n"
        for function, arguments in (*IDIOMS, *MORE, *FORMS)
    )


def test_the_page_tells_what_happens() -> None:
    made = table()
    text = PAGE.read_text(encoding="utf-8")
    start = text.index(MARK) + len(MARK)
    if os.environ.get("JITFRAME_UPDATE_SNAPSHOTS"):
        text = f"{text[:start]}\n{made}"
        PAGE.write_text(text, encoding="utf-8")
    assert text[start + 1 :] == made, "run with JITFRAME_UPDATE_SNAPSHOTS=1"
