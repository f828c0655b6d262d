"""Programs that others wrote, on any driver that takes source: what it is given arrives, in order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jitframe.codegen.c_family import Dialect, launch_block
from jitframe.codegen.kernel.parse import parse_kernel
from jitframe.errors import CompileError
from jitframe.ir.record import replace
from jitframe.runtime.drivers.source_programs import Parameters
from jitframe.runtime.drivers.sources import KernelSources
from tests.plan.plans import AXPY

from .subject import float_bits, get, put, random_floats

LANES = 32


def check_written_program(driver: Any, dialect: Dialect) -> None:
    """A kernel's own source, as if somebody else had written it, with its block as raw bytes."""
    kernel = parse_kernel(AXPY)
    facts = replace(driver.facts, most_threads=LANES)
    source = KernelSources(dialect, facts, lambda source: b"").source(kernel)
    xs = random_floats(100)
    x, y = put(driver, xs), put(driver, 0 * xs)
    block = launch_block(source, 0, 7, [100, 16], [float_bits(2.0), float_bits(0.5)])
    parameters = Parameters((True, True), (False, True))
    handle = driver.compile_source(source.text, source.entry, parameters)
    driver.launch_source(handle, [(x, 0), (y, 0), block], (7, 1, 1), (source.threads, 1, 1), 0)
    np.testing.assert_array_equal(get(driver, (y, 0), xs), np.float32(2) * xs + np.float32(0.5))
    with pytest.raises(CompileError, match="rejected nothing"):
        driver.compile_source(source.text.replace("{", "((", 1), "nothing", parameters)
    for memory in (x, y):
        driver.free(memory)
