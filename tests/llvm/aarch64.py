"""AArch64 code of kernels, emitted on any machine by LLVM's backend and read: nothing here runs it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

import llvmlite.binding as llvm
import pytest

from jitframe.codegen.kernel.nodes import Kernel
from jitframe.runtime.cpu.kernels.compiled_kernels import llvm_text
from jitframe.runtime.cpu.machine_code.compile import assembly, compile_text
from jitframe.runtime.cpu.machine_code.levels import Target

from .elf import ObjectFile, read_object

TRIPLE = "aarch64-unknown-linux-gnu"
GENERIC = Target(TRIPLE, "generic", "+neon", "native")
TARGETS = {
    "generic": GENERIC,
    "neoverse-n1": Target(TRIPLE, "neoverse-n1", "+neon", "native"),
    # Has SVE, which may not replace the vectors that the kernels are written in.
    "neoverse-v1": Target(TRIPLE, "neoverse-v1", "+neon,+sve", "native"),
}

RELATIVE = {
    261: "PREL32",
    275: "ADR_PREL_PG_HI21",
    277: "ADD_ABS_LO12_NC",
    278: "LDST8_ABS_LO12_NC",
    282: "JUMP26",
    283: "CALL26",
    284: "LDST16_ABS_LO12_NC",
    285: "LDST32_ABS_LO12_NC",
    286: "LDST64_ABS_LO12_NC",
    299: "LDST128_ABS_LO12_NC",
}
"""Relocation types that depend on distances only: to the instruction, or from its page to the symbol's and
then within that page, which holds wherever an image lies at a page's start (ELF for the Arm 64-bit
Architecture, 5.7). Not among them: absolute words (257, 263 to 269) and the offset table (311, 312)."""


@cache
def why_not() -> str:
    """Why this llvmlite makes no AArch64 code; empty where it does."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    try:
        llvm.Target.from_triple(TRIPLE)
    except RuntimeError as error:
        return f"llvmlite {llvm.llvm_version_info} was built without AArch64: {error}"
    return ""


needs_backend = pytest.mark.skipif(bool(why_not()), reason=why_not())


def object_of(kernel: Kernel, target: Target = GENERIC) -> bytes:
    return compile_text(llvm_text(kernel, target), target)


def assert_alone(data: bytes, what: str) -> ObjectFile:
    found = read_object(data)
    assert not found.undefined, f"{what} calls {found.undefined}"
    others = set(found.relocations) - set(RELATIVE)
    assert not others, f"{what} has relocations of types {others}"
    return found


_LABEL = re.compile(r"^(\.LBB\d+_\d+):")
_JUMP = re.compile(r"^\t(?:b|b\.\w+|cbn?z|tbn?z)\t(?:.*, )?(\.LBB\d+_\d+)$")
_VECTOR = re.compile(r"\bv\d+\.(16b|8h|4s|2d|2s)\b")
_SCALAR_FLOAT = re.compile(
    r"^\t(fadd|fsub|fn?mul|fdiv|fsqrt|fabs|fneg|fn?madd|fn?msub|frint\w|fcvt\w*|fmaxn?m?|fminn?m?|fcsel"
    r"|[su]cvtf)\t[wxhsd]\d+,"
)
_SCALAR_DIVISION = re.compile(r"^\t[su]div\t")
_SCALAR_STORE = re.compile(r"^\tst(?:ur|r)[bh]?\t[wxbhsd]\d+, \[")
_EXTRACTION = re.compile(r"^\t(?:umov|smov|fmov|mov)\t[wxbhsd]\d+, v\d+\.[bhsd]\[|^\tmov\tv\d+\.[bhsd]\[")
MULTIPLY_ADD = re.compile(r"\t(fn?madd|fn?msub|fmla|fmls)\t")


@dataclass(frozen=True)
class HotLoop:
    """What an innermost loop does, counted in instructions."""

    lines: tuple[str, ...]

    def _count(self, pattern: re.Pattern[str]) -> int:
        return sum(bool(pattern.search(line)) for line in self.lines)

    @property
    def vectors(self) -> int:
        return self._count(_VECTOR)

    @property
    def scalars(self) -> int:
        """Floating-point arithmetic on one element, and divisions."""
        return self._count(_SCALAR_FLOAT) + self._count(_SCALAR_DIVISION)

    @property
    def extractions(self) -> int:
        """Moves of one lane out of a vector or into one."""
        return self._count(_EXTRACTION)

    @property
    def is_vector(self) -> bool:
        return self.vectors > 0 and self.scalars == 0

    @property
    def stores_elements(self) -> bool:
        """An element is stored for itself: the remainder of a map, or a map that was not vectorised."""
        return self.vectors == 0 and self._count(_SCALAR_STORE) > 0


def hot_loops(text: str) -> list[HotLoop]:
    """Innermost loops: from a label to a later jump back to it, with no other such loop inside."""
    lines = text.splitlines()
    places = {m[1]: n for n, line in enumerate(lines) if (m := _LABEL.match(line))}
    jumps = ((end, m[1]) for end, line in enumerate(lines) if (m := _JUMP.match(line)))
    spans = {(places[label], end) for end, label in jumps if places.get(label, end) < end}
    inner = [s for s in spans if not any(s[0] <= t[0] and t[1] <= s[1] and t != s for t in spans)]
    return [HotLoop(tuple(lines[start : end + 1])) for start, end in sorted(inner)]


def assembly_of(kernel: Kernel, target: Target = GENERIC) -> str:
    return assembly(llvm_text(kernel, target), target)
