"""Seconds of a function's first call, and what of them the second one does not take.

`python -m … PEER CASE [--llvmlite | --llvm] [--unverified]`
"""

from __future__ import annotations

import json
import sys
import time

import numpy as np

from tests.benchmarks.cases import select
from tests.benchmarks.peers import load, prepare
from tests.benchmarks.timing import fetched


def main(peer_name: str, case_name: str, *options: str) -> None:
    """With --llvmlite, llvmlite is imported beforehand: its own load is not counted. With --llvm, it has also
    compiled an empty function, which loads the parts of LLVM that every compilation needs. With --unverified
    the result is not compared: NumPy takes long for some programs, which other rows verify."""
    peer = load(peer_name)
    (case,) = select(case_name)
    arguments = case.arguments()
    prepared = prepare(peer, case, arguments)
    if "--llvmlite" in options:
        import llvmlite.binding  # noqa: F401  the import is the point
    if "--llvm" in options:
        from jitframe.runtime.cpu.kernels.target import host_target
        from jitframe.runtime.cpu.machine_code.compile import compile_text

        compile_text("define void @nothing() { ret void }", host_target())
    start = time.perf_counter()
    result = prepared.call(*prepared.arguments)
    seconds = time.perf_counter() - start
    start = time.perf_counter()
    again = prepared.call(*prepared.arguments)
    beyond = seconds - (time.perf_counter() - start)
    del again
    if "--unverified" not in options:
        np.testing.assert_allclose(fetched(peer, result), case.expected(arguments), rtol=1e-4, atol=1e-4)
    print(json.dumps({"seconds": seconds, "beyond": beyond, "llvmlite": "llvmlite" in sys.modules}))


if __name__ == "__main__":
    main(*sys.argv[1:])
