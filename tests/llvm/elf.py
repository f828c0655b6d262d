"""Reading what a test asks of an ELF object: undefined symbols and relocations."""

from __future__ import annotations

import struct
from dataclasses import dataclass

PC_RELATIVE = {2: "PC32", 4: "PLT32", 24: "PC64"}
"""x86-64 relocation types that only depend on distances inside the image."""
_SYMBOLS, _RELA, _REL = 2, 4, 9


@dataclass(frozen=True)
class ObjectFile:
    undefined: tuple[str, ...]
    relocations: tuple[int, ...]
    """Types of the relocations of sections that are loaded, debug and unwind tables left out."""


def read_object(data: bytes) -> ObjectFile:
    assert data[:4] == b"\x7fELF"
    (offset,) = struct.unpack_from("<Q", data, 40)
    size, count, names_index = struct.unpack_from("<HHH", data, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, offset + size * number) for number in range(count)]

    def text(table: int, at: int) -> str:
        start = sections[table][4] + at
        return data[start : data.index(b"\0", start)].decode()

    undefined: list[str] = []
    relocations: list[int] = []
    for _, kind, _, _, start, length, link, info, _, entry in sections:
        if kind == _SYMBOLS:
            for at in range(start + entry, start + length, entry):
                name, _, _, section, _, _ = struct.unpack_from("<IBBHQQ", data, at)
                if section == 0 and name:
                    undefined.append(text(link, name))
        elif kind in (_RELA, _REL) and text(names_index, sections[info][0]) != ".eh_frame":
            for at in range(start, start + length, entry):
                relocations.append(struct.unpack_from("<QQ", data, at)[1] & 0xFFFFFFFF)
    return ObjectFile(tuple(undefined), tuple(relocations))
