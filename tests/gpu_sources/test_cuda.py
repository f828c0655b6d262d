"""CUDA sources compile to machine code without a spilled register, and to the operations that are meant."""

from __future__ import annotations

import re

import pytest

from jitframe.codegen.c_family import CUDA

from .compilers import compile_cuda, in_one_file, nvrtc
from .kernels import kernels, source

pytestmark = pytest.mark.skipif(
    nvrtc() is None, reason="no NVRTC (pip install nvidia-cuda-nvrtc-cu12, or 'jitframe[gpu-tests]')"
)
_USE = re.compile(
    r"properties for (\S+)\W+ptxas\W+(\d+) bytes stack frame, (\d+) bytes spill stores, "
    r"(\d+) bytes spill loads"
)
_REGISTERS = re.compile(r"Used (\d+) registers")
CASES = [
    pytest.param("sm_80", 32),
    pytest.param("sm_90", 64),
    pytest.param("sm_80", 64, marks=pytest.mark.slow),
    pytest.param("sm_90", 32, marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("target", "index_bits"), CASES)
def test_all_kernels_become_machine_code_and_spill_nothing(target: str, index_bits: int) -> None:
    names = list(kernels())
    text = in_one_file([source(name, CUDA, index_bits) for name in names])
    options = (*CUDA.options, f"--gpu-architecture={target}", "--ptxas-options=-v")
    cubin, log = compile_cuda(text, options)
    assert cubin[:4] == b"\x7fELF"
    used = {int(entry.rpartition("_")[2]): tuple(map(int, rest)) for entry, *rest in _USE.findall(log)}
    assert used.keys() == set(range(len(names))), "the compiler tells of every kernel"
    spills = {names[number]: bytes_ for number, bytes_ in used.items() if any(bytes_)}
    assert spills == {}, "stack frame, spill stores and spill loads in bytes"
    # 256 lanes, of which two workgroups and more fit on a multiprocessor of 65536 registers.
    assert max(map(int, _REGISTERS.findall(log))) <= 128


def ptx(name: str, index_bits: int = 32) -> str:
    made = source(name, CUDA, index_bits)
    content, _ = compile_cuda(made.text, (*made.options, "--gpu-architecture=compute_80"), "PTX")
    return content.decode()


def test_floats_round_after_each_operation() -> None:
    """No product is merged with a sum; division and square root are IEEE 754's; subnormals are kept."""
    for bits in (32, 64):
        text = ptx(f"rounded_f{bits}")
        for operation in ("add", "sub", "mul", "div", "sqrt", "fma"):
            assert len(re.findall(rf"{operation}\.rn\.f{bits}", text)) == 1, operation
        assert ".ftz" not in text
        assert ".approx" not in text


def test_halves_are_converted_by_one_instruction() -> None:
    text = ptx("chain_f16-0")
    assert "cvt.f32.f16" in text
    assert "cvt.rn.f16.f32" in text


@pytest.mark.parametrize("index_bits", [32, 64])
def test_short_loops_move_16_bytes_at_once(index_bits: int) -> None:
    for name, width in (("short-0", "v4.f32"), ("short_f64-0", "v2.f64"), ("short_f16-0", "v4.u32")):
        text = ptx(name, index_bits)
        assert text.count(f"ld.global.nc.{width}") == 2
        assert text.count(f"st.global.{width}") == 1


def test_a_large_product_has_larger_tiles_and_no_library_call() -> None:
    """64 results in each lane's registers and 16 of a small one: so many products for each inner step, each
    added in one rounding."""
    large, small = ptx("large_product-0"), ptx("product-0")
    assert small.count("fma.rn.f32") - 16 == large.count("fma.rn.f32") - 64
    for text in (large, small):
        assert "st.shared" in text and "ld.shared" in text and "bar.sync" in text
        assert "call" not in text


def test_memory_that_is_only_read_goes_through_the_read_only_path() -> None:
    assert "ld.global.nc" in ptx("chain-0")


def test_scopes_of_fences_and_atomics() -> None:
    text = ptx("fenced")
    for scope in ("cta", "gl", "sys"):
        assert f"membar.{scope}" in text
    for name, scope in (("atomics_workgroup", ".cta"), ("atomics_system", ".sys")):
        assert (
            f"atom{scope}" in ptx(name) or f"{scope}.add" in ptx(name) or f"{scope}.global.add" in ptx(name)
        )
    assert "red.global.add.f32" in ptx("atomics_f32") or "atom.global.add.f32" in ptx("atomics_f32")


def test_lanes_exchange_values_without_memory() -> None:
    text = ptx("shuffled_f32")
    assert "shfl.sync.down.b32" in text
    assert "shfl.sync.idx.b32" in text
    assert "ld.shared" not in text
