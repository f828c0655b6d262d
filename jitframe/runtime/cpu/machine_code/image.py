"""Code as one flat position-independent image: made from an ELF object, stored, and mapped for execution.

Only x86-64 ELF with references relative to the instruction is taken; anything else (an undefined symbol, an
absolute address, another format or architecture) is kept as the object file and loaded by LLVM. The flat path
was tested on x86-64 Linux. Code is never unmapped: a thread, or a memory handler of an array that outlives
everything else, may be inside it.
"""

from __future__ import annotations

import ctypes
import platform
import struct
import sys

from ....ir.record import record
from .code_memory import PAGE_SIZE, check_loaders, map_code

FLAT, OBJECT = 0, 1
_HEADER = struct.Struct("<8sIIQ")
_SYMBOL = struct.Struct("<QI")
_MAGIC = b"jfimage1"

_ALLOCATED, _NO_BITS, _RELA, _SYMBOLS = 2, 8, 4, 2
_R_X86_64_PC32, _R_X86_64_PLT32, _R_X86_64_PC64 = 2, 4, 24
_MACHINE_X86_64 = 62
_LARGEST_SECTION = 1 << 28
_UNUSED_SECTIONS = (".eh_frame", ".note", ".comment")


class ImageError(ValueError):
    """The bytes are no image, or an object file that cannot become a flat one; the message says why."""


class Image(metaclass=record):
    """Code and constants with their symbols (name -> offset), or an object file for LLVM to load."""

    kind: int
    code: bytes
    symbols: dict[str, int]

    def to_bytes(self) -> bytes:
        parts = [_HEADER.pack(_MAGIC, self.kind, len(self.symbols), len(self.code))]
        for name, position in self.symbols.items():
            encoded = name.encode()
            parts.append(_SYMBOL.pack(position, len(encoded)) + encoded)
        return b"".join([*parts, self.code])

    @staticmethod
    def from_bytes(data: bytes) -> Image:
        """Reads the result of `to_bytes`; raises ImageError for anything else."""
        try:
            magic, kind, count, nbytes = _HEADER.unpack_from(data)
            position, symbols = _HEADER.size, {}
            for _ in range(count if magic == _MAGIC else 0):
                value, length = _SYMBOL.unpack_from(data, position)
                position += _SYMBOL.size
                symbols[data[position : position + length].decode()] = value
                position += length
        except (struct.error, UnicodeDecodeError) as error:
            raise ImageError(f"this is no image: {error}") from error
        code = bytes(data[position:])
        if magic != _MAGIC or kind not in (FLAT, OBJECT) or len(code) != nbytes:
            raise ImageError("this is no image: wrong mark, kind or length")
        if kind == FLAT and any(value >= nbytes for value in symbols.values()):
            raise ImageError("this is no image: a symbol lies outside")
        return Image(kind, code, symbols)


class LoadedImage(metaclass=record):
    """Code that can be called; it stays mapped until the process ends."""

    symbols: dict[str, int]

    def address(self, symbol: str) -> int:
        if symbol not in self.symbols:
            raise KeyError(f"the image has no symbol {symbol!r}; it has {', '.join(self.symbols)}")
        return self.symbols[symbol]


class _Section(metaclass=record):
    name: str
    kind: int
    flags: int
    position: int
    nbytes: int
    info: int
    alignment: int


def _text(table: bytes, position: int) -> str:
    return table[position : table.index(b"\0", position)].decode()


def _sections(data: bytes) -> list[_Section]:
    if data[:4] != b"\x7fELF" or data[4:6] != b"\x02\x01" or len(data) < 64:
        raise ImageError("not a 64-bit little-endian ELF object")
    kind, machine = struct.unpack_from("<HH", data, 16)
    if (kind, machine) != (1, _MACHINE_X86_64):
        raise ImageError(f"not a relocatable x86-64 object (type {kind}, machine {machine})")
    (start,) = struct.unpack_from("<Q", data, 40)
    entry_bytes, count, names_number = struct.unpack_from("<HHH", data, 58)
    rows = [struct.unpack_from("<IIQQQQIIQQ", data, start + entry_bytes * number) for number in range(count)]
    names = data[rows[names_number][4] : rows[names_number][4] + rows[names_number][5]]
    return [_Section(_text(names, row[0]), row[1], row[2], row[4], row[5], row[7], row[8]) for row in rows]


def _symbols(data: bytes, sections: list[_Section]) -> list[tuple[str, int, int]]:
    """Returns every symbol as (name, section number, offset in the section)."""
    tables = [number for number, section in enumerate(sections) if section.kind == _SYMBOLS]
    if len(tables) != 1:
        raise ImageError("the object has no symbol table")
    table = sections[tables[0]]
    (names_number,) = struct.unpack_from(
        "<I", data, struct.unpack_from("<Q", data, 40)[0] + 64 * tables[0] + 40
    )
    names = data[sections[names_number].position :][: sections[names_number].nbytes]
    rows = struct.iter_unpack("<IBBHQQ", data[table.position : table.position + table.nbytes])
    return [(_text(names, name), section, value) for name, _, _, section, value, _ in rows]


def _patch(code: bytearray, kind: int, position: int, target: int, addend: int) -> None:
    distance = target + addend - position
    if kind in (_R_X86_64_PC32, _R_X86_64_PLT32):
        if not -(1 << 31) <= distance < 1 << 31:
            raise ImageError("a reference is out of reach")
        struct.pack_into("<i", code, position, distance)
    elif kind == _R_X86_64_PC64:
        struct.pack_into("<q", code, position, distance)
    else:
        raise ImageError(f"relocation type {kind} is not relative to the instruction")


def flatten(object_bytes: bytes) -> Image:
    """Lays out an object's sections as one image with every reference resolved.

    Raises ImageError for an undefined symbol or a reference that depends on the image's address.
    """
    try:
        return _flatten(object_bytes)
    except (struct.error, IndexError, ValueError) as error:
        if isinstance(error, ImageError):
            raise
        raise ImageError(f"damaged object file: {error}") from error


def _flatten(data: bytes) -> Image:
    sections = _sections(data)
    code, places = bytearray(), {}
    for number, section in enumerate(sections):
        if not section.flags & _ALLOCATED or section.name.startswith(_UNUSED_SECTIONS):
            continue
        alignment = max(section.alignment, 1)
        if alignment > PAGE_SIZE or section.nbytes > _LARGEST_SECTION:
            raise ImageError(f"section {section.name!r} of {section.nbytes} bytes, aligned to {alignment}")
        code.extend(b"\0" * (-len(code) % alignment))
        places[number] = len(code)
        content = (
            b"\0" * section.nbytes if section.kind == _NO_BITS else data[section.position :][: section.nbytes]
        )
        code.extend(content)
    symbols = _symbols(data, sections)
    for section in sections:
        if section.kind != _RELA or section.info not in places:
            continue
        for row in struct.iter_unpack("<QQq", data[section.position : section.position + section.nbytes]):
            name, home, value = symbols[row[1] >> 32]
            if home not in places:
                raise ImageError(f"undefined symbol {name!r}")
            _patch(code, row[1] & 0xFFFFFFFF, places[section.info] + row[0], places[home] + value, row[2])
    found = {name: places[home] + value for name, home, value in symbols if name and home in places}
    return Image(
        FLAT, bytes(code), {name: value for name, value in found.items() if not name.startswith(".L")}
    )


def flat_images_work() -> bool:
    """Whether the flat path supports this platform."""
    return sys.platform.startswith("linux") and platform.machine() in ("x86_64", "AMD64")


def package(object_bytes: bytes) -> Image:
    """The flat image where that is possible here, else the object file for LLVM."""
    if flat_images_work():
        try:
            return flatten(object_bytes)
        except ImageError:
            pass
    return Image(OBJECT, object_bytes, {})


def load(image: Image, values: dict[str, int] | None = None) -> LoadedImage:
    """Map an image; `values` are 8-byte words written at symbols before the image becomes read-only.

    Raises ExecutableMemoryError where the system refuses memory for code, OutOfMemoryError where there is
    none.
    """
    if image.kind == OBJECT:
        return _load_with_llvm(image, values or {})
    code = bytearray(image.code)
    for symbol, value in (values or {}).items():
        struct.pack_into("<Q", code, image.symbols[symbol], value)
    base = map_code(bytes(code))
    return LoadedImage({name: base + position for name, position in image.symbols.items()})


class _LlvmSymbols(dict[str, int]):
    """Symbols that LLVM looks up on demand."""

    def __init__(self, lookup: object) -> None:
        super().__init__()
        self._lookup = lookup

    def __contains__(self, name: object) -> bool:
        return self[str(name)] != 0

    def __missing__(self, name: str) -> int:
        self[name] = int(self._lookup(name))  # type: ignore[operator]
        return self[name]


def _load_with_llvm(image: Image, values: dict[str, int]) -> LoadedImage:
    from . import compile as compiler  # code that is flat needs none

    check_loaders()
    symbols = _LlvmSymbols(compiler.load_object(image.code))
    for symbol, value in values.items():
        ctypes.c_uint64.from_address(symbols[symbol]).value = value
    return LoadedImage(symbols)
