"""What the harness needs to know about one peer, and how a case is made ready for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..case import Case

THREADS = 2


def unchanged(value: Any) -> Any:
    return value


@dataclass(frozen=True)
class Peer:
    """A library under measurement: its spelling of each formula, and how values enter and leave it."""

    name: str
    version: str
    spellings: Mapping[str, Callable[..., Any]]
    """Formula name -> callable that returns only when its result is complete."""
    built: Mapping[str, Callable[..., Callable[..., Any]]] = field(default_factory=dict)
    """Formula name -> what prepares the weights of a case and returns the callable of the other arguments."""
    place: Callable[[Any], Any] = unchanged
    """Puts one argument where the peer computes; never timed."""
    fetch: Callable[[Any], np.ndarray] = np.asarray
    """Brings a result back as an ndarray (any shape that holds the right elements in order); never timed."""
    count_kernels: Callable[[str, tuple[Any, ...]], int] | None = None
    """Formula name and arguments -> how many kernels run; where the peer can tell."""
    verified: bool = True
    """False for the machine's limit, which computes a formula of its own."""


@dataclass(frozen=True)
class Prepared:
    peer: Peer
    call: Callable[..., Any]
    arguments: tuple[Any, ...]


def prepare(peer: Peer, case: Case, arguments: tuple[Any, ...]) -> Prepared | None:
    """None when the peer has no spelling for the case."""
    placed = tuple(peer.place(argument) for argument in arguments)
    call, build = peer.spellings.get(case.formula), peer.built.get(case.formula)
    if build is not None and (case.weights or call is None):
        inputs = len(placed) - case.weights
        return Prepared(peer, build(*placed[inputs:]), placed[:inputs])
    return None if call is None else Prepared(peer, call, placed)
