"""The node tests that the package `onnx` carries, and which of them jitframe does not pass, with reasons."""

from __future__ import annotations

import functools
import re
import warnings
from typing import Any

import numpy as np
import onnx
from onnx import numpy_helper

import jitframe as jf
from jitframe.errors import JitframeError

UNSUPPORTED: dict[str, tuple[str, ...]] = {
    "dtypes that jitframe lacks: floats of 8 and 4 bits, integers of 4 and 2 bits": (
        r"cast(like)?_(no_saturate_)?(e8m0_)?.*(FLOAT8|FLOAT4|INT4|INT2).*",
        r"(de)?quantizelinear_(e4m3fn|e5m2|float4e2m1|u?int4|u?int2).*",
        r"qlinearmatmul_.*float8.*",
    ),
    "strings": (
        r"(cast|castlike)_.*STRING.*", r"equal_string.*", r"string.*", r"strnormalizer.*",
        r"regex_full_match.*", r"tfidf.*",
    ),
    "random numbers": (r"bernoulli.*", r"training_dropout(_default)?(_mask)?"),
    "images in files": (r"image_decoder.*",),
    "classical machine learning, and training": (
        r"ai_onnx_ml_.*", r"adagrad.*", r"adam.*", r"momentum.*", r"nesterov.*",
    ),
}  # fmt: skip
"""Patterns of names, without `test_`."""

ROUNDED_ONCE = (r"attention_.*(fp16|bf16).*", r"causal_conv_with_state_.*fp16.*")
"""Floats of 16 bits whose expected values were rounded after each operator; a fused kernel rounds once."""
TRANSFORMS = (r"dft(_axis)?(_opset19)?",)
"""Spectra in float32 whose expected values are those of float64: zeros beside lines of up to 540."""


@functools.cache
def all_cases() -> dict[str, Any]:
    """By name, without `test_`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from onnx.backend.test.case.node import collect_testcases

        with np.errstate(all="ignore"):
            found = collect_testcases(None)
    return {each.name.removeprefix("test_"): each for each in found}


def reason(name: str) -> str | None:
    """Why a case is not passed; None for those that are."""
    for words, patterns in UNSUPPORTED.items():
        if _matches(name, patterns):
            return words
    return None


def _matches(name: str, patterns: tuple[str, ...]) -> bool:
    return any(re.fullmatch(each, name) for each in patterns)


def operators_of(name: str) -> set[str]:
    return {each.op_type for each in all_cases()[name].model.graph.node}


def plain(value: Any) -> Any:
    if isinstance(value, onnx.TensorProto):
        return numpy_helper.to_array(value)
    return [plain(each) for each in value] if isinstance(value, list) else value


def failure(name: str, device: str | None = None) -> str | None:
    """What is wrong in a case; None where it passes."""
    case = all_cases()[name]
    try:
        model = jf.onnx.load(case.model, device=device)
        for inputs, outputs in case.data_sets:
            found = model(*map(plain, inputs))
            found = found if isinstance(found, tuple) else (found,)
            if len(found) != len(outputs):
                return f"{len(found)} outputs, not {len(outputs)}"
            for ours, wanted in zip(found, map(plain, outputs), strict=True):
                compare(ours, wanted, tolerances(name, case), device)
    except (JitframeError, AssertionError) as error:
        return f"{type(error).__name__}: {str(error).strip().splitlines()[0][:200]}"
    return None


def tolerances(name: str, case: Any) -> tuple[float, float]:
    if _matches(name, ROUNDED_ONCE):
        return (2.0**-6 if "bf16" in name else 2.0**-9), 1e-3
    return (case.rtol, 1e-4) if _matches(name, TRANSFORMS) else (case.rtol, case.atol)


def compare(ours: Any, wanted: Any, tolerance: tuple[float, float], device: str | None) -> None:
    if isinstance(wanted, list):
        assert len(ours) == len(wanted)
        for one, other in zip(ours, wanted, strict=True):
            compare(one, other, tolerance, device)
        return
    found = ours.numpy() if isinstance(ours, jf.Tensor) else np.asarray(ours)
    wanted = np.asarray(wanted)
    assert found.shape == wanted.shape, f"{found.shape}, not {wanted.shape}"
    if device is None:
        assert found.dtype == wanted.dtype, f"{found.dtype}, not {wanted.dtype}"
    wide = "c16" if wanted.dtype.kind == "c" else "f8"
    np.testing.assert_allclose(found.astype(wide), wanted.astype(wide), rtol=tolerance[0], atol=tolerance[1])
