"""What the names in docstrings of inner modules stand for."""

from __future__ import annotations

from typing import Any

import numpy as np

from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.nodes import Kernel
from jitframe.codegen.kernel.text import kernel_text
from jitframe.codegen.plan.nodes import Alloc, BufferRef, Launch, Plan, PlanBuffer
from jitframe.codegen.plan.text import plan_text
from jitframe.ir import ops
from jitframe.ir.expr import ceil_div, mul, symbol
from jitframe.ir.node import Graph
from jitframe.ir.text import graph_text
from jitframe.ir.types import F32


def doubling() -> Kernel:
    build = KernelBuilder("double")
    source, target, count = build.buffer(F32, "in"), build.buffer(F32, "out"), build.index()
    with build.loop(build.constant(0), count, kind="lanes") as (i,):
        value = build.load(source, i)
        build.store(target, i, build.add(value, value))
    return build.finish()


def names(module: str) -> dict[str, Any]:
    """The names that the module's docstrings take as given."""
    kernel, graph, size = doubling(), Graph(), symbol(0)
    x = graph.parameter(0, (3,), F32)
    two = graph.make(ops.broadcast, graph.constant(2.0, F32), attributes=((3,), ()))
    outputs = (graph.make(ops.mul, x, two),)
    launch = Launch(0, (BufferRef(0), BufferRef(1)), (size,), (), ceil_div(size, 4096), size, mul(size, 8))
    buffers = (PlanBuffer(F32, size), PlanBuffer(F32, size))
    plan = Plan(1, (kernel,), 1, (), buffers, (Alloc(1), launch), (1,))
    texts = {"kernel": kernel_text(kernel), "plan": plan_text(plan), "ir": graph_text(outputs)}
    return {
        "kernel": kernel, "kernel_text": kernel_text, "plan": plan, "plan_text": plan_text, "ops": ops,
        "graph": graph, "graph_text": graph_text, "outputs": outputs,
        "text": next((text for layer, text in texts.items() if f".{layer}." in module), ""),
        "source": np.ones(5, np.float32), "target": np.zeros(5, np.float32),
    }  # fmt: skip
