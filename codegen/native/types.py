"""The types of the native language: scalars, pointers, functions, and structs with C layout."""

from __future__ import annotations

from typing import Any, ClassVar


class _Record:
    """Equal and hashed by its fields. Written out, because generating dataclasses takes a start-up's time."""

    __slots__: tuple[str, ...] = ()

    def _values(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self.__slots__)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash((type(self), self._values()))

    def __repr__(self) -> str:
        return str(self)


class Scalar(_Record):
    """An integer or float type; calling it on a Python number gives what the native cast gives."""

    __slots__ = ("floating", "llvm", "name", "nbytes")

    def __init__(self, name: str, llvm: str, nbytes: int, floating: bool = False) -> None:
        self.name = name
        self.llvm = llvm
        self.nbytes = nbytes
        self.floating = floating

    def __call__(self, value: Any) -> Any:
        if self.floating:
            return float(value)
        if self.nbytes == 0:
            return bool(value)
        bits = 8 * self.nbytes
        wrapped = int(value) & ((1 << bits) - 1)
        return wrapped - (1 << bits) if wrapped >> (bits - 1) else wrapped

    def __str__(self) -> str:
        return self.name


i8 = Scalar("i8", "i8", 1)
i32 = Scalar("i32", "i32", 4)
i64 = Scalar("i64", "i64", 8)
f32 = Scalar("f32", "float", 4, floating=True)
f64 = Scalar("f64", "double", 8, floating=True)
boolean = Scalar("boolean", "i1", 0)


class Pointer(_Record):
    """`ptr` points at anything and converts to every pointer type; `ptr[i64]` can be indexed."""

    __slots__ = ("element",)
    llvm: ClassVar[str] = "ptr"
    nbytes: ClassVar[int] = 8

    def __init__(self, element: NativeType | None = None) -> None:
        self.element = element

    def __getitem__(self, element: NativeType) -> Pointer:
        return Pointer(element)

    def __str__(self) -> str:
        return "ptr" if self.element is None else f"ptr[{describe(self.element)}]"


ptr = Pointer()


class Function(_Record):
    """The type of a pointer to a function: `Function(result or None, *parameters)`."""

    __slots__ = ("parameters", "result")
    llvm: ClassVar[str] = "ptr"
    nbytes: ClassVar[int] = 8

    def __init__(self, result: NativeType | None, *parameters: NativeType) -> None:
        self.result = result
        self.parameters = parameters

    def __str__(self) -> str:
        inner = ", ".join(describe(parameter) for parameter in self.parameters)
        return f"function({inner}) -> {describe(self.result)}"


class Array(_Record):
    """A fixed number of elements inside a struct."""

    __slots__ = ("element", "length")
    llvm: ClassVar[str] = "ptr"

    def __init__(self, element: NativeType, length: int) -> None:
        self.element = element
        self.length = length

    def __str__(self) -> str:
        return f"Array({describe(self.element)}, {self.length})"


class Struct:
    """A C struct, declared by annotations. As a type: a pointer to one; as a field or element: the whole.

    class Pair(Struct):
        first: i32
        second: i64

    assert Pair.offset("second"), Pair.size() == (8, 16)
    """

    _fields: ClassVar[dict[str, tuple[int, Any]]] = {}
    _size: ClassVar[int] = 0

    llvm: ClassVar[str] = "ptr"
    nbytes: ClassVar[int] = 8

    def __init_subclass__(cls) -> None:
        position, fields = 0, {}
        for name, kind in cls.__annotations__.items():
            if isinstance(kind, str):
                raise TypeError(f"{cls.__name__}.{name}: struct fields need evaluated annotations")
            size, alignment = _size_and_alignment(kind)
            position = -(-position // alignment) * alignment
            fields[name] = (position, kind)
            position += size
        cls._fields = fields
        cls._size = -(-position // 8) * 8

    @classmethod
    def fields(cls) -> dict[str, tuple[int, Any]]:
        """Name of each field -> (offset in bytes, type)."""
        return cls._fields

    @classmethod
    def offset(cls, field: str) -> int:
        return cls._fields[field][0]

    @classmethod
    def size(cls) -> int:
        return cls._size


NativeType = Scalar | Pointer | Function | type[Struct]


def is_struct(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, Struct)


def is_pointer(kind: object) -> bool:
    """Whether values of this type are addresses."""
    return isinstance(kind, (Pointer, Function)) or is_struct(kind)


def is_native_type(kind: object) -> bool:
    return isinstance(kind, Scalar) or is_pointer(kind)


def describe(kind: object) -> str:
    if kind is None:
        return "None"
    return kind.__name__ if isinstance(kind, type) else str(kind)


def element_size(kind: Any) -> int:
    """Bytes from one element to the next: a struct is stored whole, everything else as a value."""
    return kind.size() if is_struct(kind) else int(kind.nbytes)


def _size_and_alignment(kind: Any) -> tuple[int, int]:
    if isinstance(kind, Array):
        size = element_size(kind.element)
        return size * kind.length, 8 if is_struct(kind.element) else size
    if is_struct(kind):
        return kind.size(), 8
    if not is_native_type(kind) or kind is boolean:
        raise TypeError(f"{describe(kind)} cannot be a struct field; use ptr, a scalar, an Array or a struct")
    return kind.nbytes, kind.nbytes
