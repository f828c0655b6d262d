"""The same programs by CuPy and PyTorch, on the same GPU and timed by their own events."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

Work = Callable[..., Any]


@dataclass(frozen=True)
class Peer:
    """A library: how arrays get there and back, how device time is taken, and its programs by case name."""

    title: str
    upload: Callable[[np.ndarray], Any]
    download: Callable[[Any], np.ndarray]
    mark: Callable[[], Any]
    elapsed: Callable[[Any, Any], float]
    copy: Callable[[Any, Any], None]
    programs: dict[str, Work]


def with_cupy() -> Peer:
    import cupy
    from cupyx.scipy import special

    def mark() -> Any:
        event = cupy.cuda.Event()
        event.record()
        return event

    def elapsed(first: Any, last: Any) -> float:
        last.synchronize()
        return float(cupy.cuda.get_elapsed_time(first, last)) / 1e3

    def layer_norm(x: Any) -> Any:
        centred = x - x.mean(-1, keepdims=True)
        return centred / cupy.sqrt((centred * centred).mean(-1, keepdims=True) + np.float32(1e-5))

    chain = cupy.fuse()(lambda x, y: cupy.sqrt(cupy.abs(x * y + x)) - y)
    programs: dict[str, Work] = {
        "five operations": chain,
        "softmax": lambda x: special.softmax(x, axis=-1),
        "layer norm": layer_norm,
        "sum of all": lambda x: x.sum(),
        "sum of rows": lambda x: x.sum(1),
        "sum of columns": lambda x: x.sum(0),
        "transpose": lambda x: cupy.ascontiguousarray(x.T),
        "product": cupy.matmul,
    }
    return Peer(f"CuPy {cupy.__version__}", cupy.asarray, cupy.asnumpy, mark, elapsed, cupy.copyto, programs)


def with_torch() -> Peer:
    import torch

    return _torch_peer(f"torch {torch.__version__}", lambda program: program)


def with_torch_compile() -> Peer:
    import torch

    return _torch_peer(f"torch.compile {torch.__version__}", torch.compile)


def _torch_peer(title: str, prepare: Callable[[Work], Work]) -> Peer:
    import torch

    torch.backends.cuda.matmul.allow_tf32 = False
    torch.set_grad_enabled(False)

    def mark() -> Any:
        event = torch.cuda.Event(enable_timing=True)
        event.record()
        return event

    def elapsed(first: Any, last: Any) -> float:
        last.synchronize()
        return float(first.elapsed_time(last)) / 1e3

    def layer_norm(x: Any) -> Any:
        return torch.nn.functional.layer_norm(x, x.shape[-1:])

    programs: dict[str, Work] = {
        "five operations": lambda x, y: torch.sqrt(torch.abs(x * y + x)) - y,
        "softmax": lambda x: torch.softmax(x, -1),
        "layer norm": layer_norm,
        "sum of all": lambda x: x.sum(),
        "sum of rows": lambda x: x.sum(1),
        "sum of columns": lambda x: x.sum(0),
        "transpose": lambda x: x.T.contiguous(),
        "product": torch.matmul,
    }
    return Peer(
        title,
        lambda array: torch.from_numpy(array).cuda(),
        lambda tensor: tensor.cpu().numpy(),
        mark,
        elapsed,
        lambda target, source: target.copy_(source),
        {name: prepare(program) for name, program in programs.items()},
    )


PEERS: dict[str, Callable[[], Peer]] = {
    "cupy": with_cupy,
    "torch": with_torch,
    "torch.compile": with_torch_compile,
}


def start(names: Sequence[str]) -> tuple[list[Peer], list[str]]:
    """The peers that load here, and for the others why they do not."""
    found, absent = [], []
    for name in names:
        try:
            found.append(PEERS[name]())
        except Exception as problem:
            absent.append(f"{name} not measured: {type(problem).__name__}: {problem}".splitlines()[0])
    return found, absent
