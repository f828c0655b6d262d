"""MSL, the language of Metal, from version 3.0 on: the types and literals are those of OpenCL C."""

from __future__ import annotations

from dataclasses import replace

from .c import FUNCTIONS, c11_atomics, c11_retry
from .dialect import Dialect, Half, Vectors, table
from .opencl import OPENCL

LAUNCH_BINDING = 30
"""The launch block is bound here, the last of 31; buffers are bound from 0."""

_ALL_MEMORY = "mem_flags::mem_device | mem_flags::mem_threadgroup"
_SHARED_BARRIER = "threadgroup_barrier(mem_flags::mem_threadgroup);"
_FENCE = f"atomic_thread_fence({_ALL_MEMORY}, memory_order_seq_cst, thread_scope_threadgroup);"

METAL = replace(
    OPENCL,
    name="MSL",
    device="metal",
    # Safe math keeps NaN, infinities and the order of operations; contraction is another matter. Older
    # compilers have no such pragmas, and contract within an expression at most: none has two operations.
    header=(
        "#include <metal_stdlib>",
        "#if __METAL_VERSION__ >= 320",
        "#pragma METAL fp math_mode(safe)",
        "#pragma METAL fp contract(off)",
        "#endif",
        "using namespace metal;",
    ),
    options=(),
    types=table(**{name: type_ for name, type_ in OPENCL.types.items() if name != "f64"}),
    missing=table(f64="Metal has no 64-bit floats; use float32 or another device"),
    halves=table(f16=Half("half", widened="float({x})", narrowed="half({x})", rounded="float(half({x}))")),
    shared="threadgroup {type} {name}[{size}];",
    constants="constant {type} {name}[{size}] = {{{values}}};",
    function="static inline {type} {name}({parameters}) {{",
    special_float="as_type<{type}>({bits})",
    bitcast="as_type<{type}>({x})",
    # The precise functions, which safe math chooses: square root is rounded correctly, fmod exact.
    functions=table(
        **{name: f"metal::{spelled}" for name, spelled in FUNCTIONS.items()}
        | {"sqrt": "metal::precise::sqrt({x})", "fmod": "metal::precise::fmod({x}, {y})"}
    ),
    own=table(),
    buffer="device {access}{type} *{name} [[buffer({number})]]",
    launch=("struct launch_t {{ ulong slots[{slots}]; }};",),
    view="",
    launch_parameters=(
        f"constant launch_t &launch [[buffer({LAUNCH_BINDING})]]",
        "uint3 group_position [[threadgroup_position_in_grid]]",
        "uint3 lane_count [[threads_per_threadgroup]]",
        "uint subgroup_number [[simdgroup_index_in_threadgroup]]",
        "uint subgroup_lane [[thread_index_in_simdgroup]]",
        "uint subgroup_width [[threads_per_simdgroup]]",
    ),
    entry=("kernel void {name}({parameters}) {{",),
    slot=table(**{**OPENCL.slot, "float": "as_type<float>((uint)launch.slots[{n}])"}),
    group="({type})group_position.x",
    # Which threads a SIMD-group has is not specified. But all have the same size, except that of the greatest
    # index where the threadgroup is no multiple of it (MSL 4.4.1): these are the numbers from 0 on.
    lane="({type})(subgroup_number * subgroup_width + subgroup_lane)",
    buffer_limit=LAUNCH_BINDING,
    barrier=f"threadgroup_barrier({_ALL_MEMORY});",
    shared_barrier=_SHARED_BARRIER,
    uniform_load=(_SHARED_BARRIER, OPENCL.uniform_load[1], _SHARED_BARRIER),
    # No wider scope: writes that other workgroups are to see need buffers declared coherent(device).
    fences=table(thread="", workgroup="BARRIER"),
    shuffle_down="simd_shuffle_down({x}, (ushort)({delta}))",
    broadcast="simd_broadcast_first({x})",
    subgroup_size="({type})metal::min(subgroup_width, lane_count.x - subgroup_number * subgroup_width)",
    subgroup_lane="({type})subgroup_lane",
    subgroup_meeting="simdgroup_barrier(mem_flags::mem_none);",
    subgroup_types=frozenset(("char", "short", "int", "uchar", "ushort", "uint", "float")),
    subgroup_reduce=table(add="simd_sum({x})", min="simd_min({x})", max="simd_max({x})"),
    atomics=c11_atomics("({space} atomic_{type} *)&{place}", "memory_order_relaxed"),
    atomic_retry=c11_retry(
        "uint",
        "({space} atomic_uint *)&{place}",
        "memory_order_relaxed",
        "memory_order_relaxed, memory_order_relaxed",
        strength="weak",
    ),
    spaces=table(**{"global": "device", "shared": "threadgroup"}),
    # Packed vectors begin where any of their elements may.
    vectors=Vectors(
        type="packed_{type}{lanes}",
        load="*(device const {vector} *)({name} + {at})",
        store="*(device {vector} *)({name} + {at}) = {x};",
        most=4,
        widest=4,
    ),
)
"""Math functions of MSL are allowed 4 to 16 ulp: the bodies of codegen/math take their place."""

METAL_3_2 = replace(
    METAL, name="MSL 3.2", fences=table(thread="", workgroup=_FENCE), strict_fences=table(workgroup=_FENCE)
)
"""With fences of a workgroup that are no barriers."""

SIMD_LANES = 32
"""Threads of a SIMD-group of Apple's GPUs. The pipelines tell, and drivers look at that."""


def with_simd_groups(dialect: Dialect) -> Dialect:
    """MSL for GPUs whose SIMD-groups have SIMD_LANES threads: those of a multiple are all full."""
    return replace(dialect, subgroup_lanes=SIMD_LANES)
