"""Objects flattened into images: what is refused, what is stored, and how pages are protected."""

from __future__ import annotations

import ctypes
import struct

import pytest

from jitframe.runtime.cpu.machine_code import image as images
from jitframe.runtime.cpu.machine_code.compile import CompileError, assembly, compile_text
from jitframe.runtime.cpu.machine_code.image import FLAT, OBJECT, Image, ImageError, flatten, load, package
from jitframe.runtime.cpu.machine_code.levels import Target, baseline_target
from tests.runtime_cpu import native_samples
from tests.runtime_cpu.support import compile_functions

needs_flat = pytest.mark.skipif(not images.flat_images_work(), reason="flat images are for x86-64 Linux")

TABLE = """
@weights = internal constant [4 x i32] [i32 3, i32 5, i32 7, i32 11]
@text = internal constant [6 x i8] c"hello\\00"
define i32 @weight(i64 %n) {
  %p = getelementptr [4 x i32], ptr @weights, i64 0, i64 %n
  %v = load i32, ptr %p
  ret i32 %v
}
define ptr @greeting() {
  ret ptr @text
}
define double @scale(double %x) {
  %y = fmul double %x, 0x400921FB54442D18
  ret double %y
}
define i32 @twice(i64 %n) {
  %a = call i32 @weight(i64 %n)
  %b = add i32 %a, %a
  ret i32 %b
}
"""
UNDEFINED = "declare double @exp(double)\ndefine double @f(double %x) {\n  %y = call double @exp(double %x)\n  ret double %y\n}"  # noqa: E501
ABSOLUTE = "@n = internal constant i64 5\n@table = internal constant [1 x ptr] [ptr @n]\ndefine ptr @f() {\n  ret ptr @table\n}"  # noqa: E501


def call_all(loaded):
    weight = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int64)
    assert [weight(loaded.address("weight"))(n) for n in range(4)] == [3, 5, 7, 11]
    assert [weight(loaded.address("twice"))(n) for n in range(4)] == [6, 10, 14, 22]
    assert ctypes.string_at(ctypes.CFUNCTYPE(ctypes.c_void_p)(loaded.address("greeting"))()) == b"hello"
    assert (
        ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(loaded.address("scale"))(2.0)
        == 2 * 3.141592653589793
    )


@needs_flat
def test_constants_strings_and_calls_between_functions_work_after_a_round_trip():
    image = flatten(compile_text(TABLE, baseline_target()))
    again = Image.from_bytes(image.to_bytes())
    assert again == image and image.kind == FLAT
    call_all(load(image))
    call_all(load(again))


@needs_flat
def test_jump_tables_are_relative():
    """The whole runtime has several."""
    image = flatten(compile_functions(native_samples.ALL, vars(native_samples)))
    assert ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(load(image).address("fibonacci"))(15) == 610


def test_the_portable_path_runs_the_same_code():
    call_all(load(Image(OBJECT, compile_text(TABLE, baseline_target()), {})))


@needs_flat
@pytest.mark.parametrize(
    ("text", "message"),
    [
        (UNDEFINED, "undefined symbol 'exp'"),
        (ABSOLUTE, "relocation type 1 is not relative to the instruction"),
    ],
)
def test_code_that_depends_on_where_it_lies_or_on_others_is_refused(text, message):
    data = compile_text(text, baseline_target())
    with pytest.raises(ImageError) as caught:
        flatten(data)
    assert str(caught.value) == message
    assert package(data).kind == OBJECT


@needs_flat
def test_another_architecture_is_refused():
    data = compile_text(
        "define i32 @f() {\n  ret i32 1\n}", Target("aarch64-unknown-linux-gnu", "generic", "", "native")
    )
    with pytest.raises(ImageError, match="not a relocatable x86-64 object \\(type 1, machine 183\\)"):
        flatten(data)


@needs_flat
def test_damaged_objects_raise_image_errors_only():
    data = compile_text(TABLE, baseline_target())
    refused = 0
    for length in range(0, len(data), 7):
        with pytest.raises(ImageError):
            flatten(data[: min(length, len(data) - 600)])
    for position in range(0, len(data), 3):
        damaged = bytearray(data)
        damaged[position] ^= 0xFF
        try:
            flatten(bytes(damaged))
        except ImageError:
            refused += 1
    assert refused > 50


def test_damaged_image_bytes_are_refused():
    image = Image(FLAT, b"\x90" * 40, {"f": 8})
    data = image.to_bytes()
    assert Image.from_bytes(data) == image
    for bad in (b"", data[:10], data[:-1], data + b"x", b"x" + data[1:], data[:8] + b"\xff" * 4 + data[12:]):
        with pytest.raises(ImageError, match="this is no image"):
            Image.from_bytes(bad)
    outside = Image(FLAT, b"\x90" * 4, {"f": 8}).to_bytes()
    with pytest.raises(ImageError, match="a symbol lies outside"):
        Image.from_bytes(outside)


@needs_flat
def test_values_are_written_before_the_image_is_closed():
    text = "@word = hidden global i64 -1\ndefine i64 @read() {\n  %v = load i64, ptr @word\n  ret i64 %v\n}"
    loaded = load(flatten(compile_text(text, baseline_target())), {"word": 42})
    assert ctypes.CFUNCTYPE(ctypes.c_int64)(loaded.address("read"))() == 42


@needs_flat
def test_no_mapping_is_writable_and_executable():
    loaded = load(flatten(compile_text(TABLE, baseline_target())))
    address = loaded.address("weight")
    with open("/proc/self/maps") as maps:
        lines = [line.split()[:2] for line in maps]
    ranges = [([int(end, 16) for end in where.split("-")], flags) for where, flags in lines]
    assert [flags for (start, end), flags in ranges if start <= address < end] == ["r-xp"]


def test_an_unknown_symbol_is_named():
    with pytest.raises(KeyError, match="no symbol 'nothing'; it has f"):
        images.LoadedImage({"f": 1}).address("nothing")


def test_a_refused_module_shows_its_numbered_text():
    with pytest.raises(CompileError) as caught:
        compile_text("define i32 @f() {\n  ret i64 1\n}", baseline_target())
    assert "LLVM refused this module" in str(caught.value) and "\n    2   ret i64 1" in str(caught.value)


def test_assembly_and_object_can_be_asked_for_again_and_again():
    first = [assembly(TABLE, baseline_target()) for _ in range(2)]
    assert first[0] == first[1] and "weight:" in first[0]
    assert compile_text(TABLE, baseline_target()) == compile_text(TABLE, baseline_target())


def test_image_format_is_stable():
    assert (
        Image(FLAT, b"abc", {"f": 1}).to_bytes()
        == struct.pack("<8sIIQQI", b"jfimage1", 0, 1, 3, 1, 1) + b"fabc"
    )
