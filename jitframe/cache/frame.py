"""The binary layout of a kernel's file: a fixed prefix with a checksum, which is all that a hit has to read.

Little-endian: magic, format version, lengths, place of the image, compile time, key digest, checksum; then a
JSON header for people and tools, the image, the texts (see `entry`). The digest stands for every key field,
so a hit parses nothing. The checksum finds damage, not malice; `Folder` keeps strangers out.
"""

from __future__ import annotations

import struct

from .digest import DIGEST_BYTES, digest

FORMAT_VERSION = 1
MAGIC = b"JITFRAME"
# magic, version, header bytes, file bytes, image offset, image bytes, compile ns, key digest; then checksum.
_PREFIX = struct.Struct(f"<8sIIQQQQ{DIGEST_BYTES}s")
HEADER_OFFSET = _PREFIX.size + DIGEST_BYTES


class EntryError(ValueError):
    """Bytes that are no valid entry, and why."""


def assemble(header: bytes, image: bytes, texts: list[bytes], compile_ns: int, key_digest: bytes) -> bytes:
    """The whole file from its parts."""
    image_offset = HEADER_OFFSET + len(header)
    body = b"".join([header, image, *texts])
    total = HEADER_OFFSET + len(body)
    prefix = _PREFIX.pack(
        MAGIC, FORMAT_VERSION, len(header), total, image_offset, len(image), compile_ns, key_digest
    )
    return b"".join([prefix, digest(prefix, body), body])


def read_image(data: bytes, key_digest: bytes) -> tuple[bytes, int]:
    """(image, compile time in ns) of the entry in `data`, which must be complete and have this key. Raises
    EntryError."""
    _, offset, size, compile_ns, found = checked_prefix(data)
    if found != key_digest:
        raise EntryError("it holds another kernel than its name says")
    return data[offset : offset + size], compile_ns


def checked_prefix(data: bytes) -> tuple[int, int, int, int, bytes]:
    """(header bytes, image offset, image bytes, compile ns, key digest) of a complete file. Raises
    EntryError."""
    header_end = header_bytes_needed(data)
    _, _, header_bytes, total, offset, size, compile_ns, key_digest = _PREFIX.unpack_from(data)
    if total != len(data):
        raise EntryError(f"it has {len(data)} bytes instead of {total}")
    view = memoryview(data)
    if digest(view[: _PREFIX.size], view[HEADER_OFFSET:]) != data[_PREFIX.size : HEADER_OFFSET]:
        raise EntryError("its checksum does not match")
    if offset != header_end or offset + size > total:
        raise EntryError("its sections overlap")
    return header_bytes, offset, size, compile_ns, key_digest


def header_bytes_needed(start: bytes) -> int:
    """The number of bytes from the start of a file that contain its prefix and header. Raises EntryError."""
    if len(start) < HEADER_OFFSET:
        raise EntryError("it is cut short")
    magic, version, header_bytes, *_ = _PREFIX.unpack_from(start)
    if magic != MAGIC or version != FORMAT_VERSION:
        raise EntryError("it is no kernel of this format")
    return HEADER_OFFSET + int(header_bytes)
