"""ONNX models as compiled functions: `load`, and `operator` for operators of one's own.

>>> import onnx, onnx.helper as helper, numpy as np, jitframe as jf
>>> x, y = (helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["n"]) for name in "xy")
>>> graph = helper.make_graph([helper.make_node("Abs", ["x"], ["y"])], "example", [x], [y])
>>> jf.onnx.load(helper.make_model(graph))(x=np.array([-1, 2], np.float32))
array([1., 2.], dtype=float32)
"""

from __future__ import annotations

from .model import Model as Model
from .model import load as load
from .reading import OnnxMissingError as OnnxMissingError
from .records import Value as Value
from .registry import Known as Known
from .registry import operator as operator

__all__ = ["Known", "Model", "OnnxMissingError", "Value", "load", "operator"]
