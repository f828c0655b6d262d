"""What is broken on purpose: one place in the sources each, and the tests of the first set that tell."""

from __future__ import annotations

from typing import NamedTuple


class Mutation(NamedTuple):
    """`before`, which stands in the file exactly once, is replaced by `after`."""

    name: str
    path: str
    before: str
    after: str
    tests: str


MUTATIONS = (
    Mutation(
        "a law without its condition", "ir/passes/laws.py",
        "Law(of(ops.sub, 0, X), NEG_X, INTEGERS)", "Law(of(ops.sub, 0, X), NEG_X)",
        "tests/ir/test_laws.py",
    ),
    Mutation(
        "a law with its operands exchanged", "ir/passes/laws.py",
        "Law(of(ops.select, NOT_C, X, Y), of(ops.select, C, Y, X))",
        "Law(of(ops.select, NOT_C, X, Y), of(ops.select, C, X, Y))",
        "tests/ir/test_laws.py",
    ),
    Mutation(
        "a derivative that mixes two branches", "ir/ops/derivatives.py",
        "where(condition, given, 0.0).node, where(condition, 0.0, given).node",
        "where(condition, given, 0.0).node, where(condition, given, 0.0).node",
        "tests/ir/test_derivatives.py",
    ),
    Mutation(
        "promotion of integers of one width", "jitframe/arrays/promotion.py",
        "if signed.bits > unsigned.bits:", "if signed.bits >= unsigned.bits:",
        "tests/functions/test_promotion.py",
    ),
    Mutation(
        "a multiplier of the random generator", "ir/ops/randomness.py",
        "0xD2511F53", "0xD2511F55", "tests/functions/test_random.py",
    ),
    Mutation(
        "an index counted from the end", "jitframe/arrays/indexing.py",
        "return position + extent if position < 0 else position", "return position",
        "tests/functions/test_indexing.py",
    ),
    Mutation(
        "a bound that is off by one", "jitframe/arrays/indexing.py",
        "if not -extent <= position < extent:", "if not -extent <= position <= extent:",
        "tests/functions/test_indexing.py",
    ),
    Mutation(
        "the stride of a slice", "jitframe/arrays/views.py",
        "return tuple(stride * step for stride, step in zip(strides, self.steps, strict=True))",
        "return tuple(stride for stride, step in zip(strides, self.steps, strict=True))",
        "tests/functions/test_view.py tests/jit/test_outputs.py",
    ),
    Mutation(
        "a guard of closures that always holds", "jitframe/tracing/environment/guards.py",
        "return contents_of(cell) is expected", "return True",
        "tests/trace/test_cells.py tests/trace/test_guards.py",
    ),
    Mutation(
        "a guard of lengths that lets longer ones pass", "jitframe/tracing/environment/guards.py",
        "return len(container) == expected", "return len(container) >= expected", "tests/trace",
    ),
    Mutation(
        "a key that takes -0.0 for 0.0", "jitframe/tracing/arguments/value_key.py",
        'struct.pack("<d", float.__float__(value))', 'struct.pack("<d", float.__float__(value) + 0.0)',
        "tests/jit/test_static_keys.py",
    ),
    Mutation(
        "arguments that overlap and are not noticed", "jitframe/tracing/arguments/overlap.py",
        "return numpy.shares_memory(first, second, max_work=_SEARCH_LIMIT)", "return False",
        "tests/errors tests/trace/test_cells.py",
    ),
    Mutation(
        "writing to an argument that is still read", "ir/passes/write_back.py",
        "return not before.isdisjoint(_needing(chain, users).difference(chain))", "return False",
        "tests/lower/test_write_back.py",
    ),
    Mutation(
        "a guard of plans that always holds", "jitframe/compilation/evaluate.py",
        "return all(bool(evaluate_expr(condition, sizes)) is holds for condition, holds in guards)",
        "return True",
        "tests/lower/test_no_size.py tests/lower/test_products.py tests/foundations/test_sums.py",
    ),
    Mutation(
        "a cache entry whose key is not compared", "jitframe/cache/entry.py",
        "if header.key.digest() != found or header", "if header", "tests/cache/test_key_and_entry.py",
    ),
    Mutation(
        "a limit of memory that is off by one", "jitframe/runtime/memory/limits.py",
        "counted.live + nbytes > limits.max_bytes", "counted.live + nbytes >= limits.max_bytes",
        "tests/backends/test_limits.py",
    ),
    Mutation(
        "a queue that reads before another has written", "jitframe/runtime/queues/ordering.py",
        "if uses.written is not None:", "if uses.written is not None and wrote:",
        "tests/backends/test_queues.py tests/runtime_gpu/test_cuda_driver.py",
    ),
    Mutation(
        "a barrier in divergent control flow that is let pass", "codegen/kernel/verify_flow.py",
        'if name == "barrier" and variance', 'if name == "none" and variance', "tests/kernel",
    ),
    Mutation(
        "a buffer freed twice that is let pass", "codegen/plan/verify.py",
        "step.buffer in self.alive,\n            f\"@{step.buffer} is freed",
        "True,\n            f\"@{step.buffer} is freed", "tests/plan/test_verify.py",
    ),
    Mutation(
        "a counting sort that counts a chunk twice", "codegen/lower/scatter/counting_sort.py",
        "select(other < chunk, counted", "select(other <= chunk, counted",
        "tests/lower/test_scatter.py tests/lower/test_chunked_scatter.py",
    ),
    Mutation(
        "an index that is wrapped at the wrong end", "codegen/lower/writing/writer.py",
        "given < zero, given + extent, given", "given < zero, given - extent, given",
        "tests/conformance/test_selection.py",
    ),
    Mutation(
        "quotients rounded towards zero", "codegen/llvm/division.py",
        'w.select(down, w.binary("sub", quotient, integer(1, y.type)), quotient)', "quotient",
        "tests/llvm/test_operations.py",
    ),
    Mutation(
        "a negative literal without parentheses", "codegen/c_family/literals.py",
        'return f"(-{text})" if value < 0 else text', 'return f"-{text}" if value < 0 else text',
        "tests/c_family/test_literals.py tests/c_family/test_snapshots.py",
    ),
)  # fmt: skip
