"""Device memory shared with other libraries, without a copy: the CUDA array interface, version 3.

CuPy, Numba and PyTorch read and offer it, on AMD GPUs too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...errors import ArgumentError
from ..drivers.streams import Block, StreamDriver
from ..executor import View


class SharedArray:
    """Memory of a device for another library; keeps its `owner` alive, who does not free it.

    Its elements are there after the work so far of the stream it names, for which a consumer waits.
    """

    def __init__(
        self,
        owner: Any,
        driver: StreamDriver,
        view: View,
        shape: Sequence[int],
        typestr: str,
        strides_bytes: Sequence[int] | None = None,
        read_only: bool = True,
    ) -> None:
        memory, offset = view
        self._owner = owner
        self.__cuda_array_interface__ = {
            "shape": tuple(shape),
            "typestr": typestr,
            "data": (memory.address + offset, read_only),
            "strides": None if strides_bytes is None else tuple(strides_bytes),
            "stream": driver.interface.stream_address,
            "version": 3,
        }


def adopt(driver: StreamDriver, array: Any) -> Block:
    """Another library's array as memory of the driver's device, after the work of its own stream.

    Raises ArgumentError where its elements do not lie one after another.
    """
    interface = array.__cuda_array_interface__
    if interface.get("strides") is not None:
        raise ArgumentError("only an array whose elements lie one after another is taken without a copy")
    nbytes = int(interface["typestr"][2:])
    for extent in interface["shape"]:
        nbytes *= extent
    driver.wait_for(interface.get("stream"))
    return Block(interface["data"][0], nbytes, array, foreign=True)
