"""The native entry's Python side: the type whose vectorcall is native code, and variants as its words."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable
from functools import cache
from typing import Any

from .arguments import (
    Argument,
    ArrayArgument,
    Container,
    DictArgument,
    FixedMember,
    FloatArgument,
    IntArgument,
    RecordArgument,
    SameArgument,
    ScalarArgument,
    SequenceArgument,
    TypedArgument,
    by_value,
    is_nested,
)
from .layout import SCALAR_OFFSET, read_word, symbol_address, write_word
from .library import native_library, permanent_memory
from .native import entry as native
from .native import making, matching
from .native.arrays import ALIGNED, WRITEABLE, Pattern
from .variant import (
    ABSENT,
    Guard,
    Output,
    OutputArgument,
    OutputArray,
    OutputConstant,
    OutputNumber,
    OutputSame,
    ResultForm,
    Variant,
    WordGuard,
    byte_range,
    contiguous_strides,
)

MOST_VARIANTS = 64
_NEW_TUPLE, _NEW_OBJECT = tuple.__new__, object.__new__
"""The makers of named tuples and records, whose addresses the native entry is given."""
_NUMBERS = {"f8": making.AS_FLOAT, "i8": making.AS_INT, "b1": making.AS_BOOL}
_TP_CALL, _TP_MEMBERS = 50, 72
_HAVE_VECTORCALL, _BASE_TYPE = 1 << 11, 1 << 10
_MEMBER_SIGNED_SIZE, _MEMBER_READ_ONLY = 19, 1
_FLAGS_OFFSET = 168


class _Member(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("kind", ctypes.c_int),
        ("offset", ctypes.c_ssize_t),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    ]


class _Slot(ctypes.Structure):
    _fields_ = [("slot", ctypes.c_int), ("function", ctypes.c_void_p)]


class _Spec(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("basic_size", ctypes.c_int),
        ("item_size", ctypes.c_int),
        ("flags", ctypes.c_uint),
        ("slots", ctypes.POINTER(_Slot)),
    ]


# PyType_FromSpec keeps pointers into these on some versions.
_spec_memory: list[object] = []


def _make_base_type() -> type:
    """A type with room for a vectorcall and an entry pointer, both zero until `NativeEntry.__init__`."""
    members = (_Member * 2)()
    members[0] = _Member(
        b"__vectorcalloffset__",
        _MEMBER_SIGNED_SIZE,
        native.Callable.offset("vectorcall"),
        _MEMBER_READ_ONLY,
        None,
    )
    slots = (_Slot * 3)()
    slots[0] = _Slot(_TP_CALL, symbol_address(ctypes.pythonapi, "PyVectorcall_Call"))
    slots[1] = _Slot(_TP_MEMBERS, ctypes.addressof(members))
    flags = _HAVE_VECTORCALL | _BASE_TYPE
    spec = _Spec(b"jitframe.runtime.cpu.NativeCallable", native.Callable.size(), 0, flags, slots)
    _spec_memory.extend((members, slots, spec))
    create = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.POINTER(_Spec))(("PyType_FromSpec", ctypes.pythonapi))
    made: type = create(ctypes.byref(spec))
    return made


class _EntryMemory:
    """The native entry of one callable. The header is never freed: a call may come while all is torn down."""

    def __init__(self, slow: Callable[..., Any]) -> None:
        self.slow = slow
        self.address = permanent_memory(native.Entry.size())
        self.table = array("q", [0] * MOST_VARIANTS)
        # By address; the words of each variant, with everything that they point at.
        self.variants: dict[int, tuple[Variant, tuple[object, ...]]] = {}
        self.retired: dict[int, tuple[Variant, tuple[object, ...]]] = {}
        self._write("slow", id(slow))
        self._write("variants", self.table.buffer_info()[0])

    def __del__(self) -> None:
        self._write("variant_count", 0)
        self._write("slow", 0)

    def _write(self, name: str, value: int) -> None:
        write_word(self.address + native.Entry.offset(name), value)

    def read(self, name: str) -> int:
        return read_word(self.address + native.Entry.offset(name))

    def add(self, variant: Variant) -> None:
        """Put a variant first; the least recently used one goes where there are too many.

        Other threads' native calls may come between any two lines here, and reorder the table that they see:
        so it is never changed, but replaced, and what is dropped is dropped after that.
        """
        memory, owned = encode_variant(variant)
        address = ctypes.addressof(memory)
        known = self.table[: self.read("variant_count")]
        dropped = known[MOST_VARIANTS - 1 :]
        kept = known[: MOST_VARIANTS - 1]
        table = array("q", [address, *kept, *[0] * (MOST_VARIANTS - 1 - len(kept))])
        self.variants[address] = (variant, (memory, *owned))
        self._write("variants", table.buffer_info()[0])
        self.table = table
        self._write("variant_count", len(kept) + 1)
        for each in dropped:
            self._retire(each)

    def clear(self) -> None:
        count = self.read("variant_count")
        self._write("variant_count", 0)
        for position in range(count):
            self._retire(self.table[position])

    def _retire(self, address: int) -> None:
        """Forget a variant once no call is inside its program."""
        self.retired[address] = self.variants.pop(address)
        running = native.Variant.offset("running")
        for candidate in [known for known in self.retired if read_word(known + running) == 0]:
            del self.retired[candidate]

    def calls(self, variant: Variant) -> int:
        for address, (known, _) in self.variants.items():
            if known is variant:
                return read_word(address + native.Variant.offset("calls"))
        return 0


def _pattern(argument: ArrayArgument, frame_word: int) -> list[int]:
    dtype = argument.dtype
    letter = ord(dtype.kind) | ord(dtype.byteorder) << 8
    low, beyond = byte_range(argument.shape, argument.strides, dtype.itemsize)
    flags = ALIGNED | (WRITEABLE if argument.written else 0)
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
    assert 8 * (len(head) + 1) == Pattern.size()
    words = Pattern.size() // 8 + 2 * len(argument.shape)
    return [*head, words, *argument.shape, *argument.strides]


def _number_words(argument: FloatArgument | IntArgument, base: int) -> list[int]:
    target = {"f32": matching.AS_F32, "f64": matching.AS_F64}.get(argument.dtype, matching.AS_INTEGER)
    if isinstance(argument, FloatArgument):
        if target == matching.AS_INTEGER:
            raise ValueError(f"a float argument cannot be {argument.dtype}")
        return [matching.FLOAT_ARGUMENT, 2, base + argument.scalar, target]
    return [matching.INT_ARGUMENT, 4, base + argument.scalar, target, *argument.range]


class _ArgumentWords:
    """The words of a variant's arguments; `count` of them, members included."""

    def __init__(self, variant: Variant) -> None:
        self.words: list[int] = []
        self.count = 0
        self.next_input = 1
        """The frame word of the next array; at the end that of the first hidden input."""
        self.scalar_base = 1 + variant.program.buffers
        for argument in variant.arguments:
            self.add(argument)

    def add(self, argument: Argument) -> None:
        self.count += 1
        if isinstance(argument, (SequenceArgument, DictArgument, RecordArgument)):
            kind, operands = self._container(argument)
            self.words += [kind, len(operands), *operands]
            for member in argument.members:
                self.add(member)
        elif isinstance(argument, ArrayArgument):
            pattern = _pattern(argument, self.next_input)
            self.words += [matching.ARRAY_ARGUMENT, len(pattern), *pattern]
            self.next_input += 1
        elif isinstance(argument, (SameArgument, FixedMember)):
            kind = matching.SAME_ARGUMENT if isinstance(argument, SameArgument) else matching.FIXED_MEMBER
            self.words += [kind, 2, *_object_words(argument.value)]
        elif isinstance(argument, TypedArgument):
            self.words += [matching.TYPED_ARGUMENT, 1, id(argument.kind)]
        elif isinstance(argument, ScalarArgument):
            dtype, word = argument.dtype, self.scalar_base + argument.scalar
            operands = [id(dtype.type), word, SCALAR_OFFSET, dtype.itemsize, dtype.kind == "i"]
            self.words += [matching.SCALAR_ARGUMENT, len(operands), *operands]
        else:
            self.words += _number_words(argument, self.scalar_base)

    @staticmethod
    def _container(argument: Container) -> tuple[int, list[int]]:
        if isinstance(argument, SequenceArgument):
            kind = matching.LIST_ARGUMENT if argument.kind is list else matching.TUPLE_ARGUMENT
            return kind, [id(argument.kind), len(argument.members)]
        if isinstance(argument, DictArgument):
            keys = [word for key in argument.keys for word in _object_words(key)]
            return matching.DICT_ARGUMENT, [id(dict), len(argument.keys), *keys]
        names = argument.names or ()
        operands = [id(argument.kind), 0 if argument.names is None else id(dict), len(names)]
        operands += [len(argument.slots), *(word for name in names for word in _object_words(name))]
        for slot in argument.slots:
            operands += [slot.offset, slot.is_set]
        return matching.RECORD_ARGUMENT, operands


def _object_words(expected: object) -> tuple[int, int]:
    return id(expected), by_value(expected)


def _form_words(form: ResultForm | OutputConstant | None) -> list[int]:
    if form is None:
        return [making.LEAF_RESULT]
    if isinstance(form, OutputConstant):
        return [making.CONSTANT_RESULT, id(form.value)]
    kind, count, keys = form.kind, len(form.members), [id(key) for key in form.keys]
    if kind is tuple or kind is list:
        words = [making.TUPLE_RESULT if kind is tuple else making.LIST_RESULT, count]
    elif kind is dict:
        words = [making.DICT_RESULT, count, *keys]
    elif issubclass(kind, tuple):
        words = [making.NAMED_RESULT, count, id(kind), id(_NEW_TUPLE)]
    else:
        words = [making.RECORD_RESULT, count, id(kind), id(_NEW_OBJECT), *keys]
    return words + [word for member in form.members for word in _form_words(member)]


def _guard_words(guard: Guard | WordGuard) -> list[int]:
    if isinstance(guard, WordGuard):
        return [native.WORD_GUARD, guard.address, 0, guard.word]
    expected = 0 if guard.expected is ABSENT else id(guard.expected)
    if guard.cell is not None:
        return [native.CELL_GUARD, id(guard.cell), 0, expected]
    return [native.DICT_GUARD, id(guard.mapping), id(guard.key), expected]


def _output_words(output: Output, buffer_words: list[int], owned: list[object]) -> list[int]:
    if isinstance(output, OutputArgument):
        return [making.ARGUMENT_OUTPUT, output.index, 0, 0, 0, 0]
    if isinstance(output, OutputConstant):
        return [making.CONSTANT_OUTPUT, id(output.value), 0, 0, 0, 0]
    if isinstance(output, OutputSame):
        return [making.SAME_OUTPUT, output.index, 0, 0, 0, 0]
    word, dtype = buffer_words.pop(0), output.dtype
    if isinstance(output, OutputNumber):
        return [making.NUMBER_OUTPUT, word, _NUMBERS[dtype.str[1:]], 0, 0, 0]
    if not isinstance(output, OutputArray):
        return [making.SCALAR_OUTPUT, word, id(dtype), 0, 0, 0]
    strides = (
        output.strides if output.strides is not None else contiguous_strides(output.shape, dtype.itemsize)
    )
    extents = array("q", output.shape or (0,))
    steps = array("q", strides or (0,))
    owned += [extents, steps]
    kind = making.ARRAY_OUTPUT
    return [kind, word, id(dtype), len(output.shape), extents.buffer_info()[0], steps.buffer_info()[0]]


def encode_variant(variant: Variant) -> tuple[Any, tuple[object, ...]]:
    """The native variant's memory, and the objects whose memory it points into."""
    owned: list[object] = []
    arguments = _ArgumentWords(variant)
    hidden: list[int] = []
    for number, value in enumerate(variant.hidden):
        pattern = _pattern(variant.hidden_arguments[number], arguments.next_input + number)
        hidden += [id(value), len(pattern), *pattern]
    guards = [word for guard in variant.guards for word in _guard_words(guard)]
    buffers = list(variant.program.output_words)
    outputs = [word for output in variant.outputs for word in _output_words(output, buffers, owned)]
    nested = is_nested(variant.arguments)
    flat = not nested and variant.places == tuple(range(len(variant.arguments)))
    memory = ctypes.create_string_buffer(native.Variant.size())
    leaves = len(variant.leaves)
    arrays = variant.program.inputs if variant.writes else 0
    values: dict[str, int] = {
        "program": variant.program.address,
        "scratch_words": variant.program.frame_words + leaves + len(variant.outputs) + 3 * arrays,
        "leaf_count": leaves,
        "argument_count": len(variant.arguments),
        "code_count": arguments.count,
        "positional_count": len(variant.arguments) - len(variant.keywords),
        "keywords": id(variant.keywords) if variant.keywords else 0,
        "nested": nested,
        "hidden_count": len(variant.hidden),
        "guard_count": len(variant.guards),
        "output_count": len(variant.outputs),
        "writes": variant.writes,
        "release_gil": variant.release_gil,
        "report": id(variant.report),
    }
    for name, words in (
        ("arguments", arguments.words),
        ("form", _form_words(variant.form)),
        ("places", [] if flat else list(variant.places)),
        ("hidden", hidden),
        ("guards", guards),
        ("outputs", outputs),
    ):
        if not words:
            continue
        stored = array("q", words)
        owned.append(stored)
        values[name] = stored.buffer_info()[0]
    for name, value in values.items():
        write_word(ctypes.addressof(memory) + native.Variant.offset(name), value)
    return memory, tuple(owned)


@cache
def native_entry_class() -> type:
    """The class of callables whose calls are answered by native code; made where the layout is known."""

    class NativeEntry(_make_base_type()):  # type: ignore[misc]
        """A callable whose calls are answered by native code."""

        def __init__(self, slow: Callable[..., Any]) -> None:
            # Before 3.12 a Python subclass does not inherit the flag that makes callers use the vectorcall.
            flags = ctypes.c_ulong.from_address(id(type(self)) + _FLAGS_OFFSET)
            flags.value |= _HAVE_VECTORCALL
            self._memory = _EntryMemory(slow)
            write_word(id(self) + native.Callable.offset("entry"), self._memory.address)
            address = native_library().image.address("entry_call")
            write_word(id(self) + native.Callable.offset("vectorcall"), address)

    return NativeEntry


def verified() -> bool:
    """Whether such a callable keeps its room and calls natively here."""
    try:
        probe = native_entry_class()(lambda *args, **kwargs: (args, kwargs))
        return probe(1, 2.0, a=3) == ((1, 2.0), {"a": 3}) and probe._memory.read("slow_calls") == 1
    except (AttributeError, TypeError, RuntimeError):
        return False
