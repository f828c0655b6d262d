"""ONNX Runtime on the processor: a session of the model of each formula."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import onnxruntime

from .base import THREADS, Peer
from .onnx_models import MODELS


def session(make: Callable[..., Any], *weights: Any) -> Callable[..., Any]:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = THREADS
    model = make(*weights).SerializeToString()
    started = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    names = [each.name for each in started.get_inputs()]
    return lambda *inputs: started.run(None, dict(zip(names, inputs, strict=True)))[0]


def load() -> Peer:
    built = {name: partial(session, make) for name, make in MODELS.items()}
    return Peer("onnxruntime", onnxruntime.__version__, {}, built=built)
