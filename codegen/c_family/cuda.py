"""CUDA C++, as NVRTC reads it: no header is needed."""

from __future__ import annotations

from .c import BITWISE, by_kind, c_dialect, c_types, swap_loop
from .dialect import Half, Vectors, table

# `long` has 32 bits on Windows; `char` may be unsigned.
_TYPES = c_types(
    "signed char", "short", "int", "long long",
    "unsigned char", "unsigned short", "unsigned int", "unsigned long long",
)  # fmt: skip
_BITS_AS = (
    "template <class To, class From> static __device__ __forceinline__ To bits_as(From from) {",
    '  static_assert(sizeof(To) == sizeof(From), "bits keep their width");',
    "  To to;",
    "  memcpy(&to, &from, sizeof to);",
    "  return to;",
    "}",
)
_PACK = ("template <class T, int N> struct alignas(sizeof(T) * N) pack {", "  T at[N];", "};")
# A store whose address NVRTC has made a running pointer is no longer known to be aligned, and is split.
_OPAQUE = (
    "static __device__ __forceinline__ int opaque(int at) { return at; }",
    "static __device__ __forceinline__ long long opaque(long long at) {",
    "# ifdef __CUDA_ARCH__",
    '  asm("" : "+l"(at));',
    "# endif",
    "  return at;",
    "}",
)
# libdevice's conversions are one instruction each, with no header to read.
_FLOAT_OF_HALF = (
    'extern "C" __device__ float __nv_half2float(unsigned short);',
    "static __device__ __forceinline__ float float_of_half(unsigned short x) {",
    "  return __nv_half2float(x);",
    "}",
)
_HALF_OF_FLOAT = (
    'extern "C" __device__ unsigned short __nv_float2half_rn(float);',
    "static __device__ __forceinline__ unsigned short half_of_float(float x) {",
    "  return __nv_float2half_rn(x);",
    "}",
)
# How many lanes this warp has: the last one of a workgroup may have fewer.
_WARP_LANES = (
    "static __device__ __forceinline__ unsigned int warp_lanes() {",
    "  const unsigned int left = blockDim.x - (threadIdx.x & ~31u);",
    "  return left < 32u ? left : 32u;",
    "}",
)
_WARP_MASK = (
    "static __device__ __forceinline__ unsigned int warp_mask() {",
    "  return 0xffffffffu >> (32u - #warp_lanes());",
    "}",
)
_WIDE = "({{type}}){}{{scope}}((unsigned long long *)&{{place}}, (unsigned long long)({{x}}))"
_RETRY = swap_loop(
    "{type}", "*(volatile {type} *)&{place}", "atomicCAS{scope}(({type} *)&{place}, {old}, {next})"
)
# Sequentially consistent, each for all memory, as C++'s atomic_thread_fence.
_FENCES = table(
    workgroup="__threadfence_block();", device="__threadfence();", system="__threadfence_system();"
)

CUDA = c_dialect(
    name="CUDA C++",
    device="cuda",
    header=_BITS_AS,
    # Each float operation rounds by itself, and as IEEE 754 has it; subnormals are kept.
    options=("--std=c++17", "--fmad=false", "--prec-div=true", "--prec-sqrt=true", "--ftz=false"),
    types=_TYPES,
    memory_types=table(bool="unsigned char"),
    halves=table(
        f16=Half(
            "unsigned short",
            widened="#float_of_half({x})",
            narrowed="#half_of_float({x})",
            rounded="#float_of_half(#half_of_float({x}))",
        )
    ),
    shared="__shared__ {type} {name}[{size}];",
    # Not __constant__: lanes that read different addresses of that are serialized.
    constants="static __device__ const {type} {name}[{size}] = {{{values}}};",
    function="static __device__ __forceinline__ {type} {name}({parameters}) {{",
    # Loops that gain by it are unrolled already; the compiler's unrolling doubles code and registers.
    loop='_Pragma("unroll 1") for ({type} {name} = {lower}; {name} < {upper}; {name} += {step}) {{',
    wide="LL",
    bitcast="bits_as<{type}>({x})",
    own=table(
        pack=_PACK,
        opaque=_OPAQUE,
        float_of_half=_FLOAT_OF_HALF,
        half_of_float=_HALF_OF_FLOAT,
        warp_lanes=_WARP_LANES,
        warp_mask=_WARP_MASK,
    ),
    buffer="{access}{type} *__restrict__ {name}",
    launch=("struct launch_t {{ unsigned long long slots[{slots}]; }};",),
    launch_parameters=("const __grid_constant__ launch_t launch",),
    # Room for two workgroups: told nothing, ptxas spills registers to make room for five.
    entry=('extern "C" __global__ __launch_bounds__({threads}, 2)', "void {name}({parameters}) {{"),
    group="({type})blockIdx.x",
    lane="({type})threadIdx.x",
    buffer_limit=127,
    barrier="__syncthreads();",
    shared_barrier="__syncthreads();",
    fences=table(thread="", **_FENCES),
    strict_fences=_FENCES,
    shuffle_down="__shfl_down_sync(#warp_mask(), {x}, (unsigned int)({delta}))",
    broadcast="__shfl_sync(#warp_mask(), {x}, 0)",
    subgroup_size="({type})#warp_lanes()",
    subgroup_lane="({type})(threadIdx.x & 31u)",
    subgroup_types=frozenset(_TYPES[name] for name in ("i32", "u32", "i64", "u64", "f32", "f64")),
    subgroup_lanes=32,
    vectors=Vectors(
        type="#pack<{type}, {lanes}>",
        load="*(const {vector} *)({name} + {at})",
        store="*({vector} *)({name} + #opaque({at})) = {x};",
        of="{vector}{{{{{values}}}}}",
        element="{x}.at[{n}]",
        missed="(({type})((unsigned long long)({name} + {at}) & {mask}u))",
    ),
    atomics=table(**by_kind("atomicKind{scope}(&{place}, {x})"), exchange="atomicExch{scope}(&{place}, {x})"),
    atomics64=table(
        **by_kind(_WIDE.format("atomicKind"), ("add", *BITWISE)),
        **by_kind("atomicKind{scope}(&{place}, {x})", ("min", "max")),
        exchange=_WIDE.format("atomicExch"),
    ),
    # In global memory the sum of f32 flushes subnormals to zero.
    float_atomics=table(
        f32=table(add="atomicAdd{scope}(&{place}, {x})", exchange="atomicExch{scope}(&{place}, {x})"),
        f64=table(add="atomicAdd{scope}(&{place}, {x})"),
    ),
    scopes=table(workgroup="_block", device="", system="_system"),
    atomic_retry=_RETRY,
    atomic_retry64=_RETRY,
)
"""CUDA's own math functions err by 1 to 4 ulp: the bodies of codegen/math take their place."""
