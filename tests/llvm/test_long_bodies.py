"""Long bodies: what is made again where it is used has the bits of what is made once, and lives shortly."""

from __future__ import annotations

import re

import pytest

from jitframe.codegen.kernel.builder import KernelBuilder
from jitframe.codegen.kernel.interpret import interpret
from jitframe.codegen.kernel.nodes import Kernel, Value
from jitframe.codegen.kernel.verify import verify
from jitframe.codegen.llvm import long_bodies
from jitframe.ir.types import F64, INDEX

from .llvm_harness import LEVELS, Compiled, same_bits, text_of
from .test_random_kernels import Author, arrays

BUFFERS = 40


def many_buffers(author: Author) -> Kernel:
    """Iterations that run random loops one after another, at positions that are known before all of them."""
    build, random = author.build, author.random
    zero, one = build.constant(0), build.constant(1)
    places = [author.offset, build.mul(author.offset, author.inner)]
    for number in range(4):
        places.append(build.minimum(build.add(random.choice(places), build.constant(number)), one))
    with build.loop(zero, author.inner) as (k,):
        row = build.allocate(author.types[0], 24)
        for target in author.outputs:
            place: Value = random.choice(places)
            first = build.load(random.choice(author.inputs), place)
            with build.loop(zero, author.extent, kind="lanes") as (i,):
                values = [build.load(source, build.add(i, place)) for source in author.inputs]
                build.store(row, i, values[0])
                values += [build.load(row, i), build.cast(k, values[0].dtype)]
                values = author.statements(values, i, 1)
                build.store(target, i, build.cast(random.choice([*values, first]), target.dtype))
            small = build.emit("lt", (build.add(k, place), build.constant(2)))
            with build.when(build.emit("and", (small, build.emit("lt", (zero, author.extent))))):
                build.store(target, zero, build.cast(first, target.dtype))
    return build.finish()


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("seed", range(8))
def test_made_again_is_the_same(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    author = Author(seed)
    kernel = many_buffers(author)
    verify(kernel)
    once = text_of(kernel, LEVELS[-1])
    for name in ("LONG_KERNEL", "LONG_BODY", "STATEMENT"):
        monkeypatch.setattr(long_bodies, name, 1)
    compiled = [Compiled(kernel, level) for level in LEVELS]
    assert compiled[-1].text.count("ptr %slots") > once.count("ptr %slots")
    for size, inner in ((0, 1), (1, 0), (21, 2)):
        sources, expected = arrays(author, size)
        interpret(kernel, [*sources, *expected], [size, inner, 1], [3], range(1))
        for each in compiled:
            _, outputs = arrays(author, size)
            each([*sources, *outputs], [size, inner, 1], [3])
            assert all(same_bits(*pair) for pair in zip(outputs, expected, strict=True))


def sums(buffers: int) -> Kernel:
    """Iterations, each of which adds a row of each buffer to the next one's."""
    build = KernelBuilder("sums")
    rows = [build.buffer(F64, "inout") for _ in range(buffers)]
    strides = [build.index() for _ in range(buffers)]
    extent, count = build.index(), build.index()
    zero = build.constant(0)
    starts = [build.mul(build.constant(3, INDEX), stride) for stride in strides]
    with build.loop(zero, count) as (k,):
        for source, target, start, stride in zip(rows, rows[1:], starts, strides, strict=False):
            row = build.add(start, build.mul(k, stride))
            with build.loop(zero, extent, kind="lanes") as (i,):
                place = build.add(row, i)
                build.store(target, place, build.add(build.load(source, place), build.load(target, place)))
    return build.finish()


def test_parameters_are_loaded_where_they_are_used() -> None:
    """In front of the iterations of a long body stands nothing that one of its loops alone takes."""

    def before(text: str) -> int:
        whole = text[: text.index("enter", text.index("loop"))]
        return len(re.findall(r"= load (?:ptr|i64), ptr", whole))

    short, long = sums(BUFFERS), sums(12 * BUFFERS)
    assert before(text_of(short, "avx2")) >= 2 * BUFFERS
    assert before(text_of(long, "avx2")) < BUFFERS
