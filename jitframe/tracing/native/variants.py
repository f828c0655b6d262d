"""Programs as variants of the native entry, which answers their calls without Python."""

from __future__ import annotations

from typing import Any

import numpy

from ...api.frame import is_tensor
from ...arrays.layout import is_aligned
from ...arrays.promotion import is_supported
from ...codegen.plan.nodes import Plan, PlanBuffer
from ...compilation.evaluate import Ready, with_scalars
from ...ir.types import U8
from ...runtime.cpu.entry.arguments import (
    INT_RANGES,
    Argument,
    ArrayArgument,
    ComplexArgument,
    FloatArgument,
    IntArgument,
    LeafArgument,
    Outside,
    SameArgument,
    ScalarArgument,
    TypedArgument,
)
from ...runtime.cpu.entry.callables import entry_add_variant
from ...runtime.cpu.entry.variant import AnyGuard, ResultForm, Variant
from ...runtime.cpu.execution.encode import Program as Encoded
from ...runtime.cpu.execution.runtime import runtime
from ...runtime.cpu.native_library.layout import has_value_inside
from ..arguments.signature import SMALL, Call, Static, is_generator, is_small
from ..programs.inputs import Scalar, bits_of
from ..programs.program import NO_VARIANTS, Program
from .arguments import NotNative, argument_of
from .guards import native_guards
from .outside import OutsideOf
from .results import NativeOutputs, native_form

RELEASE_NS = 20_000
"""Programs with a longer estimated time release the interpreter's lock."""


def offer_variant(entry: Any, program: Program, call: Call, count: int, keywords: tuple[str, ...]) -> None:
    """Adds a variant to the entry for calls like this one, where possible: of so many positional arguments,
    then those of these names."""
    if program.pending and not program.pending.is_done:
        return
    program.variants_left -= 1
    variant = make_variant(program, call, count, keywords)
    if variant is not None:
        entry_add_variant(entry, variant)
    else:
        program.variants_left = NO_VARIANTS


def make_variant(
    program: Program, call: Call, count: int | None = None, keywords: tuple[str, ...] = ()
) -> Variant | None:
    """Returns the variant of a call; None where the entry cannot answer it."""
    if not program.device.is_host:
        return None
    if program.pattern or program.results.settles:
        return None
    if call.tensors and call.donated:
        return None
    if program.draws is not None or any(map(is_generator, call.leaves)):
        return None
    guards = native_guards(program.guards)
    if guards is None:
        return None
    leaves = _Leaves(program)
    try:
        made = iter([leaves.argument(call, number) for number in range(len(call.leaves))])
        trees = (*call.positional, *(tree for _, tree in call.keywords))
        arguments = tuple([argument_of(tree, made) for tree in trees])
        in_slots = tuple([argument_of(tree, made) for tree in call.state])
        places = _places(call, len(arguments) if count is None else count, keywords)
        outside = OutsideOf(program, call, places)
        told = outside.told(in_slots)
        form = native_form(program.results.tree)
        outputs = NativeOutputs(program, call, outside)
        guards += _tensor_guards(program, call)
    except NotNative:
        return None
    return _assembled(program, arguments, leaves, outputs, form, guards, keywords, places, told)


def _places(call: Call, count: int, keywords: tuple[str, ...]) -> tuple[int, ...]:
    """Returns for each argument of the bound call its number among the given ones: keywords come after the
    others."""
    given = {name: count + number for number, name in enumerate(keywords)}
    positional = [
        number if number < count else given[call.signature.argument_name(number)]
        for number in range(len(call.positional))
    ]
    return (*positional, *(given[name] for name, _ in call.keywords))


class _Leaves:
    """The leaves of a call as arguments of a variant, and the program's uses of them."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.arrays: list[int] = []
        """Numbers of the leaves that are arrays."""
        self.open: list[int] = []
        """Scalars of the graph that calls pass."""
        self.fixed: dict[int, Any] = {}
        """Scalars of the graph that are constant."""
        self._parameter_of = {source.leaf: number for number, source in enumerate(program.inputs)}
        self._index_of = {scalar.leaf: index for index, scalar in program.scalars.items()}
        self._used = frozenset(() if program.ready is None else program.ready.scalars)

    def argument(self, call: Call, number: int) -> LeafArgument:
        """Encodes a leaf. Raises NotNative for one that the entry cannot read."""
        leaf = call.leaves[number]
        kind = type(leaf)
        if is_tensor(leaf):
            from .tensors import tensor_argument  # few programs have any

            self.arrays.append(number)
            return tensor_argument(leaf)
        if kind is numpy.ndarray:
            if not is_supported(leaf.dtype):
                return TypedArgument(kind)  # nothing has used it
            if not is_aligned(leaf):
                raise NotNative
            written = self._parameter_of.get(number) in self.program.written
            self.arrays.append(number)
            return ArrayArgument(leaf.dtype, leaf.shape, leaf.strides, written)
        if isinstance(call.kinds[number], Static):
            return SameArgument(leaf)
        index = self._index_of.get(number)
        if index is None:
            return TypedArgument(kind)
        if kind is complex:
            return self._complex(number)
        scalar = self.program.scalars[index]
        if scalar.part:
            raise NotNative
        if index not in self._used:
            # Integers that do not fit are refused also where nothing is computed with them.
            if kind is not bool and (scalar.holders or scalar.dtype.is_integer):
                raise NotNative
            return TypedArgument(kind)
        if kind is bool:
            self.fixed[index] = leaf
            return SameArgument(leaf)
        self.open.append(index)
        place = len(self.open) - 1
        if kind is float:
            return FloatArgument(place, scalar.dtype.name)
        if kind is int:
            return _int_argument(place, scalar, is_small(leaf))
        plain = isinstance(leaf, numpy.generic) and leaf.dtype.name == scalar.dtype.numpy_name
        if not plain or scalar.holders not in ((), (scalar.dtype,)) or not has_value_inside(leaf):
            raise NotNative
        return ScalarArgument(place, leaf.dtype)

    def _complex(self, number: int) -> LeafArgument:
        """Encodes a complex Python number, whose parts are scalars of the graph."""
        scalars = self.program.scalars
        used = [index for index, scalar in scalars.items() if scalar.leaf == number and index in self._used]
        if not used:
            return TypedArgument(complex)
        dtypes = {scalars[index].dtype.name for index in used}
        if len(dtypes) > 1 or not all(scalars[index].part for index in used):
            raise NotNative
        first = len(self.open)
        self.open += used
        places = {scalars[index].part: first + place for place, index in enumerate(used)}
        return ComplexArgument(places.get("real"), places.get("imag"), dtypes.pop())


def _assembled(
    program: Program,
    arguments: tuple[Argument, ...],
    leaves: _Leaves,
    outputs: NativeOutputs,
    form: ResultForm | None,
    guards: Any,
    keywords: tuple[str, ...],
    places: tuple[int, ...],
    outside: Outside | None,
) -> Variant | None:
    ready, order, open_scalars, fixed = program.ready, leaves.arrays, leaves.open, leaves.fixed
    given = {source.leaf: number for number, source in enumerate(program.inputs) if source.leaf is not None}
    others = [number for number, source in enumerate(program.inputs) if source.leaf is None]
    if given.keys() != set(order):
        return None
    read = [program.inputs[number].array for number in others]
    hidden = tuple([array for array in read if isinstance(array, numpy.ndarray)])
    if len(hidden) < len(others) or any(not array.flags.aligned for array in hidden):
        return None
    if ready is None:
        cost_ns, encoded = 0, _nothing(len(program.inputs))
    else:
        cost_ns, encoded = ready.bound.cost_ns, _encoded(program, ready, open_scalars, fixed)
    if encoded.calls_python:
        return None
    return Variant(
        arguments,
        encoded,
        tuple(outputs.made),
        guards,
        hidden,
        form,
        cost_ns > RELEASE_NS,
        program.report,
        keywords,
        places,
        program.results.failed is not None,
        None if program.can_be_repeated else program.results.raise_failed,
        outside,
        (*[given[leaf] for leaf in order], *others),
        frozenset([place for place, number in enumerate(others) if number in program.written]),
        tuple(outputs.buffers),
    )


def _nothing(inputs: int) -> Encoded:
    """The program of a call without computation."""
    plan = Plan(0, (), inputs, (), (PlanBuffer(U8, 0),) * inputs, (), ())
    return runtime().encode(plan, [])


def _encoded(program: Program, ready: Ready, open_scalars: list[int], fixed: dict[int, Any]) -> Encoded:
    """Encodes the program for the native executor, with the scalars that calls pass left open."""
    names: dict[int, int] = {}
    values: dict[int, int] = {}
    for position, index in enumerate(ready.scalars):
        if index in open_scalars:
            names[position] = open_scalars.index(index)
        elif index in fixed:
            values[position] = bits_of(fixed[index], program.scalars[index].dtype)
        else:
            values[position] = program.known_bits(index)
    encoded = ready.binding.program
    if encoded is None or ready.scalars:
        bound = with_scalars(ready.bound, values, names)
        encoded = runtime().encode(bound, ready.template.addresses)
    return encoded


def _int_argument(place: int, scalar: Scalar, small: bool) -> IntArgument:
    """Encodes an integer: the entry accepts those that every dtype of the program holds, of small ones no
    others; other calls go to Python."""
    dtype = (scalar.holders or (scalar.dtype,))[0]
    if len(scalar.holders) < 2:
        low, high = INT_RANGES[dtype.name]
    else:
        low, high = scalar.limits
    if small:
        low, high = max(low, -SMALL), min(high, SMALL - 1)
    return IntArgument(place, dtype.name, (low, min(high, (1 << 63) - 1)))


def _tensor_guards(program: Program, call: Call) -> tuple[AnyGuard, ...]:
    """Returns the guards of Tensors besides the arguments. Raises NotNative."""
    if not call.tensors and not program.tensors:
        return ()
    from .tensors import still_holds, unmonitored  # few programs have any

    found: list[AnyGuard] = [still_holds(tensor) for tensor, _ in program.tensors]
    return (*found, unmonitored()) if call.tensors else tuple(found)
