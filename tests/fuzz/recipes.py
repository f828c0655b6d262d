"""What a random program may say, one entry for each public function and idiom.

A recipe is a function of a `Draw`, which picks operands among the program's names, and gives an expression
with how it treats rounding:

"exact"   the same bits as NumPy, and exact operands only: what jumps (comparisons, casts to integers, floor)
"smooth"  rounded otherwise than NumPy perhaps, which small changes of the operands do not make worse
"moves"   no arithmetic: as exact as its operands
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from .programs import Draw

Rounding = Literal["exact", "smooth", "moves"]
Recipe = Callable[["Draw"], tuple[str, Rounding] | None]
RECIPES: dict[str, Recipe] = {}
"""By the name of the NumPy function, or of an idiom in parentheses."""


def recipe(*names: str) -> Callable[[Callable[[Draw, str], tuple[str, Rounding] | None]], None]:
    def add(made: Callable[[Draw, str], tuple[str, Rounding] | None]) -> None:
        for name in names:
            RECIPES[name] = lambda draw, name=name: made(draw, name)

    return add


# Elementwise -----------------------------------------------------------------------------------------
@recipe("sin", "cos", "tanh", "arctan", "arcsinh", "sinc", "cbrt", "exp", "exp2", "expm1", "sinh", "cosh",
        "polyval")  # fmt: skip
def _anywhere(draw: Draw, name: str) -> tuple[str, Rounding]:
    """Defined everywhere; tame on [-3, 3]."""
    more = "[0.5, -1.0, 2.0], " if name == "polyval" else ""
    return f"np.{name}({more}np.clip({draw.floating()}, -3, 3))", "smooth"


@recipe("log", "log2", "log10", "sqrt", "reciprocal", "arccosh")
def _above_one(draw: Draw, name: str) -> tuple[str, Rounding]:
    return f"np.{name}(np.abs({draw.floating()}) + 1.5)", "smooth"


@recipe("arcsin", "arccos", "arctanh", "log1p", "tan")
def _within_one(draw: Draw, name: str) -> tuple[str, Rounding]:
    return f"np.{name}(np.clip({draw.floating()}, -0.8, 0.8))", "smooth"


@recipe("deg2rad", "rad2deg", "square", "positive", "negative", "absolute", "fabs", "conjugate", "real")
def _tame(draw: Draw, name: str) -> tuple[str, Rounding]:
    return (
        f"np.{name}({draw.floating() if name in ('deg2rad', 'rad2deg', 'fabs') else draw.number()})",
        "smooth",
    )


@recipe("hypot", "logaddexp", "logaddexp2", "arctan2", "maximum", "minimum", "fmax", "fmin", "float_power")
def _two_floats(draw: Draw, name: str) -> tuple[str, Rounding]:
    if name == "float_power":
        return f"np.float_power(np.abs({draw.floating()}) + 0.5, 1.5)", "smooth"
    if name == "arctan2":  # away from where it jumps
        x, y = draw.pair(draw.floating)
        return f"np.arctan2({x}, np.abs({y}) + 1)", "smooth"
    x, y = draw.pair(draw.floating if "log" in name or name == "hypot" else draw.number)
    return f"np.{name}({x}, {y})", "smooth"


@recipe("add", "subtract", "multiply", "divide", "power")
def _arithmetic(draw: Draw, name: str) -> tuple[str, Rounding]:
    if name == "divide":
        x, y = draw.pair(draw.number)
        return f"{x} / (np.abs({y}) + 1)", "smooth"
    if name == "power":
        return f"{draw.number()} ** {draw.choice(['2', '3', '1'])}", "smooth"
    x, y = draw.pair(draw.number)
    return f"{x} {'+-*'[['add', 'subtract', 'multiply'].index(name)]} {y}", "smooth"


@recipe("add_scalar", "multiply_scalar")
def _with_scalar(draw: Draw, name: str) -> tuple[str, Rounding]:
    number = draw.choice(["2", "1", "3", "0.5", "np.float32(1.5)", "np.int32(2)"])
    return f"{draw.number()} {'+' if name.startswith('add') else '*'} {number}", "smooth"


@recipe("floor_divide", "remainder", "fmod", "divmod")
def _division(draw: Draw, name: str) -> tuple[str, Rounding]:
    divisor = draw.choice(["3", "2", "5", "7"])
    call = f"np.{name}({draw.exact(draw.number)}, {divisor})"
    return (f"{call}[{draw.choice('01')}]" if name == "divmod" else call), "exact"


@recipe("floor", "ceil", "trunc", "rint", "round", "sign", "isfinite", "isinf", "isnan", "signbit", "spacing",
        "isposinf", "isneginf")  # fmt: skip
def _steps(draw: Draw, name: str) -> tuple[str, Rounding]:
    kind = draw.number if name in ("sign", "round") else draw.floating
    return f"np.{name}({draw.exact(kind)})", "exact"


@recipe("equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "nextafter", "copysign",
        "heaviside", "isclose", "array_equal", "array_equiv", "allclose")  # fmt: skip
def _compared(draw: Draw, name: str) -> tuple[str, Rounding]:
    kind = draw.floating if name in ("nextafter", "copysign", "heaviside") else draw.number
    x, y = draw.pair(lambda fits=None: draw.exact(kind, fits))
    return f"np.{name}({x}, {y})", "exact"


@recipe("logical_and", "logical_or", "logical_xor")
def _logical(draw: Draw, name: str) -> tuple[str, Rounding]:
    x, y = draw.pair(lambda fits=None: draw.exact(draw.any, fits))
    return f"np.{name}({x}, {y})", "exact"


@recipe("logical_not")
def _not(draw: Draw, name: str) -> tuple[str, Rounding]:
    return f"np.logical_not({draw.exact(draw.any)})", "exact"


@recipe("bitwise_and", "bitwise_or", "bitwise_xor", "invert", "bitwise_count", "left_shift", "right_shift",
        "gcd", "lcm")  # fmt: skip
def _bits(draw: Draw, name: str) -> tuple[str, Rounding]:
    if name in ("invert", "bitwise_count"):
        return f"np.{name}({draw.integer()})", "exact"
    if name.endswith("shift"):
        return f"np.{name}({draw.integer()}, {draw.choice('0123')})", "exact"
    return f"np.{name}({', '.join(draw.pair(draw.integer))})", "exact"


@recipe("ldexp", "frexp", "modf", "nan_to_num")
def _parts(draw: Draw, name: str) -> tuple[str, Rounding]:
    x = draw.exact(draw.floating)
    if name == "ldexp":
        return f"np.ldexp({x}, {draw.choice('123')})", "exact"
    return (f"np.{name}({x})" + (f"[{draw.choice('01')}]" if name != "nan_to_num" else "")), "exact"


@recipe("clip")
def _clipped(draw: Draw, name: str) -> tuple[str, Rounding]:
    return f"np.clip({draw.number()}, {draw.choice('012')}, {draw.choice('345')})", "smooth"


@recipe("where", "select", "piecewise")
def _chosen(draw: Draw, name: str) -> tuple[str, Rounding]:
    condition = draw.exact(draw.number)
    x, y = draw.number(condition), draw.number(condition)
    if name == "select":
        return f"np.select([{condition} > 2, {condition} > 0], [{x}, {y}], 1)", "smooth"
    if name == "piecewise":
        return f"np.piecewise({condition}, [{condition} > 2], [7, 1])", "exact"
    return f"np.where({condition} > 1, {x}, {y})", "smooth"


@recipe("astype", "(cast to int)")
def _cast(draw: Draw, name: str) -> tuple[str, Rounding]:
    if name == "astype":
        return f"{draw.number()}.astype(np.{draw.choice(['float32', 'float64'])})", "smooth"
    kind = draw.choice(["int8", "int16", "int32", "int64", "uint8", "uint16", "bool_"])
    return f"np.abs({draw.exact(draw.number)}).astype(np.{kind})", "exact"


@recipe("(view)")
def _view(draw: Draw, name: str) -> tuple[str, Rounding] | None:
    x = draw.exact(draw.any)
    pairs = {"float32": "int32", "int32": "float32", "float64": "int64", "uint8": "int8", "float16": "uint16"}
    to = pairs.get(draw.dtype(x))
    return None if to is None or to.startswith("f") else (f"{x}.copy().view(np.{to})", "exact")


# Reductions and scans --------------------------------------------------------------------------------
@recipe("sum", "mean", "prod", "nanprod", "nansum", "nanmean", "average", "var", "std", "nanvar", "nanstd")
def _summed(draw: Draw, name: str) -> tuple[str, Rounding]:
    x = draw.number() if name in ("sum", "prod", "nanprod") else draw.floating()
    source = f"np.clip({x}, 0, 2)" if name.endswith("prod") else x
    options = "" if name == "average" else draw.kept()
    return f"np.{name}({source}, axis={draw.axis(x)}{options})", "smooth"


@recipe("max", "min", "nanmax", "nanmin", "ptp")
def _extreme(draw: Draw, name: str) -> tuple[str, Rounding]:
    x = draw.number()
    return f"np.{name}({x}, axis={draw.axis(x)}{draw.kept()})", "smooth"


@recipe("any", "all", "count_nonzero")
def _counted(draw: Draw, name: str) -> tuple[str, Rounding]:
    x = draw.exact(draw.any)
    return f"np.{name}({x}, axis={draw.axis(x)}{draw.kept()})", "exact"


@recipe("argmax", "argmin", "nanargmax", "nanargmin")
def _found(draw: Draw, name: str) -> tuple[str, Rounding]:
    x = draw.exact(draw.number)
    return f"np.{name}({x}, axis={draw.one_axis(x)})", "exact"


@recipe("(sum where)", "(max initial)", "(add.reduce)", "(maximum.accumulate)", "(subtract.outer)")
def _reduced(draw: Draw, name: str) -> tuple[str, Rounding]:
    x = draw.number()
    if name == "(sum where)":
        mask = draw.exact(draw.number, x)
        return (
            f"np.sum(np.broadcast_arrays({x}, {mask})[0], where=np.broadcast_arrays({x}, {mask})[1] > 1)",
            "smooth",
        )
    if name == "(max initial)":
        return f"np.max({x}, axis={draw.axis(x)}, initial=1)", "smooth"
    if name == "(add.reduce)":
        return f"np.add.reduce({draw.shaped(1)}, axis=0)", "smooth"
    if name == "(maximum.accumulate)":
        return f"np.maximum.accumulate({draw.shaped(1)}, axis=0)", "smooth"
    return f"np.subtract.outer({x}, {draw.vector()})", "smooth"


@recipe("cumsum", "cumprod", "nancumsum", "nancumprod")
def _scanned(draw: Draw, name: str) -> tuple[str, Rounding]:
    x = draw.number()
    source = f"np.clip({x}, 0, 1)" if name.endswith("prod") else x
    return f"np.{name}({source}, axis={draw.one_axis(x)})", "smooth"


@recipe("cumulative_sum", "cumulative_prod")
def _scanned_anew(draw: Draw, name: str) -> tuple[str, Rounding]:
    x = draw.vector()
    return f"np.{name}(np.clip({x}, 0, 1), include_initial={draw.choice(['True', 'False'])})", "smooth"


# Movement --------------------------------------------------------------------------------------------
_WHOLE = (
    "transpose", "ravel", "squeeze", "flip", "copy", "atleast_1d", "atleast_2d", "atleast_3d",
)  # fmt: skip


@recipe(*_WHOLE)
def _moved(draw: Draw, name: str) -> tuple[str, Rounding]:
    return f"np.{name}({draw.any()})", "moves"


@recipe("matrix_transpose", "flipud", "fliplr", "rot90", "swapaxes", "moveaxis", "rollaxis", "diagonal",
        "trace", "tril", "triu")  # fmt: skip
def _of_matrices(draw: Draw, name: str) -> tuple[str, Rounding]:
    x = draw.shaped(2)
    extra = {"swapaxes": ", 0, -1", "moveaxis": ", 0, -1", "rollaxis": ", 1"}.get(name, "")
    if name in ("rot90", "diagonal", "trace", "tril", "triu"):
        extra = f", {draw.choice(['0', '1', '-1', '2'])}"
    return f"np.{name}({x}{extra})", "smooth" if name == "trace" else "moves"


@recipe("expand_dims", "reshape", "broadcast_to", "tile", "repeat", "roll", "resize", "append", "delete",
        "insert", "diff", "ediff1d", "pad", "lib.stride_tricks.sliding_window_view", "broadcast_arrays",
        "gradient", "trapezoid")  # fmt: skip
def _rearranged(draw: Draw, name: str) -> tuple[str, Rounding]:
    x = draw.floating_vector() if name in ("gradient", "trapezoid") else draw.shaped(1)
    n = draw.choice("123")
    said: dict[str, tuple[str, Rounding]] = {
        "expand_dims": (f"np.expand_dims({x}, {draw.choice(['0', '-1'])})", "moves"),
        "reshape": (draw.reshaped(x), "moves"),
        "broadcast_to": (f"np.broadcast_to({x}, (2, *{x}.shape))", "moves"),
        "tile": (f"np.tile({x}, {draw.choice(['2', '(2, 1)', '3'])})", "moves"),
        "repeat": (f"np.repeat({x}, {n}, axis={draw.one_axis(x)})", "moves"),
        "roll": (f"np.roll({x}, {draw.choice(['1', '-2', '7'])}, axis={draw.one_axis(x)})", "moves"),
        "resize": (f"np.resize({x}, ({n}, 3))", "moves"),
        "append": (f"np.append({x}, {draw.like(x)})", "moves"),
        "delete": (f"np.delete({x}, 0, axis=0)", "moves"),
        "insert": (f"np.insert({x}, 0, {n}, axis=0)", "moves"),
        "diff": (f"np.diff({x}, n=1, axis={draw.one_axis(x, none=False)})", "smooth"),
        "ediff1d": (f"np.ediff1d({x})", "smooth"),
        "pad": (f"np.pad({x}, {n}, mode='{draw.choice(PADS)}')", "smooth"),
        "lib.stride_tricks.sliding_window_view": (
            f"np.lib.stride_tricks.sliding_window_view({x}, {n}, axis=0)", "moves",
        ),
        "broadcast_arrays": (f"np.broadcast_arrays({x}, 1)[0]", "moves"),
        "gradient": (f"np.gradient({x})", "smooth"),
        "trapezoid": (f"np.trapezoid({x})", "smooth"),
    }  # fmt: skip
    return said[name]


PADS = ("constant", "edge", "reflect", "symmetric", "wrap", "linear_ramp", "maximum", "minimum", "mean")


@recipe("concatenate", "stack", "vstack", "hstack", "dstack", "column_stack", "block", "cross")
def _joined(draw: Draw, name: str) -> tuple[str, Rounding]:
    if name == "cross":
        return f"np.cross(np.resize({draw.number()}, (4, 3)), np.resize({draw.number()}, (4, 3)))", "smooth"
    x = draw.shaped(1)
    y = draw.like(x)
    axis = f", axis={draw.choice(['0', '-1'])}" if name in ("concatenate", "stack") else ""
    return f"np.{name}([{x}, {y}]{axis})", "moves"


@recipe("split", "array_split", "hsplit", "vsplit", "dsplit", "unstack")
def _split(draw: Draw, name: str) -> tuple[str, Rounding]:
    x = draw.shaped({"vsplit": 2, "dsplit": 3}.get(name, 1))
    if name == "unstack":
        return f"np.unstack({x})[{draw.choice(['0', '-1'])}]", "moves"
    return f"np.{name}({x}, {draw.choice(['1', '2', '[1, 2]', '3'])})[-1]", "moves"


@recipe("diag", "diagflat")
def _diagonals(draw: Draw, name: str) -> tuple[str, Rounding]:
    return f"np.{name}({draw.vector()}, {draw.choice(['0', '1', '-2'])})", "moves"


# Positions -------------------------------------------------------------------------------------------
@recipe("(slice)", "(newaxis)")
def _sliced(draw: Draw, name: str) -> tuple[str, Rounding]:
    x = draw.shaped(1)
    return (f"{x}[{draw.slices(x)}]" if name == "(slice)" else f"{x}[None, ..., None]"), "moves"


@recipe("searchsorted", "interp")
def _between_points(draw: Draw, name: str) -> tuple[str, Rounding]:
    points = "np.array([-2.0, -0.5, 0.0, 0.0, 1.0, 2.5])"
    if name == "searchsorted":
        side = draw.choice(["'left'", "'right'"])
        return f"np.searchsorted({points}, {draw.exact(draw.floating)}, side={side})", "exact"
    ascending = "np.array([-2.0, -0.5, 0.0, 1.0, 2.5])"
    ends = draw.choice(["", ", left=1.5", ", right=-3.0, left=0.5"])
    return f"np.interp({draw.floating()}, {ascending}, np.array([1.0, -2.0, 0.5, 3.0, 3.0]){ends})", "smooth"


@recipe("digitize", "isin", "histogram", "histogram_bin_edges", "isreal", "iscomplex")
def _looked_up(draw: Draw, name: str) -> tuple[str, Rounding]:
    if name.startswith("is"):
        return f"np.{name}({draw.exact(draw.number)}" + ", [0, 1, 3]" * (name == "isin") + ")", "exact"
    x = draw.exact(draw.floating)
    if name == "digitize":
        return (
            f"np.digitize({x}, np.array([-1.0, 0.0, 2.0]), right={draw.choice(['True', 'False'])})",
            "exact",
        )
    said = f"np.{name}({x}, {draw.choice('235')}, (-3.0, 3.0))"
    return (said, "smooth") if name == "histogram_bin_edges" else (f"{said}[0]", "exact")


@recipe("diag_indices_from", "tril_indices_from", "triu_indices_from", "unravel_index")
def _places(draw: Draw, name: str) -> tuple[str, Rounding]:
    if name == "unravel_index":
        return f"np.unravel_index({draw.exact(draw.integer)} % 24, (2, 3, 4))[{draw.choice('012')}]", "exact"
    matrix = f"np.resize({draw.shaped(1)}, (4, 4))"
    return f"{matrix}[np.{name}({matrix})]", "moves"


@recipe("take", "(gather)", "take_along_axis", "choose", "(gather two)", "(gather mixed)")
def _taken(draw: Draw, name: str) -> tuple[str, Rounding]:
    x = draw.shaped(2 if name in ("(gather two)", "(gather mixed)") else 1)
    where = f"np.abs({draw.integer()}) % max({x}.shape[0], 1)"
    if name == "take":
        mode = draw.choice(["'raise'", "'wrap'", "'clip'"])
        return f"np.take({x}, {where}, axis=0, mode={mode})", "moves"
    if name == "take_along_axis":
        return f"np.take_along_axis({x}, np.zeros_like({x}, dtype=np.int64), axis=0)", "moves"
    if name == "choose":
        y = draw.like(x)
        return f"np.choose(({draw.exact(draw.number, x)} > 1).astype(np.int64), [{x}, {y}])", "moves"
    if name == "(gather two)":
        return f"{x}[{where}, -1]", "moves"
    if name == "(gather mixed)":
        return f"{x}[::-1, {draw.choice(['[0, -1, 0]', 'np.array([[0], [-1]])'])}]", "moves"
    return f"{x}[{where}]", "moves"


@recipe("ix_", "indices", "meshgrid", "tri", "arange", "linspace", "eye", "identity", "full", "zeros", "ones",
        "full_like", "zeros_like", "ones_like", "asarray", "array")  # fmt: skip
def _created(draw: Draw, name: str) -> tuple[str, Rounding]:
    x = draw.any()
    n = draw.choice("12357")
    said = {
        "ix_": f"{draw.shaped(2)}[np.ix_([0, -1], [0])]",
        "indices": f"np.indices((2, {n}))[{draw.choice('01')}]",
        "meshgrid": f"np.meshgrid({draw.vector()}, np.arange({n}))[{draw.choice('01')}]",
        "tri": f"np.tri({n}, 3, {draw.choice(['0', '1', '-1'])})",
        "arange": f"np.arange({draw.choice(['0', '1'])}, {n} * 3, 2)",
        "linspace": f"np.linspace(0, {n}, 5)",
        "eye": f"np.eye({n}, 4, k={draw.choice(['0', '1', '-1'])})",
        "identity": f"np.identity({n})",
        "full": f"np.full(np.shape({x}), 2.5)",
        "zeros": f"np.zeros(({n}, 2), np.int32)",
        "ones": f"np.ones(({n}, 2), np.float32)",
        "full_like": f"np.full_like({x}, 1)",
        "zeros_like": f"np.zeros_like({x})",
        "ones_like": f"np.ones_like({x})",
        "asarray": f"np.asarray({x})",
        "array": f"np.array({x})",
    }
    return said[name], "moves"


# Products --------------------------------------------------------------------------------------------
@recipe("matmul", "dot", "inner", "outer", "tensordot", "vecdot", "vdot", "kron", "matvec", "vecmat",
        "linalg.multi_dot", "linalg.outer", "cov", "corrcoef")  # fmt: skip
def _products(draw: Draw, name: str) -> tuple[str, Rounding]:
    x = draw.matrix()
    vector = draw.number_vector()
    said = {
        "matmul": f"{x} @ {x}.T",
        "dot": f"np.dot({x}, {x}.T)",
        "inner": f"np.inner({x}, {x})",
        "outer": f"np.outer({vector}, {draw.number_vector()})",
        "tensordot": f"np.tensordot({x}, {x}, axes=([0], [0]))",
        "vecdot": f"np.vecdot({x}, {x})",
        "vdot": f"np.vdot({x}, {x})",
        "kron": f"np.kron({x}[:2, :3], {vector}[:3])",
        "matvec": f"np.matvec({x}, {x}[0])",
        "vecmat": f"np.vecmat({x}[:, 0], {x})",
        "linalg.multi_dot": f"np.linalg.multi_dot([{x}, {x}.T, {x}])",
        "linalg.outer": f"np.linalg.outer({vector}, {vector})",
        "cov": f"np.cov({x}.astype(np.float64))",
        "corrcoef": f"np.corrcoef(np.resize({x}, (3, 5)) + np.array([0, 1e3, 0, 2e3, 5e3]))",  # they vary
    }[name]
    return said, "smooth"


@recipe("convolve", "correlate", "linalg.norm", "linalg.vector_norm", "linalg.matrix_norm",
        "linalg.matrix_power", "linalg.cross", "linalg.diagonal", "linalg.trace")  # fmt: skip
def _of_vectors_and_matrices(draw: Draw, name: str) -> tuple[str, Rounding]:
    if name.startswith("co"):
        mode = draw.choice(["'full'", "'same'", "'valid'"])
        return f"np.{name}({draw.floating_vector()}, {draw.floating_vector()}, {mode})", "smooth"
    if name in ("linalg.norm", "linalg.vector_norm"):
        return f"np.{name}({draw.floating_vector()}, ord={draw.choice(['1', '2', 'np.inf'])})", "smooth"
    shape = {"linalg.cross": "(4, 3)", "linalg.matrix_power": "(3, 3)"}.get(name, "(2, 4, 3)")
    x = f"(np.resize({draw.shaped(1)}, {shape}) * 1.0)"
    more = {
        "linalg.cross": f", {x}[::-1]",
        "linalg.matrix_power": f", {draw.choice('0123')}",
        "linalg.matrix_norm": f", ord={draw.choice(['1', 'np.inf', '-1'])}",
    }
    return f"np.{name}({x}{more.get(name, '')})", "smooth"


@recipe("einsum")
def _einsum(draw: Draw, name: str) -> tuple[str, Rounding]:
    x = draw.matrix()
    said = draw.choice(
        ["np.einsum('ij,kj->ik', {0}, {0})", "np.einsum('ij->j', {0})", "np.einsum('ij,ij->i', {0}, {0})",
         "np.einsum('ij,ij', {0}, {0})", "np.einsum('ij->ji', {0})", "np.einsum('i...,i...->...', {0}, {0})"]
    )  # fmt: skip
    return said.format(x), "smooth"


# Control ---------------------------------------------------------------------------------------------
@recipe("(fori_loop)", "(while_loop)", "(scan)", "(cond)")
def _control(draw: Draw, name: str) -> tuple[str, Rounding]:
    """Outside of `jit` these are Python loops."""
    x = draw.floating()
    if name == "(fori_loop)":
        return (
            f"jf.fori_loop(0, {draw.choice(['0', '1', '3', '10'])}, lambda i, v: v * 0.5 + 1, {x})",
            "smooth",
        )
    if name == "(while_loop)":
        going, body = "lambda c: c[0] < 4", "lambda c: (c[0] + 1, c[1] * 0.5)"
        return f"jf.while_loop({going}, {body}, (np.int64(0), {x}))[1]", "smooth"
    if name == "(scan)":
        rows = f"np.atleast_1d({draw.floating()}).astype(np.float64)"
        step = "lambda c, r: (c * 0.5 + r, c + r)"
        return f"jf.scan({step}, np.zeros({rows}.shape[1:]), {rows})[{draw.choice('01')}]", "smooth"
    flag = draw.exact(draw.number)
    return f"jf.cond(np.sum({flag} > 1) > 2, lambda v: v + 1, lambda v: v * 2, {x})", "smooth"


# Assignments -----------------------------------------------------------------------------------------
def assignment(draw: Draw, x: str) -> tuple[str, bool]:
    """A statement that writes to x, which has an axis, and whether it needs exact operands only."""
    kind, value = draw.dtype(x), draw.choice("123")
    value = "True" if kind == "bool" else value
    mask = f"({draw.like(x)} > 1)"
    where = draw.choice(["[0, -1]", "np.array([0, 0, -1])", f"np.arange({x}.shape[0])[::-1]"])
    said = [
        f"{x}[{draw.slices(x)}] = {value}",
        f"{x}[...] = {draw.like(x)}",
        f"{x}[{mask}] = {value}",
        f"{x}[{where}] = {value}",
        f"np.put({x}, [0, -1], {value})",
        f"np.putmask({x}, {mask}, {x})",
        f"np.copyto({x}, {value}, where={mask})",
        f"np.put_along_axis({x}, np.zeros_like({x}, dtype=np.int64), {value}, axis=0)",
        f"np.minimum({x}, {x}[::-1], out={x})",
    ]
    if kind != "bool":
        said += [
            f"{x}[{draw.slices(x)}] += {value}",
            f"{x}[{mask}] *= {value}",
            f"{x}[{where}] += {value}",
            # Of its dtype: NumPy takes uint64 and a plain number through float64 here.
            f"np.add.at({x}, {where}, {x}.dtype.type({value}))",
        ]
    made = draw.choice(said)
    return made, mask in made
