"""NumPy programs whose plans and kernels the tests of fusion look at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import jitframe as jf
from jitframe.codegen.kernel.nodes import Kernel
from jitframe.codegen.kernel.rewrite import OperationCounts, operation_counts
from jitframe.codegen.plan.nodes import Alloc, Cond, Launch, LibraryCall, Loop, Plan, Step, While
from jitframe.compilation.evaluate import Ready


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def layer_norm(x, weight, bias):
    mean = x.mean(axis=-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(axis=-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + np.float32(1e-5)) * weight + bias


def log_sum_exp(x):
    largest = x.max(axis=-1, keepdims=True)
    return np.log(np.exp(x - largest).sum(axis=-1)) + largest[..., 0]


def nearest(x, y):
    difference = x[:, None, :] - y[None, :, :]
    return (difference * difference).sum(axis=-1).min(axis=1)


def pulls(points, masses):
    """Softened gravity of every body on every body."""
    offsets = points[None, :, :] - points[:, None, :]
    squares = (offsets * offsets).sum(axis=-1) + np.float32(0.01)
    return (offsets * (masses / (squares * np.sqrt(squares)))[:, :, None]).sum(axis=1)


def heat(u):
    new = u.copy()
    new[1:-1, 1:-1] = u[1:-1, 1:-1] + np.float32(0.1) * (
        u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1]
    )
    return new


def squared_differences(x, y):
    return ((x - y) ** 2).sum()


def several(x, y):
    return np.sqrt(x * x + y * y), x * y, x - y


def reshaped(x, z):
    return np.exp(x * 3).reshape(z.shape) + z


def total(x):
    return x.sum()


def plus(x, y):
    return x + y


def floats(*shape: int) -> np.ndarray:
    return np.random.default_rng(len(shape)).normal(size=shape).astype(np.float32)


def ready_of(function: Callable[..., Any], *arguments: Any) -> Ready:
    """A program traced and lowered afresh, bound to the sizes of these arguments."""
    ready = jf.jit(function).program(*arguments).ready
    assert ready is not None
    return ready


def plan_of(function: Callable[..., Any], *arguments: Any) -> Plan:
    return ready_of(function, *arguments).template.lowered.plan


def all_steps(steps: tuple[Step, ...]) -> list[Step]:
    found: list[Step] = []
    for step in steps:
        found.append(step)
        if isinstance(step, Loop):
            found += all_steps(step.body)
        elif isinstance(step, While):
            found += all_steps((*step.condition, *step.body))
        elif isinstance(step, Cond):
            found += all_steps((*step.then, *step.orelse))
    return found


def counted(plan: Plan) -> dict[str, int]:
    """How many launches, products, and buffers of its own a plan has."""
    steps = all_steps(plan.steps)
    return {
        "launches": sum(isinstance(step, Launch) for step in steps),
        "products": sum(isinstance(step, LibraryCall) for step in steps),
        "buffers": sum(isinstance(step, Alloc) for step in steps),
    }


def lanes_loops(kernel: Kernel) -> list[OperationCounts]:
    """What each vector loop of a kernel does for an element, in order of appearance."""
    return [
        counts for counts in operation_counts(kernel) if counts.path and counts.path[-1].startswith("lanes")
    ]
