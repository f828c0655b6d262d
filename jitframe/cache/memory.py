"""Kernels kept in this process, bounded, least recently used first out."""

from __future__ import annotations

from collections import OrderedDict

from ..base.locks import new_reentrant_lock

DEFAULT_LIMIT_BYTES = 64 << 20


class MemoryStore:
    """Images by key digest; safe to use from several threads."""

    def __init__(self, limit_bytes: int = DEFAULT_LIMIT_BYTES) -> None:
        self.limit_bytes = limit_bytes
        self._images: OrderedDict[bytes, bytes] = OrderedDict()
        self._used_bytes = 0
        self._lock = new_reentrant_lock()
        self._most: int | None = None

    def limit(self, most: int | None) -> None:
        """Keep so many images at most; None is no limit but that on their bytes."""
        with self._lock:
            self._most = most
            self._evict()

    def get(self, key_digest: bytes) -> bytes | None:
        with self._lock:
            image = self._images.get(key_digest)
            if image is not None:
                self._images.move_to_end(key_digest)
            return image

    def put(self, key_digest: bytes, image: bytes) -> None:
        with self._lock:
            more = len(image) - len(self._images.pop(key_digest, b""))
            self._images[key_digest] = image
            self._used_bytes += more
            self._evict()

    def _evict(self) -> None:
        most = len(self._images) if self._most is None else self._most
        while len(self._images) > most or (self._used_bytes > self.limit_bytes and len(self._images) > 1):
            _, evicted = self._images.popitem(last=False)
            self._used_bytes -= len(evicted)

    def clear(self) -> None:
        with self._lock:
            self._images.clear()
            self._used_bytes = 0

    def __len__(self) -> int:
        return len(self._images)
