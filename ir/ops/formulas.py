"""Formulas of nodes in explanations, from the formulas of their inputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..node import Node, Region

Formula = Callable[[Node, list[str]], str]
_POSITIONS = "ijklmnpqrs"


def infix(sign: str) -> Formula:
    """`x + y`."""
    return lambda _node, inputs: f" {sign} ".join(inputs)


def prefix(sign: str) -> Formula:
    """`-x`."""
    return lambda _node, inputs: sign + inputs[0]


def broadcast_formula(node: Node, inputs: list[str]) -> str:
    kept = node.attribute("axes")
    if not kept:
        return inputs[0]
    places = ", ".join(":" if axis in kept else "None" for axis in range(len(node.shape)))
    return f"{inputs[0]}[{places}]"


def permute_formula(node: Node, inputs: list[str]) -> str:
    axes = node.attribute("axes")
    if axes == tuple(reversed(range(len(axes)))):
        return f"{inputs[0]}.T"
    return f"transpose({inputs[0]}, {axes_text(axes)})"


def slice_formula(node: Node, inputs: list[str]) -> str:
    starts, steps, _shape = node.attributes
    return f"{inputs[0]}[{window_text(starts, steps, node.shape, node.inputs[0].shape)}]"


def window_formula(node: Node, inputs: list[str]) -> str:
    at = ", ".join(" + ".join(_POSITIONS[axis] for axis in axes) for axes in node.attribute("axes"))
    return f"windows {inputs[0]}[{at}]"


def wrap_formula(node: Node, inputs: list[str]) -> str:
    starts, shape = node.attributes
    places = [
        ":" if not int(start) and int(extent) == int(whole) else f"({int(start)} + {name}) % {int(whole)}"
        for start, extent, whole, name in zip(starts, shape, node.inputs[0].shape, _POSITIONS)
    ]
    return f"{inputs[0]}[{', '.join(places)}]"


def axes_text(axes: object) -> str:
    """`1` for one axis, `(0, 1)` for several."""
    assert isinstance(axes, tuple)
    return str(axes[0]) if len(axes) == 1 else f"({', '.join(map(str, axes))})"


def window_text(starts: object, steps: object, shape: Sequence[int], whole: Sequence[int]) -> str:
    """`1:9, ::-1` for the window of an array of shape `whole`."""
    assert isinstance(starts, tuple) and isinstance(steps, tuple)
    parts = []
    for start, step, extent, size in zip(starts, steps, shape, whole, strict=True):
        start, step, stop = int(start), int(step), int(start) + int(extent) * int(step)
        low = "" if start == (0 if step > 0 else size - 1) else str(start)
        high = "" if stop in ((-1,) if step < 0 else (size,)) else str(stop)
        parts.append(f"{low}:{high}" + (f":{step}" if step != 1 else ""))
    return ", ".join(parts)


def cast_formula(node: Node, inputs: list[str]) -> str:
    return f"{node.dtype.name}({inputs[0]})"


def select_formula(_node: Node, inputs: list[str]) -> str:
    return f"where({', '.join(inputs)})"


def reduce_formula(node: Node, inputs: list[str]) -> str:
    kind, axes = node.attributes[:2]
    return f"{kind}({inputs[0]}, axis={axes_text(axes)})"


def scan_formula(node: Node, inputs: list[str]) -> str:
    kind, axis = node.attributes
    return f"cumulative_{kind}({inputs[0]}, axis={axis})"


def update_formula(node: Node, inputs: list[str]) -> str:
    starts, steps = node.attributes
    base, value = node.inputs
    window = window_text(starts, steps, value.shape, base.shape)
    return f"{inputs[0]} with [{window}] = {inputs[1]}"


def loop_formula(node: Node, inputs: list[str]) -> str:
    lower, upper, *operands = inputs
    region: Region = node.attributes[0]
    carried = ", ".join(operands[: len(region.results)])
    return f"for index in range({lower}, {upper}), starting from {carried}"


def while_formula(node: Node, inputs: list[str]) -> str:
    body: Region = node.attributes[0]
    return f"while a condition holds, starting from {', '.join(inputs[: len(body.results)])}"


def cond_formula(_node: Node, inputs: list[str]) -> str:
    return f"if {inputs[0]}, on {', '.join(inputs[1:])}"


def custom_formula(node: Node, inputs: list[str]) -> str:
    return f"{node.attribute('kernel')}({', '.join(inputs)})"


def sort_formula(node: Node, inputs: list[str]) -> str:
    order = ", descending" if node.attributes[0] else ""
    return f"{node.op.name}({inputs[0]}{order})"


def ranked_formula(node: Node, inputs: list[str]) -> str:
    order = ", descending" if True in node.attributes else ""
    return f"{node.op.name}({inputs[0]}, {inputs[1]}{order})"


def item_formula(node: Node, inputs: list[str]) -> str:
    return f"result {node.attribute('position')} of {inputs[0]}"
