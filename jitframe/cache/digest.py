"""BLAKE2b as the cache uses it, without the 5 ms that importing hashlib (OpenSSL) costs a warm start."""

from __future__ import annotations

try:
    from _blake2 import blake2b as _blake2b  # the module that implements hashlib.blake2b in CPython
except ImportError:
    from hashlib import blake2b as _blake2b

DIGEST_BYTES = 16


def digest(*parts: bytes | memoryview) -> bytes:
    """A 128-bit digest of a sequence of parts (their lengths are hashed too)."""
    state = _blake2b(digest_size=DIGEST_BYTES)
    for part in parts:
        state.update(len(part).to_bytes(8, "little"))
        state.update(part)
    return state.digest()
