"""`jitframe devices`: what kernels can run on here."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from ..backends.devices import devices as find_devices
from ..backends.listing import recommended, table
from .output import print_json


def devices(
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    width: Annotated[int, typer.Option(help="Columns; the terminal's unless given.")] = 0,
) -> None:
    """List the devices that kernels can run on, which is recommended, and what the others lack here."""
    # Cache commands do not need device discovery.

    found = find_devices()
    if json:
        best = recommended()
        print_json(
            [{**_fields(device_info), "recommended": device_info.name == best} for device_info in found]
        )
        return
    sys.stdout.write(f"{table(found, width or None)}\n")


def _fields(device: Any) -> dict[str, Any]:
    described = {
        "name": device.name,
        "available": device.available,
        "title": device.title,
        "api": device.api,
        "driver": device.driver,
        "kind": device.kind,
        "architecture": device.architecture,
        "units": device.units,
        "unified": device.unified,
        "total_bytes": device.total_bytes,
        "free_bytes": device.free_bytes,
        "dtypes": list(device.dtypes),
        **dict(device.more),
    }
    return described if device.available else {**described, "problem": device.problem}
