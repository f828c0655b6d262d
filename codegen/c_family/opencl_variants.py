"""OpenCL C of later versions and with extensions: OPENCL with a few fields changed."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from .c import by_kind, c11_atomics, c11_retry, converted_half, swap_loop
from .dialect import Dialect, table
from .opencl import OPENCL

Names = Collection[str]
Sizes = Collection[int]
_FENCE = "atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, {}, {});"
_BOTH, _STRICT = "memory_order_acq_rel", "memory_order_seq_cst"
_GROUP, _DEVICE, _ALL = "memory_scope_work_group", "memory_scope_device", "memory_scope_all_svm_devices"
_OBJECT = "(volatile {space} atomic_{type} *)&{place}"

_ORDER_FEATURES = table(acq_rel=("acquire", "release", "acquire_release"), seq_cst=("sequential",))
_SCOPE_FEATURES = table(device=("device", _DEVICE), all_devices=("system", _ALL))


_KINDS = c11_atomics(_OBJECT, "{order}, {scope}")
_RETRY = c11_retry("{type}", _OBJECT, "memory_order_relaxed, {scope}", "{order}, {failure}, {scope}")
_ORDERS = table(
    **{name: f"memory_order_{name}" for name in ("relaxed", "acquire", "release")},
    acquire_release=_BOTH,
    sequential=_STRICT,
)


def _ordered(version: str, orders: Collection[str], scopes: Mapping[str, str]) -> Dialect:
    """OpenCL C from 2.0 on, with some of the orders and scopes of atomics and fences."""
    strict = {s: _FENCE.format(_STRICT, word) for s, word in scopes.items() if "sequential" in orders}
    fences = {s: _FENCE.format(_BOTH, word) for s, word in scopes.items() if s != "system"}
    if "system" in strict:
        fences["system"] = strict["system"]
    standard = {o: f"-cl-std=CL{version}" for o in OPENCL.options if o.startswith("-cl-std=")}
    return replace(
        OPENCL,
        name=f"OpenCL C {version}",
        options=tuple(standard.get(option, option) for option in OPENCL.options),
        fences=table(thread="", **fences),
        strict_fences=table(**strict),
        atomics=_KINDS,
        orders=table(**{order: _ORDERS[order] for order in orders}),
        # What was read where a comparison fails is not released.
        failures=table(**{**_ORDERS, "release": _ORDERS["relaxed"], "acquire_release": _ORDERS["acquire"]}),
        scopes=table(**scopes),
        atomic_retry=_RETRY,
    )


OPENCL_2 = _ordered("2.0", _ORDERS, {"workgroup": _GROUP, "device": _DEVICE})
"""Every order, to the scope of the device. System scope needs shared virtual memory: see `opencl_dialect`."""

_BASE_64, _EXTENDED_64 = "cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics"
_WORD_64 = "(volatile {space} ulong *)&{place}"
_RETRY_64 = swap_loop("ulong", f"atom_add({_WORD_64}, 0uL)", f"atom_cmpxchg({_WORD_64}, {{old}}, {{next}})")
_BASE_KINDS = table(add="atom_add(&{place}, {x})", exchange="atom_xchg(&{place}, {x})")
_ALL_KINDS = table(**{**by_kind("atom_KIND(&{place}, {x})"), **_BASE_KINDS})
_REQUIRED_32 = " __attribute__((intel_reqd_sub_group_size(32)))"


def opencl_dialect(
    version: tuple[int, int] = (1, 2),
    extensions: Names = (),
    features: Names = (),
    subgroup_sizes: Sizes = (),
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


def _optional(features: Names) -> Dialect:
    """OpenCL 3.0 has relaxed atomics, and fences of a workgroup; other orders and scopes are features."""
    orders, scopes = {"relaxed"}, {"workgroup": _GROUP}
    for feature, added in _ORDER_FEATURES.items():
        orders.update(added if f"__opencl_c_atomic_order_{feature}" in features else ())
    for feature, (scope, word) in _SCOPE_FEATURES.items():
        scopes |= {scope: word} if f"__opencl_c_atomic_scope_{feature}" in features else {}
    return _ordered("3.0", orders, scopes)


def _with_64_bit_atomics(dialect: Dialect, extensions: Names) -> Dialect:
    if _BASE_64 not in extensions:
        return dialect
    ordered = dialect.atomics is _KINDS
    names = [name for name in (_BASE_64, _EXTENDED_64) if name in extensions]
    if ordered and len(names) < 2:
        return dialect  # 64-bit atomic types need both
    kinds = _KINDS if ordered else _ALL_KINDS if len(names) == 2 else _BASE_KINDS
    header = (*dialect.header, *(f"#pragma OPENCL EXTENSION {name} : enable" for name in names))
    return replace(dialect, header=header, atomics64=kinds, atomic_retry64=_RETRY if ordered else _RETRY_64)


def _with_halves(dialect: Dialect, extensions: Names) -> Dialect:
    if "cl_khr_fp16" not in extensions:
        return dialect
    header = (*dialect.header, "#pragma OPENCL EXTENSION cl_khr_fp16 : enable")
    return replace(dialect, header=header, halves=table(f16=converted_half("half", "convert_half_rte({x})")))


def _with_subgroups(dialect: Dialect, extensions: Names, subgroup_sizes: Sizes) -> Dialect:
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
