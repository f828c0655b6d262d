"""`jitframe devices`: what kernels can run on here."""

from __future__ import annotations

import platform
from typing import Annotated, Any

import typer

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
    # The runtime is none of the cache commands' business.
    from ..runtime.cpu.tables import thread_count
    from ..runtime.cpu.target import host_target

    target = host_target()
    return {
        "name": "cpu",
        "simd": target.simd,
        "processor": _processor(),
        "target": target.cpu,
        "triple": target.triple,
        "features": target.features,
        "threads": thread_count(),
    }


def _processor() -> str:
    """The processor's own name, where the system tells."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    except OSError:
        names = []
    return names[0] if names else platform.processor() or platform.machine()
