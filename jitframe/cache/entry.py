"""A kernel with all its metadata, and its conversion to and from the bytes of its file."""

from __future__ import annotations

import json
import zlib
from typing import Any

from ..ir.record import record
from .frame import HEADER_OFFSET, EntryError, assemble, checked_prefix, header_bytes_needed
from .key import CacheKey

MAXIMUM_TEXT_BYTES = 1 << 28
_COMPRESS_FROM_BYTES = 1024
_COMPRESSION_LEVEL = 1


class Header(metaclass=record):
    """The header of an entry, uncompressed."""

    key: CacheKey
    name: str
    origin: str
    """The user's `file:line` that the kernel came from, or empty."""
    created_ns: int
    """Unix time of compilation, for display only."""
    compile_ns: int
    image_bytes: int
    text_bytes: dict[str, int]
    """Uncompressed size of each stored text, by level."""


class Entry(metaclass=record):
    """A kernel with everything that is stored of it."""

    header: Header
    image: bytes
    texts: dict[str, str]
    """By level: `kernel` (kernel IR), `source` (the compiler's input), and perhaps `asm`."""


def new_entry(
    key: CacheKey,
    name: str,
    origin: str,
    compile_ns: int,
    image: bytes,
    texts: dict[str, str],
    created_ns: int,
) -> Entry:
    """An entry whose header describes these parts."""
    sizes = {level: len(_encoded(text)) for level, text in texts.items()}
    return Entry(Header(key, name, origin, created_ns, compile_ns, len(image), sizes), image, texts)


def encode(entry: Entry) -> bytes:
    """The content of an entry's file."""
    header, sections = entry.header, []
    rows: list[dict[str, Any]] = []
    for level, text in entry.texts.items():
        raw = _encoded(text)
        packed = zlib.compress(raw, _COMPRESSION_LEVEL) if len(raw) >= _COMPRESS_FROM_BYTES else raw
        codec = "zlib" if packed is not raw else "raw"
        rows.append({"level": level, "codec": codec, "stored": len(packed), "bytes": len(raw)})
        sections.append(packed)
    fields = {
        "key": {
            "kernel": header.key.kernel,
            "generator": header.key.generator,
            "target": header.key.target,
            "options": dict(header.key.options),
        },
        "name": header.name,
        "origin": header.origin,
        "created_ns": header.created_ns,
        "compile_ns": header.compile_ns,
        "image_bytes": header.image_bytes,
        "texts": rows,
    }
    head = _encoded(_json_text(fields))
    return assemble(head, entry.image, sections, header.compile_ns, header.key.digest())


def decode(data: bytes) -> Entry:
    """Decodes an entry, with all checks. Raises EntryError."""
    header_bytes, offset, size, compile_ns, found = checked_prefix(data)
    header, rows = _parse_header(data[HEADER_OFFSET : HEADER_OFFSET + header_bytes])
    if header.key.digest() != found or header.compile_ns != compile_ns or header.image_bytes != size:
        raise EntryError("its header and its prefix differ")
    texts, position = {}, offset + size
    for level, codec, stored, length in rows:
        texts[level] = _unpacked(data[position : position + stored], codec, stored, length)
        position += stored
    if position != len(data):
        raise EntryError("its sections do not fill it")
    return Entry(header, data[offset : offset + size], texts)


def read_header(start: bytes) -> Header:
    """Decodes the header alone, from at least `header_bytes_needed` bytes, without verifying the checksum.
    Raises EntryError."""
    end = header_bytes_needed(start)
    if len(start) < end:
        raise EntryError("it is cut short")
    return _parse_header(start[HEADER_OFFSET:end])[0]


def _parse_header(raw: bytes) -> tuple[Header, list[tuple[str, str, int, int]]]:
    try:
        fields = json.loads(raw)
        key = fields["key"]
        options = tuple(sorted((_text(name), _text(value)) for name, value in key["options"].items()))
        rows = [
            (_text(row["level"]), _text(row["codec"]), _count(row["stored"]), _count(row["bytes"]))
            for row in fields["texts"]
        ]
        header = Header(
            key=CacheKey(_text(key["kernel"]), _text(key["generator"]), _text(key["target"]), options),
            name=_text(fields["name"]),
            origin=_text(fields["origin"]),
            created_ns=_count(fields["created_ns"]),
            compile_ns=_count(fields["compile_ns"]),
            image_bytes=_count(fields["image_bytes"]),
            text_bytes={level: length for level, _, _, length in rows},
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as problem:
        raise EntryError(f"its header cannot be read ({type(problem).__name__}: {problem})") from None
    return header, rows


_ESCAPES = {code: f"\\u{code:04x}" for code in range(32)} | {ord('"'): '\\"', ord("\\"): "\\\\"}


def _json_text(value: dict[str, Any] | list[Any] | str | int) -> str:
    """JSON of a header's values. Importing `json` would cost the first kernel of a process a millisecond."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_json_text(key)}: {_json_text(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_json_text, value)) + "]"
    return f'"{value.translate(_ESCAPES)}"' if isinstance(value, str) else str(value)


def _encoded(text: str) -> bytes:
    """UTF-8 that keeps the lone surrogates a file name may contain."""
    return text.encode("utf-8", "surrogatepass")


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _count(value: object) -> int:
    if type(value) is not int or not 0 <= value < 1 << 62:
        raise TypeError(f"{value!r} is no count")
    return value


def _unpacked(stored: bytes, codec: str, stored_bytes: int, length: int) -> str:
    if len(stored) != stored_bytes or length > MAXIMUM_TEXT_BYTES:
        raise EntryError("a text is cut short or too long")
    raw = stored
    if codec == "zlib":
        unpacker = zlib.decompressobj()
        try:
            raw = unpacker.decompress(stored, length + 1)
        except zlib.error as problem:
            raise EntryError(f"a text cannot be unpacked ({problem})") from None
    elif codec != "raw":
        raise EntryError(f"a text is packed with {codec!r}")
    if len(raw) != length:
        raise EntryError("a text has another length than it says")
    try:
        return raw.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        raise EntryError("a text is no UTF-8") from None
