"""What has to run between two steps, against a search of all paths."""

from __future__ import annotations

import random

import pytest

from jitframe.ir import ops
from jitframe.ir.node import Graph, Node
from jitframe.ir.passes.precedence import Precedence
from jitframe.ir.passes.stages import Stage
from jitframe.ir.types import F32


def a_node() -> Node:
    graph = Graph()
    return graph.make(ops.add, graph.constant(1.0, F32), graph.constant(2.0, F32))


def found_by_search(
    step_of: dict[Stage, frozenset[Stage]],
    needs: dict[Stage, list[Stage]],
    first: frozenset[Stage],
    second: frozenset[Stage],
) -> bool:
    inside = first | second
    pending = [need for stage in inside for need in needs[stage] if need not in inside]
    seen = set(pending)
    while pending:
        for stage in step_of[pending.pop()]:
            for need in needs[stage]:
                if need in inside:
                    return True
                if need not in seen:
                    seen.add(need)
                    pending.append(need)
    return False


@pytest.mark.parametrize("seed", range(12))
def test_what_lies_between_two_steps(seed):
    draw, node = random.Random(seed), a_node()
    stages = [Stage(node, "store", node, ()) for _ in range(24)]
    # Needs point to earlier stages in an order that is not the one that they are given in.
    needs = {
        stage: draw.sample(stages[:position], min(position, draw.randrange(4)))
        for position, stage in enumerate(stages)
    }
    given = draw.sample(stages, len(stages))
    order = Precedence({stage: needs[stage] for stage in given})
    step_of = {stage: frozenset((stage,)) for stage in stages}
    answers = set()
    for _ in range(120):
        first, second = step_of[draw.choice(stages)], step_of[draw.choice(stages)]
        between = order.between((*first, *second))
        assert between == found_by_search(step_of, needs, first, second)
        if first is not second:
            answers.add(between)
            if not between:
                order.join((*first, *second))
                step_of.update(dict.fromkeys(first | second, first | second))
    assert answers == {False, True}


def test_stages_that_need_each_other_are_refused():
    node = a_node()
    one, other = Stage(node, "store", node, ()), Stage(node, "store", node, ())
    order = Precedence({one: (other,), other: (one,)})
    with pytest.raises(AssertionError, match="depend on each other"):
        order.between((one,))
