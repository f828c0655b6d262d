"""`VectorTarget`: the properties of a processor that the LLVM generator uses: vector width and native
instructions."""

from __future__ import annotations

from ...ir.record import record, replace


class UnsupportedKernel(NotImplementedError):
    """The kernel asks for something this target cannot run; the message says what."""


class VectorTarget(metaclass=record):
    """A processor as the generator sees it. `simd` is for people; the generator reads the other fields."""

    simd: str
    triple: str
    vector_bits: int
    has_masks: bool
    """Mask registers: masked loads and stores of every element width cost nothing extra."""
    has_masked_words: bool
    """Masked loads and stores of 32- and 64-bit elements."""
    has_gather: bool
    has_scatter: bool
    has_fma: bool
    has_round: bool
    """floor, ceil, trunc and rint are instructions."""
    has_f16c: bool
    """Conversions between f16 and f32 are instructions."""
    has_word_permutation: bool = False
    """Whether the 32-bit words of a vector of 256 bits are permuted by an index in every lane."""
    has_permutations: bool = False
    """Whether vectors are permuted from two registers by the low bits of an index in every lane."""
    has_scaling: bool = False
    """Whether exponents and significands are extracted and combined by an instruction each."""
    vector_registers: int = 16
    has_spare_registers: bool = False
    """Whether there are vector registers for two of each value of a long formula, and the processor gains by
    it."""
    stream_fence: str = "call void @llvm.x86.sse.sfence()"
    """The fence after streaming stores."""
    vector_convention: str = ""
    """A calling convention for functions of vectors that preserves about half of the registers."""
    attributes: tuple[tuple[str, str], ...] = ()
    """Function attributes."""

    @property
    def spelled_attributes(self) -> str:
        return "".join(f' "{name}"="{value}"' for name, value in self.attributes)

    def lanes(self, element_bits: int) -> int:
        """Elements of one vector register."""
        return self.vector_bits // element_bits


_SSE2 = VectorTarget(
    simd="sse2",
    triple="",
    vector_bits=128,
    has_masks=False,
    has_masked_words=False,
    has_gather=False,
    has_scatter=False,
    has_fma=False,
    has_round=False,
    has_f16c=False,
    vector_convention="intel_ocl_bicc",
)
_AVX2 = replace(
    _SSE2,
    simd="avx2",
    vector_bits=256,
    has_masked_words=True,
    has_gather=True,
    has_fma=True,
    has_round=True,
    has_f16c=True,
    has_word_permutation=True,
)
_AVX512 = replace(
    _AVX2,
    simd="avx512",
    vector_bits=512,
    has_masks=True,
    has_scatter=True,
    has_permutations=True,
    has_scaling=True,
    vector_registers=32,
    has_spare_registers=True,
    attributes=(("prefer-vector-width", "512"), ("min-legal-vector-width", "512")),
)
_AARCH64 = replace(
    _SSE2,
    simd="native",
    vector_registers=32,
    has_fma=True,
    has_round=True,
    has_f16c=True,
    stream_fence="fence seq_cst",
    vector_convention="aarch64_vector_pcs",
)
LEVELS: dict[str, VectorTarget] = {t.simd: t for t in (_SSE2, _AVX2, _AVX512, _AARCH64)}
"""The x86-64 levels (baseline, x86-64-v3 and x86-64-v4), and AArch64 with its baseline vectors."""


def vector_target(simd: str, triple: str = "x86_64-unknown-linux-gnu") -> VectorTarget:
    """The target of a SIMD level ("sse2", "avx2", "avx512", "native") for a triple."""
    return replace(LEVELS[simd], triple=triple)
