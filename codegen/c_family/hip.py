"""HIP C++, as hiprtc and clang read it: CUDA C++ but for a few spellings."""

from __future__ import annotations

from dataclasses import replace

from .c import converted_half
from .cuda import CUDA
from .dialect import table

# A compiler may take the hardware's square root, which errs by an ulp. Of a root r and its neighbour r + ulp,
# the true root lies nearer to the second where r * (r + ulp) < x, as no product of floats falls between that
# and the square of their middle (P. Markstein, IBM J. Res. Dev. 34, 1990). Small x are scaled, so that the
# remainders are no subnormals.
_ROUNDED_SQRT = (
    "template <class Bits, class Float>",
    "static __device__ __forceinline__ Float nearest_root(Float x, Float least, Float up, Float down) {",
    "  const bool small = x < least;",
    "  const Float scaled = small ? x * up : x;",
    "  const Float root = sqrt(scaled);",
    "  const Float below = bits_as<Float>(bits_as<Bits>(root) - 1);",
    "  const Float above = bits_as<Float>(bits_as<Bits>(root) + 1);",
    "  Float nearest = fma(-below, root, scaled) <= 0 ? below : root;",
    "  nearest = fma(-above, root, scaled) > 0 ? above : nearest;",
    "  return small ? nearest * down : nearest;",
    "}",
    "static __device__ __forceinline__ float rounded_sqrt(float x) {",
    "  return nearest_root<unsigned int>(x, 0x1.0p-96f, 0x1.0p+64f, 0x1.0p-32f);",
    "}",
    "static __device__ __forceinline__ double rounded_sqrt(double x) {",
    "  return nearest_root<unsigned long long>(x, 0x1.0p-960, 0x1.0p+128, 0x1.0p-64);",
    "}",
)
# The lanes of this wavefront, of 32 or 64: the last one of a workgroup may have fewer.
_WAVE = (
    "static __device__ __forceinline__ unsigned int wave_lanes() {",
    "  const unsigned int most = warpSize, left = blockDim.x - (threadIdx.x & ~(most - 1u));",
    "  return left < most ? left : most;",
    "}",
)

HIP = replace(
    CUDA,
    name="HIP C++",
    device="hip",
    # Each float operation rounds by itself; exact division and subnormals are the compiler's own choice.
    options=("-std=c++17", "-ffp-contract=off"),
    halves=table(f16=converted_half("_Float16", "(_Float16)({x})")),
    functions=table(**{**CUDA.functions, "sqrt": "#rounded_sqrt({x})"}),
    own=table(rounded_sqrt=_ROUNDED_SQRT, wave_lanes=_WAVE, pack=CUDA.own["pack"], opaque=CUDA.own["opaque"]),
    # The launch block is read through scalar registers as it is.
    launch_parameters=("const launch_t launch",),
    shuffle_down="__shfl_down({x}, (unsigned int)({delta}))",
    broadcast="__shfl({x}, 0)",
    subgroup_size="({type})#wave_lanes()",
    subgroup_lane="({type})(threadIdx.x & (unsigned int)(warpSize - 1))",
    # Signed 64-bit minima and maxima have no overload in every version: those compare and swap.
    atomics64=table(**{kind: text for kind, text in CUDA.atomics64.items() if kind not in ("min", "max")}),
    scopes=table(workgroup="", device="", system="_system"),
)
