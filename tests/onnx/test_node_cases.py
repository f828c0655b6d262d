"""The standard's own tests of operators: all on the processor, some on other devices; the page of them."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from jitframe.onnx.registry import OPERATORS
from tests.conformance.devices import require
from tests.onnx.node_cases import UNSUPPORTED, all_cases, failure, operators_of, reason

PAGE = Path(__file__).resolve().parents[2] / "docs" / "onnx.md"
LOTS = 8


@pytest.mark.parametrize("lot", range(LOTS))
def test_every_case(lot: int) -> None:
    """Some two hundred models each: seconds, where their kernels have to be compiled."""
    names = list(all_cases())[lot::LOTS]
    found = {name: failure(name) for name in names}
    wrong = [f"{name}: {words}" for name, words in found.items() if words and not reason(name)]
    passed = [name for name, words in found.items() if words is None and reason(name)]
    assert not wrong, "\n".join(wrong)
    assert not passed, f"these pass, take them out of UNSUPPORTED: {passed}"


@pytest.mark.parametrize("device", ["opencl", "webgpu"])
def test_some_on_devices(device: str) -> None:
    """Compilers of devices take seconds for them."""
    target = require(device)
    wanted = [
        "add", "clip", "erf", "gather_elements_0", "gemm_default_matrix_bias", "reduce_mean_keepdims_example",
        "basic_conv_with_padding", "convtranspose_pads", "maxpool_2d_same_upper", "averagepool_2d_pads",
        "batchnorm_example", "layer_normalization_4d_axis_negative_1", "softmax_axis_1",
        "gelu_default_1", "resize_upsample_scales_linear", "concat_2d_axis_1", "slice_neg_steps", "tile",
        "transpose_all_permutations_0", "where_example", "qlinearconv", "einsum_inner_prod",
        "instancenorm_example", "onehot_with_axis", "scatternd", "tril_neg", "reshape_negative_dim",
    ]  # fmt: skip
    kept = [name for name in wanted if _fits(name, target)]
    assert len(kept) >= len(wanted) - 4
    found = {name: failure(name, target.device.name) for name in kept}
    assert not {name: words for name, words in found.items() if words}


def _fits(name: str, target: object) -> bool:
    """Whether the device has the dtypes of a case, or others that stand for them."""
    from tests.onnx.node_cases import plain

    inputs = [plain(each) for each in all_cases()[name].data_sets[0][0]]
    return all(str(each.dtype) not in ("float64",) for each in inputs)


def written() -> str:
    """The tables of the page."""
    names = [name for name in all_cases() if "_expanded" not in name]
    passed = {op for name in names if not reason(name) for op in operators_of(name)}
    ours = sorted({name for domain, name in OPERATORS if not domain} | passed)
    lines = [
        ", ".join(f"`{each}`" for each in ours) + ".",
        "",
        "| not passed | cases | of them |",
        "|---|---|---|",
    ]
    for words in UNSUPPORTED:
        without = [name for name in all_cases() if reason(name) == words]
        operators = sorted({op for name in without for op in operators_of(name)} - set(ours))
        shown = ", ".join(f"`{each}`" for each in operators) if operators else ""
        lines.append(f"| {words} | {len(without)} | {shown} |")
    total = len(all_cases())
    refused = sum(reason(name) is not None for name in all_cases())
    head = f"Of the {total} node tests of onnx's own package, {total - refused} pass."
    return "\n".join([head, "", "Operators:", *lines])


def test_the_page_says_what_there_is() -> None:
    text = PAGE.read_text()
    found = re.search(r"<!-- made by tests/onnx -->\n(.*?)\n<!-- end -->", text, re.DOTALL)
    assert found is not None
    if os.environ.get("JITFRAME_UPDATE_SNAPSHOTS"):
        PAGE.write_text(text[: found.start(1)] + written() + text[found.end(1) :])
        return
    assert found.group(1) == written(), "set JITFRAME_UPDATE_SNAPSHOTS=1"
