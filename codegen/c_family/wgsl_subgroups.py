"""WGSL with WebGPU's `subgroups`: lanes exchange values without memory where subgroups are wide enough.

What WGSL says of subgroups: their width is a power of two from 4 to 128, known when the kernel runs and the
same in all of a dispatch. Each has a number and each member a place in it, both from 0 on without gaps. It
does not say which invocations are in one, nor that all are full (https://www.w3.org/TR/WGSL/#subgroups and
https://github.com/gpuweb/gpuweb/issues/5344). So a lane's number is made of its place in its subgroup,
which is sound where the subgroups have as many members as the workgroup if each is full: then each is.
Elsewhere, and where subgroups are narrower than a team, values go through shared memory. The condition is
uniform by WGSL's analysis, so barriers may depend on it.
"""

from __future__ import annotations

from dataclasses import replace

from ..kernel.nodes import REDUCTION_LANES
from .dialect import Dialect, table

ENABLED = ("enable subgroups;", "requires subgroup_id;")
"""What WGSL wants before such a text. naga takes the text without, and up to version 29 refuses it with."""


def with_subgroups(dialect: Dialect, lanes: int = REDUCTION_LANES) -> Dialect:
    """WGSL in which teams of so many lanes, a power of two, exchange values."""
    compute, function = dialect.entry
    moved = (
        "fn moved(x: u32, distance: u32, lane: u32, together: u32) -> u32 {",
        f"  if (together >= {lanes}u) {{ return subgroupShuffleDown(x, distance); }}",
        "  return #passed(x, lane, min(lane + distance, lane_count - 1u));",
        "}",
    )
    passed = (
        "var<workgroup> words: array<u32, lane_count>;",
        "fn passed(x: u32, lane: u32, other: u32) -> u32 {",
        "  words[lane] = x;",
        "  workgroupBarrier();",
        "  let y = words[other];",
        "  workgroupBarrier();",
        "  return y;",
        "}",
    )
    return replace(
        dialect,
        own=table(**dialect.own, moved=moved, passed=passed),
        launch_parameters=(
            *dialect.launch_parameters,
            "@builtin(num_subgroups) subgroup_count: u32",
            "@builtin(subgroup_id) subgroup_number: u32",
            "@builtin(subgroup_size) subgroup_width: u32",
            "@builtin(subgroup_invocation_id) subgroup_lane: u32",
        ),
        entry=(
            "const lane_count = {threads}u;",
            compute,
            function,
            "  let members = min(subgroup_width, lane_count);",
            "  let together = select(1u, members, subgroup_count * members == lane_count);",
        ),
        lane="i32(select(lane_number, subgroup_number * together + subgroup_lane, together > 1u))",
        shuffle_down="#moved({x}, u32({delta}), u32(lane), together)",
        broadcast=f"#passed({{x}}, u32(lane), u32(lane) & ~{lanes - 1}u)",
        subgroup_lane=f"(lane & {lanes - 1})",
        subgroup_types=frozenset(("u32",)),
        subgroup_lanes=lanes,
    )
