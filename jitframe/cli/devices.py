"""`jitframe devices`: what kernels can run on here."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from .output import print_json, print_table, say


def devices(json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List the devices that kernels can run on, and what the others lack here."""
    # What finds them is none of the cache commands' business.
    from ..public.devices import devices as find_devices
    from ..public.devices import memory_text

    found = find_devices()
    if json:
        print_json([_fields(each) for each in found])
        return
    print_table(
        [
            ("device", "left"), ("name", "left"), ("through", "left"), ("kind", "left"), ("memory", "right"),
            ("dtypes", "left"),
        ],
        [
            [
                *(each.name, each.title, each.api, each.kind),
                *(memory_text(each.memory_bytes), " ".join(each.dtypes)),
            ]
            for each in found
            if each.available
        ],
    )  # fmt: skip
    for each in found:
        if not each.available:
            say(f"{each.name}: not available. {each.problem}")


def _fields(device: Any) -> dict[str, Any]:
    described = {
        "name": device.name,
        "available": device.available,
        "title": device.title,
        "api": device.api,
        "kind": device.kind,
        "memory_bytes": device.memory_bytes,
        "dtypes": list(device.dtypes),
        **dict(device.more),
    }
    return described if device.available else {**described, "problem": device.problem}
