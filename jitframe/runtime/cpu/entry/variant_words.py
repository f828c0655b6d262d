"""Encodes a variant as words for the native entry."""

from __future__ import annotations

import ctypes
from typing import Any

from ..execution.runtime import byte_range, contiguous_strides
from ..native_library.described import native
from ..native_library.layout import SCALAR_OFFSET, words_at, write_word
from .arguments import (
    Argument,
    ArrayArgument,
    ComplexArgument,
    Container,
    DictArgument,
    FixedMember,
    FloatArgument,
    HeldArray,
    IntArgument,
    Outside,
    Place,
    RecordArgument,
    SameArgument,
    ScalarArgument,
    SequenceArgument,
    TypedArgument,
    by_value,
    containers_of,
    is_nested,
)
from .variant import (
    ABSENT,
    AnyGuard,
    ElementGuard,
    Holder,
    ItemsGuard,
    Output,
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

_NEW_TUPLE, _NEW_OBJECT = tuple.__new__, object.__new__
"""The makers of named tuples and records, whose addresses the native entry uses."""
_NUMBERS = {"f8": "AS_FLOAT", "i8": "AS_INT", "b1": "AS_BOOL", "c16": "AS_COMPLEX"}


def _pattern(argument: ArrayArgument, frame_word: int) -> list[int]:
    dtype = argument.dtype
    letter = ord(dtype.kind) | ord(dtype.byteorder) << 8
    low, beyond = byte_range(argument.shape, argument.strides, dtype.itemsize)
    flags = native.ALIGNED | (native.WRITEABLE if argument.written else 0)
    head = [
        id(dtype),
        letter,
        dtype.itemsize,
        len(argument.shape),
        flags,
        frame_word,
        low,
        beyond,
        argument.written,
    ]
    assert 8 * (len(head) + 1) == native.Pattern.size()
    words = native.Pattern.size() // 8 + 2 * len(argument.shape)
    return [*head, words, *argument.shape, *argument.strides]


def _number_words(argument: FloatArgument | IntArgument | ComplexArgument, base: int) -> list[int]:
    target = {"f32": native.AS_F32, "f64": native.AS_F64}.get(argument.dtype, native.AS_INTEGER)
    if isinstance(argument, ComplexArgument):
        parts = [0 if part is None else base + part for part in (argument.real, argument.imag)]
        return [native.COMPLEX_ARGUMENT, 3, *parts, target]
    if isinstance(argument, FloatArgument):
        if target == native.AS_INTEGER:
            raise ValueError(f"a float argument cannot be {argument.dtype}")
        return [native.FLOAT_ARGUMENT, 2, base + argument.scalar, target]
    return [native.INT_ARGUMENT, 4, base + argument.scalar, target, *argument.range]


class _ArgumentWords:
    """The words of a variant's arguments; `count` of them, members included."""

    def __init__(self, variant: Variant) -> None:
        self.words: list[int] = []
        self.count = 0
        self.frame_words = iter([1 + number for number in variant.inputs])
        """The frame words of the arrays; the last ones are those of the hidden inputs."""
        self.scalar_base = 1 + variant.program.buffers
        for argument in variant.all_arguments:
            self.add(argument)

    def add(self, argument: Argument) -> None:
        self.count += 1
        if isinstance(argument, (SequenceArgument, DictArgument, RecordArgument)):
            kind, operands = self._container(argument)
            self.words += [kind, len(operands), *operands]
            for member in argument.members:
                self.add(member)
        elif isinstance(argument, ArrayArgument):
            pattern = _pattern(argument, next(self.frame_words))
            self.words += [native.ARRAY_ARGUMENT, len(pattern), *pattern]
        elif isinstance(argument, HeldArray):
            pattern = _pattern(argument.array, next(self.frame_words))
            others = [
                word
                for slot, value in argument.others
                for word in (slot.offset, id(value), type(value) is tuple or by_value(value))
            ]
            told = [id(argument.kind), argument.slot.offset, len(argument.others), *others]
            self.words += [native.HELD_ARGUMENT, len(pattern) + len(told), *pattern, *told]
        elif isinstance(argument, (SameArgument, FixedMember)):
            kind = native.SAME_ARGUMENT if isinstance(argument, SameArgument) else native.FIXED_MEMBER
            self.words += [kind, 2, *_object_words(argument.value)]
        elif isinstance(argument, TypedArgument):
            self.words += [native.TYPED_ARGUMENT, 1, id(argument.kind)]
        elif isinstance(argument, ScalarArgument):
            dtype, word = argument.dtype, self.scalar_base + argument.scalar
            operands = [id(dtype.type), word, SCALAR_OFFSET, dtype.itemsize, dtype.kind == "i"]
            self.words += [native.SCALAR_ARGUMENT, len(operands), *operands]
        else:
            self.words += _number_words(argument, self.scalar_base)

    @staticmethod
    def _container(argument: Container) -> tuple[int, list[int]]:
        if isinstance(argument, SequenceArgument):
            kind = native.LIST_ARGUMENT if argument.kind is list else native.TUPLE_ARGUMENT
            return kind, [id(argument.kind), len(argument.members)]
        if isinstance(argument, DictArgument):
            keys = [word for key in argument.keys for word in _object_words(key)]
            return native.DICT_ARGUMENT, [id(dict), len(argument.keys), *keys]
        names = argument.names or ()
        operands = [id(argument.kind), 0 if argument.names is None else id(dict), len(names)]
        operands += [len(argument.slots), *(word for name in names for word in _object_words(name))]
        for slot in argument.slots:
            operands += [slot.offset, slot.is_set]
        return native.RECORD_ARGUMENT, operands


def _object_words(expected: object) -> tuple[int, int]:
    return id(expected), by_value(expected)


def _form_words(form: ResultForm | OutputConstant | None) -> list[int]:
    if form is None:
        return [native.LEAF_RESULT]
    if isinstance(form, OutputConstant):
        return [native.CONSTANT_RESULT, id(form.value)]
    kind, count, keys = form.kind, len(form.members), [id(key) for key in form.keys]
    if not isinstance(kind, type):
        words = [native.CALLED_RESULT, count, id(kind)]
    elif kind is tuple or kind is list:
        words = [native.TUPLE_RESULT if kind is tuple else native.LIST_RESULT, count]
    elif kind is dict:
        words = [native.DICT_RESULT, count, *keys]
    elif issubclass(kind, tuple):
        words = [native.NAMED_RESULT, count, id(kind), id(_NEW_TUPLE)]
    else:
        words = [native.RECORD_RESULT, count, id(kind), id(_NEW_OBJECT), *keys]
    return words + [word for member in form.members for word in _form_words(member)]


def _guard_words(guard: AnyGuard, owned: list[object]) -> list[int]:
    if isinstance(guard, ItemsGuard):
        items, address = words_at([id(part) for part in guard.items])
        owned.append(items)
        return [native.ITEMS_GUARD, id(guard.mapping), address, len(guard.items) // 2]
    if isinstance(guard, ElementGuard):
        return [native.ELEMENT_GUARD, id(guard.sequence), guard.index, id(guard.expected)]
    assert not isinstance(guard, WordGuard)
    expected = 0 if guard.expected is ABSENT else id(guard.expected)
    return [native.DICT_GUARD, id(guard.mapping), id(guard.key), expected]


def _holder_words(holder: Holder) -> list[int]:
    others = [word for slot, value in holder.others for word in (slot.offset, id(value))]
    return [id(holder.kind), holder.slot.offset, len(holder.others), *others]


def _output_words(output: Output, buffer_words: list[int], owned: list[object]) -> list[int]:
    if isinstance(output, OutputArgument):
        return [native.ARGUMENT_OUTPUT, output.index, 0, 0, 0, 0, 0]
    if isinstance(output, OutputConstant):
        return [native.CONSTANT_OUTPUT, id(output.value), 0, 0, 0, 0, 0]
    if isinstance(output, OutputPlace):
        place, address = words_at(_place_words(output.place))
        owned.append(place)
        return [native.PLACE_OUTPUT, address, 0, 0, 0, 0, 0]
    if isinstance(output, OutputView):
        kind, of = _output_words(output.of, buffer_words, owned)[:2]
        told = [kind, of, id(output.dtype), len(output.shape), output.begin, *output.shape, *output.strides]
        view, address = words_at(told)
        owned.append(view)
        return [native.VIEW_OUTPUT, address, 0, 0, 0, 0, 0]
    if isinstance(output, OutputSame):
        return [native.SAME_OUTPUT, output.index, 0, 0, 0, 0, 0]
    word, dtype = buffer_words.pop(0), output.dtype
    if isinstance(output, OutputNumber):
        return [native.NUMBER_OUTPUT, word, getattr(native, _NUMBERS[dtype.str[1:]]), 0, 0, 0, 0]
    if not isinstance(output, OutputArray):
        return [native.SCALAR_OUTPUT, word, id(dtype), 0, 0, 0, 0]
    strides = (
        output.strides if output.strides is not None else contiguous_strides(output.shape, dtype.itemsize)
    )
    extents, extents_address = words_at(output.shape)
    steps, steps_address = words_at(strides)
    owned += [extents, steps]
    holder_address = 0
    if output.holder is not None:
        holder, holder_address = words_at(_holder_words(output.holder))
        owned.append(holder)
    kind = native.ARRAY_OUTPUT
    return [kind, word, id(dtype), len(output.shape), extents_address, steps_address, holder_address]


def _place_words(place: Place) -> list[int]:
    root = place.root if type(place.root) is int else id(place.root)
    steps = [word for by_key, key in place.steps for word in (by_key, id(key))]
    return [place.kind, root, len(place.steps), *steps]


def _outside_words(outside: Outside, given_containers: int, owned: list[object]) -> list[int]:
    """Encodes the native `Outside`."""
    reads = [word for each, name in outside.reads for word in (id(each), 0 if name is None else id(name))]
    stores: list[int] = []
    for store in outside.stores:
        place = _place_words(store.place)
        stores += [store.kind, id(store.key), len(place), *place]
    tables = []
    for words in (reads, stores, list(map(id, outside.owners)), list(outside.read)):
        stored, address = words_at(words)
        owned.append(stored)
        tables.append(address)
    counts = len(outside.reads), len(outside.stores), len(outside.owners), len(outside.read)
    made = [word for pair in zip(tables, counts, strict=True) for word in pair]
    return [*made, given_containers, given_containers + containers_of(outside.arguments)]


def encode_variant(variant: Variant) -> tuple[Any, tuple[object, ...]]:
    """Returns the native variant's memory, and the objects whose memory it refers to."""
    owned: list[object] = []
    arguments = _ArgumentWords(variant)
    hidden: list[int] = []
    for number, value in enumerate(variant.hidden):
        pattern = _pattern(variant.hidden_arguments[number], next(arguments.frame_words))
        hidden += [id(value), len(pattern), *pattern]
    plain = [guard for guard in variant.guards if isinstance(guard, WordGuard)]
    plain += plain[:1] * (len(plain) % 2)
    others = [guard for guard in variant.guards if not isinstance(guard, WordGuard)]
    guarded = [word for guard in plain for word in (guard.address, guard.word)]
    guards = [word for guard in others for word in _guard_words(guard, owned)]
    buffers = [variant.program.output_words[number] for number in variant.buffers]
    outputs = [word for output in variant.outputs for word in _output_words(output, buffers, owned)]
    nested = is_nested(variant.arguments) or variant.outside is not None
    flat = not nested and variant.places == tuple(range(len(variant.arguments)))
    holders = sum(isinstance(leaf, HeldArray) for leaf in variant.leaves)
    leaves = len(variant.leaves) + holders
    arrays = variant.program.inputs if variant.writes else 0
    known = variant.program.frame_words + leaves + len(variant.outputs) + 3 * arrays
    outside, outside_words, outside_address = variant.outside, 0, 0
    if outside is not None:
        told = _outside_words(outside, containers_of(variant.arguments), owned)
        stored, outside_address = words_at(told)
        owned.append(stored)
        outside_words = len(outside.reads) + len(outside.stores) + told[-1]
    values: dict[str, int] = {
        "program": variant.program.address,
        "scratch_words": known + outside_words,
        "outside": outside_address,
        "outside_word": known,
        "leaf_count": leaves,
        "held_count": holders,
        "argument_count": len(variant.arguments),
        "code_count": arguments.count,
        "positional_count": len(variant.arguments) - len(variant.keywords),
        "keywords": id(variant.keywords) if variant.keywords else 0,
        "nested": nested,
        "hidden_count": len(variant.hidden),
        "guarded_count": len(plain),
        "guard_count": len(others),
        "output_count": len(variant.outputs),
        "base_count": variant.bases,
        "writes": variant.writes,
        "release_gil": variant.release_gil,
        "report": id(variant.report),
        "raising": 0 if variant.raising is None else id(variant.raising),
        "check_word": variant.program.output_words[-1] if variant.checked else 0,
    }
    blocks = {
        "arguments": arguments.words or [0],  # an address also where there are none: null is no match
        "form": _form_words(variant.form),
        "places": [] if flat else list(variant.places),
        "hidden": hidden,
        "guarded": guarded,
        "guards": guards,
        "outputs": outputs,
    }
    return _written(values, blocks, owned), tuple(owned)


def _written(values: dict[str, int], blocks: dict[str, list[int]], owned: list[object]) -> Any:
    """Returns a native variant with these fields, where those of `blocks` are addresses of words."""
    memory = ctypes.create_string_buffer(native.Variant.size())
    for name, words in blocks.items():
        if words:
            stored, values[name] = words_at(words)
            owned.append(stored)
    for name, word in values.items():
        write_word(ctypes.addressof(memory) + native.Variant.offset(name), word)
    return memory
