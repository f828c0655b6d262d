"""The peers: one module each, loaded by name; any may be absent."""

from __future__ import annotations

from importlib import import_module

from .base import THREADS, Peer, Prepared, prepare

__all__ = ["MODULES", "THREADS", "Peer", "PeerAbsent", "Prepared", "load", "prepare"]

MODULES = {
    "jitframe": "with_jitframe",
    "numpy": "with_numpy",
    "limit": "with_limit",
    "numba": "with_numba",
    "numba-out": "with_numba_out",
    "numba-parallel": "with_numba_parallel",
    "drjit": "with_drjit",
    "jax": "with_jax",
    "torch": "with_torch",
    "torch.compile": "with_torch_compile",
    "onnxruntime": "with_onnxruntime",
    "numexpr": "with_numexpr",
    "tinygrad": "with_tinygrad",
}
"""Peer name -> module here. The order is the order of the columns."""


class PeerAbsent(RuntimeError):
    """A peer cannot be loaded here: not installed, or something that it needs is missing."""


def load(name: str) -> Peer:
    """The peer called `name`; raises PeerAbsent with the reason."""
    try:
        return import_module(f".{MODULES[name]}", __package__).load()
    except (ImportError, AttributeError, OSError, RuntimeError) as error:
        raise PeerAbsent(f"{type(error).__name__}: {error}".splitlines()[0]) from error
