"""Runs jitted functions through the interpreter of graphs: what the tracer made, without compiling
anything."""

from __future__ import annotations

import ctypes
from typing import NamedTuple

import numpy as np
import pytest

from jitframe.compilation import evaluate
from jitframe.ir.interpret import evaluate as interpret
from jitframe.ir.node import topological
from jitframe.runtime.cpu.execution.runtime import runtime
from jitframe.tensors import segments as parts
from jitframe.tracing.native import variants
from jitframe.tracing.programs import program


class Template(NamedTuple):
    kernel_count: int = 0


class Ready(NamedTuple):
    outputs: tuple
    strides: list
    writes: dict
    template: Template = Template()
    compiled: int = 0


def prepare(outputs, strides, origin="", writes=(), fastmath=False, device=None):
    return Ready(tuple(outputs), list(strides), dict(writes))


def array_strides(shape, layout, itemsize, given):
    """Strides in bytes from a parameter's layout letters, as a kernel finds them."""
    found, given = [0] * len(shape), list(given)
    inner = 1
    for axis in range(len(shape) - 1, -1, -1):
        letter = layout[axis]
        stride = {"0": 0, "1": 1, "m": inner}.get(letter)
        if letter == "s":
            stride = given.pop()
        found[axis] = stride * itemsize
        inner = stride * shape[axis]
    return tuple(found)


def memory(address, shape, dtype, strides):
    """The array at an address."""
    if 0 in shape:
        return np.empty(shape, dtype)
    spans = [(extent - 1) * stride for extent, stride in zip(shape, strides)]
    lowest, beyond = sum(min(span, 0) for span in spans), sum(max(span, 0) for span in spans) + dtype.itemsize
    held = (ctypes.c_char * (beyond - lowest)).from_address(address + lowest)
    return np.ndarray(shape, dtype, held, -lowest, strides)


def parameter_memory(ready, addresses, node):
    index, shape, dtype, layout = node.attributes
    kind = np.dtype(dtype.numpy_name)
    strides = array_strides(shape, layout, kind.itemsize, ready.strides[index])
    return memory(addresses[index], shape, kind, strides)


def run(ready, addresses, bits):
    given = {}
    for node in every_node(ready.outputs):
        if node.op.name == "parameter":
            given[node] = parameter_memory(ready, addresses, node).copy()
        elif node.op.name == "scalar":
            kind = np.dtype(node.dtype.numpy_name)
            word = int(bits[node.attributes[0]] & (2**64 - 1)).to_bytes(8, "little")
            given[node] = np.frombuffer(word, kind)[0]
    buffers = []
    with np.errstate(all="ignore"):
        results = interpret(ready.outputs, given)
    for position, (node, value) in enumerate(zip(ready.outputs, results)):
        value = np.asarray(value, node.dtype.numpy_name)
        if position in ready.writes:
            parameter_memory(ready, addresses, ready.writes[position])[...] = value
            continue
        buffer = runtime().allocate(max(value.nbytes, 1))
        buffer.ndarray(value.dtype, value.shape)[...] = value
        buffers.append(buffer)
    return buffers


def every_node(outputs):
    return topological(outputs)


@pytest.fixture
def interpreted(monkeypatch):
    monkeypatch.setattr(evaluate, "prepare", prepare)
    monkeypatch.setattr(evaluate, "prepare_known", prepare)
    monkeypatch.setattr(evaluate, "run", run)
    monkeypatch.setattr(variants, "offer_variant", lambda *_: None)
    monkeypatch.setattr(parts.Program, "_variant", lambda *_: None)
    assert program.evaluate is evaluate
