"""Reference values from the C library in the next wider format, and errors in ulp, at compiled speed.

f32 results are measured against libm's double functions, f64 results against its long double ones (x87, 64
bits of significand), whose own errors are about 2**-29 and 2**-10 of the ulp in question.
"""

from __future__ import annotations

import ctypes
import platform
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import llvmlite.binding as llvm
import numpy as np

HAS_LONG_DOUBLE = sys.platform.startswith("linux") and platform.machine() == "x86_64"
NEVER = 1e9
"""The error of a result of the wrong kind: a NaN or an infinity too much or missing, a wrong sign of zero."""

_WIDE = {"f32": ("float", "double", "", 8), "f64": ("double", "x86_fp80", "l", 16)}

_REFERENCE = """
declare {W} @{symbol}({parameters})
define void @reference(ptr %a, ptr %b, ptr %out, i64 %n) {{
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %pa = getelementptr {T}, ptr %a, i64 %i
  %xa = load {T}, ptr %pa
  %wa = fpext {T} %xa to {W}
  %pb = getelementptr {T}, ptr %b, i64 %i
  %xb = load {T}, ptr %pb
  %wb = fpext {T} %xb to {W}
  %value = call {W} @{symbol}({arguments})
  %po = getelementptr {W}, ptr %out, i64 %i
  store {W} %value, ptr %po
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %body, label %exit
exit:
  ret void
}}
"""

_MEASURE = """
declare {W} @llvm.fabs.{w}({W})
define void @measure(ptr %got, ptr %want, ptr %out, i64 %n) {{
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %worst = phi double [ -1.0, %entry ], [ %worst.next, %body ]
  %place = phi i64 [ 0, %entry ], [ %place.next, %body ]
  %pg = getelementptr {T}, ptr %got, i64 %i
  %y = load {T}, ptr %pg
  %pw = getelementptr {W}, ptr %want, i64 %i
  %r = load {W}, ptr %pw
  %t = fptrunc {W} %r to {T}
  %size = call {W} @llvm.fabs.{w}({W} %r)
  ; the unit in the last place of the true value: 2**(max(exponent, smallest) - mantissa)
  %raw = bitcast {W} %size to {R}
  %top = lshr {R} %raw, {significand}
  %field = {to_i64}
  %biased = sub i64 %field, {excess}
  %low = icmp slt i64 %biased, {smallest}
  %raised = select i1 %low, i64 {smallest}, i64 %biased
  %high = icmp sgt i64 %raised, 2046
  %clamped = select i1 %high, i64 2046, i64 %raised
  %shifted = sub i64 %clamped, {mantissa}
  %normal = icmp sgt i64 %shifted, 0
  %unit.bits = shl i64 %shifted, 52
  %unit.normal = bitcast i64 %unit.bits to double
  %place.below = sub i64 %clamped, 1
  %below.bits = shl i64 1, %place.below
  %unit.below = bitcast i64 %below.bits to double
  %unit = select i1 %normal, double %unit.normal, double %unit.below
  %wide.y = fpext {T} %y to {W}
  %difference = fsub {W} %wide.y, %r
  %absolute = call {W} @llvm.fabs.{w}({W} %difference)
  {scaled}
  %finite = fcmp olt double %error, 0x7FF0000000000000
  %same = fcmp oeq {T} %y, %t
  %nan.y = fcmp uno {T} %y, %y
  %nan.t = fcmp uno {T} %t, %t
  %both = and i1 %nan.y, %nan.t
  %good = or i1 %same, %both
  %special = select i1 %good, double 0.0, double {never}
  %plain = select i1 %finite, double %error, double %special
  %y.bits = bitcast {T} %y to {I}
  %t.bits = bitcast {T} %t to {I}
  %sign.bits = xor {I} %y.bits, %t.bits
  %differ = icmp slt {I} %sign.bits, 0
  %not.both = xor i1 %both, true
  %wrong = and i1 %differ, %not.both
  %final = select i1 %wrong, double {never}, double %plain
  %larger = fcmp ogt double %final, %worst
  %worst.next = select i1 %larger, double %final, double %worst
  %place.next = select i1 %larger, i64 %i, i64 %place
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %body, label %exit
exit:
  store double %worst.next, ptr %out
  %second = getelementptr i64, ptr %out, i64 1
  store i64 %place.next, ptr %second
  ret void
}}
"""

_SUSPECTS = """
declare double @llvm.fabs.f64(double)
define void @suspects(ptr noalias %got, ptr noalias %want, ptr noalias %out, i64 %n, double %ulp) {
entry:
  %beyond.half = fcmp oge double %ulp, 0.5
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %pg = getelementptr float, ptr %got, i64 %i
  %y = load float, ptr %pg
  %pw = getelementptr double, ptr %want, i64 %i
  %r = load double, ptr %pw
  %t = fptrunc double %r to float
  %y.bits = bitcast float %y to i32
  %t.bits = bitcast float %t to i32
  %same.bits = icmp eq i32 %y.bits, %t.bits
  %rounded = and i1 %same.bits, %beyond.half
  %nan.y = fcmp uno float %y, %y
  %nan.r = fcmp uno double %r, %r
  %nans = and i1 %nan.y, %nan.r
  ; the unit in the last place of the true value; for a denormal it is taken too small
  %r.bits = bitcast double %r to i64
  %field = and i64 %r.bits, 9218868437227405312
  %unit.bits = sub i64 %field, 103582791429521408
  %large = icmp sgt i64 %unit.bits, 0
  %unit = bitcast i64 %unit.bits to double
  %wide.y = fpext float %y to double
  %difference = fsub double %wide.y, %r
  %absolute = call double @llvm.fabs.f64(double %difference)
  %limit = fmul double %ulp, %unit
  %within = fcmp ole double %absolute, %limit
  %near = and i1 %within, %large
  %plain = or i1 %rounded, %near
  %fine = or i1 %plain, %nans
  %suspect = xor i1 %fine, true
  %byte = zext i1 %suspect to i8
  %po = getelementptr i8, ptr %out, i64 %i
  store i8 %byte, ptr %po
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %body, label %exit
exit:
  ret void
}
"""


_LAYOUT: dict[str, dict[str, object]] = {
    "f32": {
        "w": "f64", "I": "i32", "R": "i64", "to_i64": "add i64 %top, 0",
        "significand": 52, "excess": 0, "smallest": 1023 - 126, "mantissa": 23,
    },
    "f64": {
        "w": "f80", "I": "i64", "R": "i80", "to_i64": "trunc i80 %top to i64",
        "significand": 64, "excess": 16383 - 1023, "smallest": 1, "mantissa": 52,
    },
}  # fmt: skip
"""Where the wider format keeps its exponent, and what the narrower one's last place is worth."""


@dataclass(frozen=True)
class Worst:
    """The largest error met, in ulp, and the arguments it was met at."""

    ulp: float
    arguments: tuple[float, ...]

    def worse(self, other: Worst) -> Worst:
        return other if other.ulp > self.ulp else self


NOTHING = Worst(-1.0, ())

_engines: list[object] = []


def compile_ir(text: str, symbol: str) -> int:
    """The address of `symbol` in LLVM text compiled for this machine, with all that its vectors can do."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    if sys.platform.startswith("linux"):
        llvm.load_library_permanently("libm.so.6")
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=3
    )
    module = llvm.parse_assembly(text)
    module.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = True
    passes = llvm.create_pass_builder(machine, options)
    passes.getModulePassManager().run(module, passes)
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    _engines.append(engine)
    address: int = engine.get_function_address(symbol)
    return address


@cache
def _reference(name: str, dtype: str, arity: int) -> ctypes._CFuncPtr:
    narrow, wide, suffix, _ = _WIDE[dtype]
    text = _REFERENCE.format(
        T=narrow,
        W=wide,
        symbol=name + suffix,
        parameters=", ".join([wide] * arity),
        arguments=", ".join(f"{wide} %{v}" for v in ("wa", "wb")[:arity]),
    )
    signature = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3, ctypes.c_int64)
    return signature(compile_ir(text, "reference"))


@cache
def _measure(dtype: str) -> ctypes._CFuncPtr:
    narrow, wide, _, _ = _WIDE[dtype]
    if dtype == "f32":
        scaled = "%error = fdiv double %absolute, %unit"
    else:
        scaled = (
            "%wide.unit = fpext double %unit to x86_fp80\n"
            "  %wide.error = fdiv x86_fp80 %absolute, %wide.unit\n"
            "  %error = fptrunc x86_fp80 %wide.error to double"
        )
    text = _MEASURE.format(T=narrow, W=wide, scaled=scaled, never=f"{NEVER:.1e}", **_LAYOUT[dtype])
    signature = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3, ctypes.c_int64)
    return signature(compile_ir(text, "measure"))


def _cardinal_sine(x: np.ndarray) -> np.ndarray:
    """sin(pi * x) / (pi * x), pi times what is left after the nearest integer."""
    pi = 4 * np.arctan(x.dtype.type(1))
    size = np.abs(x)
    nearest = np.rint(size)
    sine = np.sin(pi * (size - nearest)) * np.where(np.fmod(nearest, 2) == 0, 1, -1)
    return np.where(size == 0, x.dtype.type(1), sine / (pi * size))


_COMPOSED: dict[str, Callable[..., np.ndarray]] = {"sinc": _cardinal_sine}
"""Functions that libm lacks, of arrays of the wider format."""


def reference(name: str, *arguments: np.ndarray) -> np.ndarray:
    """libm's `name` of the arguments in the next wider format, as raw bytes (n, 8) or (n, 16)."""
    dtype = {4: "f32", 8: "f64"}[arguments[0].itemsize]
    if name in _COMPOSED:
        with np.errstate(all="ignore"):
            wide = [x.astype(np.float64 if dtype == "f32" else np.longdouble) for x in arguments]
            return np.ascontiguousarray(_COMPOSED[name](*wide)).view(np.uint8).reshape(-1, _WIDE[dtype][3])
    out = np.empty((arguments[0].size, _WIDE[dtype][3]), np.uint8)
    first, last = arguments[0], arguments[-1]
    _reference(name, dtype, len(arguments))(first.ctypes.data, last.ctypes.data, out.ctypes.data, first.size)
    return out


@cache
def _suspects() -> ctypes._CFuncPtr:
    signature = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3, ctypes.c_int64, ctypes.c_double)
    return signature(compile_ir(_SUSPECTS, "suspects"))


def suspects(got: np.ndarray, want: np.ndarray, ulp: float) -> np.ndarray:
    """Where results in f32 may be more than `ulp` off or of the wrong kind: those worth the exact measure."""
    marked = np.empty(got.size, np.bool_)
    _suspects()(got.ctypes.data, want.ctypes.data, marked.ctypes.data, got.size, ulp)
    return np.flatnonzero(marked)


def worst_error(got: np.ndarray, want: np.ndarray, arguments: tuple[np.ndarray, ...]) -> Worst:
    """The largest error of `got` in ulp of its own format, against `reference`'s values."""
    dtype = {4: "f32", 8: "f64"}[got.itemsize]
    out = np.zeros(2, np.float64)
    _measure(dtype)(got.ctypes.data, want.ctypes.data, out.ctypes.data, got.size)
    place = int(out.view(np.int64)[1])
    return Worst(float(out[0]), tuple(x[place].item() for x in arguments))
