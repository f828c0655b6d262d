"""OpenCL C of later versions and with extensions: OPENCL with a few fields changed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from .dialect import Dialect, Half, table
from .opencl import OPENCL

_FENCE = "atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, {}, {});"
_BOTH, _STRICT = "memory_order_acq_rel", "memory_order_seq_cst"
_GROUP, _DEVICE, _ALL = "memory_scope_work_group", "memory_scope_device", "memory_scope_all_svm_devices"
_OBJECT = "(volatile {space} atomic_{type} *)&{place}"


def _standard(version: str) -> tuple[str, ...]:
    return tuple(f"-cl-std={version}" if o.startswith("-cl-std=") else o for o in OPENCL.options)


_KINDS = table(
    exchange=f"atomic_exchange_explicit({_OBJECT}, {{x}}, {{order}}, {{scope}})",
    **{
        kind: f"atomic_fetch_{kind}_explicit({_OBJECT}, {{x}}, {{order}}, {{scope}})"
        for kind in ("add", "min", "max", "and", "or", "xor")
    },
)
_RETRY = (
    f"{{type}} {{old}} = atomic_load_explicit({_OBJECT}, memory_order_relaxed, {{scope}});",
    f"while (!atomic_compare_exchange_strong_explicit({_OBJECT}, &{{old}}, {{next}}, "
    "{order}, {failure}, {scope})) {{",
    "}}",
)

OPENCL_2 = replace(
    OPENCL,
    name="OpenCL C 2.0",
    options=_standard("CL2.0"),
    fences=table(thread="", workgroup=_FENCE.format(_BOTH, _GROUP), device=_FENCE.format(_BOTH, _DEVICE)),
    strict_fences=table(workgroup=_FENCE.format(_STRICT, _GROUP), device=_FENCE.format(_STRICT, _DEVICE)),
    atomics=_KINDS,
    orders=table(
        relaxed="memory_order_relaxed",
        acquire="memory_order_acquire",
        release="memory_order_release",
        acquire_release=_BOTH,
        sequential=_STRICT,
    ),
    failures=table(
        relaxed="memory_order_relaxed",
        acquire="memory_order_acquire",
        release="memory_order_relaxed",
        acquire_release="memory_order_acquire",
        sequential=_STRICT,
    ),
    scopes=table(workgroup=_GROUP, device=_DEVICE),
    atomic_retry=_RETRY,
)
"""Every order, to the scope of the device. System scope needs shared virtual memory: see `opencl_dialect`."""

_BASE_64, _EXTENDED_64 = "cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics"
_RETRY_64 = (
    "ulong {old} = atom_add((volatile {space} ulong *)&{place}, 0uL);",
    "for (;;) {{",
    "  const ulong seen = atom_cmpxchg((volatile {space} ulong *)&{place}, {old}, {next});",
    "  if (seen == {old}) break;",
    "  {old} = seen;",
    "}}",
)
_BASE_KINDS = table(add="atom_add(&{place}, {x})", exchange="atom_xchg(&{place}, {x})")
_ALL_KINDS = table(
    **_BASE_KINDS, **{kind: f"atom_{kind}(&{{place}}, {{x}})" for kind in ("min", "max", "and", "or", "xor")}
)
_REQUIRED_32 = " __attribute__((intel_reqd_sub_group_size(32)))"


def opencl_dialect(
    version: tuple[int, int] = (1, 2),
    extensions: Collection[str] = (),
    features: Collection[str] = (),
    subgroup_sizes: Collection[int] = (),
) -> Dialect:
    """The dialect of a device.

    version: of its OpenCL C; features: its `__opencl_c_...` ones, from 3.0; subgroup_sizes: those that
    `cl_intel_required_subgroup_size` may ask for.
    """
    dialect = OPENCL
    if version >= (3, 0):
        dialect = _optional(features)
    elif version >= (2, 0):
        dialect = OPENCL_2
    dialect = _with_halves(_with_64_bit_atomics(dialect, extensions), extensions)
    dialect = _with_subgroups(dialect, extensions, subgroup_sizes)
    return dialect if "cl_khr_fp64" in extensions else dialect.without(frozenset(("f64",)))


def _optional(features: Collection[str]) -> Dialect:
    """OpenCL 3.0 has relaxed atomics, and fences of a workgroup; other orders and scopes are features."""
    d = OPENCL_2
    orders = {"relaxed"}
    scopes = {"workgroup": _GROUP}
    if "__opencl_c_atomic_order_acq_rel" in features:
        orders |= {"acquire", "release", "acquire_release"}
    if "__opencl_c_atomic_order_seq_cst" in features:
        orders.add("sequential")
    if "__opencl_c_atomic_scope_device" in features:
        scopes["device"] = _DEVICE
    everywhere = "__opencl_c_atomic_scope_all_devices" in features
    if everywhere:
        scopes["system"] = _ALL
    strict = {s: _FENCE.format(_STRICT, word) for s, word in scopes.items() if "sequential" in orders}
    fences = {s: _FENCE.format(_BOTH, word) for s, word in scopes.items() if s != "system"}
    if "system" in strict:
        fences["system"] = strict["system"]
    return replace(
        d,
        name="OpenCL C 3.0",
        options=_standard("CL3.0"),
        orders=table(**{order: d.orders[order] for order in orders}),
        scopes=table(**scopes),
        fences=table(thread="", **fences),
        strict_fences=table(**strict),
    )


def _with_64_bit_atomics(dialect: Dialect, extensions: Collection[str]) -> Dialect:
    if _BASE_64 not in extensions:
        return dialect
    ordered = dialect.atomics is _KINDS
    names = [name for name in (_BASE_64, _EXTENDED_64) if name in extensions]
    if ordered and len(names) < 2:
        return dialect  # 64-bit atomic types need both
    kinds = _ALL_KINDS if len(names) == 2 else _BASE_KINDS
    return replace(
        dialect,
        header=(*dialect.header, *(f"#pragma OPENCL EXTENSION {name} : enable" for name in names)),
        atomics64=_KINDS if ordered else kinds,
        atomic_retry64=_RETRY if ordered else _RETRY_64,
    )


def _with_halves(dialect: Dialect, extensions: Collection[str]) -> Dialect:
    if "cl_khr_fp16" not in extensions:
        return dialect
    return replace(
        dialect,
        header=(*dialect.header, "#pragma OPENCL EXTENSION cl_khr_fp16 : enable"),
        halves=table(
            f16=Half(
                "half",
                widened="(float)({x})",
                narrowed="convert_half_rte({x})",
                rounded="(float)convert_half_rte({x})",
            )
        ),
    )


def _with_subgroups(
    dialect: Dialect, extensions: Collection[str], subgroup_sizes: Collection[int]
) -> Dialect:
    """Shuffles are an extension; a width, and that lanes follow each other in it, can only be required."""
    shuffles = {
        "cl_khr_subgroup_shuffle_relative": "sub_group_shuffle_down({x}, (uint)({delta}))",
        "cl_intel_subgroups": "intel_sub_group_shuffle_down({x}, {x}, (uint)({delta}))",
    }
    known = [name for name in shuffles if name in extensions]
    if not known:
        return dialect
    required = "cl_intel_required_subgroup_size" in extensions and 32 in subgroup_sizes
    head, *rest = dialect.entry
    return replace(
        dialect,
        entry=(head + _REQUIRED_32, *rest) if required else dialect.entry,
        shuffle_down=shuffles[known[0]],
        broadcast="sub_group_broadcast({x}, 0u)",
        subgroup_size="({type})get_sub_group_size()",
        subgroup_lane="({type})get_sub_group_local_id()",
        subgroup_types=frozenset(("int", "uint", "float")),
        subgroup_reduce=table(**{kind: f"sub_group_reduce_{kind}({{x}})" for kind in ("add", "min", "max")}),
        subgroup_lanes=32 if required else 0,
    )


OPENCL_3 = _optional(
    ("__opencl_c_atomic_order_acq_rel", "__opencl_c_atomic_order_seq_cst", "__opencl_c_atomic_scope_device")
)
"""With the features that all devices known to the tests have."""
