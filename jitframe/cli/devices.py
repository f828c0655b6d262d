"""`jitframe devices`: what kernels can run on here."""

from __future__ import annotations

import os
import platform
from typing import Annotated, Any

import typer

from ..settings import settings
from .output import print_json, print_table


def devices(json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List the devices that kernels can run on."""
    found = [_cpu()]
    if json:
        print_json(found)
        return
    print_table(
        [
            ("device", "left"),
            ("instruction set", "left"),
            ("processor", "left"),
            ("triple", "left"),
            ("threads", "right"),
        ],
        [
            [each["name"], each["simd"], each["processor"], each["triple"], str(each["threads"])]
            for each in found
        ],
    )


def _cpu() -> dict[str, Any]:
    from ..runtime.cpu.target import host_target  # the runtime is none of the cache commands' business

    target = host_target()
    return {
        "name": "cpu",
        "simd": target.simd,
        "processor": _processor(),
        "target": target.cpu,
        "triple": target.triple,
        "features": target.features,
        "threads": settings().num_threads or _usable_cores(),
    }


def _usable_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
