"""The WebGPU driver on the device of a page in headless Chromium, one for all tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from jitframe.ir.record import replace
from jitframe.runtime.drivers.webgpu import WebGPUDriver
from jitframe.settings import configure, restore

from .chromium import Browser, find_chromium


@pytest.fixture(scope="session")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebGPUDriver]:
    """WebGPU's default limits, SwiftShader for a GPU, Tint for a compiler."""
    pytest.importorskip("wgpu", reason="wgpu is not installed")
    from .remote import Connection, RemoteAdapter

    program = find_chromium()
    if program is None:
        pytest.skip("no Chromium is here (apt-get install chromium)")
    browser = Browser(program, tmp_path_factory.mktemp("chromium"))
    before = configure(webgpu_limits="default")
    try:
        if browser.hello["info"] is None:
            pytest.skip(f"this browser gives no WebGPU adapter: {browser.hello['agent']}")
        opened = WebGPUDriver(RemoteAdapter(Connection(browser)))
        # Browsers clear what they allocate: how much that can be is not tried out on all of the memory.
        opened.facts = replace(opened.facts, memory_bytes=0)
    finally:
        restore(before)
    yield opened
    browser.close()
