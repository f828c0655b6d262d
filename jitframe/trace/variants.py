"""Programs as variants of the native entry: calls of flat arrays and numbers, answered without Python."""

from __future__ import annotations

from typing import Any

import numpy

from ..evaluate import with_scalars
from ..runtime.cpu.entry import entry_add_variant
from ..runtime.cpu.runtime import runtime
from ..runtime.cpu.variant import (
    Argument,
    ArrayArgument,
    FloatArgument,
    IntArgument,
    Output,
    OutputArgument,
    OutputArray,
    OutputConstant,
    OutputSame,
    OutputScalar,
    SameArgument,
    Variant,
)
from .native_guards import native_guards
from .program import Program, Scalar, bits_of
from .results import ConstantResult, DonatedMemory, GivenArgument, NewArray, NewScalar, SameResult
from .signature import Call
from .trees import LEAF

VARIANTS_PER_PROGRAM = 4
"""Calls that differ in objects compared by identity share a program; so many of them are answered
natively."""
RELEASE_NS = 20_000
"""Programs that are estimated to take longer let other threads run."""
_MOST_RESULTS = 64


def offer_variant(entry: Any, program: Program, call: Call) -> None:
    """Lets the entry answer calls like this one itself, where it can."""
    if program.variants >= VARIANTS_PER_PROGRAM:
        return
    program.variants += 1
    made = make_variant(program, call)
    if made is not None:
        entry_add_variant(entry, made)
    else:
        program.variants = VARIANTS_PER_PROGRAM


def make_variant(program: Program, call: Call) -> Variant | None:
    """The variant of a call with positional arguments; None where the entry cannot answer it."""
    if not program.device.is_host:
        return None
    if program.ready is None or program.tensors or program.pattern or call.tensors:
        return None
    outputs = _outputs(program)
    guards = native_guards(program.guards)
    if outputs is None or guards is None or call.keywords:
        return None
    fixed: dict[int, Any] = {}
    arguments: list[Argument] = []
    order: list[int] = []
    scalars = {scalar.leaf: index for index, scalar in program.scalars.items()}
    positions = {graph: position for position, graph in enumerate(program.ready.scalars)}
    open_scalars: list[int] = []
    for number, (tree, leaf) in enumerate(zip(call.positional, call.leaves, strict=False)):
        if tree is not LEAF:
            return None
        kind = type(leaf)
        if kind is numpy.ndarray:
            if not leaf.flags.aligned or any(stride % leaf.itemsize for stride in leaf.strides):
                return None
            arguments.append(
                ArrayArgument(leaf.dtype, leaf.shape, leaf.strides, len(order) in program.written)
            )
            order.append(number)
        elif number in scalars and kind in (float, int):
            index = scalars[number]
            if index in positions:
                scalar = program.scalars[index]
                place = len(open_scalars)
                open_scalars.append(index)
                made = (
                    FloatArgument(place, scalar.dtype.name) if kind is float else _int_argument(place, scalar)
                )
                arguments.append(made)
            else:
                return None
        else:
            if number in scalars:
                if kind is not bool:
                    return None
                fixed[scalars[number]] = leaf
            arguments.append(SameArgument(leaf))
    return _assembled(program, tuple(arguments), order, open_scalars, fixed, outputs, guards)


def _assembled(
    program: Program,
    arguments: tuple[Argument, ...],
    order: list[int],
    open_scalars: list[int],
    fixed: dict[int, Any],
    outputs: tuple[Output, ...],
    guards: Any,
) -> Variant | None:
    ready = program.ready
    assert ready is not None
    sources = program.inputs
    if [source.leaf for source in sources[: len(order)]] != order or any(
        s.leaf is not None for s in sources[len(order) :]
    ):
        return None
    if any(number >= len(order) for number in program.written):
        return None
    hidden = tuple(source.array for source in sources[len(order) :] if source.array is not None)
    if any(not array.flags.aligned for array in hidden):
        return None
    names: dict[int, int] = {}
    values: dict[int, int] = {}
    for position, index in enumerate(ready.scalars):
        if index in open_scalars:
            names[position] = open_scalars.index(index)
        elif index in fixed:
            values[position] = bits_of(fixed[index], program.scalars[index].dtype)
        else:
            values[position] = program.known_bits(index)
    bound = with_scalars(ready.bound, values, names, len(open_scalars))
    encoded = runtime().encode(bound, ready.template.addresses)
    if encoded.python_gemm:
        return None
    return Variant(
        arguments,
        encoded,
        outputs,
        guards,
        hidden,
        program.results.tree is LEAF,
        bound.cost_ns > RELEASE_NS,
        program.report,
    )


def _int_argument(place: int, scalar: Scalar) -> IntArgument:
    """The entry takes the integers that every dtype of the program holds; others go the slow way."""
    dtype = (scalar.holders or (scalar.dtype,))[0]
    if len(scalar.holders) < 2:
        return IntArgument(place, dtype.name)
    low, high = scalar.limits
    return IntArgument(place, dtype.name, (low, min(high, (1 << 63) - 1)))


def _outputs(program: Program) -> tuple[Output, ...] | None:
    """The results as the entry makes them; None where it cannot."""
    tree = program.results.tree
    if tree is not LEAF and (tree[0] is not tuple or any(member is not LEAF for member in tree[2])):  # type: ignore[index]
        return None
    made: list[Output] = []
    next_output = 0
    for leaf in program.results.leaves:
        if isinstance(leaf, (NewArray, NewScalar)):
            if leaf.output != next_output:
                return None
            next_output += 1
        if isinstance(leaf, NewArray):
            if leaf.view is not None:
                return None
            made.append(OutputArray(leaf.dtype, leaf.shape, leaf.strides))
        elif isinstance(leaf, NewScalar):
            if leaf.python:
                return None
            made.append(OutputScalar(leaf.dtype))
        elif isinstance(leaf, (GivenArgument, DonatedMemory)):
            made.append(OutputArgument(leaf.leaf))
        elif isinstance(leaf, SameResult):
            made.append(OutputSame(leaf.position))
        elif isinstance(leaf, ConstantResult):
            made.append(OutputConstant(leaf.value))
        else:
            return None
    complete = next_output == len(program.outputs) - len(program.results.writes)
    return tuple(made) if complete and 0 < len(made) <= _MOST_RESULTS else None
