"""OpenCL C, for OpenCL 1.2 and later."""

from __future__ import annotations

from .c import by_kind, c_dialect, c_types, swap_loop
from .dialect import Half, Vectors, table

_WORD = "(volatile {space} uint *)&{place}"
OPENCL = c_dialect(
    name="OpenCL C",
    device="opencl",
    header=("#pragma OPENCL FP_CONTRACT OFF",),
    options=("-cl-std=CL1.2", "-cl-fp32-correctly-rounded-divide-sqrt"),
    types=c_types("char", "short", "int", "long", "uchar", "ushort", "uint", "ulong"),
    wide="L",
    bitcast="as_{type}({x})",
    memory_types=table(bool="uchar"),
    # A half is a pointer's target only. Rounding by a store to private memory keeps loops from vectors.
    halves=table(
        f16=Half(
            "ushort",
            load="vload_half({at}, (const {space} half *){name})",
            store="vstore_half_rte({x}, {at}, ({space} half *){name});",
        )
    ),
    shared="__local {type} {name}[{size}];",
    constants="__constant {type} {name}[{size}] = {{{values}}};",
    function="static {type} {name}({parameters}) {{",
    buffer="__global {access}{type} *restrict {name}",
    launch=("typedef struct {{ ulong slots[{slots}]; }} launch_t;",),
    view="{name} += launch.slots[{n}];",
    launch_parameters=("const launch_t launch",),
    entry=("__kernel __attribute__((reqd_work_group_size({threads}, 1, 1)))", "void {name}({parameters}) {{"),
    group="({type})get_group_id(0)",
    lane="({type})get_local_id(0)",
    buffer_limit=127,
    barrier="barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);",
    shared_barrier="barrier(CLK_LOCAL_MEM_FENCE);",
    # OpenCL 1.2 orders a work-item's own accesses only, so it has no fence between work-items.
    fences=table(thread=""),
    atomics=table(**by_kind("atomic_KIND(&{place}, {x})"), exchange="atomic_xchg(&{place}, {x})"),
    atomic_retry=swap_loop("uint", f"atomic_or({_WORD}, 0u)", f"atomic_cmpxchg({_WORD}, {{old}}, {{next}})"),
    spaces=table(**{"global": "__global", "shared": "__local"}),
    vectors=Vectors(
        type="{type}{lanes}",
        load="*(const __global {vector} *)({name} + {at})",
        store="*(__global {vector} *)({name} + {at}) = {x};",
        of="({vector})({values})",
        element="{x}.s{n}",
        missed="(({type})((ulong)({name} + {at}) & {mask}))",
    ),
)
"""Math functions of OpenCL are allowed 3 to 16 ulp: the bodies of codegen/math take their place."""
