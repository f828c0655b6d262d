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
        "where(condition, upstream, 0.0).node, where(condition, 0.0, upstream).node",
        "where(condition, upstream, 0.0).node, where(condition, upstream, 0.0).node",
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
        "value < zero, value + extent, value", "value < zero, value - extent, value",
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
    Mutation(
        "a cast of u32 through 32 bits", "codegen/llvm/conversions.py",
        'through = 64 if target.bits == 64 or (target.kind == "uint" and target.bits == 32) else 32',
        "through = 64 if target.bits == 64 else 32", "tests/llvm/test_operations.py",
    ),
    Mutation(
        "a cast to u64 without its upper half", "codegen/llvm/conversions.py",
        'top = w.select(large, integer(-(1 << 63), "i64"), integer(0, "i64"))', 'top = integer(0, "i64")',
        "tests/conformance/test_elementwise.py",
    ),
    Mutation(
        "a cast that takes signed integers for unsigned ones", "codegen/llvm/conversions.py",
        'op = "sitofp" if signed else "uitofp"', 'op = "uitofp"',
        "tests/conformance/test_elementwise.py",
    ),
    Mutation(
        "a floor that lowers whole numbers", "codegen/llvm/rounding.py",
        '_adjust(w, nearest, "ogt", x, "fsub", one)', '_adjust(w, nearest, "oge", x, "fsub", one)',
        "tests/llvm/test_operations.py",
    ),
    Mutation(
        "loads of a group that are not at the first of them", "codegen/llvm/interleaved.py",
        "writer = (max if stores else min)(", "writer = (min if stores else max)(",
        "tests/llvm/test_interleaved.py",
    ),
    Mutation(
        "lanes of a window that do not begin where it begins", "codegen/llvm/windows.py",
        "picks = [window.offset - low + step * lane for lane in range(width)]",
        "picks = [step * lane for lane in range(width)]", "tests/llvm/test_windows.py",
    ),
    Mutation(
        "passes of other numbers taken for the same", "codegen/llvm/repeated.py",
        "numbering[value] = value.dtype.name, repr(number)", 'numbering[value] = value.dtype.name, ""',
        "tests/llvm/test_repeated.py",
    ),
    Mutation(
        "the order of zeros in sorted keys", "codegen/lower/sorting/order.py",
        "below = sign - size if self.equal_zeros else self._reversed(build, bits)",
        "below = self._reversed(build, bits)", "tests/conformance/test_sorting.py",
    ),
    Mutation(
        "NaN that is not the last in a sort", "codegen/lower/sorting/order.py",
        "return build.select(size > infinity, largest, made)", "return made",
        "tests/conformance/test_sorting.py",
    ),
    Mutation(
        "degrees of freedom that are not taken off", "jitframe/functions/reductions.py",
        "_over(graph, squares, max(count - ddof, 0))", "_over(graph, squares, max(count, 0))",
        "tests/functions/test_reductions.py",
    ),
    Mutation(
        "the last point of half a spectrum", "codegen/lower/fft/reals.py",
        "x = load(point.place, kernel.build.select(last, 0, point.k))",
        "x = load(point.place, kernel.build.select(first, 0, point.k))", "tests/functions/test_fourier.py",
    ),
    Mutation(
        "a quantile between two elements", "jitframe/api/statistics/order_statistics.py",
        '"midpoint": lambda part, index: numpy.where(index % 1 == 0, 0.0, 0.5)',
        '"midpoint": lambda part, index: numpy.where(index % 1 == 0, 0.5, 0.5)',
        "tests/functions/test_order_statistics.py",
    ),
    Mutation(
        "a complex quotient that divides by the smaller part", "jitframe/functions/complex_numbers.py",
        "wide = abs(second) <= abs(first)", "wide = abs(second) >= abs(first)", "tests/complex",
    ),
    Mutation(
        "a draw below a number that is one too small", "jitframe/tracing/standins/streams/distributions.py",
        "return stream.high_product(word, count)", "return stream.high_product(word, most)",
        "tests/jit/test_drawing_in_loops.py",
    ),
    Mutation(
        "a mask without the upper half of a word", "jitframe/tracing/standins/streams/distributions.py",
        "for shift in (1, 2, 4, 8, 16, 32):", "for shift in (1, 2, 4, 8, 16):",
        "tests/jit/test_drawing_in_loops.py",
    ),
    Mutation(
        "a loop whose break is not seen", "jitframe/capture/exits.py",
        "if isinstance(node, (ast.Return, ast.Break, ast.Continue)) or",
        "if isinstance(node, (ast.Return, ast.Continue)) or", "tests/capture",
    ),
)  # fmt: skip
