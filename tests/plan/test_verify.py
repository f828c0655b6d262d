"""Plans that must fail: every rule of the plan verifier, with its whole message (`rejected.txt`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from jitframe.codegen.plan.parse import parse_plan
from jitframe.codegen.plan.verify import PlanError, verify_plan
from tests.plan.plans import AXPY, POSITIVE, everything, plan_of


def rejected() -> list[tuple[str, str, str]]:
    """(name, plan, message) of each section of the file: `=== name`, the plan, `---`, the message."""
    sections = (Path(__file__).parent / "rejected.txt").read_text().split("=== ")[1:]
    parted = [section.partition("\n") for section in sections]
    return [(name, *body.split("---\n")) for name, _, body in parted]


@pytest.mark.parametrize(("name", "text", "message"), rejected(), ids=lambda part: part.splitlines()[0])
def test_rejected(name: str, text: str, message: str) -> None:
    with pytest.raises(PlanError) as caught:
        verify_plan(parse_plan(f"{text}\n{AXPY}\n{POSITIVE}"))
    assert str(caught.value) == message.rstrip("\n")


def test_accepted() -> None:
    verify_plan(everything())
    both_sides = """\
alloc @4
launch 1 (@0, @4) groups 1 cost 0 bytes 0
if @4:
  alloc @2
  launch 0 (@0, @2; s0, 4; %0, 1.0: f32) groups s0 cost 0 bytes 0
else:
  alloc @2
  copy @2 = @0 elements s0
free @4"""
    verify_plan(parse_plan(plan_of(both_sides, "@2")))
