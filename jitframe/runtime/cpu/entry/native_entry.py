"""The Python side of the native entry: the type whose vectorcall is native code, and its variants."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache, update_wrapper
from types import MethodType
from typing import TYPE_CHECKING, Any

from ..native_library.described import native
from ..native_library.layout import read_word, symbol_address, words_at, write_word
from ..native_library.library import native_library, permanent_memory

if TYPE_CHECKING:
    from .variant import Variant

MOST_VARIANTS = 64
_TP_CALL, _TP_MEMBERS = 50, 72
_HAVE_VECTORCALL, _BASE_TYPE, _METHOD_DESCRIPTOR = 1 << 11, 1 << 10, 1 << 17
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
_permanent: list[object] = []
"""Methods of classes, which may be called at interpreter shutdown."""


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
    """The native entry of one callable. The header is never freed: a call may come at interpreter
    shutdown."""

    address = 0

    def __init__(self, slow: Callable[..., Any]) -> None:
        self.slow = slow
        self.address = permanent_memory(native.Entry.size())
        self.table, table_address = words_at([0] * MOST_VARIANTS)
        # By address; the words of each variant, with all objects that they refer to.
        self.variants: dict[int, tuple[Variant, tuple[object, ...]]] = {}
        self.retired: dict[int, tuple[Variant, tuple[object, ...]]] = {}
        self._write("slow", id(slow))
        self._write("variants", table_address)

    def __del__(self) -> None:
        if self.address:  # else making it was interrupted
            self._write("variant_count", 0)
            self._write("slow", 0)

    def _write(self, name: str, value: int) -> None:
        write_word(self.address + native.Entry.offset(name), value)

    def read(self, name: str) -> int:
        return read_word(self.address + native.Entry.offset(name))

    def add(self, variant: Variant) -> None:
        """Adds a variant at the front; beyond the limit the least recently used one is removed.

        Other threads' native calls may run between any two lines here, and reorder their table: so it is
        never modified, but replaced, and removed variants are freed after that.
        """
        from .variant_words import encode_variant  # most functions of a short script are called once

        memory, owned = encode_variant(variant)
        address = ctypes.addressof(memory)
        known = self.table[: self.read("variant_count")].tolist()
        dropped = known[MOST_VARIANTS - 1 :]
        kept = known[: MOST_VARIANTS - 1]
        table, table_address = words_at([address, *kept, *[0] * (MOST_VARIANTS - 1 - len(kept))])
        self.variants[address] = (variant, (memory, *owned))
        self._write("variants", table_address)
        self.table = table
        self._write("variant_count", len(kept) + 1)
        for each in dropped:
            self._retire(each)

    def clear(self) -> None:
        count = self.read("variant_count")
        self._write("variant_count", 0)
        for position in range(count):
            self._retire(int(self.table[position]))

    def _retire(self, address: int) -> None:
        """Frees a variant once no call is inside its program."""
        self.retired[address] = self.variants.pop(address)
        running = native.Variant.offset("running")
        for candidate in [known for known in self.retired if read_word(known + running) == 0]:
            del self.retired[candidate]

    def calls(self, variant: Variant) -> int:
        for address, (known, _) in self.variants.items():
            if known is variant:
                return read_word(address + native.Variant.offset("calls"))
        return 0


@cache
def native_entry_class() -> type:
    """Returns the class of callables with a native vectorcall; made where the layout is known."""

    class NativeEntry(_make_base_type()):  # type: ignore[misc]
        """A callable whose calls are answered by native code."""

        def __init__(self, slow: Callable[..., Any]) -> None:
            self._memory = _EntryMemory(slow)
            _answer_by(self, "entry_call", self._memory.address)

    return NativeEntry


def _answer_by(callable: Any, symbol: str, address: int) -> None:
    """Sets a native function as the vectorcall of an object with such a base, at an address."""
    # Before 3.12 a Python subclass does not inherit the flag that makes callers use the vectorcall.
    # None inherits that by which calls of methods make no bound method.
    flags = ctypes.c_ulong.from_address(id(type(callable)) + _FLAGS_OFFSET)
    flags.value |= _HAVE_VECTORCALL | (_METHOD_DESCRIPTOR if hasattr(type(callable), "__get__") else 0)
    write_word(id(callable) + native.Callable.offset("entry"), address)
    write_word(id(callable) + native.Callable.offset("vectorcall"), native_library().image.address(symbol))


@cache
def native_method_class() -> type:
    """Returns the class of methods with a native vectorcall."""

    class NativeMethod(_make_base_type()):  # type: ignore[misc]
        """A method with a native vectorcall; calls that it does not handle go to the method `slow`. `words`:
        those of a struct, the first of which is for `slow`; `kept`: the objects that they refer to. Neither
        is ever freed."""

        def __init__(self, symbol: str, slow: Callable[..., Any], words: dict[str, int], kept: Any) -> None:
            update_wrapper(self, slow)
            address = permanent_memory(native.Operator.size())
            for name, word in ({"slow": id(slow)} | words).items():
                write_word(address + native.Operator.offset(name), word)
            _permanent.append((self, slow, kept))
            _answer_by(self, symbol, address)

        def __get__(self, instance: Any, owner: type | None = None) -> Any:
            return self if instance is None else MethodType(self, instance)

    return NativeMethod


def verified() -> bool:
    """Whether such a callable keeps its memory and calls natively here."""
    try:
        probe = native_entry_class()(lambda *args, **kwargs: (args, kwargs))
        answers = probe(1, 2.0, a=3) == ((1, 2.0), {"a": 3})
        return bool(answers and probe._memory.read("slow_calls") == 1)
    except (AttributeError, TypeError, RuntimeError):
        return False
