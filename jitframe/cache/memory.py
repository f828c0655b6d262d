"""The in-memory cache of kernels: bounded, with least-recently-used eviction."""

from __future__ import annotations

from collections import OrderedDict
from contextlib import suppress

_LIMIT_BYTES = 64 << 20


class MemoryStore:
    """Images by key digest, for several threads.

    There is no lock: a signal handler that interrupts its holder would wait for a thread that waits for it.
    Each step leaves the store whole; what another thread does between two of them changes the order alone.
    """

    def __init__(self) -> None:
        self.limit_bytes = _LIMIT_BYTES
        self._images: OrderedDict[bytes, bytes] = OrderedDict()
        self._most: int | None = None

    def limit(self, most: int | None) -> None:
        """Keeps at most this many images; None limits only their total size."""
        self._most = most
        self._evict()

    def get(self, key_digest: bytes) -> bytes | None:
        image = self._images.get(key_digest)
        if image is not None:
            self._use(key_digest)
        return image

    def put(self, key_digest: bytes, image: bytes) -> None:
        self._images[key_digest] = image
        self._use(key_digest)
        self._evict()

    def _use(self, key_digest: bytes) -> None:
        with suppress(KeyError):  # another thread made room
            self._images.move_to_end(key_digest)

    def _evict(self) -> None:
        used_bytes = sum(map(len, tuple(self._images.values())))
        most = len(self._images) if self._most is None else self._most
        with suppress(KeyError):  # as above
            while len(self._images) > most or (used_bytes > self.limit_bytes and len(self._images) > 1):
                _, evicted = self._images.popitem(last=False)
                used_bytes -= len(evicted)

    def clear(self) -> None:
        self._images.clear()

    def __len__(self) -> int:
        return len(self._images)
