"""The native runtime's own image in the kernel cache's folder, so that only the first process builds it."""

from __future__ import annotations

import time

from ...cache.key import CacheKey, make_key
from ...cache.service import kernel_cache
from .levels import baseline_target
from .library import image_store

NAME = "native_runtime"


def use_cache() -> None:
    """Look for the runtime's image in the cache, and leave it there."""
    image_store.get = _get
    image_store.put = _put


def _key(key: str) -> CacheKey:
    target = baseline_target()
    return make_key(key, "", f"{target.triple} {target.cpu} {target.features}", None)


def _get(key: str) -> bytes | None:
    disk = kernel_cache().disk
    found = disk.get(_key(key).digest()) if disk is not None else None
    return None if found is None else found[0]


def _put(key: str, data: bytes) -> None:
    disk = kernel_cache().disk
    if disk is not None:
        from ...cache.entry import new_entry  # only the process that compiles needs it

        disk.put(new_entry(_key(key), NAME, "", 0, data, {"kernel": key}, time.time_ns()))
