"""Starting the runtime: from a store without LLVM, from scratch, by LLVM's own loader; the target."""

from __future__ import annotations

import pytest

from jitframe.codegen.native.module import NativeSource, translate
from jitframe.runtime.cpu.kernels.target import host_target
from jitframe.runtime.cpu.machine_code import levels
from jitframe.runtime.cpu.machine_code.compile import assembly, compile_text, host_description
from jitframe.runtime.cpu.machine_code.levels import LEVELS, Target, choose_level, detect_level, level_target
from jitframe.runtime.cpu.native_library import native_sources
from jitframe.runtime.cpu.native_library.described import native
from jitframe.runtime.cpu.native_library.library import native_library
from jitframe.runtime.cpu.native_library.native_sources import image_key

needs_x86_64 = pytest.mark.skipif(not levels.is_x86_64(), reason="the levels are those of x86-64")

WITH_STORE = """
import os, sys
import numpy as np
import jitframe.runtime.cpu.kernels.compiled_kernels  # which connects the cache
from jitframe.runtime.cpu.native_library.library import image_store
from pathlib import Path
folder = Path(os.environ["IMAGES"])
image_store.get = lambda key: (folder / key).read_bytes() if (folder / key).exists() else None
image_store.put = lambda key, data: (folder / key).write_bytes(data)
from jitframe.runtime.cpu.entry.callables import native_entry_works
from jitframe.runtime.cpu.kernels.target import host_target
from jitframe.runtime.cpu.execution.runtime import runtime
buffer = runtime().allocate(100)
print(
    runtime().library.from_store, "llvmlite" in sys.modules, native_entry_works(), host_target().simd,
    "jitframe.runtime.cpu.native_library.native_sources" in sys.modules,
)
"""


def test_a_warm_start_does_not_import_llvm(in_fresh_process, tmp_path):
    simd = host_target().simd

    def started() -> list[str]:
        return in_fresh_process(WITH_STORE, IMAGES=str(tmp_path)).split()

    assert started() == ["False", "True", "True", simd, "True"]
    assert started() == ["True", "False", "True", simd, "False"]
    image, described = by_size(tmp_path)
    assert 5_000 < image.stat().st_size < 60_000
    described.unlink()  # as where the files look otherwise, and hold the same
    assert started() == ["True", "False", "True", simd, "True"]
    assert started() == ["True", "False", "True", simd, "False"]


def by_size(folder):
    """The image, and the image with what the sources say."""
    image, described = sorted(folder.iterdir(), key=lambda path: path.stat().st_size)
    return image, described


def test_a_damaged_image_is_built_again(in_fresh_process, tmp_path):
    in_fresh_process(WITH_STORE, IMAGES=str(tmp_path))
    good = {path: path.read_bytes() for path in by_size(tmp_path)}
    for path, data in good.items():
        path.write_bytes(data[: len(data) // 2])
    assert in_fresh_process(WITH_STORE, IMAGES=str(tmp_path)).split()[0] == "False"
    assert {path: path.read_bytes() for path in good} == good


def test_what_is_learned_is_what_the_sources_say():
    structs, numbers = native_sources.description()
    assert all(getattr(native, name) == value for name, value in numbers.items())
    for name, (size, fields) in structs.items():
        assert getattr(native, name).size() == size and getattr(native, name).fields() == fields
    state = native_sources.state.State
    assert native.State.offset("pool.hits") == state.offset("pool") + native.Pool.offset("hits")
    with pytest.raises(AttributeError, match="no Nothing"):
        getattr(native, "Nothing")  # noqa: B009  a name that is not there


ONLY_LLVM = (
    "import jitframe.runtime.cpu.machine_code.image as images\nimages.flat_images_work = lambda: False\n"
)


def test_the_runtime_under_llvms_own_loader(in_subprocess):
    """What every platform without flat images gets: the same runtime, kernels and entries."""
    text = """
        assert isinstance(runtime.library.image.symbols, images._LlvmSymbols)
        x = np.arange(1000, dtype="f4")
        steps = (alloc(1, 4000), launch(0, sample_kernels.add_scalar_slots(1000, 10), 100))
        program = runtime.encode(bound_plan(("k",), 2, 1, 1, steps, (1,)), [kernels.address("add_scalar")])
        entry = make_entry("add", lambda *args: None)
        arguments = (ArrayArgument(x.dtype, x.shape, x.strides), FloatArgument(0, "f32"))
        entry_add_variant(entry, Variant(arguments, program, (OutputArray(x.dtype, x.shape),)))
        for k in range(100):
            assert (entry(x, float(k)) == x + k).all()
        print(entry_calls(entry)[0], runtime.statistics()["shared_launches"])
    """
    # The kernel cache may hold a flat image of this very triple.
    out = in_subprocess(text, before=ONLY_LLVM, JITFRAME_NUM_THREADS="2", JITFRAME_CACHE="off")
    assert out.split() == ["100", "100"]


def test_the_key_depends_on_sources_and_triple_only(monkeypatch):
    key = image_key()
    assert key == image_key() and key.startswith("native-runtime-")
    with monkeypatch.context() as patch:
        patch.setattr(native_sources, "baseline_target", lambda: Target("other", "", "", "native"))
        assert image_key() != key
    with monkeypatch.context() as patch:
        digests = native_sources.source_digests
        patch.setattr(native_sources, "source_digests", lambda *each: digests(*each)[1:])
        assert image_key() != key


@pytest.mark.parametrize(
    "triple",
    ["aarch64-unknown-linux-gnu", "arm64-apple-macosx", "x86_64-pc-windows-msvc", "x86_64-apple-macosx"],
)
def test_the_runtime_compiles_for_other_platforms(triple):
    sources = [
        NativeSource(module.__name__, native_sources.source_text(module), vars(module))
        for module in native_sources.SOURCES
    ]
    cpu = "x86-64" if triple.startswith("x86") else "generic"
    data = compile_text(translate(sources, triple), Target(triple, cpu, "", "native"), optimize=True)
    assert b"entry_call" in data
    for library_call in (b"memcpy", b"memset", b"chkstk", b"outline_atomics", b"__aarch64"):
        assert library_call not in data


@needs_x86_64
def test_the_level_agrees_with_llvm():
    level = detect_level(native_library().image)
    features = host_description()[2].split(",")
    has = {
        name: f"+{name}" in features
        for name in ("avx2", "fma", "f16c", "bmi2", "avx512f", "avx512vl", "avx512dq")
    }
    expected = "avx512" if all(has.values()) else "avx2" if all(list(has.values())[:4]) else "sse2"
    assert level == expected


@needs_x86_64
@pytest.mark.parametrize("level", LEVELS)
def test_llvm_knows_every_level(level):
    target = level_target(level)
    width = {"sse2": 4, "avx2": 8, "avx512": 16}[level]
    text = f"""define void @f(ptr %p) "prefer-vector-width"="512" "min-legal-vector-width"="512" {{
      %v = load <{width} x float>, ptr %p, align 4
      %w = fadd <{width} x float> %v, %v
      store <{width} x float> %w, ptr %p, align 4
      ret void
    }}"""
    register = {"sse2": "xmm", "avx2": "ymm", "avx512": "zmm"}[level]
    assert register in assembly(text, target)


def test_a_level_can_be_forced_downwards_only():
    assert [choose_level("avx2", wanted) for wanted in (None, "", "off", "sse2", "avx2")] == [
        "avx2", "avx2", "sse2", "sse2", "avx2",
    ]  # fmt: skip
    with pytest.raises(ValueError) as caught:
        choose_level("avx2", "avx512")
    assert str(caught.value) == "JITFRAME_SIMD='avx512', but this processor has avx2 at most"
    with pytest.raises(ValueError) as caught:
        choose_level("avx2", "neon")
    assert str(caught.value) == "JITFRAME_SIMD='neon'; it can be off, sse2, avx2, avx512"
