"""The peers: one module each, loaded by name; one that is not installed is reported and left out."""

from __future__ import annotations

from importlib import import_module

from .base import THREADS, Peer, Prepared, prepare

__all__ = ["MODULES", "THREADS", "Peer", "Prepared", "load", "prepare"]

MODULES = {
    "jitframe": "with_jitframe",
    "numpy": "with_numpy",
    "limit": "with_limit",
    "numba": "with_numba",
    "numba-out": "with_numba_out",
    "drjit": "with_drjit",
    "jax": "with_jax",
    "torch": "with_torch",
    "torch.compile": "with_torch_compile",
    "numexpr": "with_numexpr",
    "tinygrad": "with_tinygrad",
}
"""Peer name -> module here. The order is the order of the columns."""


def load(names: list[str]) -> tuple[list[Peer], dict[str, str]]:
    """The peers that load, and for each that does not, why."""
    peers, absent = [], {}
    for name in names:
        try:
            peers.append(import_module(f".{MODULES[name]}", __package__).load())
        except (ImportError, OSError, RuntimeError) as error:
            absent[name] = f"{type(error).__name__}: {error}".splitlines()[0]
    return peers, absent
