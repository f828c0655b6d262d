"""einops on Tensors and in jitted functions: `import jitframe.interop.einops` is all there is to do.

einops looks its backends up among the subclasses of `AbstractBackend`. Jitted functions load this module by
themselves in programs that have imported einops.

>>> import einops, jitframe.interop.einops
>>> einops.rearrange(jf.ones((2, 3, 4)), "a b c -> c (a b)").shape
(4, 6)
"""

from __future__ import annotations

from typing import Any

import numpy
from einops._backends import AbstractBackend  # einops names no other place for it

from .. import api
from ..api.frame import LazyValue


class JitframeBackend(AbstractBackend):
    """The backend of einops for arrays of jitframe."""

    framework_name = "jitframe"

    def is_appropriate_type(self, tensor: Any) -> bool:
        return isinstance(tensor, LazyValue)

    def from_numpy(self, x: numpy.ndarray) -> Any:
        return api.creation.constructors.asarray(x)

    def to_numpy(self, x: Any) -> numpy.ndarray:
        return numpy.asarray(x)

    def arange(self, start: int, stop: int) -> Any:
        return api.creation.ranges.arange(start, stop)

    def stack_on_zeroth_dimension(self, tensors: list[Any]) -> Any:
        return api.movement.stack(tensors)

    def tile(self, x: Any, repeats: Any) -> Any:
        return api.arranging.rearranging.tile(x, repeats)

    def concat(self, tensors: list[Any], axis: int) -> Any:
        return api.movement.concat(tensors, axis=axis)

    def is_float_type(self, x: Any) -> bool:
        return bool(x._dtype.is_float)

    def add_axis(self, x: Any, new_position: int) -> Any:
        return api.movement.expand_dims(x, new_position)

    def einsum(self, pattern: str, *x: Any) -> Any:
        return api.linear_algebra.products.einsum(pattern, *x)
