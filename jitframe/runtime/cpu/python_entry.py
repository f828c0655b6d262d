"""The entry in Python: what the native one does, on any interpreter, by calls of the runtime."""

from __future__ import annotations

import operator
import struct
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ...codegen.plan.bind import OutOfBounds
from .arguments import (
    Argument,
    ArrayArgument,
    DictArgument,
    FixedMember,
    FloatArgument,
    HeldArray,
    IntArgument,
    Outside,
    Place,
    RecordArgument,
    Root,
    ScalarArgument,
    SequenceArgument,
    StoreKind,
    TypedArgument,
    is_same,
)
from .layout import read_word
from .runtime import byte_range, runtime
from .variant import (
    ABSENT,
    AnyGuard,
    ElementGuard,
    Holder,
    ItemsGuard,
    OutputArgument,
    OutputArray,
    OutputConstant,
    OutputNumber,
    OutputPlace,
    OutputSame,
    OutputView,
    ResultForm,
    Variant,
    WordGuard,
)


class PythonEntry:
    """Calls the most recently used variant that matches, else the slow callable."""

    def __init__(self, slow: Callable[..., Any]) -> None:
        self._slow = slow
        self._variants: list[Variant] = []
        self._calls = [0, 0]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        given, keywords = (*args, *kwargs.values()), tuple(kwargs)
        for position, variant in enumerate(self._variants):
            if variant.keywords != keywords:
                continue
            outside = _read(variant.outside)
            leaves = None if outside is None else leaves_of(variant, given, outside)
            matched = None if leaves is None else match(variant, leaves)
            if outside is not None and leaves is not None and matched is not None:
                if position:
                    self._variants.insert(0, self._variants.pop(position))
                self._calls[0] += 1
                try:
                    return _run(variant, (given, outside), leaves, *matched)
                except _AnsweredElsewhere:
                    break
        self._calls[1] += 1
        return self._slow(*args, **kwargs)


def _read(outside: Outside | None) -> tuple[Any, ...] | None:
    """What is outside; None where something is missing."""
    try:
        return tuple([
            each if name is None else object.__getattribute__(each, name)
            for each, name in (() if outside is None else outside.reads)
        ])  # fmt: skip
    except AttributeError:
        return None


def leaves_of(variant: Variant, given: tuple[Any, ...], outside: tuple[Any, ...] = ()) -> list[Any] | None:
    """The arrays and other objects of a call, or None where it has other containers than the variant."""
    leaves: list[Any] = []
    containers: list[int] = []
    if len(given) != len(variant.arguments):
        return None
    arguments = zip(variant.arguments, [given[place] for place in variant.places], strict=True)
    if not all(_take(argument, value, leaves, containers) for argument, value in arguments):
        return None
    if variant.outside is None:
        return leaves
    from_arguments = len(containers)
    arguments = zip(variant.outside.arguments, outside, strict=True)
    if not all(_take(argument, value, leaves, containers) for argument, value in arguments):
        return None
    return leaves if _are_apart(variant.outside, containers, from_arguments) else None


def _are_apart(outside: Outside, containers: list[int], given: int) -> bool:
    """Whether no container of the call, by identity, may be changed in two ways."""
    if not outside.stores:
        return True
    owners = set(map(id, outside.owners))
    distinct = len(set(containers)) == len(containers)
    return distinct and owners.isdisjoint(containers) and set(outside.read).isdisjoint(containers[:given])


def _take(argument: Argument, value: Any, leaves: list[Any], containers: list[int]) -> bool:
    """Adds the leaves of an argument, and its containers by identity; whether these are as expected."""
    if isinstance(argument, FixedMember):
        return is_same(value, argument.value)
    if not isinstance(argument, (SequenceArgument, DictArgument, RecordArgument)):
        leaves.append(value)
        return True
    kind, its = dict if isinstance(argument, DictArgument) else argument.kind, type(value)
    if its is not kind:
        return False
    if not issubclass(kind, tuple):
        containers.append(id(value))
    if isinstance(argument, RecordArgument):
        members = _attributes(argument, value)
    elif isinstance(argument, DictArgument):
        members = list(value.values()) if _has_keys(value, argument.keys) else None
    else:
        members = list(value)
    return (
        members is not None
        and len(members) == len(argument.members)
        and all(
            _take(each, member, leaves, containers)
            for each, member in zip(argument.members, members, strict=True)
        )
    )


def _has_keys(value: dict[Any, Any], keys: tuple[object, ...]) -> bool:
    return len(value) == len(keys) and all(map(is_same, value, keys))


def _attributes(argument: RecordArgument, value: Any) -> list[Any] | None:
    """What a record holds; None where that are other attributes than expected."""
    members: list[Any] = []
    if argument.names is not None:
        contents = value.__dict__
        if not _has_keys(contents, argument.names):
            return None
        members += contents.values()
    for slot in argument.slots:
        member = getattr(value, slot.name, ABSENT)
        if (member is not ABSENT) != slot.is_set:
            return None
        members += [member] if slot.is_set else []
    return members


def match(variant: Variant, leaves: list[Any]) -> tuple[list[np.ndarray], list[int]] | None:
    """The program's input arrays and scalar bits, or None where the variant does not take these leaves."""
    arrays: list[np.ndarray] = []
    scalars = [0] * variant.program.scalars
    for argument, value in zip(variant.leaves, leaves, strict=True):
        if isinstance(argument, HeldArray):
            value = _array_in(argument, value)
            argument = argument.array
        if isinstance(argument, ArrayArgument):
            if not _array_matches(argument, value):
                return None
            arrays.append(value)
        elif isinstance(argument, FloatArgument):
            if type(value) is not float:
                return None
            scalars[argument.scalar] = _float_bits(value, argument.dtype)
        elif isinstance(argument, IntArgument):
            least, most = argument.range
            if type(value) is not int or not least <= value <= most:
                return None
            floating = argument.dtype in ("f32", "f64")
            scalars[argument.scalar] = _float_bits(float(value), argument.dtype) if floating else value
        elif isinstance(argument, ScalarArgument):
            if type(value) is not argument.dtype.type:
                return None
            scalars[argument.scalar] = int.from_bytes(
                value.tobytes(), sys.byteorder, signed=argument.dtype.kind == "i"
            )
        elif isinstance(argument, TypedArgument):
            if type(value) is not argument.kind:
                return None
        elif not is_same(value, argument.value):
            return None
    arrays += variant.hidden
    if not all(map(_array_matches, variant.hidden_arguments, variant.hidden)):
        return None
    if not all(_holds(guard) for guard in variant.guards):
        return None
    if variant.writes and _overlap(variant, arrays):
        return None
    in_order = sorted(zip(variant.inputs, arrays, strict=True), key=operator.itemgetter(0))
    return [array for _, array in in_order], scalars


def _array_in(argument: HeldArray, value: Any) -> Any:
    """The array that an object holds; None of an object that is not as expected."""
    if type(value) is not argument.kind:
        return None
    for slot, expected in argument.others:
        found = getattr(value, slot.name, ABSENT)
        both_tuples = type(found) is type(expected) is tuple
        if not (found == expected if both_tuples else is_same(found, expected)):
            return None
    return getattr(value, argument.slot.name, None)


def _array_matches(argument: ArrayArgument, value: Any) -> bool:
    return (
        type(value) is np.ndarray
        and value.dtype == argument.dtype
        and value.shape == argument.shape
        and value.strides == argument.strides
        and value.flags.aligned
        and (value.flags.writeable or not argument.written)
    )


def _float_bits(value: float, dtype: str) -> int:
    if dtype == "f64":
        return int.from_bytes(struct.pack("<d", value), "little")
    with np.errstate(over="ignore"):
        return int(np.float32(value).view(np.uint32))


def _holds(guard: AnyGuard) -> bool:
    if isinstance(guard, WordGuard):
        return read_word(guard.address) == guard.word
    if isinstance(guard, ItemsGuard):
        found = [part for item in guard.mapping.items() for part in item]
        return len(found) == len(guard.items) and all(map(operator.is_, found, guard.items))
    if isinstance(guard, ElementGuard):
        return guard.index < len(guard.sequence) and guard.sequence[guard.index] is guard.expected
    return guard.mapping.get(guard.key, ABSENT) is guard.expected


def _overlap(variant: Variant, arrays: list[np.ndarray]) -> bool:
    written = [argument.written for argument in (*variant.arrays, *variant.hidden_arguments)]
    ranges = []
    for array, is_written in zip(arrays, written, strict=True):
        data = array.__array_interface__["data"][0]
        low, beyond = byte_range(array.shape, array.strides, array.itemsize)
        if beyond > low:
            ranges.append((data + low, data + beyond, is_written))
    end = written_end = 0
    for first, beyond, is_written in sorted(ranges):
        if first < written_end or (is_written and first < end):
            return True
        end = max(end, beyond)
        written_end = max(written_end, beyond if is_written else 0)
    return False


class _AnsweredElsewhere(Exception):
    """What a run noted raises nothing: the call is answered the slow way."""


def _run(
    variant: Variant,
    objects: tuple[tuple[Any, ...], tuple[Any, ...]],
    leaves: list[Any],
    arrays: list[np.ndarray],
    scalars: list[int],
) -> Any:
    """`objects`: what was given, and what is outside."""
    addresses = [array.__array_interface__["data"][0] for array in arrays]
    try:
        found = runtime().run(variant.program, addresses, scalars, variant.release_gil)
    except OutOfBounds as fault:
        variant.report(fault.word, fault.spelled)
        raise _AnsweredElsewhere from None
    code = int(found.pop().ndarray(np.dtype(np.int64), ())[()]) if variant.checked else 0
    if code:
        if variant.raising is not None:
            variant.raising(code)
        raise _AnsweredElsewhere
    buffers = iter([found[number] for number in variant.buffers])
    results: list[Any] = []
    for output in variant.outputs:
        if isinstance(output, (OutputArgument, OutputConstant, OutputSame)):
            results.append(_known(output, leaves, results))
        elif isinstance(output, OutputPlace):
            results.append(_followed(output.place, *objects))
        elif isinstance(output, OutputView):
            results.append(output.show(_known(output.of, leaves, results)))
        elif isinstance(output, OutputArray):
            array = next(buffers).into_ndarray(output.dtype, output.shape, output.strides)
            results.append(array if output.holder is None else _put_into_holder(output.holder, array))
        else:
            value = next(buffers).ndarray(output.dtype, ())
            results.append(value.item() if isinstance(output, OutputNumber) else value[()])
    made = _put_into(variant.form, iter(results[variant.bases :]))
    if variant.outside is None or not variant.outside.stores:
        return made
    result, values = made
    places = [_followed(store.place, *objects) for store in variant.outside.stores]
    for store, place, value in zip(variant.outside.stores, places, values, strict=True):
        _store(store.kind, place, store.key, value)
    return result


def _known(output: OutputArgument | OutputConstant | OutputSame, leaves: list[Any], made: list[Any]) -> Any:
    """An argument, an object, or an earlier output."""
    if isinstance(output, OutputConstant):
        return output.value
    return (leaves if isinstance(output, OutputArgument) else made)[output.index]


def _followed(place: Place, given: tuple[Any, ...], outside: tuple[Any, ...]) -> Any:
    """What is at a place."""
    if place.kind == Root.OBJECT:
        found = place.root
    else:
        found = (given if place.kind == Root.ARGUMENT else outside)[place.root]
    for is_item, key in place.steps:
        found = found[key] if is_item else getattr(found, key)  # type: ignore[call-overload]
    return found


def _store(kind: int, place: Any, key: Any, value: Any) -> None:
    if kind == StoreKind.IN_DICT:
        object.__getattribute__(place, "__dict__")[key] = value
    elif kind == StoreKind.IN_SLOT:
        object.__setattr__(place, key, value)
    elif kind == StoreKind.ITEM:
        place[key] = value
    else:
        place.extend(value)


def _put_into_holder(holder: Holder, array: np.ndarray) -> Any:
    made: object = object.__new__(holder.kind)
    for slot, value in ((holder.slot, array), *holder.others):
        object.__setattr__(made, slot.name, value)
    return made


def _put_into(form: ResultForm | OutputConstant | None, results: Iterator[Any]) -> Any:
    if form is None:
        return next(results)
    if isinstance(form, OutputConstant):
        return form.value
    members = [_put_into(member, results) for member in form.members]
    if form.kind is list:
        return members
    if form.kind is dict:
        return dict(zip(form.keys, members, strict=True))
    if issubclass(form.kind, tuple):
        return tuple.__new__(form.kind, members)
    record = object.__new__(form.kind)
    for name, member in zip(form.keys, members, strict=True):
        object.__setattr__(record, name, member)  # type: ignore[arg-type]
    return record
