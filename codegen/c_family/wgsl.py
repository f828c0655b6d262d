"""WGSL, within WebGPU's default limits and with no optional feature."""

from __future__ import annotations

from .c import FUNCTIONS, by_kind
from .dialect import Dialect, Vectors, table

# A literal infinity or NaN is refused, a function's result is not.
_FLOAT_OF = ("fn float_of(bits: u32) -> f32 { return bitcast<f32>(bits); }",)
# The second word of the launch block's first slot, a group number below 2^31, is always zero.
_KEPT = ("fn kept(x: f32) -> f32 { return bitcast<f32>(bitcast<u32>(x) ^ launch.slots[0].y); }",)
_IS_NAN = ("fn is_nan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }",)
_TYPES = table(
    bool="bool", i8="i32", i16="i32", i32="i32", u8="u32", u16="u32", u32="u32", f32="f32",
    f16="f32", bf16="f32",
)  # fmt: skip

_WIDE = "WGSL computes in 32 bits; use {} or another device"

WGSL = Dialect(
    name="WGSL",
    device="webgpu",
    types=_TYPES,
    missing=table(i64=_WIDE.format("int32"), u64=_WIDE.format("uint32"), f64=_WIDE.format("float32")),
    index_bits=(32,),
    packed=True,
    wrapped=frozenset(("i8", "i16", "u8", "u16")),
    signed_wraps=True,
    shift_count="u32({x})",
    let="let {name}: {type} = {value};",
    variable="var {name}: {type} = {value};",
    unset="var {name}: {type};",
    array="var {name}: array<{type}, {size}>;",
    shared="var<workgroup> {name}: array<{type}, {size}>;",
    in_module=True,
    constants="const {name} = array<{type}, {size}>({values});",
    float_tables_as_bits=True,
    parameter="{name}: {type}",
    function="fn {name}({parameters}) -> {type} {{",
    loop="for (var {name}: {type} = {lower}; {name} < {upper}; {name} += {step}) {{",
    forever="loop {{",
    literals=table(
        bool="{x}", i8="{x}i", i16="{x}i", i32="{x}i", u8="{x}u", u16="{x}u", u32="{x}u", f32="{x}f"
    ),
    lowest=table(i32="i32(-2147483648)"),
    special_float="#float_of({bits})",
    select="select({orelse}, {then}, {condition})",
    convert="{type}({x})",
    converts_u32=False,
    bitcast="bitcast<{type}>({x})",
    evaluates_constants=True,
    functions=table(
        **{name: FUNCTIONS[name] for name in ("sqrt", "floor", "ceil", "trunc")},
        abs="abs({x})",
        rint="round({x})",
    ),
    own=table(float_of=_FLOAT_OF, kept=_KEPT, is_nan=_IS_NAN),
    is_nan="#is_nan({x})",
    kept="#kept({x})",
    buffer="@group(0) @binding({number}) var<storage, {access}> {name}: array<{type}>;",
    accesses=table(**{"in": "read", "out": "read_write", "inout": "read_write"}),
    launch=(
        "struct Launch {{ slots: array<vec4<u32>, {pairs}> }}",
        "@group(0) @binding({number}) var<uniform> launch: Launch;",
    ),
    launch_parameters=(
        "@builtin(workgroup_id) groups: vec3<u32>",
        "@builtin(num_workgroups) grid: vec3<u32>",
        "@builtin(local_invocation_index) lane_number: u32",
    ),
    entry=("@compute @workgroup_size({threads}, 1, 1)", "fn {name}({parameters}) {{"),
    slot=table(
        bool="(launch.slots[{half}].{word} & 0xffu) != 0u",
        i32="bitcast<i32>(launch.slots[{half}].{word})",
        u32="launch.slots[{half}].{word}",
        f32="bitcast<f32>(launch.slots[{half}].{word})",
    ),
    group="i32(groups.x + groups.y * grid.x)",
    ragged=True,
    lane="i32(lane_number)",
    buffer_limit=8,
    barrier="workgroupBarrier(); storageBarrier();",
    shared_barrier="workgroupBarrier();",
    uniform_load=("let {name}: {type} = workgroupUniformLoad(&{place});",),
    uniform_memory=False,
    fences=table(thread="", workgroup="BARRIER"),
    atomics=table(**by_kind("atomicKind(&{place}, {x})"), exchange="atomicExchange(&{place}, {x})"),
    atomic_words=True,
    atomic_load="atomicLoad(&{place})",
    atomic_store="atomicStore(&{place}, {x});",
    atomic_retry=(
        "var {old}: u32 = atomicLoad(&{place});",
        "loop {{",
        "  let seen = atomicCompareExchangeWeak(&{place}, {old}, {next});",
        "  if (seen.exchanged) {{ break; }}",
        "  {old} = seen.old_value;",
        "}}",
    ),
    vectors=Vectors(
        type="vec{lanes}<{type}>",
        load="{name}[({at}) >> 2u]",
        store="{name}[({at}) >> 2u] = {x};",
        most=4,
        widest=4,
        single="{name}[({at}) >> 2u][({at}) & 3]",
    ),
)
"""WGSL lets compilers contract and reassociate floats and assume that no NaN occurs; `kept` stops them."""
